"""What the rules of Seigneurial and the rulings fix: names, card tables, numbers and the values of the switches."""

from typing import Any, NamedTuple

TYPES = ("wood", "fish", "grain")
LANDS = ("forest", "river", "field")
CHURCH, MILL = "church", "mill"
SQUARES = (*LANDS, CHURCH, MILL)
LAND_TYPE = dict(zip(LANDS, TYPES, strict=True))
VALUES = range(5)
FACES = {f"{name}{value}": (name, value) for name in TYPES for value in VALUES}
DECKS = (*TYPES, "tenant", "lord", "objective")
SEASONS = ("spring", "summer", "autumn", "winter")
WINDOWS = ("season", "harvest", "rent", "payment", "draws", "progress")
ANY = "any"
CHOOSE = "choose"
LORD = 1
PLAYERS = range(3, 6)


class Effect(NamedTuple):
    """One effect of a card."""

    op: str
    who: str
    what: str | None = None
    n: int = 1


class Card(NamedTuple):
    """One line of a card table."""

    id: str
    copies: int
    when: tuple[str, ...]
    seasons: tuple[str, ...]
    effects: tuple[Effect, ...]


TYPE_OPS = ("gain", "trade", "yield")  # `what` is a type
SQUARE_OPS = ("act", "bar")  # `what` is a square
LORD_OPS = ("rent", "advance", "shift", "cards", "drop")  # may have `lord` as `who`
LORD_ONLY_OPS = ("rent", "advance", "shift")
OTHERS_OPS = ("take", "barter")  # of the others alone, and on no card of the Seigneur
OPS = (
    "gain", "lose", "take", "barter", "trade", "act", "heal", "sicken", "bar", "yield", "shelter", "inspect", "draws",
    "favour", "cards", "drop", "gag", "ward", "waive", "reveal", "objective", "rent", "advance", "shift",
)  # fmt: skip


def _table(text: str) -> tuple[Card, ...]:
    cards = []
    for line in text.strip().splitlines():
        name, copies, when, effect = (part.strip() for part in line.split("|"))
        windows, _, season = when.partition("@")
        op, who, *rest = effect.split()
        n = int(rest.pop()) if rest and rest[-1].lstrip("-").isdigit() else 1
        made = Effect(op, who, rest[0] if rest else None, n)
        cards.append(Card(name, int(copies), tuple(windows.split()), tuple(season.split()), (made,)))
    return tuple(cards)


TENANT_CARDS = _table("""
    hidden_cellar | 3 | draws | shelter self
    windfall | 3 | rent | gain self choose
    good_soil | 3 | harvest | yield self choose
    helping_hands | 2 | harvest | act self choose
    firewood | 2 | season @ winter | waive self
    remedy | 2 | season | heal self
    poaching | 2 | rent | take tenant
    pedlar | 3 | rent progress | trade self choose 2
    barter | 2 | rent | barter tenant
    own_millstone | 2 | harvest rent | act self mill
    safe_conduct | 1 | season | ward self
    complaint | 1 | progress | advance lord -1
    new_plans | 1 | season | objective self
""")
LORD_CARDS = _table("""
    royal_favour | 1 | progress | advance lord
    stewardship | 1 | any | cards lord 2
    indulgence | 2 | rent | rent lord -1
    curfew | 2 | payment | gag tenants
    house_search | 2 | draws | inspect tenant
    second_collection | 3 | draws | draws tenants
    other_goods | 2 | draws | shift lord 2
    confiscation | 2 | rent | lose tenant random
    fever | 2 | season | sicken tenant
    enclosure | 1 | season | bar tenant choose
    hard_frost | 1 | harvest | yield tenants choose -1
    informer | 1 | any | reveal tenant
""")
OBJECTIVES = {
    "sawyer": (19, 0, 0), "fisher": (0, 19, 0), "miller": (0, 0, 19),
    "builder": (11, 9, 0), "carter": (0, 11, 9), "boatman": (9, 0, 11),
    "trader": (9, 11, 0), "brewer": (0, 9, 11), "baker": (11, 0, 9),
    "settler": (8, 6, 6), "voyager": (6, 8, 6), "homesteader": (6, 6, 8),
}  # fmt: skip
PILE = (2, 8, 17, 5, 1)  # cards of a type, by value

#: Middle and end of the track, and rent before and after, by number of players.
TRACK = {3: (4, 8), 4: (5, 10), 5: (6, 12)}
RENT = {3: (2, 5), 4: (3, 7), 5: (4, 9)}

#: Numbers with the page's values.
NUMBERS: dict[str, int] = {
    "pawns": 2, "start_square": 0, "due": 2, "illness": 2, "land_cards": 1, "improvement": 1, "church_cards": 2,
    "favour_price": 2, "hand_limit": 3, "plays": 2, "unpaid_cards": 1, "step": 1, "max_seasons": 100,
}  # fmt: skip
#: Pairs with the page's values: before and after the middle, or least and most.
PAIRS: dict[str, tuple[int, int]] = {
    "draws": (1, 2),
    "yield_limits": (0, 4),
    "rent_limits": (1, 12),
    "draw_limits": (0, 4),
}
#: Switches, the page's value first.
SWITCHES: dict[str, tuple[Any, ...]] = {
    "par": ("camp", "player"),
    "first_tenant": ("random", "rotates", "fixed"),
    "lord_draw": ("players", "tenants"),
    "improvement_needs_pawn": (True, False),
    "zero_stops_draw": (True, False),
    "mill_redraw": ("same_type", "chosen"),
    "payment": ("rounds", "secret"),
    "least": ("points", "cards"),
    "second_draw": ("round", "same_tenant"),
    "unpaid": ("voluntary", "any"),
    "most": ("points", "cards"),
    "window_order": ("lord_first", "tenants_first"),
}
