"""docs/bring-your-game.md: its sessions run, in order, in one folder."""

from __future__ import annotations

import re
import shlex
import shutil
from importlib.util import find_spec
from pathlib import Path

import pytest

from equipoise.cli import app, run
from simcore import homes
from simcore.game import load_game
from tests.undrawn import leave_blank

PAGE = Path(__file__).resolve().parents[1] / "docs/bring-your-game.md"


def test_the_sessions_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    leave_blank(monkeypatch.setattr)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "docs").mkdir()
    shutil.copy(PAGE.with_name("example-club.csv"), tmp_path / "docs")
    monkeypatch.setattr(homes, "_REMEMBERED", {})
    load_game.cache_clear()
    sessions = re.findall(r"^```sh\n(.*?)^```$", PAGE.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    lines = "".join(sessions).splitlines()
    assert len(lines) == 19
    if find_spec("pyspiel") is None:
        lines = [line for line in lines if "openspiel:" not in line]
    if find_spec("pettingzoo") is None or find_spec("pygame") is None:
        lines = [line for line in lines if "pettingzoo:" not in line]
    for line in lines:
        assert run(app, shlex.split(line.removeprefix("equipoise "))) == 0, (line, capsys.readouterr())
    said = capsys.readouterr().out
    assert "takes" in said
    assert "0 failed" not in said
    assert "See for yourself once that the right player wins: equipoise replay --game ./nim.py" in said
    load_game.cache_clear()
