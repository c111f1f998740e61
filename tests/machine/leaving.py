"""Commands whose reader has left: `python -m tests.machine.leaving` takes their lines, and prints how each ended."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Sequence

from tests.machine.forking import answers, ended, make_ready


def endings(commands: Sequence[str]) -> list[tuple[int | None, str]]:
    """Return the exit code of each command, and what it wrote to standard error."""
    return answers("tests.machine.leaving", commands)


def _without_reader() -> None:
    reader, writer = os.pipe()
    os.close(reader)
    os.dup2(writer, 1)


if __name__ == "__main__":
    make_ready()
    print(json.dumps([ended(command.split(), _without_reader) for command in json.load(sys.stdin)]))
