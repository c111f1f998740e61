"""The page of the lab, and its panels: rules, answers and commands."""

from __future__ import annotations

import asyncio
import json
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import replace
from functools import partial
from importlib.resources import files
from shlex import join
from typing import Any
from urllib.parse import quote, urlencode

from nicegui import Client, app, ui
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from analysis.data.edits import Edit, Edits
from analysis.live import Seen
from analysis.measures.quantities import MEAN, Quantity
from analysis.seats.agreement import agreement, counterpart
from analysis.seats.levels import SEARCH
from analysis.stats.moments import MIN_DEALS
from equipoise.lab.charts import Options, seats_chart, uses_chart
from equipoise.lab.dialogs import GameDialog, PlayDialog, button, heading, named, numbers
from equipoise.lab.guard import HOME, REPORT
from equipoise.lab.jobs import QUESTIONS, RUNS, Job, PersonsGame, command
from equipoise.lab.session import HABIT, KNOWN, OFF, ON, OTHERS, TAUGHT, Knob, Picture, Session, View, text_of
from reports.opinion import LEVEL, Opinion
from reports.study.answer import headline
from reports.words import told
from simcore.errors import UsageError
from strategies.skill import weak_players

# --- The panels of the page: the values of the rules, what the games say, what the players know, and the buttons ---


DRAWN = 10
"""Number of knobs that are drawn at a time."""


class RulesPanel:
    """The knobs, with a search.

    session: The rules in force.
    changed: Called after a value was changed, or other values are looked for.
    search, only_changed: Which values are shown at first.
    """

    def __init__(
        self, session: Session, changed: Callable[[], None], search: str = "", only_changed: bool = False
    ) -> None:
        self.session, self.changed, self.words = session, changed, session.words
        self.search, self.only_changed, self.first = search, only_changed, 0
        self.turned: Knob | None = None
        self._fields: dict[str, tuple[list[Any], Any]] = {}
        words = self.words
        heading(words("lab.rules"))
        with ui.element("div").classes("finding"):
            ui.input(words("lab.search"), value=search, on_change=self._searched).props("dense clearable")
            ui.switch(words("lab.only_changed"), value=only_changed, on_change=self._filtered)
        self._list = ui.element("div").classes("knobs")
        with ui.element("div").classes("paging"):
            self._before = button(words("lab.before"), partial(self._paged, -DRAWN), is_plain=True)
            self._place = ui.label().classes("place")
            self._after = button(words("lab.after"), partial(self._paged, DRAWN), is_plain=True)
        self.draw()

    def draw(self) -> None:
        """Draw the knobs that are wanted, with their values of now."""
        wanted = self._wanted()
        self.first = max(0, min(self.first, (len(wanted) - 1) // DRAWN * DRAWN))
        shown = wanted[self.first : self.first + DRAWN]
        self._fields = {}
        self._list.clear()
        with self._list:
            for knob in shown:
                self._draw(knob)
            if not shown:
                ui.label(self.words("lab.no_rules"))
        last = self.first + len(shown)
        self._place.set_text(
            self.words("lab.place", first=self.first + 1, last=last, count=len(wanted)) if shown else ""
        )
        self._before.set_enabled(self.first > 0)
        self._after.set_enabled(last < len(wanted))

    def _wanted(self) -> list[Knob]:
        changed = {key for key, _ in self.session.view.settings}
        found = (knob for knob in self.session.knobs.all if knob.matches(self.search))
        return [knob for knob in found if not self.only_changed or knob.key in changed]

    def _draw(self, knob: Knob) -> None:
        value, turn = self.session.value(knob.key), partial(self._turned, knob)
        with ui.element("div").classes("knob"):
            ui.label(knob.title).classes("name")
            if knob.kind == "number":
                low, high, step = self.session.knobs.span(knob)
                number = int(value)
                with ui.element("div").classes("turning"):
                    slider = ui.slider(min=min(low, number), max=max(high, number), step=step, value=number)
                    slider.on_value_change(turn)
                    fields = [named(slider, knob.title), named(ui.number(value=number, on_change=turn), knob.title)]
            else:
                choices = dict.fromkeys(knob.choices) if knob.kind == "choice" else {OFF: None, ON: None}
                titles = {choice: self._titled(choice) for choice in choices}
                fields = [named(ui.select(titles, value=value, on_change=turn), knob.title)]
            self._fields[knob.key] = fields, ui.label(self._note(knob)).classes("note")

    def _titled(self, value: str) -> str:
        return {ON: self.words("lab.on"), OFF: self.words("lab.off")}.get(value) or self.words.name(value)

    def _note(self, knob: Knob) -> str:
        printed = self.words("lab.was", printed=self._titled(knob.printed))
        if knob.kind != "number":
            return f"{printed} · {knob.key}"
        low, high, _ = self.session.knobs.span(knob)
        return f"{printed} · {self.words('lab.slides', low=low, high=high)} · {knob.key}"

    def _turned(self, knob: Knob, event: Any) -> None:
        """Play with a new value, or say beside its field why that cannot be."""
        if event.value is None or text_of(event.value) == self.session.value(knob.key):
            return
        fields, note = self._fields[knob.key]
        try:
            self.session.turn(knob.key, text_of(event.value))
        except UsageError as error:
            note.set_text(error.message)
            note.classes(add="wrong")
            return
        self.turned = knob
        note.set_text(self._note(knob))
        note.classes(remove="wrong")
        for field in fields:
            if field.value != event.value:
                field.set_value(event.value)
        self.changed()

    def _searched(self, event: Any) -> None:
        self.search, self.first = event.value or "", 0
        self.draw()
        self.changed()

    def _filtered(self, event: Any) -> None:
        self.only_changed, self.first = event.value, 0
        self.draw()
        self.changed()

    def _paged(self, by: int) -> None:
        self.first += by
        self.draw()


# --- What the players know, and the button that teaches them ---


class TeachingPanel:
    """What the players know of the rules in force, and the tuning that goes on.

    session: The rules in force.
    """

    def __init__(self, session: Session) -> None:
        self.session, self.words = session, session.words
        self._shown: tuple[object, ...] = ()
        with ui.element("div").classes("teaching"):
            self._knows = ui.label().classes("knows").props('role="status"')
            self._teach = button(self.words("lab.teach"), session.teach)
            self._lesson = ui.label().classes("lesson")
            self._stop = button(self.words("lab.teach.stop"), session.teacher.cancel, is_plain=True)

    def look(self, picture: Picture) -> None:
        """Show what is new."""
        lesson = self.session.teacher.lesson
        if (new := (picture.view, picture.knowledge, picture.teachable, lesson)) == self._shown:
            return
        self._shown = new
        running = self.session.teacher.running
        self._knows.set_text(self._told(picture))
        self._knows.classes(replace=f"knows {picture.knowledge}")
        self._teach.set_visibility(picture.teachable and picture.knowledge in (HABIT, OTHERS) and not running)
        self._stop.set_visibility(running)
        said = ""
        if lesson is not None and running:
            said = self.words("lab.teaching", change=self.change(lesson.view), done=lesson.done, total=lesson.total)
        elif lesson is not None and lesson.fault:
            said = lesson.fault
        self._lesson.set_text(said)

    def change(self, view: View) -> str:
        """Return the change from the printed rules in words; "" if there is none."""
        edits = [Edit(key, self.session.knob(key).printed, value) for key, value in view.settings]
        return told(self.words, Edits(edits)) if edits else ""

    def _told(self, picture: Picture) -> str:
        if picture.knowledge == KNOWN:
            return ""
        taught = self.session.teacher.who(picture.view)
        if picture.knowledge == OTHERS and taught is not None:
            return self.words("lab.knows.others", change=self.change(taught.view))
        if picture.knowledge == TAUGHT and taught is not None and taught.hardly:
            return self.words("lab.knows.hardly")
        return self.words(f"lab.knows.{picture.knowledge}")


# --- The right half of the page: the headline, the charts and the numbers, rewritten as games come in ---


USED = 12
"""Largest number of things in the chart of what is used."""

UNCHANGED = "–"

SEAT = ("seat", "par", "printed", "now", "range", "change")
MEASURE = ("measure", "printed", "now", "change")


class AnswersPanel:
    """What the games say.

    session: The rules in force.
    pinned: Rules that were pinned, by their names.
    """

    def __init__(self, session: Session, pinned: Mapping[str, Seen]) -> None:
        self.session, self.pinned, self.words, self.dark = session, pinned, session.words, False
        words = self.words
        self._answer = ui.label().classes("answer").props('role="status" aria-live="polite"')
        self._change = ui.label().classes("change")
        self._counted = ui.label().classes("counted")
        self.teaching = TeachingPanel(session)
        self._ahead = ui.label().classes("ahead")
        with ui.element("div").classes("charts"):
            self._seats = ui.echart({}).classes("seats").props(f'role="img" aria-label="{words("lab.seats")}"')
            self._uses = ui.echart({}).classes("uses").props(f'role="img" aria-label="{words("lab.uses")}"')
        self._of_seats = numbers([(name, words(f"lab.col.{name}")) for name in SEAT])
        self._of_games = numbers([(name, words(f"lab.col.{name}")) for name in MEASURE])

    def show(self, picture: Picture) -> None:
        """Show what is known."""
        changed = self.changed()
        self._change.set_text(self.words("lab.changed", change=changed) if changed else "")
        if picture.fault:
            self._answer.set_text(picture.fault)
        elif picture.now is None or not picture.now.deals:
            self._counted.set_text(self.words("lab.begins"))
        else:
            self._say(picture, picture.now)
            _draw(self._seats, seats_chart(self.words, picture.now, picture.printed, self.pinned, self.dark))
            self._count(picture.now)

    def changed(self) -> str:
        """Return the change from the printed rules in words; "" if there is none."""
        return self.teaching.change(self.session.view)

    def _say(self, picture: Picture, seen: Seen) -> None:
        words, view = self.words, picture.view
        text, status = self._headline(seen, view.skill, picture.ahead)
        self._answer.set_text(text)
        self._answer.classes(replace=f"answer {status}")
        players = words.listed(list(dict.fromkeys(words.name(name) for name in seen.spec.strategies)))
        notes = [words("lab.counted", games=seen.games, players=players)]
        notes += [words("lab.weak")] if weak_players(seen.spec) else []
        self._counted.set_text(" ".join(notes))
        self._ahead.set_text(self._looking_ahead(picture))

    def _looking_ahead(self, picture: Picture) -> str:
        """Return what players who look ahead say so far."""
        if picture.ahead is not None and picture.ahead.deals >= MIN_DEALS:
            said, _ = self._headline(picture.ahead, SEARCH)
            return self.words("lab.ahead", said=said, games=picture.ahead.games)
        waits = picture.busy and SEARCH in self.session.skills and picture.view.skill != SEARCH
        return self.words("lab.ahead_waits") if waits else ""

    def _headline(self, seen: Seen, skill: str, ahead: Seen | None = None) -> tuple[str, str]:
        """Return a report's headline among players of a skill, with what those who look ahead say, and its status."""
        verdict, second = seen.verdicts[0], Opinion(LEVEL)
        if ahead is not None and ahead.deals >= MIN_DEALS:
            answer = agreement(verdict, counterpart(verdict, ahead.verdicts))
            second = Opinion(answer.says, answer.values, ahead.games)
        said = headline(self.words, verdict, second, self.words(f"level.{skill}"), seen.spec.players)
        return said.text, said.status

    def _count(self, seen: Seen) -> None:
        """Show the tables, whose every row is of the same deals by the printed rules and by these."""
        self._of_seats.rows = [self._seat(seen, seat) for seat in range(seen.spec.players)]
        pairs = zip(seen.measures, seen.measured, strict=True)
        found = [(one, value, was) for (one, value), was in pairs if not one.member]
        self._of_games.rows = [self._measure(*row) for row in found if row[0].family not in seen.uses]
        uses = [row for row in found if row[0].family in seen.uses]
        self._uses.set_visibility(bool(uses))
        if uses:
            uses = sorted(uses, key=lambda row: abs(row[1] - row[2]) / (row[1] + row[2] + 0.1), reverse=True)[:USED]
            names, seats = [self._name(one) for one, _, _ in uses], seen.spec.players
            now, then = [value * seats for _, value, _ in uses], [was * seats for _, _, was in uses]
            _draw(self._uses, uses_chart(self.words, names, now, then, self.dark))

    def _seat(self, seen: Seen, seat: int) -> dict[str, str]:
        words = self.words
        share, low, high = (float(end[seat]) for end in seen.seats)
        change = UNCHANGED
        if seen.change is not None:
            value, least, most = (100 * float(end[seat]) for end in seen.change)
            change = words("lab.points", value=value, low=least, high=most)
        return {
            "seat": words("seat.number", seat=seat + 1),
            "par": words.number(float(seen.par[seat]), ".1%"),
            "printed": words.number(float(seen.was[seat]), ".1%"),
            "now": words.number(share, ".1%"),
            "range": words("lab.range", low=max(low, 0.0), high=min(high, 1.0)),
            "change": change,
        }

    def _measure(self, one: Quantity, value: float, was: float) -> dict[str, str]:
        form, unit, sign = (".1%", 100, "+.1f") if one.is_share else (".2f", 1, "+.2f")
        return {
            "measure": self._name(one),
            "printed": self.words.number(was, form),
            "now": self.words.number(value, form),
            "change": self.words.number(unit * (value - was), sign) if value != was else UNCHANGED,
        }

    def _name(self, one: Quantity) -> str:
        return self.words.name(one.family.removeprefix(MEAN))


def _draw(chart: Any, options: Options) -> None:
    """Draw other data in a chart that is there."""
    chart.options.clear()
    chart.options.update(options)
    chart.update()


# --- The buttons of the page: each shows the command line that it stands for, and starts it if that is wanted ---


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


# --- The page of the lab, made with NiceGUI: what can be turned on the left, what the games say on the right ---


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
