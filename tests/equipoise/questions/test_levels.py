"""Every command says at which levels of play its verdict holds: in the terminal, on its page and in JSON, alike."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import equipoise as eq
from analysis.check.checking import Check
from analysis.data.inputs import inputs_of
from analysis.data.player_notes import weak_notes
from analysis.seats import levels
from equipoise.output import checks
from reports.opinion import called
from reports.pages.check import compose_checks
from reports.words import Words
from simcore.game import load_game
from simcore.rules.files import load_rules
from tests.brief import leave_out_pictures, mend_briefly
from tests.equipoise.conftest import Cli
from tests.nim import NIM

GREEDY = ("--players", 2, "--strategies", "greedy", "--games", 400)
ASKS = "To ask players who look ahead (about {3}): `equipoise {0} --game middle-ages --players 2{1} --skill search{2}`"


@pytest.mark.parametrize(
    ("argv", "asks"),
    [
        (("luck", *GREEDY), ("luck", "", " --games 4000", "8 s")),
        (("sensitivity", *GREEDY, "--only", "shortfall"), ("sensitivity", "", " --games 400", "2 s")),
        (("sweep", *GREEDY, "--set", "starting_coins=4|5", "--yes"), ("simulate", " --set starting_coins=", "", "1 s")),
        (("compare", "base", *GREEDY, "--set", "starting_coins=5", "--habit"), ("simulate", "", "", "1 s")),
        (
            ("mend", *GREEDY, "--free", "starting_coins.2=0..9", "--rounds", 1, "--best", 1, "--habit", "--yes"),
            ("simulate", "", "", "1 s"),
        ),
        (
            ("tournament", "--players", 2, "--strategies", "greedy,random", "--games", 400),
            ("tournament", "", " --games 4000", "8 s"),
        ),
        (
            ("playtest", "--plan", 30, "--players", 2, "--strategies", "random|greedy", "--games", 400),
            ("playtest --plan 30", "", "", "1 s"),
        ),
    ],
    ids=lambda value: str(value[0]),
)
def test_a_page_says_who_was_not_asked_and_what_asks_them(
    cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, argv: tuple[Any, ...], asks: tuple[str, ...]
) -> None:
    leave_out_pictures(monkeypatch.setattr)
    mend_briefly(monkeypatch.setattr)
    said = cli(*argv, "--out", tmp_path / "page", "--format", "json,md")
    assert said.code == 0, said.err
    (data,), (page,) = (list((tmp_path / "page").glob(f"*.{kind}")) for kind in ("json", "md"))
    (one,) = json.loads(data.read_text())["levels"]
    assert (one["says"], one["players"]) == ("unasked", 2)
    assert one["text"].startswith(("So far among greedy", "So far among random, greedy"))
    before, after = ASKS.format(asks[0], "\n", asks[2], asks[3]).split("\n")
    assert before in one["text"]
    assert one["text"].endswith(after)
    assert asks[1] in one["command"]
    assert one["text"] in " ".join(said.out.split())
    assert one["text"] in page.read_text().replace("\\", "")


@pytest.mark.parametrize(
    ("argv", "says", "first", "then"),
    [
        ((), "same", "Seat 1 is too strong: it wins", "Too strong at every level of play: seat 1, also among players"),
        (
            ("--game", "medievallons", "--players", 3),
            "refuted",
            "Not known: with 3 players, among experts seat 3 wins 4",
            "The levels of play disagree",
        ),
        (
            ("--game", "medievallons"),
            "few",
            "Seat 4 is too strong",
            "So far among experts only: 1,000 games of players who look ahead are too few to say.",
        ),
        (
            ("--set", "starting_coins=1"),
            "unasked",
            "Seat 1 is too strong",
            "So far among experts only. To ask players who look ahead (about ",
        ),
        (("--players", 2, "--strategies", "greedy"), None, "It is not certain yet", ""),
    ],
)
def test_simulate_says_what_is_stored_of_the_printed_rules(
    cli: Cli, argv: tuple[Any, ...], says: str | None, first: str, then: str
) -> None:
    """Nothing is said of a verdict that leaves the question open."""
    argv = ("simulate", *argv, "--games", 2000 if says else 40, "--format", "none")
    shown = " ".join(cli(*argv).out.split())
    made = json.loads(cli(*argv, "--json").out)
    assert made["verdicts"][0]["text"].startswith(first)
    assert made["verdicts"][0]["text"] in shown
    assert [one["says"] for one in made["levels"]] == ([says] if says else [])
    if says:
        assert made["levels"][0]["text"].startswith(then)
        assert f"{made['verdicts'][0]['text']} {made['levels'][0]['text']}" in shown
        assert (made["verdicts"][0]["status"] == "unclear") == (says == "refuted")


def test_an_answer_holds_for_the_rules_and_players_that_gave_it(monkeypatch: pytest.MonkeyPatch) -> None:
    rules = load_rules(load_game("medievallons"), "base").digest
    assert levels.stored_level("medievallons", 4, "search", rules) is not None
    assert levels.stored_level("medievallons", 4, "search", "0" * 64) is None
    digests = {name: levels.file_digest("medievallons", name) for name in ("champion", "thinker")}
    monkeypatch.setattr(levels, "file_digest", lambda game, name: digests[name] if name == "champion" else "another")
    assert levels.stored_level("medievallons", 4, "experts", rules) is not None
    assert levels.stored_level("medievallons", 4, "search", rules) is None


def test_a_game_without_players_who_look_ahead_says_so(tmp_path: Path) -> None:
    (tmp_path / "nim.py").write_text(NIM)
    result = eq.simulate(str(tmp_path / "nim.py"), players=2, games=2000)
    assert called(Words(), inputs_of(result.spec, 0, 0)) == "perfect", "its only player is no expert"
    (one,) = result.levels
    assert one["text"] == (
        "No player who looks ahead exists for this game yet; `equipoise docs bring-your-game` says how to make one."
    )
    assert one["command"] is None


def test_a_class_with_players_who_look_ahead_names_them(tmp_path: Path) -> None:
    open_to_all = NIM.replace("def view(", "def shown(").replace("view", "view.heaps")
    (tmp_path / "mine.py").write_text(
        open_to_all.replace("(view.heaps, ", "(view, ").replace("ect}", 'ect, "rollout": eq.PlainGame.rollout}')
    )
    game = str(tmp_path / "mine.py")
    (one,) = eq.simulate(game, players=2, games=2000).levels
    assert one["says"] == "unasked"
    assert one["command"].endswith("--players 2 --strategies rollout --games 400")
    (one,) = eq.simulate(game, players=2, strategies="rollout", games=200, settings={"heaps": 1}).levels
    assert one["text"] == "Players who look ahead played these games."


def test_a_game_of_a_library_names_its_search() -> None:
    pytest.importorskip("pyspiel", reason="comes with the extra openspiel")
    result = eq.simulate("openspiel:tic_tac_toe", games=2000)
    (one,) = result.levels
    assert one["text"].startswith("So far among random players only.")
    assert one["command"].endswith("--game openspiel:tic_tac_toe --players 2 --strategies mcts --games 400")
    (note,) = weak_notes(result.spec)
    assert Words().note(note).endswith("let players who look ahead play: --strategies mcts.")


def test_games_played_elsewhere_have_no_players_who_look_ahead(tmp_path: Path) -> None:
    folders = []
    for name, winners in (("old", "AB" * 40), ("new", "AAB" * 30)):
        rows = ["game,seat,player,place"]
        for game, winner in enumerate(winners):
            rows += [f"{game},{seat},{who},{1 if who == winner else 2}" for seat, who in ((1, "A"), (2, "B"))]
        (tmp_path / f"{name}.csv").write_text("\n".join(rows) + "\n")
        folders.append(eq.import_table(tmp_path / f"{name}.csv", out=tmp_path / name).run)
    (one,) = eq.compare(*folders).to_dict()["levels"]
    assert one["says"] == "nobody_elsewhere"


def test_players_who_look_ahead_need_not_be_asked() -> None:
    (one,) = eq.simulate("middle-ages", players=4, skill="search", games=60).levels
    assert one["text"] == "Players who look ahead played these games."


BASELINE = """format = "equipoise-baseline/1"
game = "middle-ages"
players = [3, 4]
games = 2000
[limits]
max_seat_deviation = "40pp"
"""


@pytest.fixture
def limited(cli: Cli, tmp_path: Path) -> Check:
    """A check that holds the seats of the printed rules to a limit."""
    file = tmp_path / "limits.toml"
    file.write_text(BASELINE)
    assert cli("check", "--update", file).code == 0
    return eq.check(file)


def test_a_check_says_at_which_levels_its_limits_hold(limited: Check, capsys: pytest.CaptureFixture[str]) -> None:
    rows = checks.table([limited])["checks"][0]["levels"]
    assert [(one["players"], one["says"]) for one in rows] == [(3, "same"), (4, "same")]
    lines = [f"{one['players']} players: {one['text']}" for one in rows]
    checks.show(limited)
    shown = " ".join(capsys.readouterr().out.split())
    page = [one.text for one in compose_checks([limited], Words()).verdicts]
    assert all(line in shown and line in page for line in lines)
    assert all(line in checks.markdown([limited]).replace("\\", "") for line in lines)
