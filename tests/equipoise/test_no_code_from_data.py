"""Data never runs code: not a baseline, not a strategy's file, not a run's manifest, by any road."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

import equipoise as eq
from simcore.errors import UsageError
from simcore.game import load_game
from simcore.imports import module_sources
from strategies.library import Code, load_strategy, strategy_from_dict
from tests.equipoise.conftest import Cli
from tests.manifests import edit, manifest_of
from tests.nim import forget_files

GAME = load_game("middle-ages")
EVIL = """
from pathlib import Path

from strategies.custom import policy

Path(__file__).with_name("PWNED").touch()


@policy("middle-ages", name="x")
def x(rules, lineup, state, seat):
    legal = state.legal
    move = 0
    while not legal & 1:
        legal >>= 1
        move += 1
    return move
"""
SEARCH = """format = "equipoise-strategy/1"
game = "middle-ages"
name = "NAME"
title = "Mine"
policy = "rollout"

[search]
rollouts = 2
rounds = 1
"""
BASELINE = Path(__file__).resolve().parents[2] / "configs/middle-ages/baselines/default.toml"


@pytest.fixture
def evil(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A module that leaves a trace where it is imported; the folder is the current one."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "evil.py").write_text(EVIL)
    return tmp_path


def check_clean(folder: Path) -> None:
    assert not list(folder.rglob("PWNED")), "code was run"


def search(name: str, base: str) -> str:
    return SEARCH.replace("NAME", name).replace("[search]\n", f"[search]\nbase = {base}\n")


TABLE = '{ name = "x", policy = "evil.py:x", source_sha256 = "SHA" }'.replace("SHA", "0" * 64)
BASES = ['"evil.py:x"', '"evil:x"', '"deep.toml"', TABLE]


@pytest.mark.parametrize("base", BASES)
@pytest.mark.parametrize("frozen", [True, False])
def test_check_runs_no_code_that_a_baseline_leads_to(cli: Cli, evil: Path, base: str, frozen: bool) -> None:
    """By a strategy's file that it names, by the copies in its folder, and by bases of these."""
    copy = evil / "default.toml"
    text = BASELINE.read_text(encoding="utf-8")
    shutil.copytree(BASELINE.with_suffix(""), copy.with_suffix(""))
    place = copy.with_suffix("") / "strategy-champion.toml" if frozen else evil / "mine.toml"
    place.write_text(search("champion", base))
    (place.parent / "deep.toml").write_text(search("deep", '"evil.py:x"'))
    copy.write_text(text if frozen else text.replace("[margins]", 'strategies = ["mine.toml"]\n\n[margins]', 1))
    said = cli("check", copy)
    check_clean(evil)
    if frozen and base == '"deep.toml"':  # a base may not search: the copy counts as one of another version
        assert "PASS" in said.out
    else:
        assert (said.code, said.out) == (2, "")
        assert "is code, which is not run because a file names it" in said.err or "looks ahead itself" in said.err


@pytest.mark.parametrize("base", BASES)
def test_a_strategys_file_leads_to_no_code(evil: Path, base: str) -> None:
    (evil / "mine.toml").write_text(search("mine", base))
    (evil / "deep.toml").write_text(search("deep", '"evil.py:x"'))
    for code in (Code.NEVER, Code.NAMED):
        with pytest.raises(UsageError, match=r"is code, which is not run|looks ahead itself"):
            load_strategy(GAME, evil / "mine.toml", code=code)
    check_clean(evil)


@pytest.mark.parametrize("named", ["evil.py:x", "evil:x", "mine.toml", "random,evil.py:x"])
def test_the_file_of_an_experiment_leads_to_no_code(cli: Cli, evil: Path, named: str) -> None:
    (evil / "mine.toml").write_text(search("mine", '"evil.py:x"'))
    text = f'players = [2]\ngames = 8\nstrategies = ["{named}"]\n\n[set]\n"effects.mill_coins" = [1]\n'
    (evil / "sweep.toml").write_text(text)
    said = cli("sweep", "sweep.toml", "--out", "out", "--no-open")
    assert (said.code, said.out) == (2, "")
    assert "sweep.toml: " in said.err
    assert "is code, which is not run because a file names it" in said.err
    check_clean(evil)


@pytest.mark.parametrize("game", ["./evil.py", "openspiel:pig", "pettingzoo:evil"])
def test_no_file_names_a_game_that_would_be_run(cli: Cli, evil: Path, game: str) -> None:
    """Neither a baseline, nor the file of an experiment, nor a file of rules."""
    text = BASELINE.read_text(encoding="utf-8")
    (evil / "baseline.toml").write_text(text.replace('game = "middle-ages"', f'game = "{game}"', 1))
    (evil / "sweep.toml").write_text(f'game = "{game}"\nplayers = [2]\ngames = 8\n\n[set]\n"heaps" = [1]\n')
    rules = f'format = "equipoise-rules/1"\ngame = "{game}"\nname = "x"\ntitle = "x"\nextends = "base"\n'
    (evil / "rules.toml").write_text(rules)
    for command, said in (
        (("check", "baseline.toml"), f"baseline.toml: game: no game '{game}'"),
        (("sweep", "sweep.toml", "--no-open"), f"sweep.toml: game: no game '{game}'"),
        (("simulate", "--rules", "rules.toml", "--games", 8), "rules.toml: game: must be 'middle-ages'"),
    ):
        found = cli(*command)
        assert (found.code, found.out) == (2, "")
        assert said in found.err
    check_clean(evil)


def test_code_that_a_file_names_runs_where_the_user_says_so(cli: Cli, evil: Path) -> None:
    (evil / "mine.toml").write_text(search("mine", '"evil.py:x"'))
    asked = ("simulate", "--games", 8, "--strategies", "mine.toml", "--format", "none", "--json")
    said = cli(*asked)
    assert said.code == 2
    assert "--trust" in said.err
    check_clean(evil)
    assert cli(*asked, "--trust").code == 0
    assert (evil / "PWNED").exists()


@pytest.fixture
def stranger(cli: Cli, evil: Path) -> Path:
    """A run that somebody else's code played, and whose code was exchanged since."""
    played = ("--games", 400, "--players", 2, "--strategies", "evil.py:x,random", "--detail", "full")
    said = cli("simulate", *played, "--out", "run")
    assert said.code == 0, said.err
    (evil / "PWNED").unlink()
    forget_files()
    return evil / "run"


def test_readers_import_nothing_that_a_manifest_names(cli: Cli, stranger: Path, evil: Path) -> None:
    run = eq.load(stranger)
    assert run.polars().collect()["strategy"].unique().sort().to_list() == ["x", "random"]
    assert cli("export", stranger, "--out", "x.csv").code == 0
    assert cli("report", stranger, "--out", "page.html", "--no-open", "--deals", 40, "--quick").code == 0
    check_clean(evil)
    for said in (cli("replay", stranger), cli("verify", stranger)):
        assert (said.code, said.out) == (2, "")
        assert "'evil.py:x' played in this run; it is Python code" in said.err
        assert "--trust" in said.err
    with pytest.raises(UsageError, match="the option 'trust'"):
        print(run.spec)
    check_clean(evil)


def test_a_hash_is_compared_before_code_runs(cli: Cli, stranger: Path, evil: Path) -> None:
    (evil / "evil.py").write_text(EVIL + "# and something else\n")
    for command in ("replay", "verify"):
        said = cli(command, stranger, "--trust")
        assert said.code == 2
        assert (
            "'evil.py:x': is not the file that the games were played with (its SHA-256 differs), so it was not run"
            in said.err
        )
        check_clean(evil)
    (evil / "evil.py").write_text(EVIL)
    assert cli("verify", stranger, "--trust").code == 0
    assert cli("replay", stranger, "--trust").code == 0
    assert (evil / "PWNED").exists()


@pytest.mark.parametrize("policy", ["evil.py:x", "evil:x", "pack.evil:x", "pack.evil:no", ":x", "..:x", "/dev/null:x"])
def test_a_manifest_with_any_reference_is_read_without_it(evil: Path, stranger: Path, policy: str) -> None:
    (evil / "pack").mkdir()
    (evil / "pack/__init__.py").write_text(EVIL)
    (evil / "pack/evil.py").write_text(EVIL)
    tables = [dict(table) for table in manifest_of(stranger)["strategy_tables"]]
    tables[0] |= {"policy": policy, "source_sha256": "0" * 64}
    edit(stranger, strategy_tables=tables)
    assert eq.load(stranger).polars().collect().height == 800
    for trust in (False, True):
        with pytest.raises(UsageError):
            print(eq.load(stranger, trust=trust).spec)
        check_clean(evil)


def test_the_file_of_a_module_is_found_without_importing_its_package(evil: Path) -> None:
    (evil / "pack").mkdir()
    (evil / "pack/__init__.py").write_text("raise SystemError(3)")
    (evil / "pack/mine.py").write_text(EVIL)
    found = module_sources("pack.mine")
    assert found is not None and {*found.modules} == {"pack/__init__.py"}
    table: dict[str, Any] = {"name": "x", "policy": "pack.mine:x", "modules": found.modules}
    with pytest.raises(UsageError, match="is not the file that the games were played with"):
        strategy_from_dict(GAME, table | {"source_sha256": "0" * 64}, Code.TRUSTED)
    with pytest.raises(UsageError, match=r"<module> raised SystemError: 3 \(__init__.py, line 1\)"):
        strategy_from_dict(GAME, table | {"source_sha256": found.sha256}, Code.TRUSTED)
    check_clean(evil)


def test_what_is_sealed_cannot_be_played(stranger: Path) -> None:
    from simcore.errors import KernelFault
    from simcore.running.batch import run_chunk

    with pytest.raises(KernelFault):
        run_chunk(eq.load(stranger).described, 0, 10)


def test_two_strangers_are_two_strategies(stranger: Path) -> None:
    tables = manifest_of(stranger)["strategy_tables"]
    other = [dict(tables[0]) | {"source_sha256": "1" * 64}, tables[1]]
    first = eq.load(stranger).described
    edit(stranger, strategy_tables=json.loads(json.dumps(other)))
    assert eq.load(stranger).described.lineup_record.tobytes() != first.lineup_record.tobytes()
