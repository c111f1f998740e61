"""The request for a learning, checked."""

from __future__ import annotations

from dataclasses import replace

import pytest

from simcore.errors import UsageError
from strategies.kit import load_kit
from strategies.learning import make_plan, plan


@pytest.mark.parametrize(
    ("game", "base"), [("middle-ages", "champion"), ("fief-2", "suzerain"), ("seigneurial", "household")]
)
def test_the_imagined_player_is_the_game_s_default_or_the_base_of_its_rollout(game: str, base: str) -> None:
    """In Seigneurial the default differs by role; Fief 2's `rollout` imagines another player than its default."""
    assert make_plan(game).base.name == base


def test_a_default_who_looks_ahead_is_not_imagined(monkeypatch: pytest.MonkeyPatch) -> None:
    thinks = replace(load_kit("fief-2"), default="thinker")
    monkeypatch.setattr(plan, "load_kit", lambda game: thinks)
    assert make_plan("fief-2").base.name == "champion"
    monkeypatch.setattr(plan, "shipped_strategies", lambda game: ())
    with pytest.raises(UsageError, match="name a strategy that can play every role and decides at once"):
        make_plan("fief-2")
