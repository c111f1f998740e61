"""Players who stay as they are when the rules change, and how to make one who learns."""

from __future__ import annotations

from pathlib import Path

import pytest

import equipoise as eq
from analysis.data.player_notes import untuned_notes
from reports.words import ENGLISH
from tests.nim import Written, forgotten, nim  # noqa: F401  fixtures

BY_HAND = """
format = "equipoise-strategy/1"
game = "middle-ages"
name = "mine"
title = "Mine"
policy = "linear"

[weights]
income = 1.0
"""


@pytest.mark.parametrize(
    ("strategies", "codes"),
    [("champion", []), ("random", []), ("greedy", ["untuned_fixed"]), ("mine.toml", ["untuned_by_hand"])],
)
def test_who_was_never_tuned_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, strategies: str, codes: list[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("mine.toml").write_text(BY_HAND)
    notes = untuned_notes(eq.make_spec("middle-ages", players=2, strategies=strategies))
    assert [note.code for note in notes] == codes
    assert "equipoise tune --game middle-ages --start-from mine" in " ".join(map(ENGLISH.note, notes)) or (
        strategies != "mine.toml"
    )


def test_a_plain_player_cannot_be_tuned(nim: Written) -> None:  # noqa: F811
    look = ("def view", "def imagine(self, seat, rng):\n        return super().imagine(seat, rng)\n\n    def view")
    both = ('{"perfect": perfect}', '{"perfect": perfect, "looks": eq.PlainGame.rollout}')
    for strategies, named in (("perfect", ("perfect",)), ("looks", ())):
        notes = untuned_notes(eq.make_spec(nim(look, both), strategies=strategies))
        assert [note.values["strategies"] for note in notes] == ([named] if named else [])
    (note,) = eq.compare("base", settings={"heaps": 2}, game="./nim.py", games=60).comparison.notes[-1:]
    assert note.code == "untuned_plain"
