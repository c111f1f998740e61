"""Commands in processes of their own, forked from one that has imported what most of them need."""

from __future__ import annotations

import gc
import json
import os
import subprocess
import sys
from collections.abc import Callable, Sequence
from typing import Any

from equipoise import cli
from equipoise.start import main
from tests import waiting
from tests.brief import learn_briefly, tune_briefly
from tests.machine.processes import PATIENCE
from tests.toy import ROOT, environment
from tests.undrawn import leave_blank

LONG = 5 * PATIENCE
"""Seconds after which a command is ended, which may have to compile what it plays."""

LONGEST = 30_000
"""Bytes of standard error that are read; a pipe takes twice as many."""


def answers(module: str, questions: Sequence[Any]) -> list[tuple[int | None, str]]:
    """Return what a module of tests prints when it is run with some questions on its standard input."""
    done = subprocess.run(
        [sys.executable, "-m", module],
        input=json.dumps(questions),
        cwd=ROOT,
        env=environment(COLUMNS="80", PYTHONDONTWRITEBYTECODE="1"),  # else limited ones leave halves of modules
        capture_output=True,
        text=True,
        timeout=12 * LONG,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return [(code, error) for code, error in json.loads(done.stdout)]


def make_ready() -> None:
    """Import what most commands need, and load their kernels; pages are not drawn, and little is played to tune."""
    tune_briefly(setattr)
    learn_briefly(setattr)
    leave_blank(setattr)
    loads_kernels = ["simulate", "--strategies", "random", "--games", "1", "--threads", "1", "--format", "none"]
    cli.run(cli.app, [*loads_kernels, "--quiet"])
    gc.freeze()  # else every process would copy all that it collects at its end


def ended(words: Sequence[str], before: Callable[[], object]) -> tuple[int | None, str]:
    """Run a command and return its exit code, None if it had to be killed, and what it wrote to standard error.

    Parameters
    ----------
    words
        The command line.
    before
        What the process does before the command begins.
    """
    reader, writer = os.pipe()
    if not (child := os.fork()):
        os.dup2(writer, 2)
        sys.argv = ["equipoise", *words]
        before()
        main()  # ends the process by SystemExit
    os.close(writer)
    code = waiting.ended(child, LONG)
    error = os.read(reader, LONGEST).decode()
    os.close(reader)
    return code, error
