"""Threads that play: whoever is told to stop does not wait for those that never look up."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor, wait
from types import TracebackType
from typing import Any

PATIENCE = 1.0
"""Seconds that threads get to end after an error or Ctrl-C; a policy that loops for ever would take more."""


class Pool(ThreadPoolExecutor):
    """A pool of threads; a block that ends with an exception leaves those behind that go on for too long."""

    def __init__(self, threads: int) -> None:
        super().__init__(threads)
        self.size = threads
        self._under_way: set[Future[Any]] = set()

    def submit(self, work: Callable[..., Any], /, *arguments: Any, **named: Any) -> Future[Any]:
        """Have a thread do some work."""
        future = super().submit(work, *arguments, **named)
        self._under_way.add(future)
        future.add_done_callback(self._under_way.discard)
        return future

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Wait for all that plays; where something went wrong, not for long."""
        if kind is None or kind is GeneratorExit:
            self.shutdown(cancel_futures=True)
            return
        self.shutdown(wait=False, cancel_futures=True)
        wait(list(self._under_way), PATIENCE)
