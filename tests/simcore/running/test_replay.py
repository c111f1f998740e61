"""Replay: the outcome of a log against the batch, with and without Numba, and the text made of it."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from simcore.errors import UsageError
from simcore.game import load_game
from simcore.homes import GAMES
from simcore.kernel.decisions import FAULTS, ILLEGAL_MOVE
from simcore.log_records import plain_text
from simcore.running.batch import Spec, run_chunk
from simcore.running.replay import Replay, replay, replays
from strategies.spec import make_spec
from tests.toy import uncompiled

ROOT = Path(__file__).parents[3]
MIXED = ("greedy", "random", "greedy", "random", "random")
TIE_BREAKS = ("Palace", "Church", "Barracks", "Market", "Rampart", "Village", "Mill", "Field")


def spec_of(players: int, **options: Any) -> Spec:
    return make_spec(players=players, strategies=MIXED[:players], **options)


def games_of(players: int, count: int, **options: Any) -> list[Replay]:
    return list(replays(spec_of(players, **options), 0, count))


# --- the same game as in the batch ---


@pytest.mark.parametrize("players", [2, 3, 4, 5])
@pytest.mark.parametrize("design", ["fixed", "rotate", "shuffle"])
def test_outcome_is_the_row_of_the_batch(players: int, design: str) -> None:
    spec = spec_of(players, design=design, seed=2**64 - 1)
    first, count = 1000, 25
    batch = run_chunk(spec, first, count)
    for number, game in enumerate(replays(spec, first, count)):
        rows = batch[number * players : (number + 1) * players]
        assert np.array_equal(game.rows, rows)
        end = game.records[-1]
        assert end["final"] == rows["coins"].tolist()
        assert end["penalty"] == rows["penalty"].tolist()
        assert end["place"] == rows["place"].tolist()
        assert end["share60"] == rows["share60"].tolist()
        assert game.header["strategies"] == [spec.strategies[entry] for entry in rows["strategy"]]
        sums = np.array([record["coins"] for record in game.records if record["kind"] == "round_end"])
        assert np.array_equal(sums.T, rows["after_round"])


@pytest.mark.parametrize("name", GAMES)
def test_rows_do_not_depend_on_the_tables_that_the_same_memory_played_before(name: str) -> None:
    counts = load_game(name).players
    few, many = (make_spec(name, players, games=100) for players in (counts[0], counts[-1]))
    list(replays(many, 0, 5))
    again = np.concatenate([game.rows for game in replays(few, 0, 5)])
    assert np.array_equal(again, run_chunk(few, 0, 5))


def test_game_does_not_depend_on_what_was_replayed_before() -> None:
    spec = spec_of(5)
    assert [game.jsonl() for game in replays(spec, 10, 3)] == [replay(spec, index).jsonl() for index in (10, 11, 12)]


PLAIN = """
import sys
from simcore.running.replay import replay
from strategies.spec import make_spec
seats = ("greedy", "random", "greedy", "random", "random")
for players in (3, 5):
    sys.stdout.write(replay(make_spec(players=players, strategies=seats[:players]), 6).jsonl())
"""


def test_plain_python_plays_the_same_game() -> None:
    assert uncompiled("-c", PLAIN) == "".join(replay(spec_of(players), 6).jsonl() for players in (3, 5))


# --- what goes wrong ---


def test_a_game_that_is_too_long_is_an_error() -> None:
    spec = spec_of(2)

    def overflowing(rules: Any, lineup: Any, state: Any, rows: Any, *rest: Any) -> int:
        played = spec.game.play_batch(rules, lineup, state, rows, *rest)
        rest[1]["full"] = 1
        return int(played)

    with pytest.raises(UsageError, match=r"game 4 of seed 1 is too long for a replay of 65,536 words"):
        replay(replace(spec, game=replace(spec.game, play_batch=overflowing)), 4)


def test_a_game_with_a_fault_is_still_written_down() -> None:
    spec = spec_of(2)

    def faulty(rules: Any, lineup: Any, state: Any, rows: Any, *rest: Any) -> int:
        spec.game.play_batch(rules, lineup, state, rows, *rest)
        rows[:] = 0
        state["fault"] = 1
        return 0

    game = replay(replace(spec, game=replace(spec.game, play_batch=faulty)), 4)
    assert game.records == replay(spec, 4).records
    assert game.fault == FAULTS[ILLEGAL_MOVE]
    assert game.text().endswith(f"\nFault: {game.fault}\n")


def test_a_log_that_ends_otherwise_than_the_game_is_an_error() -> None:
    spec = spec_of(2)

    def other(rules: Any, lineup: Any, state: Any, rows: Any, *rest: Any) -> int:
        played = spec.game.play_batch(rules, lineup, state, rows, *rest)
        rows["share60"] = 7
        return int(played)

    with pytest.raises(RuntimeError, match="does not end as the game did"):
        replay(replace(spec, game=replace(spec.game, play_batch=other)), 0)


# --- the text ---


def test_names_cannot_drive_the_terminal() -> None:
    rude = "[red]\x1b[31m\nseat 9 wins\u202e\x07"
    game = replay(replace(spec_of(2), strategies=(rude, "random")), 0)
    text = game.text()
    assert all(line.isprintable() for line in text.splitlines())
    assert len(text.splitlines()) == len(replay(spec_of(2), 0).text().splitlines())
    assert json.loads(game.jsonl().splitlines()[0])["strategies"][0] == rude


def example() -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """First round of the rulebook's example for three players: rose is seat 1, blue 2, green 3.

    The booklet's text names the tiles by picture only; those that it does not describe are made up.
    """
    header = replay(make_spec(players=3, strategies=["random"]), 0).header | {"strategies": ["rose", "blue", "green"]}
    ids = {tile["number"]: tile["id"] for tile in reversed(header["tiles"])}

    def row(*numbers: int) -> list[int]:
        return [ids[number] for number in numbers]

    rows = [row(1, 4, 10, 16), row(5, 7, 13, 19), row(2, 8, 14, 22), row(3, 9, 15, 23)]
    turn = {"round": 1}
    return header, [
        *({"kind": "deal", "round": 0, "row": k, "drawn": tiles, "tiles": tiles} for k, tiles in enumerate(rows)),
        {"kind": "lord", "round": 0, "seat": 1, "row": 0, "col": 3},
        {"kind": "lord", "round": 0, "seat": 2, "row": 0, "col": 0},
        {"kind": "lord", "round": 0, "seat": 3, "row": 0, "col": 2},
        {"kind": "discard", "round": 1, "row": 0, "col": 1, "tile": ids[4]},
        turn | {"kind": "lord", "seat": 2, "row": 1, "col": 1},
        turn | {"kind": "take", "seat": 2, "row": 0, "col": 0, "tile": ids[1]},
        turn | {"kind": "effect", "seat": 2, "domain": "field", "coins": 0},
        turn | {"kind": "income", "seat": 2, "domain": "field", "tiles": 1, "coins": 2},
        turn | {"kind": "lord", "seat": 3, "row": 1, "col": 2},
        turn | {"kind": "take", "seat": 3, "row": 0, "col": 2, "tile": ids[10]},
        turn | {"kind": "effect", "seat": 3, "domain": "rampart", "row": 2, "col": 1},
        turn | {"kind": "income", "seat": 3, "domain": "rampart", "tiles": 1, "coins": 2},
        turn | {"kind": "lord", "seat": 1, "row": 1, "col": 0},
        turn | {"kind": "take", "seat": 1, "row": 0, "col": 3, "tile": ids[16]},
        turn | {"kind": "effect", "seat": 1, "domain": "barracks", "hits": [{"seat": 2, "tile": ids[1], "coins": 2}]},
        turn | {"kind": "income", "seat": 1, "domain": "barracks", "tiles": 1, "coins": 2},
        {"kind": "deal", "round": 1, "row": 0, "drawn": row(23, 6, 7, 19), "tiles": row(6, 7, 19, 23)},
        {"kind": "round_end", "round": 1, "coins": [4, 0, 2]},
        {"kind": "discard", "round": 2, "row": 1, "col": 3, "tile": ids[19]},
    ]


def test_example_of_the_rulebook_reads_as_the_rulebook_tells_it() -> None:
    header, records = example()
    spec = make_spec(players=3, strategies=["random"])
    lines = [re.sub(" +", " ", line).strip() for line in spec.game.narrate(header, records)]
    turns = lines[lines.index("Round 1, row A") :]
    assert list(islice(turns, 1, None)) == [
        "A Field 1 L2 Mill 4 Rampart 10 L3 Barracks 16 L1",
        "B Mill 5p Village 7 Market 13 Church 19",
        "C Field 2p Village 8p Market 14p Palace 22p",
        "D Field 3c Village 9c Market 15c Palace 23c",
        "A2, Mill 4, is empty and leaves the row",
        "Seat 2, blue",  # the Lord furthest to the left plays first
        "Lord to B2, Village 7",
        "Take Field 1 from A1",
        "Field 0 peasants +0 0",  # "no tile with a peasant yet: the effect brings nothing"
        "Income 1 tile +2 2",
        "Seat 3, green",
        "Lord to B3, Market 13",
        "Take Rampart 10 from A3",
        "Rampart Scout to C2, Village 8p",
        "Income 1 tile +2 2",
        "Seat 1, rose",
        "Lord to B1, Mill 5p",
        "Take Barracks 16 from A4",
        "Barracks seat 2 loses 2 and Field 1 +2 2",  # only blue has no Rampart
        "Income 1 tile +2 4",
        "Row A is refilled: Mill 6c, Village 7, Church 19, Palace 23c",
        "Coins Field Mill Village Rampart Market Barracks Church Palace Buried Tokens",
        "1 rose 4 - - - - - 1 - - -",
        "2 blue 0 - - - - - - - - 1",
        "3 green 2 - - - 1 - - - - -",
        "",
        "Round 2, row B",
        "B Mill 5p L1 Village 7 L2 Market 13 L3 Church 19",
        "C Field 2p Village 8p S3 Market 14p Palace 22p",  # green's Scout
        "D Field 3c Village 9c Market 15c Palace 23c",
        "A Mill 6c Village 7 Church 19 Palace 23c",
        "B4, Church 19, is empty and leaves the row",
    ]


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_running_totals_of_the_text_meet_the_check_sums_of_the_log(players: int) -> None:
    for game in games_of(players, 10, settings=["starting_coins=[9, 8, 7, 6, 5]", "shortfall=debt"]):
        sums = [record["coins"] for record in game.records if record["kind"] == "round_end"]
        rounds = game.text().split("\nRound ")[1:]
        assert len(rounds) == len(sums) == 16
        for number, (text, coins) in enumerate(zip(rounds, sums, strict=True), 1):
            lines = text.splitlines()
            table = next(k for k, line in enumerate(lines) if line.split()[:1] == ["Coins"])
            assert [int(line[24:].split()[0]) for line in lines[table + 1 : table + 1 + players]] == coins
            if number % 4 == 0:  # an Event: a line for each seat, with what it holds then
                assert [int(line.split()[-1]) for line in lines[table - players : table]] == coins
            else:  # nothing changes after the last Income of the round
                last = [line for line in lines[:table] if line.startswith(("  Seat ", "    Income"))][-2:]
                assert int(last[1].split()[-1]) == coins[int(last[0].split()[1].rstrip(",")) - 1]


def test_final_table_says_what_decides_a_tie() -> None:
    said = []
    spec = spec_of(2)
    coins = run_chunk(spec, 0, 500).reshape(500, 2)["coins"]
    level = np.flatnonzero(coins[:, 0] == coins[:, 1]).tolist()
    for game in (replay(spec, number) for number in {*level, *range(60)}):
        end = game.records[-1]
        ties = [line.strip() for line in game.text().splitlines() if "level on coins" in line]
        assert bool(ties) == (end["final"][0] == end["final"][1])
        for line in ties:
            if match := re.search(r"Seats (\d) and (\d) .*: (\w+) decides, (\d+) to (\d+)", line):
                assert end["place"] == ([1, 2] if match[1] == "1" else [2, 1])
                assert int(match[4]) > int(match[5])
                assert game.rows["tie_break"].tolist() == [TIE_BREAKS.index(match[3]) + 1] * 2
            else:
                assert line == "Seats 1 and 2 are level on coins and in every Domain: they share the place"
                assert end["place"] == [1, 1]
        said += ties
    assert len(said) > 1


def test_the_text_of_a_record_shows_lists_within_lists() -> None:
    rows = {"kind": "rows", "rows": [[40, 98], [46]], "hand": [7, 32], "empty": [[]]}
    assert list(plain_text("T", {"players": 2, "seed": 1, "game_id": 0}, [rows]))[1] == (
        "rows: rows [40 98] [46], hand 7 32, empty [-]"
    )
