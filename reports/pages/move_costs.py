"""What the moves of a game cost, below its text: each seat's losses, and the moves that cost most."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from analysis.stats.intervals import bonferroni
from reports.words import Words
from simcore.errors import printable
from strategies.decision_costs import TABLES, Decision

LEVEL, MOST = 0.95, 10
"""Confidence level, and the largest number of moves that are named."""


def costs_text(decisions: Sequence[Decision], words: Words, tables: int = TABLES) -> str:
    """Return the text, line by line.

    decisions: All decisions of the game among several moves.
    words: The language.
    tables: Number of imagined tables at every decision.
    """
    return "".join(f"{line}\n" for line in _lines(decisions, words, tables))


def _lines(decisions: Sequence[Decision], words: Words, tables: int) -> Iterator[str]:
    heading = words("costs.heading")
    yield from (heading, "-" * len(heading), words("costs.how", count=len(decisions), tables=tables), "")
    for seat in sorted({one.seat for one in decisions}):
        own = [one for one in decisions if one.seat == seat]
        error = bonferroni(LEVEL) * math.sqrt(sum(one.error**2 for one in own)) / len(own)
        loss = sum(one.loss for one in own) / len(own)
        yield words("costs.seat", seat=seat + 1, count=len(own), loss=100 * loss, error=100 * error)
    certain = bonferroni(LEVEL, len(decisions))
    clear = sorted((one for one in decisions if one.loss > certain * one.error), key=lambda one: -one.loss)[:MOST]
    yield from ("", words("costs.worst" if clear else "costs.none"))
    for one in clear:
        yield words(
            "costs.move",
            seat=one.seat + 1,
            question=printable(one.question),
            answer=printable(one.answer),
            best=printable(one.best),
            loss=100 * one.loss,
            error=100 * certain * one.error,
        )
