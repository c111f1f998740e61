"""What `equipoise learn` says of what it made: stronger or weaker than its base, or neither for certain."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from equipoise.api.tuning import Learning
from equipoise.output.players import learning_conclusions
from strategies.learning import Made, Trial, make_plan
from strategies.learning.trials import UNKNOWN
from tests.strategies.learning.test_checks import FORESIGHT

PLAN = make_plan("middle-ages", (2,), base="champion")


@pytest.mark.parametrize(
    ("wins", "told"),
    [
        ((1.1, 1.3), "1.20 times par among champion (1.18 to 1.22): it is stronger than champion."),
        ((0.6, 1.5), "1.05 times par among champion (0.96 to 1.14): it cannot be distinguished from champion."),
        ((0.7, 0.9), "0.80 times par among champion (0.78 to 0.82): it is weaker than champion."),
        ((1.0, 1.0), "1.00 times par among champion (1.00 to 1.00): it cannot be distinguished from champion."),
    ],
)
def test_it_is_called_stronger_or_weaker_only_where_the_interval_leaves_par(
    wins: tuple[float, float], told: str
) -> None:
    """Who plays as champion does wins exactly par in every deal."""
    won, even = {"player": Trial(np.tile(wins, 50))}, {"player": Trial(np.ones(100))}
    made = Made(2, {"player": FORESIGHT}, 1, 0, {"player": 0.5}, won, even, even, {"player": UNKNOWN})
    (sentence,) = learning_conclusions(Learning(PLAN, (made,), Path("mine.toml"), 1.0, 1.0))
    assert sentence.removesuffix(" A larger --budget or more --games may help.") == (
        f"At 2 players one thinker wins {told}"
    )
