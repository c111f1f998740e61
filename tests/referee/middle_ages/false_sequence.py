"""Falsehoods about draws, the order of records, the end and the shape of a log."""

import copy

from ..falsehoods import Case, Log, records, registrar

SEQUENCE: list[Case] = []
mutation = registrar(SEQUENCE)


@mutation("found a record of kind 'stack'")
def stack_too_early(log: Log) -> int | None:
    for index, record in records(log, "stack"):
        before = max(i for i, _ in records(log[:index], "deal"))
        log.insert(before, log.pop(index))
        return before if record["round"] else None
    return None


@mutation("found a record of kind 'deal'")
def stack_left_out(log: Log) -> int | None:
    for index, _ in records(log, "stack"):
        del log[index]
        return index
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


@mutation("not in the stack")
def draw_an_orange_tile_too_soon(log: Log) -> int | None:
    index, deal = next(records(log, "deal"))
    deal["drawn"][-1] = deal["tiles"][-1] = 83
    return index


@mutation("not in the stack")
def draw_a_tile_twice(log: Log) -> int | None:
    index, deal = next(records(log, "deal"))
    deal["drawn"][1] = deal["drawn"][0]
    return index


@mutation("drawn is")
def draw_one_tile_more(log: Log) -> int | None:
    index, deal = next(records(log, "deal"))
    deal["drawn"].append(next(tile for tile in range(52) if tile not in deal["drawn"]))
    return index


@mutation("tiles is")
def row_not_sorted(log: Log) -> int | None:
    index, deal = next(records(log, "deal"))
    deal["tiles"].reverse()
    return index


@mutation("tiles is")
def tie_in_a_row_not_in_draw_order(log: Log) -> int | None:
    number = {tile["id"]: tile["number"] for tile in log[0]["tiles"]}
    for index, deal in records(log, "deal"):
        tiles = deal["tiles"]
        for place in range(len(tiles) - 1):
            if number[tiles[place]] == number[tiles[place + 1]]:
                tiles[place], tiles[place + 1] = tiles[place + 1], tiles[place]
                return index
    return None


@mutation("found a record of kind 'deal'")
def refill_after_round_13(log: Log) -> int | None:
    index = next(i for i, _ in records(log, "round_end", round=13))
    log.insert(index, copy.deepcopy([*records(log, "deal")][-1][1]))
    return index


@mutation("seat is")
def turns_out_of_order(log: Log) -> int | None:
    takes = [index for index, _ in records(log, "take", round=16)][:2]
    first, second = log[takes[0] : takes[1]], log[takes[1] : takes[1] + 3]
    log[takes[0] : takes[1] + 3] = second + first
    return takes[0]


@mutation("found a record of kind 'take'")
def lord_after_the_tile(log: Log) -> int | None:
    index = next(i for i, _ in records(log, "take"))
    log[index - 1], log[index] = log[index], log[index - 1]
    return index - 1


@mutation("found a record of kind 'income'")
def income_before_the_effect(log: Log) -> int | None:
    index = next(i for i, _ in records(log, "effect"))
    log[index], log[index + 1] = log[index + 1], log[index]
    return index


@mutation("final is")
def floor_forgotten(log: Log) -> int | None:
    index, end = next(records(log, "end"))
    wanted = [coins - penalty for coins, penalty in zip(end["coins"], end["penalty"], strict=True)]
    if wanted == end["final"]:
        return None
    end["final"] = wanted
    return index


@mutation("place is")
def tie_break_forgotten(log: Log) -> int | None:
    index, end = next(records(log, "end"))
    wanted = [1 + sum(other > final for other in end["final"]) for final in end["final"]]
    if wanted == end["place"]:
        return None
    end["place"] = wanted
    return index


@mutation("no whole number")
def true_for_one(log: Log) -> int | None:
    index, record = next(records(log, "round_end", round=1))
    record["round"] = True
    return index


@mutation("is no field")
def a_field_too_many(log: Log) -> int | None:
    index, record = next(records(log, "take"))
    record["note"] = "hello"
    return index
