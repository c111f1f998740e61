"""The picture to share has one size, whatever the page says."""

from __future__ import annotations

import struct
from dataclasses import replace
from pathlib import Path

import pytest

from reports.page import Picture, Report, Section, Sentence
from reports.render.html import LETTERS, LINES, PIXELS, _headline, to_share
from reports.render.outputs import files, places
from tests.reports.figures.test_figures import FIGURES


def size_of(image: bytes) -> tuple[int, int]:
    assert image.startswith(b"\x89PNG")
    return struct.unpack(">II", image[16:24])


def page(text: str, *pictures: Picture) -> Report:
    return Report("A game", "2 players", (), (Sentence(text, "fair"),), (), (Section("one", "One", (), pictures),))


@pytest.mark.parametrize("name", sorted(FIGURES))
def test_every_figure_fits(name: str) -> None:
    assert size_of(to_share(page("Yes. " * 60, Picture("one", "One", FIGURES[name], "")))) == PIXELS


def test_without_a_figure_the_headline_stands_alone() -> None:
    assert size_of(to_share(page("Yes."))) == PIXELS
    assert _headline(replace(page("Yes."), verdicts=())) == ["2 players"]


def test_a_long_headline_is_cut() -> None:
    lines = _headline(page("word " * 200))
    assert len(lines) == LINES
    assert lines[-1].endswith("…")
    assert max(map(len, lines)) <= LETTERS
    assert _headline(page("Yes: every seat wins its share.")) == ["Yes: every seat wins its share."]


def test_it_stands_beside_the_page() -> None:
    target = Path("out/report.html")
    assert places(target, ["share"]) == ([Path("out/report-share.png")], [])
    assert [path for path, _ in files(page("Yes."), target, ["share"])] == [Path("out/report-share.png")]
