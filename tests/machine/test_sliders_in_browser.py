"""The sliders on the page of a sweep, in a real browser: what moves, what is measured, and for whom."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import equipoise as eq
from reports.page import Report, Section
from reports.render.html import to_html
from reports.render.markdown import to_markdown
from reports.render.pdf import to_pdf
from reports.sliders import Slider, Sliders, Track, ordered
from reports.words import Words
from tests.machine.test_page_in_browser import BROWSER
from tests.undrawn import leave_blank

playwright = pytest.importorskip("playwright.sync_api", reason="comes with the test extra")
pytestmark = pytest.mark.skipif(BROWSER is None, reason="no Chromium or Chrome on this machine")

HOSTILE = "</script><script>document.title = 'taken'</script>"


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with playwright.sync_playwright() as found:
        made = found.chromium.launch(executable_path=BROWSER, args=["--no-sandbox"])
        yield made
        made.close()


def opened(browser: Any, folder: Path, text: str, **options: Any) -> Any:
    """Return a page; `told` collects its requests, errors and lines on the console."""
    file = folder / "page.html"
    file.write_text(text, encoding="utf-8")
    page = browser.new_context(**options).new_page()
    page.told = []
    page.on("request", lambda request: page.told.append(request.url))
    page.on("console", lambda line: page.told.append(line.text))
    page.on("pageerror", lambda error: page.told.append(str(error)))
    page.goto(file.as_uri())
    return page


def moved(page: Any, place: int, value: str) -> list[str]:
    """Move a slider; return what the page then shows for each seat."""
    page.locator(".turn input").nth(place).fill(value)
    return shown(page)


def shown(page: Any) -> list[str]:
    return [text.replace("\u00a0", " ") for text in page.locator(".tracks output").all_text_contents()]


def report(sliders: Sliders, lang: str = "en") -> Report:
    return Report("A sweep", "", (), (), (), (Section("one", "One", (), (sliders,)),), Words(lang))


def page_of(sliders: Sliders, lang: str = "en") -> str:
    return to_html(report(sliders, lang))


PAIR = Sliders(
    "two",
    f"Two keys {HOSTILE}",
    (
        Slider("coins", "Coins", ("0", "10"), 1),
        Slider("speed", "Speed", ("0", "0.5", "2.5")),
        Slider("how", "How", ("x", HOSTILE)),
    ),
    (
        Track("seat 1", 0.5, 0.06, 0.6, tuple((at / 20, at / 20 - 0.01, at / 20 + 0.01) for at in range(12))),
        Track("seat 2", 0.5, 0.06, 0.4, (*((1 - at / 20, None, None) for at in range(11)), None)),
    ),
)
"""Shares that rise by 5 points from cell to cell; the last cell was not played."""


def test_the_seats_move_between_measured_values(browser: Any, tmp_path: Path) -> None:
    page = opened(browser, tmp_path, page_of(PAIR))
    part, told = page.locator(".sliders"), page.locator(".certainty span:visible")
    assert part.is_visible()
    assert shown(page) == ["30.0%", "70.0%"], "coins 10, speed 0, x"
    assert told.text_content().startswith("Measured")
    assert page.locator(".range:visible").count() == 1, "the second seat has no range"
    assert moved(page, 0, "5") == ["≈ 15.0%", "≈ 85.0%"]
    assert told.text_content().startswith("Between measured values")
    assert page.locator(".range:visible").count() == 0
    assert moved(page, 1, "1.5") == ["≈ 30.0%", "≈ 70.0%"], "halfway from 0.5 to 2.5, and halfway from 0 to 10"
    assert moved(page, 0, "0") == ["≈ 15.0%", "≈ 85.0%"]
    assert moved(page, 1, "2.5") == ["20.0%", "80.0%"]
    page.locator(".turn select").select_option("1")
    assert shown(page) == ["25.0%", "75.0%"]
    assert moved(page, 0, "10") == ["–", "–"]
    assert told.text_content().startswith("Not played")
    assert page.title() == "A sweep", "names are text"
    assert page.told == [(tmp_path / "page.html").as_uri()], "no request, no error"


def test_the_keyboard_moves_them_and_a_screen_reader_hears_it(browser: Any, tmp_path: Path) -> None:
    page = opened(browser, tmp_path, page_of(PAIR))
    field = page.get_by_label("Coins")
    field.focus()
    page.keyboard.press("ArrowLeft")
    assert field.get_attribute("aria-valuetext") == "9 (Between measured values)"
    assert shown(page) == ["≈ 27.0%", "≈ 73.0%"]
    page.keyboard.press("Home")
    assert field.get_attribute("aria-valuetext") == "0 (Measured)"
    assert page.locator(".certainty").get_attribute("role") == "status"


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_they_fit_a_phone_and_axe_finds_nothing(browser: Any, tmp_path: Path, scheme: Any) -> None:
    axe = pytest.importorskip("axe_playwright_python", reason="axe-core comes with the test extra")
    page = opened(browser, tmp_path, page_of(PAIR), color_scheme=scheme, viewport={"width": 390, "height": 844})
    moved(page, 0, "5")
    assert page.evaluate("document.documentElement.scrollWidth") == 390
    page.evaluate((Path(axe.__file__).parent / "axe.min.js").read_text(encoding="utf-8"))
    found = page.evaluate("axe.run(document.querySelector('.sliders'))")
    assert [(one["id"], [node["html"] for node in one["nodes"]]) for one in found["violations"]] == []


def test_without_javascript_the_tables_remain(browser: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    leave_blank(monkeypatch.setattr)
    found = eq.sweep(settings={"starting_coins.3": [0, 10, 5]}, strategies="random", games=60, players=3)
    text = to_html(found.report())
    page = opened(browser, tmp_path, text, java_script_enabled=False)
    assert page.locator(".sliders").is_hidden()
    assert page.locator("#table-cells-3-0").is_visible()
    page = opened(browser, tmp_path, text)
    assert page.locator(".turn input").count() == 1
    assert page.locator(".turn").text_content().split()[-1] in ("0", "5", "10"), "it stands at the fairest value"
    rows = {
        row["starting_coins.3"]: row["value"] for row in found.table.iter_rows(named=True) if row["name"] == "seat-3"
    }
    assert moved(page, 0, "5")[2] == f"{rows['5']:.1%}"
    assert "≈" in moved(page, 0, "6")[2]


def test_french_numbers(browser: Any, tmp_path: Path) -> None:
    page = opened(browser, tmp_path, page_of(PAIR, "fr"))
    assert shown(page) == ["30,0 %", "70,0 %"]
    assert page.locator(".certainty span:visible").text_content().startswith("Mesuré")


def test_a_payoff_is_no_share(browser: Any, tmp_path: Path) -> None:
    cells = ((-2.0, -2.5, -1.5), (4.0, 3.5, 4.5))
    gains = replace(
        PAIR,
        sliders=(Slider("ante", "Ante", ("1", "3")),),
        tracks=(Track("seat 1", 0.0, 0.0, None, cells),),
        percent=False,
    )
    page = opened(browser, tmp_path, page_of(gains))
    assert shown(page) == ["-2"]
    assert moved(page, 0, "2") == ["≈ +1"]


def test_paper_and_markdown_leave_them_out() -> None:
    assert "Two keys" not in to_markdown(report(PAIR), "figures")
    assert to_pdf(report(PAIR)).startswith(b"%PDF")


@pytest.mark.parametrize(
    ("values", "step"),
    [
        (("0", "5", "10"), 1),
        (("1", "2"), 1),
        (("0", "500", "5000"), 50),
        (("0", "700"), 7),
        (("3", "10", "24"), 1),
        (("0", "0.5", "2"), 0.02),
        (("-1", "0.25"), 0.0125),
    ],
)
def test_a_slider_stops_at_every_value(values: tuple[str, ...], step: float) -> None:
    slider = Slider("key", "Key", values)
    assert slider.step == pytest.approx(step)
    stops = [(place - slider.places[0]) / slider.step for place in slider.places]
    assert stops == pytest.approx([round(stop) for stop in stops])


def test_texts_have_no_places() -> None:
    assert ordered(["10", "9", "0.5"]) == ("0.5", "9", "10")
    assert ordered(["pay", "debt"]) == ("pay", "debt")
    assert Slider("how", "How", ("pay", "debt")).places == ()
    assert Slider("how", "How", ("1", "1.0")).places == (), "twice the same place"
