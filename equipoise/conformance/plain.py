"""Play a game in plain Python, look at every decision, and print what is wrong with the game.

`checks.py` runs this in a process without Numba, where a policy can read, copy and change its arguments, and
where it can be seen which random numbers are drawn.
"""

from __future__ import annotations

import faulthandler
import json
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from equipoise.conformance.checks import differences
from simcore.game import Game, load_game
from simcore.kernel import streams
from simcore.kernel.compilation import COMPILED
from simcore.kernel.decisions import LOOKED, is_legal, look_of, nothing_hidden
from simcore.kernel.driver import Memory
from simcore.kernel.lineup import seat_lineup
from simcore.kernel.pointers import Policy, call_policy
from simcore.log_records import shown, undeclared
from simcore.running.batch import Spec, seen_in
from strategies.kit import load_kit
from strategies.spec import make_spec

# Do redrawn tables differ, and does a seat see the same at any two of them?  `plain.py` asks this in plain Python.


LOOK_POINTS, LOOK_REDRAWS = 10, 10
"""Safe points of a game at which every seat looks, and how often the table is redrawn for each look: 100 in all."""


def safe_points(table: Table, seed: int) -> list[np.record]:
    """Play a game and return the state at some of its safe points."""
    game, rules, memory = table.game, table.spec.rules_record, Memory(table.game)
    lineup, state = memory.seated(table.spec.lineup_record, table.spec.players), memory.state
    lineup["left"] = table.most_steps
    seat_lineup(lineup, table.spec.players, np.uint64(seed), np.int64(0), state["rng"])
    game.start(rules, lineup, state, memory.trace)
    found = [state.copy()]
    while game.step(rules, lineup, state, memory.trace) and len(found) < table.most_steps:
        found.append(state.copy())
    return [found[len(found) * number // LOOK_POINTS] for number in range(LOOK_POINTS)]


def wrong_looks(table: Table, seed: int) -> Iterator[str]:
    """Yield a sentence if imagined tables repeat, and for every number that depends on what its seat cannot know."""
    game, rules, seats = table.game, table.spec.rules_record, range(table.spec.players)
    points = safe_points(table, seed)
    hides = game.redraw not in (None, nothing_hidden)
    if hides and not any(_differ(table, point, seat) for point in points for seat in seats):
        yield "redraw draws the same table each time"
    if game.search is None or game.search.look is None:
        return
    look, names = look_of(game), game.search.look.names
    seen: set[bytes] = set()
    for point in points:
        for seat in seats:
            here, there = np.zeros((2, LOOKED), np.int32)
            look(rules, point.copy(), np.int64(seat), here)
            seen.add(here.tobytes())
            for redraw in range(LOOK_REDRAWS):
                look(rules, table.imagine(point, point, seat, redraw), np.int64(seat), there)
                for place in np.flatnonzero(here[: len(names)] != there[: len(names)]):
                    yield f"look: '{names[place]}' depends on what seat {seat + 1} cannot know"
    if len(seen) == 1:
        yield "look: every seat sees the same numbers throughout the game"


def _differ(table: Table, point: np.record, seat: int) -> bool:
    """Whether tables that are redrawn for a seat differ in more than their random numbers."""
    first, *others = (table.imagine(point, point, seat, redraw) for redraw in range(LOOK_REDRAWS))
    for world in others:
        world["rng"] = first["rng"]
    return any(list(differences(first, world)) for world in others)


# --- Does a log show a seat more than it can know, or does `redraw` forget what was shown?  `plain.py` asks this ---
#
# A seat cannot tell a table from one that was redrawn for it.  Both are played on for a step, with the same chance and,
# as far as it is legal, the same answers.  If the seat still cannot tell them apart, it must have been shown the same.


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

    def differ(self, one: np.record, other: np.record) -> bool:
        """Whether the next steps from two states differ, with the same answers to the same questions."""
        own = Course(self.table, SEED, self.answers)
        for _ in range(STEPS):
            said = [own.again(state, []) for state in (one, other)]
            if said[0] != said[1]:
                return True
        return False


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

    def hides(self, words: list[int], others: list[int], seat: int) -> bool:
        """Whether two logs differ, but only in what a seat does not see, not even for a moment."""
        try:
            (first, records), (other, changed) = self.records(words), self.records(others)
        except Exception:  # see `shown`
            return False
        kinds = self.game.record_kinds
        return records != changed and [*shown(kinds, first, records, seat + 1)] == [
            *shown(kinds, other, changed, seat + 1)
        ]


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
            if left := hidden_left(here, there):
                fooled.remove(seat)  # from now on it may see other things
                if reader.hides(words[:written], twin.words, seat) and twin.differ(here, there):
                    yield (
                        f"redraw leaves something of what is hidden: record_kinds hides from a seat what field "
                        f"'{left}' of the state depends on"
                    )
                continue
            seen, other = reader.shown_until(words, written, seat), reader.shown(twin.words, seat)
            if seen != other:
                yield _told(seen or [], other or [], seat)
        goes_on = twin.step()


def wrong_openness(table: Table, seed: int) -> Iterator[str]:
    """Yield a sentence if everything is said to be open, but cards that were shuffled show only after decisions."""
    if table.game.redraw is not nothing_hidden:
        return
    course = Course(table, seed)
    written = [int(course.trace["used"])]
    while course.step() and len(written) < table.most_steps:
        written.append(int(course.trace["used"]))
    words = course.words
    with Swaps() as swaps:
        Course(table, seed)
        for number in range(min(TWINS, swaps.done)):
            swaps.begin(swaps.done * number // TWINS)
            twin = Course(table, seed, course.answers)
            for step, used in enumerate(written):
                if twin.words != words[:used]:
                    if step > 1:
                        yield (
                            "redraw=nothing_hidden says that every seat knows the order of the cards, but the log "
                            "shows it only after decisions; say in a kernel `redraw` what a seat does not know, or "
                            "let the log show it at the start"
                        )
                        return
                    break
                if not twin.step():
                    break


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


def hidden_left(one: np.record, other: np.record) -> str:
    """Return a field in which two tables differ between steps; empty if they are the same."""
    return next((name for name in differences(one, other) if name.partition(".")[0] not in PASSING), "")


def alike(one: np.record, other: np.record) -> bool:
    """Whether two tables are the same between steps."""
    return not hidden_left(one, other)


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


# --- Play a game in plain Python, look at every decision, and print what is wrong with the game ---


STEP = 11
"""One in this number of decisions and safe points is examined; a prime, so that every seat has its turn."""

MOST_DECISIONS = 100_000
"""Number of decisions after which a game counts as endless here."""

MOST_REPEATED = 0.05
"""Share of decisions that may have the random numbers of another one of their kind and seat: a few hardly matter."""

PATIENCE = 500
"""Seconds after which the process says where the game stands."""

SLOT, SEED = np.int64(0), 29
ASKING = {"rng", "legal", "decision", "slot", "lane", "fault", "scratch"}
"""Fields of the state that change when a seat is asked."""


class Endless(Exception):
    """Raised in a game that has asked for too many decisions."""


@dataclass
class Drawn:
    """The addresses of the random numbers that the game itself has drawn, and those that it has drawn twice."""

    once: set[tuple[Any, ...]] = field(default_factory=set)
    twice: list[str] = field(default_factory=list)
    shuffled: bool = False

    def add(self, what: str, *address: Any) -> None:
        """Record an address."""
        if address in self.once:
            self.twice.append(what)
        self.once.add(address)


def stream_of(rng: Any) -> tuple[int, ...]:
    """Return what tells the streams of a deal from those of an imagined table."""
    return (*map(int, rng["key"]), *map(int, rng["game"]))


def noting_draws(drawn: Drawn, deal: Callable[[], tuple[int, ...]]) -> None:
    """Let the functions that draw for shuffles and dice record their addresses, as long as the deal itself draws."""
    fetch, block = streams.fetch_shuffle, streams.block

    def fetch_shuffle(rng: Any, slot: Any, number: Any) -> None:
        if stream_of(rng) == deal():
            drawn.shuffled = True
            if int(slot) < 1 << 15:  # above are those of redrawn decks
                drawn.add(f"the shuffle with slot {slot}", "shuffle", int(slot), int(number))
        fetch(rng, slot, number)

    def one_block(rng: Any, purpose: Any, slot: Any, attempt: Any, number: Any) -> Any:
        if purpose == streams.DICE and stream_of(rng) == deal():
            drawn.add(f"the die with slot {slot} and number {number}", "die", int(slot), int(attempt), int(number))
        return block(rng, purpose, slot, attempt, number)

    streams.fetch_shuffle, streams.block = fetch_shuffle, one_block


class Table:
    """A game at which every decision is looked at.

    game: The game.
    players: Number of players.
    """

    def __init__(self, game: Game, players: int) -> None:
        self.game = game
        self.spec = make_spec(game.name, players, seed=SEED, games=1)
        self.members = self.spec.lineup_record["members"]["policy"].tolist()
        self.asked, self.steps, self.most_steps = 0, 0, min(MOST_DECISIONS, game.most_steps)
        self.drawn, self.decided, self.wrong = Drawn(), Drawn(), list[str]()
        self.together: tuple[Any, ...] = ()
        self.others: set[int] = set()
        self.before: Any = None
        self.deal: tuple[int, ...] = ()

    def blame(self, what: str) -> None:
        """Record something that is wrong, once."""
        if what not in self.wrong:
            self.wrong.append(what)

    def watch(self, rules: Any, lineup: Any, state: Any, seat: int) -> int:
        """Look at a decision, and let the policy of the seat make it."""
        if self.asked > MOST_DECISIONS:
            raise Endless
        here = state.copy()
        decision = self.name_of(int(state["decision"]))
        self.decided.add(
            f"the decision '{decision}' of seat {seat + 1} with slot {state['slot']} and lane {state['lane']}",
            decision,
            int(seat),
            int(state["slot"]),
            int(state["lane"]),
        )
        if self.drawn.shuffled and self.game.redraw is None:
            self.blame(
                "cards are shuffled before seats choose, but the game has no redraw: say in a kernel `redraw` what a "
                "seat does not know, or `redraw=nothing_hidden` if everything is open"
            )
        self.compare_with_others(here, seat, decision)
        if self.asked % STEP == 0:
            elsewhere = self.imagine(here, here, seat, 7)
            pair = (self.imagine(source, here, seat, 0) for source in (here, elsewhere))
            for name in hidden_differences(*pair):
                self.blame(
                    f"redraw leaves something of what is hidden: field '{name}' of the state depends on it, for seat "
                    f"{seat + 1} at decision {self.asked} ('{decision}')"
                )
        self.asked += 1
        arguments: tuple[Any, ...] = (rules, lineup, state, seat)
        return int(call_policy(self.members[lineup["seated"][seat]], *arguments))

    def name_of(self, decision: int) -> str:
        """Return the name of a kind of decision."""
        kinds = self.game.decisions
        return kinds[decision].name if decision < len(kinds) else str(decision)

    def compare_with_others(self, here: Any, seat: int, decision: str) -> None:
        """Check that nothing has changed since the first of those who choose together was asked."""
        kind = int(here["decision"])
        if not (kind < len(self.game.decisions) and self.game.decisions[kind].together):
            return
        if self.together != (self.steps, kind) or seat in self.others:
            self.together, self.others, self.before = (self.steps, kind), set(), here
        self.others.add(seat)
        for name in differences(self.before, here):
            if name.partition(".")[0] not in ASKING:
                self.blame(
                    f"the seats choose together at '{decision}', but field '{name}' of the state changes before seat "
                    f"{seat + 1} has chosen"
                )

    def imagine(self, state: Any, source: Any, seat: int, number: int) -> Any:
        """Return the state with everything hidden from a seat drawn again, from the streams of a source."""
        world = state.copy()
        streams.fork(world["rng"], source["rng"], SLOT, np.int64(number))
        if self.game.redraw is not None:
            self.game.redraw(self.spec.rules_record, world, seat)
        return world

    def play(self) -> int:
        """Play the game, then play on from copies of its safe points; return how many there were.

        If a copy ends differently, the state lacks something that the game needs.
        """
        memory, rules = Memory(self.game), self.spec.rules_record
        watched = self.spec.lineup_record.copy()
        watched["members"]["policy"] = Policy(self.watch, load_kit(self.game.name).records).address
        lineup, state = memory.seated(watched, self.spec.players), memory.state
        seat_lineup(lineup, self.spec.players, np.uint64(SEED), np.int64(0), state["rng"])
        self.deal = stream_of(state["rng"])
        noting_draws(self.drawn, lambda: self.deal)
        safe: list[tuple[Any, Any]] = []
        self.game.start(rules, lineup, state, memory.trace)
        goes_on = True
        while goes_on:
            if self.steps % STEP == 0:
                safe.append((state.copy(), lineup["seated"].copy()))
            self.steps += 1
            if self.steps > self.most_steps:
                raise Endless
            goes_on = self.game.step(rules, lineup, state, memory.trace)
        self.deal = ()
        self.judge(lineup, state.copy(), memory)
        self.game.settle(rules, lineup, state, memory.trace)
        rows = state["rows"][: self.spec.players].copy()
        for number, pair in enumerate(safe):
            again = self.played_on(*pair)
            for name in differences(rows, again):
                self.blame(
                    f"the state lacks something that the game needs: played on from a copy of it before step "
                    f"{number * STEP + 1}, '{name}' is {again[name].tolist()} and not {rows[name].tolist()}"
                )
        return len(safe)

    def judge(self, lineup: Any, state: Any, memory: Memory) -> None:
        """Check that the game's `judge` gives somebody a share of a finished game that is not settled."""
        rules, search = self.spec.rules_record, self.game.search
        seats = range(self.spec.players)
        if search and not any(int(search.judge(rules, lineup, state, seat, memory.trace)[0]) for seat in seats):
            self.blame("`judge` gives nobody a share of a finished imagined game")

    def played_on(self, state: Any, entry: Any) -> Any:
        """Return the rows of the game, played on from a copy of a safe point."""
        memory = Memory(self.game)
        lineup = memory.seated(self.spec.lineup_record, self.spec.players)
        lineup["seated"] = entry
        while self.game.step(self.spec.rules_record, lineup, state, memory.trace):
            pass
        self.game.settle(self.spec.rules_record, lineup, state, memory.trace)
        return state["rows"][: self.spec.players]


def hidden_differences(one: Any, other: Any) -> Iterator[str]:
    """Yield the fields in which two redrawn tables differ, apart from random numbers that are kept at hand."""
    return (name for name in differences(one, other) if name.partition(".")[0] != "rng")


def examine(name: str, players: int) -> dict[str, Any]:
    """Return the numbers of decisions and safe points that were examined, and sentences on what is wrong."""
    assert not COMPILED
    table = Table(load_game(name), players)
    safe = 0
    try:
        safe = table.play()
        for what in (*wrong_looks(table, SEED), *wrong_records(table, SEED), *wrong_openness(table, SEED)):
            table.blame(what)
    except Endless:
        table.blame(f"the game did not end within {table.most_steps:,} steps and {MOST_DECISIONS:,} decisions")
    repeated = table.decided.twice if len(table.decided.twice) > MOST_REPEATED * table.asked else []
    for what in [*table.drawn.twice[:1], *repeated[:1]]:
        table.blame(f"{what} draws the same random numbers twice; give every draw of a game an address of its own")
    return {"asked": table.asked, "safe": safe, "wrong": [told(table.spec, what) for what in table.wrong]}


def told(spec: Spec, what: str) -> str:
    """Return a sentence with the game that shows it."""
    said, _, advice = what.partition("; ")
    return f"{said} {seen_in(spec, 0, advice)}"


if __name__ == "__main__":
    faulthandler.dump_traceback_later(PATIENCE, exit=True)
    name, *counts = sys.argv[1:]
    print(json.dumps({players: examine(name, int(players)) for players in counts or load_game(name).players}))
