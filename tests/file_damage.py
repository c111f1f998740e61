"""Everything that can happen to a file between two processes: each is done to a file, and undone by its owner."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

Damage = Callable[[], object]


def damages(path: Path, other: Path, every: int = 1) -> Iterator[tuple[str, Damage]]:
    """Yield names and functions that damage a file; the file is whole again before the next is yielded.

    path: The file.
    other: A good file of the same kind, which holds something else.
    every: One in so many bits is flipped, and the file is cut after one in so many bytes.
    """
    whole, foreign = path.read_bytes(), other.read_bytes()
    for name, damage in _all(path, whole, other, foreign, every):
        yield name, damage
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path)
        else:
            path.unlink(missing_ok=True)
        path.write_bytes(whole)
        other.write_bytes(foreign)


def _all(path: Path, whole: bytes, other: Path, foreign: bytes, every: int) -> Iterator[tuple[str, Damage]]:
    def written(data: bytes) -> Damage:
        return lambda: path.write_bytes(data)

    for bit in range(0, 8 * len(whole), every):
        changed = bytearray(whole)
        changed[bit // 8] ^= 1 << bit % 8
        yield f"bit {bit} is another", written(bytes(changed))
    for digit in list(re.finditer(rb"[0-9]", whole))[::every]:
        at, value = digit.start(), (int(digit[0]) + 1) % 10
        yield f"digit {at} is another", written(whole[:at] + b"%d" % value + whole[at + 1 :])
    for end in range(0, len(whole), every):
        yield f"cut after {end}", written(whole[:end])
    lines = whole.splitlines(keepends=True)
    for number in range(len(lines) - 1):
        swapped = [*lines[:number], lines[number + 1], lines[number], *lines[number + 2 :]]
        yield f"lines {number + 1} and {number + 2} are swapped", written(b"".join(swapped))
        yield f"line {number + 1} is missing", written(b"".join(lines[:number] + lines[number + 1 :]))
        yield f"line {number + 1} is there twice", written(b"".join([*lines[: number + 1], *lines[number:]]))
    yield "zeros", written(bytes(len(whole)))
    yield "zeros at the end", written(whole[: len(whole) // 2] + bytes(len(whole) - len(whole) // 2))
    yield "more at the end", written(whole + b"\n1")
    yield "brackets", written(b"[" * 100_000)
    yield "another file's content", written(foreign)
    yield "the end of another file", written(whole.splitlines(keepends=True)[0] + foreign.partition(b"\n")[2])

    def replaced(make: Callable[[], object]) -> Damage:
        return lambda: (path.unlink(), make())

    yield "a link to another", replaced(lambda: path.symlink_to(other))
    yield "a link to itself", replaced(lambda: path.symlink_to(path))
    yield "a link to nothing", replaced(lambda: path.symlink_to(path.with_name("nothing")))
    yield "a folder", replaced(path.mkdir)
    yield "a folder with something in it", replaced(lambda: (path.mkdir(), (path / "some").touch()))
    yield "a pipe", replaced(lambda: os.mkfifo(path))
