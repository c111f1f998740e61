"""The page that docs/your-results.md makes has the words of strangers, and its example is what its program makes."""

from __future__ import annotations

import re
import shlex
import shutil
from pathlib import Path

import pytest

from equipoise.cli import app, run
from studies.example_club import table
from tests.test_docs import sessions

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs/your-results.md"


def test_the_page_of_a_table_and_the_program_below_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    shutil.copy(ROOT / "docs/example-club.csv", tmp_path)
    text = PAGE.read_text(encoding="utf-8")
    for line in list(sessions(text))[:2]:
        assert run(app, shlex.split(line)[1:]) == 0, capsys.readouterr()
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
