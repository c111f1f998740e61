"""Falsehoods about what the powers of guilds do."""

from ..falsehoods import Case, Log, records, registrar
from .false_play import actions, guilds, hand, kinds, places
from .rulebook import TYPES

POWERS: list[Case] = []
mutation = registrar(POWERS)


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


@mutation("type is")
def power_of_the_wrong_guild(log: Log) -> int | None:
    for index, record in actions(log, "use"):
        record["type"] = TYPES[(TYPES.index(record["type"]) + 1) % len(TYPES)]
        return index
    return None
