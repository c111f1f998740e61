"""A run that is pickled is built again from data, and plays the same games."""

from __future__ import annotations

import hashlib
import pickle
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from simcore.errors import UsageError
from simcore.running.batch import Spec, run_chunk
from strategies import travel
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
    print(hashlib.sha256(run_chunk(spec, 3, 9).tobytes()).hexdigest())
"""


def test_another_process_plays_the_same_games() -> None:
    here = [hashlib.sha256(run_chunk(spec, 3, 9).tobytes()).hexdigest() for spec in SPECS.values()]
    away = subprocess.run(
        [sys.executable, "-c", AWAY], input=pickle.dumps(list(SPECS.values())), capture_output=True, check=True,
        env=environment(),
    )  # fmt: skip
    assert away.stdout.decode().split() == here


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
