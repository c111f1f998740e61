"""`equipoise check` as its user meets it: a first baseline, verdicts and exit codes, files, and what it refuses."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable
from contextlib import suppress
from html import unescape
from pathlib import Path
from xml.etree import ElementTree

import pytest

from analysis.check.baseline import signed
from equipoise.questions import check as checking
from simcore.errors import UsageError
from tests.equipoise.conftest import Cli

NAME = "configs/middle-ages/baselines/default.toml"
FIRST = ("check", "--update", "--game", "middle-ages", "--players", "2", "--strategies", "greedy", "--games", "4000")


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A repository with a first baseline, made by the command."""
    from equipoise.cli import app, run

    root = tmp_path_factory.mktemp("repository")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(root)
        assert run(app, list(FIRST)) == 0
    return root


@pytest.fixture
def here(made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of it, in which commands are run."""
    root = tmp_path / "repository"
    shutil.copytree(made, root)
    monkeypatch.chdir(root)
    return root


def edit(root: Path, *changes: tuple[str, str]) -> None:
    path = root / NAME
    text = path.read_text(encoding="utf-8")
    for old, new in changes:
        assert re.search(old, text, re.MULTILINE), old
        text = re.sub(old, new, text, count=1, flags=re.MULTILINE)
    with suppress(UsageError, KeyError, AttributeError):  # what cannot be read has no digest
        text = signed(text)
    path.write_text(text, encoding="utf-8")


def test_a_first_baseline_is_small_and_passes(here: Path, cli: Cli) -> None:
    text = (here / NAME).read_text(encoding="utf-8")
    assert len(text.splitlines()) < 60
    assert 'win_share_by_seat = "0.5pp"' in text
    assert sorted(path.name for path in (here / NAME).with_suffix("").iterdir()) == [
        "rules.toml",
        "strategy-greedy.toml",
    ]
    said = cli("check")
    assert said.code == 0, said
    assert "PASS: the game plays as it did." in said.out
    assert cli("rules", "diff", f"{NAME.removesuffix('.toml')}/rules.toml", "base").code == 0


def test_a_skill_is_kept_in_the_baseline_and_honoured_later(
    cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    first = ("check", "--update", "--game", "middle-ages", "--players", "2", "--games", "1000")
    assert cli(*first, "--skill", "family").code == 0
    text = (tmp_path / NAME).read_text(encoding="utf-8")
    assert 'skill = "family"' in text and 'seated = ["greedy"]' in text
    said = cli("check")
    assert said.code == 0 and "PASS: the game plays as it did." in said.out, said
    told = " ".join(cli("check", "--skill", "club", "--games", "1000").out.split())
    assert "planner" in told and "The strategies changed" in told, told
    assert (
        f"--skill: cannot be combined with --update, as {NAME} exists; change it there, or name another file"
        in cli("check", "--update", "--skill", "club").err
    )
    edit(tmp_path, ('"family"', '"famly"'))
    assert "default.toml: skill: no skill 'famly'; did you mean 'family'" in cli("check").err
    edit(tmp_path, ('skill = "famly"', 'skill = "family"\nstrategies = ["greedy"]'))
    assert "skill: says who plays, and so does strategies; leave out one of the two" in cli("check").err


def test_an_update_keeps_the_users_part_and_changes_nothing_else(here: Path, cli: Cli) -> None:
    edit(here, (r"^\[margins\].*$", "[margins]  # mine"))
    before = (here / NAME).read_text(encoding="utf-8")
    (here / NAME).with_suffix("").joinpath("strategy-gone.toml").write_text("x", encoding="utf-8")
    assert cli("check", "--update").code == 0
    assert (here / NAME).read_text(encoding="utf-8") == before
    assert not (here / NAME).with_suffix("").joinpath("strategy-gone.toml").exists()


def test_a_change_fails_and_every_file_says_so(here: Path, cli: Cli) -> None:
    (here / "runs").mkdir()
    said = cli(
        "check",
        "--set",
        "starting_coins=[0, 30, 0, 0, 0]",
        "--games",
        "4000",
        "--github",
        "--out",
        "a.json",
        "--junit",
        "a.xml",
        "--markdown",
        "a.md",
        "--gitlab",
        "quality.json",
        "--page",
        "runs/check.html",
    )
    assert said.code == 1
    assert "The rules changed: starting_coins: [0, 0, 0, 0, 0] -> [0, 30, 0, 0, 0]." in said.out
    assert "FAIL: " in said.out
    command = "equipoise check --update --yes configs/middle-ages/baselines/default.toml"
    assert command in " ".join(said.out.split())
    assert "::error file=configs/middle-ages/baselines/default.toml,line=" in said.err
    found = json.loads((here / "a.json").read_text(encoding="utf-8"))
    assert (found["verdict"], found["exit_code"]) == ("fail", 1)
    assert ElementTree.parse(here / "a.xml").getroot().tag == "testsuites"
    assert "FAIL" in (here / "a.md").read_text(encoding="utf-8")
    assert json.loads((here / "quality.json").read_text(encoding="utf-8"))
    text = unescape((here / "runs/check.html").read_text(encoding="utf-8"))
    count = len(found["checks"][0]["findings"])
    assert re.search(rf"default.toml: \d+ of {count} measures moved too far\.", text)
    assert '<span class="status">Fail</span>' in text
    assert "starting_coins" in text and "measures-1" in text and "shifts-1" in text
    assert cli("index", "--no-open").code == 0
    assert 'href="./check.html"' in (here / "runs/index.html").read_text(encoding="utf-8")
    again = cli("check", "--junit", "a.xml")
    assert again.code == 2
    assert "--junit: a.xml exists; name another file, or replace it with --force" in again.err
    assert cli("check", "--junit", "a.xml", "--force").code == 0


def test_the_page_of_a_check_says_in_french_that_nothing_changed(here: Path, cli: Cli) -> None:
    assert cli("check", "--page", "a.html", "--lang", "fr").code == 0
    text = unescape((here / "a.html").read_text(encoding="utf-8"))
    assert "le jeu se joue comme avant" in text and "parties témoins" in text
    said = cli("check", "--page", "a.txt")
    assert (said.code, said.err) == (2, "error: --page: a.txt: the name of a page ends in .html\n")


def test_too_few_games_are_inconclusive(here: Path, cli: Cli) -> None:
    said = cli("check", "--full", "--games", "1000", "--json")
    assert said.code == 3
    assert json.loads(said.out)["verdict"] == "inconclusive"
    assert said.err == ""


def test_threads_do_not_change_what_is_found(here: Path, cli: Cli, pools: list[int]) -> None:
    said = cli("check", "--full", "--games", "1000", "--threads", "1", "--json")
    assert set(pools) == {1}
    pools.clear()
    found = checking.check(NAME, full=True, games=1000, threads=3)
    assert max(pools) == 3
    told = json.loads(said.out)["checks"][0]["findings"]
    assert [(one["now"], one["low"], one["high"]) for one in told] == [
        (one.now, one.low, one.high) for one in found.findings
    ]
    refused = cli("check", "--threads", "0")
    assert (refused.code, refused.err.count("\n")) == (2, 1) and "--threads: 0 is out of range" in refused.err


def test_a_conflict_among_measured_values_is_mended_by_an_update(here: Path, cli: Cli) -> None:
    edit(here, (r"^score = \{.*$", "<<<<<<< HEAD\nscore = 1\n=======\nscore = 2\n>>>>>>> theirs"))
    said = cli("check")
    assert said.code == 2
    assert re.search(r"line \d+: a merge conflict is left in the file; run: equipoise check --update", said.err)
    assert cli("check", "--update").code == 0
    assert cli("check").code == 0


def test_an_edited_figure_is_refused(here: Path, cli: Cli) -> None:
    path = here / NAME
    text = path.read_text(encoding="utf-8")
    path.write_text(re.sub(r"(seat-1 = \{ value = 0\.)\d", r"\g<1>9", text, count=1), encoding="utf-8")
    said = cli("check")
    assert (said.code, said.out) == (2, "")
    assert "[measured] digest: does not match the figures below it; somebody edited a figure" in said.err
    path.write_text(re.sub(r"^digest = .*\n", "", text, flags=re.MULTILINE), encoding="utf-8")
    assert "[measured] digest: does not match" in cli("check").err


def test_update_prints_what_moved_and_asks_before_it_writes_over_broken_margins(here: Path, cli: Cli) -> None:
    edit(here, (r"(seat-1 = \{ value = 0\.)\d", r"\g<1>9"))
    before = (here / NAME).read_text(encoding="utf-8")
    said = cli("check", "--update")
    assert said.code == 2
    moved = [
        line for line in said.out.splitlines() if line.startswith("broken win_share_by_seat.seat-1 at 2 players: 9")
    ]
    assert len(moved) == 1
    assert moved[0].endswith("margin 0.50 pp")
    assert "1 margins are broken, so the file was left as it is; if this is intended, give --yes" in said.err
    assert (here / NAME).read_text(encoding="utf-8") == before
    assert cli("check", "--update", "--yes").code == 0
    assert cli("check").code == 0
    again = cli("check", "--update")
    assert again.code == 0
    assert "broken" not in again.out
    assert "moved" not in again.out


def test_a_run_with_a_seed_says_that_it_is_not_the_verdict(here: Path, cli: Cli) -> None:
    remark = "This is not the verdict of the baseline: the option 'seed' chose the deals."
    assert remark in " ".join(cli("check", "--seed", 77).out.split())
    assert json.loads(cli("check", "--seed", 77, "--json").out)["checks"][0]["chosen_seed"] is True
    assert "not the verdict" not in cli("check").out


SHA = "0" * 64
BAD: list[tuple[tuple[tuple[str, str], ...], str]] = [
    (((r"^players", "<<<<<<< HEAD\nplayers"),), "a merge conflict is left in the file; resolve it"),
    (((r'"middle-ages"', '"chess"'),), "game: no game 'chess' in this version; known: "),
    ((("equipoise-baseline/1", "equipoise-baseline/2"),), "is another kind or version of file"),
    ((("equipoise-baseline/1", "equipoise-rules/1"),), "is another kind or version of file"),
    (((r"^win_share_by_seat = ", "win_share_by_saet = "),), "no such measure; did you mean 'win_share_by_seat'?"),
    (((r"^score = ", "scroe = "),), "scroe: no such measure; did you mean 'score'?"),
    (((r'"0.5pp"', "0.005"),), 'is not a margin of a share; write points, as in "0.5pp"'),
    (((r'"0.5pp"', '"0pp"'),), "is not a margin of a share"),
    (((r"^score = [\d.]+$", 'score = "1pp"'),), "is not a margin; write a number above zero"),
    (((r"^score = [\d.]+$", "score = nan"),), "must be a finite number, not NaN"),
    (((r"^score = [\d.]+$", "score.seat-1 = 1"),), "put the whole name in quotes"),
    (((r"^\[margins\](.|\n)*?\n\n", ""), ("^format", "margins = 3\nformat")), "margins: must be a table"),
    (((r"^score = [\d.]+$", "spread = 1"),), "spread: not measured at 2 players; check the name, or run: "),
    (((r"^players = \[\n?.*2.*$", "players = [2, 3]"),), "players: 3 is not measured yet; run: "),
    (((r"^players = \[\n?.*2.*$", "players = [2, 9]"),), "players: Middle-Ages is for 2 to 5 players, not 9"),
    (((r"^players = \[\n?.*2.*$", "players = [2, 2]"),), "players: a number is given twice"),
    (((r"^players = \[\n?.*2.*$", "players = []"),), "players: must have at least 1"),
    (((r"^players = \[\n?.*2.*$", "players = 2"),), "players: must be a list"),
    (((r"^rules = .*$", 'rules = "bsae"'),), "rules: no rules 'bsae'; did you mean 'base'?"),
    (((r"^rules = .*$", 'rules = "none.toml"'),), "none.toml: no such file"),
    (((r'"greedy",?\]?$', '"greddy"]'),), "strategies: 'greddy' is not a shipped name"),
    (((r'"greedy",?\]?$', '"os:system"]'),), "is code, which a baseline does not run"),
    (((r"^games = 4000", "games = 4000\nspede = 1"),), "spede: unknown key; did you mean 'seed'?"),
    (((r"(golden = )\".*\"", r'\1"abc"'),), "golden: "),
    (((r"seat-1 = \{ value = [\d.]+", "seat-1 = { value = 44"),), "44 is not a share"),
    (((r"seat-1 = \{ value = [\d.]+", "seat-1 = { value = nan"),), "must be a finite number"),
    (((r"error = [\d.]+", "error = -1.0"),), "must be 0.0 or more"),
    (((r"seat-1 = \{", "seat-7 = {"),), "seat-7: no such measure"),
    (((r"card_score.alliance = ", "card_score.alianc = "),), "no such measure; did you mean 'card_score.alliance'?"),
    (((r"^\[measured\.strategies\]\n.*$", f'[measured.strategies]\ngreedy = "{SHA}"'),), "was measured with; restore"),
    (((r"^seated = .*$", 'seated = ["random"]'),), "seated: names other strategies"),
    (((r"^score = \{.*$", "score = 3"),), "[measured.2-players] score: must be { value = .., error = .. }; run: "),
    (((r"^\[measured\](.|\n)*", ""), ("^format", "measured = 3\nformat")), "measured: must be a table; run: "),
    (((r"^\[measured\.2(.|\n)*", ""), ("^seated", "2-players = 3\nseated")), "2-players: must be a table"),
    (((r"^games = 4000", 'games = 4000\ndesign = "fixed"'),), "design: not what was measured; run: "),
    (((r"^\[measured(.|\n)*", ""),), "nothing is measured yet; run: equipoise check --update"),
    (
        ((r"^\[margins\](.|\n)*?\n\n", ""),),
        "contains nothing to check; name measures in [margins] or rules in [limits]",
    ),
    (
        ((r"^\[measured\]", '[limits]\nmax_seat_deviation = "a lot"\n\n[measured]'),),
        "max_seat_deviation: 'a lot' is no",
    ),
    (((r"^\[measured\]", "[limits]\nno_dominant_strategy = 0.6\n\n[measured]"),), "needs several strategies"),
    (((r"^\[measured\]", '[limits]\nmax_card_swing = "5pp"\n\n[measured]'),), "max_card_swing: not measured yet"),
    (((r"^\[measured\]", "[judge]\nfalse_alarms = 2.0\n\n[measured]"),), "false_alarms: must be less than 0.5"),
    (((r"^\[measured\]", '[judge]\nmethod = "tarot"\n\n[measured]'),), "method: must be 'interval' or 'gsprt'"),
]


@pytest.mark.parametrize(("changes", "message"), BAD, ids=[message[:40] for _, message in BAD])
def test_a_spoiled_baseline_is_refused_in_one_line(
    here: Path, cli: Cli, changes: tuple[tuple[str, str], ...], message: str
) -> None:
    edit(here, *changes)
    said = cli("check")
    assert said.code == 2, said
    assert said.out == ""
    assert message in said.err
    assert NAME in said.err
    assert said.err.startswith("error: ")
    assert said.err.count("\n") == 1


def test_a_spoiled_copy_is_refused(here: Path, cli: Cli) -> None:
    path = (here / NAME).with_suffix("") / "rules.toml"
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace("empty_domain_penalty = 10", "empty_domain_penalty = 11"), encoding="utf-8")
    said = cli("check")
    assert said.code == 2
    assert (
        "rules.toml: is not what configs/middle-ages/baselines/default.toml was measured with; restore it" in said.err
    )


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "no baseline in configs/*/baselines/*.toml; make one with: equipoise check --update --game middle-ages"),
        (["--game", "middle-ages"], "no baseline in configs/middle-ages/baselines/*.toml; make one with: "),
        (["--game", "mdidle-ages"], "did you mean 'middle-ages'?"),
        (["none.toml"], "none.toml: no such baseline; make it with: "),
        (["--update"], "--update: there is no baseline here yet; name its game with --game"),
        (["--update", "--game", "middle-ages", "/proc/it.toml"], "--update: /proc/it.toml cannot be written"),
        (["--update", "--game", "middle-ages", "here.txt"], "here.txt: the name of a baseline must end in .toml"),
        (["--update", "--game", "middle-ages", "--players", "2,x"], "--players: 'x' is not a number"),
        (["--update", "--game", "middle-ages", "--players", "7"], "Middle-Ages is for 2 to 5 players, not 7"),
        (["--update", "--game", "middle-ages", "--strategies", "greddy"], "'greddy' is not a shipped name"),
        (["--update", "--full"], "--full: cannot be combined with --update"),
        (["--update", "--junit", "a.xml"], "--junit: cannot be combined with --update"),
        (["--players", "2"], "--players: is only used for a first baseline"),
        (["--games", "10"], "--games: 10 is out of range"),
    ],
)
def test_what_cannot_be_done_is_said_in_one_line(
    refused: Callable[..., str], arguments: list[str], message: str
) -> None:
    assert message in refused("check", *arguments)


def test_what_the_file_says_is_changed_in_the_file(here: Path, cli: Cli) -> None:
    said = cli("check", "--update", "--players", "3")
    assert said.code == 2
    assert f"--players: cannot be combined with --update, as {NAME} exists; change it there" in said.err


def test_outputs_are_refused_before_any_game_is_played(here: Path, cli: Cli) -> None:
    assert "--junit: configs is a folder" in cli("check", "--junit", "configs").err
    assert "No such file or directory: none" in cli("check", "--markdown", "none/a.md").err
    assert "is also the file of --out" in cli("check", "--out", "a", "--junit", "a").err
    assert cli("check", "--game", "middle-ages", "--seed", "1", "--full").code == 2


def test_the_files_of_a_check_appear_together_or_not_at_all(
    here: Path, cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While it plays, a stranger's file takes a name that was free."""
    monkeypatch.setattr("equipoise.output.checks.junit", lambda checks: str(Path("check.xml").write_text("<mine/>")))
    said = cli("check", "--out", "check.json", "--junit", "check.xml")
    assert (said.code, Path("check.json").exists()) == (2, False)
    assert "--junit: check.xml exists" in said.err


def test_a_baseline_of_another_game_is_refused(here: Path, cli: Cli) -> None:
    """Where it lies does not matter if the file says otherwise."""
    text = (here / NAME).read_text(encoding="utf-8")
    (here / NAME).with_name("other.toml").write_text(text.replace('game = "middle-ages"', 'game = "go"'), "utf-8")
    said = cli("check", "--game", "middle-ages")
    assert said.code == 2
    assert "other.toml: is a baseline of go, not of middle-ages" in said.err


@pytest.mark.parametrize("guarded", ['[margins]\nrich = "9pp"', "[limits]\nrich = { max = 0.9 }"])
def test_a_baseline_is_not_judged_by_another_measure_of_the_same_name(tmp_path: Path, cli: Cli, guarded: str) -> None:
    mine, path = tmp_path / "mine.toml", tmp_path / "baseline.toml"
    mine.write_text('extends = "base"\n[measures]\nrich = "most(coins) >= 150"\n')
    path.write_text(
        'format = "equipoise-baseline/1"\ngame = "middle-ages"\nrules = "mine.toml"\nplayers = [2]\ngames = 1000\n'
        f'strategies = ["random"]\n{guarded}\n'
    )
    assert cli("check", "--update", path).code == 0
    assert cli("check", path).code == 0
    mine.write_text(mine.read_text().replace("150", "151"))
    said = cli("check", path)
    assert said.code == 2
    assert "rich: the rules declare another measure" in said.err
