"""The request for a thinker, checked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any


from simcore.errors import UsageError, shown
from simcore.game import Game, load_game
from simcore.judged import Role
from simcore.rules.files import Rules, Settings
from strategies.kit import load_kit
from strategies.library import load_strategy, quick_strategies, shipped_strategies
from strategies.model import Strategy
from strategies.searching import Foresight
from strategies.tuning.plan import Search, requested

GAMES = 8_000
GAMES_RANGE = range(200, 100_001)
SEARCHING, THINKER = "rollout", "thinker"
"""The shipped strategy whose base a thinker takes if the game's default cannot be one; and the policy of a thinker."""


@dataclass(frozen=True)
class Plan(Search):
    """A learning; each number of players has values of its own."""

    base: Strategy  # strategy that plays the imagined tables, and most of the games of the first round
    styles: tuple[Strategy, ...]  # strategies that play the mixed tables of the first round
    named: str  # the rules, as the user wrote them
    like: Strategy | None = None
    """A thinker that says how far to look, on how many tables and at which decisions; None to find that out."""

    @property
    def inputs(self) -> int:
        """How many numbers a seat sees."""
        assert self.game.search is not None and self.game.search.look is not None
        return len(self.game.search.look.names)

    @property
    def roles(self) -> tuple[Role, ...]:
        """The roles that the base can play, for each of which a value is learnt."""
        return tuple(role for role in self.game.roles if self.base.role in ("", role.name))

    def styles_of(self, role: Role) -> list[Strategy]:
        """Return the strategies of the mixed tables that can play a role, or else the base."""
        return [style for style in self.styles if style.role in ("", role.name)] or [self.base]

    def describe(self) -> dict[str, Any]:
        """Return what determines the course of the learning."""
        return {
            "learns": self.game.name,
            **super().describe(),
            "base": self.base.digest,
            "styles": [style.digest for style in self.styles],
            "like": self.like.digest if self.like else "",
        }

    def foresight(self, role: Role, players: int) -> Foresight | None:
        """Return how the thinker that this one is like looks ahead in a role, at the nearest number of players."""
        if self.like is None or self.like.search is None:
            return None
        of_like = self.like.search.foresights
        nearest = of_like[min((key for key in of_like if key[1] == role.name), key=lambda key: abs(key[0] - players))]
        same = self.like.search.base.digest == self.base.digest
        return nearest if same else replace(nearest, temperature=0.0)  # it is in the unit of its base's scores


def make_plan(
    game: str,
    players: Sequence[int] = (),
    *,
    rules: str | Path | Rules = "base",
    settings: Settings = None,
    base: str | Path | None = None,
    seed: int = 1,
    games: int = GAMES,
    like: str | Path | None = None,
) -> Plan:
    """Return a learning; see `Plan`.

    Raises UsageError if something cannot be used; the message says what, and why.
    """
    found = load_game(game)
    if found.search is None or found.search.look is None:
        raise UsageError(
            f"{found.title} does not say what a seat sees (Search.look), which a value is learnt from", "game"
        )
    asked = requested(game, sorted(players), rules, settings, seed, games, GAMES_RANGE)
    player = _base(found, base)
    styles = tuple(
        load_strategy(found, name) for name in quick_strategies(found) if name not in ("random", player.name)
    )
    named = rules.name if isinstance(rules, Rules) else str(rules)
    known = None if like is None else _thinker(found, player, like)
    return Plan(**asked, base=player, styles=styles, named=named, like=known)


def _thinker(game: Game, base: Strategy, reference: str | Path) -> Strategy:
    """Return a thinker that can play all roles of a base."""
    found = load_strategy(game, reference, "like")
    roles = {role.name for role in game.roles if base.role in ("", role.name)}
    made = {role for _, role in found.search.foresights} if found.search else set()
    if found.policy != THINKER or not roles <= made:
        raise UsageError(f"'{shown(found.name)}' is no thinker for {', '.join(sorted(roles))}; name one", "like")
    return found


def _base(game: Game, reference: str | Path | None) -> Strategy:
    """Return the strategy that plays the imagined tables."""
    if reference is None:
        default = load_kit(game.name).default
        usual = None if isinstance(default, Mapping) else load_strategy(game, default)
        if usual is not None and usual.search is None:
            return usual
        search = load_strategy(game, SEARCHING).search if SEARCHING in shipped_strategies(game) else None
        if search is None:
            raise UsageError("name a strategy that can play every role and decides at once", "base")
        return search.base
    found = load_strategy(game, reference, "base")
    if found.search is not None:
        raise UsageError(f"'{shown(found.name)}' looks ahead itself; name a strategy that does not", "base")
    if found.forbids:
        raise UsageError(f"'{shown(found.name)}' forbids itself something; name a strategy that does not", "base")
    return found
