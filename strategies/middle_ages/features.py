"""Middle-Ages: the features of the policy `linear`."""

from __future__ import annotations

from strategies.kit import Feature, index_of

DOMAIN_NAMES = ("field", "mill", "village", "rampart", "market", "barracks", "church", "palace")

GENERAL = (
    # at once
    Feature("income", "coins of the Income that the move brings at once, counting the tile under the own Lord"),
    Feature("effect_coins", "coins that a Field's peasants or a Market's chests bring at once"),
    Feature("robbed", "coins that the opponents hit by a Mill or Barracks would pay, with tiles about to be placed"),
    Feature("burned", "opponents that would lose a tile to Barracks, with Ramparts about to be placed"),
    # the Fief
    Feature("fills", "coins of penalty that the tile saves by being the first of its Domain"),
    Feature("fills_left", "the same coins times the rounds left"),
    Feature("fills_supply", "the same coins times the tiles of that Domain in the two rows behind the next one"),
    Feature("held", "tiles of the tile's Domain that the Fief holds, counting the one under the own Lord"),
    Feature("supply", "tiles of the tile's Domain in the two rows behind the next one"),
    Feature("peasants", "peasant symbols on the tile"),
    Feature("peasants_left", "peasant symbols on the tile times the rounds left"),
    Feature("chests", "chest symbols on the tile"),
    Feature("chests_left", "chest symbols on the tile times the rounds left"),
    # Incomes to come
    Feature("focus", "coins that the move adds to each Income, times that Income now and the rounds left, in 1/16"),
    Feature("sight", "coins that the move adds to each Income, times that Domain's tiles in two rows behind the next"),
    Feature("reach", "coins that every further tile earns through a token in its slot, times the rounds left"),
    Feature("reach_supply", "coins that a token adds to each tile in the two rows behind the next one, by its slot"),
    # Events to come
    Feature("event_coins", "coins that future Events pay for the tile (negative if they take coins)"),
    Feature("event_losses", "tiles of the tile's Domain that future Events bury"),
    # opponents
    Feature("mill_guard", "Mill: opponents who can rob the seat now but not after it, times the rounds left"),
    Feature("rampart_guard", "Rampart: opponents who can attack the seat now but not after it, times the rounds left"),
    Feature("exposed", "opponents who can attack the seat, if the tile would be the next for Barracks to bury"),
    Feature("denied", "coins that the tile would bring at once to the next player in turn order"),
    # tiles that let the seat choose
    Feature("restores", "Village: 1 if the Cemetery holds a tile"),
    Feature("scouts", "Rampart: 1 if there are still rows to scout"),
    Feature("church_slot", "Church: largest Income of a slot without its extra-coin token, times the rounds left, /16"),
    Feature("palace_token", "Palace: largest number of tiles of a Domain with a token left, times the rounds left"),
    # turn order and Scout
    Feature("column", "column of the tile, 0 leftmost, while another row follows"),
    Feature("position", "opponents who will move before the seat from the tile, as far as one can know"),
    Feature("order", "the same times the score by which the best tile of the row behind beats its average"),
    Feature("honour", "1 if the own Scout has reserved the tile"),
    Feature("far", "Scout: 1 for the last row in sight, 0 for the one before it"),
)

FEATURES = (
    *GENERAL,
    *(
        Feature(f"grow_{name}", f"coins that the move adds to each {name.title()} Income, times the rounds left")
        for name in DOMAIN_NAMES
    ),
    *(Feature(f"tile_{name}", f"1 if the tile is a {name.title()}") for name in DOMAIN_NAMES),
    *(Feature(f"tile_{name}_left", f"rounds left if the tile is a {name.title()}") for name in DOMAIN_NAMES),
)

INDEX = index_of(FEATURES)
