"""As much of Thrift's compact protocol as the end of a Parquet file needs."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

TRUE, FALSE, BYTE, I16, I32, I64, DOUBLE, BINARY, LIST, SET, MAP, STRUCT = range(1, 13)

Field = tuple[int, int, bytes]
"""Number, type and encoded value of a field."""


def varint(number: int) -> bytes:
    """Encode a number from 0 in groups of seven bits."""
    groups = bytearray()
    while number > 127:
        groups.append(number & 127 | 128)
        number >>= 7
    groups.append(number)
    return bytes(groups)


@lru_cache(1024)
def whole(number: int) -> bytes:
    """Encode a number of type I16, I32 or I64."""
    return varint(number << 1 if number >= 0 else (-number << 1) - 1)


def text(value: str) -> bytes:
    """Encode a text as BINARY."""
    data = value.encode()
    return varint(len(data)) + data


def sequence(kind: int, items: Sequence[bytes]) -> bytes:
    """Encode a LIST of encoded items of one type."""
    short = len(items) < 15
    return bytes([(len(items) if short else 15) << 4 | kind]) + (b"" if short else varint(len(items))) + b"".join(items)


def struct(*fields: Field) -> bytes:
    """Encode a STRUCT from its fields, in ascending order and at most 15 apart."""
    encoded, last = [], 0
    for number, kind, value in fields:
        encoded += [bytes([(number - last) << 4 | kind]), value]
        last = number
    return b"".join([*encoded, b"\0"])


def fields(data: bytes) -> list[Field]:
    """Return the fields of an encoded STRUCT, their values as they stand."""
    return _fields_at(data, 0)[0]


def _fields_at(data: bytes, position: int) -> tuple[list[Field], int]:
    """Return the fields of a STRUCT, and where it ends."""
    found, number = [], 0
    while data[position]:
        step, kind = data[position] >> 4, data[position] & 15
        if not step:
            raise ValueError("a field's number stands by itself")
        number += step
        end = _skip(data, position + 1, kind)
        found.append((number, kind, data[position + 1 : end]))
        position = end
    return found, position + 1


def _varint_at(data: bytes, position: int) -> tuple[int, int]:
    """Return a number from 0, and where it ends."""
    number = shift = 0
    while True:
        byte = data[position]
        position += 1
        number |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            return number, position


def _skip(data: bytes, position: int, kind: int) -> int:
    """Return where a value ends."""
    if kind in (TRUE, FALSE):
        return position
    if kind == BYTE:
        return position + 1
    if kind in (I16, I32, I64):
        return _varint_at(data, position)[1]
    if kind == BINARY:
        length, position = _varint_at(data, position)
        return position + length
    if kind == LIST:
        count, item = data[position] >> 4, data[position] & 15
        position += 1
        if count == 15:
            count, position = _varint_at(data, position)
        for _ in range(count):
            position = _skip(data, position, item)
        return position
    if kind == STRUCT:
        return _fields_at(data, position)[1]
    raise ValueError(f"values of type {kind} are unknown")
