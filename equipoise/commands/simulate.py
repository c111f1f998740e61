"""`simulate`: play a run, say who wins from which seat, and leave its table in a folder."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import replace
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from equipoise.commands.verify import TrustOption
from equipoise.examples import examples
from equipoise.helptexts import WRITTEN
from equipoise.output.numbers import whole
from equipoise.output.progress import Progress, hush
from equipoise.retuning import RetuneOption, find_how, retune_all
from simcore.errors import Interrupted, KernelFault, UsageError
from simcore.homes import GAMES, known_games

if TYPE_CHECKING:
    from analysis.runs.writer import RunWriter
    from simcore.running.batch import Spec
    from simcore.running.executors import Result
    from strategies.tuning.retune import Retuned

EXAMPLES = examples(
    "simulate --games 1e6",
    "simulate --players 3 --strategies planner,greedy,greedy --out runs/three",
    "simulate --set events.alliance.copies=0 --format none",
    "simulate --rules my-variant.toml --seed 7 --json",
)
MAX_THREADS = 1024


class TableFormat(StrEnum):
    """How the table is written."""

    parquet = "parquet"
    csv = "csv"
    both = "both"
    none = "none"


class Detail(StrEnum):
    """Which columns the table has."""

    minimal = "minimal"
    standard = "standard"
    full = "full"


class Design(StrEnum):
    """How the line-up moves over the seats."""

    rotate = "rotate"
    fixed = "fixed"
    shuffle = "shuffle"


def rule_names(context: typer.Context) -> list[str]:
    """Return what completes the name of a rule set."""
    from simcore.game import load_game
    from simcore.rules.files import shipped_rules

    return shipped_rules(load_game(context.params.get("game") or GAMES[0]))


def strategy_names(context: typer.Context) -> list[str]:
    """Return what completes a strategy's name, with its role in front where the game has several."""
    from simcore.game import load_game
    from strategies.library import load_strategy, shipped_strategies

    game = load_game(context.params.get("game") or GAMES[0])
    names = shipped_strategies(game)
    if not game.asymmetric:
        return names
    able = {name: load_strategy(game, name).role for name in names}
    return [f"{role}={name}" for role in game.role_names for name in names if able[name] in ("", role)]


def rule_settings(context: typer.Context) -> list[tuple[str, str]]:
    """Return what completes a key of the rules, each with its present value and what it takes."""
    from simcore.game import load_game
    from simcore.rules.files import load_rules
    from simcore.rules.keys import rule_keys

    game = load_game(context.params.get("game") or GAMES[0])
    rules = load_rules(game, context.params.get("rules") or context.params.get("reference") or "base")
    return [
        (f"{entry.key}=", f"{entry.takes}; now {json.dumps(entry.value, ensure_ascii=False)}")
        for entry in rule_keys(game, rules)
    ]


def role_names(context: typer.Context) -> list[str]:
    """Return what completes a role's name."""
    from simcore.game import load_game

    return [*load_game(context.params.get("game") or GAMES[0]).role_names, "all"]


GameOption = Annotated[str, typer.Option("--game", help="Game.", autocompletion=known_games)]
PlayersOption = Annotated[
    int | None, typer.Option("--players", help="Players at the table.", show_default="the game's usual one")
]
StrategiesOption = Annotated[
    str | None,
    typer.Option(
        "--strategies",
        help="One strategy for all seats, one for each seat, or role=strategy, separated by commas: a shipped name, "
        "a .toml file or module:attribute.",
        show_default="the game's strongest",
        autocompletion=strategy_names,
    ),
]
RulesOption = Annotated[
    str, typer.Option("--rules", help="Shipped name, or path of a TOML file.", autocompletion=rule_names)
]
SetOption = Annotated[
    list[str] | None,
    typer.Option(
        "--set",
        metavar="KEY=VALUE",
        help="Change one rule value or switch; may be repeated. 'equipoise rules keys' lists them.",
        autocompletion=rule_settings,
    ),
]
SeedOption = Annotated[str, typer.Option("--seed", help="Random seed, 0 to 2**64 - 1.")]


def simulate(
    context: typer.Context,
    games: Annotated[str, typer.Option("--games", help="How many games: 1e6, 250_000, 2.5e5.")] = "1e6",
    game: GameOption = GAMES[0],
    players: PlayersOption = None,
    strategies: StrategiesOption = None,
    rules: RulesOption = "base",
    set_: SetOption = None,
    seed: SeedOption = "1",
    retune: RetuneOption = None,
    design: Annotated[
        Design,
        typer.Option("--design", metavar="HOW", help="How strategies are assigned to seats: rotate, fixed or shuffle."),
    ] = Design.rotate,
    threads: Annotated[
        int | None,
        typer.Option("--threads", help="How many threads play; the results stay the same.", show_default="all cores"),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option("--out", metavar="FOLDER", help="Run folder to make.", show_default="a new folder in runs/"),
    ] = None,
    format_: Annotated[
        TableFormat,
        typer.Option("--format", metavar="KIND", help="Files of the table: parquet, csv, both or none."),
    ] = TableFormat.parquet,
    detail: Annotated[
        Detail, typer.Option("--detail", metavar="LEVEL", help="Columns of the table: minimal, standard or full.")
    ] = Detail.standard,
    tables: Annotated[
        str | None,
        typer.Option(
            "--tables",
            metavar="NAME,...",
            help="Further tables to write: games (one row for each game), events.",
            show_default="none",
            rich_help_panel=WRITTEN,
        ),
    ] = None,
    check_policies: Annotated[
        bool,
        typer.Option(
            "--check-policies", help="Watch every policy; stop if one changes the game or uses hidden information."
        ),
    ] = False,
    trust: TrustOption = False,
    force: Annotated[bool, typer.Option("--force", help="Replace the run folder if it exists.")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Print the run folder and nothing else.")] = False,
    json_: Annotated[bool, typer.Option("--json", help="Print the results as JSON.")] = False,
) -> None:
    """Play whole games and show who wins from which seat."""
    from simcore.running.executors import default_threads
    from simcore.running.extra_tables import check_tables
    from strategies.spec import make_spec
    from strategies.watching import has_own_policy, under_watch, watch_first_deals

    count = whole(games, "--games")
    how = None if retune is None else find_how(retune, threads)
    if threads is not None and not 1 <= threads <= MAX_THREADS:
        raise UsageError(f"--threads: {threads} is out of range; give a whole number from 1 to {MAX_THREADS}")
    if out is not None and format_ is TableFormat.none:
        raise UsageError("--out: nothing is written with --format none; leave out one of the two")
    if out is not None:
        from analysis.runs.writer import check_free

        check_free(out, force)  # before anything is compiled
    if quiet or json_:
        hush()
    spec = make_spec(
        game, players, split(strategies), rules, set_ or (),
        whole(seed, "--seed", 0, 2**64 - 1), design.value, count, trust,
    )  # fmt: skip
    extra = [] if tables is None else [name.strip() for name in tables.split(",")]
    if extra and format_ is TableFormat.none:
        raise UsageError("--tables: nothing is written with --format none; leave out one of the two")
    check_tables(spec.game, extra)
    retuned: tuple[Retuned, ...] = ()
    if how is not None:
        (spec,), retuned = retune_all([spec], how, quiet or json_)
    if check_policies:
        spec = under_watch(spec)
    elif has_own_policy(spec):
        watch_first_deals(spec)
    writer = None if format_ is TableFormat.none else _writer(
        spec, out, force, detail.value, format_.value, context.obj or ()
    )  # fmt: skip
    result, seconds = play(spec, threads or default_threads(), writer, detail.value, quiet or json_, extra)
    summary = _summary(spec, result, seconds, writer)
    if retune is not None:
        summary["retuned"] = [player.to_dict() for player in retuned]
    if json_:
        typer.echo(json.dumps(summary, indent=2))
    elif quiet:
        if writer:
            typer.echo(str(writer.folder))
    else:
        from equipoise.output.summary import show

        show(spec, result, summary)


def split(strategies: str | None) -> list[str]:
    """Return the strategies that a user named with commas between."""
    return [] if strategies is None else [name.strip() for name in strategies.split(",")]


def _writer(
    spec: Spec, out: Path | None, force: bool, detail: str, table_format: str, arguments: Sequence[str]
) -> RunWriter:
    from analysis.runs.writer import RunWriter, claim, claim_free

    if out is None:
        folder = claim_free(Path("runs"), f"{spec.game.name}-{spec.players}p")
    else:
        claim(folder := out, force)
    options = arguments[1:] if arguments[:1] == ("simulate",) else arguments
    return RunWriter(folder, spec, detail, table_format, ["simulate", *options])


def play(
    spec: Spec, threads: int, writer: RunWriter | None, detail: str, quiet: bool, tables: Sequence[str] = ()
) -> tuple[Result, float]:
    """Play a run with progress; return what came of it and how many seconds it took."""
    import time

    from simcore.running.executors import execute

    try:
        execute(replace(spec, games=1), 1, detail)
        began = time.perf_counter()
        with Progress("games", spec.games, quiet) as progress:
            if writer:
                result = execute(spec, threads, detail, writer.write, writer.finished, progress.update, tables)
                writer.close(result)
            else:
                result = execute(spec, threads, tick=progress.update)
    except (Interrupted, KeyboardInterrupt):
        if not writer:
            raise Interrupted from None
        if not writer.abandon("interrupted"):
            raise Interrupted("nothing was written; run it again") from None
        raise Interrupted(f"{writer.folder} holds the games that were whole; delete it or run again") from None
    except (UsageError, KernelFault, OSError):
        if writer:
            writer.abandon("failed")
        raise
    return result, time.perf_counter() - began


def _summary(spec: Spec, result: Result, seconds: float, writer: RunWriter | None) -> dict[str, Any]:
    from analysis.seats.shares import camp_shares, seat_shares, strategy_shares
    from strategies.habit import habits

    shares = seat_shares(spec, result.tally)
    camps = [shown(estimate) for estimate in camp_shares(spec, result.tally).estimates]
    return {
        "game": spec.game.name,
        "players": spec.players,
        "rules": spec.rules.name,
        "rules_digest": spec.rules.digest,
        "settings": list(spec.rules.settings),
        "strategies": list(spec.strategies),
        "habits": [habit.to_dict() for habit in habits(spec)],
        "design": spec.design,
        "seed": spec.seed,
        "games": spec.games,
        "deals": shares.deals,
        **({"camps": camps} if camps else {}),
        "seats": [shown(estimate) for estimate in shares.estimates],
        "by_strategy": [shown(estimate) for estimate in strategy_shares(spec, result.tally).estimates],
        "level": shares.level,
        "seconds": round(seconds, 3),
        "digest": result.digest,
        "out": str(writer.folder) if writer else None,
    }


def shown(estimate: Any) -> dict[str, Any]:
    """Return an estimate for JSON; what cannot be said is null."""
    values = {
        "name": estimate.name,
        **({"role": estimate.role} if estimate.role else {}),
        **({"camp": estimate.camp} if estimate.camp else {}),
        "win_share": estimate.share,
        "low": estimate.low,
        "high": estimate.high,
        "par": estimate.par,
        "par_normalised": estimate.par_normalised,
        "mean_score": estimate.score,
    }
    return {key: None if isinstance(value, float) and math.isnan(value) else value for key, value in values.items()}
