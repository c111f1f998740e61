"""What a seat sees, as a row of whole numbers: about the table, about itself, its best rival, and the other rivals.

A game says what it tells about the table and about one player; the blocks are put together here, so that a row means
the same in every game.  The numbers may only use what the seat knows.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from simcore.errors import UsageError
from simcore.kernel.compilation import kernel
from simcore.kernel.templates import instantiate

if TYPE_CHECKING:
    from simcore.game import Game

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
