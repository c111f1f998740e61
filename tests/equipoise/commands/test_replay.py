"""`equipoise replay`: what it writes, where, and what it refuses."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from analysis.runs import load
from equipoise import cli
from simcore.running.batch import MAX_GAMES
from simcore.running.replay import Replay, replay, replays
from strategies.spec import make_spec
from tests.referee.middle_ages import check_file

ENDS = ("final", "place", "share60")
RANDOM = ("--strategies", "random")


@dataclass(frozen=True)
class Said:
    """What a command line came to."""

    code: int
    out: str
    err: str


Run = Callable[..., Said]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    def command(*arguments: str | int | Path) -> Said:
        code = cli.run(cli.app, ["replay", *map(str, arguments)])
        return Said(code, *capsys.readouterr())

    return command


def complaint(said: Said) -> str:
    """Return the one line of an error."""
    assert (said.code, said.out) == (2, "")
    assert said.err.startswith("error: ")
    assert said.err.endswith("\n")
    assert said.err.count("\n") == 1
    return said.err.removeprefix("error: ").removesuffix("\n")


def test_text_of_one_game_goes_to_standard_output(run: Run) -> None:
    result = run("--players", 3, "--strategies", "greedy,random,random", "--seed", 7, "--index", 5)
    spec = make_spec(players=3, strategies=["greedy", "random", "random"], seed=7)
    assert result.code == 0
    assert result.out == replay(spec, 5).text()


def test_defaults_are_those_of_a_run(run: Run) -> None:
    assert run().out == replay(make_spec(), 0).text()


def test_games_stand_one_after_another(run: Run) -> None:
    seats, switches = ["random", "greedy"], ["shortfall=debt", "event_loss=top"]
    spec = make_spec(players=2, strategies=seats, settings=switches, design="shuffle", seed=3)
    options = ("--players", 2, "--strategies", "random, greedy", "--seed", 3, "--design", "shuffle")
    which = ("--set", switches[0], "--set", switches[1], "--index", 4, "--count", 3)
    games = list(replays(spec, 4, 3))
    assert run(*options, *which, "--format", "jsonl").out == "".join(game.jsonl() for game in games)
    assert run(*options, *which).out == "\n\n".join(game.text() for game in games)


@pytest.fixture
def first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder called runs/first, in place of a run."""
    monkeypatch.chdir(tmp_path)
    Path("runs/first").mkdir(parents=True)


@pytest.mark.usefixtures("first")
def test_skill_says_who_plays(run: Run) -> None:
    assert run("--skill", "family").out == replay(make_spec(strategies=["greedy"]), 0).text()
    assert "--skill: says who plays" in complaint(run(*RANDOM, "--skill", "family"))
    assert complaint(run("runs/first", "--skill", "family")).startswith("--skill: the run runs/first says what to play")


def test_rules_file_of_the_user(run: Run, tmp_path: Path) -> None:
    rules = tmp_path / "mine.toml"
    rules.write_text('extends = "base"\nempty_domain_penalty = 3\n', encoding="utf-8")
    spec = make_spec(strategies=["greedy"], settings=["empty_domain_penalty=3"])
    told = run("--strategies", "greedy", "--rules", rules).out
    assert told.splitlines()[-5:] == replay(spec, 0).text().splitlines()[-5:]


def test_file_is_written_whole(run: Run, tmp_path: Path) -> None:
    out = tmp_path / "games.jsonl"
    result = run("--players", 5, "--strategies", "random", "--count", 60, "--format", "jsonl", "--out", out)
    assert (result.code, result.out) == (0, "")
    report = check_file(out)
    assert (report["games"], report["violations"]) == (60, 0)
    assert [path.name for path in tmp_path.iterdir()] == ["games.jsonl"]


def test_file_that_exists_is_replaced_only_by_force(run: Run, tmp_path: Path) -> None:
    out = tmp_path / "game.txt"
    assert run(*RANDOM, "--out", out).code == 0
    assert (
        complaint(run(*RANDOM, "--out", out)) == f"--out: {out} exists; name another file, or replace it with --force"
    )
    assert out.read_text(encoding="utf-8").startswith("Middle-Ages: game 0 of seed 1")
    assert run(*RANDOM, "--out", out, "--force", "--seed", 2).code == 0
    assert out.read_text(encoding="utf-8").startswith("Middle-Ages: game 0 of seed 2")


def test_nothing_is_left_of_a_file_that_fails(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(played: Replay) -> str:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Replay, "jsonl", full)
    out = tmp_path / "game.jsonl"
    said = complaint(run(*RANDOM, "--format", "jsonl", "--out", out))
    assert said == f"--out: {out} cannot be written: No space left on device"
    assert list(tmp_path.iterdir()) == []


def test_interrupt_leaves_nothing(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(played: Replay) -> str:
        raise KeyboardInterrupt

    monkeypatch.setattr(Replay, "text", interrupted)
    assert run(*RANDOM, "--out", tmp_path / "game.txt").code == 130
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--index", "-1"], "--index: -1 is out of range"),
        (["--index", "1.5"], "--index: 1.5 has a fraction"),
        (["--index", "first"], "--index: 'first' is not a number"),
        (["--count", "0"], "--count: 0 is out of range"),
        (["--index", MAX_GAMES - 1, "--count", "2"], f"the run has games 0 to {MAX_GAMES - 1:,}; give"),
        (["--design", "rotat"], "--design"),
        (["--format", "xml"], "--format"),
        (
            ["--strategies", "greedy,random"],
            "--strategies: 2 given for 4 players; give one for all, or one for each seat",
        ),
        (["--strategies", "greedy,,random,random"], "--strategies: '' is not a shipped name"),
        (["--set", "shortfal=debt"], "shortfal"),
        (["--out", "/nowhere/at/all.txt"], "--out: /nowhere/at/all.txt cannot be written: No such file or directory"),
        (["--out", "/"], "--out: / is a folder; name a file"),
    ],
)
def test_bad_input_is_one_line(run: Run, arguments: list[str | int], message: str) -> None:
    said = complaint(run(*RANDOM, *arguments))
    assert message in said


def test_every_game_of_a_run_ends_as_its_table_says(run: Run, tmp_path: Path) -> None:
    folder, logs = tmp_path / "run", tmp_path / "games.jsonl"
    simulate = ["simulate", "--games", "60", "--players", "3", "--strategies", "greedy,random,random", "--seed", "5"]
    assert cli.run(cli.app, [*simulate, "--set", "shortfall=debt", "--out", str(folder), "--quiet"]) == 0
    assert run(folder, "--count", 60, "--format", "jsonl", "--out", logs).code == 0
    lines = [json.loads(line) for line in logs.read_text(encoding="utf-8").splitlines()]
    games, ends = ([line for line in lines if line["kind"] == kind] for kind in ("game", "end"))
    told = [
        (game["game_id"], seat, game["strategies"][seat - 1], *(end[key][seat - 1] for key in ENDS))
        for game, end in zip(games, ends, strict=True)
        for seat in game["order"]
    ]
    table = load(folder).polars().select("game_id", "seat", "strategy", "coins", "place", "share60").collect()
    assert told == table.rows()
    assert {game["rules_digest"] for game in games} == {load(folder).spec.rules.digest}


@pytest.mark.usefixtures("first")
def test_run_folder_says_what_is_played(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    spec = make_spec(players=3, strategies=["random"], seed=5, games=20)
    monkeypatch.setattr("analysis.runs.load_spec", lambda folder, trust: spec)
    assert run("runs/first", "--index", 19).out == replay(spec, 19).text()
    said = complaint(run("runs/first", "--index", 19, "--count", 2))
    assert said == "--index 19 --count 2: the run has games 0 to 19; give lower numbers"
    said = complaint(run("runs/first", "--seed", 5, "--set", "shortfall=debt"))
    assert said.startswith("--set, --seed: the run runs/first says what to play")


@pytest.mark.usefixtures("first")
def test_broken_game_is_shown_and_reported(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    spec = make_spec(players=2, strategies=["random"], seed=5)

    def faulty(rules: object, lineup: object, state: dict[str, int], *rest: object) -> int:
        spec.game.play_batch(rules, lineup, state, *rest)
        state["fault"] = 1
        return 0

    broken = replace(spec, game=replace(spec.game, play_batch=faulty))
    monkeypatch.setattr("analysis.runs.load_spec", lambda folder, trust: broken)
    result = run("runs/first", "--index", 7)
    assert result.code == 1
    assert result.err == "error: 1 of 1 games broke an invariant; the first is game 7: a policy chose an illegal move\n"
    assert result.out.endswith("Fault: a policy chose an illegal move\n")


def test_a_seat_is_shown_its_own_hand_only(run: Run) -> None:
    options = ("--game", "medievallons", "--players", 3, *RANDOM, "--as", "seat-2")
    first, *records = map(json.loads, run(*options, "--format", "jsonl").out.splitlines())
    assert first["as"] == "seat-2"
    types = {card["id"]: card["type"].capitalize() for card in first["cards"]}
    dealt = [one for one in records if one["kind"] == "move" and one["why"] == "deal"]
    assert {one["to"]["seat"] for one in dealt if "card" in one} == {2}
    text = run(*options).out
    assert text.partition("\nTurn 1")[0].count(": 6 cards\n") == 2
    hand = text.partition("  Seat 2, random: ")[2].partition("\n")[0]
    assert {word.split(" x")[0] for word in hand.split(", ")} == {types[one["card"]] for one in dealt if "card" in one}


def test_players_of_a_match_change_seats_and_keep_their_view(run: Run) -> None:
    options = ("--game", "medievallons", "--players", 2, *RANDOM, "--as", "seat-2", "--format", "jsonl")
    firsts = [line for line in map(json.loads, run(*options).out.splitlines()) if line["kind"] == "game"]
    assert [line["match"]["player"][int(line["as"][-1]) - 1] for line in firsts] == [2] * len(firsts)
    assert len({line["as"] for line in firsts}) == 2


def test_as_needs_a_seat_of_the_table_and_no_page(run: Run) -> None:
    assert complaint(run(*RANDOM, "--as", "seat-9")) == "--as: seat-9: give a seat of this table, seat-1 to seat-4"
    assert complaint(run(*RANDOM, "--as", "3")) == "--as: 3: give a seat of this table, seat-1 to seat-4"
    assert "a page shows what all seats hold" in complaint(run(*RANDOM, "--as", "seat-1", "--format", "html"))


def test_what_the_moves_cost_stands_below_the_text(run: Run) -> None:
    options = ("--game", "medievallons", "--players", 2, "--strategies", "random", "--lang", "fr")
    result = run(*options, "--costs")
    assert result.code == 0
    text, costs = result.out.split("\nCe que les coups ont coûté\n")
    assert text == replay(make_spec("medievallons", 2, ["random"]), 0).text()
    assert costs.count("points par décision") == 2
    for more in (("--as", "seat-1"), ("--format", "jsonl"), ("--format", "html"), ("--open",)):
        assert complaint(run(*options, "--costs", *more)).startswith("--costs: it belongs to the text of all seats")
