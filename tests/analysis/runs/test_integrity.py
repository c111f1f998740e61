"""Readers find random damages of a run; `tests/verification/test_damage.py` makes many more."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.damage import KINDS, missed


def test_every_random_damage_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    done, silent = missed(tmp_path, 63, 1, monkeypatch)
    assert set(done) == {change.__name__ for change in KINDS}
    assert silent == []
