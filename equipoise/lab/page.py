"""The page of the lab, made with NiceGUI: what can be turned on the left, what the games say on the right."""

from __future__ import annotations

import asyncio
import json
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from functools import partial
from importlib.resources import files
from typing import Any
from urllib.parse import quote, urlencode

from nicegui import Client, app, ui
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from analysis.live import Seen
from equipoise.lab.dialogs import button, heading, named
from equipoise.lab.guard import HOME, REPORT
from equipoise.lab.jobs import Job, PersonsGame
from equipoise.lab.panels import AnswersPanel, CommandsPanel, RulesPanel
from equipoise.lab.session import Picture, Session
from simcore.errors import UsageError

EVERY, SOON = 0.22, 0.02
"""Seconds between two looks at what is known, and the same until the first games by changed rules are known."""

TICK, SLEPT = 1.0, 30.0
"""Seconds between two glances at the clock, and seconds without one after which the machine was asleep: the page then
asks before more is played.  A thread of its own glances, as a page may have to wait for a compiler."""

WATCH = """<script>
const darkness = matchMedia("(prefers-color-scheme: dark)");
const tellDarkness = () => emitEvent("lab-dark", darkness.matches);
document.addEventListener("visibilitychange", () => emitEvent("lab-hidden", document.hidden));
darkness.addEventListener("change", tellDarkness);
addEventListener("load", () => setTimeout(tellDarkness, 0));
</script>"""
"""Tells the server whether the page is hidden, and whether the browser is dark."""


class Page:
    """One page in one browser; all pages of a lab show the same session.

    session: The rules in force, and what is known about them.
    pinned: Rules that were pinned, by their names.
    jobs: Commands that were started.
    playing: The game that somebody plays.
    search, only_changed: Which values are shown at first.
    """

    def __init__(
        self,
        session: Session,
        pinned: dict[str, Seen],
        jobs: list[Job],
        playing: PersonsGame,
        search: str = "",
        only_changed: bool = False,
    ) -> None:
        self.session, self.words = session, session.words
        self.shown: Picture | None = None
        ui.add_css(files("equipoise.lab").joinpath("lab.css").read_text(encoding="utf-8"))
        ui.query("html").props(f'lang="{self.words.lang}"')
        with ui.element("header"):
            heading(self.words("lab.title", game=session.game.title), 1)
            with ui.element("div").classes("choices"):
                self._choices()
        with ui.element("main").classes("lab"):
            with ui.element("section").classes("rules").props(f'aria-label="{self.words("lab.rules")}"'):
                self.rules = RulesPanel(session, self._address, search, only_changed)
            with ui.element("section").classes("answers").props(f'aria-label="{self.words("lab.answers")}"'):
                with ui.element("div").classes("asleep") as self.asleep:
                    ui.label(self.words("lab.asleep"))
                    button(self.words("lab.play_on"), self._play_on)
                self.asleep.set_visibility(False)
                self.answers = AnswersPanel(session, pinned)
                self.commands = CommandsPanel(session, self.rules, self.answers, pinned, jobs, playing, self._again)
        self.timer = ui.timer(EVERY, self.look)
        ui.on("lab-hidden", self._hidden)
        ui.on("lab-dark", self._darkened)
        ui.add_body_html(WATCH)

    def _choices(self) -> None:
        words, session = self.words, self.session
        counts = {count: words("lab.players", players=count) for count in session.game.players}
        skills = {skill: words(f"lab.skill.{skill}") for skill in session.skills}
        self.players = named(ui.select(counts, value=session.view.players), words("fact.players"))
        self.skill = named(ui.select(skills, value=session.view.skill), words("fact.skill"))
        self.players.on_value_change(lambda event: self._ask(players=event.value))
        self.skill.on_value_change(lambda event: self._ask(skill=event.value))
        self.undo = button(words("lab.undo"), partial(self._move, session.undo), is_plain=True)
        self.redo = button(words("lab.redo"), partial(self._move, session.redo), is_plain=True)
        self.reset = button(words("lab.reset"), partial(self._move, session.reset), is_plain=True)

    def _ask(self, **changed: Any) -> None:
        """Play with other players, or say why that cannot be."""
        try:
            self.session.ask(replace(self.session.view, **changed))
        except UsageError as error:
            ui.notify(error.message, type="warning", close_button=True, timeout=0)
        self._values()

    def _move(self, move: Callable[[], None]) -> None:
        move()
        self._values()

    def _values(self) -> None:
        """Show the values of the rules, and who plays, as they are now."""
        self.players.set_value(self.session.view.players)
        self.skill.set_value(self.session.view.skill)
        self.rules.draw()
        self._address()

    def _address(self) -> None:
        here = address(self.session, self.rules.search, self.rules.only_changed)
        ui.run_javascript(f"history.replaceState(null, '', '{HOME}?{here}')")
        ui.timer(0, self._look_soon, once=True)

    async def _look_soon(self) -> None:
        """Show the first games by changed rules as soon as there are any; if they take longer, `look` shows them."""
        until = time.monotonic() + EVERY
        while self.session.picture.now is None and time.monotonic() < until:
            await asyncio.sleep(SOON)
        self.look()

    def look(self) -> None:
        """Show what is new since the last look."""
        self.asleep.set_visibility(self.session.paused)
        picture = self.session.picture
        self.answers.teaching.look(picture)
        if picture is not self.shown:
            self.shown = picture
            self.undo.set_enabled(self.session.can_undo)
            self.redo.set_enabled(self.session.can_redo)
            self.reset.set_enabled(bool(picture.view.settings))
            self.answers.show(picture)
            games = picture.now.games if picture.now else 0
            shown = json.dumps({"lab": picture.state, "games": games, "rules": " ".join(picture.view.changes)})
            ui.run_javascript(f"Object.assign(document.body.dataset, {shown})")
        self.commands.look()

    def _again(self) -> None:
        """Draw everything at the next look."""
        self.shown = None

    def _play_on(self) -> None:
        self.session.play_on()
        self.look()

    def _hidden(self, event: Any) -> None:
        """Rest while nobody looks."""
        self.timer.active = not event.args

    def _darkened(self, event: Any) -> None:
        self.answers.dark = bool(event.args)
        self._again()


class Alarm:
    """Notices that the machine slept: the clock on the wall has gone on without it, whatever other clocks do.

    slept: Called when it did.
    clock: Tells the time in seconds.
    """

    def __init__(self, slept: Callable[[], None], clock: Callable[[], float] = time.time) -> None:
        self.slept, self.clock = slept, clock
        self.last = clock()

    def watch(self) -> None:
        """Glance at the clock, again and again, for as long as the lab lasts."""
        while True:
            time.sleep(TICK)
            self.glance()

    def glance(self) -> None:
        """Look at the clock; called every `TICK` seconds, unless the machine sleeps."""
        now, last = self.clock(), self.last
        self.last = now
        if now - last > SLEPT:
            self.slept()


def address(session: Session, search: str = "", only_changed: bool = False) -> str:
    """Return the part of the address that restores the rules, who plays and what is shown; never the token."""
    view = session.view
    asked = [("players", str(view.players)), ("skill", view.skill), *(("set", change) for change in view.changes)]
    asked += [("find", search)] if search else []
    return urlencode(asked + ([("changed", "1")] if only_changed else []), quote_via=quote)


def build(session: Session) -> None:
    """Make the pages of a lab; `ui.run` shows them."""
    pinned: dict[str, Seen] = {}
    jobs: list[Job] = []
    playing = PersonsGame(session)
    looking: set[str] = set()

    def page(request: Request) -> None:
        asked = request.query_params
        if asked.get("skill"):
            with suppress(UsageError):  # an address of other rules, or of another version
                session.restore(asked.get("players", ""), asked["skill"], asked.getlist("set"))
        Page(session, pinned, jobs, playing, asked.get("find", ""), bool(asked.get("changed")))

    def page_of(number: int) -> Response:
        found = jobs[number].page if 0 <= number < len(jobs) else None
        return HTMLResponse(found.read_text(encoding="utf-8"), headers=REPORT) if found else Response("404", 404)

    def come(client: Client) -> None:
        looking.add(client.id)
        session.show_to(somebody=True)

    def gone(client: Client) -> None:
        looking.discard(client.id)
        session.show_to(bool(looking))

    def end() -> None:
        playing.close()
        for job in jobs:
            job.close()

    ui.page(HOME, title=f"{session.game.title} - Equipoise")(page)
    app.add_api_route("/page/{number}", page_of)
    threading.Thread(target=Alarm(session.pause).watch, daemon=True).start()
    app.on_connect(come)
    app.on_disconnect(gone)
    app.on_shutdown(end)
