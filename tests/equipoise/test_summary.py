"""A run that keeps totals in the place of rows answers what headlines are made from, exactly as the rows do."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import equipoise as eq
from analysis.data.results import Result
from analysis.headlines import summary_of
from analysis.runs.load import check_content
from analysis.runs.writer import SummaryWriter
from reports.sections.seats import seats
from reports.sections.strategies import strategies
from reports.study.study import Study
from simcore.errors import UsageError
from simcore.running.batch import run_chunk
from simcore.running.executors import PlayedPart
from simcore.running.tally import Totals
from tests.equipoise.conftest import Cli
from tests.machine.killing import content
from tests.manifests import manifest_of
from tests.specs import make_spec

GAMES = 4_801
MIXED = {"players": 4, "strategies": ["greedy", "random", "random", "random"], "games": GAMES}


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    place = tmp_path_factory.mktemp("runs")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("simcore.running.executors.PART_SIZES", (960, 122_880))
        for detail, threads in (("standard", 1), ("summary", 1), ("again", 2)):
            level = "summary" if detail == "again" else detail
            eq.simulate(**MIXED, detail=level, threads=threads, out=place / detail)
    return {path.name: path for path in place.iterdir()}


def same(one: Any, other: Any) -> None:
    """Compare all that two analyses say, but for the names of the runs."""
    assert isinstance(one, Result)
    assert list(one.tables) == list(other.tables)
    for name, frame in one.tables.items():
        assert frame.equals(other.tables[name]), name
    assert [verdict.code for verdict in one.verdicts] == [verdict.code for verdict in other.verdicts]
    assert (one.games, one.deals, one.excluded) == (other.games, other.deals, other.excluded)


@pytest.mark.parametrize(
    "analysis",
    [eq.seat_advantage, eq.strengths, eq.matchups, eq.closeness],
    ids=lambda analysis: analysis.__name__,
)
def test_totals_answer_as_rows_do(runs: dict[str, Path], analysis: Any) -> None:
    same(analysis(runs["standard"]), analysis(runs["summary"]))


def test_a_games_own_headlines_are_kept(runs: dict[str, Path]) -> None:
    same(eq.middle_ages.holdings(runs["standard"]), eq.middle_ages.holdings(runs["summary"]))


def test_nothing_is_listed_before_the_first_part_has_ended(tmp_path: Path) -> None:
    """Threads end their parts in any order; the totals in the file are those of the first parts without a gap."""
    (tmp_path / "run").mkdir()
    spec = make_spec(4, MIXED["strategies"], games=1_920)
    writer = SummaryWriter(tmp_path / "run", spec, [], summary_of(spec))
    parts = []
    for number in (1, 0):
        totals = Totals(spec, summary_of(spec))
        totals.add(run_chunk(spec, 960 * number, 960), 960 * number * spec.players)
        parts.append(PlayedPart(number, 960 * number, 960, totals))
    writer.finished(parts[0])
    assert manifest_of(writer.folder)["parts"] == []
    writer.finished(parts[1])
    assert manifest_of(writer.folder)["games_written"] == 1_920


@pytest.mark.parametrize("section", [seats, strategies], ids=lambda section: section.__name__)
def test_headlines_of_the_report_are_the_same(runs: dict[str, Path], section: Any) -> None:
    """Section by section: sentences, tables and figures, whose data the page shows."""
    rows, summary = (section(Study((eq.load(runs[detail]),))) for detail in ("standard", "summary"))
    assert [one.text for one in summary.sentences] == [one.text for one in rows.sentences] != []
    assert [block.name for block in summary.blocks] == [block.name for block in rows.blocks]


def test_the_folder_holds_totals_only(runs: dict[str, Path]) -> None:
    made = manifest_of(runs["summary"])
    assert sorted(path.name for path in runs["summary"].rglob("*")) == [
        "manifest.json",
        Path(made["parts"][0]["file"]).name,
        "totals",
    ]
    assert (made["games_written"], made["rows"], made["status"]) == (GAMES, 0, "complete")
    assert made["digest"] == manifest_of(runs["standard"])["digest"]
    run = eq.load(runs["summary"])
    check_content(run.folder, run.manifest)


def test_threads_change_nothing(runs: dict[str, Path]) -> None:
    one, two = content(runs["summary"]), content(runs["again"])
    assert one == two


def test_what_totals_do_not_answer_is_said(runs: dict[str, Path], cli: Cli, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="contains totals instead of rows; run the simulation again with the"):
        eq.load(runs["summary"]).polars()
    with pytest.raises(UsageError, match="not the totals that this needs"):
        eq.middle_ages.components(runs["summary"])
    said = cli("export", runs["summary"], "--out", tmp_path / "x.csv")
    assert (said.code, said.err.count("\n")) == (2, 1)
    assert "contains totals instead of rows" in said.err


@pytest.mark.parametrize("options", [("--format", "csv"), ("--tables", "events"), ("--format", "none")])
def test_a_summary_is_no_table(cli: Cli, options: tuple[str, ...]) -> None:
    said = cli("simulate", "--games", 10, "--strategies", "random", "--detail", "summary", *options)
    assert said.code == 2
    assert said.err == ("error: --detail: a summary is a folder of totals, not a table; leave out format and tables\n")


def test_damaged_totals_are_found(runs: dict[str, Path], tmp_path: Path) -> None:
    import shutil

    shutil.copytree(runs["summary"], tmp_path / "run")
    (path,) = (tmp_path / "run/totals").iterdir()
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(data)
    with pytest.raises(UsageError, match="its SHA-256 does not match the manifest"):
        eq.load(tmp_path / "run")
    again = eq.resume(tmp_path / "run", threads=1)
    assert again.result.digest == manifest_of(runs["summary"])["digest"]
    assert eq.load(tmp_path / "run").manifest.status == "complete"
