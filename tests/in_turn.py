"""Several command lines, one after another, in one process that finds games which are not installed here.

To start a process and to import what commands need takes longer than most of these commands do.
"""

from __future__ import annotations

import io
import json
import shlex
import subprocess
import sys
from collections.abc import Sequence
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import NamedTuple

from tests.toy import environment


class Said(NamedTuple):
    """What a command left: its exit code, standard output and standard error."""

    code: int
    out: str
    err: str


def in_turn(lines: Sequence[str], cwd: Path, *games: Path) -> dict[str, Said]:
    """Run command lines of `equipoise` and `simulate` where Python finds some games, and return what each of them said.

    lines: The command lines, as they are typed.
    cwd: The folder that they run in.
    games: Folders into which games were installed; see `tests.toy.leave_installed`.
    """
    done = subprocess.run(
        [sys.executable, "-m", "tests.in_turn"],
        input=json.dumps(lines),
        env=environment(*games),
        cwd=cwd,
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return {line: Said(*said) for line, said in zip(lines, json.loads(done.stdout), strict=True)}


def said(line: str) -> Said:
    """Run a command line of `equipoise` or `simulate` in this process, and return what it said."""
    from equipoise.cli import app, run, simulate_app

    program, *words = shlex.split(line)
    out, err = (io.TextIOWrapper(io.BytesIO(), "utf-8", write_through=True) for _ in range(2))
    with redirect_stdout(out), redirect_stderr(err):
        code = run({"equipoise": app, "simulate": simulate_app}[program], words)
    return Said(code, *(stream.buffer.getvalue().decode() for stream in (out, err)))


def main() -> None:
    """Run the command lines that standard input lists, and print what they said."""
    print(json.dumps([said(line) for line in json.load(sys.stdin)]))


if __name__ == "__main__":
    main()
