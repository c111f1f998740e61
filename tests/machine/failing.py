"""Commands under which something fails: `python -m tests.machine.failing` takes numbers of cases, and tries them.

- The n-th write, sync or rename fails, as on a disk that is full or broken.
- The n-th import fails, as where an installation is incomplete.
- Memory ends anywhere, as the check at the beginning of a command would not let it.

Each case is a process of its own, forked from this one once the kernels are loaded; polars has not been used before.
The command must end with the whole result, or with one line, and its files are as they were before or as they must be
in the end.  Given again, it goes on to the whole result.  Where memory ends, libraries may also abort or interrupt the
process, and Python itself may wait for ever for a thread that has no memory to begin; it is then killed.
"""

from __future__ import annotations

import gc
import json
import os
import random
import resource
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import NamedTuple

from equipoise import start
from simcore.kernel import cache
from simcore.running import executors
from tests.asking import KINDS, Ended, watched
from tests.machine.forking import make_ready
from tests.machine.importing import PART_SIZES
from tests.machine.left import CACHE, MANIFEST, Content, content, wrong_end, wrong_files
from tests.machine.processes import PATIENCE
from tests.toy import environment

SEED = 20_261_123
MODULES = "modules"
"""File into which processes write what they have imported."""

LINES = {
    "simulate": "simulate --games 480 --strategies random --threads 1 --format both --out run",
    "resume": "simulate --resume run --threads 1",
    "export": "export run --out x.parquet --force",
    "export csv": "export run --out x.csv --force",
    "sweep": "sweep --set starting_coins.1=1..2 --games 120 --strategies random --threads 1 --force --out made",
    "check": "check --update check.toml --yes --threads 1",
}
"""A command line of each command."""

OLDER = {f"{name} older": LINES[name] + " --columns game_id,seat" for name in ("export", "export csv")}
"""Command lines that make the files which these commands replace."""

BASELINE = """\
format = "equipoise-baseline/1"
game = "middle-ages"
players = [2]
strategies = ["greedy"]
games = 1000

[margins]
win_share_by_seat = "9pp"
"""

MEMORY, LIMITS = "memory", 20
"""A kind of fault, and how many limits of memory are tried."""

STEP = 48 << 20
"""Bytes of address space that the first limit leaves, and each further one more."""


class Case(NamedTuple):
    """A command, and its call that fails or the limit of its memory."""

    command: str
    kind: str
    number: int


class Trials:
    """Cases in folders of their own.

    place: Where the folders are made.

    calls: How many calls of each kind each command makes.
    """

    def __init__(self, place: Path) -> None:
        self.place = place.resolve()
        self.before = {command: self.place / f"{command} before" for command in LINES}
        for folder in self.before.values():
            folder.mkdir()
        (self.before["check"] / "check.toml").write_text(BASELINE)
        self.calls = {"simulate": self._run("simulate", self.before["export"]).calls}
        self._run("simulate", self.before["resume"], ("rename", self.calls["simulate"]["rename"] // 2))
        self._run("export older", self.before["export"])
        shutil.copytree(self.before["export"] / "run", self.before["export csv"] / "run")
        self._run("export csv older", self.before["export csv"])
        self.expected: dict[str, Content] = {}
        for command in LINES:
            folder = self._folder(command, "whole")
            ended = self._run(command, folder)
            assert ended.code == 0, ended
            self.calls[command] = ended.calls
            self.expected[command] = content(folder)
        self._import_ahead()

    def cases(self) -> Iterator[Case]:
        """Yield a case for every write, sync and rename."""
        for command, calls in self.calls.items():
            for kind in KINDS:
                for number in range(1, calls[kind] + 1):
                    yield Case(command, kind, number)

    def tried(self, case: Case) -> tuple[int | None, str]:
        """Return how a case ended, and what is wrong with it."""
        folder = self._folder(case.command, "case")
        before, expected = content(folder), self.expected[case.command]
        code, error, _ = self._run(case.command, folder, (case.kind, case.number))
        spent = case.kind == MEMORY
        wrong = [] if spent and code not in (0, 1, 2) else [*wrong_end(code, error, others_speak=spent)]
        wrong += wrong_files(content(folder), before, expected, code == 0, spent)
        wrong += self._wrong_next(case.command, folder, expected, spent)
        shutil.rmtree(folder)
        return code, "; ".join(wrong)

    def imports(self, command: str, share: float) -> tuple[list[int | None], list[str]]:
        """Let imports of a command fail, one at a time; return how each ended, and what is wrong.

        Polars, loaded at a second try, describes itself otherwise in Parquet files; their rows are the same.

        command: Name of the command line.
        share: The share of the imports that are tried.
        """
        folder, copies = self._folder(command, "imports"), self.place / f"{command} copies"
        copies.mkdir()
        before = content(folder)
        line = [sys.executable, "-m", "tests.machine.importing", str(share), str(copies), *LINES[command].split()]
        subprocess.run(line, cwd=folder, env=environment(), stdout=subprocess.DEVNULL, check=True)
        expected, codes, wrong = content(folder), list[int | None](), list[str]()
        for module, code, error, copy in json.loads((copies / "ended.json").read_text()):
            found = content(Path(copy))
            if code == 0 and module.startswith(("polars", "_polars")):
                tables = {name for name in expected if name.endswith((".parquet", MANIFEST))}
                found = {**found, **{name: expected[name] for name in tables & found.keys()}}
            faults = [*wrong_end(code, error, others_speak=True), *wrong_files(found, before, expected, code == 0)]
            if code != 0 and found != before:
                faults += self._wrong_next(command, Path(copy), self.expected[command])  # which has no figures
            wrong += [f"{command}, import of {module}: {fault}" for fault in faults]
            codes.append(code)
        return codes, wrong

    def _wrong_next(self, command: str, folder: Path, expected: Content, spent: bool = False) -> list[str]:
        """Give a command again; return what is wrong then."""
        goes_on = command == "simulate" and (folder / MANIFEST).exists()
        code, error, _ = self._run("resume" if goes_on else command, folder)
        if code != 0:
            return [f"given again, it ends with {code}: {error}"]
        return [f"given again: {one}" for one in wrong_files(content(folder), {}, expected, whole=True, spent=spent)]

    def _import_ahead(self) -> None:
        """Import what commands have imported, so that each case need not do so."""
        for name in (self.place / MODULES).read_text().split():
            with suppress(ImportError):
                import_module(name)
        gc.freeze()

    def _folder(self, command: str, name: str) -> Path:
        folder = self.place / f"{command} {name}"
        shutil.copytree(self.before[command], folder)
        return folder

    def _run(
        self,
        command: str,
        folder: Path,
        fails: tuple[str, int] | None = None,
    ) -> Ended:
        def work() -> None:
            os.chdir(folder)
            os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
            sys.argv = ["equipoise", *(LINES | OLDER)[command].split()]
            executors.PART_SIZES = PART_SIZES
            cache.beside_kernels = _cache_here
            if fails and fails[0] == MEMORY:
                _limit_memory(fails[1] * STEP)
            try:
                start.main()
            finally:
                with (self.place / MODULES).open("a") as file:
                    file.writelines(f"{name}\n" for name in sys.modules)

        return watched(work, folder, fails, PATIENCE)


def _cache_here(name: str) -> Path:
    """Return a folder for stored results that no other case has used."""
    folder = Path(CACHE, name).absolute()
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def _limit_memory(more: int) -> None:
    """Give this process so many further bytes of address space; let no command see that this is too little."""
    start.lacking = lambda *wanted: None
    pages = int(Path("/proc/self/statm").read_text().split()[0])
    most = pages * resource.getpagesize() + more
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_AS, (most, most))


def main(place: Path, calls: int, limits: int, share: float, importing: Sequence[str]) -> None:
    """Try cases, and print what came of them.

    place: Where folders are made.
    calls: How many cases of each kind of call that fails are drawn at random; if there are fewer, all are tried.
    limits: How many limits of memory are tried with each command.
    share: The share of the imports that are tried.
    importing: Commands whose imports are tried.
    """
    make_ready()
    trials = Trials(place)
    every = list(trials.cases())
    drawn = [one for kind in KINDS for one in _drawn([case for case in every if case.kind == kind], calls)]
    drawn += [Case(command, MEMORY, number) for command in LINES for number in range(1, limits + 1)]
    ended, wrong = dict[str, Counter[str]](), list[str]()
    for case in drawn:
        code, faults = trials.tried(case)
        ended.setdefault(case.kind, Counter())[_called(code)] += 1
        if faults:
            wrong.append(f"{case.command}, {case.kind} {case.number}: {faults}")
    for command in importing:
        codes, faulty = trials.imports(command, share)
        ended.setdefault("import", Counter()).update(map(_called, codes))
        wrong += faulty
    print(json.dumps({"calls": len(every), "ended": ended, "wrong": wrong}))


def _drawn(cases: list[Case], number: int) -> list[Case]:
    return cases if number >= len(cases) else random.Random(SEED).sample(cases, number)


def _called(code: int | None) -> str:
    """Return what an end is called in the results."""
    return {0: "completed", 2: "refused", None: "hung"}.get(code, "stopped")


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]), float(sys.argv[4]), sys.argv[5:])
