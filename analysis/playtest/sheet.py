"""The results of real games: a table that people wrote down, or the runs that were imported from one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import polars as pl

from analysis.playtest.matches import Match, Sheet, places
from analysis.runs.load import Run
from analysis.tables.forms import RESULTS, cut, plain
from analysis.tables.games import GAME, SIZE, WON, Games
from analysis.tables.reading import open_table, table_of
from simcore.errors import nearest
from simcore.game import Game

USED = frozenset(("game", "date", "group", "players", "seat", "role", *RESULTS))

MOST_BYTES, MOST_GAMES = 2_000_000, 5_000
"""Largest size of a file in bytes, and largest number of games in it."""


def read_sheet(given: Path | Sequence[Run], game: Game) -> Sheet:
    """Return games that people played.

    given: A table as `analysis.tables.reading.open_table` reads it, or the runs that were imported from one.  It names
        seats or roles.
    game: The game that was played.
    Raises UsageError if the table cannot be used; the message names the row, and says how to mend it.
    """
    table = open_table(given, most=MOST_BYTES) if isinstance(given, Path) else table_of(given)
    names, place = table.form.names, table.place
    by_role = "seat" not in names and ("role" in names or not table.form.wide)
    if by_role and "role" not in names:
        place.refuse("no column 'seat' or 'role'; the first row has to name one", 1)
    if by_role and not game.asymmetric:
        place.refuse(f"{game.title} has no roles; give a column 'seat' instead of 'role'", 1)
    if game.score is None and not {"winner", "rank"} & set(names):
        place.refuse(f"{game.title} has no score; give a column 'winner' or 'rank'", 1)
    games = _Matches(
        table, game.lowest_wins, game.players, f"{game.title} is for {game.span}", ordered=not by_role, game=game
    )
    found, dates = list[Match](), list[str]()
    for frame in games.read():
        found += games.matches(frame)
        dates += [date for date in map(plain, frame["date"]) if date] if "date" in frame.columns else []
    if len(found) > MOST_GAMES:
        place.refuse(f"{len(found):,} games; give {MOST_GAMES:,} at most")
    used = USED - {"score"} if game.score is None else USED
    unused = [name for name in (*names, *table.form.measures, *table.form.wide) if name not in used]
    columns = tuple(dict.fromkeys(table.form.column(name, 1) for name in unused))
    return Sheet(
        tuple(found),
        by_role,
        "group" in names,
        (dates[0], dates[-1]) if dates else (),
        columns,
        ("lowest" if game.lowest_wins else "highest") if games.by_score else "",
    )


@dataclass(kw_only=True)
class _Matches(Games):
    """Reads games whose seats or roles are those of a game."""

    game: Game

    def matches(self, frame: pl.DataFrame) -> Iterator[Match]:
        """Yield some whole games."""
        won = self._marked(frame) if "winner" in frame.columns else frame[WON].to_numpy()
        nobody = ~frame.select(pl.lit(pl.Series(won)).any().over(GAME)).to_series()
        self._refuse(frame, nobody, "", lambda _: "nobody won this game; mark its winner, or all who shared the win")
        by_role, scored = not self.ordered, "score" in frame.columns and self.game.score is not None
        for rows in frame.partition_by(GAME):
            players, winners = int(rows[SIZE][0]), rows.filter(WON)
            parts = dict.fromkeys(places(self.game, players, by_role), 0.0)
            for name in winners["role"] if by_role else (f"seat-{seat}" for seat in winners["seat"]):
                parts[name] += 1 / len(winners)
            group = plain(rows["group"][0]) if "group" in rows.columns else ""
            known = scored and not rows["score"].null_count()
            score = float(rows["score"].to_numpy().mean()) if known else None
            yield Match(group, players, tuple(parts.values()), score)

    def _take(self, frame: pl.DataFrame) -> pl.DataFrame:
        """Return checked games, with the names of their roles."""
        if self.game.asymmetric and "role" in frame.columns:
            names = {known.casefold(): role.name for role in self.game.roles for known in (role.title, role.name)}
            roles = frame["role"].str.to_lowercase().replace_strict(names, default=None, return_dtype=pl.String)
            self._refuse(
                frame,
                roles.is_null() & (frame["role"] != "") if self.ordered else roles.is_null(),
                "role",
                lambda row: f"no role '{cut(row['role'])}'{nearest(row['role'].lower(), self.game.role_names)}",
            )
            frame = frame.with_columns(roles)
        return super()._take(frame)

    def _camps(self, frame: pl.DataFrame) -> pl.Series:
        """Return the camp of each row."""
        if not self.game.asymmetric:
            return super()._camps(frame)
        sides = {role.name: role.side for role in self.game.roles}
        if not self.ordered:
            most = {
                (name, size): len(seats)
                for size in self.counts
                for name, seats in places(self.game, size, by_role=True).items()
            }
            number = frame.select(pl.cum_count("role").over(GAME, "role")).to_series()
            room = [most.get(own, 0) for own in zip(frame["role"], frame[SIZE], strict=True)]
            self._refuse(
                frame,
                number > pl.Series(room, dtype=pl.UInt32),
                "role",
                lambda row: f"'{row['role']}' occurs too often in this game of {row[SIZE]} players",
            )
            return frame["role"].replace_strict(sides)
        own = [self.game.role_at(seat - 1, size).name for seat, size in zip(frame["seat"], frame[SIZE], strict=True)]
        if "role" in frame.columns:
            self._refuse(
                frame.with_columns(own=pl.Series(own)),
                (frame["role"] != pl.Series(own)).fill_null(False),
                "role",
                lambda row: f"seat {row['seat']} is '{row['own']}' at a table of {row[SIZE]}, not '{row['role']}'",
            )
        return pl.Series(own).replace_strict(sides)
