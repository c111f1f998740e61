"""How a tuned strategy came about, in its file: enough to make it again, to the last digit."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from dataclasses import replace
from importlib.metadata import version
from typing import Any

from strategies.model import Strategy
from strategies.tuning.plan import Plan
from strategies.tuning.search import Tuned

MEASURED = (
    "win share of one such player, all other seats played by the one named, seats rotated, on deals that no candidate"
    " had played; then its 95 % interval from deals"
)


def describe(plan: Plan, tuned: Tuned, name: str, versions: Mapping[str, str]) -> Strategy:
    """Return the tuned strategy with its name, texts and provenance.

    Parameters
    ----------
    plan
        The tuning.
    tuned
        What came of it.
    name
        Name of the strategy, and of its file.
    versions
        Of the packages in use.
    """
    counts = " and ".join(str(count) for count in plan.players)
    settings = f" with {', '.join(plan.rules.settings)}" if plan.rules.settings else ""
    return replace(
        tuned.strategy,
        name=name,
        title=_title(name),
        description=f"Tuned for {counts} players under rules '{plan.rules.name}'{settings}, {_ways(plan)}.",
        provenance=_provenance(plan, tuned, command(plan, tuned.generations, name), versions),
    )


def add_part(known: Strategy | None, plan: Plan, tuned: Tuned, name: str, versions: Mapping[str, str]) -> Strategy:
    """Return a strategy that plays as tuned at the tuning's numbers of players, and as before at others.

    Parameters
    ----------
    known
        The strategy as it was; None: there was none.
    plan, tuned, name, versions
        As for `describe`.
    """
    recipe = f"{command(plan, tuned.generations, name)} --by-players"
    parts = {f"players_{count}": _provenance(plan, tuned, recipe, versions) for count in plan.players}
    weights = dict.fromkeys(plan.players, tuned.strategy.weights)
    if known is None:
        texts = f"Tuned for each number of players apart, {_ways(plan)}."
        known = replace(tuned.strategy, name=name, title=_title(name), description=texts, weights={}, provenance={})
    return replace(
        known,
        by_players={**known.by_players, **weights},
        provenance=dict(sorted({**known.provenance, **parts}.items())),
    )


def _title(name: str) -> str:
    return name.replace("_", " ").capitalize()


def _ways(plan: Plan) -> str:
    """Say against whom."""
    fields = [opponent.name for opponent in plan.opponents]
    ways = ["in self-play"] * plan.self_play + [f"against {' and '.join(fields)}"] * bool(fields)
    return f"{' and '.join(ways)}, from {plan.start.name}"


def _provenance(plan: Plan, tuned: Tuned, recipe: str, versions: Mapping[str, str]) -> dict[str, Any]:
    opponents = {opponent.name: opponent.digest for opponent in plan.opponents}
    held_out = {f"{opponent.name}_at_{share.players}": share.interval for opponent, share in tuned.scores}
    return {
        "recipe": recipe,
        "rules_digest": plan.rules.digest,
        "start_digest": plan.start.digest,
        **({"opponents": opponents} if opponents else {}),
        "generations": tuned.generations,
        "features_moved": tuned.features,
        **({"champions_before": tuned.crowned} if plan.self_play else {}),
        "finalist": tuned.finalist,
        "seconds": round(tuned.seconds),
        "cpu_minutes": round(tuned.cpu_seconds / 60, 1),
        "versions": {**versions, "cma": version("cma")},
        "measured": MEASURED,
        "held_out": held_out,
    }


def command(plan: Plan, generations: int, name: str) -> str:
    """Return the command line that makes the strategy again."""
    words = ["equipoise", "tune", "--game", plan.game.name, "--players", ",".join(map(str, plan.players))]
    words += ["--against", plan.named.against, "--rules", plan.named.rules]
    words += [word for setting in plan.rules.settings for word in ("--set", setting)]
    words += ["--start-from", plan.named.start, "--seed", str(plan.seed), "--budget", str(generations)]
    words += ["--sigma", f"{plan.sigma:g}", "--population", str(plan.population), "--games", str(plan.games)]
    return shlex.join([*words, "--out", f"{name}.toml"])
