"""Compile a game's kernels ahead, in a process of their own: Numba compiles one function at a time."""

from __future__ import annotations

import logging
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress

import numpy as np

from simcore.columns import compile_gather
from simcore.digest import Digest
from simcore.game import load_game
from simcore.jit import cache_folder, is_cold
from simcore.lineup import LINEUP
from simcore.records import blank
from simcore.tally import compile_count
from simcore.trace import TRACE

LOG = logging.getLogger("equipoise")

PATIENCE = 300
"""Seconds after which the other process is given up, and this one compiles for itself."""


def compile_kernels(name: str) -> None:
    """Compile, or load, what a run of a game needs beside its policies, by playing no game at all."""
    game = load_game(name)
    rows = np.zeros(0, game.row_dtype)
    rules, state = blank(game.rules_dtype), blank(game.state_dtype)
    game.play_batch(rules, blank(LINEUP), state, rows, blank(TRACE), np.uint64(0), np.zeros(0, np.int64))
    Digest().add(rows, 0)
    compile_count(game)
    compile_gather(game)


@contextmanager
def compiling_aside(name: str) -> Iterator[None]:
    """Have another process compile a game's kernels while the block compiles its policies; wait for it at the end."""
    if not is_cold(load_game(name).play_batch) or cache_folder().name.startswith("equipoise-"):
        yield
        return
    LOG.info("Compiling the kernels; this happens once ...")
    other = subprocess.Popen(
        [sys.executable, "-m", "simcore.warm", name],
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
