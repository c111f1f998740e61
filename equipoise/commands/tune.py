"""`equipoise tune`: find the weights of a strategy that wins, and leave it as a file."""

from __future__ import annotations

import json
import math
import re
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from equipoise.commands.simulate import (
    MAX_THREADS,
    GameOption,
    RulesOption,
    SeedOption,
    SetOption,
    split,
    strategy_names,
)  # fmt: skip
from equipoise.examples import examples
from equipoise.numbers import whole
from equipoise.progress import Progress, hush
from simcore.errors import Interrupted, UsageError
from simcore.game import GAMES

if TYPE_CHECKING:
    from strategies.tuning import Budget, Journal, Plan, Tuned

EXAMPLES = examples(
    "equipoise tune --budget 10m --out my_champion.toml",
    "equipoise tune --set effects.mill_coins=3 --players 3,4 --out knows_mills.toml",
    "equipoise tune --against champion --players 2 --budget 5m --out exploiter.toml",
    "equipoise tune --against self,warlord --start-from scout --budget 200 --out better_scout.toml",
)
NAME = re.compile(r"[a-z][a-z0-9_]{0,39}")


def tune(
    game: GameOption = GAMES[0],
    players: Annotated[
        str | None,
        typer.Option("--players", metavar="N,...", help="Player counts, with commas between.", show_default="4"),
    ] = None,
    against: Annotated[
        str,
        typer.Option(
            "--against",
            help="Opponents, with commas between; 'self': the best player found so far and its forerunners.",
            autocompletion=strategy_names,
        ),
    ] = "self",
    rules: RulesOption = "base",
    set_: SetOption = None,
    start_from: Annotated[
        str | None,
        typer.Option(
            "--start-from",
            help="Strategy whose weights are moved.",
            show_default="the game's default",
            autocompletion=strategy_names,
        ),
    ] = None,
    budget: Annotated[
        str, typer.Option("--budget", help="Time, such as 90s, 10m or 2h; or a number of generations.")
    ] = "10m",
    seed: SeedOption = "1",
    sigma: Annotated[float, typer.Option("--sigma", help="Width of the first generation, in steps.")] = 0.5,
    population: Annotated[
        int | None,
        typer.Option("--population", help="Candidates of a generation.", show_default="by the number of features"),
    ] = None,
    games: Annotated[str, typer.Option("--games", help="Games of a candidate in a generation.")] = "1920",
    threads: Annotated[
        int | None, typer.Option("--threads", help="Threads that play; changes no result.", show_default="all cores")
    ] = None,
    out: Annotated[Path, typer.Option("--out", help="Strategy file to write; its name names the strategy.")] = Path(
        "tuned.toml"
    ),
    by_players: Annotated[
        bool,
        typer.Option("--by-players", help="Keep what FILE has for other numbers of players; it may exist."),
    ] = False,
    force: Annotated[bool, typer.Option("--force", help="Replace FILE if it exists.")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Print the file and nothing else.")] = False,
    json_: Annotated[bool, typer.Option("--json", help="Print the results as JSON.")] = False,
) -> None:
    """Find the weights of a strategy that wins, under any rules, and write it as a file."""
    from analysis.runs.manifest import versions
    from equipoise.files import whole_path
    from simcore.executors import default_threads
    from strategies.library import load_strategy
    from strategies.tuning import Budget, Journal, add_part, describe, make_plan

    if threads is not None and not 1 <= threads <= MAX_THREADS:
        raise UsageError(f"--threads: {threads} is out of range; give a whole number from 1 to {MAX_THREADS}")
    limit = Budget.parse(budget)
    name = _name(out)
    if quiet or json_:
        hush()
    plan = make_plan(
        game, [whole(count, "--players") for count in split(players)], split(against), rules, set_ or (), start_from,
        whole(seed, "--seed", 0, 2**64 - 1), sigma, population, whole(games, "--games"),
    )  # fmt: skip
    known = load_strategy(plan.game, out) if by_players and out.exists() else None
    if known and known.policy != plan.start.policy:
        raise UsageError(f"--by-players: {out} plays '{known.policy}', and {plan.start.name} '{plan.start.policy}'")
    kept = out.with_name(f"{out.name}.journal")
    with whole_path(out, force or known is not None) as path:
        journal = Journal(kept, plan.describe())
        if journal.resumed and not (quiet or json_):
            typer.echo(f"Going on with {kept}", err=True)
        try:
            tuned = _search(plan, limit, threads or default_threads(), journal, quiet or json_)
        except KeyboardInterrupt:
            raise Interrupted(f"{kept} keeps what was done; the same command goes on from there") from None
        if by_players:
            made = add_part(known, plan, tuned, name, versions())
        else:
            made = describe(plan, tuned, name, versions())
        path.write_text(made.to_toml(), encoding="utf-8")
    journal.close()
    if json_:
        typer.echo(json.dumps(_summary(plan, tuned, out), indent=2))
    elif quiet:
        typer.echo(str(out))
    else:
        _show(plan, tuned, out)


def _name(out: Path) -> str:
    """Return the strategy's name, which is the file's."""
    name = out.stem.replace("-", "_")
    if out.suffix != ".toml" or not NAME.fullmatch(name):
        raise UsageError(
            f"--out: {out.name[:60]}: the file names the strategy; write lower-case letters, digits and _, then .toml"
        )
    return name


def _search(plan: Plan, budget: Budget, threads: int, journal: Journal, quiet: bool) -> Tuned:
    """Tune with progress; the result is scored against the game's simple players as well."""
    from reports.field import weak
    from strategies.library import load_strategy, shipped_strategies
    from strategies.tuning import Status, tune

    shipped = shipped_strategies(plan.game)
    yardsticks = [load_strategy(plan.game, name) for name in weak(plan.game.name)[1:] if name in shipped]
    by_time = budget.seconds is not None
    total = math.ceil(budget.seconds or 0) if budget.generations is None else budget.generations
    unit = "seconds" if by_time else "generations"
    with Progress(unit, total, quiet) as progress:

        def tick(status: Status) -> None:
            done = int(status.seconds) if by_time else status.generation
            progress.what = unit if status.of_par is None else f"{unit}; {status.of_par:.2f} of par at the last trial"
            progress.update(done)

        return tune(plan, budget, threads, journal, tick, yardsticks)


def _summary(plan: Plan, tuned: Tuned, out: Path) -> dict[str, Any]:
    return {
        "out": str(out),
        "game": plan.game.name,
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


def _show(plan: Plan, tuned: Tuned, out: Path) -> None:
    """Print how strong the player is."""
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    from equipoise.console import print_whole

    console = Console(highlight=False)
    console.print(
        Text(
            f"{tuned.generations:,} generation{'' if tuned.generations == 1 else 's'} of {plan.population} candidates"
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
            str(share.players), Text(opponent.name), f"{share.mean:.2%}", f"{max(low, 0):.2%} to {min(high, 1):.2%}",
            f"{share.of_par:.3f}",
        )  # fmt: skip
    console.print(table)
    console.print(Text("One such player, all others as named, on deals that no candidate had played.", style="dim"))
    print_whole(console, f"Strategy  {out}")
