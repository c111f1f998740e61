"""Fief 2: the table and the chart of odds, and what its columns mean."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

from analysis.breakdowns import breakdowns
from analysis.games.fief_2.declarations import DECLARATIONS, VILLAGES
from analysis.games.fief_2.odds import odds_table
from reports.games.fief_2.odds import odds_chart
from reports.render import svg
from reports.words import Words, words_file
from simcore.game import load_game
from simcore.rules.files import load_rules
from simcore.running.batch import run_chunk
from tests.specs import make_spec

GAMES = 400


def test_the_odds_of_fights_as_table_and_chart() -> None:
    """The rulings: 10 v 6 in a castle, .856253 .082831 .060916."""
    table = odds_table(load_rules(load_game("fief-2")), range(4, 13), [6], "castle")
    row = table.filter(pl.col("attacker") == 10).row(0, named=True)
    found = [row[name] for name in ("attacker_wins", "defender_wins", "both_gone")]
    assert found == pytest.approx([0.856253, 0.082831, 0.060916], abs=5e-6)
    chart = odds_chart(table, Words("fr"))
    assert len(chart.data()) == 3 * len(table) and "Points de l'attaquant" in chart.alt_text
    assert svg(chart, "odds").startswith("<svg")


def test_breakdowns_are_what_the_rows_say() -> None:
    spec = make_spec(4, ["steward"], game="fief-2", seed=3, games=GAMES)
    rows = run_chunk(spec, 0, GAMES).reshape(GAMES, 4)
    par, won = rows["share60"] / 15, rows["share60"] > 0
    of_map = breakdowns(spec, "map")
    place = VILLAGES.index("l_epervier")
    first = rows["first_village"] == place
    assert _cell(of_map, "first_villages", "l_epervier", "win_share") == pytest.approx(par[first].mean())
    held = rows["held"] >> place & 1 == 1
    assert _cell(of_map, "held_villages", "l_epervier", "win_share") == pytest.approx(par[held].mean())
    scores = breakdowns(spec, "scores")
    assert _cell(scores, "titles_held", "titles_1", "win_share") == pytest.approx(par[rows["titles"] == 1].mean())
    assert _cell(scores, "score_sources", "titles", "winners") == pytest.approx(rows["from_source"][..., 3][won].mean())
    assert np.array_equal(rows["from_source"].sum(axis=-1), rows["total"])
    assert np.array_equal(rows["by_scoring"].sum(axis=-1), rows["total"])
    war = breakdowns(spec, "war")
    share = rows["won"].sum() / rows["attacks"].sum()
    assert _cell(war, "fights_won", "as_attacker", "won") == pytest.approx(share)


def _cell(result: object, name: str, row: str, series: str) -> float:
    frame = result.of(name)  # type: ignore[attr-defined]
    return float(frame.filter((pl.col("row") == row) & (pl.col("series") == series))["value"][0])


def test_every_breakdown_has_words() -> None:
    for lang in ("en", "fr"):
        names = words_file("fief-2", lang)["names"]
        for breakdown in DECLARATIONS.breakdowns:
            for key in (breakdown.name, breakdown.topic, *breakdown.rows, *breakdown.series):
                assert key in names, key
