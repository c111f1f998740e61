"""A person at the table: the game stays the game, nothing hidden is shown, and leaving keeps the log."""

from __future__ import annotations

import random
import threading
from typing import Any

import numpy as np
import pytest

from simcore.doors import named
from simcore.errors import UsageError
from simcore.game import load_game
from simcore.kernel.driver import Memory
from simcore.kernel.pointers import Outsider, call
from simcore.running.batch import run_chunk
from strategies.kit import load_kit
from strategies.person import YOU, AmongKernels, Person, question, take_seat
from strategies.spec import make_spec
from strategies.weighing import LEAST, Weighed, legal_moves, veiled
from tests.nim import Written, forgotten, nim  # noqa: F401

TABLES = [("middle-ages", 3, 1), ("medievallons", 2, 0), ("seigneurial", 3, 0), ("seigneurial", 3, 2), ("fief-2", 3, 1)]
PATIENCE = 300
"""Seconds that a busy machine may take for a move."""


def play(person: Person, answer: Any, most: int = 10_000) -> Person:
    """Play a game with answers from a function of the question; leave it after some answers."""
    news = threading.Event()
    person.told = news.set
    person.begin()
    answered = -1
    while person.ended is None and not person.fault:
        assert news.wait(PATIENCE), "nothing happens"
        news.clear()
        asked = person.question
        if asked is not None and asked.number > answered:
            answered = asked.number
            if answered == most:
                person.leave()
            else:
                person.answer(asked.number, answer(asked))
    assert person.join(PATIENCE)
    return person


@pytest.mark.parametrize(("game", "players", "seat"), TABLES)
def test_a_policy_outside_that_asks_the_one_inside_plays_the_same_game(game: str, players: int, seat: int) -> None:
    spec = make_spec(game, players, seed=5, design="fixed")
    kit, record, memory = load_kit(game), spec.lineup_record.copy(), Memory(spec.game)
    inside = {pointer.address: pointer for pointer in kit.policies.values()}
    pointer = inside[int(record["members"]["policy"][seat])]
    asked: list[int] = []

    def choose(rules: Any, lineup: Any, state: Any, seat: int) -> int:
        asked.append(call(pointer, rules, lineup, state, seat))
        assert asked[-1] in legal_moves(state)
        return asked[-1]

    outsider = Outsider(choose, spec.game.policy_records)
    record["members"]["policy"][seat] = outsider.address
    rows, facts = np.zeros(players, spec.game.row_dtype), np.zeros(1, spec.game.facts_dtype or np.int32)
    played = spec.game.play_batch(
        spec.rules_record,
        memory.seated(record, players),
        memory.state,
        rows,
        facts,
        memory.trace,
        np.uint64(5),
        np.array([3]),
    )
    assert (played, outsider.raised) == (1, None)
    assert asked
    assert rows.tobytes() == run_chunk(spec, 3, 1).tobytes()


class Suspicious(AmongKernels):
    """A person who checks at every question that it is the same on tables that the seat cannot distinguish."""

    differ = 0

    def _choose(self, rules: Any, lineup: Any, state: Any, seat: int) -> int:
        if not self.left:
            moves, replay = legal_moves(state), self._so_far()
            tables = [state, *(veiled(self.spec.game, rules, lineup, state, seat, number) for number in (1, 2))]
            first, *others = (question(self, rules, table, seat, moves, replay) for table in tables)
            assert others == [first, first], "what is shown depends on something hidden"
            assert self.course(first), "the course of the game is told as well"
            self.differ += tables[1].tobytes() != tables[2].tobytes()
        return super()._choose(rules, lineup, state, seat)


@pytest.mark.parametrize(("game", "players", "seat"), TABLES)
def test_what_is_shown_does_not_depend_on_what_is_hidden(game: str, players: int, seat: int) -> None:
    draw = random.Random(7)
    person = Suspicious(make_spec(game, players), seat, 4)
    play(person, lambda asked: draw.choice(asked.options).move, most=12)
    assert not person.fault
    assert person.differ > 3, "the tables themselves differ"
    assert all(choice.answer for choice in person.choices)


def test_leaving_keeps_the_log_up_to_there() -> None:
    person = play(take_seat(make_spec("middle-ages", 3), 1, 9), lambda asked: asked.options[-1].move, most=4)
    assert (person.left, person.fault) == (True, "")
    assert person.ended is not None
    assert person.ended.header["strategies"][1] == YOU
    kinds = [record["kind"] for record in person.ended.records]
    assert kinds[0] == "deal" and "end" not in kinds and kinds.count("take") < 3 * 5
    assert len(person.choices) == 4


def test_a_whole_game_ends_as_its_log_says() -> None:
    person = play(take_seat(make_spec("medievallons", 3), 2, 2), lambda asked: asked.options[0].move)
    assert person.ended is not None and not person.ended.fault
    assert person.ended.records[-1]["place"] == person.ended.rows["place"].tolist()
    known = [choice for choice in person.choices if choice.loss is not None]
    assert known and all(choice.tables >= LEAST for choice in known)


def test_what_wins_at_every_table_loses_nothing_and_what_never_wins_loses_all() -> None:
    weighed = Weighed(load_game("middle-ages"), [3, 5, 8])
    weighed._shares = [np.array([0, 60, 30])] * LEAST
    weighed.tables = LEAST
    assert weighed.best == 5
    assert [weighed.loss(move) for move in (3, 5, 8)] == [(1.0, 0.0), (0.0, 0.0), (0.5, 0.0)]
    weighed.tables = LEAST - 1
    assert weighed.loss(3) is None


def test_luck_at_a_few_tables_makes_no_equal_option_look_bad() -> None:
    draw, losses = np.random.default_rng(3), []
    for _ in range(200):
        weighed = Weighed(load_game("middle-ages"), [0, 1, 2, 3])
        weighed._shares, weighed.tables = list(draw.choice([0, 60], (LEAST, 4))), LEAST
        found = weighed.loss(0)
        assert found is not None
        losses.append(found[0])
    assert abs(np.mean(losses)) < 0.03, "a share of one half, whose best of four looks 8 points better at 40 tables"


def test_a_seat_that_is_not_there_is_refused() -> None:
    with pytest.raises(UsageError, match="no seat 4"):
        take_seat(make_spec("middle-ages", 3), 3, 0)


def test_a_person_plays_a_game_in_plain_python(nim: Written) -> None:  # noqa: F811
    person = take_seat(make_spec(named(nim()), 2), 1, 0)
    seen: list[str] = []

    def answer(asked: Any) -> int:
        seen.append(asked.areas[0].things[0].text)
        assert len(person.course(asked)) == 2 * asked.number + 2, "a line for the game, and one for each move"
        return int(asked.options[-1].move)

    play(person, answer)
    assert person.ended is not None and not person.ended.fault
    assert seen == sorted(seen, key=lambda heaps: -sum(map(int, heaps.strip("()").split(","))))
    told = [record for record in person.ended.records if record["kind"] == "move" and record["seat"] == 2]
    assert [record["says"] for record in told] == [choice.answer for choice in person.choices]
    assert [choice.loss for choice in person.choices] == [None] * len(told), "nothing is said without a reference"


def test_leaving_a_game_in_plain_python_keeps_its_moves(nim: Written) -> None:  # noqa: F811
    person = play(take_seat(make_spec(named(nim()), 2), 0, 0), lambda asked: asked.options[0].move, most=1)
    assert person.left and not person.fault
    assert person.ended is not None
    assert [record["seat"] for record in person.ended.records] == [1, 2]
