"""What the players know, and the button that teaches them."""

from __future__ import annotations

from nicegui import ui

from analysis.data.edits import Edit, Edits
from equipoise.lab.elements import button
from equipoise.lab.session import Session
from equipoise.lab.views import HABIT, KNOWN, OTHERS, TAUGHT, Picture, View
from reports.words.edits import told


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
