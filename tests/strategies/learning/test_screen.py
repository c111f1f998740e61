"""What a screening keeps, given what each choice would win."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest

from simcore.judged import Role
from strategies.learning.trials import CANDIDATES, FEW, MANY, Court, Screen, Trial
from strategies.model import Strategy
from strategies.searching import Foresight
from strategies.value import Parts, Value

VALUE = Value.packed(Parts(np.zeros(1), np.zeros((1, 4)), np.zeros(0)))


class Known:
    """A court that knows what each choice wins, and holds no trial."""

    def __init__(self, wins: dict[str, float], base: float = 1.0) -> None:
        names = ["buy", "attack", "wait"]
        self.plan = SimpleNamespace(
            base=Strategy("any", "base", "linear"),
            game=SimpleNamespace(decisions=[SimpleNamespace(name=name) for name in names]),
        )
        self.wins, self.base, self.held = wins, base, [""]

    def thinker(self, foresights: dict[str, Foresight], name: str) -> Any:
        return None

    def hold(self, label: str, *_: Any) -> Trial:
        self.held.append(label)
        noise = np.random.default_rng(len(label)).normal(0, 0.1, 200)
        return Trial(self.wins.get(label, self.base) + noise - noise.mean())


def screened(wins: dict[str, float], base: float = 1.0) -> tuple[Foresight, list[str]]:
    court = Known(wins, base)
    screen = Screen(cast(Court, court), Role("player", "Player"), 1, lambda label: None)
    return screen.settings(VALUE, 10.0).foresight, court.held


def test_no_deeper_look_is_tried_after_one_that_wins_less() -> None:
    found, held = screened({"0 rounds": 1.5, "1 rounds": 1.8, "2 rounds": 1.6, "4 rounds": 3.0})
    assert (found.rounds, "4 rounds" in held) == (1, False)
    found, held = screened({"0 rounds": 1.5, "1 rounds": 1.501, "2 rounds": 1.9, "4 rounds": 1.9})
    assert found.rounds == 2, "a look that wins no more does not end the search"


def test_more_tables_moves_and_caution_stay_only_if_they_win_more() -> None:
    dull = {f"{rounds} rounds": 2.0 for rounds in (0, 1, 2, 4)}
    found, _ = screened(dull | {"24 tables": 2.3, "8 moves": 2.2, "all moves": 2.2, "caution 1.5": 2.2}, 2.3)
    assert (found.tables, found.candidates, found.caution) == (MANY, CANDIDATES[0], 0.5)
    found, _ = screened(dull | {"24 tables": 1.9, "8 moves": 2.2, "all moves": 2.4, "caution 1.5": 2.5}, 2.5)
    assert (found.tables, found.candidates, found.caution) == (FEW, 0, 1.5)
    eight = dull | {"24 tables": 1.9, "8 moves": 2.3, "all moves": 2.2}
    assert screened(eight, 1.9)[0].candidates == CANDIDATES[1]


def test_a_choice_that_takes_more_time_has_to_win_a_twentieth_more() -> None:
    dull = {f"{rounds} rounds": 2.0 for rounds in (0, 1, 2, 4)}
    dear = ("1 rounds", "24 tables", "8 moves", "all moves")
    best, _ = screened(dull | dict.fromkeys(dear, 2.08) | {"caution 1.5": 2.08}, 2.08)
    assert (best.rounds, best.tables, best.candidates, best.caution) == (0, FEW, CANDIDATES[0], 1.5)


@pytest.mark.parametrize("base", [0.5, 1.5])
def test_a_kind_of_decision_is_harmful_if_the_base_does_better_in_the_same_seats(base: float) -> None:
    """The base of a role need not win par."""
    wins = {f"{rounds} rounds": base for rounds in (0, 1, 2, 4)} | {"some decisions": base + 1}
    wins |= {"buy alone": base - 0.2, "attack alone": base + 0.2}
    found, _ = screened(wins, base)
    assert found.decisions == ((1, "attack"), (2, "wait"))


def test_imagined_players_may_err_as_little_as_makes_a_base_win_a_twentieth_less() -> None:
    court = Known({"base 0.25": 0.97, "base 0.5": 0.96, "base 1": 0.94, "base 2": 0.5})
    screen = Screen(cast(Court, court), Role("player", "Player"), 1, lambda label: None)
    assert list(screen.temperatures()) == [1.0, 2.0, 4.0]
    assert "base 2" not in court.held


def test_no_temperature_is_tried_that_a_file_cannot_have() -> None:
    court = Known({"base 512": 0.5})
    screen = Screen(cast(Court, court), Role("player", "Player"), 1, lambda label: None)
    assert list(screen.temperatures()) == [512.0]


def test_nothing_is_tried_if_no_noise_makes_a_base_win_less() -> None:
    screen = Screen(cast(Court, Known({})), Role("player", "Player"), 1, lambda label: None)
    assert list(screen.temperatures()) == []
