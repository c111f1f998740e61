"""Python files of users: found without being run, read once, and run from the bytes that were hashed."""

from __future__ import annotations

import dataclasses
import hashlib
import inspect
import os
import pickle
import py_compile
import shutil
import sys
import traceback
from collections.abc import Callable, Iterator
from importlib.util import cache_from_source
from pathlib import Path
from types import ModuleType

import pytest

from simcore.errors import UsageError
from simcore.imports import Sources, file_sources, module_file, module_sources
from tests.nim import forget_files

Run = Callable[..., ModuleType]


@pytest.fixture
def forgetful(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Work in a folder of its own, and forget what was run."""
    monkeypatch.chdir(tmp_path)
    finders = [*sys.meta_path]
    forget_files()
    yield
    sys.meta_path[:] = finders
    forget_files()


@pytest.fixture
def run(forgetful: None) -> Run:
    """Return a function that writes a text, if one is given, and runs the file."""

    def call(path: str, text: str | None = None) -> ModuleType:
        if text is not None:
            write(path, text)
        return read(path).run(path, "game")

    return call


def write(path: str, text: str | bytes = "") -> Path:
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    Path(path).write_bytes(text if isinstance(text, bytes) else text.encode())
    return Path(path)


def read(path: str) -> Sources:
    return file_sources(path, path, "game")


def test_nothing_runs_to_find_a_module(forgetful: None, tmp_path: Path) -> None:
    for name in ("outer/__init__.py", "outer/inner.py", "loose/inside.py", "single.py"):
        write(name, "1 / 0")
    assert module_file("outer.inner") == tmp_path / "outer/inner.py"
    assert module_file("outer") == tmp_path / "outer/__init__.py"
    assert module_file("loose.inside") == tmp_path / "loose/inside.py"
    assert module_file("loose") is module_file("outer.none") is module_file("none") is module_file("../single") is None
    assert module_file("single", here=False) is None

    def files(name: str) -> list[Path]:
        found = module_sources(name)
        return [path for path, _ in found.files] if found else []

    assert files("outer.inner") == [tmp_path / "outer/__init__.py", tmp_path / "outer/inner.py"]
    assert files("single") == [tmp_path / "single.py"]
    assert files("none") == files("sys") == []
    assert not {"outer", "single", "loose"} & set(sys.modules)


def test_a_file_is_followed_by_the_modules_of_its_folder_that_it_imports(forgetful: None) -> None:
    own = write(
        "own.py", "import json, numpy, statistics\nimport near\nfrom inside import deep\nfrom loose import one\n"
    )
    names = ["near.py", "inside/__init__.py", "inside/deep.py", "loose/one.py"]
    for name in (*names, "numpy.py", "statistics.py", "idle.py"):
        write(name, f"import idle_{len(name)}\nfrom .............. import idle\n")
    assert read("own.py").modules == {name: hashlib.sha256(Path(name).read_bytes()).hexdigest() for name in names}
    Path("inside/data.py").mkdir()
    Path("near.py").write_text("from further import *\n")
    write("further.py")
    assert {*read("own.py").modules} == {*names, "further.py"}
    alone = hashlib.sha256(own.write_bytes(b"X = 1\n") and b"X = 1\n").hexdigest()
    assert (read("own.py").sha256, read("own.py").modules) == (alone, {})


def test_another_module_of_the_same_name_is_refused(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of another folder, also if neither has been imported yet, and whatever the user's own program has imported."""
    late = "def late():\n    import near_of_test\n    return near_of_test.VALUE\n"
    for folder in "12":
        write(f"{folder}/near_of_test.py", f"VALUE = {folder}\n")
    first = run("1/own.py", late)
    with pytest.raises(UsageError, match=r"own\.py: another file has run a module 'near_of_test'; give one of them"):
        run("2/own.py", late)
    with pytest.raises(ModuleNotFoundError):
        import near_of_test  # type: ignore[import-not-found]  # noqa: F401
    more = run("1/more.py", "import near_of_test\n")
    assert (first.late(), more.near_of_test) == (1, sys.modules["near_of_test"])
    forget_files()
    monkeypatch.setitem(sys.modules, "near_of_test", ModuleType("near_of_test"))
    for folder in "12":
        with pytest.raises(UsageError, match="a module 'near_of_test' was imported before; if it is this one, start"):
            run(f"{folder}/own.py", late)


def test_packages_without_a_file_of_their_own_are_shared_within_a_folder(run: Run) -> None:
    write("loose_of_test/inside.py", "VALUE = 1\n")
    for name in ("own.py", "more.py"):
        assert run(name, "from loose_of_test import inside\n").inside.VALUE == 1


def test_the_name_of_an_installed_module_is_refused(run: Run) -> None:
    write("polars.py")
    said = r"/polars: Python finds another module 'polars' in .*/polars; give this one another name"
    with pytest.raises(UsageError, match=said):
        run("own.py", "import polars\n")


def test_a_module_of_python_is_not_looked_for_in_the_current_folder(forgetful: None) -> None:
    write("shutil.py", "1 / 0\n")
    found = module_sources("shutil")
    assert found and found.path == Path(str(shutil.__file__)).resolve()


@pytest.mark.parametrize("broken", ["own.py", "near.py", "pack/__init__.py"])
def test_bytecode_is_neither_read_nor_written(run: Run, broken: str) -> None:
    """Neither what Python would take for fresh, nor what says that it is not to be compared (PEP 552)."""
    for name in ("near.py", "pack/__init__.py"):
        write(name, "VALUE = 1\n")
    write("own.py", "import near, pack\nVALUE = 1\n")
    write("evil.py", "raise SystemExit('ran')\n")
    mode = py_compile.PycInvalidationMode.UNCHECKED_HASH
    py_compile.compile("evil.py", cache_from_source(broken), broken, invalidation_mode=mode)
    planted = {*Path().rglob("*.pyc")}
    assert [run("own.py").VALUE, run("own.py").near.VALUE, run("own.py").pack.VALUE] == [1, 1, 1]
    assert {*Path().rglob("*.pyc")} == planted


def test_what_is_hashed_is_what_runs(run: Run) -> None:
    """Another file with the same size and time, and files that change after they were read."""
    write("own.py", "import near\nVALUE = 1\n")
    write("near.py", "VALUE = 1\n")
    run("own.py")
    before = read("own.py")
    write("own.py", "import near\nVALUE = 2\n")
    os.utime("own.py", (0, 0))
    with pytest.raises(UsageError, match=r"own\.py: has changed since this process ran it; start Python again"):
        run("own.py")
    forget_files()
    after = read("own.py")
    write("own.py", "1 / 0\n")
    Path("near.py").unlink()
    module = after.run("own.py", "game")
    assert (after.sha256 != before.sha256, module.VALUE, module.near.VALUE) == (True, 2, 1)


def test_a_changed_module_is_noticed_by_the_next_file_that_imports_it(run: Run) -> None:
    write("near.py", "VALUE = 1\n")
    run("own.py", "import near\n")
    write("near.py", "VALUE = 2\n")
    with pytest.raises(UsageError, match=r"more\.py: has changed since this process ran it"):
        run("more.py", "import near\n")


def test_a_module_that_comes_while_the_file_runs_is_not_named_as_if_it_had_played(run: Run) -> None:
    run("own.py", "try:\n    import near_of_test\nexcept ImportError:\n    pass\n")
    write("near_of_test.py")
    with pytest.raises(UsageError, match=r"own\.py: has changed since this process ran it"):
        run("own.py")


def test_what_failed_can_be_mended(run: Run) -> None:
    write("near.py", "VALUE = 1 / 0\n")
    with pytest.raises(UsageError, match=r"^game: own\.py: <module> raised ZeroDivisionError.* \(near\.py, line 1\)"):
        run("own.py", "import near\n")
    write("near.py", "VALUE = 2\n")
    assert run("own.py").near.VALUE == 2


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (b"x = 1\n)", "own.py, line 2: unmatched ')'"),
        (b"x = 1\ny = 2\0\n", "own.py, line 2: source code string cannot contain null bytes"),
        (b"x = 1\ny = '\xff'\n", "own.py, line 2: (unicode error) 'utf-8' codec can't decode byte 0xff"),
        (b"# coding: nonsense\n", "own.py, line 1: unknown encoding: nonsense"),
        (b"import near\n", "own.py: near.py, line 3: unmatched ')'"),
        (b"import near_\n", "own.py: <module> raised ModuleNotFoundError: No module named 'near_' (own.py, line 1)"),
        (b"import sys\nsys.exit(3)\n", "own.py: <module> raised SystemExit: 3 (own.py, line 2)"),
        (b"class Own(BaseException): pass\nraise Own(3)\n", "own.py: <module> raised Own: 3 (own.py, line 2)"),
    ],
)  # fmt: skip
def test_an_error_names_file_and_line(run: Run, text: bytes, said: str) -> None:
    write("near.py", "\n\n)")
    write("own.py", text)
    with pytest.raises(UsageError) as caught:
        run("own.py")
    assert caught.value.message.startswith(said)


TOOLS = """
import dataclasses

@dataclasses.dataclass
class Move:
    number: int

def fail():
    return 1 / 0
"""


def test_pickle_dataclasses_and_inspect_work_whatever_becomes_of_the_file(run: Run) -> None:
    module = run("own.py", TOOLS)
    write("own.py", "# something else\n" * 9)
    assert pickle.loads(pickle.dumps(module.Move(3))) == module.Move(3)
    assert [field.type for field in dataclasses.fields(module.Move)] == [int]
    assert inspect.getsource(module.fail) == "def fail():\n    return 1 / 0\n"
    try:
        module.fail()
    except ZeroDivisionError as error:
        last = traceback.extract_tb(error.__traceback__)[-1]
    assert (last.filename, last.lineno, last.line) == (str(Path("own.py").resolve()), 9, "return 1 / 0")


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda: write("near.py", "VALUE = 2\n"), "near.py, which it imports, is not the file that the games were"),
        (lambda: Path("near.py").unlink(), "near.py, which it imports, is missing, so it was not run"),
    ],
)
def test_a_module_that_differs_or_is_missing_is_refused(forgetful: None, change: Callable[[], None], said: str) -> None:
    write("near.py", "VALUE = 1\n")
    write("own.py", "import near\n")
    named = read("own.py").modules
    change()
    with pytest.raises(UsageError, match=said):
        read("own.py").with_modules(named, "own.py", "game")


def test_a_module_that_came_later_does_not_run(forgetful: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """What was not there when a run was made is not there when it is played again."""
    before = read(str(write("own.py", "try:\n    import near_of_test\nexcept ImportError:\n    near_of_test = None\n")))
    write("near_of_test.py", "1 / 0\n")
    again = read("own.py").with_modules(before.modules, "own.py", "game")
    assert again == before
    monkeypatch.syspath_prepend(".")
    assert again.run("own.py", "game").near_of_test is None


def test_a_run_that_does_not_name_a_module_says_so(forgetful: None) -> None:
    write("near_of_test.py")
    write("own.py", "import near_of_test\n")
    said = "No module named 'near_of_test': the run does not name it, so the run cannot be replayed; make it again"
    with pytest.raises(UsageError, match=said):
        read("own.py").with_modules({}, "own.py", "game").run("own.py", "game")


@pytest.mark.parametrize("on_path", [False, True])
def test_code_that_was_not_read_does_not_run(run: Run, monkeypatch: pytest.MonkeyPatch, on_path: bool) -> None:
    """Not from a folder of the user's, by whatever way; a module of Python's own is not looked for there."""
    if on_path:
        monkeypatch.setattr(sys, "path", ["", *sys.path])
    for name in ("pack/__init__.py", "shelve.py", "named_by_a_text.py", "loose/inside.py"):
        write(name, "1 / 0\n" if name != "pack/__init__.py" else "")
    write("evil.py", "1 / 0\n")
    py_compile.compile("evil.py", "pack/late.pyc")
    py_compile.compile("evil.py", "alone.pyc")
    for line, said in (
        ("import pack.late", "'pack.late' "),
        ("import alone", "'alone': only .py files that an import statement names are run"),
        ("from importlib import import_module; import_module('named_by_a_text')", "'named_by_a_text': only .py files"),
        ("__import__('loose.inside')", "'loose': only .py files"),
    ):
        with pytest.raises(UsageError, match=f"raised ModuleNotFoundError: No module named {said}"):
            run("own.py", f"{line}\n")
    monkeypatch.delitem(sys.modules, "shelve", raising=False)
    assert Path(str(run("own.py", "import shelve\n").shelve.__file__)) == Path(shutil.__file__).with_name("shelve.py")
