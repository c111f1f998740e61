"""How games unfold and end: known answers."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import polars as pl
import pytest
from polars.testing import assert_frame_equal

from analysis.api import closeness, drama
from analysis.data.source import Block
from analysis.measures.quantities import Quantities
from reports.words import ENGLISH
from tests.analysis.made import Made, finals
from tests.specs import make_spec


def unfolding(rounds: list[list[int]], final: list[int]) -> dict[str, object]:
    """Return the columns of one game of two."""
    return finals([final]) | {f"coins_r{number + 1}": [line] for number, line in enumerate(rounds)}


def test_a_comeback_and_a_runaway() -> None:
    back = unfolding([[1, 0]] * 15 + [[5, 9]], [5, 9])  # seat 1 leads until the last round, seat 2 wins
    away = unfolding([[1, 1]] * 7 + [[2, 1]] * 9, [2, 1])  # seat 1 leads alone from round 8 on
    both = {name: np.vstack([back[name], away[name]]) for name in back}
    row = drama(Made(both)).table.row(0, named=True)
    assert (row["comeback"], row["runaway"], row["wire_to_wire"], row["last_round"]) == (0.5, 0.5, 0.0, 0.5)
    assert row["lead_changes"] == 0.5
    rounds = drama(Made(both)).rounds
    assert rounds["leader_wins"].to_list() == pytest.approx([0.25] * 7 + [0.5] * 8 + [1.0])
    assert rounds["passed"].to_list() == [0.0] * 15 + [0.5]
    assert rounds["gap"][15] == pytest.approx((4 + 1) / 2)


def test_a_game_that_nobody_won_is_not_decided_in_the_last_round() -> None:
    made = unfolding([[1, 0]] * 16, [1, 0]) | {"share60": [[0, 0]]}
    row = drama(Made(made)).table.row(0, named=True)
    assert (row["last_round"], row["comeback"], row["runaway"], row["wire_to_wire"]) == (0, 0, 0, 0)


def test_shares_by_round_leave_room_where_none_or_hardly_any_deal_had_them() -> None:
    """In none, 1 and 2 of 40 deals the lead passed; none of 40 is up to 8.8 % of all (Clopper and Pearson)."""
    still = unfolding([[2, 1]] * 16, [2, 1])
    shares, ends = ("leader_wins", "last_wins", "passed"), []
    for passed in (0, 1, 2):
        games = [unfolding([[2, 1]] * 15 + [[2, 3]], [2, 3])] * passed + [still] * (40 - passed)
        rounds = drama(Made({name: np.vstack([one[name] for one in games]) for name in still})).rounds
        ends.append(rounds.select("passed_low", "passed_high").row(15))
        assert rounds.select("passed_low", "passed_high").row(0) == (0, ends[0][1])
        assert all(
            0 <= low <= high <= 1 for name in shares for low, high in rounds[[f"{name}_low", f"{name}_high"]].rows()
        )
    assert ends[0] == (0, pytest.approx(1 - 0.025 ** (1 / 40)))
    assert ends == sorted(ends) and ends[1][0] > 0 and ends[0][1] < ends[1][1] < ends[2][1]


def test_the_fewest_points_lead_where_the_lowest_score_wins() -> None:
    """The same games with the signs of all scores turned have the same course."""
    rounds = [[3, 1], [4, 6], *[[5, 7]] * 14]
    made = unfolding(rounds, [5, 7])
    low = Made({name: -np.asarray(value) if "coins" in name else value for name, value in made.items()})
    low.spec = replace(low.spec, game=replace(low.spec.game, lowest_wins=True))
    for question in (drama, closeness):
        assert_frame_equal(question(low).table, question(Made(made)).table)
    names = ["spread", "margin", "lead_changes"]
    high, few = (Quantities(source, names).of(Block(1, source.columns))[0] for source in (Made(made), low))
    assert few.tolist() == high.tolist()
    assert few.all()


def test_margins_and_ties() -> None:
    """Tie-breaks by code: 0 none, 1 palace, .., 9 shared."""
    made = finals([[100, 96], [50, 50], [10, 0], [7, 7]])
    made["share60"][1] = 60, 0  # level on coins, told apart by Palaces
    found = closeness(Made(made | {"tie_break": [[0, 0], [1, 1], [0, 0], [9, 9]]}))
    row = found.table.row(0, named=True)
    assert (row["margin"], row["close"], row["level"], row["shared"]) == (3.5, 0.75, 0.5, 0.25)
    decided = {line["decided_by"]: line["part"] for line in found.tie_breaks.iter_rows(named=True)}
    assert decided["palace"] == decided["shared"] == 0.5
    assert found.margins["margin"].to_list() == [0, 4, 10]
    assert found.margins["games"].to_list() == [2, 1, 1]


def test_tie_breaks_decide_all_level_games() -> None:
    found = closeness(make_spec(5, ["random"], games=5_000))
    assert found.tie_breaks["part"].sum() == pytest.approx(1)
    assert found.tie_breaks["games"].sum() == found.margins.filter(pl.col("margin") == 0)["games"][0]


def test_games_that_never_end_in_a_shared_win_leave_room() -> None:
    """None of 40 deals was shared: up to 8.8 % of all may be (Clopper and Pearson)."""
    verdict = closeness(make_spec(3, ["greedy"], seed=7, games=40)).verdict
    assert verdict.values["shared"] == 0
    assert "0.00% end in a shared win (0.00% to 8.81%; 40 games)" in ENGLISH.verdict(verdict)
