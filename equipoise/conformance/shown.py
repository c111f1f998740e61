"""Does a log show a seat more than it can know, or does `redraw` forget what was shown?  `plain.py` asks this.

A seat cannot tell a table from one that was redrawn for it.  Both are played on for a step, with the same chance and,
as far as it is legal, the same answers.  If the seat still cannot tell them apart, it must have been shown the same.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from equipoise.conformance.requirements import differences
from simcore.kernel import streams
from simcore.kernel.decisions import is_legal
from simcore.kernel.driver import Memory
from simcore.kernel.lineup import seat_lineup
from simcore.kernel.pointers import Policy, call_policy
from simcore.log_records import shown, undeclared
from strategies.kit import load_kit

if TYPE_CHECKING:
    from equipoise.conformance.plain import Table

POINTS, REDRAWS = 8, 2
"""Safe points of a game from which tables are played on, and how many tables are redrawn for each seat at each."""

TWINS, STEPS = 10, 8
"""Deals in which two cards have changed places, and how many steps of each are compared."""

PASSING = {"rng", "legal", "decision", "slot", "lane", "scratch"}
"""Fields of the state that mean nothing between steps."""


class Course:
    """A game that is played step by step while it is recorded."""

    def __init__(self, table: Table, seed: int, answers: dict[tuple[int, ...], int] | None = None) -> None:
        self.table, self.memory = table, Memory(table.game)
        self.members = table.spec.lineup_record["members"]["policy"].tolist()
        watched = table.spec.lineup_record.copy()
        watched["members"]["policy"] = Policy(self.answer, load_kit(table.game.name).records).address
        self.lineup = self.memory.seated(watched, table.spec.players)
        self.lineup["left"] = table.most_steps
        self.state, self.trace = self.memory.state, self.memory.trace
        self.trace["on"], self.trace["full"], self.trace["used"] = 1, 0, 0
        self.repeats = answers is not None
        self.answers: dict[tuple[int, ...], int] = answers or {}
        seat_lineup(self.lineup, table.spec.players, np.uint64(seed), np.int64(0), self.state["rng"])
        table.game.start(table.spec.rules_record, self.lineup, self.state, self.trace)

    def answer(self, rules: Any, lineup: Any, state: Any, seat: int) -> int:
        """Repeat the answer to the same question, if it was given and is legal; otherwise ask the policy."""
        asked = int(seat), int(state["decision"]), int(state["slot"]), int(state["lane"])
        if self.repeats and asked in self.answers and is_legal(state, np.int64(self.answers[asked])):
            return self.answers[asked]
        arguments: tuple[Any, ...] = (rules, lineup, state, seat)
        move = int(call_policy(self.members[lineup["seated"][seat]], *arguments))
        if not self.repeats:
            self.answers[asked] = move
        return move

    def step(self) -> bool:
        """Play a step."""
        return bool(self.table.game.step(self.table.spec.rules_record, self.lineup, self.state, self.trace))

    @property
    def words(self) -> list[int]:
        """The words that were written so far."""
        found: list[int] = self.trace["words"][: int(self.trace["used"])].tolist()
        return found

    def again(self, state: np.record, words: list[int]) -> list[int]:
        """Play a step from another state, after some words; return all words."""
        self.trace["on"], self.trace["full"], self.trace["used"] = 1, 0, len(words)
        self.trace["words"][: len(words)] = words
        self.lineup["left"], self.repeats = self.table.most_steps, True
        self.table.game.step(self.table.spec.rules_record, self.lineup, state, self.trace)
        return self.words


class Reader:
    """Reads the log of a game, and what a seat sees of it."""

    def __init__(self, table: Table) -> None:
        self.game, self.players, self.rules = table.game, table.spec.players, table.spec.rules
        self.read: dict[tuple[int, int], list[dict[str, Any]] | None] = {}
        self.last: tuple[Any, Any] = (None, None)

    def records(self, words: list[int]) -> tuple[dict[str, Any], list[dict[str, Any]]]:
        """Return the first line and the other records of the last log; it is read once for all seats."""
        if words != self.last[0]:
            self.last = words, self._read(words)
        return self.last[1]

    def _read(self, words: list[int]) -> tuple[dict[str, Any], list[dict[str, Any]]]:
        *_, (own, _) = self.game.logs(words, self.players)
        first = self.game.header(own, self.rules.values, self.players)
        first["options"] = self.rules.switches | first["options"]
        return first, list(self.game.records(own, self.rules.values, self.players))

    def shown_until(self, words: list[int], written: int, seat: int) -> list[dict[str, Any]] | None:
        """Return what a seat sees of the first words of the game that is compared with others."""
        if (written, seat) not in self.read:
            self.read[written, seat] = self.shown(words[:written], seat)
        return self.read[written, seat]

    def shown(self, words: list[int], seat: int) -> list[dict[str, Any]] | None:
        """Return what a seat, counted from 0, sees; None if the log of a redrawn table cannot be read."""
        try:
            first, records = self.records(words)
        except Exception:  # it needs the table of its first record
            return None
        found = shown(self.game.record_kinds, first, records, seat + 1, glimpses=False)
        return sorted(found, key=json.dumps)  # who holds two cards need not remember which one came first


def wrong_records(table: Table, seed: int) -> Iterator[str]:
    """Yield a sentence for every kind of record that shows a seat what it cannot know, or is not declared."""
    game, reader = table.game, Reader(table)
    if not game.record_kinds:
        return
    course = Course(table, seed)
    source, goes_on = course.state.copy(), True
    points: list[tuple[np.record, int]] = []
    while goes_on and len(points) < table.most_steps:
        points.append((course.state.copy(), int(course.trace["used"])))
        goes_on = course.step()
    words = course.words
    for record in reader.records(words)[1]:
        if what := undeclared(game.record_kinds, record):
            yield f"record_kinds: '{what}' is in the log and not declared"
    if game.redraw is None:
        return
    points.append((course.state.copy(), len(words)))
    for number in range(POINTS):
        at = (len(points) - 1) * number // POINTS
        (begun, used), (end, written) = points[at : at + 2]
        for seat in range(table.spec.players):
            here, seen = table.imagine(end, source, seat, 0), reader.shown_until(words, written, seat)
            for redraw in range(REDRAWS):
                world = table.imagine(begun, begun, seat, redraw)
                world["rng"] = begun["rng"]
                said = course.again(world, words[:used])
                other = reader.shown(said, seat) if alike(here, table.imagine(world, source, seat, 0)) else None
                if other is not None and other != seen:
                    yield _told(seen or [], other, seat)
    with Swaps() as swaps:
        Course(table, seed)
        for number in range(min(TWINS, swaps.done)):
            swaps.begin(swaps.done * number // TWINS)
            twin = Course(table, seed, course.answers)
            yield from _wrong_twin(table, reader, twin, points[: STEPS + 1], words, source)


def _wrong_twin(
    table: Table,
    reader: Reader,
    twin: Course,
    points: Sequence[tuple[np.record, int]],
    words: list[int],
    source: np.record,
) -> Iterator[str]:
    """Compare what seats are shown of a game and of one in which two cards changed places, step by step."""
    goes_on, fooled = True, set(range(table.spec.players))
    for state, written in points:
        if not goes_on or not fooled:
            return
        for seat in sorted(fooled):
            here, there = (table.imagine(one, source, seat, 0) for one in (state, twin.state))
            if not alike(here, there):
                fooled.remove(seat)  # from now on it may see other things
                continue
            seen, other = reader.shown_until(words, written, seat), reader.shown(twin.words, seat)
            if seen != other:
                yield _told(seen or [], other or [], seat)
        goes_on = twin.step()


class Swaps:
    """Counts the swaps with which cards are shuffled, and leaves one of them out."""

    def __enter__(self) -> Swaps:
        self.swap: Any = streams._swap
        streams._swap = self.one
        self.most = 0
        self.begin(-1)
        return self

    def __exit__(self, *_: object) -> None:
        streams._swap = self.swap

    def begin(self, left_out: int) -> None:
        """Count from 0 again."""
        self.left_out, self.count = left_out, 0

    @property
    def done(self) -> int:
        """The number of swaps without one left out, as it was counted first."""
        return self.most

    def one(self, items: Any, place: int, offset: int) -> None:
        """Swap two cards, or leave them where they are."""
        if self.count != self.left_out:
            self.swap(items, place, offset)
        self.count += 1
        if self.left_out < 0:
            self.most = self.count


def alike(one: np.record, other: np.record) -> bool:
    """Whether two tables are the same between steps."""
    return all(name.partition(".")[0] in PASSING for name in differences(one, other))


def _told(seen: list[dict[str, Any]], other: list[dict[str, Any]], seat: int) -> str:
    """Say in which record and field two logs differ."""
    pairs = zip(seen, other, strict=False)
    one, two = next(((a, b) for a, b in pairs if a != b), (seen[-1], other[-1]))
    names = [name for name in one if one.get(name) != two.get(name)] or [name for name in two if name not in one]
    what = f"{one['kind']}.{names[0]}" if names and one["kind"] == two["kind"] else f"{one['kind']} or {two['kind']}"
    return (
        f"record_kinds: '{what}' shows seat {seat + 1} what redraw says it cannot know: "
        f"{json.dumps(one)[:200]} or {json.dumps(two)[:200]}; either it should not be shown, or redraw should leave it "
        "as it is"
    )
