"""The largest runs that are allowed: they begin, say how much there is to do, stop when they are told to, and go on."""

from __future__ import annotations

from pathlib import Path

import pytest

import equipoise as eq
from simcore.errors import Interrupted, UsageError

BILLION = 10**9
CELLS = {"starting_coins.1": "0..99", "starting_coins.2": "0..99"}


class Stop:
    """A follower of progress that presses Ctrl-C once a folder holds a newer file."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.heard = folder, list[tuple[int, int]]()
        self.before = self.newest()

    def newest(self) -> int:
        kept = [path for path in self.folder.rglob("*.npz") if not path.name.startswith(".")]
        return max((path.stat().st_mtime_ns for path in kept), default=0)

    def __call__(self, done: int, total: int) -> None:
        self.heard.append((done, total))
        if self.newest() > self.before:
            raise KeyboardInterrupt


def test_a_billion_games_by_totals(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("simcore.running.executors.PART_SIZES", (960, 1_920))
    out, games = tmp_path / "run", [0]
    for again in (False, True):
        stop = Stop(out)
        with pytest.raises(Interrupted):
            if again:
                eq.resume(out, progress=stop)
            else:
                eq.simulate(strategies="random", games=BILLION, detail="summary", out=out, progress=stop)
        assert {total for _, total in stop.heard} == {BILLION}
        run = eq.load(out, partial=True)
        assert (run.manifest.status, run.manifest.games) == ("interrupted", BILLION)
        games.append(run.manifest.games_written)
    assert 0 < games[1] < games[2] < BILLION
    assert sum(path.stat().st_size for path in out.rglob("*.npz")) < 10**7
    assert eq.seat_advantage(eq.load(out, partial=True)).games == games[2]


def test_ten_thousand_cells(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    stored = tmp_path / "played"
    stored.mkdir()
    monkeypatch.setattr("simcore.kernel.cache.beside_kernels", lambda name: stored)
    told = {"strategies": "random", "players": 2, "games": 60}
    with pytest.raises(UsageError, match=r"the grid has 10,100 cells; the maximum is 10,000"):
        eq.sweep(settings=CELLS | {"starting_coins.2": "0..100"}, **told)
    stop = Stop(stored)
    with pytest.raises(Interrupted, match="run the same command again to continue"):
        eq.sweep(settings=CELLS, progress=stop, **told)
    assert {total for _, total in stop.heard} == {60 * (10_000 + 1)}, "and the rules as they are"
    assert len(list(stored.iterdir())) >= 1
