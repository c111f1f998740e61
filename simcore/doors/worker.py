"""The program of a process that plays games behind a door.

It reads from its standard input what Python files to run, and then jobs; it writes what came of them to its standard
output, all as pickles.  It ends as
soon as its input ends, which happens even if the process that started it is killed.  It hears no Ctrl-C.
"""

from __future__ import annotations

import os
import pickle
import queue
import sys
import threading
from contextlib import suppress
from typing import Any

from simcore.doors import enter, opened
from simcore.imports import take
from simcore.plain.playing import play


def serve(path: str, sha256: str) -> None:
    """Play jobs from standard input until it ends."""
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what the game prints must not mix with the answers
    modules, given = pickle.load(sys.stdin.buffer)
    take(given)
    jobs: queue.SimpleQueue[Any] = queue.SimpleQueue()
    threading.Thread(target=_listen, args=(jobs,), daemon=True).start()
    enter(path, sha256, modules)  # a file of strategies may name the game
    kind = opened(path, sha256, modules).kind
    while True:
        pickle.dump(play(kind, jobs.get()), answers)
        answers.flush()


def _listen(jobs: queue.SimpleQueue[Any]) -> None:
    """Pass on jobs; end this process, whatever it does, when there can be no more."""
    with suppress(Exception):
        while True:
            jobs.put(pickle.load(sys.stdin.buffer))
    os._exit(0)


if __name__ == "__main__":
    serve(*sys.argv[1:])
