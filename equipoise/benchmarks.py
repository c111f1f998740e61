"""Measurements of speed and size for `equipoise bench`, as plain tables that JSON can hold."""

from __future__ import annotations

import ctypes
import json
import math
import os
import shutil
import statistics
import subprocess
import tempfile
import time
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, TypeVar

from rich.console import Console
from rich.table import Table
from rich.text import Text

from analysis.data.threads import products_on_one_thread
from analysis.headlines import summary_of
from analysis.runs.folders import GAMES, TOTALS, claim
from analysis.runs.manifest import SUMMARY
from analysis.runs.writer import RunWriter, SummaryWriter
from reports.words import ENGLISH
from simcore.child_processes import python, small
from simcore.errors import UsageError
from simcore.game import Game
from simcore.rules.files import load_rules
from simcore.running.batch import Spec, run_chunk
from simcore.running.executors import CHUNK, PART_SIZES, SLOW_PART, execute
from strategies.kit import load_kit
from strategies.library import load_strategy
from strategies.spec import assemble_spec, beside_defaults

# --- Time tasks in turn, so that other work on the machine affects all of them equally ---


ROUNDS = 5

Name = TypeVar("Name", bound=Hashable)

Task = Callable[[int], object]
"""A function that plays a number of games."""


@dataclass
class Timing:
    """Seconds that equal repetitions of a task took."""

    games: int  # number of games in one repetition
    seconds: list[float] = field(default_factory=list)  # time of each repetition

    @property
    def best(self) -> float:
        """Games per second in the fastest repetition."""
        return self.games / min(self.seconds)

    @property
    def median(self) -> float:
        """Games per second in the median repetition."""
        return self.games / statistics.median(self.seconds)


def paired(above: Timing, below: Timing) -> float:
    """Return the median over rounds of the ratio of two tasks' paces in the same round."""
    scale = above.games / below.games
    return statistics.median(scale * slow / fast for fast, slow in zip(above.seconds, below.seconds, strict=True))


def clock(task: Callable[[], object], timer: Callable[[], float] = time.perf_counter) -> float:
    """Return the seconds that a task takes, measured with a timer."""
    began = timer()
    task()
    return timer() - began


def games_for(task: Task, seconds: float, step: int) -> int:
    """Return a number of games, a multiple of `step` and at least one step, that takes about this time."""
    task(step)
    return step * max(1, math.ceil(seconds / clock(lambda: task(step), time.process_time)))


def interleave(
    tasks: Mapping[Name, tuple[Task, int]],
    tick: Callable[[], None],
    rounds: int = ROUNDS,
    timer: Callable[[], float] = time.perf_counter,
) -> dict[Name, Timing]:
    """Repeat tasks in turn; the order is rotated by one in each round.

    tasks: By name, each task and its number of games in each round.
    tick: Function that is called after each repetition; its time does not count.
    rounds: Number of repetitions of each task.
    timer: Function that returns the time.
    Returns dict: Timings by name.
    """
    timings = {name: Timing(games) for name, (_, games) in tasks.items()}
    names = list(tasks)
    for turn in range(rounds):
        first = turn % len(names)
        for name in names[first:] + names[:first]:
            task, games = tasks[name]
            timings[name].seconds.append(clock(lambda task=task, games=games: task(games), timer))  # type: ignore[misc]
            tick()
    return timings


# --- How fast games are played, on one thread and on all ---


COUNTED = 1000
"""Number of games in which decisions are counted."""

STEP = PART_SIZES[0] // 4
"""Number of games in the last parts of a run, which is the unit in which threads share the work."""

LONGER = 2
"""Factor by which a task on several threads is made longer, so that the threads end together."""

_POLICY = ctypes.CFUNCTYPE(ctypes.c_int32, *[ctypes.c_void_p] * 5, ctypes.c_ssize_t)
"""How kernels call each other: pointers to the result and to an exception, the arguments; 0 means success."""


def player(spec: Spec, threads: int) -> Task:
    """Return a task that plays games as `simulate --format none` does, totals and digest included."""
    return lambda games: execute(replace(spec, games=games), threads)


def who_plays(spec: Spec) -> str:
    """Return the names of the strategies of a run: one if all seats are symmetric, otherwise one for each role."""
    return ", ".join(dict.fromkeys(spec.strategies))


def step(spec: Spec, games: int) -> int:
    """Return the number of games for one step of `games`; it is smaller if players look ahead."""
    return SLOW_PART // 4 if spec.searches else games


def decisions_per_game(spec: Spec, games: int | None = None) -> float:
    """Return how often a game asks a strategy to choose between two or more legal moves.

    Every policy is replaced by one that counts a call and passes it on.
    """
    asked, games = 0, games or step(spec, COUNTED)

    def counting(address: int) -> Any:
        policy = _POLICY(address)

        def choose(*arguments: int) -> int:
            nonlocal asked
            asked += 1
            return int(policy(*arguments))

        return _POLICY(choose)

    lineup = spec.lineup_record.copy()
    members = lineup["members"]
    counters = [counting(int(members[entry]["policy"])) for entry in range(spec.players)]
    for entry, counter in enumerate(counters):
        members[entry]["policy"] = ctypes.cast(counter, ctypes.c_void_p).value
    run_chunk(replace(spec, lineup_record=lineup), 0, games)
    return asked / games


def _timed(specs: Mapping[Name, Spec], seconds: float, tick: Callable[[], None]) -> dict[Name, Timing]:
    """Time runs on one thread in turn, in processor time of this process, as the machine may do other work."""
    tasks = {}
    for name, spec in specs.items():
        task = player(spec, 1)
        tasks[name] = task, games_for(task, seconds / ROUNDS, step(spec, CHUNK))
        tick()
    return interleave(tasks, tick, timer=time.process_time)


def speed(specs: Sequence[Spec], seconds: float, tick: Callable[[], None]) -> list[dict[str, Any]]:
    """Measure runs of one strategy each on one thread.

    specs: The runs.
    seconds: Total time of all repetitions of one run.
    tick: Function that is called once when a run is ready, and after each of its `timing.ROUNDS` repetitions.
    """
    timings = _timed(dict(enumerate(specs)), seconds, tick)
    entries = [_entry(spec, timings[number]) for number, spec in enumerate(specs)]
    return [entry | {"decisions_per_second": 1e9 / entry["nanoseconds_per_decision"]} for entry in entries]


def scaling(specs: Sequence[Spec], threads: int, seconds: float, tick: Callable[[], None]) -> list[dict[str, Any]]:
    """Compare all threads with one thread, on the same number of games per thread."""
    found = []
    for spec in specs:
        one, many = player(spec, 1), player(spec, threads)
        games = games_for(one, LONGER * seconds / ROUNDS, step(spec, STEP))
        timings = interleave({1: (one, games), threads: (many, games * threads)}, tick)
        found.append(
            {
                "players": spec.players,
                "strategy": who_plays(spec),
                "threads": threads,
                "games_per_second": timings[threads].best,
                "games_per_second_median": timings[threads].median,
                "games_per_second_one_thread": timings[1].best,
                "ratio": timings[threads].best / timings[1].best,
                "ratio_median": paired(timings[threads], timings[1]),
            }
        )
    return found


# --- The time that decisions take: for every shipped strategy, and for every feature that a strategy weighs ---


NOTHING = ""


def _entry(spec: Spec, timing: Timing) -> dict[str, Any]:
    asked = decisions_per_game(spec)
    return {
        "players": spec.players,
        "strategy": who_plays(spec),
        "games_per_second": timing.best,
        "games_per_second_median": timing.median,
        "decisions_per_game": asked,
        "nanoseconds_per_decision": 1e9 / (timing.best * asked),
    }


def strategies(specs: Sequence[Spec], seconds: float, tick: Callable[[], None]) -> list[dict[str, Any]]:
    """Measure runs of one strategy each, side by side, on one thread; `seconds` is the time of all rounds of a run.

    tick: Function that is called once when a run is ready, and after each of its `timing.ROUNDS` repetitions.
    """
    timings = _timed({who_plays(spec): spec for spec in specs}, seconds, tick)
    found = [_entry(spec, timings[who_plays(spec)]) for spec in specs]
    fastest = max(entry["games_per_second"] for entry in found)
    return [entry | {"ratio_to_fastest": entry["games_per_second"] / fastest} for entry in found]


def ablations(game: Game, players: int, name: str) -> dict[str, Spec]:
    """Return the run of a strategy (under the name ""), and for each feature the same run without its weight.

    For a table that is named by role, the strategy is the first one with weights.  The result is empty without one.
    """
    named = [load_strategy(game, one.rpartition("=")[2]) for one in name.split(",")]
    strategy = next((one for one in named if one.policy in load_kit(game.name).weighing), None)
    if strategy is None:
        return {}
    rules = load_rules(game)
    weighed = {feature: weight for feature, weight in strategy.weights_at(players).items() if weight}
    seated = {role: [load_strategy(game, one) for one in some] for role, some in beside_defaults(game, name).items()}
    found = {}
    for left_out in (NOTHING, *weighed):
        weights = {feature: weight for feature, weight in weighed.items() if feature != left_out}
        without = replace(strategy, weights=weights, by_players={})
        played = {
            role: [without if one.name == strategy.name else one for one in some] for role, some in seated.items()
        }
        found[left_out] = assemble_spec(game, players, played, rules, 1, "fixed", 1)
    return found


def features(specs: Mapping[str, Spec], seconds: float, tick: Callable[[], None]) -> list[dict[str, Any]]:
    """Compare the time of a strategy with the times without each feature; see `ablations`.

    Without a feature, players play different games, so the cost of a feature is given per decision.

    specs: The runs from `ablations`.
    seconds, tick: As for `strategies`.
    """
    if not specs:
        return []
    timings = _timed(specs, seconds, tick)
    entries = {feature: _entry(spec, timings[feature]) for feature, spec in specs.items()}
    whole = entries.pop(NOTHING)
    return [
        entry
        | {
            "without": feature,
            "nanoseconds": whole["nanoseconds_per_decision"] - entry["nanoseconds_per_decision"],
            "share": 1 - entry["nanoseconds_per_decision"] / whole["nanoseconds_per_decision"],
        }
        for feature, entry in entries.items()
    ]


# --- The costs of a whole process: seconds until the first result, and memory ---


FRESH = 5
"""Number of repetitions of a warm start."""

PATIENCE = 3600

PEAK = """
import json, os, sys
child = os.posix_spawn(sys.argv[1], sys.argv[1:], os.environ)
_, status, usage = os.wait4(child, 0)
print(json.dumps([os.waitstatus_to_exitcode(status), usage.ru_maxrss * (1 if sys.platform == "darwin" else 1024)]))
"""
MEASURE = small(PEAK)
"""A small process of its own, because a child's peak counts the memory of its parent at the time of the fork."""

_EQUIPOISE = python("equipoise")

Arguments = Sequence[str]
"""Arguments of `simulate` that say what to play, but not the number of games."""


def _simulate(arguments: Arguments, games: int, *options: str) -> list[str]:
    return [*_EQUIPOISE, "simulate", "--quiet", *arguments, "--games", str(games), *options]


def output(command: Sequence[str], environment: Mapping[str, str] | None = None) -> str:
    """Run a command and return what it prints; raise its error message as our own."""
    done = subprocess.run(
        command,
        env={**os.environ, **(environment or {})},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    if done.returncode:
        reason = (done.stderr.strip() or f"exit code {done.returncode}").splitlines()[-1].removeprefix("error: ")
        raise UsageError(f"{_told(command)}: {reason}")
    return done.stdout


def _told(command: Sequence[str]) -> str:
    """Return a command line as a user would write it."""
    own = len(_EQUIPOISE)
    return " ".join(["equipoise", *command[own:]] if list(command[:own]) == _EQUIPOISE else command[1:])


def _fresh(name: str, command: Sequence[str], tick: Callable[[], None]) -> dict[str, Any]:
    seconds = []
    for _ in range(FRESH):
        seconds.append(clock(lambda: output(command)))
        tick()
    return {"what": name, "seconds": min(seconds), "seconds_median": statistics.median(seconds)}


def start(arguments: Arguments, cold: bool, folder: Path | None, tick: Callable[[], None]) -> list[dict[str, Any]]:
    """Measure fresh processes from the command line to their end.

    arguments: Arguments of `simulate` that say what to play.
    cold: Whether to measure also a process with an empty cache of kernels.
    folder: Folder for temporary folders.  If None, the system's folder.
    tick: Function that is called after each process.
    """
    few = _simulate(arguments, 1000, "--format", "none")
    found = []
    with tempfile.TemporaryDirectory(prefix="equipoise-bench-", dir=folder) as room:
        if cold:
            seconds = clock(lambda: output(few, {"EQUIPOISE_CACHE_DIR": room}))
            found.append({"what": "cold, 1,000 games", "seconds": seconds, "seconds_median": seconds})
            tick()
        output(few)
        written = [*_simulate(arguments, 1000), "--out", str(Path(room) / "run"), "--force"]
        found.append(_fresh("warm, 1,000 games", few, tick))
        found.append(_fresh("warm, 1,000 games written", written, tick))
        found.append(_fresh("warm, --help", [*_EQUIPOISE, "--help"], tick))
    return found


def memory(arguments: Arguments, games: int, folder: Path | None, tick: Callable[[], None]) -> list[dict[str, Any]]:
    """Measure the peak memory of a run that writes its table, and of one ten times as long.

    arguments: Arguments of `simulate` that say what to play.
    games: Number of games of the shorter run.
    folder: Folder for temporary folders.  If None, the system's folder.
    tick: Function that is called after each process.
    """
    if not hasattr(os, "wait4"):
        raise UsageError("this system does not say how much memory a process used; leave it out", "memory")
    found: list[dict[str, Any]] = []
    for count in (games, 10 * games):
        with tempfile.TemporaryDirectory(prefix="equipoise-bench-", dir=folder) as room:
            command = _simulate(arguments, count, "--out", str(Path(room) / "run"))
            code, peak = json.loads(output([*MEASURE, *command]).splitlines()[-1])
            if code:
                raise UsageError(f"{_told(command)}: exit code {code}")
        least = found[0]["peak_bytes"] if found else peak
        found.append({"games": count, "peak_bytes": peak, "ratio": peak / least})
        tick()
    return found


# --- The cost of writing the table of a run, compared with playing the run ---


KINDS = {
    "minimal Parquet": ("minimal", "parquet"), "standard Parquet": ("standard", "parquet"),
    "full Parquet": ("full", "parquet"), "standard CSV": ("standard", "csv"), "totals": (SUMMARY, "none"),
}  # fmt: skip


class _Metered:
    """A task that also records the processor time of each repetition, over all threads."""

    def __init__(self, task: Task) -> None:
        self.task = task
        self.seconds: list[float] = []

    def __call__(self, games: int) -> None:
        self.seconds.append(clock(lambda: self.task(games), time.process_time))


class _Writing:
    """A task that plays games and writes them into a folder."""

    def __init__(self, spec: Spec, threads: int, detail: str, table_format: str, folder: Path) -> None:
        self.spec, self.threads, self.detail, self.table_format = spec, threads, detail, table_format
        self.folder = folder
        self.games = 0
        self.bytes_per_game = 0.0

    def __call__(self, games: int) -> None:
        spec = replace(self.spec, games=games)
        claim(self.folder)
        writer: RunWriter
        if self.detail == SUMMARY:
            writer = SummaryWriter(self.folder, spec, ["equipoise", "bench"], summary_of(spec))
        else:
            writer = RunWriter(self.folder, spec, self.detail, self.table_format, ["equipoise", "bench"])
        with products_on_one_thread():
            result = execute(spec, self.threads, writer.columns, writer.write, writer.finished, also=writer.also)
        writer.close(result)
        self.games = games

    def clear(self) -> None:
        """Record the size of the files, and delete them."""
        if self.folder.exists():
            files = [file for name in (GAMES, TOTALS) for file in (self.folder / name).glob("*")]
            self.bytes_per_game = sum(file.stat().st_size for file in files) / self.games
            shutil.rmtree(self.folder)


def writing(
    spec: Spec, threads: int, seconds: float, folder: Path | None, tick: Callable[[], None]
) -> list[dict[str, Any]]:
    """Compare playing and writing with playing alone, on the same games.

    `time_ratio` compares wall-clock times; `processor_ratio`, the median over rounds, compares processor times, which
    are less disturbed by other work on the machine.

    spec: The run.
    threads: Number of threads.
    seconds: Total time of all repetitions of playing alone; every kind of table takes longer.
    folder: Folder for a temporary folder.  If None, the system's folder.
    tick: Function that is called after each repetition.
    """
    with tempfile.TemporaryDirectory(prefix="equipoise-bench-", dir=folder) as room:
        alone = player(spec, threads)
        kinds = {name: _Writing(spec, threads, *kind, Path(room) / name) for name, kind in KINDS.items()}
        least = step(spec, STEP)
        games = games_for(alone, LONGER * seconds / ROUNDS, least * threads)
        for kind in kinds.values():
            kind(least)
            kind.clear()

        def tidy() -> None:
            for kind in kinds.values():
                kind.clear()
            tick()

        tasks = {"": _Metered(alone)} | {name: _Metered(kind) for name, kind in kinds.items()}
        timings = interleave({name: (task, games) for name, task in tasks.items()}, tidy)
    return [
        {
            "players": spec.players,
            "strategy": who_plays(spec),
            "threads": threads,
            "table": name,
            "games_per_second": timings[name].best,
            "games_per_second_median": timings[name].median,
            "games_per_second_alone": timings[""].best,
            "time_ratio": timings[""].best / timings[name].best,
            "time_ratio_median": paired(timings[""], timings[name]),
            "processor_ratio": statistics.median(
                written / played for written, played in zip(tasks[name].seconds, tasks[""].seconds, strict=True)
            ),
            "bytes_per_game": kind.bytes_per_game,
        }
        for name, kind in kinds.items()
    ]


# --- The table that `equipoise bench` prints ---


CASE = "{players} players, {strategy}"
PACE = "{games_per_second:,.0f}", "{games_per_second_median:,.0f}"
PARTS = {
    "speed": (("One thread", "games/s", "median", "decisions/s", ""), (CASE, *PACE, "{decisions_per_second:,.0f}", "")),
    "scaling": (("{threads} threads", "games/s", "median", "", "of one thread"), (CASE, *PACE, "", "{ratio:.2f}")),
    "writing": (
        (f"Writing, {CASE}", "games/s", "median", "bytes/game", "processor time"),
        ("{table}", *PACE, "{bytes_per_game:,.0f}", "{processor_ratio:.2f}"),
    ),
    "start": (
        ("A whole process", "seconds", "median", "", ""),
        ("{what}", "{seconds:.2f}", "{seconds_median:.2f}", "", ""),
    ),
    "memory": (
        ("Peak memory", "MB", "", "", "of the first"),
        ("{games:,} games, written", "{megabytes:,.0f}", "", "", "{ratio:.2f}"),
    ),
    "strategies": (
        ("Strategies, {players} players", "games/s", "median", "ns/decision", "of the fastest"),
        ("{strategy}", *PACE, "{nanoseconds_per_decision:,.0f}", "{ratio_to_fastest:.2f}"),
    ),
    "features": (
        (f"Without, {CASE}", "games/s", "median", "ns saved/decision", "of the time"),
        ("{without}", *PACE, "{nanoseconds:+,.1f}", "{share:+.1%}"),
    ),
}
"""By part, the headings and the figures: the case, its best and median figure, and two more figures."""

BUSY = 0.5
"""Load of the last minute above which the table mentions it."""


def show(results: dict[str, Any]) -> None:
    """Print the results of `equipoise bench`."""
    console = Console(highlight=False)
    machine = results["machine"]
    table = Table(box=None, pad_edge=False, show_header=False)
    table.add_column()
    for _ in range(4):
        table.add_column(justify="right")
    for part, (headings, figures) in PARTS.items():
        if entries := sorted(results.get(part, ()), key=lambda entry: -entry.get("nanoseconds", 0)):
            for cells, entry in [(headings, entries[0]), *((figures, entry) for entry in entries)]:
                values = {**entry, "megabytes": entry.get("peak_bytes", 0) / 1e6}.items()
                said = {name: ENGLISH.local(value) for name, value in values}
                table.add_row(*(Text(cell.format(**said)) for cell in cells), style="bold" * (cells is headings))
            table.add_row()
    console.print(Text(f"{results['title']} on {machine['processor']}, {machine['threads']} threads", style="bold"))
    console.print()
    console.print(table)
    if (machine["load"] or 0) > BUSY:
        console.print(
            Text(f"Other work was running (load {machine['load']}); measure again without it.", style="yellow")
        )
