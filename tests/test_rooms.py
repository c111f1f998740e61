"""The rooms of the project: what stands where, which room may import which, and that tests mirror the tree.

Imports run one way: simcore <- strategies <- analysis <- reports <- equipoise.
"""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Collection, Iterator
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PRODUCT = ["simcore", "strategies", "analysis", "reports", "equipoise"]
HEAVY = {"polars", "pandas", "pyarrow", "matplotlib", "typer", "rich", "scipy"}
"""What `simcore` does without."""
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


def packages(source: Path) -> Iterator[str]:
    """Yield the top-level packages that a module imports, wherever in it, also by a name given to import_module."""
    for node in ast.walk(ast.parse(source.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (name.name.split(".")[0] for name in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{source}: write the whole name"
            yield str(node.module).split(".")[0]
        elif isinstance(node, ast.Call) and getattr(node.func, "id", getattr(node.func, "attr", "")) == "import_module":
            yield from (
                str(part.value).split(".")[0]
                for part in ast.walk(node)
                if isinstance(part, ast.Constant) and isinstance(part.value, str)
            )


@pytest.mark.parametrize("room", PRODUCT)
def test_rooms_import_nothing_from_rooms_above(room: str) -> None:
    above = {*PRODUCT[PRODUCT.index(room) + 1 :], "tests"}
    sources = sorted((ROOT / room).rglob("*.py"))
    assert sources
    found = {(str(source.relative_to(ROOT)), name) for source in sources for name in packages(source) if name in above}
    assert found == set()


def test_simcore_does_without_tables_figures_and_terminals() -> None:
    for source in (ROOT / "simcore").rglob("*.py"):
        assert not HEAVY & set(packages(source)), source


WRITERS = {
    "simcore/atomic.py": {"write_bytes"},  # whole or not at all
    "equipoise/files.py": {"open"},  # the same as a stream
    "analysis/table_files.py": {
        "sink_csv",
        "sink_parquet",
        "write_csv",
        "write_parquet",
    },  # to such a file, or to bytes
    "strategies/tuning/journal.py": {"open"},  # line by line
    "simcore/lock.py": {"open"},  # nothing, to lock it
    "simcore/doors/openspiel_players.py": {"open"},  # the null device
    "simcore/doors/worker.py": {"fdopen"},  # a pipe
}
"""The modules that write files, and by which functions."""

WRITING = re.compile(
    r"(write|sink)_(text|bytes|csv|parquet|json|ndjson|ipc|excel|avro)|to_(csv|excel|json|parquet)|writer|DictWriter"
    r"|tofile|savetxt|copyfile|copytree"
)
"""Functions that write files or tables."""

SAVING = re.compile("savefig|savez|savez_compressed")
MODE = re.compile(r"[rbt]*[wxa+][rbt+]*")


def writing(source: str) -> set[str]:
    """Return the functions by which a source writes files, or tables as text."""
    found = set()
    for call in (node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Call)):
        name = getattr(call.func, "attr", getattr(call.func, "id", ""))
        given = [*call.args, *(word.value for word in call.keywords)]
        modes = [str(one.value) for one in given if isinstance(one, ast.Constant)]
        opens = name in ("open", "fdopen") and any(map(MODE.fullmatch, modes))
        saves = SAVING.fullmatch(name) and ast.unparse(call.args[0]) != "buffer"
        if opens or saves or WRITING.fullmatch(name):
            found.add(name)
    return found


def test_files_are_written_in_one_place() -> None:
    """So that what stands there is whole, and no spreadsheet obeys a text of a stranger."""
    assert writing("p.write_text(''); open(p, 'w'); p.open(mode='ab'); frame.sink_csv(p)") == {
        "write_text", "open", "sink_csv",
    }  # fmt: skip
    assert writing("p.open('rb'); os.open(p, 0); open(p); p.read_text()") == set()
    found = {}
    for path in [path for room in PRODUCT for path in (ROOT / room).rglob("*.py") if "templates" not in path.parts]:
        if names := writing(path.read_text(encoding="utf-8")):
            found[path.relative_to(ROOT).as_posix()] = names
    assert found == WRITERS


WHOLE = {
    "equipoise": {
        "bad_input", "clock", "closed_output", "ended_early", "endless_policies", "failing", "full_disk", "fuzz",
        "fuzz_options", "imports_in_threads", "largest", "no_code_from_data", "object_store", "odd_files",
        "older_files", "other_systems", "plain_games", "precision", "recommended", "resume", "summary", "toy",
        "two_at_once", "words_of_strangers",
    },
    "simcore/kernel": {"gpu", "plain"},
}  # fmt: skip
"""Tests of the whole program, by the folder of its outermost module: what no module does alone."""


def test_tests_mirror_the_tree() -> None:
    """A test lies in the folder of what it tests, and is named for a module there or for the folder itself."""
    tests = [path.relative_to(ROOT / "tests") for path in (ROOT / "tests").rglob("test_*.py")]
    mirrored = [path for path in tests if path.parts[0] in (*PRODUCT, "studies")]
    assert len(mirrored) > 150
    for path in mirrored:
        folder, name = path.parent, path.stem.removeprefix("test_")
        there = {item.stem for item in (ROOT / folder).iterdir() if item.is_dir() or item.suffix == ".py"}
        named = any(name == one or name.startswith(f"{one}_") for one in there | {folder.name})
        assert named or name in WHOLE.get(folder.as_posix(), ()), path


def test_the_tests_of_the_whole_program_are_there() -> None:
    for folder, names in WHOLE.items():
        assert {name for name in names if not (ROOT / "tests" / folder / f"test_{name}.py").exists()} == set()


def test_no_library_has_an_upper_bound() -> None:
    """Also not Numba: with a version that `simcore.kernel.parts` does not know, kernels compile in its own way."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    wanted = [one for some in (project["dependencies"], *project["optional-dependencies"].values()) for one in some]
    assert any(one.startswith("numba>=") for one in wanted)
    assert not [one for one in wanted if re.search("<|==|~=", one)]
