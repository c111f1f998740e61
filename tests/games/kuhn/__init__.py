"""Kuhn poker, for two players: the smallest poker, which is played for chips and not for wins."""

from kuhn.kernel import CARDS, DECISIONS, PLAYERS, ROW, RULES, STATE, KuhnRules, redraw, settle, start, step
from simcore.game import Column, Game, Payoff


def limits(rules, players):
    """Return the most that a player can lose and gain."""
    return -rules.ante - rules.bet, rules.ante + rules.bet


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
    shares = [60 * (seat == winner) for seat in range(players)]
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
    redraw=redraw,
    decisions=DECISIONS,
    columns=(Column("chips", "Int32", "chips won or lost", detail="minimal"),),
    score="chips",
    payoff=Payoff(unit="chips", columns=("chips",), limits=limits, stake=lambda rules: rules.ante),
    records=records,
)
