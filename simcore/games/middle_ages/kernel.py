"""Middle-Ages: money and tiles, rows and Lords, Event cards and Domains, and whole games."""

from __future__ import annotations

import numpy as np

from simcore.components.aims import EVERYBODY, UNPLAYED, seats_hit
from simcore.games.middle_ages import log
from simcore.games.middle_ages.state import (
    BARRACKS, BURIED, CEMETERY, CHESTS, CHURCH, COINS, DEBT, DOMAINS, DOMAINS_HELD, EVENTS, EXTRA, FIEF, FIELD,
    FIRST_DOMAIN, LORD, LOSS, MARKET, MILL, ONE_A_SLOT, PEASANTS, PLAYERS, PLOT, RAMPART, REFILLS, ROBBERY, ROUNDS,
    ROWS, SCOUT, TOP, TURN, UNLIMITED, VILLAGE,
)  # fmt: skip
from simcore.kernel.compilation import apart, inlined, kernel
from simcore.kernel.decisions import choose
from simcore.kernel.intrinsics import lowest_bit, popcount
from simcore.kernel.lineup import forgoes
from simcore.kernel.ranking import rank_and_share
from simcore.kernel.streams import shuffle
from simcore.kernel.trace import has_room, tell


# --- Money, and the tiles in front of a player ---


ONE = np.uint64(1)
LANE = np.uint64(0xFFFF)
OUT_OF_TILES = 2
EVENT_SLOT = np.int64(8)  # decision slots of the four Events; below them, one for four rounds


@inlined
def lane(words, domain):
    """One 16-bit lane of a pair of words."""
    return np.int64((words[domain >> 2] >> np.uint64((domain & 3) * 16)) & LANE)


@inlined
def add_lane(words, domain, value):
    words[domain >> 2] += np.uint64(value) << np.uint64((domain & 3) * 16)


@inlined
def earn(state, player, amount):
    player.coins += amount
    state.circulation += amount


@inlined
def payable(rules, player, amount):
    """What a player who must give an amount really gives."""
    return amount if rules.shortfall == DEBT else max(min(amount, np.int64(player.coins)), 0)


@inlined
def rob(rules, state, seat, other, amount):
    """Move coins to a seat from another one; return their number."""
    victim = state.players[other]
    coins = payable(rules, victim, amount)
    victim.coins -= coins
    state.players[seat].coins += coins
    state.players[seat].row.robbed_from[other] += coins
    return coins


@inlined
def slot_rate(rules, player, slot):
    """The coins that a Domain's Income pays for a counted tile."""
    if player.extras >> slot & 1:
        return rules.per_domain[slot] + rules.extra_coin
    return np.int64(rules.per_domain[slot])


@inlined
def place(rules, player, tile):
    """Put a tile on its column of the Fief."""
    face = rules.tiles[tile]
    domain = face.domain
    player.column[domain, player.tiles[domain]] = tile
    player.tiles[domain] += 1
    player.built |= 1 << domain
    player.peasants += face.peasants
    player.chests += face.chests
    player.income[0] += player.gain[domain, 0]
    player.income[1] += player.gain[domain, 1]


@kernel
def bury(rules, state, seat, domain, index):
    """Move a tile from a seat's Fief to its Cemetery."""
    player = state.players[seat]
    column = player.column[domain]
    tile = column[index]
    left = player.tiles[domain] - 1
    player.tiles[domain] = left
    player.built &= ~(np.int64(left == 0) << domain)
    for above in range(index, left):
        column[above] = column[above + 1]
    face = rules.tiles[tile]
    player.peasants -= face.peasants
    player.chests -= face.chests
    player.income[0] -= player.gain[domain, 0]
    player.income[1] -= player.gain[domain, 1]
    player.cemetery[player.buried] = tile
    player.buried += 1
    player.row.burials += 1
    return tile


@kernel
def restore(rules, lineup, state, seat, slot, index):
    """Let a seat take one tile back from its Cemetery; return the tile."""
    legal = (ONE << np.uint64(state.players[seat].buried)) - ONE
    return dig_up(rules, state, seat, choose(rules, lineup, state, seat, CEMETERY, legal, slot, index))


@inlined
def dig_up(rules, state, seat, picked):
    """Put a tile of the Cemetery back into the Fief; return the tile."""
    player = state.players[seat]
    tile = player.cemetery[picked]
    player.buried -= 1
    for later in range(picked, player.buried):
        player.cemetery[later] = player.cemetery[later + 1]
    place(rules, player, tile)
    player.row.restorations += 1
    return tile


# --- Stacks, the four rows, and the Lords on them ---


BLUE, EVENT_DECK, ORANGE, RESHUFFLE = map(np.int64, range(4))  # shuffle slots


@kernel
def next_stack(rules, state, trace):
    """Replace a stack that ran out: once by the orange stack, afterwards by the discards."""
    state.drawn = 0
    first = rules.blue if state.stacks == 1 and rules.orange > 0 else -1
    if first >= 0:
        state.stack = rules.orange
        for i in range(rules.orange):
            state.deck[i] = np.uint8(first + i)
    else:
        state.stack = state.discarded
        for i in range(state.discarded):
            state.deck[i] = state.discards[i]
        state.discarded = 0
    size = state.stack
    if size == 0:
        state.fault = OUT_OF_TILES
        state.deck[0] = 0
        state.stack = 1
    if trace.on:
        tell(trace, log.STACK, state.round, first >= 0, size)
        for i in range(size):
            tell(trace, state.deck[i])
    shuffle(state.rng, ORANGE if first >= 0 else RESHUFFLE + state.stacks, state.deck, size, size)
    state.stacks += 1


@kernel
def fill_row(rules, state, row, trace):
    """Draw a row and sort it by number, with equal numbers in the order in which they were drawn."""
    columns = rules.players + 1
    tiles = state.tiles[row]
    if state.drawn + columns > state.stack:
        draw_across(rules, state, tiles, columns, trace)
    else:
        for i in range(columns):
            tiles[i] = state.deck[state.drawn + i]
        state.drawn += columns
    if trace.on:
        tell(trace, log.DEAL, state.round, row)
        for i in range(columns):
            tell(trace, tiles[i])
    sort_row(rules, state, row)
    if trace.on:
        for i in range(columns):
            tell(trace, tiles[i])
    state.occupied[row] = 0
    state.reserved[row] = 0


@inlined
def sort_row(rules, state, row):
    """Sort a row by number, with equal numbers in draw order: each tile goes behind those that are not higher."""
    columns = rules.players + 1
    packed = np.uint64(0)
    for i in range(columns):
        tile = state.tiles[row, i]
        number = rules.tiles[tile].number
        left = 0
        for j in range(i):
            left += np.int64(state.numbers[j] <= number)
        state.numbers[i] = number
        below = (ONE << np.uint64(8 * left)) - ONE
        packed = (packed & below) | ((packed & ~below) << np.uint64(8)) | (np.uint64(tile) << np.uint64(8 * left))
    for i in range(columns):
        state.tiles[row, i] = np.uint8((packed >> np.uint64(8 * i)) & np.uint64(255))


@kernel
def draw_across(rules, state, tiles, columns, trace):
    """Draw a row while the stack runs out."""
    for i in range(columns):
        if state.drawn == state.stack:
            next_stack(rules, state, trace)
        tiles[i] = state.deck[state.drawn]
        state.drawn += 1


@kernel
def place_lord(rules, lineup, state, seat, row, trace):
    """Let a seat put its Lord on a free tile of a row."""
    taken = state.occupied[row] | (state.reserved[row] & ~reservation(state, seat, row))
    legal = np.uint64(((1 << (rules.players + 1)) - 1) & ~taken)
    column = choose(rules, lineup, state, seat, LORD, legal, state.round >> 2, state.round & 3)
    stand_lord(state, seat, row, column, trace)


@inlined
def reservation(state, seat, row):
    """The tile of a row that a seat's Scout reserves, as a set of columns."""
    scout = state.players[seat].scout
    return np.int64(scout >> 3 == row) << (scout & 7)


@inlined
def stand_lord(state, seat, row, column, trace):
    """Put a seat's Lord on a column of a row; if its Scout is in that row, it comes home."""
    player = state.players[seat]
    own = reservation(state, seat, row)
    state.reserved[row] &= ~own
    player.scout = -1 if own else player.scout
    player.row.scouts_honoured += (own >> column) & 1
    state.occupied[row] |= 1 << column
    state.lords[row, column] = seat
    tell(trace, log.LORD, state.round, seat, row, column)


# --- The Event cards ---


@kernel
def resolve_event(rules, lineup, state, number, trace):
    """Apply an Event card to the seats that it hits: coins, then burials, then what comes back."""
    card = rules.events[state.cards[number]]
    tell(trace, log.EVENT, number, state.cards[number])
    hit = seats_of_event(rules, state, card, number)
    for seat in range(rules.players):
        player = state.players[seat]
        struck = hit >> seat & 1
        coins = struck * event_coins(card, player)
        if coins < 0:
            coins = -payable(rules, player, -coins)
        earn(state, player, coins)
        player.row.event_coins[number] += coins
        tell(trace, coins)
        draws = 0
        for i in range(4 * struck):
            domain = card.buries[i]
            if domain < 0:
                break
            if player.tiles[domain] > 0:
                tile = np.int64(lose_tile(rules, lineup, state, seat, np.int64(domain), number, draws))
                draws += 1
                tell(trace, tile)
        tell(trace, -1)
        for _ in range(struck * card.restores):
            if player.buried > 0 and not forgoes(lineup, seat, CEMETERY):
                tile = np.int64(restore(rules, lineup, state, seat, EVENT_SLOT + number, draws))
                draws += 1
                tell(trace, tile)
        tell(trace, -1)
    state.peak_coins = max(state.peak_coins, state.circulation)


@inlined
def seats_of_event(rules, state, card, number):
    """The seats that an Event hits, as a set."""
    return seats_aimed_at(rules, state, card, number) if card.aimed else EVERYBODY


@apart
def seats_aimed_at(rules, state, card, number):
    """The same for an Event that does not always hit everybody."""
    return np.int64(seats_hit(card, state, rules.players, ROWS * number + ROWS, standing, TURN, UNPLAYED))


@kernel
def standing(state, seat, which):
    """What an Event may compare, by its position in STANDINGS; behind these, the turn in the last round."""
    player = state.players[seat]
    if which == COINS:
        return np.int64(player.coins)
    if which == FIEF:
        held = np.int64(0)
        for domain in range(DOMAINS):
            held += player.tiles[domain]
        return held
    if which == DOMAINS_HELD:
        return popcount(np.uint64(player.built))
    if which == PEASANTS:
        return np.int64(player.peasants)
    if which == CHESTS:
        return np.int64(player.chests)
    if which == BURIED:
        return np.int64(player.buried)
    if which == TURN:
        return np.int64(player.row.turn[state.round - 1] if state.round else seat)
    return np.int64(player.tiles[which - FIRST_DOMAIN])


@kernel
def event_coins(card, player):
    """The coins that an Event pays to a player whom it hits; negative if it takes coins."""
    coins = card.per_peasant * player.peasants + card.per_chest * player.chests + card.per_buried * player.buried
    for domain in range(DOMAINS):
        coins += card.per_tile[domain] * player.tiles[domain]
    if card.share:
        part = np.int64(max(player.coins, 0)) * abs(np.int64(card.share)) // 100
        coins += part if card.share > 0 else -part
    return np.int64(coins) + card.coins + card.per_domain * popcount(np.uint64(player.built))


@kernel
def lose_tile(rules, lineup, state, seat, domain, number, index):
    """Bury one tile of a Domain: the owner's choice, or the top tile."""
    player = state.players[seat]
    top = player.tiles[domain] - 1
    if rules.event_loss == TOP:
        return bury(rules, state, seat, domain, top)
    state.domain = domain
    legal = (ONE << np.uint64(player.tiles[domain])) - ONE
    picked = choose(rules, lineup, state, seat, LOSS, legal, EVENT_SLOT + number, index)
    return bury(rules, state, seat, domain, picked)


# --- The special effects of the eight Domains ---


@inlined
def effect(rules, lineup, state, seat, domain, trace):
    """Apply the special effect of the tile just placed."""
    player = state.players[seat]
    if domain == FIELD:
        coins = rules.per_peasant * player.peasants
        earn(state, player, coins)
        player.row.field_coins += coins
        tell(trace, log.EFFECT, coins)
    elif domain == MILL:
        raid_mills(rules, lineup, state, seat, trace)
    elif domain == VILLAGE:
        tile = -1
        if player.buried > 0 and rules.village_restores and not forgoes(lineup, seat, CEMETERY):
            tile = restore(rules, lineup, state, seat, state.round >> 2, 4 + (state.round & 3))
        tell(trace, log.EFFECT, tile)
    elif domain == RAMPART:
        send_scout(rules, lineup, state, seat, trace)
    elif domain == MARKET:
        coins = rules.per_chest * player.chests
        earn(state, player, coins)
        player.row.market_coins += coins
        tell(trace, log.EFFECT, coins)
    elif domain == BARRACKS:
        attack(rules, lineup, state, seat, trace)
    elif domain == CHURCH:
        add_extra_coin(rules, lineup, state, seat, trace)
    else:
        add_plot(rules, lineup, state, seat, trace)


@inlined
def raid_mills(rules, lineup, state, seat, trace):
    """Take coins from every opponent with fewer Mills."""
    player = state.players[seat]
    mills = 0 if forgoes(lineup, seat, ROBBERY) else player.tiles[MILL]
    tell(trace, log.EFFECT)
    for other in range(rules.players):
        victim = state.players[other]
        hit = victim.tiles[MILL] < mills
        coins = rob(rules, state, seat, other, rules.mill_coins if hit else np.int64(0))
        player.row.mill_robbed += coins
        victim.row.mill_paid += coins
        if trace.on and hit:
            tell(trace, other, coins)
    tell(trace, -1)


@inlined
def attack(rules, lineup, state, seat, trace):
    """Take a tile and coins from every opponent who has fewer Ramparts than the seat has Barracks."""
    player = state.players[seat]
    force = 0 if forgoes(lineup, seat, ROBBERY) else player.tiles[BARRACKS]
    tell(trace, log.EFFECT)
    for other in range(rules.players):
        victim = state.players[other]
        if victim.tiles[RAMPART] < force and other != seat:
            tile = -1
            if rules.barracks_buries and victim.built:
                domain = lowest_bit(np.uint64(victim.built))
                tile = np.int64(bury(rules, state, other, domain, victim.tiles[domain] - 1))
            coins = rob(rules, state, seat, other, rules.barracks_coins)
            player.row.barracks_robbed += coins
            victim.row.barracks_paid += coins
            tell(trace, other, tile, coins)
    tell(trace, -1)


@inlined
def scout_options(rules, state):
    """Free tiles of the two rows after next, as moves."""
    board = (1 << (rules.players + 1)) - 1
    legal = 0
    for ahead in range(2):
        if state.round + 2 + ahead <= ROUNDS:
            row = (state.round + 1 + ahead) & 3
            legal |= (board & ~state.reserved[row] & ~state.occupied[row]) << (8 * ahead)
    return np.uint64(legal)


@inlined
def send_scout(rules, lineup, state, seat, trace):
    """Let a seat reserve a tile with its Scout."""
    legal = scout_options(rules, state)
    if legal != np.uint64(0) and rules.rampart_scouts and not forgoes(lineup, seat, SCOUT):
        move = choose(rules, lineup, state, seat, SCOUT, legal, state.round >> 2, 4 + (state.round & 3))
        post_scout(state, seat, move, trace)
    else:
        tell(trace, log.EFFECT, -1, -1)


@inlined
def post_scout(state, seat, move, trace):
    """Reserve the tile of a SCOUT move."""
    player = state.players[seat]
    if player.scout >= 0:
        state.reserved[player.scout >> 3] &= ~(1 << (player.scout & 7))
    row = (state.round + 1 + (move >> 3)) & 3
    column = move & 7
    state.reserved[row] |= 1 << column
    player.scout = row * 8 + column
    player.row.scouts += 1
    tell(trace, log.EFFECT, row, column)


@inlined
def add_extra_coin(rules, lineup, state, seat, trace):
    """Let a seat put an extra-coin token under a Domain."""
    player = state.players[seat]
    closed = player.extras | player.plots if rules.slot_capacity == ONE_A_SLOT else player.extras
    legal = np.uint64(~closed & 0xFF)
    if state.extra_left > 0 and legal != np.uint64(0) and not forgoes(lineup, seat, EXTRA):
        slot = choose(rules, lineup, state, seat, EXTRA, legal, state.round >> 2, 4 + (state.round & 3))
        lay_extra_coin(rules, state, seat, slot, trace)
    else:
        tell(trace, log.EFFECT, -1)


@inlined
def lay_extra_coin(rules, state, seat, slot, trace):
    """Put an extra-coin token in a slot."""
    player = state.players[seat]
    state.extra_left -= 1
    player.extras |= 1 << slot
    counted = 0
    for domain in range(DOMAINS):
        if player.lists[slot] >> domain & 1:
            counted += player.tiles[domain]
            add_lane(player.gain[domain], slot, rules.extra_coin)
    add_lane(player.income, slot, rules.extra_coin * counted)
    tell(trace, log.EFFECT, slot)


@inlined
def plot_options(rules, state, player):
    """Legal (slot, token) pairs, as moves."""
    closed = player.extras | player.plots if rules.slot_capacity == ONE_A_SLOT else player.plots
    supply = 0
    for domain in range(DOMAINS):
        if state.plot_left[domain] > 0 or rules.plot_token_supply == UNLIMITED:
            supply |= 1 << domain
    legal = np.uint64(0)
    for slot in range(DOMAINS):
        if not closed >> slot & 1:
            legal |= np.uint64(supply & ~player.lists[slot] & 0xFF) << np.uint64(8 * slot)
    return legal


@inlined
def add_plot(rules, lineup, state, seat, trace):
    """Let a seat put a plot token under a Domain."""
    player = state.players[seat]
    legal = plot_options(rules, state, player)
    if legal != np.uint64(0) and not forgoes(lineup, seat, PLOT):
        move = choose(rules, lineup, state, seat, PLOT, legal, state.round >> 2, 4 + (state.round & 3))
        lay_plot(rules, state, seat, move, trace)
    else:
        tell(trace, log.EFFECT, -1, -1)


@inlined
def lay_plot(rules, state, seat, move, trace):
    """Put the plot token of a PLOT move in its slot."""
    player = state.players[seat]
    slot = move >> 3
    token = move & 7
    if rules.plot_token_supply != UNLIMITED:
        state.plot_left[token] -= 1
    player.plots |= 1 << slot
    player.lists[slot] |= np.uint8(1 << token)
    rate = slot_rate(rules, player, slot)
    add_lane(player.gain[token], slot, rate)
    add_lane(player.income, slot, rate * player.tiles[token])
    player.row.plot_on[slot] = 1 + token
    tell(trace, log.EFFECT, slot, token)


# --- Middle-Ages, whole games: set-up, rounds, the final count ---


@kernel
def start(rules, lineup, state, trace):
    """Shuffle, reveal four rows and four Events, and place the Lords in the top row."""
    state.round = 0
    state.circulation = 0
    state.peak_ones = 0
    state.extra_left = rules.extra_tokens
    for domain in range(DOMAINS):
        state.plot_left[domain] = rules.plot_tokens[domain]
    for seat in range(rules.players):
        welcome(rules, state, seat)
    state.peak_coins = state.circulation
    state.drawn = 0
    state.discarded = 0
    state.stacks = 1
    state.stack = rules.blue
    for i in range(rules.blue):
        state.deck[i] = np.uint8(i)
    shuffle(state.rng, BLUE, state.deck, rules.blue, min(rules.blue, ROUNDS * (rules.players + 1)))
    for i in range(rules.cards):
        state.cards[i] = rules.deck[i]
    shuffle(state.rng, EVENT_DECK, state.cards, rules.cards, EVENTS)
    if trace.on:
        for number in range(EVENTS):
            tell(trace, state.cards[number])
    for row in range(ROWS):
        fill_row(rules, state, row, trace)
    for seat in range(rules.players):
        place_lord(rules, lineup, state, seat, 0, trace)


@kernel
def welcome(rules, state, seat):
    """Give a seat an empty Fief and its starting coins."""
    player = state.players[seat]
    row = player.row
    player.coins = 0
    earn(state, player, rules.coins[seat])
    player.income[0] = np.uint64(0)
    player.income[1] = np.uint64(0)
    player.built = 0
    player.peasants = 0
    player.chests = 0
    player.buried = 0
    player.scout = -1
    player.extras = 0
    player.plots = 0
    row.field_coins = 0
    row.market_coins = 0
    row.mill_robbed = 0
    row.mill_paid = 0
    row.barracks_robbed = 0
    row.barracks_paid = 0
    row.burials = 0
    row.restorations = 0
    row.scouts = 0
    row.scouts_honoured = 0
    row.turn_sum = 0
    for number in range(EVENTS):
        row.event_coins[number] = 0
    for other in range(PLAYERS):  # also of seats at larger tables, which the same memory may have played before
        row.robbed_from[other] = 0
    for domain in range(DOMAINS):
        player.gain[domain, 0] = rules.gain[domain, 0]
        player.gain[domain, 1] = rules.gain[domain, 1]
        player.tiles[domain] = 0
        player.lists[domain] = rules.lists[domain]
        row.income[domain] = 0
        row.plot_on[domain] = 0


@inlined
def take_turn(rules, lineup, state, seat, column, position, trace):
    """Play one turn: move the Lord on, take the tile that it left, apply its effect, and collect its Income."""
    rnd = state.round
    if rnd < ROUNDS:
        place_lord(rules, lineup, state, seat, rnd & 3, trace)
    row = (rnd - 1) & 3
    player = state.players[seat]
    tile = state.tiles[row, column]
    domain = np.int64(rules.tiles[tile].domain)
    tell(trace, log.TAKE, domain, rnd, seat, row, column, tile)
    place(rules, player, tile)
    effect(rules, lineup, state, seat, domain, trace)
    collect_income(state, seat, domain, trace)
    own = player.row
    own.turn_sum += position
    own.taken[rnd - 1] = rules.tiles[tile].number
    own.turn[rnd - 1] = position
    own.column[rnd - 1] = column


@inlined
def collect_income(state, seat, domain, trace):
    """Pay the Income of a Domain."""
    player = state.players[seat]
    income = lane(player.income, domain)
    earn(state, player, income)
    player.row.income[domain] += income
    if trace.on:
        counted = 0
        for listed in range(DOMAINS):
            if player.lists[domain] >> listed & 1:
                counted += player.tiles[listed]
        tell(trace, log.INCOME, counted, income)
    state.peak_coins = max(state.peak_coins, state.circulation)


@kernel
def step(rules, lineup, state, trace):
    """Play one round: discard the empty tile, play the turns from left to right, and end the round."""
    state.round += 1
    has_room(trace)
    row = (state.round - 1) & 3
    lords = np.uint64(state.occupied[row])
    empty = lowest_bit(~lords)
    state.discards[state.discarded] = state.tiles[row, empty]
    state.discarded += 1
    tell(trace, log.DISCARD, state.round, row, empty, state.tiles[row, empty])
    for position in range(1, rules.players + 1):
        column = lowest_bit(lords)
        lords &= lords - ONE
        take_turn(rules, lineup, state, np.int64(state.lords[row, column]), column, position, trace)
    end_round(rules, lineup, state, trace)
    return state.round < ROUNDS


@inlined
def end_round(rules, lineup, state, trace):
    """Refill the row, resolve the Event, and record the coins."""
    row = (state.round - 1) & 3
    state.occupied[row] = 0
    if state.round <= REFILLS:
        fill_row(rules, state, row, trace)
    if row == ROWS - 1:
        resolve_event(rules, lineup, state, (state.round >> 2) - 1, trace)
    ones = 0
    tell(trace, log.ROUND_END)
    for seat in range(rules.players):
        player = state.players[seat]
        player.row.after_round[state.round - 1] = player.coins
        ones += max(player.coins, 0) % 5
        tell(trace, player.coins)
    state.peak_ones = max(state.peak_ones, ones)


@kernel
def ranking_gap(state, seat, other):
    """Compare two seats: 1, 0 or -1 if the first ranks better, equal or worse, and what decided, as in `tie_break`."""
    first = state.players[seat]
    second = state.players[other]
    if first.coins != second.coins:
        return (1 if first.coins > second.coins else -1), 0
    for step in range(DOMAINS):
        domain = DOMAINS - 1 - step
        if first.tiles[domain] != second.tiles[domain]:
            return (1 if first.tiles[domain] > second.tiles[domain] else -1), step + 1
    return 0, DOMAINS + 1


@kernel
def ahead(state, seat, other):
    """Whether a seat ranks better than another."""
    return ranking_gap(state, seat, other)[0] > 0


@kernel
def settle(rules, lineup, state, trace):
    """Take the penalty, rank the seats and share the win."""
    tell(trace, log.END)
    for seat in range(rules.players):
        player = state.players[seat]
        row = player.row
        for domain in range(DOMAINS):
            row.tiles[domain] = player.tiles[domain]
            row.extra_on[domain] = player.extras >> domain & 1
        row.penalty = rules.empty_domain_penalty * (DOMAINS - popcount(np.uint64(player.built)))
        tell(trace, player.coins, row.penalty)
        player.coins -= row.penalty
        if rules.final_floor:
            player.coins = max(player.coins, 0)
        row.coins = player.coins
        row.extra_tokens = popcount(np.uint64(player.extras))
        row.plot_tokens = popcount(np.uint64(player.plots))
        row.peak_coins = state.peak_coins
        row.peak_ones = state.peak_ones
        for number in range(EVENTS):
            row.events[number] = state.cards[number]
    for seat in range(rules.players):
        row = state.players[seat].row
        row.tie_break = 0
        for other in range(seat):
            decided = ranking_gap(state, seat, other)[1]
            row.tie_break = max(row.tie_break, decided)
            state.players[other].row.tie_break = max(state.players[other].row.tie_break, decided)
    for seat in range(rules.players):
        state.rows[seat] = state.players[seat].row
    rank_and_share(state, rules.players, ahead)
    if trace.on:
        for seat in range(rules.players):
            row = state.rows[seat]
            tell(trace, row.coins, row.place, row.share60)
