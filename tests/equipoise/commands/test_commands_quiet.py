"""`--quiet`: commands that play for long say nothing but the names of the files that they wrote."""

from __future__ import annotations

import logging
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import typer

from equipoise.command import Output
from equipoise.parameters import Question
from simcore.errors import UsageError
from tests.equipoise.conftest import Cli

LINES = {
    "compare": ("equipoise.questions.compare.compare", ["compare", "base", "--set", "effects.mill_coins=3"]),
    "mend": ("equipoise.questions.mend.mend", ["mend"]),
    "playtest": ("equipoise.questions.playtest.playtest", ["playtest", "--plan", "30"]),
    "report": ("equipoise.questions.report.report", ["report", "--game", "middle-ages"]),
    "restrict": ("equipoise.questions.restrict.restrict", ["restrict"]),
    "sensitivity": ("equipoise.questions.sensitivity.sensitivity", ["sensitivity"]),
    "skill": ("equipoise.questions.skill.skill", ["skill"]),
    "simulate": ("equipoise.questions.simulate.simulate", ["simulate"]),
    "sweep": ("equipoise.questions.sweep.sweep", ["sweep", "--set", "effects.mill_coins=1..2"]),
    "tournament": ("equipoise.questions.tournament.tournament", ["tournament"]),
    "tune": ("equipoise.questions.tune.tune", ["tune"]),
}
"""What plays for a command, and a line that calls it."""


@pytest.mark.parametrize("name", LINES)
def test_every_command_that_plays_for_long_shows_progress_unless_all_is_quiet(
    name: str, cli: Cli, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    place, line = LINES[name]
    followed: list[Any] = []

    def played(*_: Any, progress: Any, **__: Any) -> None:
        followed.append(progress)
        raise UsageError("nobody plays here")

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(place, played)
    for more in ([], ["--quiet"], ["-q"]):
        said = cli(*line, *more)
        assert (said.code, said.err) == (2, "error: nobody plays here\n"), more
    assert followed == [True, False, False]


def test_an_experiment_prints_the_names_of_its_files_and_nothing_else(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    log = logging.getLogger("equipoise")
    written = [tmp_path / "a.html", tmp_path / "b.json"]

    def play(progress: bool) -> Any:
        levels.append(log.level)
        return SimpleNamespace(write=lambda *_: written, report=lambda _: None)

    levels: list[int] = []
    before = log.level
    monkeypatch.setattr("equipoise.output.terminal.show_page", lambda page, paths: print("shown"))
    question, context = (
        Question(("equipoise sweep",)),
        typer.Context(typer.core.TyperCommand("sweep"), info_name="sweep"),
    )
    try:
        for quiet in (True, False):
            log.setLevel(logging.INFO)
            output = Output(tmp_path, "html", "en", False, False, quiet, False)
            output.carry_out(context, question, {"game": "middle-ages"}, play)
            said = capsys.readouterr()
            assert (said.out, said.err) == (f"{written[0]}\n{written[1]}\n" if quiet else "shown\n", "")
    finally:
        log.setLevel(before)
    assert levels == [logging.WARNING, logging.INFO]
