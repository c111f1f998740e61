"""A run of two parts, and how it is written."""

from __future__ import annotations

from pathlib import Path

import pytest

from analysis.runs import Manifest
from analysis.runs.folders import claim
from analysis.runs.writer import RunWriter
from simcore.running.batch import Spec
from simcore.running.executors import execute
from tests.specs import make_spec

GAMES = 8_000  # more than one part


def write_run(folder: Path, spec: Spec, detail: str = "full", form: str = "parquet") -> Manifest:
    """Play a run into a new folder."""
    claim(folder)
    writer = RunWriter(folder, spec, detail, form, ["simulate", "--games", str(spec.games)])
    return writer.close(execute(spec, 2, detail, writer.write, writer.finished))


@pytest.fixture(scope="module")
def spec() -> Spec:
    line = ["greedy", "random", "random"]
    return make_spec(
        3, line, ["shortfall=debt", "events.alliance.copies=2"], design="rotate", seed=2**64 - 1, games=GAMES
    )
