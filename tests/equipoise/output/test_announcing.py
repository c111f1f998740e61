"""What is compiled is announced once, however often it is loaded."""

from __future__ import annotations

import logging

import pytest

from equipoise.output.progress import announce


def test_compiling_is_announced_once(capsys: pytest.CaptureFixture[str]) -> None:
    log = logging.getLogger("equipoise")
    announce()
    for _ in range(3):
        log.info("Compiling what only this test names; this happens once ...")
        log.info("Something else.")
    said = capsys.readouterr().err.splitlines()
    assert said.count("Compiling what only this test names; this happens once ...") == 1
    assert said.count("Something else.") == 3
