"""The page of levers is made from what is stored, for the players as they are."""

from __future__ import annotations

import json

import pytest

from simcore.game import load_game
from strategies.library import load_strategy, shipped_strategies
from studies.levers import FOUND, MADE, NAME, PAGE, SETS, TUNINGS, beyond, drawn, page

MEASURED = json.loads(FOUND.read_text(encoding="utf-8"))
SHIPPED = [name for name in MEASURED if name.split("/")[0] not in MADE]


def test_the_page_shows_what_is_stored() -> None:
    assert PAGE.read_text(encoding="utf-8") == page(MEASURED), "run `python -m studies.levers write`"


@pytest.mark.parametrize("name", SHIPPED)
def test_every_rule_set_was_played_by_the_player_as_it_is(name: str) -> None:
    game, players = name.split("/")
    player = load_strategy(load_game(game), NAME)
    assert [one["settings"] for one in MEASURED[name]["sets"]] == drawn(player, int(players))
    assert MEASURED[name]["digest"] == player.digest


@pytest.mark.parametrize("name", SHIPPED)
def test_seats_are_within_a_point_of_those_of_tuned_players(name: str) -> None:
    assert len(MEASURED[name]["sets"]) == SETS
    assert max(beyond(one, NAME) for one in MEASURED[name]["sets"]) <= 1


@pytest.mark.parametrize("name", [name for name in MEASURED if name not in SHIPPED])
def test_games_that_ship_no_such_player_have_one_who_is_made_for_the_page(name: str) -> None:
    game = name.split("/", maxsplit=1)[0]
    sets, made = MADE[game]
    assert NAME not in shipped_strategies(load_game(game))
    assert len(MEASURED[name]["sets"]) == sets
    ranges = {key: tuple(map(int, ends.split(".."))) for key, _, ends in (one.partition("=") for one in made)}
    for one in MEASURED[name]["sets"]:
        assert all(ranges[key][0] <= value <= ranges[key][1] for key, value in one["settings"].items())
        assert (set(one["settings"]), len(one["tuned"])) == (set(ranges), TUNINGS)


def test_what_lies_beyond_is_measured_from_the_nearest_end() -> None:
    one = {"tuned": [[40, 60], [44, 56]], "adaptive": [43, 57], "habit": [47, 53]}
    assert (beyond(one, "adaptive"), beyond(one, "habit")) == (0, 3)
