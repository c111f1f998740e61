"""Ctrl-C and other signals: one line, an honest manifest, and no half-written file that looks whole."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import equipoise as eq
from analysis.runs import folders, writer
from analysis.runs.manifest import Manifest
from equipoise.api.simulation import RunInProgress
from simcore.errors import UsageError
from simcore.running import executors
from simcore.running.executors import PlayedPart
from tests.equipoise.conftest import Cli
from tests.machine.processes import PATIENCE, RANDOM, ROOT, check_ended, interrupt, plays, start
from tests.manifests import edit
from tests.specs import make_spec
from tests.toy import environment
from tests.waiting import until

BRIEF = (*RANDOM, "--detail", "minimal")
"""Games that take little time to write."""


@pytest.mark.parametrize(
    ("form", "signal_"), [("parquet", signal.SIGINT), ("csv", signal.SIGTERM), ("parquet", signal.SIGHUP)]
)
def test_a_signal_in_the_middle_of_a_run(tmp_path: Path, form: str, signal_: int, cli: Cli) -> None:
    out = tmp_path / "run"
    process = start("simulate", "--games", "2.9e6", *BRIEF, "--out", out, "--format", form, "--quiet")
    said, error = interrupt(process, lambda: len(list(out.glob(f"games/part-*.{form}"))) >= 3, signal_)
    assert process.returncode == 130
    assert said == ""
    assert error == (f"interrupted: {out} holds the games that were complete; continue with: simulate --resume {out}\n")
    check_ended(out, "was interrupted")
    exported = tmp_path / "whole.csv"
    refused = cli("export", out, "--out", exported)
    assert (refused.code, exported.exists()) == (2, False)
    assert "--partial" in refused.err
    assert cli("export", out, "--out", exported, "--partial").code == 0
    assert pl.read_csv(exported).height == eq.load(out, partial=True).manifest.rows
    assert cli("replay", out, "--index", 2).code == 0


@pytest.mark.parametrize("kind", [("--format", "csv"), ("--detail", "summary"), ("--precision", "9pp")])
def test_ctrl_c_in_the_first_seconds_leaves_a_run_that_goes_on(
    cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: tuple[str, str]
) -> None:
    """Most of them go into the compilation of a game's kernels."""

    def stopped(run: RunInProgress) -> float:
        raise KeyboardInterrupt

    line = ("simulate", "--quiet", *RANDOM, "--seed", 3, *kind, *(() if "9pp" in kind else ("--games", 100)))
    out, whole = tmp_path / "run", tmp_path / "whole"
    with monkeypatch.context() as change:
        change.setattr(RunInProgress, "_compiled", stopped)
        said = cli(*line, "--out", out)
    assert said.err == f"interrupted: {out} holds no games yet; continue with: simulate --resume {out}\n"
    assert (said.code, eq.load(out, partial=True).manifest.status) == (130, "interrupted")
    assert cli("simulate", "--quiet", "--resume", out).code == cli(*line, "--out", whole).code == 0
    assert eq.load(out).manifest.digest == eq.load(whole).manifest.digest


def test_ctrl_c_while_kernels_compile_for_the_first_time_leaves_a_run_that_goes_on(tmp_path: Path, cli: Cli) -> None:
    """The folder is there before anything is compiled, so that even what ends the process at once leaves it."""
    out, cache = tmp_path / "run", tmp_path / "cache"
    line = ("simulate", "--quiet", *RANDOM, "--seed", 3, "--games", 100)
    process = start(*line, "--out", out, environment={"EQUIPOISE_CACHE_DIR": str(cache)})
    _, error = interrupt(process, (out / "manifest.json").exists)
    assert process.returncode == 130
    assert error.startswith("interrupted")
    assert not list(cache.rglob("*play_batch*"))
    assert cli("simulate", "--quiet", "--resume", out).code == cli(*line, "--out", tmp_path / "whole").code == 0
    assert eq.load(out).manifest.digest == eq.load(tmp_path / "whole").manifest.digest


@pytest.mark.parametrize("step", ["mkdir", "load_writers"])
def test_a_signal_while_a_folder_is_made_leaves_no_folder_without_a_manifest(tmp_path: Path, step: str) -> None:
    program = f"""
import os, pathlib, signal
from analysis.runs import writer
from equipoise.start import main
place = {{"mkdir": pathlib.Path, "load_writers": writer}}["{step}"]
take = place.{step}
def signalled(*given, **named):
    done = take(*given, **named)
    if place is writer or given[0].name == "games":
        os.kill(os.getpid(), signal.SIGHUP)
    return done
place.{step} = signalled
main()
"""
    out = tmp_path / "runs" / "run"
    line = ["simulate", *RANDOM, "--games", "100", "--quiet", "--out", str(out)]
    done = subprocess.run(
        [sys.executable, "-c", program, *line],
        env=environment(),
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert (done.returncode, done.stderr) == (130, "interrupted\n")
    assert eq.resume(out).run.manifest.games_written == 100


def test_what_was_killed_before_its_manifest_is_begun_again(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "run" / "games").mkdir(parents=True)
    said = cli("simulate", "--resume", tmp_path / "run")
    assert said.err.endswith("run: the run was stopped before it began; begin it again\n")
    assert cli("simulate", *RANDOM, "--games", 100, "--out", tmp_path / "run").code == 0


def test_ctrl_c_while_the_commands_are_imported(tmp_path: Path) -> None:
    """Typing a command and thinking better of it at once shows no traceback."""
    (tmp_path / "typer.py").write_text("raise KeyboardInterrupt")
    process = start("simulate", environment={"PYTHONPATH": os.pathsep.join([str(tmp_path), str(ROOT)])}, cwd=tmp_path)
    said, error = process.communicate(timeout=PATIENCE)
    assert (process.returncode, said, error) == (130, "", "interrupted\n")


def test_ctrl_c_without_a_table(tmp_path: Path) -> None:
    process = start("simulate", "--games", "4e9", *RANDOM, "--format", "none", "--quiet", cwd=tmp_path)
    said, error = interrupt(process, lambda: plays(process))
    assert (process.returncode, said, error) == (130, "", "interrupted\n")
    assert list(tmp_path.iterdir()) == []


def test_ctrl_c_in_the_middle_of_a_replay(tmp_path: Path) -> None:
    out = tmp_path / "games.jsonl"
    process = start("replay", *RANDOM, "--count", "1e6", "--format", "jsonl", "--out", out)
    _, error = interrupt(process, lambda: any(path.stat().st_size > 0 for path in tmp_path.iterdir()))
    assert process.returncode == 130
    assert error == "interrupted\n"
    assert list(tmp_path.iterdir()) == []


def test_a_run_that_was_killed_is_not_taken_for_whole(tmp_path: Path, cli: Cli) -> None:
    """Nothing can be done after SIGKILL; the manifest still says "running"."""
    out = tmp_path / "run"
    cli("simulate", "--games", 100, *RANDOM, "--out", out)
    edit(out, status="running")
    with pytest.raises(UsageError, match="the run has not ended"):
        eq.load(out)


def test_a_signal_that_is_to_be_ignored_is_ignored(tmp_path: Path) -> None:
    """What `nohup` starts goes on without its terminal."""
    process = start(
        "simulate",
        "--games",
        "3e5",
        *BRIEF,
        "--out",
        tmp_path / "run",
        "--quiet",
        preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN),
    )
    interrupt(process, (tmp_path / "run" / "games").is_dir, signal.SIGHUP)
    assert process.returncode == 0


def test_what_a_killed_run_had_written_can_be_read(tmp_path: Path) -> None:
    out = tmp_path / "run"
    process = start("simulate", "--games", "2.9e6", *BRIEF, "--out", out, "--quiet", "--threads", 1)
    interrupt(process, lambda: len(list(out.glob("games/part-*.parquet"))) >= 4, signal.SIGKILL)
    parts = sorted(out.glob("games/part-*.parquet"))
    run = eq.load(out, partial=True)
    assert len(run.manifest.parts) >= len(parts) - 1
    assert run.polars().collect().height == run.manifest.rows > 0


def test_every_part_is_listed_as_it_lands(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("simcore.running.executors.PART_SIZES", (960,))
    monkeypatch.setattr(time, "thread_time", lambda: 0.0)  # listing a part seems to cost nothing, so none has to wait
    spec, listed = make_spec(strategies=["random"], games=9600), []
    folders.claim(tmp_path / "run")
    writing = writer.RunWriter(tmp_path / "run", spec, "minimal", "parquet", [])

    def finished(part: PlayedPart) -> None:
        writing.finished(part)
        listed.append(len(Manifest.read(tmp_path / "run").parts))

    writing.close(executors.execute(spec, 1, "minimal", writing.write, finished))
    assert listed == list(range(1, len(listed) + 1))
    assert len(listed) > 9


@pytest.mark.parametrize("left", [["games/"], ["games/", "games/.part-000000.parquet"], ["games/", ".manifest.json.7"]])
def test_what_a_run_leaves_that_was_killed_at_its_beginning_is_no_obstacle(
    tmp_path: Path, cli: Cli, left: list[str]
) -> None:
    out = tmp_path / "run"
    for name in left:
        path = out / name
        path.mkdir(parents=True) if name.endswith("/") else path.touch()
    assert cli("simulate", "--games", 100, *RANDOM, "--out", out).code == 0
    assert sorted(path.name for path in out.rglob("*")) == ["games", "manifest.json", "part-000000.parquet"]


@pytest.mark.parametrize("force", [(), ("--force",)])
def test_two_processes_do_not_write_into_one_folder(tmp_path: Path, cli: Cli, force: tuple[str, ...]) -> None:
    out = tmp_path / "run"
    first = start("simulate", "--games", "4e9", *BRIEF, "--out", out, "--quiet", "--threads", 1)
    try:
        until(lambda: list(out.glob("games/part-*.parquet")) or first.poll() is not None)
        assert first.poll() is None
        said = cli("simulate", "--games", 100, *RANDOM, "--out", out, *force)
        assert (said.code, said.out) == (2, "")
        assert said.err == (
            f"error: --out: {out}: another process writes there; wait until it ends, or choose another place\n"
        )
    finally:
        interrupt(first, lambda: True)
    assert eq.load(out, partial=True).polars().collect().height > 0
    assert cli("simulate", "--games", 100, *RANDOM, "--out", out, "--force").code == 0


def killed(kills: int, place: Path) -> dict[str, Any]:
    """Kill runs so many times; return what came of it."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.machine.killing", str(kills), str(place)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def test_runs_killed_at_random_moments_come_out_the_same(tmp_path: Path) -> None:
    """Ten moments here; tests/verification takes a hundred."""
    found = killed(10, tmp_path)
    assert found["wrong"] == []
    assert found["kills"] == 10
    assert found["resumed"] > 0
