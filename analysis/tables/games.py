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
from analysis.tables.columns import DRAWN, FINISHED, NO, ROW, THOUSANDS, YES, cut, integers
from analysis.tables.reading import ResultsTable
from simcore.judged import MOST_PLAYERS

GAME, SIZE, WON, PLACE = "game_no", "size", "won", "place"
"""Columns that are added: the number of the game in its chunk, its players, whether the seat won, and its place."""

MOST_SCORE = 1e9
LAST = ("dnf", "dns", "dnq", "dsq")
"""What a rank or a score may say of a seat that was not placed."""

MOST_TOLD = 20
"""Largest number of faulty rows that a message names."""

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
    aborted: int = field(default=0, init=False)  # number of unfinished games that were left out
    _base: int = field(default=-1, init=False)
    _first: int = field(default=-1, init=False)  # the best rank of a game: 1, or 0 if that of every game is
    _seen: NDArray[np.uint64] = field(default_factory=lambda: np.zeros(0, np.uint64), init=False)

    @property
    def seated(self) -> bool:
        """Whether the table says who sat where."""
        return self.ordered and ("seat" in self.table.form.names or bool(self.table.form.wide))

    @property
    def by_score(self) -> bool:
        """Whether nothing but the score says who won."""
        return not {"winner", "rank"} & set(self.table.form.names)

    def read(self, won: bool = False) -> Iterator[pl.DataFrame]:
        """Yield whole games, with one row for each seat in the order of the seats; unfinished ones are left out.

        The columns are those of the table's form, with numbers as such, and `GAME`, `SIZE`, `WON` and `PLACE`.  A game
        that nobody won has no seat with `WON`, and all seats share the first place; if `won`, it is left out.

        Raises UsageError if a row cannot be used; the message names the row, the column and the remedy.
        """
        self._base, self._first, self._seen, self.aborted = -1, -1, np.zeros(0, np.uint64), 0
        rest: pl.DataFrame | None = None
        chunks = self.table.chunks()
        chunk = next(chunks, None)
        while chunk is not None:
            following = next(chunks, None)
            frame = chunk if rest is None else pl.concat([rest, chunk])
            if len(frame):
                whole, rest = self._cut(self._numbered(frame), following is not None)
                if len(whole) and len(games := self._take(whole)):
                    yield games.filter(pl.col(WON).any().over(GAME)) if won else games
                if len(rest) > self.counts[-1]:
                    self._take(self._numbered(rest))  # refuses a game that is already too large
            chunk = following
        if rest is None:
            self.table.place.refuse("there is no game in it; write one row for each seat of each game")

    def _numbered(self, frame: pl.DataFrame) -> pl.DataFrame:
        """Return the rows with the number of their game, the rows of a game together."""
        if "game" not in frame.columns:
            players, starts, at = self._whole(frame, "players", self.span), np.zeros(len(frame), np.int64), 0
            while at < len(frame):
                starts[at] = 1
                at += max(int(players[at]), 1)
            return frame.with_columns(pl.Series(GAME, starts.cumsum()))
        self._refuse(
            frame,
            frame["game"] == "",
            "game",
            lambda row: "empty; number the games, in every row of a game (in a spreadsheet, unmerge the cells)",
        )
        frame = frame.with_columns(pl.col("game").rle_id().cast(pl.Int64).alias(GAME))
        if frame["game"].n_unique() == frame[GAME][-1] + 1:
            return frame
        first = pl.col(GAME).min().over("game").rank("dense").cast(pl.Int64) - 1
        return frame.with_columns(first.alias(GAME)).sort(GAME, maintain_order=True)

    def _cut(self, frame: pl.DataFrame, more: bool) -> tuple[pl.DataFrame, pl.DataFrame]:
        """Return all games but the last, which may go on if there are more rows, and the rows of that one."""
        last = int(frame[GAME].search_sorted(frame[GAME][-1])) if more else len(frame)
        return frame[:last], frame[last:].drop(GAME)

    def _take(self, frame: pl.DataFrame) -> pl.DataFrame:
        """Return checked games."""
        names = frame.columns
        runs = Runs.of(frame[GAME].to_numpy())
        for name in [one for one in FINISHED if one in names]:
            frame, runs = self._ended(frame, runs, name)
            if not len(frame):
                return frame
        self._once(frame[runs.start])
        self._sized(frame, runs)
        frame = frame.with_columns(pl.Series(SIZE, runs.each(runs.size)))
        if "team" in names and not ("seat" in names and self.ordered):
            frame = frame.sort(GAME, "team", maintain_order=True)
        if "seat" in names:
            frame = self._seats(frame, runs)
        if "player" in names:
            self._people(frame)
        if "rank" in names:
            frame = frame.with_columns(self._ranks(frame, runs))
        if "score" in names:
            frame = frame.with_columns(self._number(frame, runs, "score"))
        if "deal" in names:
            self._refuse(
                frame, frame["deal"] == "", "deal", lambda row: "empty; number all deals, or leave out the column"
            )
        for name in ("group", "date", "rules", "deal", "length"):
            if name in names:
                self._alike(frame, runs, name)
        return self._winners(frame, runs)

    def _ended(self, frame: pl.DataFrame, runs: Runs, name: str) -> tuple[pl.DataFrame, Runs]:
        """Return the games without those that the column `finished` or `incomplete` says were broken off."""
        self._alike(frame, runs, name)
        said = integers(frame[name]).str.to_lowercase()
        self._refuse(
            frame,
            ~said.is_in(sorted({"", *YES, *NO})),
            name,
            lambda row: f"'{cut(row[name])}' is neither yes nor no; write 1 or 0, or rename the column",
        )
        broken = said.is_in(sorted(NO if name == "finished" else YES))
        self.aborted += int(broken.gather(runs.start).sum())
        frame = frame.filter(~broken)
        return frame, Runs.of(frame[GAME].to_numpy()) if len(frame) else runs

    def _people(self, frame: pl.DataFrame) -> None:
        """Refuse a row without a player, and one that occurs twice in its game where no seat tells them apart."""
        self._refuse(frame, frame["player"] == "", "player", lambda row: "empty; name every player, if only as 'guest'")
        if "seat" not in frame.columns and frame.select(pl.struct(GAME, "player").is_duplicated().any()).item():
            twice = frame.select(~pl.struct(pl.exclude(ROW)).is_first_distinct()).to_series()
            self._refuse(
                frame, twice, "", lambda row: "the same as another row of its game; leave out one, or change a name"
            )

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
                    f"this game has {counted(row[SIZE], 'row')}; {row['players']} players take {row['players']}; write "
                    "one row for each seat, or leave it out"
                ),
            )
        self._refuse(
            frame.with_columns(pl.Series(SIZE, size)),
            outside,
            "",
            lambda row: (
                f"this game has {counted(row[SIZE], 'row')}; {self.span}; write one row for each seat, or leave "
                + ("it out; if this is the title of several, number them" if row[SIZE] > MOST_PLAYERS else "it out")
            ),
        )

    def _seats(self, frame: pl.DataFrame, runs: Runs) -> pl.DataFrame:
        """Return the rows in the order of the seats, which have to be 1 to the number of players."""
        number = frame["seat"].str.to_integer(strict=False).fill_null(-1).to_numpy()
        if self._base < 0:
            self._base = 0 if (number == 0).any() else 1
        number = number + 1 - self._base
        numbered = "seat" in self.table.form.names  # otherwise the names of the columns are
        self._refuse(
            frame,
            (number < 1) | (number > frame[SIZE].to_numpy()),
            "seat" if numbered else "",
            lambda row: (
                (f"'{cut(row['seat'])}' is no seat at a table of {row[SIZE]}; give " if numbered else "")
                + f"{self._base} to {row[SIZE] - 1 + self._base}"
                + ("" if numbered else f" are the columns of a table of {row[SIZE]}, not {row['seat']}; fill the first")
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
                lambda row: (
                    f"'{row['seat'] - 1 + self._base}' occurs too often in this game of {row[SIZE]} players; give each "
                    "seat once"
                ),
            )
            frame = ordered if self.ordered else frame
        return frame

    def _alike(self, frame: pl.DataFrame, runs: Runs, name: str) -> None:
        """Check that what belongs to a game is the same in all its rows."""
        values = frame[name]
        first = values[runs.each(runs.start)]

        def say(row: dict[str, Any]) -> str:
            other = frame.filter(pl.col(GAME) == row[GAME]).row(0, named=True)
            size = None if "game" in frame.columns else other.get("players")
            return f"'{cut(row[name])}', but row {other[ROW]} of the same game has '{cut(other[name])}'" + (
                f"; a game of {size} players takes {size} rows"
                if size
                else "; write the same in all its rows, or rename the column"
            )

        self._refuse(frame, values != first, name, say)

    def _ranks(self, frame: pl.DataFrame, runs: Runs) -> pl.Series:
        """Return the ranks, from 1; who was not placed is behind all others."""
        texts = frame["rank"].str.to_lowercase()
        if texts.cast(pl.Float64, strict=False).null_count():
            texts = texts.str.replace(r"^(?:t[ -]?|=)?(\d+)(?:st|nd|rd|th|er|re|e|\.)?=?$", "${1}")
        last = texts.is_in(LAST).to_numpy()
        values = self._number(frame.with_columns(rank=texts), runs, "rank").to_numpy()
        placed = np.where(last, np.nan, values)
        first = np.fmin.reduceat(placed, runs.start)
        if self._first < 0 and not np.isnan(first).all():
            self._first = 0 if np.nanmax(first) == 0 else 1
        placed = placed + 1 - self._first
        with np.errstate(invalid="ignore"):
            self._refuse(
                frame,
                runs.each(first) + 1 - self._first > 1,
                "rank",
                lambda row: (
                    f"nobody is in place {self._first} of this game; give the best of its seats this rank, or add the "
                    "row of its winner"
                ),
            )
            self._refuse(
                frame,
                (placed < 1) | (placed > frame[SIZE].to_numpy()),
                "rank",
                lambda row: (
                    f"'{cut(row['rank'])}' is no place in a game of {row[SIZE]} players whose winner has the rank "
                    f"{self._first}; write DNF for who was not placed"
                ),
            )
        return pl.Series("rank", np.where(last, np.inf, placed))

    def _number(self, frame: pl.DataFrame, runs: Runs, name: str) -> pl.Series:
        """Return a column of numbers; the seats of a game have all one, or none."""
        numerals, texts = self.table.numerals, frame[name]
        values = numerals.read(texts)
        for mark in THOUSANDS:
            self._refuse(
                frame,
                values.is_null() & numerals.ambiguous(texts, mark),
                name,
                lambda row, mark=mark: (  # type: ignore[misc]
                    f"'{row[name]}' may mean thousands or decimals; write {row[name].replace(mark, '')} or {row[name]}0"
                ),
                ("; or say which with", "decimal"),
            )
        last = texts.str.to_lowercase().is_in(LAST)
        wrong = values.is_null() & (texts != "") & ~last
        self._refuse(
            frame, wrong, name, lambda row: f"'{cut(row[name])}' is not a {name}; give a number, or DNF for the last"
        )
        self._refuse(
            frame,
            (values.abs() > MOST_SCORE).fill_null(False),
            name,
            lambda row: (
                f"'{cut(row[name])}' is beyond the limit of {MOST_SCORE:,.0f}; give thousands or millions instead"
            ),
        )
        empty = (values.is_null() & ~last).to_numpy()
        some = empty & ~runs.each(np.logical_and.reduceat(empty, runs.start))
        self._refuse(frame, some, name, lambda row: "empty, though other seats have one; give all, or DNF for the last")
        return values.alias(name)

    def _winners(self, frame: pl.DataFrame, runs: Runs) -> pl.DataFrame:
        """Return the rows with who won, and the places; refuse games whose columns contradict each other."""
        nothing = np.full(len(frame), np.nan)
        rank, points = (
            frame[name].fill_null(np.nan).to_numpy() if name in frame.columns else nothing for name in ("rank", "score")
        )
        points = points if self.lowest else -points
        if (empty := np.isnan(points)).any():
            scored = runs.each(~np.isnan(np.fmin.reduceat(points, runs.start)))
            points = np.where(scored & empty, np.inf, points)  # who was not placed
        order, camps = np.where(np.isnan(rank), points, rank), self._camps(frame)
        won, unsaid = runs.best(order), np.isnan(order)
        if "winner" in frame.columns:
            marked, blank = self._marked(frame, runs)
            decided = runs.each(np.logical_or.reduceat(marked, runs.start))
            blank = runs.each(np.logical_and.reduceat(blank, runs.start))
            for name, values in (("score", points), ("rank", rank)):
                if name in frame.columns and not self.table.plays.cooperative:
                    self._contradictions(frame, camps, name, marked, decided, runs.best(values))
            won, unsaid = np.where(blank, won, marked), blank & unsaid
        if "team" in frame.columns or self.table.teams:
            both = pl.DataFrame({"game": frame[GAME], "camp": camps, WON: won})
            sides = both.select(pl.col(WON).any().over("game", "camp")).to_series().to_numpy()
            if "winner" in frame.columns:
                lost = frame["winner"].str.to_lowercase().is_in(sorted(NO)).to_numpy()
                self._refuse(
                    frame,
                    sides & ~won & lost,
                    "winner",
                    lambda row: f"'{cut(row['winner'])}', though its team won; mark all of a team alike",
                )
            won = sides
        self._refuse(
            frame,
            unsaid,
            "",
            lambda row: (
                "nobody is said to have won this game; mark all who did, or write 0 for all "
                + ("" if "winner" in frame.columns else "in a column 'winner' ")
                + "if nobody won"
            ),
        )
        order = np.where(won, -np.inf, np.where(np.isnan(order), 0.0, order))
        order = np.where(runs.each(np.logical_or.reduceat(won, runs.start)), order, 0.0)
        return frame.with_columns(pl.Series(WON, won), pl.Series(PLACE, runs.ranked(order)))

    def _camps(self, frame: pl.DataFrame) -> pl.Series:
        """Return the camp of each row; the seats of a camp win together, whatever their scores."""
        alone = pl.Series(np.arange(len(frame))).cast(pl.String)
        if self.table.teams:
            seat, teams = Runs.of(frame[GAME].to_numpy()).place, self.table.teams
            known = {len(one.replace("/", "")): one.split("/") for one in teams}
            self._refuse(
                frame,
                ~frame[SIZE].is_in(list(known)),
                "",
                lambda row: (
                    f"this game has {row[SIZE]} players, and the teams are {' or '.join(teams)}; leave it out, or name "
                    "the teams in a column 'team'"
                ),
            )
            sides = {
                (size, int(at)): f"team {number}"
                for size, parts in known.items()
                for number, part in enumerate(parts)
                for at in part
            }
            return pl.Series([sides[own] for own in zip(frame[SIZE], seat, strict=True)])
        if "team" not in frame.columns:
            return alone
        one = frame.select((pl.col("team").n_unique() == 1).over(GAME) & (pl.col("team") != "")).to_series()
        self._refuse(frame, one, "team", lambda row: "all players of this game are one team; name two or more")
        some = frame.select((pl.col("team") == "") & (pl.col("team") != "").any().over(GAME)).to_series()
        self._refuse(frame, some, "team", lambda row: "empty, though other seats have one; name one for each seat")
        return frame["team"].zip_with(frame["team"] != "", alone)

    def _marked(self, frame: pl.DataFrame, runs: Runs) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
        """Return which seats won by the column `winner`, and for which it says nothing."""
        said = frame["winner"].str.to_lowercase()
        shared = said.is_in(sorted(DRAWN)).to_numpy()
        yes = said.is_in(sorted(YES)).to_numpy() | shared
        other = ~(said.is_in(sorted({"", *YES, *NO, *DRAWN})))
        for column in [one for one in ("player", "team") if one in frame.columns]:  # each row names the game's winner
            own = (said == frame[column].str.to_lowercase()).to_numpy()
            every = np.logical_and.reduceat((said == said[runs.each(runs.start)]).to_numpy(), runs.start)
            named = runs.each(every & np.logical_or.reduceat(own, runs.start)) & ~said.is_in(["", "0", "1"]).to_numpy()
            yes, shared, other = np.where(named, own, yes), shared & ~named, other & ~pl.Series(named)
        self._refuse(
            frame,
            other,
            "winner",
            lambda row: f"'{cut(row['winner'])}' is neither yes nor no; write 1 or 0 for each seat",
        )
        some = runs.each(np.logical_or.reduceat(shared, runs.start))
        self._refuse(
            frame,
            some & ~shared,
            "winner",
            lambda row: (
                f"'{cut(row['winner'])}', though another seat of the game drew; write 1 for all who shared the win"
            ),
        )
        return yes, (said == "").to_numpy()

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
            lambda row: (
                f"this seat has the {what} of its game, {row[name]:g}, but another one is marked as the winner; mark "
                f"the best, or leave out the {name}s"
            ),
            turn,
        )
        known = ~np.isnan(frame[name].fill_null(np.nan).to_numpy())
        self._refuse(
            frame,
            marked & ~together & known,
            "winner",
            lambda row: (
                f"two winners, but this one has the {name} {row[name]:g} and the other the {what}; mark one, or leave "
                f"out the {name}s"
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
        rows = frame.filter(wrong).sort(ROW)
        if not name and GAME in rows.columns:  # what is wrong with a game is said once
            rows = rows.unique(GAME, keep="first", maintain_order=True)
        row, others = rows.row(0, named=True), rows[ROW].unique().sort().to_list()[1:]
        seat = str(row.get("seat")) if self.table.form.wide else ""
        column = f"{self.table.form.column(name, int(seat) if seat.isdecimal() else 0)}: " if name else ""
        more = f" and {len(others) - MOST_TOLD + 1:,} more" if len(others) >= MOST_TOLD else ""
        same = f"; see also row{'s' if len(others) > 1 else ''} {', '.join(map(str, others[: MOST_TOLD - 1]))}{more}"
        self.table.place.refuse(f"{column}{say(row)}{same if others else ''}", row[ROW], way_out)


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

    def best(self, values: NDArray[np.float64]) -> NDArray[np.bool_]:
        """Return which rows have the smallest value of their game; none in a game with NaN, or of infinite values."""
        least = self.each(np.minimum.reduceat(values, self.start))
        return np.asarray((values == least) & np.isfinite(least))

    def ranked(self, values: NDArray[np.float64]) -> NDArray[np.uint8]:
        """Return the rank of each value in its game: 1 and the number of smaller ones."""
        found = np.zeros(len(values), np.uint8)
        for size in np.unique(self.size):
            at = self.start[self.size == size][:, None] + np.arange(size)
            own = values[at]
            found[at] = 1 + (own[:, None, :] < own[:, :, None]).sum(axis=2)
        return found
