"""Do the tests notice a wrong line?  `python -m tests.verification.mutating COUNT` changes lines, and runs the tests.

A mutant is a module with one small fault: another comparison, operator, number or condition.  They are drawn at random,
the same ones every time, among the lines that the tests run.  Each is tried in a process of its own, forked from this
one, with the test files that run its line.  A mutant that makes no test fail has survived: either a test is missing, or
the change means the same.
"""

from __future__ import annotations

import ast
import copy
import importlib.machinery
import json
import os
import random
import resource
import signal
import sys
import tempfile
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from importlib.abc import Loader, MetaPathFinder
from importlib.util import spec_from_file_location
from pathlib import Path
from types import CodeType, FrameType, ModuleType
from typing import Any, NamedTuple

import pytest

ROOT = Path(__file__).resolve().parents[2]
ROOMS = ("analysis/stats", "analysis/ratings", "analysis/check", "analysis/seats", "simcore/rules")
TESTS = (*(f"tests/{room}" for room in ROOMS), "tests/equipoise/commands/test_check.py")
SEED = 20_261_123
PATIENCE = 120
"""Seconds of a processor after which a mutant counts as noticed: it does not end."""

COMPARED = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.In: ast.NotIn, ast.NotIn: ast.In,
}  # fmt: skip
COUNTED = {
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Div, ast.Div: ast.Mult, ast.FloorDiv: ast.Mult, ast.Pow: ast.Mult,
    ast.BitAnd: ast.BitOr, ast.BitOr: ast.BitAnd,
}  # fmt: skip
JOINED = {ast.And: ast.Or, ast.Or: ast.And}

Lines = dict[str, set[int]]
"""Lines by file."""


class Mutant(NamedTuple):
    """A change of one line."""

    path: str
    line: int
    number: int
    before: str
    after: str


def _changed(node: ast.AST) -> Iterator[ast.AST]:
    """Yield what a node can be changed into."""
    if isinstance(node, ast.Compare) and type(node.ops[0]) in COMPARED:
        yield ast.Compare(node.left, [COMPARED[type(node.ops[0])](), *node.ops[1:]], node.comparators)
    elif isinstance(node, ast.BinOp) and type(node.op) in COUNTED:
        yield ast.BinOp(node.left, COUNTED[type(node.op)](), node.right)
    elif isinstance(node, ast.BoolOp):
        yield ast.BoolOp(JOINED[type(node.op)](), node.values)
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not | ast.USub):
        yield node.operand
    elif isinstance(node, ast.Constant) and isinstance(node.value, bool):
        yield ast.Constant(not node.value)
    elif isinstance(node, ast.Constant) and isinstance(node.value, int | float):
        yield ast.Constant(node.value + 1)
    elif isinstance(node, ast.If | ast.IfExp | ast.While):
        turned = copy.copy(node)
        turned.test = ast.UnaryOp(ast.Not(), node.test)
        yield turned


def _spared(tree: ast.AST) -> set[int]:
    """Return the nodes that say nothing about what a program does: annotations, and what only Python's words need."""
    spared: set[int] = set()
    for node in ast.walk(tree):
        parts: list[ast.AST | None] = [getattr(node, "annotation", None), getattr(node, "returns", None)]
        if isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING":
            parts.append(node)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("zip", "dataclass"):
            parts += node.keywords  # strict=True, frozen=True
        if (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Attribute)
            and node.func.attr in ("zip", "iter_rows")
        ):
            parts += node.keywords
        if isinstance(node, ast.ClassDef | ast.FunctionDef):
            parts += node.decorator_list
        spared |= {id(inside) for part in parts if part is not None for inside in ast.walk(part)}
    return spared


def _sites(tree: ast.Module) -> list[tuple[ast.AST, ast.AST]]:
    """Return the nodes of a module that can be changed, in order, and what each becomes."""
    spared = _spared(tree)
    return [(node, other) for node in ast.walk(tree) if id(node) not in spared for other in _changed(node)]


class _Put(ast.NodeTransformer):
    """Puts one node in the place of another."""

    def __init__(self, old: ast.AST, new: ast.AST) -> None:
        self._old, self._new = old, new

    def visit(self, node: ast.AST) -> Any:
        return ast.copy_location(self._new, node) if node is self._old else self.generic_visit(node)


def mutants(ran: Lines) -> list[Mutant]:
    """Return all mutants of the lines that ran."""
    found = []
    for room in ROOMS:
        for path in sorted((ROOT / room).glob("*.py")):
            name = str(path.relative_to(ROOT))
            for number, (old, new) in enumerate(_sites(ast.parse(path.read_text(encoding="utf-8")))):
                if old.lineno in ran.get(name, ()):
                    texts = [" ".join(ast.unparse(getattr(node, "test", node)).split())[:60] for node in (old, new)]
                    found.append(Mutant(name, old.lineno, number, *texts))
    return found


def compiled(mutant: Mutant) -> CodeType:
    """Return the code of a mutant."""
    path = ROOT / mutant.path
    tree = ast.parse(path.read_text(encoding="utf-8"))
    old, new = _sites(tree)[mutant.number]
    return compile(ast.fix_missing_locations(_Put(old, new).visit(tree)), str(path), "exec")


class _Swapped(MetaPathFinder, Loader):
    """Imports a mutant in the place of its module."""

    def __init__(self, mutant: Mutant) -> None:
        self._path = ROOT / mutant.path
        self._name = mutant.path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
        self._code = compiled(mutant)

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        return spec_from_file_location(fullname, self._path, loader=self) if fullname == self._name else None

    def exec_module(self, module: ModuleType) -> None:
        exec(self._code, vars(module))


class Watch:
    """Notes which lines of the rooms each test file runs, and which steps between lines are taken."""

    def __init__(self) -> None:
        self.ran: dict[str, Lines] = defaultdict(lambda: defaultdict(set))
        self.steps: dict[str, set[tuple[int, int]]] = defaultdict(set)
        self._file = ""
        self._rooms = tuple(str(ROOT / room) for room in ROOMS)

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        """Note which file's test begins; Python stops following after an error in the middle, as of recursion."""
        self._file = nodeid.partition("::")[0]
        sys.settrace(self.trace)

    def trace(self, frame: FrameType, event: str, argument: object) -> Any:
        """Follow the functions of the rooms."""
        if not frame.f_code.co_filename.startswith(self._rooms):
            return None
        name = str(Path(frame.f_code.co_filename).relative_to(ROOT))
        last = frame.f_lineno

        def line(frame: FrameType, event: str, argument: object) -> Any:
            nonlocal last
            now = -1 if event == "return" else frame.f_lineno
            self.ran[self._file][name].add(frame.f_lineno)
            self.steps[name].add((last, now))
            last = now
            return line

        return line


def _forked(works: Sequence[Callable[[], int]], seconds: int) -> list[int]:
    """Do pieces of work in processes of their own, as many at once as there are processors; return their exit codes.

    A process ends where it has used so many seconds of a processor, or has waited twenty times as long.
    """
    codes: dict[int, int] = {}
    running: dict[int, int] = {}
    waiting = list(reversed(list(enumerate(works))))
    while waiting or running:
        while waiting and len(running) < (os.cpu_count() or 1):
            number, work = waiting.pop()
            running[_begun(work, seconds)] = number
        child, status = os.wait()
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(child, signal.SIGKILL)  # what it has started
        codes[running.pop(child)] = os.waitstatus_to_exitcode(status)
    return [codes[number] for number in range(len(works))]


def _begun(work: Callable[[], int], seconds: int) -> int:
    """Begin some work in another process, and return its number."""
    child = os.fork()
    if child:
        return child
    code = 1
    try:
        os.setsid()
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
        signal.alarm(20 * seconds)
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, 1)
        os.dup2(nowhere, 2)
        code = work()
    finally:
        os._exit(code)


def _tested(files: Sequence[str], *plugins: object) -> int:
    """Run test files in this process, without results of other processes; return pytest's exit code.

    Pytest would load our modules in its own way, to show more of an assertion that fails.
    """
    from simcore.kernel import cache

    with tempfile.TemporaryDirectory() as folder:
        cache.beside_kernels = lambda name: Path(folder)
        return int(pytest.main(["-x", "-q", "--assert=plain", "-p", "no:cacheprovider", *files], plugins=plugins))


def watched() -> tuple[dict[str, Lines], dict[str, set[tuple[int, int]]]]:
    """Return which lines each test file runs, and the steps between lines."""
    with tempfile.TemporaryDirectory() as folder:
        told = Path(folder, "told.json")

        def work() -> int:
            watch = Watch()
            sys.settrace(watch.trace)
            code = _tested(TESTS, watch)
            sys.settrace(None)
            lines = {test: {path: sorted(found) for path, found in ran.items()} for test, ran in watch.ran.items()}
            told.write_text(json.dumps([lines, {path: sorted(steps) for path, steps in watch.steps.items()}]))
            return code

        assert _forked([work], 20 * PATIENCE) == [0], "the tests must pass without a mutant"
        lines, steps = json.loads(told.read_text())
    ran = {test: {path: set(found) for path, found in files.items()} for test, files in lines.items()}
    return ran, {path: {(first, second) for first, second in found} for path, found in steps.items()}


def never_ran(steps: dict[str, set[tuple[int, int]]]) -> Iterator[str]:
    """Yield the branches of statements that no test has taken."""
    for room in ROOMS:
        for path in sorted((ROOT / room).glob("*.py")):
            name = str(path.relative_to(ROOT))
            taken = steps.get(name, set())
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if not isinstance(node, ast.If | ast.While | ast.For) or getattr(node, "test", None) is None:
                    continue
                head = range(node.lineno, node.body[0].lineno)
                inside = range(node.body[0].lineno, (node.body[-1].end_lineno or 0) + 1)
                ends = {second in inside for first, second in taken if first in head and second not in head}
                test = ast.unparse(node.test)
                if ends and True not in ends:
                    yield f"{name}:{node.lineno}: never true: {test}"
                elif ends and False not in ends:
                    yield f"{name}:{node.lineno}: never false: {test}"


def survivors(tried: Sequence[tuple[Mutant, Sequence[str]]]) -> list[Mutant]:
    """Return the mutants with which no test fails in the files that are given with each."""

    def work(mutant: Mutant, files: Sequence[str]) -> int:
        sys.meta_path.insert(0, _Swapped(mutant))
        return _tested(files)

    codes = _forked([partial(work, *one) for one in tried], PATIENCE)
    return [mutant for (mutant, _), code in zip(tried, codes, strict=True) if code == 0]


def main(count: int) -> dict[str, Any]:
    """Try so many mutants, and return what came of them."""
    import numba  # noqa: F401
    import polars  # noqa: F401
    import scipy.special
    import scipy.stats  # noqa: F401

    ran, steps = watched()
    every: Lines = defaultdict(set)
    for files in ran.values():
        for path, lines in files.items():
            every[path] |= lines
    all_of_them = mutants(every)
    drawn = sorted(random.Random(SEED).sample(all_of_them, min(count, len(all_of_them))))
    files = [[test for test, found in ran.items() if test and one.line in found.get(one.path, ())] for one in drawn]
    left = survivors([(mutant, own or TESTS) for mutant, own in zip(drawn, files, strict=True)])
    told = [f"{mutant.path}:{mutant.line}: {mutant.before} -> {mutant.after}" for mutant in left]
    return {"mutants": len(all_of_them), "tried": len(drawn), "survived": told, "never_ran": list(never_ran(steps))}


if __name__ == "__main__":
    print(json.dumps(main(int(sys.argv[1]))))
