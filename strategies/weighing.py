"""What each legal move is worth to a seat: tried on imagined tables that the players of this table play to the end.

The tables are those of `strategies.rollout`: what the seat cannot know is drawn again, and all moves are tried on the
same ones.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from simcore.game import Game
from simcore.kernel.compilation import inlined, instantiate
from simcore.kernel.decisions import NONE, nothing_hidden
from simcore.kernel.intrinsics import copy_record, record_at
from simcore.kernel.lineup import ANSWERS, SEATS
from simcore.kernel.pointers import Pointer, call, prepared
from simcore.kernel.streams import fork
from strategies.moves import noise_block, noise_slot
from strategies.rollout import imagine, retelling, tell_answers

FAR = np.int64(1 << 40)
"""A time after every end: what is imagined stops once its outcome is known."""

OWN = np.int64(2048)
"""Number of the first table: not one of the 2,048 by which a player who looks ahead may have chosen its move."""

HIDDEN = np.int64(0xFFE)
"""Number of the table on which what a seat cannot know is drawn again for its player's eyes."""

# Names that `instantiate` fills in for a game.
sandbox_at: Any = None
redraw: Any = None
judge: Any = None


@inlined
def invite_players(imagined, lineup):
    """Let all players play on as they do, those who look ahead by their bases."""
    for entry in range(SEATS):
        imagined.seated[entry] = lineup.seated[entry]
        if lineup.bases[entry].policy != NONE:
            copy_record(imagined.members[entry], lineup.bases[entry])
        else:
            copy_record(imagined.members[entry], lineup.members[entry])
        imagined.bases[entry].policy = imagined.members[entry].policy


def weigh(rules, lineup, state, seat, move, number):
    """Try a move at one imagined table; return the seat's share of the win there, -1 if it cannot be tried."""
    if lineup.asked > ANSWERS:
        return np.int64(-1)
    sandbox = sandbox_at(lineup.sandbox)
    imagined = sandbox.lineup
    invite_players(imagined, lineup)
    tell_answers(imagined, lineup)
    imagined.number = OWN + number
    imagined.tried = move
    imagine(sandbox, rules, FAR, lineup.driver)
    share, _ = judge(rules, imagined, sandbox.trial, seat, sandbox.trace)
    return np.int64(-1) if sandbox.trial.fault else np.int64(share)


def veil(rules, lineup, state, seat, number):
    """Draw again in a state everything that a seat cannot know."""
    fork(state.rng, state.rng, noise_slot(state, seat), noise_block(state, 0) << 12 | number)
    redraw(rules, state, seat)
    return np.int64(0)


@cache
def weighing(game: Game) -> Pointer:
    """Return the compiled `weigh` of a game that says how to look ahead."""
    assert game.search is not None
    names = {"judge": game.search.judge, "sandbox_at": record_at(game.sandbox_dtype)}
    return Pointer(instantiate(weigh, game.step, **names), game.policy_records, numbers=3, cached=True)


@cache
def veiling(game: Game) -> Pointer:
    """Return the compiled `veil` of a game."""
    names = {"redraw": game.redraw or nothing_hidden}
    return Pointer(instantiate(veil, game.step, **names), game.policy_records, numbers=2, cached=True)


def veiled(game: Game, rules: Any, lineup: Any, state: Any, seat: int, number: int = int(HIDDEN)) -> Any:
    """Return a copy of a state at a decision, with everything drawn again that a seat cannot know.

    rules, lineup, state: Its records, as a policy gets them.
    seat: The seat that knows, counted from 0.
    number: Number of the drawing, below 4,096.
    """
    copy = np.zeros(1, game.state_dtype)
    copy[0] = state
    call(veiling(game), rules, lineup, copy[0], seat, number)
    return copy[0]


def let_weigh(game: Game, lineup: Any, entry: int) -> None:
    """Prepare a line-up so that moves of one member, whose `bases` say who plays on for it, can be weighed."""
    lineup["noting"] = 1
    lineup["retell"] = retelling(game).address
    if not lineup["bases"]["policy"][entry]:
        lineup["bases"][entry] = lineup["members"][entry]


# --- What the options of a decision are worth, from the imagined tables of `strategies.weighing` ---


LEAST = 40
"""Number of tables below which nothing is said."""


def legal_moves(state: Any) -> list[int]:
    """Return the legal moves of the decision at hand, in order."""
    found = np.atleast_1d(np.asarray(state["legal"], np.uint64))
    return [64 * number + bit for number, word in enumerate(found.tolist()) for bit in range(64) if word >> bit & 1]


class Weighed:
    """What the options of one decision are worth, better and better known.

    game: The game.
    moves: The legal moves.

    tables : int: Number of imagined tables so far.
    """

    def __init__(self, game: Game, moves: list[int]) -> None:
        self.game, self.moves, self.tables = game, moves, 0
        self._shares: list[NDArray[np.int64]] = []
        self._weigh: Callable[..., int] | None = None

    def more(self, rules: Any, lineup: Any, state: Any, seat: int) -> bool:
        """Try every move at one more table, with the same records each time; return whether that is possible."""
        if self.game.search is None:
            return False
        if self._weigh is None:
            self._weigh = prepared(weighing(self.game).address, rules, lineup, state)
        found = np.array([self._weigh(seat, move, self.tables) for move in self.moves])
        if found.min() < 0:
            return False
        self._shares.append(found)
        self.tables += 1
        return True

    @property
    def best(self) -> int:
        """The move that did best on all tables so far; of several, the first."""
        return self.moves[int(np.array(self._shares).sum(axis=0).argmax())]

    def loss(self, move: int) -> tuple[float, float] | None:
        """Return what a move loses against the best one, as a share of the win, and the standard error of that.

        The best one is chosen on the even tables and measured on the odd ones, and the other way round, so that luck
        at a few tables does not make a move look bad.  None if fewer than `LEAST` tables were played.
        """
        if self.tables < LEAST:
            return None
        shares = np.array(self._shares) / self.game.share_unit
        own = self.moves.index(move)
        gaps = np.empty(len(shares))
        for half in range(2):
            best = int(shares[half::2].mean(axis=0).argmax())
            gaps[1 - half :: 2] = shares[1 - half :: 2, best] - shares[1 - half :: 2, own]
        return float(gaps.mean()), float(gaps.std(ddof=1) / len(gaps) ** 0.5)
