"""`equipoise tune`: find the weights of a strategy that wins, and leave it as a file."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from equipoise.commands.simulate import (
    MAX_THREADS,
    GameOption,
    RulesOption,
    SeedOption,
    SetOption,
    role_names,
    split,
    strategy_names,
)  # fmt: skip
from equipoise.examples import examples
from equipoise.output.numbers import whole
from equipoise.output.progress import Progress, hush
from simcore.errors import Interrupted, UsageError
from simcore.homes import GAMES

if TYPE_CHECKING:
    from simcore.game import Game
    from strategies.tuning import Budget, Journal, Plan, Tuned

EXAMPLES = examples(
    "equipoise tune --budget 10m --out my_champion.toml",
    "equipoise tune --set effects.mill_coins=3 --players 3,4 --out knows_mills.toml",
    "equipoise tune --against champion --players 2 --budget 5m --out exploiter.toml",
    "equipoise tune --against self,warlord --start-from scout --budget 200 --out better_scout.toml",
)
ALL = "all"
MAX_ROUNDS = 100


def tune(
    game: GameOption = GAMES[0],
    players: Annotated[
        str | None,
        typer.Option(
            "--players",
            metavar="N,...",
            help="Player counts, separated by commas.",
            show_default="the game's usual one",
        ),
    ] = None,
    against: Annotated[
        str,
        typer.Option(
            "--against",
            help="Opponents, or role=opponent, separated by commas; 'self': the best candidate so far and earlier "
            "champions.",
            autocompletion=strategy_names,
        ),
    ] = "self",
    role: Annotated[
        str | None,
        typer.Option(
            "--role",
            metavar="ROLE",
            help="Role to tune while the others stay as they are; 'all' tunes every role in turn.",
            show_default="the only one",
            autocompletion=role_names,
        ),
    ] = None,
    rounds: Annotated[
        int, typer.Option("--rounds", metavar="N", help="With --role all: how often every role is tuned.")
    ] = 2,
    rules: RulesOption = "base",
    set_: SetOption = None,
    start_from: Annotated[
        str | None,
        typer.Option(
            "--start-from",
            help="Strategy whose weights are the starting point.",
            show_default="the game's default",
            autocompletion=strategy_names,
        ),
    ] = None,
    budget: Annotated[
        str, typer.Option("--budget", help="Time, such as 90s, 10m or 2h; or a number of generations.")
    ] = "10m",
    seed: SeedOption = "1",
    sigma: Annotated[float, typer.Option("--sigma", help="Initial step size of the search (CMA-ES).")] = 0.5,
    population: Annotated[
        int | None,
        typer.Option("--population", help="Candidates in each generation.", show_default="by the number of features"),
    ] = None,
    games: Annotated[str, typer.Option("--games", help="Games that each candidate plays in a generation.")] = "1920",
    threads: Annotated[
        int | None,
        typer.Option("--threads", help="How many threads play; the results stay the same.", show_default="all cores"),
    ] = None,
    out: Annotated[
        Path, typer.Option("--out", help="Strategy file to write; the strategy takes the name of the file.")
    ] = Path("tuned.toml"),
    by_players: Annotated[
        bool,
        typer.Option("--by-players", help="Keep the weights that FILE has for other numbers of players."),
    ] = False,
    force: Annotated[bool, typer.Option("--force", help="Replace FILE if it exists.")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Print the file and nothing else.")] = False,
    json_: Annotated[bool, typer.Option("--json", help="Print the results as JSON.")] = False,
) -> None:
    """Find weights that make a strategy win under your rules, and write them as a file."""
    from simcore.game import load_game
    from simcore.running.executors import default_threads
    from strategies.tuning import Budget, make_plan

    if threads is not None and not 1 <= threads <= MAX_THREADS:
        raise UsageError(f"--threads: {threads} is out of range; give a whole number from 1 to {MAX_THREADS}")
    how = _How(Budget.parse(budget), threads or default_threads(), by_players, force, quiet, json_)
    _name(out)
    if how.silent:
        hush()
    plan_of = partial(
        make_plan, game, [whole(count, "--players") for count in split(players)], rules=rules, settings=set_ or (),
        seed=whole(seed, "--seed", 0, 2**64 - 1), sigma=sigma, population=population, games=whole(games, "--games"),
    )  # fmt: skip
    if role == ALL:
        from simcore.game import load_game

        found = _in_turn(load_game(game), plan_of, split(against), start_from, rounds, out, how)
    else:
        found = [_tune(plan_of(role=role, start=start_from, against=split(against)), out, how)]
    from equipoise.output.tuned import show, summary

    if json_:
        summaries = [summary(*one) for one in found]
        typer.echo(json.dumps(summaries if role == ALL else summaries[0], indent=2))
    elif quiet:
        typer.echo("\n".join(str(path) for *_, path in found))
    else:
        for one in found:
            show(*one)


@dataclass(frozen=True)
class _How:
    """How to tune: what the options say beside the plan."""

    budget: Budget
    threads: int
    by_players: bool
    force: bool
    quiet: bool
    json: bool

    @property
    def silent(self) -> bool:
        """Whether there is no progress."""
        return self.quiet or self.json


def _journal(out: Path) -> Path:
    return out.with_name(f"{out.name}.journal")


def _tune(plan: Plan, out: Path, how: _How, keep: bool = False) -> tuple[Plan, Tuned, Path]:
    """Tune one role and write its file; `keep` keeps the journal, and lets the file be replaced while it is there."""
    from analysis.runs.manifest import versions
    from equipoise.files import whole_path
    from strategies.library import load_strategy
    from strategies.tuning import Journal, add_part, describe

    known = load_strategy(plan.game, out) if how.by_players and out.exists() else None
    if known and known.policy != plan.start.policy:
        raise UsageError(f"--by-players: {out} plays '{known.policy}', and {plan.start.name} '{plan.start.policy}'")
    kept = _journal(out)
    with whole_path(out, how.force or known is not None or (keep and kept.exists())) as path:
        journal = Journal(kept, plan.describe())
        if journal.resumed and not how.silent:
            typer.echo(f"Going on with {kept}", err=True)
        try:
            tuned = _search(plan, how.budget, how.threads, journal, how.silent)
        except KeyboardInterrupt:
            raise Interrupted(f"{kept} keeps what was done; the same command goes on from there") from None
        made = (partial(add_part, known) if how.by_players else describe)(plan, tuned, _name(out), versions())
        path.write_text(made.to_toml(), encoding="utf-8")
    if not keep:
        journal.close()
    return plan, tuned, out


def _in_turn(
    game: Game, plan_of: Callable[..., Plan], against: Sequence[str], start: str | None, rounds: int, out: Path,
    how: _How,
) -> list[tuple[Plan, Tuned, Path]]:  # fmt: skip
    """Tune every role in turn, so many rounds, each against what the others have come to; return the last round.

    A round's files stay, for the recipes of the next round name them.
    """
    from equipoise.files import check_file
    from strategies.kit import load_kit
    from strategies.seating import by_role

    if not game.asymmetric:
        raise UsageError(f"--role: {game.title} has one role; leave out --role {ALL}")
    if how.by_players:
        raise UsageError(f"--by-players: does not go with --role {ALL}; tune one role at a time")
    if not 1 <= rounds <= MAX_ROUNDS:
        raise UsageError(f"--rounds: {rounds} is out of range; give a whole number from 1 to {MAX_ROUNDS}")
    named, starts = by_role(game, against, "--against"), by_role(game, [start], "--start-from") if start else {}
    for option, found in (("--against", named), ("--start-from", starts)):
        if not isinstance(found, Mapping) and list(found) != ["self"]:
            raise UsageError(f"{option}: write {','.join(f'{name}=NAME' for name in game.role_names)}")
    named, starts = (found if isinstance(found, Mapping) else {} for found in (named, starts))
    current = {name: starts.get(name, [load_kit(game.name).default_of(name)])[-1] for name in game.role_names}
    steps = [(number, role.name) for number in range(1, rounds + 1) for role in game.roles]
    paths = {step: out.with_stem(_stem(out, *step, rounds)) for step in steps}
    for path in paths.values():
        check_file(path, how.force or _journal(path).exists())
    done = {}
    for step in steps:
        _, role = step
        met = {
            other: [current[other], *(one for one in named.get(other, ()) if one not in ("self", current[other]))]
            for other in game.role_names
            if other != role
        }
        own = {role: named[role]} if role in named else {}
        plan = plan_of(role=role, start=current[role], against=met | own)
        done[role] = _tune(plan, paths[step], how, keep=True)
        current[role] = str(paths[step])
    for path in paths.values():
        _journal(path).unlink(missing_ok=True)
    return list(done.values())


def _stem(out: Path, number: int, role: str, rounds: int) -> str:
    """Return the name of a step's file: of the last round without a number."""
    return "_".join([out.stem, role.replace("-", "_"), *([] if number == rounds else [str(number)])])


def _name(out: Path) -> str:
    """Return the strategy's name, which is the file's."""
    from simcore.rules.files import NAME

    name = out.stem.replace("-", "_")
    if out.suffix != ".toml" or not NAME.fullmatch(name):
        raise UsageError(
            f"--out: {out.name[:60]}: the file names the strategy; write lower-case letters, digits and _, then .toml"
        )
    return name


def _search(plan: Plan, budget: Budget, threads: int, journal: Journal, quiet: bool) -> Tuned:
    """Tune with progress; the result is scored against the game's simple players as well."""
    from reports.field import WEAK, weak
    from strategies.library import load_strategy, shipped_strategies
    from strategies.tuning import Status, tune

    shipped = shipped_strategies(plan.game)
    simple = WEAK[:1] if plan.held else weak(plan.game.name)[1:]
    yardsticks = [load_strategy(plan.game, name) for name in simple if name in shipped]
    by_time = budget.seconds is not None
    total = math.ceil(budget.seconds or 0) if budget.generations is None else budget.generations
    unit = "seconds" if by_time else "generations"
    with Progress(unit, total, quiet) as progress:

        def tick(status: Status) -> None:
            done = int(status.seconds) if by_time else status.generation
            progress.what = unit if status.of_par is None else f"{unit}; {status.of_par:.2f} of par at the last trial"
            progress.update(done)

        return tune(plan, budget, threads, journal, tick, yardsticks)
