"""Runs whose folder lies in an object store: a real server that speaks S3, started here."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import equipoise as eq
from analysis.runs.writer import RunWriter
from tests.equipoise.conftest import Cli

pytest.importorskip("s3fs", reason="s3fs is not installed: pip install 'equipoise[test]'")
server = pytest.importorskip("moto.server", reason="moto is not installed: pip install 'equipoise[test]'")
fsspec = pytest.importorskip("fsspec")

LINE = ["simulate", "-q", "--games", 4000, "--players", 3, "--strategies", "greedy", "--format", "both"]


@pytest.fixture(scope="module")
def store() -> Iterator[dict[str, str]]:
    """A server with one bucket, and the variables by which it is found."""
    running = server.ThreadedMotoServer("127.0.0.1", 0, verbose=False)
    running.start()
    host, port = running.get_host_and_port()
    found = {
        "AWS_ENDPOINT_URL": f"http://{host}:{port}",
        "AWS_ACCESS_KEY_ID": "somebody",
        "AWS_SECRET_ACCESS_KEY": "secret",
        "AWS_DEFAULT_REGION": "us-east-1",
    }
    with pytest.MonkeyPatch.context() as patch:
        for name, value in found.items():
            patch.setenv(name, value)
        fsspec.filesystem("s3", skip_instance_cache=True).mkdir("games")
        yield found
    running.stop()


@pytest.fixture(autouse=True)
def small_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("simcore.running.executors.PART_SIZES", (1920,))


def fetched(url: str, folder: Path) -> eq.Run:
    """Copy a run to this machine and open it, which checks every file."""
    fsspec.filesystem("s3", skip_instance_cache=True).get(url, str(folder), recursive=True)
    return eq.load(folder)


@pytest.fixture(scope="module")
def here(tmp_path_factory: pytest.TempPathFactory) -> eq.Run:
    """The same run in a folder of this machine."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("simcore.running.executors.PART_SIZES", (1920,))
        made = eq.simulate(
            games=4000, players=3, strategies="greedy", format="both", out=tmp_path_factory.mktemp("here") / "run"
        )
    return made.run


def test_a_run_in_a_store_has_the_files_of_one_in_a_folder(
    store: dict[str, str], here: eq.Run, cli: Cli, tmp_path: Path
) -> None:
    said = cli(*LINE, "--out", "s3://games/runs/one")
    assert (said.code, said.out, said.err) == (0, "s3://games/runs/one\n", "")
    found = fetched("s3://games/runs/one", tmp_path / "one")
    assert found.manifest.parts == here.manifest.parts
    assert found.manifest.digest == here.manifest.digest
    assert not list(Path().glob("s3:*"))


def test_workers_write_to_a_store(store: dict[str, str], here: eq.Run, tmp_path: Path) -> None:
    distributed = pytest.importorskip("distributed", reason="Dask is not installed: pip install 'equipoise[cluster]'")
    with (
        distributed.LocalCluster(n_workers=1, dashboard_address=":0", silence_logs=50) as made,
        eq.cluster(made.scheduler_address),
    ):
        played = eq.simulate(games=4000, players=3, strategies="greedy", format="both", out="s3://games/runs/two")
    assert fetched("s3://games/runs/two", tmp_path / "two").manifest.parts == here.manifest.parts
    with pytest.raises(eq.UsageError, match="copy it to this machine"):
        _ = played.run


def test_a_run_that_is_there_is_replaced_only_by_force(
    store: dict[str, str], cli: Cli, refused: Callable[..., str], tmp_path: Path
) -> None:
    url = "s3://games/runs/three"
    assert cli("simulate", "-q", "--games", 2000, "--strategies", "random", "--out", url).code == 0
    line = refused("simulate", "--games", 8, "--strategies", "random", "--out", url)
    assert line == f"--out: {url} exists; choose another place, or replace that run with --force"
    assert cli("simulate", "-q", "--games", 8, "--strategies", "random", "--out", url, "--force").code == 0
    assert fetched(url, tmp_path / "three").manifest.games == 8
    assert len(list((tmp_path / "three/games").iterdir())) == 1


def test_a_run_in_a_store_stays_until_the_new_one_is_whole(
    store: dict[str, str], cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    url, count = "s3://games/runs/seven", RunWriter.finished

    def stopped(writer: RunWriter, part: Any) -> None:
        if writer.totals.games:
            raise KeyboardInterrupt
        count(writer, part)

    assert cli(*LINE, "--out", url).code == 0
    with monkeypatch.context() as change:
        change.setattr(RunWriter, "finished", stopped)
        said = cli(*LINE, "--seed", 2, "--threads", 1, "--out", url, "--force")
    assert said.err == (
        f"interrupted: {url} is as it was; {url}.new holds the games that were complete; continue with: "
        f"simulate --resume {url}.new\n"
    )
    assert fetched(url, tmp_path / "old").manifest.seed == 1
    said = cli("simulate", "-q", "--resume", f"{url}.new")
    assert (said.code, said.out) == (0, f"{url}\n"), said.err
    new = fetched(url, tmp_path / "new").manifest
    assert (new.seed, new.status, new.replaces) == (2, "complete", None)
    assert not fsspec.filesystem("s3", skip_instance_cache=True).exists(f"{url}.new")


def test_what_is_no_run_is_not_replaced(store: dict[str, str], refused: Callable[..., str]) -> None:
    fsspec.filesystem("s3", skip_instance_cache=True).pipe_file("games/letters/one.txt", b"Dear ...")
    line = refused("simulate", "--games", 8, "--strategies", "random", "--out", "s3://games/letters", "--force")
    assert line == "--out: s3://games/letters exists; it is no run; choose another place"


@pytest.mark.parametrize(
    ("out", "said"),
    [
        ("s3://no-such-bucket/run", "there is no such bucket; make it first"),
        ("xyz://bucket/run", "Protocol not known: xyz"),
    ],
)
def test_a_store_that_is_not_there_is_one_line(
    store: dict[str, str], refused: Callable[..., str], out: str, said: str
) -> None:
    line = refused("simulate", "--games", 8, "--strategies", "random", "--out", out)
    assert line.startswith(f"--out: {out}")
    assert said in line


def test_an_interrupted_run_in_a_store_goes_on(
    store: dict[str, str], here: eq.Run, cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from analysis.runs import writer

    written: list[Any] = []
    write = writer.write_frame

    def stopped(frame: Any, path: Path) -> None:
        if len(written) == 2:
            raise KeyboardInterrupt
        written.append(path)
        write(frame, path)

    monkeypatch.setattr(writer, "write_frame", stopped)
    with pytest.raises(Exception, match=r"were complete; continue with: eq\.resume..s3://games/runs/four"):
        eq.simulate(games=4000, players=3, strategies="greedy", format="both", out="s3://games/runs/four", threads=1)
    fsspec.filesystem("s3", skip_instance_cache=True).get("s3://games/runs/four", str(tmp_path / "f"), recursive=True)
    found = eq.load(tmp_path / "f", partial=True).manifest
    assert (found.status, len(found.parts)) == ("interrupted", 2)
    there = sorted(path.name for path in (tmp_path / "f/games").iterdir())
    assert there == sorted(Path(part.file).name for part in found.parts)
    monkeypatch.setattr(writer, "write_frame", write)
    fsspec.filesystem("s3", skip_instance_cache=True).rm_file("games/runs/four/games/part-000000.parquet")
    said = cli("simulate", "-q", "--resume", "s3://games/runs/four", "--games", 4000)
    assert (said.code, said.out, said.err) == (0, "s3://games/runs/four\n", "")
    again = fetched("s3://games/runs/four", tmp_path / "again").manifest
    assert (again.status, again.parts, again.digest) == ("complete", here.manifest.parts, here.manifest.digest)


def test_an_interrupted_run_without_a_part_goes_on(
    store: dict[str, str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    from analysis.runs import writer

    def stopped(frame: Any, path: Path) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as change, pytest.raises(Exception, match="holds no games yet; continue with"):
        change.setattr(writer, "write_frame", stopped)
        eq.simulate(games=4000, players=3, strategies="greedy", out="s3://games/runs/five", threads=1)
    eq.resume("s3://games/runs/five")
    assert fetched("s3://games/runs/five", tmp_path / "again").manifest.games_written == 4000


def test_a_summary_in_a_store_goes_on(store: dict[str, str], tmp_path: Path) -> None:
    from simcore.errors import Interrupted

    def tick(done: int, total: int) -> None:
        if done > 2000:
            raise KeyboardInterrupt

    wanted = {"games": 20_000, "players": 3, "strategies": "greedy", "detail": "summary"}
    with pytest.raises(Interrupted):
        eq.simulate(**wanted, out="s3://games/runs/six", threads=1, progress=tick)
    eq.resume("s3://games/runs/six", threads=1)
    found = fetched("s3://games/runs/six", tmp_path / "six")
    assert found.manifest.digest == eq.simulate(**wanted, out=tmp_path / "whole").result.digest
    assert eq.seat_advantage(found).table.equals(eq.seat_advantage(tmp_path / "whole").table)


@pytest.mark.parametrize(
    ("url", "said"),
    [
        ("s3://games/runs/none", "no run is there; it has no manifest.json"),
        ("s3://no-such-bucket/run", "no run is there; it has no manifest.json"),
    ],
)
def test_what_is_no_run_in_a_store_is_not_resumed(
    store: dict[str, str], refused: Callable[..., str], url: str, said: str
) -> None:
    assert refused("simulate", "--resume", url) == f"--resume: {url}: {said}"
