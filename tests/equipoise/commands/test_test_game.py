"""`equipoise test-game`: the checks of conformance for an installed game, without pytest and a checkout's tests."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from tests.toy import TOY, environment


def test_a_game_that_is_not_installed_is_named(refused: Callable[..., str]) -> None:
    message = refused("test-game", "sieg")
    assert message.startswith("no game 'sieg'; did you mean 'siege'?")
    assert message.endswith("pip install FOLDER")


def test_a_file_that_cannot_be_read_is_no_package_to_install(refused: Callable[..., str], tmp_path: Path) -> None:
    (tmp_path / "bad.py").write_text("class Bad(:\n")
    assert refused("test-game", tmp_path / "bad.py").endswith("bad.py, line 1: invalid syntax")


def test_a_game_that_keeps_the_rules_passes_without_pytest(tmp_path: Path) -> None:
    (tmp_path / "pytest.py").write_text("raise ImportError")
    command = [sys.executable, "-m", "equipoise", "test-game", "kuhn"]
    done = subprocess.run(command, env=environment(), cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    count, look, *seats = done.stdout.splitlines()
    assert re.fullmatch(r"\d\d passed", count)
    assert "equipoise replay --game kuhn" in look
    scores = [re.fullmatch(r"  seat (\d) \((\w+)\): place (\d), score (-?\d)", line) for line in seats]
    (one, other) = [match.groups() for match in scores if match]
    assert (one[1], other[1]) == ("equilibrium", "random")
    assert int(one[3]) == -int(other[3])
    assert (one[2] == "1") == (int(one[3]) > 0)


LIAR = """
import dataclasses, sys
import {game}
from equipoise import conformance
from equipoise.conformance import checks, plain
from simcore.kernel.compilation import kernel

def changed(**fields):
    module = sys.modules["{game}"]
    module.GAME = dataclasses.replace(module.GAME, **fields)

{change}
"""


def failure(game: str, change: str, tmp_path: Path, **variables: str) -> str:
    """Return what a process prints that changes a game and checks it."""
    script = LIAR.format(game=game, change=change)
    some = environment(**variables)
    done = subprocess.run(
        [sys.executable, "-c", script], env=some, cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_a_game_that_lies_about_its_par_fails(tmp_path: Path) -> None:
    change = """
changed(par=lambda rules, players: [1.0] * players)
conformance.all_checks = lambda: [checks.check_par_is_a_share_of_the_win_by_seat]
for outcome in conformance.check_game("siege"):
    print(outcome.players, outcome.reason)
"""
    line = "3 game 'siege': par: the shares for 3 players are (1, 1, 1); give 3 positive shares that sum to 1"
    assert failure("siege", change, tmp_path) == f"{line}\n"


WRONG = {
    "changed(redraw=None)": "cards are shuffled before seats choose, but the game has no redraw",
    """
from simcore.kernel.streams import REDRAW, bounded
def redraw(rules, state, seat):
    if bounded(state["rng"], REDRAW, 1 << 15, 0, 2):
        state["cards"][1 - seat], state["cards"][2] = int(state["cards"][2]), int(state["cards"][1 - seat])
changed(redraw=redraw)
""": "redraw leaves something of what is hidden: field 'cards' of the state depends on it",
    "changed(redraw=lambda rules, state, seat: None)": "redraw draws the same table each time",
    """
old = kuhn.GAME.step
def step(rules, lineup, state, trace):
    old(rules, lineup, state, trace)
    return True
changed(step=step, most_steps=99)
""": "the game did not end within 99 steps and 100,000 decisions",
    """
old = kuhn.GAME.step
def step(rules, lineup, state, trace):
    state["rows"]["place"][0] += 1
    old(rules, lineup, state, trace)
    return state["rows"]["place"][0] < 3
changed(step=step)
""": "the decision 'open' of seat 1 with slot 0 and lane 0 draws the same random numbers twice",
    """
old = kuhn.GAME.start
def start(rules, lineup, state, trace):
    old(rules, lineup, state, trace)
    old(rules, lineup, state, trace)
changed(start=start)
""": "the shuffle with slot 0 draws the same random numbers twice",
    """
from simcore.kernel.decisions import choose
together = tuple(dataclasses.replace(kind, together=True) for kind in kuhn.GAME.decisions)
old = kuhn.GAME.step
def step(rules, lineup, state, trace):
    for seat in range(2):
        state["cards"][2] += 7 + choose(rules, lineup, state, seat, 0, 3, 5, seat)
    return old(rules, lineup, state, trace)
changed(step=step, decisions=together)
""": "the seats choose together at 'open', but field 'cards' of the state changes before seat 2 has chosen",
    """
from simcore.log_records import Field, RecordKind
deal, *others = kuhn.GAME.record_kinds
changed(record_kinds=(RecordKind("deal", "", (Field("cards"),)), *others))
""": "'deal.cards\\' shows seat 2 what redraw says it cannot know",
    """
import numpy as np
from simcore.kernel.streams import REDRAW, bounded
def redraw(rules, state, seat):
    state["cards"] = np.roll([0, 1, 2], bounded(state["rng"], REDRAW, 1 << 15, 0, 3))
changed(redraw=redraw)
""": "either it should not be shown, or redraw should leave it as it is",
    "changed(record_kinds=kuhn.GAME.record_kinds[:2])": "record_kinds: 'end' is in the log and not declared",
}
"""Changes of Kuhn poker, and what is said about them."""


EACH = f"""
from simcore.game import load_game
honest = kuhn.GAME
for change in {list(WRONG)!r}:
    kuhn.GAME = honest
    exec(change, dict(globals()))
    load_game.cache_clear()
    print(repr(plain.examine('kuhn', 2)['wrong']))
"""


def test_a_game_without_mistakes_is_not_accused(tmp_path: Path) -> None:
    show = f"print(plain.examine('{TOY}', 3)['wrong'], plain.examine('{TOY}', 8)['wrong'])"
    assert failure(TOY, show, tmp_path, NUMBA_DISABLE_JIT="1") == "[] []\n"


PADDED = """
import numpy as np
kind, noise = kuhn.GAME.state_dtype, np.random.default_rng(1)
end = max(offset + field.itemsize for field, offset in kind.fields.values())
def noisy(old, place):
    def kernel(*arguments):
        for spare in range(end, kind.itemsize):
            arguments[place].setfield(noise.integers(256), np.uint8, spare)
        return old(*arguments)
    return kernel
changed(start=noisy(kuhn.GAME.start, 2), step=noisy(kuhn.GAME.step, 2), redraw=noisy(kuhn.GAME.redraw, 1))
load_game.cache_clear()
print(kind.itemsize - end, plain.examine('kuhn', 2)['wrong'])
"""
"""Kuhn poker, with other bytes behind the last field of its state at every step and redraw."""


def test_mistakes_of_authors_are_named_and_bytes_that_pad_a_record_accuse_nobody(tmp_path: Path) -> None:
    script = f"{EACH}\nkuhn.GAME = honest\n{PADDED}"
    *said, padded = failure("kuhn", script, tmp_path, NUMBA_DISABLE_JIT="1").splitlines()
    for line, reason in zip(said, WRONG.values(), strict=True):
        assert reason in line
        assert "see it with: equipoise replay --game kuhn --players 2" in line
    assert padded == "4 []"
