"""Standard output that is closed, full or without Unicode, and libraries that panic."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

import polars as pl
import pytest

from tests.equipoise.conftest import Cli
from tests.machine.leaving import endings
from tests.machine.processes import PATIENCE, RANDOM, start


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full")
@pytest.mark.parametrize("command", [["simulate", "--games", "10", "--format", "none"], ["replay"]])
def test_output_that_cannot_be_written(command: list[str]) -> None:
    with Path("/dev/full").open("w") as full:
        process = start(*command, *RANDOM, stdout=full)
        error = process.communicate(timeout=PATIENCE)[1]
    assert process.returncode == 2
    assert error.count("\n") == 1
    assert "No space left on device" in error


def test_output_that_is_closed_from_the_start() -> None:
    process = start("replay", *RANDOM, stdout=None, preexec_fn=lambda: os.close(1))
    error = process.communicate(timeout=PATIENCE)[1]
    assert (process.returncode, error) == (2, "error: --out: standard output is closed; name a file\n")


def test_a_reader_who_leaves_early_is_no_error() -> None:
    process = start("replay", *RANDOM, "--count", 2000)
    assert process.stdout is not None
    assert process.stdout.readline().startswith("Middle-Ages")
    process.stdout.close()
    assert process.wait(PATIENCE) == 0
    assert process.stderr is not None
    assert process.stderr.read() == ""
    process.stderr.close()


COMMANDS = (
    "simulate --games 100 --strategies random --format none",
    "simulate --games 100 --strategies random --format none --json",
    "rules show",
    "restrict --list",
    "restrict --strategy greedy --games 40 --forbid plot_token --format none",
    "tournament --strategies greedy,random --players 2 --games 80 --format none",
    "tournament --strategies greedy,random --players 2 --games 80 --format none --json",
    "tune --budget 1 --games 60 --population 4 --json --out OUT/tuned.toml",
    "bench --only speed --strategies random --players 3 --seconds 0.01",
    "games",
    "strategies",
    "rules keys",
    "check configs/middle-ages/baselines/default.toml",
    "simulate --help",
    "--version",
)


PROGRESS = re.compile(r"^[\d,]+ of [\d,]+ .* left\n", re.MULTILINE)
"""What a command says on a machine so slow that it takes seconds."""


@pytest.fixture(scope="module")
def ended(tmp_path_factory: pytest.TempPathFactory) -> dict[str, tuple[int | None, str]]:
    """Return how each of the commands ended after its reader had left."""
    out = str(tmp_path_factory.mktemp("out"))
    return dict(zip(COMMANDS, endings([command.replace("OUT", out) for command in COMMANDS]), strict=True))


@pytest.mark.parametrize("command", COMMANDS)
def test_a_reader_who_leaves_changes_no_exit_code(ended: dict[str, tuple[int | None, str]], command: str) -> None:
    code, error = ended[command]
    assert (code, PROGRESS.sub("", error)) == (0, "")


def test_a_reader_who_leaves_does_not_turn_bad_input_into_good() -> None:
    process = start("simulate", "--bogus", stderr=subprocess.STDOUT)
    assert process.stdout is not None
    process.stdout.close()
    assert process.wait(PATIENCE) == 2


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full")
def test_bad_input_has_its_exit_code_where_nobody_can_be_told() -> None:
    with Path("/dev/full").open("w") as full:
        process = start("simulate", "--bogus", stderr=full)
        process.communicate(timeout=PATIENCE)
    assert process.returncode == 2


def test_a_library_that_panics_is_one_line(cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert cli("simulate", "--games", 100, *RANDOM, "--out", tmp_path / "run").code == 0

    def panics(*arguments: object, **named: object) -> None:
        raise pl.exceptions.PanicException("index out of bounds\nnote: run with RUST_BACKTRACE=1")

    monkeypatch.setattr(pl.LazyFrame, "collect", panics)
    said = cli("export", tmp_path / "run", "--out", tmp_path / "x.csv")
    assert (said.code, said.out) == (1, "")
    assert said.err == "error: a library failed on this data, which may be damaged: index out of bounds\n"


def test_a_terminal_without_unicode() -> None:
    process = start(
        "simulate",
        "--games",
        100,
        *RANDOM,
        "--format",
        "none",
        environment={"PYTHONIOENCODING": "ascii"},
    )
    said, error = process.communicate(timeout=PATIENCE)
    assert (process.returncode, error) == (0, "")
    assert "Digest" in said
