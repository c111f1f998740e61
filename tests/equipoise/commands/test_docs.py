"""`equipoise docs`: the page of a name, or one line that says how to build the pages."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from equipoise.commands import docs
from tests.equipoise.conftest import Cli


@pytest.fixture(autouse=True)
def opened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Pages that were opened in a browser; the website is that of an empty folder."""
    pages: list[str] = []
    monkeypatch.setattr(docs, "ROOT", tmp_path)
    monkeypatch.setattr("typer.launch", pages.append)
    return pages


def built(folder: Path, place: str = docs.SITES[0]) -> Path:
    site = folder / place
    (site / "docs").mkdir(parents=True)
    for name in ("index", "docs/mend"):
        (site / f"{name}.html").touch()
    return site


def test_without_pages_one_line_says_how_to_build_them(cli: Cli, opened: list[str]) -> None:
    said = cli("docs", "--open")
    assert said.code == 0 and opened == []
    assert said.out.count("\n") == 1 and "python -m studies.site" in said.out


def test_a_page_is_opened_by_its_name(cli: Cli, opened: list[str], tmp_path: Path) -> None:
    site = built(tmp_path)
    assert cli("docs", "--open").out == f"{site / 'index.html'}\n"
    assert cli("docs", "mend", "--open").code == 0
    assert cli("docs", "mend", "--no-open").code == 0
    assert opened == [str(site / "index.html"), str(site / "docs/mend.html")]


def test_an_unknown_page_is_one_line(refused: Callable[..., str], tmp_path: Path) -> None:
    built(tmp_path)
    assert refused("docs", "mendd") == "PAGE: no page 'mendd'; did you mean 'mend'?"


def test_the_pages_of_the_package_are_opened_where_none_are_built(cli: Cli, opened: list[str], tmp_path: Path) -> None:
    packed = built(tmp_path, docs.SITES[1])
    assert cli("docs", "mend", "--no-open").out == f"{packed / 'docs/mend.html'}\n"
    ours = built(tmp_path)
    assert cli("docs", "mend", "--no-open").out == f"{ours / 'docs/mend.html'}\n"
