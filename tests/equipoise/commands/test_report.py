"""`equipoise report`: files, options, and what is said when runs are short, odd or damaged."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import equipoise as eq
from analysis.runs.manifest import CHECKSUM, signed
from analysis.runs.writer import RunWriter
from equipoise.api import reporting
from equipoise.cli import app, run
from reports.study.study import Planned
from simcore.errors import UsageError
from simcore.running.executors import PlayedPart
from tests.equipoise.conftest import Cli
from tests.machine.left import content
from tests.manifests import edit, manifest_of
from tests.specs import make_spec
from tests.undrawn import leave_blank

FEW = ("--deals", "20")
QUICK = (*FEW, "--quick")
"""Where it does not matter what the page says."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run of a table of four strategies."""
    path = tmp_path_factory.mktemp("run") / "r"
    assert (
        run(
            app,
            [
                "simulate",
                "--quiet",
                "--games",
                "400",
                "--strategies",
                "planner,warlord,greedy,scout",
                "--out",
                str(path),
            ],
        )
        == 0
    )
    return path


@pytest.fixture
def copy(folder: Path, tmp_path: Path) -> Path:
    """A copy of the run that may be spoilt."""
    return Path(shutil.copytree(folder, tmp_path / "copy"))


def change(folder: Path, **values: Any) -> None:
    """Change a manifest."""
    path = folder / "manifest.json"
    table = json.loads(path.read_text()) | values
    del table[CHECKSUM]
    path.write_text(signed(table), encoding="utf-8")


def test_page_lies_beside_the_run_and_verdicts_are_printed(cli: Cli, copy: Path) -> None:
    said = cli("report", copy, *QUICK)
    assert said.code == 0, said.err
    page = copy / "report.html"
    assert said.out.splitlines()[-1] == str(page)
    assert "Tilted: Planner wins more from seat 1 than from its other seats" in said.out
    assert said.out.splitlines()[0] in said.err.splitlines()  # the answer was told before the page was made
    assert page.read_text(encoding="utf-8").startswith("<!doctype html>")
    again = cli("report", copy, *FEW)
    assert again.code == 2
    assert "exists" in again.err
    assert "--force" in again.err
    assert cli("simulate", "--quiet", "--games", 8, "--out", copy, "--force").code == 0
    assert not page.exists()


def test_all_formats(cli: Cli, folder: Path, tmp_path: Path) -> None:
    said = cli("report", folder, "--out", tmp_path / "all", "--format", "html,md,pdf,png,csv", "--lang", "fr", *QUICK)
    assert said.code == 0, said.err
    made = tmp_path / "all"
    assert sorted(path.name for path in made.iterdir()) == [
        "report-data",
        "report-figures",
        "report.html",
        "report.md",
        "report.pdf",
    ]
    assert (made / "report.pdf").read_bytes().startswith(b"%PDF-")
    for path in (made / "report-figures").iterdir():
        assert path.read_bytes().startswith(b"\x89PNG")
    text = (made / "report.md").read_text(encoding="utf-8")
    for name in (path.name for path in (made / "report-figures").iterdir()):
        assert f"(<report-figures/{name}>)" in text
    assert text.startswith("<!-- Equipoise -->\n# Middle-Ages")
    assert "## Sièges" in text
    seats = pl.read_csv(made / "report-data" / "table-seats.csv")
    assert seats["seat"].to_list() == [1, 2, 3, 4]
    assert seats["share"].sum() == pytest.approx(1)
    assert len(list((made / "report-data").glob("figure-*.csv"))) == len(list((made / "report-figures").iterdir()))


def test_without_runs_it_simulates_what_it_takes(cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of what `plan` names at two numbers of players; those who look ahead take most of the time and are left out."""
    sizes, plan = (2, 4), reporting.plan

    def planned(*given: Any) -> list[Planned]:
        return [run for run in plan(*given) if not run.spec.searches]

    monkeypatch.setattr(reporting, "plan", planned)
    leave_blank(monkeypatch.setattr, "seats")
    out = tmp_path / "whole"
    said = cli("report", "--game", "middle-ages", "--games", 900, "--players", "2,4", "--out", out, "--seed", 3, *FEW)
    assert said.code == 0, said.err
    names = {path.name for path in (out / "runs").iterdir()}
    assert {f"{players}p-{skill}" for players in sizes for skill in ("random", "greedy", "champion")} <= names
    assert "4p-planner" in names
    assert {name[:2] for name in names if not name.startswith("company")} == {"2p", "4p"}
    page = (out / "report.html").read_text(encoding="utf-8")
    seats = re.search(r'<figure id="figure-seats".*?</figure>', page, re.DOTALL)
    assert seats
    assert {f'data-players="{players}"' in seats[0] for players in sizes} == {True}
    assert page.count('id="figure-skill"') == 1
    assert 'id="figure-match-ups"' in page
    again = cli("report", "--game", "middle-ages", "--games", 120, "--out", out)
    assert again.code == 2
    assert "exists" in again.err


def test_force_replaces_the_runs_that_a_report_simulated(
    cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    runs = [Planned(name, make_spec(2, games=60), "standard") for name in ("first", "second")]
    monkeypatch.setattr(reporting, "plan", lambda *given: runs)
    out = tmp_path / "whole"
    command = "report", "--game", "middle-ages", "--out", out, *QUICK
    assert cli(*command).code == 0
    refused = cli(*command)
    assert refused.code == 2 and "exists" in refused.err
    before, begun = content(out), [out / "runs.new" / run.name for run in runs]
    runs[:] = [Planned(run.name, make_spec(2, games=60, seed=2), "standard") for run in runs]
    finished = RunWriter.finished

    def stopped(writer: RunWriter, part: PlayedPart) -> None:
        if writer.place.path == begun[1]:
            raise KeyboardInterrupt
        finished(writer, part)

    with monkeypatch.context() as patch:
        patch.setattr(RunWriter, "finished", stopped)
        said = cli(*command, "--force")
    assert said.code == 130
    assert f"{out / 'runs.new'} holds the games that were complete" in said.err
    assert before.items() <= content(out).items()
    for new in begun:
        edit(new, started="2026-11-28T00:00:00+00:00")
    again = cli(*command, "--force")
    assert again.code == 0, again.err
    assert {manifest_of(out / "runs" / run.name)["started"] for run in runs} == {"2026-11-28T00:00:00+00:00"}
    assert not (out / "runs.new").exists()
    (out / "report.html").unlink()  # as if it had been stopped before the page
    with monkeypatch.context() as patch:
        patch.setattr(RunWriter, "finished", lambda writer, part: pytest.fail("the same games are played again"))
        assert cli(*command, "--force").code == 0


def test_threads_play_the_runs_and_replay_the_cards_and_change_nothing(
    cli: Cli, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, pools: list[int]
) -> None:
    """One format goes into a file, or a folder, of its own name."""
    tables = []
    for threads in (1, 3):
        out = tmp_path / str(threads)
        out.mkdir()
        line = "report", folder, *QUICK, "--threads", threads, "--quiet", "--format", "csv", "--out", out / "mine.html"
        said = cli(*line)
        assert said.code == 0, said.err
        assert set(pools) == {threads}
        assert [path.name for path in out.iterdir()] == ["mine-data"]
        pools.clear()
        tables.append({path.name: path.read_bytes() for path in (out / "mine-data").iterdir()})
    assert tables[0] == tables[1] != {}
    used = []
    playing = reporting.RunInProgress
    monkeypatch.setattr(
        reporting, "RunInProgress", lambda spec, threads, *rest: used.append(threads) or playing(spec, threads, *rest)
    )
    monkeypatch.setattr(reporting, "plan", lambda *given: [Planned("2p", make_spec(2, games=60), "standard")])
    eq.report(game="middle-ages", deals=20, quick=True, threads=3, out=tmp_path / "played", format="csv")
    assert used == [3] and max(pools) == 3


def test_margin_moves_the_verdict_and_the_page_is_opened_when_asked(
    cli: Cli, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[str] = []
    monkeypatch.setattr("typer.launch", opened.append)
    page = tmp_path / "page.html"
    wide = cli("report", folder, "--margin", "60pp", "--out", page, *QUICK)
    assert "all seats are within 240% of par (60.0 points)" in wide.out and opened == []
    narrow = cli("report", folder, "--margin", "0.1pp", "--out", page, "--force", "--open", *QUICK)
    assert narrow.code == 0 and "all seats are within" not in narrow.out
    assert opened == [str(page)]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--players", "6"), "--players: Middle-Ages is for 2 to 5 players, not 6"),
        (("nowhere",), "nowhere: no such run folder"),
        (("no.where",), "no.where: no such run folder"),
        (("nowhere.csv", "--teams", "1/2"), "nowhere.csv: no such file or directory; name a CSV, Parquet or JSON file"),
        (("nowhere.csv",), "nowhere.csv: no such file or directory; name a CSV, Parquet or JSON file"),
        ((__file__,), "no such run folder; for a report on the game, give --game: equipoise report --game "),
        (("RUN", "--game", "middle-ages"), "--game: the runs say what was played; leave out the option or the runs"),
        (("RUN", "--games", "10"), "--games: the runs say what was played"),
        (("RUN", "--players", "3"), "--players: the runs say what was played; leave out the option or the runs"),
        (("--game", "middle-ages", "--players", "3,6"), "--players: Middle-Ages is for 2 to 5 players, not 6"),
        (("--game", "middle-ages", "--players", "few"), "players: 'few' is not a number"),
        (("RUN", "--set", "shortfall=debt"), "--set: the runs say what was played"),
        (("RUN", "--out", "/proc/page.html"), "--out: /proc/page.html cannot be written"),
        (("--game", "middle-ages", "--games", "4e9", "--out", "/proc/whole"), "/proc/whole/report.html cannot be"),
        (("--game", "chess"), "no game 'chess'"),
        (("RUN", "RUN"), "given twice"),
        (("RUN", "--format", "docx"), "no format 'docx'"),
        (("RUN", "--format", "htm"), "did you mean 'html'?"),
        (("RUN", "--margin", "wide"), "'wide' is not a margin"),
        (("RUN", "--margin", "0pp"), "is not a margin"),
        (("RUN", "--deals", "many"), "--deals: 'many' is not a number"),
        (("RUN", "--lang", "de"), "'de'"),
        (("RUN", "--out", "page.docx"), "neither a folder nor an .html file"),
    ],
)
def test_what_cannot_be_used_is_said_in_a_line(
    refused: Callable[..., str], folder: Path, arguments: tuple[str, ...], words: str
) -> None:
    assert words in refused("report", *(str(folder) if part == "RUN" else part for part in arguments))


@pytest.mark.parametrize("asked", [{"game": "middle-ages"}, {"players": 4}, {"settings": ["starting_coins=20"]}])
def test_runs_say_what_was_played(folder: Path, asked: dict[str, Any]) -> None:
    with pytest.raises(UsageError, match=rf"^{next(iter(asked))}: the runs say what was played; leave out"):
        eq.report(folder, **asked)


def test_run_cut_short(cli: Cli, copy: Path) -> None:
    """A run that ended early is taken with --partial only, and the page says so at the top."""
    change(copy, status="interrupted", games=4000, digest=None)
    said = cli("report", copy, *FEW)
    assert said.code == 2
    assert "was interrupted (400 of 4,000 games are complete)" in said.err
    assert not (copy / "report.html").exists()
    said = cli("report", copy, "--partial", *QUICK)
    assert said.code == 0, said.err
    assert "was cut short: it has 400 of 4,000 games." in (copy / "report.html").read_text(encoding="utf-8")


def test_other_version(cli: Cli, copy: Path) -> None:
    change(copy, format="equipoise-run/9")
    said = cli("report", copy, *FEW)
    assert said.code == 2
    assert "made by another version of Equipoise?" in said.err


def test_empty_run(cli: Cli, copy: Path) -> None:
    change(copy, status="interrupted", parts=[], games_written=0, rows=0, digest=None)
    said = cli("report", copy, "--partial", *FEW)
    assert said.code == 2
    assert "no rows" in said.err


def test_missing_part(cli: Cli, copy: Path) -> None:
    next((copy / "games").iterdir()).unlink()
    said = cli("report", copy, *FEW)
    assert said.code == 2
    assert "missing; the run folder is incomplete" in said.err


@pytest.mark.parametrize("where", ["end", "middle"])
def test_damaged_part(cli: Cli, copy: Path, where: str) -> None:
    part = next((copy / "games").glob("*.parquet"))
    data = bytearray(part.read_bytes())
    if where == "end":
        part.write_bytes(data[:-40])
    else:
        data[8 : len(data) // 2] = b"\xff" * (len(data) // 2 - 8)
        part.write_bytes(data)
    said = cli("report", copy, *FEW)
    assert said.code == 2, said.out
    assert "damaged" in said.err
    assert said.err.count("\n") == 1
    assert not (copy / "report.html").exists()


def test_one_game_says_what_it_cannot_say(cli: Cli, tmp_path: Path) -> None:
    """One game of a single strategy: a page without a verdict on anything that takes an interval."""
    out = tmp_path / "one"
    assert cli("simulate", "--quiet", "--games", 1, "--out", out).code == 0
    said = cli("report", out, "--deals", 1)
    assert said.code == 0, said.err
    page = (out / "report.html").read_text(encoding="utf-8")
    assert "Too few deals" in page
    for word in ('class="tilted"', 'class="fair"'):
        assert word not in page
    assert not re.search(
        r"\b(nan|inf|None|null)\b", re.sub(r"<script>.*?</script>|\"data:[^\"]*\"", "", page, flags=re.DOTALL)
    )


def test_part_of_a_deal_is_no_deal(cli: Cli, tmp_path: Path) -> None:
    out = tmp_path / "two"
    strategies = "planner,greedy,greedy,greedy"
    assert cli("simulate", "--quiet", "--games", 2, "--strategies", strategies, "--out", out).code == 0
    said = cli("report", out, "--deals", 1)
    assert "Traceback" not in said.err
    assert said.code in (0, 2)
    if said.code == 2:
        assert "games are fewer than one complete deal of 4" in said.err


def test_single_strategy_says_why_strategies_cannot_be_compared(cli: Cli, tmp_path: Path) -> None:
    out = tmp_path / "single"
    assert cli("simulate", "--quiet", "--games", 60, "--strategies", "greedy", "--players", 2, "--out", out).code == 0
    assert cli("report", out, *FEW).code == 0
    assert "Only one strategy played at each table" in (out / "report.html").read_text(encoding="utf-8")


def test_a_report_goes_on_with_the_runs_that_it_simulates(
    cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of what an earlier call left, whole runs are taken as they are, and others go on."""
    command = ("report", "--game", "middle-ages", *QUICK, "--no-open", "--out", tmp_path / "page")
    planned = [Planned(name, make_spec(3, [name] * 3, games=60), "minimal") for name in ("random", "greedy")]
    monkeypatch.setattr(reporting, "plan", lambda *arguments: planned)

    def stopped(*arguments: object) -> None:
        raise UsageError("the power failed")

    with monkeypatch.context() as patch:
        patch.setattr("reports.study.compose.compose", stopped)
        assert cli(*command).code == 2
    runs = sorted((tmp_path / "page/runs").iterdir())
    whole = [content(run) for run in runs]
    edit(runs[0], status="interrupted", digest=None, parts=[], games_written=0, rows=0, totals=None)
    began = [manifest_of(run)["started"] for run in runs]
    assert cli(*command).code == 0
    assert [content(run) for run in runs] == whole
    assert [manifest_of(run)["started"] for run in runs] == began
