"""2,000 random damages of a run: flips, cuts, exchanged, repeated and foreign parts, edited fields; all are found."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.damage import missed

TRIALS = 2_000


def test_every_one_of_many_random_damages_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    done, silent = missed(tmp_path, TRIALS, 20_261_121, monkeypatch)
    print(dict(done), "not found:", silent)
    assert done.total() == TRIALS
    assert silent == []
