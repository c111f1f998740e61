"""`eq.replay`: a game of a run by its number or by what is looked for, as a page too."""

from __future__ import annotations

from pathlib import Path

import pytest

import equipoise as eq
from simcore.kernel.compilation import COMPILED
from simcore.running.replay import replay


@pytest.fixture
def spec() -> eq.Spec:
    return eq.make_spec(strategies="random", players=2, games=30)


def test_a_game_is_its_replay(spec: eq.Spec) -> None:
    game = eq.replay(spec, 12)
    assert game.text() == replay(spec, 12).text()
    assert game.found is None


def test_a_game_is_found_in_a_run_and_in_a_specification(spec: eq.Spec, tmp_path: Path) -> None:
    run = eq.simulate(players=2, strategies="random", games=30, out=tmp_path / "run", progress=False)
    games = [eq.replay(data, find="closest") for data in (spec, run, tmp_path / "run")]
    assert len({game.header["game_id"] for game in games}) == 1
    assert {game.found.games for game in games if game.found} == {30}
    with pytest.raises(eq.UsageError, match="find: it chooses the game; leave out index"):
        eq.replay(spec, 3, find="closest")
    with pytest.raises(eq.UsageError, match="seat-7: the table has seats 1 to 2"):
        eq.replay(spec, find="seat-7")


def test_its_page_is_written_and_shown(spec: eq.Spec, tmp_path: Path) -> None:
    page = eq.replay(spec, find="seat-2").page()
    assert "where seat 2 wins" in page.html()
    assert ("changed most (an estimate)" in page.html()) == COMPILED
    assert page.save(tmp_path / "game.html") == [tmp_path / "game.html"]
    assert "iframe" in page._repr_html_()
    assert "Tour par tour" in eq.replay(spec, 0).page(lang="fr").html()
