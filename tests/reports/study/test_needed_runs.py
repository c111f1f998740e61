"""What a report simulates by itself, and the order of players by skill."""

from __future__ import annotations

from itertools import combinations
from types import SimpleNamespace
from typing import Any, cast

import pytest

from analysis.data.source import Source
from reports.study.study import by_skill, companies, plan
from simcore.errors import UsageError
from simcore.game import load_game
from strategies.kit import load_kit
from strategies.skill import ladder


@pytest.mark.parametrize(("game", "players", "strategies"), [("middle-ages", 4, 11), ("medievallons", 4, 8)])
def test_companies_bring_all_strategies_together(game: str, players: int, strategies: int) -> None:
    tables = companies(game, players)
    assert all(len(set(table)) == players for table in tables)
    met = {frozenset(pair) for table in tables for pair in combinations(table, 2)}
    assert len({name for table in tables for name in table}) == strategies
    assert len(met) > 0.9 * strategies * (strategies - 1) / 2
    assert not {"random", "rollout", "thinker", "quick_thinker"} & {name for table in tables for name in table}


def test_the_whole_ladder_is_climbed_at_the_usual_number_of_players() -> None:
    planned = {item.name: item for item in plan("middle-ages", 40_000)}
    assert {f"4p-{name}" for name in ladder("middle-ages")} <= set(planned)
    assert [name for name in planned if name.startswith("3p-")] == [
        "3p-random",
        "3p-greedy",
        "3p-champion",
        "3p-thinker",
    ]
    assert planned["4p-thinker"].spec.games == load_kit("middle-ages").searched[0] == 400
    assert planned["4p-thinker"].detail == "full"


def test_a_quick_report_plays_the_ladder_at_the_usual_number_of_players() -> None:
    planned = plan("middle-ages", 4000, quick=True)
    assert [item.name for item in planned] == [
        "4p-random",
        "4p-greedy",
        "4p-planner",
        "4p-champion",
        "4p-quick_thinker",
    ]
    assert planned[-1].spec.games == load_kit("middle-ages").searched[1] == 200
    assert {item.detail for item in planned} == {"full"}
    planned = plan("middle-ages", 4000, quick=True, players=[2])
    assert [item.name for item in planned] == [
        "2p-random",
        "2p-greedy",
        "2p-planner",
        "2p-champion",
        "2p-quick_thinker",
    ]
    assert [item.name for item in plan("fief-2", 4000, quick=True)][-1] == "4p-quick_thinker"
    assert [item.name for item in plan("middle-ages", 4000, quick=True, asking=True)][-1] == "4p-thinker"
    assert plan("seigneurial", 4000, quick=True)[-1].spec.strategies == ("thinker",) * 4


def test_players_who_look_ahead_answer_the_experts_at_their_number_of_players() -> None:
    planned = {item.name: item for item in plan("middle-ages", 40_000)}
    assert (planned["3p-thinker"].experts, planned["3p-thinker"].most) == ("3p-champion", 3_200)
    assert (planned["3p-champion"].experts, planned["3p-champion"].most) == ("", 0)
    quick = plan("middle-ages", 40_000, quick=True)[-1]
    assert (quick.experts, quick.most, quick.spec.games) == ("4p-champion", 200, 200)
    assert plan("middle-ages", 300)[-1].most == 300, "never more games than the other runs"


def test_a_full_report_plays_players_who_are_nearly_as_strong_as_the_experts() -> None:
    """Médiévallons: regent wins .96 times par among four champions, and .97 among five (truth.md, part 3)."""
    names = [item.name for item in plan("medievallons", 40_000)]
    for players in (4, 5):
        assert names.index(f"{players}p-regent") + 1 == names.index(f"{players}p-champion")
    assert "6p-regent" not in names and "5p-thief" not in names
    assert not any(name.endswith("regent") for name in (one.name for one in plan("medievallons", 4000, quick=True)))


def test_only_the_numbers_of_players_that_are_wanted_are_played() -> None:
    """The largest of them takes the place of the usual number, if that is not among them."""
    every = [item.name for item in plan("middle-ages", 4000)]
    wanted = plan("middle-ages", 4000, players=[4, 3, 4])
    assert [item.name for item in wanted] == [name for name in every if name[:2] not in ("2p", "5p")]
    others = plan("middle-ages", 4000, players=[2, 3])
    assert {f"3p-{name}" for name in ladder("middle-ages")} <= {item.name for item in others}
    assert {item.spec.players for item in others if item.name.startswith("company")} == {3}
    with pytest.raises(UsageError, match="is for 2 to 5 players, not 6"):
        plan("middle-ages", 4000, players=[3, 6])


def runs(*lineups: str) -> list[Source]:
    game = load_game("middle-ages")
    named = [tuple(lineup.split(",")) for lineup in lineups]
    found: list[Any] = [
        SimpleNamespace(spec=SimpleNamespace(game=game, cast=[(game.roles[0], one) for one in names]), strategies=names)
        for names in named
    ]
    return cast("list[Source]", found)


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        (["champion", "thinker", "greedy", "random"], ["random", "greedy", "champion", "thinker"]),
        (["quick_thinker", "greedy", "champion"], ["greedy", "champion", "quick_thinker"]),
        (["mine", "greedy"], ["greedy", "mine"]),
        (["champion", "mine"], ["champion", "mine"]),
        (["mine", "champion", "planner"], ["mine", "planner", "champion"]),
    ],
)
def test_players_on_the_ladder_find_their_places(given: list[str], expected: list[str]) -> None:
    assert [source.strategies[0] for source in by_skill(runs(*given))] == expected
