"""Fief 2: the table and the chart of odds, and what its columns mean."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import polars as pl
import pytest

from analysis.breakdowns import breakdowns, rates
from analysis.data.events import KIND, TURN, VALUES
from analysis.data.sources import SpecSource
from analysis.games.fief_2.cards import CARDS
from analysis.games.fief_2.declarations import DECLARATIONS, VILLAGES
from analysis.games.fief_2.happenings import kingmaking, life_of
from analysis.games.fief_2.odds import odds_table
from reports.games.fief_2.odds import odds_chart
from reports.render.images import svg
from reports.words import Words, words_file
from simcore.game import load_game
from simcore.games.fief_2.state import BOUGHT, CARD_KINDS
from simcore.rules.files import load_rules
from simcore.running.batch import Spec, run_chunk
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


@pytest.fixture(scope="module")
def spec() -> Spec:
    """Games of four stewards."""
    return make_spec(4, ["steward"], game="fief-2", seed=3, games=GAMES)


@pytest.fixture(scope="module")
def rows(spec: Spec) -> np.ndarray:
    """Their rows, shape (games, players)."""
    return run_chunk(spec, 0, GAMES).reshape(GAMES, 4)


def test_breakdowns_are_what_the_rows_say(rows: np.ndarray, spec: Spec) -> None:
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


def test_what_was_placed_bought_and_held_by_hand(rows: np.ndarray, spec: Spec) -> None:
    par = rows["share60"] / 15
    ends = np.array([5, 8, 12, 17, 21, 24])
    region = np.searchsorted(ends, rows["first_village"], side="right")
    alone = np.array([[list(game).count(one) == 1 for one in game] for game in region])
    placing = breakdowns(spec, "placing_order")
    assert _cell(placing, "placing", "placing_2", "alone") == pytest.approx(par[:, 1][alone[:, 1]].mean())
    whole = np.isin(rows["held"] >> 5 & 7, [7])
    found = _cell(breakdowns(spec, "map"), "whole_regions", "barony_sennecy", "win_share")
    assert found == pytest.approx(par[whole].mean())
    accounts, mills = breakdowns(spec, "accounts"), rows["bought"][..., BOUGHT.index("mills_bought")]
    assert _cell(accounts, "paying", "mills_bought", "few") == pytest.approx(par[(mills > 0) & (mills < 3)].mean())
    scorings = breakdowns(spec, "scores").of("scorings")
    assert set(scorings["row"]) == {"scoring_1", "scoring_2", "scoring_3"}  # 15 turns have no fourth


def test_what_events_tell(rows: np.ndarray, spec: Spec) -> None:
    kinds = [kind.name for kind in load_game("fief-2").events]
    ((_, _, told),) = SpecSource(spec).read_with_events(range(GAMES), ["share60"])
    by_kind = {name: told[told[:, KIND] == number] for number, name in enumerate(kinds)}
    scored, points = by_kind["scored"], breakdowns(spec, "scores_by_turn")
    assert scored[:, VALUES + 1].sum() == rows["total"].sum()
    kings = scored[(scored[:, VALUES] == 0) & (scored[:, TURN] == 10)]
    assert _cell(points, "by_scoring", "king", "scoring_2") == pytest.approx(kings[:, VALUES + 1].sum() / rows.size)
    won, lost = by_kind["result"], by_kind["death"]
    large = (won[:, VALUES] >= 5 * won[:, VALUES + 1]) & (by_kind["fight"][:, VALUES + 2] == 0)
    share = _cell(breakdowns(spec, "fights"), "fights_by_odds", "odds_five", "open")
    assert share == pytest.approx((won[large][:, VALUES + 2] == 1).mean())
    plague = (lost[:, VALUES + 1] == 64 + CARD_KINDS.index("plague")) & (lost[:, TURN] <= 5)
    deaths = breakdowns(spec, "deaths_and_elections")
    assert _cell(deaths, "deaths", "death_plague", "first_third") == pytest.approx(plague.sum() / GAMES)
    late = (by_kind["election"][:, TURN] > 10) & (by_kind["election"][:, VALUES + 2] == 1)
    assert _cell(deaths, "elections", "last_third", "kings_made") == pytest.approx(late.sum() / GAMES)
    life = rates(spec, [life_of(spec.rules.values)], "village_life")
    village = by_kind["village"][by_kind["village"][:, VALUES] == VILLAGES.index("bourg")]
    assert _cell(life, "village_life", "bourg", "held") == pytest.approx(village[:, VALUES + 1].mean() / 15)
    income = rows["income"][..., 0].sum()
    assert by_kind["village"][:, VALUES + 2].sum() > income  # land, and what mills and presses yield


def test_kingmaking_by_hand() -> None:
    """Three games of ten turns, in which nobody is out of the race, and one of fifteen with two families out."""
    standing = [
        [game, turn, seat, 0, score]
        for game, first in enumerate((50, 50, 60))
        for turn, scores in ((5, (first, 0, 10)), (10, (first, 70, 10)))
        for seat, score in enumerate(scores)
    ]
    standing += [
        [3, turn, seat, 0, score]
        for turn, scores in ((5, (10, 5, 9)), (10, (80, 5, 9)), (15, (90, 5, 9)))
        for seat, score in enumerate(scores)
    ]
    blank = [0, 0, 0]
    columns = {
        "share60": np.array([[0, 60, 0], [0, 60, 0], [0, 60, 0], [0, 60, 0]]),
        "event standing": np.array(standing),
        "event fight": np.array([[3, 12, 1, 0, 4, 0, 0], [3, 13, 2, 0, 4, 1, 0]]),
        "event result": np.array([[3, 12, 1, 0, 9, 1, 1], [3, 13, 2, 0, *blank]]),
    }
    rules = load_rules(load_game("fief-2")).values
    top, bottom = kingmaking(columns, rules)
    assert bottom[:, 0].tolist() == [1, 1, 1, 1]
    assert top[:, 0].tolist() == [0, 0, 0, 1]  # nobody is more than 50 behind; then 71 and 75 of 70
    assert top[3].tolist() == [1, 1, 1, 0, 1] and bottom[3].tolist() == [1, 1, 1, 0, 2]


def test_a_blank_card_is_never_played_and_stays_in_the_deck(spec: Spec) -> None:
    plain = spec.rules.values
    assert CARDS.copies(plain)["revolt"] == 4 and "lord" not in CARDS.copies(plain)
    values = CARDS.blank(plain, ["revolt", "sun"])
    assert plain.blanks == () and values.model_dump() == plain.model_dump()
    record = spec.game.pack(values, 4)
    assert record.cards == spec.rules_record.cards
    rows = run_chunk(replace(spec, rules=replace(spec.rules, values=values), rules_record=record), 0, 50)
    assert not rows["played"][:, [CARD_KINDS.index("revolt"), CARD_KINDS.index("sun")]].any()
    assert rows["played"][:, CARD_KINDS.index("plague")].any()


def _cell(result: object, name: str, row: str, series: str) -> float:
    frame = result.of(name)
    return float(frame.filter((pl.col("row") == row) & (pl.col("series") == series))["value"][0])


def test_every_breakdown_has_words() -> None:
    for lang in ("en", "fr"):
        names = words_file("fief-2", lang)["names"]
        for breakdown in DECLARATIONS.breakdowns:
            first = [f"{breakdown.name}.first"] if len(breakdown.series) > 1 and breakdown.says else []
            caption, short = f"{breakdown.name}.caption", f"{breakdown.topic}.short"
            for key in (breakdown.name, caption, *first, breakdown.topic, short, *breakdown.rows, *breakdown.series):
                assert key in names, key
