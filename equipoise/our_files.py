"""Recognise the files that our commands have written, and so may replace."""

from __future__ import annotations

import re
from pathlib import Path

_BEGINS = {
    ".csv": rb"([\w .]+,)*game_id(,[\w .]+)*\r?\n",
    ".html": rb'(?s).*<meta name="generator" content="Equipoise',
    ".json": (
        rb'\s*(\{\s*"(format": "equipoise|game": "[\w-]+",\s*"(rules|players|versions)": )'
        rb'|\[\s*(\]|\{\s*"description": "[^\n]*",\s*"check_name": "balance/))'
    ),
    ".jsonl": rb'\{[^\n]*"format": ?"equipoise-',
    ".md": rb"(## Balance\n|<!-- Equipoise -->\n)",
    ".parquet": rb"PAR1",
    ".pdf": rb"%PDF-",
    ".png": rb"(?s)\x89PNG.*Software\0Equipoise",
    ".svg": rb"(?s).*<!-- Equipoise -->\s*<svg",
    ".toml": rb'(?s).*format = "equipoise-',
    ".txt": rb"[^\n]+: game \d+ of seed ",
    ".xml": rb"(?s).*<testsuites[^>]*equipoise check",
}
"""The beginnings of files that our commands write, by the ending of the name."""

_ENDS = {
    ".parquet": rb"(?s).*(game_id|players|verdict|Software.{1,9}Equipoise)",
    ".pdf": rb"(?s).*/Creator \(Equipoise",
}
"""What the ends of some files also contain."""

_WITHOUT = (".json", ".jsonl", ".txt")
"""The kinds of files that are written under any name."""

_IN_DATA = re.compile(r"(figure|table)-[\w-]+\.csv")
"""Names of the tables beside a page, whose columns differ; their folder is called after the page."""

SAMPLE = 65_536
"""Number of bytes that are examined at the beginning of a file, and at its end."""


def is_ours(path: Path) -> bool:
    """Return whether a file is empty, or is a file with such a name that our commands write.

    Raises OSError if the file cannot be read.
    """
    with path.open("rb") as file:
        head = file.read(SAMPLE)
        file.seek(max(path.stat().st_size - SAMPLE, 0))
        tail = file.read(SAMPLE)
    suffix = path.suffix.lower()
    if path.parent.name.endswith("-data") and _IN_DATA.fullmatch(path.name):
        return True
    begins = [_BEGINS[suffix]] if suffix in _BEGINS else [_BEGINS[kind] for kind in _WITHOUT]
    known = any(re.match(mark, head) for mark in begins)
    return not head or (known and bool(re.match(_ENDS.get(suffix, b""), tail)))
