"""Families of numbers that every game yields, and the effects of cards on them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from analysis.cards.counterfactual import LEAD_CHANGES, Measures, lead_passes
from analysis.course.standings import RATES, columns_of, fortunes, last_but_one, stories
from analysis.data.source import Array, Block, Source
from analysis.stats.moments import Floats
from simcore.errors import UsageError, nearest
from simcore.running.columns import COMPUTED, columns

OF_CARD = "card_"
"""Prefix of the families of card effects: the game with the card minus the game with a blank."""

MEAN = "mean_of_"
"""Prefix of the families of means of the table's columns."""

LENGTH = "length"
"""The name of the measure that is the mean of the column in which a game declares its length."""

BY_SEAT, BY_STRATEGY = "_by_seat", "_by_strategy"

SHARES, PAYOFF = "win_share" + BY_SEAT, "payoff" + BY_SEAT
"""Families of the share of the wins of each seat and, in a game that is played for a payoff, of what it gains."""


@dataclass(frozen=True)
class Quantity:
    """A quantity with one number for each game."""

    family: str
    member: str
    """family, member: Its name; the member is "" if the family has only one."""
    is_share: bool  # whether it is a share or a rate, whose margins are percentage points


Part = tuple[list[Quantity], tuple[str, ...], Callable[[Block], Floats]]
"""Quantities, the columns they need, and the function that computes them from a block, shape (games, quantities)."""


class Quantities:
    """The numbers that some families of measures need.

    source: Source of the games.
    families: Names, with or without the prefix `OF_CARD`.

    items : tuple of Quantity: The quantities, in the order of the vectors that `of` returns.
    columns : tuple of str: Columns that `of` reads.
    noting : bool: Whether `of` also reads the events of the games.
    Raises UsageError if a family is unknown to the game; the message begins with the family's name.
    """

    def __init__(self, source: Source, families: Sequence[str]) -> None:
        known = known_families(source)
        for name in families:
            if name not in known:
                raise UsageError(f"{name}: no such measure{nearest(name, known)}")
        bases = {name.removeprefix(OF_CARD) for name in families}
        parts = [_measures(source), *_means(source, sorted(name for name in bases if name.startswith(MEAN)))]
        if PAYOFF in bases:
            parts.append(_payoffs(source))
        self.noting = _by_events(source) and bool(bases & {LEAD_CHANGES, *RATES})
        if self.noting:
            parts.append(_standings(source))
        elif bases & set(RATES):
            parts.append(_fortunes(source))
        self._makers = [part[2] for part in parts]
        self.items = tuple(item for part in parts for item in part[0])
        self.columns = tuple(dict.fromkeys(name for part in parts for name in part[1]))

    def of(self, block: Block) -> Floats:
        """Return the mean over the games of each deal, shape (deals, quantities)."""
        values = np.hstack([make(block) for make in self._makers])
        return np.asarray(block.totals(values) / block.per_deal)

    def members(self, family: str) -> dict[str, int]:
        """Return the position of every member of a family (without `OF_CARD`)."""
        return {item.member: number for number, item in enumerate(self.items) if item.family == family}


def known_families(source: Source) -> dict[str, bool]:
    """Return every family that a source's game allows, and whether it contains shares."""
    measures, _, _ = _measures(source)
    found = {item.family: item.is_share for item in measures}
    if source.declarations.cards:
        found |= {OF_CARD + name: share for name, share in found.items()}
    if source.declarations.trajectory:
        found |= dict.fromkeys(RATES, True)
    elif _by_events(source):
        found |= {LEAD_CHANGES: False, **dict.fromkeys(RATES, True)}
    if source.judged.is_payoff:
        found[PAYOFF] = False
    for name in _numeric(source):
        found |= {MEAN + name: False, MEAN + name + BY_SEAT: False}
    return found


def of_whole_table(source: Source) -> dict[str, tuple[str, bool]]:
    """Return the family of every measure that is one number a game, and whether it is a share, by the user's name.

    The mean of a column has the name of the column; that of the game's length is "length" as well.
    """
    found = {
        family.removeprefix(MEAN): (family, is_share)
        for family, is_share in known_families(source).items()
        if not family.startswith((OF_CARD, "win_share")) and not family.endswith((BY_SEAT, BY_STRATEGY))
    }
    length = source.declarations.length
    return found | ({LENGTH: found[length]} if length in found else {})


def _measures(source: Source) -> Part:
    """Return the measures by which cards are judged: win shares and scores, spread, margin and lead changes."""
    measures = Measures(source)
    items = []
    for kind, by, group in zip(measures.kinds, measures.by, measures.groups, strict=True):
        name = "win_share" if kind == "share" else kind
        member = f"seat-{group}" if by == "seat" else group
        items.append(Quantity(f"{name}_by_{by}" if by else name, member, kind == "share"))
    return items, tuple(measures.columns), measures.of


def _payoffs(source: Source) -> Part:
    """Return what each seat gains."""
    judged = source.judged
    items = [Quantity(PAYOFF, f"seat-{seat + 1}", False) for seat in range(source.players)]
    return items, judged.columns, lambda block: judged.least + judged.of_columns(block.columns).astype(np.float64)


def _fortunes(source: Source) -> Part:
    columns = source.declarations.trajectory

    def make(block: Block) -> Floats:
        return fortunes(source.ranked(block, columns), source.shares(block)).astype(np.float64)

    return [Quantity(name, "", True) for name in RATES], (source.share, *columns), make


def _by_events(source: Source) -> bool:
    """Return whether the course of the game is known from its events, as in games of any length."""
    return bool(source.declarations.standing and not source.declarations.trajectory)


def _standings(source: Source) -> Part:
    """Return lead changes and rates from the recorded standings: means over the parts of a game, 0 without any."""
    standing = source.declarations.standing
    assert standing is not None

    def make(block: Block) -> Floats:
        total, parts = np.zeros((block.games, 1 + len(RATES))), np.zeros((block.games, 1))
        for told in stories(source, standing, block):
            rates = fortunes(told.rank, told.share, told.half, last_but_one(told))
            np.add.at(total, told.game, np.column_stack([lead_passes(told.rank).sum(axis=1), rates]))
            np.add.at(parts, told.game, 1)
        return np.asarray(total / np.maximum(parts, 1))

    items = [Quantity(name, "", name != LEAD_CHANGES) for name in (LEAD_CHANGES, *RATES)]
    return items, columns_of(source, standing), make


def _means(source: Source, families: Sequence[str]) -> list[Part]:
    """Return the parts of means of columns, of the whole table or by seat."""
    parts: list[Part] = []
    for family in families:
        column = family.removeprefix(MEAN)
        if column in _numeric(source):
            parts.append(([Quantity(family, "", False)], (column,), _mean(column, _seats_of(source, column))))
        else:
            column = column.removesuffix(BY_SEAT)
            having = _seats_of(source, column)
            seats = [Quantity(family, f"seat-{seat + 1}", False) for seat in having]
            parts.append((seats, (column,), _by_seat(column, having)))
    return parts


def _seats_of(source: Source, column: str) -> range:
    """Return the seats that a column has values for: those of its role, or all."""
    role = _numeric(source)[column].role
    own = next((item for item in source.spec.game.roles if item.name == role), None)
    return range(source.players) if own is None else own.at(source.players)


def _mean(column: str, seats: range) -> Callable[[Block], Floats]:
    return lambda block: block[column][:, seats.start : seats.stop].mean(axis=1, keepdims=True)


def _by_seat(column: str, seats: range) -> Callable[[Block], Floats]:
    return lambda block: block[column][:, seats.start : seats.stop].astype(np.float64)


def _numeric(source: Source) -> Mapping[str, Any]:
    """Return the game's columns that hold numbers."""
    fixed = {column.name for column in COMPUTED}
    found = (column for column in columns(source.spec.game, "full") if column.name not in fixed)
    return {column.name: column for column in found if column.type != "Enum"}


def cards_in(source: Source) -> list[str]:
    """Return the chance cards in the deck."""
    deck = source.declarations.cards
    return [name for name, copies in deck.copies(source.values).items() if copies > 0] if deck else []


def holds(block: Block, source: Source, card: str) -> Array:
    """Return which deals hold a card, shape (deals,); all of them if the table does not say."""
    deck = source.declarations.cards
    assert deck is not None
    if not deck.columns:
        return np.ones(block.deals, bool)
    code = source.labels(deck.columns[0]).index(card)
    drawn = np.stack([block[name][:: block.per_deal, 0] for name in deck.columns], axis=1)
    return np.asarray((drawn == code).any(axis=1))
