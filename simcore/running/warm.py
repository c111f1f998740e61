"""Compile a game's kernels early, in a separate process, because Numba compiles only one function at a time."""

from __future__ import annotations

import logging
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress

import numpy as np

from simcore.child_processes import python
from simcore.game import load_game
from simcore.kernel.cache import is_private, sources
from simcore.kernel.compilation import is_cold
from simcore.kernel.driver import Memory
from simcore.kernel.records import blank
from simcore.running.accumulator import Digest
from simcore.running.columns import compile_gather
from simcore.running.tally import compile_count

LOG = logging.getLogger("equipoise.kernels")

PATIENCE = 300
"""Seconds after which this process no longer waits for the other one, and compiles the kernels itself."""

STARTS = 0.25
"""For each thousand bytes of a game's package, how many times as long its kernels take to compile as this process took
to start, in seconds of a processor; measured with the four games."""


def compile_kernels(name: str) -> None:
    """Compile or load everything that a run of a game needs except policies, by playing zero games."""
    game = load_game(name)
    rows = np.zeros(0, game.row_dtype)
    rules, state = blank(game.rules_dtype), blank(game.state_dtype)
    memory, facts, games = Memory(game), np.zeros(0, game.facts_dtype or np.int32), np.zeros(0, np.int64)
    lineup = memory.seated(blank(game.lineup_dtype), players=0)
    game.play_batch(rules, lineup, state, rows, facts, memory.trace, np.uint64(0), games)
    Digest().add(rows, 0)
    compile_count(game)
    compile_gather(game)


@contextmanager
def compiling_aside(name: str) -> Iterator[None]:
    """Let another process compile a game's kernels while this block compiles its policies; wait for it at the end."""
    game = load_game(name)
    if is_private() or not game.compiled or not is_cold(game.play_batch):
        yield
        return
    with ExitStack() as shown:  # what shows the message for as long as it is true puts its end here
        module = game.play_batch.__module__
        package = sources(sys.modules[module.rpartition(".")[0] or module])
        size = sum(source.stat().st_size for source in package) / 1000
        extra = {"shown": shown, "seconds": STARTS * size * time.process_time()}
        LOG.info("Compiling the kernels of %s; this happens once", game.title, extra=extra)
        other = subprocess.Popen(
            python("simcore.running.warm", name),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        try:
            yield
            with suppress(subprocess.TimeoutExpired):
                other.wait(PATIENCE)
        finally:
            other.kill()
            other.wait()


if __name__ == "__main__":
    compile_kernels(sys.argv[1])
