"""docs/findings/people.md is what its counts give; its filter and its model are right where the answer is given."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from studies import people


def test_page_is_what_its_counts_give() -> None:
    counted = json.loads(people.COUNTS.read_text(encoding="utf-8"))
    assert people.page(counted) == people.PAGE.read_text(encoding="utf-8"), "run: python -m studies.people"
    assert np.sum(counted["counts"][1:], axis=0).tolist() == counted["counts"][0]


def test_programs_strangers_and_years_without_results_are_left_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(people, "LEAST", 2)
    text = "".join(
        f'[Event "x"]\n[Date "y"]\n[Black "{black}"]\n[White "{white}"]\n[Result "{result}"]\n1. F5 D6\n'
        for black, white, result in (
            ("Ada", "Ben", "40-24"), ("Ben", "Ada", "32-32"), ("Ada", "Ada", "40-24"), ("Ada", "Eve (ours)", "1-63"),
            ("???", "Ben", "40-24"), ("Ada", "Rare", "40-24"),
        )
    )  # fmt: skip
    for year in (1990, 2000):
        (tmp_path / f"WTH_{year}.pgn").write_text(text, encoding="utf-8")
    assert people.games_of(tmp_path) == [("Ada", "Ben", 1), ("Ben", "Ada", 0.5)]


def test_what_moving_first_is_worth_is_not_mistaken_for_strength() -> None:
    """Strong people move first more often; of two equals, the first wins 45 %."""
    rng, strength = np.random.default_rng(1), np.linspace(-1, 1, 40)
    games = []
    for _ in range(20_000):
        one, two = rng.choice(40, 2, replace=False)
        if rng.random() < 0.7 and strength[one] < strength[two]:
            one, two = two, one
        chance = 1 / (1 + np.exp(-(np.log(0.45 / 0.55) + strength[one] - strength[two])))
        games.append((f"{one:02}", f"{two:02}", float(rng.random() < chance)))
    share, half = people.measure(games)["shares"][0]
    assert np.mean([won for *_, won in games]) > 0.5
    assert share == pytest.approx(0.45, abs=2 * half) and half < 0.01
