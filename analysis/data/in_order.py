"""Work that is done several pieces at a time, and whose results come in order."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Generator, Iterable
from concurrent.futures import Future
from typing import TypeVar

from threadpoolctl import threadpool_limits

from simcore.running.crew import hands
from simcore.running.executors import default_threads
from simcore.running.pool import Pool

T = TypeVar("T")
R = TypeVar("R")


def in_order(
    work: Callable[[T], R], items: Iterable[T], threads: int | None = None, travels: bool = False
) -> Generator[R, None, None]:
    """Yield what `work` makes of items, several at a time, in their order and a few ahead, so that none pile up.

    Matrix products stay on the thread that asks for them: libraries that share out small ones among all processors
    take many times as long, and more where other work runs.

    Parameters
    ----------
    work
        What is done with each item.
    items
        What it is done with.
    threads
        How many threads of this process; as many as there are processors if None.
    travels
        Whether the work may be done by workers elsewhere, if they are called in; see `simcore.running.crew`.
    """
    count = threads or default_threads()
    waiting: deque[Future[R]] = deque()
    with threadpool_limits(1, user_api="blas"), hands(count) if travels else Pool(count) as pool:
        for item in items:
            waiting.append(pool.submit(work, item))
            if len(waiting) > 2 * pool.size:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
