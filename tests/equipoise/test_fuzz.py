"""Random damages of rules, strategies, baselines, manifests and options: accepted, or refused in one line.

`EQUIPOISE_FUZZ=2000 pytest tests/equipoise/test_fuzz.py` tries as many of each kind; only ordinary users may do so.
"""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import equipoise as eq
from analysis.check.baseline import read_baseline
from analysis.check.setup import as_measured, current
from equipoise.cli import app, run
from simcore.errors import UsageError
from simcore.game import load_game
from simcore.rules.files import load_rules
from strategies.library import load_strategy

USUAL = 30
EXAMPLES = int(os.environ.get("EQUIPOISE_FUZZ", USUAL))
ROOT = Path(__file__).resolve().parents[2]
CONFIGS = ROOT / "configs/middle-ages"
GAME = load_game("middle-ages")
VALUES = [
    "0", "-1", "1e999", "nan", "inf", "9" * 400, "true", '""', "[]", "{}", "[[]]", '"' + "x" * 5_000 + '"',
    '"../../x"', '"/dev/null"',
    '"evil.py:x"', '"os:system"', '"\\u0000"', '"\\u001b[31m"', '"é\\u202e"', "2024-01-01", "0x7fffffff",
    "1" + "_0" * 30, "'''", "\\",
]  # fmt: skip

Damage = tuple[str, float, str]
damages = st.lists(
    st.tuples(st.sampled_from(["value", "cut", "line", "insert", "drop"]), st.floats(0, 1), st.sampled_from(VALUES)),
    min_size=1,
    max_size=4,
)
fuzzed = settings(
    max_examples=EXAMPLES,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)


@pytest.fixture(autouse=True)
def _scratch(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Work in a folder of its own; refuse to try many as the machine's administrator."""
    if EXAMPLES > USUAL and hasattr(os, "geteuid") and os.geteuid() == 0:
        pytest.fail("EQUIPOISE_FUZZ: run many examples as an ordinary user, not as root")
    monkeypatch.chdir(tmp_path)
    (tmp_path / "evil.py").write_text("open('PWNED', 'w')\n")


def damaged(text: str, changes: list[Damage]) -> str:
    """Return a text with values replaced, cut, and lines doubled, inserted and dropped."""
    for kind, where, value in changes:
        lines = text.splitlines(keepends=True) or ["\n"]
        at = min(int(where * len(lines)), len(lines) - 1)
        if kind == "value":
            found = re.match(r"(.*?[=:]\s*).*?(,?\n?)$", lines[at])
            lines[at] = f"{found[1]}{value}{found[2]}" if found else value
        elif kind == "line":
            lines.insert(at, lines[at])
        elif kind == "insert":
            lines.insert(at, f"surprise = {value}\n")
        elif kind == "drop":
            del lines[at]
        text = text[: int(where * len(text))] if kind == "cut" else "".join(lines)
    return text


def accepted_or_refused(use: Callable[[], object]) -> None:
    """Use something damaged: it works, or a `UsageError` of one short line says why not; and no code was run."""
    try:
        use()
    except UsageError as error:
        assert "\n" not in str(error)
        assert len(str(error)) < 2_000
    assert not Path("PWNED").exists(), "code was run"


@fuzzed
@given(changes=damages)
def test_rules(changes: list[Damage]) -> None:
    Path("mine.toml").write_text(
        damaged((CONFIGS / "base.toml").read_text(encoding="utf-8"), changes), encoding="utf-8"
    )
    accepted_or_refused(lambda: load_rules(GAME, Path("mine.toml")))


@fuzzed
@given(changes=damages, name=st.sampled_from(["champion", "rollout", "greedy"]))
def test_strategies(changes: list[Damage], name: str) -> None:
    text = (CONFIGS / f"strategies/{name}.toml").read_text(encoding="utf-8")
    Path("mine.toml").write_text(damaged(text, changes), encoding="utf-8")
    accepted_or_refused(lambda: load_strategy(GAME, Path("mine.toml")))


@fuzzed
@given(changes=damages, copy=st.booleans())
def test_baselines(changes: list[Damage], copy: bool) -> None:
    shutil.rmtree("default", ignore_errors=True)
    shutil.copytree(CONFIGS / "baselines/default", "default")
    shutil.copy(CONFIGS / "baselines/default.toml", "default.toml")
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


OPTIONS = [
    "--games",
    "--players",
    "--strategies",
    "--rules",
    "--set",
    "--seed",
    "--design",
    "--threads",
    "--detail",
    "--format",
]


@fuzzed
@given(option=st.sampled_from(OPTIONS), value=st.one_of(st.sampled_from(VALUES), st.text(max_size=30)))
def test_options(option: str, value: str) -> None:
    if option == "--games" and value.strip("'\"").isdigit() and int(value[:10]) > 1_000:
        return  # so many games may be played
    usual = {"--games": "10", "--strategies": "random", "--format": "none"}
    given_ = [part for pair in (usual | {option: value}).items() for part in pair]
    more = ["--out", "made", "--force"] if option == "--format" else []
    assert run(app, ["simulate", "--quiet", *given_, *more]) in (0, 2)
    assert not Path("PWNED").exists() or "evil.py" in value
    Path("PWNED").unlink(missing_ok=True)
