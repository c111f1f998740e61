"""Strategies as data: a policy, its weights, and how it makes mistakes."""

from __future__ import annotations

import hashlib
import json
import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from types import MappingProxyType
from typing import Annotated, Any, Literal

from pydantic import Field, ValidationError

from simcore.errors import UsageError, nearest
from simcore.game import Game, load_game
from simcore.kernel.compile_errors import compiling
from simcore.kernel.lineup import UNIT
from simcore.rules.files import MAX_TEXT, Identifier, Text
from simcore.toml_tables import Table, explain, paths, shown, write
from strategies.custom import MAX_WEIGHT, CustomPolicy
from strategies.kit import Kit, load_kit
from strategies.rollout import retelling
from strategies.searching import Searching, SearchTable, numbered, read_foresights

LOG = logging.getLogger("equipoise.kernels")

FORMAT = "equipoise-strategy/1"

Find = Callable[..., "Strategy"]
"""Finds a strategy by reference or table, given the words by which messages name the place of the reference, and with
`own=True` a user's policy by reference."""

Weight = Annotated[float, Field(allow_inf_nan=False, ge=-MAX_WEIGHT, le=MAX_WEIGHT)]


class StrategyFile(Table):
    """What a strategy's TOML file may contain."""

    format: Literal["equipoise-strategy/1"]
    game: str
    name: Identifier
    title: Text
    description: Annotated[str, Field(max_length=2000)] = ""
    policy: str
    role: str = ""
    temperature: Annotated[float, Field(allow_inf_nan=False, ge=0, le=MAX_WEIGHT)] = 0.0
    blunder: Annotated[float, Field(allow_inf_nan=False, ge=0, le=1)] = 0.0
    weights: dict[str, Weight] = Field(default_factory=dict)
    forbids: Annotated[list[Annotated[str, Field(max_length=80)]], Field(max_length=100)] = Field(default_factory=list)
    players: dict[str, dict[str, Weight]] = Field(default_factory=dict)
    search: SearchTable | None = None
    provenance: dict[str, Any] = Field(default_factory=dict)


@dataclass(frozen=True)
class Strategy:
    """How one seat decides.

    Parameters
    ----------
    game
        Name of the game it plays.
    name
        Its name in tables and reports.
    policy
        Name of a built-in policy, or the reference of a user's own policy.
    title, description
        Texts for people to read.
    temperature
        Scale of the Gumbel noise that is added to every score, in coins or points; 0 for none.
    blunder
        Probability that a decision is a legal move drawn uniformly at random.
    weights
        Weight by feature; features that are not named have weight 0.
    provenance
        How the weights were obtained.
    custom
        The user's own policy, if it plays one.
    forbids
        Names of what it forbids itself; see `strategies.restrictions`.
    by_players
        By number of players: weights at tables of that size, instead of `weights`.
    search
        How it looks ahead, if it does.
    role
        The only role that it plays; empty if it can play every role of its game.
    reference
        How the user referred to it; empty if its name is enough.
    """

    game: str
    name: str
    policy: str
    title: str = ""
    description: str = ""
    temperature: float = 0.0
    blunder: float = 0.0
    weights: Mapping[str, float] = field(default_factory=dict)
    provenance: Mapping[str, Any] = field(default_factory=dict)
    custom: CustomPolicy | None = field(default=None, compare=False, repr=False)
    forbids: tuple[str, ...] = ()
    by_players: Mapping[int, Mapping[str, float]] = field(default_factory=dict)
    search: Searching[Strategy] | None = None
    role: str = ""
    reference: str = field(default="", compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "weights", MappingProxyType(dict(self.weights)))
        by_players = {count: MappingProxyType(dict(weights)) for count, weights in sorted(self.by_players.items())}
        object.__setattr__(self, "by_players", MappingProxyType(by_players))
        object.__setattr__(self, "provenance", MappingProxyType(dict(self.provenance)))

    @property
    def address(self) -> int:
        """Address of the decision function; compiles on first use.

        Raises
        ------
        UsageError
            If a user's policy does not compile.
        """
        if self.custom is not None:
            return self.custom.address(self.blunder > 0)
        kit = load_kit(self.game)
        policies = {**kit.policies, **kit.noisy} if self.temperature or self.blunder else kit.policies
        with compiling(self.game):
            return policies[self.policy].address

    @property
    def index(self) -> Mapping[str, int]:
        """Position of every weight that its policy reads, by name; of a player who looks ahead, none."""
        if self.custom is not None:
            return self.custom.index
        kit = load_kit(self.game)
        return kit.index if self.policy in kit.weighing else {}

    @cached_property
    def digest(self) -> str:
        """SHA-256 of everything that determines how it plays, in hex; texts and provenance are left out."""
        decisive: dict[str, Any] = {
            "game": self.game,
            "policy": self.policy if self.custom is None else self.custom.source_digest,
            "attribute": "" if self.custom is None else self.custom.name,
            "temperature": float(self.temperature),
            "blunder": float(self.blunder),
            "weights": _effective(self.weights),
        }
        if self.role:
            decisive["role"] = self.role
        if self.forbids:
            decisive["forbids"] = sorted(self.forbids)
        if self.by_players:
            decisive["players"] = {count: _effective(weights) for count, weights in self.by_players.items()}
        if self.search is not None:
            decisive["search"] = self.search.to_dict() | {"base": self.search.base.digest}
            if self.search.guest is not None:
                decisive["search"]["guest"] = self.search.guest.digest
        text = json.dumps(decisive, sort_keys=True, separators=(",", ":"))
        return hashlib.sha256(text.encode()).hexdigest()

    def to_dict(self) -> dict[str, Any]:
        """Return the strategy as plain tables, as in its file; a user's policy with the digest of its source."""
        table: dict[str, Any] = {
            "format": FORMAT,
            "game": self.game,
            "name": self.name,
            "title": self.title,
            "description": self.description,
            "policy": self.policy,
            "temperature": self.temperature,
            "blunder": self.blunder,
            "weights": dict(self.weights),
            "players": {str(count): dict(weights) for count, weights in self.by_players.items()},
            "provenance": dict(self.provenance),
        }
        if self.role:
            table["role"] = self.role
        if self.forbids:
            table["forbids"] = list(self.forbids)
        if self.search is not None:
            table["search"] = self.search.to_dict()
        if self.custom is not None:
            table |= {
                "weights": self._own_weights(self.weights),
                "players": {str(count): self._own_weights(weights) for count, weights in self.by_players.items()},
                "source_sha256": self.custom.source_digest,
            }
            if self.custom.name != self.name:
                table["attribute"] = self.custom.name
        return table

    def _own_weights(self, weights: Mapping[str, float]) -> dict[str, float]:
        """Return the weights of a user's policy with those that are 0, which its own values would replace."""
        return {name: weights.get(name, 0.0) for name in self.index}

    def to_toml(self, base: str = "") -> str:
        """Return the text of a strategy file.

        Parameters
        ----------
        base
            Name of the base of its search, to be written instead of the base itself.
        """
        unwritten = ("source_sha256", "attribute")
        table = {
            key: value for key, value in self.to_dict().items() if value not in ("", 0.0, {}) and key not in unwritten
        }
        if base:
            table["search"]["base"] = base
        return write(table)

    def weights_at(self, players: int) -> Mapping[str, float]:
        """Return the weights at a table of some number of players.

        Raises
        ------
        UsageError
            If the strategy only has weights for other numbers of players.
        """
        if self.by_players and not self.weights and players not in self.by_players:
            counts = ", ".join(map(str, self.by_players))
            raise UsageError(f"'{self.name}' has weights for {counts} players, not for {players}", "strategies")
        return self.by_players.get(players, self.weights)

    def fill(self, record: Any, entry: int, players: int) -> None:
        """Write the strategy into a line-up as member number `entry`, together with the base of its search."""
        self.fill_numbers(record, entry, players)
        self.fill_addresses(record, entry)

    def fill_numbers(self, record: Any, entry: int, players: int) -> None:
        """Write everything except addresses, so that nothing is compiled; raise `UsageError` as `weights_at` does."""
        self._weigh(record["members"][entry], players)
        if self.search is not None:
            role = load_game(self.game).role_at(entry, players).name
            self.search.fill(record["members"][entry], self.name, players, role)
            record["noting"] = 1
            self.search.base._weigh(record["bases"][entry], players)
            if self.search.guest is not None:
                self.search.guest._weigh(record["guests"][entry], players)

    def fill_addresses(self, record: Any, entry: int) -> None:
        """Write the addresses of its policies; compile what is not compiled yet."""
        if self.search is not None:
            if load_kit(self.game).policies[self.policy].is_cold:
                LOG.info("Compiling the search; this happens once ...")
            record["retell"] = retelling(load_game(self.game)).address
            record["bases"][entry]["policy"] = self.search.base.address
            if self.search.guest is not None:
                record["guests"][entry]["policy"] = self.search.guest.address
        record["members"][entry]["policy"] = self.address

    def _weigh(self, member: Any, players: int) -> None:
        member["blunder"] = round(self.blunder * 2**32)
        member["temperature"] = round(self.temperature * UNIT)
        member["weights"] = 0
        index = self.index
        for name, weight in self.weights_at(players).items():
            member["weights"][index[name]] = round(weight * UNIT)


def _effective(weights: Mapping[str, float]) -> dict[str, float]:
    """Return the weights that are not zero."""
    return {name: float(weight) for name, weight in weights.items() if weight}


def custom_strategy(game: str, reference: str, found: CustomPolicy) -> Strategy:
    """Return a strategy that plays a user's policy with its usual weights."""
    title = shown((found.__doc__ or "").strip().partition("\n")[0], MAX_TEXT)
    return Strategy(game, found.name, reference, title=title, custom=found, role=found.role, weights=found.weights)


def read_strategy(game: str, table: Mapping[str, Any], label: str, find: Find, own: Strategy | None = None) -> Strategy:
    """Return the strategy that the table of a file describes.

    Parameters
    ----------
    game
        Name of the game it must play.
    table
        The table, with the keys of the file.
    label
        Name of the file in messages.
    find
        Finds the base that a search names, and the policy in Python that a file names.
    own
        What plays the policy, if it is in Python and already found.

    Raises
    ------
    UsageError
        If something cannot be used; the message names the file, the table and the key.
    """
    try:
        file = StrategyFile.model_validate(dict(table))
    except ValidationError as error:
        blame = dict.fromkeys(paths(table), label)
        raise UsageError(explain(error, StrategyFile, blame, label)) from None
    if file.game != game:
        raise UsageError(f"{label}: game: plays '{shown(file.game)}', not {game}")
    kit = load_kit(game)
    if own is None and ":" in file.policy and not file.policy.endswith(".toml"):
        own = find(file.policy, f"{label}: policy", own=True)
    usual: Mapping[str, float] = {}
    if own is None:
        _check_policy(file, kit, label)
    else:
        _check_own(file, own, label)
        usual = own.weights
    role = _role(file, own.role if own else kit.roles.get(file.policy, ""), load_game(game), label)
    _check_players(file, load_game(game), label)
    by_players = {int(count): {**usual, **weights} for count, weights in file.players.items()}
    search = None
    if file.search is not None:
        search = _searching(file, file.search.model_dump(), label, find)
    return Strategy(
        game,
        file.name,
        own.policy if own else file.policy,
        file.title,
        file.description,
        file.temperature,
        file.blunder,
        {**usual, **file.weights},
        file.provenance,
        own.custom if own else None,
        tuple(file.forbids),
        by_players,
        search,
        role,
    )


def _searching(file: StrategyFile, values: dict[str, Any], label: str, find: Find) -> Searching[Strategy]:
    """Return how a file's strategy looks ahead."""
    game = load_game(file.game)
    thinks = file.policy == "thinker"
    if thinks != bool(values["players"]) or not all(values["players"].values()):
        told = "needs a table [search.players.N.ROLE]" if thinks else "reads no table [search.players]; take it out"
        raise UsageError(f"{label}: policy '{file.policy}' {told}")
    values["base"] = find(values["base"], f"{label}: [search] base")
    if values["guest"] is not None:
        values["guest"] = find(values["guest"], f"{label}: [search] guest")
    values["decisions"] = numbered(values["decisions"], game.decisions, label)
    values["foresights"] = read_foresights(game, values.pop("players"), label)
    return Searching(**values)


def _check_policy(file: StrategyFile, kit: Kit, label: str) -> None:
    """Raise `UsageError` unless the policy is known and reads the weights given."""
    if file.policy not in kit.policies:
        raise UsageError(f"{label}: policy: no policy '{shown(file.policy)}'{nearest(file.policy, kit.policies)}")
    searches = file.policy in kit.searching
    if searches != (file.search is not None):
        told = "needs the table [search] with its base" if searches else "does not search; take out the table [search]"
        raise UsageError(f"{label}: policy '{file.policy}' {told}")
    tables = {"weights": file.weights} | {f"players.{count}": weights for count, weights in file.players.items()}
    for table, weights in tables.items():
        if weights and file.policy not in kit.weighing:
            raise UsageError(f"{label}: [{shown(table)}]: policy '{file.policy}' reads no weights; take the table out")
        for name in weights:
            if name not in kit.index:
                raise UsageError(f"{label}: [{shown(table)}] {shown(name)}: no such feature{nearest(name, kit.index)}")


def _check_own(file: StrategyFile, own: Strategy, label: str) -> None:
    """Raise `UsageError` unless a policy in Python reads what a file gives it."""
    policy = f"policy '{shown(file.policy, 120)}'"
    if file.search is not None:
        raise UsageError(f"{label}: {policy} does not search; take out the table [search], or make it the base")
    if file.temperature:
        raise UsageError(f"{label}: temperature: {policy} adds no noise; take temperature out, or declare a weight")
    tables = {"weights": file.weights} | {f"players.{count}": weights for count, weights in file.players.items()}
    for table, weights in tables.items():
        for name in weights:
            if name not in own.index:
                known = nearest(name, own.index) if own.index else "; it declares none: @policy(..., weights={...})"
                raise UsageError(f"{label}: [{shown(table)}] {shown(name)}: {policy} has no such weight{known}")


def _role(file: StrategyFile, able: str, game: Game, label: str) -> str:
    """Return the role that a file's strategy plays, "" for any; raise `UsageError` if its policy cannot play it."""
    if file.role and file.role not in game.role_names:
        raise UsageError(f"{label}: role: no role '{shown(file.role)}'{nearest(file.role, game.role_names)}")
    if file.role and able not in ("", file.role):
        raise UsageError(f"{label}: role: policy '{file.policy}' plays the role '{able}', not '{file.role}'")
    return file.role or able


def _check_players(file: StrategyFile, game: Game, label: str) -> None:
    """Raise `UsageError` if weights are given for an impossible number of players."""
    counts = [str(count) for count in game.players]
    for count in file.players:
        if count not in counts:
            raise UsageError(f"{label}: [players.{shown(count)}]: {game.title} is for {game.span}")
