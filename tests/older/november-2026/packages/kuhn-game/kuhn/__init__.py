"""Kuhn poker, for two players: the smallest poker, which is played for chips and not for wins."""

from kuhn.kernel import CARDS, DECISIONS, PLAYERS, ROW, RULES, STATE, KuhnRules, redraw, settle, start, step
from simcore.game import Column, Game, Payoff
from simcore.log_records import Field, RecordKind, nobody


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


def own_card(first, record, seat):
    """Return the cards, of which a seat sees only its own."""
    return [card if holder == seat else None for holder, card in enumerate(record["cards"], 1)]


RECORD_KINDS = (
    RecordKind("deal", "each seat gets a card", (Field("cards", seen=nobody, instead=own_card),)),
    RecordKind("play", "what was done", (Field("bettor"), Field("called"))),
    RecordKind("end", "the end", (Field("chips"), Field("place"), Field("share60"))),
)


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
    record_kinds=RECORD_KINDS,
)
