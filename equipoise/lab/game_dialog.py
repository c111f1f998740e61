"""A game of the rules in force, to step through: the page of `equipoise replay`, and the command that it stands for."""

from __future__ import annotations

from collections.abc import Callable
from shlex import join

from nicegui import run, ui

from analysis.course.finding import SEAT_NUMBER
from equipoise.lab.elements import button, heading, named
from equipoise.lab.jobs import Job, looking
from equipoise.lab.session import Session

FOCUS = "event => event.target.contentWindow.focus()"
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
            self._page.on("load", js_handler=FOCUS)

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
