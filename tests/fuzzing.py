"""What the fuzz tests share: odd values, and damages of texts.

`EQUIPOISE_FUZZ=2000 pytest tests/equipoise/test_fuzz.py tests/equipoise/test_fuzz_options.py` tries as many examples in
each test; only ordinary users may do so.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from pathlib import Path

from hypothesis import settings
from hypothesis import strategies as st

from simcore.errors import UsageError

USUAL = 30
EXAMPLES = int(os.environ.get("EQUIPOISE_FUZZ", USUAL))
VALUES = [
    "0", "-1", "1e999", "nan", "inf", "9" * 400, "true", '""', "[]", "{}", "[[]]", '"' + "x" * 5_000 + '"',
    '"../../x"', '"/dev/null"',
    '"evil.py:x"', '"os:system"', '"\\u0000"', '"\\u001b[31m"', '"é\\u202e"', "2024-01-01", "0x7fffffff",
    "1" + "_0" * 30, "'''", "\\",
]  # fmt: skip

Damage = tuple[str, float, str]
damages = st.lists(
    st.tuples(st.sampled_from(["value", "cut", "line", "insert", "drop"]), st.floats(0, 1), st.sampled_from(VALUES)),
    min_size=1,
    max_size=4,
)
changed_numbers = st.lists(st.tuples(st.floats(0, 1), st.integers(0, 300)), min_size=1, max_size=3)
"""Where a whole number of a text is, and what is put in its place; most of these files are accepted."""

fuzzed = settings(max_examples=EXAMPLES)


def damaged(text: str, changes: list[Damage]) -> str:
    """Return a text with values replaced, cut, and lines doubled, inserted and dropped."""
    for kind, where, value in changes:
        lines = text.splitlines(keepends=True) or ["\n"]
        at = min(int(where * len(lines)), len(lines) - 1)
        if kind == "value":
            found = re.match(r"(.*?[=:]\s*).*?(,?\n?)$", lines[at])
            lines[at] = f"{found[1]}{value}{found[2]}" if found else value
        elif kind == "line":
            lines.insert(at, lines[at])
        elif kind == "insert":
            lines.insert(at, f"surprise = {value}\n")
        elif kind == "drop":
            del lines[at]
        text = text[: int(where * len(text))] if kind == "cut" else "".join(lines)
    return text


def renumbered(text: str, changes: list[tuple[float, int]]) -> str:
    """Return a text with other whole numbers in the place of some."""
    for where, value in changes:
        places = list(re.finditer(r"(?<![\w.])\d+(?![\w.])", text))
        place = places[min(int(where * len(places)), len(places) - 1)]
        text = text[: place.start()] + str(value) + text[place.end() :]
    return text


def accepted_or_refused(use: Callable[[], object]) -> bool:
    """Use something damaged: it works, or a `UsageError` of one short line says why not; and no code was run."""
    try:
        use()
    except UsageError as error:
        assert "\n" not in str(error)
        assert len(str(error)) < 2_000
        return False
    finally:
        assert not Path("PWNED").exists(), "code was run"
    return True
