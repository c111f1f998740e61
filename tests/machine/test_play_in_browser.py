"""A seat that somebody plays, in a real browser: by keyboard, on a phone, and in a game in plain Python."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.equipoise.lab.test_serving import alone, start
from tests.machine.test_lab_in_browser import PATIENCE, browser, chromium, opened  # noqa: F401
from tests.machine.test_page_in_browser import BROWSER

pytest.importorskip("nicegui", reason="the lab needs its extra")
playwright = pytest.importorskip("playwright.sync_api", reason="comes with the test extra")
pytestmark = pytest.mark.skipif(BROWSER is None, reason="no Chromium or Chrome on this machine")

ASKED = "number => document.querySelector(`.options button[data-asked='${number}']`) !== null"
ENDED = "document.body.dataset.play === 'ended'"
GAMES = [("middle-ages", 3), ("medievallons", 2), ("seigneurial", 3), ("fief-2", 3)]


@pytest.mark.parametrize(("game", "players"), GAMES)
def test_a_seat_is_played_with_the_keyboard(
    browser: Any,  # noqa: F811
    tmp_path: Path,
    game: str,
    players: int,
) -> None:
    process, address = start(tmp_path, "--game", game, "--players", str(players))
    try:
        page = opened(browser, address, reduced_motion="reduce")
        page.set_default_timeout(3 * PATIENCE)  # kernels may be compiled
        page.get_by_role("button", name="Play a seat").click()
        begin = page.get_by_role("button", name="Begin a new game")
        begin.focus()
        page.keyboard.press("Enter")
        page.wait_for_function(ASKED, arg=0)
        assert "?" in page.locator(".asked").text_content(), "a question of the game"
        for number in range(3):
            page.locator(f".options button[data-asked='{number}']").first.focus()
            page.keyboard.press("Enter")
            page.wait_for_function(ASKED, arg=number + 1)
        assert page.locator(".choice").count() == 3, "each choice has a line on what it cost"
        assert "1 you" in page.locator(".story").text_content()
        assert page.locator(".area").count() > players
        assert (page.locator(".map line").count() > 20) is (game == "fief-2")
        page.get_by_role("button", name="Leave the game").click()
        page.wait_for_function(ENDED)
        (log,) = (tmp_path / "runs").glob("*-play/game.jsonl")
        assert json.loads(log.read_text().splitlines()[0])["strategies"][0] == "you"
        assert page.locator(".options button").count() == 0
        assert log.parent.name in page.locator(".asked").text_content()
    finally:
        process.send_signal(signal.SIGINT)
        process.wait(60)


def test_a_click_is_kept_where_the_browser_was_held_up(browser: Any, tmp_path: Path) -> None:  # noqa: F811
    process, address = start(tmp_path, "--players", "2", "--skill", "family")
    try:
        page = opened(browser, address)
        page.evaluate("for (const began = Date.now(); Date.now() - began < 12_000;);")
        page.get_by_role("button", name="Play a seat").click()
        page.get_by_role("button", name="Begin a new game").wait_for(state="visible")
    finally:
        process.send_signal(signal.SIGINT)
        process.wait(60)


def test_a_plain_game_is_played_to_its_end_on_a_phone_in_french(browser: Any, tmp_path: Path) -> None:  # noqa: F811
    axe = pytest.importorskip("axe_playwright_python", reason="axe-core comes with the test extra")
    written = [sys.executable, "-m", "equipoise", "new-game", "nim", "--plain"]
    subprocess.run(written, cwd=tmp_path, env=alone(), check=True, capture_output=True)
    process, address = start(tmp_path, "--game", "./nim.py", "--lang", "fr")
    try:
        page = opened(
            browser, address, viewport={"width": 390, "height": 844}, color_scheme="dark", reduced_motion="reduce"
        )
        page.get_by_role("button", name="Jouer un siège").click()
        page.get_by_role("button", name="Commencer une partie").click()
        page.wait_for_function(ASKED, arg=0)
        page.evaluate((Path(axe.__file__).parent / "axe.min.js").read_text(encoding="utf-8"))
        told = page.evaluate("axe.run(document, {runOnly: ['wcag2a', 'wcag2aa', 'wcag21aa']})")
        assert [(one["id"], [node["html"] for node in one["nodes"]]) for one in told["violations"]] == []
        assert page.evaluate("document.documentElement.scrollWidth") <= 390
        page.reload()
        page.wait_for_function(ASKED, arg=0)
        assert page.locator(".options button").first.is_visible(), "a page that is loaded again shows the game"
        number = 0
        while page.evaluate("document.body.dataset.play") != "ended":
            page.locator(".options button").last.click()
            number += 1
            page.wait_for_function(f"({ASKED})({number}) || {ENDED}")
        assert page.locator(".choice").count() == 0, "nothing is said of cost where there is no reference"
        assert page.locator(".asked").text_content().startswith(("Vous gagnez.", "La partie est finie"))
        assert "End: seat 1" in page.locator(".story").text_content()
        page.get_by_role("button", name="Commencer une partie").click()
        page.wait_for_function(ASKED, arg=0)
        page.close()
    finally:
        process.send_signal(signal.SIGINT)
        process.wait(60)
    assert len(list((tmp_path / "runs").glob("*-play/game.jsonl"))) == 2, "the lab ends with a game, and keeps it"
