"""Fief 2: the features of a linear strategy, by kind of decision."""

from __future__ import annotations

from simcore.games.fief_2.state import BUY, CARD_KINDS, DECISIONS_IN
from strategies.kit import Feature, index_of

YES = {
    "ransom_offer": "offers a ransom",
    "ransom_accept": "takes a ransom",
    "accept": "accepts a marriage",
    "consecrate": "consecrates the elected",
    "as_prince": "plays a lord as Prince",
    "consent": "consents to a Prince",
    "escort": "lets the lords with d'Arc come along",
    "join": "joins a fight",
    "sortie": "makes a sortie",
    "ask_grace": "asks for grace",
    "grant_grace": "grants grace",
}
"""Decisions that are answered with yes or no."""

ANY = {
    "propose": "proposes a marriage",
    "stand": "lets a lord stand for King",
    "discard": "discards a card",
    "claim_lord": "claims a discarded lord",
    "crown_new": "gives a new lord a title of another",
    "justice": "plays justice",
    "calm": "lets a bishop calm rebels",
}
"""Decisions with an option to do nothing."""

FEATURES = (
    *(Feature(f"advice_{of}", f"1 for what the steward would do, in decisions about {of}") for of in DECISIONS_IN),
    *(Feature(f"yes_{name}", f"1 if the family {meaning}") for name, meaning in YES.items()),
    *(Feature(f"any_{name}", f"1 if the family {meaning}") for name, meaning in ANY.items()),
    Feature("place_large", "villages of the region of the first castle"),
    Feature("place_inward", "neighbours of the first village in its region"),
    Feature("place_crowded", "villages of that region that others hold"),
    Feature("place_roads", "neighbours of the first village"),
    Feature("place_remote", "steps by road to the nearest village that another family holds"),
    Feature("place_remote_last", "the same steps if every other family has placed its castle"),
    Feature("place_alone", "1 if no other family is in the region of the first castle"),
    Feature("place_alone_last", "1 if so, and every other family has placed its castle"),
    Feature("place_near", "villages within two steps by road that other families hold"),
    Feature("place_room", "villages within two steps by road that nobody holds"),
    Feature("place_random", "1 for a village drawn at random; a large weight makes the first villages an experiment"),
    Feature("vote_own", "1 for a vote for the own candidate"),
    Feature("vote_leader", "1 for a vote for a candidate of the leading family"),
    Feature("vote_none", "1 for no vote"),
    Feature("consecrate_own", "1 if the family consecrates its own candidate"),
    Feature("consecrate_voted", "1 if it consecrates the candidate for whom it voted"),
    Feature("consecrate_leader", "1 if it consecrates a candidate of the leading family"),
    Feature("wed_king", "1 for a marriage of the King: proposed by him, proposed to him, or accepted"),
    Feature("discard_idle", "1 if the card that is discarded cannot be played now"),
    *(Feature(f"play_{kind}", f"1 if a card of the kind {kind} is played") for kind in CARD_KINDS),
    Feature("target_worth", "points that the chosen lord scores, in tens"),
    Feature("target_leader", "1 if the target is a lord or village of the leading family"),
    *(Feature(f"buy_{what}", f"1 if the purchase is of the kind {what}") for what in BUY),
    Feature("buy_cardinal_vacant", "1 if a cardinal is bought while there is no King"),
    Feature("buy_payback", "100 écus that a mill or press will still yield beyond its price"),
    Feature("buy_soldiers_rich", "1000 écus in hand when soldiers are bought"),
    Feature("buy_soldiers_late", "tenths of the game that are over when soldiers are bought"),
    Feature("buy_soldiers_weak", "1 if soldiers are bought while another family has more of them"),
    Feature("buy_scoring", "1 if anything but a title or cardinal is bought in a turn that ends with a scoring"),
    Feature("number", "points of soldiers bought"),
    Feature("move", "1 if a lord moves at all"),
    Feature("step", "1 if a lord goes on"),
    Feature("step_free", "1 if nobody holds the village ahead"),
    Feature("step_region", "own villages in the region ahead"),
    Feature("step_last", "1 if the village ahead is the only one that the family still lacks in its region"),
    Feature("step_rich", "mills and presses of others in the village ahead"),
    Feature("step_stronger", "1 if others stand in the village ahead and have at most half of the own points"),
    Feature("step_weaker", "1 if others stand in the village ahead and have more than half the own points"),
    Feature("step_own", "1 if the family holds the village ahead"),
    Feature("step_fort", "1 if another family holds the village ahead and has a fort there"),
    Feature("step_leader", "1 if the leading family holds the village ahead"),
    Feature("take", "points of soldiers that come along"),
    Feature("take_empty", "1 if so many come along that the family leaves a village that it holds"),
    Feature("attack", "1 if the family attacks a family"),
    Feature("attack_rebels", "1 if the family attacks rebels"),
    Feature("attack_odds", "own points for each point of the other side, 8 at most"),
    Feature("attack_holder", "1 if the foe holds the village"),
    Feature("attack_fort", "1 if a fort protects the foe"),
    Feature("attack_last", "1 if the foe holds the only village that the family still lacks in its region"),
    Feature("attack_rich", "mills, presses and forts of the village if the foe holds it"),
    Feature("attack_leader", "1 if the foe leads"),
)

INDEX = index_of(FEATURES)
"""The position of every feature's weight."""
