"""Matches of two players, one log a deal."""

import copy
from typing import Any

import pytest

from ..falsehoods import Log
from . import Session
from .header import Match, Setup
from .matches import Matches
from .player import Deal, play_match


def check_all(logs: list[Log]) -> list[str]:
    session = Session()
    return [message for log in logs for message in session.check(log)]


def a_match(length: int) -> list[Log]:
    """Return the logs of a match of so many deals."""
    found = (play_match(seed, ["random", "collector"]) for seed in range(100))
    return next(logs for logs in found if len(logs) == length)


def test_honest_matches_are_clean() -> None:
    logs = [log for seed in range(30) for log in play_match(seed, ["random", "collector"])]
    assert {log[0]["match"]["deal"] for log in logs} == {1, 2, 3}
    assert check_all(logs) == []
    assert check_all(logs[1:]) == []  # a file may begin anywhere


@pytest.mark.parametrize(
    ("won60", "share60", "following"),
    [
        # Rulings: best of three, a shared deal is half a win each, the starting player alternates.
        ((0, 0), [60, 0], (60, 0)),
        ((0, 0), [30, 30], (30, 30)),
        ((60, 0), [0, 60], None),  # player 2 sits in seat 1 of deal 2: 2-0
        ((60, 0), [60, 0], (60, 60)),
        ((60, 0), [30, 30], (90, 30)),
        ((30, 30), [0, 60], (90, 30)),
        ((60, 60), [30, 30], None),  # level after three is shared
    ],
)
def test_what_comes_next(won60: tuple[int, ...], share60: list[int], following: tuple[int, ...] | None) -> None:
    deal = 1 + sum(won60) // 60
    player = (1, 2) if deal % 2 else (2, 1)
    setup = Setup(2, ("a", "b"), {}, {}, False, Match(5, deal, player, won60))
    judge = Matches()
    judge.finish(setup, share60)
    assert judge.next == (following and Match(5, deal + 1, player[::-1], following))


def spoilt(logs: list[Log], place: int, **fields: Any) -> list[Log]:
    logs = copy.deepcopy(logs)
    logs[place][0]["match"] |= fields
    return logs


@pytest.mark.parametrize(
    ("place", "fields", "expected"),
    [
        (1, {"player": [1, 2]}, "match is"),  # the same player starts twice
        (1, {"won60": [30, 30]}, "match is"),
        (1, {"id": 10**6}, "match is"),
        (0, {"won60": [60, 0]}, "impossible before deal 1"),
        (2, {"won60": [120, 0]}, "impossible before deal 3"),
        (2, {"won60": [75, 45]}, "impossible before deal 3"),
        (1, {"player": [2, 2]}, "player is"),
        (1, {"deal": 4}, "a deal from 1 to 3"),
        (1, {"note": 1}, "match is"),
    ],
)
def test_a_false_match_is_found(place: int, fields: dict[str, Any], expected: str) -> None:
    logs = a_match(3)
    assert check_all(logs) == []
    (message, *_) = check_all(spoilt(logs, place, **fields))
    assert message.startswith("record 0 (game)")
    assert expected in message


def test_deals_out_of_sequence_are_found() -> None:
    long, short = a_match(3), a_match(2)
    assert "match is" in check_all([long[0], long[2]])[0]  # a deal is skipped
    assert "match is" in check_all([long[0], *short])[0]  # a match breaks off
    assert "deal 1 of a new one" in check_all([*short, short[0]])[0]  # the same match once more
    assert "deal 1 of a new one" in check_all([*short, *long[1:]])[0]  # a match begins with its second deal
    swapped = copy.deepcopy(long)
    swapped[1][0]["strategies"] = ["random", "random"]
    assert any("players 1 and 2 play" in message for message in check_all(swapped))
    alone = Deal(3, ["random"] * 2).play()
    alone[0]["options"]["match"], alone[0]["match"] = False, None
    assert check_all([alone]) == []
    assert "match is" in check_all([long[0], alone])[0]


def test_only_duels_are_matches() -> None:
    log = Deal(3, ["random"] * 3).play()
    log[0]["match"] = {"id": 1, "deal": 1, "player": [1, 2], "won60": [0, 0]}
    assert "expected null" in check_all([log])[0]
    log = Deal(3, ["random"] * 2).play()
    log[0]["match"] = None
    assert "match is None" in check_all([log])[0]
