"""Families of numbers that every game yields: `analysis.measures.rows`, what groups of seats win, means of columns."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import chain
from typing import Any

import numpy as np

from analysis.course.standings import columns_of, fortunes, lead_passes, stories
from analysis.data.source import Array, Block, Source
from analysis.measures.rows import ADDED, COURSE, LENGTH, MEASURES
from analysis.stats.moments import Floats, signed
from simcore.errors import UsageError, nearest
from simcore.rules.measures import Expression
from simcore.running.columns import COMPUTED, columns

OF_CARD = "card_"
"""Prefix of the families of card effects: the game with the card minus the game with a blank."""

MEAN = "mean_of_"
"""Prefix of the families of means of the table's columns."""

BY_SEAT, BY_STRATEGY = "_by_seat", "_by_strategy"

SHARES, PAYOFF = "win_share" + BY_SEAT, "payoff" + BY_SEAT
"""Families of the share of the wins of each seat and, in a game that is played for a payoff, of what it gains."""


@dataclass(eq=False)
class Games:
    """The games of a block, and what measures need of them, each computed once."""

    source: Source
    block: Block

    @cached_property
    def share(self) -> Floats:
        """Each seat's share of the win."""
        return self.source.shares(self.block)

    @cached_property
    def score(self) -> Floats:
        """Each seat's score."""
        return self.block[str(self.source.score)].astype(np.float64)

    @cached_property
    def largest(self) -> Array:
        """The largest score without the sign."""
        return np.asarray(np.abs(signed(self.block[str(self.source.score)])).max(axis=1))

    @cached_property
    def ranked(self) -> Array:
        """The final scores of those who compete, the best last."""
        return self.source.contested(self.block)

    @cached_property
    def margin(self) -> Array:
        """The best score minus the second."""
        return np.asarray(self.ranked[:, -1] - self.ranked[:, -2])

    @cached_property
    def _course(self) -> Array | None:
        columns = self.source.declarations.trajectory
        return self.source.ranked(self.block, columns) if columns else None

    @cached_property
    def changes(self) -> Array:
        """How often the lead changes."""
        return self._told[:, 0] if self._course is None else lead_passes(self._course).sum(axis=1)

    @cached_property
    def fortunes(self) -> Array:
        """Whether a game is of each kind in `RATES`; as a share, if parts of it are counted separately."""
        return self._told[:, 1:] if self._course is None else fortunes(self._course, self.share)

    @cached_property
    def _told(self) -> Floats:
        """`COURSE` by the recorded standings: means over the parts of a game, 0 without any."""
        standing = self.source.declarations.standing
        assert standing is not None
        total, parts = np.zeros((self.block.games, len(COURSE))), np.zeros((self.block.games, 1))
        for told in stories(self.source, standing, self.block):
            np.add.at(total, told.game, told.course)
            np.add.at(parts, told.game, 1)
        return np.asarray(total / np.maximum(parts, 1))

    @cached_property
    def members(self) -> dict[str, list[Floats]]:
        """1 for the seats of each camp and of each strategy and 0 for the others, shape (games, players) each."""
        source, seats = self.source, np.arange(self.source.players)
        shape = self.block.games, len(seats)
        found = {"camp": [np.broadcast_to(1.0 * np.isin(seats, own), shape) for own in source.spec.camps.values()]}
        if source.mixed:
            played = source.members[seats, self.block["strategy"]]
            found["strategy"] = [1.0 * (played == number) for number in range(len(source.spec.cast))]
        return found


@dataclass(frozen=True)
class Family:
    """Numbers of a game with a name in common, one for each member."""

    name: str
    members: Sequence[str]  # such as seats; "" alone if it is one number
    columns: tuple[str, ...]  # columns that it is computed from
    of: Callable[[Games], Array]  # computes it, shape (games,) or (games, members)
    is_share: bool = False  # whether it is a share or a rate, whose margins are percentage points
    of_cards: bool = False  # whether cards are judged by it, too
    noting: bool = False  # whether it is computed from events
    own: bool = False  # whether a designer or an analyst declared it


def families(source: Source) -> dict[str, Family]:
    """Return everything that can be measured in the games of a source, by name."""
    ours = [*_of_games(source), *_of_groups(source), *_of_columns(source), *_of_payoffs(source)]
    own = [*_of_designers(source), *_of_analysts(source)]
    ours.sort(key=lambda one: one.name in MEASURES and not one.of_cards)
    return {one.name: one for one in (*ours, *own)}


def _of_designers(source: Source) -> Iterator[Family]:
    """Yield the measures that the rules declare, of the whole table and, where seats have values, by seat."""
    columns = {column.name: column for column in source.spec.game.columns}
    for name, text in source.values.measures.items():
        said = Expression(text, columns)
        if not source.available.issuperset(said.columns):
            continue
        seats = _seats_of(source, said.kind.role or "")
        parts = {one: _seats_of(source, columns[one].role) for one in said.columns}
        of = partial(_expressed, name, said, {one: slice(own.start, own.stop) for one, own in parts.items()})
        yield Family(name, ("",), said.columns, partial(_mean, of), said.kind.is_share, own=True)
        if said.kind.role is not None:
            yield Family(name + BY_SEAT, _named(seats), said.columns, of, said.kind.is_share, own=True)


def _expressed(name: str, said: Expression, parts: Mapping[str, slice], games: Games) -> Array:
    """Return what a measure says of each game, from the seats that each of its columns is about."""
    try:
        return said.values(lambda column: _seats(column, parts[column], games))
    except ValueError as error:
        raise UsageError(f"measures: {name}: {error}") from None


def _of_analysts(source: Source) -> Iterator[Family]:
    """Yield the measures that `eq.measure` added, where the source has their columns as numbers."""
    numeric = source.available & {*_numeric(source), source.share}
    for name, added in ADDED.items():
        if name in numeric or name in source.values.measures:
            raise UsageError(f"eq.measure: {name}: a column or a measure of the rules has this name; choose another")
        if numeric.issuperset(added.columns):
            of = partial(_aggregated, name, added.expression, added.columns)
            yield Family(name, ("",), added.columns, of, added.is_share, own=True)


def _aggregated(name: str, expression: Any, columns: Sequence[str], games: Games) -> Array:
    """Return what an expression of polars makes of the seats of each game: their mean, or one number."""
    import polars as pl

    source, block = games.source, games.block
    roles = {column.name: column.role for column in source.spec.game.columns}
    frame = pl.DataFrame({"": np.repeat(np.arange(block.games), source.players)})
    for column in columns:  # null, as in a table, at the seats that cannot have a value
        without = ~np.isin(np.arange(source.players), _seats_of(source, roles.get(column, "")))
        values = pl.Series(column, block[column].reshape(-1)).set(pl.Series(np.tile(without, block.games)), None)
        frame = frame.with_columns(values)
    made = frame.group_by("", maintain_order=True).agg(expression.mean().cast(pl.Float64).alias("of"))
    if not made["of"].is_finite().all():  # null where no seat has a value
        raise UsageError(f"eq.measure: {name}: not a finite number in some game; does it divide by 0?")
    return made["of"].to_numpy()


def _of_games(source: Source) -> Iterator[Family]:
    """Yield the measures whose columns the source has; the course is known from events if no columns show it."""
    rounds, standing = source.declarations.trajectory, source.declarations.standing
    course = rounds if rounds or standing is None else columns_of(source, standing)
    has = {"share": (source.share,), "score": (source.score,) if source.score else (), "course": course}
    for row in MEASURES.values():
        needs = tuple(dict.fromkeys(chain(*(has[name] for name in row.needs))))
        if all(has[name] for name in row.needs) and source.available.issuperset(needs):
            noting = "course" in row.needs and not rounds
            yield Family(row.name, ("",), needs, row.of, row.is_share, not row.is_share and not noting, noting)


def _of_groups(source: Source) -> Iterator[Family]:
    """Yield the shares of the wins and the mean scores of seats, camps and strategies."""
    whose: dict[str, list[str]] = {}
    for by, name in pars(source):
        whose.setdefault(by, []).append(f"seat-{name}" if by == "seat" else name)
    for name, column in (("win_share", source.share), ("score", source.score)):
        for by, members in whose.items() if column else ():
            needs = (str(column), *(("strategy",) if by == "strategy" else ()))
            of = partial(_of_group, by, name == "win_share")
            yield Family(f"{name}_by_{by}", members, needs, of, name == "win_share", of_cards=True)


def _of_group(by: str, is_share: bool, games: Games) -> Array:
    """Return the share of the wins, or the mean score, of each group of seats."""
    values = games.share if is_share else games.score
    if by == "seat":
        return values
    parts = [(values * here).sum(axis=1) / (1 if is_share else here.sum(axis=1)) for here in games.members[by]]
    return np.column_stack(parts)


def pars(source: Source) -> dict[tuple[str, str], float]:
    """Return the par of every seat, camp and strategy that is counted separately, by kind and name.

    Strategies are not counted separately if each role has only one.
    """
    spec = source.spec
    found = {("seat", str(seat + 1)): par for seat, par in enumerate(spec.par)}
    found |= {("camp", camp): sum(spec.par[seat] for seat in seats) for camp, seats in spec.camps.items()}
    names = source.cast_names if source.mixed else ()
    return found | {("strategy", name): par for name, par in zip(names, spec.cast_par, strict=False)}


def _of_columns(source: Source) -> Iterator[Family]:
    """Yield the means of columns, of the whole table and by seat, over the seats of the column's role."""
    for name, column in sorted(_numeric(source).items()):
        seats = _seats_of(source, column.role)
        part = partial(_seats, name, slice(seats.start, seats.stop))
        yield Family(MEAN + name, ("",), (name,), partial(_mean, part))
        yield Family(MEAN + name + BY_SEAT, _named(seats), (name,), part)


def _seats_of(source: Source, role: str) -> range:
    """Return the seats of a role; all seats if no role has this name."""
    own = next((one for one in source.spec.game.roles if one.name == role), None)
    return range(source.players) if own is None else own.at(source.players)


def _named(seats: range) -> list[str]:
    return [f"seat-{seat + 1}" for seat in seats]


def _seats(name: str, part: slice, games: Games) -> Array:
    return games.block[name][:, part].astype(np.float64)


def _mean(of: Callable[[Games], Array], games: Games) -> Array:
    return np.asarray(of(games).mean(axis=1))


def _numeric(source: Source) -> Mapping[str, Any]:
    """Return the game's columns that hold numbers."""
    fixed = {column.name for column in COMPUTED}
    found = (column for column in columns(source.spec.game, "full") if column.name not in fixed)
    return {column.name: column for column in found if column.type != "Enum"}


def _of_payoffs(source: Source) -> Iterator[Family]:
    """Yield what each seat gains."""
    judged = source.judged
    if judged.is_payoff:
        seats = _named(range(source.players))
        yield Family(PAYOFF, seats, judged.columns, lambda games: judged.least + judged.of_columns(games.block.columns))


def known_families(source: Source) -> dict[str, bool]:
    """Return every family that a source's game allows, and whether it contains shares."""
    found = families(source)
    of_cards = [one for one in found.values() if one.of_cards and source.declarations.cards]
    shares = {name: one.is_share for name, one in found.items()}
    return shares | {OF_CARD + one.name: one.is_share for one in of_cards}


def of_whole_table(source: Source) -> dict[str, tuple[str, bool]]:
    """Return the family of every measure that is one number a game, and whether it is a share, by the user's name.

    The mean of a column has the name of the column; that of the game's length is "length" as well.
    """
    known, length = families(source), source.declarations.length
    names = [
        *own_measures(source),
        *(name for name in MEASURES if name in known),
        *(MEAN + name for name in _numeric(source)),
    ]
    found = {name.removeprefix(MEAN): (name, known[name].is_share) for name in names}
    return found | ({LENGTH: found[length]} if length in found else {})


def own_measures(source: Source) -> list[str]:
    """Return the measures of whole games that a designer or an analyst added."""
    return [name for name, one in families(source).items() if one.own and one.members == ("",)]


def judging(source: Source) -> list[str]:
    """Return the families by which cards are judged."""
    return [name for name, one in families(source).items() if one.of_cards]


@dataclass(frozen=True)
class Quantity:
    """One number of every game."""

    family: str
    member: str
    """family, member: Its name; the member is "" if the family has only one."""
    is_share: bool  # whether it is a share or a rate, whose margins are percentage points

    @property
    def place(self) -> tuple[str, str, str]:
        """Its measure, such as "share", whose it is, such as "seat", and which of these."""
        kind, _, by = self.family.partition("_by_")
        return kind.removeprefix("win_"), by, self.member.removeprefix("seat-") if by == "seat" else self.member


class Quantities:
    """The numbers of some families.

    source: Source of the games.
    names: Names of families, with or without the prefix `OF_CARD`.

    items : tuple of Quantity: The quantities, in the order of the vectors that `of` returns.
    columns : tuple of str: Columns that `of` reads.
    noting : bool: Whether `of` also reads the events of the games.
    Raises UsageError if a family is unknown to the game; the message begins with the family's name.
    """

    def __init__(self, source: Source, names: Sequence[str]) -> None:
        known = known_families(source)
        for name in names:
            if name not in known:
                raise UsageError(f"{name}: no such measure{nearest(name, known)}")
        bases = {name.removeprefix(OF_CARD) for name in names}
        self.source = source
        self.families = [one for name, one in families(source).items() if name in bases]
        self.items = tuple(Quantity(one.name, member, one.is_share) for one in self.families for member in one.members)
        self.columns = tuple(dict.fromkeys(name for one in self.families for name in one.columns))
        self.noting = any(one.noting for one in self.families)

    def of(self, block: Block) -> Floats:
        """Return the mean over the games of each deal, shape (deals, quantities)."""
        return np.asarray(block.totals(values(self.source, self.families, block)) / block.per_deal)

    def members(self, family: str) -> dict[str, int]:
        """Return the position of every member of a family (without `OF_CARD`)."""
        return {item.member: number for number, item in enumerate(self.items) if item.family == family}


def values(source: Source, wanted: Sequence[Family], block: Block) -> Array:
    """Return the numbers of some families in every game of a block, shape (games, numbers)."""
    games = Games(source, block)
    return np.column_stack([one.of(games) for one in wanted])


def cards_in(source: Source) -> list[str]:
    """Return the chance cards in the deck."""
    deck = source.declarations.cards
    return deck.present(source.values) if deck else []


def holds(block: Block, source: Source, card: str) -> Array:
    """Return which deals hold a card, shape (deals,); all of them if the table does not say."""
    deck = source.declarations.cards
    assert deck is not None
    if not deck.columns:
        return np.ones(block.deals, bool)
    code = source.labels(deck.columns[0]).index(card)
    drawn = np.stack([block[name][:: block.per_deal, 0] for name in deck.columns], axis=1)
    return np.asarray((drawn == code).any(axis=1))
