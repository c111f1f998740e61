"""Bad input: one line that says what, where and how to mend it, exit code 2, and nothing left behind."""

from __future__ import annotations

import json
import os
import stat
from collections.abc import Callable
from pathlib import Path

import pytest

from analysis.runs.manifest import signed
from tests.equipoise.conftest import Cli

Refused = Callable[..., str]
RANDOM = ("--strategies", "random")
HUGE = "9" * 30


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--game", "midle-ages"], "--game: no game 'midle-ages'; did you mean 'middle-ages'?"),
        ([""], "an argument is empty; write what it stands for, or leave it out"),
        (["--quiet", ""], "an argument is empty"),
        (["--game", ""], "--game: no game ''; known: fief-2, "),
        (
            ["--game", "OpenSpiel:pig"],
            "--game: no game 'OpenSpiel:pig'; a game of a library begins with openspiel: or pettingzoo:",
        ),
        (["--strategies", "greddy"], "--strategies: 'greddy' is not a shipped name"),
        (["--strategies", "greddy"], "; did you mean 'greedy'?"),
        (["--strategies", ""], "--strategies: '' is not a shipped name"),
        (["--strategies", "nowhere.toml"], "nowhere.toml: no such file"),
        (["--strategies", "nowhere:at_all"], "no module 'nowhere'"),
        (
            ["--strategies", "greedy,random"],
            "--strategies: 2 given for 4 players; give one for all, or one for each seat",
        ),
        (["--rules", "gentle-barracks"], "did you mean 'gentler-barracks'?"),
        (["--strategies", "regent"], "--strategies: 'regent' plays medievallons, not middle-ages; name that game"),
        (["--game", "medievallons", "--strategies", "greedy"], "'greedy' plays middle-ages, not medievallons"),
        (["--rules", "no-jesters"], "'no-jesters' are rules of medievallons, not of middle-ages; name that game"),
        (["--rules", "nowhere.toml"], "nowhere.toml: no such file"),
        (["--rules", "."], "--rules: no rules '.'"),
        (["--rules", "./"], "not a file; name a TOML file"),
        (["--set", "effects.mil_coins=3"], "unknown key; did you mean 'mill_coins'?"),
        (["--set", "efects.mill_coins=3"], "no table 'efects'; did you mean 'effects'?"),
        (["--set", "shortfall=det"], "must be 'pay_available' or 'debt', not \"det\""),
        (["--set", "shortfall"], "write key=value, with dots between tables and key"),
        (["--set", "effects.mill_coins=nan"], "must be a whole number, not NaN"),
        (["--set", "effects.mill_coins=-1"], "must be 0 or more, not -1"),
        (["--set", f"effects.mill_coins={HUGE}"], "effects"),
        (["--set", "effects.mill_coins=2.5"], "must be a whole number, not 2.5"),
        (["--players", "1"], "--players: Middle-Ages is for 2 to 5 players, not 1"),
        (["--players", "6"], "--players: Middle-Ages is for 2 to 5 players, not 6"),
        (["--players", "-3"], "--players: Middle-Ages is for 2 to 5 players, not -3"),
        (["--players", HUGE], f"--players: Middle-Ages is for 2 to 5 players, not {HUGE}"),
        (["--players", "four"], "Invalid value for '--players': give a whole number; see "),
        (["--players", "2.5"], "Invalid value for '--players'"),
        (["--games", "0"], "--games: 0 is out of range; give a whole number from 1 to 4,294,967,295"),
        (["--games", "-5"], "--games: -5 is out of range"),
        (["--games", "1.5"], "--games: 1.5 has a fraction; give a whole number"),
        (["--games", "0.5"], "--games: 0.5 is out of range"),
        (["--games", "1e400"], "--games: 1e400 is out of range"),
        (["--games", "1e-400"], "--games: 1e-400 is out of range"),
        (["--games", "5e9"], "--games: 5e9 is out of range"),
        (["--games", "nan"], "--games: 'nan' is not a number; write 1000000, 1_000_000 or 1e6"),
        (["--games", "inf"], "--games: inf is out of range"),
        (["--games", "many"], "--games: 'many' is not a number; write 1000000, 1_000_000 or 1e6"),
        (["--games", ""], "--games: '' is not a number"),
        (["--games", "1" * 5000], "--games: '1111"),
        (["--games", "0x10"], "--games: '0x10' is not a number"),
        (["--seed", "-1"], "--seed: -1 is out of range"),
        (["--seed", str(2**64)], f"--seed: {2**64} is out of range"),
        (["--seed", "1.5"], "--seed: 1.5 has a fraction"),
        (["--seed", "abc"], "--seed: 'abc' is not a number"),
        (["--threads", "0"], "--threads: 0 is out of range; give a whole number from 1 to 1,024"),
        (["--threads", "-2"], "--threads: -2 is out of range"),
        (["--threads", "5000"], "--threads: 5000 is out of range"),
        (["--threads", "two"], "Invalid value for '--threads'"),
        (["--design", "rotation"], "'rotation' is not one of 'rotate', 'fixed', 'shuffle'"),
        (["--format", "xlsx"], "'xlsx' is not one of 'parquet', 'csv', 'both', 'none'"),
        (["--detail", "all"], "'all' is not one of 'minimal', 'standard', 'full'"),
        (["--gamez", "5"], "No such option: --gamez"),
        (["--games"], "Option '--games' requires an argument"),
        (["surplus"], "unexpected extra argument"),
        (["fief-2"], "extra argument(s) (fief-2); name the game with --game fief-2; see"),
        (["--rules", "./games.csv"], "games.csv: a table of results, not rules; make a run of it: equipoise import"),
        (["--out", "run", "--format", "none"], "--out: with the format 'none', nothing is written"),
    ],
)  # fmt: skip
def test_simulate_refuses(refused: Refused, arguments: list[str], says: str) -> None:
    said = refused("simulate", "--games", "10", *RANDOM, *arguments)
    assert says in said
    assert len(said) < 400


def test_an_unknown_option_names_the_nearest(refused: Refused) -> None:
    assert "--strategies" in refused("simulate", "--strategy", "random")
    assert "see " in refused("simulate", "--strategy", "random")


def test_a_question_ends_its_sentence(refused: Refused) -> None:
    assert refused("simulat").startswith("No such command 'simulat'; did you mean 'simulate'? See ")
    assert refused("simulat").endswith(" --help")


def test_what_is_no_ordinary_file_is_not_replaced(refused: Refused) -> None:
    """`--out /dev/null --force` must not put a file in the place of the device."""
    os.mkfifo("pipe")
    for line in (("replay", *RANDOM), ("bench",), ("check",)):
        said = refused(*line, "--out", "pipe", "--force", left=("pipe",))
        assert said == "--out: pipe is not an ordinary file; name another"
    assert stat.S_ISFIFO(Path("pipe").stat().st_mode)


def test_an_unknown_command_names_the_nearest(refused: Refused) -> None:
    said = refused("simulat")
    assert "simulat" in said
    assert "simulate" in said.replace("simulat'", "")


BAD_FILES = {
    "empty": b"",
    "binary": bytes(range(256)) * 4,
    "no TOML": b"this is not = = toml",
    "latin": "titre = 'Église'".encode("latin-1"),
    "deep": b"a = " + b"[" * 5000 + b"]" * 5000,
    "unknown key": b'extends = "base"\n[effects]\nmill_coin = 3\n',
    "wrong type": b'extends = "base"\n[effects]\nmill_coins = "three"\n',
    "NaN": b'extends = "base"\nempty_domain_penalty = nan\n',
    "huge": b'extends = "base"\nempty_domain_penalty = ' + b"9" * 400,
    "negative": b'extends = "base"\n[tokens]\nextra_coin = -1\n',
    "unplayable": b'extends = "base"\n[stacks]\norange_from_players = 6\n',
    "extends itself": b'extends = "bad.toml"\n',
    "extends nothing": b'extends = "basis"\n',
    "no extends": b"empty_domain_penalty = 3\n",
}


@pytest.mark.parametrize("content", BAD_FILES.values(), ids=list(BAD_FILES))
def test_bad_rules_files(refused: Refused, content: bytes) -> None:
    """Breadth stands in tests/simcore/rules/test_files.py; here, that each ends at the command line as it should."""
    Path("bad.toml").write_bytes(content)
    assert "bad" in refused("simulate", "--games", 10, *RANDOM, "--rules", "bad.toml", left=("bad.toml",))


@pytest.mark.parametrize("content", list(BAD_FILES.values())[:5], ids=list(BAD_FILES)[:5])
def test_bad_strategy_files(refused: Refused, content: bytes) -> None:
    Path("bad.toml").write_bytes(content)
    assert "bad.toml" in refused("simulate", "--games", 10, "--strategies", "bad.toml", left=("bad.toml",))


# --- output folders ---


def test_output_folder_whose_name_is_no_text(refused: Refused) -> None:
    assert refused("simulate", "--games", 10, *RANDOM, "--out", "run\udcff") == (
        "--out: run\\udcff: not a name in UTF-8; choose another"
    )


def test_output_folder_that_is_no_run(refused: Refused) -> None:
    Path("mine").mkdir()
    Path("mine/notes.txt").write_text("keep")
    for force in ((), ("--force",)):
        said = refused("simulate", "--games", 10, *RANDOM, "--out", "mine", *force, left=("mine",))
        assert said == "--out: mine exists; it is no run, or holds other files too; choose another folder"
    assert Path("mine/notes.txt").read_text() == "keep"


def test_output_folder_with_a_strangers_manifest(refused: Refused) -> None:
    """A manifest.json may be anybody's; --force deletes only what Equipoise wrote."""
    Path("web").mkdir()
    Path("web/manifest.json").write_text('{"name": "A page"}')
    assert "it is no run" in refused("simulate", "--games", 10, *RANDOM, "--out", "web", "--force", left=("web",))
    assert Path("web/manifest.json").is_file()


def test_output_folder_that_is_a_run(cli: Cli, refused: Refused) -> None:
    cli("simulate", "--games", 10, *RANDOM, "--out", "run")
    said = refused("simulate", "--games", 10, *RANDOM, "--out", "run", left=("run",))
    assert said == "--out: run exists; choose another folder, or replace that run with --force"
    Path("run/notes.txt").write_text("keep")
    assert "holds other files" in refused("simulate", "--games", 10, *RANDOM, "--out", "run", "--force", left=("run",))
    assert Path("run/games/part-000000.parquet").is_file()


def test_output_folder_that_is_a_file(refused: Refused) -> None:
    Path("file").touch()
    assert "--out: file exists" in refused("simulate", "--games", 10, *RANDOM, "--out", "file", left=("file",))


def test_output_folder_that_cannot_be_made(refused: Refused) -> None:
    Path("file").touch()
    said = refused("simulate", "--games", 10, *RANDOM, "--out", "file/run", left=("file",))
    assert said == "--out: file/run cannot be written: Not a directory; choose another folder"
    assert "File name too long" in refused("simulate", "--games", 10, *RANDOM, "--out", "x" * 300, left=("file",))
    assert "--out: /proc/run cannot be written" in refused(
        "simulate", "--games", 10, *RANDOM, "--out", "/proc/run", left=("file",)
    )


# --- export ---


@pytest.fixture
def made(cli: Cli, refused: Refused) -> None:
    cli("simulate", "--games", 10, *RANDOM, "--out", "run")


@pytest.mark.usefixtures("made")
@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["nowhere", "--out", "x.csv"], "nowhere: no such run folder"),
        (["run"], "Missing option '--out'"),
        (["--out", "x.csv"], "Missing argument 'RUN'"),
        (["run", "--out", "x.txt"], "--format: 'x.txt' ends neither in .parquet nor in .csv; choose one with --format"),
        (["run", "--out", "run"], "--format: 'run' ends neither"),
        (["run", "--out", "run", "--format", "csv"], "--out: run is a folder; name a file"),
        (["run", "--out", "no/x.csv"], "--out: no/x.csv cannot be written: No such file or directory"),
        (["run", "--out", "x.csv", "--columns", "coin"], "--columns: no column 'coin'; did you mean 'coins'?"),
        (["run", "--out", "x.csv", "--columns", ""], "--columns: no column ''"),
        (["run", "--out", "x.csv", "--columns", "coins,coins"], "--columns: 'coins' is given twice"),
        (["run", "--out", "x.csv", "--format", "xlsx"], "'xlsx' is not one of 'parquet', 'csv'"),
    ],
)
def test_export_refuses(refused: Refused, arguments: list[str], says: str) -> None:
    assert says in refused("export", *arguments, left=("run",))


@pytest.mark.usefixtures("made")
def test_export_keeps_a_file_that_exists(refused: Refused) -> None:
    Path("x.csv").write_text("mine")
    assert refused("export", "run", "--out", "x.csv", left=("run", "x.csv")) == (
        "--out: x.csv exists; name another file, or replace it with --force"
    )
    assert Path("x.csv").read_text() == "mine"


def test_rules_and_replay_refuse(refused: Refused) -> None:
    """Breadth stands in the tests of these commands."""
    assert "did you mean 'base'?" in refused("rules", "show", "bas")
    assert "no such run folder" in refused("replay", "nowhere")
    assert refused("report", "mine.py").endswith("give --game: equipoise report --game mine.py")
    assert "No such option: --indx" in refused("replay", "--indx", 3)
    assert "Missing argument" in refused("rules", "diff", "base")


@pytest.mark.usefixtures("made")
def test_damaged_runs_are_refused_by_every_reader(refused: Refused) -> None:
    manifest = Path("run/manifest.json")
    whole = manifest.read_text()
    for text, says in (
        ("", "cannot be read"),
        ("[1, 2]", "format is 'None'"),
        ("{", "cannot be read"),
        ('{"format": "equipoise-run/9"}', "format is 'equipoise-run/9', not 'equipoise-run/2'"),
        ('{"format": "equipoise-run/2"}', "Field required; the manifest was changed or damaged"),
        ("[" * 100_000, "cannot be read"),
        (signed(json.loads(whole) | {"game": "chess"}), "no game 'chess'"),
        (signed(json.loads(whole) | {"strategy_tables": []}), "the strategies do not match strategy_tables"),
        (json.dumps(json.loads(whole) | {"surprise": 1}), "surprise"),
    ):
        manifest.write_text(text)
        assert says in refused("replay", "run", left=("run",))
        assert says in refused("export", "run", "--out", "x.csv", left=("run",))
    manifest.unlink()
    assert refused("replay", "run", left=("run",)) == "run: not a run folder; it has no manifest.json"
    manifest.mkdir()
    assert "not a file" in refused("replay", "run", left=("run",))


LONG = "9" * 5000


@pytest.mark.parametrize(
    "line",
    [
        *(
            f"simulate {option} {LONG}"
            for option in ("--games", "--seed", "--threads", "--players", "--game", "--design")
        ),
        *(f"simulate {option} {LONG}" for option in ("--strategies", "--rules", "--set", "--format", f"--{LONG}")),
        f"replay --index {LONG}",
        f"report --game middle-ages --margin {LONG}",
        f"export {LONG} --out x.csv",
        f"check {LONG}.toml",
        f"tune --budget {LONG}",
        f"bench --only {LONG}",
        f"restrict --forbid {LONG}",
        f"{LONG}",
    ],
    ids=lambda line: line[:40],
)
def test_what_is_quoted_is_cut(refused: Refused, line: str) -> None:
    assert len(refused(*line.split())) <= 1000


def test_an_empty_table_is_no_setting(refused: Refused) -> None:
    said = refused("simulate", "--set", "tiles.faces={}")
    assert said == "setting tiles.faces={}: an empty table changes nothing; name a key and its value"
