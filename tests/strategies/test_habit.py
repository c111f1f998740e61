"""Who plays by habit: tuned for other rules than those in hand."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from simcore.running.batch import Spec
from strategies.habit import SHOWN, Habit, habits
from tests.specs import make_spec

CHANGED = "effects.barracks_buries"


def names(spec: Spec) -> list[str]:
    return [habit.player for habit in habits(spec)]


def test_a_tuned_strategy_plays_other_rules_by_habit() -> None:
    (habit,) = habits(make_spec(strategies=["champion"], rules="gentler-barracks"))
    assert (habit.strategy, habit.rules, habit.changed) == ("champion", "base", (CHANGED,))
    assert str(habit).startswith(f"champion was tuned for the rules 'base', and the present rules differ ({CHANGED}).")
    assert "even the sign of a result can be wrong" in str(habit)


@pytest.mark.parametrize(("more", "ends"), [(0, ()), (1, ("…",))])
def test_a_warning_names_only_so_many_keys(more: int, ends: tuple[str, ...]) -> None:
    changed = tuple(f"key_{number}" for number in range(SHOWN + more))
    assert Habit("champion", "", "base", "0" * 64, changed).keys == (*changed[:SHOWN], *ends)


@pytest.mark.parametrize("strategy", ["random", "greedy"])
def test_who_was_tuned_for_no_rules_has_no_habit(strategy: str) -> None:
    assert habits(make_spec(strategies=[strategy], rules="gentler-barracks")) == ()


def test_nobody_plays_the_rules_they_were_tuned_for_by_habit() -> None:
    assert habits(make_spec(strategies=["champion", "greedy", "rollout", "champion"])) == ()


def test_names_and_titles_are_no_rules(tmp_path: Path) -> None:
    same = tmp_path / "mine.toml"
    same.write_text('extends = "base"\nname = "mine"\ntitle = "Mine"\n', encoding="utf-8")
    assert habits(make_spec(strategies=["champion"], rules=str(same))) == ()
    other = tmp_path / "other.toml"
    other.write_text('extends = "base"\n[effects]\nbarracks_buries = false\n', encoding="utf-8")
    assert names(make_spec(strategies=["champion"], rules=str(other))) == ["champion"]


def test_names_and_titles_of_own_rules_are_no_rules_either(tmp_path: Path) -> None:
    def spec(name: str, tokens: str) -> Spec:
        file = tmp_path / f"{name}.toml"
        file.write_text(f'extends = "base"\nname = "{name}"\n[effects]\nmill_coins = {tokens}\n', encoding="utf-8")
        return make_spec(strategies=["champion"], rules=str(file))

    draft, final, other = spec("draft", "4"), spec("final", "4"), spec("other", "5")
    own = {"rules_digest": draft.rules.digest, "nameless_rules_digest": draft.rules.nameless_digest}
    for one, expected in ((draft, []), (final, []), (other, ["champion"])):
        table = one.strategy_tables[0] | {"provenance": {"players_4": own}}
        assert names(replace(one, strategy_tables=(table,))) == expected


def test_a_player_who_looks_ahead_has_the_habit_of_its_base() -> None:
    mixed = make_spec(strategies=["rollout", "champion", "champion", "greedy"], settings=[f"{CHANGED}=false"])
    assert names(mixed) == ["rollout (champion)", "champion"]
    assert habits(mixed)[0].to_dict()["strategy"] == "rollout"
    assert habits(mixed)[0].to_dict()["base"] == "champion"


def test_of_rules_that_nobody_ships_only_so_much_is_said() -> None:
    spec = make_spec(strategies=["champion"])
    table = spec.strategy_tables[0] | {"provenance": {"players_4": {"rules_digest": "0" * 64}}}
    (habit,) = habits(replace(spec, strategy_tables=(table,)))
    assert (habit.rules, habit.changed) == ("", ())
    assert str(habit).startswith("champion was tuned for other rules than the present ones.")


@pytest.mark.parametrize(
    "provenance", [None, "x", {"players_4": 3}, {"players_4": {"rules_digest": 7}}, {"rules_digest": "0" * 64}]
)
def test_provenance_is_untrusted_data(provenance: object) -> None:
    """It may hold anything; what it says of other numbers of players does not count either."""
    spec = make_spec(strategies=["champion"], rules="gentler-barracks")
    table = spec.strategy_tables[0] | {"provenance": provenance}
    assert habits(replace(spec, strategy_tables=(table,))) == ()


@pytest.mark.parametrize(
    ("made", "generations"),
    [
        ({"generations": 9}, 9),
        ({"generations": 5, "generations_before": 5}, None),
        ({"generations": 10}, None),
        ({"generations": "many"}, None),
        ({}, None),
        ({"generations": 60, "halfway": {"a": [0.3, 0.29, 0.31]}, "held_out": {"a": [0.36, 0.35, 0.37]}}, 60),
        ({"generations": 60, "halfway": {"a": ["x", None]}, "held_out": {"a": [0.36, 0.35, 0.37]}}, None),
    ],
)
def test_who_was_hardly_tuned_for_the_rules_is_named(made: dict[str, object], generations: int | None) -> None:
    """By the generations for these rules, with those of the player that the tuning began with, and by the rise."""
    spec = make_spec(strategies=["champion"])
    own = {"players_4": {"rules_digest": spec.rules.digest, **made}}
    found = habits(replace(spec, strategy_tables=(spec.strategy_tables[0] | {"provenance": own},)))
    assert [one.generations for one in found] == ([] if generations is None else [generations])
    assert all("hardly tuned for the present rules" in str(one) for one in found)
