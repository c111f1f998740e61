"""What the Middle-Ages booklet and the rulings fix: names, numbers and the contents of the box."""

from typing import Any

DOMAINS = ("field", "mill", "village", "rampart", "market", "barracks", "church", "palace")
FIELD, MILL, VILLAGE, RAMPART, MARKET, BARRACKS, CHURCH, PALACE = range(8)
INDEX = {name: domain for domain, name in enumerate(DOMAINS)}

PLAYERS = range(2, 6)
ROUNDS = 16
ROWS = 4
LAST_REFILL = 12
ORANGE_PLAYERS = 4  # the orange stack comes into use with this many players
EVENT_EVERY = 4

#: Domains whose tiles each Domain's Income counts, and coins for each counted tile.
INCOME = (
    (FIELD,),
    (MILL,),
    (VILLAGE, RAMPART),
    (FIELD, RAMPART),
    (MILL, MARKET),
    (VILLAGE, BARRACKS),
    (CHURCH,),
    (PALACE,),
)
RATES = (2, 2, 2, 2, 2, 2, 3, 3)

#: The Domain that shields an opponent from a Mill or a Barracks, and what an unshielded one pays.
SHIELD = {MILL: MILL, BARRACKS: RAMPART}
TRIBUTE = 2
EXTRA_COIN_TOKENS = 8
PENALTY = 10

EVENTS = (
    "skilled_trades", "precious_goods", "alliance", "barbarian_invasion", "black_death",
    "new_defences", "triumphant_return", "birth_peak", "peasant_revolt", "restoration", "good_harvest",
    "reconstruction_aid", "extended_lordship", "lavish_ceremonies", "earthquake",
)  # fmt: skip

#: Events that pay so many coins for each tile of these Domains.
EVENT_GAINS = {
    "alliance": (3, (CHURCH, PALACE)),
    "new_defences": (3, (RAMPART,)),
    "triumphant_return": (2, (MARKET, BARRACKS)),
    "birth_peak": (2, (MILL, VILLAGE)),
    "good_harvest": (2, (FIELD,)),
}
#: Events that bury one tile of each of these Domains, in this order.
EVENT_LOSSES = {
    "barbarian_invasion": (MILL, FIELD),
    "black_death": (VILLAGE, BARRACKS),
    "peasant_revolt": (PALACE,),
    "earthquake": (RAMPART,),
}
RECONSTRUCTION_AID = 3
EXTENDED_LORDSHIP = 2
LAVISH_CEREMONIES = 2

#: Legal values of the switches that are words.
SWITCHES = {
    "shortfall": ("pay_available", "debt"),
    "plot_token_supply": ("shared", "unlimited"),
    "slot_capacity": ("one_of_each", "one"),
    "event_loss": ("owner_chooses", "top"),
}

#: Copies of each Domain in each stack (rulings, "Tiles").
STACKS = {"blue": (9, 8, 7, 7, 6, 6, 5, 4), "orange": (5, 5, 5, 4, 4, 3, 3, 3)}


def standard_tiles() -> list[dict[str, Any]]:
    """Return the `tiles` field of a game under the default rules: 84 tiles, blue first, then by number."""
    tiles: list[dict[str, Any]] = []
    for stack, copies in STACKS.items():
        number = 1
        for name, count in zip(DOMAINS, copies, strict=True):
            faces = ((1, 0), (0, 1)) if name == "palace" else ((0, 0), (1, 0), (0, 1))
            each, left_over = divmod(count, len(faces))
            for face, (peasants, chests) in enumerate(faces):
                for _ in range(each + (face < left_over)):
                    tiles.append(
                        {
                            "id": len(tiles),
                            "number": number,
                            "domain": name,
                            "peasants": peasants,
                            "chests": chests,
                            "stack": stack,
                        }
                    )
                number += 1
    return tiles
