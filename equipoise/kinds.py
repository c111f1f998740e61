"""Which files a command of ours has written, and so may replace."""

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
"""How files begin that our commands write, by the ending of their names."""

HEAD = 65_536
"""Bytes that are looked at."""


def is_ours(path: Path) -> bool:
    """Return whether a file is empty or of the kind that its name says, as our commands write it.

    Raises
    ------
    OSError
        If it cannot be read.
    """
    with path.open("rb") as file:
        head = file.read(HEAD)
    known = _MARKS.get(path.suffix.lower())
    marks = [known] if known else _MARKS.values()
    return not head or any(re.match(mark, head) for mark in marks)
