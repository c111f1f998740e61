"""The request for a thinker, checked."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from simcore.errors import UsageError
from simcore.game import Game, load_game
from simcore.judged import Role
from simcore.rules.files import Rules, Settings
from simcore.running.batch import Spec
from simcore.running.executors import find_workers
from simcore.toml_tables import shown
from strategies.kit import load_kit
from strategies.library import load_strategy, quick_strategies, shipped_strategies
from strategies.model import Strategy
from strategies.searching import Foresight, Searching
from strategies.spec import assemble_spec
from strategies.tuning.journal import Journal
from strategies.tuning.plan import Search, requested
from strategies.tuning.search import Z95, play_stretch, won

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

    def known(self, role: Role, players: int) -> Foresight | None:
        """Return how the thinker that this one is like looks ahead in a role, at the nearest number of players."""
        if self.like is None or self.like.search is None:
            return None
        found = self.like.search.foresights
        known = found[min((key for key in found if key[1] == role.name), key=lambda key: abs(key[0] - players))]
        same = self.like.search.base.digest == self.base.digest
        return known if same else replace(known, temperature=0.0)  # it is in the unit of its base's scores


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


# --- What a thinker wins at a table, and whether that is more than another wins on the same deals ---


STRETCH = 60
"""Games that one thread plays at a stretch."""

Foresights = Mapping[str, Foresight]
"""How a thinker looks ahead at tables of one size, by role."""


@dataclass(frozen=True)
class Trial:
    """What one player won, as multiples of par."""

    deals: NDArray[np.float64]  # by deal, on average over its seats, shape (deals,)

    @property
    def mean(self) -> float:
        """The mean over the deals."""
        return float(self.deals.mean())

    @property
    def se(self) -> float:
        """The standard error of the mean."""
        return float(self.deals.std(ddof=1)) / math.sqrt(len(self.deals))

    @property
    def ends(self) -> tuple[float, float]:
        """The ends of the 95 % interval."""
        return self.mean - Z95 * self.se, self.mean + Z95 * self.se

    def lead(self, other: Trial) -> tuple[float, float]:
        """Return by how much it won more than another player on the same deals, and the standard error of that."""
        ahead = Trial(self.deals - other.deals)
        return ahead.mean, ahead.se

    def times(self, other: Trial) -> Trial:
        """Return how many times as much it won as another player on the same deals, with the error of both."""
        par = max(other.mean, 1e-9)
        return Trial(self.mean / par + (self.deals - self.mean - self.mean / par * (other.deals - other.mean)) / par)

    def beats(self, other: Trial) -> bool:
        """Return whether it won more than another player, by more than one standard error."""
        ahead, error = self.lead(other)
        return ahead > error


class Court:
    """Holds trials for a learning at one number of players.

    plan: The learning.
    players: Players at the table.
    journal: Where outcomes are stored.
    threads: Number of threads; no outcome depends on it.
    """

    def __init__(self, plan: Plan, players: int, journal: Journal, threads: int) -> None:
        self.plan, self.players, self.journal, self.threads = plan, players, journal, threads

    def thinker(self, foresights: Foresights, name: str = "thinker") -> Strategy:
        """Return a thinker for tables of this size."""
        plan = self.plan
        held = {(self.players, role): foresight for role, foresight in foresights.items()}
        search = Searching(plan.base, foresights=held)
        role = plan.base.role
        return Strategy(plan.game.name, name, "thinker", search=search, role=role)

    def seated(self, strategies: list[Strategy], seed: int, games: int) -> Spec:
        """Return a run with a strategy for each seat; strategies with one name are the same."""
        return assemble_spec(self.plan.game, self.players, strategies, self.plan.rules, seed, "rotate", games)

    def line_up(self, role: Role, one: Strategy | None, others: Foresights | None) -> list[Strategy]:
        """Return a line-up: one player in the first seat of a role, and thinkers or bases in all other seats."""
        line: list[Strategy] = [
            replace(self.plan.base, name="base") if others is None else self.thinker(others, "others")
        ] * self.players
        if one is not None:
            line[role.at(self.players)[0]] = replace(one, name="one")
        return line

    def hold(self, label: str, role: Role, one: Strategy, others: Foresights | None, seed: int, games: int) -> Trial:
        """Let one player of a role play among others, thinkers or bases; the deals depend on the seed alone."""
        seats = role.at(self.players)
        games = -(-games // len(seats)) * len(seats)

        def measure() -> NDArray[Any]:
            spec = self.seated(self.line_up(role, one, others), seed, games)
            step = STRETCH // spec.games_per_deal * spec.games_per_deal
            with find_workers(self.threads) as workers:
                parts = [
                    workers.submit(play_stretch, spec, first, min(step, games - first), won)
                    for first in range(0, games, step)
                ]
                played = np.concatenate([part.result() for part in parts])
            return np.asarray(played[:, seats[0]])

        return Trial(self.journal.recall(f"{self.players} {role.name} {label}", games // len(seats), measure))
