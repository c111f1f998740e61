"""A replay log of Seigneurial as text that a person can follow at the table."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import groupby
from typing import Any

from simcore.log_text import capital, options, short, strategies, title

Record = dict[str, Any]
Lines = Iterator[str]

WHY = {
    "year": "Year", "harvest": "Harvest", "mill": "Mill", "church": "Church", "favour": "Favour", "unpaid": "Unpaid",
    "card": "Card", "limit": "Hand limit", "winter": "Winter", "draw": "Draw",
}  # fmt: skip
MOVES = {
    ("deck", "hand"): "{goal} draws {cards}",
    ("deck", "front"): "{goal} draws {cards}, which lies in front",
    ("deck", "seen"): "{goal} sees {cards}",
    ("seen", "hand"): "{goal} keeps {cards}",
    ("seen", "deck"): "{cards} goes under the pile",
    ("hand", "deck"): "{cards} goes under the pile",
    ("hand", "discard"): "{source} discards {cards}",
    ("front", "discard"): "{source} discards {cards}",
    ("hand", "hand"): "{source} gives {goal} {cards}",
    ("hand", "table"): "the lord keeps {cards} of {source}",
}
SILENT = ("lay", "played", "rent")
"""Moves that other lines already show."""

REASONS = {
    "track": "the lord stands on the last square",
    "objective": "a tenant reaches the Objective",
    "limit": "the last season is over",
}


def narrate(header: Record, records: Sequence[Record]) -> Lines:
    """Yield the lines of readable text of a game.

    header: The log's first line.
    records: The log's other records, in order.
    """
    yield from _title(header)
    for (kind, *_), group in groupby(records, key=_together):
        yield from _TELL[str(kind)](header, list(group))


def _together(record: Record) -> tuple[object, ...]:
    """Return what records must have in common to be shown in one line."""
    if record["kind"] == "move":
        return "move", record["why"], *record["from"].items(), *record["to"].items()
    return record["kind"], id(record)


def _title(header: Record) -> Lines:
    yield title("Seigneurial", header)
    yield strategies(map(short, header["strategies"]))
    yield options(header)


BACKS = {"wood": "a wood card", "fish": "a fish card", "grain": "a grain card", "tenant": "a tenant's card",
         "lord": "a lord's card", "objective": "an Objective", None: "a card"}  # fmt: skip


def _card(card: str | None) -> str:
    """Name a card: "wood 2", "Hidden cellar"; of a card that the reader does not see, its back."""
    if card is None or card in BACKS:
        return BACKS[card]
    if card[-1].isdigit():
        return f"{card[:-1]} {card[-1]}"
    return card.replace("_", " ").capitalize()


def _seat(seat: int) -> str:
    return "the lord" if seat == 1 else f"tenant {seat}"


def _step(label: str, text: str) -> str:
    return f"    {label:<12}{capital(text)}"


def _goal(header: Record, name: str) -> str:
    points = zip(header["objectives"][name], ("wood", "fish", "grain"), strict=True)
    asked = ", ".join(f"{count} {kind}" for count, kind in points if count)
    return f"{_card(name)} ({asked})"


# --- set-up and seasons ---


def _shuffle(header: Record, group: list[Record]) -> Lines:
    (record,) = group
    if record["turn"]:
        cards = record.get("cards")
        count = sum(record["counts"]) if "counts" in record else None if cards is None else len(cards)
        yield _step("Shuffle", f"{count or 'the'} discards become the new pile of {record['deck']} cards")


def _season(header: Record, group: list[Record]) -> Lines:
    (record,) = group
    yield from ("", f"Season {record['turn']}, {record['season']}; tenant {record['first']} is first")


def _season_end(header: Record, group: list[Record]) -> Lines:
    (record,) = group
    names = ("points", "resources", "favour", "cards")
    counts = [f"{name} {'/'.join('?' if one is None else str(one) for one in record[name])}" for name in names]
    yield f"  Square {record['square']} of {header['track'][1]}; {', '.join(counts)}"


def _moves(header: Record, group: list[Record]) -> Lines:
    first = group[0]
    if first["why"] == "deal":
        told = _goal(header, first["card"]) if first["card"] in header["objectives"] else _card(first["card"])
        yield f"  Tenant {first['to']['seat']} is dealt {told}"
    elif first["why"] not in SILENT:
        told = MOVES[first["from"]["zone"], first["to"]["zone"]]
        source, goal = (_seat(first[end].get("seat", 1)) for end in ("from", "to"))
        cards = ", ".join(_card(record["card"]) for record in group)
        yield _step(WHY[first["why"]], told.format(source=source, goal=goal, cards=cards))


# --- decisions ---


def _action(header: Record, group: list[Record]) -> Lines:
    (record,) = group
    told = _ACTIONS.get(record["action"])
    text = told(record) if told else ""
    if text:
        yield _step(record["action"].capitalize(), f"{_seat(record['seat'])} {text}")


def _play(record: Record) -> str:
    if record["card"] is None:
        return ""
    return f"plays {_card(record['card'])} in the {record['window']} window"


def _lay(record: Record) -> str:
    return f"lays {_card(record['card'])}" if record.get("card") else ""


def _part(record: Record) -> str:
    if "card" not in record:
        return ""
    return f"parts with {_card(record['card'])}" if record["card"] else "parts with nothing more"


def _rent(record: Record) -> str:
    asked = ", ".join(f"{record[kind]} {kind}" for kind in ("wood", "fish", "grain") if record[kind])
    return f"asks for {asked}"


_ACTIONS: dict[str, Callable[[Record], str]] = {
    "play": _play,
    "target": lambda record: f"aims at tenant {record['target']}",
    "what": lambda record: f"chooses {record['what']}",
    "part": _part,
    "shift": lambda record: f"shifts {record['points']} points from {record['from']} to {record['to']}",
    "objective": lambda record: f"keeps {_card(record.get('keep', 'objective'))}",
    "winter": lambda record: "pays the due of winter" if record["pay"] else "refuses the due of winter",
    "place": lambda record: f"places pawns: {', '.join(record['squares']) or 'none'}",
    "drop": lambda record: f"has too many cards and drops {_card(record['card'])}",
    "rent": _rent,
    "lay": _lay,
    "split": lambda record: f"gives a point of favour for {record['type']} to tenant {record['target']}",
    "next": lambda record: f"draws from tenant {record['target']} next",
    "pick": lambda record: f"picks {_card(record.get('card'))}",
    "improve": lambda record: f"improves the {record['square']}",
    "crown": lambda record: f"lets tenant {record['target']} win among equals",
}


# --- what happens ---


def _effect(header: Record, group: list[Record]) -> Lines:
    (record,) = group
    what = f" {record['what']}" if record["what"] else ""
    yield _step("Effect", f"{record['op']}{what} {record['n']}: {', '.join(map(_seat, record['who']))}")


def _ill(header: Record, group: list[Record]) -> Lines:
    (record,) = group
    yield _step("Illness", f"a pawn of tenant {record['seat']} is ill for {record['turns']} positionings")


def _favour(header: Record, group: list[Record]) -> Lines:
    (record,) = group
    yield _step("Favour", f"tenant {record['seat']} gets {record['points']}")


def _draw(header: Record, group: list[Record]) -> Lines:
    (record,) = group
    if not record["kept"]:
        yield _step("Draw", f"the lord gives {_card(record.get('card'))} back to tenant {record['seat']}")


def _progress(header: Record, group: list[Record]) -> Lines:
    (record,) = group
    obtained = "is obtained" if record["obtained"] else "is not obtained"
    yield _step("Rent", f"the rent {obtained}; the lord stands on square {record['square']}")


def _end(header: Record, group: list[Record]) -> Lines:
    (record,) = group
    winner = f"{_seat(record['winner'])} wins" if record["winner"] else "nobody wins"
    yield from ("", f"The game ends: {REASONS[record['reason']]}; {winner}")


_TELL: dict[str, Callable[[Record, list[Record]], Lines]] = {
    "shuffle": _shuffle, "season": _season, "season_end": _season_end, "move": _moves, "action": _action,
    "effect": _effect, "ill": _ill, "favour": _favour, "draw": _draw, "progress": _progress, "end": _end,
}  # fmt: skip
