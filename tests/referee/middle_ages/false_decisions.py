"""Falsehoods about what players decide and what Domains and Events do to them."""

from collections.abc import Callable

from ..falsehoods import Case, Log, Record, records, registrar

DECISIONS: list[Case] = []
mutation = registrar(DECISIONS)


@mutation("illegal")
def lord_on_a_lord(log: Log) -> int | None:
    (_, first), (index, second) = [*records(log, "lord", round=0)][:2]
    second["col"] = first["col"]
    return index


def scouts_before(log: Log, index: int) -> dict[int, tuple[int, int]]:
    """Return the Scouts that are out before a record, by seat."""
    out = {}
    for record in log[:index]:
        if record["kind"] == "effect" and record["domain"] == "rampart" and record["row"] is not None:
            out[record["seat"]] = (record["row"], record["col"])
        elif record["kind"] == "lord" and out.get(record["seat"], (None,))[0] == record["row"]:
            del out[record["seat"]]
    return out


@mutation("illegal")
def lord_on_a_reserved_tile(log: Log) -> int | None:
    for index, record in records(log, "lord"):
        for seat, (row, col) in scouts_before(log, index).items():
            if seat != record["seat"] and row == record["row"]:
                record["col"] = col
                return index
    return None


@mutation("illegal")
def scout_in_the_row_of_its_lord(log: Log) -> int | None:
    for index, record in records(log, "effect", domain="rampart"):
        lord = next(old for old in reversed(log[:index]) if old["kind"] == "lord" and old["seat"] == record["seat"])
        if record["row"] is not None:
            record["row"] = lord["row"]
            return index
    return None


@mutation("illegal")
def scout_does_not_move(log: Log) -> int | None:
    for index, record in records(log, "effect", domain="rampart"):
        spot = scouts_before(log, index).get(record["seat"])
        if spot and record["row"] is not None:
            record["row"], record["col"] = spot
            return index
    return None


@mutation("illegal")
def two_scouts_on_a_tile(log: Log) -> int | None:
    for index, record in records(log, "effect", domain="rampart"):
        own = next(old for old in reversed(log[:index]) if old["kind"] == "lord" and old["seat"] == record["seat"])
        for seat, spot in scouts_before(log, index).items():
            if seat != record["seat"] and spot[0] != own["row"] and record["row"] is not None:
                record["row"], record["col"] = spot
                return index
    return None


@mutation("impossible")
def scout_in_the_last_round(log: Log) -> int | None:
    for index, record in records(log, "effect", domain="rampart", row=None):
        record["row"] = record["col"] = 0
        return index
    return None


@mutation("impossible")
def village_without_a_cemetery(log: Log) -> int | None:
    for index, record in records(log, "effect", domain="village", tile=None):
        record["tile"] = 0
        return index
    return None


@mutation("illegal")
def church_twice_in_a_slot(log: Log) -> int | None:
    slots: dict[int, str] = {}
    for index, record in records(log, "effect", domain="church"):
        if record["slot"] and record["seat"] in slots:
            record["slot"] = slots[record["seat"]]
            return index
        slots[record["seat"]] = record["slot"]
    return None


@mutation("illegal")
def palace_token_that_the_slot_lists(log: Log) -> int | None:
    for index, record in records(log, "effect", domain="palace"):
        record["slot"], record["token"] = "rampart", "field"
        return index
    return None


@mutation("illegal")
def palace_token_twice(log: Log) -> int | None:
    placed = [(i, r) for i, r in records(log, "effect", domain="palace") if r["token"]]
    if log[0]["options"]["plot_token_supply"] == "unlimited" or len(placed) < 2:
        return None
    index, record = placed[-1]
    record["token"] = placed[0][1]["token"]
    return index


@mutation("paid is")
def mill_payer_of_nothing_left_out(log: Log) -> int | None:
    for index, record in records(log, "effect", domain="mill"):
        if any(each["coins"] == 0 for each in record["paid"]):
            record["paid"] = [each for each in record["paid"] if each["coins"]]
            return index
    return None


@mutation("paid is")
def mill_robs_an_equal(log: Log) -> int | None:
    for index, record in records(log, "effect", domain="mill"):
        missing = set(log[0]["order"]) - {record["seat"], *(each["seat"] for each in record["paid"])}
        if missing:
            record["paid"] = sorted(
                [*record["paid"], {"seat": missing.pop(), "coins": 0}], key=lambda each: int(each["seat"])
            )
            return index
    return None


@mutation("hits is")
def barracks_hit_another_tile(log: Log) -> int | None:
    for index, record in records(log, "effect", domain="barracks"):
        for hit in record["hits"]:
            owned = [old["tile"] for old in log[:index] if old["kind"] == "take" and old["seat"] == hit["seat"]]
            others = [tile for tile in owned if tile != hit["tile"]]
            if others:
                hit["tile"] = others[0]
                return index
    return None


@mutation("hits is")
def barracks_bury_without_an_entry_for_coins(log: Log) -> int | None:
    for index, record in records(log, "effect", domain="barracks"):
        if record["hits"]:
            del record["hits"][0]["coins"]
            return index
    return None


def spoil_outcome(log: Log, event: str, spoil: Callable[[Record], bool]) -> int | None:
    for index, record in records(log, "event", event=event):
        if any(spoil(outcome) for outcome in record["outcomes"]):
            return index
    return None


@mutation("buried is")
def event_loss_left_out(log: Log) -> int | None:
    def spoil(outcome: Record) -> bool:
        return bool(outcome["buried"]) and bool(outcome["buried"].pop())

    return spoil_outcome(log, "black_death", spoil)


@mutation("illegal")
def event_losses_swapped(log: Log) -> int | None:
    def spoil(outcome: Record) -> bool:
        outcome["buried"].reverse()
        return len(outcome["buried"]) == 2

    return spoil_outcome(log, "barbarian_invasion", spoil)


@mutation("illegal")
def event_restores_nothing(log: Log) -> int | None:
    def spoil(outcome: Record) -> bool:
        was, outcome["restored"] = outcome["restored"], None
        return was is not None

    return spoil_outcome(log, "restoration", spoil)


@mutation("outcomes is")
def event_coins_positive(log: Log) -> int | None:
    def spoil(outcome: Record) -> bool:
        outcome["coins"] = -outcome["coins"]
        return bool(outcome["coins"])

    return spoil_outcome(log, "lavish_ceremonies", spoil)


@mutation("outcomes is")
def event_field_left_out(log: Log) -> int | None:
    return spoil_outcome(log, "good_harvest", lambda outcome: outcome.pop("buried") == [])
