"""Every game of OpenSpiel is played, twice alike, or refused in one sentence; each in a process of its own.

Games that nearly always tie are refused until the user says who wins, as the sentence asks; this says so.
"""

from __future__ import annotations

import subprocess
import sys
from collections import Counter

import pytest

pyspiel = pytest.importorskip("pyspiel", reason="comes with the extra openspiel")

PROGRAM = """
import sys
import equipoise as eq
from simcore.doors import named
from simcore.errors import UsageError
try:
    try:
        name = named(sys.argv[1])
    except UsageError as error:
        if "add wins=highest" not in str(error):
            raise
        name = named(sys.argv[1] + "(wins=highest)")
except UsageError as error:
    print("refused:", error)
    sys.exit()
spec = eq.make_spec(name, games=4)
assert (eq.run_chunk(spec, 0, 4) == eq.run_chunk(spec, 0, 4)).all()
print("played:", spec.game.title)
"""


def test_every_game_is_played_or_refused_in_a_sentence() -> None:
    found: Counter[str] = Counter()
    for game in pyspiel.registered_games():
        command = [sys.executable, "-c", PROGRAM, f"openspiel:{game.short_name}"]
        ended = subprocess.run(command, check=False, capture_output=True, text=True, timeout=300)
        assert ended.returncode == 0, (game.short_name, ended.stderr[-500:])
        (line,) = ended.stdout.strip().splitlines()
        found[line.partition(":")[0]] += 1
        assert len(line) < 500
    print(dict(found))
    assert found["played"] >= 80 and found["played"] + found["refused"] == len(pyspiel.registered_games())
