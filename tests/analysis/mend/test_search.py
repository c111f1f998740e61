"""The search, on a made game whose true shares are known."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import product

import numpy as np
import pytest

from analysis.mend.search import (
    DEAD,
    EVEN,
    FRESH,
    JUDGE,
    RACE,
    SEARCH,
    TURNS,
    Effort,
    Search,
    Surrogate,
    closest,
    fair_prices,
    smallest,
)
from analysis.mend.targets import Line, Who
from simcore.errors import UsageError
from simcore.rules.levers import Lever, Point, size_of
from tests.analysis.mend.made import COINS, LINES, SEATS, START, MadeTrials, coins, shares


def searched(trials: MadeTrials, levers: Sequence[Lever] = COINS, games: int = 2_000, seed: int = 1) -> Search:
    search = Search(trials, levers, LINES, Effort(games), seed)
    search.settle()
    search.trace()
    return search


def mended(search: Search) -> Point:
    """Go through the whole search; return the best change."""
    survey = search.survey()
    picture, _, who = search.learned(survey)
    promising = search.race(picture, who)
    smaller = search.fewer(survey, picture, who, search.touched(promising[0]))
    return search.judge([*promising, *smaller])[0][0].point


@pytest.mark.parametrize("seed", range(3))
def test_the_coins_that_make_seats_even(seed: int) -> None:
    """The strengths differ by 1.4, and a coin adds 1/36 for players who know it: about 50 coins for the last seat."""
    trials = MadeTrials()
    best = mended(searched(trials, seed=seed))
    assert np.abs(shares(trials, best) - 0.25).max() < 0.015
    assert abs(best[3] - best[0] - 1.4 * 36) < 6
    assert trials.known and trials.played < 400_000


def test_a_target_of_its_own_for_one_seat_leaves_the_others_theirs() -> None:
    own, *others = LINES
    lines = [replace(own, wanted=0.4), *(replace(line, par=True) for line in others)]
    search = Search(MadeTrials(), COINS, lines, Effort(2_000), 1)
    search.settle()
    assert [line.wanted for line in search.lines] == [0.4, 0.25, 0.25, 0.25]


def test_fewer_values_are_preferred() -> None:
    """Coins for all seats change nothing, so one seat gets none."""
    for seed in (4, 7):
        best = mended(searched(MadeTrials(), games=4_000, seed=seed))
        assert min(best) == 0 and size_of(COINS, best) < 5.2


def test_the_players_who_know_a_change_are_asked() -> None:
    """By habit a coin adds a fortieth only: who judges by habit gives the last seat five coins too many."""
    habit = MadeTrials(knowing=False)
    best = mended(searched(habit, games=8_000))
    assert not habit.known
    assert np.abs(shares(habit, best, who=()) - 0.25).max() < 0.012
    assert best[3] - best[0] > 1.4 * 37.5


def test_what_is_judged_was_not_seen_by_the_search() -> None:
    trials = MadeTrials()
    search = searched(trials)
    picture, _, who = search.learned(search.survey())
    before = set(trials.series)
    assert SEARCH in before and not before & {RACE, JUDGE, FRESH}
    points = search.race(picture, who)
    assert RACE in trials.series and JUDGE not in trials.series
    search.judge(points)
    assert JUDGE in trials.series and FRESH not in trials.series


def test_the_plan_counts_every_game_of_a_round_of_tuning() -> None:
    trials = MadeTrials()
    search = searched(trials, games=200)
    survey, before = search.survey(), trials.played
    search.learned(survey)
    rounds, none = (Effort(200, rounds=count).planned(COINS) for count in (len(search.rounds), 0))
    assert rounds - none == trials.played - before > 0


def test_players_who_differ_judge_together() -> None:
    """Each player that was tuned makes something else of the seats; the change is even for all of them together."""

    def quirky(point: Point, who: Who) -> np.ndarray:
        quirks = [np.random.default_rng(number).normal(0, 0.08, SEATS) for number in who]
        return coins(point, who) + (np.mean(quirks, axis=0) if quirks else 0)

    trials = MadeTrials(quirky)
    search = searched(trials, games=4_000)
    picture, _, who = search.learned(search.survey())
    judged = search.judge(search.race(picture, who))
    (best, known), *_ = search.polish(judged, picture)
    assert len(known) > 1
    assert np.abs(shares(trials, best.point, known) - 0.25).max() < 0.012


def test_players_know_a_change_and_its_neighbours() -> None:
    search = Search(MadeTrials(), [*COINS[:2], Lever("switch", 0, 0, 1, switch=True)], LINES, Effort(), 1)
    assert [search.learn(point) for point in ((0, 30, 0), (0, 36, 0))] == [(1,), (2, 1)]
    assert search.learn((5, 33, 1)) == (3,)  # a switch has no neighbour
    assert search.knowing((1, 31, 0)) == (1, 2)
    assert search.learn((0, 30, 0), 3) == (1, 4, 2)  # a second tuning, and not the first one again
    assert search.knowing((0, 60, 0)) == ()


def test_dead_levers_are_named_and_left_alone() -> None:
    levers = [*COINS, Lever("dust", 3, 0, 9)]
    trials = MadeTrials(lambda point, who: coins(point[:SEATS], who))
    search = searched(trials, levers)
    assert [curve.shape for curve in search.curves] == [*[EVEN] * SEATS, DEAD]
    assert mended(search)[-1] == 3
    with pytest.raises(UsageError, match="no value of dust that was tried changes a single game; free other keys"):
        dull = Search(MadeTrials(lambda point, who: START), [levers[-1]], LINES, Effort(500), 1)
        dull.settle()
        dull.trace()


def test_levers_that_turn_are_named() -> None:
    """A few coins for the last seat are stolen from it; many are worth their price."""

    def robbed(point: Point, who: Who) -> np.ndarray:
        made = coins(point, who)
        made[3] -= 0.9 * (0 < point[3] < 20)
        return made

    search = searched(MadeTrials(robbed), games=4_000)
    assert [curve.shape for curve in search.curves] == [EVEN, EVEN, EVEN, TURNS]
    assert search.curves[3].line == "seat-4"
    assert search.table_of_curves.filter(lever="coins.4", name="seat-4")["shape"].unique().to_list() == [TURNS]


def test_a_target_out_of_reach_is_approached() -> None:
    """Ten coins are too few; the most that the ranges allow is the least tilt."""
    short = [Lever(lever.key, 0, 0, 10) for lever in COINS]
    best = mended(searched(MadeTrials(), short))
    assert (best[0], best[3]) == (0, 10)


def test_fewer_values_leave_more_tilt() -> None:
    search = searched(MadeTrials(), games=4_000)
    survey = search.survey()
    learned, _, who = search.learned(survey)
    found = search.fewer(survey, learned, who, 3)
    assert [search.touched(point) for point in found] == [1, 2]
    left = [np.abs(shares(MadeTrials(), point) - 0.25).max() for point in found]
    assert 0.23 > left[0] > left[1] > 0.03


def test_prices_make_seats_worth_the_same() -> None:
    trials = MadeTrials()
    search = searched(trials, games=8_000)
    picture, here, _ = search.learned(search.survey())
    found = fair_prices(COINS, LINES, picture, here, "coins", SEATS, 0.95)
    true = (START - START[3]) * 36
    low, high = found["price_low"].to_numpy(), found["price_high"].to_numpy()
    assert ((low - 2 <= true) & (true <= high + 2)).all()
    assert (high - low).max() < 8
    assert fair_prices(COINS[:3], LINES, picture, here, "coins", SEATS, 0.95).is_empty()


def test_the_program_finds_what_trying_everything_finds() -> None:
    """Two lines and three levers of five values, one of which is kept within its band."""
    draws = np.random.default_rng(5)
    levers = [Lever(name, 0, -2, 2) for name in "abc"]
    for _ in range(20):
        lines = [Line("x", "measure", (), False, 1.0, 0.5), Line("y", "measure", (), False, 0.0, 0.5, kept=True)]
        picture = Surrogate(np.zeros(3), draws.normal(size=2) * [1, 0.2], draws.normal(size=(2, 3)))
        every = list(product(range(-2, 3), repeat=3))
        off = {point: np.abs(picture.at(point) - [1.0, 0.0]) / 0.5 for point in every}
        fair = {point: away[0] for point, away in off.items() if away[1] <= 1}
        found = closest(picture, levers, lines)
        assert found is not None
        if fair:
            assert fair[found] <= min(fair.values()) + 0.01
        one = closest(picture, levers, lines, touched=1)
        assert one is not None and sum(map(bool, one)) <= 1
        within = {point for point, away in fair.items() if away <= 1}
        small = smallest(picture, levers, lines, 1.0)
        if within:
            assert small in within
            assert size_of(levers, small) == pytest.approx(min(size_of(levers, point) for point in within), abs=0.01)
        elif small is not None:
            assert off[small][1] > 1
