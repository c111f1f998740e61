"""Our own processes: what lies in the current folder is not run by them, and they end with who started them."""

from __future__ import annotations

import ast
import re
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import equipoise as eq
from equipoise import benchmarks
from equipoise.conformance.checks import (
    Broken,
    check_a_safe_point_holds_all_that_the_game_needs_and_a_redrawn_table_nothing_hidden,
)
from equipoise.lab.jobs import Job
from equipoise.options import without_compiler
from simcore.kernel.compilation import COMPILED
from simcore.running import warm
from simcore.running.batch import run_chunk
from tests.nim import Written, forgotten, nim  # noqa: F401  fixtures
from tests.waiting import gone, until

DECOYS = (
    "numpy", "numba", "json", "runpy", "statistics", "types", "random", "dataclasses", "simcore", "equipoise",
    "analysis", "typer", "polars", "pydantic", "sitecustomize",
)  # fmt: skip


@pytest.fixture
def decoys(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A current folder whose modules leave a mark when they are run."""
    for name in DECOYS:
        (tmp_path / f"{name}.py").write_text(f"open({str(tmp_path / 'mark')!r}, 'w')")
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("PYTHONPATH", raising=False)
    return tmp_path / "mark"


@pytest.mark.skipif(not COMPILED, reason="nothing is compiled")
def test_a_cold_start_runs_nothing_of_the_current_folder(decoys: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    begun: list[list[str]] = []
    said = decoys.with_name("said")
    start = subprocess.Popen

    def noted(command: list[str], **options: Any) -> Any:
        begun.append(command)
        return start([*command[:-1], "no-such-game"], **options | {"stderr": said.open("w")})

    monkeypatch.setattr(warm, "is_cold", lambda function: True)
    monkeypatch.setattr(warm, "is_private", lambda: False)
    monkeypatch.setattr(subprocess, "Popen", noted)
    with warm.compiling_aside("middle-ages"):
        pass
    assert len(begun) == 1
    assert "no game 'no-such-game'" in said.read_text()
    assert not decoys.exists()


def test_the_bench_runs_nothing_of_the_current_folder(decoys: Path) -> None:
    assert "version" in benchmarks.output([*benchmarks._EQUIPOISE, "--help"])
    benchmarks.output([*benchmarks.MEASURE, sys.executable, "-S", "-c", "pass"])
    assert not decoys.exists()


def test_a_button_of_the_lab_runs_nothing_of_the_current_folder(decoys: Path) -> None:
    job = Job(("no-such-command",), Path("runs/x"))
    job._process.wait(60)
    job._reader.join(60)
    assert "No such command 'no-such-command'" in " ".join(job.lines)
    assert not decoys.exists()


def test_games_without_the_compiler_run_nothing_of_the_current_folder(decoys: Path) -> None:
    assert without_compiler("no-such-game").startswith("in plain Python: --game: no game 'no-such-game'")
    with pytest.raises(Broken, match="no game 'no-such-game'"):
        check_a_safe_point_holds_all_that_the_game_needs_and_a_redrawn_table_nothing_hidden("no-such-game")
    assert not decoys.exists()


def test_processes_of_a_plain_game_run_nothing_of_the_current_folder(
    decoys: Path,
    nim: Written,  # noqa: F811
) -> None:
    spec = eq.make_spec(nim(), games=20)
    here = run_chunk(spec, 0, 20)
    spec.game.play_batch.elsewhere = True
    assert (run_chunk(spec, 0, 20) == here).all()
    assert not decoys.exists()


ROOT = Path(__file__).resolve().parents[3]
STARTS = {
    "sys": {"executable"},
    "os": {"fork", "forkpty", "system", "popen", "posix_spawn", "posix_spawnp", "startfile"},
    "asyncio": {"create_subprocess_exec", "create_subprocess_shell"},
    "concurrent.futures": {"ProcessPoolExecutor"},
}
"""By module: what starts a process, or is needed to start Python; `os.exec...` and `os.spawn...` are added."""

WORDS = re.compile("executable|fork|system|popen|spawn|startfile|exec|[Pp]rocess|multiprocessing|pty|LocalCluster")
"""One of which is in every module that starts a process; most need not be parsed."""

DASK = ("equipoise/api/clustering.py", "LocalCluster")
"""The one other start of Python: Dask starts its workers, and this module guards them itself."""


def starts(source: str) -> set[str]:
    """Return by what a module may start Python in its own way."""
    if not WORDS.search(source):
        return set()
    found, nodes = set(), [*ast.walk(ast.parse(source))]
    for node in nodes:
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            inside, name = STARTS.get(node.value.id, set()), node.attr
            if name in inside or (node.value.id == "os" and name.startswith(("exec", "spawn"))):
                found.add(f"{node.value.id}.{name}")
        elif isinstance(node, ast.Import | ast.ImportFrom):
            module = node.module if isinstance(node, ast.ImportFrom) else ""
            names = {alias.name for alias in node.names}
            found |= names & STARTS.get(str(module), {"multiprocessing", "pty", "ProcessPoolExecutor", "LocalCluster"})
            found |= {str(module)} & {"multiprocessing", "multiprocessing.pool"}
            if "subprocess" in names | {module} and "simcore.child_processes" not in source:
                found.add("subprocess")
    return found


def test_every_start_of_python_goes_through_one_module() -> None:
    rooms = ("simcore", "strategies", "analysis", "reports", "equipoise")
    paths = {path.relative_to(ROOT).as_posix(): path for room in rooms for path in (ROOT / room).rglob("*.py")}
    found = {(name, one) for name, path in paths.items() for one in starts(path.read_text(encoding="utf-8"))}
    assert len(paths) > 300
    assert found == {("simcore/child_processes.py", "sys.executable"), DASK}


@pytest.mark.parametrize(
    "source",
    [
        "import subprocess\nsubprocess.run(['python', '-m', 'equipoise'])",
        "import sys\nline = [sys.executable]",
        "from sys import executable",
        "import os\nos.execv('python', [])",
        "import multiprocessing",
        "from concurrent.futures import ProcessPoolExecutor",
    ],
)
def test_the_search_finds_other_starts(source: str) -> None:
    assert starts(source)


SLEEPER = """
import subprocess, sys, time
from pathlib import Path
from equipoise.lab.jobs import Job
from simcore.child_processes import python
job = Job(("report", "--game", "middle-ages"), Path(sys.argv[1]))
child = subprocess.Popen(python("simcore.running.warm", "middle-ages"))
print(child.pid, job._process.pid, flush=True)
time.sleep(600)
"""


@pytest.mark.skipif(not COMPILED or not Path("/proc").is_dir(), reason="nothing is compiled, or no /proc")
def test_processes_end_when_their_parent_is_killed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One that compiles, and one behind a button of the lab."""
    monkeypatch.setenv("EQUIPOISE_CACHE_DIR", str(tmp_path))
    line = [sys.executable, "-c", SLEEPER, str(tmp_path / "runs/job")]
    parent = subprocess.Popen(line, cwd=ROOT, stdout=subprocess.PIPE, text=True)
    assert parent.stdout is not None
    children = [int(pid) for pid in parent.stdout.readline().split()]
    assert len(children) == 2
    for child in children:
        until(lambda child=child: "llvmlite" in Path(f"/proc/{child}/maps").read_text(), 300)  # it loaded the compiler
    parent.send_signal(signal.SIGKILL)
    parent.stdout.close()  # without waiting for its end, as a child writes it, too
    parent.wait()
    for child in children:
        until(lambda child=child: gone(child))
