"""How parts are handed out to workers elsewhere: brief ones several at a time, and each of them once."""

from __future__ import annotations

from concurrent.futures import Future
from typing import Any, Self

import pytest

from simcore.running import executors
from simcore.running.executors import Part, execute, use_cluster
from tests.specs import make_spec

SPEC = make_spec(2, ["random", "random"], games=2_400)
PARTS = [Part(number, 60 * number, 60) for number in range(40)]


class Workers:
    """Two workers, who do all work at once, where they are."""

    size = 2

    def __init__(self) -> None:
        self.tasks: list[list[Part]] = []

    def workers(self) -> Self:
        return self

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: Any) -> None: ...

    def submit(self, work: Any, job: executors.Job, task: list[Part]) -> Future[Any]:
        done: Future[Any] = Future()
        done.set_result(work(job, task))
        self.tasks.append(task)
        return done


@pytest.mark.parametrize(("seconds", "most"), [(60.0, 9), (0.0, 1)])
def test_brief_parts_are_handed_out_several_at_a_time(
    monkeypatch: pytest.MonkeyPatch, seconds: float, most: int
) -> None:
    monkeypatch.setattr(executors, "TASK", seconds)
    workers, heard = Workers(), []
    with use_cluster(workers):
        away = execute(SPEC, 1, todo=PARTS, finished=lambda part: heard.append(part.number))
    sizes = [len(task) for task in workers.tasks]
    assert [part for task in workers.tasks for part in task] == PARTS
    assert sorted(heard) == list(range(40))
    assert max(sizes) in range(max(most - 1, 1), most + 1)
    assert sizes[0] == sizes[-1] == 1  # nobody knows how long they take, and all shall end at about the same time
    assert away.digest == execute(SPEC, 1, todo=PARTS).digest
