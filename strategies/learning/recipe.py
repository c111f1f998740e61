"""How a thinker was made, written in its file: enough to make it again."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from strategies.learning.rounds import Made
from strategies.learning.plan import Plan
from strategies.library import load_strategy, shipped_strategies
from strategies.model import Strategy
from strategies.searching import Searching

MEASURED = (
    "times par: what one thinker wins if the base plays all other seats, and what one base wins if thinkers play all"
    " other seats; what one thinker with another value wins among these, times what one of these wins; on deals of no"
    " other trial, seats rotated within the role; mean and 95 % interval from deals; and the error of the value,"
    " as part of a win, in the phase where it is most certainly wrong, positive if it is optimistic, with an"
    " interval that allows for this choice"
)


def described(
    plan: Plan, found: Sequence[Made], name: str, seconds: float, cpu: float, versions: Mapping[str, str]
) -> Strategy:
    """Return the thinker with its name, texts and provenance.

    plan: The learning.
    found: What was made, by number of players.
    name: Name of the strategy, and of its file.
    seconds, cpu: Time that it took, and processor time.
    versions: Of the packages in use.
    """
    foresights = {(made.players, role): one for made in found for role, one in made.foresights.items()}
    parts = {
        f"players_{made.players}": _provenance(plan, made, name, seconds / len(found), cpu / len(found), versions)
        for made in found
    }
    return Strategy(
        plan.game.name,
        name,
        "thinker",
        title=name.replace("_", " ").capitalize(),
        description=(
            f"Looks a little ahead on imagined tables, on which {plan.base.name} plays on, and judges them by a value"
            f" learnt from self-play under the rules '{plan.rules.name}'."
        ),
        provenance=parts,
        search=Searching(plan.base, foresights=foresights),
        role=plan.base.role,
    )


def joined(known: Strategy, new: Strategy) -> Strategy:
    """Return a thinker that plays as the new one at its numbers of players, and as before at others."""
    assert known.search is not None and new.search is not None
    search = replace(new.search, foresights={**known.search.foresights, **new.search.foresights})
    parts = dict(sorted({**known.provenance, **new.provenance}.items()))
    return replace(new, title=known.title, description=known.description, search=search, provenance=parts)


def shipped_name(plan: Plan) -> str:
    """Return the name of the base if it is shipped with the game, so that a file need only name it; otherwise ""."""
    name = plan.base.name
    shipped = name in shipped_strategies(plan.game) and load_strategy(plan.game, name) == plan.base
    return name if shipped else ""


def _provenance(
    plan: Plan, made: Made, name: str, seconds: float, cpu: float, versions: Mapping[str, str]
) -> dict[str, Any]:
    held_out = {}
    for role in made.wins:
        for word, trial in (
            ("one_thinker", made.wins[role]),
            ("one_base", made.loses[role]),
            ("another_value", made.others[role]),
        ):
            held_out[f"{word}_{role.replace('-', '_')}"] = _rounded(trial.mean, *trial.ends)
    return {
        "recipe": command(plan, made, name),
        "rules_digest": plan.rules.digest,
        "base_digest": plan.base.digest,
        "rounds": made.rounds,
        "improvements": made.improvements,
        "foresees": {role: round(one, 3) for role, one in made.fitted.items()},
        "seconds": round(seconds),
        "cpu_minutes": round(cpu / 60, 1),
        "versions": dict(versions),
        "measured": MEASURED,
        "held_out": held_out,
        "error_of_value": {role: _rounded(*error) for role, error in made.errors.items()},
    }


def _rounded(*numbers: float) -> list[float]:
    return [round(number, 3) for number in numbers]


def command(plan: Plan, made: Made, name: str) -> str:
    """Return the command line that makes the values of one number of players again."""
    words = ["equipoise", "learn", "--game", plan.game.name, "--players", str(made.players), "--rules", plan.named]
    words += [word for setting in plan.rules.settings for word in ("--set", setting)]
    words += ["--base", plan.base.reference or plan.base.name, "--seed", str(plan.seed), "--games", str(plan.games)]
    words += ["--like", plan.like.reference or plan.like.name] if plan.like else []
    return shlex.join([*words, "--budget", str(made.rounds), "--out", f"{name}.toml", "--by-players"])
