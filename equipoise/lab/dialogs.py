"""Dialogs of the lab, a game to watch and a seat to play, and small elements that all parts of the page use."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from functools import partial
from shlex import join
from typing import Any

from nicegui import run, ui

from analysis.course.finding import SEAT_NUMBER
from equipoise.lab.jobs import Job, PersonsGame, looking, lost
from equipoise.lab.session import Session
from reports.words import Words
from simcore.errors import UsageError, printable
from simcore.tabletop import PLACES, Area, Thing
from strategies.person import Choice, Question


def heading(text: str, level: int = 2) -> None:
    """Add a heading."""
    ui.label(text).props(f'role="heading" aria-level="{level}"').classes("heading" if level > 1 else "title")


def named(field: Any, name: str) -> Any:
    """Give a field a name for screen readers, and return it."""
    return field.props(f'''aria-label="{name.replace('"', "'")}" dense outlined''')


def button(text: str, press: Any, is_plain: bool = False) -> Any:
    """Add a button."""
    return ui.button(text, on_click=press).props("flat dense no-caps" if is_plain else "outline no-caps")


def numbers(columns: Sequence[tuple[str, str]]) -> Any:
    """Add a table whose first column names its rows; `columns` are keys and headings."""
    wanted = [
        {"name": name, "label": label, "field": name, "align": "right" if at else "left"}
        for at, (name, label) in enumerate(columns)
    ]
    made = ui.table(rows=[], columns=wanted, row_key=columns[0][0])
    return made.props("flat dense hide-pagination").classes("numbers")


# --- Parts of a table in the page: rows of things, and maps.  Names are only ever text ---


EDGE = 10.0
"""Percent of a map that stay free at its edges."""


def show_area(area: Area, title: str) -> None:
    """Add a part of the table, with its heading."""
    with ui.element("section").classes("area"):
        heading(title, 3)
        if area.layout == PLACES:
            _map(area, title)
        else:
            with ui.element("div").classes("things"):
                for thing in area.things:
                    _thing(thing)


def _thing(thing: Thing) -> None:
    with ui.element("div").classes(_classes(thing)):
        ui.label(printable(thing.text)).classes("called")
        for note in thing.notes:
            ui.label(printable(note)).classes("note")


def _classes(thing: Thing) -> str:
    return "thing" if thing.seat is None else f"thing of-seat seat-{thing.seat + 1}"


def _map(area: Area, title: str) -> None:
    """Add a map: roads as lines, and what lies in each place above them."""
    frame = ui.element("div").classes("map-frame").props("tabindex=0 role=group")
    frame.props["aria-label"] = title
    with frame, ui.element("div").classes("map"):
        with ui.element("svg").props('aria-hidden=true viewBox="0 0 100 100" preserveAspectRatio="none"'):
            for number, thing in enumerate(area.things):
                for other in thing.roads:
                    if other > number:
                        (x1, y1), (x2, y2) = _spot(thing), _spot(area.things[other])
                        ui.element("line").props(f"x1={x1} y1={y1} x2={x2} y2={y2}")
        for thing in area.things:
            x, y = _spot(thing)
            with ui.element("div").classes("spot").style(f"left: {x}%; top: {y}%"):
                _thing(thing)


def _spot(thing: Thing) -> tuple[float, float]:
    x, y = (EDGE + (100 - 2 * EDGE) * part for part in thing.place)
    return round(x, 2), round(y, 2)


# A game of the rules in force, to step through: the page of `equipoise replay`, and the command that it stands for.


FOCUS_FRAME = "event => event.target.contentWindow.focus()"
"""Leads the keys to the game as soon as it is there."""


class GameDialog:
    """The whole window, in which one game can be found and stepped through.

    session: The rules in force.
    jobs: The commands that were started; all pages share them.
    start: Starts a command.
    """

    def __init__(self, session: Session, jobs: list[Job], start: Callable[[tuple[str, ...]], None]) -> None:
        self.session, self.jobs, self.start, self.words = session, jobs, start, session.words
        self._shown = ""
        with ui.dialog().props("maximized") as self.dialog, ui.card().classes("looking"):
            with ui.element("div").classes("buttons"):
                heading(self.words("lab.game"))
                self._find = named(ui.select([], on_change=self.look), self.words("lab.game.find"))
                self._start = button(self.words("lab.start"), lambda: self.start(self._line))
                button(self.words("lab.close"), self.dialog.close, is_plain=True)
            self._said = ui.label().classes("line").props('role="status"')
            self._page = ui.element("iframe").props(f'title="{self.words("lab.game")}"')
            self._page.on("load", js_handler=FOCUS_FRAME)

    async def open(self) -> None:
        """Ask which game to look at."""
        finds = await run.io_bound(lambda: self.session.finds)  # the page goes on if something is compiled
        if finds is None:  # the lab ends
            return
        asked = self._find.value if self._find.value in finds else finds[0]
        self._find.set_options({what: self._named(what) for what in finds}, value=asked)
        self.dialog.open()
        self.look()

    def look(self) -> None:
        """Show what has become of the game that is asked for, which may have been found before."""
        if not self.dialog.value:
            return
        found = [(number, job) for number, job in enumerate(self.jobs) if job.line == self._line]
        number, job = found[-1] if found else (-1, None)
        page = f"/page/{number}" if job and job.page else ""
        self._start.set_enabled(job is None or not job.running)
        self._said.set_text("\n".join((join(("equipoise", *self._line)), *(list(job.lines)[-1:] if job else ()))))
        self._page.set_visibility(bool(page))
        if page != self._shown:
            self._shown = page
            self._page.props(f"src={page or 'about:blank'}")

    @property
    def _line(self) -> tuple[str, ...]:
        return looking(self.session, str(self._find.value))

    def _named(self, what: str) -> str:
        seat = SEAT_NUMBER.fullmatch(what)
        return self.words("lab.game.seat", seat=int(seat[1])) if seat else self.words(f"lab.game.{what}")


# One person takes a seat: the table as that seat sees it, the options to click, and what the choices have cost.


FOCUS = "if (document.activeElement === document.body) document.querySelector('.options button')?.focus()"
"""Lets the keyboard go on where the options were, once they have given way to new ones."""

TO_THE_END = "document.querySelectorAll('.story').forEach((one) => one.scrollTop = one.scrollHeight)"

LINES = 400
"""Number of lines of the course of the game that the page shows."""

CERTAIN = 2.0
"""Standard errors from which on a loss is marked."""


class PlayDialog:
    """The whole window, in which one game is played.

    playing: The game; all pages share it.
    words: Language.
    """

    def __init__(self, playing: PersonsGame, words: Words) -> None:
        self.playing, self.words = playing, words
        self._shown = -1
        self._question: Question | None = None  # whose options are shown
        with ui.dialog().props("maximized") as self.dialog, ui.card().classes("looking playing"):
            with ui.element("div").classes("buttons"):
                heading(words("lab.play"))
                self._seat = named(ui.select({}), words("lab.play.seat"))
                self._begin = button(words("lab.play.begin"), self._start)
                self._leave = button(words("lab.play.leave"), self._end)
                button(words("lab.close"), self.dialog.close, is_plain=True)
            self._said = ui.label().classes("heading asked").props('role="status"')
            self._options = ui.element("div").classes("buttons options").props('role="group"')
            with ui.element("div").classes("board"):
                self._table = ui.element("div").classes("table")
                with ui.element("div").classes("course"):
                    self._cost = ui.element("div").classes("cost")
                    heading(words("lab.play.course"))
                    self._story = (
                        ui.label()
                        .classes("story line")
                        .props(f'tabindex=0 role="log" aria-label="{words("lab.play.course")}"')
                    )
        if playing.goes_on:  # the page was loaded again
            self.open()

    def open(self) -> None:
        """Show the game, or let somebody begin one."""
        count = self.playing.session.view.players
        seats = {seat: self._named(seat) for seat in range(count)}
        self._seat.set_options(seats, value=self._seat.value if self._seat.value in seats else 0)
        self._shown = -1
        self.dialog.open()
        self.look()

    def look(self) -> None:
        """Show what is new."""
        playing = self.playing
        if not self.dialog.value or playing.news == self._shown:
            return
        self._shown = playing.news
        person = playing.person
        question = person.question if person is not None else None
        self._begin.set_enabled(playing.possible)
        self._leave.set_enabled(playing.goes_on)
        self._said.set_text(self._status(question))
        self._show_options(question)
        if person is not None and question is not None:
            self._show_table(question)
            self._show_story(person.course(question))
        elif person is not None and person.ended is not None:
            self._show_story(person.ended.text().splitlines())
        self._show_cost(person.choices if person is not None else [])
        state = "asked" if question else "plays" if playing.goes_on else "ended" if person else "idle"
        ui.run_javascript(f"document.body.dataset.play = {json.dumps(state)}; {FOCUS}; {TO_THE_END}")

    def _status(self, question: Question | None) -> str:
        words, person = self.words, self.playing.person
        if not self.playing.possible:
            return words("lab.play.impossible", game=self.playing.session.game.title)
        if person is None:
            return words("lab.play.idle")
        if person.fault:
            return printable(person.fault)
        if question is not None:
            return printable(question.text) or words("lab.play.move")
        if person.ended is None:
            return words("lab.play.waits")
        kept = words("lab.play.kept", folder=str(self.playing.kept or ""))
        return f"{words('lab.play.left') if person.left else self._result()} {kept}"

    def _result(self) -> str:
        """Say what place the person has."""
        person = self.playing.person
        assert person is not None and person.ended is not None
        if person.ended.fault:
            return printable(person.ended.fault)
        row = person.ended.rows[person.seat]
        share = int(row[person.spec.game.share]) / person.spec.game.share_unit
        return self.words("lab.play.won" if share == 1 else "lab.play.over", place=int(row["place"]), share=share)

    def _show_options(self, question: Question | None) -> None:
        if question is self._question:  # a key that is held down on an option must find it when it comes up
            return
        self._question = question
        self._options.clear()
        if question is None:
            return
        self._options.props(f'aria-label="{self.words("lab.play.options")}"')
        with self._options:
            for option in question.options:
                shown = button(printable(option.text), partial(self._choose, question.number, option.move))
                shown.props(f"data-asked={question.number}")

    def _show_table(self, question: Question) -> None:
        self._table.clear()
        with self._table:
            for area in question.areas:
                title = printable(area.title) or self.words("lab.play.view")
                show_area(area, title if area.seat is None else f"{self._named(area.seat, question.seat)}: {title}")

    def _show_story(self, lines: list[str]) -> None:
        self._story.set_text("\n".join(lines[-LINES:]))

    def _show_cost(self, choices: list[Choice]) -> None:
        """Say what the last choice and all of them have lost, where that is known."""
        self._cost.clear()
        total = lost(choices)
        if total is None:
            return
        words = self.words
        with self._cost:
            heading(words("lab.play.cost"))
            known = [choice for choice in choices if choice.loss is not None]
            ui.label(words("lab.play.total", loss=100 * total, count=len(known))).classes("note")
            for choice in reversed(known):
                assert choice.loss is not None and choice.error is not None
                clear = choice.loss > CERTAIN * choice.error and choice.loss > 0
                said = words(
                    "lab.play.lost" if clear else "lab.play.level",
                    answer=printable(choice.answer),
                    loss=100 * choice.loss,
                    error=100 * CERTAIN * choice.error,
                    best=printable(choice.best),
                )
                ui.label(said).classes("choice wrong" if clear else "choice")

    def _named(self, seat: int, you: int = -1) -> str:
        session = self.playing.session
        said = self.words("seat.number", seat=seat + 1)
        if session.game.asymmetric:
            said += f", {self.words.title(session.game.role_at(seat, session.view.players).title)}"
        return f"{said} ({self.words('lab.play.you')})" if seat == you else said

    async def _start(self) -> None:
        self._begin.set_enabled(False)
        try:
            await run.io_bound(self.playing.begin, int(self._seat.value))  # the page goes on if something is compiled
        except UsageError as error:
            ui.notify(error.message, type="warning", close_button=True, timeout=0)
        self._begin.set_enabled(True)
        self.look()

    def _end(self) -> None:
        self.playing.leave()
        self.look()

    def _choose(self, number: int, move: int) -> None:
        if self.playing.person is not None:
            self.playing.person.answer(number, move)
