"""What a game is played for, shares of the wins or an amount such as chips, and roles: who wins together."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import ceil
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from simcore.errors import KernelFault, UsageError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from simcore.game import Game

# --- Roles at a table: who plays what, which seats belong to a role, and who wins together ---


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


def seats_by_camp(camps: Sequence[str], order: Sequence[str]) -> list[int]:
    """Return the seats, counted from 0, of one camp after the other."""
    return sorted(range(len(camps)), key=lambda seat: order.index(camps[seat]))


def equal_par(rules: object, players: int) -> tuple[float, ...]:
    """Return the par of a game in which all seats should win equally often."""
    return (1 / players,) * players


def first_share(rules: object, rows: np.ndarray[Any, Any], unit: int) -> NDArray[np.int64]:
    """Return the win shares of a game whose first-placed seats share the win equally; 0 for all if nobody is first.

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
    return np.where(first, unit // np.maximum(first.sum(axis=1, keepdims=True), 1), 0)


def check_roles(game: str, roles: Sequence[Role], counts: Sequence[int]) -> None:
    """Raise `UsageError` unless every seat has one role at each number of players, and seats of a role are adjacent."""
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


# --- What a game is played for: shares of the wins or, if the game declares a payoff, an amount such as chips ---


Array = NDArray[Any]


def no_gain(rules: object, players: int) -> tuple[float, ...]:
    """Return the par of a game in which what some gain is what the others lose: nothing for each seat."""
    return (0.0,) * players


@dataclass(frozen=True, eq=False, kw_only=True)
class Payoff:
    """What the seats of a game gain or lose, if that matters more than who wins.

    The seats of every game gain the same amount together, which is the sum of their pars; it is 0 where what some gain
    is what the others lose.

    Parameters
    ----------
    unit
        What is gained, in the plural, such as "chips".
    columns
        The columns of the game's table that the payoff is calculated from; they hold whole numbers.
    limits
        Function that takes the resolved rules and the number of players, and returns the smallest and the largest
        payoff that a seat can have.
    stake
        Function that takes the resolved rules, and returns what is at stake in a game, in the unit.  A seat that gains
        6 % of the stake more or less than its par still counts as fair.
    of
        Function of the columns, each of shape (games, players), that returns the payoff of each seat in whole numbers.
        By default, the only column.
    par
        Function that takes the resolved rules and the number of players, and returns what each seat is meant to gain.

    Examples
    --------
    >>> chips = Payoff(
    ...     unit="chips", columns=("chips",), limits=lambda rules, players: (-2, 2), stake=lambda rules: 1
    ... )
    >>> chips.of(np.array([[-1, 1]]))
    array([[-1,  1]])
    """

    unit: str
    columns: tuple[str, ...]
    limits: Callable[[Any, int], tuple[int, int]]
    stake: Callable[[Any], float]
    of: Callable[..., Array] = np.asarray
    par: Callable[[Any, int], Sequence[float]] = no_gain

    def check(self, game: Game) -> None:
        """Raise `UsageError` unless the payoff fits the game that declares it."""
        what = f"game '{game.name}': payoff: "
        known = {column.name: column for column in game.columns}
        if not self.unit.strip():
            raise UsageError(f"{what}unit: say what is gained, such as 'chips'")
        if not self.columns:
            raise UsageError(f"{what}columns: name the columns that the payoff is calculated from")
        for name in self.columns:
            if name not in known:
                raise UsageError(f"{what}there is no column '{name}'")
            if known[name].divisor != 1 or "Int" not in known[name].type or known[name].detail != "minimal":
                raise UsageError(
                    f"{what}column '{name}': a payoff needs whole numbers at every level of detail; declare the column "
                    "with an integer type, without a divisor, and with detail='minimal'"
                )
        if game.asymmetric:
            raise UsageError(f"{what}a game with several roles is judged by its wins; leave the payoff out")


@dataclass(frozen=True, eq=False)
class Judged:
    """What one run is judged by, as parts of a whole: parts of a win, or a payoff above the smallest possible one.

    Methods of statistics need values between 0 and 1.  So each value is a number of parts, and a share is that number
    divided by the number of parts of the whole.  `amount` turns a share into the unit that people use.
    """

    game: Game
    columns: tuple[str, ...]  # the columns that the parts are calculated from
    parts: int  # number of parts of the whole
    par: tuple[float, ...]  # the share of the whole that each seat is meant to have
    unit: str = ""  # the payoff's unit; empty for shares of the wins
    least: int = 0  # the payoff of which the share is 0; 0 for wins
    stake: float = 1.0  # what is at stake, as a share of the whole; 1 for wins

    @property
    def is_payoff(self) -> bool:
        """Whether the game is judged by a payoff, and not by its wins."""
        return bool(self.unit)

    @property
    def fair(self) -> Array:
        """What each seat is meant to have: its par as an amount."""
        return np.asarray(self.amount(np.array(self.par)))

    def spanning(self, other: Judged) -> Judged:
        """Return the same on a scale that also holds the payoffs of other rules, whose limits may differ."""
        least = min(self.least, other.least)
        parts = max(self.least + self.parts, other.least + other.parts) - least
        if (least, parts) == (self.least, self.parts):
            return self
        shares = tuple(((self.fair - least) / parts).tolist())
        return replace(self, least=least, parts=parts, par=shares, stake=self.stake * self.parts / parts)

    @cached_property
    def fields(self) -> dict[str, tuple[str, int | None]]:
        """The field of the game's row, and the position inside it, of each column."""
        own = {column.name: (column.field, column.index) for column in self.game.columns}
        return {name: own.get(name, (name, None)) for name in self.columns}

    def of_columns(self, columns: Mapping[str, Array]) -> Array:
        """Return each seat's parts from columns of a table, each of shape (games, players)."""
        found = [columns[name] for name in self.columns]
        payoff = self.game.payoff
        if payoff is None:
            return found[0]
        return np.asarray(payoff.of(*(one.astype(np.int64) for one in found))) - self.least

    def of_rows(self, rows: Array) -> Array:
        """Return the parts of each seat from a game's final rows, shape (games * players,)."""
        players = len(self.par)
        found = {
            name: (rows[field] if index is None else rows[field][:, index]).reshape(-1, players)
            for name, (field, index) in self.fields.items()
        }
        return self.of_columns(found).reshape(-1)

    def amount(self, share: Any) -> Any:
        """Return the payoff that a share of the whole stands for; a share of the wins stands for itself."""
        return self.least + self.parts * share if self.is_payoff else share

    def distance(self, share: Any) -> Any:
        """Return the amount that a difference of two shares stands for."""
        return self.parts * share if self.is_payoff else share

    def check_sums(self, games: int, per_deal: int) -> None:
        """Raise `UsageError` unless 64 bits hold the sums of squares of what seats and strategies gain in deals."""
        widest = ceil(max(1.0, sum(self.par)) * self.parts) * per_deal
        most = (2**63 - 1) // widest**2 * per_deal
        if self.is_payoff and games > most:
            raise UsageError(
                f"game '{self.game.name}': payoff: limits: {self.least:,} to {self.least + self.parts:,} "
                f"{self.unit} are too far apart for the statistics of {games:,} games; give narrower limits or a "
                f"larger unit{f', or play at most {most:,} games' if most else ''}"
            )

    def check(self, rows: Array, games: Array, where: Callable[[int], str]) -> None:
        """Raise `KernelFault` unless all payoffs are whole numbers within the limits, and those of a game fit the pars.

        Parameters
        ----------
        rows
            Final rows of some games.
        games
            Their indices.
        where
            Function that says which game it is, and how to see it, from its index.
        """
        if not self.is_payoff:
            return
        parts = self.of_rows(rows).reshape(-1, len(self.par))
        most, total = self.least + self.parts, self.amount(np.array(self.par)).sum()
        decimals = (parts % 1 != 0).any(axis=1)
        beyond = ((parts < 0) | (parts > self.parts)).any(axis=1)
        uneven = np.abs(parts.sum(axis=1) + len(self.par) * self.least - total) > 1e-6
        for wrong, said in (
            (decimals, "the payoff has decimals; it has to be a whole number of " + self.unit),
            (beyond, f"a payoff beyond its limits, {self.least:,} to {most:,} {self.unit}"),
            (uneven, f"the seats gain other than {total:g} {self.unit} together, which is the sum of their pars"),
        ):
            if wrong.any():
                at = int(wrong.argmax())
                told = ", ".join(f"{value + self.least:g}" for value in parts[at].tolist())
                raise KernelFault(f"{self.game.name}: {said}: {told} {where(int(games[at]))}")


def judged_by(game: Game, rules: Any, players: int) -> Judged:
    """Return what a run of a game is judged by.

    Raises UsageError if par, limits or stake do not fit each other.
    """
    payoff = game.payoff
    if payoff is None:
        par = check_par(game.name, game.par(rules, players), players)
        return Judged(game, (game.share,), game.share_unit, par)
    what = f"game '{game.name}': payoff: "
    least, most = payoff.limits(rules, players)
    if not all(isinstance(end, int | np.integer) for end in (least, most)) or not least < most <= least + 2**31:
        raise UsageError(f"{what}limits: {least} to {most}; give the smallest and the largest payoff, in whole numbers")
    stake, par = float(payoff.stake(rules)), tuple(map(float, payoff.par(rules, players)))
    if not 0 < stake <= most - least:
        raise UsageError(f"{what}stake: {stake:g} {payoff.unit}; give more than 0 and at most {most - least:,}")
    if len(par) != players or not all(least < own < most for own in par):
        told = ", ".join(f"{own:g}" for own in par)
        raise UsageError(
            f"{what}par: ({told}) {payoff.unit} for {players} players; give {players} amounts between {least:,} and "
            f"{most:,}, the limits of the payoff"
        )
    size = int(most - least)
    shares = tuple((own - least) / size for own in par)
    return Judged(game, payoff.columns, size, shares, payoff.unit, int(least), stake / size)
