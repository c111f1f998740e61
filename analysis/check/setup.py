"""What a baseline plays: its rules and strategies as they are now, and as they were when it was measured."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from analysis.check.baseline import Baseline
from simcore.errors import UsageError
from simcore.game import Game, load_game
from simcore.homes import known_games
from simcore.rules.files import Rules, RuleSet, load_rules, shipped_rules
from simcore.running.batch import Spec
from simcore.toml_tables import parse, read_bytes, shown
from strategies.kit import EXPERTS
from strategies.library import Code, CodeWithheld, load_strategy, shipped_strategies
from strategies.model import Strategy
from strategies.seating import Players, by_role
from strategies.skill import players_of
from strategies.spec import assemble_spec

RULES_FILE = "rules.toml"
STRATEGY_FILE = "strategy-{}.toml"


@dataclass(frozen=True)
class Setup:
    """Rules and players, resolved."""

    game: Game
    rules: Rules
    strategies: tuple[Strategy, ...]
    design: str
    """game, rules, strategies, design: As in a run's specification; one strategy for all seats, or one for each seat.
    """
    roles: tuple[str, ...] = ()  # the role that each strategy was named for; empty if none was named

    def spec(self, players: int, seed: int, games: int) -> Spec:
        """Return the run at one player count."""
        seated: Players = self.strategies
        if self.roles:
            parts = list(zip(self.roles, self.strategies, strict=True))
            seated = {role: [strategy for own, strategy in parts if own == role] for role in dict.fromkeys(self.roles)}
        return assemble_spec(self.game, players, seated, self.rules, seed, self.design, games)

    @property
    def seated(self) -> tuple[str, ...]:
        """Names of the strategies: one for all seats, or one for each seat; "role=strategy" if roles were named."""
        names = tuple(strategy.name for strategy in self.strategies)
        if not self.roles:
            return names
        return tuple(f"{role}={name}" for role, name in zip(self.roles, names, strict=True))

    @property
    def digests(self) -> dict[str, str]:
        """Digest of everything that affects how each strategy plays, by name."""
        return {strategy.name: strategy.digest for strategy in self.strategies}


@dataclass(frozen=True)
class Instead:
    """What a user wants to check instead of what the baseline names."""

    rules: str | None = None
    settings: tuple[str, ...] = ()
    strategies: tuple[str, ...] = ()
    skill: str | None = None
    """rules, settings, strategies, skill: As on the command line; not both of the last two.  If None or empty, as the
    baseline says."""


def current(baseline: Baseline, instead: Instead | None = None) -> Setup:
    """Return what a baseline plays, as it is now.

    Raises UsageError if the game, the rules or a strategy cannot be found or used.
    """
    choices, other = baseline.choices, instead or Instead()
    game = _game(baseline)
    for players in choices.players:
        if players not in game.players:
            raise UsageError(f"{baseline.label}: players: {game.title} is for {game.span}, not {players}")
    if other.rules is not None:
        rules = load_rules(game, other.rules, other.settings)
    else:
        with _blamed(baseline, "rules"):
            reference = _beside(baseline, choices.rules, shipped_rules(game))
            rules = load_rules(game, reference, (*choices.settings, *other.settings))
    if other.strategies or other.skill is not None:
        roles, names = _by_role(game, other.strategies or _of_skill(game, other.skill))
        strategies = tuple(load_strategy(game, name) for name in names)
    else:
        with _blamed(baseline, "strategies" if choices.skill is None else "skill"):
            roles, names = _by_role(game, choices.strategies or _of_skill(game, choices.skill))
            strategies = tuple(_strategy(baseline, game, name) for name in names)
    return Setup(game, rules, strategies, choices.design, roles)


def _of_skill(game: Game, skill: str | None) -> list[str]:
    """Return a game's players at a level of skill, or its experts, as "role=strategy"."""
    return [f"{role}={name}" for role, name in players_of(game.name, EXPERTS if skill is None else skill).items()]


def _by_role(game: Game, references: Sequence[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the roles and strategies in references such as "role=strategy"; no roles if the game has none."""
    found = by_role(game, references, "strategies")
    if not isinstance(found, Mapping):
        return (), tuple(str(name) for name in found)
    pairs = [(role, str(name)) for role, names in found.items() for name in names]
    return (tuple(role for role, _ in pairs) if game.asymmetric else ()), tuple(name for _, name in pairs)


def as_measured(baseline: Baseline) -> Setup | None:
    """Return what the baseline was measured with; None if its copies are missing or this version cannot use them.

    Raises UsageError if a copy is not the one that was used in the measurement.
    """
    assert baseline.measured is not None
    game, origin, folder = _game(baseline), baseline.measured.origin, baseline.frozen
    files = [folder / STRATEGY_FILE.format(name) for name in origin.strategies]
    if not all(path.is_file() for path in (folder / RULES_FILE, *files)):
        return None
    if rules_digest(read_bytes(folder / RULES_FILE), str(folder / RULES_FILE)) != origin.rules:
        raise _meddled(baseline, folder / RULES_FILE)
    try:
        rules = load_rules(game, folder / RULES_FILE)
        found = {
            name: load_strategy(game, path, code=Code.NEVER)
            for name, path in zip(origin.strategies, files, strict=True)
        }
    except CodeWithheld as error:
        raise UsageError(f"{error.message}; no measurement leaves such a file, restore it", error.where) from None
    except UsageError:
        return None
    for (name, strategy), path in zip(found.items(), files, strict=True):
        if strategy.name != name or strategy.digest != origin.strategies[name]:
            raise _meddled(baseline, path)
    roles, names = _by_role(game, origin.seated)
    return Setup(game, rules, tuple(found[name] for name in names), origin.design, roles)


def rules_digest(data: bytes, name: str = "rules") -> str:
    """Return the SHA-256 of the rules in a complete rule file, independent of its layout and title."""
    table = {key: value for key, value in parse(data, shown(name, 120)).items() if key not in RuleSet.model_fields}
    return hashlib.sha256(json.dumps(table, sort_keys=True, default=str).encode()).hexdigest()


def named_beside(path: Path, reference: str, shipped: Sequence[str]) -> str:
    """Return a reference from the command line as a baseline at `path` writes it: files relative to the baseline."""
    if reference in shipped:
        return reference
    return Path(os.path.relpath(reference, path.parent)).as_posix() if reference.endswith(".toml") else reference


def _game(baseline: Baseline) -> Game:
    name = baseline.choices.game
    if name not in known_games():
        known = ", ".join(sorted(known_games()))
        raise UsageError(f"{baseline.label}: game: no game '{shown(name)}' in this version; known: {known}")
    return load_game(name)


def _beside(baseline: Baseline, reference: str, shipped: Sequence[str]) -> str | Path:
    """Resolve a reference in the file: a shipped name, or a file in the folder of the baseline."""
    if reference in shipped or not reference.endswith(".toml"):
        return reference
    return Path(os.path.normpath(baseline.path.parent / reference))  # also while the folder is still to be made


def _strategy(baseline: Baseline, game: Game, reference: str) -> Strategy:
    if ":" in reference:
        raise UsageError(
            f"'{shown(reference)}' is code, which a baseline does not run",
            way_out=("; name it where you run the check, in", "strategies"),
        )
    return load_strategy(game, _beside(baseline, reference, shipped_strategies(game)), code=Code.NEVER)


def _meddled(baseline: Baseline, path: Path) -> UsageError:
    label = shown(str(path), 120)
    return UsageError(
        f"{label}: is not what {baseline.label} was measured with; restore it, "
        f"or run: equipoise check --update {baseline.label}"
    )


@contextmanager
def _blamed(baseline: Baseline, key: str) -> Iterator[None]:
    """Let errors name the baseline's key instead of a command's option."""
    try:
        yield
    except UsageError as error:
        message = error.message if error.where in (key, "") else f"{error.where}: {error.message}"
        raise UsageError(message, f"{baseline.label}: {key}", error.way_out) from None
