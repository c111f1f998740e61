"""Ctrl-C, a full disk, a closed pipe: one line, an honest manifest, and no half-written file that looks whole."""

from __future__ import annotations

import errno
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import equipoise as eq
from analysis.runs import folders, parts, writer
from analysis.runs.manifest import Manifest
from simcore.errors import UsageError
from simcore.running import executors, pool
from simcore.running.parts import PlayedPart
from tests.equipoise.conftest import Cli
from tests.manifests import edit
from tests.specs import make_spec

ROOT = Path(__file__).resolve().parents[2]
PATIENCE = 60
PROGRAM = """
import signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)
if "tune" in sys.argv:
    from tests.brief import tune_briefly
    tune_briefly(setattr)
from equipoise.start import main
main()
"""
RANDOM = ("--strategies", "random")


def start(*arguments: object, environment: Mapping[str, str] | None = None, **options: Any) -> subprocess.Popen[str]:
    """Start `equipoise` in a process of its own that Ctrl-C reaches, even where this one may not be interrupted."""
    path = os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH")]))
    return subprocess.Popen(
        [sys.executable, "-c", PROGRAM, *map(str, arguments)],
        env={**os.environ, "PYTHONPATH": path, "COLUMNS": "80", **(environment or {})},
        text=True,
        **{"stdout": subprocess.PIPE, "stderr": subprocess.PIPE} | options,
    )


def interrupt(
    process: subprocess.Popen[str], ready: Callable[[], bool], signal_: int = signal.SIGINT, within: float = PATIENCE
) -> tuple[str, str]:
    """Press Ctrl-C, or send another signal, once something holds; return what the process said."""
    deadline = time.monotonic() + PATIENCE
    try:
        while not ready():
            assert process.poll() is None, process.communicate()
            assert time.monotonic() < deadline
            time.sleep(0.02)
        process.send_signal(signal_)
        return process.communicate(timeout=within)
    finally:
        process.kill()


PLAYING, LOADING = 0.3, 5
"""Seconds of processor time after which a process has begun to play: in its threads, and in all."""


def plays(process: subprocess.Popen[str]) -> bool:
    """Return whether a process has begun to play; where the system does not tell, whether it has had the time to."""
    worked = {}
    for path in Path(f"/proc/{process.pid}/task").glob("*/stat"):
        with suppress(OSError):  # the thread has just ended
            fields = path.read_text().rpartition(")")[2].split()
            worked[path.parent.name] = (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    if not worked:
        time.sleep(LOADING)
        return True
    return sum(worked.values()) > LOADING or sum(worked.values()) - worked.get(str(process.pid), 0) > PLAYING


def check_ended(folder: Path, status: str) -> None:
    """A run that ended early says so, and what it has is whole."""
    with pytest.raises(UsageError) as raised:
        eq.load(folder)
    said = str(raised.value)
    assert f"the run {status} (" in said
    assert "the option 'partial'" in said
    assert "\n" not in said
    run = eq.load(folder, partial=True)
    assert run.manifest.digest is None
    assert run.manifest.games_written < run.manifest.games
    assert all(not path.name.startswith(".") for path in folder.rglob("*"))
    for path in (folder / "games").glob("*.parquet"):
        assert pl.read_parquet(path).height % 4 == 0
    if run.manifest.parts:
        frame = run.polars().select("game_id", "share60").collect()
        assert frame.height == run.manifest.rows == 4 * run.manifest.games_written
        assert frame["share60"].sum() == 60 * run.manifest.games_written
        assert frame["game_id"].n_unique() == run.manifest.games_written


# --- Ctrl-C ---


@pytest.mark.parametrize(
    ("form", "signal_"), [("parquet", signal.SIGINT), ("csv", signal.SIGTERM), ("parquet", signal.SIGHUP)]
)
def test_a_signal_in_the_middle_of_a_run(tmp_path: Path, form: str, signal_: int, cli: Cli) -> None:
    out = tmp_path / "run"
    process = start("simulate", "--games", "2.9e6", *RANDOM, "--out", out, "--format", form, "--quiet")
    said, error = interrupt(process, lambda: len(list(out.glob(f"games/part-*.{form}"))) >= 3, signal_)
    assert process.returncode == 130
    assert said == ""
    assert error == (f"interrupted: {out} holds the games that were complete; continue with: simulate --resume {out}\n")
    check_ended(out, "was interrupted")
    exported = tmp_path / "whole.csv"
    refused = cli("export", out, "--out", exported)
    assert (refused.code, exported.exists()) == (2, False)
    assert "the option 'partial'" in refused.err
    assert cli("export", out, "--out", exported, "--partial").code == 0
    assert pl.read_csv(exported).height == eq.load(out, partial=True).manifest.rows
    assert cli("replay", out, "--index", 2).code == 0


def test_ctrl_c_before_the_first_part_leaves_nothing(cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def stopped(*arguments: object, **named: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(parts, "write_frame", stopped)
    said = cli("simulate", "--games", 100, *RANDOM, "--out", tmp_path / "run", "--threads", 1)
    assert (said.code, said.err) == (130, "interrupted: nothing was written; run it again\n")
    assert list(tmp_path.iterdir()) == []


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
        "simulate", "--games", "3e5", *RANDOM, "--out", tmp_path / "run", "--quiet",
        preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN),
    )  # fmt: skip
    interrupt(process, (tmp_path / "run" / "games").is_dir, signal.SIGHUP)
    assert process.returncode == 0


def test_what_a_killed_run_had_written_can_be_read(tmp_path: Path) -> None:
    out = tmp_path / "run"
    process = start("simulate", "--games", "2.9e6", *RANDOM, "--out", out, "--quiet", "--threads", 1)
    interrupt(process, lambda: len(list(out.glob("games/part-*.parquet"))) >= 4, signal.SIGKILL)
    parts = sorted(out.glob("games/part-*.parquet"))
    run = eq.load(out, partial=True)
    assert len(run.manifest.parts) >= len(parts) - 1
    assert run.polars().collect().height == run.manifest.rows > 0


def test_every_part_is_listed_as_it_lands(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("simcore.running.parts.PART_SIZES", (960,))
    spec, listed = make_spec(strategies=["random"], games=9600), []
    folders.claim(tmp_path / "run")
    writing = writer.RunWriter(tmp_path / "run", spec, "minimal", "parquet", [])

    def finished(part: PlayedPart) -> None:
        time.sleep(0.1)
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
    first = start("simulate", "--games", "4e9", *RANDOM, "--out", out, "--quiet")
    try:
        while not list(out.glob("games/part-*.parquet")):
            assert first.poll() is None
            time.sleep(0.02)
        said = cli("simulate", "--games", 100, *RANDOM, "--out", out, *force)
        assert (said.code, said.out) == (2, "")
        assert said.err == (
            f"error: --out: {out}: another process writes there; wait until it ends, or choose another place\n"
        )
    finally:
        interrupt(first, lambda: True)
    assert eq.load(out, partial=True).polars().collect().height > 0
    assert cli("simulate", "--games", 100, *RANDOM, "--out", out, "--force").code == 0


# --- policies that never come back ---

LOOPS = """
import equipoise

@equipoise.policy("middle-ages")
def loops(rules, lineup, state, seat):
    x = 0
    while state.round >= 0:
        x += 1
    return x
"""


SOON = 4
"""Seconds; two, and as many again where the machine is busy."""


@pytest.fixture
def looping(tmp_path: Path) -> Callable[..., subprocess.Popen[str]]:
    """Start a command, and wait until its policy goes round in circles."""
    (tmp_path / "loops.py").write_text(LOOPS)

    def begin(*command: str) -> subprocess.Popen[str]:
        process = start(*command, cwd=tmp_path)
        deadline = time.monotonic() + PATIENCE
        while not plays(process) and process.poll() is None and time.monotonic() < deadline:
            time.sleep(0.05)
        assert process.poll() is None, process.communicate()
        return process

    return begin


@pytest.mark.parametrize(
    "command",
    [
        "simulate --out run --strategies loops.py:loops",
        "replay --out log --strategies loops.py:loops",
        "tournament --out cup --strategies random,loops.py:loops",
        "restrict --out cost --strategy loops.py:loops",
        "tune --out mine.toml --against loops.py:loops",
        f"check {ROOT / 'configs/middle-ages/baselines/default.toml'} --strategies loops.py:loops",
        "bench --only speed --players 2 --strategies loops.py:loops",
    ],
    ids=lambda command: command.split()[0],
)
def test_ctrl_c_ends_a_policy_that_loops(
    tmp_path: Path, looping: Callable[..., subprocess.Popen[str]], command: str
) -> None:
    process = looping(*command.split())
    _, error = interrupt(process, lambda: True, within=SOON)
    assert process.returncode == 130
    assert error.splitlines()[-1].startswith("interrupted")
    kept = {"loops.py", "__pycache__", "mine.toml.journal"}  # the last holds what a tuning goes on from
    assert {path.name for path in tmp_path.iterdir()} <= kept


def test_a_second_ctrl_c_ends_it_at_once(looping: Callable[..., subprocess.Popen[str]]) -> None:
    process = looping("simulate", "--format", "none", "--strategies", "loops.py:loops")
    process.send_signal(signal.SIGINT)
    time.sleep(0.2)
    began = time.monotonic()
    said = interrupt(process, lambda: process.poll() is None, within=SOON)
    assert process.returncode == 130, said
    assert time.monotonic() - began < pool.PATIENCE / 2


def test_ctrl_c_ends_a_thousand_threads(tmp_path: Path) -> None:
    process = start("simulate", "--games", "4e9", "--threads", 1000, *RANDOM, "--format", "none", cwd=tmp_path)
    _, error = interrupt(process, lambda: plays(process), within=SOON)
    assert (process.returncode, error) == (130, "interrupted\n")


# --- a full disk ---


@pytest.fixture
def tiny(tmp_path: Path) -> Iterator[Callable[[str], Path]]:
    """Mount a disk of some size; without the right to mount, skip."""
    mounted: list[Path] = []

    def mount(size: str) -> Path:
        disk = tmp_path / "disk"
        disk.mkdir()
        command = ["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", str(disk)]
        try:
            done = subprocess.run(command, capture_output=True, check=False)
        except FileNotFoundError:
            pytest.skip("no mount command")
        if done.returncode:
            pytest.skip("may not mount a disk")
        mounted.append(disk)
        return disk

    yield mount
    for disk in mounted:
        subprocess.run(["umount", "-l", str(disk)], check=True)


@pytest.mark.parametrize(("form", "size"), [("parquet", "10m"), ("csv", "75m")])
def test_disk_that_fills_up_during_a_run(cli: Cli, tiny: Callable[[str], Path], form: str, size: str) -> None:
    """Where three parts have room, and two threads write."""
    out = tiny(size) / "run"
    said = cli("simulate", "--games", "2e5", *RANDOM, "--out", out, "--format", form, "--threads", "2")
    assert (said.code, said.out) == (2, "")
    reason = "No space left on device; make room or choose another folder"
    assert said.err.replace("/manifest.json", "") == f"error: --out: {out} cannot be written: {reason}\n"
    check_ended(out, "failed")


def test_disk_that_is_full_from_the_start(cli: Cli, tiny: Callable[[str], Path]) -> None:
    disk = tiny("4k")
    said = cli("simulate", "--games", "100", *RANDOM, "--out", disk / "run")
    assert said.code == 2
    assert "manifest.json cannot be written: No space left on device" in said.err
    assert said.err.count("\n") == 1
    assert list(disk.iterdir()) == []


@pytest.mark.parametrize("form", ["parquet", "csv"])
def test_export_to_a_full_disk(cli: Cli, tiny: Callable[[str], Path], tmp_path: Path, form: str) -> None:
    cli("simulate", "--games", "2000", *RANDOM, "--out", tmp_path / "run")
    disk = tiny("64k")
    said = cli("export", tmp_path / "run", "--out", disk / f"x.{form}")
    assert said.code == 2
    assert said.err == f"error: --out: {disk}/x.{form} cannot be written: No space left on device\n"
    assert list(disk.iterdir()) == []


def test_write_error_without_a_real_full_disk(cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same where nothing can be mounted: the third part cannot be written."""
    monkeypatch.setattr("simcore.running.parts.PART_SIZES", (960,))
    write, written = parts.write_frame, []

    def failing(frame: pl.DataFrame, path: Path) -> None:
        if len(written) == 2:
            path.write_bytes(b"half a fi")
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        written.append(path)
        write(frame, path)

    monkeypatch.setattr(parts, "write_frame", failing)
    out = tmp_path / "run"
    said = cli("simulate", "--games", 9_600, *RANDOM, "--out", out, "--threads", 1)
    assert said.code == 2
    assert said.err.count("\n") == 1
    assert "No space left on device" in said.err
    check_ended(out, "failed")
    assert eq.load(out, partial=True).manifest.games_written == 1920


# --- standard output ---


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full")
@pytest.mark.parametrize("command", [["simulate", "--games", "10", "--format", "none"], ["replay"]])
def test_output_that_cannot_be_written(command: list[str]) -> None:
    with Path("/dev/full").open("w") as full:
        process = start(*command, *RANDOM, stdout=full)
        error = process.communicate(timeout=PATIENCE)[1]
    assert process.returncode == 2
    assert error.count("\n") == 1
    assert "No space left on device" in error


def test_a_reader_who_leaves_early_is_no_error() -> None:
    process = start("replay", *RANDOM, "--count", 2000)
    assert process.stdout is not None
    assert process.stdout.readline().startswith("Middle-Ages")
    process.stdout.close()
    assert process.wait(PATIENCE) == 0
    assert process.stderr is not None
    assert process.stderr.read() == ""
    process.stderr.close()


@pytest.mark.parametrize(
    "command",
    [
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
    ],
)
def test_a_reader_who_leaves_changes_no_exit_code(tmp_path: Path, command: str) -> None:
    process = start(*command.replace("OUT", str(tmp_path)).split(), cwd=ROOT)
    assert process.stdout is not None
    process.stdout.close()
    assert process.stderr is not None
    error = process.stderr.read()
    assert (process.wait(PATIENCE), error) == (0, "")
    process.stderr.close()


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
