"""Falsehoods about what is legal, in what order things are done, and when a deal ends."""

from collections import defaultdict
from collections.abc import Iterator
from typing import Any

from ..falsehoods import Case, Log, Record, records, registrar
from .rulebook import TYPES

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


@mutation("illegal")
def knight_asks_himself(log: Log) -> int | None:
    for index, record in records(log, "power", power="knight"):
        record["target"] = record["seat"]
        return index
    return None


@mutation("")
def knight_is_refused(log: Log) -> int | None:
    for index, _ in records(log, "move", why="knight"):
        del log[index]
        return index
    return None


@mutation("card is")
def knight_gets_another_type(log: Log) -> int | None:
    for index, record in records(log, "move", why="knight"):
        for card in hand(log, index, record["from"]["seat"]):
            if kinds(log)[card] != kinds(log)[record["card"]]:
                record["card"] = card
                return index
    return None


@mutation("illegal")
def beggar_robs_a_smaller_hand(log: Log) -> int | None:
    for index, record in records(log, "power", power="beggar"):
        for seat in {*range(1, log[0]["players"] + 1)} - {record["seat"], record["target"]}:
            if record["target"] and len(hand(log, index, seat)) < len(hand(log, index, record["target"])):
                record["target"] = seat
                return index
    return None


@mutation("illegal")
def beggar_draws_though_not_the_richest(log: Log) -> int | None:
    for index, record in records(log, "power", power="beggar"):
        if record["target"]:
            record["target"] = None
            return index
    return None


@mutation("target is")
def beggar_robs_though_the_richest(log: Log) -> int | None:
    for index, record in records(log, "power", power="beggar", target=None):
        record["target"] = record["seat"] % log[0]["players"] + 1
        return index
    return None


@mutation("card is")
def magician_discards_in_another_order(log: Log) -> int | None:
    for index, record in records(log, "choice", choice="keep"):
        if log[index + 1].get("why") == log[index + 2].get("why") == "magician" and record:
            log[index + 1], log[index + 2] = log[index + 2], log[index + 1]
            return index + 1
    return None


@mutation("cards is")
def magician_keeps_an_old_card(log: Log) -> int | None:
    for index, record in records(log, "choice", choice="keep"):
        drawn = {old["card"] for old in log[index - 3 : index]}
        for card in hand(log, index, record["seat"]):
            if card not in drawn:
                record["cards"] = [card]
                return index
    return None


@mutation("card is")
def star_begins_elsewhere(log: Log) -> int | None:
    for index, _ in records(log, "power", power="star"):
        if log[index + 1].get("why") == log[index + 2].get("why") == "star":
            log[index + 1], log[index + 2] = log[index + 2], log[index + 1]
            return index + 1
    return None


@mutation("card is")
def merchant_gets_before_giving(log: Log) -> int | None:
    for index, record in records(log, "power", power="merchant"):
        moves = [i for i in range(index, min(index + 12, len(log))) if log[i].get("why") == "merchant"]
        if len(moves) >= 4 and log[moves[0]]["from"] == {"zone": "hand", "seat": record["seat"]}:
            log[moves[0]], log[moves[2]] = log[moves[2]], log[moves[0]]
            return moves[0]
    return None


@mutation("cards is")
def merchant_gives_what_he_gets(log: Log) -> int | None:
    """Both choose before any card moves."""
    for index, record in records(log, "choice", choice="give"):
        if log[index + 1]["kind"] == "choice" and len(record["cards"]) == 2:
            log[index + 1]["cards"] = list(record["cards"])
            return index + 1
    return None


@mutation("cards is")
def noble_takes_from_the_wrong_player(log: Log) -> int | None:
    for index, record in records(log, "power", power="noble"):
        give = log[index + 1]
        if give["kind"] == "choice" and (own := hand(log, index, record["seat"])):
            give["cards"] = own[:1]
            return index + 1
    return None


@mutation("card is")
def noble_of_two_draws_nothing(log: Log) -> int | None:
    for index, _ in records(log, "move", why="noble", **{"from": {"zone": "deck"}}):
        if log[index + 1].get("why") == "discard":
            del log[index]
            return index
    return None


@mutation("cards is")
def priest_gives_what_he_has_not(log: Log) -> int | None:
    for index, record in records(log, "choice", choice="give"):
        if log[index - 1].get("why") == "priest":
            target = log[index - 1]["from"]["seat"]
            if cards := hand(log, index, target):
                record["cards"] = cards[:1]
                return index
    return None


def copied(log: Log, kind: str) -> int | None:
    for index, record in records(log, "power", power="witch"):
        for number, (_, found, _) in guilds(log, index).items():
            if record["guild"] and found == kind:
                record["guild"] = number
                return index
    return None


@mutation("illegal")
def witch_copies_a_witch(log: Log) -> int | None:
    return copied(log, "witch")


@mutation("illegal")
def witch_copies_jesters(log: Log) -> int | None:
    return copied(log, "jester")


@mutation("illegal")
def witch_reveals_beside_a_guild(log: Log) -> int | None:
    for index, record in records(log, "power", power="witch"):
        if record["guild"]:
            record["guild"] = None
            return index
    return None


@mutation("guild is")
def witch_copies_nothing_there(log: Log) -> int | None:
    for index, record in records(log, "power", power="witch", guild=None):
        record["guild"] = 1
        return index
    return None


@mutation("found a record of kind 'power'")
def a_revealed_witch_goes_on(log: Log) -> int | None:
    for index, record in records(log, "move", why="witch"):
        if kinds(log)[record["card"]] == "witch" and log[index + 1]["kind"] == "move":
            log.insert(index + 1, {"kind": "power", "turn": record["turn"], "power": "witch"})
            return index + 1
    return None


@mutation("power is")
def witch_copies_another_power(log: Log) -> int | None:
    for index, record in records(log, "power", power="witch"):
        if record["guild"] and log[index + 1]["power"] == "star":
            log[index + 1]["power"] = "monk"
            return index + 1
    return None


@mutation("illegal")
def assassin_hits_his_own(log: Log) -> int | None:
    for index, record in records(log, "power", power="assassin"):
        for number, (seat, _, cards) in guilds(log, index).items():
            if record["card"] is not None and seat == record["seat"]:
                record |= {"target": seat, "guild": number, "card": cards[0]}
                return index
    return None


@mutation("illegal")
def rogue_spares_a_rival(log: Log) -> int | None:
    for index, record in records(log, "power", power="rogue"):
        if record["card"] is not None:
            record |= {"target": None, "guild": None, "card": None}
            return index
    return None


@mutation("illegal")
def rogue_takes_from_another_guild(log: Log) -> int | None:
    for index, record in records(log, "power", power="rogue"):
        for number, (_, _, cards) in guilds(log, index).items():
            if record["card"] is not None and number != record["guild"]:
                record["card"] = cards[0]
                return index
    return None


@mutation("")
def a_guild_of_two_stays(log: Log) -> int | None:
    for index, record in records(log, "move", why="collapse"):
        last = index
        while log[last].get("why") == "collapse":
            last += 1
        del log[index:last]
        return index if record else None
    return None


@mutation("card is")
def artisan_takes_a_deeper_card(log: Log) -> int | None:
    for index, record in records(log, "move", why="artisan"):
        below = [card for card, place in places(log, index).items() if place == {"zone": "discard"}]
        if len(below) > 1:
            record["card"] = next(card for card in below if card != record["card"])
            return index
    return None


@mutation("card is")
def artisan_takes_himself(log: Log) -> int | None:
    """The card played goes to the discard pile after its power is done."""
    for index, record in records(log, "move", why="artisan"):
        if log[index - 2].get("why") == "play":
            record["card"] = log[index - 2]["card"]
            return index
    return None


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


@mutation("type is")
def power_of_the_wrong_guild(log: Log) -> int | None:
    for index, record in actions(log, "use"):
        record["type"] = TYPES[(TYPES.index(record["type"]) + 1) % len(TYPES)]
        return index
    return None
