"""Fief 2: what a seat sees, where chance comes from, and what strategies need to look ahead."""

from __future__ import annotations

import numpy as np

from simcore.chance import Chance, Draws, END
from simcore.game import Search
from simcore.games.fief_2.cards import CALM_NUMBER, DECK_SLOT, LORDS_SLOT, PLAGUE_NUMBER, RESHUFFLE_SLOT
from simcore.games.fief_2.kernel import settle
from simcore.games.fief_2.pieces import first_of, forts, has, is_banked, scores_now, size_of, titles_of
from simcore.games.fief_2.state import COURT, ZERO
from simcore.kernel.compilation import inlined, kernel
from simcore.kernel.decisions import Look
from simcore.kernel.streams import DICE, SHUFFLE, shuffle


# --- What a seat sees at a safe point, in whole numbers ---


OF_TABLE = ["turns left", "scorings left", "phase", "a regency", "rebels' villages"]
OF_PLAYER = [
    "score if it kept scoring as now",
    "score",
    "scores now",
    "money",
    "soldiers",
    "villages",
    "mills and presses",
    "forts",
    "lords",
    "titles",
    "titles within reach",
    "titles one village away",
    "titles two villages away",
    "captives",
    "own lords captive",
    "the King",
    "the Queen",
    "bishops",
    "cardinals",
    "cards in hand",
    "seats after the first player",
]
REGION = np.int64(OF_PLAYER.index("titles within reach"))
CAPTIVES = np.int64(OF_PLAYER.index("captives"))


@kernel
def clock(state):
    """The number of finished turns."""
    return state.turn - np.int64(state.over == 0 and state.phase != COURT)


@inlined
def scorings_left(rules, state):
    """The number of scorings to come."""
    return ZERO if state.over else rules.turns // rules.scoring_every - clock(state) // rules.scoring_every


@kernel
def see_table(rules, state, seat, out):
    """Write the numbers about the table."""
    out[0] = rules.turns - clock(state)
    out[1] = scorings_left(rules, state)
    out[2] = state.phase
    out[3] = np.int64(state.regency > 0)
    out[4] = size_of(state.revolts)


@kernel
def see_player(rules, state, seat, other, out, at):
    """Write the numbers about a family; only its cards are hidden, and none of them is counted here by kind."""
    lords, held = state.lords[other], state.held[other]
    points = scores_now(rules, state, other)
    out[at] = state.score[other] + points * scorings_left(rules, state)
    out[at + 1] = state.score[other]
    out[at + 2] = points
    out[at + 3] = state.money[other]
    out[at + 4] = state.army[other]
    out[at + 5] = size_of(held)
    out[at + 6] = size_of(state.mills & held) + size_of(state.presses & held)
    out[at + 7] = size_of(forts(state) & held)
    out[at + 8] = size_of(lords & state.free)
    out[at + 9] = size_of(titles_of(rules, state, other))
    see_regions(rules, state, held, out, at + REGION)
    see_captives(state, other, out, at + CAPTIVES)
    out[at + 15] = np.int64(state.king >= 0 and has(lords, state.king))
    out[at + 16] = np.int64(state.queen >= 0 and has(lords, state.queen))
    out[at + 17] = size_of(lords & state.bishops)
    out[at + 18] = size_of(lords & state.cardinals)
    out[at + 19] = state.cards[other]
    out[at + 20] = (other - state.first + rules.players) % rules.players


@inlined
def see_regions(rules, state, held, out, at):
    """Write how many titles of the bank a family could buy, and how many lack one village or two."""
    out[at] = 0
    out[at + 1] = 0
    out[at + 2] = 0
    for region in range(rules.regions):
        if is_banked(state, region) and rules.area[region] & held:
            away = size_of(rules.area[region] & ~held)
            if away < 3:
                out[at + away] += 1


@inlined
def see_captives(state, other, out, at):
    """Write how many lords a family has captured, and how many of its own are prisoners."""
    out[at] = 0
    out[at + 1] = size_of(state.lords[other] & state.captive)
    lords = state.captive
    while lords:
        out[at] += np.int64(state.captor[first_of(lords)] == other)
        lords &= lords - 1


LOOK = Look(see_table, see_player, tuple(OF_TABLE), tuple(OF_PLAYER))


# --- What strategies need to look ahead ---


OLD_SLOT, NEW_SLOT = map(np.int64, range(2))
"""Addresses of the two shuffles of what a seat does not see, in the streams of the imagined table."""

WIN = np.int64(60)


@kernel
def redraw(rules, state, seat):
    """Deal again what the seat does not see: the deck, and other hands as far as it cannot know their cards.

    Discards are open.  So cards drawn since the deck was last made are among those that went into it, and cards that
    were in hand before are not.  A lord proposed as Prince stays where he is, because everybody has seen him.
    """
    old, new = ZERO, ZERO
    for place in range(state.at, state.size):
        new |= 1 << np.int64(state.deck[place])
    for other in range(rules.players):
        if other != seat:
            for place in range(state.cards[other]):
                card = state.hand[other, place]
                if card != state.shown:
                    if has(state.fresh, card):
                        new |= 1 << card
                    else:
                        old |= 1 << card
    lay_out(state, old, OLD_SLOT)
    hand_out(rules, state, seat, old)
    lay_out(state, new, NEW_SLOT)
    state.at = hand_out(rules, state, seat, new)
    state.size = size_of(new)
    for place in range(state.size, rules.cards):
        state.deck[place] = 0


@inlined
def lay_out(state, cards, slot):
    """Shuffle some cards into the place of the deck."""
    size = size_of(cards)
    for place in range(size):
        state.deck[place] = np.uint8(first_of(cards))
        cards &= cards - 1
    shuffle(state.rng, slot, state.deck, size, size)


@inlined
def hand_out(rules, state, seat, cards):
    """Replace some cards in other hands by cards of the deck; return their number."""
    given = np.int64(0)
    for other in range(rules.players):
        if other != seat:
            for place in range(state.cards[other]):
                if has(cards, state.hand[other, place]):
                    state.hand[other, place] = np.int64(state.deck[given])
                    given += 1
    return given


@kernel
def ended(state):
    """No game ends before its last step."""
    return False


@kernel
def judge(rules, lineup, state, seat, trace):
    """The win share of a seat, and its lead in points; before the end, as if all families scored now."""
    own, best = ZERO, ZERO
    for other in range(rules.players):
        points = state.score[other] + (ZERO if state.over else scores_now(rules, state, np.int64(other)))
        if other == seat:
            own = points
        else:
            best = max(best, points)
    if state.over:
        settle(rules, lineup, state, trace)
        return np.int64(state.rows[seat].share60), own - best
    share = ZERO if own < best else WIN if own > best else WIN // 2
    return share, own - best


SEARCH = Search(clock=clock, ended=ended, judge=judge, look=LOOK)


# --- Where chance comes from ---


EVERY = range(END)

CHANCE = (
    Chance("first_lords", (Draws(SHUFFLE, range(LORDS_SLOT, LORDS_SLOT + 1)),)),
    Chance("card_deck", (Draws(SHUFFLE, range(DECK_SLOT, DECK_SLOT + 1)),)),
    Chance("reshuffles", (Draws(SHUFFLE, range(RESHUFFLE_SLOT, END)),)),
    Chance("fight_dice", (Draws(DICE, EVERY, range(PLAGUE_NUMBER)),)),
    Chance("disaster_dice", (Draws(DICE, EVERY, range(PLAGUE_NUMBER, CALM_NUMBER)),)),
    Chance("calming_dice", (Draws(DICE, EVERY, range(CALM_NUMBER, END)),)),
)
