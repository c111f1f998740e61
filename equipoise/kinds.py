"""Recognise the files that our commands have written, and so may replace."""

from __future__ import annotations

import re
from pathlib import Path

_MARKS = {
    ".csv": rb"\w+(,[\w .]+)*\r?\n",
    ".html": rb'(?s).*<meta name="generator" content="Equipoise',
    ".json": rb'\s*(\{\s*"(format": "equipoise|game": )|\[\s*(\]|\{\s*"description": ))',
    ".jsonl": rb'\{[^\n]*"format": ?"equipoise-',
    ".md": rb"(?si)(## Balance\n|.*equipoise)",
    ".parquet": rb"PAR1",
    ".pdf": rb"%PDF-",
    ".png": rb"\x89PNG",
    ".svg": rb"(?s).*<svg",
    ".toml": rb'(?s).*format = "equipoise-',
    ".txt": rb"[^\n]+: game \d+ of seed ",
    ".xml": rb"(?s).*<testsuites[^>]*equipoise check",
}
"""The beginnings of files that our commands write, by the ending of the name."""

HEAD = 65_536
"""Number of bytes that are examined."""


def is_ours(path: Path) -> bool:
    """Return whether a file is empty, or looks like a file with such a name that our commands write.

    Raises
    ------
    OSError
        If the file cannot be read.
    """
    with path.open("rb") as file:
        head = file.read(HEAD)
    known = _MARKS.get(path.suffix.lower())
    marks = [known] if known else _MARKS.values()
    return not head or any(re.match(mark, head) for mark in marks)
