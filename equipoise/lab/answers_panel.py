"""The right half of the page: the headline, the charts and the numbers, rewritten as games come in."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from nicegui import ui

from analysis.live import Seen
from analysis.measures.quantities import MEAN, Quantity
from analysis.seats.agreement import agreement, counterpart
from analysis.stats.moments import MIN_DEALS
from equipoise.lab.charts import Options, seats_chart, uses_chart
from equipoise.lab.elements import numbers
from equipoise.lab.session import SEARCH, Session
from equipoise.lab.teaching_panel import TeachingPanel
from equipoise.lab.views import Picture
from reports.study.answer import LEVEL, Opinion, headline
from strategies.skill import weak_players

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
            self._count(picture.now, picture.printed or picture.now)

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
        said = headline(self.words, verdict, second, self.words(f"lab.among.{skill}"), seen.spec.players)
        return said.text, said.status

    def _count(self, seen: Seen, printed: Seen) -> None:
        self._of_seats.rows = [self._seat(seen, printed, seat) for seat in range(seen.spec.players)]
        before = dict(printed.measures)
        found = [(one, value, before.get(one, value)) for one, value in seen.measures if not one.member]
        self._of_games.rows = [self._measure(*row) for row in found if row[0].family not in seen.uses]
        uses = [row for row in found if row[0].family in seen.uses]
        self._uses.set_visibility(bool(uses))
        if uses:
            uses = sorted(uses, key=lambda row: abs(row[1] - row[2]) / (row[1] + row[2] + 0.1), reverse=True)[:USED]
            names, seats = [self._name(one) for one, _, _ in uses], seen.spec.players
            now, then = [value * seats for _, value, _ in uses], [was * seats for _, _, was in uses]
            _draw(self._uses, uses_chart(self.words, names, now, then, self.dark))

    def _seat(self, seen: Seen, printed: Seen, seat: int) -> dict[str, str]:
        words = self.words
        share, low, high = (float(end[seat]) for end in seen.seats)
        change = UNCHANGED
        if seen.change is not None:
            value, least, most = (100 * float(end[seat]) for end in seen.change)
            change = words("lab.points", value=value, low=least, high=most)
        return {
            "seat": words("seat.number", seat=seat + 1),
            "par": words.number(seen.spec.par[seat], ".1%"),
            "printed": words.number(float(printed.seats[0][seat]), ".1%"),
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
