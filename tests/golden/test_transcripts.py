"""Golden transcripts are what is played now; docs/reference/replay.md says how to write them anew."""

from __future__ import annotations

import pytest

from simcore.game import GAMES
from tests.golden.transcripts import CASES, FOLDER, Case


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
@pytest.mark.parametrize("form", ["txt", "jsonl"])
def test_game_is_played_as_written_down(case: Case, form: str) -> None:
    played = case.play()
    now = played.text() if form == "txt" else played.jsonl()
    assert now.splitlines() == case.path(form).read_text(encoding="utf-8").splitlines()


@pytest.mark.parametrize("game", GAMES)
def test_every_game_has_a_transcript(game: str) -> None:
    assert [case for case in CASES if case.game == game]


def test_no_transcript_is_left_over() -> None:
    kept = {path.name for path in FOLDER.iterdir() if path.suffix in (".txt", ".jsonl")}
    assert kept == {case.path(form).name for case in CASES for form in ("txt", "jsonl")}
