"""No module is imported by a thread that plays: where memory is short, an import there may never end."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from tests.toy import environment

WATCHED = """
import json, sys, threading
from equipoise.cli import app, run
found = []
def hook(event, arguments):
    if event == "import" and threading.current_thread() is not threading.main_thread():
        found.append(arguments[0])
lines = json.loads(sys.argv[1])
run(app, ["simulate", "--games", "8", "--format", "none", "-q"])  # compiled
sys.addaudithook(hook)
codes = [run(app, line) for line in lines]
print(json.dumps([codes, found]))
"""


def test_no_worker_imports(tmp_path: Path) -> None:
    brief = ["--strategies", "random", "--games", "4000", "--quiet"]
    lines = [
        ["simulate", *brief, "--out", "run", "--threads", "2"],
        ["simulate", *brief, "--out", "csv", "--format", "csv"],
        ["simulate", *brief, "--out", "totals", "--detail", "summary"],
        ["simulate", "--strategies", "random", "--quiet", "--out", "exact", "--precision", "5pp"],
        ["sweep", "--set", "starting_coins.1=0..1", *brief, "--format", "none"],
        ["tournament", "--strategies", "random,greedy", "--games", "480", "--quiet", "--format", "none"],
        ["restrict", "--strategy", "greedy", "--forbid", "mill", "--games", "480", "--quiet", "--format", "none"],
    ]
    made = subprocess.run(
        [sys.executable, "-c", WATCHED, json.dumps(lines)],
        cwd=tmp_path,
        env=environment(EQUIPOISE_THREADS="2"),
        capture_output=True,
        text=True,
        check=True,
    )
    codes, found = json.loads(made.stdout.splitlines()[-1])
    assert codes == [0] * len(lines), made.stderr
    assert not found
