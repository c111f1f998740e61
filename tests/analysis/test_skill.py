"""Answers along the ladder of skill: which seat is best where, and what changes sides."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import polars as pl
import pytest

from analysis.data.results import Verdict
from analysis.games.middle_ages.holdings import pick_values
from analysis.seats.shares import Lines, judge_lines
from analysis.skill import Ladder, ladder
from analysis.stats.margin import FAIR
from reports.words import ENGLISH
from simcore.errors import UsageError
from strategies.spec import make_spec


def frame(values: Mapping[object, float], se: float | None = 0.01, deals: int = 10_000) -> pl.DataFrame:
    return pl.DataFrame(
        [
            {
                "what": what,
                "value": value,
                "value_se": se,
                "deals": deals,
                "value_low": se and value - 2 * se,
                "value_high": se and value + 2 * se,
            }
            for what, value in values.items()
        ]
    ).with_columns(pl.col("value_se", "value_low", "value_high").cast(pl.Float64))


def judged(shares: list[float], se: float) -> Verdict:
    """What simulate and report say of such seats."""
    share, par = np.array(shares), np.full(len(shares), 0.25)
    lines = Lines(
        [{"seat": seat} for seat in range(1, len(shares) + 1)],
        share,
        np.full(len(shares), se),
        share - 2.5 * se,
        share + 2.5 * se,
        par,
        FAIR.at(par),
    )
    return judge_lines("seats", lines, 10_000, {})


def seats(se: float = 0.005, **rungs: list[float]) -> Ladder:
    frames = {name: frame(dict(enumerate(shares, 1)), se) for name, shares in rungs.items()}
    return ladder("seats", frames, centre=0.25, judged={name: judged(shares, se) for name, shares in rungs.items()})


def test_the_best_seat_flips() -> None:
    """The shares that METHODS.md gives for greedy players and a tuned policy: last seat best, then the first."""
    found = seats(greedy=[0.206, 0.209, 0.255, 0.331], tuned=[0.378, 0.218, 0.197, 0.207])
    assert found.verdict.code == "ladder_seats_opposite"
    assert ENGLISH.verdict(found.verdict) == (
        "It depends on skill: under greedy, seat 4 stands out with 33.1% of the wins; under tuned, it wins 20.7%, "
        "surely on the other side of its fair share."
    )
    assert found.moved["what"].to_list()[0] == 1
    assert found.moved.filter(pl.col("turned"))["what"].sort().to_list() == [1, 4]


@pytest.mark.parametrize(
    ("weak", "strong", "code"),
    [
        ([0.35, 0.25, 0.25, 0.15], [0.40, 0.25, 0.20, 0.15], "same"),
        ([0.25, 0.25, 0.25, 0.25], [0.40, 0.25, 0.20, 0.15], "tilted"),
        ([0.35, 0.25, 0.25, 0.15], [0.25, 0.25, 0.25, 0.25], "fair"),
        ([0.35, 0.25, 0.25, 0.15], [0.26, 0.40, 0.19, 0.15], "other"),
        ([0.35, 0.25, 0.25, 0.15], [0.35, 0.34, 0.16, 0.15], "several"),
        ([0.35, 0.25, 0.25, 0.15], [0.285, 0.25, 0.25, 0.215], "few"),
        ([0.285, 0.25, 0.25, 0.215], [0.40, 0.25, 0.20, 0.15], "only"),
        ([0.25, 0.25, 0.25, 0.25], [0.251, 0.25, 0.25, 0.249], "none"),
    ],
)
def test_other_stories_of_seats(weak: list[float], strong: list[float], code: str) -> None:
    assert seats(weak=weak, strong=strong).verdict.code == f"ladder_seats_{code}"


def test_what_the_strongest_players_cannot_say_is_not_called_a_change() -> None:
    """Their few games show nothing; the levels below them contradict each other, which comes first."""
    faint = [0.26, 0.25, 0.25, 0.24]
    few = seats(weak=[0.35, 0.25, 0.25, 0.15], strong=[0.285, 0.25, 0.25, 0.215]).verdict
    assert ENGLISH.verdict(few) == (
        "Under weak, seat 1 stands out with 35.0% of the wins; too few games were played under strong to say whether "
        "it does there, too."
    )
    three = seats(weak=[0.15, 0.25, 0.25, 0.35], mid=[0.35, 0.25, 0.25, 0.15], strong=faint, se=0.005).verdict
    assert (three.code, three.values["weak"], three.values["strong"]) == ("ladder_seats_opposite", "weak", "mid")


def test_the_ladder_says_what_the_verdicts_of_its_levels_say() -> None:
    """Seat 3 of the stronger level surely wins too little, and no other seat is sure to win too much."""
    found = seats(weak=[0.25, 0.25, 0.25, 0.25], strong=[0.27, 0.27, 0.19, 0.27])
    assert judged([0.27, 0.27, 0.19, 0.27], 0.005).code == "seats_tilted_low"
    said = (
        "It depends on skill: under weak, all seats are fair; under strong, seat 3 stands out with 19.0% of the wins."
    )
    assert ENGLISH.verdict(found.verdict) == said
    faint = seats(weak=[0.25, 0.25, 0.25, 0.25], strong=[0.27, 0.27, 0.23, 0.23])
    assert (faint.table.filter(skill="strong")["side"] != 0).all(), "significant"
    assert faint.verdict.code == "ladder_seats_none", "but within the margin"


def test_an_effect_that_changes_sides_comes_first() -> None:
    """Of a, which moves by 3 on one side, and b, which moves by 0.4 across, b is told first."""
    found = ladder(
        "cards", {"weak": frame({"a": 1, "b": -0.2}), "strong": frame({"a": 4, "b": 0.2})}, values={"nouns": "X"}
    )
    assert found.verdict.code == "ladder_cards_turns"
    assert found.moved["what"].to_list() == ["b", "a"]
    assert ENGLISH.verdict(found.verdict).startswith(
        "X: 1 of 2 turn from good to bad, or the other way round, as players improve. b, for example, moves the mean "
        "score by −0.20"
    )


def test_a_change_of_sides_that_chance_may_have_made_is_none() -> None:
    """0.025 is 2.5 errors of 0.01: outside one 95 % interval, but not told where 4 are judged at once (2.498)."""
    values = {"nouns": "X"}
    found = ladder("cards", {"w": frame({"a": 1, "b": -0.0249}), "s": frame({"a": 1, "b": 0.2})}, values=values)
    assert found.verdict.code == "ladder_cards_holds"
    found = ladder("cards", {"w": frame({"a": 1, "b": -0.0251}), "s": frame({"a": 1, "b": 0.2})}, values=values)
    assert found.verdict.code == "ladder_cards_turns"


def test_what_has_no_errors_cannot_be_told() -> None:
    few = frame({"a": 1.0, "b": -1.0}, None, 3)
    assert ladder("cards", {"w": few, "s": few}, values={"nouns": "X"}).verdict.status == "unknown"
    assert (ladder("seats", {"w": few, "s": few}).table["side"] == 0).all()


def test_one_level_is_no_ladder() -> None:
    with pytest.raises(UsageError, match="a single level of skill"):
        ladder("seats", {"only": frame({1: 0.5})})


def test_a_kind_over_all_rounds_is_the_mean_of_its_rounds() -> None:
    spec = make_spec("middle-ages", 4, ["greedy"], games=600, seed=5)
    found = pick_values(spec)
    taken = found.table.group_by("kind", "round").agg(pl.col("times").sum())
    joined = found.adjusted.join(taken, on=["kind", "round"])
    mean = (pl.col("value") * pl.col("times")).sum() / pl.col("times").sum()
    expected = dict(joined.group_by("kind").agg(mean.alias("value")).iter_rows())
    assert dict(found.by_kind.select("kind", "value").iter_rows()) == pytest.approx(expected)
    assert found.by_kind["times"].sum() == 600 * 4 * 16
    assert (found.by_kind["value_se"] > 0).all()
