"""What every game must do, at every number of players."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from equipoise.conformance.tables import SEED, briefly, spec_of
from simcore.game import DETAILS, load_game
from simcore.homes import module_name
from simcore.kernel.records import words
from simcore.kernel.trace import MARGIN
from simcore.roles import check_par
from simcore.rules.files import Rules, load_rules, shipped_rules
from simcore.running.batch import run_chunk
from simcore.running.columns import STORED, columns, computed, labels
from simcore.running.executors import execute
from simcore.running.parts import Part
from simcore.running.replay import FORMAT, replay, replays
from strategies.kit import load_kit
from strategies.library import load_strategy, shipped_strategies, strategy_from_dict
from strategies.spec import assemble_spec

GAMES_PLAYED = 200
PARTS, DEALS = 8, 40
"""Number of parts of a run on several threads, and of deals in each of them."""

MOST = {"UInt8": 2**8 - 1, "UInt16": 2**16 - 1, "Boolean": 1}
"""Largest value by type of column; any value of a row fits into 32 bits."""


# --- the descriptor ---


def test_descriptor(game: str) -> None:
    found = load_game(game)
    assert found.name == game
    assert module_name(game).isidentifier()
    assert found.title.isprintable()
    assert found.default_players in found.players


def test_row_is_32_bit_words(game: str) -> None:
    row = load_game(game).row_dtype
    fields: Any = row.fields
    types = [kind for kind, *_ in fields.values()]
    assert all(kind.base == np.int32 for kind in types)
    assert sum(int(np.prod(kind.shape, dtype=int)) for kind in types) == words(row)
    assert words(row) % 2 == 0, "the digest takes words in pairs"
    assert {"strategy", "place", load_game(game).share} <= set(fields)


def test_columns_resolve(game: str) -> None:
    found = load_game(game)
    spec = spec_of(game, found.default_players)
    fields: Any = found.row_dtype.fields
    assert found.score in {None, *(column.name for column in found.columns if column.detail == "minimal")}
    for column in columns(found, "full")[len(computed(found)) :]:
        assert column.type in STORED
        assert column.detail in DETAILS
        assert column.meaning == column.meaning.strip() != ""
        field = fields[column.field][0]
        assert field.shape == () if column.index is None else 0 <= column.index < field.shape[0]
        if column.type == "Enum":
            assert all(labels(column, spec))
    assert len({column.name for column in columns(found, "full")}) == len(columns(found, "full"))


def test_values_fit_their_columns(game: str, players: int) -> None:
    found, spec = load_game(game), spec_of(game, players)
    rows = run_chunk(spec, 0, GAMES_PLAYED)
    for column in columns(found, "full")[len(computed(found)) :]:
        values = rows[column.field] if column.index is None else rows[column.field][:, column.index]
        most = len(labels(column, spec)) - 1 if column.type == "Enum" else MOST.get(column.type)
        if most is not None:
            assert values.min() >= 0, f"column '{column.name}': {column.type} holds no negative numbers"
            assert values.max() <= most, f"column '{column.name}': {column.type} holds at most {most}"


def test_par_is_a_share_of_the_win_by_seat(game: str, players: int) -> None:
    found = load_game(game)
    for name in shipped_rules(found):
        shares = check_par(game, found.par(load_rules(found, name).values, players), players)
        for role in found.roles:
            assert len({shares[seat] for seat in role.at(players)}) == 1, f"seats of '{role.name}' differ in par"


# --- rules and strategies ---


def test_shipped_rules_round_trip(game: str) -> None:
    found = load_game(game)
    assert "base" in shipped_rules(found)
    for name in shipped_rules(found):
        rules = load_rules(found, name)
        assert Rules.from_dict(found, json.loads(json.dumps(rules.to_dict()))).digest == rules.digest


def test_base_rules_shown_are_base_rules(game: str, tmp_path: Path) -> None:
    found = load_game(game)
    shown = tmp_path / "shown.toml"
    shown.write_text(load_rules(found).to_toml(), encoding="utf-8")
    assert load_rules(found, shown).digest == load_rules(found).digest


def test_shipped_strategies_play(game: str, players: int) -> None:
    found, kit = load_game(game), load_kit(game)
    names = shipped_strategies(found)
    assert {kit.default_of(role) for role in found.role_names} <= set(names)
    defaults = {role: [load_strategy(found, kit.default_of(role))] for role in found.role_names}
    assert {load_strategy(found, name).role for name in names} <= {"", *found.role_names}
    for name in names:
        strategy = load_strategy(found, name)
        assert strategy.name == name
        assert strategy_from_dict(found, json.loads(json.dumps(strategy.to_dict()))) == strategy
        games = 50 if strategy.search is None else 1
        line = defaults | {role: [briefly(strategy)] for role in found.role_names if strategy.role in ("", role)}
        rows = run_chunk(assemble_spec(found, players, line, load_rules(found), SEED, "rotate", games), 0, games)
        assert (rows[found.share].reshape(games, players).sum(axis=1) == found.share_unit).all()


# --- outcomes ---


def test_the_win_is_shared_as_the_game_says(game: str, players: int) -> None:
    found, spec = load_game(game), spec_of(game, players)
    rows = run_chunk(spec, 0, GAMES_PLAYED).reshape(GAMES_PLAYED, players)
    places, shares = rows["place"], rows[found.share]
    assert (shares >= 0).all()
    assert (shares.sum(axis=1) == found.share_unit).all()
    assert np.array_equal(shares, found.sharing(spec.rules.values, rows, found.share_unit))
    assert (shares[places == 1] > 0).all()
    # Place = 1 + the number of players ranked strictly better.
    assert np.array_equal(places, 1 + (places[:, None, :] < places[:, :, None]).sum(axis=2))


def test_the_score_ranks_first(game: str, players: int) -> None:
    found = load_game(game)
    if found.score is None:
        pytest.skip("a game without a score")
    column = next(column for column in found.columns if column.name == found.score)
    rows = run_chunk(spec_of(game, players), 0, GAMES_PLAYED).reshape(GAMES_PLAYED, players)
    score = rows[column.field]
    better = score[:, None, :] > score[:, :, None]
    ranked = rows["place"][:, None, :] < rows["place"][:, :, None]
    assert (ranked | ~better).all()


def test_seats_follow_the_design(game: str, players: int) -> None:
    spec = spec_of(game, players)
    turns = spec.games_per_deal
    rows = run_chunk(spec, 0, 4 * turns)["strategy"].reshape(4, turns, players)
    assert (rows[:, 0] == np.arange(players)).all()
    for role in load_game(game).roles:
        seats = role.at(players)
        times = turns // len(seats) if role in spec.mixed_roles else turns
        for seat in seats:
            entries = np.array(seats if role in spec.mixed_roles else [seat])
            assert (np.sort(rows[:, :, seat], axis=1) == np.repeat(entries, times)).all()


def test_games_are_the_same_again(game: str, players: int) -> None:
    spec, again = spec_of(game, players), spec_of(game, players)
    assert np.array_equal(run_chunk(spec, 3, 40), run_chunk(again, 3, 40))
    assert not np.array_equal(run_chunk(spec, 3, 40), run_chunk(replace(spec, seed=SEED + 1), 3, 40))


def test_threads_change_nothing(game: str, players: int) -> None:
    """Several threads take the parts of a run as they come."""
    size = DEALS * spec_of(game, players).games_per_deal
    spec = spec_of(game, players, games=PARTS * size)
    todo = [Part(number, number * size, size) for number in range(PARTS)]
    assert len({execute(spec, threads, todo=todo).digest for threads in (1, 3)}) == 1


# --- replays ---


def test_replay_is_the_row(game: str, players: int) -> None:
    spec = spec_of(game, players)
    rows = run_chunk(spec, 0, 30)
    for index, played in enumerate(replays(spec, 0, 30)):
        assert np.array_equal(played.rows, rows[index * players : (index + 1) * players])
        assert played.fault == ""


def test_replay_log_parses_and_ends(game: str, players: int) -> None:
    spec = spec_of(game, players)
    for played in replays(spec, 100, 20):
        lines = [json.loads(line) for line in played.jsonl().splitlines()]
        assert len(lines) == sum(1 + len(log.records) for log in played.logs)
        for log in played.logs:
            first, *rest = lines[: 1 + len(log.records)]
            del lines[: 1 + len(log.records)]
            assert (first["kind"], first["format"], first["game"]) == ("game", FORMAT, game)
            assert (first["seed"], first["players"], len(first["strategies"])) == (SEED, players, players)
            assert first["rules_digest"] == spec.rules.digest
            assert set(spec.rules.switches) <= set(first["options"])
            assert [record["kind"] for record in rest].count("end") == 1
            assert rest[-1]["kind"] == "end"
            assert sum(rest[-1][spec.game.share]) == spec.game.share_unit
            if len(played.logs) == 1:
                assert rest[-1].get("place", played.rows["place"].tolist()) == played.rows["place"].tolist()
                assert rest[-1][spec.game.share] == played.rows[spec.game.share].tolist()


def test_replay_reads_as_text(game: str, players: int) -> None:
    text = replay(spec_of(game, players), 5).text()
    assert load_game(game).title in text.splitlines()[0]
    assert all(line.isprintable() for line in text.splitlines())


def test_trace_has_room_for_any_game(game: str, players: int) -> None:
    spec = spec_of(game, players)
    longest = max(len(played.jsonl()) for played in replays(spec, 0, 50))  # a full trace would have raised
    assert longest < spec.game.trace_words * 20
    assert spec.game.trace_words > 8 * MARGIN
