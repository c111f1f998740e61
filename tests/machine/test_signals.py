"""A process ends when it is told to twice, whatever it is busy with."""

from __future__ import annotations

import signal
import subprocess
import sys
import time

import pytest

from tests.toy import environment

STUCK = """
import sys
from equipoise.process import listen
listen()
print("ready", flush=True)
sum(range(10 ** 12))  # hours, in which no other thread of Python runs
"""


@pytest.mark.skipif(sys.platform != "linux", reason="needs the C library of GNU")
def test_a_second_signal_ends_a_process_in_which_no_python_runs() -> None:
    process = subprocess.Popen([sys.executable, "-c", STUCK], env=environment(), stdout=subprocess.PIPE)
    try:
        assert process.stdout
        assert process.stdout.readline() == b"ready\n"
        time.sleep(0.1)
        for _ in range(2):
            process.send_signal(signal.SIGTERM)
            time.sleep(0.1)
        assert process.wait(5) == -signal.SIGTERM
    finally:
        process.kill()
        process.communicate()
