"""Where the time of the tests goes, by kind of cost and by file, in processor seconds.

`python -m studies.test_times [ARGUMENTS OF PYTEST]` runs the tests with this module as a plugin, and prints the machine
and both tables; without arguments it runs the README's suite on two workers.
"""

from __future__ import annotations

import json
import os
import platform
import resource
import subprocess
import sys
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

PLACE = "EQUIPOISE_TEST_TIMES"
YARDSTICK = "import numba, polars"
KINDS = {
    "before": "before the first test: compiling kernels, collecting",
    "compiling": "compiling and loading kernels in the process of a test",
    "own": "playing, drawing, asserting in the process of a test",
    "browser": "children, in tests that start a browser or a cluster",
    "children": "children: starting Python, importing, compiling, playing",
}
started: Counter[str] = Counter()  # programs that the present test has started
compiling = [0.0, 0.0, 0]  # processor seconds in Numba's compiler, when the outermost began, how deep


def used() -> tuple[float, float]:
    """Return the processor seconds of this process, and of its children that have ended."""
    own, children = resource.getrusage(resource.RUSAGE_SELF), resource.getrusage(resource.RUSAGE_CHILDREN)
    return own.ru_utime + own.ru_stime, children.ru_utime + children.ru_stime


def note(**facts: Any) -> None:
    """Add one line to this process's file."""
    with (Path(os.environ[PLACE]) / f"{os.getpid()}.jsonl").open("a", encoding="utf-8") as file:
        file.write(json.dumps(facts) + "\n")


def watch() -> None:
    """Count the programs that tests start, and the time in Numba's compiler."""
    from numba.core import event

    class Watch(event.Listener):
        def on_start(self, event: Any) -> None:
            compiling[2] += 1
            if compiling[2] == 1:
                compiling[1] = time.thread_time()

        def on_end(self, event: Any) -> None:
            compiling[2] -= 1
            if not compiling[2]:
                compiling[0] += time.thread_time() - compiling[1]

    event.register("numba:compile", Watch())
    sys.addaudithook(
        lambda name, given: started.update([Path(str(given[0])).name]) if name == "subprocess.Popen" else None
    )


@pytest.hookimpl(wrapper=True)
def pytest_sessionstart() -> Iterator[None]:
    watch()
    result = yield
    own, children = used()
    note(test="", own=own, children=children, compiling=0, started={}, wall=0)
    return result


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[Any]:
    own, children = used()
    began, before = time.time(), compiling[0]
    started.clear()
    result = yield
    now, now_children = used()
    facts = {"own": now - own, "children": now_children - children, "compiling": compiling[0] - before}
    note(test=item.nodeid, **facts, started=dict(started), wall=time.time() - began)
    return result


def kind_of(row: dict[str, Any]) -> str:
    """Return the kind of cost of a test's children."""
    browser = "browser" in row["test"] or "cluster" in row["test"] or any("chrom" in name for name in row["started"])
    return "browser" if browser else "children"


def tell(rows: list[dict[str, Any]], wall: float, yardstick: float) -> None:
    """Print the tables."""
    kinds, files, slowest = Counter[str](), defaultdict[str, Counter[str]](Counter), []
    for row in rows:
        if not row["test"]:
            kinds["before"] += row["own"] + row["children"]
            continue
        costs = {kind_of(row): row["children"], "compiling": row["compiling"], "own": row["own"] - row["compiling"]}
        kinds.update(costs)
        files[row["test"].partition("::")[0]].update({**costs, "tests": 1, "started": sum(row["started"].values())})
        slowest.append((sum(costs.values()), row["test"]))
    total = sum(kinds.values())
    print(f"\n{platform.processor() or platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}")
    print(f"{len(slowest):,} tests: {total:,.0f} processor seconds, {wall:,.0f} s of wall time,")
    print(f"{total / yardstick:,.0f} times `{YARDSTICK}` ({yardstick:.2f} s)\n")
    for kind, words in KINDS.items():
        print(f"{kinds[kind]:8,.0f} s  {words}")
    print(f"\n{'file':<72}{'tests':>6}{'starts':>7}{'own':>7}{'compile':>8}{'others':>7}{'sum':>7}")
    for name, of in sorted(files.items(), key=lambda one: -sum(one[1][kind] for kind in KINDS)):
        others = of["children"] + of["browser"]
        whole = of["own"] + of["compiling"] + others
        print(
            f"{name:<72}{of['tests']:6}{of['started']:7}{of['own']:7.1f}{of['compiling']:8.1f}{others:7.1f}{whole:7.1f}"
        )
    print()
    for seconds, test in sorted(slowest, reverse=True)[:40]:
        print(f"{seconds:8.1f} s  {test}")


def main() -> None:
    before = used()[1]
    for _ in range(5):
        subprocess.run([sys.executable, "-c", YARDSTICK], check=True)
    yardstick = (used()[1] - before) / 5
    with tempfile.TemporaryDirectory() as folder:
        began = time.time()
        command = [sys.executable, "-m", "pytest", "-p", "studies.test_times", *(sys.argv[1:] or ["-n", "2"])]
        code = subprocess.run(command, env={**os.environ, PLACE: folder}, check=False).returncode
        wall = time.time() - began
        lines = [line for path in Path(folder).glob("*.jsonl") for line in path.read_text("utf-8").splitlines()]
    tell([json.loads(line) for line in lines], wall, yardstick)
    sys.exit(code)


if __name__ == "__main__":
    main()
