"""Write columns of small integers as Parquet, several times as fast as from frames.

Whatever a kernel leaves behind lies in a small range, so a column's dictionary is that range and the position of a
value in it is the value less the least: nothing needs to be looked up, and positions are packed into few bits.
Names, types and categories stand at the end of the file as polars writes them for a frame of the same schema.
"""

from __future__ import annotations

import io
import struct
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import polars as pl

from analysis.runs import thrift
from analysis.runs.frames import schema_of
from analysis.runs.thrift import BINARY, I32, I64, LIST, STRUCT, whole
from simcore.batch import Spec
from simcore.columns import ColumnBuffer, labels
from simcore.game import Column
from simcore.packing import pack

MAGIC = b"PAR1"
PLAIN, RLE, RLE_DICTIONARY = 0, 3, 8
DATA_PAGE, DICTIONARY_PAGE = 0, 2
UNCOMPRESSED = 0
PHYSICAL = {"Boolean": 0, "Int32": 1, "UInt8": 1, "UInt32": 1, "Float32": 4, "Enum": 6}
_SCHEMA, _KEY_VALUES = 2, 5
"""Fields of the end of a file that say what its columns are."""


Bytes = bytes | memoryview


class _Pages(NamedTuple):
    """A column's values: the distinct ones, how many they are, and in pieces what stands for each row."""

    dictionary: bytes
    distinct: int
    data: tuple[Bytes, ...]


class ParquetWriter:
    """Writes the parts of one run.

    Parameters
    ----------
    spec
        The run.
    detail
        Level of detail.
    """

    def __init__(self, spec: Spec, detail: str) -> None:
        self.spec = spec
        file = io.BytesIO()
        pl.DataFrame(schema=schema_of(spec, detail)).write_parquet(file, compression="uncompressed", statistics=False)
        data = file.getvalue()
        (length,) = struct.unpack("<I", data[-8:-4])
        kept = {number: (number, kind, value) for number, kind, value in thrift.fields(data[-8 - length : -8])}
        self._schema, self._key_values = kept[_SCHEMA], kept[_KEY_VALUES]

    def write(self, path: Path, buffer: ColumnBuffer) -> None:
        """Write the columns that a buffer holds.

        Raises
        ------
        OSError
            If the file cannot be written.
        """
        with path.open("wb") as file:
            position = file.write(MAGIC)
            chunks = []
            for column, values in buffer.filled():
                pages = self._pages(column, values)
                pieces, chunk = _chunk(column, pages, len(values), position)
                position += sum(map(file.write, pieces))
                chunks.append(chunk)
            file.write(self._end(chunks, buffer.rows, position - len(MAGIC)))

    def _pages(self, column: Column, values: np.ndarray[Any, Any]) -> _Pages:
        if column.type == "Enum":
            names = labels(column, self.spec)
            distinct = list(dict.fromkeys(names))
            if len(distinct) < len(names):
                values = np.array([distinct.index(name) for name in names], np.uint8)[values]
            stored = b"".join(struct.pack("<I", len(name)) + name for name in map(str.encode, distinct))
            return _Pages(stored, len(distinct), _positions(values, 0, len(distinct)))
        if column.type == "Boolean":
            return _Pages(b"", 0, (pack(values, 0, 1),))
        low, high = int(values.min()), int(values.max())
        if high - low < len(values):
            return _Pages(
                _plain(column, np.arange(low, high + 1)), high - low + 1, _positions(values, low, high - low + 1)
            )
        return _Pages(b"", 0, (_plain(column, values),))

    def _end(self, chunks: list[bytes], rows: int, size: int) -> bytes:
        group = thrift.struct(
            (1, LIST, thrift.sequence(STRUCT, chunks)),
            (2, I64, whole(size)),
            (3, I64, whole(rows)),
        )
        end = thrift.struct(
            (1, I32, whole(1)),
            self._schema,
            (3, I64, whole(rows)),
            (4, LIST, thrift.sequence(STRUCT, [group])),
            self._key_values,
            (6, BINARY, thrift.text("equipoise")),
        )
        return end + struct.pack("<I", len(end)) + MAGIC


def _plain(column: Column, values: np.ndarray[Any, Any]) -> bytes:
    """Return numbers in Parquet's plain encoding."""
    if column.type == "Float32":
        return (values / column.divisor).astype("<f4").tobytes()
    return values.astype("<u4" if column.type == "UInt32" else "<i4").tobytes()


def _positions(values: np.ndarray[Any, Any], low: int, distinct: int) -> tuple[Bytes, ...]:
    """Return the bits of each value's position, and before them one run's length and their width."""
    width = max(1, (distinct - 1).bit_length())
    return bytes([width]) + thrift.varint((len(values) + 7) // 8 << 1 | 1), pack(values, low, width)


def _chunk(column: Column, pages: _Pages, rows: int, position: int) -> tuple[list[Bytes], bytes]:
    """Return a column's bytes in the file, in pieces, and what the end of the file says of them."""
    present = thrift.varint(rows << 1) + b"\1"
    encoding = RLE_DICTIONARY if pages.distinct else PLAIN
    first: list[Bytes] = []
    if pages.distinct:
        header = thrift.struct((1, I32, whole(pages.distinct)), (2, I32, whole(PLAIN)))
        first = _page(DICTIONARY_PAGE, 7, header, pages.dictionary)
    begin = position + sum(map(len, first))
    header = thrift.struct((1, I32, whole(rows)), (2, I32, whole(encoding)), (3, I32, whole(RLE)), (4, I32, whole(RLE)))
    stored = first + _page(DATA_PAGE, 5, header, struct.pack("<I", len(present)) + present, *pages.data)
    size = whole(sum(map(len, stored)))
    encodings = thrift.sequence(I32, [whole(code) for code in sorted({PLAIN, RLE, encoding})])
    meta = thrift.struct(
        (1, I32, whole(PHYSICAL[column.type])),
        (2, LIST, encodings),
        (3, LIST, thrift.sequence(BINARY, [thrift.text(column.name)])),
        (4, I32, whole(UNCOMPRESSED)),
        (5, I64, whole(rows)),
        (6, I64, size),
        (7, I64, size),
        (9, I64, whole(begin)),
        *([(11, I64, whole(position))] if first else []),
    )
    return stored, thrift.struct((2, I64, whole(position)), (3, STRUCT, meta))


def _page(kind: int, number: int, header: bytes, *data: Bytes) -> list[Bytes]:
    """Return a page in pieces; field `number` holds what is particular to its kind."""
    size = whole(sum(map(len, data)))
    return [thrift.struct((1, I32, whole(kind)), (2, I32, size), (3, I32, size), (number, STRUCT, header)), *data]
