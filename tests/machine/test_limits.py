"""Little memory, few open files and a full disk: every command succeeds, or says in one line why it cannot."""

from __future__ import annotations

import subprocess
import sys

import pytest

pytest.importorskip("resource")

from equipoise.process import FILES
from tests.equipoise.conftest import Cli, Said
from tests.machine.limited import LINES, READERS, SERVERS, Limited, check_ended, commands, limited, make_inputs
from tests.machine.processes import PATIENCE

LITTLE = {"memory": 1_500_000 * 1024, "files": FILES // 2, "size": 0}
REASONS = {"memory": "(ulimit -v)\n", "files": "(ulimit -n)\n", "size": ""}
SLOW = {
    "report",
    "compare",
    "sweep",
    "sensitivity",
    "skill",
    "mend",
    "playtest",
    "restrict",
    "learn",
    "test-game",
    "self-test",
}
"""Commands that meet a full disk only in tests/verification, where all limits are tried with all commands."""


Ended = list[tuple[Limited, int | None, str]]


@pytest.fixture(scope="module")
def ended(tmp_path_factory: pytest.TempPathFactory) -> Ended:
    """Commands, and how each of them ended."""
    place = tmp_path_factory.mktemp("limits")
    make_inputs(place)
    tried = [
        Limited(name, limit, most, place / f"{name} {limit}")
        for name in LINES | SERVERS
        for limit, most in LITTLE.items()
        if limit != "size" or name not in SLOW | SERVERS.keys()
    ]
    return [(one, *how) for one, how in zip(tried, limited(tried), strict=True)]


def test_every_command_is_tried() -> None:
    assert sorted(commands()) == sorted(LINES | SERVERS)


@pytest.mark.parametrize("limit", LITTLE)
def test_every_command_with_little(ended: Ended, limit: str) -> None:
    for one, code, error in ended:
        if one.limit == limit:
            check_ended(one, code, error)
            assert code == (0 if limit == "size" and one.command in READERS else 2), (one, error)
            assert code == 0 or error.endswith(REASONS[limit]), (one, error)
            assert code == 0 or one.command == "index" or not list(one.folder.iterdir()), one


@pytest.mark.parametrize(
    ("change", "missing"),
    [
        ("resource.setrlimit(resource.RLIMIT_AS, (2**29, 2**29))", "2.0 GB of memory; raise its limit (ulimit -v)"),
        ("resource.setrlimit(resource.RLIMIT_NOFILE, (9, 9))", "32 more files; raise its limit (ulimit -n)"),
        ("threading.Thread.start = refuse", "more threads; raise the limit of processes (ulimit -u)"),
    ],
)
def test_what_is_lacking_is_named(change: str, missing: str) -> None:
    program = f"""
import resource, threading
from equipoise.process import lacking
def refuse(thread): raise RuntimeError("can't start new thread")
assert lacking(2**31) is None
{change}
print(lacking(2**31))
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=PATIENCE, check=True)
    assert done.stdout.endswith(f"{missing}\n")


def test_errors_where_something_is_lacking_speak_of_that(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    """Libraries that are refused memory or threads raise errors which speak of something else."""

    def fails() -> None:
        raise NameError("name 'PyDataFrame' is not defined")

    monkeypatch.setattr("equipoise.commands.listing.known_games", fails)
    with pytest.raises(NameError):
        cli("games")
    monkeypatch.setattr("equipoise.cli.lacking", lambda memory: "no memory; raise its limit")
    assert cli("games") == Said(2, "", "error: no memory; raise its limit\n")
