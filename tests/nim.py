"""Games in plain Python: a file, and the names under which such files are known."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from simcore import homes, imports
from simcore.game import load_game
from strategies import skill

NIM = """
from dataclasses import dataclass
import equipoise as eq

def perfect(view, moves, rng):
    balance = 0
    for size in view:
        balance ^= size
    for heap, stones in moves:
        if view[heap] - stones == view[heap] ^ balance:
            return heap, stones
    return rng.choice(moves)

class Nim(eq.PlainGame):
    players = range(2, 5)
    strategies = {"perfect": perfect}

    @dataclass
    class Rules:
        heaps: int = 3
        largest: int = 7

    def start(self):
        draw = self.chance("heaps")
        self.heaps = [draw.randint(1, self.rules.largest) for _ in range(self.rules.heaps)]
        self.taken = [0] * self.seats

    def view(self, seat):
        return tuple(self.heaps)

    def legal(self):
        return [(heap, stones) for heap, size in enumerate(self.heaps) for stones in range(1, size + 1)]

    def apply(self, move):
        heap, stones = move
        self.heaps[heap] -= stones
        self.taken[self.turn] += stones
        self.last, self.turn = self.turn, (self.turn + 1) % self.seats

    def over(self):
        return not any(self.heaps)

    def places(self):
        return [1 if seat == self.last else 2 for seat in range(self.seats)]

    def payoffs(self):
        return self.taken
"""


def forget_files() -> None:
    """Forget the users' files that this process has run, as a new process would."""
    for name, module in [*sys.modules.items()]:
        if isinstance(getattr(module, "__loader__", None), imports._Loader):
            del sys.modules[name]
    imports._RUN.clear()


@pytest.fixture
def forgotten(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Know no game in plain Python, now and afterwards."""
    caches = (load_game, skill.ladder, skill.rungs, skill.weak)
    monkeypatch.setattr(homes, "_REMEMBERED", {})
    for one in caches:
        one.cache_clear()
    yield
    for one in caches:
        one.cache_clear()


Written = Callable[..., str]


@pytest.fixture
def nim(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, forgotten: None) -> Written:
    """Write `nim.py` into a folder of its own, with texts replaced, and return its path."""
    monkeypatch.chdir(tmp_path)

    def write(*changes: tuple[str, str]) -> str:
        text = NIM
        for old, new in changes:
            assert old in text
            text = text.replace(old, new)
        (tmp_path / "nim.py").write_text(text)
        return "./nim.py"

    return write
