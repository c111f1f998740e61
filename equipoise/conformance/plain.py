"""Play a game in plain Python, look at every decision, and print what is wrong with the game.

`looking_ahead.py` runs this in a process without Numba, where a policy can read, copy and change its arguments, and
where it can be seen which random numbers are drawn.
"""

from __future__ import annotations

import faulthandler
import json
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from equipoise.conformance.looks import wrong_looks
from equipoise.conformance.requirements import differences
from equipoise.conformance.shown import wrong_records
from simcore.game import Game, load_game
from simcore.kernel import streams
from simcore.kernel.compilation import COMPILED
from simcore.kernel.lineup import seat_lineup
from simcore.kernel.memory import Memory
from simcore.kernel.pointers import Policy, call_policy
from simcore.running.batch import Spec, command
from strategies.kit import load_kit
from strategies.spec import make_spec

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
        for what in (*wrong_looks(table, SEED), *wrong_records(table, SEED)):
            table.blame(what)
    except Endless:
        table.blame(f"the game did not end within {table.most_steps:,} steps and {MOST_DECISIONS:,} decisions")
    repeated = table.decided.twice if len(table.decided.twice) > MOST_REPEATED * table.asked else []
    for what in [*table.drawn.twice[:1], *repeated[:1]]:
        table.blame(f"{what} draws the same random numbers twice; give every draw of a game an address of its own")
    return {"asked": table.asked, "safe": safe, "wrong": [told(table.spec, what) for what in table.wrong]}


def told(spec: Spec, what: str) -> str:
    """Return a sentence with the game that shows it."""
    return f"{what}; game 0 of seed {SEED}; see it with: {command(spec, 0)}"


if __name__ == "__main__":
    faulthandler.dump_traceback_later(PATIENCE, exit=True)
    name, *counts = sys.argv[1:]
    print(json.dumps({players: examine(name, int(players)) for players in counts or load_game(name).players}))
