"""The report on Seigneurial: its own words for roles, camps, cards and endings, in both languages."""

from __future__ import annotations

import re
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import polars as pl
import pytest

from reports.games.seigneurial.mending import _sentence
from reports.markdown import to_markdown
from reports.page import Listing, Report, Section, Table
from reports.study import Study, Thresholds
from reports.words import ENGLISH
from simcore.running.batch import run_chunk
from tests.reports.conftest import Make, make_report
from tests.specs import make_spec

TOPICS = ("ends", "objectives-and-hands", "rent-and-favour", "land-and-winter")
BREAKDOWNS = (
    "endings", "length", "when", "track", "course", "objectives", "nearness", "rents", "favours", "winters", "pawns",
)  # fmt: skip


@pytest.fixture(scope="module")
def runs(simulated: Make) -> list[Path]:
    """Games of weak and of strong players at a table of three."""
    options = ("--game", "seigneurial", "--players", 3, "--games", 2000, "--strategies")
    return [
        simulated("seigneurial-weak", *options, "lord=random,tenant=random"),
        simulated("seigneurial-strong", *options, "lord=bailiff,tenant=gatherer", "--detail", "full"),
    ]


DEALS = 60
LINE = {"lord": ["bailiff"], "tenant": ["gatherer"]}


@pytest.fixture(scope="module")
def english(runs: list[Path]) -> Report:
    return make_report(runs, deals=DEALS)


@pytest.fixture(scope="module")
def french(runs: list[Path]) -> Report:
    return make_report(runs, "fr", deals=DEALS)


def verdicts(report: Report) -> str:
    return "\n".join(sentence.text for sentence in report.verdicts)


def test_the_report_has_every_part_of_the_game(english: Report) -> None:
    names = [section.name.removeprefix("own-") for section in english.sections]
    for name in ("seats", "skill", "cards", "drama", *TOPICS):
        assert name in names
    tables = [block for section in english.sections for block in section.blocks if isinstance(block, Table)]
    frames = {block.name: block.frame for block in tables}
    for name in BREAKDOWNS:
        assert name in frames
    assert set(frames["favours"]["row"]) >= {"favour", "bought", "zeros"}
    assert set(frames["winters"]["row"]) == {"refusals", "unable", "illnesses"}
    assert set(frames["pawns"]["row"]) >= {"church", "mill"}
    assert set(frames["cards-by-camp"]["card"]) >= {"royal_favour", "windfall"}


def test_camps_and_roles_have_their_names_in_both_languages(english: Report, french: Report) -> None:
    assert "Lord: too strong. They win" in verdicts(english)
    text = to_markdown(french, "figures")
    assert "Le camp Seigneur est trop fort" in verdicts(french)
    for english_name in ("camp Lord", "camp tenants", "| Lord |", "| Tenant |", "| tenants |", "Tenant :"):
        assert english_name not in text
    assert "| Censitaires |" in text and "| Censitaire |" in text


def test_what_depends_on_skill_is_said_without_sides(english: Report, french: Report) -> None:
    """A share of the games has no side of par on which it could lie."""
    assert "How games end: this depends on skill, and" in verdicts(english)
    assert not any(f"{form} sides" in verdicts(english) for form in ("change of", "change", "changes"))
    assert "cela dépend du niveau de jeu, surtout pour" in verdicts(french)


def test_a_game_without_a_score_is_not_said_to_have_one(english: Report) -> None:
    text = to_markdown(english, "figures")
    assert "score" not in text
    assert "percent: 12 values. Largest:" in text, "the win share of an Objective is no effect"
    assert "| margin |" not in text


# --- what a player needs, and what would mend the lord's share ---


def section(report: Report, name: str) -> Section:
    return next(found for found in report.sections if found.name == name)


def frame(report: Report, name: str) -> pl.DataFrame:
    return next(block.frame for block in section(report, name).blocks if isinstance(block, Table))


def lords_share(*settings: str) -> float:
    """Return how often the lord wins the deals that the report plays again."""
    spec = make_spec(3, LINE, settings, game="seigneurial", games=DEALS)
    return float(run_chunk(spec, 0, DEALS)["share60"].reshape(DEALS, 3)[:, 0].mean() / 60)


def test_the_report_says_what_cards_favour_and_refusing_are_worth(english: Report, french: Report) -> None:
    costs = {row["who"]: row for row in frame(english, "needs").iter_rows(named=True)}
    assert set(costs) == {
        *(f"needs.tenant.{name}" for name in ("cards", "favour", "refusing", "laying", "church", "mill")),
        "needs.lord.cards",
    }
    assert costs["needs.lord.cards"]["free"] == pytest.approx(lords_share())
    assert costs["needs.lord.cards"]["cost_low"] > 0, "the cards of bailiff win games"
    assert costs["needs.tenant.refusing"]["changed"] == 0, "gatherer always pays if he can"
    tenant, lord = (sentence.text for sentence in section(english, "needs").sentences)
    assert "With 3 players a tenant wins" in tenant and "never refusing the due of winter nothing" in tenant
    assert "a lord without cards wins" in lord
    assert "un Seigneur sans cartes gagne" in section(french, "needs").sentences[1].text


def test_the_report_says_what_would_mend_the_lords_share(english: Report, french: Report) -> None:
    shares = frame(english, "mending")
    by_change = {(row["lever"], row["steps"]): row["value"] for row in shares.iter_rows(named=True)}
    for (lever, steps), settings in {
        (None, None): [],
        ("objective_extra", "-1"): ["objective_extra.3=-2"],
        ("track", "1"): ["track.3=[4,9]"],
        ("due", "1"): ["due=3"],
    }.items():
        assert by_change[lever, steps] == pytest.approx(lords_share(*settings)), lever
    (said,) = section(english, "mending").sentences
    assert "50% would be fair" in said.text and "this comes nearest: " in said.text
    several = re.search(r"comes nearest: .* or one of \d others", said.text)
    assert several, "60 deals do not show which of sixteen steps is the best"
    assert "alors que l'équilibre serait à 50" in section(french, "mending").sentences[0].text
    (listed,) = (block for block in section(english, "mending").blocks if isinstance(block, Listing))
    line = "--game seigneurial --players 3 --strategies lord=bailiff,tenant=gatherer --target lord=0.5"
    assert listed.lines == (f"equipoise mend {line}",)


def mended(share: float, half: float | None, *steps: float) -> str:
    """Return the sentence on a lord's share and on the shares after some changes, all with the same error."""
    ends = (
        {"value_low": None, "value_high": None}
        if half is None
        else {"value_low": share - half, "value_high": share + half}
    )
    same = {"players": 4, "par": 0.5, "value_se": 0.02, "deals": 10 if half is None else 600}
    now = {"lever": None, "steps": None, "value": share, **ends, **same}
    tried = [{"lever": "due", "steps": str(number), "value": step, **ends, **same} for number, step in enumerate(steps)]
    study = SimpleNamespace(words=ENGLISH.of_game("seigneurial"), thresholds=Thresholds())
    return _sentence(cast(Study, study), pl.DataFrame([now, *tried], infer_schema_length=None)).text


def test_nothing_has_to_be_mended_only_if_the_interval_says_so() -> None:
    assert "nothing has to be changed" in mended(0.5, 0.05, 0.4)
    assert "nothing has to be changed" not in mended(0.5, 0.1, 0.4)
    assert "there are too few deals (10)" in mended(0.5, None, 0.4)


def test_the_nearest_change_is_named_alone_only_if_it_is_distinguishable() -> None:
    assert "this comes nearest: due of winter: +1." in mended(0.3, 0.05, 0.3, 0.49, 0.35)
    assert "comes nearest: due of winter: +1 and due of winter: +2." in mended(0.3, 0.05, 0.3, 0.49, 0.48)
