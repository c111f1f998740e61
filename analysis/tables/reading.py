"""Reading of tables of results: CSV, Parquet, or the JSON of BG Stats, with a row for each seat or for each game."""

from __future__ import annotations

import csv
import hashlib
import io
import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from pathlib import Path
from typing import Any, BinaryIO, NoReturn

import polars as pl

from analysis.runs.load import Run
from analysis.runs.manifest import first_line
from analysis.table_files import unquoted
from simcore.errors import UsageError, nearest, printable, shortened
from simcore.judged import MOST_PLAYERS

# --- The columns of a table: which field each one is, and how a row for each game becomes a row for each seat ---


RESULTS = ("winner", "rank", "score")
FIELDS = ("game", "seat", *RESULTS, "player", "role", "group", "players", "rules", "length", "deal", "date")
"""The fields that a column can be; every other column of numbers is a measure."""

ALIASES = {"count": "players"}
BY_SEAT = ("seat", *RESULTS, "player", "role")
"""Fields that differ between the seats of a game."""

YES = frozenset(("1", "yes", "y", "true", "x", "won", "oui", "o", "vrai"))
NO = frozenset(("", "0", "no", "n", "false", "-", "lost", "non", "faux"))
ROW = "\x00row"
"""Column with the number of a row in the file; no column of a file can have this name."""

MOST_MEASURES = 100
QUOTED = 40
"""Number of characters of a wrong value that a message quotes."""

_NUMBERED = re.compile(r"(.*?)[ _.-]?([1-9])$")


@dataclass(frozen=True)
class Place:
    """The file that a message names."""

    label: str

    def refuse(self, message: str, row: int = 0, way_out: tuple[str, str] | None = None) -> NoReturn:
        """Raise an error that names the file and a row."""
        raise UsageError(f"{self.label}: {f'row {row}: ' if row else ''}{message}", way_out=way_out)


@dataclass(frozen=True)
class Form:
    """What the columns of a table are."""

    fields: Mapping[str, str]  # name of the column of each field that the table has
    measures: Mapping[str, str]  # name of the column of each measure, by our name for it
    wide: Mapping[str, Mapping[int, str]]
    """For a table with one row for each game: the columns of each field by seat, from 1; otherwise empty."""

    @property
    def names(self) -> tuple[str, ...]:
        """The fields that the table has, in whatever form."""
        return tuple(name for name in FIELDS if name in self.fields or name in self.wide)

    @property
    def seats(self) -> tuple[int, ...]:
        """The numbers of the seats of a table with one row for each game."""
        return tuple(sorted({seat for columns in self.wide.values() for seat in columns}))

    def column(self, field: str, seat: int = 0) -> str:
        """Return the name of the column of a field or measure in the file."""
        return self.wide.get(field, {}).get(seat) or {**self.measures, **self.fields}.get(field, field)


def form_of(place: Place, header: Sequence[str], chosen: Mapping[str, str]) -> Form:
    """Return what the columns of a table are.

    place: The file.
    header: Names of its columns.
    chosen: The column of each field that the user has named.
    Raises UsageError if a column occurs twice, or one that is needed is missing.
    """
    names = [plain(name).casefold() for name in header]
    fields = _chosen(place, names, chosen)
    wide: dict[str, dict[int, str]] = {}
    for name in names:
        field = ALIASES.get(name, name)
        if name in fields.values() or not name:
            continue
        if field in FIELDS and field not in chosen:
            if field in fields:
                place.refuse(f"the first row names the column '{cut(name)}' twice; keep one", 1)
            fields[field] = name
    taken = set(fields.values())
    for name in names:
        numbered = _NUMBERED.fullmatch(name)
        if name not in taken and numbered and numbered[1]:
            wide.setdefault(chosen_field(chosen, numbered[1]), {})[int(numbered[2])] = name
    if not any(field in wide for field in (*RESULTS, "player")):
        wide = {}
    wide = {field: dict(sorted(columns.items())) for field, columns in wide.items() if 1 in columns and 2 in columns}
    taken |= {name for columns in wide.values() for name in columns.values()}
    measures = _measures(place, [name for name in names if name and name not in taken])
    known = _measures(place, [field for field in wide if field not in FIELDS])
    by_seat = {field if field in FIELDS else _slug(field): columns for field, columns in wide.items()}
    form = Form(fields, {name: column for name, column in measures.items() if name not in known}, by_seat)
    _check(place, names, form)
    return form


def chosen_field(chosen: Mapping[str, str], stem: str) -> str:
    """Return the field of numbered columns with a stem, such as "points" with the user's score=points."""
    return next((field for field, name in chosen.items() if name.casefold() == stem), ALIASES.get(stem, stem))


def _chosen(place: Place, names: Sequence[str], chosen: Mapping[str, str]) -> dict[str, str]:
    """Return the columns that the user has named, by field; numbered ones are found later."""
    columns = {}
    for key, column in chosen.items():
        if key not in FIELDS:
            raise UsageError(f"no field '{cut(plain(key))}'{nearest(key, FIELDS)}", "column")
        name = plain(column).casefold()
        if name in names:
            columns[key] = name
        elif f"{name}_1" not in names and f"{name}1" not in names and f"{name} 1" not in names:
            place.refuse(f"no column '{cut(plain(column))}'{nearest(name, names)}")
    return columns


def _measures(place: Place, names: Iterable[str]) -> dict[str, str]:
    """Return our names for further columns."""
    found: dict[str, str] = {}
    for name in names:
        if (stem := _slug(name)) in found:
            place.refuse(f"the columns '{cut(found[stem])}' and '{cut(name)}' have the same name; rename one", 1)
        found[stem] = name
    if len(found) > MOST_MEASURES:
        place.refuse(f"{len(found)} columns of measures; keep {MOST_MEASURES} at most", 1)
    return found


OWN = frozenset(
    (
        *FIELDS,
        "game_id",
        "deal_id",
        "strategy",
        "place",
        "camp",
        "share60",
        "share840",
        "game_no",
        "size",
        "won",
        "number",
    )
)
"""Names that measures cannot have: those of a run's columns, and of those that are added while a table is read."""


def _slug(name: str) -> str:
    """Return a name for a column of a run: small letters, digits and underscores."""
    found = re.sub(r"\W+", "_", name, flags=re.ASCII).strip("_").lower()[:40] or "measure"
    return f"{found}_" if found in OWN else found


def _check(place: Place, names: Sequence[str], form: Form) -> None:
    """Raise an error unless the table says who won, and which rows are a game."""
    others = [name for name in names if name not in form.fields.values()]
    for name in (*FIELDS, *ALIASES):
        if names.count(name) > 1:
            place.refuse(f"the first row names the column '{name}' twice; keep one", 1)
    if not set(RESULTS) & set(form.names):
        close = next((hint for name in RESULTS if (hint := meant(name, others))), "")
        place.refuse(
            f"no column 'winner', 'rank' or 'score'{close}; the first row has to name one",
            1,
            ("; say which column it is with", "column"),
        )
    if not form.wide and not {"game", "players"} & set(form.names):
        place.refuse(
            f"no column 'game'{meant('game', others)}; number the games, so that the rows of a game have the same one",
            1,
            ("; say which column it is with", "column"),
        )


def long_form(place: Place, form: Form, frame: pl.DataFrame) -> pl.DataFrame:
    """Return a row for each seat, with a column for each field and measure, all as text.

    place: The file.
    form: What its columns are.
    frame: Some rows as they are in the file, with the column `ROW`; the other columns have their names in small
        letters.
    """
    common = {**form.fields, **form.measures}
    if not form.wide:
        return frame.select(ROW, **{name: pl.col(column) for name, column in common.items()})
    parts = []
    for seat in form.seats:
        own = {name: columns[seat] for name, columns in form.wide.items() if seat in columns}
        missing = [pl.lit("").alias(name) for name in form.wide if name not in own]
        parts.append(
            frame.select(
                ROW,
                **{name: pl.col(column) for name, column in (common | own).items()},
            ).with_columns(*missing, pl.lit(str(seat)).alias("number"))
        )
    stacked = pl.concat(parts).sort(ROW, maintain_order=True)
    there = pl.any_horizontal(pl.col(name) != "" for name in form.wide)
    if "game" not in form.fields:
        stacked = stacked.with_columns(pl.col(ROW).cast(pl.String).alias("game"))
    if "seat" not in form.names:
        stacked = stacked.with_columns(pl.col("number").alias("seat"))
    if "winner" in form.fields and "winner" not in form.wide:
        stacked = stacked.with_columns(_wins(place, form, stacked).alias("winner"))
    return stacked.filter(there).drop("number")


def _wins(place: Place, form: Form, stacked: pl.DataFrame) -> pl.Expr:
    """Return whether each seat won, where one column names the winner by seat or by name."""
    named = pl.col("winner") == pl.col("number")
    if "player" in form.wide:
        named |= (pl.col("winner") == pl.col("player")) & (pl.col("player") != "")
    nobody = stacked.filter(pl.col("winner") != "").group_by(ROW, maintain_order=True).agg(named.any())
    wrong = nobody.filter(~pl.col("winner"))
    if len(wrong):
        row = wrong[ROW][0]
        said = stacked.filter(pl.col(ROW) == row)["winner"][0]
        place.refuse(
            f"{form.fields['winner']}: '{cut(said)}' is none of the game's players; give a seat's number or a name", row
        )
    return pl.when(named).then(pl.lit("1")).otherwise(pl.lit("0"))


def meant(name: str, others: Sequence[str]) -> str:
    """Return ", but 'NAME'" with the name of the column that may be meant."""
    close = get_close_matches(name, others, n=1)
    return f", but '{cut(close[0])}'" if close else ""


def plain(text: str) -> str:
    """Return the text of a field on one line, and without characters that a terminal would obey."""
    return printable(" ".join(text.split()))


def cut(text: str) -> str:
    """Return the beginning of a text, for a message."""
    return text if len(text) <= QUOTED else f"{text[:QUOTED]}..."


# --- Plays in the JSON file that the app BG Stats exports ---


LISTS = ("plays", "games", "players")


@dataclass(frozen=True)
class Plays:
    """The plays of one game."""

    frame: pl.DataFrame  # one row for each player of each play, as text
    title: str  # name of the game
    lowest: bool  # whether the fewest points win
    skipped: int  # number of plays with one player, or with too many


def plays_of(place: Place, data: bytes, title: str = "") -> Plays:
    """Return the plays of a game.

    place: The file.
    data: Its contents.
    title: Name of the game.  If empty, the file has to contain plays of one game only.
    Raises UsageError if the file is no export of BG Stats, or names no such game.
    """
    try:
        table = json.loads(data.decode("utf-8-sig"))
        if not isinstance(table, dict) or not all(isinstance(table.get(name), list) for name in LISTS):
            raise ValueError
        games = {one["id"]: one for one in table["games"]}
        people = {one["id"]: plain(str(one.get("name", ""))) for one in table["players"]}
        plays = [one for one in table["plays"] if not one.get("ignored")]
        game = _game(place, games, plays, title)
        mine = [play for play in plays if play["gameRefId"] == game["id"]]
        sized = [play for play in mine if 2 <= len(play["playerScores"]) <= MOST_PLAYERS]
        rows = [row for number, play in enumerate(sized, 1) for row in _rows(number, play, people)]
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        place.refuse("not a file that BG Stats exported; give a CSV or Parquet file, or export it again")
    if not rows:
        place.refuse(f"no play of '{cut(plain(str(game.get('name', ''))))}' with two or more players")
    frame = pl.DataFrame(rows, infer_schema_length=None)
    empty = [name for name in frame.columns[1:] if (frame[name] == "").all()]
    if "winner" not in empty and (frame["winner"] == "0").all():
        empty.append("winner")
    by_seat = frame.group_by("game").agg(pl.col("seat").str.to_integer(strict=False).fill_null(0).sort().alias("s"))
    whole = all(list(seats) == list(range(1, len(seats) + 1)) for seats in by_seat["s"].to_list())
    dropped = {*empty, *([] if whole else ["seat"])}
    return Plays(
        frame.drop(dropped, strict=False),
        plain(str(game.get("name", ""))),
        game.get("highestWins") is False,
        len(mine) - len(sized),
    )


def _game(place: Place, games: Mapping[int, Any], plays: Sequence[Any], title: str) -> Any:
    """Return the game with a name, or the only one."""
    often = Counter(play["gameRefId"] for play in plays)
    named = {plain(str(games[one].get("name", ""))): games[one] for one, _ in often.most_common()}
    if title:
        for name, game in named.items():
            if name.casefold() == title.casefold():
                return game
        place.refuse(f"no play of '{cut(plain(title))}'{nearest(title, named)}")
    if not named:
        place.refuse("there is no game in it; export plays from BG Stats")
    if len(named) > 1:
        shown = ", ".join(map(cut, list(named)[:5]))
        place.refuse(
            f"plays of {len(named)} games, most often {shown}; name one", way_out=("; say which one with", "title")
        )
    return next(iter(named.values()))


def _rows(number: int, play: Mapping[str, Any], people: Mapping[int, str]) -> list[dict[str, Any]]:
    """Return the rows of a play; those of one game have the number of the play."""
    minutes = play.get("durationMin") or 0
    return [
        {
            ROW: number,
            "game": str(number),
            "date": plain(str(play.get("playDate", ""))[:10]),
            "players": str(len(play["playerScores"])),
            "player": people[one["playerRefId"]] or f"player {one['playerRefId']}",
            "seat": plain(str(one.get("seatOrder") or "")),
            "winner": "1" if one.get("winner") else "0",
            "rank": plain(str(one.get("rank") or "")),
            "score": plain(str("" if one.get("score") is None else one["score"])),
            "role": plain(str(one.get("role") or "")),
            "length": plain(str(minutes or "")),
        }
        for one in play["playerScores"]
    ]


# Reading of tables of results: CSV, Parquet, or the JSON of BG Stats, with a row for each seat or for each game.


BLOCK = 1 << 24
"""Number of bytes of a CSV file that are read at a time."""

ROWS = 1 << 18
"""Number of rows of a Parquet file that are read at a time."""

MOST_JSON = 200_000_000
MARKS = ",;\t|"


@dataclass(frozen=True)
class ResultsTable:
    """A table of results."""

    path: Path  # the file
    form: Form  # what its columns are
    kind: str  # "csv" or "parquet"; "whole" if it is held in memory
    mark: str = ","  # the character between the fields of a CSV file
    title: str = ""  # name of the game, if the file says it
    lowest: bool = False  # whether the file says that the fewest points win
    skipped: int = 0
    """Number of games of the file that cannot be used: those of one person, or of more than the toolkit allows."""
    whole: pl.DataFrame = field(default_factory=pl.DataFrame)

    @property
    def place(self) -> Place:
        """The file, for messages."""
        return Place(str(self.path))

    def chunks(self) -> Iterator[pl.DataFrame]:
        """Yield consecutive rows, one for each seat, as text; memory does not grow with the file."""
        if self.kind == "whole":
            yield self.whole
            return
        first = 2
        blocks = _csv(self.path, self.mark, self.place) if self.kind == "csv" else _parquet(self.path, self.place)
        for block in blocks:
            block.columns = [plain(name).casefold() for name in block.columns]
            numbered = block.with_row_index(ROW, first).with_columns(
                pl.col(ROW).cast(pl.Int64), pl.exclude(ROW).fill_null("").str.strip_chars()
            )
            first += len(block)
            used = pl.any_horizontal(pl.col(name) != "" for name in block.columns)
            yield long_form(self.place, self.form, numbered.filter(used))

    def digest(self) -> str:
        """Return the SHA-256 of the file."""
        with self.path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()


def open_table(path: Path, columns: Mapping[str, str] | None = None, title: str = "", most: int = 0) -> ResultsTable:
    """Open a table of results.

    path: A file that ends in .csv, .tsv, .txt, .parquet or .json.
    columns: The file's name for some fields, such as {"seat": "Position"}.
    title: Name of the game; of a file of BG Stats with several games, the one to read.
    most: Largest size in bytes.  If 0, any size.
    Raises UsageError if the file is no such table; the message says where and why.
    """
    place, chosen = Place(str(path)), dict(columns or {})
    try:
        if most and path.stat().st_size > most:
            place.refuse(f"larger than {most // 1_000_000} MB; give the games of one table or club")
        if path.is_fifo():  # it is read more than once
            place.refuse("a pipe; name a CSV, Parquet or JSON file")
        with path.open("rb") as file:
            start = file.read(1 << 16)
    except OSError as error:
        place.refuse(f"{(error.strerror or str(error)).lower()}; name a CSV, Parquet or JSON file")
    if start[:4] == b"PAR1":
        return ResultsTable(path, form_of(place, _schema(path, place), chosen), "parquet", title=title)
    if start.lstrip(b"\xef\xbb\xbf \r\n\t")[:1] in (b"{", b"["):
        if path.stat().st_size > MOST_JSON:
            place.refuse(f"larger than {MOST_JSON // 1_000_000} MB; export fewer plays")
        plays = plays_of(place, path.read_bytes(), title)
        form = form_of(place, plays.frame.columns[1:], {})
        return ResultsTable(
            path,
            form,
            "whole",
            title=plays.title,
            lowest=plays.lowest,
            skipped=plays.skipped,
            whole=long_form(place, form, plays.frame),
        )
    header, mark = _header(start, place)
    return ResultsTable(path, form_of(place, header, chosen), "csv", mark, title)


def table_of(runs: Sequence[Run]) -> ResultsTable:
    """Return the table that some runs were made from, as far as they hold it.

    runs: The runs of one import.
    Raises UsageError if the games of a run were played here.
    """
    frames, title = [], ""
    for number, run in enumerate(runs):
        origin, rows = run.manifest.origin, run.polars()
        if origin is None:
            raise UsageError(f"{run.folder}: its games were played here; name results of real games")
        game, title = run.described.game, origin.title
        fields = {
            "game": pl.format("{}-{}", pl.lit(number), "game_id"),
            "players": pl.lit(run.manifest.players),
            "winner": (pl.col(game.share) > 0).cast(pl.Int8),
            **{
                name: pl.col(name)
                for name, there in (
                    ("seat", origin.seats),
                    ("score", origin.score),
                    ("role", origin.roles),
                    ("group", origin.groups),
                )
                if there
            },
        }
        frames.append(rows.select(**{name: value.cast(pl.String) for name, value in fields.items()}).collect())
    whole = pl.concat(frames, how="diagonal").fill_null("").with_row_index(ROW, 1).cast({ROW: pl.Int64})
    path = runs[0].folder
    return ResultsTable(path, form_of(Place(str(path)), whole.columns[1:], {}), "whole", title=title, whole=whole)


def _header(start: bytes, place: Place) -> tuple[list[str], str]:
    """Return the names of a CSV file's columns, and the character between its fields."""
    text = start.decode("utf-8-sig", errors="replace")
    head, _, body = text.partition("\n")
    mark = max(MARKS, key=head.count)
    try:
        first = next(csv.reader(io.StringIO(text, newline=""), delimiter=mark), [])
    except csv.Error as error:
        place.refuse(f"not a table: {first_line(error)}")
    if b"\x00" in start or "\ufffd" in head:
        place.refuse("not UTF-8 text; save it as 'CSV UTF-8'")
    if not any(name.strip() for name in first):
        place.refuse("not a table: its first row has to name the columns, such as game,seat,winner")
    if len(first) > 1 and body.strip() and mark not in body:  # which takes long to find out in millions of rows
        place.refuse(f"1 field, but the first row names {len(first)} columns; give a field for each", 2)
    return [name.lstrip("\ufeff") for name in first], mark


def _schema(path: Path, place: Place) -> list[str]:
    try:
        schema = pl.scan_parquet(path, glob=False).collect_schema()
        return [name for name, kind in schema.items() if not kind.is_nested()]
    except (pl.exceptions.PolarsError, OSError) as error:
        place.refuse(f"not a Parquet file that can be read: {first_line(error)}")


def _parquet(path: Path, place: Place) -> Iterator[pl.DataFrame]:
    """Yield the rows of a Parquet file as text."""
    frame = pl.scan_parquet(path, glob=False)
    nested = [name for name, kind in frame.collect_schema().items() if kind.is_nested()]
    start = 0
    while True:
        try:
            part = frame.drop(nested).slice(start, ROWS).collect()
            found = part.select(pl.all().cast(pl.String))
        except (pl.exceptions.PolarsError, OSError) as error:
            place.refuse(f"damaged: {first_line(error)}")
        if not len(found):
            return
        yield found
        start += ROWS


def _csv(path: Path, mark: str, place: Place) -> Iterator[pl.DataFrame]:
    """Yield the rows of a CSV file."""
    with path.open("rb") as file:
        start = file.read(3)
        file.seek(3 if start == b"\xef\xbb\xbf" else 0)
        head, first = _line(file), 2
        rest = b""
        while block := file.read(BLOCK):
            end = _whole_lines(rest + block)
            data, rest = (rest + block)[:end], (rest + block)[end:]
            if data:
                frame = _parsed(head + data, mark, place, first)
                first += len(frame)
                yield frame
        if rest:
            yield _parsed(head + rest, mark, place, first)


def _line(file: BinaryIO) -> bytes:
    """Return the first line, which may contain quoted ends of lines."""
    lines, quotes = [], 0
    while line := file.readline():
        lines.append(line)
        quotes += line.count(b'"')
        if quotes % 2 == 0:
            break
    head = b"".join(lines)
    return head if head.endswith(b"\n") else head + b"\n"


def _whole_lines(data: bytes) -> int:
    """Return where the last whole row ends: at an end of a line that is not quoted."""
    end = data.rfind(b"\n") + 1
    quotes = data.count(b'"', 0, end)
    while end and quotes % 2:
        start = data.rfind(b"\n", 0, end - 1) + 1
        quotes -= data.count(b'"', start, end)
        end = start
    return end


def _parsed(data: bytes, mark: str, place: Place, first: int) -> pl.DataFrame:
    """Return some rows under their header as text; `first` is the number of the first one."""
    try:
        data.decode()
        frame = pl.read_csv(data, separator=mark, infer_schema=False, has_header=False)
    except UnicodeDecodeError:
        place.refuse("not UTF-8 text; save it as 'CSV UTF-8'")
    except pl.exceptions.PolarsError as error:
        place.refuse(_ragged(data.decode(), mark, first) or f"not a table: {first_line(error)}")
    names = [value or "" for value in frame.row(0)]
    blank = [f"\x00{number}" for number in range(len(names))]
    frame.columns = [
        name if names.index(name) == number and name else blank[number] for number, name in enumerate(names)
    ]
    return unquoted(frame[1:]) if b"'" in data else frame[1:]


def _ragged(text: str, mark: str, first: int) -> str:
    """Return a message about the first row with more fields than the header; empty if there is none."""
    rows = csv.reader(io.StringIO(text, newline=""), delimiter=mark)
    try:
        width = len(next(rows))
        for number, row in enumerate(rows, first):
            if len(row) > width:
                return shortened(f"row {number}: {len(row)} fields, but the first row names {width} columns")
    except (csv.Error, StopIteration):
        return ""
    return ""
