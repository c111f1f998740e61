"""Parts of a table in the page: rows of things, and maps.  Names are only ever text."""

from __future__ import annotations

from nicegui import ui

from equipoise.lab.elements import heading
from simcore.errors import printable
from simcore.tabletop import PLACES, Area, Thing

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
