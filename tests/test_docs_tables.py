"""The sessions of docs/your-results.md run, and its example is what its program makes."""

from __future__ import annotations

import re
import shlex
import shutil
from pathlib import Path

import pytest

from equipoise.cli import app, run
from studies.example_club import table
from tests.undrawn import leave_blank

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs/your-results.md"


def test_the_session_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    leave_blank(monkeypatch.setattr)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "docs").mkdir()
    shutil.copy(ROOT / "docs/example-club.csv", tmp_path / "docs")
    text = PAGE.read_text(encoding="utf-8")
    sessions = re.findall(r"^```console\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    for line in "".join(sessions).splitlines():
        assert run(app, shlex.split(line.removeprefix("$ equipoise "))) == 0, capsys.readouterr()
    said = capsys.readouterr().out
    assert said.splitlines()[0] == "Only the scores say who won: the highest score wins."
    page = (tmp_path / "runs/club/report.html").read_text(encoding="utf-8")
    assert "Harbours" in page
    for word in ("deal", "seed", "rulebook", "equipoise simulate", "equipoise sensitivity", "equipoise tune"):
        assert not re.search(
            rf"\b{word}", re.sub(r"<script.*?</script>|<style.*?</style>", "", page, flags=re.DOTALL)
        ), word
    (code,) = re.findall(r"^```python\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    exec(compile(code, str(PAGE), "exec"), {})


def test_the_example_is_what_its_program_makes() -> None:
    assert (ROOT / "docs/example-club.csv").read_text(encoding="utf-8").splitlines() == table()
