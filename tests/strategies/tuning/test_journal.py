"""The journal of a tuning: it gives back exactly what was measured, or is refused in one line."""

from __future__ import annotations

import errno
import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import IO

import pytest

from simcore.errors import UsageError
from strategies.tuning import Journal, journal
from tests.file_damage import damages

PLAN = {"game": "middle-ages", "rules": "ab", "players": [2], "code": "cd"}
STEPS = {"one": [1.5], "two": [17.67, 3.0], "three": [-0.25, 4.0, 1e-9]}


def measured(path: Path, plan: dict[str, object] | None = None) -> list[str]:
    """Take all steps; return the names of those that had to be played."""
    played: list[str] = []

    def play(step: str) -> Sequence[float]:
        played.append(step)
        return STEPS[step]

    kept = Journal(path, PLAN if plan is None else plan)
    for step, values in STEPS.items():
        assert kept.recall(step, len(values), lambda step=step: play(step)).tolist() == values
    return played


def test_what_was_measured_is_read_instead_of_played(tmp_path: Path) -> None:
    assert measured(tmp_path / "journal") == list(STEPS)
    whole = (tmp_path / "journal").read_bytes()
    assert measured(tmp_path / "journal") == []
    assert (tmp_path / "journal").read_bytes() == whole


def test_after_an_interruption_it_goes_on_with_the_step_that_was_cut_short(tmp_path: Path) -> None:
    path = tmp_path / "journal"
    measured(path)
    whole = path.read_bytes()
    for size, left in ((len(whole) - 1, ["three"]), (whole.rindex(b"\n", 0, -1) + 1, ["three"]), (0, list(STEPS))):
        path.write_bytes(whole[:size])
        assert measured(path) == left
        assert measured(path) == []


def test_no_damage_goes_unseen(tmp_path: Path) -> None:
    """Every value comes back as it was measured, from the file or played again, or the file is refused."""
    path, other = tmp_path / "journal", tmp_path / "other"
    measured(path)
    elsewhere = Journal(other, {**PLAN, "players": [3]})
    for step, values in STEPS.items():
        elsewhere.recall(step, len(values), lambda values=values: [-value for value in values])
    count = refused = 0
    for name, damage in damages(path, other, 5):
        damage()
        count += 1
        try:
            measured(path)
        except UsageError as error:
            assert "delete it to start again" in str(error) and "\n" not in str(error), name
            refused += 1
        except AssertionError:
            pytest.fail(name)
    assert count > 300 and refused > 0.8 * count


def test_a_journal_of_another_tuning_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "journal"
    measured(path)
    for key, value in (("players", [3]), ("code", "ce"), ("game", "fief-2")):
        with pytest.raises(UsageError, match=f"belongs to a tuning with another '{key}'; delete it"):
            Journal(path, {**PLAN, key: value})
    with pytest.raises(UsageError, match="belongs to a tuning with another 'only'"):
        Journal(path, {**PLAN, "only": ["income"]})
    fewer = tmp_path / "fewer"
    Journal(fewer, {**PLAN, "only": ["income"]})
    with pytest.raises(UsageError, match="belongs to a tuning with another 'only'"):
        Journal(fewer, PLAN)


def forged(*entries: object) -> bytes:
    """Return a journal whose checksums are right."""
    lines, before = [], ""
    for entry in entries:
        text = entry if isinstance(entry, bytes) else json.dumps(entry).encode()
        before = journal._checksum(before, text)
        lines.append(before.encode() + b" " + text + b"\n")
    return b"".join(lines)


HEAD = {"format": journal.FORMAT, "plan": PLAN}
STEP = {"step": "one", "seconds": 1, "cpu": 1, "values": [1.5]}


@pytest.mark.parametrize(
    "whole",
    [
        b'{"format":"equipoise-tuning/1","plan":{}}\n',
        b"some text of mine",
        b"some text of mine\n",
        forged({}),
        forged([1]),
        forged(None),
        forged({"format": journal.FORMAT}),
        forged({**HEAD, "plan": [1]}),
        forged(b"[" * 100_000),
        forged(HEAD, []),
        forged(HEAD, b"nonsense"),
        forged(HEAD, b"[" * 100_000),
        forged(HEAD, {**STEP, "values": ["x"]}),
        forged(HEAD, {**STEP, "seconds": float("nan")}),
        forged(HEAD, {**STEP, "values": 3}),
        forged(HEAD, {**STEP, "values": [1.5, 2]}),
    ],
)
def test_what_no_tuning_has_written_is_refused_and_left_as_it_is(tmp_path: Path, whole: bytes) -> None:
    path = tmp_path / "journal"
    path.write_bytes(whole)
    with pytest.raises(UsageError, match="no journal of a tuning, made by another version, or damaged; delete it"):
        measured(path)
    assert path.read_bytes() == whole


def test_nothing_is_written_through_a_link(tmp_path: Path) -> None:
    path, other = tmp_path / "journal", tmp_path / "other"
    for target in (other, path):
        path.symlink_to(target)
        with pytest.raises(UsageError, match="is a link to another file"):
            measured(path)
        assert not other.exists()
        path.unlink()


@pytest.mark.parametrize("number", ["1" + "0" * 400, "1e999", "NaN", '"1"', "null"])
@pytest.mark.parametrize("key", ["seconds", "values"])
def test_numbers_that_are_none(tmp_path: Path, key: str, number: str) -> None:
    """Somebody wrote them on purpose, with checksums that fit."""
    path = tmp_path / "journal"
    measured(path)
    head = path.read_bytes().splitlines(keepends=True)[0]
    numbers = {"seconds": "1", "values": "[1]", key: f"[{number}]" if key == "values" else number}
    text = f'{{"step":"one","seconds":{numbers["seconds"]},"cpu":1,"values":{numbers["values"]}}}'.encode()
    sha256 = journal._checksum(head.split()[0].decode(), text)
    path.write_bytes(head + f"{sha256} ".encode() + text + b"\n")
    with pytest.raises(UsageError, match="line 2: no journal of a tuning"):
        measured(path)


@pytest.mark.parametrize("lines", [0, 2])
def test_a_disk_that_fills_up_leaves_whole_lines(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, lines: int) -> None:
    path = tmp_path / "journal"
    opened, written = Path.open, list[object]()

    def filling(self: Path, mode: str = "r") -> IO[bytes]:
        file = opened(self, mode)
        if mode == "ab":
            if len(written) == lines:
                file.write(b"half a l")
                file.close()
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            written.append(mode)
        return file

    with monkeypatch.context() as change:
        change.setattr(Path, "open", filling)
        with pytest.raises(UsageError, match="No space left on device"):
            measured(path)
    assert path.exists() == bool(lines)
    assert measured(path) == list(STEPS)[max(lines - 1, 0) :]
