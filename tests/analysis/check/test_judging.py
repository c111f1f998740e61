"""Verdicts on sums that were made by hand."""

from __future__ import annotations

import math
from contextlib import nullcontext
from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import norm

from analysis.check.baseline import Value
from analysis.check.claims import (
    Claim,
    Finding,
    StoppingRule,
    judge,
    judge_stored,
    margin_text,
    read_margin,
    somebody_wins,
)
from analysis.measures.sampling import Estimand, Sums
from analysis.stats.multiple_testing import anytime_half_width
from simcore.errors import UsageError

MARGIN = 0.005


def claim(
    reference: float = 0.25, error: float = 0.0, margin: float = MARGIN, alone: bool = False, is_share: bool = True
) -> Claim:
    value = Value(value=reference, error=error)
    return Claim(4, "share", "measure", is_share, Estimand("share", "", None, alone), value, -margin, margin)


def limit(low: float, high: float) -> Claim:
    """Return a limit of the share itself."""
    return replace(claim(0.0, alone=True), kind="limit", low=low, high=high)


def sums(now: np.ndarray, then: np.ndarray | None = None) -> Sums:
    """Sums over deals of one measure, now and then."""
    found, one = Sums.empty(1), np.ones((len(now), 1))
    old = np.zeros_like(now) if then is None else then
    found.deals = len(now)
    found.shift.add(now[:, None], one, old[:, None], one)
    found.moved = np.array([int((now != old).sum())])
    found.plain = np.array([[now.sum()], [now @ now]])
    return found


def said(made: Sums, paired: bool, stopping: StoppingRule, of: Claim | None = None) -> Finding:
    return judge({0: of or claim()}, made, paired, stopping)[0]


def flips(deals: int, ups: int, downs: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """Deals of which some turned from 0 to 1 and some from 1 to 0; half of all were 1 before."""
    then = np.tile([1.0, 0.0], deals // 2)
    now = then.copy()
    now[np.flatnonzero(then == 0)[:ups]] = 1
    now[np.flatnonzero(then == 1)[:downs]] = 0
    return now, then


BENCH = StoppingRule(0.05 / 40, 25_000, 100_000)


def test_the_interval_is_the_mixtures() -> None:
    """2,000 of 100,000 flip up: mean .02, variance .02 x .98 (n / (n - 1))."""
    made = sums(*flips(100_000, 2_000))
    found = said(made, True, BENCH)
    se = math.sqrt(0.02 * 0.98 / 99_999)
    half = anytime_half_width(se, 100_000, 25_000, BENCH.alpha)
    assert found.shift == pytest.approx(0.02)
    assert (found.low, found.high) == pytest.approx((0.02 - half, 0.02 + half))
    assert found.z == pytest.approx(((0.02 + MARGIN) / se, (0.02 - MARGIN) / se))
    assert found.smallest == pytest.approx(MARGIN + half + 1.645 * se)
    assert found.verdict == "fail"
    assert found.before == pytest.approx(0.5)


@pytest.mark.parametrize(
    ("ups", "downs", "verdict"),
    [
        (0, 0, "pass"),
        (1_000, 1_000, "pass"),
        (1_500, 1_000, "inconclusive"),
        (3_000, 1_000, "fail"),
        (0, 2_000, "fail"),
    ],
)
def test_within_beyond_and_neither(ups: int, downs: int, verdict: str) -> None:
    assert said(sums(*flips(100_000, ups, downs)), True, BENCH).verdict == verdict


def test_few_deals_decide_nothing() -> None:
    assert said(sums(*flips(900, 400)), True, BENCH).verdict == "inconclusive"


def test_few_moved_deals_are_not_trusted() -> None:
    """Three flips of 1,000 are as three with 27 more of a whole standard deviation, 1/2, either way."""
    found = said(sums(*flips(1_000, 3)), True, BENCH)
    se = math.sqrt(0.003 * 0.997 / 999 + 27 * 0.503 * 0.497 / 1_000**2)
    assert found.high is not None
    assert found.high - 0.003 == pytest.approx(anytime_half_width(se, 1_000, 25_000, BENCH.alpha))
    assert found.verdict == "inconclusive"


def test_a_stored_values_own_error_widens() -> None:
    now, _ = flips(100_000, 0)
    exact = said(sums(now), False, BENCH, claim(0.5))
    noisy = said(sums(now), False, BENCH, claim(0.5, 0.002))
    assert exact.high is not None
    assert noisy.high is not None
    # The variances add up; how often one looks matters less, so that the ratio is a little below the errors'.
    ratio = (noisy.high - noisy.shift) / (exact.high - exact.shift)
    assert ratio == pytest.approx(math.hypot(0.5 / math.sqrt(100_000), 0.002) / (0.5 / math.sqrt(100_000)), rel=0.03)
    assert noisy.verdict == "inconclusive"


def test_a_measure_that_never_varies_keeps_the_references_error() -> None:
    found = said(sums(np.full(2_000, 16.0)), False, BENCH, claim(16.0, 0.1, margin=1.0, is_share=False))
    assert found.verdict == "pass"
    assert found.high == pytest.approx(anytime_half_width(0.1, 1, 1, BENCH.alpha), rel=1e-3)


def test_a_limit_looks_at_now_alone() -> None:
    now, then = flips(100_000, 0)
    found = said(sums(now), True, BENCH, claim(0.25, alone=True))
    assert found.shift == pytest.approx(0.25)
    assert found.verdict == "fail"
    assert said(sums(now, then), True, BENCH).verdict == "pass"


def test_gsprt_asks_for_none_or_the_margin() -> None:
    """A shift of the margin fails, which intervals leave open; none passes; far fewer deals do."""
    stopping = StoppingRule(BENCH.alpha, BENCH.planned, BENCH.most, "gsprt")
    moved = sums(*flips(60_000, 600, 300))
    assert said(moved, True, stopping).verdict == "fail"
    assert said(moved, True, BENCH).verdict == "inconclusive"
    still = sums(*flips(20_000, 300, 300))
    assert said(still, True, stopping).verdict == "pass"
    assert said(still, True, BENCH).verdict == "inconclusive"
    found = said(still, True, stopping)
    assert found.smallest is not None
    assert MARGIN / 2 < found.smallest < 2 * MARGIN


@pytest.mark.parametrize("side", [1, -1])
def test_gsprt_decides_at_walds_bounds(side: int) -> None:
    """Two sides share 5 %: one is 39 times as likely as no shift if that is a fail, both 39 times less for a pass."""
    stopping = StoppingRule(0.05, 15_000, 60_000, "gsprt")
    for more in (*range(110, 118), *range(184, 194)):
        turned = (1_400 + more, 1_400) if side > 0 else (1_400, 1_400 + more)
        shift, error = side * more / 60_000, math.sqrt((sum(turned) / 60_000 - (more / 60_000) ** 2) / 59_999)
        ratio = max(norm.logpdf(shift, end, error) - norm.logpdf(shift, 0, error) for end in (MARGIN, -MARGIN))
        verdict = "fail" if ratio >= math.log(39) else "pass" if ratio <= -math.log(39) else "inconclusive"
        found = said(sums(*flips(60_000, *turned)), True, stopping)
        assert (found.verdict, found.smallest is None) == (verdict, False), more
        least = found.smallest - 1.645 * error
        assert norm.logpdf(least, MARGIN, error) - norm.logpdf(least, 0, error) == pytest.approx(math.log(39))


@pytest.mark.parametrize("method", ["interval", "gsprt"])
@pytest.mark.parametrize(("now", "verdict"), [(16.0, "pass"), (16.5, "pass"), (17.5, "fail"), (14.5, "fail")])
def test_what_is_the_same_in_every_game_is_judged_without_an_error(method: str, now: float, verdict: str) -> None:
    stopping = StoppingRule(BENCH.alpha, BENCH.planned, BENCH.most, method)
    found = said(
        sums(np.full(2_000, now), np.full(2_000, 16.0)), True, stopping, claim(16.0, margin=1.0, is_share=False)
    )
    assert (found.verdict, found.z) == (verdict, None)
    assert found.low == found.shift == found.high == pytest.approx(now - 16)


@pytest.mark.parametrize("side", [1, -1])
def test_gsprt_is_undecided_half_way_to_the_margin(side: int) -> None:
    """Both hypotheses are then equally likely: their ratio is 1, and its logarithm 0."""
    stopping = StoppingRule(BENCH.alpha, BENCH.planned, BENCH.most, "gsprt")
    ups, downs = (450, 300) if side > 0 else (300, 450)
    found = said(sums(*flips(60_000, ups, downs)), True, stopping)
    assert found.shift == pytest.approx(side * MARGIN / 2)
    assert found.verdict == "inconclusive"


def unseen(deals: int, held_then: int) -> Sums:
    """Sums over deals that hold a card only in the former game."""
    made, none = Sums.empty(1), np.zeros((deals, 1))
    held = none.copy()
    held[:held_then] = 1
    made.deals = deals
    made.shift.add(none, none, held, held)
    return made


def test_what_the_game_lacks_fails() -> None:
    assert judge({0: claim()}, unseen(1_000, 0), False, BENCH, gone={0})[0].verdict == "fail"


@pytest.mark.parametrize(("held", "verdict"), [(2, "inconclusive"), (9, "inconclusive"), (10, "fail")])
def test_what_is_rare_may_be_missing_by_chance(held: int, verdict: str) -> None:
    """A card that 0.2 % of the deals hold is missing from 1,000 deals one time in seven; 2**-10 < .05 / 40 < 2**-9."""
    found = said(unseen(1_000, held), True, BENCH)
    assert (found.verdict, found.now) == (verdict, None)
    assert said(unseen(999, held), True, BENCH).verdict == "inconclusive"
    assert said(unseen(1_000, held), False, BENCH).verdict == "inconclusive"


@pytest.mark.parametrize(("value", "verdict"), [(0.25, "pass"), (0.2555, "inconclusive"), (0.27, "fail")])
def test_stored_values_are_judged_by_their_errors(value: float, verdict: str) -> None:
    """Normal point at .05 / 2 is 1.96: .2555 +- .00196 straddles .255."""
    found = judge_stored(claim(is_share=False), Value(value=value, error=0.001), 1_000, 0.05)
    assert found.verdict == verdict
    assert found.high == pytest.approx(value - 0.25 + 1.96 * 0.001, abs=1e-6)


@pytest.mark.parametrize(
    ("low", "high", "stored", "fresh"),
    [
        (0.05, 1.0, "inconclusive", "fail"),
        (-math.inf, 0.02, "inconclusive", "pass"),
        (-math.inf, 0.001, "inconclusive", "inconclusive"),
        (0.0, 0.1, "pass", "pass"),
        (-math.inf, 0.0, "pass", "pass"),
    ],
)
def test_a_share_that_never_varied_is_known_as_well_as_its_deals_allow(
    low: float, high: float, stored: str, fresh: str
) -> None:
    """None of 40 deals says at most 1 - .025 ** (1 / 40) = 8.8 %; none of 2,000 a bit more than ln(1,600) / 2,000."""
    of = limit(low, high)
    few = judge_stored(of, Value(value=0.0, error=0.0), 40, 0.05)
    assert (few.verdict, few.low, few.high) == (stored, 0, pytest.approx(1 - 0.025 ** (1 / 40)))
    many = said(sums(np.zeros(2_000)), False, BENCH, of)
    assert (many.verdict, many.low) == (fresh, 0)
    assert many.high is not None and math.log(1_600) / 2_000 < many.high < 2 * math.log(1_600) / 2_000
    mirrored = said(sums(np.ones(2_000)), False, BENCH, limit(1 - high, 1 - low))
    assert (mirrored.verdict, mirrored.high) == (fresh, 1)


def test_one_game_breaks_a_limit_of_never() -> None:
    once = np.zeros(2_000)
    once[7] = 1
    assert said(sums(once), False, BENCH, limit(-math.inf, 0.0)).verdict == "fail"
    assert judge_stored(limit(-math.inf, 0.0), Value(value=0.0005, error=0.0005), 2_000, 0.05).verdict == "fail"


def test_a_rate_above_its_limit_is_not_missed_more_often_than_asked() -> None:
    """In 1 of 11 samples of 2,000 deals nothing that happens in .12 % of all deals happens at all."""
    draw, stopping, of = np.random.default_rng(3), StoppingRule(0.05, 50_000, 200_000), limit(-math.inf, 0.001)
    passes = [said(sums((draw.random(2_000) < 0.0012).astype(float)), False, stopping, of).verdict for _ in range(400)]
    assert passes.count("pass") <= 0.05 * len(passes)


@pytest.mark.parametrize(("won", "refused"), [(9999, False), (9997, True)])
def test_what_rounding_takes_from_the_shares_is_not_a_game_that_nobody_won(won: int, refused: bool) -> None:
    """Written with three digits of an error of .0122, each of three shares may be .00005 too small."""
    own = replace(claim(1 / 3), name="max_seat_deviation.seat-1", kind="limit")
    each = [(own, Value(value=won / 30_000, error=0.0122))] * 3
    with pytest.raises(UsageError, match="nobody wins") if refused else nullcontext():
        somebody_wins(each)


def test_margins_as_people_write_them() -> None:
    assert read_margin("0.5pp", True, "x") == pytest.approx(0.005)
    assert read_margin("3 pp", True, "x") == pytest.approx(0.03)
    assert read_margin(2, False, "x") == 2
    assert margin_text(0.005, True) == "0.50 pp"
    assert [margin_text(margin, False, sign=True) for margin in (-2.54321, 1234.5)] == ["-2.54", "+1234"]
    for value, share in (("0.5", True), (0.5, True), ("-1pp", True), ("0pp", True), ("1pp", False), (0.0, False)):
        with pytest.raises(UsageError, match=r"^here: .* is not a margin"):
            read_margin(value, share, "here")
    for value in (math.inf, math.nan, -1.0):
        with pytest.raises(UsageError, match="is not a margin"):
            read_margin(value, False, "here")
