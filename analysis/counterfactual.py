"""What a card does: the same deals played with the card and with a blank in its place."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from analysis.folding import in_order
from analysis.meaning import Cards, declared
from analysis.measures import Measures
from analysis.paired import (
    ALL,
    CHANGED,
    Paired,
    changed_table,
    contrasts_table,
    effects_table,
    tested,
    told,
    with_families,
)  # fmt: skip
from analysis.results import Inputs, Result, Verdict, interval, tidy
from analysis.source import Block, Data, SpecSource, cautions, played, row_columns
from analysis.stats.intervals import check_level
from analysis.stats.moments import MIN_DEALS
from simcore.batch import MAX_GAMES, Spec, play_into
from simcore.errors import UsageError, nearest
from simcore.executors import CHUNK, default_threads
from simcore.memory import Memory

DEALS = 100_000


@dataclass(frozen=True, eq=False)
class Counterfactual(Result):
    """What every card does, against a blank in its place.

    Parameters
    ----------
    table
        One row a card, slot ("all" first) and measure: `deals` that hold the card there, in how many of them the
        measure `moved` (below 30 there is no interval), mean `with_card` and `blank`, the `effect` (with the card
        less without) and its interval, `variance_ratio` (how many times less the paired difference varies than one
        of unrelated games would), p-values: `p`, `p_holm`, `p_bh`.
        `by` and `group` say whose a measure is: a seat's, a strategy's, or "" for the whole table.
        Families of tests: all cards of a measure; all cards, seats (strategies) of a split measure; all cards and
        slots where slots are told apart.
    changed
        One row a card and slot: share of games, `winner_changed`, whose winners are others than with a blank.
    contrasts
        As `table`, slot "all", against the mean effect of the other cards instead of a blank: what randomised
        exposure estimates as well.
    pairs
        One row a pair of cards and measure: deals that hold both, and the `interaction`: what both together do
        beyond the sum of each beside the blank of the other.  Empty unless asked for.
    """

    changed: pl.DataFrame
    contrasts: pl.DataFrame
    pairs: pl.DataFrame
    games_played: int

    def effects(self, measure: str = "score", slot: str = ALL) -> pl.DataFrame:
        """Return the effects of all cards on one measure of the whole table, largest first."""
        found = self.table.filter((pl.col("measure") == measure) & (pl.col("slot") == slot) & (pl.col("by") == ""))
        return found.sort(pl.col("effect").abs(), descending=True)


class DealPlayer:
    """Plays single stretches of deals of one specification."""

    def __init__(self, spec: Spec) -> None:
        self.spec = spec
        self.memory = Memory(spec.game)

    def play(self, first_deal: int, held: NDArray[np.bool_], names: Sequence[str]) -> Block:
        """Play those of consecutive deals that are marked."""
        per_deal, players = self.spec.games_per_deal, self.spec.players
        width = per_deal * players
        rows = np.zeros(int(held.sum()) * width, self.spec.game.row_dtype)
        deals = first_deal + np.flatnonzero(held)
        games = (deals[:, None] * per_deal + np.arange(per_deal)).ravel()
        play_into(self.spec, games, rows, self.memory)
        return Block(per_deal, row_columns(self.spec, rows, names))


@dataclass
class _Sums:
    """What one thread, or all together, add up."""

    single: Paired
    pairs: Paired
    games: int = 0

    def merge(self, other: _Sums) -> None:
        self.single.merge(other.single)
        self.pairs.merge(other.pairs)
        self.games += other.games


class _Experiment:
    """Cards of a deck, the specifications with some of them blank, and how to judge a stretch of deals."""

    def __init__(self, source: SpecSource, cards: Cards, chosen: Sequence[str], pairs: bool) -> None:
        self.source, self.cards = source, cards
        self.all = source.labels(cards.columns[0])
        self.chosen = [self.all.index(name) for name in chosen]
        self.pairs = list(combinations(range(len(self.chosen)), 2)) if pairs else []
        self.measures = Measures(source)
        self.specs: dict[tuple[int, ...], Spec] = {(card,): self._blanked([card]) for card in self.chosen}
        for first, second in self.pairs:
            both = (self.chosen[first], self.chosen[second])
            self.specs[both] = self._blanked(both)

    def _blanked(self, cards: Sequence[int]) -> Spec:
        spec = self.source.spec
        values = self.cards.blank(spec.rules.values, [self.all[card] for card in cards])
        return replace(
            spec, rules=replace(spec.rules, values=values), rules_record=spec.game.pack(values, spec.players)
        )

    def empty(self) -> _Sums:
        """Return sums of nothing."""
        size = len(self.measures.names)
        return _Sums(
            Paired(len(self.chosen), len(self.cards.columns), size + 1), Paired(len(self.pairs), 1, len(TESTED))
        )

    def judge(self, deals: range) -> _Sums:
        """Play some consecutive deals as they are and with blanks."""
        per_deal, names = self.source.spec.games_per_deal, (*self.measures.columns, *self.cards.columns)
        sums = self.empty()
        base = DealPlayer(self.source.spec).play(deals.start, np.ones(len(deals), bool), names)
        drawn = np.stack([base[name][::per_deal, 0] for name in self.cards.columns], axis=1)
        plain = self.measures.of(base)
        winners = base["share60"].reshape(len(deals), per_deal, -1)
        means = base.totals(plain) / per_deal
        without = np.zeros((len(self.chosen), *means.shape))
        held = np.stack([(drawn == card).any(axis=1) for card in self.chosen])
        differences = np.zeros((len(deals), len(self.chosen), means.shape[1] + 1))
        sums.games = base.games
        for number, card in enumerate(self.chosen):
            here = held[number]
            if not here.any():
                continue
            block = DealPlayer(self.specs[card,]).play(deals.start, here, names)
            without[number, here] = block.totals(self.measures.of(block)) / per_deal
            other = block["share60"].reshape(int(here.sum()), per_deal, -1)
            changed = (winners[here] != other).any(axis=2).mean(axis=1)
            with_card = np.column_stack([means[here], changed])
            nothing = np.column_stack([without[number, here], np.zeros(len(changed))])
            sums.single.add(number, (drawn[here] == card).argmax(axis=1), with_card, nothing)
            differences[here, number] = with_card - nothing
            sums.games += block.games
        sums.single.add_joint(held.T, differences)
        for number, (first, second) in enumerate(self.pairs):
            here = held[first] & held[second]
            if here.any():
                block = DealPlayer(self.specs[self.chosen[first], self.chosen[second]]).play(deals.start, here, names)
                neither = block.totals(self.measures.of(block)[:, : len(TESTED)]) / per_deal
                one, two = (without[index, here][:, : len(TESTED)] for index in (first, second))
                sums.pairs.add(number, np.zeros(len(one), np.int64), means[here][:, : len(TESTED)] + neither, one + two)
                sums.games += block.games
        return sums


TESTED = ("score", "spread", "margin")
"""Measures on which pairs are judged; the first of `Measures.names`."""


def counterfactual(
    data: Data,
    cards: Sequence[str] = (),
    deals: int = DEALS,
    pairs: bool = False,
    level: float = 0.95,
    threads: int | None = None,
    tick: Callable[[int], None] = lambda deals: None,
) -> Counterfactual:
    """Play the same deals with a card and with a blank in its place, and compare.

    The streams, the players and everything else stay as they are; only deals that hold a card are played again.

    Parameters
    ----------
    data
        A run, its folder, or a specification; its first deals are played, as many as asked for.
    cards
        Which; all of the deck if empty.
    deals
        How many deals to play.
    pairs
        Whether to look for interactions of two cards as well.
    level
        Confidence level of each interval.
    threads
        How many; as many as there are processors if None.
    tick
        Called now and then with the number of deals done.

    Raises
    ------
    UsageError
        If the game has no such cards.
    """
    check_level(level)
    source = played(data, 1)
    per_deal = source.spec.games_per_deal
    if not 1 <= deals <= MAX_GAMES // per_deal:
        raise UsageError(f"deals: {deals} is out of range; give a whole number from 1 to {MAX_GAMES // per_deal:,}")
    source = played(data, deals * per_deal)
    deck = declared(source.meaning.cards, "cards of chance", source.spec.game.title)
    known = [name for name, copies in deck.copies(source.values).items() if copies > 0]
    for name in cards:
        if name not in known:
            raise UsageError(f"cards: no {deck.noun} '{name}' in the deck{nearest(name, known)}")
    experiment = _Experiment(source, deck, list(dict.fromkeys(cards)) or known, pairs)
    step = max(CHUNK // per_deal, 1)
    stretches = [range(first, min(first + step, deals)) for first in range(0, deals, step)]
    sums = experiment.empty()
    with ThreadPoolExecutor(threads or default_threads()) as pool:
        for stretch, found in zip(stretches, in_order(pool, experiment.judge, stretches), strict=True):
            sums.merge(found)
            tick(stretch.stop)
    return _result(experiment, sums, source.inputs(deals * per_deal, deals, 0), level)


def _result(experiment: _Experiment, sums: _Sums, inputs: Inputs, level: float) -> Counterfactual:
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
    notes = [*cautions(experiment.source, inputs)]
    dead = table.filter((pl.col("slot") == ALL) & (pl.col("by") == "")).group_by("card", maintain_order=True)
    for (card,), rows in dead:
        if not (rows["effect"] != 0).any() and not (rows["effect_se"] != 0).any():
            notes.append(f"{card} is dead: it changed nothing in any of the {rows['deals'][0]:,} deals that hold it.")
    verdicts = _verdicts(tidy(table), tidy(changed))
    return Counterfactual(
        (inputs,), level, table, verdicts, tuple(notes), changed, contrasts, _pairs(experiment, sums, level), sums.games
    )


def _pairs(experiment: _Experiment, sums: _Sums, level: float) -> pl.DataFrame:
    """Return the interactions."""
    if not experiment.pairs:
        return pl.DataFrame(schema={"first": pl.String, "second": pl.String, "measure": pl.String})
    names = [experiment.all[card] for card in experiment.chosen]
    paired = sums.pairs
    deals = np.repeat(paired.deals, len(TESTED), axis=1).astype(np.float64)
    with np.errstate(divide="ignore", invalid="ignore"):
        value = paired.sum[:, 0] / deals
        spread = np.maximum(paired.square[:, 0] - paired.sum[:, 0] ** 2 / deals, 0) / (deals - 1)
        se = np.sqrt(np.where(deals > 1, spread, np.nan) / deals)
    moved = paired.moved[:, 0]
    estimate = interval("interaction", value, se, told(moved, se, deals, level))
    columns = {
        "first": np.repeat([names[first] for first, _ in experiment.pairs], len(TESTED)),
        "second": np.repeat([names[second] for _, second in experiment.pairs], len(TESTED)),
        "measure": np.tile(TESTED, len(experiment.pairs)),
        "deals": deals.astype(np.int64).ravel(),
        "moved": moved.ravel(),
        **{key: item.ravel() for key, item in estimate.items()},
        "p": tested(value, moved, se, deals).ravel(),
    }
    return with_families(pl.DataFrame(columns), "measure")


def _verdicts(table: pl.DataFrame, changed: pl.DataFrame) -> tuple[Verdict, ...]:
    """Say which card moves the score most, which favours somebody, and which changes the winner most often."""
    whole = table.filter((pl.col("slot") == ALL) & pl.col("effect_low").is_not_null())
    score = whole.filter((pl.col("measure") == "score") & (pl.col("by") == "")).sort(pl.col("effect").abs())
    if score.is_empty():
        return (Verdict("cards_too_few", "unknown", "Too few deals to say anything about the cards.", {}),)
    found = []
    top = score.row(-1, named=True)
    text = "{card} moves the mean score most: {effect:+.2f} ({low:+.2f} to {high:+.2f}; {deals:,} deals hold it)."
    found.append(Verdict("cards_score", "fact", text, _numbers(top, "effect")))
    shares = whole.filter((pl.col("measure") == "share") & (pl.col("p_holm") < 0.05)).sort(pl.col("effect").abs())
    for by in ("seat", "strategy"):
        tilted = shares.filter(pl.col("by") == by)
        if tilted.is_empty():
            text = "No card favours a {by} beyond what chance would do."
            found.append(Verdict(f"cards_level_{by}", "fair", text, {"by": by}))
        else:
            row = tilted.row(-1, named=True)
            text = (
                "{card} favours or hurts one {by} most, {group}: {effect:+.1%} of the wins "
                "({low:+.1%} to {high:+.1%}; {deals:,} deals hold it; {count} such effects stand after Holm)."
            )
            numbers = _numbers(row, "effect") | {"by": by, "group": row["group"], "count": len(tilted)}
            found.append(Verdict(f"cards_tilt_{by}", "tilted", text, numbers))
    if not (whole["by"] == "strategy").any():
        found = [item for item in found if not item.code.endswith("strategy")]
    often = changed.filter((pl.col("slot") == ALL) & (pl.col("deals") >= MIN_DEALS)).sort(CHANGED)
    text = (
        "{card} changes the winner most often: in {effect:.1%} of the games that hold it "
        "({low:.1%} to {high:.1%}; {deals:,} deals)."
    )
    found.append(Verdict("cards_winner", "fact", text, _numbers(often.row(-1, named=True), CHANGED)))
    return tuple(found)


def _numbers(row: dict[str, Any], name: str) -> dict[str, Any]:
    """Return what a sentence needs of a row."""
    return {
        "card": row["card"], "effect": row[name], "low": row[f"{name}_low"], "high": row[f"{name}_high"],
        "deals": row["deals"],
    }  # fmt: skip
