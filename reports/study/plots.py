"""Figures on Matplotlib's axes: those of a page, and those of an analysis that has no page of its own."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import singledispatch
from typing import TYPE_CHECKING

import polars as pl

from analysis.breakdowns import Breakdowns
from analysis.cards.table import CardTable
from analysis.check.checking import Check
from analysis.course.drama import Closeness
from analysis.course.economy import ActionMix, Economy
from analysis.course.standings import Drama
from analysis.data.declarations import load_declarations
from analysis.data.results import Result
from analysis.ratings.fit import Strengths
from analysis.ratings.strengths import Matchups
from analysis.seats.advantage import SeatAdvantage
from analysis.seats.by_skill import SeatsBySkill
from reports.figures import seats
from reports.figures.base import Figure
from reports.figures.curves import Curves, Ecdf
from reports.page import Picture
from reports.pages.check import compose_checks
from reports.render.images import WIDE
from reports.render.theme import theme
from reports.sections.breakdowns import pictures
from reports.sections.cards import figures
from reports.sections.course import leaders, sources
from reports.sections.strategies import by_role, matchups_figure, strengths_figure
from reports.study.study import words_of
from reports.words import Words
from simcore.errors import UsageError, nearest
from simcore.game import load_game
from simcore.homes import ELSEWHERE
from simcore.rules.files import load_rules

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def plot(figures: Mapping[str, Figure], ax: Axes | None = None, name: str | None = None) -> Axes:
    """Draw one of some figures, by default the first, and return its axes.

    figures: The figures by name, in order.
    ax: Axes to draw on.  If None, those of a new figure of a suitable size.
    name: Name of the figure.
    Raises UsageError if there is no figure, or none of that name.
    """
    if not figures:
        raise UsageError("plot: there is no figure of this result; its tables hold what is known")
    chosen = next(iter(figures)) if name is None else name
    if chosen not in figures:
        raise UsageError(f"no figure '{chosen}'{nearest(chosen, figures)}", "name")
    figure = figures[chosen]
    with theme():
        if ax is None:
            from matplotlib import pyplot

            _, ax = pyplot.subplots(figsize=(WIDE, figure.height(WIDE)), layout="constrained")
        figure.draw(ax)
    ax.set_label(chosen)
    return ax


def plots(figures: Mapping[str, Figure]) -> dict[str, Axes]:
    """Draw each figure on axes of its own, and return the axes by the figure's name."""
    return {name: plot(figures, name=name) for name in figures}


def by_name(drawn: Iterable[Picture]) -> dict[str, Figure]:
    """Return the figures of a page by name."""
    return {picture.name: picture.figure for picture in drawn}


def figures_of(result: Result | Check, lang: str = "en") -> dict[str, Figure]:
    """Return the figures of an analysis or a check by name, the most important first."""
    if isinstance(result, Check):
        return by_name(compose_checks([result], Words(lang)).pictures)
    return _figures(result, _words(result.inputs[0].game, lang))


def headline(result: Result | Check) -> str:
    """Return the first verdict as an English sentence; empty if there is none."""
    if isinstance(result, Check) or not result.verdicts:
        return ""
    return _words(result.inputs[0].game, "en").verdict(result.verdict)


def _words(game: str, lang: str) -> Words:
    words = Words(lang)
    return words if game == ELSEWHERE else words_of(game, load_rules(load_game(game), "base"), words)


@singledispatch
def _figures(result: Result, words: Words) -> dict[str, Figure]:
    return {}


@_figures.register
def _(result: SeatAdvantage, words: Words) -> dict[str, Figure]:
    who = words.listed(list(dict.fromkeys(map(words.name, result.inputs[0].strategies))))
    return {"seats": seats.SeatAdvantage({who: result.table}, words=words)}


@_figures.register
def _(result: SeatsBySkill, words: Words) -> dict[str, Figure]:
    runs = {str(skill): rows for (skill,), rows in result.table.group_by("skill", maintain_order=True)}
    return {"seats": seats.SeatAdvantage(runs, words=words)}


@_figures.register
def _(result: CardTable, words: Words) -> dict[str, Figure]:
    return figures(words, result)


@_figures.register
def _(result: Closeness, words: Words) -> dict[str, Figure]:
    if result.margins.is_empty():
        return {}
    frame = result.margins.select(series=pl.lit("margin"), x="margin", share=pl.col("share").cum_sum(), games="games")
    names = {"margin": words("measure.margin")}
    return {"margins": Ecdf(frame, names, words("measure.margin"), words=words)}


@_figures.register
def _(result: Economy, words: Words) -> dict[str, Figure]:
    declared = load_declarations(result.inputs[0].game).economy
    assert declared is not None
    return by_name([sources(words, result, words.name(declared.unit))])


@_figures.register
def _(result: Drama, words: Words) -> dict[str, Figure]:
    return by_name([leaders(words, result)])


@_figures.register
def _(result: ActionMix, words: Words) -> dict[str, Figure]:
    frame = result.table.select(series="action", x="third", value="share", low="share_low", high="share_high")
    names = {name: words.name(name) for name in frame["series"].unique(maintain_order=True)}
    across, up = words("col.third"), words("axis.actions")
    return {"actions": Curves(frame, names, across, up, percent=True, words=words)}


@_figures.register
def _(result: Matchups, words: Words) -> dict[str, Figure]:
    return by_name(
        matchups_figure(
            words, rows, list(dict.fromkeys(rows["strategy"])), f"match-ups{stem}", title("figure.matchups")
        )
        for stem, title, rows in by_role(words, result.table)
    )


@_figures.register
def _(result: Strengths, words: Words) -> dict[str, Figure]:
    return by_name(
        strengths_figure(words, rows, f"strengths{stem}", title("figure.strengths"), "")
        for stem, title, rows in by_role(words, result.table)
        if rows["strength"].null_count() == 0
    )


@_figures.register
def _(result: Breakdowns, words: Words) -> dict[str, Figure]:
    items = (item for item in load_declarations(result.inputs[0].game).breakdowns if item.topic == result.topic)
    return by_name(picture for item in items for picture in pictures(words, item, result))
