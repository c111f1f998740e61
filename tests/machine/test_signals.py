"""Signals: a process ends when it is told to twice, whatever it is busy with, and leaves whole sets of files."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.machine.processes import plays
from tests.toy import environment
from tests.waiting import took_its_signals, until

STUCK = """
import sys
from equipoise.process import listen
listen()
print("ready", flush=True)
sum(range(10 ** 12))  # hours, in which no other thread of Python runs
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
        assert process.wait(5) == -signal.SIGTERM
    finally:
        process.kill()
        process.communicate()
