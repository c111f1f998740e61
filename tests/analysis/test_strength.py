"""The seats' shares by the strength of the players: who plays, in which order, and what one of them wins."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from analysis.seats.advantage import seat_advantage
from analysis.stats.margin import FAIR
from analysis.strength import Curve, erring, hurried, levels_of, strength_curve
from simcore.errors import UsageError
from simcore.game import GAMES, load_game
from simcore.rules.files import load_rules
from simcore.running.batch import run_chunk
from strategies.library import load_strategy
from strategies.skill import SKILLS
from strategies.spec import make_spec
from tests.toy import TOY


def curve(game: str, players: int, games: int = 1200, searched: int = 0) -> Curve:
    found = load_game(game)
    levels = [one for one in levels_of(found, (0.5, 0.1)) if searched or not one.searches]
    return strength_curve(load_rules(found), found, players, levels, games, searched, 5)


@pytest.mark.parametrize("game", GAMES)
def test_every_game_has_all_levels_and_hurried_searchers(game: str) -> None:
    names = [one.name for one in levels_of(load_game(game), (0.5, 0.1, 0.5))]
    assert sorted(names) == sorted((*SKILLS, "erring 50", "erring 10", "hurried"))
    assert set(levels_of(load_game(game))[0].players) == set(load_game(game).role_names)


def test_the_order_is_that_of_the_strengths_and_experts_win_par() -> None:
    found = curve("middle-ages", 3)
    table = found.table
    assert found.levels == tuple(table["skill"])
    assert table["strength"].is_sorted() and found.levels[0] == "family"
    assert found.levels.index("erring 50") < found.levels.index("erring 10") < found.levels.index("experts")
    experts = table.filter(table["skill"] == "experts").row(0, named=True)
    assert experts["strength"] == 1
    strongest, said = table.row(-1, named=True), found.verdicts[-1].values
    assert said["most"] == strongest["strength"]
    # It was picked as the strongest: the range in the sentence holds for all levels at once.
    assert said["low"] < strongest["strength_low"] and said["high"] > strongest["strength_high"]


def test_the_shares_are_those_of_games_of_such_players_and_the_strength_that_of_one_among_experts() -> None:
    found = curve("middle-ages", 3)
    rows = found.shares.filter(found.shares["skill"] == "club")
    alike = seat_advantage(make_spec("middle-ages", 3, "planner", seed=5, games=1200), 0.95, FAIR)
    assert rows["share"].to_list() == alike.table["share"].to_list()
    spec = make_spec("middle-ages", 3, ["planner", "champion", "champion"], seed=5, games=1200)
    played = run_chunk(spec, 0, 1200)
    won = played["share60"][played["strategy"] == 0].mean() / 60 * 3
    (strength,) = found.table.filter(found.table["skill"] == "club")["strength"]
    assert np.isclose(strength, won)


def test_each_role_has_a_strength_of_its_own_among_the_experts_of_all_roles() -> None:
    found = curve("seigneurial", 4)
    assert found.ladder.asked == "camps"
    table = found.table.filter(found.table["skill"] == "family")
    assert table["role"].to_list() == ["lord", "tenant"] and table["player"].to_list() == ["collector", "payer"]
    line = {"lord": ["overlord"], "tenant": ["payer", "freeholder", "freeholder"]}
    played = run_chunk(make_spec("seigneurial", 4, line, seed=5, games=1200), 0, 1200)
    won = played["share60"][(played["strategy"] == 1)].mean() / 60 * 6
    assert np.isclose(table["strength"][1], won)
    assert [one.code for one in found.verdicts[-2:]] == ["strength_role", "strength_role"]


def test_players_who_look_ahead_stop_when_they_have_answered_a_tilt() -> None:
    """Middle-Ages, 5 players: the first seat wins 2.3 times par among experts and among players who look ahead."""
    game = load_game("middle-ages")
    two = [one for one in levels_of(game) if one.name in ("experts", "search")]
    seen = strength_curve(load_rules(game), game, 5, two, 4_000, 20, 5, most=200)
    games = {skill: run.inputs[0].games for skill, run in zip(seen.levels, seen.seats.runs, strict=True)}
    assert games["experts"] == 4_000 and games["search"] in (50, 100)


def test_players_who_look_ahead_play_as_many_games_as_is_said() -> None:
    found = curve("middle-ages", 2, 60, 4)
    games = dict(found.table.select("skill", "games").iter_rows())
    assert games == dict.fromkeys(found.levels, 60) | {"search": 4, "hurried": 4}
    assert found.verdicts[-1].code == "strength_few", "four games tell nothing about their own error"


def test_a_level_of_errors_is_the_experts_with_blunders_and_a_hurry_a_quarter_of_the_tables() -> None:
    game = load_game("medievallons")
    experts = next(one for one in levels_of(game) if one.name == "experts")
    player = erring(experts, 0.05).players["player"]
    assert (player.blunder, replace(player, name="champion", blunder=0.0)) == (0.05, load_strategy(game, "champion"))
    thinker = load_strategy(game, "thinker")
    assert thinker.search is not None and (fewer := hurried(thinker).search) is not None
    for key, one in thinker.search.foresights.items():
        assert fewer.foresights[key] == replace(one, tables=one.tables // 4)
    rollout = load_strategy(game, "rollout")
    assert rollout.search is not None and (less := hurried(rollout).search) is not None
    assert less.rollouts == rollout.search.rollouts // 4


def test_what_cannot_be() -> None:
    for rate in (0.0, -1.0, 1.5, float("nan")):
        with pytest.raises(UsageError, match="is not a part of all moves"):
            levels_of(load_game("middle-ages"), (rate,))
    toy = load_game(TOY)
    alone = [one for one in levels_of(toy) if one.name == "experts"]
    with pytest.raises(UsageError, match="has players of one level of skill only"):
        strength_curve(load_rules(toy), toy, 3, alone, 60, 0)
