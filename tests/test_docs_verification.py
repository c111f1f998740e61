"""`python -m tests.verification`: every slow test belongs to a part, and the page says what the stored results say."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

import pytest

from tests.test_rooms import PRODUCT, imported
from tests.verification import __main__ as verification
from tests.verification.mutating import Watch

PASSES = "def test_a():\n    print('7 of 9 held')\n"


def test_every_slow_test_belongs_to_one_part() -> None:
    own = [test for part in verification.PARTS.values() for test in part.tests]
    assert len(own) == len(set(own))
    slow = {f"tests/verification/{path.name}" for path in Path(verification.__file__).parent.glob("test_*.py")}
    assert slow <= set(own)
    assert all((verification.ROOT / test).exists() for test in own)


@pytest.mark.parametrize("name", [name for name, part in verification.PARTS.items() if part.scope != "toolkit"])
def test_a_part_uses_no_room_beyond_its_scope(name: str) -> None:
    """Neither its tests nor what they import from other tests; the referees import nothing but themselves."""
    part, root = verification.PARTS[name], verification.ROOT
    modules = {".".join(path.relative_to(root).with_suffix("").parts): path for path in (root / "tests").rglob("*.py")}
    waiting = {one for one, path in modules.items() if path.relative_to(root).as_posix().startswith(part.tests)}
    used = set[str]()
    while waiting - used:
        used |= (newer := waiting - used)
        waiting = {inner for one in newer for inner in imported(modules[one], modules.keys())}
    assert used
    beyond = "|".join(set(PRODUCT) - set(verification.SCOPES[part.scope]))
    for one in used:
        higher = re.search(rf'^ *(from|import) ({beyond})\b|"equipoise"', modules[one].read_text("utf-8"), re.MULTILINE)
        assert higher is None, (one, higher)


def test_the_page_says_what_is_stored() -> None:
    assert verification.PAGE.read_text(encoding="utf-8") == verification.page(verification.stored())


def test_a_part_is_stored_and_run_again_only_for_other_code(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "test_good.py").write_text(PASSES)
    (tmp_path / "test_bad.py").write_text(PASSES + "    assert False\n")
    parts = {
        name: verification.Part(f"Is it {name}?", (str(tmp_path / f"test_{name}.py"),)) for name in ("good", "bad")
    }
    monkeypatch.setattr(verification, "PARTS", parts)
    monkeypatch.setattr(verification, "RESULTS", tmp_path / "results.json")
    monkeypatch.setattr(verification, "PAGE", tmp_path / "page.md")
    monkeypatch.setattr(verification, "code", lambda scope: f"abc of {scope}")
    assert verification.main(["good"]) == 0
    page = (tmp_path / "page.md").read_text()
    assert "| [good](#good) | Is it good? | toolkit | 1 passed |" in page
    assert "\n7 of 9 held\n" in page
    assert "| bad | Is it bad? | toolkit | not run |" in page
    capfd.readouterr()
    assert verification.main([]) == 1
    assert capfd.readouterr().out.startswith("bad: Is it bad?\n")
    assert "**1 failed**" in (tmp_path / "page.md").read_text()
    assert verification.main([]) == 1
    assert capfd.readouterr().out == ""
    monkeypatch.setattr(verification, "code", lambda scope: f"abd of {scope}")
    verification.main(["good"])
    assert "| 1 passed |" in (tmp_path / "page.md").read_text()
    assert "| **1 failed** (older) |" in (tmp_path / "page.md").read_text()
    verification.main([])
    stored = json.loads((tmp_path / "results.json").read_text())
    assert {stored[name]["code"] for name in parts} == {stored["codes"]["toolkit"]} == {"abd of toolkit"}
    assert "(older)" not in (tmp_path / "page.md").read_text()


def test_lines_are_watched_again_after_a_test_that_ended_it() -> None:
    """Python stops to follow a program where the limit of recursion is met."""
    watch, before = Watch(), sys.gettrace()
    try:
        watch.pytest_runtest_logstart("tests/test_a.py::test_b")
        assert sys.gettrace() == watch.trace
    finally:
        sys.settrace(before)
