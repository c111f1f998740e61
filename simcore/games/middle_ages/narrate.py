"""A replay log of Middle-Ages as text that a person can follow at the table."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise

from simcore.games.middle_ages.records import Record
from simcore.games.middle_ages.model import DOMAIN_NAMES
from simcore.games.middle_ages.table import Table
from simcore.log_text import NAME_WIDTH, count, options, short, strategies, title

ROMAN = ("I", "II", "III", "IV")
TIE_BREAKS = DOMAIN_NAMES[::-1]

Lines = Iterator[str]


def narrate(header: Record, records: Sequence[Record]) -> Lines:
    """Yield the lines of readable text of one game.

    header: The log's first line.
    records: The log's other records, in order.
    """
    table = Table(header)
    yield from _title(header)
    yield from ("", "Set-up")
    for record in records:
        yield from _TELL[record["kind"]](table, record)


def _title(header: Record) -> Lines:
    events = ", ".join(f"{ROMAN[number]} {_words(name)}" for number, name in enumerate(header["events"]))
    yield title("Middle-Ages", header)
    yield strategies(map(short, header["strategies"]))
    yield f"Events: {events}"
    yield options(header)
    yield "Tiles: Domain and number, p a peasant, c a chest. Places: row A to D from the top, column 1 leftmost."


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
    tiles = count(len(record["tiles"]), "tile")
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
    yield _EFFECTS[record["domain"]](table, record["seat"], record)


def _field(table: Table, seat: int, record: Record) -> str:
    table.pay(seat, record["coins"])
    return _paid(table, seat, "Field", count(table.symbols(seat, "peasants"), "peasant"), record["coins"])


def _market(table: Table, seat: int, record: Record) -> str:
    table.pay(seat, record["coins"])
    return _paid(table, seat, "Market", count(table.symbols(seat, "chests"), "chest"), record["coins"])


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
    yield _paid(table, seat, "Income", count(record["tiles"], "tile"), record["coins"])


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
    titles = "  ".join(domain.capitalize() for domain in TIE_BREAKS)
    yield f"  Place  Seat  {'Strategy':<{NAME_WIDTH}}  Coins  Penalty  Final   Win  Tie-break: {titles}"
    ranking = sorted(table.seats, key=lambda seat: (record["place"][seat - 1], seat))
    for seat in ranking:
        coins, penalty, final, place, share = (
            record[name][seat - 1] for name in ("coins", "penalty", "final", "place", "share60")
        )
        counts = "  ".join(f"{len(table.seats[seat].fief[domain]):>{len(domain)}}" for domain in TIE_BREAKS)
        yield (
            f"  {place:>5}  {seat:>4}  {short(table.seats[seat].name):<{NAME_WIDTH}}  {coins:>5}  {penalty:>7}"
            f"  {final:>5}  {share / 60:>4.0%}  {'':<10} {counts}"
        )
    for first, second in pairwise(ranking):
        if record["final"][first - 1] == record["final"][second - 1]:
            yield f"  {_tie(table, first, second)}"


def _tie(table: Table, first: int, second: int) -> str:
    """Say what ranks one seat before another one with equal coins."""
    level = f"Seats {first} and {second} are level on coins"
    for domain in TIE_BREAKS:
        more, fewer = (len(table.seats[seat].fief[domain]) for seat in (first, second))
        if more != fewer:
            return f"{level}: {domain.capitalize()} decides, {more} to {fewer}"
    return f"{level} and in every Domain: they share the place"


_TELL: dict[str, Callable[[Table, Record], Lines]] = {
    "deal": _deal, "stack": _stack, "lord": _lord, "discard": _discard, "take": _take, "effect": _effect,
    "income": _income, "event": _event, "round_end": _round_end, "end": _end,
}  # fmt: skip

_EFFECTS: dict[str, Callable[[Table, int, Record], str]] = {
    "field": _field, "mill": _mill, "village": _village, "rampart": _rampart, "market": _market, "barracks": _barracks,
    "church": _church, "palace": _palace,
}  # fmt: skip
