"""What long work says while it goes on."""

from __future__ import annotations

import io
import logging
import re
import sys
from contextlib import ExitStack

import pytest

from equipoise.api import simulation
from equipoise.api.simulation import RunInProgress
from equipoise.output import progress
from equipoise.output.progress import Progress, Tick, announce, following
from tests.specs import make_spec


class Clock:
    """A clock that is moved by hand."""

    now = 100.0

    def perf_counter(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    made = Clock()
    monkeypatch.setattr(progress, "time", made)
    return made


def test_a_line_says_how_much_how_fast_how_long_and_how_precise(
    clock: Clock, capsys: pytest.CaptureFixture[str]
) -> None:
    with following(True, "games", 40_000) as tick:
        tick(0)
        clock.now += 5
        tick(5_000)
        assert capsys.readouterr().err == ""
        tick.note("seats ±0.31 pp")
        clock.now += 5
        tick(10_000)
        assert capsys.readouterr().err == (
            "10,000 of 40,000 games (25%), about 30 s left, 1,000 games/s, seats ±0.31 pp\n"
        )
        tick.total = 400_000
        clock.now += 10
        tick(20_000)
        assert "20,000 of 400,000 games (5%), about 6 min left" in capsys.readouterr().err


class Terminal(io.TextIOWrapper):
    """A screen that remembers what it shows."""

    def isatty(self) -> bool:
        return True


def test_what_is_said_beside_a_bar_gets_a_line_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    shown = io.BytesIO()
    monkeypatch.setattr(sys, "stderr", Terminal(shown, "utf-8"))
    monkeypatch.setattr(progress, "SOON", 0.0)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "70")
    announce()
    with Progress("sections", 21, even=False) as bar:
        bar.update(1)
        logging.getLogger("equipoise").info("No: 100 %% [bold]sure[/bold]")
        bar.update(2)
    sys.stderr.flush()
    assert "\x1b[2KNo: 100 %% [bold]sure[/bold]\n" in shown.getvalue().decode().replace("\r", "")


def test_one_of_several_runs_shows_its_pace_too(clock: Clock, capsys: pytest.CaptureFixture[str]) -> None:
    with following(True, "games of run 2 of 8", 40_000) as tick:
        tick(0)
        clock.now += 10
        tick(10_000)
    assert capsys.readouterr().err == ("10,000 of 40,000 games of run 2 of 8 (25%), about 30 s left, 1,000 games/s\n")


def test_games_of_an_earlier_process_count_as_done_but_not_for_the_pace(
    clock: Clock, capsys: pytest.CaptureFixture[str]
) -> None:
    with following(True, "games", 40_000) as tick:
        tick(20_000)
        clock.now += 10
        tick(30_000)
    assert capsys.readouterr().err == "30,000 of 40,000 games (75%), about 10 s left, 1,000 games/s\n"


def test_the_time_before_the_first_part_is_done_does_not_count_for_the_pace(
    clock: Clock, capsys: pytest.CaptureFixture[str]
) -> None:
    with following(True, "games", 100) as tick:
        clock.now += 20
        tick(10)
        clock.now += 20
        tick(20)
    assert capsys.readouterr().err.splitlines()[-1] == "20 of 100 games (20%), about 3 min left, 0.50 games/s"


def test_what_is_no_game_has_no_pace(clock: Clock, capsys: pytest.CaptureFixture[str]) -> None:
    with following(True, "generations", 10) as tick:
        tick(0)
        clock.now += 10
        tick(5)
    assert capsys.readouterr().err == "5 of 10 generations (50%), about 10 s left\n"


def test_the_precision_is_worked_out_twice_a_second_at_most(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    looked: list[float] = []
    monkeypatch.setattr(simulation, "time", clock)
    monkeypatch.setattr(Tick, "note", lambda tick, text: looked.append(clock.now))
    run = RunInProgress(make_spec(2), 1)
    with following(True, "games", 1_000) as tick:
        for clock.now in (100.0, 100.2, 100.4, 100.6, 101.0, 101.2):
            run._look(tick)
    assert looked == [100.0, 100.6, 101.2]


@pytest.mark.parametrize("quiet", [False, None])
def test_who_does_not_follow_sees_nothing(clock: Clock, capsys: pytest.CaptureFixture[str], quiet: bool | None) -> None:
    with following(quiet, "games", 100) as tick:
        tick(0)
        clock.now += 100
        tick(50)
    assert capsys.readouterr() == ("", "")


def test_a_function_hears_how_many_there_will_be_by_now() -> None:
    heard = []
    with following(lambda done, total: heard.append((done, total)), "games", 100) as tick:
        tick(10)
        tick.total = 300
        tick(20)
    assert heard == [(10, 100), (20, 300)]


def test_a_bar_on_a_terminal_shows_the_same(monkeypatch: pytest.MonkeyPatch, clock: Clock) -> None:
    shown = []
    monkeypatch.setattr(progress.sys.stderr, "isatty", lambda: True, raising=False)
    with Progress("games", 4_000) as bar:
        bar.update(0)
        bar.note = "seats ±0.31 pp"
        clock.now += 1
        monkeypatch.setattr("rich.progress.Progress.update", lambda self, task, **fields: shown.append(fields))
        bar.update(1_000)
    assert shown[-1]["completed"] == 1_000
    assert shown[-1]["told"] == "1,000 games/s, seats ±0.31 pp"


def test_compiling_is_announced_once(capsys: pytest.CaptureFixture[str]) -> None:
    announce()
    for _ in range(3):
        logging.getLogger("equipoise.kernels").info("Compiling what only this test names; this happens once ...")
        logging.getLogger("equipoise").info("Something else.")
    said = capsys.readouterr().err.splitlines()
    assert said.count("Compiling what only this test names; this happens once ...") == 1
    assert said.count("Something else.") == 3


@pytest.mark.parametrize(("terminal", "bars"), [(True, 0), (True, 1), (False, 0)])
def test_a_terminal_shows_a_bar_while_kernels_compile(
    terminal: bool, bars: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """None beside another bar, which would write into the same lines."""
    handler, text = progress._Echo(), "Compiling the kernels of Chess; this happens once"
    monkeypatch.setattr(progress.sys.stderr, "isatty", lambda: terminal)
    monkeypatch.setattr(Progress, "drawn", bars)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "120")
    record = logging.LogRecord("equipoise.kernels", logging.INFO, "", 0, text, (), None)
    record.seconds, text = 42.0, f"{text} and takes about 40 s on a quiet machine ..."
    with ExitStack() as record.shown:
        handler.emit(record)
        plain = capsys.readouterr().err == f"{text}\n"
    assert plain is not (terminal and not bars)
    ended = capsys.readouterr().err
    assert (bool(re.search(r"\d:\d\d:\d\d", ended)) and text in ended) is not plain
