"""How long a question takes."""

from __future__ import annotations

import pytest

import equipoise as eq
from analysis import cost
from analysis.precision import lasting


@pytest.mark.parametrize(
    ("seconds", "says"),
    [
        (0.4, "1 s"),
        (9, "9 s"),
        (52, "50 s"),
        (150, "2 min"),
        (2_400, "40 min"),
        (7_300, "2 h"),
        (1e6, "10 days"),
        (2e8, "6 years"),
    ],
)
def test_times_are_written_in_the_unit_that_fits(seconds: float, says: str) -> None:
    assert lasting(seconds) == says


def test_each_table_is_measured_once(monkeypatch: pytest.MonkeyPatch) -> None:
    measured = []
    monkeypatch.setattr(cost, "_speeds", {})
    monkeypatch.setattr(cost, "_measured", lambda spec: measured.append(spec) or 1.0)
    one = eq.make_spec("middle-ages", 2, "random")
    for spec in (one, eq.make_spec("middle-ages", 2, "random", seed=5), eq.make_spec("middle-ages", 3, "random")):
        assert cost.seconds_a_game(spec) == 1.0
    assert [spec.players for spec in measured] == [2, 3]
