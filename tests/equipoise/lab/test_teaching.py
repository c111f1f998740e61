"""Teaching the players: who plays before, while and after they are tuned, and what ends a tuning."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest

from equipoise.lab import session as lab_session
from equipoise.lab.page import SLEPT, Alarm
from equipoise.lab.session import HABIT, KNOWN, OTHERS, TAUGHT, Session
from simcore.kernel.cache import Store
from strategies.tuning import retune
from tests.brief import tune_briefly
from tests.equipoise.lab.test_session import games, wait
from tests.waiting import until

pytest.importorskip("nicegui", reason="the lab needs its extra")


@pytest.fixture
def session(monkeypatch: pytest.MonkeyPatch) -> Iterator[Session]:
    """Yield a session that plays and tunes little, and whose players forget what was tuned before."""
    monkeypatch.setattr(Store, "recall", lambda store, name: None)
    tune_briefly(monkeypatch.setattr, 120)
    monkeypatch.setattr(lab_session, "GENERATIONS", 3)
    monkeypatch.setattr(lab_session, "MOST", 400)
    monkeypatch.setattr(retune, "GAMES", 24)
    made = Session("middle-ages", players=3, threads=1)
    yield made
    made.close()


def test_the_marks_follow_what_the_players_were_taught(session: Session) -> None:
    assert wait(session, games(64)).knowledge == KNOWN, "they were tuned for the printed rules"
    session.turn("starting_coins.3", "30")
    habit = wait(session, games(64))
    assert habit.knowledge == HABIT
    assert habit.teachable
    go_on = threading.Event()
    session.teacher.rest = go_on.wait  # type: ignore[assignment]  # after the first generation
    session.teach()
    assert session.teacher.running
    session.turn("starting_coins.3", "29")
    assert wait(session, games(64)).knowledge == HABIT, "the lab goes on while they learn"
    go_on.set()
    session.undo()
    until(lambda: not session.teacher.running)
    lesson = session.teacher.lesson
    assert lesson is not None
    assert (lesson.fault, lesson.done, lesson.total) == ("", 3, 3)
    taught = wait(session, lambda picture: picture.knowledge == TAUGHT and picture.now)
    assert taught.now is not None
    assert taught.printed is not None
    assert taught.now.spec.strategies[0].endswith("_retuned")
    assert taught.printed.spec.strategies == habit.now.spec.strategies, "the ghost is played as before"
    assert taught.now.change is not None
    session.turn("starting_coins.3", "20")
    others = wait(session, games(64))
    assert others.knowledge == OTHERS
    assert others.now is not None
    assert others.now.spec.strategies[0].endswith("_retuned")
    session.undo()
    assert wait(session, games(64)).knowledge == TAUGHT
    session.reset()
    assert wait(session, games(64)).knowledge == KNOWN


def test_a_tuning_is_cancelled_and_leaves_nothing(session: Session) -> None:
    session.turn("starting_coins.3", "31")
    session.pause()
    session.teach()
    until(lambda: session.teacher.lesson and session.teacher.lesson.done == 1)
    session.teacher.cancel()
    session.play_on()
    until(lambda: not session.teacher.running)
    assert session.teacher.lesson is not None
    assert session.teacher.lesson.done == 1, "a pause stops it between two generations"
    assert wait(session, games(64)).knowledge == HABIT
    session.pause()
    session.teach()
    assert session.teacher.running, "it can be started again"


def test_closing_the_lab_ends_a_tuning(session: Session) -> None:
    session.turn("starting_coins.3", "32")
    session.teach()
    session.close()
    session.teacher.thread.join(60)  # a generation may take longer than the lab waits
    assert not session.teacher.running


def test_players_who_know_nothing_of_rules_need_no_teaching() -> None:
    session = Session("middle-ages", players=3, skill="family", settings="starting_coins.3=30", threads=1)
    try:
        picture = wait(session, games(64))
        assert picture.knowledge == KNOWN
        assert not picture.teachable
        session.teach()
        assert session.teacher.lesson is None
    finally:
        session.close()


def test_a_machine_that_slept_is_noticed() -> None:
    now, slept = [1000.0], []
    alarm = Alarm(lambda: slept.append(now[0]), lambda: now[0])
    for seconds in (1, 2, SLEPT, SLEPT + 1, 1):
        now[0] += seconds
        alarm.glance()
    assert slept == [1000 + 3 + 2 * SLEPT + 1]
