"""Every single falsehood put into an honest log must be found, where it stands."""

import copy
import random
from functools import cache
from typing import Any

import pytest

from .false_decisions import DECISIONS
from .false_sequence import SEQUENCE
from .falsehoods import FIELDS, Log, Mutation, records
from .middle_ages import check
from .player import Game
from .rulebook import DOMAINS, EVENTS

CASES = [*FIELDS, *DECISIONS, *SEQUENCE]


@cache
def honest_logs() -> tuple[Log, ...]:
    """Games at every table size under mixed switches; all Events are met."""
    logs = []
    for seed in range(60):
        players = 2 + seed % 4
        names = ["greedy"] * players if seed % 3 == 0 else ["random"] * players
        events = [EVENTS[(4 * seed + k) % 15] for k in range(4)]
        options = {"plot_token_supply": ("shared", "unlimited")[seed % 2], "final_floor": seed % 5 == 4}
        coins = [-1000 * (seed % 10 == 9)] * players
        logs.append(Game(seed, names, events, starting_coins=coins, **options).play())
    return tuple(logs)


@pytest.mark.parametrize("event", EVENTS)
def test_wrong_coins_in_any_event(event: str) -> None:
    for log in honest_logs():
        for index, _ in records(log, "event", event=event):
            spoilt = copy.deepcopy(log)
            spoilt[index]["outcomes"][-1]["coins"] += 1
            assert f"record {index} (event): outcomes is" in check(spoilt)[0]
            return
    pytest.fail("the event is never met")


@pytest.mark.parametrize(
    ("spoil", "expected"), [each[1:] for each in CASES], ids=[each[0].replace(" ", "_") for each in CASES]
)
def test_a_falsehood_is_found_where_it_stands(spoil: Mutation, expected: str) -> None:
    for log in honest_logs():
        spoilt = copy.deepcopy(log)
        index = spoil(spoilt)
        if index is not None:
            found = check(spoilt)
            assert found[0].startswith(f"record {index} (")
            assert expected in found[0]
            return
    pytest.fail("no log to spoil this way")


def shifted(value: Any) -> Any:
    """Return another value of the same sort."""
    if type(value) is int:
        return value + 1
    if type(value) is str:
        return DOMAINS[0] if value != DOMAINS[0] else DOMAINS[1]
    if type(value) is list:
        return [*value, value[-1]] if value else [0]
    return 1


def test_every_field_of_every_record_counts() -> None:
    """In a game of `greedy` players only the draws are free: any field dropped, emptied or changed must be found."""
    log = Game(8, ["greedy"] * 3).play()
    assert check(log) == []
    for index in range(1, len(log)):
        honest = log[index]
        for field in honest:
            for spoilt in (
                {key: value for key, value in honest.items() if key != field},
                honest | {field: None if honest[field] is not None else 0},
                honest | {field: shifted(honest[field])},
            ):
                found = check([*log[:index], spoilt, *log[index + 1 :]])
                assert found and found[0].startswith(f"record {index} ("), (index, spoilt)


def test_every_record_counts() -> None:
    """A record left out or told twice is found."""
    log = Game(9, ["random"] * 4).play()
    for index in range(len(log)):
        assert check([*log[:index], *log[index + 1 :]])
        assert check([*log[: index + 1], *log[index:]])


JUNK: list[Any] = ["x", "", [], {}, [{}], [None], [[[[[[1]]]]]], None, True, 0.5, -1, 10**30, {"seat": 1}]


def test_junk_is_found_and_never_crashes() -> None:
    log = Game(3, ["random"] * 3).play()
    rng = random.Random(1)
    for junk in JUNK:
        for field in log[0]:
            assert check([log[0] | {field: junk}, *log[1:]]) or field in ("seed", "game_id", "strategies")
        for option in log[0]["options"]:
            assert check([log[0] | {"options": log[0]["options"] | {option: junk}}, *log[1:]]) or junk is True
        for index in rng.sample(range(1, len(log)), 40):
            assert check([*log[:index], junk, *log[index + 1 :]])
            for field in log[index]:
                if junk != log[index][field]:
                    assert check([*log[:index], log[index] | {field: junk}, *log[index + 1 :]])
