"""A command whose imports fail, one at a time: `python -m tests.machine.importing SHARE COPIES WORDS...` tries them.

The process carries out the command in its current folder.  Before an import that is tried, it forks: in the new process
the import fails, and the command goes on to its end; then what it left is moved away, and the folder is as it was.  So
nothing is imported twice, and each of a thousand imports can be tried.  Once Polars has its threads, which a fork lacks
and would wait for, the command is carried out from its beginning instead.  Nothing of the toolkit is imported before
the command is.  Python's own modules do not fail.
"""

from __future__ import annotations

import json
import os
import random
import shutil
import subprocess
import sys
import threading
import traceback
from collections.abc import Callable, Sequence
from functools import partial
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder
from pathlib import Path
from types import ModuleType

from tests.waiting import ended

SEED = 20_261_123
PART_SIZES = (120, 122_880)
"""Games of a part, in place of those of the toolkit: so that a short run has several parts."""
AFRESH = """
import sys
from tests.machine.importing import FailingOnce, SmallParts
sys.meta_path[:0] = [FailingOnce(sys.argv.pop(1)), SmallParts()]
sys.argv[0] = "equipoise"
from equipoise.start import main
main()
"""
"""A process that carries out a command from its beginning; the module whose import fails comes before its words."""
PATIENCE = 60
"""Seconds after which a process is killed."""


class Failing(MetaPathFinder):
    """Is asked first for every module.

    share: The share of the imports that are tried, drawn at random.
    copies: Where copies of the current folder are made.

    ended: Of each import that was tried, the module's name, the exit code (None if the process was killed), what it
        wrote to standard error, and its folder.
    """

    def __init__(self, share: float, copies: Path) -> None:
        self.ended: list[tuple[str, int | None, str, str]] = []
        self._copies, self._share, self._chance = copies, share, random.Random(SEED)

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> None:  # it finds nothing
        own = fullname.partition(".")[0] in sys.stdlib_module_names
        if own or threading.current_thread() is not threading.main_thread() or self._chance.random() >= self._share:
            return
        left, error = (self._copies / f"{len(self.ended)}{end}" for end in ("", ".error"))
        if any(task.read_text().startswith("polars-0") for task in Path("/proc/self/task").glob("*/comm")):
            shutil.copytree(self._copies / "first", left)
            self.ended.append((fullname, self._afresh(fullname, left, error), error.read_text(), str(left)))
            return
        shutil.copytree(Path.cwd(), self._copies / "before")
        if child := os.fork():
            self.ended.append((fullname, ended(child, PATIENCE), error.read_text(), str(left)))
            _exchange(left, self._copies / "before")
            return
        os.dup2(os.open(error, os.O_WRONLY | os.O_CREAT), 2)
        sys.meta_path.remove(self)
        raise ImportError(f"{fullname} fails", name=fullname)

    def _afresh(self, module: str, folder: Path, error: Path) -> int | None:
        """Carry out the command in a new process, in which one import fails; return its exit code."""
        line = [sys.executable, "-c", AFRESH, module, *sys.argv[1:]]
        with error.open("w") as file:
            try:
                return subprocess.run(line, cwd=folder, stderr=file, timeout=PATIENCE, check=False).returncode
            except subprocess.TimeoutExpired:
                return None


class FailingOnce(MetaPathFinder):
    """Lets the first import of one module fail."""

    def __init__(self, module: str) -> None:
        self._module = module

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> None:  # it finds nothing
        if fullname == self._module:
            sys.meta_path.remove(self)
            raise ImportError(f"{fullname} fails", name=fullname)


class SmallParts(MetaPathFinder):
    """Gives runs parts of `PART_SIZES` games."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        found = PathFinder.find_spec(fullname, path, target) if fullname == "simcore.running.executors" else None
        if found is not None and found.loader is not None:
            found.loader.exec_module = partial(_exec_smaller, found.loader.exec_module)  # type: ignore[method-assign]
        return found


def _exec_smaller(exec_module: Callable[[ModuleType], None], module: ModuleType) -> None:
    exec_module(module)
    vars(module)["PART_SIZES"] = PART_SIZES


def _exchange(left: Path, before: Path) -> None:
    """Move what is in the current folder to another one, and what was there before back."""
    left.mkdir()
    for source, target in ((Path.cwd(), left), (before, Path.cwd())):
        for path in source.iterdir():
            path.rename(target / path.name)
    before.rmdir()


def carry_out(share: float, copies: Path, words: Sequence[str]) -> int:
    """Carry out the command, in this process and in those that are forked from it; return its exit code."""
    from equipoise.start import main

    shutil.copytree(Path.cwd(), copies / "first")
    failing, first = Failing(share, copies), os.getpid()
    sys.argv, code = ["equipoise", *words], 1
    sys.meta_path[:0] = [failing, SmallParts()]
    try:
        main()
    except SystemExit as end:
        code = end.code if isinstance(end.code, int) else 1
    except BaseException:
        traceback.print_exc()
    if os.getpid() != first:
        sys.stderr.flush()
        os._exit(code)
    sys.meta_path.remove(failing)
    (copies / "ended.json").write_text(json.dumps(failing.ended))
    return code


if __name__ == "__main__":
    sys.exit(carry_out(float(sys.argv[1]), Path(sys.argv[2]), sys.argv[3:]))
