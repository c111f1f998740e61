"""The progress of long work, on standard error: how much is done, the pace, the time left, and the precision."""

from __future__ import annotations

import logging
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from types import TracebackType
from typing import Any, Self

import typer

from simcore.errors import Interrupted

SOON = 0.7
"""Seconds before a bar is drawn."""

EVERY = 10.0
"""Seconds between two lines if there is no terminal."""


class _Echo(logging.Handler):
    """Writes messages to the present standard error, and each message about kernels only once."""

    def __init__(self) -> None:
        super().__init__()
        self._said: set[str] = set()

    def emit(self, record: logging.LogRecord) -> None:
        text = self.format(record)
        if seconds := getattr(record, "seconds", None):
            from analysis.precision import lasting

            text += f" and takes about {lasting(seconds)} on a quiet machine ..."
        if record.name == "equipoise.kernels":
            if text in self._said:
                return
            self._said.add(text)
        shown: ExitStack | None = getattr(record, "shown", None)
        if shown is not None and sys.stderr.isatty() and not Progress.drawn:
            _pulse(text, shown)
        elif Progress.drawn:
            print(text, file=sys.stderr)  # the bar makes room for what is printed, but not for typer.echo
        else:
            typer.echo(text, err=True)


def _pulse(text: str, shown: ExitStack) -> None:
    """Show a bar that moves, and the time that has passed, until `shown` ends."""
    from rich.console import Console
    from rich.progress import BarColumn, TextColumn, TimeElapsedColumn
    from rich.progress import Progress as Bar

    columns = TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn()
    bar = Bar(*columns, console=Console(stderr=True), transient=True, refresh_per_second=5)
    bar.add_task(text, total=None)
    shown.enter_context(bar)


_ECHO = _Echo()


def announce() -> None:
    """Show the messages of the toolkit on standard error."""
    log = logging.getLogger("equipoise")
    log.addHandler(_ECHO)
    log.setLevel(logging.INFO)


def hush() -> None:
    """Show only warnings from now on."""
    logging.getLogger("equipoise").setLevel(logging.WARNING)


class Progress:
    """A bar with an estimate of the time left; without a terminal, a line from time to time.

    what: What is counted, in the plural; may be changed while the work is under way.
    total: How much there is to do.
    quiet: Whether to show nothing.
    even: Whether equal parts take about equally long, so that the time left can be told.
    """

    drawn = 0
    """Number of bars in the terminal."""

    def __init__(self, what: str, total: int, quiet: bool = False, even: bool = True) -> None:
        self.what = what
        self.total = total
        self.quiet, self.even = quiet, even
        self.note = ""
        """A remark, such as the present precision."""
        self._began = time.perf_counter()
        self._first: int | None = None
        self._since = self._began
        self._next_line = self._began + EVERY
        self._bar: Any = None
        self._task: Any = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._bar is not None:
            self._bar.stop()
            Progress.drawn -= 1

    def shows(self, done: int) -> bool:
        """Return whether it would be shown now how much is done."""
        return not self.quiet and 0 < done < self.total and time.perf_counter() - self._began >= SOON

    def update(self, done: int) -> None:
        """Show how much is done."""
        now = time.perf_counter()
        self._first, self._since = (done, now) if self._first is None else (self._first, self._since)
        if not self.shows(done):
            return
        if sys.stderr.isatty():
            self._draw(done)
        elif now >= self._next_line:
            self._next_line = now + EVERY
            self._line(done, now)

    def _draw(self, done: int) -> None:
        if self._bar is None:
            from rich.console import Console
            from rich.progress import BarColumn, TextColumn, TimeRemainingColumn
            from rich.progress import Progress as Bar

            self._bar = Bar(
                TextColumn("{task.completed:>13,.0f} of {task.total:,.0f} {task.description}"),
                BarColumn(),
                TextColumn("{task.percentage:3.0f} %"),
                *([TimeRemainingColumn(elapsed_when_finished=True)] if self.even else []),
                TextColumn("{task.fields[told]}"),
                console=Console(stderr=True),
                transient=True,
                refresh_per_second=5,
            )
            self._task = self._bar.add_task(self.what, total=self.total, told="")
            self._bar.start()
            Progress.drawn += 1
        told = self._told(done, time.perf_counter())
        self._bar.update(self._task, completed=done, total=self.total, description=self.what, told=told)

    def _line(self, done: int, now: float) -> None:
        from analysis.precision import lasting

        pace = self._pace(done, now)
        left = f", about {lasting((self.total - done) / pace)} left" if pace and self.even else ""
        told = ", ".join(
            filter(
                None, [f"{done:,} of {self.total:,} {self.what} ({done / self.total:.0%}){left}", self._told(done, now)]
            )
        )
        typer.echo(told, err=True)

    def _pace(self, done: int, now: float) -> float:
        """Return how much is done per second; what was done before this work does not count."""
        return (done - (self._first or 0)) / max(now - self._since, 1e-9)

    def _told(self, done: int, now: float) -> str:
        """Return the pace of games, and the note."""
        pace = self._pace(done, now)
        speed = f"{pace:,.{0 if pace >= 10 else 2}f} games/s" if self.what.startswith("games") and pace else ""
        return ", ".join(filter(None, [speed, self.note]))


# --- Show the progress of long work: with the bar of the commands, with the user's own function, or not at all ---


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

    def after(self, before: int) -> Callable[[int], None]:
        """Return a function to call with how much is done beyond what was done before."""
        return lambda done: self(before + done)

    def shows(self, done: int) -> bool:
        """Return whether a user will see how much is done; figures for a remark are worked out only then."""
        return callable(self._progress) or self._bar.shows(done)

    def note(self, text: str) -> None:
        """Show a remark, such as the present precision."""
        self._bar.note = text


@contextmanager
def following(progress: Following, what: str, total: int, even: bool = True) -> Iterator[Tick]:
    """Yield a `Tick`, and end the progress bar when the block ends.

    what: What is counted, in the plural.
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
        self._done = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __call__(self, what: str, done: int, total: int) -> None:
        """Show how much of a stage is done; another name, or less than was done, ends the bar of the stage before."""
        if self._tick is None or self._tick[0] != what or done < self._done:
            self.close()
            before = done if self._rest else 0
            self._tick = what, self._bar.enter_context(following(self._progress, what, total - before)), before
        _, tick, before = self._tick
        tick.total, self._done = total - before, done
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
