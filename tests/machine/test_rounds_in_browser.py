"""The page of a game in a real browser: every round can be reached, and everybody can read it."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import pytest

from reports.page import Report, Section
from reports.pages.game import compose_game
from reports.render.html import to_html
from reports.sliders import Held, Line, Moment, Rounds, Stage, lines
from reports.words import Words
from simcore.running.replay import replay
from tests.machine.test_page_in_browser import BROWSER
from tests.machine.test_sliders_in_browser import HOSTILE, browser, opened  # noqa: F401
from tests.specs import make_spec

playwright = pytest.importorskip("playwright.sync_api", reason="comes with the test extra")
in_browser = pytest.mark.skipif(BROWSER is None, reason="no Chromium or Chrome on this machine")

SHORT = Rounds(
    f"Rounds {HOSTILE}",
    ("seat 1, a", f"seat 2, {HOSTILE}"),
    (
        Stage(f"Set-up {HOSTILE}", lines(["Set-up", f"  {HOSTILE}"])),
        Stage("Round 1", lines(["Round 1", "  a   b   c"]), ("coins",), ((Held("1"),), (Held("2", "+1", up=True),))),
        Stage("The end", ()),
    ),
    (Moment(1, f"seat 2 leads {HOSTILE}"),),
)


def report(rounds: Rounds) -> Report:
    return Report("A game", "", (), (), (), (Section("one", "One", (), (rounds,)),), Words())


def shown(page: Any) -> str:
    (title,) = page.locator(".stage:visible h3").all_text_contents()
    return str(title)


@cache
def page_of(game: str) -> str:
    """Return the page of a game, drawn once."""
    return to_html(compose_game(replay(make_spec(game=game, strategies=["random"]), 3), Words()))


@pytest.fixture
def game() -> str:
    return page_of("middle-ages")


@in_browser
def test_buttons_keys_slider_and_links_lead_through_the_rounds(browser: Any, tmp_path: Path, game: str) -> None:  # noqa: F811
    page = opened(browser, tmp_path, game)
    assert shown(page) == "Set-up"
    assert page.get_by_label("Previous round").is_disabled() and page.get_by_label("First round").is_disabled()
    page.get_by_label("Next round").click()
    assert shown(page) == "Round 1"
    page.locator("h1").click()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowLeft")
    assert shown(page) == "Round 2"
    assert page.locator(".walk [role=status]").text_content() == "Round 2 (3 / 18)"
    slider = page.locator(".walk input")
    slider.fill("9")
    assert (shown(page), slider.get_attribute("aria-valuetext")) == ("Round 9", "Round 9")
    slider.focus()
    page.keyboard.press("ArrowRight")
    assert shown(page) == "Round 10", "the slider moves by one, not by two"
    page.get_by_label("Last round").click()
    assert shown(page) == "The end" and page.get_by_label("Next round").is_disabled()
    page.locator("h1").click()
    page.keyboard.press("ArrowRight")
    assert shown(page) == "The end"
    link = page.locator(".moments a").first
    for _ in range(2):  # also if the address is the same as before
        link.click()
        assert shown(page) == link.text_content()
        page.get_by_label("First round").click()
    assert page.told == [(tmp_path / "page.html").as_uri()], "no request, no error"


@in_browser
def test_an_address_names_a_round(browser: Any, tmp_path: Path, game: str) -> None:  # noqa: F811
    page = opened(browser, tmp_path, game)
    page.goto(f"{(tmp_path / 'page.html').as_uri()}#round-7")
    assert shown(page) == "Round 7"


@in_browser
@pytest.mark.parametrize("width", [390, 1280])
def test_the_line_in_the_figure_follows(browser: Any, tmp_path: Path, game: str, width: int) -> None:  # noqa: F811
    page = opened(browser, tmp_path, game, viewport={"width": width, "height": 900})
    assert page.locator("line.now").count() == 0, "the set-up is not in the figure"
    seen = []
    for number in ("1", "8", "16"):
        page.locator(".walk input").fill(number)
        line = page.locator("figure svg:visible line.now")
        assert line.count() == 1
        seen.append(float(line.get_attribute("x1")))
    assert seen[1] - seen[0] == pytest.approx(7 / 8 * (seen[2] - seen[1]), rel=0.01), "rounds 1, 8 and 16 to scale"
    page.locator(".walk input").fill("17")
    assert page.locator("line.now").count() == 0


@in_browser
def test_the_line_follows_what_only_some_seats_hold(browser: Any, tmp_path: Path) -> None:  # noqa: F811
    page = opened(browser, tmp_path, page_of("seigneurial"))
    page.locator(".walk input").fill("2")
    assert page.locator("figure svg:visible line.now").count() == 1


@in_browser
def test_without_javascript_all_rounds_are_there(browser: Any, tmp_path: Path, game: str) -> None:  # noqa: F811
    page = opened(browser, tmp_path, game, java_script_enabled=False)
    assert page.locator(".stage:visible").count() == 18
    assert page.locator(".walk").is_hidden() and page.locator(".keys").is_hidden()


@in_browser
def test_on_paper_all_rounds_are_there(browser: Any, tmp_path: Path, game: str) -> None:  # noqa: F811
    page = opened(browser, tmp_path, game)
    page.emulate_media(media="print")
    assert page.locator(".stage:visible").count() == 18
    assert page.locator(".walk").is_hidden()


@in_browser
def test_hostile_names_are_text(browser: Any, tmp_path: Path) -> None:  # noqa: F811
    page = opened(browser, tmp_path, to_html(report(SHORT)))
    assert page.title() == "A game"
    assert HOSTILE in page.locator(".stage:visible .told").text_content()
    assert HOSTILE in page.locator(".moments").text_content()
    page.locator(".moments a").click()
    assert HOSTILE in page.locator(".stage:visible table").text_content()
    assert page.told == [(tmp_path / "page.html").as_uri()]


@in_browser
@pytest.mark.parametrize("name", ["middle-ages", "medievallons", "fief-2", "seigneurial"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_it_fits_a_phone_and_axe_finds_nothing(browser: Any, tmp_path: Path, name: str, scheme: Any) -> None:  # noqa: F811
    axe = pytest.importorskip("axe_playwright_python", reason="axe-core comes with the test extra")
    page = opened(browser, tmp_path, page_of(name), color_scheme=scheme, viewport={"width": 390, "height": 844})
    page.locator(".walk input").fill("2")
    assert page.evaluate("document.documentElement.scrollWidth") == 390
    page.evaluate((Path(axe.__file__).parent / "axe.min.js").read_text(encoding="utf-8"))
    found = page.evaluate("axe.run(document.querySelector('.rounds'))")
    assert [(one["id"], [node["html"][:200] for node in one["nodes"]]) for one in found["violations"]] == []


@pytest.mark.parametrize(
    ("text", "tabular", "hang"),
    [
        ("Round 1, row A", False, 2),
        ("    Plays       Star", False, 16),
        ("  A  Field 1           Field 3c L3", True, 5),
        ("", False, 2),
        (f"{' ' * 40}far in", False, 24),
    ],
)
def test_lines_are_broken_below_their_text(text: str, tabular: bool, hang: int) -> None:
    assert (Line(text).tabular, Line(text).hang) == (tabular, hang)


def test_a_line_heads_what_is_set_in_below_it() -> None:
    assert [line.heads for line in lines(["Round 1", "  a", "b", "c", ""])] == [True, False, False, False, False]
