"""`--skill` names the players of a game on every playing command, and beside `--strategies` it is refused."""

from __future__ import annotations

import inspect
import json

import pytest

import equipoise as eq
from equipoise.api.reporting import asks_all
from equipoise.questions.asked import cast, climbed
from simcore.game import load_game
from tests.equipoise.conftest import Cli


def test_a_skill_stands_for_the_players_of_the_game() -> None:
    assert cast(load_game("middle-ages"), (), "club") == "planner"
    assert cast(load_game("seigneurial"), (), "family") == {"lord": "collector", "tenant": "payer"}
    assert cast(load_game("middle-ages"), ["greedy"], None) == ["greedy"]
    with pytest.raises(eq.UsageError, match="skill: says who plays, and so do the strategies"):
        cast(load_game("middle-ages"), "greedy", "club")


def test_a_ladder_is_climbed_up_to_a_skill() -> None:
    assert climbed(load_game("middle-ages"), "club") == tuple(
        {"player": name} for name in ("random", "greedy", "planner")
    )
    assert climbed(load_game("seigneurial"), "family")[-1] == {"lord": "collector", "tenant": "payer"}


@pytest.mark.parametrize(
    "name",
    [
        "simulate",
        "compare",
        "sweep",
        "mend",
        "sensitivity",
        "restrict",
        "report",
        "tournament",
        "playtest",
        "check",
        "tune",
    ],
)
def test_every_playing_function_takes_it(name: str) -> None:
    assert "skill" in inspect.signature(getattr(eq, name)).parameters


def test_a_report_plays_all_levels_and_can_be_told_to_search() -> None:
    assert asks_all("search") and not asks_all(None)
    with pytest.raises(eq.UsageError, match="skill: a report plays all levels of skill"):
        asks_all("club")


def test_simulate_plays_the_players_of_a_skill(cli: Cli) -> None:
    said = cli("simulate", "--skill", "family", "--games", 40, "--format", "none", "--json")
    assert set(json.loads(said.out)["strategies"]) == {"greedy"}
    said = cli("simulate", "--skill", "famly", "--games", 40, "--format", "none")
    assert said.code == 2
    assert "no skill 'famly'; did you mean 'family'" in said.err
