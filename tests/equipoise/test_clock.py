"""Nothing that plays or judges asks for the date; tests/machine/test_clock.py lets it jump."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from tests.test_rooms import PRODUCT
from tests.toy import ROOT

CALENDAR = {"time.time", "time.time_ns", "datetime.now", "datetime.today", "datetime.utcnow", "date.today"}
ASKED = [
    "analysis/attacks.py: datetime.now",
    "analysis/check/claims.py: datetime.now",
    "analysis/runs/manifest.py: datetime.now",
    "equipoise/lab/page.py: time.time",
]
"""An attack says when it was measured, an exception until when it holds, a manifest when its run began; the lab notices
that the machine has slept."""


def asked() -> Iterator[str]:
    """Yield where a module asks for the date."""
    attributes = {name.partition(".")[2] for name in CALENDAR}
    asking = re.compile(rf"\.\s*({'|'.join(attributes)})\b|\btime\s+import\b")
    for room in PRODUCT:
        for path in sorted((ROOT / room).rglob("*.py")):
            text = path.read_text(encoding="utf-8")
            for node in ast.walk(ast.parse(text)) if asking.search(text) else ():
                called = ast.unparse(node) if isinstance(node, ast.Attribute) and node.attr in attributes else ""
                if called in CALENDAR or called.removeprefix("datetime.") in CALENDAR:
                    yield f"{path.relative_to(ROOT)}: {called}"
                if isinstance(node, ast.ImportFrom) and node.module == "time":
                    assert "time" not in [name.name for name in node.names], path


def test_nothing_that_plays_or_judges_asks_for_the_date() -> None:
    assert list(asked()) == ASKED
