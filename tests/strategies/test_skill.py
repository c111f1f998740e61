"""The levels of skill of a game, and who is too weak to judge it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from analysis.check.baseline import current, read_baseline
from analysis.data.player_notes import player_notes
from reports.study.study import plan
from simcore.errors import UsageError
from simcore.game import GAMES, load_game
from strategies.kit import SKILLS, check_kit, load_kit
from strategies.library import load_strategy
from strategies.skill import ladder, players_of, rungs, skills_of, weak, weak_players
from strategies.spec import make_spec


@pytest.mark.parametrize("game", GAMES)
def test_every_shipped_game_has_players_of_every_skill(game: str) -> None:
    assert skills_of(game) == SKILLS
    found = load_game(game)
    for skill in SKILLS:
        for role, name in players_of(game, skill).items():
            strategy = load_strategy(found, name)
            assert strategy.role in ("", role)
            assert (strategy.search is not None) == (skill == "search"), "experts play at full speed"
    assert all(len(set(ladder(game, role))) == 5 for role in found.role_names)
    assert set(rungs(game)[-1].values()) == set(players_of(game, "search").values()), "each ladder ends with a search"


@pytest.mark.parametrize("game", GAMES)
def test_every_command_has_the_same_judge(game: str) -> None:
    """The experts play by default, judge a report, quick or full, and are in the shipped baseline."""
    experts = set(players_of(game, "experts").values())
    assert set(make_spec(game, games=1).strategies) == experts
    assert not player_notes(make_spec(game, games=1))
    for quick in (False, True):
        played = [set(item.spec.strategies) for item in plan(game, 60, quick=quick) if not item.spec.searches]
        assert experts in played
    baseline = read_baseline(Path(f"configs/{game}/baselines/default.toml"))
    assert {strategy.name for strategy in current(baseline).strategies} == experts


@pytest.mark.parametrize("game", GAMES)
def test_a_familys_players_are_warned_of_in_every_game(game: str) -> None:
    players = players_of(game, "family")
    seated = players if load_game(game).asymmetric else next(iter(players.values()))
    (note,) = player_notes(make_spec(game, strategies=seated, games=1))
    assert note.code == "weak_players"
    assert set(note.values["strategies"]) == set(players.values())
    assert set(note.values["experts"]) == set(players_of(game, "experts").values())


def test_one_weak_role_is_enough_and_one_weak_seat_is_not() -> None:
    mixed = {"lord": "collector", "tenant": "freeholder"}
    assert weak_players(make_spec("seigneurial", strategies=mixed, games=1)) == ("collector",)
    beside = ["champion", "greedy", "greedy", "greedy"]
    assert weak_players(make_spec("middle-ages", strategies=beside, games=4)) == ()


def test_a_skill_that_does_not_exist_is_refused_with_what_there_is() -> None:
    with pytest.raises(UsageError, match="skill: no skill 'expert'; did you mean 'experts'"):
        players_of("middle-ages", "expert")
    kit = load_kit("middle-ages")
    with pytest.raises(UsageError, match="skills: club: 'plannr' is not among the shipped"):
        check_kit(load_game("middle-ages"), replace(kit, skills={"club": "plannr"}))
    with pytest.raises(UsageError, match="'default' names the experts"):
        check_kit(load_game("middle-ages"), replace(kit, skills={"experts": "champion"}))


def test_a_game_without_a_champion_is_told_to_make_one(monkeypatch: pytest.MonkeyPatch) -> None:
    new = replace(load_kit("middle-ages"), default="greedy", skills={})
    monkeypatch.setattr("strategies.skill.load_kit", lambda name: new)
    for cached in (ladder, weak):
        cached.cache_clear()
    assert skills_of("middle-ages") == ("experts",)
    assert ladder("middle-ages") == ("random", "greedy")
    (note,) = player_notes(make_spec("middle-ages", strategies="greedy", games=1))
    assert note.code == "weak_experts"
    monkeypatch.undo()
    for cached in (ladder, weak):
        cached.cache_clear()
