"""What a game adds to the report: its own sections, and its own panels on the chart of skill.

A game adds them as `REPORT` in `reports/games/<game>/`, or in the module `report` of its package.  Their words
are in the game's word files, `words/<language>.toml` in its folder of configurations.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING

from analysis.skill import SHARES
from reports.figures.ladder import Steps
from simcore.errors import UsageError, nearest
from simcore.homes import home

if TYPE_CHECKING:
    from analysis.data.source import Source
    from analysis.skill import Ladder
    from reports.page import Section
    from reports.study.study import Study


@dataclass(frozen=True)
class Chapter:
    """A section of the report, and its position."""

    name: str  # name of the section; the names that it passes to `Study.ask` begin with it
    make: Callable[[Study], Section | None]
    """Function of the study that returns the section, or None if the game has nothing to say."""
    top: int = 1  # how many of its sentences appear at the top of the page
    after: str = ""  # name of the section that it follows; if empty, the last one


NAMED = 4
"""Number of lines of a panel that get their own colours if there are too many lines."""

ALL_NAMED = 6
"""Largest number of lines in a panel that can all be distinguished."""


@dataclass(frozen=True, eq=False)
class Asked:
    """A question asked along the ladder: its answers, and how they are shown."""

    title: str  # the question, shown above its panel
    found: Ladder  # the answers
    kind: str
    digits: int
    """kind, digits: How values are written; see `reports.page.Column`."""
    margin: float = 0.0  # half the width of the band that counts as fair

    @property
    def percent(self) -> bool:
        """Whether the values are shares."""
        return self.kind == "share"

    def steps(self) -> Steps:
        """Return the panel, in which the lines that move most are named."""
        order = self.found.table["what"].unique(maintain_order=True).to_list()
        named = order if len(order) <= ALL_NAMED else self.found.moved["what"].head(NAMED).to_list()
        frame = self.found.table.select(row="what", rung="rung", value="value", low="value_low", high="value_high")
        centre = None if self.found.asked == SHARES else self.found.centre  # 0% of something is no aim
        return Steps(self.title, frame, named, centre, self.percent, self.margin)


@dataclass(frozen=True)
class GameReport:
    """What a game adds to the report."""

    sections: tuple[Chapter, ...] = ()  # its own sections
    along: tuple[Callable[[Study, Sequence[Source]], Iterator[Asked]], ...] = ()
    """Functions of the study and its runs along the ladder of skill, weakest players first, that yield panels for the
    chart of skill."""


def load_report(game: str) -> GameReport:
    """Return what a game adds to the report; nothing if it has no module for it."""
    name = home(game).report
    try:
        report: GameReport = import_module(name).REPORT
    except ModuleNotFoundError as error:
        if error.name != name:
            raise
        return GameReport()
    return report


def placed(shared: Sequence[Chapter], own: Sequence[Chapter], game: str) -> list[Chapter]:
    """Return the sections that every game has and those of one game, in their order.

    Raises UsageError if a section of the game has the name of another section, or follows one that does not exist.
    """
    found = list(shared)
    for chapter in own:
        names = [item.name for item in found]
        if chapter.name in names:
            raise UsageError(f"{game}: the report has two sections '{chapter.name}'; rename the game's own")
        if chapter.after and chapter.after not in names:
            raise UsageError(
                f"{game}: its section '{chapter.name}' follows '{chapter.after}', which the report does not have"
                f"{nearest(chapter.after, names)}"
            )
        found.insert(names.index(chapter.after) + 1 if chapter.after else len(found), chapter)
    return found
