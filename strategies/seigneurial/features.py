"""Seigneurial: the features of the policies `lord`, `tenant` and `both`."""

from __future__ import annotations

from strategies.kit import Feature, index_of

LORD_OPS = {
    "advance": "moves on the track", "cards": "draws Seigneur cards", "rent": "changes the rent",
    "gag": "keeps tenants from playing cards", "inspect": "lets the lord see a hand", "draws": "draws more cards",
    "shift": "shifts points of the rent", "lose": "costs a tenant resource cards", "sicken": "lets a pawn fall ill",
    "bar": "closes a square", "yield": "changes what a land gives", "reveal": "reveals an Objective",
}  # fmt: skip
TENANT_OPS = {
    "shelter": "keeps the lord out of the hand", "gain": "draws resource cards", "yield": "raises what a land gives",
    "act": "acts as a pawn", "waive": "saves the winter due", "heal": "heals a pawn", "take": "takes a resource card",
    "trade": "trades resource cards", "barter": "barters a resource card", "ward": "keeps the lord's cards away",
    "advance": "sends the lord back", "objective": "draws an Objective",
}  # fmt: skip

LORD = (
    *(Feature(f"lord_{op}", f"lord: plays a card that {does}") for op, does in LORD_OPS.items()),
    Feature("lord_late", "lord: plays a card, times the number of squares between the start and him"),
    Feature("ask_ledger", "rent: demanded points that the ledger of all tenants covers, type by type"),
    Feature("ask_largest", "rent: each point times the largest ledger of one tenant in its type"),
    Feature("ask_crowded", "rent: points of a type squared, divided by 1 + the ledger of all tenants"),
    Feature("ask_kinds", "rent: types asked for"),
    Feature("ask_revealed", "rent: points of types that public Objectives still ask for"),
    Feature("aim_cards", "lord aims at a tenant: resource cards in the hand"),
    Feature("aim_hand", "lord aims at a tenant: Censitaire cards in the hand"),
    Feature("aim_ledger", "lord aims at a tenant: largest number of the tenant's ledger"),
    Feature("aim_short", "lord aims at a tenant: ledger of the types that are short"),
    Feature("choose_ledger", "lord chooses a land: ledger of its type, of the tenant aimed at or of all"),
    Feature("choose_church", "lord chooses a square: 1 for the Church"),
    Feature("choose_mill", "lord chooses a square: zeros in front of the tenant for the Mill"),
    Feature("split_cards", "lord gives a point of favour: resource cards of the tenant"),
    Feature("split_card", "lord gives a point of favour: 1 if it buys the tenant a card"),
    Feature("next_cards", "lord draws next: resource cards of the tenant"),
    Feature("next_short", "lord draws next: percentage of short types in the tenant's ledger"),
    Feature("pick_unmet", "lord picks a card: points missing from its type that it covers"),
    Feature("pick_value", "lord picks a card: its value"),
    Feature("shift_ledger", "lord shifts points: each times the ledger of the new type minus that of the old one"),
)

TENANT = (
    *(Feature(f"card_{op}", f"tenant: holds or plays a card that {does}") for op, does in TENANT_OPS.items()),
    Feature("card_idle", "tenant: plays a card that gatherer considers useless now"),
    Feature("place_need", "tenant on a land: points that the Objective asks for, 4 at most"),
    Feature("place_met", "tenant on a land: 1 if the Objective needs no more of it"),
    Feature("place_blocked", "tenant on a land: 1 if a zero lies there and no pawn stands on the Mill"),
    Feature("place_improved", "tenant on a land: 1 if it is improved"),
    Feature("place_church", "tenant on the Church"),
    Feature("place_room", "tenant on the Church: cards that the hand has room for"),
    Feature("place_mill", "tenant on the Mill: zeros of needed types"),
    Feature("place_other", "tenant on the Mill: other zeros"),
    Feature("lay_card", "tenant lays a card"),
    Feature("lay_value", "tenant lays a card: its value"),
    Feature("lay_spare", "tenant lays a card: 1 if the Objective does not ask for it"),
    Feature("lay_open", "tenant lays a card: points of the demand that it covers"),
    Feature("lay_excess", "tenant lays a card: points beyond the demand"),
    Feature("lay_favour", "tenant lays a card: 1 if its points buy a card"),
    Feature("lay_first", "tenant lays a card: 1 if nobody has laid one"),
    Feature("lay_track", "tenant lays a card: squares that the lord still has to go"),
    Feature("lay_completes", "tenant lays a card: 1 if nothing is short afterwards"),
    Feature("part_card", "tenant gives up a card in a trade instead of stopping"),
    Feature("part_value", "tenant gives up a card: its value"),
    Feature("part_spare", "tenant gives up a card: 1 if the Objective does not ask for it"),
    Feature("part_beyond", "tenant gives up a card: points held of its type beyond the Objective"),
    Feature("pay_due", "tenant pays in winter"),
    Feature("pay_spare", "tenant pays in winter: points that the Objective does not need, up to the due"),
    Feature("pay_near", "tenant pays in winter: points that the Objective still asks for"),
    Feature("rob_cards", "tenant aims at another: resource cards in the hand"),
    Feature("rob_ledger", "tenant aims at another: ledger of the needed types"),
)

FEATURES = (*LORD, *TENANT)

INDEX = index_of(FEATURES)
