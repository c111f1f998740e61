"""Two processes that write to one place are kept apart: the second is told so before its work."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from equipoise.files import claimed
from simcore.errors import UsageError
from simcore.kernel.cache import cache_folder, unsealed
from tests.equipoise.conftest import Cli
from tests.machine.left import content
from tests.machine.processes import PATIENCE, ROOT, start

OTHER = """
import sys, time
from pathlib import Path
from equipoise.files import claimed
with claimed(Path(sys.argv[1])):
    print("claimed", flush=True)
    time.sleep(600)
"""
PLAYED = ("--games", "60", "--strategies", "random")


@contextmanager
def other_process(path: Path) -> Iterator[None]:
    """Let another process write a file while the block runs."""
    process = subprocess.Popen([sys.executable, "-c", OTHER, str(path)], cwd=ROOT, stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        assert process.stdout.readline() == "claimed\n"
        yield
    finally:
        process.kill()
        process.communicate()


def together(folder: Path, *arguments: object, **environment: str) -> list[tuple[int, str]]:
    """Start one command twice at once; return how both ended, the one that succeeded first."""
    both = [start(*arguments, cwd=folder, environment=environment) for _ in range(2)]
    said = [process.communicate(timeout=PATIENCE)[1] for process in both]
    return sorted((process.returncode, error) for process, error in zip(both, said, strict=True))


@pytest.mark.parametrize(
    ("command", "written"),
    [
        ("tournament --games 600 --strategies greedy,random --out cup", "cup/tournament.html"),
        ("restrict --games 60 --forbid plot_token --strategy greedy --out cost", "cost/restrict.html"),
        ("report run --no-open --deals 10 --out pages/mine.html", "pages/mine.html"),
        ("report --game middle-ages --games 60 --no-open --out whole", "whole/report.html"),
        ("export run --out table.csv", "table.csv"),
        ("replay run --out log.jsonl", "log.jsonl"),
        ("tune --budget 1 --games 60 --population 4 --out mine.toml", "mine.toml"),
        ("bench --only speed --strategies random --players 3 --seconds 0.01 --out speed.json", "speed.json"),
    ],
    ids=lambda text: text.split()[0],
)
@pytest.mark.parametrize("force", [(), ("--force",)], ids=["", "force"])
def test_the_second_is_told_before_its_work(
    cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: str, written: str, force: tuple[str, ...]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert cli("simulate", "-q", *PLAYED, "--out", "run").code == 0
    with other_process(tmp_path / written):
        said = cli(*command.split(), *force)
    assert (said.code, said.out) == (2, "")
    assert said.err.startswith("error: --out: ")
    assert said.err.endswith(f"{written}: another process writes there; wait until it ends, or choose another place\n")
    assert not Path(written).exists()


def test_what_a_killed_process_leaves_is_no_obstacle(cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert cli("simulate", "-q", *PLAYED, "--out", "run").code == 0
    with other_process(tmp_path / "run/report.html"):
        pass
    assert [path.name for path in tmp_path.glob("run/.*")] == [".report.html.lock"]
    assert cli("simulate", "-q", *PLAYED, "--out", "run", "--force").code == 0
    with other_process(tmp_path / "table.csv"):
        Path(".table.csv.0123abcd0123abcd0123abcd0123abcd.csv").write_text("half a ta")
    Path(".table.csv.notes.csv").touch()
    assert cli("export", "run", "--out", "table.csv").code == 0
    Path(".table.csv.notes.csv").unlink()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["run", "table.csv"]


def test_folders_go_again_where_they_stay_empty(tmp_path: Path) -> None:
    page = tmp_path / "new/deep/page.html"
    with pytest.raises(UsageError, match="too late"), claimed(page):
        assert page.parent.is_dir()
        raise UsageError("too late")
    assert list(tmp_path.iterdir()) == []
    with claimed(page), claimed(page):
        page.touch()
    assert [path.name for path in tmp_path.rglob("*")] == ["new", "deep", "page.html"]


def test_two_runs_in_one_folder(cli: Cli, tmp_path: Path) -> None:
    """One begins and ends as if it were alone, whichever it is; the other is told so."""
    line = ("simulate", "-q", *PLAYED, "--threads", "1", "--out", "run")
    (won, _), (lost, error) = together(tmp_path, *line)
    assert (won, lost) == (0, 2)
    assert error.count("\n") == 1
    assert "another process writes there" in error or "run exists" in error
    assert cli("verify", tmp_path / "run").code == 0
    alone = tmp_path / "alone"
    alone.mkdir()
    assert start(*line, cwd=alone).wait(PATIENCE) == 0
    assert content(tmp_path / "run") == content(alone / "run")


def test_two_sweeps_with_one_cache(tmp_path: Path) -> None:
    """Both store the same cells at the same time; both tell the same, and what is stored can be read."""
    shutil.copytree(cache_folder(), tmp_path / "cache" / cache_folder().name)
    line = ("sweep", "--set", "starting_coins.1=1..2", *PLAYED, "--json", "--format", "none")
    both = [start(*line, cwd=tmp_path, environment={"EQUIPOISE_CACHE_DIR": str(tmp_path / "cache")}) for _ in range(2)]
    first, second = (json.loads(process.communicate(timeout=PATIENCE)[0]) for process in both)
    assert first["results"][0]["table"] == second["results"][0]["table"]
    stored = list((tmp_path / "cache/played").iterdir())
    assert len(stored) == 3
    for path in stored:
        assert unsealed(path.stem, path.read_bytes())


def test_two_tunings_with_one_journal(tmp_path: Path) -> None:
    line = ("tune", "--budget", "1", "--games", "60", "--population", "4", "--threads", "1", "--out", "mine.toml")
    (won, _), (lost, error) = together(tmp_path, *line)
    assert (won, lost) == (0, 2)
    assert error.startswith("error: --out: ")
    assert "another process writes there" in error or "mine.toml exists" in error
    assert [path.name for path in tmp_path.iterdir()] == ["mine.toml"]
