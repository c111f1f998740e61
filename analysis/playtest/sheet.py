"""The results of real games: a table that people wrote down, or the runs that were imported from one."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any, NoReturn

import polars as pl

from analysis.data.results import Note, all_together
from analysis.runs.load import Run
from analysis.tables.columns import RESULTS, Place, cut, plain
from analysis.tables.games import GAME, SIZE, WON, Games
from analysis.tables.importing import left_out, survey
from analysis.tables.plays import sides_of
from analysis.tables.reading import open_table, table_of
from simcore.errors import UsageError, nearest, printable
from simcore.game import Game
from simcore.rules.files import Rules
from simcore.running.batch import MAX_GAMES, MAX_SEED
from simcore.running.replay import FORMAT, Replay, replay
from strategies.library import shipped_strategies
from strategies.spec import make_spec

# --- Games that people played ---


@dataclass(frozen=True)
class Match:
    """A game that people played."""

    group: str  # the group of people who played; games of one group are not independent
    players: int  # number of players at the table
    won: tuple[float, ...]  # each place's part of the win; see `places`
    score: float | None = None  # mean score of the table; None if nobody recorded it


@dataclass(frozen=True)
class Sheet:
    """All games of a file."""

    matches: tuple[Match, ...]  # the games
    by_role: bool = False  # whether the file names roles instead of seats
    grouped: bool = False  # whether the file says which group played
    dates: tuple[str, ...] = ()  # the first and the last date, as written in the file, if there are any
    unused: tuple[str, ...] = ()  # columns that were not used
    wins: str = ""  # "highest" or "lowest" if nothing but the scores says who won
    notes: tuple[Note, ...] = ()  # what was left out of the file
    teams: tuple[str, ...] = ()  # who wins together, by seat as in 1/234: for each number of players one at most


def places(game: Game, players: int, by_role: bool = False, teams: Sequence[str] = ()) -> dict[str, tuple[int, ...]]:
    """Return the places that may win: the seats, the roles, or who wins together; each with its seats from 0."""
    for one in teams:
        if len(one.replace("/", "")) == players:
            return {f"team-{part}": tuple(int(seat) - 1 for seat in part) for part in one.split("/")}
    if by_role:
        return {role.name: tuple(role.at(players)) for role in game.roles if role.at(players)}
    return {f"seat-{seat + 1}": (seat,) for seat in range(players)}


# --- The results of real games: a table that people wrote down, or the runs that were imported from one ---


USED = frozenset(("game", "date", "group", "players", "seat", "role", "team", *RESULTS))

CHAIR = "chair"
"""The column of a game whose camps are drawn anew, so that its seats are those of the camps."""

MOST_BYTES, MOST_GAMES = 2_000_000, 5_000
"""Largest size of a file in bytes, and largest number of games in it."""


def read_sheet(given: Path | Sequence[Run], game: Game, decimal: str = "", teams: str = "") -> Sheet:
    """Return games that people played.

    given: A table as `analysis.tables.reading.open_table` reads it, or the runs that were imported from one.  It names
        seats or roles.
    decimal, teams: See `analysis.tables.reading.open_table`.
    Raises UsageError if the table cannot be used; the message names the row, and says how to mend it.
    """
    if isinstance(given, Path):
        table = open_table(given, most=MOST_BYTES, decimal=decimal, teams=teams)
    else:
        table = table_of(given)
    names, place = table.form.names, table.place
    drawn = CHAIR in {column.name for column in game.columns}
    by_role = drawn or ("seat" not in names and ("role" in names or not table.form.wide))
    if drawn and "role" not in names:
        instead = " instead of 'seat'" if "seat" in names else ""
        place.refuse(f"{game.title} draws its camps anew in each game; give a column 'role'{instead}", 1)
    needed = "'seat' or 'role'" if game.asymmetric else "'seat'"
    if by_role and "role" not in names and table.path.suffix == ".json":
        place.refuse(f"the export does not say who sat where; give a table with a column {needed}")
    if by_role and "role" not in names:
        place.refuse(f"no column {needed}; the first row has to name one", 1)
    if by_role and not game.asymmetric:
        place.refuse(f"{game.title} has no roles; give a column 'seat' instead of 'role'", 1)
    games = _Matches(
        table, game.lowest_wins, game.players, f"{game.title} is for {game.span}", ordered=not by_role, game=game
    )
    whole = survey(games)
    if whole.cooperative:
        raise all_together(place.label)
    games.sides = () if by_role else _sides(place, game, table.teams or tuple(chain(*whole.teams.values())))
    found, dates = list[Match](), list[str]()
    for frame in games.read(won=whole.unwon_left_out > 0):
        found += games.matches(frame)
        dates += [date for date in map(plain, frame["date"]) if date] if "date" in frame.columns else []
    if len(found) > MOST_GAMES:
        place.refuse(f"{len(found):,} games; give {MOST_GAMES:,} at most")
    used = USED if game.score is not None or games.by_score else USED - {"score"}
    teams = "" if by_role or games.sides else whole.suspected()
    suspicion = [Note("import_teams", {"teams": teams})] if teams else []
    unused = [name for name in (*names, *table.form.measures, *table.form.wide) if name not in used]
    columns = tuple(dict.fromkeys(table.form.column(name, 1) for name in unused))
    return Sheet(
        tuple(found),
        by_role,
        "group" in names,
        (dates[0], dates[-1]) if dates else (),
        columns,
        ("lowest" if game.lowest_wins else "highest") if games.by_score else "",
        (*suspicion, *left_out(games, whole)),
        games.sides,
    )


def _sides(place: Place, game: Game, given: Sequence[str]) -> tuple[str, ...]:
    """Return who wins together, by seat: as the table says, or else as the game does."""
    own = []
    for players in game.players:
        sides = sides_of([game.role_at(seat, players).side for seat in range(players)])
        roles = [role for role in game.roles if role.at(players)]
        if sides.count("/") + 1 < len(roles):  # otherwise the roles are the camps
            own.append(sides)
    if own and given and not set(given) <= set(own):
        place.refuse(
            f"the teams are {' or '.join(given)}, and those of {game.title} {' or '.join(own)}; number seats so"
        )
    return tuple(own or given)


@dataclass(kw_only=True)
class _Matches(Games):
    """Reads games whose seats or roles are those of a game."""

    game: Game
    sides: tuple[str, ...] = ()

    def matches(self, frame: pl.DataFrame) -> Iterator[Match]:
        """Yield some whole games."""
        by_role, scored = not self.ordered, "score" in frame.columns and self.game.score is not None
        for rows in frame.partition_by(GAME):
            players, winners = int(rows[SIZE][0]), rows.filter(WON)
            there = places(self.game, players, by_role, self.sides)
            of_seat = {seat: name for name, seats in there.items() for seat in seats}
            own = winners["role"].to_list() if by_role else [of_seat[seat - 1] for seat in winners["seat"]]
            won = dict.fromkeys(own) if self.sides else own  # teams share a win equally, whatever their sizes
            parts = dict.fromkeys(there, 0.0)
            for name in won:
                parts[name] += 1 / len(won)
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


# --- Replay logs: check the log of one game against the rules, and count its result ---


MOST_LOG_BYTES = 5_000_000


def read_log(
    path: Path, game: Game, rules: Rules, by_role: bool = False, teams: Sequence[str] = ()
) -> tuple[Match, bool]:
    """Return the game of a replay log, and whether all of its moves were checked.

    If the log names shipped strategies, a seed and a game, it is played again, and every line has to be the same.  Of
    any other log, the first line and the result are checked, but not the moves.

    path: Path of a log of one game, as docs/reference/replay.md describes it.
    by_role, teams: Whether the places that may win are the roles, and who wins together; see `places`.
    Raises UsageError if the file is no such log, has other rules, or has a line that does not follow from the rules.
    """
    lines = _lines(path)
    head, end = lines[0], lines[-1]
    players = _checked_head(path, head, game, rules)
    parts = _result(path, end, len(lines), game, players)
    by_place = [sum(parts[seat] for seat in seats) for seats in places(game, players, by_role, teams).values()]
    won = tuple(part / game.share_unit for part in by_place)
    group = head.get("group", f"log {path.name}")
    score, checked = None, False
    if isinstance(head.get("strategies"), list) and set(map(str, head["strategies"])) <= set(shipped_strategies(game)):
        played = _again(path, lines, game, rules, players)
        checked = True
        if game.score is not None:
            column = next(item for item in game.columns if item.name == game.score)
            score = float((played.rows[column.field] / column.divisor).mean())
    return Match(printable(str(group)), players, won, score), checked


def _lines(path: Path) -> list[dict[str, Any]]:
    """Return the records of a log."""
    try:
        if path.stat().st_size > MOST_LOG_BYTES:
            _refuse(path, f"larger than {MOST_LOG_BYTES // 1_000_000} MB; give the log of one game")
        if path.exists() and not path.is_file():
            _refuse(path, "not a file; name a replay log")
        text = path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        _refuse(path, "not UTF-8 text; give a replay log")
    except OSError as error:
        _refuse(path, f"{(error.strerror or str(error)).lower()}; name a replay log")
    found = []
    for number, line in enumerate(text.splitlines(), 1):
        try:
            record = json.loads(line)
        except (ValueError, RecursionError):
            record = None
        if not isinstance(record, dict):
            _refuse(path, f"line {number}: not a record of a replay log (docs/reference/replay.md)")
        found.append(record)
    if len(found) < 2:
        _refuse(path, "no game in it; a replay log has a first line, and one line for each step")
    if any(record.get("kind") == "game" for record in found[1:]):
        _refuse(path, "more than one game in it; give each game a file of its own")
    return found


def _checked_head(path: Path, head: dict[str, Any], game: Game, rules: Rules) -> int:
    """Check the first line, and return the number of players."""
    if head.get("kind") != "game" or head.get("format") != FORMAT:
        _refuse(path, f"line 1: not the head of a replay log of format {FORMAT}")
    if head.get("game") != game.name:
        _refuse(path, f"line 1: a game of '{str(head.get('game'))[:40]}', not of '{game.name}'")
    if head.get("rules_digest") != rules.digest:
        _refuse(path, f"line 1: played by other rules than '{rules.name}'; name the rules of the log")
    players = head.get("players")
    if isinstance(players, bool) or not isinstance(players, int) or players not in game.players:
        _refuse(path, f"line 1: players: {game.title} is for {game.span}")
    return players


def _result(path: Path, end: dict[str, Any], number: int, game: Game, players: int) -> list[int]:
    """Return the parts of the win by seat from the last line."""
    parts = end.get(game.share)
    if end.get("kind") != "end" or not isinstance(parts, list):
        _refuse(path, f"line {number}: the game has no end; the last line has to say '{game.share}'")
    whole = [part for part in parts if isinstance(part, int) and not isinstance(part, bool) and part >= 0]
    if len(whole) != players or len(parts) != players or sum(whole) not in (0, game.share_unit):  # 0: nobody won
        _refuse(path, f"line {number}: {game.share}: give {players} parts of a win that add up to {game.share_unit}")
    return whole


def _again(path: Path, lines: list[dict[str, Any]], game: Game, rules: Rules, players: int) -> Replay:
    """Return the game played again; raise `UsageError` at the first line that differs."""
    head = lines[0]
    seed, index = (_counted(path, head, name, most) for name, most in (("seed", MAX_SEED), ("game_id", MAX_GAMES - 1)))
    if len(head["strategies"]) != players:
        _refuse(path, f"line 1: strategies: give {players} names, that of each seat's player")
    furthest = 0
    for seated, design in _line_ups(head["strategies"], game):
        try:
            spec = make_spec(game.name, players, seated, rules, (), seed, design, index + 1)
        except UsageError:
            continue
        played = replay(spec, index)
        if len(played.logs) > 1:
            _refuse(path, "one deal of a match; only whole games count")
        mine = [json.loads(line) for line in played.jsonl().splitlines()]
        mine[0] |= {key: value for key, value in lines[0].items() if key not in mine[0]}  # a group, a date
        if mine == lines:
            return played
        same = next((at for at, pair in enumerate(zip(mine, lines, strict=False)) if pair[0] != pair[1]), len(mine))
        furthest = max(furthest, same)
    _refuse(path, f"line {furthest + 1}: not what these players do by these rules")


def _counted(path: Path, head: dict[str, Any], name: str, most: int) -> int:
    """Return a whole number from the first line."""
    value = head.get(name)
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= most:
        _refuse(path, f"line 1: {name}: give a whole number from 0 to {most:,}")
    return value


def _line_ups(strategies: list[Any], game: Game) -> Iterator[tuple[Any, str]]:
    """Yield the line-ups and designs that may have put some strategies in their seats."""
    names = list(map(str, strategies))
    if game.asymmetric:
        by_role = {role.name: [names[seat] for seat in role.at(len(names))] for role in game.roles}
        yield by_role, "fixed"
        yield by_role, "rotate"
        return
    yield names, "fixed"
    for turn in range(len(names) if len(set(names)) > 1 else 0):
        yield names[turn:] + names[:turn], "rotate"


def _refuse(path: Path, message: str) -> NoReturn:
    raise UsageError(f"{path}: {message}")
