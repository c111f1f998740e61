"""The pages of docs, apart from reference, tutorial and recipes, have at most 45,000 words."""

from __future__ import annotations

import re
from pathlib import Path

DOCS = Path(__file__).resolve().parents[1] / "docs"
APART = {"commands", "features", "policies", "eq", "python", "logs", "keys", "columns", "tutorial"}
MOST = 45_000


def words(page: Path) -> int:
    """Return the number of words in text and tables, without blocks of code."""
    text = re.sub(r"^```.*?^```", "", page.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
    return len(text.replace("|", " ").split())


def test_the_pages_have_no_more_words_than_people_read() -> None:
    pages = [page for page in DOCS.rglob("*.md") if page.stem not in APART]
    assert len(pages) > 25 and sum(map(words, pages)) <= MOST
