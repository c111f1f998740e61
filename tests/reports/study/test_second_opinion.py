"""What the headline says where players who look ahead agree with the usual judge, and where they do not."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import polars as pl
import pytest

import equipoise as eq
from analysis.data.inputs import inputs_of
from analysis.data.results import Verdict
from analysis.seats.levels import stored_level
from analysis.seats.shares import judge_lines
from analysis.stats.margin import as_margin
from reports.opinion import Opinion, heard
from reports.page import Sentence
from reports.study.answer import _status, headline, of_openings, opinion
from reports.words import Words
from simcore.rules.files import load_rules
from tests.analysis.levels import judged, sure
from tests.specs import make_spec

END = "(33.7 to 33.8); 25 would be fair."
HIGH, EVEN = sure((0.9, 0.9, 0.85, 1.35)), sure((1.0, 1.0, 1.0, 1.0))


def asked(*times: float, games: int = 400, looks_ahead: bool = True) -> Any:
    """Return a study in which the seats win these multiples of par among players who look ahead."""
    verdict = judged(np.array(times) / len(times), games)
    result = SimpleNamespace(inputs=(SimpleNamespace(games=games, game="medievallons"),), verdicts=(verdict,))
    return SimpleNamespace(
        found={"skill:4": SimpleNamespace(runs=(result,))}.get,
        rungs=lambda players: [SimpleNamespace(spec=SimpleNamespace(searches=looks_ahead))],
        focus=SimpleNamespace(spec=SimpleNamespace(searches=False), strategies=("champion",)),
        game=SimpleNamespace(name="medievallons"),
    )


def said(verdict: Verdict, study: Any, lang: str = "en") -> Sentence:
    """Return the headline among experts."""
    words = Words(lang)
    return headline(words, verdict, opinion(study, 4, verdict), words("answer.experts"), 4)


AGREE, FEW = asked(0.8, 0.8, 0.9, 1.5), asked(1.0, 0.9, 0.95, 1.15)
OPPOSITE, OTHER = asked(1.1, 1.1, 1.1, 0.7), asked(0.8, 1.6, 0.75, 0.85)
SEVERAL, LEVEL = asked(0.6, 1.45, 0.55, 1.4), asked(1.0, 1.0, 1.05, 0.95, games=10_000)


@pytest.mark.parametrize(
    ("verdict", "study", "starts", "ends"),
    [
        (
            HIGH,
            AGREE,
            "No, and players who look ahead agree: with 4 players, seat 4 wins 33.8",
            END,
        ),
        (
            HIGH,
            FEW,
            "No among experts; 400 games of players who look ahead are too few to say: with",
            END,
        ),
        (
            HIGH,
            SEVERAL,
            "No, and among players who look ahead seat 2 or 4 stands out (400 games cannot tell",
            END,
        ),
        (
            HIGH,
            LEVEL,
            "No among experts, but fair among players who look ahead (10,000 games): with",
            END,
        ),
        (
            HIGH,
            OPPOSITE,
            "Not known: with 4 players, among experts seat 4 wins 34 of 100 games, among players who look ahead 18",
            " (13 to 23; 400 games); 25 would be fair.",
        ),
        (
            HIGH,
            OTHER,
            "Not known: with 4 players, among experts seat 4 wins 34 of 100 games,",
            " but among players who look ahead seat 2 stands out, with 40 (34 to 46; 400 games); 25 would be fair.",
        ),
        (EVEN, LEVEL, "Yes, and players who look ahead agree: with 4 players, every seat", "of its fair share."),
        (EVEN, FEW, "Yes among experts; 400 games of players who look ahead are too few to say: with", "fair share."),
        (EVEN, AGREE, "Yes among experts, but not among players who look ahead (400 games): with", "fair share."),
    ],
)
def test_the_headline_says_what_both_levels_say(verdict: Verdict, study: Any, starts: str, ends: str) -> None:
    sentence = said(verdict, study)
    assert sentence.text.startswith(starts)
    assert sentence.text.endswith(ends)
    contradicted = starts.startswith("Not known") or ", but " in starts
    assert sentence.status == ("unclear" if contradicted else verdict.status)


def test_the_headline_in_french() -> None:
    assert said(HIGH, OPPOSITE, "fr").text.startswith(
        "On ne sait pas\u202f: à 4 joueurs, entre experts, le siège 4 gagne 34 parties sur 100, et 18 entre joueurs "
    )
    assert said(HIGH, OPPOSITE, "fr").text.endswith("(de 13 à 23\u202f; 400 parties)\u202f; 25 serait équitable.")
    assert "400 parties de joueurs qui anticipent ne suffisent pas pour trancher" in said(HIGH, FEW, "fr").text
    assert "le siège 2 ou 4 se détache" in said(HIGH, SEVERAL, "fr").text


def test_too_few_games_are_no_disagreement_and_say_what_they_could_have_shown() -> None:
    second = opinion(FEW, 4, HIGH)
    assert not second.doubts
    assert _status(HIGH, second) == "unconfirmed"
    assert second.power(Words()) == (
        "If a seat or camp wins 1.5 times its fair share among players who look ahead, 400 games show it with a chance "
        "of 92%."
    )
    for study in (OPPOSITE, OTHER, LEVEL):
        assert opinion(study, 4, HIGH).doubts
        assert not opinion(study, 4, HIGH).power(Words())


def test_ranges_on_two_sides_of_par_are_not_no() -> None:
    """Médiévallons: champions give seat 4 37.5 % of the wins, 200 games of thinkers 18.5 %."""
    study = asked(1.1, 1.08, 1.08, 0.74, games=200)
    assert "Not known" in said(sure((0.8, 0.8, 0.9, 1.5)), asked(1.1, 1.08, 1.22, 0.6, games=200)).text
    assert opinion(study, 4, HIGH).says == "refuted", "18.5 % of 200 games may still be par, but not the 28 % of a tilt"


def test_what_was_not_asked_is_not_said() -> None:
    silent = asked(0.8, 0.8, 0.9, 1.5, looks_ahead=False)
    played = make_spec(4, ["champion"], ["pass_draws=3"], game="medievallons", games=1)
    inputs = inputs_of(played, 0, 0)
    silent.strongest = [SimpleNamespace(players=4, inputs=lambda *counts: inputs, spec=played)]
    silent.focus.spec.rules = load_rules(played.game)  # those of another run, to which there is a stored answer
    silent.commands = ()
    second = opinion(silent, 4, HIGH)
    assert (second.says, second.games) == ("unasked", 0)
    assert "--set pass_draws=3" in second.command
    assert headline(Words(), HIGH, second, "experts", 4).text.startswith("No among experts: with 4 players, ")
    assert headline(Words(), HIGH, Opinion("level"), "random", 4).text.startswith("No among random: with 4 players, ")


def drawn(low: float, high: float) -> pl.DataFrame:
    """Return what seat 4 wins with openings drawn at random."""
    return pl.DataFrame({"seat": [4], "drawn_low": [low], "drawn_high": [high]})


@pytest.mark.parametrize(
    ("low", "high", "says"),
    [(0.26, 0.28, "openings"), (0.22, 0.24, "openings"), (0.25, 0.29, "unasked"), (0.21, 0.25, "unasked")],
)
def test_drawn_openings_speak_where_nobody_looked_ahead(low: float, high: float, says: str) -> None:
    """Surely within the margin of 3 points, the tilt is gone without the usual openings."""
    opened: Any = SimpleNamespace(verdicts=(object(),), table=drawn(low, high))
    second = of_openings(opened, HIGH)
    assert second == Opinion(says)
    assert second.doubts == (says == "openings")
    assert of_openings(None, HIGH) == of_openings(opened, EVEN) == Opinion("unasked")


@pytest.mark.parametrize(
    ("judge", "searcher", "players", "says"),
    [
        ("champion", "rollout", 4, "openings"),
        ("suzerain", "rollout", 4, "same"),
        ("suzerain", "quick_thinker", 3, "openings"),
        ("champion", "quick_thinker", 3, "same"),
        ("suzerain", "quick_thinker", 4, "same"),
    ],
)
def test_who_looks_ahead_only_after_the_judge_s_opening_is_no_second_opinion_on_it(
    judge: str, searcher: str, players: int, says: str
) -> None:
    """In Fief 2, rollouts begin where champions do, thinkers of three where suzerains do; others choose their own."""
    study = asked(0.8, 0.8, 0.9, 1.5)
    study.focus.strategies = (judge,)
    study.rungs = lambda count: [SimpleNamespace(spec=make_spec(players, [searcher], game="fief-2", games=1))]
    opened: Any = SimpleNamespace(verdicts=(object(),), table=drawn(0.24, 0.26))
    assert opinion(study, 4, HIGH, opened).says == says
    assert opinion(study, 4, HIGH).says == "same", "openings that nobody drew say nothing"


@pytest.mark.parametrize(("margin", "says"), [("12%", "few"), ("30%", "fair")])
def test_the_stored_answer_is_judged_by_the_margin_that_the_user_gave(margin: str, says: str) -> None:
    """Three players of Seigneurial by its printed rules: the Lord is too weak among experts by either margin."""
    by, spec = as_margin(margin), eq.make_spec("seigneurial", 3)
    experts = stored_level("seigneurial", 3, "experts", spec.rules.digest)
    assert experts
    lines = experts.verdict().lines
    assert lines
    wide = replace(lines, room=by.at(lines.par))
    verdict = judge_lines("camps", wide, experts.games, {"part": by.part(lines.par)})
    assert (verdict.status, heard(inputs_of(spec, 0, 0), spec.rules, [verdict]).opinion.says) == ("tilted", says)
