"""The distribution of each seat's scores."""

from __future__ import annotations

from typing import Self

import numpy as np

from analysis.data.accumulate import accumulate
from analysis.data.source import Block, Source
from analysis.data.sources import Data, open_source
from analysis.stats.moments import Floats
from simcore.running.accumulator import Accumulator

MOST_BINS = 4096
"""Largest number of bins; if the scores span more, neighbouring scores share a bin."""


class Scores(Accumulator):
    """Number of games by score and seat, in bins whose width is the smallest power of two that will do."""

    def __init__(self, source: Source) -> None:
        self.source, self.first, self.width = source, 0, 1
        self.counts: Floats = np.zeros((source.players, 0))

    def add(self, block: Block) -> None:
        """Add a block of games."""
        score = np.floor(block[str(self.source.score)]).astype(np.int64)
        width = self.width
        while score.max() // width - score.min() // width >= MOST_BINS:
            width *= 2
        bins = score // width
        first, size = int(bins.min()), int(bins.max() - bins.min()) + 1
        counts = np.stack([np.bincount(column - first, minlength=size) for column in bins.T]).astype(np.float64)
        self._take(first, width, counts)

    def merge(self, other: Self) -> None:
        if other.counts.size:
            self._take(other.first, other.width, other.counts)

    def _take(self, first: int, width: int, counts: Floats) -> None:
        if not self.counts.size:
            self.first, self.width, self.counts = first, width, counts
            return
        while self.width < width:
            self.first, self.width, self.counts = _wider(self.first, self.width, self.counts)
        while width < self.width:
            first, width, counts = _wider(first, width, counts)
        while self._size(first, counts) > MOST_BINS:
            first, width, counts = _wider(first, width, counts)
            self.first, self.width, self.counts = _wider(self.first, self.width, self.counts)
        low = min(self.first, first)
        room = np.zeros((len(counts), self._size(first, counts)))
        for start, part in ((self.first, self.counts), (first, counts)):
            room[:, start - low : start - low + part.shape[1]] += part
        self.first, self.counts = low, room

    def _size(self, first: int, counts: Floats) -> int:
        """Return the number of bins from the first to the last of both."""
        return int(max(self.first + self.counts.shape[1], first + counts.shape[1]) - min(self.first, first))


def _wider(first: int, width: int, counts: Floats) -> tuple[int, int, Floats]:
    """Merge neighbouring bins into bins of twice the width."""
    padded = np.pad(counts, ((0, 0), (first % 2, (first + counts.shape[1]) % 2)))
    return first // 2, 2 * width, padded[:, ::2] + padded[:, 1::2]


def scores(data: Data) -> Scores:
    """Return the number of games by score and seat.

    data: A run, a run folder, or a specification to play.
    Raises UsageError if the game has no score, or the run cannot be read.
    """
    source = open_source(data)
    found, _ = accumulate(source, [source.scored("the distribution of scores")], lambda: Scores(source))
    return found
