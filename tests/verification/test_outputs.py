"""Every command says and writes on fixed seeds what it said and wrote before: see `tests.verification.outputs`."""

from __future__ import annotations

import pytest

from tests.machine.limited import commands
from tests.verification.outputs import STORED, cases, differences, output, stored


@pytest.mark.parametrize("case", cases())
def test_a_command_says_and_writes_what_is_stored(case: str) -> None:
    assert differences(stored(case), output(case)) == []


def test_every_command_is_played() -> None:
    """All but the server; `help` is among the texts of help."""
    played = {line.partition(" -")[0] for case, lines in cases().items() if case != "help" for line in lines}
    assert {name for name in commands() if not any(f"{line} ".startswith(f"{name} ") for line in played)} == {
        "help",
        "lab",
    }


def test_nothing_is_stored_that_is_not_played() -> None:
    assert {path.stem for path in STORED.iterdir()} == set(cases())
