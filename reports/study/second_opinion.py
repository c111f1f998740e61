"""What players who look ahead say to the verdict of a game's usual judge."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import polars as pl

from analysis.data.results import Verdict
from analysis.data.source import Source
from analysis.openings import Openings
from analysis.seats.advantage import SeatAdvantage
from analysis.seats.by_skill import SeatsBySkill
from reports.study.study import Study
from simcore.game import load_game
from strategies.kit import EXPERTS
from strategies.openings import opens_like
from strategies.skill import players_of

AGREES, SILENT, DIFFERS, UNASKED, OPENINGS, LEVEL = "agrees", "silent", "differs", "unasked", "openings", "level"


@dataclass(frozen=True)
class Opinion:
    """A second opinion on a verdict."""

    says: str
    """"agrees", "silent" (it does not show what the verdict says, or shows nothing else), "differs", "unasked",
    "openings" (drawn openings do not show it, and nobody looked ahead, or only after the same openings), or "level"
    where the verdict itself is about one level of skill."""
    games: int = 0  # number of games that it rests on

    def doubts(self, verdict: Verdict) -> bool:
        """Return whether only the usual judge stands for a verdict."""
        return (verdict.status, self.says) in (("tilted", SILENT), ("tilted", OPENINGS), ("fair", DIFFERS))

    def opens(self, study: Study, kind: str, who: str = "") -> str:
        """Return how the answer begins: "No, and players who look ahead agree" for the kind "no"."""
        return study.words(f"answer.{kind}.{self.says}", who=who or judge_of(study), games=self.games)


def judge_of(study: Study) -> str:
    """Return what the players of the focus are called in a sentence."""
    experts = set(players_of(study.game.name, EXPERTS).values())
    return study.words("answer.experts") if set(study.focus.strategies) == experts else study.names_of(study.focus)


def opinion(study: Study, players: int, verdict: Verdict, opened: Openings | None = None) -> Opinion:
    """Return what players who look ahead say to a verdict on the seats at a number of players.

    Drawn openings speak where nobody looked ahead, or where those who did left the opening to a player whom the verdict
    is about.
    """
    found, drawn = searched(study, players), of_openings(opened, verdict)
    if found is None or study.focus.spec.searches:
        return drawn
    source, result = found
    games = result.inputs[0].games
    if verdict.status == "fair":
        states = {one.status for one in result.verdicts}
        return Opinion(DIFFERS if "tilted" in states else AGREES if states == {"fair"} else SILENT, games)
    column = "payoff" if "unit" in verdict.values else "share"
    row, par = _line(result, verdict), verdict.values["par"]
    if par == 0:
        column = "edge"  # a seat of a role: its share less its part of what the role wins
    if row is None or row[f"{column}_low"] is None:
        return Opinion(SILENT, games)
    same = row[f"{column}_low"] > par if verdict.values["share"] > par else row[f"{column}_high"] < par
    if same and drawn.says == OPENINGS and opens_like(source.spec, study.focus.strategies):
        return Opinion(OPENINGS, games)
    return Opinion(AGREES if same else SILENT, games)


def of_openings(opened: Openings | None, verdict: Verdict) -> Opinion:
    """Return what drawn openings say to a verdict on a seat."""
    if opened is None or not opened.verdicts or verdict.status != "tilted":
        return Opinion(UNASKED)
    rows = opened.table.filter(pl.col("seat") == verdict.values.get("seat"))
    off = (rows["drawn"] - verdict.values["par"]).abs()
    return Opinion(OPENINGS if len(rows) and off[0] <= verdict.values["margin"] else UNASKED)


def searched(study: Study, players: int) -> tuple[Source, SeatAdvantage] | None:
    """Return the run of the strongest players who look ahead, and its seats; None if none of them played."""
    found: SeatsBySkill | None = study.found(f"skill:{players}")
    pairs = [] if found is None else list(zip(study.rungs(players), found.runs, strict=True))
    return next((pair for pair in reversed(pairs) if pair[0].spec.searches), None)


def _line(result: SeatAdvantage, verdict: Verdict) -> dict[str, Any] | None:
    """Return the row of the camp or seat that a verdict is about."""
    if "camp" in verdict.values and result.camps is not None:
        titles = load_game(result.inputs[0].game).camp_titles
        rows = result.camps.filter(pl.col("camp").replace(titles) == verdict.values["camp"])
    else:
        rows = result.table.filter(pl.col("seat") == verdict.values.get("seat"))
    return rows.row(0, named=True) if len(rows) else None
