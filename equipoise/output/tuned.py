"""What `tune` prints: how strong the player is that it found."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

from equipoise.output.console import print_whole

if TYPE_CHECKING:
    from strategies.tuning import Plan, Tuned

SCORED = "One such player, all others as named, on deals that no candidate had played."
SCORED_BY_ROLE = (
    "Wins of a seat of the tuned role: one such player among others of its role as named, or all of that role "
    "against another role as named; on deals that no candidate had played."
)


def summary(plan: Plan, tuned: Tuned, out: Path) -> dict[str, Any]:
    """Return what came of a tuning, for JSON."""
    held = {role: [one.name for one in some] for role, some in plan.held.items()}
    return {
        "out": str(out),
        "game": plan.game.name,
        **({"role": plan.role.name, "held": held} if held else {}),
        "rules": plan.rules.name,
        "rules_digest": plan.rules.digest,
        "settings": list(plan.rules.settings),
        "seed": plan.seed,
        "generations": tuned.generations,
        "population": plan.population,
        "features": tuned.features,
        "champions": tuned.crowned,
        "finalist": tuned.finalist,
        "seconds": round(tuned.seconds, 1),
        "cpu_seconds": round(tuned.cpu_seconds, 1),
        "weights": dict(tuned.strategy.weights),
        "scores": [
            {
                "against": opponent.name,
                **({"role": opponent.role} if held else {}),
                "players": share.players,
                "win_share": share.mean,
                "low": share.mean - share.half_width,
                "high": share.mean + share.half_width,
                "of_par": share.of_par,
                "deals": share.deals,
            }
            for opponent, share in tuned.scores
        ],
    }


def show(plan: Plan, tuned: Tuned, out: Path) -> None:
    """Print how strong the player is."""
    console = Console(highlight=False)
    console.print(
        Text(
            (f"{plan.role.title}: " if plan.held else "")
            + f"{tuned.generations:,} generation{'' if tuned.generations == 1 else 's'} of {plan.population} candidates"
            f" in {tuned.seconds:,.0f} s"
            f" ({tuned.cpu_seconds / 60:.1f} minutes of processor time); {tuned.features} weights moved;"
            f" chosen: {tuned.finalist}"
        )
    )
    table = Table(box=None, pad_edge=False, header_style="bold")
    for heading, justify in (("players", "right"), ("against", "left"), ("wins", "right"), ("95 % interval", "right"),
                             ("of par", "right")):  # fmt: skip
        table.add_column(heading, justify="left" if justify == "left" else "right")
    for opponent, share in tuned.scores:
        low, high = share.mean - share.half_width, share.mean + share.half_width
        table.add_row(
            str(share.players),
            Text(f"{opponent.role}={opponent.name}" if plan.held else opponent.name),
            f"{share.mean:.2%}",
            f"{max(low, 0):.2%} to {min(high, 1):.2%}",
            f"{share.of_par:.3f}",
        )
    console.print(table)
    console.print(Text(SCORED_BY_ROLE if plan.held else SCORED, style="dim"))
    print_whole(console, f"Strategy  {out}")
