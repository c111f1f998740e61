"""Random damages of rules, strategies, baselines and manifests: accepted, or refused in one line; see `tests.fuzzing`.

What is accepted is played: a few deals and one replay must end well.
"""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import equipoise as eq
from analysis.check.baseline import as_measured, current, read_baseline
from equipoise.cli import app, run
from simcore.game import load_game
from simcore.rules.files import load_rules
from strategies.library import load_strategy
from tests.fuzzing import Damage, accepted_or_refused, changed_numbers, damaged, damages, fuzzed, renumbered

pytestmark = pytest.mark.usefixtures("scratch")

ROOT = Path(__file__).resolve().parents[2]
CONFIGS = ROOT / "configs"
GAMES = ["middle-ages", "medievallons"]
BASELINES = CONFIGS / "middle-ages/baselines"
FEW = 64
"""Imagined tables and rounds of a strategy that is played."""


def play(game: str, *options: str) -> None:
    """Play a few deals, and write one down.

    Rules that do not suit the number of players are refused (2), and a game that reaches its limit of turns fails (1);
    the game that is written down is the first, which may end well where a later one fails.
    """
    arguments = ["--game", game, *options]
    code = run(app, ["simulate", "--quiet", "--games", "4", "--threads", "1", "--format", "none", *arguments])
    assert code in (0, 1, 2)
    logged = run(app, ["replay", "--out", "log", "--force", *arguments])
    assert logged == code or (logged, code) == (0, 1)


@fuzzed
@given(game=st.sampled_from(GAMES), changes=damages, numbers=changed_numbers, only=st.booleans())
def test_rules(game: str, changes: list[Damage], numbers: list[tuple[float, int]], only: bool) -> None:
    """Half of the files differ in whole numbers alone; most of these are accepted."""
    text = (CONFIGS / game / "base.toml").read_text(encoding="utf-8")
    Path("mine.toml").write_text(renumbered(text, numbers) if only else damaged(text, changes), encoding="utf-8")
    if accepted_or_refused(lambda: load_rules(load_game(game), Path("mine.toml"))):
        play(game, "--rules", "mine.toml", "--strategies", "random")


@fuzzed
@given(name=st.sampled_from(["champion", "rollout", "greedy"]), changes=damages)
def test_strategies(name: str, changes: list[Damage]) -> None:
    game = load_game("middle-ages")
    text = (CONFIGS / f"middle-ages/strategies/{name}.toml").read_text(encoding="utf-8")
    Path("mine.toml").write_text(damaged(text, changes), encoding="utf-8")
    if accepted_or_refused(lambda: load_strategy(game, Path("mine.toml"))):
        search = load_strategy(game, Path("mine.toml")).search
        if search is None or search.rollouts * min(search.rounds, FEW) <= FEW:
            play("middle-ages", "--strategies", "mine.toml,random,random", "--players", "3")


@fuzzed
@given(changes=damages, copy=st.booleans())
def test_baselines(changes: list[Damage], copy: bool) -> None:
    shutil.rmtree("default", ignore_errors=True)
    shutil.copytree(BASELINES / "default", "default")
    shutil.copy(BASELINES / "default.toml", "default.toml")
    path = Path("default/strategy-champion.toml" if copy else "default.toml")
    path.write_text(damaged(path.read_text(encoding="utf-8"), changes), encoding="utf-8")

    def use() -> None:
        baseline = read_baseline(Path("default.toml"))
        current(baseline)
        as_measured(baseline)

    accepted_or_refused(use)


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("runs") / "run"
    assert run(app, ["simulate", "--games", "60", "--strategies", "random", "--quiet", "--out", str(folder)]) == 0
    return folder


@fuzzed
@given(changes=damages, verify=st.booleans())
def test_manifests(played: Path, changes: list[Damage], verify: bool) -> None:
    shutil.rmtree("run", ignore_errors=True)
    shutil.copytree(played, "run")
    path = Path("run/manifest.json")
    text = path.read_text(encoding="utf-8")
    path.write_text(damaged(text, changes), encoding="utf-8")
    accepted_or_refused(lambda: eq.load("run", verify=verify).polars().collect())
