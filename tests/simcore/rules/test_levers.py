"""What may be changed: which numbers of the rules a user means, and how far each may go."""

from __future__ import annotations

import pytest

from analysis.data.declarations import load_declarations
from simcore.errors import UsageError
from simcore.game import GAMES, load_game
from simcore.rules.files import Rules, load_rules
from simcore.rules.levers import Lever, Point, find_levers, settings_of, size_of


def levers(*wanted: str, game: str = "middle-ages", players: int = 4, rules: Rules | None = None) -> dict[str, Lever]:
    found = load_game(game)
    declared = load_declarations(game).levers
    made = find_levers(found, rules or load_rules(found), [players], wanted, declared)
    return {lever.key: lever for lever in made}


@pytest.mark.parametrize("name", GAMES)
def test_every_game_declares_levers_that_its_rules_allow(name: str) -> None:
    game = load_game(name)
    rules = load_rules(game)
    for players in game.players:
        found = levers(game=name, players=players)
        assert found
        for lever in found.values():
            for value in (lever.low, lever.high):
                if value != lever.value:
                    made = load_rules(game, rules, settings_of([lever], [value]))
                    game.pack(made.values, players)
                    assert made.digest != rules.digest


def test_the_coins_of_the_seats_in_play() -> None:
    found = levers(players=3)
    assert list(found) == ["starting_coins.1", "starting_coins.2", "starting_coins.3"]
    assert {(lever.value, lever.low, lever.high) for lever in found.values()} == {(0, 0, 60)}


def test_tables_patterns_and_ranges() -> None:
    effects = levers("effects")
    assert effects == levers("effects.*")
    assert effects["effects.mill_coins"] == Lever("effects.mill_coins", 2, 0, 6)
    assert effects["effects.barracks_buries"] == Lever("effects.barracks_buries", 1, 0, 1, switch=True)
    copies = levers("events.*.copies")
    assert len(copies) == 15 and all(lever.value == 1 and lever.low == 0 for lever in copies.values())
    assert levers("starting_coins.2=0..30:5")["starting_coins.2"] == Lever("starting_coins.2", 0, 0, 30, 5)
    assert levers("starting_coins.2")["starting_coins.2"].high == 60  # which the game declares
    cards = levers("tenant_card.*.copies", game="seigneurial")
    assert cards and all(key.startswith("tenant_card.") for key in cards)


def test_a_range_that_nobody_wrote_stays_within_what_the_rules_allow() -> None:
    """A deck of Fief 2 has at most one Joan of Arc."""
    joan = levers("deck.darc", game="fief-2")["deck.darc"]
    assert (joan.low, joan.high) == (0, 1)


def test_values_that_are_tried() -> None:
    lever = Lever("key", 10, 0, 110, 10)
    assert (lever.down, lever.up, lever.width) == (1, 10, 11)
    assert lever.tried() == [0, 10, 20, 40, 60, 110]
    assert [lever.nearest(value) for value in (-90, 4, 16, 44, 999)] == [0, 0, 20, 40, 110]


def test_the_size_of_a_change() -> None:
    pair = [Lever("a", 0, 0, 10), Lever("b", 1, 0, 1, switch=True)]
    points: list[Point] = [(0, 1), (5, 1), (5, 0)]
    assert [size_of(pair, point) for point in points] == [0, 1.5, 3.5]
    assert settings_of(pair, (5, 0)) == ["a=5", "b=false"]


@pytest.mark.parametrize(
    ("wanted", "said"),
    [
        ("startin_coins", "no key of the rules is called 'startin_coins'; did you mean 'starting_coins'"),
        ("effects.mill_coin", "did you mean 'effects.mill_coins'"),
        ("shortfall", "'shortfall' is no whole number"),
        ("effects.mill_coins=3..5", "the range 3..5 leaves out the present value 2"),
        ("effects.mill_coins=0..9:3", "the range 0..9:3 leaves out the present value 2"),
        ("effects.mill_coins=5..1", "the range is reversed"),
        ("effects.mill_coins=a|b", "is not a range of whole numbers"),
        ("effects.mill_coins=2..5000:6", "must be 1000 or less, not 5000; choose a narrower range"),
        ("tiles", "the maximum is 24, so name fewer keys"),
    ],
)
def test_what_cannot_be_free(wanted: str, said: str) -> None:
    with pytest.raises(UsageError, match=said):
        levers(wanted)


def test_a_declared_range_counts_where_the_present_value_lies_in_it() -> None:
    """Nobody wrote the range, so nobody could widen it."""
    game = load_game("middle-ages")
    for value, room in ((30, (0, 60)), (90, (0, 180))):
        rules = load_rules(game, "base", [f"starting_coins.1={value}"])
        (lever,) = find_levers(game, rules, [2], ["starting_coins.1"], ["starting_coins=0..60"])
        assert (lever.low, lever.high) == room
        with pytest.raises(UsageError, match="leaves out the present value"):
            find_levers(game, rules, [2], [f"starting_coins.1={value + 1}..{value + 9}"])
