"""The totals of a run without rows: everything that the headlines of a report are made from."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

from analysis.course.drama import closeness
from analysis.course.economy import economy
from analysis.course.standings import scores
from analysis.data.declarations import load_declarations
from analysis.data.source import Source
from analysis.data.summary import Asked, Summary, noted
from analysis.ratings.strengths import matchups, strengths
from analysis.seats.advantage import seat_advantage
from simcore.running.batch import Spec
from simcore.running.tally import Also

HEADLINES: tuple[Callable[[Source], object], ...] = (
    seat_advantage, strengths, matchups, closeness, scores, economy,
)  # fmt: skip
"""Analyses for every game; those that do not apply to a run are left out."""


def summary_of(spec: Spec, more: Mapping[str, Asked] | None = None) -> Also:
    """Return a function that makes a run's empty totals: those for every game, the game's own, and those in `more`."""
    own = load_declarations(spec.game.name).headlines
    return partial(Summary, spec, noted(spec, [*HEADLINES, *own]) | dict(more or {}))
