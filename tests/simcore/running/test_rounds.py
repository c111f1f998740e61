"""Rounds of recorded games: no line is lost, and what seats hold is what the log says."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import pytest

from simcore.running.replay import Log, Replay, Round, heading, narrator, replay, rounds
from tests.golden.transcripts import CASES, Case
from tests.specs import make_spec
from tests.toy import TOY


def written(played: Replay) -> list[str]:
    """Return the lines of a game that are not blank."""
    return [line for line in played.text().split("\n") if line]


def told(played: Replay) -> list[str]:
    """Return the same from its rounds."""
    found = rounds(played)
    return [
        line
        for log in range(len(played.logs))
        for part in (heading(played, log), *(one.lines for one in found if one.log == log))
        for line in part
        if line
    ]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_rounds_of_golden_games_have_all_lines_and_checksums(case: Case) -> None:
    played = case.play()
    assert told(played) == written(played)
    closing = [record for record in played.records if record["kind"].endswith("end")]
    held = [one for one in rounds(played) if one.held]
    assert len(held) == len(closing)
    for one, record in zip(held, closing, strict=True):
        players = len(played.header["strategies"])
        for name, values in one.held.items():
            assert [value for value in values if value is not None] == record[name]
            assert len(values) == players


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_every_round_begins_with_its_own_records(case: Case) -> None:
    played = case.play()
    for number in range(len(played.logs)):
        own = [one for one in rounds(played) if one.log == number]
        assert [one.clock for one in own].count("end") == 1
        assert own[-1].clock == "end"
        numbers = [one.number for one in own[:-1]]
        assert numbers == list(range(numbers[-1] + 1)), "the set-up is 0, and no round is left out or divided"


def test_what_only_some_roles_have_is_theirs() -> None:
    played = replay(make_spec(game="seigneurial", players=4, strategies=["random"]), 0)
    first = next(one for one in rounds(played) if one.number == 1)
    record = next(record for record in played.records if record["kind"] == "season_end")
    assert first.held["points"] == (None, *record["points"])
    assert first.held["cards"] == tuple(record["cards"])


def test_a_record_may_name_what_seats_hold() -> None:
    played = replay(make_spec(game=TOY, players=3, strategies=["random"]), 0)
    told = tuple(one | {"held": {"coins": [at, 7, 0]}} for at, one in enumerate(played.records[:-1]))
    records = (*told, played.records[-1])
    found = rounds(replace(played, logs=(replace(played.logs[0], records=records),)))
    assert [one.held for one in found[:-1]] == [{"coins": (at, 7, 0)} for at in range(len(told))]


def test_a_log_without_rounds_has_one_for_every_record() -> None:
    played = replay(make_spec(game=TOY, strategies=["random"]), 0)
    found = rounds(played)
    assert len(found) == len(played.records)
    assert told(played) == written(played)
    assert [one.number for one in found[:-1]] == list(range(1, len(found)))
    assert "share60" in found[-1].held or "share840" in found[-1].held


def test_words_that_need_the_whole_log_come_at_the_end() -> None:
    """Nothing is lost, though no round but the last has lines."""
    played = CASES[0].play()

    def late(header: Mapping[str, Any], records: Sequence[Mapping[str, Any]]) -> Iterator[str]:
        yield "A game"
        yield ""
        yield f"{records[-1]['final']} after {len(records)} records"

    game = replace(played.spec.game, narrate=late)
    other = replace(played, spec=replace(played.spec, game=game))
    found: tuple[Round, ...] = rounds(other)
    assert [line for one in found for line in one.lines] == written(other)[1:]
    assert found[-1].lines and not any(one.lines for one in found[:-1])


def test_control_characters_are_spelt_out() -> None:
    played = CASES[0].play()
    log = played.logs[0]
    hostile = Log(log.header | {"strategies": ["\x1b[31m", "b"]}, log.records, log.rows)
    other = replace(played, logs=(hostile,))
    lines = [line for one in rounds(other) for line in one.lines] + [*heading(other, 0)]
    assert any("\\x1b" in line for line in lines)
    assert not any("\x1b" in line for line in lines)


def test_the_narrator_is_the_game_s_own_or_plain() -> None:
    spec = make_spec()
    assert narrator(spec.game) is spec.game.narrate
    plain = narrator(replace(spec.game, narrate=None))
    first, second = plain({"players": 2, "seed": 1, "game_id": 0}, [{"kind": "x", "a": 1}])
    assert (first, second) == ("Middle-Ages, 2 players, seed 1, game 0", "x: a 1")
