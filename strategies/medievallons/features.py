"""Médiévallons: the features of the policy `linear`."""

from __future__ import annotations

from strategies.kit import Feature, index_of

POWER_NAMES = (
    "artisan", "assassin", "knight", "star", "magician", "merchant", "beggar", "monk", "noble", "priest", "rogue",
    "witch",
)  # fmt: skip
TYPE_NAMES = (*POWER_NAMES[:2], "jester", *POWER_NAMES[2:])

GENERAL = (
    # the action
    Feature("play", "1 for playing a card"),
    Feature("lay", "1 for laying a guild"),
    Feature("reinforce", "1 for reinforcing a guild"),
    Feature("use", "1 for using a guild"),
    Feature("lay_wins", "lay: 1 if that guild wins the deal"),
    Feature("lay_guilds", "lay: own guilds on the table before"),
    Feature("lay_jesters", "lay: Jesters that the guild needs"),
    Feature("lay_ready", "lay: other types in hand with enough cards for a guild of their own, not counting Jesters"),
    Feature("lay_rivals", "lay: largest number of guilds in front of a rival"),
    Feature("reinforce_fragile", "reinforce: 1 if the guild would fall apart with the next card that it loses"),
    Feature("reinforce_guilds", "reinforce: own guilds on the table"),
    Feature("extra_members", "cards of its type laid or added beyond the minimum"),
    Feature("extra_jesters", "Jesters laid or added beyond the minimum"),
    # cards: what the next one of a type is worth; giving or playing one away costs as much
    Feature("first", "a card of a type of which the hand holds none"),
    Feature("second", "a card of a type of which the hand holds some, but too few for a guild with it"),
    Feature("third", "a card that completes a guild in the hand, not counting Jesters"),
    Feature("further", "a card of a type of which the hand holds a guild already"),
    Feature("on_table", "a card of the type of a guild of one's own on the table"),
    # powers: what the table adds to them
    Feature("raid_guilds", "Assassin or Rogue: largest number of guilds in front of a rival"),
    Feature("raid_breaks", "Assassin or Rogue: rivals' guilds that would fall apart"),
    Feature("knight_known", "Knight: 1 if a rival is known to hold a card of a type that the hand holds"),
    Feature("beggar_cards", "Beggar: cards in the largest other hand minus those in one's own"),
    Feature("priest_known", "Priest or Merchant: cards known in rivals' hands of types that the hand holds"),
    # whom, and which guild
    Feature("target_guilds", "guilds in front of the player aimed at"),
    Feature("target_cards", "cards in that player's hand"),
    Feature("target_known", "cards known in that hand of types that one's own hand holds"),
    Feature("target_next", "1 if that player is the next in turn order"),
    Feature("prey_guilds", "guilds of the player whose guild is attacked"),
    Feature("prey_breaks", "1 if the attacked guild falls apart"),
    Feature("prey_cards", "cards in the attacked guild"),
    Feature("prey_held", "cards in hand of the attacked guild's type"),
    Feature("hit_jester", "Assassin: 1 for a Jester instead of the type"),
    Feature("gift_known", "cards of the given type that the receiver is known to hold"),
    Feature("gift_guild", "1 if the receiver has a guild of the given type"),
    Feature("fit_jester", "1 for reinforcing with Jesters alone"),
)

FEATURES = (
    *GENERAL,
    *(Feature(f"power_{name}", f"1 if the move does the power of {name.title()}") for name in POWER_NAMES),
    *(
        Feature(f"card_{name}", f"a card of {name.title()} in hand, in addition to its worth as a card of its type")
        for name in TYPE_NAMES
    ),
)

INDEX = index_of(FEATURES)
