"""Python: every program on its page runs and prints what the page shows; `tests/machine` types the other pages."""

from __future__ import annotations

from pathlib import Path

import pytest

from studies.sessions import played

DOCS = Path(__file__).resolve().parents[1] / "docs"
PAGES = ("python",)


def show(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Compare a page with what is printed now; `python -m studies.sessions` writes it anew."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("NO_COLOR", "1")
    blocks = list(played((DOCS / f"{name}.md").read_text(encoding="utf-8")))
    assert len(blocks) >= 3
    for shown, now in blocks:
        assert shown == now


@pytest.mark.parametrize("name", PAGES)
def test_pages_show_what_is_printed(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    show(name, tmp_path, monkeypatch)


def test_a_page_that_shows_something_else_is_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """But not for the time that it took, nor for what it leaves out."""
    monkeypatch.chdir(tmp_path)
    program = "```python\nprint('3 in 0.5 s, 7 a second')\n#> 3 in 0.1 s, 9 a second\n```\n"
    last = "See: equipoise strategies --game medievallons, equipoise rules list --game medievallons"
    session = f"```console\n$ equipoise games\n...\n{last}\n```\n"
    assert [shown == now for shown, now in played(program + session)] == [True, True]
    assert [shown == now for shown, now in played(program.replace("#> 3", "#> 4"))] == [False]
    ((_, now),) = played(session.replace("See", "Seek"))
    assert "middle-ages" in now
    with pytest.raises(ValueError, match="no-such-game"):
        list(played("```console\n$ simulate --game no-such-game\n```\n"))
