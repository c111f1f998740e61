"""A pool of threads that play; a process that is told to stop does not wait for threads that do not respond."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor, wait
from types import TracebackType
from typing import Any

PATIENCE = 1.0
"""Seconds that threads get to end after an error or Ctrl-C; a policy with an endless loop would take more."""


class Pool(ThreadPoolExecutor):
    """A pool of threads; if a block ends with an exception, threads that run for too long are abandoned."""

    def __init__(self, threads: int) -> None:
        super().__init__(threads)
        self.size = threads
        self._under_way: set[Future[Any]] = set()

    def submit(self, work: Callable[..., Any], /, *arguments: Any, **named: Any) -> Future[Any]:
        """Let a thread carry out some work."""
        future = super().submit(work, *arguments, **named)
        self._under_way.add(future)
        future.add_done_callback(self._under_way.discard)
        return future

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Wait for all threads; after an error, not for long."""
        if kind is None or kind is GeneratorExit:
            self.shutdown(cancel_futures=True)
            return
        self.shutdown(wait=False, cancel_futures=True)
        wait(list(self._under_way), PATIENCE)
