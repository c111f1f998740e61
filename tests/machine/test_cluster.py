"""Workers of a Dask cluster play the same games as threads; what cannot be used is said in one line."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import equipoise as eq
from equipoise.api import clustering, reporting
from reports.study.study import Planned, Thresholds
from simcore.running.executors import cluster_in_use
from strategies import travel
from tests.brief import tune_briefly
from tests.equipoise.conftest import Cli
from tests.specs import make_spec
from tests.toy import TOY, environment

distributed = pytest.importorskip("distributed", reason="Dask is not installed: pip install 'equipoise[cluster]'")
admission = pytest.importorskip("equipoise.cluster_admission")
dask_config = pytest.importorskip("dask.config")

PAIR = ["greedy", "random"]


@pytest.fixture(scope="module")
def dask() -> Iterator[Any]:
    """A scheduler, and two workers in processes of their own."""
    with (
        dask_config.set(clustering.CALM),
        clustering._script_not_run_again(),
        distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=":0", silence_logs=50) as made,
    ):
        yield made


# --- the same games ---


def test_a_tournament_is_the_same(dask: Any) -> None:
    def played() -> dict[str, Any]:
        return eq.tournament(strategies=PAIR, players=2, games=8000).to_dict()

    here = played()
    with eq.cluster(dask.scheduler_address):
        assert cluster_in_use()
        away = played()
    assert away == here
    assert cluster_in_use() is None


def test_a_sweep_is_the_same(dask: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from analysis.sweep import sweeping

    monkeypatch.setattr(sweeping, "keep", lambda *_: None)
    monkeypatch.setattr(sweeping, "recall", lambda *_: None)
    grid = {"settings": ["starting_coins.1=1..2"], "strategies": "greedy", "players": 2, "games": 8000}
    here = eq.sweep(**grid).to_dict()
    with eq.cluster(dask.scheduler_address):
        assert eq.sweep(**grid).to_dict() == here


def test_restrictions_cost_the_same(dask: Any) -> None:
    asked = {"strategy": "greedy", "forbid": ["plot_token"], "players": 2, "games": 4000}
    here = eq.restrict(**asked).to_dict()
    with eq.cluster(dask.scheduler_address):
        assert eq.restrict(**asked).to_dict() == here


def test_changes_that_mend_a_game_are_the_same(dask: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    from analysis.mend import targets

    monkeypatch.setattr(targets, "recall_plain", lambda *_: None)
    monkeypatch.setattr(targets, "keep_plain", lambda *_: None)
    asked = {"free": ["starting_coins=0..2"], "players": 2, "strategies": "random", "target": "seats", "games": 2000}
    asked |= {"habit": True, "rounds": 1, "best": 1}
    here = eq.mend(**asked).to_dict()
    with eq.cluster(dask.scheduler_address):
        assert eq.mend(**asked).to_dict() == here


def test_the_runs_of_a_report_are_the_same(dask: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its sections are worked out by this process, from these runs."""

    monkeypatch.setattr("simcore.running.executors.PART_SIZES", (1920,))
    planned = [Planned(name, make_spec(2, [name] * 2, games=4000), "minimal") for name in ("random", "greedy")]
    here = reporting.play_runs(planned, tmp_path / "here", None, False, Thresholds())
    with eq.cluster(dask.scheduler_address):
        away = reporting.play_runs(planned, tmp_path / "away", None, False, Thresholds())
    for one, other in zip(here, away, strict=True):
        assert content(one.folder) == content(other.folder)


def test_tuning_finds_the_same_weights(dask: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tune_briefly(monkeypatch.setattr, 120)

    def tuned(place: Path) -> str:
        place.mkdir()
        eq.tune(players=2, budget="1", games=60, population=4, sigma=0.5, out=place / "mine.toml")
        return re.sub(r"\n(seconds|cpu_minutes) = .*", "", (place / "mine.toml").read_text(encoding="utf-8"))

    here = tuned(tmp_path / "here")
    with eq.cluster(dask.scheduler_address):
        assert tuned(tmp_path / "away") == here


def test_the_dashboard_is_named_unless_all_is_quiet(dask: Any, cli: Cli, tmp_path: Path) -> None:
    line = ["simulate", "--games", 8, "--players", 2, "--strategies", "random", "--cluster", dask.scheduler_address]
    said = cli(*line, "--format", "none")
    assert said.code == 0
    assert f"Playing on {len(dask.workers)} workers" in said.err
    assert dask.dashboard_link in said.err
    quiet = cli(*line, "--out", tmp_path / "run", "--quiet")
    assert (quiet.code, quiet.out, quiet.err) == (0, f"{tmp_path / 'run'}\n", "")


# --- what cannot be used ---


@pytest.mark.parametrize(
    ("where", "said"),
    [
        ("local:0", "write local:N"),
        ("local:two", "write local:N"),
        ("scheduler", "neither local:N nor an address"),
        ("tcp://scheduler", "neither local:N nor an address"),
        ("tcp://127.0.0.1:9", "no scheduler answers there"),
        ("tcp://no-such-host.invalid:8786", "no scheduler answers there"),
    ],
)
def test_a_place_without_a_cluster_is_refused(
    where: str, said: str, refused: Callable[..., str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(clustering, "PATIENCE", 0.3)
    line = refused("tournament", "--strategies", "greedy,random", "--games", 240, "--cluster", where)
    assert line.startswith("--cluster: ")
    assert said in line
    assert where in line


def test_a_scheduler_without_workers_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clustering, "ARRIVAL", 0.3)
    with (
        distributed.LocalCluster(n_workers=0, dashboard_address=":0", silence_logs=50) as made,
        pytest.raises(eq.UsageError, match="has no workers"),
        eq.cluster(made.scheduler_address),
    ):
        pytest.fail("nobody plays")


def test_workers_of_another_version_are_refused(dask: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    real = admission.build()
    monkeypatch.setattr(admission, "build", _other)
    with pytest.raises(eq.UsageError) as error, eq.cluster(dask.scheduler_address):
        pytest.fail("they play")
    assert str(error.value).startswith("cluster: worker tcp://")
    assert real in str(error.value)
    assert "Equipoise 0.0.1" in str(error.value)


def _other() -> str:
    """Stand in for the version of this process; a worker unpickles the real function by its name."""
    return "Equipoise 0.0.1 (code 00000000)"


_other.__module__, _other.__qualname__ = admission.build.__module__, admission.build.__qualname__


def test_a_worker_of_another_version_that_joins_later_leaves() -> None:
    class Joined:
        def __init__(self) -> None:
            self.left: list[Any] = []
            self.loop = self

        def add_callback(self, what: Any) -> None:
            self.left.append(what)

        def close(self) -> None: ...

    joined = Joined()
    admission.Admission(admission.build()).setup(joined)
    assert not joined.left
    admission.Admission("Equipoise 0.0.1").setup(joined)
    assert joined.left == [joined.close]


def test_without_dask_it_says_how_to_install_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(eq.UsageError, match=r"pip install 'equipoise\[cluster\]'"), eq.cluster("local:2"):
        pytest.fail("it plays")


def test_code_is_not_sent(dask: Any, cli: Cli, tmp_path: Path) -> None:
    with eq.cluster(dask.scheduler_address), pytest.raises(eq.UsageError, match="watched policies"):
        eq.simulate(games=8, players=2, strategies="random", check_policies=True)


def test_its_processes_run_no_module_of_the_current_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Python starts them with -c, which looks for its own modules in the current folder first."""
    (tmp_path / "json.py").write_text("print('a decoy ran')")
    found = []

    def begin(**_: Any) -> None:
        child = subprocess.run([sys.executable, "-c", "import json"], cwd=tmp_path, capture_output=True, check=True)
        found.append(child.stdout)
        raise eq.UsageError("enough")

    monkeypatch.setattr(distributed, "LocalCluster", begin)
    monkeypatch.delenv("PYTHONSAFEPATH", raising=False)
    with pytest.raises(eq.UsageError, match="enough"), eq.cluster("local:1"):
        pytest.fail("it plays")
    assert found == [b""]
    assert "PYTHONSAFEPATH" not in os.environ


def listening() -> set[Any]:
    """Return where this process and its children wait for connections."""
    psutil = pytest.importorskip("psutil")
    processes = [psutil.Process(), *psutil.Process().children(recursive=True)]
    found = [connection for process in processes for connection in process.net_connections()]
    return {connection.laddr for connection in found if connection.status == psutil.CONN_LISTEN}


def test_its_processes_listen_on_this_machine_only() -> None:
    """Dask's dashboard too: it shows logs and runs work without a password."""
    before = listening()
    with eq.cluster("local:1"):
        places = listening() - before
    assert len(places) >= 3, "scheduler, dashboard and worker"
    assert {place.ip for place in places} == {"127.0.0.1"}


# --- runs and their folders ---


def content(folder: Path) -> dict[str, str]:
    """Return the SHA-256 of every file that a run's manifest lists, and the digest of its outcomes."""
    made = eq.load(folder).manifest
    listed = {part.file: part.sha256 for parts in (made.parts, *made.tables.values()) for part in parts}
    return {**listed, "digest": str(made.digest)}


def test_a_run_writes_the_same_files(dask: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("simcore.running.executors.PART_SIZES", (1920,))
    wanted = {"game": TOY, "players": 3, "games": 8000, "format": "both", "seed": 9}
    eq.simulate(**wanted, out=tmp_path / "here", threads=1)
    seen: list[int] = []
    before = distributed.Client(dask).run(travel.built.cache_info)
    with eq.cluster(dask.scheduler_address):
        away = eq.simulate(**wanted, out=tmp_path / "away", progress=lambda done, total: seen.append(done))
        after = distributed.Client(dask).run(travel.built.cache_info)
    assert content(tmp_path / "away") == content(tmp_path / "here")
    assert len(eq.load(tmp_path / "away").manifest.parts) == 16
    assert away.result.tally.to_dict() == eq.simulate(**wanted).result.tally.to_dict()
    assert seen == sorted(seen)
    assert seen[-1] == 8000
    assert all(after[worker].misses - before[worker].misses <= 1 for worker in before), "each builds the run once"
    assert sum(after[worker].hits - before[worker].hits for worker in before) >= 8 - len(before)


def test_a_killed_worker_costs_nothing_but_time(dask: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One is killed in the middle, and another comes."""
    monkeypatch.setattr("simcore.running.executors.PART_SIZES", (960,))
    wanted = {"players": 4, "games": 14_400, "strategies": "greedy", "detail": "minimal"}
    eq.simulate(**wanted, out=tmp_path / "here", threads=1)
    pids = list(distributed.Client(dask).run(os.getpid).values())
    killed: list[int] = []

    def kill(done: int, total: int) -> None:
        if done > total / 8 and not killed:
            killed.append(done)
            os.kill(pids[0], signal.SIGKILL)
            dask.scale(3)

    with eq.cluster(dask.scheduler_address):
        eq.simulate(**wanted, out=tmp_path / "away", progress=kill)
    assert killed
    assert content(tmp_path / "away") == content(tmp_path / "here")
    assert {path.name for path in (tmp_path / "away/games").iterdir()} == {
        path.name for path in (tmp_path / "here/games").iterdir()
    }


HOST = """
import distributed
made = distributed.LocalCluster(
    n_workers=1, threads_per_worker=1, processes=False, protocol="tcp", dashboard_address=":0", silence_logs=50
)
print(made.scheduler_address, flush=True)
input()
"""


def test_a_killed_scheduler_stops_the_run_in_one_line_and_it_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("simcore.running.executors.PART_SIZES", (960,))
    wanted = {"players": 4, "games": 14_400, "strategies": "greedy", "detail": "minimal"}
    eq.simulate(**wanted, out=tmp_path / "here", threads=1)
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    host = subprocess.Popen([sys.executable, "-c", HOST], env=environment(), **pipes)
    try:
        address = host.stdout.readline().strip()
        with (
            pytest.raises(eq.UsageError, match="the scheduler is gone; start the cluster again"),
            eq.cluster(address),
        ):
            eq.simulate(**wanted, out=tmp_path / "away", progress=lambda done, total: host.kill() if done else None)
    finally:
        host.kill()
        host.communicate()
    assert eq.load(tmp_path / "away", partial=True).manifest.status == "failed"
    eq.resume(tmp_path / "away", threads=1)
    assert content(tmp_path / "away") == content(tmp_path / "here")
