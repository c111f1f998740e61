"""What the headline says where players who look ahead agree with the usual judge, and where they do not."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import polars as pl
import pytest

from analysis.data.results import Verdict
from reports.study.second_opinion import Opinion, of_openings, opinion
from reports.words import Words
from tests.specs import make_spec

TILTED = Verdict("seats_tilted_high", "tilted", {"seat": 4, "share": 0.36, "low": 0.35, "high": 0.37, "par": 0.25})
LOW = Verdict("seats_tilted_low", "tilted", {"seat": 4, "share": 0.16, "low": 0.15, "high": 0.17, "par": 0.25})
EDGE = Verdict("role_seats_tilted_high", "tilted", {"seat": 4, "share": 0.05, "low": 0.03, "high": 0.07, "par": 0.0})
FAIR = Verdict("seats_fair", "fair", {"seat": 4, "share": 0.25, "low": 0.24, "high": 0.26, "par": 0.25})


def asked(low: float | None, high: float | None, status: str = "unclear", looks_ahead: bool = True) -> Any:
    """Return a study in which players who look ahead played 400 games; seat 4 has this interval."""
    row = {"seat": [4], "share_low": [low], "share_high": [high], "edge_low": [low], "edge_high": [high]}
    result = SimpleNamespace(
        table=pl.DataFrame(row),
        camps=None,
        inputs=(SimpleNamespace(games=400, game="medievallons"),),
        verdicts=(SimpleNamespace(status=status),),
    )
    return SimpleNamespace(
        found={"skill:4": SimpleNamespace(runs=(result,))}.get,
        rungs=lambda players: [SimpleNamespace(spec=SimpleNamespace(searches=looks_ahead))],
        focus=SimpleNamespace(spec=SimpleNamespace(searches=False), strategies=("champion",)),
        game=SimpleNamespace(name="medievallons"),
        words=Words(),
        names_of=lambda source: "champion",
    )


@pytest.mark.parametrize(
    ("verdict", "study", "says"),
    [
        (TILTED, asked(0.28, 0.44), "agrees"),
        (TILTED, asked(0.17, 0.33), "silent"),
        (TILTED, asked(0.10, 0.20), "silent"),
        (TILTED, asked(None, None), "silent"),
        (LOW, asked(0.10, 0.20), "agrees"),
        (LOW, asked(0.28, 0.44), "silent"),
        (EDGE, asked(0.01, 0.08), "agrees"),
        (EDGE, asked(-0.01, 0.08), "silent"),
        (FAIR, asked(0.2, 0.3, "fair"), "agrees"),
        (FAIR, asked(0.2, 0.3), "silent"),
        (FAIR, asked(0.3, 0.4, "tilted"), "differs"),
        (TILTED, asked(0.28, 0.44, looks_ahead=False), "unasked"),
    ],
)
def test_players_who_look_ahead_agree_only_with_an_interval_on_the_same_side(
    verdict: Verdict, study: Any, says: str
) -> None:
    second = opinion(study, 4, verdict)
    assert second == Opinion(says, 0 if says == "unasked" else 400)
    assert second.doubts(verdict) == ((verdict.status, says) in {("tilted", "silent"), ("fair", "differs")})


def test_the_headline_begins_with_what_both_say() -> None:
    study = asked(0.17, 0.33)
    assert Opinion("agrees", 400).opens(study, "yes") == "Yes, and players who look ahead agree"
    said = Opinion("silent", 400).opens(study, "no")
    assert said == "No among experts; players who look ahead do not show it (400 games)"
    assert Opinion("silent", 1).opens(study, "yes").endswith("(1 game)")
    assert Opinion("level").opens(study, "no", "random") == "No among random"


@pytest.mark.parametrize(
    ("drawn", "says"), [(0.27, "openings"), (0.23, "openings"), (0.31, "unasked"), (0.19, "unasked")]
)
def test_drawn_openings_speak_where_nobody_looked_ahead(drawn: float, says: str) -> None:
    """Within the margin of 3 points, the tilt is gone without the usual openings."""
    opened: Any = SimpleNamespace(verdicts=(object(),), table=pl.DataFrame({"seat": [4], "drawn": [drawn]}))
    verdict = Verdict(TILTED.code, "tilted", {**TILTED.values, "margin": 0.03})
    second = of_openings(opened, verdict)
    assert second == Opinion(says)
    assert second.doubts(verdict) == (says == "openings")
    assert of_openings(None, verdict) == of_openings(opened, FAIR) == Opinion("unasked")


@pytest.mark.parametrize(
    ("judge", "searcher", "players", "says"),
    [
        ("champion", "rollout", 4, "openings"),
        ("suzerain", "rollout", 4, "agrees"),
        ("suzerain", "quick_thinker", 3, "openings"),
        ("champion", "quick_thinker", 3, "agrees"),
        ("suzerain", "quick_thinker", 4, "agrees"),
    ],
)
def test_who_looks_ahead_only_after_the_judge_s_opening_is_no_second_opinion_on_it(
    judge: str, searcher: str, players: int, says: str
) -> None:
    """In Fief 2, rollouts begin where champions do, thinkers of three where suzerains do; others choose their own."""
    study = asked(0.28, 0.44)
    study.focus.strategies = (judge,)
    study.rungs = lambda count: [SimpleNamespace(spec=make_spec(players, [searcher], game="fief-2", games=1))]
    opened: Any = SimpleNamespace(verdicts=(object(),), table=pl.DataFrame({"seat": [4], "drawn": [0.25]}))
    verdict = Verdict(TILTED.code, "tilted", {**TILTED.values, "margin": 0.03})
    assert opinion(study, 4, verdict, opened) == Opinion(says, 400)
    assert opinion(study, 4, verdict) == Opinion("agrees", 400), "openings that nobody drew say nothing"
