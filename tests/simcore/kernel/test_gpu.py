"""One game a thread, as a GPU would play: Numba's simulator of CUDA gives the rows of compiled kernels."""

from __future__ import annotations

import hashlib
import subprocess
import sys

from simcore.running.batch import run_chunk
from tests.specs import make_spec
from tests.toy import environment

PROGRAM = """
import hashlib
import numpy as np
from numba import cuda
from simcore.kernel.driver import Memory
from simcore.running.batch import play_into
from tests.specs import make_spec

spec = make_spec(2, ["random"])
rows = np.zeros(3 * spec.players, spec.game.row_dtype)
memories = [Memory(spec.game) for _ in range(3)]

@cuda.jit
def play(games):
    game = cuda.grid(1)
    if game < games:
        play_into(spec, np.array([game]), rows[game * spec.players : (game + 1) * spec.players], memories[game])

play[1, 4](3)
print(hashlib.sha256(rows.tobytes()).hexdigest())
"""


def test_threads_of_a_gpu_play_the_same_games() -> None:
    simulated = subprocess.run(
        [sys.executable, "-c", PROGRAM],
        env=environment(NUMBA_ENABLE_CUDASIM="1", NUMBA_DISABLE_JIT="1"),
        capture_output=True,
        text=True,
        check=True,
    )
    assert simulated.stdout.strip() == hashlib.sha256(run_chunk(make_spec(2, ["random"]), 0, 3).tobytes()).hexdigest()
