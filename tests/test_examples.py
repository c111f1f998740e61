"""Every public function has an example, which runs and whose results show themselves, and names a page."""

from __future__ import annotations

import doctest
import inspect
from html.parser import HTMLParser
from pathlib import Path

import polars as pl
import pytest

import equipoise as eq
from equipoise.api.analyses import analysis_of
from simcore.game import GAMES
from tests.brief import learn_briefly, tune_briefly

ROOT = Path(__file__).resolve().parents[1]
OF_GAMES = {name: room for game in GAMES if (room := analysis_of(name := game.replace("-", "_")))}
FUNCTIONS = {
    f"{name}.{one}": inspect.unwrap(function)
    for name, room in {"eq": eq, **OF_GAMES}.items()
    for one in dir(room)
    if inspect.isfunction(function := getattr(room, one))
}


class Wellformed(HTMLParser):
    """Notes which tags are open at the end."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in ("br", "meta", "link", "img", "hr", "input"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


@pytest.mark.parametrize("name", FUNCTIONS)
def test_the_example_of_a_function_runs(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    tune_briefly(monkeypatch.setattr)
    learn_briefly(monkeypatch.setattr)
    function = FUNCTIONS[name]
    (found,) = doctest.DocTestFinder(recurse=False).find(function, name, globs=vars(inspect.getmodule(function)).copy())
    assert any(name.removeprefix("eq.") in example.source for example in found.examples)
    said: list[str] = []
    runner = doctest.DocTestRunner(verbose=False, optionflags=doctest.NORMALIZE_WHITESPACE)
    runner.run(found, out=said.append, clear_globs=False)
    assert not said, "".join(said)
    for variable in {line.partition(" = ")[0] for example in found.examples for line in example.source.splitlines()}:
        result = found.globs.get(variable)
        if hasattr(result, "_repr_html_") and not isinstance(result, pl.DataFrame):
            assert len(str(result)) < 400
            parser = Wellformed()
            parser.feed(result._repr_html_())
            assert parser.open == []


@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_function_refers_to_a_page_that_exists(name: str) -> None:
    text = inspect.getdoc(FUNCTIONS[name]) or ""
    _, _, below = text.partition("References\n----------\n")
    first = below.partition("\n")[0].removeprefix("* ")
    assert (ROOT / first).is_file(), first


@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_function_has_no_parameters_for_our_own_use(name: str) -> None:
    taken = inspect.signature(FUNCTIONS[name]).parameters
    assert not {"command", "compose"} & set(taken)
    assert not any(one.startswith("_") for one in taken)
