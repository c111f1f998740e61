"""Commands that are made from functions: what is typed reaches the function, and what only terminals have is there."""

from __future__ import annotations

import subprocess
import sys
import threading
from typing import Any

import pytest
import typer

import equipoise as eq
from equipoise import process
from equipoise.cli import QUESTIONS, app, run
from equipoise.command import CLUSTER, Output, _written, only_in_commands
from simcore.errors import UsageError
from tests.equipoise.conftest import Cli

COMMANDS: dict[str, Any] = typer.main.get_command(app).commands


@pytest.mark.parametrize("name", [name for name in QUESTIONS if getattr(eq, name).question.only is None])
def test_every_experiment_has_what_only_terminals_have(name: str) -> None:
    options = {option for one in COMMANDS[name].params for option in one.opts}
    assert {"--out", "--format", "--lang", "--open", "--force", "--quiet", "--json", "--threads"} <= options
    lacks = {CLUSTER} if name in ("skill", "cards") else set()  # its games are played here
    assert set(only_in_commands(Output)) - {one.name for one in COMMANDS[name].params} == lacks


@pytest.mark.parametrize(
    ("line", "given"),
    [
        ((), {}),
        (("--players", "2,4", "--games", "2e3"), {"players": [2, 4], "games": 2000}),
        (("--set", "a=1", "--set", "b=2"), {"settings": ["a=1", "b=2"]}),
        (("--only", "x, y", "--shuffles", "7"), {"only": ["x", "y"], "shuffles": 7}),
        (("--yes", "--level", "0.9", "--threads", "2"), {"yes": True, "level": 0.9, "threads": 2}),
    ],
)
def test_what_is_typed_reaches_the_function(
    cli: Cli, monkeypatch: pytest.MonkeyPatch, tmp_path: Any, line: tuple[str, ...], given: dict[str, Any]
) -> None:
    taken: list[dict[str, Any]] = []

    def play(**values: Any) -> None:
        taken.append(values)
        raise UsageError("nobody plays here")

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("equipoise.questions.sensitivity.sensitivity", play)
    assert cli("sensitivity", *line).err == "error: nobody plays here\n"
    usual = {
        "game": "middle-ages",
        "rules": "base",
        "shuffles": 3,
        "games": 20_000,
        "seed": 1,
        "level": 0.95,
        "yes": False,
        "progress": True,
    }
    assert taken == [usual | given]


@pytest.mark.parametrize(
    ("value", "typed"), [(20_000, "2e4"), (1_000_000, "1e6"), (1920, "1920"), (1, "1"), ((), None)]
)
def test_defaults_are_shown_as_they_are_typed(value: Any, typed: str | None) -> None:
    assert _written(value) == typed


@pytest.mark.parametrize(("number", "right"), [(0, False), (1, True), (100, True), (101, False)])
def test_a_range_holds_for_python_too(number: int, right: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    import equipoise as eq

    with pytest.raises(UsageError) as caught:
        eq.sensitivity(shuffles=number, only=["no such switch"])
    said = f"shuffles: {number} is out of range; give a whole number from 1 to 100"
    assert (str(caught.value) != said) == right


def test_what_a_library_makes_of_ctrl_c_is_no_error(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Pydantic's serializer, for one, raises an error of its own where its function is interrupted."""
    failing = typer.Typer()

    @failing.command()
    def play() -> None:
        process._heard.set()
        raise ValueError("Error calling function: KeyboardInterrupt")

    monkeypatch.setattr(process, "_heard", threading.Event())
    assert run(failing, []) == process.INTERRUPTED
    assert capsys.readouterr().err == "interrupted\n"


def test_what_was_written_stays_if_an_exit_function_ends_the_process() -> None:
    """As a library may that is unloaded while a thread of ours still compiles; only a process shows it."""
    program = (
        "import atexit, os, threading, time; from equipoise.process import leave; "
        "threading.Thread(target=time.sleep, args=(60,), daemon=True).start(); "
        "atexit.register(os._exit, 7); print('Digest'); leave(0)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stdout) == (7, "Digest\n")
