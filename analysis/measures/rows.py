"""The measures of whole games, each declared once: what names, limits, keeps, aims at or shows one derives from here.

This module loads next to nothing, so that options can be read at once; `analysis.measures.quantities` computes rows.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import polars as pl

    from analysis.measures.quantities import Games

CLOSE = 0.05
"""A game is close if its margin is at most this fraction of its largest score, counted without the sign."""

LENGTH = "length"
"""Another name of the mean of the column in which a game declares its length."""


@dataclass(frozen=True)
class Measure:
    """A number that each game has."""

    name: str  # its name in options, files and tables, and the key of its words
    needs: tuple[str, ...]  # what it is computed from: "share", "score", and "course" for the standings on the way
    of: Callable[[Games], Any]  # computes it, shape (games,)
    is_share: bool = False  # whether it happens in a game or not, so that the mean is a share of the games


_ROWS = (
    Measure("score", ("score",), lambda games: games.score.mean(axis=1)),
    Measure("spread", ("score",), lambda games: games.ranked[:, -1] - games.ranked[:, 0]),
    Measure("margin", ("score",), lambda games: games.margin),
    Measure("lead_changes", ("course",), lambda games: games.changes),
    Measure("close", ("score",), lambda games: games.margin <= CLOSE * games.largest, is_share=True),
    Measure("level", ("score",), lambda games: games.margin == 0, is_share=True),
    Measure("ties", ("share",), lambda games: games.source.shared(games.block), is_share=True),
    Measure("runaway", ("share", "course"), lambda games: games.fortunes[:, 0], is_share=True),
    Measure("wire_to_wire", ("share", "course"), lambda games: games.fortunes[:, 1], is_share=True),
    Measure("comeback", ("share", "course"), lambda games: games.fortunes[:, 2], is_share=True),
    Measure("last_round", ("share", "course"), lambda games: games.fortunes[:, 3], is_share=True),
)


@dataclass(frozen=True)
class Added:
    """A measure that an analyst added."""

    expression: pl.Expr  # over the rows of a game
    columns: tuple[str, ...]  # that it names
    is_share: bool  # whether it is true or false
    text: str  # tells it from others


ADDED: dict[str, Added] = {}
"""What `analysis.measures.own.measure` added."""

MEASURES = {row.name: row for row in _ROWS}
NUMBERS = tuple(row.name for row in _ROWS if not row.is_share)
COURSE = tuple(row.name for row in _ROWS if "course" in row.needs)
RATES = COURSE[1:]
"""Kinds of games by how a winner came to lead; see `analysis.course.standings.Drama`."""
