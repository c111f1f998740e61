"""Which verdicts depend on open readings: what is tried, and how its effects are judged."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import polars as pl
import pytest

from analysis.sensitivity import (
    ABOVE,
    BELOW,
    FAIRLY,
    UNSURE,
    Sensitivity,
    _judged,
    _rows,
    _verdict,
    sensitivity,
    variants,
)
from analysis.stats.margin import as_margin
from reports.steps import Wanted, steps
from reports.words import ENGLISH
from simcore.errors import UsageError
from simcore.game import GAMES, load_game
from simcore.rules.files import Rules, load_rules
from simcore.toml_tables import flatten


@pytest.fixture(autouse=True)
def own_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("simcore.kernel.cache.beside_kernels", lambda name: tmp_path)


def question(*settings: str, **options: Any) -> Sensitivity:
    own = {"strategies": "greedy", "games": 1200, "players": (4,)} | options
    return sensitivity("middle-ages", load_rules(load_game("middle-ages"), "base", settings), **own)


@pytest.mark.parametrize("name", GAMES)
def test_every_switch_is_tried_with_every_other_value(name: str) -> None:
    game = load_game(name)
    rules = load_rules(game)
    found, idle = variants(game, rules)
    flat = rules.flat()
    for one in found:
        changed = {key for key, value in one.rules.flat().items() if value != flat[key]}
        assert changed and all(key == one.parameter or key.startswith(f"{one.parameter}.") for key in changed)
    assert len({(one.parameter, one.value) for one in found}) == len(found)
    assert not set(idle) & {one.parameter for one in found}


def test_choices_and_numbers() -> None:
    tried = lambda name: {  # noqa: E731
        (one.parameter, one.value) for one in variants(load_game(name), load_rules(load_game(name)))[0]
    }
    assert {("shortfall", "debt"), ("final_floor", "true"), ("slot_capacity", "one")} <= tried("middle-ages")
    assert {("hand_size", "5"), ("hand_size", "7"), ("match", "false")} <= tried("medievallons")
    assert {("first_tenant", "rotates"), ("first_tenant", "fixed")} <= tried("seigneurial")


def test_a_shuffled_table_has_the_same_numbers_elsewhere() -> None:
    game = load_game("middle-ages")
    rules = load_rules(game)
    found, _ = variants(game, rules, ["tiles"], shuffles=2)
    assert [one.value for one in found] == ["shuffle 1", "shuffle 2"]
    before = flatten(rules.values.model_dump(mode="json")["tiles"]["faces"])
    for one in found:
        after = flatten(one.rules.values.model_dump(mode="json")["tiles"]["faces"])
        for key in ("number", "peasants", "blue"):
            old, new = ({path: n for path, n in flat.items() if path.endswith(f".{key}")} for flat in (before, after))
            assert sorted(old.values()) == sorted(new.values()) and old != new
    again, _ = variants(game, rules, ["tiles"], shuffles=2)
    assert [one.rules.digest for one in again] == [one.rules.digest for one in found]


def test_effects_are_told_apart() -> None:
    """Twenty coins more or less decide; where nobody falls short of coins, the switch about that is dead."""
    rich = "starting_coins=[500,500,500,500,500]"
    found = question(rich, only=("shortfall", "plot_token_supply"))
    effects = dict(found.table.select("parameter", "effect").rows())
    assert effects["shortfall"] == "dead"
    assert found.table.filter(parameter="shortfall")["changed"].item() == 0
    assert {verdict.code for verdict in found.verdicts} >= {"sensitivity_dead"}


def test_a_verdict_that_becomes_another_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """Seat 2 gets 60 coins in the one variant that is tried."""
    game = load_game("middle-ages")
    rules = load_rules(game)
    made = load_rules(game, rules, ["starting_coins.2=60"])
    variant = variants(game, rules, ["shortfall"])[0][0]
    monkeypatch.setattr(
        "analysis.sensitivity.variants", lambda *given: ([type(variant)("gift", "60", made)], ["tokens.plot"])
    )
    found = question(margin=as_margin("12pp"))
    (row,) = found.table.to_dicts()
    assert (row["effect"], row["name"]) == ("flips", "seat-2")
    assert row["after"] - row["before"] == pytest.approx(row["difference"])
    assert row["difference_low"] > 0.3
    verdict = found.verdict
    assert (verdict.code, verdict.status) == ("sensitivity_flips_seat", "tilted")
    assert (verdict.values["was"], verdict.values["is"]) == ("side_fair", "side_above")
    assert verdict.values["change"] == "gift=60"
    assert found.idle == ("tokens.plot",) and found.notes[-1].code == "sensitivity_idle"


@pytest.mark.parametrize(("margin", "effect"), [("1pp", "flips"), ("12pp", "holds")])
def test_a_switch_that_changes_par_is_not_dead(margin: str, effect: str) -> None:
    """The lord wins some 40 % of these games: less than half of the wins, and more than a quarter."""
    rules = load_rules(load_game("seigneurial"))
    found = sensitivity("seigneurial", rules, (4,), games=400, only=("par",), margin=as_margin(margin))
    (row,) = found.table.to_dicts()
    assert (row["name"], row["effect"], row["changed"]) == ("lord", effect, 0)
    assert (row["par_before"], row["par"], row["difference"]) == (0.5, 0.25, 0)
    text = ENGLISH.verdict(found.verdict)
    assert "its par is 25.0% instead of 50.0%" in text
    assert ("above its fair band instead of below its fair band" in text) == (effect == "flips")


@pytest.mark.parametrize(
    ("low", "high", "side"),
    [
        (0.57, 0.60, ABOVE),
        (0.54, 0.60, UNSURE),
        (0.47, 0.53, FAIRLY),
        (0.40, 0.60, UNSURE),
        (0.40, 0.46, UNSURE),
        (0.40, 0.43, BELOW),
        (None, None, UNSURE),
    ],
)
def test_a_share_is_judged_only_if_its_whole_interval_lies_on_one_side(
    low: float | None, high: float | None, side: int
) -> None:
    assert _judged({"value_low": low, "value_high": high, "par": 0.5}, as_margin("5pp")) == side


def test_the_winner_may_change_though_no_camp_gains() -> None:
    """A switch that only decides among tenants is not dead."""
    seat = {"kind": "camp", "players": 4, "deals": 100, "value": 0.5, "value_low": 0.4, "value_high": 0.6, "par": 0.5}
    still = {"difference": 0.0, "difference_low": -0.04, "difference_high": 0.04, "changed": 0.0}
    rows = pl.DataFrame(
        [
            {"parameter": key, "setting": key, "name": camp, **seat, **still}
            for key in (None, "payment")
            for camp in ("lord", "tenants")
        ]
    )
    pars = {key: {"lord": 0.5, "tenants": 0.5} for key in ((4, None, None), (4, "payment", "payment"))}
    (row,) = _rows(rows, {(4, "payment", "payment"): 0.3}, pars, as_margin("12%"))
    assert (row["effect"], row["changed"]) == ("holds", 0.3)


@pytest.mark.parametrize(
    ("declared", "difference", "effect", "code"),
    [
        (1 / 3, 0.009, "holds", "sensitivity_holds"),
        (1 / 3, 0.013, "shifts", "sensitivity_shifts_seat"),
        (1 / 3, -0.001, "shifts", "sensitivity_shifts_seat"),
        (0.4, 0.009, "shifts", "sensitivity_par_holds_seat"),
    ],
)
def test_games_that_nobody_wins_are_no_change_of_par(
    declared: float, difference: float, effect: str, code: str
) -> None:
    """Half of the games have no winner, then 2 points fewer: par, 1/3 of the others, goes from .167 to .174."""
    seat = {"name": "seat-1", "players": 3, "deals": 6000, "changed": 0.02}
    before, after = 0.18, 0.18 + difference
    rows = pl.DataFrame(
        [
            {"parameter": key, "setting": key, "value": value, "value_low": value - 0.01, "value_high": value + 0.01}
            | {"par": par, "difference": value - before}
            | {"difference_low": value - before - 0.004, "difference_high": value - before + 0.004}
            | seat
            for key, value, par in ((None, before, 0.5 / 3), ("end", after, 0.52 / 3))
        ]
    )
    pars = {(3, None, None): {"seat-1": 1 / 3}, (3, "end", "end"): {"seat-1": declared}}
    (row,) = _rows(rows, {(3, "end", "end"): 0.02}, pars, as_margin("12%"))
    assert row["effect"] == effect
    assert _verdict(row | {"tried": "end"}, load_game("middle-ages")).code == code


def test_a_game_that_is_played_for_a_payoff_is_refused_in_a_line(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its amounts are neither shares of the wins nor percent; so no page names the command as a next step."""
    rules = load_rules(load_game("kuhn"))
    with pytest.raises(UsageError, match=r"^game: sensitivity measures wins, and Kuhn .* is played for chips$"):
        sensitivity("kuhn", rules, (2,), games=100, only=("names",))
    monkeypatch.setattr(Rules, "switches", property(lambda self: {"ante": 1}))
    wanted = Wanted("sensitivity", "sensitivity --game kuhn")
    assert steps(ENGLISH, rules, wanted) == ()
    assert len(steps(ENGLISH, load_rules(load_game("middle-ages")), wanted)) == 1


def test_names_that_are_nothing_to_try() -> None:
    with pytest.raises(UsageError, match="'shortfal' is neither a switch nor a table; did you mean 'shortfall'"):
        question(only=("shortfal",))
    with pytest.raises(UsageError, match="have no switch and no assumed table"):
        question(only=("tokens.plot",))
