"""What `equipoise tune` says of what it found: better, worse, not to be distinguished, or nothing at all."""

from __future__ import annotations

from pathlib import Path

import pytest

from equipoise.output.players import conclusions, ends
from simcore.game import load_game
from simcore.rules.files import load_rules
from strategies.library import load_strategy
from strategies.tuning.plan import Named, Plan
from strategies.tuning.search import Share, Tuned

GAME = load_game("middle-ages")
START, OTHER = load_strategy(GAME, "champion"), load_strategy(GAME, "greedy")
PLAN = Plan(
    game=GAME, rules=load_rules(GAME), players=(4,), start=START, opponents=(), self_play=True, seed=1, sigma=0.5,
    population=4, games=60, named=Named("self", "base", "champion"),
)  # fmt: skip


def said(finalist: str, mean: float, half: float = 0.002) -> list[str]:
    """Return the sentences on a player that wins so much among champions, and nearly always among greedy players."""
    scores = ((START, Share(4, mean, half, 1_000, 0.25)), (OTHER, Share(4, 0.97, 0.01, 1_000, 0.25)))
    tuned = Tuned(START, 2, 30, 1, finalist, scores, (), 1.0, 1.0)
    return list(conclusions(PLAN, tuned, Path("mine.toml")))


def test_it_says_that_nothing_better_was_found() -> None:
    (sentence,) = said("start", 0.25)
    assert sentence == (
        "Nothing better than champion was found: mine.toml plays as champion does. A larger --budget may find more."
    )


@pytest.mark.parametrize(
    ("mean", "end"),
    [
        (0.253, "it is stronger than champion."),
        (0.247, "it is weaker than champion."),
        (0.251, "it cannot be distinguished from champion."),
        (0.249, "it cannot be distinguished from champion."),
    ],
)
def test_it_is_called_stronger_only_where_the_interval_lies_above_par(mean: float, end: str) -> None:
    (sentence,) = said("mean", mean)
    assert sentence == (
        f"At 4 players it wins {mean:.1%} if the others play champion ({mean - 0.002:.1%} to {mean + 0.002:.1%}; "
        f"par 25.0%): {end}"
    )


def test_a_player_that_wins_every_game_might_lose_some() -> None:
    """None of 1,000 deals was lost: up to 0.37 % of all deals may be (Clopper and Pearson)."""
    low, high = ends(PLAN, OTHER, Share(4, 1.0, 0.0, 1_000, 0.25))
    assert (low, high) == (pytest.approx(0.025 ** (1 / 1_000), abs=1e-5), 1)
