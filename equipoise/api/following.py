"""Follow long work: with the bar of the commands, with a function of the user's, or not at all."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from equipoise.output.progress import Progress

Following = bool | Callable[[int, int], object] | None
"""True: a bar on standard error; a function of how many are done and how many there are; None or False: nothing."""


class Tick:
    """Takes how many are done.

    Parameters
    ----------
    progress
        How the user follows.
    bar
        Shows it, where nobody else does.

    Attributes
    ----------
    total : int
        How many there will be; may be changed as the work goes on.
    """

    def __init__(self, progress: Following, bar: Progress) -> None:
        self.total = bar.total
        self._progress, self._bar = progress, bar

    def __call__(self, done: int, what: str = "") -> None:
        """Say how many are done, and what is counted where that changes."""
        if callable(self._progress):
            self._progress(done, self.total)
            return
        self._bar.what, self._bar.total = what or self._bar.what, self.total
        self._bar.update(done)

    def note(self, text: str) -> None:
        """Say what else there is to say, such as the present precision."""
        self._bar.note = text


@contextmanager
def following(progress: Following, what: str, total: int) -> Iterator[Tick]:
    """Give what takes how many are done.

    Parameters
    ----------
    progress
        How the user follows.
    what
        What is counted, plural.
    total
        How many there will be.
    """
    with Progress(what, total, quiet=progress is not True) as bar:
        yield Tick(progress, bar)
