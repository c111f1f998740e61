"""`equipoise rules show`, `validate` and `diff`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from analysis.data.player_notes import player_notes
from equipoise.commands.listing import app
from reports.study.study import words_of
from reports.words import Words
from simcore.errors import UsageError
from simcore.game import load_game
from simcore.rules.files import load_rules
from strategies.spec import make_spec

BASE = load_rules(load_game("middle-ages"))


def run(*arguments: str) -> Result:
    return CliRunner().invoke(app, arguments, env={"COLUMNS": "100", "NO_COLOR": "1"})


def refused(*arguments: str) -> tuple[str, Result]:
    result = run(*arguments)
    assert isinstance(result.exception, UsageError), result.output
    return result.exception.on_command_line(()), result


def test_show_prints_a_file_that_loads_to_the_same_rules(tmp_path: Path) -> None:
    result = run("show", "gentler-barracks", "--set", "shortfall=debt")
    assert result.exit_code == 0
    file = tmp_path / "full.toml"
    file.write_text(result.stdout, encoding="utf-8")
    expected = load_rules(load_game("middle-ages"), "gentler-barracks", ["shortfall=debt"])
    assert load_rules(load_game("middle-ages"), file).digest == expected.digest
    assert f"# digest {expected.digest}" in result.stdout


def test_show_prints_json() -> None:
    assert json.loads(run("show", "--json").stdout) == BASE.to_dict()


@pytest.mark.parametrize(
    ("key", "toml", "value"),
    [
        ("effects.mill_coins", "[effects]\nmill_coins = 2\n", 2),
        ("shortfall", 'shortfall = "pay_available"\n', "pay_available"),
        ("domains.market.counts", '[domains.market]\ncounts = ["mill", "market"]\n', ["mill", "market"]),
        ("stacks", "[stacks]\norange_from_players = 4\n", {"orange_from_players": 4}),
    ],
)
def test_show_prints_one_key(key: str, toml: str, value: object) -> None:
    assert run("show", "--key", key).stdout == toml
    assert json.loads(run("show", "--key", key, "--json").stdout) == value


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["show", "bsae"], "no rules 'bsae'; did you mean 'base'?"),
        (["show", "--key", "events.aliance"], "--key events.aliance: no key 'aliance'; did you mean 'alliance'?"),
        (["show", "no-jesters"], "'no-jesters' are rules of medievallons, not of middle-ages; name that game"),
        (["show", "--set", "shortfall=deb"], "must be 'pay_available' or 'debt'"),
        (["diff", "base", "nowhere.toml"], "nowhere.toml: no such file"),
    ],
)
def test_bad_arguments_are_named(arguments: list[str], says: str) -> None:
    message, result = refused(*arguments)
    assert says in message
    assert result.stdout == ""


def test_messages_blame_no_option_that_is_not_there() -> None:
    assert refused("show", "bsae")[0].startswith("no rules 'bsae'")
    assert refused("diff", "base", "bsae")[0].startswith("no rules 'bsae'")
    assert refused("validate", "bsae")[0].startswith("no rules 'bsae'")
    assert refused("show", "--key", "shortfall.deep")[0] == "--key shortfall.deep: no key 'deep'"


def test_diff_shows_what_is_not_set_as_absent() -> None:
    """Médiévallons' number of copies of a type is that of all types where it says nothing."""
    said = run("diff", "base", "no-jesters", "--game", "medievallons").stdout
    assert "null" not in said
    assert "—" in said


def test_validate_checks_every_player_count(tmp_path: Path) -> None:
    file = tmp_path / "few.toml"
    file.write_text('extends = "base"\n[stacks]\norange_from_players = 5\n')
    message, _ = refused("validate", str(file))
    assert message.startswith(f"{file}: ")
    assert "4 players need 68 tiles" in message
    assert message.endswith("; if you play with fewer or more, check that number alone, such as --players 5")
    result = run("validate", str(file), "--players", "5")
    assert result.exit_code == 0
    assert result.stdout.startswith(f"ok: {file}: 'few', 5 players, digest ")


def test_validate_goes_on_after_a_bad_file(tmp_path: Path) -> None:
    bad = tmp_path / "bad.toml"
    bad.write_text("")
    message, result = refused("validate", str(bad), "base", str(tmp_path / "none.toml"))
    assert result.stdout == f"ok: base: '{BASE.title}', 2, 3, 4, 5 players, digest {BASE.digest[:12]}\n"
    assert result.stderr == f"error: {bad}: the file is empty; it must set at least one key\n"
    assert message == f"{tmp_path / 'none.toml'}: no such file"


def test_diff_lists_what_differs(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text('extends = "base"\n[effects]\nmill_coins = 3\n[events.fair]\ntitle = "[bold]Fair"\n')
    result = run("diff", "base", str(file))
    assert result.exit_code == 0
    rows = [[cell.strip() for cell in line.strip("│").split("│")] for line in result.stdout.splitlines() if "│" in line]
    assert ["effects.mill_coins", "2", "3"] in rows
    assert ["events.fair.title", "—", '"[bold]Fair"'] in rows
    report = json.loads(run("diff", "base", str(file), "--json").stdout)
    assert report["changes"]["effects.mill_coins"] == {"old": 2, "new": 3}
    assert report["changes"]["events.fair.title"] == {"new": "[bold]Fair"}
    assert report["old"] == {"name": "base", "digest": BASE.digest}


def test_diff_of_the_same_rules(tmp_path: Path) -> None:
    file = tmp_path / "copy.toml"
    file.write_text('extends = "base"\ntitle = "Another name is no other rule"\n')
    assert run("diff", "base", str(file)).stdout == "base and copy: the same rules\n"


def test_keys_show_the_range_that_the_lab_uses() -> None:
    """Mills pay 2 coins a tile, and a designer turns them from 0 to 6; the rules accept far more."""
    described = {entry["key"]: entry for entry in json.loads(run("keys", "--json").output)}
    assert described["effects.mill_coins"]["sensible"] == [0, 6]
    assert described["starting_coins"]["sensible"] == [0, 60]
    assert described["effects.barracks_buries"]["sensible"] is None
    assert "0 to 6" in run("keys", "effects").output


@pytest.mark.parametrize(("value", "remarks"), [(6, 0), (7, 1), (99, 1)])
def test_a_value_beyond_its_sensible_range_is_played_with_a_remark(value: int, remarks: int) -> None:
    spec = make_spec("middle-ages", 2, "greedy", settings=f"effects.mill_coins={value}")
    notes = [note for note in player_notes(spec) if note.code == "beyond_range"]
    assert len(notes) == remarks
    for note in notes:
        said = words_of("middle-ages", BASE, Words("en")).note(note)
        assert said.startswith("Beyond its sensible range, 0 to 6: ") and str(value) in said
