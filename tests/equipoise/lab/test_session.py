"""What the lab plays: a change is answered on the same deals, refused changes change nothing, and nothing is lost."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import cast

import numpy as np
import pytest

from equipoise.lab.jobs import COMPARE, LOG, MEND, REPORT, SENSITIVITY, SWEEP, Job, command, looking
from equipoise.lab.session import FIRST, SEARCH, Picture, Session, View, text_of
from simcore.errors import UsageError
from simcore.kernel import pointers
from strategies.spec import make_spec
from tests.waiting import until


@pytest.fixture
def session() -> Iterator[Session]:
    made = Session("middle-ages", players=3, skill="family", threads=1)
    yield made
    made.close()


def wait(session: Session, holds: Callable[[Picture], object]) -> Picture:
    """Return the first picture of which something holds."""

    def seen() -> Picture | None:
        picture = session.picture
        return picture if holds(picture) else None

    return cast(Picture, until(seen, 600, lambda: session.picture))


def still(session: Session) -> Picture:
    """Return the picture after which a session plays nothing: all its threads wait to be told to go on."""
    until(lambda: len(session._moved._waiters) == len(session._threads))  # type: ignore[attr-defined]
    return session.picture


def games(least: int) -> Callable[[Picture], object]:
    return lambda picture: picture.now and picture.now.games >= least


def test_a_change_is_answered_on_the_same_deals(session: Session) -> None:
    before = wait(session, games(500))
    assert before.now is not None
    assert before.now.change is None
    session.turn("starting_coins.3", "30")
    after = wait(session, games(500))
    assert after.view.changes == ["starting_coins.3=30"]
    assert after.now is not None
    assert after.printed is not None
    assert after.printed.deals >= after.now.deals
    assert after.now.change is not None
    value, low, high = (float(end[2]) for end in after.now.change)
    assert 0 < low < value < high, "thirty coins help"
    assert after.now.seats[0].sum() == pytest.approx(1)


def test_going_back_finds_what_was_played(session: Session) -> None:
    before = wait(session, games(500)).now
    session.turn("starting_coins.3", "30")
    wait(session, games(64))
    session.undo()
    assert session.view.changes == []
    assert before and wait(session, games(1)).now.games >= before.games
    assert session.can_redo
    session.redo()
    assert session.view.changes == ["starting_coins.3=30"]
    session.reset()
    assert not session.can_redo
    assert session.view.changes == []
    session.turn("starting_coins.3", "0")
    assert session.view.changes == [], "the printed value is no change"


def test_what_the_rules_forbid_changes_nothing(session: Session) -> None:
    for key, value in (("starting_coins.3", "-5000"), ("shortfall", "never"), ("no_such_rule", "1")):
        with pytest.raises(UsageError):
            session.turn(key, value)
    with pytest.raises(UsageError, match="players"):
        session.ask(View((), 9, "family"))
    with pytest.raises(UsageError, match="masters"):
        session.ask(replace(session.view, skill="masters"))
    assert session.view == View((), 3, "family")
    assert not session.can_undo


def test_a_pause_plays_nothing(session: Session) -> None:
    wait(session, games(64))
    session.pause()
    seen = still(session)
    session.play_on()
    wait(session, lambda picture: picture is not seen)


def test_players_who_look_ahead_follow(session: Session) -> None:
    assert SEARCH in session.skills
    picture = wait(session, lambda one: one.ahead)
    assert picture.ahead is not None
    assert picture.ahead.spec.searches


def test_an_address_restores_rules_and_players(session: Session) -> None:
    session.restore("4", "club", ["starting_coins.2=9", "shortfall=debt"])
    assert session.view.players == 4
    assert session.view.skill == "club"
    assert sorted(session.view.changes) == ["shortfall=debt", "starting_coins.2=9"]
    with pytest.raises(UsageError):
        session.restore("4", "club", ["nonsense=9"])
    session.restore("\N{SUPERSCRIPT TWO}", "club", [])
    assert session.view.players == 4


def test_a_fraction_is_refused_and_not_cut_off(session: Session) -> None:
    assert [text_of(value) for value in (9, 9.0, 9.7, -0.4, True)] == ["9", "9", "9.7", "-0.4", "true"]
    with pytest.raises(UsageError):
        session.turn("starting_coins.2", text_of(9.7))


def test_any_number_of_steps_shows_the_same(session: Session) -> None:
    from analysis.live import Watched

    spec = make_spec("middle-ages", 3, "greedy")
    one, many = Watched(spec, most=300), Watched(spec, most=300)
    one.step(300, threads=1)
    for size in (1, 7, 92, 200):
        many.step(size, threads=2)
    assert one.complete
    assert many.complete
    np.testing.assert_array_equal(one.seen().seats[0], many.seen().seats[0])
    assert [value for _, value in one.seen().measures] == pytest.approx([value for _, value in many.seen().measures])


def test_a_button_is_a_command(session: Session, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert command(COMPARE, session) == ()
    assert command(SWEEP, session) == ()
    session.turn("starting_coins.3", "9")
    who = ("--game", "middle-ages", "--players", "3", "--skill", "family")
    assert command(COMPARE, session) == ("compare", "base", *who, "--set", "starting_coins.3=9")
    assert command(MEND, session) == ("mend", *who, "--set", "starting_coins.3=9")
    assert command(REPORT, session) == ("report", *who[:4], "--set", "starting_coins.3=9", "--quick")  # of all levels
    assert command(LOG, session) == ()
    (tmp_path / "runs").mkdir()
    assert command(LOG, session) == ("log", "runs")
    swept = command(SWEEP, session, session.knob("starting_coins.3"))
    assert swept[:2] == ("sweep", "--set")
    assert swept[2].startswith("starting_coins.3=0..")


def test_a_change_stands_beside_what_it_is_the_change_of() -> None:
    """Although more deals were played by the printed rules than by the others."""
    from analysis.live import Watched

    printed = Watched(make_spec("middle-ages", 3, "greedy"), most=400)
    printed.step(400, threads=1)
    other = Watched(make_spec("middle-ages", 3, "greedy", settings="starting_coins.3=9"), printed, most=400)
    other.step(100, threads=1)
    seen, alone = other.seen(), Watched(make_spec("middle-ages", 3, "greedy"), most=100)
    alone.step(100, threads=1)
    assert seen.change is not None
    np.testing.assert_allclose(seen.change[0], seen.seats[0] - seen.was, atol=1e-6)
    np.testing.assert_allclose(seen.was, alone.seen().seats[0], atol=1e-6)
    assert seen.measured == pytest.approx([value for _, value in alone.seen().measures], rel=1e-5)


def test_a_game_to_look_at_is_a_command(session: Session) -> None:
    session.turn("starting_coins.3", "9")
    who = ("--game", "middle-ages", "--players", "3", "--skill", "family")
    assert session.finds == ("closest", "comeback", "seat-1", "seat-2", "seat-3")
    assert looking(session, "seat-3") == (
        "replay",
        *who,
        "--set",
        "starting_coins.3=9",
        "--find",
        "seat-3",
        "--format",
        "html",
    )


def test_a_command_takes_the_seed_and_the_language() -> None:
    session = Session("middle-ages", players=3, seed=7, lang="fr", threads=1)
    try:
        asked = ("--game", "middle-ages", "--players", "3", "--seed", "7", "--lang", "fr")
        assert command(MEND, session) == ("mend", *asked)
        assert looking(session, "closest") == ("replay", *asked, "--find", "closest", "--format", "html")
        assert command(SENSITIVITY, session) == ("sensitivity", *asked)
    finally:
        session.close()


def test_a_command_ends_with_the_lab(tmp_path: Path) -> None:
    job = Job(("mend", "--players", "2", "--free", "starting_coins", "--strategies", "random"), tmp_path / "job")
    assert job.running
    job.close()
    until(lambda: not job.running)
    assert job.page is None


@pytest.mark.parametrize("game", ["medievallons", "seigneurial", "fief-2"])
def test_every_game_answers_a_change(game: str) -> None:
    session = Session(game, skill="family", threads=1)
    try:
        knob = next(knob for knob in session.knobs.all if knob.kind == "number" and knob.lever)
        low, high, _ = session.knobs.span(knob)
        session.turn(knob.key, str(low if str(low) != knob.printed else high))
        picture = wait(session, games(200))
        assert not picture.fault
        assert picture.now is not None
        assert picture.now.change is not None
        assert picture.now.seats[0].sum() == pytest.approx(1)
        assert command(MEND, session)[:3] == ("mend", "--game", game)
    finally:
        session.close()


def test_a_new_drag_ends_the_batch_of_the_old_one(session: Session) -> None:
    session.turn("starting_coins.3", "30")
    old = session.view
    wait(session, games(64))
    session.turn("starting_coins.3", "31")
    with session._moved:
        played = next(one for one in session._kept.values() if one.printed is not None)
    wait(session, games(64))
    before = played.deals
    assert played.spec.rules.flat()["starting_coins"][2] == 30
    wait(session, games(500))
    assert played.deals == before < played.most
    assert session.view is not old


def test_a_search_finds_rules_by_title_and_key(session: Session) -> None:
    found = [knob.key for knob in session.knobs.all if knob.matches("coins seat 2")]
    assert found == ["starting_coins.2"]
    assert session.knobs.all[0].lever, "levers come first"
    low, high, step = session.knobs.span(session.knob("starting_coins.2"))
    assert low <= 0 < high
    assert step >= 1


def test_an_error_that_nobody_expected_is_shown(session: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise ZeroDivisionError("division by zero")

    monkeypatch.setattr(session, "_steps", fail)
    session.turn("starting_coins.3", "30")
    assert wait(session, lambda picture: picture.fault).fault.endswith(
        "(ZeroDivisionError: division by zero); this is a bug"
    )
    monkeypatch.undo()
    session.undo()
    wait(session, games(64))


def test_while_nobody_looks_only_the_first_games_are_played(session: Session) -> None:
    session.show_to(somebody=False)
    session.turn("starting_coins.3", "30")
    wait(session, games(64))
    first = still(session).now
    assert first is not None and first.games == FIRST
    session.show_to(somebody=True)
    wait(session, games(first.games + 1))


def test_a_change_does_not_wait_for_what_is_compiled(session: Session) -> None:
    wait(session, games(64))
    begun, done = threading.Event(), threading.Event()

    def compile_something() -> None:
        with pointers._COMPILING:
            begun.set()
            done.wait(180)

    compiler = threading.Thread(target=compile_something)
    page = threading.Thread(target=lambda: (session.turn("starting_coins.3", "30"), session.spec))
    compiler.start()
    assert begun.wait(180), "what the session still compiles comes first"
    page.start()
    page.join(60)
    try:
        assert not page.is_alive()
        assert session.view.settings == (("starting_coins.3", "30"),)
    finally:
        done.set()
        compiler.join()
