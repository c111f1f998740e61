"""A change that seems to mend the game, because its players open differently."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from analysis.data.edits import Edit, Edits
from analysis.mend.mending import opening_notes
from analysis.mend.search import FRESH
from analysis.mend.targets import GameTrials, read_lines
from analysis.stats.margin import as_margin
from reports.words import ENGLISH
from simcore.rules.levers import Lever
from simcore.running.batch import Spec
from tests.specs import make_spec, settler


def test_a_change_that_only_lets_players_open_differently_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A rule that hardly matters, and champions of Fief 2 who settle elsewhere once they know it."""
    monkeypatch.setattr("simcore.kernel.cache.beside_kernels", lambda name: tmp_path)
    spec = make_spec(strategies=("champion",), game="fief-2", games=1_000)
    other = make_spec(strategies=(settler(tmp_path),), game="fief-2")

    def tune(specs: Sequence[Spec], number: int) -> tuple[list[Spec], tuple[Any, ...]]:
        made = replace(specs[0], lineup_record=other.lineup_record, strategy_tables=other.strategy_tables)
        return [made], (SimpleNamespace(old="champion"),)

    trials = GameTrials(
        [spec], [Lever("prices.calm", 500, 0, 1_000)], read_lines(spec, ["seats"], [], as_margin("4%")), tune
    )
    change = Edits([Edit("prices.calm", "500", "600")])
    before, known = trials.see((500,), FRESH, 1_000, ()), (trials.learn((600,)),)
    assert list(opening_notes(trials, before, trials.see((600,), FRESH, 1_000, ()), (), change, 0.95)) == []
    (note,) = opening_notes(trials, before, trials.see((600,), FRESH, 1_000, known), known, change, 0.95)
    assert note.code == "mend_opening_seats" and note.values["count"] >= 3
    assert note.values["before"] < 0.1 and note.values["after_low"] <= note.values["after"] < 0.1
    told = ENGLISH.note(note)
    assert "open differently under this change (" in told and "may be the cause, and not the rules." in told
