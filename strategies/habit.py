"""Players who play by habit: strategies that were tuned for rules other than those of the run."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from math import hypot
from typing import Any

from simcore.errors import UsageError, shown
from simcore.game import load_game
from simcore.rules.files import Rules, differences, load_rules, shipped_rules
from simcore.running.batch import Spec
from strategies.levers import Followed, LeverTable, at_home, read_levers
from strategies.library import load_strategy, shipped_strategies
from strategies.model import Strategy

HARDLY = 10
"""Number of generations below which a player is hardly tuned."""

SHOWN = 5
"""Largest number of keys that a sentence names."""


@dataclass(frozen=True)
class Habit:
    """A strategy that was tuned for rules other than those it plays by."""

    strategy: str  # its name
    base: str  # for a strategy that looks ahead, the name of its base, which was tuned; otherwise empty
    rules: str  # name of the shipped rules that it was tuned for; empty if those rules are not shipped with the game
    rules_digest: str  # digest of the rules that it was tuned for
    changed: tuple[str, ...]  # keys in which the rules of the run differ from those; empty if those are not known
    generations: int | None = None
    """If it was tuned for the rules of the run, but hardly: for how many generations.  None if it was not."""
    instead: str = ""  # name of a shipped strategy that knows the rules of the run; empty if there is none

    @property
    def player(self) -> str:
        """The name, with the name of its base if it has one."""
        return f"{self.strategy} ({self.base})" if self.base else self.strategy

    @property
    def keys(self) -> tuple[str, ...]:
        """The changed keys, or the first few of them and an ellipsis."""
        return self.changed if len(self.changed) <= SHOWN else (*self.changed[:SHOWN], "…")

    def to_dict(self) -> dict[str, Any]:
        """Return these values as plain values for JSON, with the sentence as `warning`."""
        return {
            "strategy": self.strategy,
            "base": self.base or None,
            "tuned_for": self.rules or None,
            "tuned_for_digest": self.rules_digest,
            "changed": list(self.changed),
            "generations": self.generations,
            "instead": self.instead or None,
            "warning": str(self),
        }

    def __str__(self) -> str:
        if self.generations is not None:
            return (
                f"{self.player} was hardly tuned for the present rules (generations: {self.generations:,}), so a seat "
                "that looks too weak may still be too strong. Tune it for longer to be sure."
            )
        told = "other rules than the present ones"
        knows = f", or let {self.instead} play, who knows them" if self.instead else ""
        if self.rules:
            told = f"the rules '{self.rules}', and the present rules differ ({', '.join(self.keys)})"
        return (
            f"{self.player} was tuned for {told}. It plays by habit, so even the sign of a result can be wrong: a "
            f"seat that looks too weak may be too strong. Tune it for the present rules first to be sure{knows}."
        )


def habits(spec: Spec) -> tuple[Habit, ...]:
    """Return the strategies that play by habit in a run, or were hardly tuned for its rules, each once.

    The provenance of a strategy gives the digest of the rules that it was tuned for.  A strategy without one was
    not tuned for any rules, and is not listed.  The names and titles of rule sets are ignored
    if its provenance has `nameless_rules_digest`; else only those of the game's own rule sets are.  The rules
    that a thinker was learnt for are not read, only those that its base was tuned for.
    """
    found: dict[str, Habit] = {}
    for table in spec.strategy_tables:
        name, of, base = str(table.get("name")), "", _base(table)
        own = _provenance(table, spec.players)
        if base is not None and _digest(own) is None:
            own, of = _provenance(base, spec.players), str(base.get("name"))
        digest = _digest(own)
        if digest is None or name in found:
            continue
        rules = at_home(spec.game, spec.rules, _levers(table if base is None else base))
        if _named_alike(rules, own):
            if hardly_tuned(own):
                found[name] = Habit(shown(name), shown(of), spec.rules.name, digest, (), generations(own))
            continue
        known = _shipped(spec.game.name).get(digest)
        changed = tuple(differences(known, rules)) if known else ()
        instead = _knowing(spec, str(table.get("role", "")))
        found[name] = Habit(shown(name), shown(of), known.name if known else "", digest, changed, instead=instead)
    return tuple(found.values())


def tuned_for(table: Mapping[str, Any], players: int) -> str | None:
    """Return the digest of the rules that a strategy was tuned for, as its table gives it; None if it gives none.

    table: The strategy as a plain table; its provenance may hold anything.
    players: Number of players at the table: a strategy may have weights, and a provenance, for each number of players.
    """
    return _digest(_provenance(table, players))


def generations(provenance: Mapping[str, Any]) -> int:
    """Return for how many generations a player was tuned for its rules, with those of its start if that knew them."""
    counts = (provenance.get(name) for name in ("generations", "generations_before"))
    return sum(count for count in counts if isinstance(count, int))


def hardly_tuned(provenance: Mapping[str, Any]) -> bool:
    """Return whether a player was tuned for few generations, or still rose when its tuning ended.

    It still rose if its share of the wins against some player is above that of the player halfway through the tuning by
    more than both intervals explain.  Provenance that does not say for how many generations is left alone.
    """
    if isinstance(provenance.get("generations"), int) and generations(provenance) < HARDLY:
        return True
    halfway, now = (_intervals(provenance.get(name)) for name in ("halfway", "held_out"))
    return any(
        now[key][0] - share > hypot(now[key][1] - now[key][0], low - share)
        for key, (share, low) in halfway.items()
        if key in now
    )


def _intervals(scores: Any) -> dict[str, tuple[float, float]]:
    """Return share and low end of each score; nothing of what is no score."""
    if not isinstance(scores, Mapping):
        return {}
    numbers = {key: one for key, one in scores.items() if isinstance(one, list | tuple) and len(one) > 1}
    return {key: (one[0], one[1]) for key, one in numbers.items() if all(isinstance(part, float) for part in one[:2])}


def _provenance(table: Mapping[str, Any], players: int) -> Mapping[str, Any]:
    provenance: Any = table.get("provenance")
    if str(players) in (table.get("players") or {}):
        provenance = provenance.get(f"players_{players}") if isinstance(provenance, Mapping) else None
    return provenance if isinstance(provenance, Mapping) else {}


def _digest(provenance: Mapping[str, Any]) -> str | None:
    digest = provenance.get("rules_digest")
    return digest if isinstance(digest, str) else None


def _base(table: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """Return the table of the strategy that another one uses to look ahead."""
    search = table.get("search")
    base = search.get("base") if isinstance(search, Mapping) else None
    return base if isinstance(base, Mapping) else None


def _levers(table: Mapping[str, Any]) -> tuple[Followed, ...]:
    """Return the levers that a strategy knows; none if its table does not say so."""
    try:
        return read_levers(
            {key: LeverTable.model_validate(one) for key, one in (table.get("levers") or {}).items()}, ""
        )
    except (UsageError, ValueError, AttributeError):
        return ()


def _knowing(spec: Spec, role: str) -> str:
    """Return the name of a shipped strategy for a role ("" for any) that knows the rules of a run; empty if none."""
    for one in _followers(spec.game.name):
        table = one.to_dict()
        own = _provenance(table, spec.players)
        if one.role in ("", role) and _named_alike(at_home(spec.game, spec.rules, one.levers), own):
            return one.name
    return ""


def _named_alike(rules: Rules, provenance: Mapping[str, Any]) -> bool:
    """Return whether a player was tuned for these rules, or for the same with another name and title.

    Provenance without a digest of the nameless rules knows no names but those of shipped rule sets.
    """
    digest = _digest(provenance)
    if digest is None or rules.digest == digest:
        return digest is not None
    if nameless := provenance.get("nameless_rules_digest"):
        return bool(nameless == rules.nameless_digest)
    texts = [{"name": known.name, "title": known.title} for known in _shipped(rules.game_name).values()]
    return any(Rules(rules.game_name, rules.values.model_copy(update=text)).digest == digest for text in texts)


@cache
def _followers(game: str) -> tuple[Strategy, ...]:
    """Return the shipped strategies that know values of the rules."""
    found = load_game(game)
    return tuple(one for name in shipped_strategies(found) if (one := load_strategy(found, name)).levers)


@cache
def _shipped(game: str) -> dict[str, Rules]:
    """Return the rule sets that are shipped with a game, by digest."""
    found = load_game(game)
    return {rules.digest: rules for rules in (load_rules(found, name) for name in shipped_rules(found))}
