"""Exact running totals of a run: wins by seat and by strategy.

Everything is a sum of integers over complete deals, so totals do not depend on the order in which games were computed.
The deal is the unit: games that share a random stream are summed before they are squared.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from simcore.game import Game
from simcore.kernel.compilation import cached_kernel
from simcore.kernel.records import word, words
from simcore.running.accumulator import Accumulator, Digest
from simcore.running.batch import Spec

SHARE = 60
"""Number of parts of a win among up to six players; `Game.share_unit` is valid for any number."""


@cached_kernel
def _count(rows, fields, of_entry, per_deal, by_seat, by_strategy, won, cross, unit):
    """Add the complete deals among (rows, words) to the sums of `Tally`; `won` is zero before and after."""
    players = by_seat.shape[1]
    share, score, member = fields[0], fields[1], fields[2]
    for deal in range(rows.shape[0] // (players * per_deal)):
        first = deal * per_deal * players
        for seat in range(players):
            shares = np.int64(0)
            scores = np.int64(0)
            for row in range(first + seat, first + per_deal * players, players):
                parts = rows[row, share]
                shares += parts
                scores += rows[row, score]
                won[of_entry[rows[row, member]]] += parts
                by_seat[3, seat] += parts == unit
            by_seat[0, seat] += shares
            by_seat[1, seat] += shares * shares
            by_seat[2, seat] += scores
            won[by_strategy.shape[1] + seat] = shares
        for seat in range(cross.shape[0]):
            for other in range(cross.shape[0]):
                cross[seat, other] += won[by_strategy.shape[1] + seat] * won[by_strategy.shape[1] + other]
        for number in range(by_strategy.shape[1]):
            by_strategy[0, number] += won[number]
            by_strategy[1, number] += won[number] * won[number]
        for number in range(won.shape[0]):
            won[number] = 0


def compile_count(game: Game) -> None:
    """Compile or load the function that counts a game's rows."""
    table, none = np.zeros((0, words(game.row_dtype)), np.int32), np.zeros(1, np.int64)
    _count(table, np.zeros(3, np.uint64), none, 1, none[:, None], none[:, None], none, none[:, None], 1)


class Tally(Accumulator):
    """Sums over complete deals.

    games : int: Number of games.
    deals : int: Number of complete deals; games of an incomplete deal are not counted below.
    unit : int: Number of parts of a win; the shares below are whole numbers of these parts.
    seat_sum, seat_square : numpy.ndarray: Sum, and sum of squares, of the parts of a win that each seat won in a deal;
        shape (players,).
    score_sum : numpy.ndarray: Sum of the scores by seat, in the kernel's integers; meaningless in a game without a
        score.
    divisor : int: Number of these integers in one point of the score.
    strategy_sum, strategy_square : numpy.ndarray: The same by strategy, in the order of `Spec.cast`; in a game with
        roles, by strategy in each of its roles.
    cross : numpy.ndarray: In a game with roles: sums of products of the parts of a win of two seats in a deal; shape
        (players, players). Shape (0, 0) in other games.
    outright : numpy.ndarray: Number of games won alone, by seat.
    """

    adds = ("games", "deals", "_by_seat", "_by_strategy", "cross")

    def __init__(self, spec: Spec) -> None:
        self.players = spec.players
        self.per_deal = spec.games_per_deal
        self.strategies = tuple(name for _, name in spec.cast)
        self._of_entry = np.array([spec.cast.index(member) for member in zip(spec.roles, spec.strategies, strict=True)])
        self.judged = spec.judged
        self.judged.check_sums(spec.games, self.per_deal)
        self.unit = self.judged.parts
        score = next((column for column in spec.game.columns if column.name == spec.game.score), None)
        self.divisor = score.divisor if score else 1
        scored = (score.field, score.index) if score else (spec.game.share, None)
        fields = (spec.game.share, None), scored, ("strategy", None)
        self._fields = np.array([word(spec.game.row_dtype, *field) for field in fields], np.uint64)
        self._won = np.zeros(len(self.strategies) + self.players, np.int64)
        self._by_seat = np.zeros((4, self.players), np.int64)
        self._by_strategy = np.zeros((2, len(self.strategies)), np.int64)
        self.cross = np.zeros((self.players, self.players) if spec.game.asymmetric else (0, 0), np.int64)
        self.games = self.deals = 0
        self.seat_sum, self.seat_square, self.score_sum, self.outright = self._by_seat
        self.strategy_sum, self.strategy_square = self._by_strategy

    def add(self, rows: np.ndarray[Any, Any]) -> None:
        """Add the rows of consecutive games that begin with the first game of a deal."""
        self.games += len(rows) // self.players
        self.deals += len(rows) // (self.players * self.per_deal)
        table = rows.view(np.int32).reshape(len(rows), words(rows.dtype))
        if self.judged.is_payoff:
            table = table.copy()
            table[:, self._fields[0]] = self.judged.of_rows(rows)
        _count(
            table,
            self._fields,
            self._of_entry,
            self.per_deal,
            self._by_seat,
            self._by_strategy,
            self._won,
            self.cross,
            self.unit,
        )

    @property
    def _parts(self) -> dict[str, NDArray[np.int64]]:
        """The sums, by name."""
        return {"by_seat": self._by_seat, "by_strategy": self._by_strategy, "cross": self.cross}

    def to_dict(self) -> dict[str, Any]:
        """Return all sums as plain values; `take` reads them."""
        sums = {name: values.tolist() for name, values in self._parts.items()}
        return {"games": self.games, "deals": self.deals, **sums}

    def take(self, table: Any) -> None:
        """Replace the contents by a result of `to_dict`; raises ValueError if it does not fit the run."""
        if not isinstance(table, dict):
            raise ValueError("no tally")
        games, deals = table.get("games"), table.get("deals")
        if not isinstance(games, int) or not isinstance(deals, int) or min(games, deals) < 0:
            raise ValueError("games and deals of the tally")
        self.games, self.deals = games, deals
        for name, values in self._parts.items():
            try:
                found = np.array(table.get(name), np.int64).reshape(values.shape)
            except (OverflowError, TypeError, ValueError):
                raise ValueError(f"{name} of the tally") from None
            values[...] = found


# --- Totals of some games of a run, which can be merged, stored in a file and read again ---


class Sums(Accumulator):
    """Further sums over the rows of a run's games."""

    def add(self, rows: np.ndarray[Any, Any]) -> None:
        """Add the rows of consecutive games that begin with the first game of a deal."""
        raise NotImplementedError


Also = Callable[[], Sums]
"""Function that makes empty further sums."""


class Totals(Accumulator):
    """Totals of some games of a run.

    spec: The run.
    also: Makes further sums over the same games.  If None, there are none.

    tally : Tally: Wins by seat and by strategy.
    digest : Digest: Running digest of the outcomes.
    more : Sums or None: The further sums.
    """

    def __init__(self, spec: Spec, also: Also | None = None) -> None:
        self.tally, self.digest = Tally(spec), Digest()
        self.more = also() if also else None

    @property
    def games(self) -> int:
        """Number of games."""
        return self.tally.games

    def add(self, rows: np.ndarray[Any, Any], first_row: int) -> None:
        """Add the rows of consecutive games; `first_row` is the number of the first row."""
        self.digest.add(rows, first_row)
        self.tally.add(rows)
        if self.more is not None:
            self.more.add(rows)

    def to_dict(self) -> dict[str, Any]:
        """Return the tally and the digest as plain values; `from_dict` reads them."""
        return {"tally": self.tally.to_dict(), "sums": self.digest.sums.tolist()}

    @classmethod
    def from_dict(cls, spec: Spec, table: Mapping[str, Any], also: Also | None = None) -> Totals:
        """Return the totals from a result of `to_dict`; the further sums are empty.

        Raises ValueError if the table does not fit the run.
        """
        found = cls(spec, also)
        found.tally.take(table.get("tally"))
        sums = table.get("sums")
        if not isinstance(sums, list) or len(sums) != len(found.digest.sums):
            raise ValueError("sums of the digest")
        try:
            found.digest.sums[:] = sums
        except (OverflowError, TypeError):
            raise ValueError("sums of the digest") from None
        found.digest.rows = found.tally.games * spec.players
        return found


class InOrder:
    """Merges the totals of parts in the order of the parts, so that sums of fractions are always the same.

    total: The totals into which they are merged.
    numbers: Numbers of the parts, in order.

    merged : int: Number of parts that have been merged.
    """

    def __init__(self, total: Totals, numbers: Iterable[int]) -> None:
        self.total = total
        self.merged = 0
        self._left = list(numbers)
        self._waiting: dict[int, Totals] = {}

    def add(self, number: int, totals: Totals) -> None:
        """Add a part; it waits until all parts before it have arrived."""
        self._waiting[number] = totals
        while self.merged < len(self._left) and self._left[self.merged] in self._waiting:
            self.total.merge(self._waiting.pop(self._left[self.merged]))
            self.merged += 1
