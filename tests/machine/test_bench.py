"""`equipoise bench`: what is measured, how it is counted, and what is refused."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from equipoise import benchmarks
from equipoise.benchmarks import Timing, decisions_per_game, games_for, interleave, paired
from equipoise.commands import bench as bench_command
from equipoise.commands.bench import Part
from simcore.game import load_game
from simcore.running.batch import Spec
from simcore.running.executors import Interrupted
from strategies.kit import load_kit
from strategies.library import load_strategy, shipped_strategies
from tests.equipoise.conftest import Cli
from tests.specs import make_spec
from tests.toy import TOY, environment

ROOT = Path(__file__).resolve().parents[2]
PLAIN_COUNT = """
from simcore.kernel import pointers
asked, call = [], pointers.call_policy
pointers.call_policy = lambda *given: asked.append(1) or call(*given)

from simcore.running.batch import run_chunk
from tests.specs import make_spec
run_chunk(make_spec(3, ["greedy", "random", "random"]), 0, 3)
print(len(asked))
"""
SHORT = ("--seconds", "0.02", "--players", "2", "--threads", "2")


ROUNDS = benchmarks.ROUNDS


@pytest.fixture(autouse=True)
def _brief(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, brief in {"COUNTED": 4, "CHUNK": 4, "STEP": 960, "FRESH": 1, "ROUNDS": 2}.items():
        monkeypatch.setattr(benchmarks, name, brief)


def measured(cli: Cli, *arguments: object) -> Any:
    said = cli("bench", *SHORT, "--json", *arguments)
    assert said.code == 0, said.err
    assert said.err == ""
    return json.loads(said.out)


def test_speed_has_every_run_once(cli: Cli) -> None:
    found = measured(cli, "--only", "speed", "--players", "2,4", "--strategies", "random,greedy")["speed"]
    assert [(entry["players"], entry["strategy"]) for entry in found] == [
        (2, "random"),
        (2, "greedy"),
        (4, "random"),
        (4, "greedy"),
    ]
    for entry in found:
        assert entry["games_per_second"] >= entry["games_per_second_median"] > 0
        assert entry["decisions_per_second"] == pytest.approx(entry["decisions_per_game"] * entry["games_per_second"])


def test_scaling_and_writing_are_ratios_of_what_they_show(cli: Cli, tmp_path: Path) -> None:
    found = measured(cli, "--only", "scaling, writing", "--strategies", "random", "--dir", tmp_path)
    assert "speed" not in found
    (scaling,) = found["scaling"]
    assert scaling["threads"] == 2
    assert scaling["ratio"] == scaling["games_per_second"] / scaling["games_per_second_one_thread"]
    tables = {entry["table"]: entry for entry in found["writing"]}
    assert list(tables) == list(benchmarks.KINDS)
    for entry in tables.values():
        assert entry["time_ratio"] == entry["games_per_second_alone"] / entry["games_per_second"]
        assert 0.5 < entry["processor_ratio"] < 50
    sizes = [tables[f"{detail} Parquet"]["bytes_per_game"] for detail in ("minimal", "standard", "full")]
    assert sizes == sorted(sizes)
    assert tables["standard CSV"]["bytes_per_game"] > 2 * sizes[1]
    assert list(tmp_path.iterdir()) == []


def test_writing_is_measured_with_the_players_of_a_usual_run(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[Spec] = []
    monkeypatch.setattr(benchmarks, "writing", lambda spec, *rest: seen.append(spec) or [])
    measured(cli, "--only", "writing")
    assert {name for spec in seen for name in spec.strategies} == {load_kit("middle-ages").default}


def test_processor_time_counts_all_threads_and_no_sleep() -> None:
    asleep = benchmarks._Metered(lambda games: time.sleep(0.2))
    busy = benchmarks._Metered(lambda games: sum(range(games)))
    asleep(1)
    busy(3_000_000)
    assert asleep.seconds[0] < 0.1 < 20 * busy.seconds[0]


def test_cost_of_strategies_is_of_every_shipped_one(cli: Cli) -> None:
    found = measured(cli, "--only", "strategies")["strategies"]
    assert [entry["strategy"] for entry in found] == shipped_strategies(load_game("middle-ages"))
    assert max(entry["ratio_to_fastest"] for entry in found) == 1
    for entry in found:
        spent = entry["nanoseconds_per_decision"] * entry["decisions_per_game"] * entry["games_per_second"]
        assert spent == pytest.approx(1e9)


def test_cost_of_features_is_of_every_one_that_weighs(cli: Cli) -> None:
    weights = load_strategy(load_game("middle-ages"), "miller").weights
    found = measured(cli, "--only", "features", "--strategies", "random,miller")["features"]
    assert {entry["without"] for entry in found} == {feature for feature, weight in weights.items() if weight}
    whole = {entry["nanoseconds_per_decision"] / (1 - entry["share"]) for entry in found}
    assert max(whole) == pytest.approx(min(whole))
    for entry in found:
        assert entry["nanoseconds"] == pytest.approx(max(whole) - entry["nanoseconds_per_decision"])
    assert measured(cli, "--only", "features", "--strategies", "random")["features"] == []


def test_a_game_with_roles_is_measured_in_every_part(cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each strategy plays its role beside the defaults of the others; who plays together is measured once."""
    monkeypatch.setenv("PYTHONPATH", environment()["PYTHONPATH"])
    parts = "start,writing,strategies,features"
    line = ("--game", TOY, "--players", 3, "--quick", "--strategies", "schemer", "--dir", tmp_path)
    found = measured(cli, *line, "--only", parts)
    assert list(tmp_path.iterdir()) == []
    assert all(entry["seconds"] > 0.05 for entry in found["start"])
    assert [entry["what"] for entry in found["start"]] == [
        "warm, 1,000 games",
        "warm, 1,000 games written",
        "warm, --help",
    ]
    names = [entry["strategy"] for entry in found["strategies"]]
    assert sorted(names) == ["bully, steward", "random", "schemer, giver", "schemer, steward", "schemer, warden"]
    weights = load_strategy(load_game(TOY), "schemer").weights
    assert {entry["without"] for entry in found["features"]} == {name for name, weight in weights.items() if weight}
    assert {entry["strategy"] for entry in found["features"]} == {"schemer, steward"}


def test_strategies_named_with_a_role_play_together(cli: Cli) -> None:
    """They are one run; `features` weighs the first that has weights."""
    line = ("--game", "seigneurial", "--players", 3, "--strategies")
    random, table = measured(cli, "--only", "speed", *line, "lord=bailiff,random,tenant=gatherer")["speed"]
    assert (random["strategy"], table["strategy"]) == ("random", "bailiff, gatherer")
    found = benchmarks.ablations(load_game("seigneurial"), 3, "lord=bailiff,tenant=payer")
    assert set(found) == {"", *load_strategy(load_game("seigneurial"), "payer").weights}
    assert {spec.strategies for spec in found.values()} == {("bailiff", "payer", "payer")}


def planned(cli: Cli, monkeypatch: pytest.MonkeyPatch, *arguments: object) -> Any:
    plans: list[Any] = []
    monkeypatch.setattr(bench_command, "_measure", lambda plan, quiet: plans.append(plan))
    assert cli("bench", "--json", *arguments).code == 0
    return plans[0]


def test_the_usual_runs_are_of_the_skill_family_too(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    assert planned(cli, monkeypatch).strategies == ["random", "greedy", "champion"]
    plan = planned(cli, monkeypatch, "--game", "seigneurial")
    assert plan.strategies == ["random", "lord=collector,tenant=payer", "overlord"]


def test_without_a_feature_its_weight_is_nought_and_all_else_as_it_was() -> None:
    found = benchmarks.ablations(load_game("middle-ages"), 2, "champion")
    whole = found[""].lineup_record["members"][0]["weights"]
    for feature, number in load_kit("middle-ages").index.items():
        assert (feature in found) == (whole[number] != 0)
        if feature in found:
            weights = found[feature].lineup_record["members"][0]["weights"]
            assert np.flatnonzero(weights != whole).tolist() == [number]
            assert weights[number] == 0


def test_all_is_every_part(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    assert planned(cli, monkeypatch, "--only", "all").parts == [*Part]


def test_memory_of_processes(cli: Cli, tmp_path: Path) -> None:
    (short, long) = measured(cli, "--only", "memory", "--memory-games", "1e3", "--dir", tmp_path)["memory"]
    assert (short["games"], long["games"]) == (1000, 10_000)
    assert long["ratio"] == long["peak_bytes"] / short["peak_bytes"]
    assert 50e6 < short["peak_bytes"] < 1e9
    assert list(tmp_path.iterdir()) == []


def test_peak_memory_is_the_process_own() -> None:
    """A hundred million bytes more in the process show as just that, however large this one is."""
    ballast = bytearray(300_000_000)
    few, many = (
        json.loads(benchmarks.output([*benchmarks.MEASURE, sys.executable, "-S", "-c", text]))
        for text in ("pass", "x = bytearray(100_000_000); x[::4096] = bytes(len(x[::4096]))")
    )
    assert (few[0], many[0]) == (0, 0)
    assert few[1] < 60e6
    assert 95e6 < many[1] - few[1] < 110e6
    del ballast


def test_a_process_that_fails_says_why(refused: Callable[..., str], tmp_path: Path) -> None:
    said = refused("bench", "--only", "memory", "--strategies", "no-such", *SHORT)
    assert "no-such" in said


def test_decisions_are_as_many_as_the_plain_run_asks() -> None:
    """The same three games in plain Python, where every call of a policy can be seen."""
    done = subprocess.run(
        [sys.executable, "-c", PLAIN_COUNT],
        cwd=ROOT,
        env={**os.environ, "NUMBA_DISABLE_JIT": "1", "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    assert decisions_per_game(make_spec(3, ["greedy", "random", "random"]), 3) * 3 == int(done.stdout)


def test_repetitions_are_interleaved() -> None:
    order: list[str] = []
    ticks: list[int] = []
    tasks = {name: (lambda games, name=name: order.append(f"{name}{games}"), 3) for name in "abc"}
    found = interleave(tasks, lambda: ticks.append(1), 4)
    assert order == ["a3", "b3", "c3", "b3", "c3", "a3", "c3", "a3", "b3", "a3", "b3", "c3"]
    assert len(ticks) == 12
    assert {name: len(entry.seconds) for name, entry in found.items()} == {"a": 4, "b": 4, "c": 4}


def test_figures_of_a_timing() -> None:
    one, two = Timing(100, [1.0, 2.0, 4.0]), Timing(200, [1.0, 1.0, 8.0])
    assert (one.best, one.median) == (100, 50)
    assert paired(two, one) == 2  # 200/1 to 100/1, 200/1 to 100/2, 200/8 to 100/4: 2, 4, 1


def test_games_are_enough_for_the_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(benchmarks, "clock", lambda task, timer: 0.25)
    assert games_for(lambda games: None, 1.0, 10) == 40
    assert games_for(lambda games: None, 1.01, 10) == 50
    assert games_for(lambda games: None, 1e-12, 7) == 7


def test_table_and_file(cli: Cli, tmp_path: Path) -> None:
    out = tmp_path / "bench.json"
    said = cli("bench", *SHORT, "--only", "speed,scaling", "--strategies", "greedy", "--out", out)
    assert said.code == 0
    written = json.loads(out.read_text())
    lines = [line.split() for line in said.out.splitlines()]
    assert ["One", "thread", "games/s", "median", "decisions/s"] in lines
    pace = f"{written['speed'][0]['games_per_second']:,.0f}"
    assert any(line[:4] == ["2", "players,", "greedy", pace] for line in lines)
    assert max(map(len, said.out.splitlines())) <= 80
    assert cli("bench", *SHORT, "--only", "speed", "--out", out).code == 2
    assert json.loads(out.read_text()) == written


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["--only", "sped"], "--only: no part 'sped'; did you mean 'speed'?"),
        (["--players", "9"], "--players: Middle-Ages is for 2 to 5 players, not 9"),
        (["--players", "two"], "--players: 'two' is not a number"),
        (["--strategies", "gready"], "did you mean 'greedy'?"),
        (["--seconds", "0"], "--seconds: 0 is out of range"),
        (["--seconds", "nan"], "--seconds: nan is out of range"),
        (["--threads", "0"], "--threads: 0 is out of range"),
        (["--memory-games", "-3"], "--memory-games: -3 is out of range"),
        (["--dir", "nowhere"], "--dir: nowhere is not a folder"),
        (["--game", "chess"], "--game: no game 'chess'"),
        (["--out", "no/such/file.json"], "--out: no/such/file.json cannot be written"),
    ],
)
def test_bad_input(refused: Callable[..., str], arguments: list[str], expected: str) -> None:
    assert expected in refused("bench", *arguments)


def test_interrupt_leaves_nothing(cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(spec: Spec, *rest: Any, **named: Any) -> None:
        assert [path.name.startswith("equipoise-bench-") for path in tmp_path.iterdir()] == [True]
        raise Interrupted

    monkeypatch.setattr(benchmarks, "execute", interrupted)
    said = cli("bench", *SHORT, "--only", "writing", "--dir", tmp_path, "--out", tmp_path.parent / "x.json")
    assert (said.code, said.out, said.err) == (130, "", "interrupted\n")
    assert list(tmp_path.iterdir()) == []
    assert not (tmp_path.parent / "x.json").exists()


def test_plain_python_is_not_measured() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "equipoise", "bench"],
        cwd=ROOT,
        env={"NUMBA_DISABLE_JIT": "1", "PATH": "/usr/bin:/bin", "HOME": tempfile.gettempdir()},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 2
    assert done.stderr == "error: NUMBA_DISABLE_JIT is set, so nothing would be compiled; unset it to measure\n"


def test_rounds_are_those_of_the_page() -> None:
    assert ROUNDS == 5
