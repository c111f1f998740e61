"""`equipoise replay`: any game again, as text to follow or as a replay log."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from equipoise.files import standard_output, whole_file
from simcore.errors import KernelFault, UsageError
from simcore.game import GAMES

if TYPE_CHECKING:
    from simcore.batch import Spec
    from simcore.replay import Replay

SHOWN_FROM = 500
"""Games from which on a progress bar is worth its place."""

EXAMPLES = (
    "Examples: `equipoise replay runs/first --index 12` · "
    "`equipoise replay --players 4 --strategies greedy,random,random,random --seed 7 --index 123` · "
    "`equipoise replay --strategies random --count 10000 --format jsonl --out games.jsonl`"
)


class Format(StrEnum):
    """How a game is written."""

    text = "text"
    jsonl = "jsonl"


def replay(
    run: Annotated[
        Path | None, typer.Argument(metavar="RUN", help="Run folder; without it, the options say what is played.")
    ] = None,
    game: Annotated[str | None, typer.Option("--game", help="Game.", autocompletion=lambda: list(GAMES))] = None,
    players: Annotated[int | None, typer.Option("--players", help="Players at the table.")] = None,
    strategies: Annotated[
        str | None, typer.Option("--strategies", help="One for all seats, or one a seat, with commas between.")
    ] = None,
    rules: Annotated[str | None, typer.Option("--rules", help="Shipped name, or path of a TOML file.")] = None,
    seed: Annotated[int | None, typer.Option("--seed", help="Seed of the run, 0 to 2**64 - 1.")] = None,
    set_: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="KEY=VALUE", help="Change one rule value or switch; may be repeated."),
    ] = None,
    design: Annotated[str | None, typer.Option("--design", help="rotate, fixed or shuffle.")] = None,
    index: Annotated[int, typer.Option("--index", help="First game, counted from 0 as `game_id` is.")] = 0,
    count: Annotated[int, typer.Option("--count", help="How many games, one after another.")] = 1,
    format_: Annotated[Format, typer.Option("--format", help="Text, or the replay log (JSON Lines).")] = Format.text,
    out: Annotated[Path | None, typer.Option("--out", help="File to write; standard output without it.")] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace FILE if it exists.")] = False,
) -> None:
    """Play games of a run again and write down every step."""
    own = {
        "--game": game, "--players": players, "--strategies": strategies, "--rules": rules, "--seed": seed,
        "--set": set_ or None, "--design": design,
    }  # fmt: skip
    if run is not None:
        _refuse(own, run)
        spec = _of_run(run, index, count)
    else:
        spec = _of_options(game, players, strategies, rules, seed, set_ or [], design, index, count)
    faults = []
    with standard_output() if out is None else whole_file(out, force) as write:
        for played in _shown(spec, index, count, quiet=out is None and sys.stdout.isatty()):
            write(_written(played, format_, first=played.header["game_id"] == index))
            if played.fault:
                faults.append(f"game {played.header['game_id']}: {played.fault}")
    if faults:
        raise KernelFault(f"{len(faults)} of {count} games broke an invariant; the first is {faults[0]}")


def _refuse(own: Mapping[str, object], run: Path) -> None:
    """Raise `UsageError` where an option contradicts a run folder."""
    given = [name for name, value in own.items() if value is not None]
    if given:
        raise UsageError(f"{', '.join(given)}: the run {run} says what is played; leave out the run or the option")


def _of_run(run: Path, index: int, count: int) -> Spec:
    from analysis.runs import load_spec

    spec: Spec = load_spec(run)
    _check_range(index, count, spec.games, f"run {run} has games 0 to {spec.games - 1}")
    return spec


def _of_options(
    game: str | None, players: int | None, strategies: str | None, rules: str | None, seed: int | None,
    settings: list[str], design: str | None, index: int, count: int,
) -> Spec:  # fmt: skip
    from simcore.batch import MAX_GAMES
    from strategies.spec import DEFAULT_DESIGN, DEFAULT_SEED, make_spec

    _check_range(index, count, MAX_GAMES, f"a run has at most {MAX_GAMES:,} games")
    return make_spec(
        game=GAMES[0] if game is None else game,
        players=players,
        strategies=[] if strategies is None else [name.strip() for name in strategies.split(",")],
        rules="base" if rules is None else rules,
        settings=settings,
        seed=DEFAULT_SEED if seed is None else seed,
        design=DEFAULT_DESIGN if design is None else design,
        games=index + count,
    )


def _check_range(index: int, count: int, games: int, limit: str) -> None:
    if index < 0:
        raise UsageError(f"--index: {index} is below 0, the first game")
    if count < 1:
        raise UsageError(f"--count: {count}; give 1 or more")
    if index + count > games:
        raise UsageError(f"--index {index} --count {count}: {limit}")


def _written(played: Replay, format_: Format, first: bool) -> bytes:
    if format_ is Format.jsonl:
        return played.jsonl().encode()
    return (("" if first else "\n\n") + played.text()).encode()


def _shown(spec: Spec, index: int, count: int, quiet: bool) -> Iterator[Replay]:
    """Yield the games, with a progress bar on a terminal that is not busy with the games themselves."""
    from simcore.replay import replays

    games = replays(spec, index, count)
    if quiet or count < SHOWN_FROM or not sys.stderr.isatty():
        yield from games
        return
    from rich.console import Console
    from rich.progress import track

    yield from track(games, "Replaying", total=count, console=Console(stderr=True), transient=True)
