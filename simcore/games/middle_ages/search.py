"""Middle-Ages: what a seat sees, what tiles are worth, chance, and what strategies need to look ahead."""

from __future__ import annotations

import numpy as np

from simcore.chance import Chance, Draws, END
from simcore.game import Search
from simcore.games.middle_ages.kernel import BLUE, EVENT_DECK, ORANGE, event_coins, lane, payable, seats_of_event
from simcore.games.middle_ages.kernel import settle, slot_rate
from simcore.games.middle_ages.state import (
    BARRACKS, BOARD_COLUMNS, CEMETERY, DOMAINS, DOMAIN_NAMES, EVENTS, FIELD, LORD, MARKET, MILL, RAMPART, REFILLS,
    ROUNDS, ROWS, SCOUT,
)  # fmt: skip
from simcore.kernel.compilation import inlined, kernel
from simcore.kernel.decisions import Look
from simcore.kernel.intrinsics import lowest_bit, popcount
from simcore.kernel.streams import SHUFFLE, shuffle


# --- What tiles and slots bring at once, for policies and for what a seat sees ---
#
# The code does not branch on the options: a wrong guess of the processor costs more than computing an option.


__all__ = ["counted_tiles", "lane", "option_tile", "raids", "slot_rate", "worth", "worth_given"]


@inlined
def raids(rules, state, seat):
    """Coins that the opponents hit by one more Mill, and by one more Barracks, would pay now."""
    player = state.players[seat]
    mills = 0
    barracks = 0
    for other in range(rules.players):
        victim = state.players[other]
        fewer_mills = (victim.tiles[MILL] <= player.tiles[MILL]) & (other != seat)
        fewer_ramparts = (victim.tiles[RAMPART] <= player.tiles[BARRACKS]) & (other != seat)
        mills += payable(rules, victim, np.int64(rules.mill_coins)) * np.int64(fewer_mills)
        barracks += payable(rules, victim, np.int64(rules.barracks_coins)) * np.int64(fewer_ramparts)
    return mills, barracks


@inlined
def worth_given(rules, player, tile, mills, barracks):
    """Coins that a tile would bring at once if a player placed it now, given the result of `raids`."""
    face = rules.tiles[tile]
    domain = np.int64(face.domain)
    return (
        lane(player.income, domain)
        + lane(player.gain[domain], domain)
        + rules.empty_domain_penalty * np.int64(player.tiles[domain] == 0)
        + mills * np.int64(domain == MILL)
        + barracks * np.int64(domain == BARRACKS)
        + rules.per_peasant * np.int64(domain == FIELD) * (player.peasants + face.peasants)
        + rules.per_chest * np.int64(domain == MARKET) * (player.chests + face.chests)
    )


@inlined
def worth(rules, state, seat, tile):
    """Coins that a tile would bring at once if it were placed now."""
    mills, barracks = raids(rules, state, seat)
    return worth_given(rules, state.players[seat], tile, mills, barracks)


@inlined
def counted_tiles(player, slot):
    """Tiles that a Domain's Income counts now."""
    counted = 0
    for domain in range(DOMAINS):
        counted += (np.int64(player.lists[slot]) >> domain & 1) * player.tiles[domain]
    return counted


@inlined
def option_tile(state, seat, move):
    """The tile that a LORD, SCOUT, CEMETERY or LOSS move concerns."""
    player = state.players[seat]
    if state.decision == LORD:
        return state.tiles[state.round & 3, move]
    if state.decision == SCOUT:
        return state.tiles[(state.round + 1 + (move >> 3)) & 3, move & 7]
    if state.decision == CEMETERY:
        return player.cemetery[move]
    return player.column[state.domain, move]


# --- What a seat sees at a safe point, in whole numbers ---


OF_TABLE = ["rounds left", "rounds to the next Event", "extra-coin tokens left"]
OF_TABLE += [f"{name} open" for name in DOMAIN_NAMES]
OF_PLAYER = [
    "coins less the penalty",
    "empty Domains",
    "peasants",
    "chests",
    "buried tiles",
    "extra-coin tokens",
    "plot tokens",
    "a Scout is out",
    "coins of the next Event",
    "coins of later Events",
    "worth of the Lord's tile",
    "Income from the Lord's tile",
    "column of the Lord",
    "coins from a Mill",
    "coins from Barracks",
    "rivals with more Mills",
    "rivals with more Barracks than own Ramparts",
]
OF_PLAYER += [f"tiles of {name}" for name in DOMAIN_NAMES]
OF_PLAYER += [f"Income of {name}" for name in DOMAIN_NAMES]
TILES, INCOME = np.int64(OF_PLAYER.index("tiles of field")), np.int64(OF_PLAYER.index("Income of field"))
OPEN = np.int64(OF_TABLE.index("field open"))


@kernel
def see_table(rules, state, seat, out):
    """Write the numbers about the table."""
    left = ROUNDS - np.int64(state.round)
    out[0] = left
    out[1] = left & 3
    out[2] = state.extra_left
    for domain in range(DOMAINS):
        out[OPEN + domain] = 0
    for ahead in range(min(ROWS, left)):
        row = (state.round + ahead) & 3
        for column in range(rules.players + 1):
            out[OPEN + np.int64(rules.tiles[state.tiles[row, column]].domain)] += 1


@kernel
def see_player(rules, state, seat, other, out, at):
    """Write the numbers about a player; everything lies open."""
    player = state.players[other]
    empty = DOMAINS - popcount(np.uint64(player.built))
    mills, barracks = raids(rules, state, other)
    out[at] = player.coins - rules.empty_domain_penalty * empty
    out[at + 1] = empty
    out[at + 2] = player.peasants
    out[at + 3] = player.chests
    out[at + 4] = player.buried
    out[at + 5] = popcount(np.uint64(player.extras))
    out[at + 6] = popcount(np.uint64(player.plots))
    out[at + 7] = np.int64(player.scout >= 0)
    see_events(rules, state, player, other, out, at)
    see_lord(rules, state, player, other, mills, barracks, out, at)
    out[at + 13] = mills
    out[at + 14] = barracks
    out[at + 15] = 0
    out[at + 16] = 0
    for number in range(rules.players):
        rival = state.players[number]
        out[at + 15] += np.int64(rival.tiles[MILL] > player.tiles[MILL])
        out[at + 16] += np.int64(rival.tiles[BARRACKS] > player.tiles[RAMPART] and number != other)
    for domain in range(DOMAINS):
        out[at + TILES + domain] = player.tiles[domain]
        out[at + INCOME + domain] = lane(player.income, domain)


@inlined
def see_events(rules, state, player, other, out, at):
    """Write what the Events to come would pay now."""
    out[at + 8] = 0
    out[at + 9] = 0
    first = np.int64(state.round) >> 2
    for number in range(first, EVENTS):
        card = rules.events[state.cards[number]]
        coins = (seats_of_event(rules, state, card, number) >> other & 1) * event_coins(card, player)
        if number == first:
            out[at + 8] = coins
        else:
            out[at + 9] += coins


@inlined
def see_lord(rules, state, player, other, mills, barracks, out, at):
    """Write what the tile under a Lord would bring, and where the Lord stands."""
    out[at + 10] = 0
    out[at + 11] = 0
    out[at + 12] = 0
    row = state.round & 3
    for column in range(BOARD_COLUMNS):
        if state.occupied[row] >> column & 1 and state.lords[row, column] == other:
            tile = np.int64(state.tiles[row, column])
            domain = np.int64(rules.tiles[tile].domain)
            grown = np.int64(0)
            for paid in range(DOMAINS):
                grown += lane(player.gain[domain], paid)
            out[at + 10] = worth_given(rules, player, tile, mills, barracks)
            out[at + 11] = grown
            out[at + 12] = column


LOOK = Look(see_table, see_player, tuple(OF_TABLE), tuple(OF_PLAYER))


# --- What strategies need to look ahead ---


NONE, ONE = np.uint64(0), np.uint64(1)


@kernel
def redraw(rules, state, seat):
    """Shuffle the rest of the stack; everything else is open, and the order of later stacks is still undecided."""
    left = state.stack - state.drawn
    put_in_order(state.deck, state.drawn, state.stack)
    state.stack = left
    state.drawn = 0
    refills = min(REFILLS, REFILLS + 1 - state.round)
    shuffle(state.rng, BLUE, state.deck, left, min(left, max(refills, 0) * (rules.players + 1)))


@inlined
def put_in_order(items, first, end):
    """Bring different numbers below 256 to the front, in ascending order; leave nothing behind them."""
    held = (NONE, NONE, NONE, NONE)
    for i in range(first, end):
        bit = ONE << np.uint64(items[i] & 63)
        part = items[i] >> 6
        held = (
            held[0] | (bit if part == 0 else NONE),
            held[1] | (bit if part == 1 else NONE),
            held[2] | (bit if part == 2 else NONE),
            held[3] | (bit if part == 3 else NONE),
        )
    done = 0
    for part in range(4):
        some = held[part]
        while some != NONE:
            items[done] = np.uint8(64 * part + lowest_bit(some))
            some &= some - ONE
            done += 1
    for i in range(done, end):
        items[i] = 0


@kernel
def clock(state):
    """The number of finished rounds."""
    return np.int64(state.round)


@kernel
def ended(state):
    """No game ends before its last step."""
    return False


@kernel
def judge(rules, lineup, state, seat, trace):
    """The win share of a seat and its lead in coins."""
    settle(rules, lineup, state, trace)
    best = -(1 << 30)
    for other in range(rules.players):
        if other != seat:
            best = max(best, np.int64(state.players[other].coins))
    return np.int64(state.rows[seat].share60), state.players[seat].coins - best


SEARCH = Search(clock=clock, ended=ended, judge=judge, look=LOOK)


# --- Where chance comes from ---


CHANCE = (
    Chance("first_stack", (Draws(SHUFFLE, range(BLUE, BLUE + 1)),)),
    Chance("later_stacks", (Draws(SHUFFLE, range(ORANGE, END)),)),
    Chance("event_deck", (Draws(SHUFFLE, range(EVENT_DECK, EVENT_DECK + 1)),)),
)
