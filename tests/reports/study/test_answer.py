"""The first screen: the answer by what was found, its chart, its cause, and commands that the command line takes."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import typer

from analysis.runs import load
from equipoise.cli import app
from reports.page import ABSENT, Answer, Picture, Report, Table
from reports.portable import names_of, portable, portable_command
from reports.render.html import to_html
from reports.render.markdown import to_markdown
from reports.render.pdf import to_summary
from reports.sections.seats import seats
from reports.study.answer import answer
from reports.study.compose import compose
from reports.study.study import Study
from reports.words import Words
from tests.reports.conftest import Make

TIMES = r"\(up to [\d,]+ [a-z]+; without --habit up to [\d,]+ [a-z]+, with players who learn the change\):$"


def studied(*folders: Path, lang: str = "en", quick: bool = False) -> Study:
    """Return a study of which the seats were asked, and nothing else."""
    made = Study(tuple(load(folder) for folder in folders), words=Words(lang), quick=quick)
    seats(made)
    return made


@pytest.fixture(scope="module")
def champions(simulated: Make) -> Callable[..., Study]:
    """Runs of champions with two and four players: the seats at four are far apart."""
    folders = {
        players: simulated(f"champions-{players}", "--games", 1500, "--players", players, "--strategies", "champion")
        for players in (2, 4)
    }
    return lambda *counts, **options: studied(*(folders[count] for count in counts), **options)


def answered(study: Study) -> Answer:
    found = answer(study)
    assert found
    return found


def test_the_answer_is_no_with_the_size_of_the_tilt(champions: Callable[..., Study]) -> None:
    found = answered(champions(4))
    assert found.sentence.status == "tilted"
    assert found.sentence.text.startswith("No, and players who look ahead agree: with 4 players, seat 1 wins ")
    drawn = found.pictures[0].figure.data().row(0, named=True)
    share, low, high = (100 * drawn[name] for name in ("share", "low", "high"))
    assert found.sentence.text.endswith(f"{share:.1f} of 100 games ({low:.1f} to {high:.1f}); 25 would be fair.")


def test_the_largest_tilt_answers_and_the_other_counts_follow(champions: Callable[..., Study]) -> None:
    study = champions(2, 4)
    found = answered(study)
    assert "with 4 players" in found.sentence.text
    assert found.more[0].endswith("2 players, it is not certain.") or found.more[0].endswith("2 players.")
    assert set(found.pictures[0].figure.data()["players"]) == {2, 4}
    assert answered(champions(2, 4, lang="fr")).sentence.text.startswith(
        "Non, et les joueurs qui anticipent sont du même avis\u202f: à 4 joueurs, le siège 1 gagne"
    )


def test_players_of_nearly_the_same_strength_who_differ_leave_the_answer_open(simulated: Make) -> None:
    """Médiévallons, 5 players: the last seat wins 22 % among champions and 29 % among regents (truth.md, part 3)."""
    how = "--game", "medievallons", "--players", 5, "--games", 4_000
    folders = [simulated(f"five-{name}", *how, "--strategies", name) for name in ("regent", "champion")]
    study = studied(*folders)
    assert [source.strategies for source in study.strongest] == [("champion",)], "a peer is on no ladder"
    assert [source.strategies for source in study.peers] == [("regent",)]
    sentence = answered(study).sentence
    said = "seat 5 wins 22 of 100 games if the expert plays all seats, and 29 if regent does; 20 would be fair."
    assert sentence.text.startswith("Not known: with 5 players, ") and sentence.text.endswith(said)
    assert sentence.status == "unclear"
    assert studied(folders[0]).strongest[0].strategies == ("regent",), "alone, it answers itself"


def test_weak_players_alone_answer_nothing(runs: dict[str, Path]) -> None:
    found = answered(studied(runs["weak"]))
    assert found.sentence.text.startswith("Not known: only weak players")
    assert found.sentence.status == "unclear"
    assert found.steps[0].command == "equipoise report --game middle-ages"


def taken(found: Answer) -> list[str]:
    """Have the command line take the steps: an unknown command, option or value raises an error."""
    commands: Any = typer.main.get_command(app)
    for step in found.steps:
        program, name, *arguments = shlex.split(step.command)
        assert program == "equipoise"
        commands.commands[name].make_context(name, arguments)
    return [step.command.split()[1] for step in found.steps]


def test_every_step_is_a_command_that_the_command_line_takes(
    runs: dict[str, Path], champions: Callable[..., Study]
) -> None:
    study = champions(4)
    assert taken(answered(study)) == ["compare", "mend", "report"]
    first = answered(study).steps[0]
    assert re.search(TIMES, first.text), first
    assert first.command.endswith(" --habit")
    for name in ("strong", "weak", "mixed"):
        assert len(taken(answered(studied(runs[name])))) == 3
    assert "report" in taken(answered(studied(runs["strong"], quick=True)))


def test_what_mend_found_is_proposed_where_it_was_run(
    runs: dict[str, Path], champions: Callable[..., Study], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    study = champions(4)
    monkeypatch.chdir(study.runs[0].folder.parent)
    place = study.runs[0].folder.parent / "mended"
    place.mkdir()
    (place / "mended-1.toml").write_text('extends = "base"\n[effects]\nmill_coins = 3\n')
    (place / "mend.json").write_text('{"game": "middle-ages", "results": [{"players": 3}]}')
    assert "mend" in taken(answered(study))  # that search was for three players
    (place / "mend.json").write_text('{"game": "middle-ages", "results": [{"players": 4}]}')
    steps = answered(study).steps
    assert "equipoise compare base mended/mended-1.toml --game middle-ages --players 4 --seed 2 --habit" in [
        one.command for one in steps
    ]


def test_the_cause_is_what_was_played_with_a_change(champions: Callable[..., Study]) -> None:
    """The largest change comes first; the box names what nobody has learnt without a number."""
    study = champions(4, quick=True)
    study.thresholds = replace(study.thresholds, deals=500)
    made = compose(study)
    assert made.answer is not None
    causes = study.found("causes")
    assert causes.table["name"][0] == "effects.barracks_buries"
    section = next(section for section in made.sections if section.name == "causes")
    assert "Barracks" in made.answer.cause and "%" not in made.answer.cause
    assert "is gone" in section.sentences[0].text
    assert "base --game middle-ages --players 4 --set effects.barracks_buries=false" in made.answer.steps[0].command
    picture, table = section.blocks
    assert isinstance(picture, Picture) and len(picture.figure.data()) == 2
    assert isinstance(table, Table) and len(table.rows) == len(causes.table)
    figures = [all(cell.text != ABSENT for cell in row[1:4]) for row in table.rows]
    assert figures == causes.table["gone_low"].is_not_null().to_list(), "screened changes have no figures"


def test_sections_are_folded_and_no_sentence_stands_twice(report: Report, page: str) -> None:
    assert page.count('<details class="more">') == len(report.sections)
    depth, shown = 0, 0
    for mark in re.findall("</?details|<figure", page):
        depth += {"<details": 1, "</details": -1}.get(mark, 0)
        shown += mark == "<figure" and not depth
    pictures = [[block for block in one.blocks if isinstance(block, Picture)] for one in report.sections]
    assert report.answer and shown == len(report.answer.pictures) + sum(map(bool, pictures)), "one in each section"
    for section in report.sections:
        for sentence in section.sentences:
            assert page.count(f"<span>{sentence.text}</span>") <= 1
    assert 'id="verdicts"' not in page


def test_the_answer_opens_every_format(report: Report) -> None:
    assert report.answer
    text = to_markdown(report, "figures")
    figure = text.index("figures/seats.png")
    assert figure < text.index("equipoise ", figure) < text.index("## Seats")
    assert report.opening == (report.answer.sentence,)


def test_paths_are_told_as_seen_from_the_working_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert portable(str(tmp_path / "runs/a")) == "runs/a"
    assert portable("/somewhere/else/b") == "b"
    assert portable("runs/c") == "runs/c"
    assert portable_command(("report", f"--out={tmp_path}/x.html", "--games", "1e5")) == (
        "report",
        "--out=x.html",
        "--games",
        "1e5",
    )
    assert list(names_of([Path("/one/x"), Path("/two/x")]).values()) == ["one/x", "two/x"]


def test_a_page_without_seats_begins_with_its_verdicts(report: Report) -> None:
    assert 'id="verdicts"' in to_html(replace(report, answer=None, sections=report.sections[-1:]))


def test_the_summary_is_one_page_whatever_there_is_to_say(report: Report, french: Report) -> None:
    many = replace(report, sections=report.sections * 3, facts=report.facts * 2)
    for made in (french, many):
        assert len(re.findall(rb"/Type /Page\b", to_summary(made))) == 1


def test_a_quick_report_asks_four_questions(champions: Callable[..., Study]) -> None:
    study = champions(2, 4, quick=True)
    told: list[str] = []
    study.tick = lambda done, sections, what: told.append(what.partition(",")[0])
    study.thresholds = replace(study.thresholds, deals=30)
    made = compose(study)
    assert [section.name for section in made.sections] == ["seats", "causes", "skill", "cards", "method"]
    assert list(dict.fromkeys(told)) == ["seats", "causes", "skill", "cards", "figures"]
    assert any("quick report" in warning for warning in made.warnings)


def test_numbers_of_players_are_listed() -> None:
    study: Any = SimpleNamespace(words=Words().of_game("middle-ages"))
    assert study.words.joined(["2"]) == "2"
    assert study.words.joined(["2", "3", "5"]) == "2, 3 and 5"
