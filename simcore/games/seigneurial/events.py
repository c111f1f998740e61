"""From the trace words of a recorded game to the first line and the records of the replay log."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from simcore.games.seigneurial import log, state
from simcore.games.seigneurial.columns import ENDINGS
from simcore.games.seigneurial.model import SeigneurialRules
from simcore.games.seigneurial.rules import ENTRIES
from simcore.games.seigneurial.state import CHOICES, NUMBERS, PAIRS, VALUES
from simcore.games.seigneurial.vocabulary import (
    OP_NAMES,
    QUARTER_NAMES,
    SQUARE_NAMES,
    TYPE_NAMES,
    WINDOW_NAMES,
    what_name,
)

Words = Iterator[int]
Record = dict[str, Any]

ZONES = ("deck", "discard", "table", "hand", "front", "seen")
WHY = (
    "deal", "year", "harvest", "mill", "church", "favour", "unpaid", "card", "limit", "played", "winter", "lay", "draw",
    "rent",
)  # fmt: skip
PILES = ("tenant", "lord", "objective")


def header(words: Sequence[int], rules: SeigneurialRules, players: int) -> Record:
    """Return the game's own fields of the first line of a log.

    Parameters
    ----------
    words
        Trace words of the game.
    rules
        Resolved rules.
    players
        Players at the table.
    """
    values = rules.model_dump(mode="json")
    options = {name: values[name] for name in ("par", *CHOICES, *NUMBERS, "pile", *PAIRS)}
    options |= {name: values[name][str(players)] for name in ENTRIES}
    return {
        "options": options,
        "track": options["track"],
        "rent": options["rent"],
        "objectives": {name: list(goal) for name, goal in rules.goals(players).items()},
        "tenant_cards": [card.as_in_toml() for card in rules.tenant_card],
        "lord_cards": [card.as_in_toml() for card in rules.lord_card],
    }


def records(words: Sequence[int], rules: SeigneurialRules, players: int) -> Iterator[Record]:
    """Yield the records of a game, in order; parameters as for `header`."""
    reader = _Reader(rules, players)
    left = iter(words)
    for code in left:
        yield _READERS[code](reader, left)


class _Reader:
    """The names of cards, and the season to which events belong."""

    def __init__(self, rules: SeigneurialRules, players: int) -> None:
        self.players = players
        self.turn = 0
        self.kinds = (
            [card.id for card in rules.tenant_card],
            [card.id for card in rules.lord_card],
            list(rules.objectives),
        )

    def of_turn(self, kind: str) -> Record:
        """Begin a record that belongs to the season."""
        return {"kind": kind, "turn": self.turn}

    def card(self, number: int) -> str | None:
        """Return the name of a card: its face or its id."""
        if number == log.NO_CARD:
            return None
        if number < log.TENANT_CARD:
            return f"{TYPE_NAMES[number // VALUES]}{number % VALUES}"
        table = number // log.TENANT_CARD - 1
        return self.kinds[table][number - (table + 1) * log.TENANT_CARD]

    def by_tenant(self, counts: Sequence[int], at: int) -> list[int]:
        """Return one of the four numbers of each seat, without that of the lord."""
        return list(counts[4 + at :: 4])


def _take(words: Words, count: int) -> list[int]:
    return [next(words) for _ in range(count)]


def _place(word: int) -> Record:
    zone = ZONES[word & 15]
    return {"zone": zone, "seat": 1 + (word >> 4)} if zone in ("hand", "front", "seen") else {"zone": zone}


def _resources(reader: _Reader, words: Words) -> Record:
    kind, *counts = _take(words, 1 + VALUES)
    return {**reader.of_turn("shuffle"), "deck": TYPE_NAMES[kind], "counts": counts}


def _cards(reader: _Reader, words: Words) -> Record:
    pile, count = _take(words, 2)
    cards = [reader.kinds[pile][kind] for kind in _take(words, count)]
    return {**reader.of_turn("shuffle"), "deck": PILES[pile], "cards": cards}


def _season(reader: _Reader, words: Words) -> Record:
    quarter, first = _take(words, 2)
    reader.turn += 1
    return {**reader.of_turn("season"), "season": QUARTER_NAMES[quarter], "first": 1 + first}


def _move(reader: _Reader, words: Words) -> Record:
    card, source, goal, why = _take(words, 4)
    own = {"card": reader.card(card), "from": _place(source), "to": _place(goal), "why": WHY[why]}
    return {**reader.of_turn("move"), **own}


def _action(reader: _Reader, words: Words) -> Record:
    seat, decision, *values = _take(words, 5)
    name = state.DECISIONS[decision].name
    return {**reader.of_turn("action"), "seat": 1 + seat, "action": name, **_FIELDS[name](reader, *values)}


def _placed(reader: _Reader, words: Words) -> Record:
    seat, count = _take(words, 2)
    squares = [SQUARE_NAMES[square] for square in _take(words, count)]
    return {**reader.of_turn("action"), "seat": 1 + seat, "action": "place", "squares": squares}


def _effect(reader: _Reader, words: Words) -> Record:
    op, what, n, *seats = _take(words, 3 + state.PLAYERS)
    name = OP_NAMES[op]
    who = [1 + seat for seat in seats if seat >= 0]
    return {**reader.of_turn("effect"), "op": name, "who": who, "what": what_name(name, what), "n": n}


def _ill(reader: _Reader, words: Words) -> Record:
    seat, turns, _ = _take(words, 3)
    return {**reader.of_turn("ill"), "seat": 1 + seat, "turns": turns}


def _favour(reader: _Reader, words: Words) -> Record:
    seat, points, _ = _take(words, 3)
    return {**reader.of_turn("favour"), "seat": 1 + seat, "points": points}


def _drawn(reader: _Reader, words: Words) -> Record:
    seat, card, kept = _take(words, 3)
    return {**reader.of_turn("draw"), "seat": 1 + seat, "card": reader.card(card), "kept": bool(kept)}


def _progress(reader: _Reader, words: Words) -> Record:
    obtained, square = _take(words, 2)
    return {**reader.of_turn("progress"), "obtained": bool(obtained), "square": square}


def _season_end(reader: _Reader, words: Words) -> Record:
    square, *counts = _take(words, 1 + 4 * reader.players)
    held = {name: reader.by_tenant(counts, at) for at, name in enumerate(("points", "resources", "favour"))}
    return {**reader.of_turn("season_end"), "square": square, **held, "cards": counts[3::4]}


def _end(reader: _Reader, words: Words) -> Record:
    reason, winner, *shares = _take(words, 2 + reader.players)
    return {"kind": "end", "reason": ENDINGS[reason], "winner": 1 + winner if winner >= 0 else None, "share60": shares}


def _of_card(name: str, table: Any = 0) -> Callable[..., Record]:
    return lambda reader, card, *_: {name: reader.card(table + card)}


def _of_seat(name: str) -> Callable[..., Record]:
    return lambda reader, seat, *_: {name: 1 + seat}


_FIELDS: dict[str, Callable[..., Record]] = {
    "play": lambda reader, window, card, _: {"window": WINDOW_NAMES[window], "card": reader.card(card)},
    "target": _of_seat("target"),
    "what": lambda reader, what, square, _: {"what": (SQUARE_NAMES if square else TYPE_NAMES)[what]},
    "part": _of_card("card"),
    "shift": lambda reader, giver, taker, points: {
        "from": TYPE_NAMES[giver],
        "to": TYPE_NAMES[taker],
        "points": points,
    },
    "objective": _of_card("keep", log.GOAL_CARD),
    "winter": lambda reader, pays, *_: {"pay": bool(pays)},
    "keep": _of_card("card", log.TENANT_CARD),
    "drop": _of_card("card", log.TENANT_CARD),
    "rent": lambda reader, *points: dict(zip(TYPE_NAMES, points, strict=True)),
    "lay": _of_card("card"),
    "split": lambda reader, kind, seat, _: {"type": TYPE_NAMES[kind], "target": 1 + seat},
    "next": _of_seat("target"),
    "pick": _of_card("card"),
    "improve": lambda reader, land, *_: {"square": SQUARE_NAMES[land]},
    "crown": _of_seat("target"),
}

_READERS: dict[int, Callable[[_Reader, Words], Record]] = {
    int(code): reader
    for code, reader in (
        (log.SHUFFLE_RESOURCES, _resources),
        (log.SHUFFLE_CARDS, _cards),
        (log.SEASON_BEGINS, _season),
        (log.MOVE, _move),
        (log.ACTION, _action),
        (log.PLACED, _placed),
        (log.EFFECT, _effect),
        (log.ILL, _ill),
        (log.FAVOUR_GIVEN, _favour),
        (log.DRAWN, _drawn),
        (log.ADVANCED, _progress),
        (log.SEASON_ENDS, _season_end),
        (log.END, _end),
    )
}
