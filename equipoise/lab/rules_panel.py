"""The left half of the page: the values of the rules, some at a time."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from nicegui import ui

from equipoise.lab.elements import button, heading, named
from equipoise.lab.knobs import OFF, ON, Knob, text_of
from equipoise.lab.session import Session
from simcore.errors import UsageError

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
