"""What every command says and writes on fixed seeds: `python -m tests.verification.outputs` says what differs.

The texts are in `stored/`, a file for each case, so that Git shows a difference as it shows any other. `--store` writes
them anew and says what changed, a line each. Of what is too long to store there is a digest for each of its parts;
`--keep FOLDER` leaves all of it there, so that `diff -r` shows the rest between two commits.
"""

from __future__ import annotations

import argparse
import base64
import difflib
import hashlib
import io
import json
import os
import re
import sys
import tempfile
import time
import tomllib
from collections.abc import Callable, Mapping
from contextlib import chdir
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path
from typing import Any
from unittest import mock

import polars as pl

from tests.in_turn import said
from tests.toy import INSTALLED, ROOT

LINES = Path(__file__).with_suffix(".toml")
STORED = Path(__file__).with_name("stored")
LONGEST = 40_000
"""Characters of a file that are stored as they are."""
LONGEST_VALUE = 2_000
"""The same for one entry of a JSON file, for CSV and for logs."""
CELLS = 1_500
"""The same for the values of a table."""


def cases() -> dict[str, list[str]]:
    """Return the command lines of each case."""
    from tests.machine.limited import commands

    read = tomllib.loads(LINES.read_text(encoding="utf-8"))
    games, folders = read["games"], {"docs": "docs", "configs": "configs", "older": "tests/older/november-2026"}
    named = {
        f"{case}-{game}": lines.format(game=game, **games[game])
        for case, lines in read["of_a_game"].items()
        for game in games
    }
    named |= {
        case: lines.format(**{name: ROOT / folder for name, folder in folders.items()})
        for case, lines in read["alone"].items()
    }
    named["help"] = "\n".join(("--help", "help all", *(f"{name} --help" for name in commands())))
    return {case: lines.splitlines() for case, lines in named.items()}


def play(lines: list[str], folder: Path) -> dict[str, str]:
    """Run command lines in an empty folder, and return what each of them said and wrote."""
    left: dict[str, str] = {}
    before: dict[Path, bytes] = {}
    usual = {"COLUMNS": "80", "TERM": "dumb", "NO_COLOR": "1"}
    began = datetime.now(UTC)
    clock = mock.Mock(now=mock.Mock(side_effect=(began + timedelta(seconds=later) for later in count())))
    with (
        chdir(folder),
        tempfile.TemporaryDirectory() as store,
        mock.patch.dict(os.environ, usual),
        mock.patch("typer.core._click.utils._detect_program_name", lambda: "equipoise"),
        mock.patch("analysis.runs.manifest.datetime", clock),  # no two runs begin in one second
        mock.patch("analysis.cost._measured", lambda spec: 1e-4),  # seconds a game, on every machine
        mock.patch("analysis.cost.default_threads", lambda: 2),
        mock.patch("analysis.attacks.time", mock.Mock(process_time=lambda: 0.0)),
        mock.patch("simcore.kernel.cache.beside_kernels", _beside(store)),
    ):
        for number, line in enumerate(lines, 1):
            day = datetime.now(UTC).date().isoformat()
            code, out, err = said(f"equipoise {line}")
            lasting = _lasting(folder, day)
            at = f"{number} equipoise {lasting(line)}"
            timed = _numberless if line.startswith("bench") else lasting
            left[at] = f"exit code {code}\n{timed(out)}"
            if errors := "".join(one for one in lasting(err).splitlines(keepends=True) if not PROGRESS.match(one)):
                left[f"{at} | standard error"] = errors
            files = {path: path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}
            for path, data in files.items():
                if before.get(path) != data:
                    left[f"{number} {path.relative_to(folder).as_posix()}"] = shown(path.name, data, lasting)
            before = files
    return left


def _beside(store: str) -> Callable[[str], Path]:
    """Return where commands look for what was played and tuned before: in a folder of this case alone."""

    def beside(name: str) -> Path:
        place = Path(store, name)
        place.mkdir(mode=0o700, parents=True, exist_ok=True)
        return place

    return beside


PROGRESS = re.compile(r"Compiling |Compiled kernels cannot be kept|[\d,]+ of [\d,]+ .*\(\d+ ?%\)|.*\bleft\b.*\(\d+%\)")
"""Lines that say how far a command is."""

PASSING = {"started", "seconds", "versions", "code", "manifest_sha256", "cpu_minutes", "cpu_seconds", "date"}
"""Keys of what differs from day to day, from machine to machine, and with any change of the code."""

VARYING = (
    (r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d)?(\.\d+)?(\+00:00|Z| UTC)?", "<time>"),
    (r"\bin (<?[\d.,]+ (s|min|h|seconds|minutes|second|minute)\b,? ?)+(and )?([\d.,]+ a second)?", "in <seconds>"),
    (r"Made with equipoise .*", "Made with <versions>"),
    (r'"(seconds|playing|cpu_seconds|cpu_minutes)": [\d.]+', r'"\1": "<seconds>"'),
    (r"\b[\d.,]+ (s|min|h)\b(?! +(?!au plus|at most)[a-z])|\b[\d.,]+ minutes of processor", "<seconds>"),
    (r"(?m)^ok +[\d.]+ s", "ok <seconds>"),
    (r'(?<=data-v=")[\d.]{10,}(e-\d+)?(?=">\d\.\d<)', "<long>"),  # as minutes are
    (r'\btime="[\d.]+"|\b(seconds|cpu_minutes) = [\d.]+', "<seconds>"),
    (r'(?<=\[measured\]\ndigest = ")[0-9a-f]+', "<digest>"),  # of the part that names the code
    (r'"[^"\n]*/retuned/[0-9a-f]{64}', '"<retuned>'),  # in a passing folder, named by all code that plays
)
"""The same in texts."""


def _lasting(folder: Path, day: str) -> Callable[[str], str]:
    """Return what makes of a text one that is equal on any day and any machine."""
    from simcore.kernel.cache import code_of

    fixed = {code_of("simcore"): "<code>", str(folder): "<here>", str(ROOT): "<checkout>"}
    if day not in (ROOT / "docs/example-games.csv").read_text(encoding="utf-8"):
        fixed[day] = "<day>"

    def lasting(text: str) -> str:
        for pattern, instead in VARYING:
            text = re.sub(pattern, instead, text)
        for one, other in fixed.items():
            text = text.replace(one, other)
        return text

    return lasting


def _numberless(text: str) -> str:
    return re.sub(r" +", " ", re.sub(r"[\d.,]*\d", "#", text))


def digest(data: bytes | str) -> str:
    """Return a short digest of some content."""
    return hashlib.sha256(data.encode() if isinstance(data, str) else data).hexdigest()[:16]


def shown(name: str, data: bytes, lasting: Callable[[str], str]) -> str:
    """Return what is stored of a file: its text, or a digest of each part of it if it is long or no text."""
    if name.endswith(".parquet"):
        return _table(pl.read_parquet(io.BytesIO(data)))
    if name.endswith((".png", ".pdf")):
        dated = re.sub(rb"/(CreationDate|ModDate) ?\(.*?\)|/ID ?\[.*?\]", b"", data, flags=re.DOTALL)
        return f"{digest(dated)}\n"
    try:
        text = lasting(data.decode())
    except UnicodeDecodeError:
        return f"{digest(data)}\n"
    text = re.sub(r"(?<=text/csv;charset=utf-8;base64,)[\w+/=]+", lambda inner: _encoded(inner[0], lasting), text)
    if name.endswith(".json"):
        return _entries(json.loads(text))
    longest = LONGEST_VALUE if name.endswith((".csv", ".jsonl")) else LONGEST
    if len(text) <= longest and not name.endswith((".html", ".svg")):
        return text
    parts = re.split(
        r"(?=<section|<h[12]\b|<figure|<script|<style)" if name.endswith(".html") else r"(?m)^(?=##? )", text
    )
    if len(parts) == 1:
        lines = text.splitlines(keepends=True)
        parts = ["".join(lines[at : at + 100]) for at in range(0, len(lines), 100)]
    return "".join(f"{digest(part)} {' '.join(re.sub('<[^>]*>', ' ', part[:400]).split())[:60]}\n" for part in parts)


def _encoded(inner: str, lasting: Callable[[str], str]) -> str:
    """Return a table that a page holds in base 64 without what passes, such as minutes of a processor."""
    table = pl.read_csv(base64.b64decode(inner), infer_schema=False).drop("making", "playing", "minutes", strict=False)
    return base64.b64encode(lasting(table.write_csv()).encode()).decode()


def _table(table: pl.DataFrame) -> str:
    """Return the rows of a short table, or the type and a digest of each column of a long one."""
    if table.width * table.height <= CELLS:
        return f"{dict(table.schema)}\n{table.write_ndjson()}"
    columns = (f"{one.name} {one.dtype} {digest(repr(one.to_list()))}\n" for one in table)
    return f"{table.height} rows\n{''.join(columns)}"


def _entries(value: Any) -> str:
    """Return a JSON value without what passes, and with digests in place of long entries."""
    kept = _without(value)
    if isinstance(kept, dict):
        texts = {key: json.dumps(one, ensure_ascii=False) for key, one in kept.items()}
        kept = {
            key: f"{digest(text)} of {len(text)} characters" if len(text) > LONGEST_VALUE else kept[key]
            for key, text in texts.items()
        }
    return json.dumps(kept, indent=1, ensure_ascii=False) + "\n"


def _without(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: "<passing>" if key in PASSING else _without(inner) for key, inner in value.items()}
    return [_without(inner) for inner in value] if isinstance(value, list) else value


MARK = "=" * 8


def written(left: Mapping[str, str]) -> str:
    """Return what is stored of a case."""
    return "".join(f"{MARK} {name}\n{text}{'' if text.endswith(chr(10)) else chr(10)}" for name, text in left.items())


def parted(text: str) -> dict[str, str]:
    """Return the parts of what is stored of a case, by their headings."""
    parts = re.split(rf"(?m)^{MARK} (.*)\n", text)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


def differences(before: str, after: str) -> list[str]:
    """Return a line for each part of a case that differs."""
    old, new = parted(before), parted(after)
    lines = [f"{name}: no longer there" for name in old if name not in new]
    for name, text in new.items():
        if name not in old:
            lines.append(f"{name}: new")
        elif text != old[name]:
            changes = list(difflib.unified_diff(old[name].splitlines(), text.splitlines(), n=0, lineterm=""))[2:]
            less, more = (next((one for one in changes if one.startswith(sign)), "") for sign in "-+")
            count = sum(one[0] in "+-" for one in changes)
            lines.append(f"{name}: {count} lines, first {less[:100]!r} {more[:100]!r}")
    return lines


def output(name: str, keep: Path | None = None) -> str:
    """Return what a case leaves now, in the form in which it is stored; `keep` is a folder for all that it wrote."""
    with tempfile.TemporaryDirectory() as place:
        folder = (keep / name if keep else Path(place, "here")).resolve()
        folder.mkdir(parents=True)
        return written(play(cases()[name], folder))


def stored(name: str) -> str:
    """Return what is stored of a case; nothing if it is new."""
    path = STORED / f"{name}.txt"
    return path.read_text(encoding="utf-8") if path.exists() else ""


def main() -> int:
    """Play cases, say what differs from what is stored, and store it if asked to."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.verification.outputs", description=(__doc__ or "").partition("\n")[0]
    )
    parser.add_argument(
        "cases", nargs="*", metavar="CASE", help="cases to play, or beginnings of their names; default: all"
    )
    parser.add_argument("--store", action="store_true", help="store what is there now")
    parser.add_argument("--keep", type=Path, metavar="FOLDER", help="folder for everything that is written, as it is")
    given = parser.parse_args()
    sys.path[:0] = INSTALLED
    differing = 0
    for name in cases():
        if given.cases and not name.startswith(tuple(given.cases)):
            continue
        began = time.process_time()
        before, after = stored(name), output(name, given.keep)
        print(f"{name}: {time.process_time() - began:.0f} s", file=sys.stderr, flush=True)
        for line in differences(before, after):
            differing += 1
            print(f"{name}: {line}", flush=True)
        if given.store and after != before:
            (STORED / f"{name}.txt").write_text(after, encoding="utf-8")
    print(f"{differing} differences")
    return int(differing > 0 and not given.store)


if __name__ == "__main__":
    sys.exit(main())
