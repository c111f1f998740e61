"""The largest runs that are allowed: they begin, say how much there is to do, stop when they are told to, and go on."""

from __future__ import annotations

from pathlib import Path

import pytest

import equipoise as eq
from simcore.errors import Interrupted, UsageError

BILLION = 10**9
CELLS = {"starting_coins.1": "0..99", "starting_coins.2": "0..99"}


class Stop:
    """A follower of progress that presses Ctrl-C once some games are played."""

    def __init__(self, after: int) -> None:
        self.after, self.heard = after, list[tuple[int, int]]()

    def __call__(self, done: int, total: int) -> None:
        self.heard.append((done, total))
        if done >= self.after:
            raise KeyboardInterrupt


def test_a_billion_games_by_totals(tmp_path: Path) -> None:
    out, games = tmp_path / "run", list[int]()
    stop = Stop(1)
    with pytest.raises((KeyboardInterrupt, Interrupted)):
        eq.simulate(strategies="random", games=BILLION, detail="summary", out=out, progress=stop)
    assert {total for _, total in stop.heard} == {BILLION}
    for _ in range(2):
        run = eq.load(out, partial=True)
        assert (run.manifest.status, run.manifest.games) == ("interrupted", BILLION)
        games.append(run.manifest.games_written)
        with pytest.raises((KeyboardInterrupt, Interrupted)):
            eq.resume(out, progress=Stop(games[-1] + 1))
    assert 0 < games[0] < games[1] < BILLION
    assert sum(path.stat().st_size for path in out.rglob("*.npz")) < 10**7
    assert eq.seat_advantage(eq.load(out, partial=True)).games > games[0]


def test_ten_thousand_cells(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    stored = tmp_path / "played"
    stored.mkdir()
    monkeypatch.setattr("simcore.store.beside_kernels", lambda name: stored)
    told = {"strategies": "random", "players": 2, "games": 60}
    with pytest.raises(UsageError, match=r"the grid has 10,100 cells; the maximum is 10,000"):
        eq.sweep(settings=CELLS | {"starting_coins.2": "0..100"}, **told)
    begun = 0
    for _ in range(2):
        stop = Stop(begun + 600)
        with pytest.raises((KeyboardInterrupt, Interrupted)):
            eq.sweep(settings=CELLS, progress=stop, **told)
        assert stop.heard[-1][1] in (60 * 10_000, 60 * 10_001), "with the rules as they are"
        begun, before = stop.heard[-1][0], begun
        assert begun > before
    assert len(list(stored.iterdir())) >= 10
