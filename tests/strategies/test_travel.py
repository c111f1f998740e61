"""A run that is pickled is built again from data, and plays the same games."""

from __future__ import annotations

import hashlib
import pickle
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from simcore.errors import KernelFault, UsageError
from simcore.game import load_game
from simcore.homes import GAMES
from simcore.kernel.lineup import LINEUP
from simcore.kernel.records import addresses, one
from simcore.running.batch import Spec, run_chunk
from strategies import travel
from strategies.library import load_strategy, shipped_strategies
from strategies.spec import beside_defaults
from strategies.watching import under_watch
from tests.specs import make_spec
from tests.toy import TOY, environment

SPECS = {
    "one": make_spec(4, ["random"], seed=2**64 - 1),
    "mixed": make_spec(3, ["greedy", "random", "random"], ["shortfall=debt"], design="rotate", seed=5),
    "roles": make_spec(3, game=TOY, design="shuffle", seed=7),
}
AWAY = """
import hashlib, pickle, sys
import strategies.travel
from simcore.running.batch import run_chunk
for spec in pickle.load(sys.stdin.buffer):
    print(hashlib.sha256(run_chunk(spec, 3, min(spec.games, 9)).tobytes()).hexdigest())
"""


def played_away(specs: Sequence[Spec]) -> list[str]:
    """Return a digest of what a fresh process plays."""
    sent = pickle.dumps(specs)
    away = subprocess.run([sys.executable, "-c", AWAY], input=sent, capture_output=True, check=True, env=environment())
    return away.stdout.decode().split()


def played_here(specs: Sequence[Spec]) -> list[str]:
    return [hashlib.sha256(run_chunk(spec, 3, min(spec.games, 9)).tobytes()).hexdigest() for spec in specs]


def test_another_process_plays_the_same_games() -> None:
    """Every policy of every game does; those that look ahead call functions by addresses that are not their own."""
    policies = {
        (game.name, load_strategy(game, name).policy): make_spec(
            game.players[0], beside_defaults(game, name), game=game.name, games=1
        )
        for game in map(load_game, GAMES)
        for name in shipped_strategies(game)
    }
    specs = [*SPECS.values(), *policies.values()]
    assert sum(spec.searches for spec in specs) >= len(GAMES)
    assert played_away(specs) == played_here(specs)


@pytest.mark.parametrize("game", GAMES)
def test_no_address_leaves(game: str) -> None:
    found = load_game(game)
    sent = make_spec(found.default_players, beside_defaults(found, "rollout"), game=game)
    _, (_, lineup, _) = travel.packed(sent)
    assert addresses(one(sent.lineup_record))["retell"].all()
    for name, view in addresses(np.frombuffer(lineup, found.lineup_dtype)).items():
        assert not view.any(), name


def test_all_that_could_be_an_address_is_declared() -> None:
    """Every other field that is wide enough for an address is known to be a number."""
    bits = {"blunder", "avoids", "forgoes", "unseen", "sees"}
    numbers = bits | {"temperature", "weights", "tried", "game", "opened", "draws"}
    row = np.zeros(1, LINEUP)
    wide = {
        f"{part}{name}"
        for part, fields in (("", row), *((f"{who}.", row[who]) for who in ("members", "bases", "guests")))
        for name in fields.dtype.names or ()
        if fields.dtype[name].base in (np.uint64, np.int64) and name not in numbers
    }
    assert wide == set(addresses(row))


@pytest.mark.parametrize("field", ["members.policy", "bases.policy", "retell"])
def test_a_line_up_without_an_address_is_not_played(field: str) -> None:
    spec = make_spec(4, ["rollout"])
    record = one(spec.lineup_record)
    addresses(record)[field][...] = 0
    with pytest.raises(KernelFault, match=f"no address in the field '{field}'"):
        run_chunk(replace(spec, lineup_record=record[0]), 0, 1)


@pytest.mark.parametrize("name", SPECS)
def test_all_that_describes_a_run_arrives(name: str) -> None:
    sent = SPECS[name]
    got: Spec = pickle.loads(pickle.dumps(sent))
    for field in ("game", "players", "strategies", "design", "seed", "games", "strategy_tables", "references"):
        assert getattr(got, field) == getattr(sent, field), field
    assert got.rules == sent.rules
    assert got.rules_record == sent.rules_record
    assert got.lineup_record == sent.lineup_record


def test_weights_travel_and_addresses_do_not() -> None:
    sent = SPECS["mixed"]
    record = sent.lineup_record.copy()
    record["members"]["weights"][0][:3] = 7, -9, 11
    got = pickle.loads(pickle.dumps(replace(sent, lineup_record=record)))
    assert got.lineup_record["members"]["weights"][0][:3].tolist() == [7, -9, 11]
    outline = travel.outline_of(sent)
    lineup = sent.lineup_record.copy()
    lineup["members"]["policy"] = 12345
    rebuilt = travel.unpacked(outline, lineup.tobytes(), {"strategies": ("a", "b", "c")})
    assert (rebuilt.lineup_record["members"]["policy"] == sent.lineup_record["members"]["policy"]).all()
    assert [table["name"] for table in rebuilt.strategy_tables] == ["a", "b", "c"]


def test_a_run_is_built_once() -> None:
    sent = pickle.dumps(SPECS["mixed"])
    pickle.loads(sent)
    before = travel.built.cache_info().misses
    for _ in range(5):
        pickle.loads(sent)
    assert travel.built.cache_info().misses == before


def test_watched_policies_and_code_stay_here(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="this machine only"):
        pickle.dumps(under_watch(SPECS["one"]))
    table = {**SPECS["one"].strategy_tables[0], "source_sha256": "0" * 64}
    with pytest.raises(UsageError, match="Python code"):
        pickle.dumps(replace(SPECS["one"], strategy_tables=(table,) * 4))
