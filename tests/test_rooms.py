"""The rooms of the project: what stands where, which room may import which, what tests mirror, and how large a room is.

Imports run one way: simcore <- strategies <- analysis <- reports <- equipoise.
"""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Iterator, Set
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

from studies import sizes
from studies.sizes import parsed
from tests.authors import imported_by_authors

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


def imported(path: Path, modules: Set[str]) -> set[str]:
    """Return the modules that a module imports when it runs, functions included; those for type checkers are not."""
    found: set[str] = set()
    waiting: list[ast.AST] = [parsed(path)]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.If) and getattr(node.test, "id", "") == "TYPE_CHECKING":
            continue
        if isinstance(node, ast.Import):
            found |= {name.name for name in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            names = {f"{node.module}.{name.name}" for name in node.names}
            found |= names & modules or {node.module}
        waiting += ast.iter_child_nodes(node)
    return found & modules


def test_no_module_imports_itself_by_way_of_others() -> None:
    paths = [path for room in PRODUCT for path in (ROOT / room).rglob("*.py") if "templates" not in path.parts]
    modules = {".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"): path for path in paths}
    graph = {name: imported(path, modules.keys()) - {name} for name, path in modules.items()}
    assert len(graph) > 100
    TopologicalSorter(graph).prepare()


def packages(source: Path) -> Iterator[str]:
    """Yield the top-level packages that a module imports, wherever in it, also by a name given to import_module."""
    for node in ast.walk(parsed(source)):
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
    "equipoise/files.py": {"open"},  # the same as a stream
    "analysis/table_files.py": {
        "sink_csv",
        "sink_parquet",
        "write_csv",
        "write_parquet",
    },  # to such a file, or to bytes
    "strategies/tuning/journal.py": {"open"},  # line by line
    "simcore/atomic.py": {"open", "write_bytes"},  # nothing, to lock it; whole or not at all
    "simcore/doors/openspiel.py": {"open"},  # the null device
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


def writing(source: ast.Module) -> set[str]:
    """Return the functions by which a module writes files, or tables as text."""
    found = set()
    for call in (node for node in ast.walk(source) if isinstance(node, ast.Call)):
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
    writes = ast.parse("p.write_text(''); open(p, 'w'); p.open(mode='ab'); frame.sink_csv(p)")
    assert writing(writes) == {"write_text", "open", "sink_csv"}
    assert writing(ast.parse("p.open('rb'); os.open(p, 0); open(p); p.read_text()")) == set()
    found = {}
    for path in [path for room in PRODUCT for path in (ROOT / room).rglob("*.py") if "templates" not in path.parts]:
        if names := writing(parsed(path)):
            found[path.relative_to(ROOT).as_posix()] = names
    assert found == WRITERS


def test_tests_mirror_rooms() -> None:
    """A test lies in the room of what it tests; what needs no room lies beside this file, or in a folder of its own."""
    tests = [path.relative_to(ROOT / "tests") for path in (ROOT / "tests").rglob("test_*.py")]
    mirrored = [path for path in tests if path.parts[0] in (*PRODUCT, "studies")]
    assert len(mirrored) > 100
    assert [path for path in mirrored if not (ROOT / path.parent).is_dir()] == []


# --- the rules of the house ---

SECTION = re.compile(r"^(Parameters|Attributes|Returns|Yields|Raises)\n-{3,}$", re.MULTILINE)
OFFERED = ["equipoise/__init__.py", "analysis/api.py", "analysis/games/middle_ages/api.py"]
OWNERS = (ast.ClassDef, ast.FunctionDef)
QUESTIONS = ROOT / "equipoise/questions"
"""Its functions and results are what `eq` offers."""


def public() -> set[str]:
    """Return the names that `eq` offers, and those that authors of games import."""
    names = {name for room in OFFERED for name in re.findall(r"\w+", (ROOT / room).read_text(encoding="utf-8"))}
    return names.union(*imported_by_authors().values())


def test_sections_of_numpydoc_stand_only_at_public_names() -> None:
    """Elsewhere, a sentence says what a function does, a line what a parameter is, and a field has its own words."""
    names = public()
    assert {"simulate", "Game", "choose", "shuffle_deck"} <= names
    elsewhere = []
    for path in sorted(path for room in (*PRODUCT, "studies", "tests") for path in (ROOT / room).rglob("*.py")):
        text = path.read_text(encoding="utf-8")
        if "---\n" not in text or path.is_relative_to(QUESTIONS) or path.is_relative_to(ROOT / "tests/older"):
            continue
        owners = (one for one in ast.walk(parsed(path)) if isinstance(one, OWNERS))
        ours = [one.name for one in owners if one.name not in names and SECTION.search(ast.get_docstring(one) or "")]
        elsewhere += [(path.relative_to(ROOT).as_posix(), name) for name in ours]
    assert elsewhere == []


@pytest.mark.parametrize("room", sizes.ROOMS)
def test_a_room_grows_only_with_a_line_that_says_what_it_bought(room: str, measured: dict[str, dict[str, int]]) -> None:
    """The size is in tests/rooms.toml, which `python -m studies.sizes --store` lowers after every step."""
    stored, now = sizes.stored()[room], measured[room]
    limit = sizes.allowed(stored)
    assert all(one["lines"] > 0 and len(one["what"].split()) > 2 for one in stored.get("bought", ()))
    assert now["lines"] <= limit * (1 + sizes.ROOM_TO_MOVE), "say what was bought: python -m studies.sizes --store"
    assert now["lines"] >= limit * (1 - sizes.ROOM_TO_MOVE), "it shrank: python -m studies.sizes --store"
    assert now["names"] <= stored["names"], f"name things by what they are, not {sorted(sizes.REFUSED)}"


@pytest.fixture(scope="module")
def measured() -> dict[str, dict[str, int]]:
    return {room: sizes.sizes(modules) for room, modules in sizes.rooms().items()}


def test_what_a_room_bought_is_added_and_a_smaller_room_forgets_it() -> None:
    """Stored as 1,000 lines: 5 more need no word, 20 more an entry; 900 lower the number. Names never get more."""
    before = {"lines": 1000, "names": 7}
    assert sizes.renewed({"lines": 1005, "names": 8}, before) == before
    assert sizes.renewed({"lines": 900, "names": 8}, before) == {"lines": 900, "names": 7}
    assert sizes.renewed({"lines": 1005, "names": 7}, before) == {"lines": 1000, "names": 7}
    grown = sizes.renewed({"lines": 1020, "names": 6}, before)
    assert grown == {"lines": 1000, "names": 6, "bought": [{"lines": 20, "what": ""}]}
    assert sizes.allowed(grown) == 1020
    assert tomllib.loads(sizes.written({"simcore": grown})) == {"simcore": grown}
    assert sizes.renewed({"lines": 900, "names": 6}, grown) == {"lines": 900, "names": 6}


def test_statements_are_counted_without_docstrings_imports_and_signatures(tmp_path: Path) -> None:
    """By hand: the head of `if` and what it returns have two lines each, and three statements one each."""
    source = '''"""Text."""
import re

def found(
    one,
):
    """Text."""
    if (one
            and 2):
        return (one +
                1)
    x = 1
    def inner(): return 2
    return x
'''
    path = tmp_path / "module.py"
    path.write_text(source, encoding="utf-8")
    module = sizes.measured(path, tmp_path)
    assert module == sizes.Module("module.py", 14, 7, ((1, "inner"), (4, "found")), 1)


def test_no_library_has_an_upper_bound() -> None:
    """Also not Numba: with a version that `simcore.kernel.parts` does not know, kernels compile in its own way."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    wanted = [one for some in (project["dependencies"], *project["optional-dependencies"].values()) for one in some]
    assert any(one.startswith("numba>=") for one in wanted)
    assert not [one for one in wanted if re.search("<|==|~=", one)]
