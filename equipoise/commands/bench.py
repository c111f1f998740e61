"""`equipoise bench`: measure how fast this machine plays and writes games, and what a process costs."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from equipoise.command import command
from equipoise.files import whole_file
from equipoise.options import JsonOption
from equipoise.output.progress import Progress, hush
from equipoise.parameters import MAX_THREADS, GameName, Replace, Typed, comma_list, player_counts, whole
from simcore.errors import UsageError, nearest
from simcore.homes import GAMES

if TYPE_CHECKING:
    from simcore.game import Game
    from simcore.running.batch import Spec

SECONDS, QUICK_SECONDS = 1.0, 0.2
MAX_SECONDS = 600.0


class Part(StrEnum):
    """The parts of the measurement."""

    speed = "speed"
    scaling = "scaling"
    writing = "writing"
    start = "start"
    memory = "memory"
    strategies = "strategies"
    features = "features"


USUAL = (Part.speed, Part.scaling, Part.writing, Part.start)
ALL = "all"


@dataclass(frozen=True)
class Measurements:
    """What to measure, and for how long."""

    game: Game
    players: list[int]
    strategies: list[str]
    parts: list[Part]
    threads: int
    seconds: float
    cold: bool
    memory_games: int
    folder: Path | None

    def spec(self, players: int, strategy: str) -> Spec:
        """Return the run of one strategy in all seats that it can play, or of a table by role; see `beside_defaults`.

        Each measurement sets the number of games itself.
        """
        from strategies.spec import beside_defaults, make_spec

        return make_spec(self.game.name, players, beside_defaults(self.game, strategy))

    def named(self, strategy: str) -> str:
        """Return the names of the players of `spec` for a command line."""
        from strategies.spec import beside_defaults

        if not self.game.asymmetric:
            return strategy
        seated = beside_defaults(self.game, strategy)
        return ",".join(f"{role}={one}" for role, some in seated.items() for one in some)

    @property
    def usual(self) -> int:
        """The number of players for measurements that are made at only one."""
        return self.game.default_players if self.game.default_players in self.players else self.players[0]


@command(
    "equipoise bench",
    "equipoise bench --quick --only speed,scaling --players 4",
    "equipoise bench --json --out bench.json",
    "equipoise bench --only strategies,features",
)
def bench(
    game: GameName = GAMES[0],
    players: Annotated[
        Sequence[int], Typed("Player counts, separated by commas.  If empty, all.", "N,...", player_counts)
    ] = (),
    strategies: Annotated[
        Sequence[str],
        Typed(
            "Strategies, separated by commas; each plays all seats that it can. Those with a role play together.  If "
            "empty, random, the players of the skill family and the game's default.",
            "NAME,...",
            comma_list,
        ),
    ] = (),
    only: Annotated[
        Sequence[str],
        Typed(
            f"Parts to measure, separated by commas: {', '.join(Part)}; or {ALL}.  If empty, {', '.join(USUAL)}.",
            "NAME,...",
            comma_list,
        ),
    ] = (),
    memory: Annotated[bool, Typed("Also measure memory, which takes minutes.")] = False,
    memory_games: Annotated[
        int,
        Typed("Games of the shorter run; the longer one has ten times as many.", "N", partial(whole, most=4 * 10**8)),
    ] = 10**6,
    threads: Annotated[
        int | None, Typed("Number of threads to compare with one.  If None, all cores.", span=(1, MAX_THREADS))
    ] = None,
    seconds: Annotated[float | None, Typed(f"Seconds for each figure.  If None, {SECONDS:g}.", "SECONDS")] = None,
    quick: Annotated[bool, Typed(f"{QUICK_SECONDS:g} seconds for each figure, and no cold start.")] = False,
    folder: Annotated[
        Path | None, Typed("Folder for temporary folders.  If None, the system's folder.", "FOLDER", option="dir")
    ] = None,
    json_: JsonOption = False,
    out: Annotated[Path | None, Typed("File for the results as JSON.")] = None,
    force: Replace = False,
) -> None:
    """Measure how fast this machine plays and writes games, and how long a process takes to start."""
    from equipoise.benchmarks import show
    from simcore.game import load_game
    from simcore.kernel.compilation import COMPILED
    from simcore.running.executors import default_threads
    from strategies.kit import load_kit
    from strategies.library import shipped_strategies

    if not COMPILED:
        raise UsageError("NUMBA_DISABLE_JIT is set, so nothing would be compiled; unset it to measure")
    long = (QUICK_SECONDS if quick else SECONDS) if seconds is None else seconds
    if not 0 < long <= MAX_SECONDS:
        raise UsageError(f"--seconds: {long:g} is out of range; give a number above 0, up to {MAX_SECONDS:g}")
    if folder is not None and not folder.is_dir():
        raise UsageError(f"--dir: {folder} is not a folder; create it, or name another")
    played = load_game(game)
    kit, shipped = load_kit(game), shipped_strategies(played)
    family = kit.skills.get("family", "")
    table = family if isinstance(family, str) else ",".join(f"{role}={one}" for role, one in family.items())
    names = dict.fromkeys(["random", table, kit.default_of(played.role_names[0])])
    usual = [name for name in names if "=" in name or name in shipped]
    parts = list(Part) if list(only) == [ALL] else [_part(name) for name in only or USUAL]
    if memory and Part.memory not in parts:
        parts.append(Part.memory)
    counts, seated = list(players or played.players), _tables(played, strategies) or usual
    how = (threads or default_threads(), long, not quick, memory_games, folder)
    plan = Measurements(played, counts, seated, parts, *how)
    with nullcontext() if out is None else whole_file(out, force) as write:
        results = _measure(plan, quiet=json_)
        text = json.dumps(results, indent=2)
        if write:
            write(f"{text}\n".encode())
    if json_:
        typer.echo(text)
    else:
        show(results)


def _tables(game: Game, names: Sequence[str]) -> list[str]:
    """Return the tables to measure: one for each strategy, and last one for all strategies named with a role."""
    from strategies.spec import by_role

    seated = [name for name in names if isinstance(by_role(game, [name]), Mapping)]
    return [name for name in names if name not in seated] + [",".join(seated)] * bool(seated)


def _part(name: str) -> Part:
    if name not in list(Part):
        raise UsageError(f"--only: no part '{name}'{nearest(name, [*Part, ALL])}")
    return Part(name)


def _measure(plan: Measurements, quiet: bool) -> dict[str, Any]:
    """Measure all parts of a plan, with progress."""
    from analysis.runs.manifest import versions

    if quiet:
        hush()
    runs = {(count, name): plan.spec(count, name) for count in plan.players for name in plan.strategies}
    steps = _steps(plan, runs)
    results: dict[str, Any] = {
        "game": plan.game.name,
        "title": plan.game.title,
        "seconds": plan.seconds,
        "machine": {"processor": _processor(), "threads": plan.threads, "load": _load()},
        "versions": versions(),
    }
    done = 0
    with Progress("measurements", sum(count for count, _ in steps.values()), quiet) as progress:

        def tick() -> None:
            nonlocal done
            done += 1
            progress.update(done)

        for part, (_, measure) in steps.items():
            results[part.value] = measure(tick)
    return results


_Measure = Callable[[Callable[[], None]], list[dict[str, Any]]]


def _steps(plan: Measurements, runs: dict[tuple[int, str], Spec]) -> dict[Part, tuple[int, _Measure]]:
    """Return, for each part, the number of its steps and the function that measures it."""
    from equipoise import benchmarks
    from equipoise.benchmarks import ROUNDS, scaling, speed, who_plays
    from strategies.library import shipped_strategies

    usual, last = plan.usual, plan.strategies[-1]
    arguments: Sequence[str] = ("--game", plan.game.name, "--players", str(usual), "--strategies", plan.named(last))
    every = list(runs.values())
    here = [runs[usual, name] for name in plan.strategies]
    names = shipped_strategies(plan.game) if Part.strategies in plan.parts else []
    shipped = list({who_plays(spec): spec for spec in (plan.spec(usual, name) for name in names)}.values())
    weighed = benchmarks.ablations(plan.game, usual, last) if Part.features in plan.parts else {}
    known: dict[Part, tuple[int, _Measure]] = {
        Part.speed: ((1 + ROUNDS) * len(every), lambda tick: speed(every, plan.seconds, tick)),
        Part.scaling: (2 * ROUNDS * len(here), lambda tick: scaling(here, plan.threads, plan.seconds, tick)),
        Part.writing: (
            ROUNDS * (1 + len(benchmarks.KINDS)),
            lambda tick: benchmarks.writing(runs[usual, last], plan.threads, plan.seconds, plan.folder, tick),
        ),
        Part.start: (
            3 * benchmarks.FRESH + plan.cold,
            lambda tick: benchmarks.start(arguments, plan.cold, plan.folder, tick),
        ),
        Part.memory: (2, lambda tick: benchmarks.memory(arguments, plan.memory_games, plan.folder, tick)),
        Part.strategies: ((1 + ROUNDS) * len(shipped), lambda tick: benchmarks.strategies(shipped, plan.seconds, tick)),
        Part.features: ((1 + ROUNDS) * len(weighed), lambda tick: benchmarks.features(weighed, plan.seconds, tick)),
    }
    return {part: step for part, step in known.items() if part in plan.parts}


def _load() -> float | None:
    """Return the system's load in the last minute, or None if the system does not report it."""
    import os

    return round(os.getloadavg()[0], 2) if hasattr(os, "getloadavg") else None


def _processor() -> str:
    """Return the name of the processor."""
    import platform

    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        lines = []
    named = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    return next(named, platform.processor() or platform.machine())
