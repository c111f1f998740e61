"""The output of `learn`: how strong the player is, and with what it looks ahead."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

from equipoise.output.console import print_whole

if TYPE_CHECKING:
    from equipoise.api.learning import Learning
    from strategies.learning import Made, Trial

SCORED = (
    "Wins as multiples of par, with 95 % intervals, on deals of no other trial: one thinker if {base} plays all other "
    "seats, and one {base} if thinkers play all other seats. Before that: how many rounds and tables it imagines, and "
    "how many hidden units its value has."
)
SCORED_BY_ROLE = (
    "Wins as multiples of par, with 95 % intervals, on deals of no other trial: one thinker of the role if {base} "
    "plays all other seats, and one {base} of the role if thinkers play all other seats. Before that: how many rounds "
    "and tables it imagines, and how many hidden units its value has."
)

WRONG = 0.05
"""Part of a win by which a value must be wrong, at least, to be mentioned."""


def summary(learning: Learning) -> dict[str, Any]:
    """Return the result of a learning, for JSON."""
    plan = learning.plan
    return {
        "out": str(learning.file),
        "game": plan.game.name,
        "rules": plan.rules.name,
        "rules_digest": plan.rules.digest,
        "settings": list(plan.rules.settings),
        "base": plan.base.name,
        "seed": plan.seed,
        "games": plan.games,
        "seconds": round(learning.seconds, 1),
        "cpu_seconds": round(learning.cpu_seconds, 1),
        "scores": [row for made in learning.made for row in _rows(made)],
        "conclusions": list(conclusions(learning)),
    }


def _rows(made: Made) -> Iterator[dict[str, Any]]:
    for role, foresight in made.foresights.items():
        table = foresight.to_dict()
        yield {
            "players": made.players,
            "role": role,
            "rounds": foresight.rounds,
            "tables": foresight.tables,
            "hidden": foresight.value.hidden,
            "decisions": table.get("decisions", []),
            "foresees": made.fitted[role],
            **{f"wins_{key}": value for key, value in _ends(made.wins[role]).items()},
            **{f"loses_{key}": value for key, value in _ends(made.loses[role]).items()},
            **{f"another_value_{key}": value for key, value in _ends(made.others[role]).items()},
            "error_of_value": list(made.errors[role]),
            "temperature": foresight.temperature,
            "deals": len(made.wins[role].deals),
            "self_play": made.rounds,
            "improvements": made.improvements,
        }


def _ends(trial: Trial) -> dict[str, float]:
    return dict(zip(("of_par", "low", "high"), (trial.mean, *trial.ends), strict=True))


def conclusions(learning: Learning) -> Iterator[str]:
    """Yield a sentence for each number of players and role."""
    base = learning.plan.base.name
    for made in learning.made:
        for role in made.foresights:
            where = f"At {made.players} players" + (f", as {role}," if learning.plan.game.asymmetric else "")
            low, high = made.wins[role].ends
            told = (
                f"{where} one thinker wins {made.wins[role].mean:.2f} times par among {base} ({low:.2f} to {high:.2f})"
            )
            if learning.plan.game.asymmetric:
                yield f"{told}."
            elif low > 1:
                yield f"{told}: it is stronger than {base}."
            else:
                relation = "is weaker than" if high < 1 else "cannot be distinguished from"
                yield f"{told}: it {relation} {base}. A larger --budget or more --games may help."
            yield from _checked(made, role, where)


def _checked(made: Made, role: str, where: str) -> Iterator[str]:
    """Yield what the checks of a thinker found to be wrong with it."""
    other, error = made.others[role], made.errors[role]
    low, high = other.ends
    if low > 1:
        yield (
            f"{where} one thinker with a different value wins {other.mean:.2f} times as much as these thinkers do "
            f"({low:.2f} to {high:.2f}): there is room for improvement. Give a larger --budget."
        )
    if error.certain > WRONG:
        yield (
            f"{where} its value is too {'high' if error.mean > 0 else 'low'} in one phase of the game, for the seats "
            f"ahead or behind, by {abs(error.mean):.0%} of a win."
        )


def show(learning: Learning) -> None:
    """Print how strong the player is."""
    console, plan = Console(highlight=False), learning.plan
    console.print(Text(f"{learning.seconds:,.0f} s ({learning.cpu_seconds / 60:.1f} minutes of processor time)"))
    table = Table(box=None, pad_edge=False, header_style="bold")
    headings = ["players", *(["role"] if plan.game.asymmetric else []), "rounds", "tables", "hidden"]
    for heading in (*headings, "one thinker", f"one {plan.base.name}"):
        table.add_column(heading, justify="left" if heading == "role" else "right", no_wrap=True)
    for made in learning.made:
        for role, one in made.foresights.items():
            cells = [str(made.players), *([role] if plan.game.asymmetric else []), str(one.rounds), str(one.tables)]
            cells.append(str(one.value.hidden))
            for trial in (made.wins[role], made.loses[role]):
                ends = _ends(trial)
                cells.append(f"{ends['of_par']:.2f} ({ends['low']:.2f} to {ends['high']:.2f})")
            table.add_row(*cells)
    console.print(table)
    console.print(Text((SCORED_BY_ROLE if plan.game.asymmetric else SCORED).format(base=plan.base.name), style="dim"))
    for sentence in conclusions(learning):
        console.print(Text(sentence, style="bold"))
    print_whole(console, f"Strategy  {learning.file}")
