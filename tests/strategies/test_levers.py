"""Players who know values of the rules: their weights follow them, and within the ranges they have no habits."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from simcore.errors import UsageError
from simcore.game import load_game
from simcore.rules.files import load_rules
from simcore.running.batch import run_chunk
from strategies.habit import habits
from strategies.library import load_strategy, shipped_strategies, strategy_from_dict
from strategies.model import Strategy
from strategies.spec import under_rules
from strategies.tuning import Budget, Journal, add_part, describe, make_plan, tune
from tests.brief import tune_briefly
from tests.specs import make_spec

GAME = load_game("middle-ages")
MILLS, PENALTY, BURIES = "effects.mill_coins", "empty_domain_penalty", "effects.barracks_buries"
HEAD = 'format = "equipoise-strategy/1"\ngame = "middle-ages"\nname = "mine"\ntitle = "Mine"\npolicy = "linear"\n'
MINE = (
    HEAD
    + """[weights]
income = 1
[players.3]
income = 2
[levers."effects.mill_coins"]
value = 2
low = 1
high = 4
[levers."effects.mill_coins".weights]
tile_mill = 0.5
[levers."effects.mill_coins".players.3]
income = 10
[levers."effects.barracks_buries"]
value = true
low = false
high = true
[levers."effects.barracks_buries".weights]
burned = -3
"""
)


def written(folder: Path, text: str = MINE, name: str = "mine.toml") -> Strategy:
    file = folder / name
    file.write_text(text, encoding="utf-8")
    return load_strategy(GAME, file)


def weights(mine: Strategy, *settings: str, players: int = 4) -> dict[str, float]:
    return dict(mine.under(load_rules(GAME, "base", settings)).weights_at(players))


def test_weights_follow_the_rules(tmp_path: Path) -> None:
    mine = written(tmp_path)
    assert weights(mine) == {"income": 1}
    assert weights(mine, f"{MILLS}=4") == {"income": 1, "tile_mill": 1}
    assert weights(mine, f"{MILLS}=1", f"{BURIES}=false") == {"income": 1, "tile_mill": -0.5, "burned": 3}
    assert weights(mine, f"{MILLS}=3", players=3) == {"income": 12}


def test_beyond_its_range_a_lever_counts_as_at_its_end(tmp_path: Path) -> None:
    mine = written(tmp_path)
    assert weights(mine, f"{MILLS}=9") == weights(mine, f"{MILLS}=4")


def test_what_a_player_knows_changes_how_it_plays_and_nothing_else_does(tmp_path: Path) -> None:
    mine, settings = written(tmp_path), [f"{MILLS}=4"]
    plain = HEAD.replace('"mine"', '"plain"') + "[weights]\nincome = 1\ntile_mill = 1\n"
    written(tmp_path, plain, "plain.toml")
    knowing, same = (
        run_chunk(make_spec(strategies=[str(tmp_path / name)], settings=settings, games=200), 0, 200)
        for name in ("mine.toml", "plain.toml")
    )
    unaware = run_chunk(make_spec(strategies=[str(tmp_path / "mine.toml")], games=200), 0, 200)
    assert knowing.tobytes() == same.tobytes() != unaware.tobytes()
    assert mine.digest != replace(mine, levers=()).digest != written(tmp_path, plain).digest


@pytest.mark.parametrize("mixed", [["mine.toml"], ["seer.toml", "champion", "mine.toml", "greedy"]])
def test_the_same_players_under_other_rules_know_them(tmp_path: Path, mixed: list[str]) -> None:
    written(tmp_path)
    seer = (
        HEAD.replace('"mine"', '"seer"').replace("linear", "rollout") + '[search]\nbase = "mine.toml"\nrollouts = 2\n'
    )
    written(tmp_path, seer, "seer.toml")
    named = [str(tmp_path / name) if name.endswith(".toml") else name for name in mixed]
    expected = make_spec(strategies=named, settings=[f"{MILLS}=4"])
    found = under_rules(make_spec(strategies=named), load_rules(GAME, "base", [f"{MILLS}=4"]))
    assert found.lineup_record.tobytes() == expected.lineup_record.tobytes()
    assert found.rules_record.tobytes() == expected.rules_record.tobytes()
    assert found.lineup_record.tobytes() != make_spec(strategies=named).lineup_record.tobytes()


def test_slopes_for_a_number_of_players_count_without_weights_of_their_own(tmp_path: Path) -> None:
    mine = written(tmp_path, MINE.replace("[players.3]\nincome = 2\n", ""))
    assert weights(mine, f"{MILLS}=3", players=3) == {"income": 11}
    assert weights(mine, f"{MILLS}=3") == {"income": 1, "tile_mill": 0.5}


def test_the_base_of_a_search_knows_the_rules_too(tmp_path: Path) -> None:
    written(tmp_path)
    search = HEAD.replace('"mine"', '"seer"').replace("linear", "rollout") + '[search]\nbase = "mine.toml"\n'
    seer = written(tmp_path, search, "seer.toml").under(load_rules(GAME, "base", [f"{MILLS}=4"]))
    assert seer.search is not None and dict(seer.search.base.weights) == {"income": 1, "tile_mill": 1}


def test_a_file_says_the_same_as_before(tmp_path: Path) -> None:
    mine = written(tmp_path)
    again = written(tmp_path, mine.to_toml(), "again.toml")
    assert again.digest == mine.digest == strategy_from_dict(GAME, mine.to_dict()).digest
    assert again.levers == mine.levers


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("low = 1\n", "low = 3\n", "low must be less than high, and value must lie between them"),
        ("low = false", "low = 0", "value, low and high must be three whole numbers, or three times true or false"),
        ("tile_mill = 0.5", "tile_mil = 0.5", 'effects.mill_coins".weights] tile_mil: no such feature; did you mean'),
        ("players.3]\nincome = 10", "players.7]\nincome = 10", "[players.7]: Middle-Ages is for 2 to 5 players"),
        ("low = 1\n", "", "low: key is missing"),
        ("tile_mill = 0.5", "tile_mill = 5000", "tile_mill"),
    ],
)  # fmt: skip
def test_a_table_of_levers_that_cannot_be_is_refused(tmp_path: Path, old: str, new: str, told: str) -> None:
    assert MINE.count(old) == 1
    with pytest.raises(UsageError) as refused:
        written(tmp_path, MINE.replace(old, new))
    assert told in str(refused.value) and "mine.toml" in str(refused.value) and "\n" not in str(refused.value)


def test_rules_without_the_key_are_refused(tmp_path: Path) -> None:
    written(tmp_path, MINE.replace(MILLS, "effects.unheard"))
    with pytest.raises(UsageError) as refused:
        make_spec(strategies=[str(tmp_path / "mine.toml")])
    told = "'mine' has a lever that is not there: the rules 'base' have no whole number 'effects.unheard'"
    assert told in str(refused.value)


@pytest.mark.parametrize("game", ["middle-ages", "medievallons"])
def test_the_shipped_player_has_no_habits_within_its_ranges(game: str) -> None:
    found = load_game(game)
    assert "adaptive" in shipped_strategies(found)
    levers = [one.lever for one in load_strategy(found, "adaptive").levers]
    ends = [f"{lever.key}={lever.high}" for lever in levers]
    assert habits(make_spec(game=game, strategies=["adaptive"], settings=ends)) == ()
    (champion,) = habits(make_spec(game=game, strategies=["champion"], settings=ends))
    assert champion.instead == "adaptive" and str(champion).endswith("or let adaptive play, who knows them.")
    beyond = [*ends[1:], f"{levers[0].key}={levers[0].high + 1}"]
    (habit,) = habits(make_spec(game=game, strategies=["adaptive"], settings=beyond))
    assert (habit.changed, habit.instead) == ((levers[0].key,), "")


def test_another_rule_makes_it_play_by_habit() -> None:
    (habit,) = habits(make_spec(strategies=["adaptive"], settings=[f"{MILLS}=3", f"{BURIES}=false"]))
    assert habit.changed == (BURIES,)


@pytest.fixture
def brief(monkeypatch: pytest.MonkeyPatch) -> None:
    tune_briefly(monkeypatch.setattr, steps=(-8, 8))


FREE = (f"{MILLS}=1..4", f"{PENALTY}=0..20:5")
SMALL = {"game": "middle-ages", "players": [2], "population": 4, "games": 480, "start": "planner"}


@pytest.mark.usefixtures("brief")
def test_a_tuning_finds_weights_that_follow_the_rules(tmp_path: Path) -> None:
    plan = make_plan(**SMALL, free=FREE)
    drawn = [rules.flat() for rules in plan.rule_sets[1:]]
    assert {flat[MILLS] for flat in drawn} == {1, 2, 3, 4} and {flat[PENALTY] for flat in drawn} == {0, 5, 10, 15, 20}
    made = describe(plan, tune(plan, Budget(generations=2), 1, Journal(None, {})), "mine", {})
    assert [(one.lever.key, one.lever.low, one.lever.high) for one in made.levers] == [(MILLS, 1, 4), (PENALTY, 0, 20)]
    assert any(one.slopes for one in made.levers)
    assert f"--free {MILLS}=1..4 --free {PENALTY}=0..20:5" in made.provenance["recipe"]
    again = written(tmp_path, made.to_toml())
    assert again.digest == made.digest
    further = make_plan(**SMALL | {"start": tmp_path / "mine.toml"}, free=FREE)
    assert further.start.digest == made.digest
    rules = further.rule_sets[3]
    expected = again.under(rules).weights_at(2)
    found = dict(zip(further.features, further.under(further.weights[None], 3)[0], strict=True))
    assert {name: weight for name, weight in found.items() if weight} == pytest.approx(
        {name: weight for name, weight in expected.items() if weight}
    )


@pytest.mark.usefixtures("brief")
def test_tuned_without_levers_a_player_who_knows_some_starts_from_what_it_plays_there(tmp_path: Path) -> None:
    written(tmp_path)
    plan = make_plan(**SMALL | {"start": tmp_path / "mine.toml"}, settings=[f"{MILLS}=4"])
    assert plan.start.levers == () and plan.start.weights["tile_mill"] == 1 and len(plan.weights) == len(plan.features)


@pytest.mark.usefixtures("brief")
def test_numbers_of_players_share_their_ranges() -> None:
    parts = [make_plan(**SMALL | {"players": [players]}, free=FREE) for players in (2, 3)]
    first, second = (tune(plan, Budget(generations=1), 1, Journal(None, {})) for plan in parts)
    one = add_part(None, parts[0], first, "mine", {})
    both = add_part(one, parts[1], second, "mine", {})
    assert list(both.by_players) == [2, 3] and all(list(lever.by_players) == [2, 3] for lever in both.levers)
    for part, tuned in zip(parts, (first, second), strict=True):
        players = part.players[0]
        for lever, own in zip(both.levers, tuned.strategy.levers, strict=True):
            assert dict(lever.slopes_at(players)) == dict(own.slopes)
    other = make_plan(**SMALL | {"players": [4]}, free=[f"{MILLS}=1..3"])
    with pytest.raises(UsageError, match="'mine' knows other values of the rules"):
        add_part(both, other, second, "mine", {})


@pytest.mark.parametrize(
    ("free", "told"),
    [
        (["effects.mill_coin=1..4"], "free: no key of the rules is called 'effects.mill_coin'"),
        ([f"{MILLS}=3..4"], "the range 3..4 leaves out the present value 2"),
        (["shortfall"], "'shortfall' is no whole number"),
        ([f"{MILLS}=2..1002:100"], "choose a narrower range"),
    ],
)  # fmt: skip
def test_a_range_that_cannot_be_is_refused(free: list[str], told: str) -> None:
    with pytest.raises(UsageError) as refused:
        make_plan(**SMALL, free=free)
    assert told in str(refused.value)
