"""Follow long work: with the bar of the commands, with a function of the user's, or not at all."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Protocol

from equipoise.output.progress import Progress

Following = bool | Callable[[int, int], object] | None
"""True: a bar on standard error; a function of how many are done and how many there are; None or False: nothing."""


class Tick(Protocol):
    """Takes how many are done, and what is counted where that changes as the work goes on."""

    def __call__(self, done: int, what: str = "") -> None:
        """Say how many are done."""


@contextmanager
def following(progress: Following, what: str, total: int) -> Iterator[Tick]:
    """Give a function that takes how many are done.

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

        def tick(done: int, what: str = "") -> None:
            if callable(progress):
                progress(done, total)
                return
            bar.what = what or bar.what
            bar.update(done)

        yield tick
