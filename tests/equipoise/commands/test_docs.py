"""`equipoise docs`: a page by its name, in the browser where the website was built, else in the terminal."""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest

from equipoise.commands import help
from tests.equipoise.conftest import Cli
from tests.toy import ROOT

WRITTEN = {page.stem for page in (ROOT / "docs").rglob("*.md")}


@pytest.fixture
def opened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Pages that were opened in a browser; the installation is an empty folder."""
    pages: list[str] = []
    monkeypatch.setattr(help, "ROOT", tmp_path)
    monkeypatch.setattr("typer.launch", pages.append)
    return pages


def built(folder: Path, place: str = help.SITES[0]) -> Path:
    """Make an installation with one page, and a website of it."""
    site = folder / place
    (site / "docs").mkdir(parents=True)
    for name in ("index", "docs/start-here"):
        (site / f"{name}.html").touch()
    (folder / help.PAGES).mkdir(parents=True, exist_ok=True)
    (folder / help.PAGES / "start-here.md").write_text("# Start\n\n*Here*.\n")
    return site


def test_a_page_is_shown_in_the_terminal_where_there_is_no_website(cli: Cli) -> None:
    said = cli("docs", "glossary")
    assert said.code == 0
    assert "Glossary" in said.out and "by habit" in said.out and "How often the lead" not in said.out
    assert "**" not in said.out and "|---|" not in said.out, "it is set for people"


def test_the_pages_are_listed_where_there_is_no_website(cli: Cli) -> None:
    said = cli("docs")
    assert said.code == 0
    assert {line.split()[0] for line in said.out.splitlines() if line.startswith("  ")} == WRITTEN
    assert "  find-a-change   Find a change\n" in said.out


def test_an_installed_package_has_every_page() -> None:
    packed = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["setuptools"]["package-data"]["equipoise"]
    assert {page.stem for one in packed for page in (ROOT / "equipoise").glob(one) if page.suffix == ".md"} == WRITTEN


def test_a_page_is_opened_by_its_name(cli: Cli, opened: list[str], tmp_path: Path) -> None:
    site = built(tmp_path)
    assert cli("docs", "--open").out == f"{site / 'index.html'}\n"
    assert cli("docs", "start-here", "--open").code == 0
    assert cli("docs", "start-here", "--no-open").out == f"{site / 'docs/start-here.html'}\n"
    assert opened == [str(site / "index.html"), str(site / "docs/start-here.html")]
    assert "Here." in cli("docs", "start-here").out, "without a desktop, the page is shown in the terminal"


def test_the_pages_of_the_package_are_opened_where_none_are_built(cli: Cli, opened: list[str], tmp_path: Path) -> None:
    packed = built(tmp_path, help.SITES[1])
    assert cli("docs", "start-here", "--no-open").out == f"{packed / 'docs/start-here.html'}\n"
    ours = built(tmp_path)
    assert cli("docs", "start-here", "--no-open").out == f"{ours / 'docs/start-here.html'}\n"


@pytest.mark.parametrize("name", help.EARLIER)
def test_a_page_answers_to_its_earlier_name(name: str, cli: Cli) -> None:
    assert name not in WRITTEN
    page, _, section = help.EARLIER[name].partition("#")
    (file,) = (ROOT / "docs").rglob(f"{page}.md")
    assert not section or f"\n## {section}\n" in file.read_text(encoding="utf-8")
    assert cli("docs", name, "--no-open").out == cli("docs", help.EARLIER[name], "--no-open").out != ""


def test_what_is_not_there_is_one_line(refused: Callable[..., str], opened: list[str], tmp_path: Path) -> None:
    assert "not in this installation" in refused("docs", "start-here")
    built(tmp_path)
    assert refused("docs", "starthere") == "PAGE: no page 'starthere'; did you mean 'start-here'?"
    assert opened == []
