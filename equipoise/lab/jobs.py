"""What the lab starts: commands behind its buttons, each in a process of its own, and the game of a person."""

from __future__ import annotations

import secrets
import signal
import subprocess
import threading
import time
from collections import deque
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from shlex import join

from equipoise.lab.session import Knob, Session
from reports.words import ENGLISH
from simcore.atomic import write
from simcore.child_processes import python
from simcore.errors import printable
from simcore.homes import home
from simcore.running.replay import Replay
from strategies.kit import EXPERTS
from strategies.person import Choice, Person, can_take_seat, take_seat
from strategies.spec import DEFAULT_SEED

COMPARE, SWEEP, MEND, SENSITIVITY, REPORT, LOG = QUESTIONS = (
    "compare", "sweep", "mend", "sensitivity", "report", "log"
)  # fmt: skip
"""What the buttons ask, in their order."""

RUNS = Path("runs")
"""The folder into which the commands of the lab write."""

REPLAY = "replay"

PAGES = {LOG: "log.html", REPLAY: "game.html"}
"""The file of a command that writes no folder."""

LINES = 200
"""Number of lines of a command's output that are kept."""


def command(what: str, session: Session, knob: Knob | None = None) -> tuple[str, ...]:
    """Return the command line of a button, without the program's name; empty if it has nothing to ask yet.

    what: One of `QUESTIONS`.
    session: The rules in force, and who plays.
    knob: The value that was turned last, which `sweep` varies.
    """
    if what == LOG:
        return (LOG, str(RUNS), *_language(session)) if RUNS.is_dir() else ()
    settings = _changes(session, knob if what == SWEEP else None)
    who, language = _who(session), _language(session)
    if what == COMPARE:
        return (COMPARE, session.reference, *who, *settings, *language) if settings else ()
    if what == REPORT:  # which plays all levels of skill
        who = _who(session, levels=False)
    asked = (*who, *_rules(session), *settings, *language)
    if what == SWEEP:
        return () if knob is None else (SWEEP, "--set", f"{knob.key}={_values(session, knob)}", *asked)
    return (what, *asked, *(["--quick"] if what == REPORT else []))


def looking(session: Session, find: str) -> tuple[str, ...]:
    """Return the command line that finds a game of the rules in force, and makes its page.

    session: The rules in force, and who plays.
    find: What is looked for, such as "closest".
    """
    asked = (*_who(session), *_rules(session), *_changes(session), *_language(session))
    return (REPLAY, *asked, "--find", find, "--format", "html")


def _who(session: Session, levels: bool = True) -> list[str]:
    """Return the options for who plays; without `levels`, for a command that plays all levels of skill."""
    view = session.view
    who = ["--game", home(session.game.name).reference, "--players", str(view.players)]
    who += ["--skill", view.skill] if levels and view.skill != EXPERTS else []
    return who + ([] if session.seed == DEFAULT_SEED else ["--seed", str(session.seed)])


def _rules(session: Session) -> list[str]:
    return [] if session.reference == "base" else ["--rules", session.reference]


def _changes(session: Session, besides: Knob | None = None) -> list[str]:
    """Return the options for what was changed, but for one value."""
    kept = [(key, value) for key, value in session.view.settings if besides is None or key != besides.key]
    return [part for key, value in kept for part in ("--set", f"{key}={value}")]


def _language(session: Session) -> list[str]:
    return [] if session.words.lang == ENGLISH.lang else ["--lang", session.words.lang]


def _values(session: Session, knob: Knob) -> str:
    if knob.kind != "number":
        return "|".join(knob.choices)
    low, high, step = session.knobs.span(knob)
    return f"{low}..{high}" + (f":{step}" if step != 1 else "")


class Job:
    """A command that runs.

    line: The command line, without the program's name.
    folder: Folder for its files.

    shown : str or None: The state in which a page has shown it last.
    """

    def __init__(self, line: Sequence[str], folder: Path) -> None:
        self.line = tuple(line)
        self.folder = folder
        self.lines: deque[str] = deque(maxlen=LINES)
        self.shown: str | None = None
        folder.parent.mkdir(parents=True, exist_ok=True)
        out = folder / PAGES.get(line[0], "")
        self._process = subprocess.Popen(
            python("equipoise", *line, "--out", str(out), "--no-open"),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
        )
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
            self._process.wait()
        self._reader.join(5)

    def _read(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            self.lines.append(printable(line.rstrip()))


# --- The game in which somebody plays a seat: one at a time in a lab, whose log is kept in a folder ---


INDICES = 2**31
"""Numbers among which that of a new game is drawn."""

PATIENCE = 10.0
"""Seconds that a game gets to end with the lab."""

JSONL, TEXT = "game.jsonl", "game.txt"


class PersonsGame:
    """The game that is played, or was played last.

    session: The rules in force, and who plays.

    person : Person or None: The game; None before the first.
    news : int: Grows whenever there is something new.
    kept : Path or None: The folder of the game, once it has ended or was left.
    """

    def __init__(self, session: Session) -> None:
        self.session = session
        self.person: Person | None = None
        self.news = 0
        self.kept: Path | None = None

    @property
    def possible(self) -> bool:
        """Whether a person can play this game."""
        return can_take_seat(self.session.game)

    @property
    def goes_on(self) -> bool:
        """Whether a game is played."""
        person = self.person
        return person is not None and person.ended is None and not person.fault

    def begin(self, seat: int, index: int | None = None) -> None:
        """Begin a game by the rules in force, in a seat counted from 0; leave the one before.

        Raises UsageError if the seat or the game cannot be played.
        """
        self.leave()
        spec = self.session.spec
        number = secrets.randbelow(INDICES) if index is None else index
        person = take_seat(spec, seat, number, lambda: self._tell(person))
        self.person, self.kept = person, None
        self._new()
        person.begin()

    def leave(self) -> None:
        """End the game; its log is kept."""
        if self.person is not None and self.goes_on:
            self.person.leave()
            self._new()

    def close(self) -> None:
        """End the game, and wait until its log is kept."""
        self.leave()
        if self.person is not None:
            self.person.join(PATIENCE)

    def _new(self) -> None:
        self.news += 1

    def _tell(self, person: Person) -> None:
        """Keep a game that has ended, and say that there is something new; called in the thread of the game."""
        if person.ended is not None and person is self.person and self.kept is None:
            try:
                self.kept = keep(person.ended)
            except OSError as error:
                person.fault = str(error)
        self._new()


def keep(played: Replay, folder: Path | None = None) -> Path:
    """Write the log and the text of a game into a new folder, and return it."""
    found = folder or RUNS / f"lab-{time.strftime('%Y%m%d-%H%M%S')}-{secrets.token_hex(2)}-play"
    found.mkdir(parents=True)
    for name, text in ((JSONL, played.jsonl()), (TEXT, played.text())):
        write(found / name, text)
    return found


def lost(choices: Sequence[Choice]) -> float | None:
    """Return what some choices have lost together, as a share of the win; None if nothing is known of any."""
    known = [choice.loss for choice in choices if choice.loss is not None]
    return sum(known) if known else None
