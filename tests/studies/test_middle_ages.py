"""docs/middle-ages.md is what its template and its numbers give, and its sentences hold."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).resolve().parents[2]
DOCS, STUDY = ROOT / "docs", ROOT / "studies/middle_ages"


@pytest.fixture
def writing(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(str(STUDY))
    monkeypatch.delitem(sys.modules, "write", raising=False)
    import write

    return write


def test_page_is_what_its_numbers_give(writing: ModuleType) -> None:
    found = json.loads((STUDY / "found.json").read_text(encoding="utf-8"))
    assert writing.page(found) == (DOCS / "middle-ages.md").read_text(encoding="utf-8"), (
        "run: python studies/middle_ages --only none"
    )
    assert not list(writing.broken(found))


def test_sentences_are_held_to_the_numbers(writing: ModuleType) -> None:
    """The other way round: seats that are fair break what is said of them."""
    found = json.loads((STUDY / "found.json").read_text(encoding="utf-8"))
    found["seats"]["4"]["champion"]["seats"].reverse()
    assert "4 champions: every seat wins more than the next" in list(writing.broken(found))
