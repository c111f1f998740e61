"""Reading of tables of results: CSV, Parquet, or the JSON of BG Stats, with a row for each seat or for each game."""

from __future__ import annotations

import csv
import hashlib
import io
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import BinaryIO

import polars as pl

from analysis.runs.load import Run
from analysis.runs.manifest import first_line
from analysis.table_files import unquoted
from analysis.tables import start_of
from analysis.tables.columns import (
    ALIASES,
    FIELDS,
    OTHERS,
    RESULT_ALIASES,
    ROW,
    Form,
    Numerals,
    Place,
    cut,
    field_and_seat,
    form_of,
    long_form,
    plain,
)
from analysis.tables.plays import Plays, plays_of
from simcore.errors import UsageError, printable, shortened

BLOCK = 1 << 24
"""Number of bytes of a CSV file that are read at a time."""

ROWS = 1 << 18
"""Number of rows of a Parquet file that are read at a time."""

MOST_JSON = 200_000_000
MARKS = ",;\t|"
MOST_ABOVE = 10


@dataclass(frozen=True)
class ResultsTable:
    """A table of results."""

    path: Path  # the file
    form: Form  # what its columns are
    kind: str  # "csv" or "parquet"; "whole" if it is held in memory
    mark: str = ","  # the character between the fields of a CSV file
    numerals: Numerals = field(default_factory=Numerals)  # how it writes numbers
    above: int = 0  # number of lines above the names of the columns
    teams: Sequence[str] = ()  # who plays together, by seat, as in 1/234: for each number of players one at most
    plays: Plays = field(default_factory=Plays)  # what is held in memory, and what its file says of all plays

    @property
    def place(self) -> Place:
        """The file, for messages."""
        return Place(str(self.path))

    def chunks(self) -> Iterator[pl.DataFrame]:
        """Yield consecutive rows, one for each seat, as text; memory does not grow with the file."""
        if self.kind == "whole":
            yield self.plays.frame
            return
        first = 2 + self.above
        blocks = (
            _csv(self.path, self.mark, self.place, self.above)
            if self.kind == "csv"
            else _parquet(self.path, self.place)
        )
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


def open_table(
    path: Path,
    columns: Mapping[str, str] | None = None,
    title: str = "",
    most: int = 0,
    decimal: str = "",
    ordered: bool = True,
    teams: str = "",
) -> ResultsTable:
    """Open a table of results.

    path: A file that ends in .csv, .tsv, .txt, .parquet or .json.
    columns: The file's name for some fields, such as {"seat": "Position"}.
    title: Name of the game; of a file of BG Stats with several games, the one to read.
    most: Largest size in bytes.  If 0, any size.
    decimal: "point" or "comma", if either is before the decimals in this file; if empty, both are, where it is clear.
    ordered: Whether the seats mean something; if not, a play needs none.
    teams: The seats that win together, as in 1/234.
    Raises UsageError if the file is no such table; the message says where and why.
    """
    place, chosen = Place(str(path)), dict(columns or {})
    if decimal not in ("", *OTHERS):
        raise UsageError(f"'{cut(plain(decimal))}' is no decimal mark; write point or comma", "decimal")
    parts = teams.split("/")
    if teams and (len(parts) < 2 or sorted("".join(parts)) != [str(at + 1) for at in range(len("".join(parts)))]):
        raise UsageError(f"'{cut(plain(teams))}': name every seat once, as in 1/234", "teams")
    sides = [teams] if teams else []
    start = start_of(path, most)
    if start[:4] == b"PAR1":
        form = form_of(place, _schema(path, place), chosen)
        return ResultsTable(path, form, "parquet", numerals=Numerals(decimal), teams=sides, plays=Plays(title=title))
    if start.lstrip(b"\xef\xbb\xbf \r\n\t")[:1] in (b"{", b"["):
        if path.stat().st_size > MOST_JSON:
            place.refuse(f"larger than {MOST_JSON // 1_000_000} MB; export fewer plays")
        plays = plays_of(place, path.read_bytes(), title, ordered)
        form = form_of(place, plays.frame.columns[1:], {})
        plays = replace(plays, frame=long_form(place, form, plays.frame))
        return ResultsTable(path, form, "whole", teams=sides, plays=plays)
    header, mark, above = _header(start, place, chosen)
    form, numerals = form_of(place, header, chosen), Numerals(decimal, mark == ";")
    return ResultsTable(path, form, "csv", mark, numerals, above, sides, Plays(title=title))


def table_of(runs: Sequence[Run]) -> ResultsTable:
    """Return the table that some runs were made from, as far as they hold it.

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
    path, together = runs[0].folder, all(run.manifest.origin.cooperative for run in runs if run.manifest.origin)
    form = form_of(Place(str(path)), whole.columns[1:], {})
    teams = next((run.manifest.origin.teams for run in runs if run.manifest.origin), ())
    return ResultsTable(path, form, "whole", teams=teams, plays=Plays(whole, title, cooperative=together))


def _header(start: bytes, place: Place, chosen: Mapping[str, str]) -> tuple[list[str], str, int]:
    """Return the names of a CSV file's columns, the character between its fields, and the number of lines above."""
    text = _ends_of_lines(start).decode("utf-8-sig", errors="replace")
    if text.lstrip().startswith("<"):
        place.refuse("XML or a web page, which is not read; give a table as CSV, with a row for each seat of each game")
    above = _above(text, chosen)
    text = text.split("\n", above)[-1]
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
        place.refuse(f"1 field, but the first row names {len(first)} columns; give a field for each", 2 + above)
    return [name.lstrip("\ufeff") for name in first], mark, above


def _above(text: str, chosen: Mapping[str, str]) -> int:
    """Return how many lines are above the names of the columns: `sep=;` of a spreadsheet, or a title."""
    usual = {*FIELDS, *ALIASES, *RESULT_ALIASES, *(name.casefold() for name in chosen.values())}
    for number, line in enumerate(text.split("\n")[:MOST_ABOVE]):
        cells = [plain(cell.strip('"')).casefold() for cell in re.split(f"[{MARKS}]", line)]
        stems = [(field_and_seat(cell) or (cell, 0))[0] for cell in cells]
        if len(usual & {*cells, *stems}) > 1 or any(stems.count(stem) > 1 for stem in usual):
            return number
    return 1 if text.lower().startswith("sep=") else 0


def _ends_of_lines(data: bytes) -> bytes:
    """Return the contents of a file whose lines all end with a carriage return, as those of old spreadsheets do."""
    return data if b"\n" in data else data.replace(b"\r", b"\n")


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
            rows = part.select(pl.all().cast(pl.String))
        except (pl.exceptions.PolarsError, OSError) as error:
            place.refuse(f"damaged: {first_line(error)}")
        if not len(rows):
            return
        yield rows
        start += ROWS


def _csv(path: Path, mark: str, place: Place, above: int) -> Iterator[pl.DataFrame]:
    """Yield the rows of a CSV file."""
    with path.open("rb") as raw:
        start = raw.read(1 << 16)
        raw.seek(0)
        file: BinaryIO = raw if b"\n" in start else io.BytesIO(_ends_of_lines(raw.read()))
        file.seek(3 if start.startswith(b"\xef\xbb\xbf") else 0)
        for _ in range(above):
            file.readline()
        head, first = _line(file), 2 + above
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
    """Return a message about the first row with more fields than the header, or with a lone quotation mark."""
    if text.count('"') % 2:
        number = next(number for number, line in enumerate(text.split("\n"), first - 1) if line.count('"') % 2)
        return f"row {number}: a quotation mark that is not closed; close it, or leave it out"
    rows, number = csv.reader(io.StringIO(text, newline=""), delimiter=mark, strict=True), first - 2
    try:
        width, number = len(next(rows)), first - 1
        for number, row in enumerate(rows, first):
            if len(row) > width:
                many = f"{len(row)} fields, but the first row names {width} columns"
                return shortened(f"row {number}: {many}; put a text with '{printable(mark)}' into quotation marks")
    except csv.Error:
        inside = "leave out the marks, or put '\"\"' for each inside others"
        return f"row {number + 1}: text after a closing quotation mark; {inside}"
    except StopIteration:
        pass
    return ""
