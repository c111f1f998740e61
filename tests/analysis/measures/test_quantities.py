"""What a baseline measures is what the analyses say of the same games."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

from analysis.api import closeness, counterfactual, drama, seat_advantage
from analysis.course.drama import ENDS
from analysis.data.sources import SpecSource
from analysis.measures.quantities import Quantities, known_families, of_whole_table
from analysis.measures.requested import check
from analysis.measures.rows import MEASURES
from analysis.measures.sampling import Estimand, Sampler
from analysis.precision import KNOWN
from simcore.errors import UsageError
from simcore.running.batch import run_chunk
from tests.specs import make_spec

GAMES = 1_200


def values(
    estimands: list[Estimand], strategies: tuple[str, ...] = ("greedy",), design: str = "fixed"
) -> tuple[list[float], list[float]]:
    """Return value and error of some estimands in the first games of a seed."""
    spec = make_spec(4, strategies, design=design, games=GAMES)
    sums = Sampler(spec, None, estimands).play(
        range(GAMES // spec.games_per_deal), [estimand.card for estimand in estimands if estimand.card]
    )
    now, _, _, error = sums.shift.values()
    return list(now), list(error)


def test_seats_are_those_of_the_analysis() -> None:
    estimands = [
        Estimand(family, f"seat-{seat}") for family in ("win_share_by_seat", "score_by_seat") for seat in (1, 2, 3, 4)
    ]
    table = seat_advantage(make_spec(4, ["greedy"], games=GAMES)).table
    now, error = values(estimands)
    assert now == pytest.approx([*table["share"], *table["score"]])
    assert error == pytest.approx([*table["share_se"], *table["score_se"]])


def test_rates_are_those_of_the_analysis() -> None:
    names = ["lead_changes", "runaway", "wire_to_wire", "comeback", "last_round"]
    row = drama(make_spec(4, ["greedy"], games=GAMES)).table.row(0, named=True)
    now, error = values([Estimand(name, "") for name in names])
    assert now == pytest.approx([row[name] for name in names])
    assert error == pytest.approx([row[f"{name}_se"] for name in names])


def test_the_course_of_a_game_of_any_length_is_known_from_its_events() -> None:
    """Without a match, every game is one story, and the analysis takes the mean over stories."""
    names = ["lead_changes", "runaway", "wire_to_wire", "comeback", "last_round"]
    spec = make_spec(3, ["random"], game="medievallons", games=120, settings=["match=false"])
    found = drama(spec)
    row = found.table.row(0, named=True)
    assert row["stories"] == 120
    assert set(names) <= set(known_families(SpecSource(spec)))
    sums = Sampler(spec, None, [Estimand(name, "") for name in names]).play(range(120), ())
    now, _, _, error = sums.shift.values()
    assert list(now) == pytest.approx([row[name] for name in names])
    assert list(error) == pytest.approx([row[f"{name}_se"] for name in names])
    assert row["lead_changes"] > 0


@pytest.mark.parametrize("design", ["fixed", "rotate"])
def test_effects_of_cards_are_those_of_the_analysis(design: str) -> None:
    line_up = ("greedy", "random", "random", "greedy")
    spec = make_spec(4, line_up, design=design, games=GAMES)
    found = counterfactual(spec, ["alliance", "earthquake"], GAMES // spec.games_per_deal).table
    found = found.filter(pl.col("slot") == "all")
    for family, measure, by, group, member in (
        ("score", "score", "", "", ""),
        ("win_share_by_seat", "share", "seat", "2", "seat-2"),
        ("win_share_by_strategy", "share", "strategy", "greedy", "greedy"),
    ):
        now, error = values([Estimand(family, member, card) for card in ("alliance", "earthquake")], line_up, design)
        rows = found.filter((pl.col("measure") == measure) & (pl.col("by") == by) & (pl.col("group") == group))
        assert now == pytest.approx(list(rows["effect"])), family
        assert error == pytest.approx(list(rows["effect_se"])), family


def test_means_of_columns_are_those_of_the_rows() -> None:
    spec = make_spec(4, ["greedy"], games=GAMES)
    penalty = run_chunk(spec, 0, GAMES)["penalty"].reshape(-1, 4)
    now, error = values([Estimand("mean_of_penalty", ""), Estimand("mean_of_penalty_by_seat", "seat-3")])
    assert now == pytest.approx([penalty.mean(), penalty[:, 2].mean()])
    assert error[1] == pytest.approx(penalty[:, 2].std(ddof=1) / np.sqrt(GAMES))


def test_paired_shifts_are_differences_deal_by_deal() -> None:
    """Against two runs' rows; a coin more for the last seat."""
    old = make_spec(4, ["greedy"], games=GAMES)
    new = make_spec(4, ["greedy"], ["starting_coins=[0, 0, 0, 1, 0]"], games=GAMES)
    sums = Sampler(new, old, [Estimand("win_share_by_seat", "seat-4")]).play(range(GAMES), ())
    now, then = (run_chunk(spec, 0, GAMES)["share60"].reshape(-1, 4)[:, 3] / 60 for spec in (new, old))
    _, _, shift, error = sums.shift.values()
    assert shift[0] == pytest.approx((now - then).mean())
    assert error[0] == pytest.approx((now - then).std(ddof=1) / np.sqrt(GAMES))
    assert sums.moved[0] == (now != then).sum()
    assert sums.games == 2 * GAMES


def test_what_is_declared_once_can_be_asked_for_everywhere() -> None:
    """Names for precision, check, mend and sweep; and how games end is what the analysis says of the same games."""
    spec = make_spec(4, ["greedy"], games=GAMES)
    source = SpecSource(spec)
    assert set(MEASURES) <= set(KNOWN) & set(known_families(source)) & set(of_whole_table(source))
    check(spec, list(MEASURES))
    row = closeness(spec).table.row(0, named=True)
    now, error = values([Estimand(name, "") for name in ENDS])
    assert now == pytest.approx([row[column] for column in ENDS.values()])
    assert error == pytest.approx([row[f"{column}_se"] for column in ENDS.values()])


def test_unknown_measures_are_named_with_the_nearest() -> None:
    source = SpecSource(make_spec(2, ["random"]))
    with pytest.raises(UsageError, match=r"^win_share_by_saet: no such measure; did you mean 'win_share_by_seat'"):
        Quantities(source, ["win_share_by_saet"])
    known = known_families(source)
    assert known["win_share_by_seat"]
    assert not known["score"]
    assert "win_share_by_strategy" not in known  # one strategy at the table
    assert "mean_of_event_1" not in known  # a name is no number
