"""Every page of docs/findings says when it was measured, under which rules, and how to do it again, in one line."""

from __future__ import annotations

import shlex
import shutil
from datetime import date
from importlib.util import find_spec
from pathlib import Path

import pytest

from studies import measured
from tests.test_docs import options_are_known

ROOT = Path(__file__).resolve().parents[1]
FINDINGS = {page.stem: page.read_text(encoding="utf-8") for page in measured.FINDINGS.glob("*.md")}


def test_all_findings_are_dated() -> None:
    assert sorted(measured.entries()) == sorted(FINDINGS)


@pytest.mark.parametrize("name", FINDINGS)
def test_the_line_of_a_page_is_what_its_study_noted(name: str) -> None:
    ((first, last, on, again),) = measured.LINE.findall(FINDINGS[name])
    assert first < date.fromisoformat(last).isoformat()
    assert measured.stamped(name, FINDINGS[name], [first or last, last]) == FINDINGS[name]
    noted = measured.entries()[name]
    assert noted.get("dates", [first or last, last]) == [first or last, last] and noted["on"] == on
    program, *words = shlex.split(again)
    if program == "python" and words[0] == "-m":
        assert find_spec(words[1])
    elif program in ("python", "pytest"):
        assert (ROOT / words[0]).exists()
    else:
        options_are_known([program, *words])


def test_who_measures_again_notes_the_day_and_the_rules(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copy(measured.NOTES, tmp_path)
    monkeypatch.setattr(measured, "NOTES", tmp_path / measured.NOTES.name)
    monkeypatch.setattr(measured, "rules_of", lambda games: f"rules of {games[0]}")
    days = [date.today()]
    measured.measured_today("fief-2")
    days.append(date.today())  # which midnight may part
    line = measured.stamped("fief-2", FINDINGS["fief-2"])
    assert any(f"*Measured from 2026-11-22 to {day}, rules of fief-2; again: `" in line for day in days)
    assert line.count("*Measured") == 1
