"""Falsehoods that change one field, or leave one record out."""

from typing import Any

from ..falsehoods import GENERAL, Case, Log, Mutation, records, set_field


def drop(kind: str, **fields: Any) -> Mutation:
    """Return a mutation that leaves out the last such record."""

    def spoil(log: Log) -> int | None:
        for index, _ in reversed([*records(log, kind, **fields)]):
            del log[index]
            return index
        return None

    return spoil


def set_option(name: str, value: Any) -> Mutation:
    """Return a mutation that sets an option."""
    return set_field("options", lambda old: old | {name: value}, "game")


FIELDS: list[Case] = [
    *GENERAL,
    ("seven players", set_field("players", 7, "game"), "players is"),
    ("an option missing", set_field("options", lambda old: {"match": True}, "game"), "options is"),
    ("an unknown option", set_option("x", 1), "options is"),
    ("an option's value", set_option("deck_end", "never"), "deck_end is"),
    ("a switch that is no truth", set_option("match", "yes"), "match is"),
    ("a number that is none", set_option("hand_size", "6"), "hand_size is"),
    ("no guild size", set_option("guild_size", 0), "guild_size is"),
    ("hands that the deck cannot fill", set_option("hand_size", 60), "too few"),
    ("other copies", set_option("copies_per_type", 9), "expected 9"),
    ("a card missing", set_field("cards", lambda old: old[1:], "game"), "of type artisan"),
    ("a card twice", set_field("cards", lambda old: [old[0], *old[:-1]], "game"), "a new whole number"),
    ("an unknown type", set_field("cards", lambda old: [{"id": 0, "type": "cook"}, *old[1:]], "game"), "entry 0"),
    ("a match without two players", set_field("match", {}, "game", match=None), "expected null"),
    ("side after a reshuffle", set_field("end_card", "red", "shuffle", end_card="yellow"), "end_card is"),
    ("the deck lacks a card", set_field("cards", lambda old: old[1:], "shuffle", turn=0), "expected exactly"),
    ("a surplus key of a place", set_field("from", {"zone": "deck", "seat": 1}, "move", why="draw"), "from is"),
    ("the first discard", drop("move", why="setup"), "found a record of kind 'action'"),
    ("a hand too small", drop("move", why="deal"), "card is"),
    ("the play is not discarded", drop("move", why="discard"), "card is"),
    ("the play stays in hand", drop("move", why="play"), "found a record of kind"),
    ("no draw ends the turn", drop("move", why="draw"), "found a record of kind 'turn_end'"),
    ("pass draws too few", drop("move", why="pass"), "found a record of kind 'turn_end'"),
    ("no check sum", drop("turn_end"), "found a record of kind"),
    ("an action is missing", drop("action"), "found a record of kind"),
    ("cards of a use", set_field("cards", [0], "action", action="use", cards=[]), ""),
    ("a power skipped", drop("power"), "found a record of kind"),
    ("monk draws too few", drop("move", why="monk"), "card is"),
    ("magician keeps too many", drop("move", why="magician"), "card is"),
    ("magician chooses nothing", drop("choice", choice="keep"), "found a record of kind 'move'"),
    ("magician keeps two", set_field("cards", lambda old: [*old, -1], "choice", choice="keep"), "expected 1 of"),
    ("star leaves somebody out", drop("move", why="star"), ""),
    ("noble is given nothing", drop("move", why="noble"), ""),
    ("nothing is chosen to give", drop("choice", choice="give"), "found a record of kind"),
    ("merchant moves one card less", drop("move", why="merchant"), "card is"),
    ("merchant gives one card", set_field("cards", lambda old: old[1:], "choice", choice="give"), "cards is"),
    ("merchant gives a card twice", set_field("cards", lambda old: old[:1] * len(old), "choice", choice="give"), ""),
    ("priest takes nothing", drop("choice", choice="take"), "found a record of kind"),
    ("priest gives nothing", drop("move", why="priest"), "card is"),
    ("priest takes what is not there", set_field("cards", [-1], "choice", choice="take"), "cards is"),
    ("begging in vain", drop("move", why="beggar"), ""),
    ("artisan takes nothing", drop("move", why="artisan"), "card is"),
    ("assassin misses", drop("move", why="assassin"), ""),
    ("no replacement card", drop("move", why="replacement"), "card is"),
    ("rogue throws it away", set_field("to", {"zone": "discard"}, "move", why="rogue"), "to is"),
    ("nobody draws up", drop("move", why="short"), "found a record of kind"),
    ("a guild does not fall apart", drop("move", why="collapse"), ""),
    ("witch reveals nothing", drop("move", why="witch"), "found a record of kind"),
    ("witch keeps the card", set_field("to", {"zone": "hand", "seat": 1}, "move", why="witch"), "to is"),
    ("rogue hits no guild", set_field("guild", None, "power", power="rogue"), "illegal"),
    ("knight names nothing", set_field("type", "cook", "power", power="knight"), "illegal"),
    ("merchant deals with nobody", set_field("target", None, "power", power="merchant"), "illegal"),
]
