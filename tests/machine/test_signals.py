"""Signals: a process ends when it is told to twice, whatever it is busy with, and leaves whole sets of files."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from simcore.child_processes import python
from tests.machine.processes import ROOT, plays
from tests.toy import environment
from tests.waiting import gone, took_its_signals, until

STUCK = """
import sys
from equipoise.process import listen
listen()
print("ready", flush=True)
sum(range(10 ** 12))  # hours, in which no other thread of Python runs
"""


DEAF = """
import os, signal, time
signal.signal(signal.SIGTERM, signal.SIG_IGN)
print(os.getpid(), flush=True)
time.sleep(600)
"""

BEGINS = """
import subprocess, sys
subprocess.run(sys.argv[1:])
"""

BETWEEN = """
import os, signal
from pathlib import Path
from equipoise.files import write_together
from equipoise.process import listen
listen()
replace, page = Path.replace, Path("out/page.html")
def signalled(*places):
    if not page.exists():
        Path.replace = replace
        os.kill(os.getpid(), signal.SIGTERM)
    return replace(*places)
Path.replace = signalled
write_together([(page, b"page"), (Path("out/page-data/a.csv"), b"a"), (Path("out/page-data/b.csv"), b"b")], page)
"""


def test_no_signal_comes_between_files_that_belong_together(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", BETWEEN], cwd=tmp_path, env=environment(), capture_output=True, check=False
    )
    assert done.stderr.endswith(b"KeyboardInterrupt\n")
    assert sorted(path.name for path in (tmp_path / "out").rglob("*")) == ["a.csv", "b.csv", "page-data", "page.html"]


@pytest.mark.skipif(sys.platform != "linux", reason="needs the C library of GNU")
def test_a_second_signal_ends_a_process_in_which_no_python_runs() -> None:
    process = subprocess.Popen([sys.executable, "-c", STUCK], env=environment(), stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout
        assert process.stdout.readline() == "ready\n"
        until(lambda: plays(process))
        process.send_signal(signal.SIGTERM)
        until(lambda: took_its_signals(process.pid))
        process.send_signal(signal.SIGTERM)
        assert process.wait(60) == -signal.SIGTERM
    finally:
        process.kill()
        process.communicate()


@pytest.mark.skipif(not Path("/proc").is_dir(), reason="no /proc")
def test_a_child_that_does_not_hear_the_first_signal_does_not_outlive_its_parent(tmp_path: Path) -> None:
    (tmp_path / "deaf.py").write_text(DEAF, encoding="utf-8")
    line = [sys.executable, "-c", BEGINS, *python("deaf")]
    path = os.pathsep.join([str(tmp_path), str(ROOT)])
    with subprocess.Popen(line, env=environment(PYTHONPATH=path), stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdout
        child = int(parent.stdout.readline())
        parent.kill()  # without waiting for the end of the output, which the child writes, too
    assert not gone(child)
    until(lambda: gone(child), 60)
