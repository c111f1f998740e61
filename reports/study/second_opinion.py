"""What players who look ahead say to the verdict of a game's usual judge."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import polars as pl

from analysis.data.results import Verdict
from analysis.data.source import Source
from analysis.openings import Openings
from analysis.seats.advantage import SeatAdvantage
from analysis.seats.agreement import (
    FEW,
    OPPOSITE,
    OTHER,
    REFUTED,
    SAME,
    SEVERAL,
    TIMES,
    Agreement,
    agreement,
    counterpart,
)
from analysis.seats.by_skill import SeatsBySkill
from reports.study.study import Study
from reports.words import Words
from strategies.kit import EXPERTS
from strategies.openings import opens_like
from strategies.skill import players_of

UNASKED, OPENINGS, LEVEL = "unasked", "openings", "level"
"""What is said where there is no agreement to speak of: nobody who looks ahead was asked; drawn openings do not show
the verdict, and nobody looked ahead, or only after the same openings; the verdict is about one level of skill."""


@dataclass(frozen=True)
class Opinion(Agreement):
    """A second opinion on a verdict: an agreement, or one of the three answers above."""

    games: int = 0  # number of games that it rests on

    @property
    def doubts(self) -> bool:
        """Whether only the usual judge stands for the verdict."""
        return self.contradicts or self.says == OPENINGS

    def opens(self, words: Words, verdict: Verdict, who: str) -> str:
        """Return how the answer begins: "No, and players who look ahead agree"."""
        if self.says in (OPPOSITE, OTHER, REFUTED):
            return words("answer.contradicted")
        which = _which(words, verdict, self.values["which"]) if self.says == SEVERAL else ""
        kind = "yes" if verdict.status == "fair" else "no"
        return words(f"answer.{kind}.{self.says}", who=who, games=self.games, which=which)

    def instead(self, words: Words, verdict: Verdict, who: str) -> str:
        """Return how a contradicted answer ends: what players who look ahead find instead."""
        if self.says not in (OPPOSITE, OTHER, REFUTED):
            return ""
        found = self.values
        kind = "_payoff" if "unit" in found else "" if found["par"] else "_points"
        if not kind:
            found = {**found, **{end: found[end] / found["par"] for end in ("share", "low", "high")}}
        which = _which(words, verdict, [str(found.get("seat", found.get("camp")))])
        return words(
            f"answer.{OTHER if self.says == OTHER else OPPOSITE}{kind}",
            **{**found, "which": which, "who": who, "games": self.games},
        )

    def power(self, words: Words) -> str:
        """Return what too few games could have shown; "" if nothing is known about it."""
        chance = self.values.get("power") if self.says == FEW else None
        return "" if chance is None else words("answer.power", games=self.games, times=TIMES, power=chance)


def _which(words: Words, verdict: Verdict, names: Sequence[str]) -> str:
    """Return what to call one of some seats, or of some camps: "seat 1 or 2"."""
    first, last = [words.known(name) or name for name in names[:-1]], words.known(names[-1]) or names[-1]
    either = words("answer.or", first=words.listed(first), last=last) if first else last
    return words("answer.camp" if "camp" in verdict.values else "answer.seat", name=either)


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
    second, games = agreement(verdict, counterpart(verdict, result.verdicts)), result.inputs[0].games
    if drawn.says == OPENINGS and second.says in (SAME, SEVERAL) and opens_like(source.spec, study.focus.strategies):
        return Opinion(OPENINGS, {}, games)
    return Opinion(second.says, second.values, games)


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
