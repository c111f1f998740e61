"""The plain C program is a yardstick only if it plays our games, and the figure only if the machine is quiet."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from simcore.running.batch import run_chunk
from studies import plain_c
from tests.specs import make_spec


@pytest.mark.skipif(plain_c.compiler() is None, reason="no C compiler")
def test_plain_c_plays_our_games(tmp_path: Path) -> None:
    program = plain_c.build(tmp_path)
    for players in range(2, 6):
        for policy in plain_c.POLICIES:
            spec = make_spec(players, [policy], seed=2**63 + players)
            ours, first = run_chunk(spec, 2**32 - 300, 3000), 2**32 - 300
            theirs = plain_c.in_c(program, spec, first, 3000)
            for place, name in enumerate(plain_c.COLUMNS):
                assert np.array_equal(theirs[:, place], ours[name]), (players, policy, name)


def test_the_quiet_fifth_counts_and_a_noisy_machine_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """By a clock that is moved by hand: that of a busy machine would be noisy."""
    now = [0.0]
    monkeypatch.setattr(plain_c, "time", SimpleNamespace(process_time=lambda: now[0]))

    def busy(seconds: float) -> None:
        now[0] += seconds

    steady = plain_c.compare(lambda first, games: busy(games * 1e-4), lambda first, games: busy(games * 5e-5), 20)
    assert steady.ratios == pytest.approx([0.5] * 5)
    assert not steady.is_noisy

    def restless(first: int, games: int) -> None:
        busy(games * (1e-4 if first < 12 * games else 3e-4))

    paces = plain_c.compare(restless, lambda first, games: busy(games * (5e-5 if first < 12 * games else 6e-5)), 20)
    assert paces.ratios[0] == pytest.approx(0.5)
    assert paces.is_noisy
    assert str(paces).endswith("(noisy)")


def test_no_compiler_is_a_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plain_c, "compiler", lambda: None)
    with pytest.raises(SystemExit, match="no C compiler: install gcc"):
        plain_c.main()
