"""What it costs to write the table of a run, beside playing it."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from analysis.runs.writer import GAMES, RunWriter, claim
from equipoise.benchmarks.playing import LONGER, STEP, player, step
from equipoise.benchmarks.timing import ROUNDS, Task, games_for, interleave, paired
from simcore.batch import Spec
from simcore.executors import execute

KINDS = {
    "minimal Parquet": ("minimal", "parquet"),
    "standard Parquet": ("standard", "parquet"),
    "full Parquet": ("full", "parquet"),
    "standard CSV": ("standard", "csv"),
}


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
        writer = RunWriter(self.folder, spec, self.detail, self.table_format, ["equipoise", "bench"])
        writer.close(execute(spec, self.threads, self.detail, writer.write, writer.finished))
        self.games = games

    def clear(self) -> None:
        """Note how large what was written is, and take it away."""
        if self.folder.exists():
            self.bytes_per_game = sum(file.stat().st_size for file in (self.folder / GAMES).iterdir()) / self.games
            shutil.rmtree(self.folder)


def writing(
    spec: Spec, threads: int, seconds: float, folder: Path | None, tick: Callable[[], None]
) -> list[dict[str, Any]]:
    """Measure playing and writing against playing alone, the same games.

    Parameters
    ----------
    spec
        The run.
    threads
        How many play.
    seconds
        For playing alone, all repetitions together; every kind of table takes longer.
    folder
        Where to make a temporary folder; the system's place if None.
    tick
        Called after each repetition.
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

        tasks: dict[str, tuple[Task, int]] = {"": (alone, games)}
        timings = interleave(tasks | {name: (kind, games) for name, kind in kinds.items()}, tidy)
    return [
        {
            "players": spec.players,
            "strategy": spec.strategies[0],
            "threads": threads,
            "table": name,
            "games_per_second": timings[name].best,
            "games_per_second_median": timings[name].median,
            "games_per_second_alone": timings[""].best,
            "time_ratio": timings[""].best / timings[name].best,
            "time_ratio_median": paired(timings[""], timings[name]),
            "bytes_per_game": kind.bytes_per_game,
        }
        for name, kind in kinds.items()
    ]
