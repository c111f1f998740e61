"""Who does the work: threads of this process, or the workers of a cluster while one is in use."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from contextvars import ContextVar
from types import TracebackType
from typing import Any, Protocol, Self

from simcore.running.pool import Pool


class Workers(Protocol):
    """Executors of work while a block runs; work that is not done at its end is dropped."""

    def __enter__(self) -> Self: ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> bool | None: ...

    @property
    def size(self) -> int:
        """Number of pieces of work that are done at a time."""

    def submit(self, work: Callable[..., Any], /, *arguments: Any) -> Future[Any]:
        """Submit some work; on a cluster it must be a function of a module, whose arguments can be sent."""


class Cluster(Protocol):
    """The workers of a cluster."""

    def workers(self) -> Workers:
        """Return those who do some work."""


_IN_USE: ContextVar[Cluster | None] = ContextVar("cluster", default=None)


@contextmanager
def use_cluster(cluster: Cluster) -> Iterator[None]:
    """Let workers elsewhere play instead of threads of this process while the block runs."""
    token = _IN_USE.set(cluster)
    try:
        yield
    finally:
        _IN_USE.reset(token)


def cluster_in_use() -> Cluster | None:
    """Return the workers of the cluster in use; None if threads of this process play."""
    return _IN_USE.get()


def find_workers(threads: int) -> Workers:
    """Return the workers of the cluster in use; without one, a number of threads of this process."""
    cluster = cluster_in_use()
    return Pool(threads) if cluster is None else cluster.workers()
