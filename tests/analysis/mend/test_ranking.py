"""The order of the changes that a search found, what each leaves, and what would decide the undecided ones."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from scipy.special import stdtrit

from analysis.data.edits import Edit, Edits
from analysis.data.results import Verdict
from analysis.mend.result import CHANGES, DENIED, LOOKS, MEETS, MISSES, OPEN, Ahead, Ranking, Variant, change_row
from analysis.mend.search import Effort, Search
from analysis.mend.targets import BLOCKS, Line, Seen
from analysis.seats.agreement import FEW, SAME, TILTED, Agreement
from tests.analysis.mend.made import COINS, LINES, MadeTrials

ROGUES = Line("rogues", "measure", (), False, 2.0, 2 / 3, kept=True)
OTHERS = [replace(COINS[0], key="hand"), replace(COINS[1], key="turns"), *COINS[2:]]
"""Levers of which each is another idea but for the last two."""


def ranking(lines: Any = LINES, levers: Any = OTHERS, variants: Any = None) -> Ranking:
    return Ranking(Search(MadeTrials(), levers, lines, Effort(), 1), variants or {}, 5, 0.95)


def seen(point: tuple[int, ...], shares: tuple[float, ...], noise: float) -> Seen:
    """Shares in blocks whose mean is exactly as given, with an error of about a tenth of the noise."""
    wave = noise * np.resize([1.0, -1.0], BLOCKS)[:, None]
    return Seen(point, np.array(shares) + wave * np.resize([1, -1], len(shares)), 20_000, "")


LARGE = seen((9, 20, 30, 40), (0.25, 0.25, 0.25, 0.25), 0.001)
SMALL = seen((0, 0, 20, 30), (0.252, 0.249, 0.25, 0.249), 0.001)
UNSURE = seen((0, 9, 0, 30), (0.265, 0.25, 0.25, 0.235), 0.15)
WIDE = seen((9, 0, 0, 0), (0.277, 0.25, 0.25, 0.223), 0.15)
FAR = seen((0, 5, 0, 0), (0.40, 0.20, 0.20, 0.20), 0.001)


def order(found: Ranking, *some: Seen) -> list[Seen]:
    return [one for one, _ in found.ranked([(one, ()) for one in some])]


def test_changes_that_meet_the_target_come_first_smallest_first_and_none_that_misses() -> None:
    """The largest change is the most even one; the smaller one meets the target too, so it comes first."""
    found = ranking()
    assert [found.target(one) for one in (LARGE, SMALL, UNSURE, FAR)] == [MEETS, MEETS, OPEN, MISSES]
    assert order(found, FAR, WIDE, LARGE, UNSURE, SMALL) == [SMALL, LARGE, UNSURE, WIDE]
    farther = seen((0, 0, 0, 1), (0.45, 0.19, 0.18, 0.18), 0.001)
    assert order(found, farther, FAR) == [FAR], "the closest, if all miss"


def test_what_players_who_look_ahead_deny_does_not_meet_the_target() -> None:
    for says, target in ((TILTED, DENIED), (FEW, MEETS), (SAME, MEETS)):
        ahead = Ahead(4, Verdict("seats_fair", "fair"), Agreement(says), 400)
        row = change_row(ranking(), 1, SMALL, [4], 20_000, ahead)
        assert (row["target"], row["ahead"], row["decides"]) == (target, says, None)


def test_the_part_of_the_distance_that_is_gone_is_that_of_the_targets_alone() -> None:
    found = ranking()
    assert found.gone(FAR, replace(FAR, blocks=0.25 + (FAR.blocks - 0.25) / 4)) == pytest.approx(0.75, abs=0.01)
    assert found.gone(FAR, FAR) == 0.0
    kept = ranking((*LINES, ROGUES))
    shares, dull = FAR.blocks, SMALL.blocks
    before, after = (
        replace(FAR, blocks=np.column_stack([one, np.full(BLOCKS, rogues)]))
        for one, rogues in ((shares, 2.0), (dull, 0.1))
    )
    assert kept.gone(before, after) > 0.9, "whatever else it changes"


def test_the_same_coins_by_other_numbers_are_one_idea() -> None:
    """17, 25 and 34 coins beside 16, 25 and 33 are no second proposal."""
    other = replace(SMALL, point=(0, 0, 21, 31))
    assert order(ranking(), other, SMALL, LARGE) == [SMALL, LARGE]
    assert order(ranking(levers=COINS), LARGE, SMALL) == [SMALL]


def test_a_change_that_makes_another_game_comes_last_and_says_how_much() -> None:
    found = ranking([*LINES, ROGUES])
    dull = seen((1, 0, 0, 0), (0.25, 0.25, 0.25, 0.25, 0.14), 0.001)
    unsure = seen((0, 9, 0, 30), (0.265, 0.25, 0.25, 0.235, 1.9), 0.15)
    assert found.target(dull) == CHANGES
    assert order(found, dull, unsure) == [unsure, dull]
    ((line, by),) = found.breaks(dull)
    assert line.name == "rogues" and by == pytest.approx(-0.93)
    assert found.target(replace(dull, blocks=dull.blocks + np.array([0, 0, 0, 0, 1.5]))) == MEETS


def test_a_rule_set_of_the_game_is_judged_in_the_same_order() -> None:
    """One switch that is not free counts as moved over its whole range: smaller than two lots of coins."""
    variants = {"gentler": Variant(Edits([Edit("buries", True, False)]), 2.0)}
    found = ranking(variants=variants)
    gentler = replace(SMALL, point=(0, 0, 0, 0), variant="gentler")
    assert order(found, SMALL, gentler) == [gentler, SMALL]
    assert found.edits(gentler) == (("buries", True, False, None),)


def test_the_games_that_would_decide_do() -> None:
    """With as many games as named, an undecided change is decided, and with a tenth of them it is not."""
    found = ranking()
    games = found.decides(UNSURE, 50_000)
    assert games is not None
    fewer = np.sqrt(50_000 / (5 * games))
    assert found.target(seen(UNSURE.point, (0.265, 0.25, 0.25, 0.235), 0.15 * fewer)) == MEETS
    assert found.target(seen(UNSURE.point, (0.265, 0.25, 0.25, 0.235), 0.15 * fewer * np.sqrt(10))) == OPEN
    edge = seen(UNSURE.point, (0.28, 0.25, 0.25, 0.22), 0.15)
    assert found.decides(edge, 50_000) is None, "exactly at the margin, nothing decides"


def test_more_deals_are_played_for_an_undecided_change_that_is_smaller_than_the_first() -> None:
    """The made game plays it again; one that is larger is left as it is."""
    found = ranking(levers=COINS)
    small, large = replace(UNSURE, point=(0, 0, 0, 30)), replace(UNSURE, point=(20, 40, 50, 60))
    again = found.settled([(LARGE, ()), (small, ()), (large, ())], 1_000)
    assert [one.deals for one, _ in again] == [20_000, 8_000, 20_000]


def test_the_ranges_hold_the_spread_between_tunings() -> None:
    """Three players whose wins differ by two points widen every range, by t(2) at the tail of the constant.

    t(2) = (1 - 2q) / sqrt(2q(1 - q)).  Two players tell too little of that, and more games bring no players closer.
    """
    found = ranking()
    apart = replace(SMALL, apart=np.full(4, 0.02), players=3)
    tail = 0.05 / 2 / (5 * 4 * LOOKS)
    (low, high), (wide_low, wide_high) = found.ends(SMALL), found.ends(apart)
    expected = (1 - 2 * tail) / np.sqrt(2 * tail * (1 - tail)) * 0.02 / np.sqrt(3)
    assert (wide_high - wide_low).mean() / 2 == pytest.approx(expected, rel=0.01)
    assert np.isnan(found.ends(replace(apart, players=2))).all() and found.decides(apart, 50_000) is None
    assert (high - low).mean() < 0.1 * (wide_high - wide_low).mean()
    assert (found.target(SMALL), found.target(apart)) == (MEETS, OPEN)


def test_the_players_of_all_changes_tell_together_how_much_tunings_differ() -> None:
    """Twelve players of four changes leave 8 degrees of freedom: t(8) is the quantile of 9 tunings of one change.

    The spread of a change is that of all, but never less than its own.
    """
    apart = [replace(SMALL, apart=np.full(4, size), players=3) for size in (0.001, 0.02, 0.02, 0.02)]
    played = [(one, (3 * at + 1, 3 * at + 2, 3 * at + 3)) for at, one in enumerate(apart)]
    found = replace(ranking(), played=played)
    reaches = [float((high - low).mean() / 2) for low, high in map(found.ends, apart)]
    usual = float(np.abs(stdtrit(8, 0.05 / 2 / (5 * 4 * LOOKS)))) / np.sqrt(3)
    pooled = np.sqrt((0.001**2 + 3 * 0.02**2) / 4)
    assert reaches == pytest.approx([usual * pooled, *[usual * 0.02] * 3], rel=0.02)
    shared = replace(found, played=[(one, (1, 2, 3)) for one in apart])
    assert float(np.subtract(*shared.ends(apart[1])).mean() / -2) > 2 * reaches[1], "the same three players"


def test_the_distance_that_is_left_is_that_of_all_seats() -> None:
    left = ranking().between(FAR, 4)
    assert left["left"] == pytest.approx(0.2)
    assert left["left_low"] is not None and left["left_low"] > 0.19
    assert ranking(LINES[:2]).between(replace(FAR, blocks=FAR.blocks[:, :2]), 4) == {
        "left": None,
        "left_low": None,
        "left_high": None,
    }
