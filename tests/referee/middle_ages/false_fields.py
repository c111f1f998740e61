"""Falsehoods that change one field."""

from ..falsehoods import GENERAL, Case, Log, first_more, more, records, set_field


def restore_a_stranger(log: Log) -> int | None:
    for index, record in records(log, "effect", domain="village"):
        if record["tile"] is not None:
            record["tile"] = log[index - 1]["tile"]  # the Village just placed
            return index
    return None


FIELDS: list[Case] = [
    *GENERAL,
    ("income coins", set_field("coins", more, "income"), "coins is"),
    ("income tiles", set_field("tiles", more, "income"), "tiles is"),
    ("income domain", set_field("domain", "mill", "income", domain="field"), "domain is"),
    ("field effect", set_field("coins", more, "effect", domain="field"), "coins is"),
    ("market effect", set_field("coins", more, "effect", domain="market"), "coins is"),
    ("taken tile", set_field("tile", more, "take"), "tile is"),
    ("taken column", set_field("col", more, "take"), "col is"),
    ("discarded tile", set_field("tile", more, "discard"), "tile is"),
    ("discarded column", set_field("col", lambda col: (col + 1) % 3, "discard"), "col is"),
    ("round sum", set_field("coins", first_more, "round_end"), "coins is"),
    ("round number", set_field("round", more, "round_end"), "round is"),
    ("stack contents", set_field("tiles", lambda tiles: tiles[1:], "stack"), "tiles is"),
    ("stack not ascending", set_field("tiles", lambda tiles: tiles[::-1], "stack"), "tiles is"),
    ("stack source", set_field("source", "orange", "stack", source="discards"), "source is"),
    ("penalty negative", set_field("penalty", lambda old: [-each for each in old], "end"), "penalty is"),
    ("final", set_field("final", first_more, "end"), "final is"),
    ("coins at the end", set_field("coins", first_more, "end"), "coins is"),
    ("place", set_field("place", first_more, "end"), "place is"),
    ("share", set_field("share60", lambda old: old[::-1], "end"), "share60 is"),
    ("village restores nothing", set_field("tile", None, "effect", domain="village"), "illegal"),
    ("village restores a stranger", restore_a_stranger, "illegal"),
    ("scout stays at home", set_field("col", None, "effect", domain="rampart"), "illegal"),
    ("church gives nothing", set_field("slot", None, "effect", domain="church"), "illegal"),
    ("church slot unknown", set_field("slot", "castle", "effect", domain="church"), "slot"),
    ("half a palace", set_field("token", None, "effect", domain="palace"), "illegal"),
    ("nobody pays the mill", set_field("paid", [], "effect", domain="mill"), "paid is"),
    ("mill payers in reverse", set_field("paid", lambda old: old[::-1], "effect", domain="mill"), "paid is"),
    ("barracks miss", set_field("hits", [], "effect", domain="barracks"), "hits is"),
    ("barracks hits in reverse", set_field("hits", lambda old: old[::-1], "effect", domain="barracks"), "hits is"),
    ("outcomes in reverse", set_field("outcomes", lambda old: old[::-1], "event", event="alliance"), "outcomes is"),
    ("an outcome missing", set_field("outcomes", lambda old: old[1:], "event"), "outcomes is"),
    ("another event", set_field("event", "alliance", "event", event="good_harvest"), "event is"),
    ("event slot", set_field("slot", more, "event"), "slot is"),
    ("order", set_field("order", lambda old: old[::-1], "game"), "order is"),
    ("six players", set_field("players", 6, "game"), "players is"),
    ("an event twice", set_field("events", lambda old: [old[0], *old[:3]], "game"), "events is"),
    ("a tile missing", set_field("tiles", lambda old: old[:-1], "game"), "the rulings' 84"),
    ("tiles out of order", set_field("tiles", lambda old: old[::-1], "game"), "no tile with id"),
    ("an option missing", set_field("options", lambda old: {"shortfall": "debt"}, "game"), "options is"),
    ("an unknown option", set_field("options", lambda old: old | {"x": 1}, "game"), "options is"),
    ("an option's value", set_field("options", lambda old: old | {"shortfall": "beg"}, "game"), "shortfall is"),
    ("starting coins of one", set_field("options", lambda old: old | {"starting_coins": [0]}, "game"), "coins is"),
]
