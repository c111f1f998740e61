"""docs/findings/atlas.md is what its numbers give, and a part of a cell is played as it was."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from studies.atlas import __main__ as atlas
from studies.atlas.cells import TWENTY, Cell, Published
from studies.atlas.draw import draw
from studies.atlas.page import PAGE, page
from studies.atlas.play import play, told

pytest.importorskip("pyspiel", reason="comes with the extra openspiel")
FOUND = atlas.kept()


def test_page_is_what_its_numbers_give() -> None:
    assert page(FOUND) == PAGE.read_text(encoding="utf-8"), "run: python -m studies.atlas --minutes 0"
    assert len(TWENTY) == 20
    assert set(FOUND) <= {cell.key for published in TWENTY for cell in published.cells()}


@pytest.mark.parametrize("key", ["openspiel:tic_tac_toe/2/random", "openspiel:kuhn_poker/2/ismcts"])
def test_a_part_is_played_as_it_was(key: str) -> None:
    cell = next(cell for published in TWENTY for cell in published.cells() if cell.key == key)
    assert play(cell, 0) | {"seconds": 0} == FOUND[key][0] | {"seconds": 0}


def test_it_goes_on_where_it_stopped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    game = replace(TWENTY[0], part=50)
    monkeypatch.setattr(atlas, "TWENTY", (game,))
    monkeypatch.setattr(atlas, "FOUND", tmp_path / "found.json")
    monkeypatch.setattr(atlas, "PARTS", 2)
    monkeypatch.setattr(atlas, "measured_today", lambda page: None)
    found = atlas.kept()
    atlas.play_all(found, until=float("inf"))
    begun = {key: parts[:1] for key, parts in found.items()}
    atlas.keep(begun)
    begun = atlas.kept()
    atlas.play_all(begun, until=float("inf"))
    for key in found:
        assert [part | {"seconds": 0} for part in begun[key]] == [part | {"seconds": 0} for part in found[key]]
    whole = told(found["openspiel:tic_tac_toe/2/mcts"])
    assert whole and whole.games == 100
    assert told(()) is None
    draw(found, tmp_path / "figure.svg")
    assert "Tic-tac-toe" in (tmp_path / "figure.svg").read_text(encoding="utf-8")


def test_parts_together_are_one_run() -> None:
    cell = Cell(Published("", "openspiel:tic_tac_toe", 2, part=0), "random")
    whole = told([play(cell, 0), play(cell, 1)])
    assert whole and whole.games == 2_000
    assert sum(seat.value for seat in whole.shares) == pytest.approx(1)
    # X wins 58.5 % of all random games, O wins 28.8 %, and 12.7 % are ties.
    assert whole.shares[0].low < 0.585 + 0.127 / 2 < whole.shares[0].high
    assert whole.tied.low < 0.127 < whole.tied.high
