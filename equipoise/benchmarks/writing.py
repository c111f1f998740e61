"""The cost of writing the table of a run, compared with playing the run."""

from __future__ import annotations

import shutil
import statistics
import tempfile
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from analysis.data.one_thread import products_on_one_thread
from analysis.headlines import summary_of
from analysis.runs.folders import GAMES, TOTALS, claim
from analysis.runs.manifest import SUMMARY
from analysis.runs.writer import RunWriter, SummaryWriter
from equipoise.benchmarks.speed import LONGER, STEP, player, step, who_plays
from equipoise.benchmarks.timing import ROUNDS, Task, clock, games_for, interleave, paired
from simcore.running.batch import Spec
from simcore.running.executors import execute

KINDS = {
    "minimal Parquet": ("minimal", "parquet"),
    "standard Parquet": ("standard", "parquet"),
    "full Parquet": ("full", "parquet"),
    "standard CSV": ("standard", "csv"),
    "totals": (SUMMARY, "none"),
}


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
