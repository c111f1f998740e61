"""Strategies as data: a policy, its weights, and how it makes mistakes."""

from __future__ import annotations

import hashlib
import json
import logging
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from types import MappingProxyType
from typing import Any

from simcore.declared import Declared
from simcore.errors import UsageError, shown
from simcore.game import load_game
from simcore.kernel.compilation import compiling
from simcore.kernel.lineup import UNIT
from simcore.rules.files import MAX_TEXT, Rules
from simcore.rules.levers import whole_values
from simcore.toml_tables import write
from strategies.custom import CustomPolicy
from strategies.kit import Kit, load_kit
from strategies.levers import Followed, follow
from strategies.rollout import HEAT, retelling
from strategies.searching import Searching

LOG = logging.getLogger("equipoise.kernels")

FORMAT = "equipoise-strategy/1"


@dataclass(frozen=True)
class Strategy:
    """How one seat decides."""

    game: str  # name of the game it plays
    name: str  # its name in tables and reports
    policy: str  # name of a built-in policy, or the reference of a user's own policy
    title: str = ""
    description: str = ""
    """title, description: Texts for people to read."""
    temperature: float = 0.0  # scale of the Gumbel noise that is added to every score, in coins or points; 0 for none
    blunder: float = 0.0  # probability that a decision is a legal move drawn uniformly at random
    weights: Mapping[str, float] = field(default_factory=dict)
    """Weight by feature; features that are not named have weight 0."""
    provenance: Mapping[str, Any] = field(default_factory=dict)  # how the weights were obtained
    custom: CustomPolicy | None = field(default=None, compare=False, repr=False)
    """The user's own policy, if it plays one."""
    forbids: tuple[str, ...] = ()  # names of what it forbids itself; see `strategies.restrictions`
    by_players: Mapping[int, Mapping[str, float]] = field(default_factory=dict)
    """By number of players: weights at tables of that size, instead of `weights`."""
    search: Searching[Strategy] | None = None  # how it looks ahead, if it does
    role: str = ""  # the only role that it plays; empty if it can play every role of its game
    sees_everything: bool = False
    """Whether it looks ahead at the table as it is, and not at tables on which what it cannot know is drawn again."""
    levers: tuple[Followed, ...] = ()  # the values of the rules that it knows, and how its weights follow them
    reference: str = field(default="", compare=False)  # how the user referred to it; empty if its name is enough

    def __post_init__(self) -> None:
        object.__setattr__(self, "weights", MappingProxyType(dict(self.weights)))
        by_players = {count: MappingProxyType(dict(weights)) for count, weights in sorted(self.by_players.items())}
        object.__setattr__(self, "by_players", MappingProxyType(by_players))
        object.__setattr__(self, "provenance", MappingProxyType(dict(self.provenance)))

    @property
    def address(self) -> int:
        """Address of the decision function; compiles on first use.

        Raises UsageError if a user's policy does not compile.
        """
        return self._address()

    def _address(self, errs: bool = False) -> int:
        """Return the address of its decision function, in the form that can err if the strategy or its host does."""
        if self.custom is not None:
            return self.custom.address(self.blunder > 0)
        kit = load_kit(self.game)
        policies = {**kit.policies, **kit.noisy} if errs or self.temperature or self.blunder else kit.policies
        with compiling(self.game):
            return policies[self.policy].address

    @property
    def index(self) -> Mapping[str, int]:
        """Position of every weight that its policy reads, by name; of a player who looks ahead, none."""
        if self.custom is not None:
            return self.custom.index
        kit = load_kit(self.game)
        return kit.index if self.policy in kit.weighing else {}

    @property
    def looks_ahead(self) -> bool:
        """Whether it tries its moves on imagined tables; if the code of its game must not run, nobody knows."""
        game = load_game(self.game)
        if game.compiled:
            return self.search is not None
        rolls_out = getattr(game.play_batch, "rolls_out", None)
        return rolls_out is None or bool(rolls_out(self.policy))

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
        if self.sees_everything:
            decisive["sees_everything"] = True
        if self.forbids:
            decisive["forbids"] = sorted(self.forbids)
        if self.by_players:
            decisive["players"] = {count: _effective(weights) for count, weights in self.by_players.items()}
        if self.levers:
            decisive["levers"] = [
                [one.lever.key, one.lever.value, one.lever.low, one.lever.high, _effective(one.slopes)]
                + [[count, _effective(slopes)] for count, slopes in one.by_players.items()]
                for one in self.levers
            ]
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
        if self.sees_everything:
            table["sees_everything"] = True
        if self.forbids:
            table["forbids"] = list(self.forbids)
        if self.levers:
            table["levers"] = {one.lever.key: one.to_dict() for one in self.levers}
        if self.search is not None:
            table["search"] = self.search.to_dict()
        if self.custom is not None:
            table |= {
                "weights": self._own_weights(self.weights),
                "players": {str(count): self._own_weights(weights) for count, weights in self.by_players.items()},
                "source_sha256": self.custom.source_digest,
            }
            if self.custom.modules:
                table["modules"] = dict(self.custom.modules)
            if self.custom.name != self.name:
                table["attribute"] = self.custom.name
        return table

    def _own_weights(self, weights: Mapping[str, float]) -> dict[str, float]:
        """Return the weights of a user's policy with those that are 0, which its own values would replace."""
        return {name: weights.get(name, 0.0) for name in self.index}

    def to_toml(self, base: str = "") -> str:
        """Return the text of a strategy file.

        base: Name of the base of its search, to be written instead of the base itself.
        """
        unwritten = ("source_sha256", "modules", "attribute")
        table = {
            key: value for key, value in self.to_dict().items() if value not in ("", 0.0, {}) and key not in unwritten
        }
        if base:
            table["search"]["base"] = base
        return write(table)

    def weights_at(self, players: int) -> Mapping[str, float]:
        """Return the weights at a table of some number of players.

        Raises UsageError if the strategy only has weights for other numbers of players.
        """
        if self.by_players and not self.weights and players not in self.by_players:
            counts = ", ".join(map(str, self.by_players))
            raise UsageError(f"'{self.name}' has weights for {counts} players, not for {players}", "strategies")
        return self.by_players.get(players, self.weights)

    def under(self, rules: Rules) -> Strategy:
        """Return how it plays under some rules: the same strategy, with its weights for the values of its levers.

        Raises UsageError if the rules do not have one of its levers.
        """
        search = self.search
        if search is not None:
            base, guest = search.base.under(rules), search.guest and search.guest.under(rules)
            if base is not search.base or guest is not search.guest:
                search = replace(search, base=base, guest=guest)
        if not self.levers:
            return self if search is self.search else replace(self, search=search)
        try:
            values = whole_values(load_game(self.game), rules, [one.lever for one in self.levers])
        except UsageError as error:
            raise UsageError(f"'{self.name}' has a lever that is not there: {error.message}", "strategies") from None
        counts = {*self.by_players, *(count for one in self.levers for count in one.by_players)}
        own = {count: self.by_players.get(count, self.weights) for count in counts}
        by_players = {count: follow(self.levers, values, weights, count) for count, weights in own.items()}
        weights = follow(self.levers, values, self.weights) if self.weights or not self.by_players else {}
        return replace(self, weights=weights, by_players=by_players, search=search, levers=())

    def fill(self, record: Any, entry: int, players: int) -> None:
        """Write the strategy into a line-up as member number `entry`, together with the base of its search."""
        self.fill_numbers(record, entry, players)
        self.fill_addresses(record, entry)

    def fill_numbers(self, record: Any, entry: int, players: int) -> None:
        """Write everything except addresses, so that nothing is compiled; raise `UsageError` as `weights_at` does."""
        self._weigh(record["members"][entry], players)
        record["members"][entry]["sees"] = self.sees_everything
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
            hot = bool(record["members"][entry]["weights"][HEAT])
            for places, player in (("bases", self.search.base), ("guests", self.search.guest)):
                if player is not None:
                    record[places][entry]["policy"] = player._address(hot)
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


# --- The strategies of games in plain Python, which no kernel calls ---


@dataclass(frozen=True)
class Numbered:
    """A strategy as a line-up has it: its number among those of its game, counted from 1, in place of an address."""

    address: int
    is_cold = False


@cache
def kit_of(game: Declared) -> Kit:
    """Return the kit of a game, made from its strategies: simple players are its lowest levels of skill."""
    names, default = game.declaration.strategies, game.declaration.default
    rungs = {"family": names[0], "club": "greedy"}
    return Kit(
        policies={name: Numbered(number) for number, name in enumerate(names, 1)},  # type: ignore[misc]
        default=default,
        skills={skill: name for skill, name in rungs.items() if name in names and name != default},
        records=game.policy_records,
        searched=(0, 0),
    )
