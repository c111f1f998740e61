"""From the trace words of a recorded game to the first line and the records of its replay log."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from simcore.games.middle_ages import log
from simcore.games.middle_ages.model import DOMAIN_NAMES, MiddleAgesRules
from simcore.games.middle_ages.rules import tile_list
from simcore.games.middle_ages.state import EVENTS

END_OF_LIST = -1

Record = dict[str, Any]


def header(words: Sequence[int], rules: MiddleAgesRules, players: int) -> Record:
    """Return the game's own fields of the first line.

    Parameters
    ----------
    words
        Trace words of the whole game, beginning with the drawn Events.
    rules
        Resolved rules.
    players
        Players at the table.
    """
    cards = list(rules.events)
    return {
        "options": {"starting_coins": list(rules.starting_coins[:players])},
        "tiles": [tile._asdict() for tile in tile_list(rules)],
        "events": [cards[card] for card in words[1 : 1 + EVENTS]],
        "order": list(range(1, players + 1)),
    }


def records(words: Sequence[int], rules: MiddleAgesRules, players: int) -> Iterator[Record]:
    """Yield the records of a game, in order; parameters as for `header`."""
    reader = _Words(words, list(rules.events), players)
    reader.next(1 + EVENTS)
    while reader.at < len(words):
        yield _READERS[reader.one()](reader)


class _Words:
    """Trace words, read from front to back, and the turn they belong to."""

    def __init__(self, words: Sequence[int], event_names: Sequence[str], players: int) -> None:
        self.words = words
        self.event_names = event_names
        self.players = players
        self.at = 0
        self.round = 0
        self.seat = 0
        self.domain = ""

    def next(self, count: int) -> Sequence[int]:
        """Read some words."""
        start = self.at
        self.at = start + count
        return self.words[start : self.at]

    def one(self) -> int:
        """Read one word."""
        self.at += 1
        return self.words[self.at - 1]

    def listed(self) -> list[int]:
        """Read words up to the end of a list."""
        items = []
        while (word := self.one()) != END_OF_LIST:
            items.append(word)
        return items

    def groups(self, size: int) -> Iterator[Sequence[int]]:
        """Read groups that start with a seat, up to the end of a list."""
        while self.words[self.at] != END_OF_LIST:
            yield self.next(size)
        self.at += 1

    def of_turn(self, kind: str) -> Record:
        """Begin a record that belongs to the current turn."""
        return {"kind": kind, "round": self.round, "seat": self.seat, "domain": self.domain}


def _domain(number: int) -> str | None:
    return DOMAIN_NAMES[number] if number >= 0 else None


def _known(number: int) -> int | None:
    return number if number >= 0 else None


def _deal(words: _Words) -> Record:
    rnd, row = words.next(2)
    columns = words.players + 1
    drawn, tiles = words.next(columns), words.next(columns)
    return {"kind": "deal", "round": rnd, "row": row, "drawn": list(drawn), "tiles": list(tiles)}


def _stack(words: _Words) -> Record:
    rnd, orange, size = words.next(3)
    source = "orange" if orange else "discards"
    return {"kind": "stack", "round": rnd, "source": source, "tiles": sorted(words.next(size))}


def _lord(words: _Words) -> Record:
    rnd, seat, row, col = words.next(4)
    return {"kind": "lord", "round": rnd, "seat": seat + 1, "row": row, "col": col}


def _discard(words: _Words) -> Record:
    rnd, row, col, tile = words.next(4)
    return {"kind": "discard", "round": rnd, "row": row, "col": col, "tile": tile}


def _take(words: _Words) -> Record:
    rnd, seat, row, col, tile, domain = words.next(6)
    words.round, words.seat, words.domain = rnd, seat + 1, DOMAIN_NAMES[domain]
    return {"kind": "take", "round": rnd, "seat": seat + 1, "row": row, "col": col, "tile": tile}


def _coins(words: _Words) -> Record:
    return words.of_turn("effect") | {"coins": words.one()}


def _paid(words: _Words) -> Record:
    return words.of_turn("effect") | {"paid": [{"seat": seat + 1, "coins": coins} for seat, coins in words.groups(2)]}


def _restored(words: _Words) -> Record:
    return words.of_turn("effect") | {"tile": _known(words.one())}


def _scout(words: _Words) -> Record:
    row, col = words.next(2)
    return words.of_turn("effect") | {"row": _known(row), "col": _known(col)}


def _hit(words: _Words) -> Record:
    hits = [{"seat": seat + 1, "tile": _known(tile), "coins": coins} for seat, tile, coins in words.groups(3)]
    return words.of_turn("effect") | {"hits": hits}


def _extra(words: _Words) -> Record:
    return words.of_turn("effect") | {"slot": _domain(words.one())}


def _plot(words: _Words) -> Record:
    slot, token = words.next(2)
    return words.of_turn("effect") | {"slot": _domain(slot), "token": _domain(token)}


def _income(words: _Words) -> Record:
    tiles, coins = words.next(2)
    return words.of_turn("income") | {"tiles": tiles, "coins": coins}


def _event(words: _Words) -> Record:
    number, card = words.next(2)
    outcomes = []
    for seat in range(1, words.players + 1):
        coins = words.next(2)[1]
        buried, restored = words.listed(), words.listed()
        outcome = {"seat": seat, "coins": coins, "buried": buried, "restored": restored[0] if restored else None}
        if len(restored) > 1:
            outcome["also_restored"] = restored[1:]
        outcomes.append(outcome)
    name = words.event_names[card]
    return {"kind": "event", "round": words.round, "slot": number + 1, "event": name, "outcomes": outcomes}


def _round_end(words: _Words) -> Record:
    return {"kind": "round_end", "round": words.round, "coins": list(words.next(words.players))}


def _end(words: _Words) -> Record:
    counted = words.next(2 * words.players)
    ranked = words.next(3 * words.players)
    return {
        "kind": "end",
        "coins": list(counted[0::2]),
        "penalty": list(counted[1::2]),
        "final": list(ranked[0::3]),
        "place": list(ranked[1::3]),
        "share60": list(ranked[2::3]),
    }


_READERS: dict[int, Callable[[_Words], Record]] = {
    int(code): reader
    for code, reader in (
        (log.DEAL, _deal), (log.STACK, _stack), (log.LORD, _lord), (log.DISCARD, _discard), (log.TAKE, _take),
        (log.COINS, _coins), (log.PAID, _paid), (log.RESTORED, _restored), (log.SCOUT, _scout), (log.HIT, _hit),
        (log.EXTRA, _extra), (log.PLOT, _plot), (log.INCOME, _income), (log.EVENT, _event),
        (log.ROUND_END, _round_end), (log.END, _end),
    )
}  # fmt: skip
