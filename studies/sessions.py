"""Writes what the sessions of a page print: python -m studies.sessions docs/tutorial.md docs/python.md

A session is a block of the language `console`, whose commands begin with `$`. All sessions of a page are played in
order, in one empty folder, and its blocks of `python` run between them, with what they print behind `#>`. Where a
session has a line `...`, the page leaves something out.
"""

from __future__ import annotations

import contextlib
import io
import os
import re
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from equipoise.cli import app, run

BLOCK = re.compile(r"^```(console|python)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
OURS = ("equipoise", "simulate")
EVERY_TIME = re.compile(r"in [\d.]+ s, [\d,]+ a second|[\d.]+ s$", re.MULTILINE)
"""What differs from one time to the next: how long it took."""

KEPT = re.compile(r"^[\d,]+\sof\s[\d,]+\sgames\swere\splayed\s(before|by\san\searlier)\s[^.]*\.\n", re.MULTILINE)
"""What is said only where the same games were played before."""


def played(page: str) -> Iterator[tuple[str, str]]:
    """Yield each block of a page in Markdown, and how it reads when it is played in the current folder.

    The two differ where something else is printed, but not for the time that it took and what the page leaves out.
    """
    names: dict[str, object] = {}
    for language, block in BLOCK.findall(page):
        now = _session(block) if language == "console" else _program(block, names)
        yield block, block if _agrees(block, now) else now


def written(page: str) -> str:
    """Return a page with what its sessions and programs print, played in the current folder."""
    for block, now in played(page):
        page = page.replace(block, now, 1)
    return page


def _session(block: str) -> str:
    """Return a session as it reads now."""
    lines = [line for line in block.splitlines() if line.startswith("$ ")]
    return "".join(f"{line}\n{_printed(line.removeprefix('$ '))}" for line in lines)


def _printed(line: str) -> str:
    words = shlex.split(line, comments=True)
    if words[0] not in OURS:
        return subprocess.run(words, check=True, capture_output=True, text=True).stdout
    told = io.StringIO()
    with tempfile.TemporaryFile("w+", encoding="utf-8") as said:
        with contextlib.redirect_stdout(said), contextlib.redirect_stderr(told):
            code = run(app, words if words[0] == "simulate" else words[1:])
        said.seek(0)
        shown = said.read()
    if code == 2:
        raise ValueError(f"{line}: {told.getvalue()}")
    return KEPT.sub("", "".join(f"{one.rstrip()}\n" for one in shown.splitlines()))


def _program(block: str, names: dict[str, object]) -> str:
    """Return a program as it reads now; its last lines say what it prints, behind `#>`."""
    code = re.sub(r"(^#> .*\n)+\Z", "", block, flags=re.MULTILINE)
    said = io.StringIO()
    with contextlib.redirect_stdout(said):
        exec(compile(code, "program", "exec"), names)
    return code + "".join(f"#> {line}\n" for line in said.getvalue().splitlines())


def _agrees(block: str, now: str) -> bool:
    """Return whether a block reads as it would now, but for times and what it leaves out."""
    parts = re.split(r"^\.\.\.\n", EVERY_TIME.sub("", block), flags=re.MULTILINE)
    pattern = "(?:.*\n)*?".join(re.escape(part) for part in parts)
    return re.fullmatch(pattern, EVERY_TIME.sub("", now)) is not None


def main(pages: list[str]) -> None:
    """Write the pages again."""
    os.environ |= {"COLUMNS": "80", "NO_COLOR": "1"}
    for path in map(Path, pages):
        page = path.resolve()
        with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
            page.write_text(written(page.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
