"""Work that is done several pieces at a time, with results in order."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Generator, Iterable
from concurrent.futures import Future
from typing import TypeVar

from analysis.data.threads import products_on_one_thread, usual_threads
from simcore.running.executors import Pool, find_workers

T = TypeVar("T")
R = TypeVar("R")


def in_parallel(
    work: Callable[[T], R], items: Iterable[T], threads: int | None = None, travels: bool = False
) -> Generator[R, None, None]:
    """Yield the results of `work` for items in order, working on several at a time and only a few ahead.

    threads: Number of threads of this process.  If None, see `analysis.data.threads`.
    travels: Whether the work may be done by the workers of a cluster, if there is one; see `simcore.running.executors`.
    """
    count = threads or usual_threads()
    waiting: deque[Future[R]] = deque()
    with products_on_one_thread(), find_workers(count) if travels else Pool(count) as pool:
        for item in items:
            waiting.append(pool.submit(work, item))
            if len(waiting) > 2 * pool.size:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
