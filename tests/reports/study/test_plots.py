"""`plot` and `plots` of results: the figures of their pages, on Matplotlib's axes."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from matplotlib import pyplot
from matplotlib.axes import Axes

import equipoise as eq

GENERAL = {
    "seat_advantage": ["seats"],
    "drama": ["leader"],
    "economy": ["economy"],
    "closeness": ["margins"],
}


@pytest.fixture(autouse=True)
def closed() -> Iterator[None]:
    yield
    pyplot.close("all")


@pytest.mark.parametrize("name", GENERAL)
def test_an_analysis_draws_the_figure_of_its_section(name: str, runs: dict[str, Path]) -> None:
    result = getattr(eq, name)(runs["strong"])
    drawn = result.plots()
    assert list(drawn) == GENERAL[name]
    assert all(isinstance(ax, Axes) and ax.has_data() for ax in drawn.values())


def test_strategies_and_their_matchups_are_drawn(runs: dict[str, Path]) -> None:
    assert list(eq.strengths([runs["mixed"]], resamples=0).plots()) == ["strengths"]
    assert list(eq.matchups([runs["mixed"]]).plots()) == ["match-ups"]


def test_seats_stand_at_their_shares(runs: dict[str, Path]) -> None:
    result = eq.seat_advantage(runs["strong"])
    line = result.plot().containers[0].lines[0]
    assert list(line.get_ydata()) == result.table["share"].to_list()


def test_a_figure_is_drawn_where_the_caller_says_in_the_language_that_he_names(runs: dict[str, Path]) -> None:
    simulated = eq.simulate("middle-ages", games=400, strategies="greedy")
    _, (left, right) = pyplot.subplots(1, 2)
    assert simulated.plot(left) is left
    assert simulated.plot(right, lang="fr").get_ylabel() == "part des victoires"
    assert left.get_ylabel() == "share of wins"


def test_a_comparison_draws_its_page() -> None:
    compared = eq.compare("base", settings={"effects.mill_coins": 3}, games=400, strategies="greedy", habit=True)
    assert list(compared.plots()) == [picture.name for picture in compared.report().pictures] != []


def test_an_unknown_figure_is_named_with_its_neighbour(runs: dict[str, Path]) -> None:
    with pytest.raises(eq.UsageError, match="name: no figure 'seat'; did you mean 'seats'"):
        eq.seat_advantage(runs["strong"]).plot(name="seat")


def test_a_result_without_figures_says_so(runs: dict[str, Path]) -> None:
    picks: Any = eq.middle_ages.components(runs["strong"])
    assert picks.plots() == {}
    with pytest.raises(eq.UsageError, match="there is no figure of this result"):
        picks.plot()


def test_results_begin_with_their_verdict(runs: dict[str, Path]) -> None:
    result = eq.seat_advantage(runs["weak"])
    assert repr(result).startswith("<SeatAdvantage: 400 deals (400 games); ")
    assert result.headline in repr(result) != ""
    assert "share_se" not in result._repr_html_()
    assert "share_low" in result._repr_html_()


def test_tab_shows_the_analyses() -> None:
    assert {"seat_advantage", "counterfactual", "simulate"} <= set(dir(eq))


def test_a_result_of_an_imported_table_is_shown_and_drawn(tmp_path: Path) -> None:
    table = tmp_path / "results.csv"
    rows = [f"{game},{seat},{seat * game % 7}" for game in range(100) for seat in (1, 2, 3)]
    table.write_text("\n".join(["game,seat,score", *rows]))
    result = eq.seat_advantage(eq.import_table(table, tmp_path / "run").run)
    assert repr(result).startswith("<SeatAdvantage: 100 deals (100 games); ") and result.headline in repr(result)
    assert list(result.plots()) == ["seats"]
    with pytest.raises(eq.UsageError, match=r"^name: no figure 'seat'; did you mean 'seats'"):
        result.plot(name="seat")
