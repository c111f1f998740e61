"""Fief 2: a recorded game as the records of a replay log."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from simcore.games.fief_2 import log
from simcore.games.fief_2.model import Fief2Rules
from simcore.games.fief_2.names import ASKED, BUILDINGS, BUY, DECISION_NAMES, GROUNDS, PHASES, why_name
from simcore.games.fief_2.rules import card_list

Record = dict[str, Any]
Words = Sequence[int]


def header(words: Words, rules: Fief2Rules, players: int) -> Record:
    """Return the game's own fields of the first line of a log.

    Parameters
    ----------
    words
        Trace words.
    rules
        Resolved rules.
    players
        Players at the table.
    """
    villages = [
        {"id": number, "name": village.name, "region": region.name, "bishopric": village.bishopric}
        for number, (region, village) in enumerate(
            (region, village) for region in rules.map.regions for village in region.villages
        )
    ]
    names = [village["name"] for village in villages]
    return {
        "options": {"turns": rules.turns},
        "villages": villages,
        "roads": [[names.index(start), names.index(end)] for start, end in rules.map.roads],
        "cards": [{"id": card, "kind": kind} for card, (kind, _) in enumerate(card_list(rules))],
    }


def records(words: Words, rules: Fief2Rules, players: int) -> Iterator[Record]:
    """Yield the records of a game, in order; parameters as for `header`."""
    titles = [region.name for region in rules.map.regions]
    when: Record = {}
    at = 0
    while at < len(words):
        code, size = words[at], words[at + 1]
        event = words[at + 2 : at + 2 + size]
        at += 2 + size
        if code == log.TURN:
            when = {"turn": event[0], "phase": PHASES[event[1]]}
        elif code == log.RED:
            yield {"kind": "card"} | when | _red(event, titles)
        else:
            kind, fields = _FIELDS[code]
            yield {"kind": kind} | when | fields(event)


def _seat(number: int) -> int:
    """A seat as a log counts it, from 1; 0 is the bank and the rebels."""
    return number + 1


def _known(number: int) -> int | None:
    return None if number < 0 else number


def _seat_or_none(number: int) -> int | None:
    return None if number < 0 else number + 1


def _value(name: str, move: int) -> Any:
    """Return what a log writes for a move."""
    value = ASKED[name].value
    if value == "yes":
        return move == 1
    if value == "number":
        return move
    if move == 0:
        return None
    return BUY[move - 1] if value == "buy" else move - 1


def _decision(event: Words) -> Record:
    seat, kind, choice, *options = event
    name = DECISION_NAMES[kind]
    return {
        "seat": _seat(seat),
        "name": name,
        "options": [_value(name, option) for option in options],
        "choice": _value(name, choice),
    }


def _chance(event: Words) -> Record:
    what, *values = event
    name = log.CHANCES[what]
    if name in ("revolt", "calm"):
        values = values[1:]
    return {"what": name, "values": list(values)}


def _move(event: Words) -> Record:
    card, source, source_seat, goal, goal_seat, why = event
    return {"card": card, "from": _zone(source, source_seat), "to": _zone(goal, goal_seat), "why": why_name(why)}


def _zone(zone: int, seat: int) -> Record:
    return {"zone": log.ZONES[zone]} | ({} if seat < 0 else {"seat": _seat(seat)})


def _paid(event: Words) -> Record:
    payer, payee, amount, why = event
    return {"from": _seat(payer), "to": _seat(payee), "amount": amount, "why": why_name(why)}


def _pawns(event: Words) -> Record:
    seat, village, what, delta, why = event
    return {
        "seat": _seat(seat), "village": village, "what": log.PAWN_KINDS[what], "delta": delta, "why": why_name(why),
    }  # fmt: skip


def _lord(event: Words) -> Record:
    lord, seat, village, status, captor, why = event
    return {
        "lord": lord, "seat": _seat(seat), "village": _known(village), "status": log.STATUSES[status],
        "captor": _seat_or_none(captor), "why": why_name(why),
    }  # fmt: skip


def _red(event: Words, titles: Sequence[str]) -> Record:
    card, lord, keeper, why = event
    name = log.RED_CARDS[card] if card < log.FIRST_TITLE else titles[card - int(log.FIRST_TITLE)]
    return {"card": name, "lord": _known(lord), "keeper": _seat_or_none(keeper), "why": why_name(why)}


def _built(event: Words) -> Record:
    village, what, before, after, why = event
    return {"village": village, "what": BUILDINGS[what], "from": before, "to": after, "why": why_name(why)}


def _holder(event: Words) -> Record:
    return {"village": event[0], "seat": _seat_or_none(event[1])}


def _marriage(event: Words) -> Record:
    return {"man": event[0], "woman": event[1], "on": event[2] == 1}


def _round(event: Words) -> Record:
    village, attacker, defender, ground, points, enemy, dice, enemy_dice, total, enemy_total, lost, enemy_lost = event
    return {
        "village": village, "attacker": _seat(attacker), "defender": _seat(defender), "ground": GROUNDS[ground],
        "points": [points, enemy], "dice": [_dice(dice), _dice(enemy_dice)], "totals": [total, enemy_total],
        "losses": [lost, enemy_lost],
    }  # fmt: skip


def _dice(digits: int) -> list[int]:
    """Return dice that are written as digits in base 7."""
    return [die for die in (digits % 7, digits // 7 % 7, digits // 49) if die]


def _income(event: Words) -> Record:
    return dict(
        zip(("seat", "land", "industry", "tithe", "taille", "pension"), (_seat(event[0]), *event[1:]), strict=True)
    )


def _by_seat(names: Sequence[str]) -> Callable[[Words], Record]:
    """Return a function that turns words in the order of the seats into lists by seat."""
    return lambda event: {name: list(event[number :: len(names)]) for number, name in enumerate(names)}


_FIELDS: dict[int, tuple[str, Callable[[Words], Record]]] = {
    int(log.DECIDED): ("decision", _decision),
    int(log.CHANCE): ("chance", _chance),
    int(log.MOVED): ("move", _move),
    int(log.PAID): ("money", _paid),
    int(log.PAWNS): ("pawns", _pawns),
    int(log.LORD): ("lord", _lord),
    int(log.BUILT): ("building", _built),
    int(log.HOLDER): ("holder", _holder),
    int(log.MARRIED): ("marriage", _marriage),
    int(log.ROUND): ("round", _round),
    int(log.INCOME): ("revenue", _income),
    int(log.TURN_END): ("turn_end", _by_seat(("money", "soldiers", "score", "titles"))),
    int(log.OVER): ("end", _by_seat(("score", "last", "money", "place", "share60"))),
}
