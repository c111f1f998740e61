"""How many games pairing saves, by line-up, and why no more; docs/reference/methods.md records the figures.

Run by name: `pytest tests/verification/test_pairing.py -s` prints them, in a minute or two.
"""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

from analysis.api import CardImpact, card_impact
from tests.specs import make_spec

DEALS = 40_000
PROMISED = 5
"""Times fewer games that the counterfactual shall need for the same interval on the mean score."""

IN_A_DEAL, IN_THE_DECK = 4, 15


def explained_by_slots(found: CardImpact) -> pl.DataFrame:
    """Return by card how much of the variance of its paired difference its slots explain."""
    rows = found.counterfactual.table.filter((pl.col("measure") == "score") & (pl.col("by") == ""))
    spread = (pl.col("effect_se") ** 2 * pl.col("deals") * pl.col("deals")).alias("sum")
    whole = rows.filter(pl.col("slot") == "all").select("card", spread)
    parts = rows.filter(pl.col("slot") != "all").select("card", spread).group_by("card").sum()
    return whole.join(parts, on="card", suffix="_within").select("card", slots=1 - pl.col("sum_within") / pl.col("sum"))


@pytest.mark.parametrize(
    ("players", "strategy"), [(4, "greedy"), (2, "champion"), (3, "champion"), (4, "champion"), (5, "champion")]
)
def test_games_that_pairing_saves(players: int, strategy: str) -> None:
    found = card_impact(make_spec(players, [strategy], games=DEALS, seed=21), DEALS)
    table = found.efficiency.join(explained_by_slots(found), on="card").sort("ratio")
    alike = 1 - 1 / table["variance_ratio"].to_numpy()  # correlation of a deal's two games
    ratio, worst = table["ratio"].to_numpy(), table.row(0, named=True)
    print(
        f"\n{strategy}, {players} players: {ratio[0]:.1f} times at least ({worst['card']}), {np.median(ratio):.1f} at "
        f"the median, {np.sum(ratio >= PROMISED)} of {len(ratio)} cards at {PROMISED} or more; the two games of a deal "
        f"correlate by {alike.min():.2f} at least, {np.median(alike):.2f} at the median; slots explain "
        f"{table['slots'].min():.1%} to {table['slots'].max():.1%} of the variance"
    )
    share = IN_A_DEAL / IN_THE_DECK
    expected = 1 / (share * (1 - share)) / (4 * (1 - alike))  # were the spread of scores the same with and without
    assert ratio == pytest.approx(expected, rel=0.35)
    assert np.median(ratio) >= PROMISED
    assert ratio[0] >= PROMISED or players != 4
