"""The page of losses: who stands on it, what is measured, and that it is written from the numbers behind it."""

from __future__ import annotations

import json

import pytest

from analysis.stats.moments import MIN_DEALS
from simcore.game import load_game
from simcore.homes import GAMES
from strategies.library import shipped_strategies
from studies import losses


def test_every_player_stands_on_the_page_with_today_s_weights() -> None:
    found = json.loads(losses.FOUND.read_text(encoding="utf-8"))
    for game in GAMES:
        lines = dict(losses.lines_of(game))
        assert set(found[game]) == set(lines)
        assert all(found[game][name]["digest"] == losses.digest(game, seated) for name, seated in lines.items()), game
        if not load_game(game).asymmetric:
            assert set(lines) == set(shipped_strategies(load_game(game)))
    assert all((one["low"] is None) == (one["games"] < MIN_DEALS) for game in GAMES for one in found[game].values())
    assert losses.PAGE.read_text(encoding="utf-8") == losses.page(found)


def test_a_champion_loses_less_than_who_plays_at_random() -> None:
    random, champion = (losses.measure("middle-ages", [name], 0.0) for name in ("random", "champion"))
    assert champion["loss"] < random["loss"] / 2
    assert (champion["games"], champion["low"], champion["high"]) == (losses.LEAST, None, None), "too few for a range"
    each = champion["decisions"] / champion["games"] / champion["players"]
    assert champion["per_game"] == pytest.approx(champion["loss"] * each, rel=1e-3)
