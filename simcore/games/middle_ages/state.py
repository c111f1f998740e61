"""Records of Middle-Ages: rules, table, players, and the row that each seat leaves behind."""

from __future__ import annotations

import numpy as np

from simcore.kernel.decisions import Decision, asking
from simcore.kernel.records import layout

DOMAINS = 8
PLAYERS = 5
COLUMNS = PLAYERS + 1
ROWS = 4
ROUNDS = 16
EVENTS = 4
REFILLS = ROUNDS - ROWS
TILES = 255
EVENT_CARDS = 64
HELD = ROUNDS  # most tiles that a player can ever hold

# Typed constants: a literal would make Numba compile a kernel anew for each of them.
FIELD, MILL, VILLAGE, RAMPART, MARKET, BARRACKS, CHURCH, PALACE = map(np.int64, range(DOMAINS))

# What a policy is asked (state.decision); see `legal` in STATE for how a move is written.
LORD, SCOUT, CEMETERY, EXTRA, PLOT, LOSS = map(np.int64, range(6))
DECISIONS = (
    Decision("lord", "tile for the Lord: column of the next row", COLUMNS),
    Decision("scout", "tile to reserve: 8 * (0 for the row after next, 1 for the one behind it) + column", 16),
    Decision("cemetery", "tile to take back: index in order of burial", ROUNDS),
    Decision("extra", "where an extra-coin token goes: Domain of the slot", DOMAINS),
    Decision("plot", "where a plot token goes: 8 * Domain of the slot + Domain of the token", 64),
    Decision("loss", "tile to lose: index in the column of `state.domain`, lowest tile first", ROUNDS),
)
# Switches, as the position of their value: shortfall, plot_token_supply, slot_capacity, event_loss.
DEBT = UNLIMITED = ONE_A_SLOT = TOP = np.int64(1)

ROBBERY = np.int64(6)  # beside SCOUT .. PLOT an effect that a player may forgo; nobody is asked about it

TILE = layout(
    ("number", np.uint8),  # 1..255, sorts a row
    ("domain", np.uint8),
    ("peasants", np.uint8),
    ("chests", np.uint8),
)

EVENT = layout(
    ("per_tile", np.int16, DOMAINS),  # coins a tile, by Domain; negative: lost
    ("per_peasant", np.int16),
    ("per_chest", np.int16),
    ("per_domain", np.int16),  # coins for each Domain that holds a tile
    ("per_buried", np.int16),  # coins a tile in the Cemetery
    ("buries", np.int8, 4),  # Domains that lose a tile, in this order; -1 ends the list
    ("restores", np.int8),  # tiles taken back from the Cemetery
)

ROW = layout(
    ("strategy", np.int32),  # index in the line-up
    ("place", np.int32),  # 1 is best
    ("share60", np.int32),  # win share in sixtieths
    ("coins", np.int32),  # final
    ("penalty", np.int32),  # coins lost to empty Domains, positive
    ("events", np.int32, EVENTS),  # kinds, in order
    ("tie_break", np.int32),  # what told the seat from others level on coins: 0 none, 1 Palace .. 8 Field, 9 nothing
    ("tiles", np.int32, DOMAINS),  # in the Fief at the end
    ("income", np.int32, DOMAINS),  # coins, by the Domain that paid
    ("field_coins", np.int32),
    ("market_coins", np.int32),
    ("mill_robbed", np.int32),
    ("mill_paid", np.int32),
    ("barracks_robbed", np.int32),
    ("barracks_paid", np.int32),
    ("event_coins", np.int32, EVENTS),  # signed, by slot
    ("extra_tokens", np.int32),  # laid
    ("plot_tokens", np.int32),  # laid
    ("extra_on", np.int32, DOMAINS),  # 1: an extra-coin token lies on the Domain
    ("plot_on", np.int32, DOMAINS),  # 0 none, else 1 + Domain of the plot token
    ("burials", np.int32),
    ("restorations", np.int32),
    ("scouts", np.int32),
    ("scouts_honoured", np.int32),  # the Lord then went to the reserved tile
    ("turn_sum", np.int32),  # sum of the turn positions, 1 first
    ("peak_coins", np.int32),  # most coins in circulation, whole table
    ("peak_ones", np.int32),  # most coins of value 1 in circulation at a round's end, fewest pieces
    ("after_round", np.int32, ROUNDS),  # coins
    ("taken", np.int32, ROUNDS),  # number of the tile taken
    ("turn", np.int32, ROUNDS),  # turn position, 1 first
    ("column", np.int32, ROUNDS),  # column of the tile taken, 0 leftmost
    ("robbed_from", np.int32, PLAYERS),  # coins, by the seat that paid
)

PLAYER = layout(
    ("income", np.uint64, 2),  # eight 16-bit lanes: the Income of each Domain as it stands
    ("gain", np.uint64, (DOMAINS, 2)),  # [d]: what one more tile of Domain d adds to those lanes
    ("coins", np.int32),
    ("peasants", np.int32),
    ("chests", np.int32),
    ("buried", np.int32),  # tiles in the Cemetery
    ("scout", np.int32),  # row * 8 + column, -1 at home
    ("extras", np.int32),  # bit d: extra-coin token on Domain d
    ("plots", np.int32),  # bit d: plot token on Domain d
    ("built", np.int32),  # bit d: Domain d holds a tile
    ("tiles", np.int32, DOMAINS),
    ("lists", np.uint8, DOMAINS),  # as in the rules, plot tokens added
    ("column", np.uint8, (DOMAINS, HELD)),  # tile ids, lowest first
    ("cemetery", np.uint8, HELD),  # tile ids in order of burial
    ("row", ROW),
)

STATE = layout(
    *asking(),  # `decision` is LORD .. LOSS
    ("domain", np.int32),  # LOSS: the Domain that loses
    ("round", np.int32),  # 0 at set-up, then 1..16
    ("extra_left", np.int32),
    ("plot_left", np.int32, DOMAINS),
    ("circulation", np.int32),
    ("peak_coins", np.int32),
    ("peak_ones", np.int32),
    ("drawn", np.int32),  # tiles drawn from the stack in use
    ("stack", np.int32),  # tiles in that stack when it was new
    ("stacks", np.int32),  # stacks begun so far; 1 is blue
    ("discarded", np.int32),
    ("deck", np.uint8, TILES + 1),
    ("discards", np.uint8, TILES + 1),
    ("cards", np.uint8, EVENT_CARDS),  # the first four are the game's Events
    ("tiles", np.uint8, (ROWS, 8)),  # tile ids, left to right
    ("numbers", np.uint8, 8),  # of the tiles of a row that is being sorted, in draw order
    ("lords", np.uint8, (ROWS, 8)),  # seat of the Lord on each tile, where `occupied` says so
    ("occupied", np.int32, ROWS),  # bit c: a Lord stands on column c
    ("reserved", np.int32, ROWS),  # bit c: a Scout stands on column c
    ("scratch", np.int64, 16),  # for policies: memory within one decision
    ("players", PLAYER, PLAYERS),
    ("rows", ROW, PLAYERS),
)
