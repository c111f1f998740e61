"""The self-test: every answer is right here, and a wrong one is said to be wrong."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from analysis.check import checking
from equipoise.api import replaying
from equipoise.api.replaying import Answer, known_answers
from simcore.homes import GAMES
from simcore.kernel import streams
from simcore.kernel.streams import ANSWERS, STREAM_VERSION, stream_digest
from tests.equipoise.conftest import Cli


def test_the_streams_draw_what_their_version_drew_on_the_first_machine() -> None:
    assert stream_digest() == ANSWERS[STREAM_VERSION]
    assert len(set(ANSWERS.values())) == len(ANSWERS)


def test_every_answer_is_right(cli: Cli) -> None:
    said = cli("self-test", "--threads", 2)
    lines = said.out.splitlines()
    assert said.code == 0, said
    assert lines[-1] == f"All {len(lines) - 1} answers are right."
    assert all(line.startswith("ok ") for line in lines[:-1])
    assert sum("2,000 games of Middle-Ages" in line for line in lines) == 8  # two to five players, one thread and two


@pytest.mark.parametrize("broken", ["stream", "game", "statistic"])
def test_a_wrong_answer_is_an_exit_code(cli: Cli, monkeypatch: pytest.MonkeyPatch, broken: str) -> None:
    if broken == "stream":
        monkeypatch.setitem(streams.ANSWERS, STREAM_VERSION, "0" * 64)
    elif broken == "statistic":
        monkeypatch.setattr("analysis.stats.known_answers.tost", lambda *given: (5.7, -4.645))
    real = checking.golden_digest

    def digest(setup: Any, players: int, *rest: int) -> str:
        return "0" * 64 if broken == "game" and players == 3 else real(setup, players, *rest)

    monkeypatch.setattr(replaying, "golden_digest", digest)
    said = cli("self-test", "--threads", 1, "--json")
    found = json.loads(said.out)
    assert (said.code, found["right"]) == (1, False)
    (wrong,) = (answer["about"] for answer in found["answers"] if not answer["is_right"])
    about = {"stream": "random streams", "game": "2,000 games of Middle-Ages, 3 players", "statistic": "two one-sided"}
    assert wrong.startswith(about[broken])
    assert "1 of " in cli("self-test", "--threads", 1).out.splitlines()[-1]


@pytest.mark.parametrize(("folder", "tested"), [(None, GAMES[:1]), (Path("compiled"), GAMES)])
def test_all_games_are_tested_whose_kernels_came_along(
    cli: Cli, monkeypatch: pytest.MonkeyPatch, folder: Path | None, tested: tuple[str, ...]
) -> None:
    monkeypatch.setattr("simcore.kernel.cache.brought", lambda: folder)
    monkeypatch.setattr(replaying, "known_answers", lambda games, threads: [Answer(",".join(games), True, 0)])
    assert cli("self-test").out.splitlines()[0].endswith(",".join(tested))
    assert cli("self-test", "--game", "fief-2").out.splitlines()[0].endswith(" fief-2")


def test_bad_input(cli: Cli) -> None:
    for line, says in (
        (("--game", "middle-age"), "did you mean 'middle-ages'"),
        (("--game", "siege"), "--game: siege ships no baseline, so that no answers are known"),
        (("--all", "--game", "fief-2"), "--game: cannot be combined with --all"),
        (("--threads", 0), "--threads: 0 is out of range"),
    ):
        said = cli("self-test", *line)
        assert (said.code, said.err.count("\n")) == (2, 1) and says in said.err


def test_every_game_of_this_package_ships_a_baseline() -> None:
    assert all(Path(replaying.shipped_baseline(game)).is_file() for game in GAMES)


def test_a_cold_machine_is_told_what_is_compiled(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(replaying, "is_cold", lambda function: True)
    with caplog.at_level("INFO"):
        next(known_answers((), 1))
    assert "Compiling the random streams; this happens once" in caplog.text
