"""Falsehoods that change one field."""

from ..falsehoods import GENERAL, Case, Log, records, set_field


def restore_a_stranger(log: Log) -> int | None:
    for index, record in records(log, "effect", domain="village"):
        if record["tile"] is not None:
            record["tile"] = log[index - 1]["tile"]  # the Village just placed
            return index
    return None


FIELDS: list[Case] = [
    *GENERAL,
    ("stack not ascending", set_field("tiles", lambda tiles: tiles[::-1], "stack"), "tiles is"),
    ("penalty negative", set_field("penalty", lambda old: [-each for each in old], "end"), "penalty is"),
    ("village restores a stranger", restore_a_stranger, "illegal"),
    ("church slot unknown", set_field("slot", "castle", "effect", domain="church"), "slot"),
    ("mill payers in reverse", set_field("paid", lambda old: old[::-1], "effect", domain="mill"), "paid is"),
    ("barracks hits in reverse", set_field("hits", lambda old: old[::-1], "effect", domain="barracks"), "hits is"),
    ("outcomes in reverse", set_field("outcomes", lambda old: old[::-1], "event", event="alliance"), "outcomes is"),
    ("another event", set_field("event", "alliance", "event", event="good_harvest"), "event is"),
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
