"""Falsehoods that hold together over several records; single fields and records are changed by `trials`."""

from ..falsehoods import GENERAL, Case, Log, records, registrar

CASES: list[Case] = [*GENERAL]
mutation = registrar(CASES)


@mutation("found a record of kind 'stack'")
def stack_too_early(log: Log) -> int | None:
    for index, record in records(log, "stack"):
        before = max(i for i, _ in records(log[:index], "deal"))
        log.insert(before, log.pop(index))
        return before if record["round"] else None
    return None


@mutation("not in the stack")
def draw_across_the_stacks(log: Log) -> int | None:
    """Exchange the last tile of the old stack with the first of the new."""
    for index, stack in records(log, "stack"):
        drawn = log[index + 1]["drawn"]
        border = next(place for place, tile in enumerate(drawn) if tile in stack["tiles"])
        if border:
            drawn[border - 1], drawn[border] = drawn[border], drawn[border - 1]
            return index + 1
    return None


@mutation("not in the stack")
def draw_a_tile_in_play(log: Log) -> int | None:
    index, deal = [*records(log, "deal")][-1]
    tile = next(record["tile"] for _, record in records(log, "take"))
    deal["tiles"] = [tile if each == deal["drawn"][0] else each for each in deal["tiles"]]
    deal["drawn"][0] = tile
    return index


@mutation("seat is")
def turns_out_of_order(log: Log) -> int | None:
    takes = [index for index, _ in records(log, "take", round=16)][:2]
    first, second = log[takes[0] : takes[1]], log[takes[1] : takes[1] + 3]
    log[takes[0] : takes[1] + 3] = second + first
    return takes[0]


@mutation("place is")
def tie_break_forgotten(log: Log) -> int | None:
    index, end = next(records(log, "end"))
    wanted = [1 + sum(other > final for other in end["final"]) for final in end["final"]]
    if wanted == end["place"]:
        return None
    end["place"] = wanted
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
def two_scouts_on_a_tile(log: Log) -> int | None:
    for index, record in records(log, "effect", domain="rampart"):
        own = next(old for old in reversed(log[:index]) if old["kind"] == "lord" and old["seat"] == record["seat"])
        for seat, spot in scouts_before(log, index).items():
            if seat != record["seat"] and spot[0] != own["row"] and record["row"] is not None:
                record["row"], record["col"] = spot
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
