"""Commands behind the buttons of the lab: each is the command line that it shows, run in a process of its own."""

from __future__ import annotations

import signal
import subprocess
import sys
import threading
from collections import deque
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from shlex import join

from equipoise.lab.knobs import Knob
from equipoise.lab.session import Session
from simcore.errors import printable
from simcore.homes import home
from strategies.kit import EXPERTS

COMPARE, SWEEP, MEND, SENSITIVITY, REPORT, LOG = QUESTIONS = (
    "compare", "sweep", "mend", "sensitivity", "report", "log"
)  # fmt: skip
"""What the buttons ask, in their order."""

RUNS = Path("runs")
"""The folder into which the commands of the lab write."""

LINES = 200
"""Number of lines of a command's output that are kept."""


def command(what: str, session: Session, knob: Knob | None = None) -> tuple[str, ...]:
    """Return the command line of a button, without the program's name; empty if it has nothing to ask yet.

    Parameters
    ----------
    what
        One of `QUESTIONS`.
    session
        The rules in force, and who plays.
    knob
        The value that was turned last, which `sweep` varies.
    """
    view, reference = session.view, session.reference
    if what == LOG:
        return (LOG, str(RUNS))
    who = ["--game", home(session.game.name).reference, "--players", str(view.players)]
    who += [] if view.skill == EXPERTS else ["--skill", view.skill]
    rules = [] if reference == "base" else ["--rules", reference]
    changes = [f"{key}={value}" for key, value in view.settings if what != SWEEP or knob is None or key != knob.key]
    settings = [part for change in changes for part in ("--set", change)]
    if what == COMPARE:
        return (COMPARE, reference, *who, *settings) if settings else ()
    if what == SWEEP:
        return () if knob is None else (SWEEP, "--set", f"{knob.key}={_values(session, knob)}", *who, *rules, *settings)
    return (what, *who, *rules, *settings, *(["--quick"] if what == REPORT else []))


def _values(session: Session, knob: Knob) -> str:
    if knob.kind != "number":
        return "|".join(knob.choices)
    low, high, step = session.knobs.span(knob)
    return f"{low}..{high}" + (f":{step}" if step != 1 else "")


class Job:
    """A command that runs.

    Parameters
    ----------
    line
        The command line, without the program's name.
    folder
        Folder for its files.

    Attributes
    ----------
    shown : str or None
        The state in which a page has shown it last.
    """

    def __init__(self, line: Sequence[str], folder: Path) -> None:
        self.line = tuple(line)
        self.folder = folder
        self.lines: deque[str] = deque(maxlen=LINES)
        self.shown: str | None = None
        folder.parent.mkdir(parents=True, exist_ok=True)
        out = folder / "log.html" if line[0] == LOG else folder
        self._process = subprocess.Popen(
            [sys.executable, "-m", "equipoise", *line, "--out", str(out), "--no-open"],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace",
        )  # fmt: skip
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    @property
    def text(self) -> str:
        """The command line as one types it."""
        return join(("equipoise", *self.line))

    @property
    def running(self) -> bool:
        """Whether it still runs."""
        return self._process.poll() is None

    @property
    def state(self) -> str:
        """What a page shows of it: it changes when there is something new."""
        return f"{self._process.poll()} {self.lines[-1] if self.lines else ''}"

    @property
    def page(self) -> Path | None:
        """The page that it wrote; None while it runs, or if it failed."""
        return next(self.folder.glob("*.html"), None) if self._process.poll() == 0 else None

    def cancel(self) -> None:
        """Interrupt it, as Ctrl-C does."""
        with suppress(ProcessLookupError):
            self._process.send_signal(signal.SIGINT)

    def close(self) -> None:
        """End it for certain."""
        self.cancel()
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(5)
        if self.running:
            self._process.kill()
        self._reader.join(5)

    def _read(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            self.lines.append(printable(line.rstrip()))
