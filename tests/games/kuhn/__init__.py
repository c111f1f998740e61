"""Kuhn poker, for two players: the smallest poker, which is played for chips and not for wins."""

import numpy as np

from kuhn.kernel import CARDS, DECISIONS, PLAYERS, ROW, RULES, STATE, KuhnRules, redraw, settle, start, step
from simcore.game import Column, Game


def sharing(rules, rows, unit):
    """Return the parts of the win: half of it each, and the rest by the chips gained."""
    gained = unit // 2 * np.abs(rows["chips"]) // (rules.ante + rules.bet)
    return unit // 2 + np.sign(rows["chips"]) * gained


def records(words, rules, players):
    """Yield the deal, what was done, and the end."""
    first, second, *moves = words
    yield {"kind": "deal", "cards": [CARDS[first], CARDS[second]]}
    bettor = 0 if moves[0] else 1
    bet = bool(moves[0] or moves[1])
    called = bet and bool(moves[-1])
    yield {"kind": "play", "bettor": bettor + 1 if bet else None, "called": called if bet else None}
    pot = rules.ante + rules.bet * called
    winner = bettor if bet and not called else int(second > first)
    chips = [pot if seat == winner else -pot for seat in range(players)]
    gained = 30 * pot // (rules.ante + rules.bet)
    shares = [30 + gained if seat == winner else 30 - gained for seat in range(players)]
    place = [1 + (seat != winner) for seat in range(players)]
    yield {"kind": "end", "chips": chips, "place": place, "share60": shares}


GAME = Game(
    name="kuhn",
    title="Kuhn poker",
    players=range(2, PLAYERS + 1),
    default_players=2,
    rules=KuhnRules,
    rules_dtype=RULES,
    state_dtype=STATE,
    row_dtype=ROW,
    start=start,
    step=step,
    settle=settle,
    sharing=sharing,
    redraw=redraw,
    decisions=DECISIONS,
    columns=(Column("chips", "Int32", "chips won or lost", detail="minimal"),),
    score="chips",
    records=records,
)
