"""How functions of `eq` show progress: to a user's own function, stage by stage."""

from __future__ import annotations

import pytest

from equipoise.output import progress
from equipoise.output.progress import Stages, keeping
from equipoise.questions.asked import listed
from simcore.errors import Interrupted


def test_a_function_hears_how_much_of_each_stage_is_done() -> None:
    heard = []
    with Stages(lambda done, total: heard.append((done, total)), rest=True) as tick:
        tick("games", 5, 20)
        tick("games", 20, 20)
        tick("more games", 25, 40)
    assert heard == [(5, 20), (20, 20), (25, 40)]


def test_a_bar_for_each_stage_counts_what_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    heard = []
    monkeypatch.setattr(progress.Progress, "update", lambda bar, done: heard.append((bar.what, done, bar.total)))
    with Stages(True, rest=True) as tick:
        tick("games", 5, 20)
        tick("games", 20, 20)
        tick("more games", 25, 40)
        tick.close()
        tick("more games", 30, 40)
    assert heard == [("games", 0, 15), ("games", 15, 15), ("more games", 0, 15), ("more games", 0, 10)]


def test_a_stage_that_begins_again_or_grows_tells_how_much_there_is_now(monkeypatch: pytest.MonkeyPatch) -> None:
    heard = []
    with Stages(lambda done, total: heard.append((done, total))) as tick:
        tick("deals", 100, 120)
        tick("deals", 160, 900)
    assert heard == [(100, 120), (160, 900)]
    bars: list[progress.Progress] = []
    monkeypatch.setattr(progress.Progress, "update", lambda bar, done: bars.append(bar))
    with Stages(True) as tick:
        for done in (5, 20, 5):
            tick("games", done, 20)
    assert bars[0] is bars[1] is not bars[2]


def test_whoever_interrupts_work_hears_that_it_can_go_on() -> None:
    with pytest.raises(Interrupted, match="what was played is kept"), keeping():
        raise KeyboardInterrupt


@pytest.mark.parametrize(
    ("given", "found"), [(None, []), ((), []), ("greedy", ["greedy"]), (3, [3]), ((2, 3), [2, 3]), (range(2), [0, 1])]
)
def test_one_thing_and_several(given: object, found: list[object]) -> None:
    assert listed(given) == found
