"""The buttons of the page: each shows the command line that it stands for, and starts it if that is wanted."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from shlex import join
from typing import Any

from nicegui import ui

from analysis.live import Seen
from equipoise.lab.answers_panel import AnswersPanel
from equipoise.lab.elements import button, heading
from equipoise.lab.game_dialog import GameDialog
from equipoise.lab.jobs import QUESTIONS, RUNS, Job, command
from equipoise.lab.persons_game import PersonsGame
from equipoise.lab.play_dialog import PlayDialog
from equipoise.lab.rules_panel import RulesPanel
from equipoise.lab.session import Session


class CommandsPanel:
    """Buttons, pinned rules, and the commands that run.

    session: The rules in force.
    rules, answers: The other parts of the page.
    pinned, jobs, playing: What was pinned, what was started, and the game that somebody plays; all pages share them.
    again: Called when the charts have to be drawn again.
    """

    def __init__(
        self,
        session: Session,
        rules: RulesPanel,
        answers: AnswersPanel,
        pinned: dict[str, Seen],
        jobs: list[Job],
        playing: PersonsGame,
        again: Callable[[], None],
    ) -> None:
        self.session, self.rules, self.answers, self.words = session, rules, answers, session.words
        self.pinned, self.jobs, self.again = pinned, jobs, again
        self._game = GameDialog(session, jobs, self._start)
        self._play = PlayDialog(playing, session.words)
        heading(self.words("lab.next"))
        with ui.element("div").classes("buttons"):
            button(self.words("lab.pin"), self._pin)
            button(self.words("lab.game"), self._game.open)
            button(self.words("lab.play"), self._play.open)
            for what in QUESTIONS:
                button(self.words(f"lab.ask.{what}"), partial(self._offer, what))
            button(self.words("lab.save"), self._save)
            button(self.words("lab.link"), self._link)
        self._pins = ui.element("div").classes("pins")
        self._jobs = ui.element("div").classes("jobs")
        self._show_pins()
        self._show_jobs()

    def look(self) -> None:
        """Show what the commands say."""
        self._game.look()
        self._play.look()
        if any(job.shown != job.state for job in self.jobs):
            self._show_jobs()

    def _pin(self) -> None:
        seen = self.session.picture.now
        if seen is not None:
            name = self.answers.changed() or self.words("lab.printed")
            known = (old for old, one in self.pinned.items() if _played(one) == _played(seen))
            last = max((int(old.partition(":")[0]) for old in self.pinned), default=0)
            self.pinned[next(known, f"{last + 1}: {name}")] = seen
            self._show_pins()
            self.again()

    def _unpin(self, name: str) -> None:
        self.pinned.pop(name, None)
        self._show_pins()
        self.again()

    def _show_pins(self) -> None:
        self._pins.clear()
        with self._pins:
            for name in self.pinned:
                with ui.element("span").classes("pin"):
                    ui.label(name)
                    remove = button("×", partial(self._unpin, name), is_plain=True)
                    remove.props(f'aria-label="{self.words("lab.unpin")}"')

    def _offer(self, what: str) -> None:
        """Show the command behind a button."""
        line = command(what, self.session, self.rules.turned)
        with ui.dialog() as dialog, ui.card():
            heading(self.words(f"lab.ask.{what}"))
            ui.label(join(("equipoise", *line)) if line else self.words("lab.nothing")).classes("line" if line else "")
            with ui.row():
                if line:
                    button(self.words("lab.start"), partial(self._start_beside, dialog, line))
                button(self.words("lab.cancel"), dialog.close, is_plain=True)
        dialog.open()

    def _start_beside(self, dialog: Any, line: tuple[str, ...]) -> None:
        dialog.close()
        self._start(line)
        ui.notify(self.words("lab.started"))

    def _start(self, line: tuple[str, ...]) -> None:
        name = f"lab-{time.strftime('%Y%m%d-%H%M%S')}-{len(self.jobs) + 1}-{line[0]}"
        self.jobs.append(Job(line, RUNS / name))
        self._show_jobs()

    def _show_jobs(self) -> None:
        self._jobs.clear()
        with self._jobs:
            for number, job in enumerate(self.jobs):
                job.shown = job.state
                with ui.element("div").classes("job"):
                    ui.label(job.text).classes("line")
                    last = job.lines[-1] if job.lines else ""
                    if job.running:
                        ui.label(last).classes("note")
                        button(self.words("lab.cancel"), job.cancel, is_plain=True)
                    elif job.page:
                        ui.link(self.words("lab.open"), f"/page/{number}", new_tab=True)
                    else:
                        ui.label(last or self.words("lab.cancelled")).classes("note wrong")

    def _save(self) -> None:
        ui.download.content(self.session.rules.to_toml(), f"{self.session.game.name}.toml")

    def _link(self) -> None:
        ui.run_javascript("navigator.clipboard?.writeText(location.href)")
        ui.notify(self.words("lab.linked"))


def _played(seen: Seen) -> tuple[object, ...]:
    """Return which rules were seen, and who played them."""
    return seen.spec.rules.digest, seen.spec.players, seen.spec.strategies
