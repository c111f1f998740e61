"""Middle-Ages: what a recorded game writes, the records that are read from it, and their text."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import pairwise
from typing import Any

import numpy as np

from simcore.games.middle_ages.rules import event_in_words, Event, MiddleAgesRules, tile_list
from simcore.games.middle_ages.state import DOMAIN_NAMES, EVENTS
from simcore.log_records import (
    Field, Lines, NAME_WIDTH, Record, RecordKind, Sight, Words, by_seat, everybody, grouped, heading, known, listed,
    named, nobody, numbers, one_more, read_records, short, standings, story, together, whole_number,
)  # fmt: skip
from simcore.tabletop import counted


DEAL, STACK, LORD, DISCARD, TAKE, EFFECT, INCOME, EVENT, ROUND_END, END = map(np.int64, range(10))


# --- The records of a replay log, each with the words in the trace that it is read from ---
#
# Everything in the log lies open; nobody knows the order of the stack.


def header(words: Sequence[int], rules: MiddleAgesRules, players: int) -> dict[str, Any]:
    """Return the game's own fields of the first line; the trace begins with the drawn Events."""
    cards = list(rules.events)
    drawn = [cards[card] for card in words[:EVENTS]]
    own = {name: event for name, event in rules.own_events().items() if name in drawn}
    tables = {name: event.model_dump(mode="json", exclude_defaults=True) for name, event in own.items()}
    return {
        "options": {"starting_coins": list(rules.starting_coins[:players])},
        "tiles": [tile._asdict() for tile in tile_list(rules)],
        "events": drawn,
        **({"cards": tables} if tables else {}),
        "order": list(range(1, players + 1)),
    }


def records(words: Sequence[int], rules: MiddleAgesRules, players: int) -> Iterator[dict[str, Any]]:
    """Yield the records of a game, in order."""
    return read_records(RECORD_KINDS, Words(words, rules, players, EVENTS))


def row_of_tiles(words: Words) -> list[int]:
    """One tile for each column."""
    return words.next(words.players + 1)


def new_stack(words: Words) -> list[int]:
    """As many tiles as the first word says."""
    return sorted(words.next(words.one()))


def event_name(words: Words) -> str:
    """The name of an Event card."""
    return str(list(words.rules.events)[words.one()])


def outcomes(words: Words) -> list[dict[str, Any]]:
    """What an Event does to each seat: coins, the buried tiles and the restored ones."""
    found: list[dict[str, Any]] = []
    for seat in range(1, words.players + 1):
        coins, buried, restored = words.one(), numbers(words), numbers(words)
        found.append({"seat": seat, "coins": coins, "buried": buried, "restored": restored[0] if restored else None})
        if len(restored) > 1:
            found[-1]["also_restored"] = restored[1:]
    return found


def of(
    name: str, word: Callable[[Words], Any] = whole_number, meaning: str = "", seen: Sight = everybody, **more: Any
) -> Field:
    """Return a field that is read from the trace."""
    return Field(name, meaning, seen, word=word, **more)


ROUND, SEAT, ROW, COL, TILE = of("round"), of("seat", one_more), of("row"), of("col"), of("tile")
SET_UP = of("round", meaning="0 at set-up")
THIS_ROUND = Field("round")
TURN = (THIS_ROUND, Field("seat"), Field("domain"))
COINS = (of("coins"),)
SLOT = of("slot", named(DOMAIN_NAMES), "Domain or null")

RECORD_KINDS = (
    RecordKind(
        "deal",
        "a row is filled",
        (
            SET_UP,
            ROW,
            of("drawn", row_of_tiles, "tile ids in draw order", seen=nobody, glimpsed=everybody),
            of("tiles", row_of_tiles, "ids left to right"),
        ),
    ),
    RecordKind(
        "stack",
        "the stack ran out and is replaced; comes before the `deal` that needed it",
        (
            ROUND,
            of("source", named(("discards", "orange")), "`orange` or `discards`"),
            of("tiles", new_stack, "ids, ascending"),
        ),
    ),
    RecordKind("lord", "a Lord is placed", (SET_UP, SEAT, ROW, COL)),
    RecordKind("discard", "the empty tile leaves the row", (ROUND, ROW, COL, TILE)),
    RecordKind(
        "take",
        "the tile just left goes to the Fief",
        (ROUND, SEAT, ROW, COL, TILE),
        written=(grouped(domain=named(DOMAIN_NAMES)),),
    ),
    RecordKind(
        "effect",
        "the special effect",
        TURN,
        by="domain",
        variants={
            "field": COINS,
            "market": COINS,
            "mill": (of("paid", listed(grouped(seat=one_more, coins=whole_number)), r"\[{`seat`, `coins`}\]"),),
            "village": (of("tile", known, "id or null"),),
            "rampart": (of("row", known, "or null"), of("col", known, "or null")),
            "barracks": (
                of(
                    "hits",
                    listed(grouped(seat=one_more, tile=known, coins=whole_number)),
                    r"\[{`seat`, `tile` (or null), `coins`}\]",
                ),
            ),
            "church": (SLOT,),
            "palace": (SLOT, of("token", named(DOMAIN_NAMES), "or null")),
        },
    ),
    RecordKind("income", "the Income", (*TURN, of("tiles", meaning="how many are counted"), *COINS)),
    RecordKind(
        "event",
        "an Event card",
        (
            THIS_ROUND,
            of("slot", one_more, "1 to 4"),
            of("event", event_name),
            of("outcomes", outcomes, r"\[{`seat`, `coins` (signed), `buried` \[ids\], `restored` (id or null)}\]"),
        ),
    ),
    RecordKind("round_end", "checksum of the round", (THIS_ROUND, of("coins", by_seat, r"\[by seat\]"))),
    RecordKind(
        "end",
        "`place` 1 is best, and equal for a tie; `share60` is the win share in sixtieths",
        (
            Field("coins", "before the penalty"),
            Field("penalty"),
            Field("final"),
            Field("place"),
            Field("share60", r"\[each by seat\]"),
        ),
        written=(together("coins", "penalty"), together("final", "place", "share60")),
    ),
)


# --- The table as a reader of a replay log of Middle-Ages sees it: what is where after each record ---


@dataclass
class Seat:
    """What one player has."""

    name: str  # strategy that plays the seat
    coins: int  # running total
    fief: dict[str, list[int]] = field(default_factory=lambda: {domain: [] for domain in DOMAIN_NAMES})
    """Tile ids by Domain, lowest first."""
    cemetery: list[int] = field(default_factory=list)  # tile ids in order of burial
    extras: list[str] = field(default_factory=list)
    """Domains with an extra-coin token, in the order in which the tokens were laid."""
    plots: dict[str, str] = field(default_factory=dict)  # domain of the plot token by Domain of the slot
    scout: tuple[int, int] | None = None  # row and column, or None if it is at home


class Table:
    """Follows the records of one game, given the log's first line."""

    def __init__(self, header: Record) -> None:
        self.tiles: dict[int, Record] = {tile["id"]: tile for tile in header["tiles"]}
        self.rows: dict[int, list[int | None]] = {}
        self.lords: dict[tuple[int, int], int] = {}
        names, coins = header["strategies"], header["options"]["starting_coins"]
        self.seats = {seat: Seat(names[seat - 1], coins[seat - 1]) for seat in header["order"]}

    def tile(self, identity: int) -> str:
        """Name a tile: Domain, number, p for each peasant and c for each chest."""
        tile = self.tiles[identity]
        return f"{tile['domain'].capitalize()} {tile['number']}{'p' * tile['peasants']}{'c' * tile['chests']}"

    def tile_at(self, row: int, col: int) -> str:
        """Name the tile in a place of the rows."""
        tile = self.rows[row][col]
        return "an empty place" if tile is None else self.tile(tile)

    def symbols(self, seat: int, symbol: str) -> int:
        """Count the peasants or chests in a seat's Fief."""
        return sum(self.tiles[tile][symbol] for column in self.seats[seat].fief.values() for tile in column)

    def deal(self, record: Record) -> None:
        """Fill a row."""
        self.rows[record["row"]] = list(record["tiles"])

    def lord(self, record: Record) -> bool:
        """Place a Lord; a Scout in that row comes home.  Return whether the Scout had reserved the tile."""
        place = (record["row"], record["col"])
        seat = self.seats[record["seat"]]
        self.lords[place] = record["seat"]
        honoured = seat.scout == place
        if seat.scout is not None and seat.scout[0] == record["row"]:
            seat.scout = None
        return honoured

    def discard(self, record: Record) -> None:
        """Remove the empty tile from its row."""
        self.rows[record["row"]][record["col"]] = None

    def take(self, record: Record) -> None:
        """Move a tile from its row to the Fief."""
        self.rows[record["row"]][record["col"]] = None
        del self.lords[record["row"], record["col"]]
        self._place(record["seat"], record["tile"])

    def restore(self, seat: int, tile: int) -> None:
        """Move a tile from the Cemetery to the Fief."""
        self.seats[seat].cemetery.remove(tile)
        self._place(seat, tile)

    def bury(self, seat: int, tiles: Sequence[int]) -> None:
        """Move tiles from the Fief to the Cemetery."""
        for tile in tiles:
            self.seats[seat].fief[self.tiles[tile]["domain"]].remove(tile)
            self.seats[seat].cemetery.append(tile)

    def pay(self, seat: int, coins: int) -> None:
        """Add coins to a seat's purse."""
        self.seats[seat].coins += coins

    def rob(self, robber: int, victims: Sequence[dict[str, Any]]) -> int:
        """Move coins from victims to a robber; return their number."""
        for victim in victims:
            self.pay(victim["seat"], -victim["coins"])
        coins: int = sum(victim["coins"] for victim in victims)
        self.pay(robber, coins)
        return coins

    def _place(self, seat: int, tile: int) -> None:
        self.seats[seat].fief[self.tiles[tile]["domain"]].append(tile)


# --- A replay log of Middle-Ages as text that a person can follow at the table ---


ROMAN = ("I", "II", "III", "IV")
TIE_BREAKS = DOMAIN_NAMES[::-1]


def narrate(header: Record, records: Sequence[Record]) -> Lines:
    """Yield the lines of readable text of one game."""
    yield from heading("Middle-Ages", header, below=_events(header))
    yield "Tiles: Domain and number, p a peasant, c a chest. Places: row A to D from the top, column 1 leftmost."
    yield from ("", "Set-up")
    yield from story(_TEXTS, Table(header), records)


def _events(header: Record) -> Lines:
    events = ", ".join(f"{ROMAN[number]} {_words(name)}" for number, name in enumerate(header["events"]))
    yield f"Events: {events}"
    titles = {name: name.capitalize() for name in DOMAIN_NAMES}
    for name, card in header.get("cards", {}).items():
        yield f"  {_words(name)}: {event_in_words(Event.model_validate(card), titles)}"


def _words(name: str) -> str:
    return name.replace("_", " ").capitalize()


def _at(row: int, col: int) -> str:
    return f"{'ABCD'[row]}{col + 1}"


def _step(label: str, text: str) -> str:
    return f"    {label:<10}{text}"


def _paid(table: Table, seat: int, label: str, text: str, coins: int) -> str:
    """Return one line of an account: what happened, the coins that it moved, and the coins that the seat has now."""
    return f"    {label:<10}{text:<58}{coins:>+5}{table.seats[seat].coins:>6}"


# --- rows and Lords ---


def _deal(table: Table, record: Record) -> Lines:
    table.deal(record)
    filled = "is filled" if record["round"] == 0 else "is refilled"
    yield f"  Row {'ABCD'[record['row']]} {filled}: {', '.join(table.tile(tile) for tile in record['tiles'])}"


def _stack(table: Table, record: Record) -> Lines:
    tiles = counted(len(record["tiles"]), "tile")
    if record["source"] == "orange":
        yield f"  The stack has run out: the orange stack ({tiles}) replaces it"
    else:
        yield f"  The stack has run out: the discards ({tiles}) are shuffled into a new one"


def _lord(table: Table, record: Record) -> Lines:
    honoured = table.lord(record)
    place = _at(record["row"], record["col"])
    target = f"to {place}, {table.tile_at(record['row'], record['col'])}"
    if record["round"] == 0:
        yield f"  {record['seat']} {short(table.seats[record['seat']].name)}: Lord {target}"
    else:
        yield from _turn(table, record["seat"])
        yield _step("Lord", f"{target}{', as the Scout had reserved' if honoured else ''}")


def _discard(table: Table, record: Record) -> Lines:
    yield ""
    yield f"Round {record['round']}, row {'ABCD'[record['row']]}"
    yield from _board(table, record["row"])
    yield f"  {_at(record['row'], record['col'])}, {table.tile(record['tile'])}, is empty and leaves the row"
    table.discard(record)


def _board(table: Table, first: int) -> Lines:
    """Return the rows in the order in which they will be played, with Lords and Scouts."""
    scouts = {seat.scout: number for number, seat in table.seats.items()}
    for ahead in range(4):
        row = (first + ahead) % 4
        cells = []
        for col, tile in enumerate(table.rows[row]):
            if tile is None:
                continue
            lord, scout = table.lords.get((row, col)), scouts.get((row, col))
            mark = f" L{lord}" if lord else f" S{scout}" if scout else ""
            cells.append(f"{table.tile(tile) + mark:<17}")
        if cells:
            yield f"  {'ABCD'[row]}  {' '.join(cells)}".rstrip()


# --- a turn ---


def _turn(table: Table, seat: int) -> Lines:
    yield f"  Seat {seat}, {short(table.seats[seat].name)}"


def _take(table: Table, record: Record) -> Lines:
    table.take(record)
    if record["round"] == 16:
        yield from _turn(table, record["seat"])
    yield _step("Take", f"{table.tile(record['tile'])} from {_at(record['row'], record['col'])}")


def _effect(table: Table, record: Record) -> Lines:
    yield _EFFECT_TEXTS[record["domain"]](table, record["seat"], record)


def _field(table: Table, seat: int, record: Record) -> str:
    table.pay(seat, record["coins"])
    return _paid(table, seat, "Field", counted(table.symbols(seat, "peasants"), "peasant"), record["coins"])


def _market(table: Table, seat: int, record: Record) -> str:
    table.pay(seat, record["coins"])
    return _paid(table, seat, "Market", counted(table.symbols(seat, "chests"), "chest"), record["coins"])


def _mill(table: Table, seat: int, record: Record) -> str:
    coins = table.rob(seat, record["paid"])
    text = ", ".join(f"{victim['coins']} from seat {victim['seat']}" for victim in record["paid"])
    return _paid(table, seat, "Mill", text or "nobody has fewer Mills", coins)


def _barracks(table: Table, seat: int, record: Record) -> str:
    coins = table.rob(seat, record["hits"])
    hits = []
    for hit in record["hits"]:
        lost = ""
        if hit["tile"] is not None:
            table.bury(hit["seat"], [hit["tile"]])
            lost = f" and {table.tile(hit['tile'])}"
        hits.append(f"seat {hit['seat']} loses {hit['coins']}{lost}")
    return _paid(table, seat, "Barracks", ", ".join(hits) or "nobody is weak enough to attack", coins)


def _village(table: Table, seat: int, record: Record) -> str:
    if record["tile"] is None:
        return _step("Village", "nothing back from the Cemetery")
    table.restore(seat, record["tile"])
    return _step("Village", f"{table.tile(record['tile'])} back from the Cemetery")


def _rampart(table: Table, seat: int, record: Record) -> str:
    if record["row"] is None:
        return _step("Rampart", "no tile to reserve")
    table.seats[seat].scout = (record["row"], record["col"])
    target = table.tile_at(record["row"], record["col"])
    return _step("Rampart", f"Scout to {_at(record['row'], record['col'])}, {target}")


def _church(table: Table, seat: int, record: Record) -> str:
    if record["slot"] is None:
        return _step("Church", "no extra-coin token can be placed")
    table.seats[seat].extras.append(record["slot"])
    return _step("Church", f"extra-coin token under {record['slot'].capitalize()}")


def _palace(table: Table, seat: int, record: Record) -> str:
    if record["slot"] is None:
        return _step("Palace", "no plot token can be placed")
    table.seats[seat].plots[record["slot"]] = record["token"]
    return _step("Palace", f"{record['token'].capitalize()} token under {record['slot'].capitalize()}")


def _income(table: Table, record: Record) -> Lines:
    seat = record["seat"]
    table.pay(seat, record["coins"])
    yield _paid(table, seat, "Income", counted(record["tiles"], "tile"), record["coins"])


# --- Events, rounds and the end ---


def _event(table: Table, record: Record) -> Lines:
    yield f"  Event {ROMAN[record['slot'] - 1]}: {_words(record['event'])}"
    for outcome in record["outcomes"]:
        seat = outcome["seat"]
        table.pay(seat, outcome["coins"])
        table.bury(seat, outcome["buried"])
        restored = [tile for tile in (outcome["restored"], *outcome.get("also_restored", ())) if tile is not None]
        for tile in restored:
            table.restore(seat, tile)
        told = []
        if outcome["buried"]:
            told.append(f"{' and '.join(table.tile(tile) for tile in outcome['buried'])} to the Cemetery")
        if restored:
            told.append(f"{' and '.join(table.tile(tile) for tile in restored)} back from the Cemetery")
        yield _paid(table, seat, f"Seat {seat}", ", ".join(told), outcome["coins"])


def _round_end(table: Table, record: Record) -> Lines:
    titles = " ".join(domain.capitalize() for domain in DOMAIN_NAMES)
    yield f"  {'':<{NAME_WIDTH + 2}} Coins  {titles}  Buried  Tokens"
    for number, coins in enumerate(record["coins"], 1):
        seat = table.seats[number]
        tiles = " ".join(f"{len(seat.fief[domain]) or '-':>{len(domain)}}" for domain in DOMAIN_NAMES)
        tokens = [f"+1 {slot.capitalize()}" for slot in seat.extras]
        tokens += [f"{token.capitalize()} in {slot.capitalize()}" for slot, token in seat.plots.items()]
        yield (
            f"  {number} {short(seat.name):<{NAME_WIDTH}} {coins:>5}  {tiles}  {len(seat.cemetery) or '-':>6}"
            f"  {', '.join(tokens)}".rstrip()
        )


def _end(table: Table, record: Record) -> Lines:
    yield from ("", "Final scores")
    names = [seat.name for seat in table.seats.values()]
    columns = {"Coins": "coins", "Penalty": "penalty", "Final": "final"}
    domains = "  ".join(domain.capitalize() for domain in TIE_BREAKS)
    yield from standings(record, names, columns, f"Tie-break: {domains}", partial(_tie_breaks, table))
    ranking = sorted(table.seats, key=lambda seat: (record["place"][seat - 1], seat))
    for first, second in pairwise(ranking):
        if record["final"][first - 1] == record["final"][second - 1]:
            yield f"  {_tie(table, first, second)}"


def _tie_breaks(table: Table, seat: int) -> str:
    fief = table.seats[seat].fief
    return f"{'':<10} {'  '.join(f'{len(fief[domain]):>{len(domain)}}' for domain in TIE_BREAKS)}"


def _tie(table: Table, first: int, second: int) -> str:
    """Say what ranks one seat before another one with equal coins."""
    level = f"Seats {first} and {second} are level on coins"
    for domain in TIE_BREAKS:
        more, fewer = (len(table.seats[seat].fief[domain]) for seat in (first, second))
        if more != fewer:
            return f"{level}: {domain.capitalize()} decides, {more} to {fewer}"
    return f"{level} and in every Domain: they share the place"


_TEXTS: dict[str, Callable[..., Lines]] = {
    "deal": _deal, "stack": _stack, "lord": _lord, "discard": _discard, "take": _take, "effect": _effect,
    "income": _income, "event": _event, "round_end": _round_end, "end": _end,
}  # fmt: skip

_EFFECT_TEXTS: dict[str, Callable[[Table, int, Record], str]] = {
    "field": _field, "mill": _mill, "village": _village, "rampart": _rampart, "market": _market, "barracks": _barracks,
    "church": _church, "palace": _palace,
}  # fmt: skip
