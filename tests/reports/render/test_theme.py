"""Contrast: text 4.5:1 on whatever it stands on (WCAG 2.2, 1.4.3), marks 3:1 (1.4.11), in light and in dark."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

import pytest

from reports.figures.forest import BEST, EVEN, WORST
from reports.render import theme
from reports.render.html import TEMPLATES

STYLE = (TEMPLATES / "style.css").read_text(encoding="utf-8")
STATUSES = ("tilted", "fair", "unclear", "fact", "unknown")


def colours(dark: bool) -> dict[str, str]:
    """Return the colour variables of the style sheet."""
    light, _, rest = STYLE.partition("@media screen and (prefers-color-scheme: dark)")
    found = dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6})", light))
    return found | (dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6})", rest.partition("@media")[0])) if dark else {})


def luminance(colour: str | Sequence[float]) -> float:
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)] if isinstance(colour, str) else list(colour)
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str | Sequence[float], other: str | Sequence[float]) -> float:
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def test_contrast_is_that_of_the_standard() -> None:
    """Black on white is 21:1; #767676 is the lightest grey that passes on white, 4.54:1 (WCAG's own examples)."""
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#767676", "#ffffff") == pytest.approx(4.54, abs=0.005)


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_text_of_the_page(dark: bool) -> None:
    colour = colours(dark)
    for text in ("ink", "quiet", "accent"):
        for ground in ("paper", "card", "wash"):
            assert contrast(colour[text], colour[ground]) >= 4.5, (text, ground)
    for status in STATUSES:
        assert contrast(colour[status], colour[f"{status}-wash"]) >= 4.5, status
        assert contrast(colour[status], colour["card"]) >= 4.5, status
        assert contrast(colour["ink"], colour[f"{status}-wash"]) >= 4.5, status


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_figures(dark: bool) -> None:
    def seen(colour: str) -> str:
        return theme.DARK[colour] if dark else colour

    card = colours(dark)["card"]
    for text in (theme.INK, theme.PAR):
        assert contrast(seen(text), card) >= 4.5, text
        assert contrast(seen(text), seen(theme.BAND)) >= 4.5, text
    for mark in (*theme.PALETTE, theme.QUIET, theme.EDGE):
        assert contrast(seen(mark), card) >= 3, mark
    for cell in (WORST, EVEN, BEST):
        assert contrast(theme.ON_CELL, cell) >= 4.5


def test_every_colour_has_a_shape_and_a_line() -> None:
    assert len(theme.PALETTE) == len(set(theme.MARKERS)) == len({str(dash) for dash in theme.DASHES})


def test_no_figure_speaks_in_colours_the_page_does_not_know() -> None:
    """Whatever is drawn in a colour of the theme has one for dark pages."""
    named = {value for name, value in vars(theme).items() if name.isupper() and isinstance(value, str)}
    assert named | set(theme.PALETTE) == set(theme.DARK) | {theme.ON_CELL}


def test_templates_are_what_the_package_ships() -> None:
    project = (Path(__file__).resolve().parents[3] / "pyproject.toml").read_text(encoding="utf-8")
    assert 'reports = ["render/templates/*", "words/**/*.toml"]' in project
