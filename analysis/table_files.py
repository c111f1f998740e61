"""Tables as files: the one place where Parquet and CSV are written, and where our CSV is read back."""

from __future__ import annotations

import io
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import polars as pl

from simcore.errors import printable_lines

COMPRESSION: Final = "zstd"
COMPRESSION_LEVEL = 1
"""Compression level of Parquet files; a higher level takes longer and saves little."""

_FORMULA = re.compile(r"'*[=+\-@\t\n]")
"""How a text begins that a spreadsheet takes as a formula, which could name another program, or send data away; and one
that we would take for such a text behind our apostrophe.  It has no control characters but tabs and ends of lines."""

_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?")
_QUOTED = rf"^'({_FORMULA.pattern})"


def load_writers() -> None:
    """Load what polars loads when it first writes a file; threads that play import nothing."""
    pl.DataFrame().write_parquet(io.BytesIO())


def write_frame(frame: pl.DataFrame, path: Path) -> None:
    """Write a frame as Parquet or CSV, depending on the ending of the file name.

    Raises OSError, polars.exceptions.ComputeError if the file cannot be written.
    """
    if path.suffix == ".parquet":
        frame.write_parquet(path, compression=COMPRESSION, compression_level=COMPRESSION_LEVEL, statistics=False)
    else:
        _for_spreadsheets(frame).write_csv(path)


def sink_frame(frame: pl.LazyFrame, path: Path, kind: str) -> None:
    """Write a frame as "parquet" or "csv"; memory does not grow with it.

    Raises OSError, polars.exceptions.PolarsError if it cannot be read, or the file cannot be written.
    """
    if kind == "parquet":
        frame.sink_parquet(path, compression=COMPRESSION, compression_level=COMPRESSION_LEVEL)
    else:
        spelt = (pl.col(name).map_batches(_spelt, return_dtype=pl.String) for name in _texts(frame.collect_schema()))
        frame.with_columns(spelt).rename(_harmless).sink_csv(path)


def csv_of(frame: pl.DataFrame) -> bytes:
    """Return a frame as CSV."""
    return _for_spreadsheets(frame).write_csv().encode()


def parquet_of(frame: pl.DataFrame) -> bytes:
    """Return a frame as Parquet, which says in its metadata who wrote it."""
    buffer = io.BytesIO()
    frame.write_parquet(buffer, metadata={"Software": "Equipoise"})
    return buffer.getvalue()


def scan_csv(paths: Sequence[Path], schema: pl.Schema | dict[str, pl.DataType]) -> pl.LazyFrame:
    """Return a frame that was written as CSV, with the texts that it had."""
    words = {name: kind.categories.to_list() for name, kind in schema.items() if isinstance(kind, pl.Enum)}
    quoted = {name: one for name, some in words.items() if (one := [*map(_harmless, some)]) != some}
    written = dict(schema) | {name: pl.Enum(one) for name, one in quoted.items()}
    return pl.scan_csv(list(paths), schema=written, glob=False).with_columns(
        pl.col(name).replace_strict(one, words[name], return_dtype=schema[name]) for name, one in quoted.items()
    )


def unquoted(frame: pl.DataFrame) -> pl.DataFrame:
    """Return a frame of texts from a CSV file without the apostrophes that we put before formulas."""
    return frame.with_columns(pl.all().str.replace(_QUOTED, "$1"))


def _for_spreadsheets(frame: pl.DataFrame) -> pl.DataFrame:
    """Return a frame whose texts and headings neither a spreadsheet nor a terminal obeys; numbers stay as they are."""
    return frame.with_columns(_spelt(frame[name]) for name in _texts(frame.schema)).rename(_harmless)


def _texts(schema: pl.Schema) -> list[str]:
    """Return the names of columns with texts that may have to be spelt out."""
    return [
        name
        for name, kind in schema.items()
        if kind in (pl.String, pl.Categorical)
        or (isinstance(kind, pl.Enum) and any(word != _harmless(word) for word in kind.categories))
    ]


def _spelt(column: pl.Series) -> pl.Series:
    words = column.cast(pl.String).unique().drop_nulls()
    return column.cast(pl.String).replace(words, [*map(_harmless, words)])


def _harmless(text: str) -> str:
    """Return a text in which all that a terminal could obey is spelt out, with an apostrophe before a formula."""
    spelt = printable_lines(text)
    return f"'{spelt}" if _FORMULA.match(spelt) and not _NUMBER.fullmatch(spelt) else spelt
