"""From a table of results to runs that can be analysed: one for each number of players and each set of rules."""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from analysis.data.results import Note
from analysis.runs.folders import GAMES, Folder, beside, check_free, claim, followed, is_unbegun, move_in
from analysis.runs.frames import dtype_of
from analysis.runs.load import Run, load
from analysis.runs.manifest import FILE, Manifest, Measure, Origin, PartFile
from analysis.table_files import write_frame
from analysis.tables.columns import FIELDS, MOST_RULES, ROW, Numerals, plain
from analysis.tables.games import GAME, PLACE, SIZE, WON, Games, Runs
from analysis.tables.reading import open_table
from simcore.declared import spec_of
from simcore.errors import UsageError, printable, shown
from simcore.running.batch import MAX_GAMES, Spec
from simcore.running.columns import columns as columns_of

# --- What a table contains as a whole: its people, groups and roles, its numbers of players, and its measures ---


BASE = "base"
"""Name of the rules of a table that names none."""

MOST_SIDES = 100
"""Number of names of teams or roles from which on they are hardly teams."""

MOST_DECIMALS = 6
MOST_DATES = 5
LONGEST = 80
"""Largest number of characters of a name."""

NAMED = ("player", "role", "group")


@dataclass
class Labels:
    """The names in a column, in the order in which they first occur, and the name for each text of the file."""

    names: dict[str, str] = field(default_factory=dict)

    def add(self, texts: pl.Series) -> None:
        """Add the names of some rows."""
        for text in texts.unique(maintain_order=True):
            self.names.setdefault(text, _label(plain(text)))

    @property
    def distinct(self) -> tuple[str, ...]:
        """The names, each once."""
        return tuple(dict.fromkeys(self.names.values()))

    def lettered(self) -> None:
        """Replace the names by A, B, C ..., in the order in which they first occur."""
        letters = {name: letters_of(number) for number, name in enumerate(self.distinct)}
        self.names = {text: letters[name] for text, name in self.names.items()}


@dataclass
class Numbers:
    """A column of numbers: whether it has only numbers, whether one is missing, and how many decimals they have."""

    numerals: Numerals
    texts: int = 0
    gaps: int = 0
    decimals: int = 0

    def add(self, texts: pl.Series, rows: pl.Series) -> None:
        """Add the values of some rows; the first row that is no number, or has none, is kept."""
        if self.texts:
            return
        values = texts if texts.dtype.is_numeric() else self.numerals.read(texts)
        empty = values.is_null()
        if not empty.any():
            self._count(values)
            return
        said = empty & (texts != "") if texts.dtype == pl.String else empty & False
        self.texts = self.texts or int(rows.filter(said).min() or 0)  # type: ignore[arg-type]
        self.gaps = self.gaps or int(rows.filter(empty & ~said).min() or 0)  # type: ignore[arg-type]
        self._count(values.drop_nulls())

    def _count(self, values: pl.Series) -> None:
        found = np.asarray(values.to_numpy(), np.float64)
        while self.decimals < MOST_DECIMALS:
            scaled = found * 10**self.decimals
            if np.abs(scaled - np.rint(scaled)).max(initial=0) <= 1e-6:
                return
            self.decimals += 1

    @property
    def whole(self) -> bool:
        """Whether every row has a number."""
        return not (self.texts or self.gaps)


@dataclass
class Survey:
    """What a table contains as a whole."""

    games: Counter[tuple[str, int]] = field(default_factory=Counter)
    """Number of games by the name of their rules and number of players."""
    labels: dict[str, Labels] = field(default_factory=dict)  # the names of the columns player, role and group
    numbers: dict[str, Numbers] = field(default_factory=dict)  # the score, the length and the measures
    unwon: Counter[tuple[str, int]] = field(default_factory=Counter)  # those that nobody won
    everybody: int = 0
    shared: int = 0
    """everybody, shared: Number of games that all seats won, and that several but not all seats won."""
    first: int = 0  # the first row of a game that nobody won; 0 if there is none
    twice: tuple[int, int] = (0, 0)  # the first rows of two games that are the same in every field, if there are any
    several: tuple[int, int] = (0, 0)  # number of games in which a player has several seats, and the first row of one
    cooperative: bool = False  # whether all win or lose together, in every game
    teams: dict[int, dict[str, int]] = field(default_factory=dict)
    """By number of players: who plays together, by seat, and the first row of a game with that."""
    winners: dict[int, set[int]] = field(default_factory=dict)  # by number of players: who won a game, a bit for a seat
    roles: set[tuple[int, str]] = field(default_factory=set)  # the seats and their roles
    sides: set[tuple[int, str]] = field(default_factory=set)  # the seats and the names of their teams
    by_role: bool = True  # whether all seats of a role won whenever one of them did, and those of no other

    def add(self, frame: pl.DataFrame, measures: Iterable[str], numerals: Numerals) -> None:
        """Add some whole games."""
        for name in NAMED:
            if name in frame.columns:
                self.labels.setdefault(name, Labels()).add(frame[name])
        if "player" in frame.columns:
            again = frame.filter(pl.struct(GAME, "player").is_duplicated())
            games, first = self.several
            self.several = games + again[GAME].n_unique(), first or int(again[ROW].min() or 0)  # type: ignore[arg-type]
        for name in measures:
            self.numbers.setdefault(name, Numbers(numerals)).add(frame[name], frame[ROW])
        runs = Runs.of(frame[GAME].to_numpy())
        winners = np.add.reduceat(frame[WON].to_numpy().astype(np.int64), runs.start)
        self.everybody += int((winners == runs.size).sum())
        self.shared += int(((winners > 1) & (winners < runs.size)).sum())
        if not self.first and (winners == 0).any():
            self.first = int(frame[ROW][int(runs.start[winners == 0][0])])
        self._note_teams(frame, runs)
        if not self.twice[0] and {"date", "score"} <= set(frame.columns):
            self._note_twice(frame, runs)
        firsts = frame[runs.start]
        rules = firsts["rules"] if "rules" in frame.columns else pl.Series([BASE] * len(firsts))
        by = pl.DataFrame({"rules": rules, SIZE: firsts[SIZE], "unwon": winners == 0})
        counted = by.group_by("rules", SIZE, maintain_order=True).agg(pl.len(), pl.col("unwon").sum())
        for name, size, count, unwon in counted.rows():
            self.games[name, size] += count
            self.unwon[name, size] += unwon

    def _note_teams(self, frame: pl.DataFrame, runs: Runs) -> None:
        """Note who plays together and who wins together, by seat."""
        masks = np.bitwise_or.reduceat(np.where(frame[WON].to_numpy(), 1 << (runs.place - 1), 0), runs.start)
        for size in np.unique(runs.size):
            self.winners.setdefault(int(size), set()).update(np.unique(masks[runs.size == size]).tolist())
        if "role" in frame.columns:
            seats = pl.DataFrame({"seat": runs.place, "role": frame["role"]})
            self.roles.update(seats.unique().rows())
            if self.by_role:
                won = frame.group_by(GAME, "role").agg(pl.col(WON).any().alias("some"), pl.col(WON).all().alias("all"))
                ends = won.group_by(GAME).agg(pl.col("some").sum(), pl.col("all").sum())
                self.by_role = bool((ends["some"] == ends["all"]).all() and (ends["some"] <= 1).all())
        if "team" in frame.columns:
            if len(self.sides) <= MOST_SIDES:
                self.sides.update(pl.DataFrame({"seat": runs.place, "team": frame["team"]}).unique().rows())
            alone = pl.format("\x00{}", pl.Series(runs.place))
            team = pl.when(pl.col("team") == "").then(alone).otherwise("team")
            own = frame.select(GAME, SIZE, ROW, team=team, seat=pl.Series(runs.place)).group_by(GAME, SIZE, "team")
            sides = own.agg(pl.col("seat").sort().cast(pl.String).str.join(""), pl.col(ROW).min()).sort("seat")
            games = sides.group_by(GAME, SIZE).agg(pl.col("seat").str.join("/"), pl.col(ROW).min()).sort(ROW)
            first = games.unique([SIZE, "seat"], keep="first", maintain_order=True)
            for size, teams, row in first.select(SIZE, "seat", ROW).rows():
                self.teams.setdefault(size, {}).setdefault(teams, row)

    def suspected(self) -> str:
        """Return who seems to play together, by seat as in 1/234, because they always win together; empty if nobody."""
        pairs = []
        for size, masks in self.winners.items():
            sides = masks - {0, (1 << size) - 1}
            apart = sum(sides) == (1 << size) - 1 and not any(a & b for a in sides for b in sides if a != b)
            if apart and 1 < len(sides) < size:
                pairs.append(sorted("".join(str(at + 1) for at in range(size) if side >> at & 1) for side in sides))
        return "/".join(pairs[0]) if len(pairs) == len(self.winners) == 1 else ""

    @property
    def suspected_roles(self) -> tuple[str, ...]:
        """The roles, if those of a role always win together and sit elsewhere from game to game."""
        names = {role for _, role in self.roles}
        moving = len(self.roles) > max((size for _, size in self.games), default=0)
        several = any(len(names) < size for _, size in self.games)
        together = self.by_role and moving and several and not self.teams and 1 < len(names) <= MOST_SIDES
        return tuple(sorted(names)) if together else ()

    @property
    def unwon_left_out(self) -> int:
        """Number of games that nobody won and that do not count, because somebody won others alone."""
        return 0 if self.cooperative else self.unwon.total()

    def _note_twice(self, frame: pl.DataFrame, runs: Runs) -> None:
        """Note the first game that has the date, the people and the scores of another one, as if entered twice."""
        keys = np.add.reduceat(frame.drop("game", GAME, ROW, strict=False).hash_rows().to_numpy(), runs.start)
        order = np.argsort(keys, kind="stable")
        again = np.flatnonzero(keys[order][1:] == keys[order][:-1])
        if len(again):
            at = min(again, key=lambda number: order[number + 1])
            self.twice = tuple(int(frame[ROW][int(runs.start[order[own]])]) for own in (at, at + 1))  # type: ignore[assignment]


def survey(games: Games) -> Survey:
    """Return what a table contains as a whole; every row of it is checked.

    Where somebody won some games alone, those that nobody won are left out.

    Raises UsageError if a row cannot be used.
    """
    seen, form, place = Survey(), games.table.form, games.table.place
    for frame in games.read():
        own = [name for name in (*form.measures, *form.wide) if name not in FIELDS]
        measures = [name for name in dict.fromkeys(("score", "length", *own)) if name in frame.columns]
        seen.add(frame, measures, games.table.numerals)
        if len({rules for rules, _ in seen.games}) > MOST_RULES:
            place.refuse(
                f"the column '{form.column('rules')}' names more than {MOST_RULES} sets of rules, and each would be a "
                "run; import fewer at a time, or leave out the column"
            )
    unwon, total = seen.unwon.total(), seen.games.total()
    if not total:
        place.refuse("no game in it was finished; import it when some are")
    if unwon == total and not games.table.plays.cooperative:
        place.refuse("nobody won this game, or any other one; mark the winners of each", seen.first)
    seen.cooperative = games.table.plays.cooperative or unwon + seen.everybody == total
    if not seen.cooperative:
        seen.games -= seen.unwon
    for layouts in seen.teams.values():
        if len(layouts) > 1:
            (one, first), (other, row) = sorted(layouts.items(), key=lambda pair: pair[1])[:2]
            if not games.seated or len({tuple(sorted(map(len, own.split("/")))) for own in (one, other)}) > 1:
                sizes, before = (" and ".join(str(len(part)) for part in own.split("/")) for own in (other, one))
                place.refuse(
                    f"team: teams of {sizes}, but in row {first} of {before}; give other teams a table of their own",
                    row,
                )
            place.refuse(
                f"team: the seats {other} play together, but in row {first} {one}; give the teams the same seats in "
                "all games",
                row,
                ("; or leave seats out with", "no_seats"),
            )
    return seen


def left_out(games: Games, seen: Survey) -> list[Note]:
    """Return what is said of the games of a table that do not count, or not in full."""
    table, notes = games.table, []
    if table.plays.seated:
        notes.append(Note("import_few_seats", {"games": table.plays.seated, "of": seen.games.total()}))
    if table.plays.mixed:
        notes.append(Note("import_mixed", {"sets": table.plays.mixed, "most": MOST_RULES}))
    if table.plays.begun:
        notes.append(Note("import_begun", {"games": table.plays.begun}))
    if seen.unwon_left_out:
        notes.append(Note("import_unwon", {"games": seen.unwon_left_out, "row": seen.first}))
    if games.aborted:
        notes.append(Note("import_aborted", {"games": games.aborted}))
    for reason, dates in table.plays.left_out.items():
        days = ", ".join(dates[:MOST_DATES]) + (", ..." if len(dates) > MOST_DATES else "")
        notes.append(Note(f"import_left_{reason}", {"games": len(dates), "dates": days}))
    games_of_several, row = seen.several
    if 0 < 2 * games_of_several < seen.games.total():  # if most have some, the players are strategies
        notes.append(Note("import_several", {"games": games_of_several, "row": row}))
    if seen.twice[0]:
        notes.append(Note("import_twice", dict(zip(("row", "again"), seen.twice, strict=True))))
    return notes


def _label(name: str) -> str:
    """Return a name; one that is too long ends in a number of its own, as its beginning may be another's as well."""
    told = printable(name)
    if len(told) <= LONGEST:
        return told
    return f"{shown(name, LONGEST - 9)} {hashlib.sha256(name.encode()).hexdigest()[:8]}"


def letters_of(number: int) -> str:
    """Return A, B ... Z, AA, AB ... for 0, 1 ...

    Examples
    --------
    >>> [letters_of(number) for number in (0, 25, 26, 701, 702)]
    ['A', 'Z', 'AA', 'ZZ', 'AAA']
    """
    found = ""
    number += 1
    while number:
        number, last = divmod(number - 1, 26)
        found = chr(ord("A") + last) + found
    return found


# --- From a table of results to runs that can be analysed: one for each number of players and each set of rules ---


TITLE = "Imported games"


@dataclass(frozen=True)
class Imported:
    """The runs that were made from a table."""

    runs: tuple[Run, ...]  # one for each number of players and each set of rules in the table, the largest first
    notes: tuple[Note, ...]  # what the table does not say, and what was left out

    @property
    def run(self) -> Run:
        """The run, or the one with the most games."""
        return self.runs[0]

    @property
    def origin(self) -> Origin:
        """What the table's columns say."""
        origin = self.run.manifest.origin
        assert origin is not None
        return origin


def import_table(
    path: Path,
    out: Path,
    columns: Mapping[str, str] | None = None,
    title: str = "",
    lowest_wins: bool = False,
    ordered: bool = True,
    anonymous: bool = False,
    force: bool = False,
    command: Sequence[str] = (),
    decimal: str = "",
    teams: str = "",
) -> Imported:
    """Read a table of results and write it as runs.

    Parameters
    ----------
    path
        The table; see `analysis.tables.reading.open_table`.
    out
        Folder of the run.  Several runs go into folders inside it.
    columns
        The file's name for some fields.
    title
        Name of the game; of a file of BG Stats with several games, the one to read.
    lowest_wins
        Whether the fewest points win.
    ordered
        Whether the seats, as numbered or in the order of the columns, mean something.
    anonymous
        Whether to write A, B, C ... instead of the names of people and groups.
    force
        Whether runs in the way may be replaced.
    command
        The command line, for the manifest.
    teams
        The seats that win together, as in 1/234.
    decimal
        "point" or "comma", if either is before the decimals of numbers such as 1.234 and 1,234.

    Raises
    ------
    UsageError
        If the table cannot be used, or the folder is not free.  Nothing is written then.
    """
    if (out / FILE).exists() or not force:
        check_free(out, force)
    table = open_table(path, columns, title, decimal=decimal, ordered=ordered, teams=teams)
    games = Games(table, lowest_wins or table.plays.lowest, ordered=ordered)
    seen = survey(games)
    if anonymous:
        for name in ("player", "group"):
            if name in seen.labels:
                seen.labels[name].lettered()
    taking = _Taking(games, seen, table.plays.title or TITLE)
    return Imported(tuple(load(folder) for folder in _put(taking, out, force, command)), taking.notes())


@dataclass
class _Taking:
    """What is taken from a table."""

    games: Games
    found: Survey
    title: str

    @property
    def kept(self) -> list[str]:
        """The columns of numbers that are complete, the score and the length first."""
        return [name for name, one in self.found.numbers.items() if one.whole]

    def origin(self) -> Origin:
        """Return what the manifests say about the table."""
        seen, table = self.found, self.games.table
        counts = sorted({size for _, size in seen.games})
        often = {size: sum(many for (_, own), many in seen.games.items() if own == size) for size in counts}
        total = seen.games.total()
        measures = tuple(
            Measure(name=name, column=shown(table.form.column(name, 1), 200), decimals=seen.numbers[name].decimals)
            for name in self.kept
        )
        names = {name: labels.distinct for name, labels in seen.labels.items() if labels.distinct != ("",)}
        teams = table.teams or tuple(layout for layouts in seen.teams.values() for layout in layouts)
        sides: tuple[str, ...] = ()
        if teams and len(seen.roles) == counts[-1]:  # a role says no more than its seat, which its team has
            names.pop("role", None)
            sides = _sides(teams, seen.roles)
        sides = (_sides(teams, seen.sides) if teams else ()) or sides
        return Origin(
            file=shown(table.path.name, 300),
            sha256=table.digest(),
            title=shown(self.title, LONGEST),
            counts=(counts[0], counts[-1]),
            usual=max(counts, key=lambda size: often[size]),
            seats=self.games.seated,
            wins=self._wins(),
            people=names.get("player", ()),
            roles=tuple(dict.fromkeys(name or "-" for name in names.get("role", ()))),
            groups=tuple(dict.fromkeys(name or "-" for name in names.get("group", ()))),
            measures=measures,
            score="score" in self.kept,
            length="length" in self.kept,
            deals="deal" in table.form.names,
            teams=tuple(teams),
            sides=sides,
            suspected=seen.suspected() if self.games.seated and not teams else "",
            suspected_roles=tuple(_label(plain(role)) for role in seen.suspected_roles if role),
            together=total if seen.cooperative else seen.everybody if seen.unwon_left_out else 0,
            shared=seen.shared,
            cooperative=seen.cooperative,
        )

    def _wins(self) -> Any:
        names = self.games.table.form.names
        if "winner" in names or "rank" in names:
            return "winner" if "winner" in names else "rank"
        return "lowest" if self.games.lowest else "highest"

    def notes(self) -> tuple[Note, ...]:
        """Return what the table does not say, and what was left out."""
        origin, table = self.origin(), self.games.table
        notes = []
        if self.games.by_score:
            notes.append(Note("import_lowest" if self.games.lowest else "import_highest"))
        if not origin.seats and not table.plays.seated and not origin.teams:
            notes.append(Note("import_no_seats"))
        if origin.together:
            notes.append(Note("import_together", {"games": origin.together, "of": self.found.games.total()}))
        if origin.shared and not origin.teams:
            notes.append(Note("import_shared", {"games": origin.shared}))
        if origin.suspected:
            notes.append(Note("import_teams", {"teams": origin.suspected}))
        if origin.suspected_roles:
            notes.append(Note("import_teams_roles", {"roles": origin.suspected_roles}))
        notes += left_out(self.games, self.found)
        for name, one in self.found.numbers.items():
            column = table.form.column(name, 1)
            if one.texts:
                notes.append(Note("import_text", {"column": shown(column), "row": one.texts}))
            elif one.gaps:
                notes.append(Note("import_gaps", {"column": shown(column), "row": one.gaps}))
        return tuple(notes)


def _sides(teams: Sequence[str], names_of: Collection[tuple[int, str]]) -> tuple[str, ...]:
    """Return the names of the teams, given those of their seats; nothing unless each team has a name of its own."""
    own = dict(names_of)
    named = {tuple(frozenset(own.get(int(seat), "") for seat in part) for part in one.split("/")) for one in teams}
    if len(own) < len(names_of) or len(named) != 1:
        return ()
    (each,) = named
    names = tuple(_label(plain(name)) for one in each for name in one)
    return names if len(set(names)) == len(names) == len(each) and all(names) else ()


@dataclass
class _Part:
    """A run that is being written."""

    folder: Folder
    spec: Spec
    schema: dict[str, pl.DataType]
    manifest: Manifest
    parts: list[PartFile] = field(default_factory=list)
    games: int = 0
    sums: Any = field(default_factory=hashlib.sha256)

    def add(self, frame: pl.DataFrame) -> None:
        """Write some games."""
        players = self.spec.players
        count = len(frame) // players
        ids = np.repeat(np.arange(self.games, self.games + count, dtype=np.uint32), players)
        seats = np.tile(np.arange(1, players + 1, dtype=np.uint8), count)
        head: dict[str, Any] = {"game_id": ids, "deal_id": ids, "seat": seats}
        whole = frame.with_columns(**{name: pl.Series(values) for name, values in head.items()}).with_columns(
            pl.lit(self.spec.strategies[0]).alias("strategy")
        )
        table = whole.select(pl.col(name).cast(kind) for name, kind in self.schema.items())
        share = self.spec.game.share
        assert (table[share].to_numpy().reshape(count, players).sum(axis=1) == self.spec.game.share_unit).all()
        for name in (PLACE, share, *(["score"] if self.spec.game.score else [])):
            self.sums.update(np.ascontiguousarray(table[name].to_numpy()).astype("<f8").tobytes())
        name = f"{GAMES}/part-{len(self.parts):06d}.parquet"
        digest = self.folder.put(name, partial(write_frame, table), _at_once)
        assert digest is not None
        self.parts.append(PartFile(file=name, first=self.games, games=count, sha256=digest))
        self.games += count

    def close(self) -> None:
        """Mark the run as complete."""
        made = {"status": "complete", "games_written": self.games, "rows": self.games * self.spec.players}
        update = {**made, "digest": self.sums.hexdigest(), "parts": self.parts}
        self.folder.put_manifest(self.manifest.model_copy(update=update))


def _at_once(step: Any) -> bool:
    step()
    return True


def _put(taking: _Taking, out: Path, force: bool, command: Sequence[str]) -> list[Path]:
    """Write the runs beside those of an earlier import, which stay until the new ones are complete."""
    out = followed(out)
    folders = list(_folders(taking.found, out).values())
    for other in (out / FILE, *sorted(out.glob(f"*/{FILE}"))):
        if other.exists() and other.parent not in folders:
            raise UsageError(f"{other.parent} holds a run that this table has none for; choose another folder", "out")
    for folder in folders:
        check_free(folder, force)
    with beside(out) as place:
        made = _write(taking, place / "run", command)
        free = not out.exists() or is_unbegun(out)
        for whole, folder in [(place / "run", out)] if free else zip(made, folders, strict=True):
            move_in(whole, folder, force)
    return folders


def _write(taking: _Taking, out: Path, command: Sequence[str]) -> list[Path]:
    """Write the runs into a new folder, and return their folders."""
    origin, seen = taking.origin(), taking.found
    game = origin.game()
    parts: dict[tuple[str, int], _Part] = {}
    folders = _folders(seen, out)
    try:
        for (rules, size), folder in folders.items():
            if seen.games[rules, size] > MAX_GAMES:
                raise UsageError(f"{seen.games[rules, size]:,} games; the maximum is {MAX_GAMES:,}")
            spec = spec_of(game, size, shown(rules, LONGEST) or BASE, seen.games[rules, size])
            begun = Manifest.begin(spec, "full", "parquet", command).model_copy(update={"origin": origin, "code": ""})
            schema = {column.name: dtype_of(column, spec) for column in columns_of(game, "full")}
            parts[rules, size] = _Part(claim(folder), spec, schema, begun)
        for frame in taking.games.read(won=seen.unwon_left_out > 0):
            for key, own in _split(frame):
                parts[key].add(_values(taking, own, parts[key].spec, list(origin.camps(key[1]).values())))
        for part in parts.values():
            part.close()
    finally:
        for part in parts.values():
            part.folder.release()
    return list(folders.values())


def _folders(seen: Survey, out: Path) -> dict[tuple[str, int], Path]:
    """Return the folder of each run, that with the most games first."""
    keys = [key for key, _ in seen.games.most_common()]
    if len(keys) == 1:
        return {keys[0]: out}
    several = len({rules for rules, _ in keys}) > 1
    taken: dict[tuple[str, int], Path] = {}
    for rules, size in keys:
        slug = re.sub(r"[^a-z0-9]+", "-", rules.lower()).strip("-")[:40] or "rules"
        name = stem = f"{size}p-{slug}" if several else f"{size}p"
        number = 2
        while out / name in taken.values():
            name, number = f"{stem}-{number}", number + 1
        taken[rules, size] = out / name
    return taken


def _split(frame: pl.DataFrame) -> Iterator[tuple[tuple[str, int], pl.DataFrame]]:
    """Yield the games of each set of rules and number of players."""
    if "rules" not in frame.columns:
        frame = frame.with_columns(pl.lit(BASE).alias("rules"))
    if frame[SIZE].n_unique() == 1 and frame["rules"].n_unique() == 1:
        yield (frame["rules"][0], int(frame[SIZE][0])), frame
        return
    for (rules, size), own in frame.group_by("rules", SIZE, maintain_order=True):
        yield (str(rules), int(str(size))), own


def _values(taking: _Taking, frame: pl.DataFrame, spec: Spec, camps: Sequence[Sequence[int]]) -> pl.DataFrame:
    """Return the values of some games for the columns of a run's table; teams that tie share the win equally."""
    runs = Runs.of(frame[GAME].to_numpy())
    won = frame[WON].to_numpy()
    won = np.where(runs.each(np.logical_or.reduceat(won, runs.start)), won, True)
    groups = camps or [(seat,) for seat in range(spec.players)]
    size, turn = np.array(
        [(len(own), own.index(seat)) for seat in range(spec.players) for own in groups if seat in own]
    ).T[:, runs.place - 1]
    tied = runs.each(np.rint(np.add.reduceat(won / size, runs.start)).astype(np.int64))
    part, rest = np.divmod(spec.game.share_unit // tied, size)
    first = (turn + frame[GAME].to_numpy()) % size < rest  # what is left over goes to a team's members by turns
    found: dict[str, Any] = {spec.game.share: np.where(won, part + first, 0)}
    for name in NAMED:
        labels = taking.found.labels.get(name)
        if name in frame.columns and labels is not None:
            names = {text: label or "-" for text, label in labels.names.items()}
            found[name] = frame[name].replace_strict(names, return_dtype=pl.String)
    numerals = taking.games.table.numerals
    for name in taking.kept:
        found[name] = frame[name] if frame[name].dtype.is_numeric() else numerals.read(frame[name]).round(MOST_DECIMALS)
    if "deal" in frame.columns:
        found["deal"] = _deals(frame["deal"])
    return frame.select(PLACE).with_columns(**{name: pl.Series(values) for name, values in found.items()})


def _deals(texts: pl.Series) -> pl.Series:
    """Return a number for each deal: that in the file, or one made from its text, the same wherever it stands."""
    values = texts.str.to_integer(strict=False)
    values = values.set(values < 0, None)
    if not values.null_count():
        return values.cast(pl.UInt64)
    others = texts.filter(values.is_null()).unique()
    named = {one: int.from_bytes(hashlib.sha256(one.encode()).digest()[:8], "big") >> 1 for one in others}
    return values.cast(pl.UInt64).fill_null(texts.replace_strict(named, default=None, return_dtype=pl.UInt64))
