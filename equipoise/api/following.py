"""Show the progress of long work: with the bar of the commands, with the user's own function, or not at all."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from types import TracebackType
from typing import Self

from equipoise.output.progress import Progress
from simcore.errors import Interrupted

Following = bool | Callable[[int, int], object] | None
"""How to show progress.

True draws a bar on standard error.  A function is called with two numbers, how much is done and how much there is in
all.  None or False shows nothing.
"""

PARTS = 1000
"""Number of steps of an analysis, each of which is expected to take equally long."""


class Tick:
    """A function to call with how much of some work is done.

    progress: How to show it.
    bar: The bar to draw if the user gave no function.

    total : int: How much there is to do; may be changed while the work is under way.
    """

    def __init__(self, progress: Following, bar: Progress) -> None:
        self.total = bar.total
        self._progress, self._bar = progress, bar

    def __call__(self, done: int, what: str = "") -> None:
        """Show how much is done; `what` names the unit, if that changes."""
        if callable(self._progress):
            self._progress(done, self.total)
            return
        self._bar.what, self._bar.total = what or self._bar.what, self.total
        self._bar.update(done)

    def shows(self, done: int) -> bool:
        """Return whether a user will see how much is done; figures for a remark are worked out only then."""
        return callable(self._progress) or self._bar.shows(done)

    def note(self, text: str) -> None:
        """Show a remark, such as the present precision."""
        self._bar.note = text


@contextmanager
def following(progress: Following, what: str, total: int, even: bool = True) -> Iterator[Tick]:
    """Yield a `Tick`, and end the progress bar when the block ends.

    progress: How to show progress.
    what: What is counted, in the plural.
    total: How much there is to do.
    even: Whether equal parts take about equally long, so that the time left can be told.
    """
    with Progress(what, total, quiet=progress is not True, even=even) as bar:
        yield Tick(progress, bar)


class Stages:
    """Work in stages, with a bar for each, which begins when the first part of the stage is done.

    progress: How to show progress.
    rest: Whether a bar counts only what is left when it begins.
    """

    def __init__(self, progress: Following, rest: bool = False) -> None:
        self._progress, self._rest = progress, rest and not callable(progress)
        self._bar = ExitStack()
        self._tick: tuple[str, Tick, int] | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __call__(self, what: str, done: int, total: int) -> None:
        """Show how much of a stage is done; another name ends the bar of the stage before."""
        if self._tick is None or self._tick[0] != what:
            self.close()
            before = done if self._rest else 0
            self._tick = what, self._bar.enter_context(following(self._progress, what, total - before)), before
        _, tick, before = self._tick
        tick(done - before)

    def close(self) -> None:
        """End the bar of the present stage."""
        self._bar.close()
        self._tick = None


@contextmanager
def keeping() -> Iterator[None]:
    """If the work in the block is interrupted, say that what was played is kept."""
    try:
        yield
    except KeyboardInterrupt:
        raise Interrupted("what was played is kept; run the same command again to continue") from None
