"""What only one game has stands in that game's own rooms, and no module imports itself by way of others."""

from __future__ import annotations

import ast
import re
from collections.abc import Collection
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PRODUCT = ["simcore", "strategies", "analysis", "reports", "equipoise"]
OWN = re.compile(
    r"\b(domains?|event_impact|scouts?|tiles?|tokens?|draft|picks|holdings|penalty|reservations?|guilds?|jesters?"
    r"|domaines?|évènements?|éclaireurs?|tuiles?|jetons?|guildes?|middle.?ages|m[ée]di[ée]vallons)\b",
    re.IGNORECASE,
)
NOT_WORDS = re.compile(r"np\.tile\(|addEventListener|def draft\(")
"""A function of NumPy, one of browsers, and the draft of a baseline."""


def named(path: Path) -> set[str]:
    text = NOT_WORDS.sub("", path.read_text(encoding="utf-8"))
    return {found.lower() for found in OWN.findall(text)}


@pytest.mark.parametrize("room", ["analysis", "reports"])
def test_shared_rooms_name_nothing_that_only_one_game_has(room: str) -> None:
    found = {}
    for path in sorted((ROOT / room).rglob("*")):
        name = path.relative_to(ROOT)
        if "games" in name.parts or path.suffix not in (".py", ".toml", ".html", ".js", ".css"):
            continue
        if words := named(path):
            found[str(name)] = words
    assert found == {}


def test_the_search_finds_what_stands_in_a_game_s_own_room() -> None:
    assert {"domains", "tiles", "tokens"} <= named(ROOT / "reports/games/middle_ages/domains.py")


def imported(path: Path, modules: Collection[str]) -> set[str]:
    """Return the modules that a module imports when it runs, functions included; those for type checkers are not."""
    found: set[str] = set()
    waiting: list[ast.AST] = [ast.parse(path.read_text(encoding="utf-8"))]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.dump(node.test):
            continue
        if isinstance(node, ast.Import):
            found |= {name.name for name in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            names = {f"{node.module}.{name.name}" for name in node.names}
            found |= names & set(modules) or {node.module}
        waiting += ast.iter_child_nodes(node)
    return found & set(modules)


def test_no_module_imports_itself_by_way_of_others() -> None:
    paths = [path for room in PRODUCT for path in (ROOT / room).rglob("*.py") if "templates" not in path.parts]
    modules = {".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"): path for path in paths}
    graph = {name: imported(path, modules) - {name} for name, path in modules.items()}
    assert len(graph) > 300
    TopologicalSorter(graph).prepare()
