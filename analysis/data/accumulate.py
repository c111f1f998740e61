"""Pass all games of a source through an accumulator, several stretches at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Protocol, Self, TypeVar

import numpy as np
from numpy.typing import NDArray

from analysis.data.events import GAME
from analysis.data.in_parallel import in_parallel
from analysis.data.results import Counted, Inputs, Unanswered
from analysis.data.source import Array, Block, Source
from simcore.running.accumulator import Accumulator, held_by


class AddsBlocks(Protocol):
    """An accumulator of blocks of games; see `simcore.running.accumulator`."""

    def add(self, block: Block) -> None:
        """Add a block of games."""

    def merge(self, other: Self) -> None:
        """Add everything that another accumulator holds."""


A = TypeVar("A", bound=AddsBlocks)


class Counts(Accumulator):
    """Sums over games, which a function adds block by block.

    count: Function that adds a block of games to the sums, which are attributes of its first argument.  None if they
        are added in another way.
    about: Name under which a run without rows keeps the sums.  If empty, that of the function.
    sums: By name: accumulators, alone or in lists of them; numbers, arrays and other lists that add up; and anything
        else that says what is counted, such as `later` (see `Accumulator`).
    """

    def __init__(self, count: Callable[[Any, Block], None] | None = None, about: str = "", **sums: Any) -> None:
        adds = [name for name, one in sums.items() if isinstance(one, int | float | np.ndarray) or one == []]
        about = about or f"{count.__module__}.{count.__qualname__}" if count else about
        vars(self).update(sums, count=count, about=about, adds=adds)

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

    make: Function that makes an empty accumulator; several are filled at a time, and merged in the order of the games.
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


def whole_columns(source: Source, names: Sequence[str], **options: Any) -> tuple[dict[str, Array], Inputs]:
    """Return columns of all games, shape (games, players), and a description of the data; options of `accumulate`."""

    def count(sums: Counts, block: Block) -> None:
        sums.blocks.append(block)

    sums, inputs = accumulate(source, names, lambda: Counts(count, blocks=[]), **options)
    return {name: np.concatenate([block[name] for block in sums.blocks]) for name in names}, inputs


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


# --- The contents of accumulators as named arrays, which a file can store ---


Arrays = Mapping[str, NDArray[Any]]


def key_of(accumulator: object, names: Sequence[str]) -> str:
    """Return a key that distinguishes what an analysis counts from what other analyses count."""
    kind = type(accumulator)
    about = getattr(accumulator, "about", f"{kind.__module__}.{kind.__qualname__}")
    return f"{about}({','.join(names)})"


def held(accumulator: object, key: str) -> dict[str, NDArray[Any]]:
    """Return everything that an accumulator counted, under names that begin with its key."""
    return {f"{key}{place}": np.asarray(value) for place, _, _, value in _parts(accumulator, "")}


def fill(accumulator: object, key: str, arrays: Arrays) -> None:
    """Fill an empty accumulator with what was counted under a key.

    An array of the empty accumulator that is not zero describes what is counted, such as the numbers of the strategies,
    and must be the same in both.

    Raises KeyError if nothing was counted under the key.
    Raises ValueError if it does not fit the accumulator.
    """
    for place, owner, name, empty in list(_parts(accumulator, "")):
        later = getattr(owner, "later", {})
        if name in later and f"{key}{place}" not in arrays:
            setattr(owner, name, later[name])
            continue
        value = arrays[f"{key}{place}"]
        if not isinstance(empty, np.ndarray):
            setattr(owner, name, type(empty)(value.item()))
            continue
        grows = not empty.size and empty.ndim == value.ndim
        if value.dtype != empty.dtype or not (grows or value.shape == empty.shape):
            raise ValueError(f"{key}{place}")
        if empty.any() and not np.array_equal(empty, value):  # it says what is counted
            raise ValueError(f"{key}{place}")
        setattr(owner, name, value)


def _parts(owner: object, place: str) -> Iterator[tuple[str, object, str, Any]]:
    """Yield every number and array in which an accumulator counts: its place, its owner, and its value."""
    for name, value in vars(owner).items():
        if isinstance(value, np.ndarray) or type(value) in (int, float):
            yield f"{place}.{name}", owner, name, value
    for here, inner in held_by(owner):
        yield from _parts(inner, f"{place}{here}")
