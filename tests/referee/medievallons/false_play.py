"""Falsehoods about what is legal, in what order things are done, and when a deal ends."""

from collections import defaultdict
from collections.abc import Iterator
from typing import Any

from ..falsehoods import Case, Log, Record, records, registrar

PLAY: list[Case] = []
mutation = registrar(PLAY)

Places = dict[int, dict[str, Any]]


def places(log: Log, index: int) -> Places:
    """Return where every moved card is before a record."""
    found: Places = {}
    for record in log[1:index]:
        if record["kind"] == "move":
            found[record["card"]] = record["to"]
        elif record["kind"] == "shuffle":
            found |= {card: {"zone": "deck"} for card in record["cards"]}
    return found


def kinds(log: Log) -> dict[int, str]:
    """Return the type of every card."""
    return {card["id"]: card["type"] for card in log[0]["cards"]}


def hand(log: Log, index: int, seat: int) -> list[int]:
    """Return a seat's hand before a record."""
    return [card for card, place in places(log, index).items() if place == {"zone": "hand", "seat": seat}]


def guilds(log: Log, index: int) -> dict[int, tuple[int, str, list[int]]]:
    """Return seat, type and cards of each guild on the table before a record, by number."""
    kind, cards = kinds(log), defaultdict(list)
    for card, place in places(log, index).items():
        if place["zone"] == "guild":
            cards[place["seat"], place["guild"]].append(card)
    return {
        number: (seat, next((kind[card] for card in held if kind[card] != "jester"), "jester"), held)
        for (seat, number), held in cards.items()
    }


def actions(log: Log, action: str) -> Iterator[tuple[int, Record]]:
    yield from records(log, "action", action=action)


@mutation("card is")
def dealt_out_of_turn(log: Log) -> int | None:
    index = next(i for i, _ in records(log, "move", why="deal"))
    log[index], log[index + 1] = log[index + 1], log[index]
    return index


@mutation("cards is")
def plays_a_card_of_another(log: Log) -> int | None:
    for index, record in actions(log, "play"):
        others = [
            card
            for seat in range(1, log[0]["players"] + 1)
            if seat != record["seat"]
            for card in hand(log, index, seat)
        ]
        if others:
            record["cards"] = others[:1]
            return index
    return None


@mutation("illegal")
def plays_two_cards(log: Log) -> int | None:
    for index, record in actions(log, "play"):
        twins = [card for card in hand(log, index, record["seat"]) if kinds(log)[card] == record["type"]]
        if len(twins) > 1:
            record["cards"] = twins[:2]
            return index
    return None


@mutation("illegal")
def passes_with_cards_in_hand(log: Log) -> int | None:
    for index, record in actions(log, "play"):
        record |= {"action": "pass", "type": None, "cards": []}
        return index
    return None


@mutation("illegal")
def passes_with_a_guild_to_use(log: Log) -> int | None:
    for index, record in actions(log, "use"):
        if not hand(log, index, record["seat"]):
            record |= {"action": "pass", "type": None, "guild": None}
            return index
    return None


@mutation("illegal")
def lays_too_few(log: Log) -> int | None:
    for index, record in actions(log, "lay"):
        if len(record["cards"]) == log[0]["options"]["guild_size"] > 1:
            record["cards"].pop()
            return index
    return None


@mutation("illegal")
def lays_two_types(log: Log) -> int | None:
    for index, record in actions(log, "lay"):
        for card in hand(log, index, record["seat"]):
            if "jester" not in (record["type"], kinds(log)[card]) and kinds(log)[card] != record["type"]:
                record["cards"].append(card)
                return index
    return None


@mutation("cards is")
def lays_a_card_twice(log: Log) -> int | None:
    for index, record in actions(log, "lay"):
        record["cards"][0] = record["cards"][-1]
        return index if len(record["cards"]) > 1 else None
    return None


@mutation("illegal")
def lays_what_cannot_be_laid(log: Log) -> int | None:
    for index, record in actions(log, "play"):
        cards = hand(log, index, record["seat"])
        if len({kinds(log)[card] for card in cards}) == len(cards) >= 3 and len(cards) <= 4:
            record |= {"action": "lay", "cards": cards}
            return index
    return None


@mutation("type is")
def calls_a_guild_by_its_jesters(log: Log) -> int | None:
    for index, record in actions(log, "lay"):
        if "jester" in {kinds(log)[card] for card in record["cards"]} and record["type"] != "jester":
            record["type"] = "jester"
            return index
    return None


@mutation("illegal")
def reinforces_with_another_type(log: Log) -> int | None:
    for index, record in actions(log, "reinforce"):
        for card in hand(log, index, record["seat"]):
            if kinds(log)[card] not in ("jester", record["type"]) and record["type"] != "jester":
                record["cards"] = [card]
                return index if guilds(log, index)[record["guild"]][1] != "jester" else None
    return None


@mutation("illegal")
def reinforces_with_nothing(log: Log) -> int | None:
    for index, record in actions(log, "reinforce"):
        record["cards"] = []
        return index
    return None


@mutation("illegal")
def reinforces_a_rival(log: Log) -> int | None:
    for index, record in actions(log, "reinforce"):
        for number, (seat, _, _) in guilds(log, index).items():
            if seat != record["seat"]:
                record["guild"] = number
                return index
    return None


@mutation("illegal")
def uses_a_rival_guild(log: Log) -> int | None:
    for index, record in actions(log, "use"):
        for number, (seat, kind, _) in guilds(log, index).items():
            if seat != record["seat"]:
                record |= {"guild": number, "type": kind}
                return index
    return None


@mutation("illegal")
def uses_a_guild_of_jesters(log: Log) -> int | None:
    for index, record in records(log, "action"):
        for number, (seat, kind, _) in guilds(log, index).items():
            if seat == record["seat"] and kind == "jester":
                record |= {"action": "use", "guild": number, "type": kind, "cards": []}
                return index
    return None


@mutation("found a record of kind 'power'")
def a_jester_has_a_power(log: Log) -> int | None:
    for index, record in actions(log, "play"):
        if record["type"] == "jester":
            log.insert(index + 2, {"kind": "power", "turn": record["turn"], "seat": record["seat"], "power": "jester"})
            return index + 2
    return None


@mutation("found a record of kind 'power'")
def the_winning_guild_has_its_power(log: Log) -> int | None:
    end = log[-1]
    laid = [*actions(log, "lay")]
    if end["reason"] != "guilds" or laid[-1][1]["type"] != "monk":
        return None
    log.insert(len(log) - 1, {"kind": "power", "turn": end["turn"], "seat": laid[-1][1]["seat"], "power": "monk"})
    return len(log) - 2


@mutation("found a record of kind 'end'")
def two_guilds_win(log: Log) -> int | None:
    for index, record in records(log, "turn_end"):
        if 2 in record["guilds"]:
            log[index + 1 :] = [log[-1]]
            return index + 1
    return None


@mutation("found a record of kind 'end'")
def the_deal_ends_before_the_deck(log: Log) -> int | None:
    if log[-1]["reason"] != "deck" or log[-2]["kind"] != "move" or log[0]["options"]["deck_end"] == "last_card":
        return None
    del log[-2]
    return len(log) - 1


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


@mutation("expected exactly")
def the_top_of_the_discard_pile_is_shuffled_in(log: Log) -> int | None:
    for index, record in [*records(log, "shuffle")][1:]:
        top = next(old["card"] for old in reversed(log[:index]) if old.get("to") == {"zone": "discard"})
        record["cards"].append(top)
        return index
    return None


@mutation("card is")
def draws_the_second_card(log: Log) -> int | None:
    for index, record in records(log, "move", why="draw"):
        record["card"] = next(later["card"] for later in log[index + 1 :] if later.get("from") == {"zone": "deck"})
        return index
    return None


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


@mutation("place is")
def hands_do_not_break_ties(log: Log) -> int | None:
    end = log[-1]
    standing = [*zip(end["guilds"], end["members"], strict=True)]
    wanted = [1 + sum(other > own for other in standing) for own in standing]
    if wanted == end["place"]:
        return None
    end["place"] = wanted
    return len(log) - 1
