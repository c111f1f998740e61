"""Who does the work: threads of this process, or the workers of a cluster while one is in use."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from contextvars import ContextVar
from types import TracebackType
from typing import Any, Protocol, Self

from simcore.running.pool import Pool


class Hands(Protocol):
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


class Crew(Protocol):
    """The workers of a cluster."""

    def hands(self) -> Hands:
        """Return those who do some work."""


_CALLED: ContextVar[Crew | None] = ContextVar("crew", default=None)


@contextmanager
def called_in(crew: Crew) -> Iterator[None]:
    """Let workers elsewhere play instead of threads of this process while the block runs."""
    token = _CALLED.set(crew)
    try:
        yield
    finally:
        _CALLED.reset(token)


def workers_elsewhere() -> Crew | None:
    """Return the workers of the cluster in use; None if threads of this process play."""
    return _CALLED.get()


def hands(threads: int) -> Hands:
    """Return the workers of the cluster in use; without one, a number of threads of this process."""
    crew = workers_elsewhere()
    return Pool(threads) if crew is None else crew.hands()
