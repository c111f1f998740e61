"""What cards do: the same deals with a card and with a blank in its place."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from analysis.data.accumulate import Counts, whole_columns
from analysis.data.declarations import Cards, declared
from analysis.data.events import no_events
from analysis.data.results import Inputs, Note, Result, Verdict, interval, tidy
from analysis.data.resumable import resumable
from analysis.data.source import Array, Block, Source
from analysis.data.sources import Data, RunSource, SpecSource, cautions, open_source, played, row_columns
from analysis.data.store import digest_of
from analysis.measures.quantities import Quantities, judging, pars
from analysis.stats.intervals import at_edge, bonferroni, check_level, deals_if_fair, pointwise, rate_interval
from analysis.stats.margin import FAIR, Margin, as_margin
from analysis.stats.moments import MIN_DEALS, Floats
from analysis.stats.multiple_testing import Ends, adjust_within, of_means, of_rates, p_values, pick
from simcore.errors import UsageError, nearest
from simcore.kernel.driver import Memory
from simcore.running.accumulator import Accumulator
from simcore.running.batch import MAX_GAMES, Spec, play_into
from simcore.running.executors import CHUNK
from strategies.spec import under_rules

# --- Paired differences: sums over deals by card, slot and measure, and the tables made from them ---


ALL = "all"
CHANGED = "winner_changed"
TOGETHER = ("score", "spread", "margin")
"""Measures on which pairs of cards are judged; the first of all."""

DUST = 1e-9
"""Largest rounding error of the difference of two equal means."""


def told(moved: Array, se: Array, deals: Array, level: float) -> Floats:
    """Return the multiplier of the standard error in an interval; NaN unless the measure moved in `MIN_DEALS` deals.

    If nearly all differences are zero, their mean is far from normal and its standard error is unreliable.
    """
    return np.where((se > 0) & (moved >= MIN_DEALS), pointwise(level, deals), np.nan)


def tested(value: Array, moved: Array, se: Array, deals: Array) -> Floats:
    """Return p-values in the same way; 1 if the measure never moved."""
    return np.where((moved >= MIN_DEALS) | (moved == 0), p_values(value, se, deals), np.nan)


class Paired(Accumulator):
    """Sums over deals of paired differences, by card, slot and measure.

    cards, slots, measures: The number of each.
    """

    adds = ("deals", "moved", "sums")

    def __init__(self, cards: int, slots: int, measures: int) -> None:
        self.deals: NDArray[np.int64] = np.zeros((cards, slots), np.int64)
        self.moved: NDArray[np.int64] = np.zeros((cards, slots, measures), np.int64)
        self.sums: Floats = np.zeros((2, 3, cards, slots, measures))
        """Sums and sums of squares: of the differences, with the card, and without it."""

    def add(self, card: int, slot: NDArray[np.int64], with_card: Floats, without: Floats) -> None:
        """Add deals that hold a card.

        slot: Slot of the card in each deal.
        with_card, without: Deal means of the measures, shape (deals, measures).
        """
        difference = with_card - without
        difference[np.abs(difference) < DUST] = 0
        values = np.stack([difference, with_card, without])
        for number in range(self.deals.shape[1]):
            here = values[:, slot == number]
            self.deals[card, number] += here.shape[1]
            self.moved[card, number] += (here[0] != 0).sum(axis=0)
            self.sums[:, :, card, number] += here.sum(axis=1), (here**2).sum(axis=1)

    def moments(self, number: int | None) -> tuple[Floats, NDArray[np.int64], Floats, Floats]:
        """Return deals, moved deals, means and variances in one slot, or in all slots together."""
        slots = slice(None) if number is None else slice(number, number + 1)
        moved = self.moved[:, slots].sum(axis=1)
        deals = np.broadcast_to(self.deals[:, slots].sum(axis=1)[:, None], moved.shape).astype(np.float64)
        total, squares = self.sums[..., slots, :].sum(axis=3)
        with np.errstate(divide="ignore", invalid="ignore"):
            variance = np.maximum(squares - total**2 / deals, 0) / (deals - 1)
            return deals, moved, total / deals, np.where(deals > 1, variance, np.nan)


def effects_table(
    names: Sequence[str], slot: str, measures: Quantities, paired: Paired, number: int | None, level: float
) -> pl.DataFrame:
    """Return the effects in one slot, or in all slots together."""
    deals, moved, (effect, with_card, without), (spread, *apart) = paired.moments(number)
    size = deals.shape[1]
    with np.errstate(divide="ignore", invalid="ignore"):
        se, gain = np.sqrt(spread / deals), sum(apart) / spread
    constant = told(moved, se, deals, level)
    kinds, by, groups = zip(*(item.place for item in measures.items), (CHANGED, "", ""), strict=True)
    columns = {
        "card": np.repeat(names, size),
        "slot": np.repeat(slot, len(names) * size),
        "split": np.repeat(number is not None, len(names) * size),
        "measure": np.tile(kinds, len(names)),
        "by": np.tile(by, len(names)),
        "group": np.tile(groups, len(names)),
        "deals": deals.astype(np.int64).ravel(),
        "moved": moved.ravel(),
        "with_card": with_card.ravel(),
        "blank": without.ravel(),
        **{key: values.ravel() for key, values in interval("effect", effect, se, constant).items()},
        "variance_ratio": gain.ravel(),
        "p": tested(effect, moved, se, deals).ravel(),
    }
    return pl.DataFrame(columns)


def pairs_table(names: Sequence[tuple[str, str]], paired: Paired, level: float) -> pl.DataFrame:
    """Return the interactions of pairs of cards."""
    deals, moved, (value, *_), (spread, *_) = paired.moments(0)
    se = np.sqrt(spread / deals)
    estimate = interval("interaction", value, se, told(moved, se, deals, level))
    columns = {
        "first": np.repeat([first for first, _ in names], len(TOGETHER)),
        "second": np.repeat([second for _, second in names], len(TOGETHER)),
        "measure": np.tile(TOGETHER, len(names)),
        "deals": deals.astype(np.int64).ravel(),
        "moved": moved.ravel(),
        **{key: item.ravel() for key, item in estimate.items()},
        "p": tested(value, moved, se, deals).ravel(),
    }
    return with_families(pl.DataFrame(columns), "measure")


def with_families(table: pl.DataFrame, *keys: str) -> pl.DataFrame:
    """Add p-values that are adjusted within families; the families differ in the values of some columns."""
    families = table.select(keys).rows()
    return table.with_columns(
        pl.Series(name, adjust_within(table["p"], families, method))
        for name, method in (("p_holm", "holm"), ("p_bh", "fdr_bh"))
    )


# --- Verdicts on cards whose effects are known: what they move, and whom they favour ---


NAMED = 4
"""Largest number of cards that a sentence names."""

Pars = Mapping[tuple[str, str], float]
"""The par of seats, camps and strategies, by kind and name."""


def card_verdicts(
    table: pl.DataFrame, changed: pl.DataFrame, deals: int, level: float, margin: Margin, pars: Pars
) -> tuple[Verdict, ...]:
    """Say which cards move the score most, which favour somebody, and which change the winner most often.

    level: Confidence level of each sentence by itself; it allows for the choice of the cards.
    margin: How far a card may move a share of the wins and still count as fair.
    pars: The pars to which the margin is relative.
    """
    whole = table.filter((pl.col("slot") == ALL) & (pl.col("deals") >= MIN_DEALS))
    known = whole.filter(pl.col("effect_low").is_not_null())
    score = known.filter((pl.col("measure") == "score") & (pl.col("by") == ""))
    scored = not table.filter(pl.col("measure") == "score").is_empty()
    if known.is_empty() or (scored and score.is_empty()):
        return (Verdict("cards_too_few", "unknown", {}),)
    found = [superlative("cards_score", score, "effect", level)] if scored else []
    for by in ("camp", "seat", "strategy"):
        shares = whole.filter((pl.col("measure") == "share") & (pl.col("by") == by))
        if len(shares):
            found.append(favours(shares, by, deals, level, margin.at([pars[by, name] for name in shares["group"]])))
    often = changed.filter((pl.col("slot") == ALL) & (pl.col("deals") >= MIN_DEALS))
    return (*found, superlative("cards_winner", often, CHANGED, level, of_rates))


def card_notes(table: pl.DataFrame) -> Iterator[Note]:
    """Yield notes on cards that changed nothing, and on those that too few deals hold."""
    whole = table.filter((pl.col("slot") == ALL) & (pl.col("by") == ""))
    known = whole.filter(pl.col("deals") >= MIN_DEALS)
    for (card,), rows in known.group_by("card", maintain_order=True):
        if not (rows["effect"] != 0).any() and not (rows["effect_se"] != 0).any():
            yield Note("dead_card", {"card": card, "deals": int(rows["deals"][0])})
    rare = whole.filter(pl.col("deals") < MIN_DEALS)["card"].unique(maintain_order=True)
    if len(rare) and len(known):
        yield Note("cards_unjudged", {"names": tuple(rare), "least": MIN_DEALS})


def superlative(code: str, rows: pl.DataFrame, name: str, level: float, ends: Ends = of_means) -> Verdict:
    """Return a verdict on the card with the largest effect, or on all cards that cannot be distinguished from it.

    code: Code of the verdict if there is one such card.  It gets the suffix `_level` if there are several, `_many` if
        there are more than a sentence can name, and `_none` if no card has any effect.
    rows: One row for each card: `card`, the effect with its standard error, and `deals`.
    name: Column of the effect.
    level: Probability that the card with the largest effect is named, and that the interval is right whichever card is
        chosen.
    """
    found = pick(rows, name, "card", level, "size", ends, parts=False)
    if found is None:
        return Verdict("cards_too_few", "unknown")
    values = {
        "card": found.row["card"],
        "effect": found.value,
        "low": found.low,
        "high": found.high,
        "deals": found.row["deals"],
        "of": found.of,
        "count": len(found.names),
        "cards": found.names,
    }
    if found.value == 0:
        return Verdict(f"{code}_none", "fact", values)
    if found.sole:
        return Verdict(code, "fact", values)
    return Verdict(f"{code}_{'level' if len(found.names) <= NAMED else 'many'}", "fact", values)


def favours(shares: pl.DataFrame, by: str, deals: int, level: float, margin: Floats) -> Verdict:
    """Say whether any card favours a seat, a camp or a strategy.

    The verdict is "tilted" if an effect is significant after Holm's correction and its simultaneous interval lies
    beyond the margin.  It is "fair" if every single interval lies within the margin; no correction is needed for that,
    because all of them have to.
    """
    effect, se = (shares[name].to_numpy() for name in ("effect", "effect_se"))
    told = shares["effect_low"].is_not_null().to_numpy()
    held, moved = shares["deals"].to_numpy(), shares["moved"].to_numpy()
    size = np.abs(effect)
    half = np.where(told, se * pointwise(level, held), np.nan)
    wide = np.where(told, se * pointwise(level, held, len(shares)), np.nan)
    tilted = (size - wide > margin) & (shares["p_holm"].fill_null(1).to_numpy() < 1 - level)
    rare = rate_interval(moved / held, np.zeros(len(held)), held, level)[1]  # an effect is no larger than this
    half, error = np.where(told, half, rare), np.where(told, se, rare / bonferroni(level))
    reach = np.where(told, size + half, rare)

    def about(pick: int) -> dict[str, Any]:
        row = shares.row(pick, named=True)
        low, high = row["effect"] - wide[pick], row["effect"] + wide[pick]
        return {
            "by": by,
            "margin": float(margin[pick]),
            "played": deals,
            "card": row["card"],
            "group": row["group"],
            "effect": row["effect"],
            "low": low,
            "high": high,
            "reach": float(reach[pick]),
            "deals": row["deals"],
            "count": int(tilted.sum()),
            "of": len(shares),
            "cards": shares["card"].n_unique(),
        }

    if tilted.any():
        return Verdict(f"cards_tilt_{by}", "tilted", about(int(np.where(tilted, size / margin, -1).argmax())))
    worst = int((reach / margin).argmax())
    if (reach <= margin).all():
        return Verdict(f"cards_level_{by}", "fair", about(worst))
    open_ = np.flatnonzero(reach > margin).tolist()
    near = [at for at in open_ if at_edge(size[at], margin[at], half[at])]
    if near:
        return Verdict(f"cards_near_{by}", "unclear", about(near[0]))
    needed = max(deals_if_fair(margin[at], half[at], error[at], deals, len(open_)) for at in open_)
    return Verdict(f"cards_unclear_{by}", "unclear", about(worst) | {"needed": needed})


# --- The effect of a card: the same deals are played with the card and with a blank in its place ---


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
    pairs
        One row for each pair of cards and measure: the deals that hold both cards, and their `interaction`, which is
        the effect of both together minus the sum of the effects of each while the other is blank.  Empty unless
        requested.
    games_played
        Number of games that were played for the effects of single cards.
    """

    changed: pl.DataFrame
    pairs: pl.DataFrame
    games_played: int

    def effects(self, measure: str = "score", slot: str = ALL) -> pl.DataFrame:
        """Return the effects of all cards on one measure of the whole table, largest first."""
        found = self.table.filter((pl.col("measure") == measure) & (pl.col("slot") == slot) & (pl.col("by") == ""))
        return found.sort(pl.col("effect").abs(), descending=True, nulls_last=True)


def with_blanks(spec: Spec, deck: Cards, cards: Sequence[str]) -> Spec:
    """Return a run in which some cards are blank, of a deck whose `blank` is given."""
    assert deck.blank is not None
    return under_rules(spec, replace(spec.rules, values=deck.blank(spec.rules.values, cards)))


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


class _Experiment:
    """Cards of a deck, the specifications with some of them blank, and how to judge a stretch of deals."""

    def __init__(
        self, source: SpecSource, cards: Cards, chosen: Sequence[str], pair_deals: int = 0, given: Source | None = None
    ) -> None:
        self.source, self.cards, self.pair_deals = source, cards, pair_deals
        self.all = source.labels(cards.columns[0]) if cards.columns else tuple(cards.copies(source.values))
        self.chosen = [self.all.index(name) for name in chosen]
        self.pairs = list(combinations(range(len(self.chosen)), 2)) if pair_deals else []
        self.measures = Quantities(source, judging(source))
        blank = [(card,) for card in self.chosen] + [(self.chosen[one], self.chosen[two]) for one, two in self.pairs]
        self.specs = {some: with_blanks(source.spec, cards, [self.all[card] for card in some]) for some in blank}
        self.names = tuple(dict.fromkeys(["strategy", *self.measures.columns, *cards.columns]))
        self.recorded = _recorded(given, self.names, source.planned) if given and source.spec.searches else None

    def empty(self) -> Counts:
        """Return empty sums."""
        single = Paired(len(self.chosen), max(len(self.cards.columns), 1), len(self.measures.items) + 1)
        return Counts(single=single, pairs=Paired(len(self.pairs), 1, len(TOGETHER)), games=0, stretches=0)

    def judge(self, deals: range) -> Counts:
        """Play some consecutive deals unchanged and with blanks."""
        per_deal, names = self.source.spec.games_per_deal, self.names
        sums = self.empty()
        base = self._as_it_is(deals)
        drawn = np.stack([base[name][::per_deal, 0] for name in self.cards.columns or ("strategy",)], axis=1)
        means = self.measures.of(base)
        winners = base[self.source.share].reshape(len(deals), per_deal, -1)
        without = np.zeros((len(self.chosen), *means.shape))
        held = np.stack([(drawn == card).any(axis=1) for card in self.chosen])
        if not self.cards.columns:  # the table does not say which deals hold it
            held[:] = True
        sums.games, sums.stretches = base.games, 1
        for number, card in enumerate(self.chosen):
            here = held[number]
            if not here.any():
                continue
            block = DealPlayer(self.specs[card,]).play(deals.start, here, names)
            without[number, here] = self.measures.of(block)
            other = block[self.source.share].reshape(int(here.sum()), per_deal, -1)
            changed = (winners[here] != other).any(axis=2).mean(axis=1)
            with_card = np.column_stack([means[here], changed])
            nothing = np.column_stack([without[number, here], np.zeros(len(changed))])
            sums.single.add(number, (drawn[here] == card).argmax(axis=1), with_card, nothing)
            sums.games += block.games
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
        size = len(TOGETHER)
        for number, (first, second) in enumerate(self.pairs):
            here = held[first] & held[second]
            if here.any():
                spec = self.specs[self.chosen[first], self.chosen[second]]
                block = DealPlayer(spec).play(deals.start, here, self.measures.columns)
                neither = self.measures.of(block)[:, :size]
                one, two = (without[index, here][:, :size] for index in (first, second))
                sums.add(number, np.zeros(len(one), np.int64), means[here][:, :size] + neither, one + two)


def _recorded(source: Source, names: Sequence[str], games: int) -> dict[str, Array] | None:
    """Return columns of the first games of a run from its table; None if some are missing."""
    here = isinstance(source, RunSource) and source.run.manifest.games_written >= games
    if not here or not set(names) <= source.available:
        return None
    columns, _ = whole_columns(source, names, most=games)
    return {name: values[:games] for name, values in columns.items()}


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
    * docs/reference/methods.md

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
    known = deck.present(source.values)
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
            tick(stretches[sums.stretches - 1].stop)
    return _result(experiment, sums, source.inputs(deals * per_deal, deals, 0), level, fair)


def _result(experiment: _Experiment, sums: Counts, inputs: Inputs, level: float, margin: Margin) -> Counterfactual:
    names = [experiment.all[card] for card in experiment.chosen]
    measures = experiment.measures
    paired = sums.single
    slots = [ALL, *experiment.cards.slots]
    frames = []
    for number, slot in enumerate(slots):
        frames.append(effects_table(names, slot, measures, paired, None if number == 0 else number - 1, level))
    found = pl.concat(frames)
    table = with_families(found.filter(pl.col("measure") != CHANGED), "measure", "by", "split").drop("split")
    # How often the winner changed, with intervals that are valid for rare changes.
    rates = found.filter(pl.col("measure") == CHANGED)
    low, high = rate_interval(rates["effect"], rates["effect_se"], rates["deals"], level)
    changed = rates.select(
        "card",
        "slot",
        "deals",
        pl.col("effect").alias(CHANGED),
        pl.col("effect_se").alias(f"{CHANGED}_se"),
        pl.Series(f"{CHANGED}_low", low),
        pl.Series(f"{CHANGED}_high", high),
    )
    notes = [*cautions(experiment.source, inputs), *card_notes(table)]
    together = pairs_table([(names[first], names[second]) for first, second in experiment.pairs], sums.pairs, level)
    verdicts = card_verdicts(tidy(table), tidy(changed), inputs.deals, level, margin, pars(experiment.source))
    return Counterfactual((inputs,), level, table, verdicts, tuple(notes), changed, together, sums.games)
