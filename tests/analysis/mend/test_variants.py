"""The rule sets of a game as changes: what each changes, and how large it is."""

from __future__ import annotations

from analysis.mend.result import variants_of
from simcore.rules.levers import find_levers
from strategies.spec import make_spec


def test_rule_sets_are_changes_of_the_present_rules() -> None:
    spec = make_spec(players=3, games=100)
    found = variants_of([spec], find_levers(spec.game, spec.rules, [3], ["starting_coins=0..60"]))
    assert set(found) == {"gentler-barracks", "other-readings", "seat-compensation", "short-of-tokens"}
    assert found["gentler-barracks"].edits == (("effects.barracks_buries", True, False, None),)
    coins = found["seat-compensation"]
    assert [edit[:3] for edit in coins.edits] == [("starting_coins.2", 0, 1), ("starting_coins.3", 0, 2)]
    assert coins.size == 2 + 3 / 60, "two values that are free, moved by three of sixty coins in all"
    tokens = [edit.key for edit in found["short-of-tokens"].edits]
    assert "tokens.plot.market" in tokens and "tokens.plot.assumed" not in tokens


def test_the_rules_that_are_played_are_no_change_of_themselves() -> None:
    spec = make_spec(players=3, games=100, rules="gentler-barracks")
    assert "gentler-barracks" not in variants_of([spec], ()) and "base" in variants_of([spec], ())
