"""Decisions: the set of legal moves, how a seat's policy is asked for one of them, and what a seat sees.

A state record that was laid out with `asking` contains the present decision: its kind, the set of legal moves and the
address of its random numbers.  Moves are numbered from 0; a game defines what each number means.  For up to 64 moves
the set is one word, `state.legal`, and bit m stands for move m; for more moves it is an array of such words.  The
functions here accept both.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from simcore.errors import UsageError
from simcore.kernel.compilation import apart, inlined, instantiate, kernel
from simcore.kernel.intrinsics import legal_word, legal_words, lowest_bit, nth_bit, popcount, set_legal_word
from simcore.kernel.pointers import RAISED, call_policy
from simcore.kernel.streams import RNG

if TYPE_CHECKING:
    from simcore.game import Game

WORD_BITS = 64
MOST_OPTIONS = 256
NONE, ONE, ALL = np.uint64(0), np.uint64(1), np.uint64(2**64 - 1)

ILLEGAL_MOVE = 1
TOO_MANY_OPTIONS, POLICY_RAISED, WROTE_STATE, WROTE_RULES, SAW_HIDDEN, TOO_MANY_NOTES, ENDLESS = range(-1, -8, -1)
FAULTS = {
    ILLEGAL_MOVE: "a policy chose an illegal move",
    TOO_MANY_OPTIONS: "a decision has more options than the game declares",
    POLICY_RAISED: "a policy raised an exception, as a division by zero does",
    WROTE_STATE: "a policy changed the state of the game",
    WROTE_RULES: "a policy changed the rules",
    SAW_HIDDEN: "a policy used hidden information: its choice depends on what its seat cannot know",
    TOO_MANY_NOTES: "more events were noted than the game declares",
    ENDLESS: "the game did not end within {most_steps} steps and as many decisions",
}
"""Faults that every game can have; a game's own codes are above 1."""

OF_POLICIES = frozenset({ILLEGAL_MOVE, POLICY_RAISED, WROTE_STATE, WROTE_RULES, SAW_HIDDEN})
"""Faults of a policy, not of the game."""


@dataclass(frozen=True)
class Decision:
    """One kind of decision that a game asks for.

    Parameters
    ----------
    name
        Name in messages and tables.
    meaning
        One line: what is chosen, and how moves are numbered.
    options
        Number of moves.
    moves
        What a player does who makes each move, such as ("check", "bet"); the names by which moves can be forbidden.
        Without names, moves are forbidden by their numbers.
    together
        Whether all seats choose at the same time: nothing may be changed until the last of them has chosen.
    opening
        Whether a player opens the game with it, such as the choice of a place to begin.  Reports ask whether the
        default players always open alike; without such a decision, they ask that about each player's first one.
    """

    name: str
    meaning: str
    options: int = WORD_BITS
    moves: tuple[str, ...] = ()
    together: bool = False
    opening: bool = False


def asking(options: int = WORD_BITS) -> tuple[tuple[Any, ...], ...]:
    """Return the fields with which the state record of a game has to begin.

    Parameters
    ----------
    options
        Largest number of moves of any decision, at most 256.

    Returns
    -------
    tuple
        For `simcore.kernel.records.layout`: `rng`, `legal`, `decision` (number of the kind), `slot` and `lane`
        (address of the decision's random numbers; `lane` is below 8) and `fault`.

    Raises
    ------
    UsageError
        If there are more than `MOST_OPTIONS` moves.
    """
    if not 1 <= options <= MOST_OPTIONS:
        raise UsageError(
            f"asking: {options} options; a decision may have 1 to {MOST_OPTIONS}: split it into several decisions, one "
            "after the other"
        )
    count = -(-options // WORD_BITS)
    legal = ("legal", np.uint64) if count == 1 else ("legal", np.uint64, count)
    return (("rng", RNG), legal, ("decision", np.int32), ("slot", np.int32), ("lane", np.int32), ("fault", np.int32))


@kernel
def nothing_hidden(rules, state, seat):
    """Draw nothing again: the `redraw` of a game that shuffles and yet hides nothing."""


@inlined
def is_legal(state, move):
    """Whether a move is in the set."""
    if move < 0 or move >= WORD_BITS * legal_words(state):
        return False
    return (legal_word(state, move >> 6) >> np.uint64(move & 63)) & ONE != NONE


@inlined
def count_legal(state):
    """Number of legal moves."""
    found = np.int64(0)
    for number in range(legal_words(state)):
        found += np.int64(popcount(legal_word(state, number)))
    return found


@inlined
def first_legal(state):
    """The first legal move; -1 if there is none."""
    return next_legal(state, np.int64(-1))


@inlined
def next_legal(state, move):
    """The first legal move above another; -1 if there is none."""
    start = np.int64(move) + 1
    number = start >> 6
    while number < legal_words(state):
        word = legal_word(state, number) & (ALL << np.uint64(start & 63))
        if word != NONE:
            return number * WORD_BITS + np.int64(lowest_bit(word))
        number += 1
        start = np.int64(0)
    return np.int64(-1)


@inlined
def nth_legal(state, n):
    """The n-th legal move, counted from 0."""
    base = np.int64(0)
    for number in range(legal_words(state) - 1):
        word = legal_word(state, number)
        count = np.int64(popcount(word))
        if n < count:
            return base + np.int64(nth_bit(word, n))
        n -= count
        base += WORD_BITS
    return base + np.int64(nth_bit(legal_word(state, legal_words(state) - 1), n))


@inlined
def clear_legal(state):
    """Begin a new, empty set of legal moves."""
    for number in range(legal_words(state)):
        set_legal_word(state, number, NONE)


@inlined
def allow(state, move):
    """Add a move to the set of legal moves."""
    if move < 0 or move >= WORD_BITS * legal_words(state):
        state.fault = TOO_MANY_OPTIONS
    else:
        set_legal_word(state, move >> 6, legal_word(state, move >> 6) | ONE << np.uint64(move & 63))


@inlined
def count_down(lineup, state):
    """Count one decision more; a game that asks for more than it declares has a fault."""
    lineup.left -= 1
    if lineup.left == 0:
        state.fault = ENDLESS


@inlined
def ask(rules, lineup, state, seat):
    """Ask the policy of a seat for one of the legal moves; anything else is a fault."""
    count_down(lineup, state)
    move = np.int64(call_policy(lineup.members[lineup.seated[seat]].policy, rules, lineup, state, seat))
    if not is_legal(state, move):
        blame(lineup, state, seat, move)
        move = first_legal(state)
    if lineup.noting:
        note_answer(lineup, move)
    return move


@apart
def blame(lineup, state, seat, move):
    """Record that the policy of a seat gave an illegal answer, unless it has set a fault itself."""
    if state.fault == 0:
        state.fault = POLICY_RAISED if move == RAISED else ILLEGAL_MOVE
        lineup.culprit = lineup.seated[seat]


@apart
def note_answer(lineup, move):
    """Store an answer for strategies that look ahead from here, as long as there is room."""
    if lineup.asked < lineup.answers.shape[0]:
        lineup.answers[lineup.asked] = np.int16(move)
    lineup.asked += 1


@inlined
def choose(rules, lineup, state, seat, decision, legal, slot, lane):
    """Let a seat choose among up to 64 moves, given as a set of bits; a single legal move is played without asking.

    `decision` is the kind; `slot` and `lane` are the address of the decision's random numbers, which must differ for
    each decision of the seat.
    """
    if legal & (legal - ONE) == NONE:
        return np.int64(lowest_bit(legal))
    state.decision = decision
    set_legal_word(state, np.int64(0), legal)
    for number in range(1, legal_words(state)):
        set_legal_word(state, number, NONE)
    state.slot = slot
    state.lane = lane
    # As `ask`, with the set at hand in a register.
    count_down(lineup, state)
    move = np.int64(call_policy(lineup.members[lineup.seated[seat]].policy, rules, lineup, state, seat))
    if move < 0 or move >= WORD_BITS or (legal >> np.uint64(move)) & ONE == NONE:
        blame(lineup, state, seat, move)
        move = np.int64(lowest_bit(legal))
    if lineup.noting:
        note_answer(lineup, move)
    return move


@kernel
def choose_legal(rules, lineup, state, seat, decision, slot, lane):
    """Let a seat choose among the moves that were given with `clear_legal` and `allow`; see `choose`."""
    first = first_legal(state)
    if next_legal(state, first) < 0:
        return first
    state.decision = decision
    state.slot = slot
    state.lane = lane
    return ask(rules, lineup, state, seat)


# What a seat sees, as a row of whole numbers: about the table, about itself, its best rival, and the other rivals.
#
# A game says what it tells about the table and about one player; the blocks are put together here, so that a row means
# the same in every game.  The numbers may only use what the seat knows.


MOST_NUMBERS = 128
LOOKED = 2 * MOST_NUMBERS
"""Room for what a seat sees and for each number times the time left."""

MEAN = 12
"""Parts of one in the block of the other rivals: their mean is exact for up to four of them."""

# Names that `instantiate` fills in for a game.
write_table: Any = None
write_player: Any = None
competes: Any = None
OF_TABLE = 0
OF_PLAYER = 0


@kernel
def every_other(rules, seat, other):
    """Every other seat is a rival."""
    return other != seat


@dataclass(frozen=True, eq=False)
class Look:
    """What a seat sees at a safe point, for players who judge a table by a learned value.

    Both writers are kernels, write 32-bit numbers, and may only read what the seat knows: the numbers must be the same
    for any two redraws of the table.
    """

    table: Callable[..., None]
    """`(rules, state, seat, out)`: write the numbers about the table from `out[0]` on.  The first one is the time that
    is left, in any unit, and is 0 at the end of the game."""
    player: Callable[..., None]
    """`(rules, state, seat, other, out, at)`: write from `out[at]` on what `seat` knows about the player in seat
    `other`, who may be itself.  The first number is the standing, by which the best rival is found."""
    of_table: tuple[str, ...]
    of_player: tuple[str, ...]
    """of_table, of_player: The names of these numbers, in order."""
    competes: Callable[..., bool] = every_other
    """`(rules, seat, other) -> bool`: whether another seat is described as a rival; what a player of another role has
    may stand among the numbers about the table instead."""

    def __post_init__(self) -> None:
        if not self.of_table or not self.of_player:
            raise UsageError("look: of_table and of_player: each needs at least one number")
        if len(self.names) > MOST_NUMBERS:
            raise UsageError(
                f"look: {len(self.of_table)} numbers about the table and three times {len(self.of_player)} about "
                f"players are {len(self.names)}; a seat may see {MOST_NUMBERS}"
            )

    @property
    def names(self) -> tuple[str, ...]:
        """The names of all numbers that a seat sees, in order."""
        blocks = ("own", "rival", "others")
        return (*self.of_table, *(f"{block}: {name}" for block in blocks for name in self.of_player))


def look(rules, state, seat, out):
    """Write what a seat sees: the table, itself, its best rival, and the mean of the other rivals in twelfths."""
    own = OF_TABLE
    rival = own + OF_PLAYER
    others = rival + OF_PLAYER
    spare = others + OF_PLAYER
    for place in range(own, spare):
        out[place] = 0
    write_table(rules, state, seat, out)
    write_player(rules, state, seat, seat, out, own)
    count = np.int64(0)
    for number in range(rules.players):
        other = np.int64(number)
        if competes(rules, seat, other):
            write_player(rules, state, seat, other, out, spare)
            first = count == 0 or out[spare] > out[rival]
            for place in range(OF_PLAYER):
                out[others + place] += out[spare + place]
                if first:
                    out[rival + place] = out[spare + place]
            count += 1
    for place in range(OF_PLAYER):
        rest = np.int64(out[others + place]) - np.int64(out[rival + place])
        out[others + place] = (rest * MEAN) // (count - 1) if count > 1 else 0


def look_of(game: Game) -> Callable[..., None]:
    """Return the kernel `(rules, state, seat, out)` that writes what a seat of a game sees, `LOOKED` numbers at most.

    Raises ValueError if the game does not say what a seat sees.
    """
    if game.search is None or game.search.look is None:
        raise ValueError(f"{game.name} does not say what a seat sees; see Look")
    sight = game.search.look
    names = {"write_table": sight.table, "write_player": sight.player, "competes": sight.competes}
    sizes = {"OF_TABLE": len(sight.of_table), "OF_PLAYER": len(sight.of_player)}
    found: Callable[..., None] = kernel(instantiate(look, game.step, **names, **sizes))
    return found
