"""A run that is killed at a hundred random moments and goes on: `pytest tests/verification/test_resume.py`."""

from __future__ import annotations

from pathlib import Path

from tests.machine.test_ended_early import killed


def test_runs_killed_at_a_hundred_random_moments_come_out_the_same(tmp_path: Path) -> None:
    found = killed(100, tmp_path)
    print(found)
    assert found["wrong"] == []
    assert found["kills"] == 100
    assert found["resumed"] > 50
