"""What strategies forbid themselves: that they obey, whatever their policy, and that nothing else changes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from simcore.errors import KernelFault, UsageError
from simcore.game import load_game
from simcore.games.middle_ages.state import DOMAIN_NAMES
from simcore.rules.files import Rules, load_rules
from simcore.running.batch import Spec, run_chunk
from strategies.custom import policy
from strategies.library import load_strategy, strategy_from_dict
from strategies.model import Strategy, custom_strategy
from strategies.moves import first_move
from strategies.restrictions import obey, restrictions_of
from strategies.spec import assemble_spec, under_rules

GAME = load_game("middle-ages")
GAMES = 240
HERO = 0


@policy("middle-ages")
def eager(rules: Any, lineup: Any, state: Any, seat: int) -> int:
    """Takes the first legal move."""
    return first_move(state.legal)


@policy("middle-ages")
def rebel(rules: Any, lineup: Any, state: Any, seat: int) -> int:
    """Takes column 0, allowed or not."""
    return 0


def spec_of(hero: Strategy, others: str = "planner", settings: Sequence[str] = ()) -> Spec:
    other = load_strategy(GAME, others)
    return assemble_spec(GAME, 4, [hero, other, other, other], load_rules(GAME, "base", settings), 1, "rotate", GAMES)


def rows_of(name: str, *forbids: str, others: str = "planner") -> np.ndarray:
    """Play a strategy under some restrictions; return its rows."""
    hero = replace(load_strategy(GAME, name), name="hero", forbids=forbids)
    rows = run_chunk(spec_of(hero, others), 0, GAMES)
    return rows[rows["strategy"] == HERO]


@pytest.mark.parametrize("name", ["planner", "greedy", "random"])
@pytest.mark.parametrize("domain", ["mill", "village", "palace"])
def test_a_domain_is_taken_only_where_nothing_else_is_free(name: str, domain: str) -> None:
    """Of five tiles a row the last to choose has two; both are of one Domain now and then."""
    free, kept = (rows_of(name, *forbids)["tiles"][:, DOMAIN_NAMES.index(domain)] for forbids in ((), (domain,)))
    assert kept.mean() < 0.4 * free.mean()


def test_with_everything_forbidden_everything_is_allowed() -> None:
    """And the greedy choice among all is that of a player whom nothing is forbidden."""
    assert np.array_equal(rows_of("greedy", *DOMAIN_NAMES)["coins"], rows_of("greedy")["coins"])


@pytest.mark.parametrize(
    ("forbidden", "fields"),
    [
        ("scout", ["scouts"]),
        ("robbery", ["mill_robbed", "barracks_robbed"]),
        ("cemetery", ["restorations"]),
        ("extra_coin", ["extra_tokens"]),
        ("plot_token", ["plot_tokens"]),
    ],
)
def test_effects_do_not_happen_to_who_forgoes_them(forbidden: str, fields: list[str]) -> None:
    free, kept = rows_of("random"), rows_of("random", forbidden)
    for field in fields:
        assert free[field].sum() > 0
        assert kept[field].sum() == 0


def test_who_does_not_rob_hurts_nobody() -> None:
    """Neither coins nor burials: beside three who never rob, nobody loses anything to anybody."""
    meek = replace(load_strategy(GAME, "random"), forbids=("robbery",))
    rows = run_chunk(assemble_spec(GAME, 3, [meek], load_rules(GAME), 1, "fixed", 60), 0, 60)
    assert rows["mill_paid"].sum() == rows["barracks_paid"].sum() == 0
    quiet = run_chunk(assemble_spec(GAME, 3, [load_strategy(GAME, "random")], load_rules(GAME), 1, "fixed", 60), 0, 60)
    assert rows["burials"].sum() < quiet["burials"].sum()


def test_foresight_matters_to_who_looks_ahead_and_to_nobody_else() -> None:
    assert not np.array_equal(rows_of("planner", "foresight")["taken"], rows_of("planner")["taken"])
    assert np.array_equal(rows_of("greedy", "foresight")["taken"], rows_of("greedy")["taken"])


def test_an_event_is_hidden_and_no_other() -> None:
    """Play differs, if at all, in games that hold the card."""
    kinds = list(load_rules(GAME).values.events)
    free, kept = rows_of("planner"), rows_of("planner", "foresight:alliance")
    held = (free["events"] == kinds.index("alliance")).any(axis=1)
    same = (free["taken"] == kept["taken"]).all(axis=1)
    assert same[~held].all()
    assert not same[held].all()


def test_hidden_events_happen_all_the_same() -> None:
    free, kept = rows_of("planner"), rows_of("planner", "foresight")
    assert np.array_equal(free["events"], kept["events"])
    assert kept["event_coins"].any()


def test_users_policies_obey() -> None:
    hero = replace(custom_strategy("middle-ages", "tests:eager", eager), forbids=("field",))
    rows = run_chunk(spec_of(hero, "random"), 0, GAMES)
    assert rows["tiles"][rows["strategy"] == HERO][:, 0].mean() < 0.25
    assert hero.to_dict()["forbids"] == ["field"]


def test_a_policy_that_does_not_obey_is_found_out() -> None:
    hero = replace(custom_strategy("middle-ages", "tests:rebel", rebel), forbids=("field",))
    with pytest.raises(KernelFault, match="a policy chose an illegal move"):
        run_chunk(spec_of(hero, "random"), 0, GAMES)


def test_blunders_obey_too() -> None:
    blind = replace(load_strategy(GAME, "greedy"), name="hero", blunder=1.0, forbids=("mill",))
    rows = run_chunk(spec_of(blind), 0, GAMES)
    assert rows["tiles"][rows["strategy"] == HERO][:, 1].mean() < 0.25


def test_restrictions_are_part_of_a_strategy() -> None:
    hero = replace(load_strategy(GAME, "planner"), forbids=("mill", "foresight"))
    again = strategy_from_dict(GAME, hero.to_dict())
    assert again.forbids == hero.forbids
    assert again.digest == hero.digest != load_strategy(GAME, "planner").digest
    assert 'forbids = ["mill", "foresight"]' in hero.to_toml()
    assert "forbids" not in load_strategy(GAME, "planner").to_dict()


def test_what_an_effect_would_bring_weighs_nothing_to_who_forgoes_it() -> None:
    """For each, every feature is one of the game's, and its weight is gone from the member that plays."""
    from strategies.kit import load_kit

    index = load_kit("middle-ages").index
    planner = load_strategy(GAME, "planner")
    for name, found in restrictions_of("middle-ages", load_rules(GAME).values).items():
        member = spec_of(replace(planner, name="hero", forbids=(name,))).lineup_record["members"][HERO]
        usual = spec_of(replace(planner, name="hero")).lineup_record["members"][HERO]
        places = [index[feature] for feature in found.ignores]
        assert not member["weights"][places].any()
        others = np.setdiff1d(np.arange(len(usual["weights"])), places)
        assert np.array_equal(member["weights"][others], usual["weights"][others])


def test_unknown_restrictions() -> None:
    with pytest.raises(UsageError, match=r"'hero' forbids: nothing called 'mil' can be forbidden; did you mean 'mill'"):
        spec_of(replace(load_strategy(GAME, "planner"), name="hero", forbids=("mil",)))


# --- Médiévallons

GUILDS = load_game("medievallons")
TYPES = {"knight": 3, "jester": 2}


def guild_rows(*forbids: str) -> np.ndarray:
    """Play a random player under some restrictions beside two others; return its rows."""
    other = load_strategy(GUILDS, "random")
    hero = replace(other, name="hero", forbids=forbids)
    rows = run_chunk(assemble_spec(GUILDS, 3, [hero, other, other], load_rules(GUILDS), 1, "rotate", 90), 0, 90)
    return rows[rows["strategy"] == HERO]


@pytest.mark.parametrize(("name", "number"), TYPES.items())
def test_cards_of_a_type_are_neither_played_nor_laid(name: str, number: int) -> None:
    """Unless a hand holds nothing else."""
    free, kept = guild_rows(), guild_rows(name)
    assert kept["played"][:, number].sum() < 0.1 * free["played"][:, number].sum()
    assert (free["laid"] == number + 1).any()
    assert not (kept["laid"] == number + 1).any()


def test_who_forbids_jesters_lays_guilds_without() -> None:
    """But Jesters pile up in the hand, until now and then it holds nothing else."""
    free, kept = guild_rows()["jesters_laid"], guild_rows("jester")["jesters_laid"]
    assert kept.sum() < 0.4 * free.sum()


@pytest.mark.parametrize(("name", "action"), [("lay", 1), ("reinforce", 2), ("use", 3)])
def test_actions_are_not_taken_where_another_is_legal(name: str, action: int) -> None:
    """A card in hand can always be played; a hand without cards may have nothing but a guild to use."""
    free, kept = (guild_rows(*forbids)["actions"][:, action::5].sum() for forbids in ((), (name,)))
    assert free > 0
    assert kept < 0.05 * free


def test_who_obeys_anew_obeys_nothing_else() -> None:
    record = spec_of(replace(load_strategy(GAME, "planner"), name="hero", forbids=("mill", "scout"))).lineup_record
    meek = replace(load_strategy(GAME, "planner"), name="hero", forbids=("palace", "foresight"))
    expected, rules = spec_of(meek).lineup_record, load_rules(GAME).values
    for _ in range(2):
        meek.fill(record, HERO, 4)
        obey(record, HERO, meek, rules)
        obey(record, HERO, meek, rules)
        assert record.tobytes() == expected.tobytes()


def test_restrictions_follow_the_rules() -> None:
    """Who foresees nothing does not foresee an Event that only other rules have."""
    base = load_rules(GAME)
    table = base.to_dict()
    first = next(iter(table["events"].values()))
    table["events"]["another"] = {key: value for key, value in first.items() if key != "builtin"}
    more = Rules.from_dict(GAME, table)
    hero = replace(load_strategy(GAME, "planner"), name="hero", forbids=("foresight",))
    expected = assemble_spec(GAME, 4, [hero], more, 1, "fixed", GAMES)
    found = under_rules(assemble_spec(GAME, 4, [hero], base, 1, "fixed", GAMES), more)
    assert found.lineup_record.tobytes() == expected.lineup_record.tobytes()
