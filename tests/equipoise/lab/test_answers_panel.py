"""The headline of the lab compares the players of the page with those who look ahead, as a report does."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

pytest.importorskip("nicegui")

from equipoise.lab.page import AnswersPanel
from equipoise.lab.session import Session
from reports.words import Words
from simcore.game import load_game
from tests.analysis.levels import judged


def seen(*times: float, games: int = 400) -> Any:
    """Return what games in which the seats win these multiples of par have shown."""
    verdict = judged(np.array(times) / len(times), games)
    return SimpleNamespace(verdicts=(verdict,), deals=games, games=games, spec=SimpleNamespace(players=len(times)))


@pytest.mark.parametrize(
    ("ahead", "starts"),
    [
        (None, "No among experts: with 4 players, seat 1 wins 33.8"),
        (seen(1.5, 0.8, 0.9, 0.8, games=20), "No among experts: with 4 players, seat 1 wins 33.8"),
        (seen(1.5, 0.8, 0.9, 0.8), "No, and players who look ahead agree: with 4 players, seat 1"),
        (seen(1.1, 1.0, 0.9, 1.0), "No among experts; 400 games of players who look ahead are too few to say: "),
        (seen(0.7, 1.1, 1.1, 1.1), "Not known: with 4 players, among experts seat 1 wins 34"),
    ],
)
def test_the_headline(ahead: Any, starts: str) -> None:
    panel: Any = SimpleNamespace(words=Words())
    text, _ = AnswersPanel._headline(panel, seen(1.35, 0.88, 0.88, 0.89, games=100_000), "experts", ahead)
    assert text.startswith(starts)


TILTED, FAIR = seen(1.35, 0.88, 0.88, 0.89, games=100_000), seen(1.0, 1.0, 1.0, 1.0, games=100_000)


@pytest.mark.parametrize(
    ("now", "ahead", "ends"),
    [
        (TILTED, seen(1.9, 0.7, 0.7, 0.7, games=100), True),
        (TILTED, seen(1.1, 1.0, 0.9, 1.0), False),
        (FAIR, seen(1.0, 1.0, 1.0, 1.0, games=300), False),
        (FAIR, seen(1.0, 1.0, 1.0, 1.0), True),
        (TILTED, None, False),
    ],
)
def test_players_who_look_ahead_stop_when_they_have_answered_a_tilt(now: Any, ahead: Any, ends: bool) -> None:
    """Where nothing is tilted, they play as many games as the game declares: 400 in Middle-Ages."""
    session: Any = SimpleNamespace(game=load_game("middle-ages"), _picture=SimpleNamespace(now=now, ahead=ahead))
    assert Session._answered(session) is ends
