"""Middle-Ages: records of rules, table and players, and the columns of a run's table."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Literal, get_args

import numpy as np

from simcore.components.aims import AIM
from simcore.game import Column
from simcore.kernel.decisions import Decision, asking
from simcore.kernel.records import fields, layout


DOMAINS = 8
PLAYERS = 5
BOARD_COLUMNS = PLAYERS + 1
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
    Decision("lord", "tile for the Lord: column of the next row", BOARD_COLUMNS),
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
    *fields(AIM),  # whom it hits, and after which rounds
    ("coins", np.int32),
    ("share", np.int32),  # percent of the coins that a player holds; negative: lost
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

DomainName = Literal["field", "mill", "village", "rampart", "market", "barracks", "church", "palace"]
DOMAIN_NAMES: tuple[str, ...] = get_args(DomainName)
"""The Domains in board order."""

StandingName = Literal["coins", "tiles", "domains", "peasants", "chests", "buried", DomainName]
STANDINGS: tuple[str, ...] = get_args(StandingName)
"""What an Event may compare: coins, and what lies in the Fief or is buried; then the tiles of each Domain."""
COINS, FIEF, DOMAINS_HELD, PEASANTS, CHESTS, BURIED, FIRST_DOMAIN = map(np.int64, range(7))
TURN = np.int64(len(STANDINGS))  # position in the round just played


# --- The columns of a run's table ---


def _events(rules: Any) -> tuple[str, ...]:
    return tuple(rules.events)


def _plot(rules: Any) -> tuple[str, ...]:
    return ("none", *DOMAIN_NAMES)


def _tie_break(rules: Any) -> tuple[str, ...]:
    return ("none", *reversed(DOMAIN_NAMES), "shared")


def _outcome() -> Iterator[Column]:
    yield Column("coins", "Int32", "coins after the penalty", "coins", detail="minimal")
    for slot in range(EVENTS):
        meaning = f"Event resolved after round {4 * slot + 4}"
        yield Column(f"event_{slot + 1}", "Enum", meaning, "events", slot, "minimal", labels=_events)
    meaning = "first Domain that decided between the seat and another one with equal coins"
    yield Column("tie_break", "Enum", meaning, "tie_break", labels=_tie_break)


def _fief() -> Iterator[Column]:
    for number, domain in enumerate(DOMAIN_NAMES):
        meaning = f"{domain.capitalize()} tiles in the Fief at the end"
        yield Column(f"tiles_{domain}", "UInt8", meaning, "tiles", number)


def _coins() -> Iterator[Column]:
    for number, domain in enumerate(DOMAIN_NAMES):
        yield Column(f"income_{domain}", "Int32", f"coins from the Income of {domain.capitalize()}", "income", number)
    yield Column("effect_field", "Int32", "coins from peasants through the Field effect", "field_coins")
    yield Column("effect_market", "Int32", "coins from chests through the Market effect", "market_coins")
    yield Column("mill_robbed", "Int32", "coins taken through the Mill effect", "mill_robbed")
    yield Column("mill_paid", "Int32", "coins lost to the Mill effect of others", "mill_paid")
    yield Column("barracks_robbed", "Int32", "coins taken through the Barracks effect", "barracks_robbed")
    yield Column("barracks_paid", "Int32", "coins lost to the Barracks effect of others", "barracks_paid")
    for slot in range(EVENTS):
        meaning = f"coins from the Event of round {4 * slot + 4}, negative when lost"
        yield Column(f"event_{slot + 1}_coins", "Int32", meaning, "event_coins", slot)
    yield Column("penalty", "Int32", "coins lost at the end to empty Domains, positive", "penalty")


def _play() -> Iterator[Column]:
    yield Column("extra_tokens", "UInt8", "extra-coin tokens laid", "extra_tokens")
    yield Column("plot_tokens", "UInt8", "plot tokens laid", "plot_tokens")
    yield Column("burials", "UInt8", "tiles that went to the Cemetery", "burials")
    yield Column("restorations", "UInt8", "tiles that came back from it", "restorations")
    yield Column("scouts", "UInt8", "times the Scout was placed", "scouts")
    yield Column("scouts_honoured", "UInt8", "times the Lord then went to the reserved tile", "scouts_honoured")
    yield Column("turn_mean", "Float32", "mean turn position, 1 is first", "turn_sum", divisor=ROUNDS)
    yield Column("peak_coins", "Int32", "most coins in circulation at the table at any time", "peak_coins")


def _full() -> Iterator[Column]:
    meaning = "most coins of value 1 in circulation at a round's end, held in fewest pieces"
    yield Column("peak_ones", "UInt8", meaning, "peak_ones", detail="full")
    for number, domain in enumerate(DOMAIN_NAMES):
        meaning = f"an extra-coin token lies under {domain.capitalize()}"
        yield Column(f"extra_{domain}", "Boolean", meaning, "extra_on", number, "full")
    for number, domain in enumerate(DOMAIN_NAMES):
        meaning = f"plot token under {domain.capitalize()}"
        yield Column(f"plot_{domain}", "Enum", meaning, "plot_on", number, "full", labels=_plot)
    for number in range(PLAYERS):
        meaning = f"coins taken from seat {number + 1} through Mills and Barracks"
        yield Column(f"robbed_from_{number + 1}", "Int32", meaning, "robbed_from", number, "full")
    rounds = (
        ("coins_r", "Int32", "coins after round {}", "after_round"),
        ("tile_r", "UInt8", "number of the tile taken in round {}", "taken"),
        ("turn_r", "UInt8", "turn position in round {}, 1 is first", "turn"),
        ("column_r", "UInt8", "column of the tile taken in round {}, 0 is leftmost", "column"),
    )
    for prefix, kind, meaning, field in rounds:
        for number in range(ROUNDS):
            yield Column(f"{prefix}{number + 1}", kind, meaning.format(number + 1), field, number, "full")


COLUMNS = (*_outcome(), *_fief(), *_coins(), *_play(), *_full())
