"""No part of the documentation has more words than people read: eleven pages are a manual, the rest is looked up."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
MOST = {"README.md": 900, "docs/*.md": 12_000, "docs/reference/*.md": 45_000, "docs/findings/*.md": 16_000}


def words(page: Path) -> int:
    """Return the number of words in text and tables, without blocks of code."""
    text = re.sub(r"^```.*?^```", "", page.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
    return len(text.replace("|", " ").split())


@pytest.mark.parametrize(("part", "most"), MOST.items())
def test_no_part_has_more_words_than_people_read(part: str, most: int) -> None:
    counted = sum(map(words, ROOT.glob(part)))
    assert most / 2 < counted <= most


def test_the_manual_has_eleven_pages_and_start_here_names_each() -> None:
    pages = {page.name for page in (ROOT / "docs").glob("*.md")}
    named = re.findall(
        r"^\d+\. \[.*?\]\((\S+)\)", (ROOT / "docs/start-here.md").read_text(encoding="utf-8"), re.MULTILINE
    )
    assert {"start-here.md", *named} == pages and len(pages) == 11


def sentences(page: Path) -> set[str]:
    """Return the sentences of the text in words alone, but for headings, tables, code and what is drawn."""
    text = re.sub(r"^```[^`]*^```|^(?:    |[|#!*]).*$", "", page.read_text(encoding="utf-8"), flags=re.MULTILINE)
    text = re.sub(r"\]\([^)]*\)|`", "", text)
    return {" ".join(re.findall(r"\w+", one.lower())) for one in re.split(r"(?<=[.!?:;])\s+", text)}


def test_no_sentence_stands_on_two_pages() -> None:
    pages = [page for part in MOST for page in ROOT.glob(part)]
    counted = Counter(one for page in pages for one in sentences(page) if len(one.split()) >= 5)
    assert len(counted) > 2_000
    assert [one for one, times in counted.items() if times > 1] == []
