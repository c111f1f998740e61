"""`equipoise restrict`: its files, its answers in each form, and bad input."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import polars as pl
import pytest

import analysis.restricted_play
from equipoise.api.tournament import seated
from simcore.game import load_game
from strategies.restrictions import Restriction
from strategies.skill import players_of
from tests.equipoise.conftest import Cli
from tests.toy import TOY

FEW = ("--strategy", "planner", "--forbid", "rampart,scout,foresight:alliance", "--games", "400")


def test_files_and_costs(cli: Cli, tmp_path: Path) -> None:
    out = tmp_path / "cost"
    said = cli("restrict", *FEW, "--out", out, "--format", "html,md,csv,json,parquet", "--no-open")
    assert said.code == 0, said.err
    told = " ".join(said.out.split())
    assert "against 3 × planner" in told and "wins with nothing forbidden: 25.0%" in told
    costs = [line for line in said.out.splitlines() if " pts" in line]
    assert len(costs) == 3 and costs[0].startswith("choosing Rampart")
    assert all(len(line) <= 80 for line in said.out.splitlines() if str(out) not in line)
    page = (out / "restrict.html").read_text(encoding="utf-8")
    assert page.count("<figure") == 3  # one a kind of restriction
    assert "the Scout" in page
    (found,) = json.loads((out / "restrict.json").read_text(encoding="utf-8"))["results"]
    assert found["games"] == 1600
    assert pl.read_parquet(out / "restrict.parquet")["restriction"].to_list() == [
        row["restriction"] for row in found["table"]
    ]


def test_french_page_without_files_beside(cli: Cli, tmp_path: Path) -> None:
    said = cli("restrict", *FEW, "--out", tmp_path, "--format", "html", "--lang", "fr", "--json")
    assert said.code == 0, said.err
    assert [path.name for path in tmp_path.iterdir()] == ["restrict.html"]
    page = (tmp_path / "restrict.html").read_text(encoding="utf-8")
    assert "l&#39;Éclaireur" in page or "l'Éclaireur" in page
    assert len(json.loads(said.out)["results"][0]["table"]) == 3


def test_a_skill_says_who_plays(cli: Cli) -> None:
    few = ("--forbid", "rampart", "--games", "40", "--format", "none")
    said = cli("restrict", "--skill", "family", *few)
    assert said.out.startswith("Middle-Ages: what greedy can do without\n") and "3 ×\ngreedy\n" in said.out, said.err
    said = cli("restrict", "--skill", "family", "--strategy", "planner", *few)
    assert said.out.startswith("Middle-Ages: what planner can do without\n") and "3 ×\ngreedy\n" in said.out


def test_a_skill_says_who_plays_each_role() -> None:
    _, role, table = seated(load_game("seigneurial"), "tenant=payer", (), "club")
    assert role.name == "tenant"
    assert {one: player.name for one, player in table.items()} == players_of("seigneurial", "club")


def test_a_skill_beside_other_players_is_refused(cli: Cli) -> None:
    said = cli("restrict", "--skill", "family", "--against", "planner")
    assert said.code == 2
    assert "--skill: says who plays, and so does 'against'; leave out one of the two" in said.err
    said = cli("restrict", "--skill", "clubb")
    assert said.code == 2
    assert "--skill: no skill 'clubb'; did you mean 'club'" in said.err


def test_list(cli: Cli) -> None:
    said = cli("restrict", "--list")
    assert said.code == 0
    names = said.out.split()
    assert {"mill", "scout", "robbery", "foresight", "foresight:earthquake"} <= set(names)
    assert len(names) == 29


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--forbid", "mil"], "--forbid: nothing called 'mil' can be forbidden; did you mean 'mill'?"),
        (["--forbid", "foresight:aliance"], "did you mean 'foresight:alliance'?"),
        (["--forbid", ""], "--forbid: nothing called '' can be forbidden; known: "),
        (["--forbid", "mill,mill"], "--forbid: 'mill' is given twice; name each one once"),
        (
            ["--strategy", "plannr"],
            "--strategy: 'plannr' is not a shipped name, .toml file or module:attribute; did you",
        ),
        (["--against", "plannr"], "--against: 'plannr' is not a shipped name"),
        (["--against", "nowhere.toml"], "nowhere.toml: no such file"),
        (["--games", "3"], "--games: 3 games are fewer than one deal, which takes 4; give more"),
        (["--format", "none", "--out", "x"], "--format: 'none' writes nothing"),
        (["--out", "/proc/cost", "--games", "4e9"], "--out: /proc/cost/restrict.html cannot be written"),
        (["--out", "cost.html"], "names a file; name a folder for restrict.html and the other files"),
    ],
)
def test_bad_input(refused: Callable[..., str], arguments: list[str], says: str) -> None:
    assert says in refused("restrict", *arguments)


def test_existing_files_are_not_replaced(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "restrict.json").write_text("mine", encoding="utf-8")
    said = cli("restrict", *FEW, "--out", tmp_path)
    assert said.code == 2
    assert "restrict.json exists; name another file, or replace it with --force" in said.err
    assert (tmp_path / "restrict.json").read_text(encoding="utf-8") == "mine"


def test_interrupted_leaves_nothing(cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def stopped(*arguments: object, **named: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(analysis.restricted_play, "resumable", stopped)
    said = cli("restrict", *FEW, "--out", tmp_path / "cost")
    assert said.code == 130
    assert said.err == "interrupted: what was played is kept; run the same command again to continue\n"
    assert list(tmp_path.iterdir()) == []


@pytest.fixture
def forbidding(monkeypatch: pytest.MonkeyPatch) -> None:
    """Siege, whose players may be forbidden to weigh what they give."""
    import siege.strategies

    unheeded = [Restriction("heed", "unseen", "heed", 1, ("cards",))]
    monkeypatch.setattr(siege.strategies, "KIT", replace(siege.strategies.KIT, restrictions=lambda rules: unheeded))


@pytest.mark.usefixtures("forbidding")
def test_a_player_of_one_role_is_forbidden_something_and_its_cost_told_against_par(cli: Cli, tmp_path: Path) -> None:
    words = ("restrict", "--game", TOY, "--games", "300", "--out", tmp_path / "costs", "--format", "html,json")
    said = cli(*words, "--strategy", "steward", "--against", "warlord=bully,burgher=giver")
    assert said.code == 0, said
    told = " ".join(said.out.split())
    assert "warlord=bully, burgher=giver" in told and "par of a seat of the role Burgher: 16.7%" in told
    assert "score" not in told
    (found,) = json.loads((tmp_path / "costs/restrict.json").read_text(encoding="utf-8"))["results"]
    assert (found["games"], found["deals"]) == (600, 100)
    (row,) = found["table"]
    assert row["cost_of_par"] == pytest.approx(6 * row["cost"])
    assert "Burgher" in (tmp_path / "costs/restrict.html").read_text(encoding="utf-8")


@pytest.mark.usefixtures("forbidding")
@pytest.mark.parametrize(
    ("words", "told"),
    [
        ((), "--strategy: Siege has several roles; write warlord=NAME or burgher=NAME"),
        (("--strategy", "random"), "--strategy: 'random' can play every role; write warlord=random or burgher=random"),
        (("--strategy", "lord=bully"), "--strategy: Siege has no role 'lord'"),
        (("--strategy", "bully", "--against", "burgher=giver,burgher=warden"), "2 given for the role 'burgher'"),
        (("--strategy", "warlord=giver"), "--strategy: 'giver' plays the role 'burgher', not 'warlord'"),
    ],
)
def test_a_role_that_cannot_be_is_told_in_one_line(cli: Cli, words: tuple[str, ...], told: str) -> None:
    said = cli("restrict", "--game", TOY, "--games", "30", "--format", "none", *words)
    assert said.code == 2
    assert told in said.err and said.err.count("\n") == 1


@pytest.mark.parametrize(
    "other", [("--against", "pettingzoo:os"), ("--skill", "+3"), ("--format", "x"), ("--games", "4")]
)
def test_a_list_takes_only_what_it_depends_on(cli: Cli, other: tuple[str, str]) -> None:
    said = cli("restrict", "--list", *other)
    assert (said.code, said.out) == (2, "")
    assert said.err == f"error: {other[0]}: the list does not depend on this option; leave it out\n"
