"""Whole runs on threads: nothing depends on how many there are or who finishes first."""

from __future__ import annotations

import threading
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from simcore.running.accumulator import Digest
from simcore.running.batch import Spec, run_chunk
from simcore.running.columns import ColumnBuffer
from simcore.running.executors import CHUNK, FIRST_CHUNK, Interrupted, Part, Result, default_threads, execute, parts
from tests.specs import make_spec
from tests.waiting import until

SPEC = make_spec(3, ["greedy", "random", "random"], design="rotate", games=CHUNK * 20 + 77)


@pytest.fixture(autouse=True)
def _small_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("simcore.running.executors.PART_SIZES", (CHUNK, CHUNK * 4))


def totals(result: Result) -> list[Any]:
    return [value.tolist() if isinstance(value, np.ndarray) else value for value in vars(result.tally).values()]


def test_threads_change_nothing() -> None:
    one, two, three, many = (execute(SPEC, threads) for threads in (1, 2, 3, 50))
    assert one.digest == two.digest == three.digest == many.digest
    assert totals(one) == totals(two) == totals(three) == totals(many)


def test_digest_is_that_of_the_rows() -> None:
    digest = Digest()
    digest.add(run_chunk(SPEC, 0, SPEC.games), 0)
    assert execute(SPEC, 2).digest == digest.hexdigest()


@pytest.mark.parametrize("chunk", [60, 120, 5 * CHUNK])
def test_chunks_change_nothing(chunk: int, monkeypatch: pytest.MonkeyPatch) -> None:
    expected = execute(SPEC, 1)
    monkeypatch.setattr("simcore.running.executors.CHUNK", chunk)
    found = execute(SPEC, 2)
    assert (found.digest, totals(found)) == (expected.digest, totals(expected))


def test_every_game_goes_to_the_sink_once_and_in_place() -> None:
    taken: dict[int, Any] = {}
    finished: list[Part] = []

    def sink(number: int, buffer: ColumnBuffer) -> None:
        taken[number] = {column.name: values.copy() for column, values in buffer.filled()}

    execute(SPEC, 3, "standard", sink, finished.append)
    rows = run_chunk(SPEC, 0, SPEC.games)
    # 19 whole parts, and 1037 games in quarters
    assert sorted(part.number for part in finished) == sorted(taken) == list(range(24))
    for name, expected in (
        ("game_id", np.repeat(np.arange(SPEC.games), 3)),
        ("deal_id", np.repeat(np.arange(SPEC.games) // 3, 3)),
        ("seat", np.tile([1, 2, 3], SPEC.games)),
        ("coins", rows["coins"]),
        ("strategy", rows["strategy"]),
    ):
        assert np.array_equal(np.concatenate([taken[number][name] for number in range(24)]), expected)


@pytest.mark.parametrize("games", [1, 959, 960, 961, 200_000, 10_000_000, 2**32 - 1])
def test_parts_cover_the_run(games: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    cut = parts(games)
    assert [part.number for part in cut] == list(range(len(cut)))
    assert cut[0].first == 0
    assert all(before.first + before.games == after.first for before, after in pairwise(cut))
    assert cut[-1].first + cut[-1].games == games
    assert all(part.first % CHUNK == 0 for part in cut)
    assert (
        FIRST_CHUNK % 60 == 0 and CHUNK % FIRST_CHUNK == 0
    )  # a multiple of 2, 3, 4, 5 and 6 rotations: no deal is cut within a run


def test_interrupt_stops_between_parts() -> None:
    whole: list[Part] = []
    before = set(threading.enumerate())

    def tick(games: int) -> None:
        if whole:
            raise KeyboardInterrupt

    with pytest.raises(Interrupted):
        execute(make_spec(4, games=3_000_000), 2, "minimal", lambda number, buffer: None, whole.append, tick)
    assert 0 < len(whole) < 3_000
    until(lambda: set(threading.enumerate()) <= before)


def test_an_error_in_the_sink_ends_the_run_soon() -> None:
    taken: list[int] = []

    def sink(number: int, buffer: ColumnBuffer) -> None:
        taken.append(number)
        if not number:
            raise OSError(28, "No space left on device")

    spec = make_spec(4, games=3_000_000)
    with pytest.raises(OSError, match="No space left"):
        execute(spec, 2, "minimal", sink)
    assert len(taken) < len(parts(spec.games))


def test_ticks_count_games() -> None:
    seen: list[int] = []
    execute(SPEC, 2, tick=seen.append)
    assert seen == sorted(seen)
    assert seen[-1] == SPEC.games


def test_default_threads_are_those_we_may_use() -> None:
    assert 1 <= default_threads() <= 4096


def test_memory_does_not_grow_with_the_run(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rooms for columns are as many as threads and as large as one part, however long the run is."""
    monkeypatch.undo()
    rooms: list[int] = []

    class Counted(ColumnBuffer):
        def __init__(self, spec: Spec, detail: str, games: int, *rest: Any) -> None:
            rooms.append(games)
            raise Interrupted

    monkeypatch.setattr("simcore.running.executors.ColumnBuffer", Counted)
    for games in (10**6, 10**7, 10**8, 10**9):
        with pytest.raises(Interrupted):
            execute(make_spec(4, games=games), 1, "full")
    assert rooms == [30_720] * 2 + [122_880] * 2
