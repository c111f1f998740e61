"""`equipoise learn`: a thinker with its recipe; interrupted, it goes on; what cannot be is told in one line."""

from __future__ import annotations

import json
import shlex
import tomllib
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from simcore.game import load_game
from strategies.learning.rounds import _Learning
from strategies.learning.trials import Court, Examiner, Trial
from strategies.library import load_strategy
from tests.brief import learn_briefly
from tests.equipoise.conftest import Cli
from tests.toy import TOY

SMALL = ("--players", "2", "--games", "200", "--budget", "2", "--threads", "1")


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    learn_briefly(monkeypatch.setattr)
    monkeypatch.chdir(tmp_path)


def table_of(path: Path) -> dict[str, Any]:
    return tomllib.loads(path.read_text(encoding="utf-8"))


def test_it_leaves_a_thinker_that_plays_and_a_recipe_that_makes_it_again(cli: Cli, tmp_path: Path) -> None:
    said = cli("learn", *SMALL, "--out", "mine.toml", "--base", "planner", "--set", "effects.mill_coins=3")
    assert said.code == 0, said
    assert "one thinker wins" in " ".join(said.out.split()) and "among planner" in said.out
    assert [path.name for path in tmp_path.iterdir()] == ["mine.toml"]
    table = table_of(tmp_path / "mine.toml")
    provenance = table["provenance"]["players_2"]
    assert provenance["rounds"] == 2
    assert set(provenance["held_out"]) == {"one_thinker_player", "one_base_player", "another_value_player"}
    said = cli("simulate", "--games", 20, "--strategies", "mine.toml,planner", "--players", 2, "--format", "none")
    assert said.code == 0, said
    again = shlex.split(provenance["recipe"])[1:]
    assert cli(*again, "--force", "--quiet").out == "mine.toml\n"
    assert table_of(tmp_path / "mine.toml")["search"] == table["search"]


def test_values_by_number_of_players_come_together_in_one_file(cli: Cli, tmp_path: Path) -> None:
    for players in ("2", "3"):
        said = cli("learn", "--players", players, *SMALL[2:4], "--budget", "1", "--by-players", "--out", "mine.toml")
        assert said.code == 0, said
    table = table_of(tmp_path / "mine.toml")
    assert set(table["search"]["players"]) == {"2", "3"}
    assert set(table["provenance"]) == {"players_2", "players_3"}
    said = cli("simulate", "--games", 20, "--strategies", "mine.toml", "--players", 4, "--format", "none")
    assert (said.code, "'mine' looks ahead at tables of 2, 3 players, not of 4" in said.err) == (2, True)


def test_json_says_what_came_of_it(cli: Cli) -> None:
    told = json.loads(cli("learn", *SMALL[:4], "--budget", "1", "--json").out)
    assert (told["out"], told["base"], told["seed"], told["games"]) == ("learned.toml", "champion", 1, 200)
    (score,) = told["scores"]
    assert score["wins_low"] <= score["wins_of_par"] <= score["wins_high"]
    assert score["self_play"] == 1 and score["hidden"] in (0, 2)
    assert told["conclusions"][0].startswith("At 2 players one thinker wins ")


TRIALS = ("round 2 among thinkers", "another value")
"""Trials that are interrupted: of a later and of the last kind."""


def test_after_ctrl_c_the_same_command_goes_on_and_ends_as_without(
    cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    passes = _Learning._passes  # every new value stays, so that its games matter
    monkeypatch.setattr(_Learning, "_passes", lambda *arguments: [passes(*arguments)] != [])
    monkeypatch.setattr(Examiner, "best", lambda self, stages: len(stages) - 1)
    assert cli("learn", *SMALL, "--out", "whole.toml").code == 0
    hold, continued = Court.hold, "Continuing with mine.toml.journal\n"
    for trial in TRIALS:  # the second time, in what goes on from the first

        def interrupted(court: Court, label: str, *rest: Any, at: str = trial) -> Trial:
            if label == at:
                raise KeyboardInterrupt
            return hold(court, label, *rest)

        with monkeypatch.context() as patch:
            patch.setattr(Court, "hold", interrupted)
            said = cli("learn", *SMALL, "--out", "mine.toml")
        assert said.code == 130, trial
        assert said.err.startswith(continued) == (trial != TRIALS[0])
        assert said.err.endswith(
            "interrupted: mine.toml.journal keeps what was done; run the same command again to continue\n"
        )
        other = cli("learn", *SMALL, "--out", "mine.toml", "--seed", 2)
        assert (other.code, "another 'seed'; delete it" in other.err) == (2, True)
    said = cli("learn", *SMALL, "--out", "mine.toml")
    assert said.code == 0 and said.err.startswith(continued)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["mine.toml", "whole.toml"]
    one, two = (table_of(tmp_path / name) for name in ("whole.toml", "mine.toml"))
    assert one["search"] == two["search"]
    told = [table["provenance"]["players_2"] for table in (one, two)]
    for key in ("improvements", "held_out", "error_of_value", "foresees"):
        assert told[0][key] == told[1][key], key


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--budget", "5s"], "--budget: 5s is too short; the first values take about a minute, so give 30s or more"),
        (["--budget", "0"], "--budget: 0 is out of range"),
        (["--budget", "soon"], "--budget: 'soon': write a time such as 90s, 10m or 2h"),
        (["--games", "10"], "--games: 10 is out of range; give a whole number from 200 to 100,000"),
        (["--players", "2,9"], "--players: Middle-Ages is for 2 to 5 players, not 9"),
        (["--players", "two"], "--players: 'two' is not a number"),
        (["--base", "plannr"], "--base: 'plannr' is not a shipped name"),
        (["--base", "rollout"], "--base: 'rollout' looks ahead itself; name a strategy that does not"),
        (["--game", TOY], "does not say what a seat sees"),
        (["--out", "Mine.toml"], "--out: Mine.toml: the file names the strategy"),
        (["--out", "nowhere/mine.toml"], "--out: nowhere/mine.toml cannot be written"),
        (["--like", "champion"], "--like: 'champion' is no thinker for player; name one"),
        (["--like", "thinkr"], "--like: 'thinkr' is not a shipped name"),
    ],
)
def test_bad_input(refused: Callable[..., str], arguments: list[str], told: str) -> None:
    assert told in refused("learn", *arguments)


def test_like_another_thinker_nothing_is_tried_out(cli: Cli, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    held: list[str] = []
    hold = Court.hold

    def noted(court: Court, label: str, *rest: Any) -> Any:
        held.append(label)
        return hold(court, label, *rest)

    monkeypatch.setattr(Court, "hold", noted)
    said = cli("learn", *SMALL[:4], "--budget", "1", "--like", "thinker", "--out", "mine.toml")
    assert said.code == 0, said
    assert held == ["as known", "2 hidden units", "score", "score of the base", "another value"]
    game = load_game("middle-ages")
    mine, shipped = (load_strategy(game, name).search for name in (tmp_path / "mine.toml", "thinker"))
    assert mine is not None and shipped is not None
    one, other = mine.foresights[2, "player"], shipped.foresights[2, "player"]
    assert replace(one, value=other.value, win=other.win) == other and one.value != other.value
    assert "--like thinker" in table_of(tmp_path / "mine.toml")["provenance"]["players_2"]["recipe"]


def test_only_a_thinker_is_added_to(cli: Cli, tmp_path: Path) -> None:
    text = 'format = "equipoise-strategy/1"\ngame = "middle-ages"\nname = "mine"\ntitle = "Mine"\npolicy = "greedy"\n'
    (tmp_path / "mine.toml").write_text(text, encoding="utf-8")
    said = cli("learn", *SMALL, "--by-players", "--out", "mine.toml")
    assert (said.code, "--by-players: mine.toml plays 'greedy', which does not judge by a value" in said.err) == (
        2,
        True,
    )
    said = cli("learn", *SMALL, "--out", "mine.toml")
    assert (said.code, said.err) == (
        2,
        "error: --out: mine.toml exists; name another file, or replace it with --force\n",
    )
    assert (tmp_path / "mine.toml").read_text(encoding="utf-8") == text
