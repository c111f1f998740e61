"""A game in kernels is compared with the same game in plain Python, and a mistake in one of them is found."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from equipoise import conformance
from equipoise.cli import app, run
from equipoise.conformance.twins import compare_forms, distance, farthest_by_chance
from simcore import doors
from tests.nim import forgotten  # noqa: F401  a fixture

KUHN = """
import equipoise as eq

class Poker(eq.PlainGame):
    def start(self):
        self.cards = self.chance("deck").sample(range(3), 3)
        self.moves = []

    def legal(self):
        return [0, 1]

    def apply(self, move):
        self.moves.append(move)
        self.turn = 1 - self.turn

    def over(self):
        return self.moves in ([0, 0], [1, 0], [1, 1], [0, 1, 0], [0, 1, 1])

    def payoffs(self):
        winner = int(self.cards[1] > self.cards[0])
        if self.moves[-2:] == [1, 0]:
            winner = len(self.moves) % 2
        pot = 1 + (self.moves[-2:] == [1, 1])
        return [pot if seat == winner else -pot for seat in (0, 1)]
"""
"""Kuhn poker, which tests/games/kuhn has in kernels."""


@pytest.fixture
def twin(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, forgotten: None) -> Path:  # noqa: F811
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "poker.py"
    path.write_text(KUHN)
    return path


def compared(path: Path) -> list[str]:
    """Return what is wrong with a file that should be Kuhn poker."""
    return [outcome.reason for outcome in compare_forms("kuhn", doors.named(str(path)))]


def test_the_same_game_in_plain_python_and_in_kernels_gives_the_same_results(twin: Path) -> None:
    assert compared(twin) == [""]


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("winner = len(self.moves) % 2", "winner = 1 - len(self.moves) % 2", "place of seat 1: at most 1 in 56."),
        ("pot = 1 + (self.moves[-2:] == [1, 1])", "pot = 1", "score of seat "),
    ],
)
def test_a_mistake_is_found_where_it_shows(twin: Path, old: str, new: str, said: str) -> None:
    assert old in KUHN
    twin.write_text(KUHN.replace(old, new))
    (reason,) = compared(twin)
    assert reason.startswith(said)
    assert reason.endswith("chance explains 3.9 points")


def test_another_number_of_players_is_named(twin: Path) -> None:
    twin.write_text(KUHN.replace("    def start", "    players = range(2, 4)\n\n    def start"))
    assert compared(twin) == ["players: kuhn is for 2 players, and poker for 2 to 3 players"]


def test_the_command_adds_the_comparison_to_the_checks(
    twin: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(conformance, "check_game", lambda game, tick: iter(()))
    assert run(app, ["test-game", "kuhn", "--against", "./poker.py"]) == 0
    assert capsys.readouterr().out.startswith("1 passed\n")
    assert run(app, ["test-game", "kuhn", "--against", "pokre"]) == 2


def test_equal_forms_are_never_farther_apart_than_chance_allows() -> None:
    """With a probability of error as large as 0.2, at most so many of 400 comparisons of equal samples fail."""
    chance = np.random.Generator(np.random.PCG64(1))
    most = farthest_by_chance(200, 50, 0.2)
    gaps = [distance(chance.integers(3, size=200), chance.integers(3, size=50))[0] for _ in range(400)]
    assert sum(gap > most for gap in gaps) <= 0.2 * len(gaps)
    assert farthest_by_chance(200, 50, 1e-6) > most
