"""Middle-Ages: what a player can be forbidden."""

from __future__ import annotations

from collections.abc import Iterator

from simcore.errors import UsageError
from simcore.games.middle_ages.state import DOMAIN_NAMES
from simcore.games.middle_ages.rules import MiddleAgesRules
from simcore.games.middle_ages.state import CEMETERY, EVENT_CARDS, EXTRA, PLOT, ROBBERY, SCOUT
from strategies.restrictions import AVOIDS, FORGOES, UNSEEN, Restriction

EFFECTS = {
    "scout": (int(SCOUT), ("scouts",)),
    "robbery": (int(ROBBERY), ("robbed", "burned")),
    "cemetery": (int(CEMETERY), ("restores",)),
    "extra_coin": (int(EXTRA), ("church_slot",)),
    "plot_token": (int(PLOT), ("palace_token",)),
}
"""Effects that a player can be forbidden: their numbers, and the features that anticipate them."""


def restrictions(rules: MiddleAgesRules) -> Iterator[Restriction]:
    """Yield each Domain, each effect in which a player acts, and the foresight of each Event and of all Events."""
    for number, name in enumerate(DOMAIN_NAMES):
        yield Restriction(name, AVOIDS, name, 1 << number)
    for name, (number, features) in EFFECTS.items():
        yield Restriction(name, FORGOES, name, 1 << number, features)
    if len(rules.events) >= EVENT_CARDS:
        raise UsageError(
            f"forbids: {len(rules.events)} kinds of Events leave no room for an unknown one; {EVENT_CARDS - 1} at most"
        )
    yield Restriction("foresight", UNSEEN, "foresight", (1 << len(rules.events)) - 1)
    for number, name in enumerate(rules.events):
        yield Restriction(f"foresight:{name}", UNSEEN, name, 1 << number)
