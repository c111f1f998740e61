"""Médiévallons: what a player can be forbidden."""

from __future__ import annotations

from collections.abc import Iterator

from simcore.games.medievallons.state import TYPE_NAMES
from simcore.games.medievallons.rules import MedievallonsRules
from simcore.games.medievallons.state import LAY, PLAY, REINFORCE, USE
from strategies.restrictions import AVOIDS, Restriction

ACTIONS = {"play": PLAY, "lay": LAY, "reinforce": REINFORCE, "use": USE}


def restrictions(rules: MedievallonsRules) -> Iterator[Restriction]:
    """Yield each type of card (which is then not played, laid, added or used) and each action."""
    for number, name in enumerate(TYPE_NAMES):
        yield Restriction(name, AVOIDS, name, 1 << number)
    for name, action in ACTIONS.items():
        yield Restriction(name, AVOIDS, name, 1 << len(TYPE_NAMES) + int(action))
