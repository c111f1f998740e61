"""Play deals as the game is now and as it was, and add up what is asked for."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from analysis.cards.counterfactual import DealPlayer, with_blanks
from analysis.data.in_parallel import in_parallel
from analysis.data.source import Block
from analysis.data.sources import SpecSource
from analysis.measures.quantities import OF_CARD, SHARES, Quantities, cards_in, holds, known_families
from analysis.stats.moments import Contrasts, Floats
from simcore.running.accumulator import Accumulator
from simcore.running.batch import Spec
from simcore.running.executors import CHUNK

DUST = 1e-9
"""Largest rounding error of the difference of two equal means."""


@dataclass(frozen=True)
class Estimand:
    """What is estimated for one claim."""

    family: str
    member: str
    """family, member: Name of the quantity, without `OF_CARD`."""
    card: str | None = None  # the card whose effect on the quantity is estimated.  If None, the quantity itself.
    alone: bool = False  # whether only the present games count, even if the former games are played as well


class Side:
    """One specification, played with and without cards."""

    def __init__(self, spec: Spec, families: Sequence[str], cards: Sequence[str]) -> None:
        self.source = SpecSource(spec)
        known = known_families(self.source)
        self.quantities = Quantities(self.source, [SHARES, *(name for name in families if name in known)])
        self.position = {(item.family, item.member): at for at, item in enumerate(self.quantities.items)}
        self.cards = [card for card in cards if card in cards_in(self.source)]
        deck = self.source.declarations.cards
        self.columns = (*self.quantities.columns, *(deck.columns if deck and self.cards else ()))
        self.blanked = {card: with_blanks(spec, deck, [card]) for card in self.cards if deck}

    def play(self, deals: range, cards: Sequence[str]) -> tuple[Floats, dict[str, tuple[Floats, NDArray[np.bool_]]]]:
        """Return deal means and, for each card, its effects (zero in deals without it) and the deals that hold it."""
        everything = np.ones(len(deals), bool)
        noting = self.quantities.noting
        block = DealPlayer(self.source.spec).play(deals.start, everything, self.columns, noting)
        means = self.quantities.of(block)
        effects = {card: self._effect(deals, block, means, card) for card in cards if card in self.blanked}
        return means, effects

    def _effect(self, deals: range, block: Block, means: Floats, card: str) -> tuple[Floats, NDArray[np.bool_]]:
        here = holds(block, self.source, card)
        effect = np.zeros_like(means)
        if here.any():
            wanted, noting = self.quantities.columns, self.quantities.noting
            without = DealPlayer(self.blanked[card]).play(deals.start, here, wanted, noting)
            effect[here] = means[here] - self.quantities.of(without)
        return effect, here


@dataclass
class Sums(Accumulator):
    """Sums over deals."""

    adds = ("deals", "moved", "plain", "games")

    deals: int  # number of deals that were played
    shift: Contrasts
    """Present games minus former games, for each estimand; without former games, the present games alone."""
    moved: NDArray[np.int64]
    """Number of deals in which the estimand differs from before; without former games, from zero."""
    plain: Floats
    """Sum and sum of squares of the quantity behind each estimand, which show how much it varies between deals."""
    games: int = 0  # number of games that were played

    @classmethod
    def empty(cls, estimands: int) -> Sums:
        """Return empty sums."""
        return cls(0, Contrasts(estimands), np.zeros(estimands, np.int64), np.zeros((2, estimands)))

    def spread(self) -> Floats:
        """Return the variance between deals of the quantity behind each estimand."""
        mean: Floats = self.plain[0] / self.deals
        return np.asarray(np.maximum(self.plain[1] / self.deals - mean**2, 0.0))


class Sampler:
    """Plays deals of one player count.

    new: The run as it is now.
    old: The run as it was.  If None, only the present one is played.
    estimands: What to estimate.
    """

    def __init__(self, new: Spec, old: Spec | None, estimands: Sequence[Estimand]) -> None:
        families = [(OF_CARD if estimand.card else "") + estimand.family for estimand in estimands]
        cards = list(dict.fromkeys(estimand.card for estimand in estimands if estimand.card))
        self.estimands = tuple(estimands)
        self.new = Side(new, families, cards)
        self.old = Side(old, families, cards) if old else None
        self.per_deal = new.games_per_deal

    @property
    def gone(self) -> frozenset[int]:
        """Numbers of the estimands that the present game lacks, such as those of a card that left the deck."""
        side = self.new
        lacking = (
            (one.family, one.member) not in side.position or (one.card is not None and one.card not in side.blanked)
            for one in self.estimands
        )
        return frozenset(number for number, lacks in enumerate(lacking) if lacks)

    def play(self, deals: range, cards: Sequence[str], tick: Callable[[int], None] = lambda games: None) -> Sums:
        """Play some deals and return their sums (empty for cards not named); `tick` is called with the games so far."""
        step = max(CHUNK // self.per_deal, 1)
        stretches = [range(at, min(at + step, deals.stop)) for at in range(deals.start, deals.stop, step)]
        total = Sums.empty(len(self.estimands))
        with closing(in_parallel(lambda stretch: self._stretch(stretch, cards), stretches)) as results:
            for found in results:
                total.merge(found)
                tick(total.deals * self.per_deal)
        return total

    def _stretch(self, deals: range, cards: Sequence[str]) -> Sums:
        count = len(deals)
        sums = Sums.empty(len(self.estimands))
        sums.deals = count
        now, now_effects = self.new.play(deals, cards)
        then, then_effects = self.old.play(deals, cards) if self.old else (None, {})
        totals = np.zeros((4, count, len(self.estimands)))
        for number, estimand in enumerate(self.estimands):
            at = self.new.position.get((estimand.family, estimand.member))
            was = self.old.position.get((estimand.family, estimand.member)) if self.old else None
            if at is not None:
                totals[:2, :, number] = _column(now, now_effects, estimand, at)
                sums.plain[0, number] = now[:, at].sum()
                sums.plain[1, number] = now[:, at] @ now[:, at]
            if estimand.alone or then is None:
                totals[3, :, number] = totals[1, :, number]
            elif was is not None:
                totals[2:, :, number] = _column(then, then_effects, estimand, was)
        sums.shift.add(*totals)
        sums.moved = ((np.abs(totals[0] - totals[2]) > DUST) | (totals[1] != totals[3])).sum(axis=0)
        sums.games = self.per_deal * (count + sum(int(held.sum()) for _, held in now_effects.values()))
        if self.old:
            sums.games += self.per_deal * (count + sum(int(held.sum()) for _, held in then_effects.values()))
        return sums


def _column(
    means: Floats, effects: dict[str, tuple[Floats, NDArray[np.bool_]]], estimand: Estimand, at: int
) -> tuple[Floats, Floats]:
    """Return an estimand's total and count in each deal."""
    if estimand.card is None:
        return means[:, at], np.ones(len(means))
    if estimand.card not in effects:
        return np.zeros(len(means)), np.zeros(len(means))
    effect, held = effects[estimand.card]
    return effect[:, at], held.astype(np.float64)
