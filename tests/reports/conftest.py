"""Small runs and their reports, made once."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from analysis.runs import load
from equipoise.cli import app, run
from reports.page import Report
from reports.render import html, images
from reports.render.html import to_html
from reports.study.compose import compose
from reports.study.study import Study, Thresholds
from reports.words import Words
from tests.brief import judge_cards_briefly

Make = Callable[..., Path]


@pytest.fixture(scope="session")
def simulated(tmp_path_factory: pytest.TempPathFactory) -> Make:
    """Play a run into a new folder."""
    base = tmp_path_factory.mktemp("runs")

    def make(name: str, *options: object) -> Path:
        folder = base / name
        code = run(app, ["simulate", "--quiet", "--out", str(folder), *map(str, options)])
        assert code == 0
        return folder

    return make


@pytest.fixture(scope="session")
def runs(simulated: Make) -> dict[str, Path]:
    """Three runs of 4 players: a table of different strategies, weak players, strong players in full detail."""
    return {
        "mixed": simulated("mixed", "--games", 800, "--strategies", "planner,warlord,greedy,scout"),
        "weak": simulated("weak", "--games", 400, "--strategies", "greedy"),
        "strong": simulated("strong", "--games", 600, "--strategies", "planner", "--detail", "full", "--seed", 2),
    }


def place_roughly(patch: pytest.MonkeyPatch) -> None:
    """Draw figures without measuring their texts to make room for them, which takes half of the time."""
    patch.setattr("matplotlib.layout_engine.ConstrainedLayoutEngine.execute", lambda layout, canvas: None)


def make_report(folders: list[Path], lang: str = "en", deals: int = 200, quick: bool = False) -> Report:
    """Return the report of some run folders."""
    study = Study(tuple(load(folder) for folder in folders), Thresholds(deals=deals), Words(lang), quick=quick)
    return compose(study, ("report", *map(str, folders)))


@pytest.fixture(scope="session")
def report(runs: dict[str, Path]) -> Report:
    """The report of all three runs, whose cards are judged on enough deals to say something."""
    with pytest.MonkeyPatch.context() as patch:
        judge_cards_briefly(patch.setattr, 40)
        return make_report(list(runs.values()))


@pytest.fixture(scope="session")
def page(report: Report) -> str:
    """Its page."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(html, "svg", images.svg)
        place_roughly(patch)
        return to_html(report)


@pytest.fixture(scope="session")
def french(runs: dict[str, Path]) -> Report:
    """The report of the table of different strategies, in French."""
    return make_report([runs["mixed"]], "fr")


@pytest.fixture(scope="session")
def french_page(french: Report) -> str:
    """Its page, with blank figures."""
    return to_html(french)
