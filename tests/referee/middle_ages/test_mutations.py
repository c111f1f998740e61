"""Every single falsehood put into an honest log must be found, where it stands."""

import copy
from functools import cache

import pytest

from ..falsehoods import Log, Mutation, records
from ..trials import each_of, find_changed_fields, find_falsehood, find_junk, find_lost_records, other
from . import check
from .falsehoods import CASES
from .player import Game
from .rulebook import DOMAINS, EVENTS


@cache
def honest_log(seed: int) -> Log:
    """A game; 60 of them have every table size, mixed switches and all Events."""
    players = 2 + seed % 4
    names = ["greedy"] * players if seed % 3 == 0 else ["random"] * players
    events = [EVENTS[(4 * seed + k) % 15] for k in range(4)]
    options = {"plot_token_supply": ("shared", "unlimited")[seed % 2], "final_floor": seed % 5 == 4}
    return Game(seed, names, events, starting_coins=[-1000 * (seed % 10 == 9)] * players, **options).play()


@pytest.mark.parametrize("event", EVENTS)
def test_wrong_coins_in_any_event(event: str) -> None:
    for log in map(honest_log, range(60)):
        for index, _ in records(log, "event", event=event):
            spoilt = copy.deepcopy(log)
            spoilt[index]["outcomes"][-1]["coins"] += 1
            assert f"record {index} (event): outcomes is" in check(spoilt)[0]
            return
    pytest.fail("the event is never met")


@each_of(CASES)
def test_a_falsehood_is_found_where_it_stands(spoil: Mutation, expected: str) -> None:
    find_falsehood(check, map(honest_log, range(60)), spoil, expected)


def test_every_field_of_every_record_counts() -> None:
    """In a game of `greedy` players only the draws are free."""
    find_changed_fields(check, Game(8, ["greedy"] * 3).play(), lambda value: other(value, *DOMAINS))


def test_every_record_counts() -> None:
    find_lost_records(check, Game(9, ["random"] * 4).play())


def test_junk_is_found_and_never_crashes() -> None:
    find_junk(check, Game(3, ["random"] * 3).play(), ("seed", "game_id", "strategies", "final_floor"))
