"""Falsehoods that hold together over several records; single fields and records are changed by `trials`."""

from ..falsehoods import GENERAL, Case, Log, records, registrar

CASES: list[Case] = [*GENERAL]
mutation = registrar(CASES)


@mutation("found a record of kind 'turn_end'")
def the_deal_goes_on_without_a_deck(log: Log) -> int | None:
    if log[-1]["reason"] != "deck" or log[-2].get("why") != "draw":
        return None
    log.insert(-1, {"kind": "turn_end"})
    return len(log) - 2


@mutation("")
def the_deck_ends_by_the_other_switch(log: Log) -> int | None:
    options = log[0]["options"]
    found = [*records(log, "shuffle")]
    if len(found) < 2:
        return None
    index = found[1][0]
    now = options["deck_end"]
    options["deck_end"] = "last_card" if now == "on_need" else "on_need"
    was_move = log[index - 1]["kind"] == "move"
    if now == "on_need":
        return None if was_move else next(i for i in reversed(range(index)) if log[i]["kind"] == "move") + 1
    return index if was_move and log[index + 1]["kind"] != "move" else None


@mutation("seat is")
def somebody_is_skipped(log: Log) -> int | None:
    first, second = [index + 1 for index, _ in records(log, "turn_end")][:2]
    del log[first:second]
    return first


@mutation("place is")
def members_do_not_break_ties(log: Log) -> int | None:
    end = log[-1]
    wanted = [1 + sum(other > guilds for other in end["guilds"]) for guilds in end["guilds"]]
    if wanted == end["place"]:
        return None
    end["place"] = wanted
    return len(log) - 1


@mutation("card is")
def magician_discards_in_another_order(log: Log) -> int | None:
    for index, record in records(log, "choice", choice="keep"):
        if log[index + 1].get("why") == log[index + 2].get("why") == "magician" and record:
            log[index + 1], log[index + 2] = log[index + 2], log[index + 1]
            return index + 1
    return None


@mutation("cards is")
def merchant_gives_what_he_gets(log: Log) -> int | None:
    """Both choose before any card moves."""
    for index, record in records(log, "choice", choice="give"):
        if log[index + 1]["kind"] == "choice" and len(record["cards"]) == 2:
            log[index + 1]["cards"] = list(record["cards"])
            return index + 1
    return None
