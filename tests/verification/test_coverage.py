"""Do 95 % intervals hold 95 % of the time?  2,000 experiments each; docs/reference/methods.md records the figures.

Run by name: `pytest tests/verification/test_coverage.py -s` prints them, in some minutes.  The share of 2,000
experiments has an error of half a percentage point of its own, so that 94 to 96 % is what an interval of 95 % shows.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

import numpy as np
import pytest

from analysis.cards.counterfactual import _Experiment, effects_table
from analysis.cards.impact import exposure
from analysis.data.accumulate import accumulate
from analysis.data.in_parallel import in_parallel
from analysis.data.sources import SpecSource, played
from analysis.ratings.strengths import strengths
from analysis.seats.advantage import seat_advantage
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


CARDS = 15
HANDS = np.array([np.isin(np.arange(CARDS), hand) for hand in combinations(range(CARDS), 4)])


def drawn(effects: np.ndarray, deals: int, rng: np.random.Generator) -> Made:
    """Deals of four cards whose score is the sum of their effects, what two of them do together, and luck."""
    spec = make_spec(2, ["random"])
    cards = rng.permuted(np.tile(np.arange(CARDS), (deals, 1)), axis=1)[:, :4]
    held = (cards[:, :, None] == np.arange(CARDS)).any(axis=1)
    score = expected(held, effects) + rng.gumbel(0, 8, deals)
    columns = finals(np.stack([score, score + rng.normal(0, 5, deals)], axis=1))
    events = {f"event_{slot + 1}": np.repeat(cards[:, slot : slot + 1], 2, axis=1) for slot in range(4)}
    return Made(columns | events, spec)


def expected(held: np.ndarray, effects: np.ndarray) -> np.ndarray:
    """Return the mean score of some hands; the first two cards add half the first's effect where they meet."""
    return np.asarray(held @ effects + 0.5 * effects[0] * held[:, 0] * held[:, 1])


def test_exposure_with_known_effects() -> None:
    effects = np.linspace(-6, 6, CARDS)
    means = expected(HANDS, effects)
    truth = np.array([means[HANDS[:, card]].mean() - means[~HANDS[:, card]].mean() for card in range(CARDS)])
    rng, held, plain = np.random.default_rng(3), [], []
    for _ in range(EXPERIMENTS):
        table = exposure(drawn(effects, 1_000, rng)).table
        table = table.filter((table["measure"] == "score") & (table["by"] == ""))
        for name, found in (("effect", held), ("difference", plain)):
            low, high = table[f"{name}_low"].to_numpy(), table[f"{name}_high"].to_numpy()
            found.append((low <= truth) & (truth <= high))
    assert within(told("exposure, adjusted after Lin", np.array(held)))
    assert within(told("exposure, plain difference", np.array(plain)))


def test_false_discoveries_stay_at_their_rate() -> None:
    """Ten cards of 15 do the same, five stand out; and nothing stands out at all."""
    rng = np.random.default_rng(4)
    five = np.zeros(CARDS)
    five[10:] = np.array([-4, 2, 3, 4, 5]) * 0.7  # so that the others' contrasts are not zero: see `null`
    five[10:] -= five[10:].mean()
    null = np.arange(CARDS) < 10
    rate, wise, none = [], [], []
    for _ in range(EXPERIMENTS):
        table = exposure(drawn(five, 800, rng)).table
        table = table.filter((table["measure"] == "score") & (table["by"] == ""))
        found = table["p_bh"].to_numpy() < 0.05
        rate.append((found & null).sum() / max(found.sum(), 1))
        wise.append(bool((table["p_holm"].to_numpy()[null] < 0.05).any()))
        table = exposure(drawn(np.zeros(CARDS), 800, rng)).table
        table = table.filter((table["measure"] == "score") & (table["by"] == ""))
        none.append([bool((table[name].to_numpy() < 0.05).any()) for name in ("p_holm", "p_bh")])
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
