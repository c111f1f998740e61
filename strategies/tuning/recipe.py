"""How a tuned strategy came about, in its file: enough to make it again, to the last digit."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from dataclasses import replace
from importlib.metadata import version

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
    ways = [*(["self-play"] if plan.self_play else []), *(opponent.name for opponent in plan.opponents)]
    settings = f" with {', '.join(plan.rules.settings)}" if plan.rules.settings else ""
    held_out: dict[str, list[float]] = {
        f"{opponent.name} at {share.players}": share.interval for opponent, share in tuned.scores
    }
    return replace(
        tuned.strategy,
        name=name,
        title=name.replace("_", " ").capitalize(),
        description=(
            f"Tuned for {counts} players under rules '{plan.rules.name}'{settings}, against {' and '.join(ways)}, from"
            f" {plan.start.name}."
        ),
        provenance={
            "recipe": command(plan, tuned.generations, name),
            "rules_digest": plan.rules.digest,
            "start_digest": plan.start.digest,
            "opponents": {opponent.name: opponent.digest for opponent in plan.opponents},
            "generations": tuned.generations,
            "features_moved": tuned.features,
            "champions_before": tuned.crowned,
            "finalist": tuned.finalist,
            "seconds": round(tuned.seconds),
            "cpu_minutes": round(tuned.cpu_seconds / 60, 1),
            "versions": {**versions, "cma": version("cma")},
            "held_out": {"measured": MEASURED, **held_out},
        },
    )


def command(plan: Plan, generations: int, name: str) -> str:
    """Return the command line that makes the strategy again."""
    words = ["equipoise", "tune", "--game", plan.game.name, "--players", ",".join(map(str, plan.players))]
    words += ["--against", plan.named.against, "--rules", plan.named.rules]
    words += [word for setting in plan.rules.settings for word in ("--set", setting)]
    words += ["--start-from", plan.named.start, "--seed", str(plan.seed), "--budget", str(generations)]
    words += ["--sigma", f"{plan.sigma:g}", "--population", str(plan.population), "--games", str(plan.games)]
    return shlex.join([*words, "--out", f"{name}.toml"])
