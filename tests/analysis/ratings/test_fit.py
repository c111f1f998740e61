"""Whether one strength for each strategy fits the companies that played, and what is said where it does not."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

from analysis.api import strengths
from analysis.ratings.fit import in_errors
from analysis.stats.intervals import bonferroni, share_interval
from reports.words import ENGLISH
from tests.analysis.made import Made
from tests.analysis.ratings.test_ratings import NAMES, contest

TRUE = {"greedy": 0.8, "random": -0.6, "miller": -0.2}


def company(names: list[str], deals: int, seed: int, shift: float = 0.0) -> Made:
    """Return games of two; `shift` lifts the first strategy in this company alone."""
    strength = [TRUE[name] for name in names]
    strength[0] += shift
    return contest(deals, strength, [0.1, -0.1], seed, names)


def three(deals: int, seed: int, shift: float = 0.0) -> list[Made]:
    """Return all companies of two of the three strategies."""
    pairs = [NAMES[:2], NAMES[1:], [NAMES[2], NAMES[0]]]
    return [company(pair, deals, 10 * seed + at, shift if at == 1 else 0.0) for at, pair in enumerate(pairs)]


def test_a_model_that_holds_is_rarely_rejected() -> None:
    rejected = sum(strengths(three(300, seed), resamples=0).verdict.code == "strengths_misfit" for seed in range(25))
    assert rejected <= 4  # 5 % of 25, and twice the error of that more


def test_what_the_data_reject_is_withheld() -> None:
    """Random beats miller though it is weaker against greedy: no single strength can say so."""
    found = strengths(three(2_000, 1, shift=1.5), resamples=0)
    assert found.verdict.code == "strengths_misfit"
    text = ENGLISH.verdict(found.verdict)
    assert text.startswith("Who is strongest depends on who else plays, so we give no ranking in one number.")
    assert "games for each that" not in text
    assert "one of each" not in text
    assert found.fit["z"].abs().max() > 5
    assert len(found.fit) == 6
    assert found.table["strength"].null_count() == 0  # an average over the companies, as the note says


def test_rounding_is_no_standard_error() -> None:
    """A strategy that wins nothing at all is off by the same in every deal, except for rounding."""
    off = 1 / 3 - np.linspace(0.1, 0.9, 83) / np.linspace(0.3, 2.7, 83) + 0.003
    spread = np.sqrt(off.var(ddof=1) * len(off))
    assert 0 < spread < 1e-9
    assert np.isnan(in_errors(off.sum(), spread, len(off)))
    assert np.isnan(in_errors([0.0], [0.0], 1)[0])
    assert np.isnan(in_errors([1e-7], [3e-11], 1e5)[0]), "the model is off by its own precision, in every deal alike"
    assert in_errors([3.0], [2.0], 10)[0] == 1.5


def test_odds_have_an_interval_that_holds() -> None:
    held = 0
    for seed in range(20):
        verdict = strengths(three(300, seed), resamples=0).verdict
        if verdict.code == "strengths_misfit":
            held += 1
            continue
        assert f"({verdict.values['low']:.1f} to {verdict.values['high']:.1f})" in ENGLISH.verdict(verdict)
        held += verdict.values["low"] <= np.exp(0.8 + 0.6) <= verdict.values["high"]
    assert held >= 18


def test_no_table_is_larger_than_the_game() -> None:
    """Three strategies, tables of two: there is no table with one of each, played or not."""
    found = strengths(three(500, 2), resamples=0)
    assert found.table["even_share"].null_count() == 3
    assert not any(verdict.code.startswith(("strengths_even", "strengths_model")) for verdict in found.verdicts)


def test_a_table_with_one_of_each_is_told_as_it_was_played() -> None:
    played = contest(2_000, [0.8, -0.6, -0.2], [0, 0, 0], 3, NAMES)
    found = strengths([played, *three(500, 3, shift=2.0)], resamples=0)
    even = dict(found.table.select("strategy", "even_share").iter_rows())
    wins = played.columns["share60"] / 60
    counted = {name: wins[played.columns["strategy"] == at].sum() / len(wins) for at, name in enumerate(NAMES)}
    assert even == pytest.approx(counted)
    assert set(found.table["even_by"]) == {"played"}
    assert found.verdicts[0].code == "strengths_even"
    greedy = (wins * (played.columns["strategy"] == 0)).reshape(2_000, -1).sum(axis=1) / 3  # three games a deal
    error = greedy.std(ddof=1) / np.sqrt(2_000)
    ends = share_interval(counted["greedy"], error, 2_000, bonferroni(0.95, 3))
    assert [found.verdicts[0].values[end] for end in ("low", "high")] == pytest.approx([float(end) for end in ends])
    assert "At the table with one of each, greedy wins" in ENGLISH.verdict(found.verdicts[0])
    assert found.verdicts[1].code == "strengths_misfit"


def test_a_table_that_was_not_played_is_told_by_the_model() -> None:
    runs = []
    for at, (lone, rest) in enumerate((("greedy", "random"), ("miller", "random"), ("greedy", "miller"))):
        made = contest(1_000, [TRUE[lone], TRUE[rest], TRUE[rest]], [0, 0, 0], at, [lone, rest, rest])
        made.columns["strategy"] = np.minimum(made.columns["strategy"], 1)  # both others are the same strategy
        runs.append(made)
    found = strengths(runs, resamples=0)
    assert set(found.table["even_by"]) == {"model"}
    expected = pl.DataFrame({"name": list(TRUE), "odds": np.exp(list(TRUE.values()))})
    told = dict(found.table.select("strategy", "even_share").iter_rows())
    total = expected["odds"].sum()
    assert told == pytest.approx({name: odds / total for name, odds in expected.iter_rows()}, abs=0.05)
    assert any("would win" in ENGLISH.verdict(verdict) for verdict in found.verdicts)
