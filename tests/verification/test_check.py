"""Does `equipoise check` keep its promises?  docs/findings/verification.md has the figures.

Run by name: `pytest tests/verification/test_check.py -s -n0` prints them, in some quarter of an hour.
"""

from __future__ import annotations

import ast
import builtins
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from analysis.check import checking
from analysis.check.baseline import Baseline, Instead, Value, choices_of
from analysis.check.checking import check, update
from analysis.check.claims import Claim, Finding, StoppingRule
from analysis.measures.sampling import Estimand, Sampler, Sums
from equipoise.output.checks import causes
from simcore.running.batch import Spec
from tests.analysis.check.conftest import write
from tests.specs import make_spec

CHECKS = 1_000
SEATS = [Estimand("win_share_by_seat", f"seat-{seat}") for seat in (1, 2, 3, 4)]


def head(players: int, strategy: str, margins: dict[str, str | float], seed: int = 1, games: int = 20_000) -> str:
    lines = "\n".join(f"{name} = {value!r}" for name, value in margins.items())
    return (
        f'format = "equipoise-baseline/1"\ngame = "middle-ages"\nplayers = [{players}]\nstrategies = ["{strategy}"]\n'
        f"seed = {seed}\ngames = {games}\n\n[margins]\n{lines}\n"
    )


# --- nothing changed ---

HARDEST: dict[str, str | float] = {
    "win_share_by_seat": "0.0001pp", "score": 1e-6, "spread": 1e-6, "margin": 1e-6, "lead_changes": 1e-6,
}  # fmt: skip
"""Margins so small that nothing but the interval stands between noise and an alarm."""


def test_unchanged_rules_and_fresh_seeds_raise_few_alarms(tmp_path: Path) -> None:
    """1,000 whole checks, 20 of each of 50 baselines of 20,000 games, up to 6,000 fresh games each, greedy at four."""
    alarms, real = 0, 0
    for number in range(50):
        found = update(choices_of(head(4, "greedy", HARDEST, seed=1000 + number), tmp_path / "none.toml")).baseline
        for seed in range(CHECKS // 50):
            result = check(found, full=True, seed=10**6 + 100 * number + seed, games=6_000)
            assert result.against == "stored"
            alarms += result.verdict == "fail"
            real += any(beyond(finding) for finding in result.findings)
    print(
        f"\n{CHECKS} checks of 8 measures, nothing changed: {alarms} alarms with margins of nothing; {real} at 0.5 pp"
    )
    assert alarms <= 0.05 * CHECKS
    assert real == 0


def beyond(finding: Finding) -> bool:
    """Return whether a share would have failed at the margin of a first baseline."""
    low, high = finding.low, finding.high
    return finding.claim.is_share and low is not None and high is not None and (low > 0.005 or high < -0.005)


# --- a planted shift ---


@pytest.fixture(scope="module")
def pool() -> tuple[np.ndarray, np.ndarray]:
    """Shares by seat in 300,000 deals of four planners, with three coins more for the first seat and without."""
    old = make_spec(4, ["planner"], seed=31)
    new = make_spec(4, ["planner"], ["starting_coins=[3, 0, 0, 0, 0]"], seed=31)
    sampler, parts = Sampler(new, old, SEATS), []
    assert sampler.old
    for first in range(0, 300_000, 10_000):
        deals = range(first, first + 10_000)
        columns = [side.position[estimand.family, estimand.member] for side in (sampler.new,) for estimand in SEATS]
        parts.append([side.play(deals, ())[0][:, columns] for side in (sampler.new, sampler.old)])
    now, then = (np.concatenate([part[side] for part in parts]) for side in (0, 1))
    return now, then


def planted(pool: tuple[np.ndarray, np.ndarray], shift: float, seed: int) -> Callable[..., object]:
    """Return what stands for a `Sampler`: deals of the pool, changed in as many as bring the first seat's shift."""
    now, then = pool
    most = float((now - then)[:, 0].mean())
    assert most > shift
    rng = np.random.default_rng(seed)

    class Resampled:
        gone: frozenset[int] = frozenset()

        def __init__(self, spec: Spec, before: Spec | None, estimands: Sequence[Estimand]) -> None:
            self.estimands = estimands

        def play(self, deals: range, cards: Sequence[str], tick: Callable[[int], None]) -> Sums:
            drawn = rng.integers(len(now), size=len(deals))
            changed = rng.random(len(deals)) < shift / most
            first = np.where(changed[:, None], now[drawn], then[drawn])
            sums, one = Sums.empty(len(self.estimands)), np.ones_like(first)
            sums.deals = len(deals)
            sums.shift.add(first, one, then[drawn], one)
            sums.moved = (first != then[drawn]).sum(axis=0)
            sums.plain = np.stack([first.sum(axis=0), (first**2).sum(axis=0)])
            return sums

    return Resampled


def verdicts(
    pool: tuple[np.ndarray, np.ndarray],
    monkeypatch: pytest.MonkeyPatch,
    shift: float,
    margin: float,
    method: str,
    most: int = 1_000_000,
    alpha: float = 0.05 / 82,
) -> Iterator[tuple[dict[Claim, Finding], int]]:
    """Yield the findings of 1,000 checks by the real loop, and the deals that each took."""
    spec = make_spec(4, ["planner"], games=most)
    claims = [
        Claim(4, estimand.member, "measure", True, estimand, Value(value=0.0, error=0.0), -margin, margin)
        for estimand in SEATS
    ]
    for number in range(CHECKS):
        monkeypatch.setattr(checking, "Sampler", planted(pool, shift, number))
        bench = StoppingRule(alpha, most // 4, most, method)
        findings, _, _ = checking._play(spec, spec, claims, bench, 10**9, lambda games: None)
        yield findings, max(finding.deals for finding in findings.values())


@pytest.mark.parametrize(("method", "margin"), [("interval", 0.005), ("gsprt", 0.01)])
def test_a_shift_of_one_point_in_one_seat_is_found(
    pool: tuple[np.ndarray, np.ndarray], monkeypatch: pytest.MonkeyPatch, method: str, margin: float
) -> None:
    """Exactly .0100 of the wins to the first seat, out of real paired deals."""
    found, took = 0, []
    for findings, deals in verdicts(pool, monkeypatch, 0.01, margin, method):
        found += next(finding for claim, finding in findings.items() if claim.name == "seat-1").verdict == "fail"
        took.append(deals)
    deals = f"{np.median(took):,.0f} deals at the median"
    print(f"\n{method}, margin {margin:.1%}: one point found in {found} of {CHECKS}, {deals}")
    assert found >= 0.99 * CHECKS


@pytest.mark.parametrize(("method", "shift"), [("interval", 0.005), ("gsprt", 0.0001)])
def test_what_is_allowed_is_not_alarmed_at(
    pool: tuple[np.ndarray, np.ndarray], monkeypatch: pytest.MonkeyPatch, method: str, shift: float
) -> None:
    """The first seat moved by just what is allowed; for the GSPRT, which makes no promise there, by next to nothing.

    As if the four seats were all that is guarded, which is harder than 82 measures; up to 50,000 deals.
    """
    alarms = 0
    for findings, _ in verdicts(pool, monkeypatch, shift, 0.005, method, 50_000, 0.05 / 4):
        alarms += next(finding for claim, finding in findings.items() if claim.name == "seat-1").verdict == "fail"
    print(f"\n{method}: moved by {shift:.2%} of 0.50% allowed: {alarms} alarms in {CHECKS}")
    assert alarms <= 0.05 * CHECKS


def test_whole_checks_find_a_coin_more_for_the_first_of_two(tmp_path: Path) -> None:
    """Which is worth one point: 200 whole checks with fresh seeds, two planners, margin half a point."""
    baseline = write(tmp_path / "default.toml", head(2, "planner", {"win_share_by_seat": "0.5pp"}))
    coin = Instead(settings=("starting_coins=[1, 0, 0, 0, 0]",))
    found, games, shifts = 0, [], []
    for seed in range(200):
        result = check(baseline, coin, seed=10**7 + seed)
        found += {finding.claim.name for finding in result.failed} == {
            finding.claim.name for finding in result.findings
        }
        games.append(result.games)
        shifts.append(result.findings[0].shift)
    print(
        f"\na coin more for the first of two: found in {found} of 200, {np.median(games):,.0f} games at the median, "
        f"mean shift {np.mean(shifts):.2%}"
    )
    assert found >= 0.99 * 200


# --- Events ---


def coins() -> list[str]:
    """Return a setting for every Event that moves coins: a coin more a symbol or Domain, two more a tile."""
    events = make_spec().rules.to_dict()["events"]
    found = []
    for name, event in events.items():
        for key, value in event.items():
            if key.startswith("coins_per") and value:
                inner = next(iter(value)) if isinstance(value, dict) else None
                more = f"{key}.{inner}={value[inner] + 2}" if inner else f"{key}={value + 1}"
                found.append(f"events.{name}.{more}")
    return found


@pytest.fixture(scope="module")
def with_events(tmp_path_factory: pytest.TempPathFactory) -> Baseline:
    return write(tmp_path_factory.mktemp("events") / "default.toml", head(4, "planner", {"card_score": 1.0}))


@pytest.mark.parametrize("setting", coins())
def test_changed_coins_of_one_event_are_found_and_named(with_events: Baseline, setting: str) -> None:
    found = check(with_events, Instead(settings=(setting,)))
    key, name = setting.partition("=")[0], setting.split(".")[1]
    failed = [finding.claim.name for finding in found.failed]
    print(f"\n{setting}: {', '.join(failed)}; {found.games:,} games; {' '.join(causes(found))}")
    assert f"card_score.{name}" in failed
    assert [(change.kind, [item.key for item in change.details]) for change in found.changes] == [("rules", [key])]


# --- the code ---

ROOT = Path(__file__).resolve().parents[2]


class Renamed(ast.NodeTransformer):
    """Gives every local variable of a function another name."""

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.FunctionDef:
        taken = {argument.arg for argument in ast.walk(node.args) if isinstance(argument, ast.arg)}
        names = {
            name.id
            for name in ast.walk(node)
            if isinstance(name, ast.Name) and isinstance(name.ctx, ast.Store) and not hasattr(builtins, name.id)
        }
        for inner in ast.walk(node):
            if isinstance(inner, ast.Name) and inner.id in names - taken:
                inner.id = f"other_{inner.id}"
        return node


def refactor(folder: Path) -> int:
    """Rename all local variables and drop all comments of some kernels; return how many names changed."""
    changed = 0
    for path in sorted(folder.glob("simcore/games/middle_ages/*.py")):
        source = path.read_text(encoding="utf-8")
        if "from simcore.kernel.compilation import" in source:
            path.write_text(ast.unparse(Renamed().visit(ast.parse(source))), encoding="utf-8")
            changed += path.read_text(encoding="utf-8").count("other_")
    return changed


def elsewhere(tmp_path: Path) -> Path:
    """Copy the product."""
    for room in ("simcore", "strategies", "analysis", "reports", "equipoise", "configs"):
        shutil.copytree(ROOT / room, tmp_path / room, ignore=shutil.ignore_patterns("__pycache__", "baselines"))
    return tmp_path


def checked_in(folder: Path, baseline: Path) -> subprocess.CompletedProcess[str]:
    environment = os.environ | {"PYTHONPATH": str(folder), "EQUIPOISE_CACHE_DIR": str(folder / ".cache")}
    return subprocess.run(
        [sys.executable, "-m", "equipoise", "check", str(baseline), "--games", "2000"],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        timeout=900,
        check=False,
    )


def test_a_refactoring_of_kernels_leaves_digests_equal(tmp_path: Path) -> None:
    baseline = write(tmp_path / "default.toml", head(4, "planner", {"score": 1.0}, games=2_000))
    folder = elsewhere(tmp_path / "copy")
    names = refactor(folder)
    done = checked_in(folder, baseline.path)
    print(f"\n{names} places renamed: {done.stdout}")
    assert names > 100
    assert done.returncode == 0, done
    assert "PASS: the game plays as it did." in done.stdout


def test_another_kernel_is_reported_as_code(tmp_path: Path) -> None:
    """Mills rob one coin less than the rules say."""
    baseline = write(tmp_path / "default.toml", head(4, "greedy", {"score": 1.0}, games=2_000))
    folder = elsewhere(tmp_path / "copy")
    path = folder / "simcore/games/middle_ages/kernel.py"
    text = path.read_text(encoding="utf-8")
    assert text.count("rules.mill_coins") == 1
    path.write_text(text.replace("rules.mill_coins", "(rules.mill_coins - 1)"), encoding="utf-8")
    done = checked_in(folder, baseline.path)
    print(f"\n{done.stdout}")
    assert "The code plays differently with the rules and strategies as they were." in done.stdout


# --- strategies ---


def test_every_changed_weight_is_a_change_of_strategy(tmp_path: Path) -> None:
    """Each weight of the planner in turn, by a hundredth: named, and no change of rules."""
    baseline = write(tmp_path / "default.toml", head(2, "planner", {"score": 1.0}, games=2_000))
    from simcore.game import load_game
    from strategies.library import load_strategy

    planner = load_strategy(load_game("middle-ages"), "planner")
    weights = {name: weight for name, weight in planner.weights.items() if weight}
    for name, weight in weights.items():
        own = tmp_path / "planner.toml"
        changed = replace(planner, weights={**planner.weights, name: weight * 1.01})
        own.write_text(changed.to_toml(), encoding="utf-8")
        found = check(baseline, Instead(strategies=(str(own),)), games=2_000)
        said = [*found.changes, *found.unmoved]
        assert [change.kind for change in said] == ["strategies"]
        assert [detail.key for detail in said[0].details] == [f"planner.weights.{name}"]
    print(f"\n{len(weights)} weights changed in turn: each reported as a change of strategy")
