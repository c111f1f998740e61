"""The format of a replay log: its first line, and the fields and the order of its records."""

from __future__ import annotations

import json
import re
from itertools import groupby

import pytest

from simcore.running.replay import FORMAT, replay
from strategies.spec import make_spec
from tests.simcore.running.test_replay import games_of, spec_of

TURN = {"round", "seat"}
# shared/replay_log.md, Middle-Ages: kind -> fields after `kind`.
FIELDS = {
    "deal": {"round", "row", "drawn", "tiles"},
    "stack": {"round", "source", "tiles"},
    "lord": {"round", "seat", "row", "col"},
    "discard": {"round", "row", "col", "tile"},
    "take": {"round", "seat", "row", "col", "tile"},
    "income": {"round", "seat", "domain", "tiles", "coins"},
    "event": {"round", "slot", "event", "outcomes"},
    "round_end": {"round", "coins"},
    "end": {"coins", "penalty", "final", "place", "share60"},
}
EFFECT_FIELDS = {
    "field": {"coins"}, "market": {"coins"}, "mill": {"paid"}, "village": {"tile"}, "rampart": {"row", "col"},
    "barracks": {"hits"}, "church": {"slot"}, "palace": {"slot", "token"},
}  # fmt: skip


def test_first_line_has_every_field_in_order() -> None:
    spec = spec_of(3, seed=7, settings=["starting_coins=[4, 5, 6, 7, 8]", "slot_capacity=one"])
    header = replay(spec, 123).header
    assert list(header) == [
        "kind",
        "format",
        "game",
        "rules_digest",
        "seed",
        "game_id",
        "players",
        "strategies",
        "options",
        "tiles",
        "events",
        "order",
    ]
    assert (header["kind"], header["format"], header["game"]) == ("game", "equipoise-replay/1", "middle-ages")
    assert (header["seed"], header["game_id"], header["players"]) == (7, 123, 3)
    assert header["rules_digest"] == spec.rules.digest
    assert header["strategies"] == ["greedy", "random", "greedy"]
    assert header["order"] == [1, 2, 3]
    assert header["options"] == {
        "starting_coins": [4, 5, 6],
        "shortfall": "pay_available",
        "final_floor": False,
        "plot_token_supply": "shared",
        "slot_capacity": "one",
        "event_loss": "owner_chooses",
    }


def test_first_line_lists_all_tiles_though_three_players_use_no_orange_one() -> None:
    tiles = replay(spec_of(3), 0).header["tiles"]
    assert [tile["id"] for tile in tiles] == list(range(84))
    assert all(list(tile) == ["id", "number", "domain", "peasants", "chests", "stack"] for tile in tiles)
    # Rulings, Tiles: 52 blue, then 32 orange, by number; copies by Domain in board order.
    assert [(stack, len(list(group))) for stack, group in groupby(tile["stack"] for tile in tiles)] == [
        ("blue", 52),
        ("orange", 32),
    ]
    for stack, copies in (("blue", [9, 8, 7, 7, 6, 6, 5, 4]), ("orange", [5, 5, 5, 4, 4, 3, 3, 3])):
        listed = [tile for tile in tiles if tile["stack"] == stack]
        assert [tile["number"] for tile in listed] == sorted(tile["number"] for tile in listed)
        assert [len(list(group)) for _, group in groupby(tile["domain"] for tile in listed)] == copies


def test_first_line_names_the_events_that_come() -> None:
    for game in games_of(2, 20):
        told = [record["event"] for record in game.records if record["kind"] == "event"]
        assert game.header["events"] == told
        assert len(set(told)) == 4


def test_strategies_stand_by_seat_under_rotation() -> None:
    # Game 1 of a rotating design seats entry k + 1 in seat k (simcore.kernel.lineup).
    spec = make_spec(players=3, strategies=["greedy", "random", "random"])
    assert replay(spec, 0).header["strategies"] == ["greedy", "random", "random"]
    assert replay(spec, 1).header["strategies"] == ["random", "random", "greedy"]
    assert replay(spec, 2).header["strategies"] == ["random", "greedy", "random"]


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_records_have_the_fields_of_their_kind(players: int) -> None:
    for game in games_of(players, 30):
        for record in game.records:
            kind = record["kind"]
            expected = TURN | {"domain"} | EFFECT_FIELDS[record["domain"]] if kind == "effect" else FIELDS[kind]
            assert set(record) - {"kind"} == expected
            for pair in (("row", "col"), ("slot", "token")):
                if pair[0] in record and pair[1] in record:
                    assert (record[pair[0]] is None) == (record[pair[1]] is None)
            if kind == "event":
                assert [outcome["seat"] for outcome in record["outcomes"]] == list(range(1, players + 1))
                assert all(list(each) == ["seat", "coins", "buried", "restored"] for each in record["outcomes"])


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_records_stand_in_order(players: int) -> None:
    letters = {
        "deal": "D",
        "stack": "S",
        "lord": "L",
        "discard": "X",
        "take": "T",
        "effect": "E",
        "income": "I",
        "event": "V",
        "round_end": "R",
        "end": "Z",
    }
    rounds = "".join(
        f"X({'LTEI' if rnd < 16 else 'TEI'}){{{players}}}{'S*D' if rnd <= 12 else ''}{'V' if rnd % 4 == 0 else ''}R"
        for rnd in range(1, 17)
    )
    pattern = re.compile(f"D{{4}}L{{{players}}}{rounds}Z")
    for game in games_of(players, 30):
        assert pattern.fullmatch("".join(letters[record["kind"]] for record in game.records))


@pytest.mark.parametrize(
    ("players", "sources"), [(2, []), (3, ["discards"] * 2), (4, ["orange"]), (5, ["orange", "discards", "discards"])]
)
def test_stacks_run_out_as_the_rulings_count(players: int, sources: list[str]) -> None:
    for game in games_of(players, 10):
        assert [record["source"] for record in game.records if record["kind"] == "stack"] == sources


def test_log_is_json_lines() -> None:
    game = replay(spec_of(4), 3)
    lines = game.jsonl().split("\n")
    assert lines.pop() == ""
    assert [json.loads(line) for line in lines] == [game.header, *game.records]
    assert FORMAT == "equipoise-replay/1"


def test_nothing_to_place_is_null_and_told() -> None:
    # No token in the box: no Church and no Palace can place one.
    settings = ["tokens.extra_coin=0", *(f"tokens.plot.{domain}=0" for domain in EFFECT_FIELDS)]
    for game in games_of(4, 5, settings=settings):
        placed = [record for record in game.records if record.get("domain") in ("church", "palace")]
        assert all(record["slot"] is None for record in placed if record["kind"] == "effect")
        assert all(record["token"] is None for record in placed if "token" in record)
        told = game.text()
        assert "no extra-coin token can be placed" in told
        assert "token under" not in told


def test_an_event_of_a_designer_may_give_several_tiles_back() -> None:
    told, lines = [], []
    for game in games_of(5, 5, settings=["events.restoration.copies=40", "events.restoration.restores=3"]):
        for outcome in (each for record in game.records for each in record.get("outcomes", ())):
            if (more := outcome.get("also_restored")) is not None:
                assert outcome["restored"] is not None
                assert 1 <= len(more) <= 2
                told.append(1 + len(more))
        lines += re.findall(r"Seat \d .* and .* back from the Cemetery", game.text())
    assert told
    assert told == [line.count(" and ") + 1 for line in lines]
