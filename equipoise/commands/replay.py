"""`equipoise replay`: play any game again, as text to read or as a replay log."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from equipoise.examples import examples
from equipoise.files import standard_output, whole_file
from equipoise.options import Design, PlayersOption, SetOption, StrategiesOption, TrustOption, split
from equipoise.output.numbers import whole
from equipoise.output.progress import Progress
from simcore.errors import KernelFault, UsageError
from simcore.homes import GAMES, known_games

if TYPE_CHECKING:
    from simcore.running.batch import Spec
    from simcore.running.replay import Replay

EXAMPLES = examples(
    "equipoise replay runs/first --index 12",
    "equipoise replay --players 2 --strategies planner,greedy --seed 7 --index 123",
    "equipoise replay --strategies random --count 10000 --format jsonl --out games.jsonl",
)
SEED = "1"


class Format(StrEnum):
    """The formats of a recorded game."""

    text = "text"
    jsonl = "jsonl"


def replay(
    run: Annotated[
        Path | None, typer.Argument(metavar="RUN", help="Run folder; without it, the options say what to play.")
    ] = None,
    game: Annotated[
        str | None,
        typer.Option("--game", help="Game.", autocompletion=known_games, show_default=GAMES[0]),
    ] = None,
    players: PlayersOption = None,
    strategies: StrategiesOption = None,
    rules: Annotated[
        str | None, typer.Option("--rules", help="Shipped name, or path of a TOML file.", show_default="base")
    ] = None,
    set_: SetOption = None,
    seed: Annotated[
        str | None, typer.Option("--seed", help="Random seed of the run, 0 to 2**64 - 1.", show_default=SEED)
    ] = None,
    design: Annotated[
        Design | None,
        typer.Option("--design", help="How strategies are assigned to seats.", show_default=Design.rotate.value),
    ] = None,
    index: Annotated[str, typer.Option("--index", help="First game, counted from 0 like `game_id`.")] = "0",
    count: Annotated[str, typer.Option("--count", help="Number of consecutive games.")] = "1",
    format_: Annotated[Format, typer.Option("--format", help="Text, or the replay log (JSON Lines).")] = Format.text,
    out: Annotated[Path | None, typer.Option("--out", metavar="FILE", help="File to write.", show_default="-")] = None,
    trust: TrustOption = False,
    force: Annotated[bool, typer.Option("--force", help="Replace FILE if it exists.")] = False,
) -> None:
    """Play games of a run again and write down every step."""
    from simcore.running.batch import MAX_GAMES

    first, games = whole(index, "--index", 0, MAX_GAMES - 1), whole(count, "--count", 1, MAX_GAMES)
    given = {
        "--game": game, "--players": players, "--strategies": strategies, "--rules": rules, "--set": set_ or None,
        "--seed": seed, "--design": design,
    }  # fmt: skip
    if run is not None:
        spec = _of_run(run, given, trust)
    else:
        from strategies.spec import make_spec

        spec = make_spec(
            GAMES[0] if game is None else game,
            players,
            split(strategies),
            "base" if rules is None else rules,
            set_ or (),
            whole(SEED if seed is None else seed, "--seed", 0, 2**64 - 1),
            Design.rotate.value if design is None else design.value,
            min(first + games, MAX_GAMES),
            trust,
        )
    if first + games > spec.games:
        raise UsageError(
            f"--index {first} --count {games}: the run has games 0 to {spec.games - 1:,}; give lower numbers"
        )
    faults = []
    with standard_output() if out is None else whole_file(out, force) as write:
        for played in _shown(spec, first, games, quiet=out is None and sys.stdout.isatty()):
            write(_written(played, format_, first))
            if played.fault:
                faults.append(f"game {played.header['game_id']}: {played.fault}")
    if faults:
        raise KernelFault(f"{len(faults)} of {games} games broke an invariant; the first is {faults[0]}")


def _of_run(run: Path, given: Mapping[str, object], trust: bool) -> Spec:
    """Return a run folder's specification; no option may contradict it."""
    from analysis.runs import load_spec

    options = [name for name, value in given.items() if value is not None]
    if options:
        raise UsageError(f"{', '.join(options)}: the run {run} says what to play; leave out the run or the option")
    return load_spec(run, trust)


def _written(played: Replay, format_: Format, first: int) -> bytes:
    if format_ is Format.jsonl:
        return played.jsonl().encode()
    return (("" if played.header["game_id"] == first else "\n\n") + played.text()).encode()


def _shown(spec: Spec, first: int, games: int, quiet: bool) -> Iterator[Replay]:
    """Yield the games; show progress unless the terminal shows the games themselves."""
    from simcore.running.replay import replays

    with Progress("games", games, quiet) as progress:
        for done, played in enumerate(replays(spec, first, games)):
            progress.update(done)
            yield played
