"""`equipoise index`: links to all pages of a folder with what each says first, and what was tried there."""

from __future__ import annotations

import re
from collections.abc import Callable
from html import unescape
from pathlib import Path

import pytest

import equipoise as eq
from tests.equipoise.conftest import Cli

HOSTILE = "<script>alert(1)</script>"


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run with a report, a comparison with its page, and pages that others made."""
    folder = tmp_path_factory.mktemp("project") / "runs"
    run = eq.simulate(strategies="greedy", games=400, out=folder / "first")
    eq.report(run, quick=True, deals=20, out=folder / "first" / "page.html")
    found = eq.compare("base", settings="starting_coins.2=60", strategies="greedy", games=400)
    found.save(folder / "an odd & name", "html,json")
    (folder / "other.html").write_text("<title>made by hand</title>")
    (folder / "link.html").symlink_to(folder / "first" / "page.html")
    (folder / "evil.html").write_text(
        f'<meta name="generator" content="Equipoise"><title>{HOSTILE}</title><meta name="description" content="&lt;b>">'
    )
    return folder


def test_every_page_is_linked_with_its_first_sentence(cli: Cli, project: Path) -> None:
    said = cli("index", project, "--no-open")
    assert said.code == 0, said
    assert said.out.strip() == str(project / "index.html")
    text = (project / "index.html").read_text(encoding="utf-8")
    links = re.findall(r'<a href="\./([^"]+)">([^<]+)</a> <small>([^<]+)</small><br>([^<]+)', text)
    found = {unescape(path): unescape(sentence) for _, _, path, sentence in links}
    assert set(found) == {"first/page.html", "an odd & name/comparison.html", "evil.html"}
    assert found["first/page.html"].startswith("Not known: only weak players (greedy) played")
    assert any(address == "an%20odd%20%26%20name/comparison.html" for address, *_ in links)
    assert "made by hand" not in text
    assert HOSTILE not in text
    assert "comparison" in text and "table-log-middle-ages" in text


def test_the_index_may_be_written_again_and_does_not_list_itself(cli: Cli, project: Path) -> None:
    assert cli("index", project, "--no-open", "--lang", "fr").code == 0
    text = (project / "index.html").read_text(encoding="utf-8")
    assert "Sommaire d'un projet" in unescape(text)
    assert "index.html" not in text
    assert [path for path, *_ in eq.index(project).pages].count("index.html") == 0


def test_pages_without_runs_have_an_index_too(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "one.html").write_text('<meta name="generator" content="Equipoise 1"><title>One</title>')
    assert cli("index", tmp_path, "--no-open").code == 0
    assert "One</a>" in (tmp_path / "index.html").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [(("missing",), "missing: no such folder"), ((".",), "contains no run and no experiment")],
)
def test_bad_input(refused: Callable[..., str], arguments: tuple[str, ...], said: str) -> None:
    assert said in refused("index", *arguments)
