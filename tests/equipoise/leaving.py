"""Commands whose reader has left: `python -m tests.equipoise.leaving` takes their lines, and prints how each ended.

Every command is a process of its own, forked from this one once what most commands need is imported.
"""

from __future__ import annotations

import gc
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence

from equipoise import cli
from equipoise.start import main
from tests.brief import tune_briefly
from tests.equipoise.processes import PATIENCE, ROOT


def endings(commands: Sequence[str]) -> list[tuple[int, str]]:
    """Return the exit code of each command, and what it wrote to standard error."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.equipoise.leaving"],
        input=json.dumps(commands),
        cwd=ROOT,
        env=os.environ | {"COLUMNS": "80"},
        capture_output=True,
        text=True,
        timeout=10 * PATIENCE,
        check=True,
    )
    return [(code, error) for code, error in json.loads(done.stdout)]


def _ended(words: Sequence[str]) -> tuple[int, str]:
    """Run a command, whose process leaves this function by SystemExit, and return how it ended."""
    reader, writer = os.pipe()
    os.close(reader)
    with tempfile.TemporaryFile("w+") as error:
        if not (child := os.fork()):
            os.dup2(writer, 1)
            os.dup2(error.fileno(), 2)
            sys.argv = ["equipoise", *words]
            main()
        os.close(writer)
        _, status = os.waitpid(child, 0)
        error.seek(0)
        return os.waitstatus_to_exitcode(status), error.read()


if __name__ == "__main__":
    tune_briefly(setattr)
    loads_kernels = ["simulate", "--strategies", "random", "--games", "1", "--threads", "1", "--format", "none"]
    cli.run(cli.app, [*loads_kernels, "--quiet"])
    gc.freeze()  # else every process would copy all that it collects at its end
    print(json.dumps([_ended(command.split()) for command in json.load(sys.stdin)]))
