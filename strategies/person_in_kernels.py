"""A person among players of a game that kernels play.

The person's seat has a policy in plain Python, which kernels call through its address like any other.  What is shown
comes from a copy of the table in which everything was drawn again that the seat cannot know, so that nothing hidden can
be seen.  While the person thinks, the options are tried on imagined tables.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from simcore.kernel.memory import Memory
from simcore.kernel.outside import Outsider
from simcore.running.replay import Replay, replay_of
from simcore.tabletop import Moment
from strategies.person import Choice, Option, Person, Question
from strategies.weighed import LEAST, Weighed, legal_moves
from strategies.weighing import let_weigh, veiled

MOST_TABLES = 400
"""Number of imagined tables after which the options of a decision are known well enough."""

ILLEGAL = -1


class AmongKernels(Person):
    """See `strategies.person.Person`."""

    def _play_game(self) -> Replay | None:
        spec, game = self.spec, self.spec.game
        self._outsider = Outsider(self._choose, game.policy_records)
        self._memory = memory = Memory(game)
        record = spec.lineup_record.copy()
        if game.search is not None:
            let_weigh(game, record, self.seat)
        for name in ("inner", "watched", "avoids", "draws"):
            record["members"][name][self.seat] = 0
        record["members"]["policy"][self.seat] = self._outsider.address
        self._lineup = memory.seated(record, spec.players)
        trace = memory.trace
        trace["on"], trace["full"], trace["used"] = 1, 0, 0
        rows, facts = np.zeros(spec.players, game.row_dtype), np.zeros(1, game.facts_dtype or np.int32)
        played = game.play_batch(
            spec.rules_record,
            self._lineup,
            memory.state,
            rows,
            facts,
            trace,
            np.uint64(spec.seed),
            np.array([self.index]),
        )
        if self._outsider.raised is not None:
            raise self._outsider.raised
        if self.left:
            return None
        fault = "" if played else game.meaning_of(int(memory.state["fault"]))
        return replay_of(spec, self.index, self._lineup, trace, rows, fault)

    def _choose(self, rules: Any, lineup: Any, state: Any, seat: int) -> int:
        """Show the decision, and wait for the answer."""
        if self.left:
            return self._give_up(lineup)
        game, moves = self.spec.game, legal_moves(state)
        asked = question(self, rules, veiled(game, rules, lineup, state, seat), seat, moves, self._so_far())
        weighed = Weighed(game, moves)
        weigh = partial(weighed.more, rules, lineup, state, seat)
        move = self._ask(asked, lambda: weighed.tables < MOST_TABLES and weigh())
        if move is None:
            return self._give_up(lineup)
        while weighed.tables < LEAST and weigh():
            pass
        self._chosen(_choice(asked, move, weighed))
        return move

    def _so_far(self) -> Replay:
        """Return the game as far as it was played."""
        rows = np.zeros(self.spec.players, self.spec.game.row_dtype)
        return replay_of(self.spec, self.index, self._lineup, self._memory.trace, rows, "", is_whole=False)

    def _give_up(self, lineup: Any) -> int:
        """Make no legal move, nor let anybody else think, so that the kernel comes to its end at once."""
        lineup["members"]["policy"][:] = self._outsider.address
        return ILLEGAL


def question(person: Person, rules: Any, seen: Any, seat: int, moves: list[int], replay: Replay) -> Question:
    """Return what a decision asks a seat, from the table as the seat sees it."""
    game = person.spec.game
    assert game.tabletop is not None
    moment = Moment(person.spec.rules.values, rules, seen, seat)
    return Question(
        len(person.choices),
        game.tabletop.question(game.decisions[int(seen["decision"])].name, moment),
        tuple(Option(move, game.tabletop.option(moment, move)) for move in moves),
        tuple(game.tabletop.areas(moment)),
        replay,
        seat,
    )


def _choice(asked: Question, move: int, weighed: Weighed) -> Choice:
    texts = {option.move: option.text for option in asked.options}
    known = weighed.loss(move)
    if known is None:
        return Choice(asked.text, texts[move])
    return Choice(asked.text, texts[move], *known, texts[weighed.best], weighed.tables)
