"""Whole games out of the rows of a table: who sat where, who won, and what is wrong with a row."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from analysis.data.results import counted
from analysis.tables.reading import NO, ROW, YES, ResultsTable, cut
from simcore.judged import MOST_PLAYERS

GAME, SIZE, WON, PLACE = "game_no", "size", "won", "place"
"""Columns that are added: the number of the game in its chunk, its players, whether the seat won, and its place."""

MOST_SCORE = 1e9
THOUSANDS = r"^-?[1-9]\d{0,2}(,\d{3})+$"
"""Texts such as "1,234", which is 1234 in English and 1.234 in French."""

FIRST_SEATS = range(2, MOST_PLAYERS + 1)


@dataclass
class Games:
    """Reads the games of a table, some at a time."""

    table: ResultsTable  # the table
    lowest: bool = False  # whether the fewest points win
    counts: range = FIRST_SEATS  # allowed numbers of players
    span: str = f"Equipoise reads games of 2 to {MOST_PLAYERS} players"
    """What is allowed, for messages: "Chess is for 2 players"."""
    ordered: bool = True  # whether the seats, as numbered or in the order of the columns, mean something
    _base: int = field(default=-1, init=False)
    _seen: NDArray[np.uint64] = field(default_factory=lambda: np.zeros(0, np.uint64), init=False)

    @property
    def seated(self) -> bool:
        """Whether the table says who sat where."""
        return self.ordered and ("seat" in self.table.form.names or bool(self.table.form.wide))

    @property
    def by_score(self) -> bool:
        """Whether nothing but the score says who won."""
        return not {"winner", "rank"} & set(self.table.form.names)

    def read(self) -> Iterator[pl.DataFrame]:
        """Yield whole games, with one row for each seat in the order of the seats.

        The columns are those of the table's form, with numbers as such, and `GAME`, `SIZE`, `WON` and `PLACE`.  A game
        that nobody won has no seat with `WON`, and all seats share the first place.

        Raises
        ------
        UsageError
            If a row cannot be used; the message names the row, the column and the remedy.
        """
        self._base, self._seen = -1, np.zeros(0, np.uint64)
        rest: pl.DataFrame | None = None
        for chunk in self.table.chunks():
            frame = chunk if rest is None else pl.concat([rest, chunk])
            if len(frame):
                whole, rest = self._cut(self._numbered(frame))
                if len(whole):
                    yield self._take(whole)
                if len(rest) > self.counts[-1]:
                    self._take(self._numbered(rest))  # refuses a game that is already too large
        if rest is not None and len(rest):
            yield self._take(self._numbered(rest))
        elif rest is None:
            self.table.place.refuse("there is no game in it; write one row for each seat of each game")

    def _numbered(self, frame: pl.DataFrame) -> pl.DataFrame:
        """Return the rows with the number of their game, the rows of a game together."""
        if "game" not in frame.columns:
            players, starts, at = self._whole(frame, "players", self.span), np.zeros(len(frame), np.int64), 0
            while at < len(frame):
                starts[at] = 1
                at += max(int(players[at]), 1)
            return frame.with_columns(pl.Series(GAME, starts.cumsum()))
        self._refuse(frame, frame["game"] == "", "game", lambda row: "empty; number the games, or leave out the column")
        frame = frame.with_columns(pl.col("game").rle_id().cast(pl.Int64).alias(GAME))
        if frame["game"].n_unique() == frame[GAME][-1] + 1:
            return frame
        first = pl.col(GAME).min().over("game").rank("dense").cast(pl.Int64) - 1
        return frame.with_columns(first.alias(GAME)).sort(GAME, maintain_order=True)

    def _cut(self, frame: pl.DataFrame) -> tuple[pl.DataFrame, pl.DataFrame]:
        """Return all games but the last, which may go on, and the rows of that one."""
        last = int(frame[GAME].search_sorted(frame[GAME][-1]))
        return frame[:last], frame[last:].drop(GAME)

    def _take(self, frame: pl.DataFrame) -> pl.DataFrame:
        """Return checked games."""
        names = frame.columns
        runs = Runs.of(frame[GAME].to_numpy())
        self._once(frame[runs.start])
        self._sized(frame, runs)
        frame = frame.with_columns(pl.Series(SIZE, runs.each(runs.size)))
        if "seat" in names:
            frame = self._seats(frame, runs)
        for name in ("rank", "score"):
            if name in names:
                frame = frame.with_columns(self._number(frame, runs, name))
        if "deal" in names:
            self._refuse(
                frame, frame["deal"] == "", "deal", lambda row: "empty; number all deals, or leave out the column"
            )
        for name in ("group", "date", "rules", "deal", "length"):
            if name in names:
                self._alike(frame, runs, name)
        return self._winners(frame, runs)

    def _once(self, firsts: pl.DataFrame) -> None:
        """Refuse a game whose other rows were read long before."""
        if "game" not in firsts.columns:
            return
        keys = firsts["game"].hash(1).to_numpy()
        at = np.minimum(np.searchsorted(self._seen, keys), max(len(self._seen) - 1, 0))
        again = self._seen[at] == keys if len(self._seen) else np.zeros(len(keys), bool)
        self._refuse(
            firsts,
            again,
            "game",
            lambda row: f"'{cut(row['game'])}' has other rows far above; sort a table of this size by game",
        )
        self._seen = np.sort(np.concatenate([self._seen, keys]), kind="stable")

    def _sized(self, frame: pl.DataFrame, runs: Runs) -> None:
        """Check how many rows each game has."""
        size, outside = runs.each(runs.size), runs.each((runs.size < self.counts[0]) | (runs.size > self.counts[-1]))
        if "players" in frame.columns:
            players = self._whole(frame, "players", self.span)
            beyond = (players < self.counts[0]) | (players > self.counts[-1])
            self._refuse(frame, beyond, "players", lambda row: f"{self.span}, not '{cut(row['players'])}'")
            self._alike(frame, runs, "players")
            self._refuse(
                frame.with_columns(pl.Series(SIZE, size)),
                players != size,
                "",
                lambda row: (
                    f"this game has {counted(row[SIZE], 'row')}; {row['players']} players take {row['players']}"
                ),
            )
        self._refuse(
            frame.with_columns(pl.Series(SIZE, size)),
            outside,
            "",
            lambda row: f"this game has {counted(row[SIZE], 'row')}; {self.span}; write one row for each seat",
        )

    def _seats(self, frame: pl.DataFrame, runs: Runs) -> pl.DataFrame:
        """Return the rows in the order of the seats, which have to be 1 to the number of players."""
        number = frame["seat"].str.to_integer(strict=False).fill_null(-1).to_numpy()
        if self._base < 0:
            self._base = 0 if (number == 0).any() else 1
        number = number + 1 - self._base
        self._refuse(
            frame,
            (number < 1) | (number > frame[SIZE].to_numpy()),
            "seat",
            lambda row: (
                f"'{cut(row['seat'])}' is no seat at a table of {row[SIZE]}; give {self._base} to "
                f"{row[SIZE] - 1 + self._base}"
            ),
        )
        frame, expected = frame.with_columns(pl.Series("seat", number)), runs.place
        if not np.array_equal(number, expected):
            ordered = frame.sort(GAME, "seat", maintain_order=True)
            twice = ordered["seat"].to_numpy()
            twice = (twice[1:] == twice[:-1]) & (ordered[GAME].to_numpy()[1:] == ordered[GAME].to_numpy()[:-1])
            self._refuse(
                ordered[1:],
                twice,
                "seat",
                lambda row: f"'{row['seat'] - 1 + self._base}' occurs too often in this game of {row[SIZE]} players",
            )
            frame = ordered if self.ordered else frame
        return frame

    def _alike(self, frame: pl.DataFrame, runs: Runs, name: str) -> None:
        """Check that what belongs to a game is the same in all its rows."""
        values = frame[name]
        first = values[runs.each(runs.start)]

        def say(row: dict[str, Any]) -> str:
            other = frame.filter(pl.col(GAME) == row[GAME]).row(0, named=True)
            size = other.get("players")
            return f"'{cut(row[name])}', but row {other[ROW]} of the same game has '{cut(other[name])}'" + (
                f"; a game of {size} players takes {size} rows" if size else ""
            )

        self._refuse(frame, values != first, name, say)

    def _number(self, frame: pl.DataFrame, runs: Runs, name: str) -> pl.Series:
        """Return a column of numbers; the seats of a game have all one, or none."""
        values = numbers(frame[name])
        self._refuse(
            frame,
            values.is_null() & frame[name].str.contains(THOUSANDS),
            name,
            lambda row: f"'{cut(row[name])}' may mean thousands or decimals; leave out the comma, or write a point",
        )
        wrong = (values.is_null() & (frame[name] != "")) | (values.abs() > MOST_SCORE).fill_null(False)
        self._refuse(frame, wrong, name, lambda row: f"'{cut(row[name])}' is not a {name}; give a number")
        empty = values.is_null().to_numpy()
        some = empty & ~runs.each(np.logical_and.reduceat(empty, runs.start))
        self._refuse(frame, some, name, lambda row: "empty, though other seats of the game have one; give all or none")
        return values.alias(name)

    def _winners(self, frame: pl.DataFrame, runs: Runs) -> pl.DataFrame:
        """Return the rows with who won, and the places; refuse games whose columns contradict each other."""
        nothing = np.full(len(frame), np.nan)
        rank, points = (
            frame[name].fill_null(np.nan).to_numpy() if name in frame.columns else nothing for name in ("rank", "score")
        )
        points = points if self.lowest else -points
        order = np.where(np.isnan(rank), points, rank)
        with np.errstate(invalid="ignore"):
            best = {"rank": rank == runs.least(rank), "score": points == runs.least(points)}
            won = order == runs.least(order)
        if "rank" in frame.columns:
            first = runs.each(np.fmin.reduceat(rank, runs.start))
            self._refuse(
                frame, first > 1, "rank", lambda row: "nobody is in place 1 of this game; its winner may be missing"
            )
        camps = self._camps(frame)
        if "winner" in frame.columns:
            marked = self._marked(frame)
            decided = runs.each(np.logical_or.reduceat(marked, runs.start))
            for name in ("score", "rank"):
                if name in frame.columns:
                    self._contradictions(frame, camps, name, marked, decided, best[name])
            won = np.where(decided, marked, won)
        order = np.where(won, -np.inf, np.where(np.isnan(order), 0.0, order))
        order = np.where(runs.each(np.logical_or.reduceat(won, runs.start)), order, 0.0)
        return frame.with_columns(pl.Series(WON, won), pl.Series(PLACE, runs.ranked(order)))

    def _camps(self, frame: pl.DataFrame) -> pl.Series:
        """Return the camp of each row; the seats of a camp win together, whatever their scores."""
        return frame[ROW].rank("ordinal")

    def _marked(self, frame: pl.DataFrame) -> NDArray[np.bool_]:
        said = frame["winner"].str.to_lowercase()
        self._refuse(
            frame,
            ~said.is_in(sorted(YES | NO)),
            "winner",
            lambda row: f"'{cut(row['winner'])}' is neither yes nor no; write 1 or 0 for each seat",
        )
        return said.is_in(sorted(YES)).to_numpy()

    def _contradictions(
        self,
        frame: pl.DataFrame,
        camps: pl.Series,
        name: str,
        marked: NDArray[np.bool_],
        decided: NDArray[np.bool_],
        best: NDArray[np.bool_],
    ) -> None:
        """Refuse games in which somebody else has the best score or rank, or winners who have different ones."""
        what = "best rank" if name == "rank" else f"{'lowest' if self.lowest else 'highest'} score"
        turn = (
            ("; if the fewest points win, say so with", "lowest_wins") if name == "score" and not self.lowest else None
        )
        leading = pl.DataFrame({"game": frame[GAME], "camp": camps, "leads": marked & best})
        topped, together = (
            leading.select(pl.col("leads").any().over(by)).to_series().to_numpy() for by in ("game", ("game", "camp"))
        )
        self._refuse(
            frame,
            decided & best & ~topped,
            "",
            lambda row: f"this seat has the {what} of its game, {row[name]:g}, but another one is marked as the winner",
            turn,
        )
        known = ~np.isnan(frame[name].fill_null(np.nan).to_numpy())
        self._refuse(
            frame,
            marked & ~together & known,
            "winner",
            lambda row: (
                f"two winners, but this one has the {name} {row[name]:g} and the other the {what}; mark one, or leave "
                f"out the column '{self.table.form.column(name)}'"
            ),
        )

    def _whole(self, frame: pl.DataFrame, name: str, what: str) -> NDArray[np.int64]:
        """Return a column of whole numbers."""
        found = frame[name].str.to_integer(strict=False)
        self._refuse(frame, found.is_null(), name, lambda row: f"{what}, not '{cut(row[name])}'")
        return found.to_numpy()

    def _refuse(
        self,
        frame: pl.DataFrame,
        wrong: pl.Series | NDArray[np.bool_],
        name: str,
        say: Callable[[dict[str, Any]], str],
        way_out: tuple[str, str] | None = None,
    ) -> None:
        """Raise an error about the first of the rows that are wrong, if any are."""
        if not wrong.any():
            return
        row = frame.filter(wrong).sort(ROW).row(0, named=True)
        seat = str(row.get("seat")) if self.table.form.wide else ""
        column = f"{self.table.form.column(name, int(seat) if seat.isdecimal() else 0)}: " if name else ""
        self.table.place.refuse(f"{column}{say(row)}", row[ROW], way_out)


@dataclass(frozen=True)
class Runs:
    """Where each game starts among rows that are together by game, and how many rows it has."""

    start: NDArray[np.int64]
    size: NDArray[np.int64]

    @classmethod
    def of(cls, game: NDArray[np.int64]) -> Runs:
        """Return the runs of equal numbers."""
        start = np.flatnonzero(np.diff(game, prepend=game[0] - 1))
        return cls(start, np.diff(start, append=len(game)))

    def each(self, values: NDArray[Any]) -> NDArray[Any]:
        """Return a value for each game as a value for each row."""
        return np.repeat(values, self.size)

    @cached_property
    def place(self) -> NDArray[np.int64]:
        """The position of each row in its game, from 1."""
        return np.asarray(np.arange(self.size.sum()) - self.each(self.start) + 1, np.int64)

    def least(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the smallest value of each game for its rows; NaN for a game with NaN."""
        return self.each(np.minimum.reduceat(values, self.start))

    def ranked(self, values: NDArray[np.float64]) -> NDArray[np.uint8]:
        """Return the rank of each value in its game: 1 and the number of smaller ones."""
        found = np.zeros(len(values), np.uint8)
        for size in np.unique(self.size):
            at = self.start[self.size == size][:, None] + np.arange(size)
            own = values[at]
            found[at] = 1 + (own[:, None, :] < own[:, :, None]).sum(axis=2)
        return found


def numbers(values: pl.Series) -> pl.Series:
    """Return texts as numbers, with a point or a comma for the decimals; null for what is none or may be another."""
    found = values.cast(pl.Float64, strict=False)
    if found.null_count():
        decimal = values.str.replace(",", ".", literal=True).cast(pl.Float64, strict=False)
        found = decimal.set(values.str.contains(THOUSANDS).fill_null(False), None)
    finite: pl.Series = found.is_finite()
    return found.set(~finite.fill_null(False), None)
