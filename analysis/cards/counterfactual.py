"""The effect of a card: the same deals are played with the card and with a blank in its place."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np
import polars as pl
from numpy.typing import NDArray

from analysis.cards.outcomes import Measures
from analysis.cards.pairing import (
    ALL,
    CHANGED,
    TOGETHER,
    Paired,
    changed_table,
    contrasts_table,
    effects_table,
    pairs_table,
    with_families,
)
from analysis.cards.verdicts import card_notes, card_verdicts
from analysis.data.declarations import Cards, declared
from analysis.data.events import no_events
from analysis.data.results import Inputs, Result, tidy
from analysis.data.resumable import resumable
from analysis.data.source import Array, Block, Source
from analysis.data.sources import Data, RunSource, SpecSource, cautions, open_source, played, row_columns
from analysis.data.store import digest_of
from analysis.stats.intervals import check_level
from analysis.stats.margin import FAIR, Margin, as_margin
from analysis.stats.moments import Floats
from simcore.errors import UsageError, nearest
from simcore.kernel.memory import Memory
from simcore.running.accumulator import Accumulator
from simcore.running.batch import MAX_GAMES, Spec, play_into
from simcore.running.parts import CHUNK
from strategies.spec import under_rules

DEALS = 100_000
STRETCH, STRETCHES = CHUNK * 4, 16
"""Largest number of games that one thread plays unchanged before it plays them with blanks, and smallest number of such
stretches, so that even a few deals of slow players keep all threads busy."""


@dataclass(frozen=True, eq=False, repr=False)
class Counterfactual(Result):
    """The effect of every card, compared with a blank card in its place.

    Parameters
    ----------
    table
        One row for each card, slot ("all" first) and measure: `deals` with the card in that slot; the number of them in
        which the measure `moved` (below 30 there is no interval); the means `with_card` and `blank`; the `effect` (with
        the card minus without) and its interval; `variance_ratio` (the variance of an unpaired difference divided by
        that of the paired one); and the p-values `p`, `p_holm` and `p_bh`.  `by` and `group` say what a measure is
        about: a seat, a strategy, or "" for the whole table.  The families of tests are: all cards for a measure; all
        cards and seats (or strategies) for a measure that is split; all cards and slots where slots are separate.
    changed
        One row for each card and slot: `winner_changed`, the share of games whose winners differ from those with a
        blank.
    contrasts
        As `table` for the slot "all", but compared with the mean effect of the other cards instead of a blank.
        Randomised exposure estimates the same quantity.
    pairs
        One row for each pair of cards and measure: the deals that hold both cards, and their `interaction`, which is
        the effect of both together minus the sum of the effects of each while the other is blank.  Empty unless
        requested.
    games_played
        Number of games that were played for the effects of single cards.
    """

    changed: pl.DataFrame
    contrasts: pl.DataFrame
    pairs: pl.DataFrame
    games_played: int

    def effects(self, measure: str = "score", slot: str = ALL) -> pl.DataFrame:
        """Return the effects of all cards on one measure of the whole table, largest first."""
        found = self.table.filter((pl.col("measure") == measure) & (pl.col("slot") == slot) & (pl.col("by") == ""))
        return found.sort(pl.col("effect").abs(), descending=True, nulls_last=True)


class DealPlayer:
    """Plays ranges of consecutive deals of one specification."""

    def __init__(self, spec: Spec) -> None:
        self.spec = spec
        self.memory = Memory(spec.game)

    def play(self, first_deal: int, held: NDArray[np.bool_], names: Sequence[str], noting: bool = False) -> Block:
        """Play the deals that `held` marks among consecutive ones, and note their events if `noting` is set."""
        per_deal, players = self.spec.games_per_deal, self.spec.players
        width = per_deal * players
        rows = np.zeros(int(held.sum()) * width, self.spec.game.row_dtype)
        deals = first_deal + np.flatnonzero(held)
        games = (deals[:, None] * per_deal + np.arange(per_deal)).ravel()
        notes: list[NDArray[np.int32]] = []
        play_into(self.spec, games, rows, self.memory, notes=notes if noting else None)
        return Block(per_deal, row_columns(self.spec, rows, names), np.concatenate([no_events(), *notes]))


@dataclass
class _Sums(Accumulator):
    """The sums of one thread, or of all threads together."""

    adds = ("games",)

    single: Paired
    pairs: Paired
    games: int = 0
    stretches: int = 0


class _Experiment:
    """Cards of a deck, the specifications with some of them blank, and how to judge a stretch of deals."""

    def __init__(
        self, source: SpecSource, cards: Cards, chosen: Sequence[str], pair_deals: int = 0, given: Source | None = None
    ) -> None:
        self.source, self.cards, self.pair_deals = source, cards, pair_deals
        self.all = source.labels(cards.columns[0]) if cards.columns else tuple(cards.copies(source.values))
        self.chosen = [self.all.index(name) for name in chosen]
        self.pairs = list(combinations(range(len(self.chosen)), 2)) if pair_deals else []
        self.measures = Measures(source)
        self.specs: dict[tuple[int, ...], Spec] = {(card,): self._blanked([card]) for card in self.chosen}
        for first, second in self.pairs:
            both = (self.chosen[first], self.chosen[second])
            self.specs[both] = self._blanked(both)
        self.names = (*self.measures.columns, *cards.columns)
        self.recorded = _recorded(given, self.names, source.planned) if given and source.spec.searches else None

    def _blanked(self, cards: Sequence[int]) -> Spec:
        spec = self.source.spec
        values = self.cards.blank(spec.rules.values, [self.all[card] for card in cards])
        return under_rules(spec, replace(spec.rules, values=values))

    def empty(self) -> _Sums:
        """Return empty sums."""
        size = len(self.measures.names)
        return _Sums(
            Paired(len(self.chosen), max(len(self.cards.columns), 1), size + 1),
            Paired(len(self.pairs), 1, len(TOGETHER)),
        )

    def judge(self, deals: range) -> _Sums:
        """Play some consecutive deals unchanged and with blanks."""
        per_deal, names = self.source.spec.games_per_deal, self.names
        sums = self.empty()
        base = self._as_it_is(deals)
        drawn = np.stack([base[name][::per_deal, 0] for name in self.cards.columns or ("strategy",)], axis=1)
        plain = self.measures.of(base)
        winners = base[self.source.share].reshape(len(deals), per_deal, -1)
        means = base.totals(plain) / per_deal
        without = np.zeros((len(self.chosen), *means.shape))
        held = np.stack([(drawn == card).any(axis=1) for card in self.chosen])
        if not self.cards.columns:  # the table does not say which deals hold it
            held[:] = True
        differences = np.zeros((len(deals), len(self.chosen), means.shape[1] + 1))
        sums.games = base.games
        for number, card in enumerate(self.chosen):
            here = held[number]
            if not here.any():
                continue
            block = DealPlayer(self.specs[card,]).play(deals.start, here, names)
            without[number, here] = block.totals(self.measures.of(block)) / per_deal
            other = block[self.source.share].reshape(int(here.sum()), per_deal, -1)
            changed = (winners[here] != other).any(axis=2).mean(axis=1)
            with_card = np.column_stack([means[here], changed])
            nothing = np.column_stack([without[number, here], np.zeros(len(changed))])
            sums.single.add(number, (drawn[here] == card).argmax(axis=1), with_card, nothing)
            differences[here, number] = with_card - nothing
            sums.games += block.games
        sums.single.add_joint(held.T, differences)
        if deals.start < self.pair_deals:
            held[:, self.pair_deals - deals.start :] = False
            self._judge_pairs(sums.pairs, deals, held, means, without)
        return sums

    def _as_it_is(self, deals: range) -> Block:
        """Return deals with all cards: read from the run's table if players are slow, otherwise played again."""
        per_deal = self.source.spec.games_per_deal
        if self.recorded is None:
            return DealPlayer(self.source.spec).play(deals.start, np.ones(len(deals), bool), self.names)
        games = slice(deals.start * per_deal, deals.stop * per_deal)
        return Block(per_deal, {name: values[games] for name, values in self.recorded.items()}, no_events())

    def _judge_pairs(self, sums: Paired, deals: range, held: NDArray[np.bool_], means: Floats, without: Floats) -> None:
        """Play the deals that hold two cards with both of them blank, for the measures of `TOGETHER` only."""
        size, per_deal = len(TOGETHER), self.source.spec.games_per_deal
        for number, (first, second) in enumerate(self.pairs):
            here = held[first] & held[second]
            if here.any():
                spec = self.specs[self.chosen[first], self.chosen[second]]
                block = DealPlayer(spec).play(deals.start, here, self.measures.columns)
                neither = block.totals(self.measures.of(block)[:, :size]) / per_deal
                one, two = (without[index, here][:, :size] for index in (first, second))
                sums.add(number, np.zeros(len(one), np.int64), means[here][:, :size] + neither, one + two)


def _recorded(source: Source, names: Sequence[str], games: int) -> dict[str, Array] | None:
    """Return columns of the first games of a run from its table; None if some are missing."""
    if not isinstance(source, RunSource) or not set(names) <= source.available:
        return None
    parts: dict[str, list[Array]] = {name: [] for name in names}
    for stretch in source.stretches():
        for first, columns in source.read(stretch, names):
            if first < games:
                for name in names:
                    parts[name].append(columns[name][: games - first])
    found = {name: np.concatenate(own) for name, own in parts.items() if own}
    return found if all(len(values) == games for values in found.values()) and found else None


def counterfactual(
    data: Data,
    cards: Sequence[str] = (),
    deals: int = DEALS,
    pairs: int = 0,
    level: float = 0.95,
    threads: int | None = None,
    tick: Callable[[int], None] = lambda deals: None,
    margin: Margin | float | str = FAIR,
) -> Counterfactual:
    """Play the same deals with a card and with a blank in its place, and compare.

    The random streams, the players and everything else stay the same.  Only deals that hold a card are played again, or
    all deals if the table does not say which ones hold it.

    Parameters
    ----------
    data
        A run, a run folder, or a specification; its first deals are played.
    cards
        Names of the cards.  If empty, all cards of the deck.
    deals
        Number of deals to play.
    pairs
        Number of deals, from the first, that are also played with two cards blank, to estimate interactions.  Pairs are
        judged by the score, so this is of no use in a game without one.
    level
        Confidence level of each interval.
    threads
        Number of threads.  If None, one for each processor.
    tick
        Function that is called from time to time with the number of deals done.
    margin
        How far a card may move a share of the wins and still count as fair; see `seat_advantage`.

    Raises
    ------
    UsageError
        If the game has no such cards.

    References
    ----------
    * docs/statistics.md

    Examples
    --------
    >>> import equipoise as eq
    >>> run = eq.make_spec(players=2, strategies="random", games=400)
    >>> found = eq.counterfactual(run, cards=["alliance"], deals=200)
    >>> found.table.height
    40
    """
    check_level(level)
    fair = as_margin(margin)
    given = open_source(data)
    source = played(given, 1)
    per_deal = source.spec.games_per_deal
    if not 1 <= deals <= MAX_GAMES // per_deal:
        raise UsageError(f"deals: {deals} is out of range; give a whole number from 1 to {MAX_GAMES // per_deal:,}")
    source = played(given, deals * per_deal)
    deck = declared(source.declarations.cards, "cards of chance", source.spec.game.title)
    known = [name for name, copies in deck.copies(source.values).items() if copies > 0]
    for name in cards:
        if name not in known:
            raise UsageError(f"cards: no {deck.noun} '{name}' in the deck{nearest(name, known)}")
    experiment = _Experiment(source, deck, list(dict.fromkeys(cards)) or known, pairs if source.score else 0, given)
    step = max(min(STRETCH // per_deal, -(-deals // STRETCHES)), 1)
    stretches = [range(first, min(first + step, deals)) for first in range(0, deals, step)]
    sums = experiment.empty()
    digest = digest_of(source.spec, "counterfactual", experiment.chosen, experiment.pairs, pairs, step)
    with closing(resumable(sums, digest, experiment.judge, stretches, threads)) as results:
        for found in results:
            sums.merge(found)
            sums.stretches += 1
            tick(stretches[sums.stretches - 1].stop)
    return _result(experiment, sums, source.inputs(deals * per_deal, deals, 0), level, fair)


def _result(experiment: _Experiment, sums: _Sums, inputs: Inputs, level: float, margin: Margin) -> Counterfactual:
    names = [experiment.all[card] for card in experiment.chosen]
    measures = experiment.measures
    paired = sums.single
    slots = [ALL, *experiment.cards.slots]
    frames = []
    for number, slot in enumerate(slots):
        frames.append(effects_table(names, slot, measures, paired, None if number == 0 else number - 1, level))
    found = pl.concat(frames)
    table = with_families(found.filter(pl.col("measure") != CHANGED), "measure", "by", "split").drop("split")
    changed = changed_table(found.filter(pl.col("measure") == CHANGED), level)
    contrasts = contrasts_table(names, measures, paired, level)
    notes = [*cautions(experiment.source, inputs), *card_notes(table)]
    together = pairs_table([(names[first], names[second]) for first, second in experiment.pairs], sums.pairs, level)
    verdicts = card_verdicts(tidy(table), tidy(changed), inputs.deals, level, margin, measures.pars)
    return Counterfactual((inputs,), level, table, verdicts, tuple(notes), changed, contrasts, together, sums.games)
