"""What the Médiévallons booklet and the rulings fix: names, numbers and the legal values of the switches."""

from typing import Any

TYPES = (
    "artisan", "assassin", "jester", "knight", "star", "magician", "merchant", "beggar", "monk", "noble", "priest",
    "rogue", "witch",
)  # fmt: skip
(ARTISAN, ASSASSIN, JESTER, KNIGHT, STAR, MAGICIAN, MERCHANT, BEGGAR, MONK, NOBLE, PRIEST, ROGUE, WITCH) = range(13)
INDEX = {name: kind for kind, name in enumerate(TYPES)}
ACTIONS = ("play", "lay", "reinforce", "use", "pass")

PLAYERS = range(2, 7)
DUEL = 2  # players of a match
MATCH_DEALS = 3
MATCH_WON = 120  # sixtieths of deals that decide a match

#: Numbers of the rulings with the booklet's values, and the least that makes sense.
NUMBERS = {
    "copies_per_type": (8, 0),
    "hand_size": (6, 0),
    "guild_size": (3, 1),
    "guilds_to_win": (3, 1),
    "magician_draws": (3, 1),
    "monk_draws": (2, 0),
    "merchant_cards": (2, 0),
    "noble_givers": (2, 0),
    "pass_draws": (2, 0),
    "max_turns": (2000, 1),
}
#: Numbers that the rulings leave unnamed; a log in which one is not the booklet's must name it.
UNNAMED = {
    "turn_draws": (1, 0),
    "star_draws": (1, 0),
    "red_from_players": (3, 0),  # players from whom on the end card starts red side up
}
#: Switches, the value of the rulings first.
SWITCHES: dict[str, tuple[Any, ...]] = {"deck_end": ("on_need", "last_card"), "match": (True, False)}
