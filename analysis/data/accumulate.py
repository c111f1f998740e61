"""Pass all games of a source through an accumulator, several stretches at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Protocol, Self, TypeVar

import numpy as np

from analysis.data.events import GAME
from analysis.data.in_parallel import in_parallel
from analysis.data.results import Counted, Inputs, Unanswered
from analysis.data.source import Array, Block, Source
from simcore.running.accumulator import Accumulator


class AddsBlocks(Protocol):
    """An accumulator of blocks of games; see `simcore.running.accumulator`."""

    def add(self, block: Block) -> None:
        """Add a block of games."""

    def merge(self, other: Self) -> None:
        """Add everything that another accumulator holds."""


A = TypeVar("A", bound=AddsBlocks)


class Counts(Accumulator):
    """Sums over games, which a function adds block by block.

    count: Function that adds a block of games to the sums, which are attributes of its first argument.
    about: Name under which a run without rows keeps the sums.  If empty, that of the function.
    sums: Accumulators, alone or in lists, and numbers that add up, by name.
    """

    def __init__(self, count: Callable[[Any, Block], None], about: str = "", **sums: Any) -> None:
        numbers = tuple(name for name, value in sums.items() if isinstance(value, int | float))
        about = about or f"{count.__module__}.{count.__qualname__}"
        vars(self).update(sums, count=count, about=about, adds=numbers)

    if TYPE_CHECKING:  # the sums are attributes

        def __getattr__(self, name: str) -> Any: ...

        def __setattr__(self, name: str, value: Any) -> None: ...

    def add(self, block: Block) -> None:
        """Add a block of games."""
        self.count(self, block)


def accumulate(
    source: Source,
    names: Sequence[str],
    make: Callable[[], A],
    threads: int | None = None,
    tick: Callable[[int], None] = lambda games: None,
    most: int | None = None,
    events: bool = False,
) -> tuple[A, Inputs]:
    """Pass all games of a source through an accumulator; memory does not grow with their number.

    source: The games.
    names: Names of the columns.
    make: Function that makes an empty accumulator; several are filled at a time, and merged in the order of the games.
    threads: Number of threads.  If None, one for each processor.
    tick: Function that is called from time to time with the number of games done so far.
    most: Number of games after which no further stretch is read.  If None, all games are read.
    events: Whether the blocks contain the events of their games.
    Raises UsageError if a part is damaged or contains impossible values, or there is no complete deal.
    """
    per_deal = source.spec.games_per_deal

    def reading(stretch: Any) -> Iterator[tuple[int, dict[str, Array], Array | None]]:
        if events:
            yield from source.read_with_events(stretch, names)
        else:
            for first, columns in source.read(stretch, names):
                yield first, columns, None

    def take(stretch: Any) -> tuple[A, Counted]:
        own, count = make(), Counted()
        for first, columns, noted in reading(stretch):
            block, lost = _whole_deals(first, columns, noted, per_deal)
            count += Counted(block.games, block.deals, lost)
            if block.games:
                try:
                    own.add(block)
                except (ArithmeticError, LookupError, ValueError) as error:
                    raise source.blamed(error) from error
        return own, count

    known = source.counted(names, make, events)
    if known is not None:
        return known[0], source.inputs(known[1].games, known[1].deals, known[1].excluded)
    total, seen, stopped = make(), Counted(), False
    with closing(in_parallel(take, source.stretches(), threads)) as results:
        for found, count in results:
            total.merge(found)
            seen += count
            tick(seen.games + seen.excluded)
            if stopped := most is not None and seen.games >= most:
                break
    if not seen.deals:
        raise Unanswered(
            "no_whole_deal",
            "{run}: {games} games are fewer than one complete deal of {deal}; play more games",
            run=source.label,
            games=seen.excluded,
            deal=per_deal,
        )
    inputs = source.inputs(seen.games, seen.deals, seen.excluded)
    return total, replace(inputs, planned=seen.games) if stopped else inputs


def _whole_deals(first: int, columns: dict[str, Array], events: Array | None, per_deal: int) -> tuple[Block, int]:
    """Cut off games whose deal begins before the first game or ends after the last one."""
    games = len(next(iter(columns.values())))
    head = min(-first % per_deal, games)
    tail = (games - head) % per_deal
    if head or tail:
        columns = {name: values[head : games - tail] for name, values in columns.items()}
    if events is None:
        return Block(per_deal, columns), head + tail
    low, high = np.searchsorted(events[:, GAME], (head, games - tail))
    kept = events[low:high].copy()
    kept[:, GAME] -= head
    return Block(per_deal, columns, kept), head + tail
