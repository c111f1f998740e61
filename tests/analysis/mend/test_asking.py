"""What players who look ahead say to the best changes of a search; here, fast players stand for them."""

from __future__ import annotations

from collections.abc import Mapping
from types import SimpleNamespace
from typing import Any, cast

import pytest

from analysis.data.results import Verdict
from analysis.mend.mending import Asking, with_answers
from analysis.mend.result import CHANGES, MEETS, OPEN, Ahead, Played
from analysis.mend.targets import GameTrials
from analysis.seats.agreement import FEW, SAME, TILTED, Agreement
from analysis.stats.margin import FAIR
from simcore.rules.levers import find_levers
from tests.specs import make_spec


@pytest.fixture
def trials(monkeypatch: pytest.MonkeyPatch) -> GameTrials:
    """Play four champions of Middle-Ages, whose coins may change; they also stand for those who look ahead."""

    def champion(game: str, skill: str) -> Mapping[str, str]:
        return {"player": "champion"}

    monkeypatch.setattr("analysis.mend.mending.players_of", champion)
    spec = make_spec(4, ["champion"] * 4)
    levers = find_levers(spec.game, spec.rules, [4], ["starting_coins=0..40"], ())
    return GameTrials([spec], levers, (), lambda specs, number: (specs, ()), 2)


def change(trials: GameTrials) -> Played:
    """Return the rules as they are, as if they were a change."""
    point = tuple(lever.value for lever in trials.levers)
    return cast("Any", SimpleNamespace(point=point, variant="")), ()


def test_what_they_deny_is_said_with_the_seat_and_its_share(trials: GameTrials) -> None:
    """Among four champions, the first seat wins 50.9 % of 20,000 games (configs/middle-ages/levels.toml)."""
    ticks: list[tuple[int, int]] = []
    asking = Asking.of(trials, ["seats"], FAIR, 0.95, lambda what, done, total: ticks.append((done, total)))
    assert asking is not None and asking.seconds > 0
    (said,) = asking.ask([change(trials)])
    assert said is not None
    assert (said.answer.says, said.place, said.players) == (TILTED, 2, 4)
    assert said.answer.values["seat"] == 1 and said.answer.values["low"] < 0.509 < said.answer.values["high"]
    assert said.games in (50, 100, 200, 400) and all(done <= total == 400 for done, total in ticks)
    assert asking.ask([change(trials)]) == [said], "the same seed gives the same answer"


@pytest.mark.parametrize("targets", [["camps", "length=12"], ["seat-1=0.3"], ["cards"]])
def test_only_fair_seats_and_camps_are_asked_about(trials: GameTrials, targets: list[str]) -> None:
    assert Asking.of(trials, targets, FAIR, 0.95, lambda *said: None) is None


def test_nobody_is_asked_by_habit_or_about_the_changes_of_others(trials: GameTrials) -> None:
    trials.tune = None
    assert Asking.of(trials, ["seats"], FAIR, 0.95, lambda *said: None) is None
    other = GameTrials([make_spec(4, ["planner"] * 4)], (), (), lambda specs, number: (specs, ()))
    assert Asking.of(other, ["seats"], FAIR, 0.95, lambda *said: None) is None


def test_what_holds_at_both_levels_comes_before_what_holds_among_experts() -> None:
    targets = {"a": MEETS, "b": MEETS, "c": MEETS, "d": OPEN, "e": CHANGES}
    says = {"a": TILTED, "b": FEW, "c": SAME, "d": FEW}

    def ask(changes: list[Played]) -> list[Ahead]:
        fair = Verdict("seats_fair", "fair")
        return [Ahead(4, fair, Agreement(says[one.variant]), 400) for one, _ in changes]

    ranking = cast("Any", SimpleNamespace(target=lambda seen: targets[seen.variant]))
    fresh = [(cast("Any", SimpleNamespace(variant=name)), ()) for name in targets]
    ordered, answers = with_answers(ranking, fresh, cast("Any", SimpleNamespace(ask=ask)))
    assert [seen.variant for seen, _ in ordered] == ["c", "b", "a", "d", "e"]
    assert [one and one.answer.says for one in answers] == [SAME, FEW, TILTED, FEW, None]
    assert with_answers(ranking, fresh, None) == (fresh, [None] * 5)
