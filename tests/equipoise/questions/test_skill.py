"""`equipoise skill`: what it prints, what it writes, and what it refuses."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

import equipoise as eq
from tests.brief import leave_out_pictures
from tests.equipoise.conftest import Cli
from tests.toy import TOY

LINE = ("skill", "--players", "2", "--games", "200", "--searched", "4")


def test_the_page_says_where_each_level_stands_in_both_languages(
    cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    leave_out_pictures(monkeypatch.setattr)
    out = tmp_path / "page"
    said = cli(*LINE, "--out", out, "--format", "html,md,json,parquet", "--lang", "fr")
    assert said.code == 0, said
    assert all(len(line) <= 80 for line in said.out.splitlines() if str(tmp_path) not in line)
    page = (out / "skill.html").read_text(encoding="utf-8")
    for name in (
        "joueurs occasionnels",
        "joueurs de club",
        "experts, 20 % d'erreurs",
        "joueurs pressés qui anticipent",
        "seul parmi des experts",
    ):
        assert name in page or name.replace("'", "&#x27;") in page or name.replace("'", "&#39;") in page, name
    assert "nan" not in " ".join((out / "skill.md").read_text(encoding="utf-8").split()).split()
    found = json.loads((out / "skill.json").read_text(encoding="utf-8"))["results"][0]
    assert found["table"][0]["skill"] == "family" and len(found["table"]) == 7
    same = eq.skill(players=2, games=200, searched=4)
    assert same.table["strength"].to_list() == [row["strength"] for row in found["table"]]
    assert "players who look ahead in a hurry" in json.dumps(same.report().tables[0].rows, default=vars)


def test_one_section_for_each_number_of_players_and_other_rules(cli: Cli) -> None:
    found = eq.skill(players=[2, 3], games=60, searched=3, settings="effects.mill_coins=3", blunders=[0.5])
    assert [result.inputs[0].players for result in found.results] == [2, 3]
    assert [section.name for section in found.report().sections] == ["players-2", "players-3", "method"]
    assert "erring 50" in found.results[0].levels and "erring 20" not in found.results[0].levels


def test_a_game_with_roles_and_experts_alone(cli: Cli) -> None:
    said = cli("skill", "--game", TOY, "--players", "3", "--games", "300", "--format", "none")
    assert said.code == 0, said
    assert "One player among experts wins" in " ".join(said.out.split()).replace("one player", "One player")


def test_threads_change_nothing() -> None:
    one, two = (eq.skill(players=2, games=60, searched=2, threads=threads) for threads in (1, 2))
    assert one.table.equals(two.table)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--blunders", "many"), "--blunders: 'many' is not a number; give a share such as 0.05 or 5%"),
        (("--blunders", "120%"), "--blunders: 120% is out of range; give a share such as 0.05 or 5%"),
        (("--blunders", "0"), "--blunders: 0 is out of range"),
        (("--blunders", "nan"), "--blunders: 'nan' is not a number"),
        (("--searched", "x"), "--searched: 'x' is not a number"),
        (("--margin", "many"), "is not a margin"),
        (("--rules", "missing"), "no rules 'missing'"),
        (("--game", "chess"), "chess"),
    ],
)
def test_bad_input(refused: Callable[..., str], arguments: tuple[str, ...], said: str) -> None:
    assert said in refused("skill", *arguments)
