"""Reading of the results of real games from a CSV file with one row for each seat."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import NoReturn

import polars as pl

from analysis.data.results import counted
from analysis.playtest.matches import Match, Sheet, places
from analysis.runs.manifest import first_line
from simcore.errors import UsageError, nearest, printable
from simcore.game import Game

NEEDED = ("players", "winner")
PLACES = ("seat", "role")
OPTIONAL = ("game", "date", "group", "score")
COLUMNS = (*OPTIONAL, *NEEDED, *PLACES)

YES = frozenset(("1", "yes", "y", "true", "x", "won", "oui", "o", "vrai"))
NO = frozenset(("", "0", "no", "n", "false", "-", "lost", "non", "faux"))

MOST_BYTES, MOST_GAMES = 2_000_000, 5_000
"""Largest size of a file in bytes, and largest number of games in it."""

MOST_SCORE = 1e6
QUOTED = 40
"""Number of characters of a wrong value that a message quotes."""


def read_sheet(path: Path, game: Game) -> Sheet:
    """Return the games of a CSV file.

    Parameters
    ----------
    path
        Path of the file.  Its first row names the columns: `players`, `winner`, and `seat` or `role`; optionally
        `game`, `date`, `group` and `score`.  Every other row is one seat of one game.  Without a column `game`, the
        rows of a game must be consecutive.
    game
        The game that was played.

    Raises
    ------
    UsageError
        If the file cannot be used; the message names the row, and says how to mend it.
    """
    return _Reader(path, game).read()


@dataclass(frozen=True)
class _Row:
    """One seat of a game."""

    number: int
    key: str
    date: str
    group: str
    players: int
    place: str
    score: float | None
    winner: bool


class _Reader:
    """Reads one file, which every message names."""

    def __init__(self, path: Path, game: Game) -> None:
        self.path, self.game = path, game

    def refuse(self, message: str, row: int = 0) -> NoReturn:
        """Raise an error that names the file and a row."""
        raise UsageError(f"{self.path}: {f'row {row}: ' if row else ''}{message}")

    def read(self) -> Sheet:
        """Return the games."""
        names, lines = self._table()
        self.by_role = self._check(names)
        rows = [self._row(number, dict(zip(names, line, strict=True))) for number, line in lines]
        if not rows:
            self.refuse("there is no game in it; write one row for each seat of each game")
        matches = [self._match(own) for own in (self._keyed(rows) if "game" in names else self._consecutive(rows))]
        if len(matches) > MOST_GAMES:
            self.refuse(f"{len(matches):,} games; give {MOST_GAMES:,} at most")
        dates = [row.date for row in rows if row.date]
        unused = tuple(name for name in names if name not in COLUMNS and name)
        if self.game.score is None and "score" in names:
            unused += ("score",)
        return Sheet(tuple(matches), self.by_role, "group" in names, (dates[0], dates[-1]) if dates else (), unused)

    def _table(self) -> tuple[list[str], list[tuple[int, tuple[str, ...]]]]:
        """Return the names of the columns, and the rows that are not empty, with their numbers."""
        try:
            if self.path.stat().st_size > MOST_BYTES:
                self.refuse(f"larger than {MOST_BYTES // 1_000_000} MB; give the games of one table or club")
            text = self.path.read_bytes().decode("utf-8-sig")
        except UnicodeDecodeError:
            self.refuse("not UTF-8 text; save it as 'CSV UTF-8'")
        except OSError as error:
            self.refuse(f"{(error.strerror or str(error)).lower()}; name a CSV file")
        head = text.partition("\n")[0]
        mark = max(",;\t", key=head.count)
        try:
            frame = pl.read_csv(io.BytesIO(text.encode()), has_header=False, separator=mark, infer_schema=False)
        except pl.exceptions.PolarsError as error:
            self.refuse(_ragged(text, mark) or f"not a table: {first_line(error)}")
        found = [tuple(_plain(value or "") for value in row) for row in frame.rows()]
        names = [name.lower() for name in found[0]] if found else []
        return names, [(number, row) for number, row in enumerate(found[1:], 2) if any(row)]

    def _check(self, names: Sequence[str]) -> bool:
        """Check the columns, and return whether the file names roles."""
        for name in COLUMNS:
            if names.count(name) > 1:
                self.refuse(f"the first row names the column '{name}' twice; keep one", 1)
        others = [name for name in names if name not in COLUMNS]
        for name in NEEDED:
            if name not in names:
                self.refuse(f"no column '{name}'{_meant(name, others)}; the first row has to name it", 1)
        if not set(PLACES) & set(names):
            self.refuse(f"no column 'seat' or 'role'{_meant('seat', others)}; the first row has to name one", 1)
        if "seat" in names:
            return False
        if not self.game.asymmetric:
            self.refuse(f"{self.game.title} has no roles; give a column 'seat' instead of 'role'", 1)
        return True

    def _row(self, number: int, line: Mapping[str, str]) -> _Row:
        said = {name: line.get(name, "") for name in COLUMNS}
        players = _whole(said["players"])
        if players not in self.game.players:
            self.refuse(f"players: {self.game.title} is for {self.game.span}, not '{_cut(said['players'])}'", number)
        if "game" in line and not said["game"]:
            self.refuse("game: empty; number the games, or leave out the column", number)
        winner = said["winner"].lower()
        if winner not in YES | NO:
            self.refuse(f"winner: '{_cut(said['winner'])}' is neither yes nor no; write 1 or 0 for each seat", number)
        place = self._role(number, said["role"]) if self.by_role else self._seat(number, said, players)
        score = None if self.game.score is None else self._score(number, said["score"])
        return _Row(number, said["game"], said["date"], said["group"], players, place, score, winner in YES)

    def _seat(self, number: int, said: Mapping[str, str], players: int) -> str:
        seat = _whole(said["seat"])
        if not 1 <= seat <= players:
            self.refuse(f"seat: '{_cut(said['seat'])}' is no seat at a table of {players}; give 1 to {players}", number)
        if said["role"] and self.game.asymmetric:
            role = self._role(number, said["role"])
            own = self.game.role_at(seat - 1, players).name
            if role != own:
                self.refuse(f"role: seat {seat} is '{own}' at a table of {players}, not '{role}'", number)
        return f"seat-{seat}"

    def _role(self, number: int, said: str) -> str:
        for role in self.game.roles:
            if said.casefold() in (role.name.casefold(), role.title.casefold()):
                return role.name
        self.refuse(f"role: no role '{_cut(said)}'{nearest(said.lower(), self.game.role_names)}", number)

    def _score(self, number: int, said: str) -> float | None:
        if not said:
            return None
        try:
            score = float(said.replace(",", "."))
        except ValueError:
            score = math.nan
        if not abs(score) <= MOST_SCORE:  # so is NaN
            self.refuse(f"score: '{_cut(said)}' is not a score; give a number", number)
        return score

    def _keyed(self, rows: Sequence[_Row]) -> Iterator[list[_Row]]:
        """Yield the rows of each game, which have the same entry in the column `game`."""
        found: dict[str, list[_Row]] = {}
        for row in rows:
            found.setdefault(row.key, []).append(row)
        yield from found.values()

    def _consecutive(self, rows: Sequence[_Row]) -> Iterator[list[_Row]]:
        """Yield the rows of each game: as many as it has players."""
        start = 0
        while start < len(rows):
            end = start + rows[start].players
            yield list(rows[start:end])
            start = end

    def _match(self, rows: Sequence[_Row]) -> Match:
        """Return the game that some rows describe."""
        first = rows[0]
        for row in rows:
            for name in ("players", "group", "date"):
                mine, his = getattr(row, name), getattr(first, name)
                if mine != his:
                    self.refuse(
                        f"{name}: '{_cut(str(mine))}', but row {first.number} of the same game has "
                        f"'{_cut(str(his))}'; a game of {first.players} players takes {first.players} rows",
                        row.number,
                    )
        if len(rows) != first.players:
            self.refuse(
                f"this game has {counted(len(rows), 'row')}; {first.players} players take {first.players}", first.number
            )
        self._check_places(rows)
        winners = [row for row in rows if row.winner]
        if not winners:
            self.refuse("nobody won this game; mark its winner, or all who shared the win", first.number)
        scores = [row.score for row in rows if row.score is not None]
        if scores and len(scores) < len(rows):
            missing = next(row for row in rows if row.score is None)
            self.refuse("score: empty, though other seats of the game have one; give all or none", missing.number)
        top = (min if self.game.lowest_wins else max)(scores, default=None)
        best_is = "lowest" if self.game.lowest_wins else "highest"
        if scores and not any(row.score == top for row in winners):
            best = next(row for row in rows if row.score == top)
            self.refuse(
                f"this seat has the {best_is} score of its game, {best.score:g}, but another one is marked as the "
                "winner",
                best.number,
            )
        for row in winners if scores else ():
            leaders = [one for one in winners if one.score == top]
            if row not in leaders and not any(self._together(row, one) for one in leaders):
                self.refuse(
                    f"this seat is marked as a winner with {row.score:g}, but another one has {top:g}; only "
                    f"those with the {best_is} score, and their camp, share a win",
                    row.number,
                )
        parts = dict.fromkeys(places(self.game, first.players, self.by_role), 0.0)
        for row in winners:
            parts[row.place] += 1 / len(winners)
        mean = sum(scores) / len(scores) if scores else None
        return Match(first.group, first.players, tuple(parts.values()), mean)

    def _together(self, row: _Row, best: _Row) -> bool:
        """Return whether a winner belongs to the camp of the one who has the best score."""
        return self.game.asymmetric and self._camp(row) == self._camp(best)

    def _camp(self, row: _Row) -> str:
        """Return the camp of a seat."""
        roles = {role.name: role for role in self.game.roles}
        seat = row.place.removeprefix("seat-")
        return (self.game.role_at(int(seat) - 1, row.players) if seat.isdigit() else roles[row.place]).side

    def _check_places(self, rows: Sequence[_Row]) -> None:
        """Refuse a game in which a seat occurs twice, or a role too often."""
        room = {name: len(seats) for name, seats in places(self.game, rows[0].players, self.by_role).items()}
        for row in rows:
            room[row.place] = room.get(row.place, 0) - 1
            if room[row.place] < 0:
                kind = "role" if self.by_role else "seat"
                name = row.place.removeprefix("seat-")
                self.refuse(f"{kind}: '{name}' occurs too often in this game of {row.players} players", row.number)


def _ragged(text: str, mark: str) -> str:
    """Return a message about the first row with more fields than the header; empty if there is none."""
    rows = csv.reader(io.StringIO(text, newline=""), delimiter=mark)
    try:
        width = len(next(rows))
        for number, row in enumerate(rows, 2):
            if len(row) > width:
                return f"row {number}: {len(row)} fields, but the first row names {width} columns"
    except (csv.Error, StopIteration):
        return ""
    return ""


def _meant(name: str, others: Sequence[str]) -> str:
    """Return ", but 'NAME'" with the name of the column that may be meant."""
    close = get_close_matches(name, others, n=1)
    return f", but '{_cut(close[0])}'" if close else ""


def _whole(text: str) -> int:
    """Return a whole number of at most nine digits; -1 if the text is none."""
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else -1


def _plain(text: str) -> str:
    """Return the text of a field on one line, and without characters that a terminal would obey."""
    return printable(" ".join(text.split()))


def _cut(text: str) -> str:
    return text if len(text) <= QUOTED else f"{text[:QUOTED]}..."
