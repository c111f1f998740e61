"""Do 95 % intervals hold 95 % of the time?  2,000 experiments each; docs/reference/methods.md records the figures.

Run by name: `pytest tests/verification/test_coverage.py -s` prints them, in some minutes.  The share of 2,000
experiments has an error of half a percentage point of its own, so that 94 to 96 % is what an interval of 95 % shows.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from analysis.cards.counterfactual import _Experiment, effects_table
from analysis.data.accumulate import accumulate
from analysis.data.in_parallel import in_parallel
from analysis.data.sources import SpecSource, played
from analysis.ratings.strengths import strengths
from analysis.seats.advantage import seat_advantage
from analysis.stats.multiple_testing import adjust, p_values
from tests.analysis.lopsided import chances_of, coverage, coverages
from tests.analysis.made import Made, finals
from tests.analysis.tunings import SHAPES, held
from tests.specs import make_spec

EXPERIMENTS = 2_000


def told(what: str, held: np.ndarray) -> float:
    """Print and return a coverage."""
    coverage = float(np.mean(held))
    print(f"\n{what}: {coverage:.2%} of {np.size(held):,}")
    return coverage


def within(coverage: float) -> bool:
    return 0.94 <= coverage <= 0.96


# --- seats ---


@pytest.mark.parametrize("chances", [(0.378, 0.218, 0.197, 0.207), (0.5347, 0.4653)], ids=["four", "Pig"])
def test_all_seat_shares_at_once_with_known_chances(chances: tuple[float, ...]) -> None:
    """The chances that METHODS quotes for a skilled line-up, and for Pig; 1,000 games an experiment."""
    rng, held = np.random.default_rng(1), []
    for _ in range(EXPERIMENTS):
        won = np.eye(len(chances), dtype=int)[rng.choice(len(chances), 1_000, p=chances)]
        table = seat_advantage(Made(finals(won))).table
        low, high = table["share_low"].to_numpy(), table["share_high"].to_numpy()
        held.append(bool(((low <= chances) & (chances <= high)).all()))
    assert within(told(f"seat shares, {len(chances)} seats at once", np.array(held)))


TABLES = {
    "equal, two": (0.5,) * 2,
    "equal, four": (0.25,) * 4,
    "equal, five": (0.2,) * 5,
    "a tilted game": (0.51, 0.23, 0.15, 0.11),
    "one seat wins 97 of 100": (0.97, 0.01, 0.01, 0.01),
    "one seat wins 995 of 1,000": (0.995, 0.005),
}


@pytest.mark.parametrize("deals", [30, 60, 100, 200, 500, 2_000])
@pytest.mark.parametrize("table", TABLES)
def test_seat_shares_of_few_deals_and_lopsided_games(table: str, deals: int) -> None:
    """At least 94 %, and close to 95 % from 500 deals on for equal players."""
    found = coverage(TABLES[table], deals, EXPERIMENTS, deals)
    print(f"\nseat shares at once, {table}, {deals:,} deals: {found:.2%} of {EXPERIMENTS:,}")
    assert found >= 0.94
    assert deals < 500 or not table.startswith("equal") or found <= 0.97


MIXED = {
    "wins 996 of 1,000, two seats": chances_of((0.9956, 0.9956), (1, 1)),
    "wins 98 to 99.5 %": chances_of((0.995, 0.99, 0.985, 0.98), (5, 2, 1.5, 1)),
    "wins 80 to 93 %": chances_of((0.93, 0.88, 0.85, 0.8), (5, 2, 1.5, 1)),
    "plays as the others do": chances_of((0.5, 0.25, 0.15, 0.1), (5, 2, 1.5, 1)),
}


@pytest.mark.parametrize("deals", [30, 50, 100, 200, 500, 2_000])
@pytest.mark.parametrize("table", MIXED)
def test_one_strong_player_in_rotation(table: str, deals: int) -> None:
    for what, found in coverages(MIXED[table], deals, EXPERIMENTS, deals):
        print(f"\n{what}, a rotated player who {table}, {deals:,} deals: {found:.2%} of {EXPERIMENTS:,}")
        assert found >= 0.94, what


STRENGTH, SEAT = np.array([0.8, -0.6, -0.2]), np.array([0.3, 0.0, -0.3])
NAMES = ["greedy", "random", "miller"]
ENTRY = (np.arange(3) + np.arange(3)[:, None]) % 3  # who sits where in the three games of a deal


def rotations(experiments: int, deals: int) -> Iterator[Made]:
    """Games with the chances of the model; in half of the deals all games hang on the same luck."""
    rng = np.random.default_rng(2)
    spec = make_spec(3, NAMES, design="rotate")
    for _ in range(experiments):
        luck = rng.gumbel(size=(deals, 3, 3))
        same = rng.random(deals) < 0.5
        luck[same] = luck[same, :1]
        won = (STRENGTH[ENTRY] + SEAT + luck).argmax(axis=2).reshape(-1)
        yield Made(finals(np.eye(3, dtype=int)[won], np.tile(ENTRY, (deals, 1))), spec)


def test_seats_and_strengths_where_games_of_a_deal_hang_together() -> None:
    odds = np.exp(STRENGTH[ENTRY] + SEAT)
    share = (odds / odds.sum(axis=1, keepdims=True)).mean(axis=0)
    seats, strong, naive = [], [], []
    for made in rotations(EXPERIMENTS, 400):
        table = seat_advantage(made).table
        seats.append(bool(((table["share_low"].to_numpy() <= share) & (share <= table["share_high"].to_numpy())).all()))
        found = strengths(made, resamples=0).table
        true = STRENGTH[[NAMES.index(name) for name in found["strategy"]]]
        value, hessian = found["strength"].to_numpy(), found["hessian_se"].to_numpy()
        strong.append((found["strength_low"].to_numpy() <= true) & (true <= found["strength_high"].to_numpy()))
        naive.append(np.abs(value - true) <= 1.96 * hessian)
    assert 0.94 <= told("seat shares in rotation, 3 seats at once", np.array(seats)) <= 0.97
    assert within(told("strengths, errors from deals", np.array(strong)))
    told("strengths, errors of the Hessian (for comparison)", np.array(naive))


def test_bootstrap_of_strengths() -> None:
    held = []
    for made in rotations(400, 400):
        found = strengths(made, resamples=300).table
        true = STRENGTH[[NAMES.index(name) for name in found["strategy"]]]
        held.append((found["bootstrap_low"].to_numpy() <= true) & (true <= found["bootstrap_high"].to_numpy()))
    assert 0.93 <= told("strengths, bootstrap of deals (400 experiments)", np.array(held)) <= 0.97


def test_seat_shares_of_the_real_game() -> None:
    """Greedy at four: 500 games an experiment; the truth is the share in all of them."""
    spec = make_spec(4, ["greedy"], seed=77)
    games = 500

    class Shares:
        def __init__(self) -> None:
            self.rows: list[np.ndarray] = []

        def add(self, block) -> None:
            self.rows.append(np.stack([block["share60"], block["coins"]]))

        def merge(self, other: Shares) -> None:
            self.rows += other.rows

    found, _ = accumulate(SpecSource(spec, games * EXPERIMENTS), ["share60", "coins"], Shares)
    share, coins = np.concatenate(found.rows, axis=1)
    truth, score = share.mean(axis=0) / 60, coins.mean(axis=0)
    held, scored = [], []
    for first in range(0, games * EXPERIMENTS, games):
        part = finals(coins[first : first + games]) | {"share60": share[first : first + games]}
        table = seat_advantage(Made(part, spec)).table
        held.append(bool(((table["share_low"].to_numpy() <= truth) & (truth <= table["share_high"].to_numpy())).all()))
        scored.append(
            bool(((table["score_low"].to_numpy() <= score) & (score <= table["score_high"].to_numpy())).all())
        )
    assert within(told("seat shares of Middle-Ages, 4 seats at once", np.array(held)))
    assert within(told("scores of Middle-Ages, 4 seats at once", np.array(scored)))


# --- cards ---


def real_cards(names: list[str], deals: int, measures: list[tuple[str, str]]) -> None:
    """Judge cards of Middle-Ages under greedy in many experiments; the truth is the effect in all of them."""
    source = played(make_spec(4, ["greedy"], seed=78), deals * EXPERIMENTS)
    assert source.declarations.cards is not None
    experiment = _Experiment(source, source.declarations.cards, names)
    total, lows, highs = experiment.empty(), [], []
    stretches = [range(first, first + deals) for first in range(0, deals * EXPERIMENTS, deals)]
    for sums in in_parallel(experiment.judge, stretches, 2):
        total.merge(sums)
        table = effects_table(names, "all", experiment.measures, sums.single, None, 0.95)
        lows.append(table["effect_low"].to_numpy())
        highs.append(table["effect_high"].to_numpy())
    truth = effects_table(names, "all", experiment.measures, total.single, None, 0.95)
    low, high, true = np.array(lows), np.array(highs), truth["effect"].to_numpy()
    for measure, by in measures:
        here = ((truth["measure"] == measure) & (truth["by"] == by)).to_numpy()
        known = np.isfinite(low[:, here])
        assert known.mean() > 0.99  # few are left out for having moved too seldom
        held = ((low <= true) & (true <= high))[:, here][known]
        assert within(told(f"counterfactual, {measure} {by}", held)), measure


def test_counterfactual_effects_on_the_table() -> None:
    """All 15 Events, 300 deals an experiment, some 80 with each."""
    names = list(make_spec(4).rules.values.events)
    real_cards(names, 300, [("score", ""), ("margin", ""), ("spread", "")])


def test_counterfactual_effects_on_the_wins() -> None:
    """Three Events that change the winner in a quarter of the games that hold them, 1,500 deals an experiment."""
    names = ["barbarian_invasion", "black_death", "earthquake"]
    real_cards(names, 1_500, [("share", "seat"), ("lead_changes", "")])


def test_false_discoveries_stay_at_their_rate() -> None:
    """Ten cards of 15 do nothing, five stand out; and nothing stands out at all.  Effects in standard errors."""
    rng, deals = np.random.default_rng(4), np.full(15, 800)
    five = np.repeat([0.0, -5.0, 2.5, 3.5, 5.0, 6.0], [10, 1, 1, 1, 1, 1])
    rate, wise, none = [], [], []
    for _ in range(EXPERIMENTS):
        p = p_values(five + rng.normal(size=15), np.ones(15), deals)
        named = adjust(p, "fdr_bh") < 0.05
        rate.append(named[:10].sum() / max(named.sum(), 1))
        wise.append(bool((adjust(p, "holm")[:10] < 0.05).any()))
        p = p_values(rng.normal(size=15), np.ones(15), deals)
        none.append([bool((adjust(p, method) < 0.05).any()) for method in ("holm", "fdr_bh")])
    print(f"\nfalse discovery rate of Benjamini-Hochberg at 5 %, 10 of 15 null: {np.mean(rate):.2%}")
    print(f"any false alarm of Holm at 5 %, 10 of 15 null: {np.mean(wise):.2%}")
    holm, screened = np.mean(none, axis=0)
    print(f"any false alarm at 5 %, all null: Holm {holm:.2%}, Benjamini-Hochberg {screened:.2%}")
    assert np.mean(rate) <= 0.05 * 10 / 15 + 0.01
    assert np.mean(wise) <= 0.05 + 0.01
    assert max(holm, screened) <= 0.05 + 0.01


# --- tuned players ---


@pytest.mark.parametrize("tunings", [3, 4, 5])
@pytest.mark.parametrize("shape", SHAPES)
def test_ranges_of_tuned_columns(tunings: int, shape: str) -> None:
    """Where tunings differ much more than the deals of one, four times as much, and as much."""
    for ratio in (1e9, 4.0, 1.0):
        found = held(tunings, shape, ratio, 200_000)
        print(f"\n{tunings} tunings, {shape}, ratio {ratio:g}: {found:.1%}")
        assert found >= 0.95
