"""Reading of tables of results: CSV, Parquet, or the JSON of BG Stats, with a row for each seat or for each game."""

from __future__ import annotations

import csv
import hashlib
import io
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO

import polars as pl

from analysis.runs.load import Run
from analysis.runs.manifest import first_line
from analysis.table_files import unquoted
from analysis.tables.bgstats import plays_of
from analysis.tables.forms import ROW, Form, Place, form_of, long_form, plain
from simcore.errors import UsageError, shortened

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
