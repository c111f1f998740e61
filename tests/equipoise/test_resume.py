"""A run that ended early goes on, and what it leaves is what an uninterrupted run leaves."""

from __future__ import annotations

import errno
import os
import shutil
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import equipoise as eq
from analysis.runs import writer
from analysis.runs.writer import RunWriter
from analysis.table_files import write_frame
from equipoise.cli import app, run
from simcore.errors import Interrupted, UsageError
from tests.equipoise.conftest import Cli
from tests.machine.killing import content
from tests.machine.processes import ROOT
from tests.manifests import edit, manifest_of

GAMES = 9_600
PLAYED = ("--games", GAMES, "--strategies", "random", "--players", "3")


@pytest.fixture(autouse=True)
def _small_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("simcore.running.executors.PART_SIZES", (960, 122_880))


@pytest.fixture(scope="module")
def uninterrupted(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run that nothing interrupted."""
    folder = tmp_path_factory.mktemp("whole") / "run"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("simcore.running.executors.PART_SIZES", (960, 122_880))
        assert run(app, ["simulate", "-q", *map(str, PLAYED), "--out", str(folder)]) == 0
    return folder


@pytest.fixture
def whole(tmp_path: Path, uninterrupted: Path) -> Path:
    """A copy of it."""
    return Path(shutil.copytree(uninterrupted, tmp_path / "run"))


@pytest.fixture
def stopped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The same run, interrupted in the middle."""
    finished = RunWriter.finished

    def pressed(writer: RunWriter, part: Any) -> None:
        if part.number == 4:
            raise KeyboardInterrupt
        finished(writer, part)

    with monkeypatch.context() as change, pytest.raises(Interrupted, match=r"continue with: eq\.resume"):
        change.setattr(RunWriter, "finished", pressed)
        eq.simulate(games=GAMES, players=3, strategies="random", threads=1, out=tmp_path / "stopped")
    return tmp_path / "stopped"


def test_an_interrupted_run_goes_on(cli: Cli, whole: Path, stopped: Path) -> None:
    had = manifest_of(stopped)
    assert 0 < had["games_written"] < GAMES
    said = cli("simulate", "--resume", stopped, "--threads", 1)
    assert (said.code, said.err) == (0, "")
    assert f"Digest    {manifest_of(whole)['digest']}" in said.out.replace("\n", "")
    ours, theirs = content(stopped), content(whole)
    assert {key: value for key, value in ours.items() if key != "command"} == {
        key: value for key, value in theirs.items() if key != "command"
    }


def test_a_complete_run_is_left_as_it_is(cli: Cli, whole: Path) -> None:
    before = content(whole)
    said = cli("simulate", "--resume", whole)
    assert (said.code, content(whole)) == (0, before)
    assert before["digest"] in said.out.replace("\n", "")


def test_a_run_with_rows_does_not_load_what_only_summaries_need(
    cli: Cli, whole: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Starting a second time is most of what going on costs."""
    monkeypatch.setitem(sys.modules, "analysis.headlines", None)
    assert cli("simulate", "-q", "--resume", whole).code == 0


@pytest.mark.parametrize("status", ["complete", "running"])
def test_a_part_that_was_lost_or_damaged_is_written_again(cli: Cli, whole: Path, status: str) -> None:
    """After a power failure files may be empty, or missing, although they were listed."""
    before = content(whole)
    (whole / "games/part-000002.parquet").unlink()
    (whole / "games/part-000004.parquet").write_bytes(b"")
    edit(whole, status=status, digest=None if status == "running" else before["digest"])
    assert cli("simulate", "-q", "--resume", whole).code == 0
    assert content(whole) == before


OTHER = """
import sys, time
from pathlib import Path
from simcore.atomic import hold
hold(Path(sys.argv[1]))
print("held", flush=True)
time.sleep(600)
"""


def test_two_processes_do_not_go_on_with_one_run(cli: Cli, stopped: Path) -> None:
    other = subprocess.Popen([sys.executable, "-c", OTHER, stopped], cwd=ROOT, stdout=subprocess.PIPE, text=True)
    try:
        assert other.stdout is not None
        assert other.stdout.readline() == "held\n"
        said = cli("simulate", "--resume", stopped)
    finally:
        other.kill()
        other.communicate()
    assert (said.code, said.out) == (2, "")
    assert said.err == (
        f"error: --resume: {stopped}: another process writes there; wait until it ends, or choose another place\n"
    )


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (("--seed", "2"), "--seed: {run} is a run with 1, not 2; leave this option out, or start another run"),
        (("--games", "5"), "--games: {run} is a run with 9600, not 5; leave this option out, or start another run"),
        (("--rules", "base"), "--rules: {run} says what to play; leave this option out"),
        (("--rules", "secrets"), "--rules: {run} says what to play; leave this option out"),
        (("--strategies", "steward"), "--strategies: {run} says what to play; leave this option out"),
        (
            ("--out", "other"),
            "--out: {run} is a run with {run}, not other; leave this option out, or start another run",
        ),
    ],
)
def test_a_run_of_another_specification_is_refused(cli: Cli, whole: Path, options: tuple[str, ...], says: str) -> None:
    said = cli("simulate", "--resume", whole, *options)
    assert (said.code, said.out, said.err) == (2, "", f"error: {says.format(run=whole)}\n")


def test_options_that_say_the_same_do_no_harm(cli: Cli, whole: Path) -> None:
    assert cli("simulate", "-q", "--resume", whole, "--seed", 1, "--games", "9.6e3", "--threads", 1).code == 0


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"code": "0" * 64}, "the run was begun by different code (Equipoise "),
        ({"totals": {"tally": []}}, "totals: no tally; the manifest was changed or damaged"),
        ({"totals": None}, "the totals do not match the games of the parts; the manifest was changed or damaged"),
        ({"precision": "narrow"}, "'narrow' is not a precision"),
    ],
    ids=lambda value: next(iter(value), "") if isinstance(value, dict) else "",
)
def test_a_run_that_cannot_be_believed_is_refused(cli: Cli, whole: Path, change: dict[str, Any], says: str) -> None:
    edit(whole, **change)
    said = cli("simulate", "--resume", whole)
    assert (said.code, said.out, said.err.count("\n")) == (2, "", 1)
    assert says in said.err


def test_what_is_no_run_is_refused(cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, whole: Path) -> None:
    missing = cli("simulate", "--resume", tmp_path / "none")
    assert missing.err == f"error: --resume: {tmp_path}/none: no such run folder\n"
    (tmp_path / "empty").mkdir()
    assert "not a run folder; it has no manifest.json" in cli("simulate", "--resume", tmp_path / "empty").err
    monkeypatch.setattr(os, "access", lambda path, mode: mode != os.W_OK)
    said = cli("simulate", "--resume", whole)
    assert said.err == f"error: --resume: {whole} cannot be written: Permission denied; choose another folder\n"


@pytest.mark.parametrize("room", ["games", "tables", "totals"])
def test_a_run_with_links_to_other_folders_removes_nothing_there(cli: Cli, whole: Path, room: str) -> None:
    """A stranger's run may have a link to a folder of mine; what a run does not list would be removed from there."""
    mine = whole.parent / "mine"
    mine.mkdir()
    kept = [mine / name for name in ("my-thesis.txt", ".bash-history", "part-000009.parquet")]
    for path in kept:
        path.touch()
    shutil.rmtree(whole / room, ignore_errors=True)
    (whole / room).symlink_to(mine, target_is_directory=True)
    said = cli("simulate", "--resume", whole)
    assert (said.code, said.out) == (2, "")
    assert f"{whole / room} is a link to another folder" in said.err
    assert sorted(mine.iterdir()) == sorted(kept)


def test_a_folder_that_vanishes_ends_the_run_in_one_line(tmp_path: Path) -> None:
    """A network drive that goes away, or somebody who tidies up."""

    def tick(done: int, total: int) -> None:
        shutil.rmtree(tmp_path / "run", ignore_errors=True)

    with pytest.raises(UsageError, match=r"cannot be written: (No such file or directory|File exists); make room"):
        eq.simulate(games=3e6, strategies="random", out=tmp_path / "run", progress=tick)


def test_what_a_full_disk_left_goes_on_elsewhere(
    cli: Cli, whole: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    written = []

    def fill(frame: Any, path: Path) -> None:
        written.append(path)
        if len(written) > 4:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        write_frame(frame, path)

    with monkeypatch.context() as patch:
        patch.setattr(writer, "write_frame", fill)
        said = cli("simulate", "-q", *PLAYED, "--out", tmp_path / "full", "--threads", 1)
    assert (said.code, "No space left on device" in said.err) == (2, True)
    assert manifest_of(tmp_path / "full")["status"] == "failed"
    assert cli("simulate", "-q", "--resume", tmp_path / "full").code == 0
    assert manifest_of(tmp_path / "full")["digest"] == manifest_of(whole)["digest"]


STOPPED = ("simulate", "-q", *PLAYED, "--seed", 2, "--threads", 1, "--force", "--out")


@pytest.fixture
def begun(cli: Cli, whole: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Path, Path, dict[str, Any]]:
    """Return a run, the one that was begun to replace it and was stopped, and what the first held before."""
    monkeypatch.setattr("simcore.running.executors.PART_SIZES", (960,))
    out, new = whole, tmp_path / "run.new"
    before, counted, count = content(out), [0], RunWriter.finished

    def finished(writer: RunWriter, part: Any) -> None:
        if sum(counted) == 3:
            raise KeyboardInterrupt
        counted.append(1)
        count(writer, part)

    with monkeypatch.context() as change:
        change.setattr(RunWriter, "finished", finished)
        said = cli(*STOPPED, out)
    assert said.err == (
        f"interrupted: {out} is as it was; {new} holds the games that were complete; continue with: "
        f"simulate --resume {new}\n"
    )
    assert (said.code, content(out)) == (130, before)
    return out, new, before


def test_a_run_stays_until_the_one_that_replaces_it_is_whole(
    cli: Cli, tmp_path: Path, begun: tuple[Path, Path, dict[str, Any]]
) -> None:
    """What goes on in the end is what a run leaves that nobody stopped, in the place of the old one."""
    out, new, _ = begun
    assert manifest_of(new)["games_written"] == 2880
    said = cli("simulate", "-q", "--resume", new)
    assert (said.code, said.out) == (0, f"{out}\n"), said.err
    assert cli(*STOPPED[:-2], "--out", tmp_path / "alone").code == 0
    assert content(out) | {"command": []} == content(tmp_path / "alone") | {"command": []}
    assert sorted(path.name for path in tmp_path.iterdir()) == ["alone", "run"]
    assert "replaces" not in manifest_of(out)


def test_what_was_begun_is_begun_again_by_force_and_what_is_in_the_way_stays(
    cli: Cli, begun: tuple[Path, Path, dict[str, Any]]
) -> None:
    out, new, before = begun
    shutil.rmtree(new)
    assert cli("simulate", "-q", "--games", 8, *PLAYED[2:], "--out", new).code == 0
    said = cli(*STOPPED, out)
    assert said.code == 2
    assert said.err == (
        f"error: --out: {new} exists, where the new run would be until it is whole; choose another folder\n"
    )
    assert (manifest_of(new)["games"], content(out)) == (8, before)
    edit(new, replaces=manifest_of(out)["manifest_sha256"], status="running")
    assert cli(*STOPPED, out).code == 0
    assert (manifest_of(out)["seed"], new.exists()) == (2, False)


def test_a_run_that_has_changed_meanwhile_is_not_replaced(cli: Cli, begun: tuple[Path, Path, dict[str, Any]]) -> None:
    """Neither is one in which something else lies; the new run stays whole where it is."""
    out, new, _ = begun
    (out / "notes.txt").write_text("mine")
    for _ in range(2):  # played to the end, and then as it is
        said = cli("simulate", "-q", "--resume", new)
        assert said.code == 2
        assert f"{out} has changed since the new run began; the new run is whole, in {new}" in said.err
    assert eq.load(new).manifest.games == GAMES and (out / "notes.txt").exists()
    (out / "notes.txt").unlink()
    assert cli("simulate", "-q", "--resume", new).out == f"{out}\n"


def test_a_failure_in_the_last_step_leaves_both_runs(
    cli: Cli, monkeypatch: pytest.MonkeyPatch, begun: tuple[Path, Path, dict[str, Any]]
) -> None:
    out, new, before = begun
    rename = Path.rename

    def failing(path: Path, target: Path) -> Path:
        if path == new:
            raise OSError(errno.EIO, os.strerror(errno.EIO))
        return rename(path, target)

    with monkeypatch.context() as change:
        change.setattr(Path, "rename", failing)
        said = cli("simulate", "-q", "--resume", new)
    assert (said.code, content(out)) == (2, before)
    assert said.err.count("\n") == 1 and f"the new run is whole, in {new}" in said.err
    assert cli("simulate", "-q", "--resume", new).out == f"{out}\n"


def test_a_disk_without_room_for_both_runs_is_said_before_the_first_game(
    cli: Cli, whole: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    out = whole
    before, finished = content(out), list[Any]()
    monkeypatch.setattr(RunWriter, "finished", lambda *given: finished.append(given))
    monkeypatch.setattr(shutil, "disk_usage", lambda path: SimpleNamespace(free=4_000_000))
    said = cli("simulate", "-q", "--games", "1e6", *PLAYED[2:], "--out", out, "--force")
    assert (said.code, finished, content(out)) == (2, [], before)
    assert "GB, and 0.004 GB are free while" in said.err and said.err.count("\n") == 1
    assert [path.name for path in tmp_path.iterdir()] == ["run"]
    monkeypatch.undo()
    assert cli("simulate", "-q", *PLAYED, "--out", out, "--force").code == 0
