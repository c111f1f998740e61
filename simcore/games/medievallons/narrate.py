"""A replay log of Médiévallons as text that a person can follow at the table."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import groupby

from simcore.games.medievallons.ledger import Place, Record
from simcore.games.medievallons.table import Table, place_of
from simcore.log_text import NAME_WIDTH, count, options, short, strategies, title

LABELS = {"draw": "Draws", "pass": "Passes", "short": "Is short", "replacement": "No target", "collapse": "Falls apart"}
SILENT = ("play", "lay", "reinforce", "discard")
"""Moves that the line of the action already shows."""

Lines = Iterator[str]


def narrate(header: Record, records: Sequence[Record]) -> Lines:
    """Yield the lines of readable text of one deal.

    header: The log's first line.
    records: The log's other records, in order.
    """
    table = Table(header)
    yield from _title(header)
    for kind, group in groupby(records, key=_together):
        yield from _TELL[str(kind[0])](table, list(group))


def _together(record: Record) -> tuple[object, ...]:
    """Return what records must have in common to be shown in one line."""
    if record["kind"] != "move":
        return record["kind"], id(record)
    if record["why"] in ("deal", "setup"):
        return ("set-up",)
    places = place_of(record["from"]), place_of(record["to"])
    return "move", record["why"], *places


def _title(header: Record) -> Lines:
    yield title("Médiévallons", header)
    if header["match"]:
        match = header["match"]
        seated = ", ".join(f"player {player} in seat {seat}" for seat, player in enumerate(match["player"], 1))
        score = " to ".join(f"{won / 60:g}" for won in match["won60"])
        yield f"Deal {match['deal']} of the match: {seated}; deals won so far {score}"
    yield strategies(map(short, header["strategies"]))
    yield options(header)


def _step(label: str, text: str) -> str:
    return f"    {label:<12}{text}"


def _guild(table: Table, number: int, cards: Sequence[int | None]) -> str:
    return f"guild {number} of {table.counted(cards)}"


# --- the deck ---


def _shuffle(table: Table, group: list[Record]) -> Lines:
    table.shuffle(group[0])
    if group[0]["turn"]:
        cards = len(table.cards[Place("deck")])
        yield _step("End card", f"turns {group[0]['end_card']}; {cards} discards are shuffled into a new deck")


def _set_up(table: Table, group: list[Record]) -> Lines:
    for record in group:
        table.move(record)
    yield from ("", "Set-up")
    for seat, name in enumerate(table.names, 1):
        yield f"  Seat {seat}, {short(name)}: {table.counted(table.hand(seat))}"
    yield f"  Discard pile: {table.name(group[-1].get('card'))}"


# --- a turn ---


def _action(table: Table, group: list[Record]) -> Lines:
    (record,) = group
    seat, cards = record["seat"], record["cards"]
    guilds = "; ".join(_guild(table, number, own) for number, own in table.guilds(seat).items())
    yield ""
    yield f"Turn {record['turn']}, seat {seat}, {short(table.names[seat - 1])}"
    yield f"  Hand: {table.counted(table.hand(seat))}"
    if guilds:
        yield f"  Table: {guilds}"
    if record["action"] == "play":
        yield _step("Plays", table.listed(cards))
    elif record["action"] == "lay":
        yield _step("Lays", _guild(table, record["guild"], cards))
    elif record["action"] == "reinforce":
        yield _step("Reinforces", f"guild {record['guild']} with {table.listed(cards)}")
    elif record["action"] == "use":
        yield _step("Uses", _guild(table, record["guild"], table.guilds(seat)[record["guild"]]))


def _power(table: Table, group: list[Record]) -> Lines:
    (record,) = group
    told = _POWERS.get(record["power"])
    if told is not None:
        yield _step(record["power"].capitalize(), told(table, record))


def _attack(table: Table, record: Record) -> str:
    if record["target"] is None:
        return "finds no rival guild"
    return f"strikes at guild {record['guild']} of seat {record['target']}"


def _knight(table: Table, record: Record) -> str:
    hand = table.hand(record["target"])
    has = any(card is None or table.types[card] == record["type"] for card in hand)
    asked = f"asks seat {record['target']} for a {record['type'].capitalize()}"
    return asked if has else f"{asked}, who has none"


def _merchant(table: Table, record: Record) -> str:
    return f"trades with seat {record['target']}"


def _priest(table: Table, record: Record) -> str:
    return f"sees the hand of seat {record['target']}: {table.counted(table.hand(record['target']))}"


def _beggar(table: Table, record: Record) -> str:
    return "has the largest hand" if record["target"] is None else f"goes to seat {record['target']}"


def _witch(table: Table, record: Record) -> str:
    if record["guild"] is None:
        return "finds no guild to copy and reveals the top card of the deck"
    owner = next(seat for seat in range(1, len(table.names) + 1) if record["guild"] in table.guilds(seat))
    return f"copies guild {record['guild']} of seat {owner}"


def _choice(table: Table, group: list[Record]) -> Lines:
    (record,) = group
    if record["choice"] == "keep" and "cards" in record:  # what is given or taken moves at once
        yield _step("", f"seat {record['seat']} keeps {table.listed(record['cards'])}")


def _moves(table: Table, group: list[Record]) -> Lines:
    first = group[0]
    source, goal = place_of(first["from"]), place_of(first["to"])
    for record in group:
        table.move(record)
    if first["why"] not in SILENT:
        seen = any("card" in record for record in group)
        cards = table.listed(record["card"] for record in group) if seen else count(len(group), "card")
        yield _step(
            LABELS.get(first["why"], first["why"].capitalize()),
            _MOVES[source.zone, goal.zone].format(
                cards=cards, giver=source.seat, guild=source.guild, receiver=goal.seat
            ),
        )


def _turn_end(table: Table, group: list[Record]) -> Lines:
    (record,) = group
    piles = f"deck {record['deck']}, discard pile {record['discard']}"
    yield f"  Cards in hand {'/'.join(map(str, record['hands']))}, {piles}"


# --- the end ---


def _end(table: Table, group: list[Record]) -> Lines:
    (record,) = group
    yield from ("", f"The deal ends in turn {record['turn']}: {_REASONS[record['reason']]}")
    yield f"  Place  Seat  {'Strategy':<{NAME_WIDTH}}  Guilds  Members  Hand   Win  Table"
    for seat in sorted(range(1, len(table.names) + 1), key=lambda seat: (record["place"][seat - 1], seat)):
        place, guilds, members, hand, share = (
            record[name][seat - 1] for name in ("place", "guilds", "members", "hands", "share60")
        )
        own = "; ".join(table.counted(cards) for cards in table.guilds(seat).values())
        name = short(table.names[seat - 1])
        yield (
            f"  {place:>5}  {seat:>4}  {name:<{NAME_WIDTH}}  {guilds:>6}  {members:>7}  {hand:>4}  {share / 60:>4.0%}"
            f"  {own}"
        ).rstrip()


_REASONS = {
    "guilds": "the last guild that is needed lies on the table",
    "deck": "the deck has run out",
    "turn_limit": "the turn limit is reached",
}

_POWERS: dict[str, Callable[[Table, Record], str]] = {
    "assassin": _attack, "rogue": _attack, "knight": _knight, "merchant": _merchant, "beggar": _beggar,
    "priest": _priest, "witch": _witch,
}  # fmt: skip

_MOVES = {
    ("deck", "hand"): "seat {receiver} draws {cards}",
    ("deck", "discard"): "{cards} is revealed and discarded",
    ("discard", "hand"): "seat {receiver} takes {cards} from the discard pile",
    ("hand", "discard"): "seat {giver} discards {cards}",
    ("hand", "hand"): "seat {giver} gives seat {receiver} {cards}",
    ("guild", "discard"): "{cards} goes from seat {giver}'s guild {guild} to the discard pile",
    ("guild", "hand"): "{cards} goes from seat {giver}'s guild {guild} to seat {receiver}'s hand",
}

_TELL: dict[str, Callable[[Table, list[Record]], Lines]] = {
    "shuffle": _shuffle, "set-up": _set_up, "action": _action, "power": _power, "choice": _choice, "move": _moves,
    "turn_end": _turn_end, "end": _end,
}  # fmt: skip
