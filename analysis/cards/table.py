"""One table of the cards and other things of a game: how often each is seen and chosen, and what it does.

What a card does is the difference between the same deals with the card and with blanks in its place.  For whoever holds
it, the copies that count are those held when the first one comes into a hand, in games that are equal up to there: the
win share of a seat changes by `a` for each own copy, and by `b` for each copy that others hold, and the regression of
the differences on both, without a constant, has a standard error from deals.  With one copy, `a` is the mean difference
of its holder.  The rates of games as they were played have the formulas that 17lands.com publishes for cards
that are drawn; they are no effects, and stand beside the effect so that the gap can be seen.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from functools import partial
from itertools import pairwise
from time import perf_counter
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from analysis.cards.counterfactual import (
    CHANGED,
    DUST,
    DealPlayer,
    favours,
    superlative,
    tested,
    told,
    with_blanks,
    with_families,
)
from analysis.data.declarations import Cards
from analysis.data.in_parallel import in_parallel
from analysis.data.player_notes import player_notes
from analysis.data.results import Note, Result, Verdict, interval
from analysis.data.source import Block
from analysis.data.sources import SpecSource, cautions
from analysis.measures.quantities import Games, pars
from analysis.stats.intervals import bonferroni, check_level, pointwise, rate_interval
from analysis.stats.margin import FAIR, Margin
from analysis.stats.moments import MIN_DEALS, Contrasts, Floats, Moments, Ratios, totals
from analysis.stats.multiple_testing import of_means, of_rates
from simcore.errors import UsageError, nearest
from simcore.game import Game, Role
from simcore.log_records import Tape
from simcore.running.accumulator import Accumulator
from simcore.running.batch import MAX_GAMES, Spec
from simcore.running.replay import Replay, replay, replays, written

PILOT, SLOWLY = 120, 12
"""Deals on which every card is compared, and from which follows how many each card needs; if players look ahead."""

RATED = 400
"""Deals for the rates of games as they were played, where nothing else is known."""

WITHIN, QUICK = 0.02, 0.05
"""Half-widths, in shares of the wins, of what a card does; of a quick answer."""

MOST, FEWER = 4_000, 600
"""Largest number of deals of one card; in a quick answer."""

RACE = 4
"""A card near a limit gets this many times the deals in the second round of the race."""

STRETCH = 40
"""Deals that a thread plays at a time."""

REPLAYS = 10
"""Games of each card that are listed because it decided them."""

PARTS = 7
"""Sums of a deal: changed games, games, own x own, own x others, others x others, own x effect, others x effect."""

FEWEST = 10
"""Changed games below which the differences are too far from normal for an interval of their mean."""

RATES = ("seen", "drawn", "played", "with_winner", "picked", "oh_wr")
"""Rates of games as they were played."""

NARROW = 1.05
"""An interval that is wider than asked by less than this factor is narrow enough: the pilot is an estimate."""

STRUCK = ("struck", "wins")
"""How often a seat is hit by a card that another plays, of the times that it is played; and what it wins in such games.
"""

WHEN = ("all", "start", "later")
"""Deals with all first holders, with those who hold the card from the start, and with those who come to hold it."""

Counts = NDArray[np.int64]


@dataclass(frozen=True, eq=False, repr=False)
class CardTable(Result):
    """What cards and other things of one kind do, and how often they are seen and chosen.

    Parameters
    ----------
    table
        One row for each thing (and role, where several roles hold it): `copies`; the rates of games as they were
        played, null where nobody holds it: `seen` (games in which it came up or a seat held it), `drawn` (seats that
        held it), `played` (of the copies held), `picked` (of those on offer), `with_winner` (games whose winner held
        it), and
        `gih_wr`, `oh_wr`, `gns_wr` and `iwd`, the wins when drawn, when held at the start, when not drawn, and the
        first minus the third; what it does, null without a blank: `does`, the win share that a copy brings to whoever
        holds it, and `decides`, the share of games that have another winner with a blank; `tier`, counted from 1: a new
        one begins with what is surely below the first of the one before; `corner` ("must", "sleeper", "trap" or
        "filler"); `needed`, the deals for the wanted precision where it was not reached; and `why`, a key of the reason
        why columns are empty.
    effects
        What each does to the share of the wins of each seat, camp and strategy.
    parts
        `does` among those who hold it from the start, and among those who come to hold it later.
    together
        `does` (or `decides`) by another card that the same seat held at the start (or that came up in the same deal).
    decided
        The first games that each decided, and the seat that gained most.
    against
        By seat: `struck`, how often it is hit by a card that another seat plays, of the times that it is played; and
        `wins`, what those who are hit win.  Empty if the log does not say so.
    within
        Wanted half-width.
    """

    effects: pl.DataFrame
    parts: pl.DataFrame
    together: pl.DataFrame
    decided: pl.DataFrame
    against: pl.DataFrame
    noun: str
    within: float


class _Sums(Accumulator):
    """Sums over deals of everything that the table holds.

    cards, roles, seats, groups: The number of each; groups are seats, camps and strategies.
    """

    adds = ("holding", "alike", "moved", "decided", "games", "deals", "replaying", "comparing")

    def __init__(self, cards: int, roles: int, seats: int, groups: int) -> None:
        self.effects = [Moments(PARTS * cards) for _ in WHEN]
        self.holding: Counts = np.zeros((len(WHEN), cards), np.int64)
        self.alike: Counts = np.zeros((len(WHEN), cards), np.int64)
        """holding, alike: Deals in which a card was held; in which the games were equal up to there."""
        self.groups = Ratios(cards * groups)
        self.moved: Counts = np.zeros((cards, groups), np.int64)
        self.drawn = Contrasts(roles * cards)
        self.rates = Ratios(len(RATES) * roles * cards)
        self.together = Ratios(cards * cards)
        self.struck = Ratios(len(STRUCK) * cards * seats)
        self.decided: list[tuple[int, int, int]] = []
        self.games = self.deals = 0
        self.replaying = self.comparing = 0.0


@dataclass(frozen=True)
class _Lives:
    """What happened to cards in some games, counts of shape (games, seats, cards)."""

    start: Counts
    drawn: Counts  # at the start and later
    played: Counts
    offered: Counts
    taken: Counts
    struck: Counts  # played by another seat, and hits this one
    first: Counts  # copies of those who held the first ones
    from_start: NDArray[np.bool_]  # whether these were held from the start, shape (games, cards)
    replays: Sequence[Replay]
    reached: Mapping[tuple[int, int], tuple[int, int]]  # log and record of the first holding, by game and card


class _Reading(tuple[Any, ...]):
    """Records, and the place of the one that is read."""

    at = 0

    def __iter__(self) -> Iterator[Any]:
        for self.at, record in enumerate(super().__iter__()):
            yield record


class _Comparison:
    """Plays deals with cards and with blanks in their place."""

    def __init__(self, spec: Spec, thing: Cards, chosen: Sequence[str]) -> None:
        self.spec, self.thing = spec, thing
        self.source = SpecSource(spec)
        self.copies = {name: count for name, count in thing.copies(spec.rules.values).items() if count > 0}
        self.names = tuple(self.copies)
        self.chosen = [self.names.index(name) for name in chosen]
        self.index = {name: number for number, name in enumerate(self.names)}
        able = self.chosen if thing.blank is not None else ()
        self.specs = {card: with_blanks(spec, thing, [self.names[card]]) for card in able}
        self.labels = self.source.labels(thing.columns[0]) if thing.columns else ()
        self.roles: tuple[Role | None, ...] = tuple(spec.game.roles) if spec.game.asymmetric else (None,)
        self.pars = pars(self.source)
        self.groups = list(self.pars)
        self.columns = ("strategy", self.source.share, *thing.columns)

    def empty(self) -> _Sums:
        """Return empty sums."""
        return _Sums(len(self.names), len(self.roles), self.spec.players, len(self.groups))

    def seats_of(self, role: Role | None) -> range:
        """Return the seats of a role, or all."""
        return range(self.spec.players) if role is None else role.at(self.spec.players)

    def judge(self, deals: range, cards: Sequence[int]) -> _Sums:
        """Play some consecutive deals unchanged and with each of some cards blank."""
        sums, per_deal = self.empty(), self.spec.games_per_deal
        began = perf_counter()
        base = DealPlayer(self.spec).play(deals.start, np.ones(len(deals), bool), self.columns)
        share = self.source.shares(base)
        lives = self._lives(deals) if self.thing.life else None
        up = self._came_up(base, lives)
        self._rates(sums, base, share, lives, up)
        sums.games, sums.deals = base.games, len(deals)
        sums.replaying = perf_counter() - began
        began = perf_counter()
        vectors = np.zeros((len(WHEN), len(deals), PARTS * len(self.names)))
        tops, bottoms = (np.zeros((len(deals), len(self.names), len(self.groups))) for _ in range(2))
        both = [np.zeros((len(deals), len(self.names), len(self.names))) for _ in range(2)]
        members = [seats for own in Games(self.source, base).members.values() for seats in own]
        for card in cards:
            here = np.asarray(up[:, card].reshape(len(deals), per_deal).any(axis=1))
            if card not in self.specs or not here.any():
                continue
            block = DealPlayer(self.specs[card]).play(deals.start, here, self.columns)
            games = np.repeat(here, per_deal)
            difference = share[games] - self.source.shares(block)
            difference[np.abs(difference) < DUST] = 0
            changed = np.asarray((difference != 0).any(axis=1))
            alike = self._alike(card, deals, games, lives)
            self._compare(vectors, both, card, here, games, difference, changed, lives, up, alike)
            by_group = np.column_stack([difference, *((difference * seats[games]).sum(axis=1) for seats in members)])
            tops[here, card] = by_group.reshape(int(here.sum()), per_deal, -1).sum(axis=1)
            bottoms[here, card] = per_deal
            sums.moved[card] = (tops[here, card] != 0).sum(axis=0)
            sums.games += block.games
            where = np.flatnonzero(games)[changed][:REPLAYS] + deals.start * per_deal
            gaining = difference[changed][:REPLAYS].argmax(axis=1) + 1
            sums.decided += [(card, int(game), int(seat)) for game, seat in zip(where, gaining, strict=True)]
        for number in range(len(WHEN)):
            sums.effects[number].add(vectors[number])
            held = vectors[number].reshape(len(deals), -1, PARTS) > 0
            sums.holding[number], sums.alike[number] = held[:, :, 1].sum(axis=0), held[:, :, 2].sum(axis=0)
        sums.groups.add(tops.reshape(len(deals), -1), bottoms.reshape(len(deals), -1))
        sums.together.add(*(one.reshape(len(deals), -1) for one in both))
        sums.comparing = perf_counter() - began
        return sums

    def _compare(
        self,
        vectors: Floats,
        both: Sequence[Floats],
        card: int,
        here: NDArray[np.bool_],
        games: NDArray[np.bool_],
        difference: Floats,
        changed: NDArray[np.bool_],
        lives: _Lives | None,
        up: NDArray[np.bool_],
        alike: NDArray[np.bool_],
    ) -> None:
        """Add to the sums of each deal what a card changes, among all first holders and by when they came to hold it.

        vectors, both: Sums by part, deal and card; and those of pairs of cards, tops and bottoms.
        here, games: Deals and games that were compared.
        difference, changed: Win shares with the card minus with blanks, and whether they differ, for these games.
        alike: Which of these games are equal until the card is first held.
        """
        per_deal, at = self.spec.games_per_deal, slice(PARTS * card, PARTS * (card + 1))
        by_deal = partial(totals, per_deal=per_deal)
        if lives is None:
            for number in (0, 1):
                vectors[number][here, at.start], vectors[number][here, at.start + 1] = by_deal(1.0 * changed), per_deal
            with_other = up[games]
            both[0][here, card], both[1][here, card] = by_deal(with_other * changed[:, None]), by_deal(1.0 * with_other)
            return
        own = lives.first[games, :, card].astype(np.float64)
        roles = [role.name for role in self.spec.roles]
        holding = np.isin(roles, [roles[seat] for seat in np.flatnonzero(own.any(axis=0))])
        others = np.where(holding, own.sum(axis=1, keepdims=True) - own, 0.0)
        start = lives.from_start[games, card]
        parts = np.stack([own * own, own * others, others * others, own * difference, others * difference], axis=2)
        every = np.column_stack([changed, np.ones(len(changed)), parts.sum(axis=1) * alike[:, None]])
        for number, mask in enumerate((np.ones(len(start), bool), start, ~start)):
            vectors[number][here, at] = by_deal(every * (mask & (own.sum(axis=1) > 0))[:, None])
        held = (lives.start[games] > 0) & (own > 0)[:, :, None] & alike[:, None, None]
        both[0][here, card] = by_deal((held * difference[:, :, None]).sum(axis=1))
        both[1][here, card] = by_deal(1.0 * held.sum(axis=1))

    def _alike(self, card: int, deals: range, games: NDArray[np.bool_], lives: _Lives | None) -> NDArray[np.bool_]:
        """Return which of some games are equal with blanks until somebody holds the card.

        Players may seek or avoid what they know to be blank, and then who comes to hold it is a part of the outcome.
        """
        alike = np.ones(int(games.sum()), bool)
        for number, game in enumerate(np.flatnonzero(games).tolist() if lives else ()):
            assert lives is not None
            if lives.from_start[game, card] or (game, card) not in lives.reached:
                continue
            alike[number] = self._begins_alike(
                card, deals.start * self.spec.games_per_deal + game, lives.replays[game], *lives.reached[game, card]
            )
        return alike

    def _begins_alike(self, card: int, index: int, played: Replay, log: int, last: int) -> bool:
        """Return whether a game is equal with blanks up to a record of one of its logs.

        Words are compared where it is known which of them a record was read from; reading them takes ten times as long.
        """
        *whole, begun = played.logs[: log + 1]
        if not isinstance(begun.words, Tape) or len(begun.words.ends) != len(begun.records):
            other = replay(self.specs[card], index, most=None if log else last).logs
            pairs = zip((*[None] * log, last), played.logs, other, strict=False)
            return all(mine.records[:end] == one.records[:end] for end, mine, one in pairs)
        words, end = written(self.specs[card], index), begun.words.ends[last - 1] if last else 0
        return [one.words for one in whole] == words[:log] and begun.words[:end] == words[log][:end]

    def _lives(self, deals: range) -> _Lives:
        """Return what happened to cards in the games of some deals, from recordings."""
        per_deal, players = self.spec.games_per_deal, self.spec.players
        shape = len(deals) * per_deal, players, len(self.names)
        kinds = ("start", "drawn", "played", "offered", "taken", "struck")
        counts = {what: np.zeros(shape, np.int64) for what in kinds}
        first = np.zeros(shape, np.int64)
        recorded, reached = list(replays(self.spec, deals.start * per_deal, len(first))), {}
        assert self.thing.life is not None
        for game, one in enumerate(recorded):
            for number, log in enumerate(one.logs):
                reading = _Reading(log.records)
                for what, name, seat in self.thing.life(self.spec.rules.values, log.header, reading):
                    card, row = self.index[name], log.rows[seat - 1]
                    counts[what][game, row, card] += 1
                    if what in ("drawn", "taken") and not (
                        first[game, :, card].any() or counts["start"][game, :, card].any()
                    ):
                        first[game, row, card] = 1
                        reached[game, card] = number, reading.at
        from_start = np.asarray(counts["start"].any(axis=1))
        first += counts["start"]
        counts["drawn"] += counts["start"] + counts["taken"]
        return _Lives(**counts, first=first, from_start=from_start, replays=recorded, reached=reached)

    def _came_up(self, base: Block, lives: _Lives | None) -> NDArray[np.bool_]:
        """Return which cards came up in each game, shape (games, cards); all of them if the game does not say."""
        if self.thing.columns:
            drawn = np.stack([base[name][:, 0] for name in self.thing.columns], axis=1)
            codes = np.array([self.labels.index(name) for name in self.names])
            return np.asarray((drawn[:, :, None] == codes).any(axis=1))
        if lives is None:
            return np.ones((base.games, len(self.names)), bool)
        return np.asarray(lives.drawn.any(axis=1))

    def _rates(self, sums: _Sums, base: Block, share: Floats, lives: _Lives | None, up: NDArray[np.bool_]) -> None:
        """Add what games as they were played say, role by role."""
        shape = base.games, len(self.roles), len(self.names)
        tops, bottoms = np.zeros((len(RATES), *shape)), np.zeros((len(RATES), *shape))
        drawn = np.zeros((4, *shape))
        deck = np.array(list(self.copies.values()))
        for number, role in enumerate(self.roles):
            seats = list(self.seats_of(role))
            if lives is None:
                tops[0, :, number], bottoms[0, :, number] = up, 1
                continue
            parts = {name: getattr(lives, name)[:, seats] for name in ("start", "drawn", "played", "offered", "taken")}
            won = share[:, seats, None]
            held = parts["drawn"] > 0
            tops[0, :, number], bottoms[0, :, number] = held.any(axis=1), 1
            tops[1, :, number], bottoms[1, :, number] = held.sum(axis=1), len(seats)
            tops[2, :, number], bottoms[2, :, number] = parts["played"].sum(axis=1), parts["drawn"].sum(axis=1)
            tops[3, :, number], bottoms[3, :, number] = (won * held).sum(axis=1), won.sum(axis=1)
            tops[4, :, number], bottoms[4, :, number] = parts["taken"].sum(axis=1), parts["offered"].sum(axis=1)
            tops[5, :, number], bottoms[5, :, number] = (won * parts["start"]).sum(axis=1), parts["start"].sum(axis=1)
            drawn[:, :, number] = rates_of_drawn(share[:, seats], parts["drawn"], deck)
        if lives is not None:
            hit = np.moveaxis(lives.struck, 1, 2)  # games, cards, seats
            plays = np.broadcast_to(lives.played.sum(axis=1)[:, :, None], hit.shape)
            parted = (np.stack(pair, axis=1) for pair in ((hit, share[:, None] * (hit > 0)), (plays, hit > 0)))
            sums.struck.add(*(one.reshape(base.games, -1) for one in parted), per_deal=base.per_deal)
        rates = (np.moveaxis(values, 0, 1).reshape(base.games, -1) for values in (tops, bottoms))
        sums.rates.add(*rates, per_deal=base.per_deal)
        sums.drawn.add(*(base.totals(values.reshape(base.games, -1)) for values in drawn))


def rates_of_drawn(share: Floats, drawn: Counts, copies: Counts) -> Floats:
    """Return wins and copies drawn, and wins and copies not drawn, by game and card: shape (4, games, cards).

    These are the sums of 17lands' win rates: each copy counts, so that GIH WR is the first over the second, and GNS WR
    the third over the fourth.

    share: Win shares, shape (games, seats).
    drawn: Copies drawn or held at the start, shape (games, seats, cards).
    """
    count = np.minimum(drawn, copies)
    rest = copies - count
    won = share[:, :, None]
    return np.stack([(won * count).sum(axis=1), count.sum(axis=1), (won * rest).sum(axis=1), rest.sum(axis=1)])


# --- From the sums to effects with their errors ---


@dataclass(frozen=True)
class Effects:
    """Effects of all cards, with the covariance of their errors."""

    value: Floats
    covariance: Floats
    deals: Counts  # deals behind each

    @property
    def se(self) -> Floats:
        """Standard errors; NaN where there is no effect."""
        return np.where(np.isfinite(self.value), np.sqrt(np.maximum(np.diag(self.covariance), 0)), np.nan)


def per_copy(sums: Moments, deals: Counts) -> Effects:
    """Return what each own copy brings, from the sums of own and others' copies and of their products with effects."""
    cards = len(sums.sum) // PARTS
    value, lines = np.full(cards, np.nan), np.zeros((cards, len(sums.sum)))
    for card in range(cards):
        at = PARTS * card
        own, mixed, others, gain, loss = sums.sum[at + 2 : at + PARTS]
        if own <= 0:
            continue
        matrix = np.array([[own, mixed], [mixed, others]])
        solve = np.linalg.pinv(matrix, rcond=1e-9, hermitian=True)
        a, b = solve @ [gain, loss]
        value[card] = a
        first, second = solve[0]
        lines[card, at + 2 : at + PARTS] = (-first * a, -first * b - second * a, -second * b, first, second)
    covariance = lines @ sums.cross @ lines.T * (sums.deals / max(sums.deals - 1, 1))
    return Effects(value, covariance, deals)


def changed_games(sums: Moments, deals: Counts) -> Effects:
    """Return the share of games whose winner each card changes."""
    top, bottom = (np.eye(len(sums.sum))[at::PARTS] for at in (0, 1))
    return Effects(*sums.ratios(top, bottom), deals)


def tiers(effects: Effects, level: float) -> list[int | None]:
    """Return the tier of each card, the best being 1: one begins where a card is surely below the first of the last.

    If all effects are equal, there is one tier with probability `level` (all pairs at once, Bonferroni).
    """
    judged = [at for at in range(len(effects.value)) if effects.deals[at] >= MIN_DEALS and effects.se[at] >= 0]
    judged.sort(key=lambda at: -effects.value[at])
    constant = bonferroni(level, len(judged) * (len(judged) - 1) // 2)
    chosen: list[int | None] = [None] * len(effects.value)
    tier, first = 0, -1
    for at in judged:
        if first >= 0:
            spread = effects.covariance[first, first] + effects.covariance[at, at] - 2 * effects.covariance[first, at]
            apart = effects.value[first] - effects.value[at]
        if first < 0 or apart > constant * math.sqrt(max(spread, 0)):
            tier, first = tier + 1, at
        chosen[at] = tier
    return chosen


# --- How many deals each card gets, and the result ---


@dataclass(frozen=True)
class Rest:
    """What is left to play after the pilot."""

    seconds: float  # that it takes
    at_most: float  # seconds, if every card is in the second round of the race
    table: Callable[[], CardTable]  # plays it


def card_pilot(
    spec: Spec,
    thing: Cards,
    chosen: Sequence[str] = (),
    within: float = WITHIN,
    most: int = MOST,
    level: float = 0.95,
    threads: int | None = None,
    tick: Callable[[int, int], None] = lambda done, total: None,
    race: bool = True,
    margin: Margin = FAIR,
) -> Rest:
    """Play the first deals, from which follows how long it takes to say what the cards of a game do.

    spec: What is played; its number of games does not matter.
    chosen: Names of some of them.  If empty, all.
    within: Half-width, as a share of the wins, with which the effect of each is wanted.
    most: Largest number of deals of a card.
    level: Confidence level of each interval; if cards are raced, both rounds together keep it.
    tick: Called with the deals that are done, and those that will be.
    race: Whether cards whose interval reaches over the wanted half-width get more deals in a second round.
    margin: How far a card may move a share of the wins and still count as fair.
    Raises UsageError if a name is not among them.
    """
    check_level(level)
    names = thing.present(spec.rules.values)
    for name in chosen:
        if name not in names:
            raise UsageError(f"no {thing.noun} '{name}' in {spec.game.title}{nearest(name, names)}", "name")
    most = min(most, MAX_GAMES // spec.games_per_deal)
    comparison = _Comparison(replace(spec, games=most * spec.games_per_deal), thing, list(chosen) or names)
    each = 1 - (1 - level) / 2 if race else level
    sums = comparison.empty()
    pilot = min(SLOWLY if spec.searches else PILOT, most)
    began = perf_counter()
    _play(comparison, sums, dict.fromkeys(comparison.chosen, (0, pilot)), threads, lambda done: tick(done, pilot))
    pace = (perf_counter() - began) / (sums.replaying + sums.comparing) / pilot
    asked = _look(comparison, sums, within, most, each)
    first = max(asked.values(), default=pilot)
    raced = {card: min(first + (RACE - 1) * n, most) for card, n in asked.items() if race and card in comparison.specs}

    def seconds(ends: dict[int, int]) -> float:
        rest, compared = max(ends.values(), default=pilot), sum(ends.values()) / max(len(ends), 1)
        return pace * (sums.replaying * (rest - pilot) + sums.comparing * (compared - pilot))

    def table() -> CardTable:
        spans = {card: (pilot, n) for card, n in asked.items()}
        _play(comparison, sums, spans, threads, lambda done: tick(done, first))
        if race:
            more = {card: (first, raced[card]) for card in _close(comparison, sums, within, each)}
            total = max((end for _, end in more.values()), default=first)
            _play(comparison, sums, more, threads, lambda done: tick(done, total))
        return _result(comparison, sums, within, each, level, margin)

    return Rest(seconds(asked), seconds(asked | raced), table)


def things_of(game: Game) -> tuple[Cards, ...]:
    """Return all kinds of things that a game declares, its cards of chance first."""
    from analysis.data.declarations import load_declarations

    declarations = load_declarations(game.name)
    return (*((declarations.cards,) if declarations.cards else ()), *declarations.things)


def _main(comparison: _Comparison, sums: _Sums) -> Effects:
    """Return the effects by which cards are judged: on whoever holds them, or how many games they decide."""
    if comparison.thing.life:
        return per_copy(sums.effects[0], sums.alike[0])
    return changed_games(sums.effects[0], sums.holding[0])


def _look(comparison: _Comparison, sums: _Sums, within: float, most: int, level: float) -> dict[int, int]:
    """Return the number of deals that each card needs for the wanted precision, by the pilot."""
    effects, played = _main(comparison, sums), sums.deals
    wanted = {}
    for card in comparison.chosen:
        se, holding = effects.se[card], max(int(effects.deals[card]), 1)
        rare = holding < MIN_DEALS or not se > 0
        needed = played * (2 * MIN_DEALS / holding if rare else (bonferroni(level) * se / within) ** 2)
        wanted[card] = int(min(max(math.ceil(needed / STRETCH) * STRETCH, played), most))
    return wanted if comparison.specs else dict.fromkeys(comparison.chosen, min(RATED, most))


def _close(comparison: _Comparison, sums: _Sums, within: float, each: float) -> list[int]:
    """Return the cards whose interval is too wide, or reaches over the wanted half-width on either side of 0."""
    effects = _main(comparison, sums)
    half = bonferroni(each) * effects.se
    size = np.abs(effects.value)
    near = (half > within) | ((size - half < within) & (size + half > within))
    return [card for card in comparison.chosen if card in comparison.specs and near[card]]


def _play(
    comparison: _Comparison,
    sums: _Sums,
    spans: dict[int, tuple[int, int]],
    threads: int | None,
    tick: Callable[[int], None],
) -> None:
    """Play every card from its first deal to the one before its last, all cards of a deal at once."""
    pieces = list(_pieces(spans))
    with closing(in_parallel(lambda piece: comparison.judge(*piece), pieces, threads)) as results:
        for (deals, _), part in zip(pieces, results, strict=True):
            sums.merge(part)
            tick(deals.stop)


def _pieces(spans: dict[int, tuple[int, int]]) -> Iterator[tuple[range, tuple[int, ...]]]:
    """Yield stretches of deals, each with the cards that are compared on it."""
    spans = {card: span for card, span in spans.items() if span[1] > span[0]}
    for low, high in pairwise(sorted({end for span in spans.values() for end in span})):
        cards = tuple(card for card, (first, end) in spans.items() if first <= low and end >= high)
        if cards:
            for first in range(low, high, STRETCH):
                yield range(first, min(first + STRETCH, high)), cards


def _result(
    comparison: _Comparison, sums: _Sums, within: float, each: float, level: float, margin: Margin
) -> CardTable:
    """Return the result: intervals at the level `each`, everything else at `level`."""
    effects = _effects(comparison, sums, each)
    table = _table(comparison, sums, within, each, level)
    inputs = replace(comparison.source.inputs(sums.games, sums.deals, 0), planned=sums.games)
    verdicts = (
        *_verdicts(comparison, table, within, level),
        *_favours(comparison, effects, inputs.deals, level, margin),
    )
    notes = [*cautions(comparison.source, inputs), *player_notes(comparison.source.spec)]
    if comparison.thing.life is None:
        notes.append(Note("cards_strike_all", {"noun": comparison.thing.noun}))
    if comparison.thing.proviso:
        notes.append(Note(comparison.thing.proviso))
    dead = table.unique("card", maintain_order=True).filter((pl.col("decides") == 0) & (pl.col("deals") >= MIN_DEALS))
    values = dead.select("card", "deals", most="decides_high").iter_rows(named=True)
    notes += [Note("dead_card", value) for value in values]
    return CardTable(
        (inputs,),
        level,
        table,
        verdicts,
        tuple(notes),
        effects,
        _parts(comparison, sums, each),
        _together(comparison, sums, level),
        _decided(comparison, sums),
        _against(comparison, sums, level),
        comparison.thing.noun,
        within,
    )


def _table(comparison: _Comparison, sums: _Sums, within: float, each: float, level: float) -> pl.DataFrame:
    """Return the rows, best tier first."""
    names, thing = comparison.names, comparison.thing
    does, decides = per_copy(sums.effects[0], sums.alike[0]), changed_games(sums.effects[0], sums.holding[0])
    rates, drawn = sums.rates.cells(), sums.drawn.values()
    places = tiers(does if thing.life else decides, level)
    shape = len(RATES), len(comparison.roles), len(names)
    rate, spread, top, bottom, behind = (
        one.reshape(shape) for one in (rates.value, rates.se, rates.top, rates.bottom, rates.deals)
    )
    rows = []
    for number, role in enumerate(comparison.roles if thing.life else (None,)):
        for card in comparison.chosen:
            at = number * len(names) + card
            if role is not None and not drawn[0][at] >= 0:
                continue  # this role never holds it
            row: dict[str, Any] = {"card": names[card], "role": role.name if role is not None else ""}
            deals = int(sums.holding[0][card]) if comparison.specs else None
            row |= {"copies": comparison.copies[names[card]], "deals": deals}
            for place, name in enumerate(RATES):
                enough = bottom[place, number, card] >= (MIN_DEALS if name == "oh_wr" else 1)
                counts = enough and top[place].any()
                row[name] = rate[place, number, card] if counts else math.nan
            start = rate_interval(row["oh_wr"], spread[-1, number, card], behind[-1, number, card], level)
            row |= {"oh_wr_low": float(start[0]), "oh_wr_high": float(start[1])}
            row |= {"gih_wr": drawn[0][at], "gns_wr": drawn[1][at]}
            counted = sums.drawn.sum[at, [1, 3]].min() >= MIN_DEALS  # copies drawn and not drawn
            row |= interval("iwd", drawn[2][at] if counted else np.nan, drawn[3][at], pointwise(level, sums.deals))
            share = decides.value[card], decides.se[card]
            low, high = (float(end) for end in rate_interval(*share, decides.deals[card], each))
            row |= {"decides": share[0], "decides_se": share[1], "decides_low": low, "decides_high": high}
            row |= dict.fromkeys(("does", "does_se", "does_low", "does_high"), math.nan)
            half = (high - low) / 2
            if thing.life and comparison.specs:
                row |= interval("does", does.value[card], does.se[card], pointwise(each, does.deals[card]))
                if sums.effects[0].sum[PARTS * card] < FEWEST:  # an effect is no larger than the rate of changed games
                    most = min(high * sums.holding[0][card] / max(does.deals[card], 1), 1.0)
                    row |= {"does_low": -most, "does_high": most}
                half = (row["does_high"] - row["does_low"]) / 2
            wide = comparison.specs and not half <= within * NARROW
            row |= {"tier": places[card] if comparison.specs else None}
            row |= {"needed": _needed(sums.deals, half, within) if wide else None}
            row |= {"why": "no_blank" if not comparison.specs else "" if thing.life else "strikes_all"}
            rows.append(row)
    frame = pl.DataFrame(rows, infer_schema_length=None)
    floats = pl.selectors.float()
    frame = frame.with_columns(pl.when(floats.is_finite()).then(floats).otherwise(None).name.keep())
    return _with_corners(frame).sort("tier", "does", "decides", descending=[False, True, True], nulls_last=True)


def _needed(deals: int, half: float, within: float) -> int | None:
    """Return the deals for a half-width, to two digits; None if nothing is known."""
    if not math.isfinite(half):
        return None
    needed = deals * (half / within) ** 2
    digit = 10 ** max(math.floor(math.log10(max(needed, 1))) - 1, 0)
    return int(math.ceil(needed / digit) * digit)


def _with_corners(frame: pl.DataFrame) -> pl.DataFrame:
    """Add how often each is chosen, and the corner where its effect is surely on one side of the median."""
    chosen = pl.coalesce("picked", "played")
    often = chosen >= chosen.median().over("role")
    middle = pl.col("does").median().over("role")
    better, worse = pl.col("does_low") > middle, pl.col("does_high") < middle
    corner = (
        pl.when(often & better)
        .then(pl.lit("must"))
        .when(~often & better)
        .then(pl.lit("sleeper"))
        .when(often & worse)
        .then(pl.lit("trap"))
        .when(~often & worse)
        .then(pl.lit("filler"))
    )
    return frame.with_columns(chosen=chosen, corner=corner)


def _effects(comparison: _Comparison, sums: _Sums, each: float) -> pl.DataFrame:
    """Return what each card does to seats, camps and strategies."""
    groups, cards = comparison.groups, comparison.chosen
    cells = sums.groups.cells()
    shape = len(comparison.names), len(groups)
    value, se = (values.reshape(shape)[cards] for values in (cells.value, cells.se))
    deals, moved = cells.deals.reshape(shape)[cards], sums.moved[cards]
    columns = {
        "card": np.repeat([comparison.names[card] for card in cards], len(groups)),
        "by": np.tile([by for by, _ in groups], len(cards)),
        "group": np.tile([group for _, group in groups], len(cards)),
        "deals": deals.ravel(),
        "moved": moved.ravel(),
        **{key: item.ravel() for key, item in interval("effect", value, se, told(moved, se, deals, each)).items()},
        "p": tested(value, moved, se, deals).ravel(),
    }
    frame = pl.DataFrame(columns)
    return with_families(frame if comparison.specs else frame.clear(), "by")


def _parts(comparison: _Comparison, sums: _Sums, each: float) -> pl.DataFrame:
    """Return what each card does for those who hold it from the start, and for those who come to hold it later."""
    frames = []
    for number in (1, 2) if comparison.thing.life and comparison.specs else ():
        effects = per_copy(sums.effects[number], sums.alike[number])
        constant = pointwise(each, effects.deals)
        columns = {
            "card": comparison.names,
            "when": [WHEN[number]] * len(comparison.names),
            "deals": effects.deals,
            **interval("does", effects.value, effects.se, constant),
        }
        frames.append(pl.DataFrame(columns)[comparison.chosen])
    return pl.concat(frames) if frames else pl.DataFrame(schema={"card": pl.String})


def _together(comparison: _Comparison, sums: _Sums, level: float) -> pl.DataFrame:
    """Return what each card does by another one that was there."""
    names, cells = comparison.names, sums.together.cells()
    columns = {
        "card": np.repeat(names, len(names)),
        "other": np.tile(names, len(names)),
        "deals": cells.deals,
        **interval("does", cells.value, cells.se, pointwise(level, cells.deals)),
    }
    frame = pl.DataFrame(columns)
    chosen = [comparison.names[card] for card in comparison.chosen]
    return frame.filter((pl.col("card") != pl.col("other")) & (pl.col("deals") > 0) & pl.col("card").is_in(chosen))


def _decided(comparison: _Comparison, sums: _Sums) -> pl.DataFrame:
    """Return the first games that each card decided, and the seat that gained most by it."""
    rows = [(comparison.names[card], game, seat) for card, game, seat in sorted(sums.decided)]
    frame = pl.DataFrame(rows, {"card": pl.String, "game": pl.Int64, "seat": pl.Int64}, orient="row")
    return frame.group_by("card", maintain_order=True).head(REPLAYS)


def _against(comparison: _Comparison, sums: _Sums, level: float) -> pl.DataFrame:
    """Return which seats each card hits when another seat plays it."""
    names, seats, cells = comparison.names, comparison.spec.players, sums.struck.cells()
    hit, won = (
        {"deals": cells.deals[at], **interval(name, cells.value[at], cells.se[at], pointwise(level, cells.deals[at]))}
        for name, at in zip(STRUCK, np.split(np.arange(len(cells.value)), len(STRUCK)), strict=True)
    )
    frame = pl.DataFrame(
        {"card": np.repeat(names, seats), "seat": np.tile(np.arange(1, seats + 1), len(names)), **won, **hit}
    )
    chosen = [comparison.names[card] for card in comparison.chosen]
    return frame.filter(pl.col("card").is_in(chosen) & (pl.col("struck") > 0))


# --- What the table says in sentences ---


SURE = 1.0
"""Largest gap that is not worth a sentence, in percentage points."""


def _verdicts(comparison: _Comparison, table: pl.DataFrame, within: float, level: float) -> Iterator[Verdict]:
    """Yield which cards do most, which nobody would miss, and how far the rates of winners mislead."""
    thing = comparison.thing
    if not comparison.specs:
        yield Verdict("cards_rated", "fact", {"noun": thing.noun})
        return
    name, cards = "does" if thing.life else "decides", table.unique("card", keep="first", maintain_order=True)
    rows = cards.filter(pl.col(f"{name}_low").is_not_null())
    waiting = cards.filter(pl.col(f"{name}_low").is_null() | pl.col("needed").is_not_null())
    if rows.is_empty():
        yield Verdict("cards_too_few", "unknown")
        return
    column, code, ends = ("effect", "cards_does", of_means) if thing.life else (CHANGED, "cards_winner", of_rates)
    named = {f"{name}{end}": f"{column}{end}" for end in ("", "_se")}
    most = superlative(code, rows.select("card", "deals", *named).rename(named), column, level, ends)
    if len(rows) > most.values.get("count", 1):  # otherwise all may be the one
        yield most
    if thing.life:
        small = rows.filter((pl.col("does_low") > -WITHIN) & (pl.col("does_high") < WITHIN))
        if len(small):
            values = {"cards": tuple(small["card"]), "count": len(small), "of": len(cards), "within": WITHIN}
            yield Verdict("cards_missed", "fact", values)
        yield from _gap(table, level)
    if len(waiting):
        needed = waiting["needed"].max()
        values = {"cards": tuple(waiting["card"]), "count": len(waiting), "of": len(cards), "within": within}
        yield Verdict("cards_unsure" if needed else "cards_rare", "unclear", values | {"needed": needed})


def _gap(table: pl.DataFrame, level: float) -> Iterator[Verdict]:
    """Yield by how much the rates of games as played mislead about the card for which they mislead most, if surely."""
    both = table.drop_nulls(["iwd", "does", "does_low"])
    if both.is_empty():
        return
    gap = both["iwd"] - both["does"]
    error = (both["iwd_se"] ** 2 + both["does_se"] ** 2).sqrt()
    at = int((gap.abs() / error).fill_null(0).arg_max() or 0)
    if abs(gap[at]) > bonferroni(level, len(both)) * error[at] and abs(gap[at]) > SURE / 100:
        row = both.row(at, named=True)
        code = "cards_gap" if gap[at] > 0 else "cards_gap_under"
        yield Verdict(code, "fact", {name: row[name] for name in ("card", "iwd", "does", "does_low", "does_high")})


def _favours(
    comparison: _Comparison, effects: pl.DataFrame, deals: int, level: float, margin: Margin
) -> Iterator[Verdict]:
    """Yield whether a card favours a seat, a camp or a strategy."""
    if effects.is_empty():
        return
    tidied = effects.with_columns(pl.selectors.float().fill_nan(None)).filter(pl.col("deals") >= MIN_DEALS)
    for by in ("camp", "seat", "strategy"):
        shares = tidied.filter(pl.col("by") == by)
        if len(shares):
            par = [comparison.pars[by, name] for name in shares["group"]]
            verdict = favours(shares, by, deals, level, margin.at(par))
            if verdict.status in ("tilted", "fair"):  # what is not sure is said of the cards themselves
                yield verdict
