"""The page of a report: self-contained, told to everybody, inert whatever names hold."""

from __future__ import annotations

import base64
import io
import re
import xml.etree.ElementTree as ET
from html import unescape
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from reports.page import Column, Picture, Report, Table, datum
from reports.render.html import to_html
from reports.render.markdown import _code, to_markdown
from reports.words import ENGLISH, catalogue
from tests.reports.conftest import Make, make_report

HOSTILE = "<script>alert(1)</script>"


class Tags(HTMLParser):
    """All tags of a page with their attributes, and the text of headings."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.headings: list[str] = []
        self._heading = False
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        self._heading = tag in ("h1", "h2", "h3", "summary", "th", "dt")
        if self._heading:
            self.headings.append("")

    def handle_endtag(self, tag: str) -> None:
        self._heading = False

    def handle_data(self, data: str) -> None:
        if self._heading:
            self.headings[-1] += data


def tables(report: Report) -> list[Table]:
    return [block for section in report.sections for block in section.blocks if isinstance(block, Table)]


def test_page_asks_for_nothing_outside_itself(page: str) -> None:
    tags = Tags(page).tags
    for tag, attributes in tags:
        assert tag not in ("img", "iframe", "object", "embed", "base"), tag
        assert tag != "link" or attributes == {"rel": "icon", "href": "data:,"}
        assert "src" not in attributes
        for name in ("href", "xlink:href"):
            assert (attributes.get(name) or "#").startswith(("#", "data:")), attributes
    assert not re.search(r"https?://|@import|//cdn", page)
    assert "default-src 'none'" in page


def test_no_id_is_given_twice_and_every_reference_is_met(page: str) -> None:
    tags = Tags(page).tags
    ids = [attributes["id"] for _, attributes in tags if "id" in attributes]
    assert len(ids) == len(set(ids))
    wanted = {attributes["href"][1:] for _, attributes in tags if (attributes.get("href") or "").startswith("#")}
    assert wanted | set(re.findall(r"url\(#([^)]+)\)", page)) <= set(ids)


def test_every_figure_is_told_in_words_and_has_its_numbers(page: str, report: Report) -> None:
    figures = re.findall(r"<figure .*?</figure>", page, re.DOTALL)
    assert len(figures) == len(report.pictures) > 10
    for text, picture in zip(figures, report.pictures, strict=True):
        assert picture.figure.alt_text.strip()
        told = [attributes["aria-label"] for _, attributes in Tags(text).tags if attributes.get("role") == "img"]
        assert told == [picture.figure.alt_text] * 2  # for a wide page and for a phone
        link = re.search(r'href="data:text/csv;charset=utf-8;base64,([^"]+)"', text)
        assert link
        frame = pl.read_csv(io.BytesIO(base64.b64decode(link[1])))
        assert len(frame) == len(picture.figure.data()) > 0
        assert "<image" not in text  # vectors only


def test_sections_answer_every_question(report: Report) -> None:
    names = [section.name for section in report.sections]
    assert names == [
        "seats",
        "causes",
        "skill",
        "cards",
        "domains",
        "needs",
        "strategies",
        "economy",
        "drama",
        "components",
        "method",
    ]
    for section in report.sections[:-1]:
        assert section.sentences, section.name
        assert section.basis, section.name
        assert any(sentence.status != "unknown" for sentence in section.sentences), section.name


def test_verdicts_stand_first_with_number_and_denominator(report: Report, page: str) -> None:
    assert page.index('class="answer') < page.index('id="seats"')
    assert re.search(r"\d.*%.*\(.*to .*; 600 games\), and 22\.0% to 28\.0% would be fair", report.verdicts[0].text)
    statuses = [sentence.status == "fact" for sentence in report.verdicts]
    assert statuses == sorted(statuses)


def test_seat_figure_holds_what_the_run_holds(report: Report, runs: dict[str, Path]) -> None:
    """The shares on the page are those of the run's own table, counted here another way."""
    frame = pl.read_parquet(list((runs["strong"] / "games").glob("*.parquet")))
    counted = frame.group_by("seat").agg(pl.col("share60").mean() / 60).sort("seat")["share60"].to_list()
    picture = next(picture for picture in report.pictures if picture.name == "seats")
    drawn = picture.figure.data()
    assert drawn["share"].to_list() == pytest.approx(counted)
    assert (drawn["games"] == 600).all()


def test_score_distribution_counts_every_game(report: Report, runs: dict[str, Path]) -> None:
    frame = pl.read_parquet(list((runs["strong"] / "games").glob("*.parquet")))
    found = next(picture for picture in report.pictures if picture.name == "scores").figure.data()
    for seat in range(1, 5):
        own = frame.filter(pl.col("seat") == seat)["coins"]
        rows = found.filter(pl.col("series") == str(seat))
        assert rows["games"].sum() == len(own)
        at = int(own.median() or 0)
        assert rows.filter(pl.col("x") == at)["share"][0] == pytest.approx((own <= at).mean())


def test_provenance_names_commands_rules_and_assumptions(page: str, runs: dict[str, Path]) -> None:
    text = unescape(page)
    for folder in runs.values():
        assert f"--out {folder.name}" in text
        assert str(folder.parent) not in text  # where the maker's files lie is nobody's business
    assert "equipoise report " in text
    assert "tokens.plot, tiles" in text
    assert "plot_token_supply" in text
    assert "All runs were played by the base rules" in text


def test_names_are_inert(simulated: Make, tmp_path: Path) -> None:
    rules = tmp_path / "r.toml"
    rules.write_text(f'extends = "base"\nname = "{HOSTILE}"\nempty_domain_penalty = 9\n', encoding="utf-8")
    folder = simulated("a <b>bold<b> name & $more$", "--games", 40, "--players", 2, "--rules", rules)
    made = make_report([folder], deals=20)
    page = to_html(made)
    assert page.count("<script>") == 1  # the page's own
    assert "<b>bold" not in page
    assert unescape(page).count(HOSTILE) > 1
    assert any(HOSTILE in text for text in made.warnings)
    assert HOSTILE not in to_markdown(made, "figures")


def test_svg_of_a_hostile_name_is_well_formed_and_inert() -> None:
    from reports.figures.seats import SeatAdvantage
    from reports.render.images import svg

    frame = pl.DataFrame(
        {
            "seat": [1, 2],
            "share": [0.4, 0.6],
            "share_low": [0.3, 0.5],
            "share_high": [0.5, 0.7],
            "par": [0.5] * 2,
            "games": [9, 9],
        }
    )
    figure = SeatAdvantage({HOSTILE: frame, "$x^2$ & <b>": frame})
    text = svg(figure, "x")
    ET.fromstring(text)
    assert "<script" not in text
    assert "&lt;script&gt;" in text
    assert "$x^2$" in text  # no mathematics


def test_french_page_has_no_english_headings(french: Report, french_page: str) -> None:
    assert '<html lang="fr">' in french_page
    headings = {text.strip() for text in Tags(french_page).headings}
    english, own = (set(catalogue(lang).phrases.values()) for lang in ("en", "fr"))
    assert not headings & (english - own)
    assert {"Sièges", "Évènements", "Domaines et tuiles Parcelle", "Stratégies", "Tension", "Matériel"} <= headings
    told = [sentence.text for section in french.sections for sentence in section.sentences]
    told += [note for section in french.sections for note in section.notes]
    for text in told:
        assert not re.search(r"\b(the|of|games|deals|wins|than|which|with)\b", text), text


def test_french_uses_the_booklet_s_terms_and_french_numbers(french_page: str) -> None:
    page = unescape(french_page)
    for term in ("Peste noire", "Champs", "Rempart", "Église", "pièces", "Éclaireur"):
        assert term in page
    assert re.search(r"\d+,\d\u202f%", page)
    assert "800 parties" in page or "800\u202fparties" in page


def test_a_table_s_columns_all_reach_the_csv(report: Report) -> None:
    seats = next(table for table in report.tables if table.name == "seats")
    assert len(seats.rows) == 4
    assert {"share_se", "par", "deals"} <= set(seats.frame.columns)
    cells: list[Any] = [cell.value for cell in seats.rows[0]]
    assert cells[1] == 1
    assert cells[2] == seats.frame["share"][0]


def test_only_the_figure_of_picks_shows_half_widths(report: Report) -> None:
    blocks = [block for section in report.sections for block in section.blocks]
    (drawn,) = (block for block in blocks if isinstance(block, Picture) and block.name == "picks")
    (listed,) = (block for block in blocks if isinstance(block, Table) and block.name == "picks")
    assert "half the width" in drawn.caption and "half the width" not in listed.caption


def test_weak_players_never_give_the_verdict_over_strong_ones(runs: dict[str, Path], report: Report) -> None:
    """However the runs are named, as by runs/* for instance; and a verdict of weak players alone is warned of."""
    from analysis.runs import load
    from reports.study.study import Study

    study = Study((load(runs["strong"]), load(runs["weak"])))
    assert study.focus.strategies == ("planner",)
    assert [source.strategies for source in study.ladder(4)] == [("greedy",), ("planner",)]
    warned = [text for text in make_report([runs["weak"]], deals=20, quick=True).warnings if "weak players" in text]
    assert len(warned) == 1
    assert not any("weak players" in text for text in report.warnings), "strong ones played as well"


def test_the_page_says_once_on_top_who_was_tuned_for_other_rules(simulated: Make) -> None:
    how = "--games", 200, "--players", 2, "--rules", "gentler-barracks", "--strategies", "champion"
    gentler = simulated("gentler", *how)
    for lang, told in (("en", "It plays by habit"), ("fr", "Elle joue par habitude")):
        made = make_report([gentler], lang, deals=20)
        assert sum(told in warning for warning in made.warnings) == 1
        assert not any(told in note for section in made.sections for note in section.notes)


def test_a_command_stays_inside_its_backticks() -> None:
    """Even a stranger's, with backticks and lines of its own."""
    assert _code("equipoise games") == "`equipoise games`"
    assert _code("--set '`x`\n```\n<script>'") == "```` --set '`x` ``` <script>' ````"


@pytest.mark.parametrize(("is_share", "shown"), [(True, ["2.1%", "+1.0 pts"]), (False, ["0.02", "+0.01"])])
def test_a_share_is_shown_one_way(is_share: bool, shown: list[str]) -> None:
    """Part of the games that one seat leads throughout: 2.1% in every table, and 0.02 of something that is no share."""
    row = {"after": 0.021, "difference": 0.01, "is_share": is_share}
    cells = [
        datum(ENGLISH, Column(field, kind), row).text for field, kind in (("after", "value"), ("difference", "shift"))
    ]
    assert cells == shown
