"""How a tuned strategy was made, written in its file: enough to make it again, to the last digit."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from dataclasses import replace
from importlib.metadata import version
from typing import Any

from simcore.errors import UsageError
from simcore.rules.levers import Lever
from strategies.habit import generations
from strategies.levers import Followed
from strategies.model import Strategy
from strategies.tuning.plan import FRESH, Plan
from strategies.tuning.search import Tuned

MEASURED_BY_ROLE = (
    "win share of a seat of the role that was tuned: one such player among the others of its role that are named, or,"
    " where another role is named, with such players in all seats of its own; seats rotated within the role, on deals"
    " that no candidate had played; then its 95 % interval from deals"
)
MEASURED = (
    "win share of one such player, all other seats played by the one named, seats rotated, on deals that no candidate"
    " had played; then its 95 % interval from deals"
)


DRAWN = f"; under {FRESH} rule sets drawn from the levers' ranges"


def describe(plan: Plan, tuned: Tuned, name: str, versions: Mapping[str, str]) -> Strategy:
    """Return the tuned strategy with its name, texts and provenance.

    plan: The tuning.
    tuned: Its result.
    name: Name of the strategy, and of its file.
    versions: Of the packages in use.
    """
    counts = " and ".join(str(count) for count in plan.players)
    settings = f" with {', '.join(plan.rules.settings)}" if plan.rules.settings else ""
    return replace(
        tuned.strategy,
        name=name,
        title=_title(name),
        description=(
            f"Tuned{_role(plan)} for {counts} players under rules '{plan.rules.name}'{settings}{_levers(plan)}, "
            f"{_ways(plan)}."
        ),
        provenance=_provenance(plan, tuned, command(plan, tuned.generations, name), versions),
    )


def add_part(known: Strategy | None, plan: Plan, tuned: Tuned, name: str, versions: Mapping[str, str]) -> Strategy:
    """Return a strategy that plays as tuned with the tuning's numbers of players, and as before with others.

    known: The strategy as it was before; None if there was none.
    plan, tuned, name, versions: As for `describe`.
    """
    recipe = f"{command(plan, tuned.generations, name)} --by-players"
    if known is not None:
        check_levers(known, plan)
    parts = {f"players_{count}": _provenance(plan, tuned, recipe, versions) for count in plan.players}
    weights = dict.fromkeys(plan.players, tuned.strategy.weights)
    if known is None:
        texts = f"Tuned{_role(plan)} for each number of players apart{_levers(plan)}, {_ways(plan)}."
        known = replace(tuned.strategy, name=name, title=_title(name), description=texts, weights={}, provenance={})
        known = replace(known, levers=tuple(Followed(lever) for lever in plan.levers))
    followed = zip(known.levers, tuned.strategy.levers, strict=True)
    return replace(
        known,
        levers=tuple(
            replace(old, by_players={**old.by_players, **dict.fromkeys(plan.players, new.slopes)})
            for old, new in followed
        ),
        by_players={**known.by_players, **weights},
        provenance=dict(sorted({**known.provenance, **parts}.items())),
    )


def _title(name: str) -> str:
    return name.replace("_", " ").capitalize()


def _role(plan: Plan) -> str:
    return f" in the role '{plan.role.name}'" if plan.held else ""


def check_levers(known: Strategy, plan: Plan) -> None:
    """Raise `UsageError` if a strategy knows other levers than those of a tuning that is to be added to it."""
    if [_alike(one.lever) for one in known.levers] != [_alike(one) for one in plan.levers]:
        raise UsageError(
            f"'{known.name}' knows other values of the rules; name the same ranges, or another file", "free"
        )


def _alike(lever: Lever) -> tuple[str, int, int, int]:
    return lever.key, lever.value, lever.low, lever.high


def _levers(plan: Plan) -> str:
    """Return a phrase that says which values of the rules it knows."""
    if not plan.levers:
        return ""
    return ", knowing " + ", ".join(
        f"{one.key} from {one.text(one.low)} to {one.text(one.high)}" for one in plan.levers
    )


def _ways(plan: Plan) -> str:
    """Return a phrase that says against whom it was tuned."""
    fields = [opponent.name for opponent in plan.opponents]
    fields += [f"{role}={one.name}" for role, some in plan.held.items() for one in some]
    ways = ["in self-play"] * plan.self_play + [f"against {' and '.join(fields)}"] * bool(fields)
    return f"{' and '.join(ways)}, from {plan.start.name}"


def _provenance(plan: Plan, tuned: Tuned, recipe: str, versions: Mapping[str, str]) -> dict[str, Any]:
    opponents = {opponent.name: opponent.digest for opponent in plan.opponents}
    held = {role: {one.name: one.digest for one in some} for role, some in plan.held.items()}
    held_out, halfway = (
        {
            f"{f'{opponent.role}_' if held else ''}{opponent.name}_at_{share.players}": [
                round(plan.judged(share.players).amount(value), 4) for value in share.interval
            ]
            for opponent, share in scores
        }
        for scores in (tuned.scores, tuned.halfway)
    )
    before = generations(plan.start.provenance) if plan.start.provenance.get("rules_digest") == plan.rules.digest else 0
    return {
        "recipe": recipe,
        "rules_digest": plan.rules.digest,
        "nameless_rules_digest": plan.rules.nameless_digest,
        "start_digest": plan.start.digest,
        **({"role": plan.role.name, "held": held} if held else {}),
        **({"opponents": opponents} if opponents else {}),
        "generations": tuned.generations,
        **({"generations_before": before} if before else {}),
        "features_moved": tuned.features,
        **({"champions_before": tuned.crowned} if plan.self_play else {}),
        "finalist": tuned.finalist,
        "seconds": round(tuned.seconds),
        "cpu_minutes": round(tuned.cpu_seconds / 60, 1),
        "versions": {**versions, "cma": version("cma")},
        "measured": (MEASURED_BY_ROLE if held else MEASURED) + (DRAWN if plan.levers else ""),
        "held_out": held_out,
        **({"halfway": halfway} if halfway else {}),
    }


def command(plan: Plan, generations: int, name: str) -> str:
    """Return the command line that makes the strategy again."""
    words = ["equipoise", "tune", "--game", plan.game.name, *(["--role", plan.role.name] if plan.held else [])]
    words += ["--players", ",".join(map(str, plan.players))]
    words += ["--against", plan.named.against, "--rules", plan.named.rules]
    words += [word for setting in plan.rules.settings for word in ("--set", setting)]
    words += [word for one in plan.levers for word in ("--free", _free(one))]
    words += ["--only", ",".join(plan.only)] if plan.only else []
    words += ["--start-from", plan.named.start, "--seed", str(plan.seed), "--budget", str(generations)]
    words += ["--sigma", f"{plan.sigma:g}", "--population", str(plan.population), "--games", str(plan.games)]
    return shlex.join([*words, "--out", f"{name}.toml"])


def _free(lever: Lever) -> str:
    """Return the range of a lever as the user writes it."""
    if lever.switch:
        return lever.key
    return f"{lever.key}={lever.low}..{lever.high}" + (f":{lever.step}" if lever.step > 1 else "")
