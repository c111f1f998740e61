"""What each decision of a game has cost: the game is played again, and at every decision all legal moves are tried.

They are tried on imagined tables that the game's experts play to the end in all seats, whoever plays the game itself,
so that a mistake costs what it costs among people who know what they do.  No learned value is used.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from simcore.errors import UsageError
from simcore.kernel.driver import Memory
from simcore.kernel.pointers import Outsider, prepared
from simcore.running.batch import Spec
from simcore.tabletop import Moment
from strategies.kit import EXPERTS
from strategies.library import load_strategy
from strategies.skill import players_of
from strategies.spec import assemble_spec
from strategies.weighing import Weighed, legal_moves, let_weigh

TABLES = 64
"""Number of imagined tables at every decision."""


@dataclass(frozen=True)
class Decision:
    """A decision of a game, and what it has cost.

    Parameters
    ----------
    seat
        The seat that decided, counted from 0.
    kind
        The kind of the decision.
    question, answer, best
        What was asked and chosen, and the move that did best at the imagined tables.
    moves
        Number of legal moves.
    loss, error
        What the move loses against the best one, as a share of the win, and its standard error.  The best one is
        chosen on one half of the tables and measured on the other; a loss may therefore be slightly below 0.
    """

    seat: int
    kind: str
    question: str
    answer: str
    best: str
    moves: int
    loss: float
    error: float


def decision_costs(
    spec: Spec, index: int, tables: int = TABLES, tick: Callable[[int, int], None] = lambda done, total: None
) -> tuple[Decision, ...]:
    """Return what the decisions of a game have cost, in order; those with a single legal move are left out.

    tables: Number of imagined tables at every decision; at least `strategies.weighing.LEAST`.
    tick: Called after every decision with the number of decisions done, and of all.
    Raises UsageError if the game does not say how to look ahead.
    """
    game = spec.game
    if not game.compiled or game.search is None:
        raise UsageError(f"{game.title} does not say how to try moves on imagined tables; see Game.search", "costs")
    experts = _experts(spec)
    total, done, found = 0, 0, []

    def count(*_: Any) -> None:
        nonlocal total
        total += 1

    def weigh(rules: Any, lineup: Any, state: Any, seat: int, moves: list[int], move: int) -> None:
        nonlocal done
        weighed, bases = Weighed(game, moves), lineup["bases"].copy()
        lineup["bases"][:] = experts
        while weighed.tables < tables and weighed.more(rules, lineup, state, seat):
            pass
        lineup["bases"][:] = bases
        if (loss := weighed.loss(move)) is not None:
            found.append(_decision(spec, rules, state, seat, move, weighed, loss))
        done += 1
        tick(done, total)

    _play(spec, index, count)
    _play(spec, index, weigh)
    return tuple(found)


def _play(spec: Spec, index: int, look: Callable[..., None]) -> np.ndarray[Any, Any]:
    """Play a game as in the run, and return its rows; show every decision among several moves before it is made."""
    game, record = spec.game, spec.lineup_record.copy()
    for entry in range(spec.players):
        let_weigh(game, record, entry)
    own = record["members"]["policy"].copy()

    def choose(rules: Any, lineup: Any, state: Any, seat: int) -> int:
        policies = lineup["members"]["policy"]
        policies[:] = own
        move = prepared(int(own[lineup["seated"][seat]]), rules, lineup, state)(seat)
        if len(moves := legal_moves(state)) > 1:
            look(rules, lineup, state, seat, moves, move)
        policies[: spec.players] = outsider.address
        return move

    outsider = Outsider(choose, game.policy_records)
    record["members"]["policy"][: spec.players] = outsider.address
    memory = Memory(game)
    rows, facts = np.zeros(spec.players, game.row_dtype), np.zeros(1, game.facts_dtype or np.int32)
    seed, indices, lineup = np.uint64(spec.seed), np.array([index]), memory.seated(record, spec.players)
    memory.trace["on"] = 0
    game.play_batch(spec.rules_record, lineup, memory.state, rows, facts, memory.trace, seed, indices)
    if outsider.raised is not None:
        raise outsider.raised
    return rows


def _experts(spec: Spec) -> Any:
    """Return the members of a line-up in which experts play all seats."""
    names = players_of(spec.game.name, EXPERTS)
    players = {role.name: [load_strategy(spec.game, names[role.name])] for role in spec.game.roles}
    return assemble_spec(spec.game, spec.players, players, spec.rules, 0, spec.design, 1).lineup_record["members"]


def _decision(
    spec: Spec, rules: Any, state: Any, seat: int, move: int, weighed: Weighed, loss: tuple[float, float]
) -> Decision:
    kind, tabletop = spec.game.decisions[int(state["decision"])].name, spec.game.tabletop
    if tabletop is None:
        question, answer, best = kind, f"move {move}", f"move {weighed.best}"
    else:
        moment = Moment(spec.rules.values, rules, state, seat)
        question = tabletop.question(kind, moment)
        answer, best = (tabletop.option(moment, one) for one in (move, weighed.best))
    return Decision(seat, kind, question, answer, best, len(weighed.moves), *loss)
