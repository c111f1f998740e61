"""Roles at a table: who plays what, which seats belong to a role, and who wins together."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from simcore.errors import UsageError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

MOST_PLAYERS = 8
TOLERANCE = 1e-9


@dataclass(frozen=True)
class Role:
    """One role of a game.

    Parameters
    ----------
    name
        Name in strategies, options and tables, such as "lord".
    title
        Display name.
    seats
        Function that takes the number of players and returns the role's seats, counted from 0, as a range without gaps.
        If None, all seats, for a game with only one role.
    camp
        Name of the camp that the role belongs to.  A camp wins if one of its members wins.  If empty, the role's name.
    """

    name: str
    title: str
    seats: Callable[[int], range] | None = None
    camp: str = ""

    def at(self, players: int) -> range:
        """Return the role's seats, counted from 0, at a table of some players."""
        return range(players) if self.seats is None else self.seats(players)

    @property
    def side(self) -> str:
        """The name of the camp, or of the role if it is a camp of its own."""
        return self.camp or self.name


ALIKE = (Role("player", "Player"),)
"""The roles of a game in which all seats are symmetric."""


def equal_par(rules: object, players: int) -> tuple[float, ...]:
    """Return the par of a game in which all seats should win equally often."""
    return (1 / players,) * players


def first_share(rules: object, rows: np.ndarray[Any, Any], unit: int) -> NDArray[np.int64]:
    """Return the win shares of a game whose first-placed seats share the win equally.

    rules: The resolved rules, which are not used here.
    rows: Final rows, shape (games, players).
    unit: Number of parts of a win.
    Returns numpy.ndarray: Parts of the win by seat, shape (games, players).

    Examples
    --------
    >>> import numpy as np
    >>> rows = np.zeros((1, 4), [("place", np.int32)])
    >>> rows["place"] = [1, 3, 1, 4]
    >>> first_share(None, rows, 60)
    array([[30,  0, 30,  0]])
    """
    import numpy as np

    first = rows["place"] == 1
    return np.where(first, unit // first.sum(axis=1, keepdims=True), 0)


def check_roles(game: str, roles: Sequence[Role], counts: Sequence[int]) -> None:
    """Raise `UsageError` unless every seat has one role at every number of players, and seats of a role are adjacent.

    game: Name of the game, for the message.
    roles: What the game declares.
    counts: Its numbers of players.
    """
    names = [role.name for role in roles]
    if len(set(names)) < len(names) or not names:
        raise UsageError(f"game '{game}': roles: needs at least one role, each with a name of its own")
    for players in counts:
        seats = [seat for role in roles for seat in role.at(players)]
        if seats != list(range(players)):
            raise UsageError(
                f"game '{game}': roles: at {players} players the roles {', '.join(names)} take the seats "
                f"{[seat + 1 for seat in seats]}; give each of the seats 1 to {players} to one role, in order"
            )


def check_par(game: str, par: Sequence[float], players: int) -> tuple[float, ...]:
    """Return par by seat as floats; raise `UsageError` if they cannot be the shares of a win."""
    found = tuple(float(share) for share in par)
    if len(found) != players or not all(0 < share < 1 for share in found) or abs(sum(found) - 1) > TOLERANCE:
        told = ", ".join(f"{share:g}" for share in found)
        raise UsageError(
            f"game '{game}': par: the shares for {players} players are ({told}); "
            f"give {players} positive shares that sum to 1"
        )
    return found
