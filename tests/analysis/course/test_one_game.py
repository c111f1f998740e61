"""The course of one game: known answers, and real games against their logs."""

from __future__ import annotations

import numpy as np
import pytest

from analysis.course.finding import Course, Turning, courses, holding, turnings
from simcore.running.replay import END, Round, replay, rounds
from tests.specs import make_spec


def course(*scores: tuple[int, ...]) -> Course:
    values = np.array(scores)
    return Course("coins", np.arange(1, len(values) + 1), values, values, values)


def test_the_largest_change_comes_first_and_gains_before_losses() -> None:
    told = course((5, 0), (5, 4), (5, 20), (5, 20))
    assert turnings(told, 5) == (
        Turning(3, 1, 16.0, True, 1),
        Turning(2, 1, 4.0, False, 0),
    ), "the last round changes nothing, and a gain of one of two is the loss of the other"
    assert turnings(told, 1) == (Turning(3, 1, 16.0, True, 1),)


def test_the_first_round_has_nothing_to_change() -> None:
    assert turnings(course((9, 0, 3)), 5) == ()


def test_a_lead_that_passes_by_a_tie_break_counts() -> None:
    told = course((1, 1), (1, 1))
    ranked = Course("coins", told.turn, told.value, np.array([(2, 1), (1, 2)]), told.lead)
    assert turnings(ranked, 5) == (Turning(2, 0, 0.0, True, 1),)


def test_seats_in_another_order() -> None:
    told = course((1, 2, 3)).seated((2, 0, 1))
    assert told.value.tolist() == [[3, 1, 2]] == told.rank.tolist() == told.lead.tolist()


def test_coins_after_each_round_are_those_of_the_log() -> None:
    spec = make_spec(3, strategies=["random"])
    (told,) = courses(spec, 7)
    assert told is not None
    logged = [one["coins"] for one in replay(spec, 7).records if one["kind"] == "round_end"]
    assert told.value.tolist() == logged
    assert told.measure == "coins"


@pytest.mark.parametrize("index", [0, 1, 35])
def test_deals_of_a_match_are_told_apart(index: int) -> None:
    """The standing of each deal is that of its log, once the players sit as they do in it."""
    spec = make_spec(game="medievallons", players=2, strategies=["random"])
    played = replay(spec, index)
    parts = courses(spec, index)
    assert len(parts) == len(played.logs)
    for part, log in zip(parts, played.logs, strict=True):
        assert part is not None
        assert part.seated(log.rows).value[-1].tolist() == log.records[-1]["guilds"]


def test_a_game_without_standing_has_no_course() -> None:
    assert courses(make_spec(game="seigneurial", strategies=["random"]), 0) == ()


def test_the_first_thing_that_seats_hold_stands_for_a_standing() -> None:
    played = replay(make_spec(game="seigneurial", players=3, strategies=["random"]), 0)
    held = holding(rounds(played))
    assert held is not None
    logged = [one["points"] for one in played.records if one["kind"] == "season_end"]
    assert (held.measure, held.turn.tolist()) == ("points", list(range(1, len(logged) + 1)))
    assert np.isnan(held.value[:, 0]).all(), "the lord has none"
    assert held.value[:, 1:].tolist() == logged


def test_what_is_known_only_once_is_not_drawn() -> None:
    def told(clock: str, number: int, **held: tuple[float, ...]) -> Round:
        return Round(0, clock, number, (), held)

    assert holding([told("", 1), told("", 2, coins=(1, 2)), told(END, 0, place=(1, 2))]) is None
    held = holding([told("", 1, coins=(1, 2)), told("", 2), told("", 3, cards=(9, 9), coins=(2, 4))])
    assert held is not None
    assert (held.measure, held.turn.tolist(), held.value.tolist()) == ("coins", [1, 3], [[1, 2], [2, 4]])
