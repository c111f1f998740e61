"""`eq.log`: what was tried in a project folder."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from html import escape
from pathlib import Path
from typing import Any

import polars as pl

from analysis.design_log import Entry, as_frame, read_log
from analysis.stats.intervals import check_level
from reports.design_log import compose_log
from reports.page import Report
from reports.words import Words


@dataclass(frozen=True, eq=False)
class DesignLog:
    """Runs and experiments of a folder, the oldest first.

    Parameters
    ----------
    entries
        One for each.
    problems
        What could not be read, and why.
    lang
        Language of the page and of the verdicts on runs.
    """

    entries: tuple[Entry, ...]
    problems: tuple[str, ...]
    lang: str

    @property
    def table(self) -> pl.DataFrame:
        """One row for each run or experiment."""
        return as_frame(self.entries)

    def report(self) -> Report:
        """Return the page."""
        return compose_log(self.entries, self.problems, Words(self.lang))

    def to_dict(self) -> dict[str, Any]:
        """Return the same as plain values."""
        return {"entries": self.table.to_dicts(), "problems": list(self.problems)}

    def __repr__(self) -> str:
        return f"<DesignLog: {len(self.entries)} runs and experiments>"

    def _repr_html_(self) -> str:
        told: Sequence[str] = [f"<p>{escape(problem)}</p>" for problem in self.problems]
        return f"<p>{escape(repr(self)[1:-1])}</p>{''.join(told)}{self.table._repr_html_()}"


def log(folder: str | Path = "runs", lang: str = "en", level: float = 0.95) -> DesignLog:
    """Return what was tried in a folder: every run, comparison, sweep and other experiment, the oldest first.

    Parameters
    ----------
    folder
        Where they lie, up to four folders deep.
    lang
        Language of the page, "en" or "fr".
    level
        Confidence level of the tilts.

    Raises
    ------
    UsageError
        If there is no such folder, or nothing in it.
    """
    check_level(level)
    entries, problems = read_log(Path(folder), partial(Words.verdict, Words(lang)), level)
    return DesignLog(tuple(entries), tuple(problems), lang)
