"""A lab as a process: who asks without its cookie gets nothing, and whatever ends it ends it in one line."""

from __future__ import annotations

import re
import signal
import socket
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from equipoise.lab.serving import listen
from simcore.errors import UsageError
from tests.toy import environment

COMMAND = ("-m", "equipoise")
"""The command as it is typed."""


def alone() -> dict[str, str]:
    """Return the environment without traces of pytest, under which NiceGUI would start in another way."""
    return {name: value for name, value in environment().items() if not name.startswith("PYTEST")}


def start(folder: Path, *options: str, command: tuple[str, str] = COMMAND) -> tuple[subprocess.Popen[str], str]:
    """Start a lab; return its process and its address."""
    process = subprocess.Popen(
        [sys.executable, *command, "lab", "--no-open", "--threads", "1", *options],
        cwd=folder,
        env=alone(),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    assert process.stdout is not None
    for line in process.stdout:
        if found := re.search(r"http://\S+", line):
            return process, found[0]
    raise AssertionError("the lab did not start")


def answer(address: str, path: str, *headers: str) -> str:
    """Return what a lab answers to a request as it stands."""
    here = urlsplit(address)
    assert here.hostname == "127.0.0.1" and here.port
    with socket.create_connection((here.hostname, here.port), timeout=300) as connection:
        connection.sendall("\r\n".join((f"GET {path} HTTP/1.1", *headers, "Connection: close", "", "")).encode())
        return b"".join(iter(lambda: connection.recv(4096), b"")).decode()


@pytest.mark.parametrize("number", [signal.SIGHUP, signal.SIGTERM])
def test_a_lab_refuses_strangers_until_a_signal_ends_it(tmp_path: Path, number: signal.Signals) -> None:
    pytest.importorskip("nicegui", reason="the lab needs its extra")
    process, address = start(tmp_path, "--players", "2", "--skill", "family")
    host = f"Host: {urlsplit(address).netloc}"
    try:
        for path in ("/", "/page/0", "/_nicegui_ws/socket.io/"):
            assert answer(address, path, host).startswith("HTTP/1.1 403 ")
        assert answer(address, "/", "Host: example.invalid", host).startswith("HTTP/1.1 400 ")
        process.send_signal(number)
        said, _ = process.communicate(timeout=300)
    finally:
        process.kill()
    assert process.returncode == 130
    assert said.splitlines()[-1] == "interrupted" and "Traceback" not in said


def test_labs_that_begin_at_once_share_no_port() -> None:
    with listen(None) as first, listen(None) as second:
        assert first.getsockname()[1] != second.getsockname()[1]
        with pytest.raises(UsageError, match="is in use"):
            listen(first.getsockname()[1])


def test_what_keeps_a_lab_closed_is_one_line(refused: Callable[..., str], tmp_path: Path) -> None:
    bad = tmp_path / "bad.toml"
    bad.write_text('extends = "base"\nno_such_rule = 3\n')
    assert "no_such_rule" in refused("lab", "--no-open", "--rules", str(bad))
    with listen(None) as other:
        assert "is in use" in refused("lab", "--no-open", "--port", str(other.getsockname()[1]))
