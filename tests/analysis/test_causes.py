"""What makes a game uneven: known causes are found, and a level game has none."""

from __future__ import annotations

from dataclasses import replace

import polars as pl
import pytest

from analysis.causes import LEAST, _width, causes
from analysis.data.results import Verdict
from reports.words import ENGLISH
from simcore.errors import UsageError
from simcore.running.batch import Spec
from tests.court import court_spec
from tests.specs import make_spec


def test_burying_barracks_and_the_scout_are_found_in_middle_ages() -> None:
    found = causes(make_spec(strategies=["champion"]), 500, 4_000)
    rows = {(row["kind"], row["name"]): row for row in found.table.iter_rows(named=True)}
    barracks = rows["switch", "effects.barracks_buries"]
    assert barracks["gone_low"] > 0.6 and barracks["after"] < barracks["before"] / 3
    assert 0.1 < rows["switch", "effects.rampart_scouts"]["gone"] < 0.5
    order = [row[1] for row in rows if row[0] == "switch"]
    assert order.index("effects.barracks_buries") < order.index("effects.rampart_scouts")
    assert [one.code for one in found.verdicts][:2] != ["cause_none"]
    assert all(one.values["gone_low"] > LEAST for one in found.verdicts if "gone_low" in one.values)
    assert "gentler-barracks" not in found.table["name"]  # the same as that switch
    assert "openings" not in found.table["kind"], "players who open otherwise are no change of the rules"


def test_only_changes_on_other_deals_have_intervals_and_none_works_against_the_tilt() -> None:
    found = causes(make_spec(strategies=["champion"]), 300, 2_000)
    sure = found.table.filter(pl.col("gone_low").is_not_null())
    assert len(sure) == 2 and (sure["gone_low"] <= sure["gone"]).all() and (sure["gone"] <= sure["gone_high"]).all()
    assert found.table["before"].n_unique() == 2  # the deals of the screening, and others
    assert (sure["gone"] > 0).all() and len(found.pair) == 1
    assert found.pair["after"][0] < found.table["before"][0]


def test_the_largest_change_of_the_rules_is_played_again_by_players_who_know_it() -> None:
    """Players who know nothing new give the same part; different players of three tunings widen its range."""
    spec = make_spec(strategies=["champion"])
    asked: list[tuple[str, int]] = []

    def learn(changed: Spec, number: int) -> Spec:
        asked.append((str(changed.rules.settings), number))
        other = make_spec(strategies=["champion" if number == 0 else "planner"])
        return replace(changed, lineup_record=other.lineup_record, strategy_tables=other.strategy_tables)

    same = causes(spec, 150, 1_000, tune=lambda changed, number: changed)
    (row,) = same.table.filter(pl.col("tuned").is_not_null()).iter_rows(named=True)
    assert row["tuned"] == pytest.approx(row["gone"])
    assert [one.code for one in same.verdicts].count("cause_tuned") == 1
    found = causes(spec, 150, 1_000, tune=learn)
    (other,) = found.table.filter(pl.col("tuned").is_not_null()).iter_rows(named=True)
    assert [number for _, number in asked] == [0, 1, 2] and len({rules for rules, _ in asked}) == 1
    assert other["tuned_high"] - other["tuned_low"] > row["tuned_high"] - row["tuned_low"]
    unknown = causes(spec, 150, 1_000, tune=lambda changed, number: None)
    assert unknown.table["tuned"].is_null().all()


@pytest.mark.parametrize(
    ("low", "high", "said"),
    [
        (
            0.28,
            0.95,
            "At least 28% of the difference between the best and the worst seat is gone if a blank card takes",
        ),
        (0.57, 0.9, "64% of the difference between the best and the worst seat is gone (57% to 90%) if a blank card"),
    ],
)
def test_a_part_that_is_hardly_known_is_told_by_its_lower_end(low: float, high: float, said: str) -> None:
    values = {"gone": 0.64, "gone_low": low, "gone_high": high}
    code = f"cause_card{_width(values)}"
    assert ENGLISH.verdict(Verdict(code, "fact", {**values, "name": "Mill", "kind": "seat"})).startswith(said)
    assert not _width({"gone_low": None, "gone_high": None})


def test_a_level_game_has_no_cause() -> None:
    """All that moves there is chance; the largest of many estimates does not pass for a cause."""
    found = causes(make_spec(strategies=["random"], players=2, settings=["shortfall=debt"]), 200, 2_000)
    codes = [one.code for one in found.verdicts]
    assert codes == ["cause_none"] or found.table["before_low"][0] > 0


def test_results_do_not_depend_on_the_number_of_threads() -> None:
    spec = make_spec(strategies=["greedy"])
    one, two = (causes(spec, 200, 1_000, threads=threads) for threads in (1, 2))
    assert one.table.equals(two.table)


def test_camps_are_judged_in_a_game_with_camps_and_mixed_players_are_refused() -> None:
    found = causes(court_spec(lord="greedy", tenants=("random",)), 200, 1_000)
    assert found.verdict.values["kind"] == "camp"
    with pytest.raises(UsageError, match="strategies of different strength play"):
        causes(make_spec(strategies=["greedy", "random", "random", "random"]), 100, 100)
