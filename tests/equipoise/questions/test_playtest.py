"""`equipoise playtest`: what it prints and writes, logs of moves, and what it refuses."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import polars as pl
import pytest

import equipoise as eq
from analysis.playtest import PLANNED, result
from tests.equipoise.conftest import Cli
from tests.toy import TOY

EXAMPLE = Path(__file__).resolve().parents[3] / "docs/example-games.csv"


@pytest.fixture(autouse=True)
def few_sets(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make up fewer results where their number does not matter."""
    monkeypatch.setattr(result, "SETS", 10)
    monkeypatch.setattr(result, "MORE_SETS", 10)


LINE = ("--strategies", "random|greedy", "--games", 400)


def test_the_example_in_the_terminal_on_the_page_and_as_data(cli: Cli, tmp_path: Path) -> None:
    out = tmp_path / "page"
    said = cli("playtest", EXAMPLE, *LINE, "--out", out, "--lang", "fr")
    assert said.code == 0, said
    told = " ".join(said.out.split())
    assert "24 parties de 3 groupes, 4 joueurs" in told and "aucun de ceux-là" in told
    assert "made_by" in told
    assert all(len(line) <= 80 for line in said.out.splitlines() if str(tmp_path) not in line)
    page = (out / "playtest.html").read_text(encoding="utf-8")
    assert "parties réelles" in page and "aucun de ceux-là" in page and "<svg" in page
    found = json.loads((out / "playtest.json").read_text(encoding="utf-8"))["results"][0]
    assert sum(row["posterior"] for row in found["table"]) == pytest.approx(1)
    assert [row["wins"] for row in found["shares"]] == pl.read_csv(EXAMPLE).group_by("seat", maintain_order=True).agg(
        pl.col("winner").sum()
    )["winner"].to_list()
    assert pl.read_parquet(out / "playtest.parquet").height == 24 * 4
    same = eq.playtest(EXAMPLE, strategies=["random", "greedy"], games=400)
    assert same.table["posterior"].to_list() == [row["posterior"] for row in found["table"]]


def test_a_skill_says_how_far_the_ladder_goes(cli: Cli) -> None:
    said = cli("playtest", "--plan", 12, "--skill", "club", "--games", 400, "--format", "none", "--json")
    assert said.code == 0, said
    (answer,) = json.loads(said.out)["results"]
    assert {(row["weak"], row["strong"]) for row in answer["table"]} == {
        ("random", "greedy"),
        ("random", "planner"),
        ("greedy", "planner"),
    }
    said = cli("playtest", "--plan", 12, "--skill", "club", *LINE)
    assert said.code == 2
    assert "--skill: says who plays, and so do the strategies that you name" in said.err


def test_the_example_says_who_made_it() -> None:
    assert set(pl.read_csv(EXAMPLE)["made_by"]) == {"simulated planner", "simulated champion"}


def test_a_plan(cli: Cli) -> None:
    said = cli("playtest", "--plan", 30, "--groups", 3, *LINE, "--format", "none", "--json")
    assert said.code == 0, said
    (answer,) = json.loads(said.out)["results"]
    assert [row["games"] for row in answer["table"]] == [30]
    assert "30 games distinguish random from greedy in" in answer["verdicts"][0]
    shown = cli("playtest", "--plan", 12, *LINE, "--format", "none")
    assert shown.code == 0 and "random" in shown.out and "before any of them is played" in " ".join(shown.out.split())


def test_roles_and_a_game_without_a_score(cli: Cli, tmp_path: Path) -> None:
    file = tmp_path / "siege.csv"
    game = "3,warlord,{0},A\n3,burgher,{1},A\n3,burgher,0,A\n"
    file.write_text("players,role,winner,group\n" + (game.format(1, 0) + game.format(0, 1)) * 6)
    lines = "warlord=random,burgher=random|warlord=bully,burgher=steward"
    said = cli("playtest", file, "--game", TOY, "--strategies", lines, "--games", 300, "--format", "none", "--json")
    assert said.code == 0, said
    (answer,) = json.loads(said.out)["results"]
    assert [(row["what"], row["wins"]) for row in answer["shares"]] == [("warlord", 6), ("burgher", 6)]
    assert {row["what"] for row in answer["claims"]} == {"warlord", "burgher"}


@pytest.mark.parametrize(
    ("games", "plan"),
    [(60, "--plan 122 --groups 12 "), (2600, f"--plan {PLANNED[1]} --groups 520 "), (4999, "")],
)
def test_a_page_proposes_a_plan_of_more_games_at_the_usual_table(
    cli: Cli, tmp_path: Path, games: int, plan: str
) -> None:
    rows = [f"{game},{seat},{int(seat == 1 + game % 2)},{game // 5}" for game in range(games) for seat in (1, 2)]
    rows += [f"{games},{seat},{int(seat == 1)},0" for seat in (1, 2, 3)]  # one game of three
    file = tmp_path / "games.csv"
    file.write_text("\n".join(["game,seat,winner,group", *rows]))
    said = cli("playtest", file, *LINE, "--out", tmp_path / "page", "--format", "md")
    assert said.code == 0, said
    plans = re.findall(
        "`equipoise playtest (--plan [^`]+)`", (tmp_path / "page/playtest.md").read_text(encoding="utf-8")
    )
    assert plans == ([f"{plan}--game middle-ages --players 2"] if plan else [])


@pytest.mark.parametrize(
    ("lang", "says", "team"),
    [
        ("en", "With 4 players, team 1 probably wins most", "team 234"),
        ("fr", "l'équipe 1 gagne probablement", "équipe 234"),
    ],
)
def test_teams_are_called_teams(cli: Cli, tmp_path: Path, lang: str, says: str, team: str) -> None:
    file = tmp_path / "games.csv"
    rows = [f"{game},{seat},{int((seat == 1) == (game < 58))}" for game in range(60) for seat in (1, 2, 3, 4)]
    file.write_text("\n".join(["game,seat,winner", *rows]))
    out = tmp_path / "page"
    said = cli("playtest", file, "--teams", "1/234", *LINE, "--lang", lang, "--out", out, "--format", "md,json")
    assert said.code == 0, said
    page = (out / "playtest.md").read_text(encoding="utf-8")
    assert says in page and f"| {team} |" in page and "team-" not in page
    assert {"en": ": team ", "fr": ": l'équipe "}[lang] in page.replace("\u202f", "")
    assert not {"role", "rôle"} & set(re.findall(r"\w+", page))


def test_what_strangers_wrote_is_text_on_the_page(cli: Cli, tmp_path: Path) -> None:
    evil = "<script>alert(1)</script>"
    file = tmp_path / "games.csv"
    file.write_text(f"players,seat,winner,group,{evil}\n2,1,1,{evil},\n2,2,0,{evil},\n")
    said = cli("playtest", file, *LINE, "--out", tmp_path / "out", "--format", "html,csv")
    assert said.code == 0, said
    page = (tmp_path / "out/playtest.html").read_text(encoding="utf-8")
    assert evil not in page and "&lt;script&gt;alert(1)" in page


def written_log(folder: Path, strategies: str = "greedy,random", index: int = 5) -> Path:
    spec = eq.make_spec("middle-ages", 2, strategies.split(","), seed=9, games=100)
    path = folder / "evening.jsonl"
    path.write_text(eq.replay(spec, index).jsonl())
    return path


@pytest.mark.parametrize("index", [4, 5])
def test_a_log_is_played_again_and_counts_as_one_game(cli: Cli, tmp_path: Path, index: int) -> None:
    path = written_log(tmp_path, index=index)
    said = cli("playtest", "--log", path, *LINE, "--format", "none", "--json")
    assert said.code == 0, said
    (answer,) = json.loads(said.out)["results"]
    end = json.loads(path.read_text().splitlines()[-1])
    assert [row["won"] for row in answer["matches"]] == [part / 60 for part in end["share60"]]
    assert answer["matches"][0]["score"] == sum(end["final"]) / 2
    assert not [note for note in answer["notes"] if "not their moves" in note]


def test_a_log_that_breaks_the_rules_is_refused(refused: Callable[..., str], tmp_path: Path) -> None:
    path = written_log(tmp_path)
    whole = path.read_text()
    lines = whole.splitlines()
    at = next(number for number, line in enumerate(lines) if '"kind":"income"' in line)
    record = json.loads(lines[at])
    lines[at] = json.dumps(record | {"coins": record["coins"] + 1})
    path.write_text("\n".join(lines))
    said = refused("playtest", "--log", path, *LINE)
    assert said == f"{path}: line {at + 1}: not what these players do by these rules"
    path.write_text(whole)
    assert "played by other rules than 'base'" in refused(
        "playtest", "--log", path, *LINE, "--set", "effects.mill_coins=3"
    )
    path.write_text("\n".join(whole.splitlines()[:-1]))
    assert "the game has no end; the last line has to say 'share60'" in refused("playtest", "--log", path, *LINE)
    path.write_text(whole + whole)
    assert "more than one game in it" in refused("playtest", "--log", path, *LINE)
    path.write_text("[1]")
    assert "line 1: not a record of a replay log" in refused("playtest", "--log", path, *LINE)


def test_a_log_of_a_game_that_nobody_won_is_left_out_as_in_a_table(
    cli: Cli, refused: Callable[..., str], tmp_path: Path
) -> None:
    path, nobody = written_log(tmp_path), tmp_path / "nobody.jsonl"
    head, *rest, end = path.read_text().splitlines()
    people = json.dumps(json.loads(head) | {"strategies": ["Ann", "Ben"]})
    nobody.write_text("\n".join([people, *rest, json.dumps(json.loads(end) | {"share60": [0, 0]})]))
    for lang, says in (("en", "1 game was left out: nobody won (nobody.jsonl)"), ("fr", "1 partie est écartée")):
        said = cli("playtest", "--log", nobody, "--log", path, *LINE, "--format", "none", "--lang", lang)
        assert said.code == 0, said
        assert says in " ".join(said.out.split()) and "not their moves" not in said.out
    assert refused("playtest", "--log", nobody, *LINE).startswith(f"{nobody}: nobody won this game, or any other one")


def test_the_moves_of_people_are_not_checked_and_their_names_run_nothing(cli: Cli, tmp_path: Path) -> None:
    path = written_log(tmp_path)
    head, *rest = path.read_text().splitlines()
    (tmp_path / "evil.py").write_text(f"open({str(tmp_path / 'PWNED')!r}, 'w')")
    people = json.dumps(json.loads(head) | {"strategies": ["evil:at_all", str(tmp_path / "evil.py")]})
    path.write_text("\n".join([people, *rest]))
    said = cli("playtest", "--log", path, *LINE, "--format", "none")
    assert said.code == 0, said
    assert "Only the first line and the result of these logs were checked" in " ".join(said.out.split())
    assert not (tmp_path / "PWNED").exists()


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ((), "no results; name a table of them, or plan some games"),
        (("none.csv",), "none.csv: no such file or directory; name a CSV"),
        ((EXAMPLE, "--plan", 5), "--plan: a plan is made before there are results"),
        ((EXAMPLE, "--game", "chess"), "--game: no game 'chess'"),
        ((EXAMPLE, "--players", 3), "--players: the file says how many play"),
        (("--plan", 1), "--plan: 1 is out of range; give a whole number from 2 to 5,000"),
        (("--plan", 10, "--groups", 11), "--groups: 11 is out of range; give 1 to 10"),
        (("--plan", 10, "--strategies", "greedy"), "--strategies: a ladder has at least two levels of skill"),
        (("--plan", 10, "--strategies", "gredy|champion"), "did you mean 'greedy'?"),
        (("--plan", 10, "--strategies", "random|greedy,greedy,random,random"), "one strategy, or one for each role"),
    ],
)
def test_bad_input(refused: Callable[..., str], arguments: tuple[object, ...], says: str) -> None:
    assert says in refused("playtest", *arguments)


def test_a_plan_by_role_speaks_of_no_scores(cli: Cli) -> None:
    lines = "warlord=random,burgher=random|warlord=bully,burgher=steward"
    said = cli("playtest", "--plan", 12, "--game", TOY, "--strategies", lines, "--games", 300, "--format", "none")
    assert said.code == 0, said
    assert "bully + steward" in said.out and "score" not in said.out


def test_ctrl_c_while_the_ladder_is_played_keeps_what_is_whole(
    cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from equipoise.api import importing

    folder = tmp_path / "kept"
    folder.mkdir()
    monkeypatch.setattr("simcore.kernel.cache.beside_kernels", lambda name: folder)
    real = importing.play_table

    def pressed(spec: eq.Spec, *rest: object) -> object:
        if spec.strategies[0] == "greedy":
            raise KeyboardInterrupt
        return real(spec, *rest)

    line = ("playtest", EXAMPLE, *LINE, "--out", tmp_path / "out")
    with monkeypatch.context() as patch:
        patch.setattr(importing, "play_table", pressed)
        said = cli(*line)
    assert said.code == 130
    assert said.err.splitlines()[-1] == ("interrupted: what was played is kept; run the same command again to continue")
    (kept,) = folder.iterdir()
    assert not (tmp_path / "out").exists()
    whole = kept.read_bytes()
    kept.write_text("[" * 100_000)  # damaged: it is played again
    assert cli(*line, "--format", "none").code == 2 and cli(*line, "--format", "json").code == 0
    assert len(list(folder.iterdir())) == 2 and kept.read_bytes() == whole


def test_every_row_is_checked_before_anything_is_played(refused: Callable[..., str], tmp_path: Path) -> None:
    file = tmp_path / "games.csv"
    file.write_text("players,seat,winner\n2,1,1\n2,3,0\n")
    assert refused("playtest", file) == f"{file}: row 3: seat: '3' is no seat at a table of 2; give 1 to 2"
