"""What a newcomer can look up: games, strategies, rule sets and their keys, in tables, JSON, help and completion."""

from __future__ import annotations

import json
import re

import pytest
from typer.testing import CliRunner

from equipoise.api.listing import describe_game, describe_strategies
from equipoise.cli import app, simulate_app
from equipoise.commands.listing import first_sentence
from equipoise.options import TOPICS
from simcore.game import load_game
from simcore.homes import known_games
from simcore.rules.files import shipped_rules
from strategies.library import shipped_strategies
from tests.equipoise.conftest import Cli


def test_games_lists_every_game_with_what_ships(cli: Cli) -> None:
    said = cli("games", "--json")
    found = {entry["name"]: entry for entry in json.loads(said.out)}
    assert list(found) == list(known_games())
    for name, entry in found.items():
        game = load_game(name)
        assert entry == describe_game(game)
        assert (entry["title"], entry["players"]) == (game.title, list(game.players))
        assert entry["rules"] == shipped_rules(game)
        assert entry["strategies"] == shipped_strategies(game)
    assert [role["name"] for role in found["siege"]["roles"]] == ["warlord", "burgher"]
    table = cli("games").out
    assert all(name in table and found[name]["title"] in table for name in found)
    assert "warlord, burgher" in " ".join(table.split())
    assert "1 rule set," in table and "1 rule sets" not in table


@pytest.mark.parametrize("name", ["middle-ages", "medievallons", "siege"])
def test_strategies_lists_every_strategy_of_a_game(name: str, cli: Cli) -> None:
    game = load_game(name)
    entries = json.loads(cli("strategies", "--game", name, "--json").out)
    assert entries == describe_strategies(game)
    assert [entry["name"] for entry in entries] == shipped_strategies(game)
    assert all(entry["title"] and entry["policy"] for entry in entries)
    table = cli("strategies", "--game", name).out
    assert all(re.search(rf"^{entry['name']}\b", table, re.MULTILINE) for entry in entries)
    assert max(map(len, table.splitlines())) <= 80
    assert ("role" in table.splitlines()[0]) == game.asymmetric
    defaults = {entry["name"] for entry in entries if entry["default"]}
    assert defaults == set(re.findall(r"^(\w+)\*", table, re.MULTILINE))
    assert defaults


def test_a_style_is_the_first_sentence() -> None:
    assert first_sentence("Collects Mills, e.g. two. Then stops.") == "Collects Mills, e.g. two."
    assert first_sentence("") == ""


def test_rules_list_names_what_each_set_changes(cli: Cli) -> None:
    entries = json.loads(cli("rules", "list", "--json").out)
    assert [entry["name"] for entry in entries] == shipped_rules(load_game("middle-ages"))
    changes = {entry["name"]: entry["changes"] for entry in entries}
    assert changes["base"] == []
    assert changes["gentler-barracks"] == ["effects.barracks_buries"]
    assert "Barracks take coins only" in cli("rules", "list").out


def test_rules_keys_says_what_each_key_takes(cli: Cli) -> None:
    found = {entry["key"]: entry for entry in json.loads(cli("rules", "keys", "--json").out)}
    assert found["effects.mill_coins"] == {
        "key": "effects.mill_coins",
        "value": 2,
        "takes": "0 to 1,000",
        "switch": False,
        "choices": [],
        "meaning": "",
        "sensible": [0, 6],
    }
    assert found["shortfall"]["meaning"].startswith("a player who owes more coins")
    assert found["shortfall"]["takes"] == "pay_available or debt"
    assert found["shortfall"]["switch"]
    assert cli("rules", "keys", "effects.mill_coins").out.split()[-7:] == ["2", "0", "to", "1,000", "0", "to", "6"]
    said = cli("rules", "keys", "efects")
    assert said.code == 2
    assert "did you mean 'effects'?" in said.err


def complete(words: str, *, launcher: str = "equipoise") -> list[str]:
    environment = {
        f"_{launcher.upper()}_COMPLETE": "complete_bash",
        "COMP_WORDS": words,
        "COMP_CWORD": str(len(words.split(" ")) - 1),
    }
    command = simulate_app if launcher == "simulate" else app
    return CliRunner().invoke(command, env=environment, prog_name=launcher).stdout.split()


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("equipoise simulate --set effects.mill", ["effects.mill_coins="]),
        ("equipoise check --set effects.mill", ["effects.mill_coins="]),
        ("equipoise rules show --set shortf", ["shortfall="]),
        ("equipoise simulate --game medievallons --set deck_e", ["deck_end="]),
        ("equipoise rules diff gentl", ["gentler-barracks"]),
        ("equipoise games --js", ["--json"]),
    ],
)
def test_the_shell_completes(words: str, expected: list[str]) -> None:
    assert complete(words) == expected


def test_the_shell_completes_keys_for_simulate() -> None:
    assert complete("simulate --set effects.mill", launcher="simulate") == ["effects.mill_coins="]


@pytest.mark.parametrize("launcher", ["simulate", "equipoise simulate"])
def test_help_groups_options_and_breaks_no_word(launcher: str, cli: Cli) -> None:
    """At 80 columns nothing is cut, and every word of the help texts stands in one piece."""
    words = launcher.split()
    command = simulate_app if words == ["simulate"] else app
    text = CliRunner().invoke(command, [*words[1:], "--help"], env={"COLUMNS": "80", "NO_COLOR": "1"}).stdout
    assert "…" not in text
    assert max(map(len, text.splitlines())) <= 80
    titles = re.findall(r"╭─ (.+?) ─+╮", text)
    assert titles == list(TOPICS)
    assert not re.search(r"│ +(e|l)?>  ", text)
    assert "parquet, csv, both or none" in " ".join(text.replace("│", " ").split())
