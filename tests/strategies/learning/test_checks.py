"""The checks of a finished thinker find what they are meant to find."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest

from simcore.judged import Role
from strategies.learning.self_play import Samples
from strategies.learning.trials import Court, Examiner, Trial, largest_bias
from strategies.searching import Foresight
from strategies.value import Parts, Value

PLAYER = Role("player", "Player")
VALUE = Value.of(Parts(np.array([0.0]), np.array([[0.0, 1.0, 0.0, 0.0]]), np.zeros(0)))
FORESIGHT = Foresight(1, 8, 4, Value.packed(VALUE.parts), 50.0, 0.5)
ROWS = 48_000


class Known:
    """A court that knows what each stage wins among each other, and holds no trial."""

    def __init__(self, wins: dict[tuple[int, int], float], *, asymmetric: bool = False) -> None:
        self.plan = SimpleNamespace(roles=[PLAYER], game=SimpleNamespace(asymmetric=asymmetric))
        self.wins = wins

    def thinker(self, foresights: dict[str, Foresight]) -> Any:
        return foresights["player"].rounds

    def hold(self, label: str, role: Role, one: int, others: dict[str, Foresight], *_: Any) -> Trial:
        return Trial(np.full(4, self.wins.get((one, others["player"].rounds), 1.0)))


def best(wins: dict[tuple[int, int], float], stages: int, **options: Any) -> int:
    examiner = Examiner(cast(Court, Known(wins, **options)), len, 100, lambda label: None)
    return examiner.best([{"player": replace(FORESIGHT, rounds=number)} for number in range(stages)])


def test_a_stage_that_beats_only_its_forerunner_does_not_stay() -> None:
    """1 beats 0 and 2 beats 1, but 0 beats 2: a chain of duels would keep 2."""
    wins = {(1, 0): 1.1, (0, 1): 0.8, (2, 1): 1.2, (1, 2): 0.9, (0, 2): 1.4, (2, 0): 0.7}
    assert best(wins, 3) == 1


def test_the_latest_stays_if_none_beats_it_and_old_ones_do_not_enter() -> None:
    assert best({(2, 0): 1.1, (0, 2): 0.9}, 3) == 2
    assert best({(0, 1): 2.0, (1, 0): 0.5}, 2) == 1, "the gate has compared two already"
    assert best({}, 1) == 0
    assert best({(0, other): 9.0 for other in range(1, 6)}, 6) == 5


def test_roles_are_measured_by_what_a_stage_wins_among_its_like() -> None:
    """A role may win more than par among anybody: 0 wins 2.0 at home, and the others only 1.9 there."""
    wins = {(0, 0): 2.0, (1, 0): 1.9, (2, 0): 1.9} | {(one, other): 1.5 for one in range(3) for other in (1, 2)}
    assert best(wins, 3, asymmetric=True) == 0


def seen(hope: float = 0.0, from_time: int = 0) -> Samples:
    """Return rows whose lead is what the value says, less some hope at and after a time that is left, and noise."""
    draw = np.random.default_rng(3)
    numbers = np.stack([draw.integers(0, 16, ROWS), draw.integers(-20, 20, ROWS)], axis=1).astype(np.int32)
    lead = numbers[:, 1] - hope * (numbers[:, 0] >= from_time) + draw.normal(0, 5, ROWS)
    return Samples(numbers, np.zeros(ROWS, np.int32), np.zeros(ROWS, np.float32), lead.astype(np.float32))


def test_a_value_that_is_too_hopeful_at_one_phase_is_found_out() -> None:
    sound = largest_bias(FORESIGHT, seen())
    assert abs(sound.mean) < 0.01 and sound.low < sound.mean < sound.high
    early = largest_bias(FORESIGHT, seen(10.0, 14))
    assert early.mean == pytest.approx(10 / 50, abs=0.01)
    assert 0.15 < early.low < early.high < 0.25
    assert largest_bias(FORESIGHT, seen(-10.0, 14)).mean == pytest.approx(-10 / 50, abs=0.01)


def test_errors_of_seats_that_cancel_out_are_found() -> None:
    """The value counts on a lead twice as large as what comes of it, and on a gap twice as large."""
    sound = seen()
    bold = largest_bias(FORESIGHT, sound._replace(lead=sound.lead - sound.numbers[:, 1] / 2))
    assert abs(bold.mean) == pytest.approx(5 / 50, abs=0.02)
    assert bold.low * bold.high > 0


@pytest.mark.parametrize("rows", [0, 1, 9])
def test_too_few_rows_say_nothing(rows: int) -> None:
    few = Samples(*(part[:rows] for part in seen()))
    assert largest_bias(FORESIGHT, few) == (0.0, -1.0, 1.0)


def test_a_sound_value_is_rarely_said_to_be_wrong() -> None:
    """The interval is for the worst of sixteen cells, so in 40 samples at most a few may leave out 0."""
    whole = seen()
    samples = (Samples(*(part[first::40] for part in whole)) for first in range(40))
    assert sum(largest_bias(FORESIGHT, sample).certain > 0 for sample in samples) <= 6


def test_times_as_much_with_the_error_of_both() -> None:
    draw = np.random.default_rng(5)
    one, other = (Trial(mean + draw.normal(0, 1, 40_000)) for mean in (3.0, 2.0))
    found = one.times(other)
    assert found.mean == pytest.approx(1.5, abs=0.02)
    assert found.se == pytest.approx((1 + 1.5**2) ** 0.5 / 2 / 200, rel=0.05)
    assert Trial(np.ones(4)).times(Trial(np.zeros(4))).mean > 1e6, "no division by 0"
