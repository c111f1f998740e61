"""`equipoise tune`: a strategy file with its recipe; interrupted, it goes on; what cannot be is told in one line."""

from __future__ import annotations

import json
import re
import shlex
import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest

from equipoise.api.tuning import opponents_of
from simcore.game import load_game
from strategies.tuning.search import Arena
from tests.brief import tune_briefly
from tests.equipoise.conftest import Cli
from tests.toy import TOY

SMALL = ("--players", "2", "--population", "4", "--games", "60", "--budget", "2")


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    tune_briefly(monkeypatch.setattr)
    monkeypatch.chdir(tmp_path)


def test_it_leaves_a_strategy_that_plays_and_a_recipe_that_makes_it_again(cli: Cli, tmp_path: Path) -> None:
    said = cli("tune", *SMALL, "--out", "mine.toml", "--against", "greedy", "--set", "effects.mill_coins=3")
    assert said.code == 0, said
    assert "greedy" in said.out and "of par" in said.out
    assert [path.name for path in tmp_path.iterdir()] == ["mine.toml"]
    text = (tmp_path / "mine.toml").read_text(encoding="utf-8")
    provenance = tomllib.loads(text)["provenance"]
    assert provenance["generations"] == 2
    assert "champions_before" not in provenance, "nobody is crowned without self-play"
    assert {"greedy_at_2", "champion_at_2"} >= set(provenance["held_out"]) > set()
    assert (
        cli("simulate", "--games", 40, "--strategies", "mine.toml,greedy", "--players", 2, "--format", "none").code == 0
    )
    again = shlex.split(provenance["recipe"])[1:]
    assert cli(*again, "--force", "--quiet").out == "mine.toml\n"
    made = tomllib.loads((tmp_path / "mine.toml").read_text(encoding="utf-8"))
    for key in ("seconds", "cpu_minutes"):
        made["provenance"].pop(key), provenance.pop(key)
    assert made == tomllib.loads(text) | {"provenance": provenance}


def test_weights_by_number_of_players_come_together_in_one_file(cli: Cli, tmp_path: Path) -> None:
    for players in ("2", "3"):
        assert cli("tune", *SMALL, "--players", players, "--by-players", "--out", "mine.toml").code == 0
    table = tomllib.loads((tmp_path / "mine.toml").read_text(encoding="utf-8"))
    assert set(table["players"]) == {"2", "3"}
    assert "weights" not in table
    assert table["provenance"]["players_2"]["champions_before"] >= 0
    recipes = {key: part["recipe"] for key, part in table["provenance"].items()}
    assert set(recipes) == {"players_2", "players_3"}
    assert all(f"--players {key[-1]} " in recipe and "--by-players" in recipe for key, recipe in recipes.items())
    said = cli("simulate", "--games", 40, "--strategies", "mine.toml", "--players", 4, "--format", "none")
    assert (said.code, "has weights for 2, 3 players, not for 4" in said.err) == (2, True)
    text = 'format = "equipoise-strategy/1"\ngame = "middle-ages"\nname = "mine"\ntitle = "Mine"\npolicy = "greedy"\n'
    (tmp_path / "mine.toml").write_text(text, encoding="utf-8")
    said = cli("tune", *SMALL, "--by-players", "--out", "mine.toml")
    assert (said.code, "--by-players: mine.toml plays 'greedy'" in said.err) == (2, True)
    assert (tmp_path / "mine.toml").read_text(encoding="utf-8") == text


def test_json_says_what_came_of_it(cli: Cli) -> None:
    told = json.loads(cli("tune", *SMALL, "--json").out)
    assert (told["out"], told["generations"], told["population"], told["seed"]) == ("tuned.toml", 2, 4, 1)
    assert [score["against"] for score in told["scores"]][-1] == "greedy"
    assert all(score["low"] <= score["win_share"] <= score["high"] for score in told["scores"])
    (seats,) = told["seats"]
    assert seats["players"] == 2 and sum(seats["shares"]) == pytest.approx(1)
    assert re.match(r"(All seats|Seat \d|It is not certain yet whether the seats) ", *seats["verdicts"]), (
        "with the players that were found"
    )


def test_json_says_how_the_weights_follow_the_rules(cli: Cli) -> None:
    free = ("--free", "effects.mill_coins=1..3", "--free", "starting_coins.1")
    levers = json.loads(cli("tune", *SMALL, *free, "--json").out)["levers"]
    assert {key: (lever["low"], lever["high"]) for key, lever in levers.items()} == {
        "effects.mill_coins": (1, 3),
        "starting_coins.1": (0, 60),  # the range that the game declares
    }


def test_after_ctrl_c_the_same_command_goes_on(cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert cli("tune", *SMALL, "--out", "whole.toml").code == 0
    means, calls = Arena.means, []

    def interrupted(*arguments: object) -> object:
        calls.append(1)
        if len(calls) == 3:
            raise KeyboardInterrupt
        return means(*arguments)

    with monkeypatch.context() as patch:
        patch.setattr(Arena, "means", interrupted)
        said = cli("tune", *SMALL, "--out", "mine.toml")
    assert said.code == 130
    assert said.err.endswith(
        "interrupted: mine.toml.journal keeps what was done; run the same command again to continue\n"
    )
    assert sorted(path.name for path in tmp_path.iterdir()) == ["mine.toml.journal", "whole.toml"]
    other = cli("tune", *SMALL, "--out", "mine.toml", "--seed", 2)
    assert (other.code, "another 'seed'; delete it" in other.err) == (2, True)
    said = cli("tune", *SMALL, "--out", "mine.toml")
    assert said.code == 0 and said.err.startswith("Continuing with mine.toml.journal\n"), said
    assert not (tmp_path / "mine.toml.journal").exists()
    one, two = (tomllib.loads((tmp_path / f"{name}.toml").read_text(encoding="utf-8")) for name in ("whole", "mine"))
    assert one["weights"] == two["weights"]
    assert one["provenance"]["held_out"] == two["provenance"]["held_out"]


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--budget", "0"], "--budget: 0 is out of range; give more than 0"),
        (["--budget", "0s"], "--budget: 0s is out of range"),
        (["--budget", "soon"], "--budget: 'soon': write a time such as 90s, 10m or 2h"),
        (["--sigma", "-0.5"], "--sigma: -0.5 is out of range"),
        (["--sigma", "0"], "--sigma: 0 is out of range"),
        (["--population", "1"], "--population: 1 is out of range"),
        (["--players", "2,9"], "--players: Middle-Ages is for 2 to 5 players, not 9"),
        (["--players", "two"], "--players: 'two' is not a number"),
        (["--against", "selv"], "--against: 'selv' is not a shipped name"),
        (["--against", ""], "'' is not a shipped name"),
        (["--start-from", "plannr"], "--start-from: 'plannr' is not a shipped name"),
        (["--start-from", "greedy"], "--start-from: 'greedy' plays 'greedy', which reads no weights"),
        (["--out", "Mine.toml"], "--out: Mine.toml: the file names the strategy"),
        (["--out", "mine.txt"], "--out: mine.txt: the file names the strategy"),
        (["--out", "nowhere/mine.toml"], "--out: nowhere/mine.toml cannot be written"),
    ],
)
def test_bad_input(refused: Callable[..., str], arguments: list[str], told: str) -> None:
    assert told in refused("tune", *arguments)


def test_a_file_that_exists_is_kept(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "tuned.toml").write_text("mine", encoding="utf-8")
    said = cli("tune", *SMALL)
    assert (said.code, said.err) == (
        2,
        "error: --out: tuned.toml exists; name another file, or replace it with --force\n",
    )
    assert (tmp_path / "tuned.toml").read_text(encoding="utf-8") == "mine"


TOY_SMALL = ("--game", TOY, "--population", "4", "--games", "60", "--budget", "2")


def test_a_role_is_tuned_with_the_others_held_and_its_recipe_makes_it_again(cli: Cli, tmp_path: Path) -> None:
    said = cli("tune", *TOY_SMALL, "--role", "warlord", "--against", "burgher=giver", "--out", "mine.toml")
    assert said.code == 0, said
    assert "Warlord: 2 generations" in said.out and "burgher=giver" in said.out
    text = (tmp_path / "mine.toml").read_text(encoding="utf-8")
    table = tomllib.loads(text)
    provenance = table["provenance"]
    assert (table["role"], provenance["role"], set(provenance["held"]["burgher"])) == ("warlord", "warlord", {"giver"})
    assert len(provenance["rules_digest"]) == 64
    assert set(provenance["held_out"]) == {"burgher_giver_at_4", "burgher_random_at_4"}
    line = "warlord=mine.toml,burgher=steward"
    assert cli("simulate", "--game", TOY, "--games", 40, "--strategies", line, "--format", "none").code == 0
    again = shlex.split(provenance["recipe"])[1:]
    assert cli(*again, "--force", "--quiet").out == "mine.toml\n"
    assert tomllib.loads((tmp_path / "mine.toml").read_text(encoding="utf-8"))["weights"] == table["weights"]


def test_all_roles_are_tuned_in_turn_each_against_what_the_others_have_come_to(cli: Cli, tmp_path: Path) -> None:
    said = cli("tune", *TOY_SMALL, "--role", "all", "--out", "best.toml", "--quiet")
    assert (said.code, said.out) == (0, "best_warlord.toml\nbest_burgher.toml\n")
    rounds = ["best_burgher.toml", "best_burgher_1.toml", "best_warlord.toml", "best_warlord_1.toml"]
    assert sorted(path.name for path in tmp_path.iterdir()) == rounds
    tables = {path.stem: tomllib.loads(path.read_text(encoding="utf-8")) for path in tmp_path.iterdir()}
    assert "--start-from best_burgher_1.toml" in tables["best_burgher"]["provenance"]["recipe"]
    held = {name: list(one["provenance"]["held"].values()) for name, one in tables.items()}
    assert held["best_warlord_1"][0].keys() == {"steward"}
    assert held["best_burgher_1"][0].keys() == {"best_warlord_1"}
    assert held["best_warlord"][0].keys() == {"best_burgher_1"}
    assert held["best_burgher"][0].keys() == {"best_warlord"}


def test_a_skill_says_who_the_opponents_are(cli: Cli, tmp_path: Path) -> None:
    assert cli("tune", *SMALL, "--skill", "family", "--out", "family.toml", "--quiet").code == 0
    assert "--against greedy --rules" in (tmp_path / "family.toml").read_text(encoding="utf-8")
    said = cli("tune", *SMALL, "--skill", "family", "--against", "planner", "--out", "other.toml")
    assert said.code == 2
    assert "--skill: says who plays, and so does 'against'; leave out one of the two" in said.err


def test_the_only_seat_of_a_role_has_no_opponent_in_it() -> None:
    seigneurial = load_game("seigneurial")
    assert opponents_of(seigneurial, "club", "lord", ()) == {"tenant": ["gatherer"]}
    assert opponents_of(seigneurial, "club", "tenant", ()) == {"lord": ["bailiff"], "tenant": ["gatherer"]}


def test_tuning_in_turn_goes_on_where_it_was_interrupted(
    cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = ("tune", *TOY_SMALL, "--role", "all", "--rounds", "1", "--out", "best.toml", "--quiet")
    means: Callable[..., object] = Arena.means
    calls = 0

    def until_interrupted(*arguments: object) -> object:
        nonlocal calls
        calls += 1
        if calls == 5:
            raise KeyboardInterrupt
        return means(*arguments)

    with monkeypatch.context() as patch:
        patch.setattr(Arena, "means", until_interrupted)
        assert "best_burgher.toml.journal keeps what was done" in cli(*words).err
    assert {path.name for path in tmp_path.iterdir()} == {
        "best_warlord.toml",
        "best_warlord.toml.journal",
        "best_burgher.toml.journal",
    }
    assert cli(*words).out == "best_warlord.toml\nbest_burgher.toml\n"
    assert not list(tmp_path.glob("*.journal"))
    assert "best_warlord.toml exists" in cli(*words).err


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("--role", "all", "--rounds", "0"), "--rounds: 0 is out of range"),
        (("--role", "all", "--skill", "experts"), "--skill: each role meets the latest players of the others"),
        (("--role", "all", "--by-players"), "--by-players: cannot be combined with the role 'all'"),
        (("--role", "all", "--against", "random"), "--against: write warlord=NAME,burgher=NAME"),
        ((), "--role: Siege has several roles"),
    ],
)
def test_roles_that_cannot_be_tuned_are_told_in_one_line(cli: Cli, words: tuple[str, ...], told: str) -> None:
    said = cli("tune", *TOY_SMALL, *words)
    assert said.code == 2
    assert told in said.err and said.err.count("\n") == 1
