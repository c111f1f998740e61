"""What the box lacks: known answers."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

from analysis.games.middle_ages.api import components
from analysis.games.middle_ages.holdings import BANK
from simcore.running.batch import Spec
from tests.specs import make_spec


def test_enough_is_not_said_of_few_games() -> None:
    """No shortage in n games leaves up to 3.7 / n of all games open (Clopper and Pearson, two-sided 95 %)."""
    codes = {games: {item.code for item in components(make_spec(2, games=games)).verdicts} for games in (100, 400)}
    assert "components_unclear_bank" in codes[100]
    assert "components_enough_bank" in codes[400]


def test_components_against_the_box(spec: Spec, rows: np.ndarray) -> None:
    assert BANK == 1390
    found = components(spec)
    told = {row["component"]: row for row in found.table.iter_rows(named=True)}
    assert told["bank"]["most"] == rows["peak_coins"].max()
    assert told["bank"]["mean"] == pytest.approx(rows["peak_coins"][:, 0].mean())
    laid = rows["extra_tokens"].sum(axis=1)
    assert told["extra_tokens"]["limit"] == 8
    assert told["extra_tokens"]["all_used"] == pytest.approx((laid == 8).mean())
    assert told["plot_tokens"]["median"] == np.quantile(rows["plot_tokens"].sum(axis=1), 0.5, method="inverted_cdf")
    scout = found.reservations.row(0, named=True)
    assert scout["used"] == pytest.approx(rows["scouts"].mean())
    assert scout["honoured"] == pytest.approx(rows["scouts_honoured"].sum() / rows["scouts"].sum())


def test_a_bank_too_small_and_tokens_without_end() -> None:
    rich = make_spec(2, ["random"], ["starting_coins=700", "plot_token_supply=unlimited"], games=100)
    found = components(rich)
    told = {row["component"]: row for row in found.table.iter_rows(named=True)}
    assert told["bank"]["over"] > 0.5
    assert told["plot_tokens"]["limit"] is None
    assert told["plot_tokens"]["over"] is None
    assert "components_short_bank" in [verdict.code for verdict in found.verdicts]


def test_never_seen_is_not_never() -> None:
    """No game of 900 (300 deals) lacked coins: the upper end is the rule of three's, 3.69 / 300 at 97.5 %."""
    spec = make_spec(3, ["greedy", "random", "random"], design="rotate", seed=21, games=900)
    row = components(spec).table.filter(pl.col("component") == "bank").row(0, named=True)
    assert (row["over"], row["over_low"]) == (0, 0)
    assert row["over_high"] == pytest.approx(1 - 0.025 ** (1 / 300))
