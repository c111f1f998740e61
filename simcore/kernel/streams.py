"""Random numbers: Philox4x32-10 streams, addressed by purpose and slot, and unbiased bounded integers.

The key is the run's random seed.  The counter is (block, purpose, game low, game high), so that a draw depends on the
seed, the game and its own address, and not on anything that was drawn before.

Bounded integers: Lemire, "Fast random integer generation in an interval" (2019), and several from one word:
Brackett-Rozinsky, Lemire, "Batched ranged random integer generation" (2024).
"""

from __future__ import annotations

import numpy as np

from simcore.kernel.compilation import apart, inlined, kernel
from simcore.kernel.intrinsics import record_at
from simcore.kernel.philox import WORD, philox, philox_four
from simcore.kernel.records import ADDRESS, layout

STREAM_VERSION = 1
"""Version of the streams.  Whoever changes what any of them draws raises it: the same seed then deals other games, and
`simcore.kernel.known_draws` gets the new answers."""

MAX_STREAMS = 8
"""Number of seats that may draw for their decisions."""

PAGES = 2
"""Number of groups of four blocks stored for a seat; slots 0..7 share one, slots 8..15 the other, and so on."""

MOST_RANGES = 16
"""Number of ranges of addresses of draws that `equipoise luck` can measure one by one."""

NAMES = 2_000
"""Room for the names of sources, in bytes."""

FRESH = layout(
    ("sources", np.uint64),  # bit k: source k is drawn afresh; 0 is every draw that lies in no range
    ("count", np.int64),  # ranges in use
    ("ranges", np.int64, (MOST_RANGES, 6)),  # source, purpose, first and last slot, first and last number
    ("names", np.uint8, NAMES),  # of the sources, as JSON, for games that are no kernels
)
"""Which sources of chance draw other numbers than the deal's; see `simcore.chance`."""

RNG = layout(
    ("fresh", ADDRESS),  # of a record FRESH; 0 if all numbers are the deal's
    ("key", np.uint32, 2),  # the seed, low word first
    ("game", np.uint32, 2),  # the deal's index, low word first
    ("tag", np.int32, (MAX_STREAMS, PAGES)),  # which four blocks of a seat's decisions are at hand, -1 for none
    ("lanes", np.uint32, (MAX_STREAMS, PAGES, 4, 4)),  # those blocks: [word, block]
    ("drawn", np.uint32, (4, 4)),  # four blocks of a shuffle, the same way
)

_32, _16 = np.uint64(32), np.uint64(16)
_LANE = np.uint64(0xFFFF)
_SPAN = np.uint64(1 << 32)

# Purposes, the top byte of the second counter word; below it a slot (16 bits) and an attempt (8 bits).
SHUFFLE, LINEUP, DECISION, NOISE, REDRAW, SEARCH, DICE = map(np.int64, (1, 2, 3, 4, 5, 6, 7))
_ZERO = np.int64(0)
_NONE = np.uint64(0)
_fresh_at = record_at(FRESH)


@kernel
def begin(rng, seed, index):
    """Point a generator at one deal of a run."""
    seed = np.uint64(seed)
    index = np.uint64(index)
    rng.key[0] = np.uint32(seed & WORD)
    rng.key[1] = np.uint32(seed >> _32)
    rng.game[0] = np.uint32(index & WORD)
    rng.game[1] = np.uint32(index >> _32)
    forget(rng)


@inlined
def forget(rng):
    """Discard all stored blocks."""
    for stream in range(MAX_STREAMS):
        for page in range(PAGES):
            rng.tag[stream, page] = -1


@kernel
def fork(rng, source, slot, number):
    """Point a generator at a stream for a search; each slot and number has one, independent of all other streams."""
    words = block(source, SEARCH, slot, _ZERO, number)
    rng.fresh = _NONE
    rng.key[0] = np.uint32(words[0])
    rng.key[1] = np.uint32(words[1])
    rng.game[0] = np.uint32(words[2])
    rng.game[1] = np.uint32(words[3])
    forget(rng)


@apart
def afresh(fresh, purpose, slot, number):
    """Return what turns the deal's high word into that of the numbers drawn instead: 0 if the deal's own are drawn."""
    drawn = _fresh_at(fresh)
    source = _ZERO
    for place in range(drawn.count):
        one = drawn.ranges[place]
        if one[1] == purpose and one[2] <= slot <= one[3] and one[4] <= number <= one[5]:
            source = one[0]
    return ((drawn.sources >> np.uint64(source)) & np.uint64(1)) << np.uint64(31)


@inlined
def counter(rng, purpose, slot, attempt, number):
    """Return what determines the words of a block in addition to its number: the rest of the counter, and the key."""
    address = np.uint64((purpose << 24) | (slot << 8) | attempt)
    high = np.uint64(rng.game[1])
    if rng.fresh != _NONE:
        high ^= afresh(rng.fresh, np.int64(purpose), np.int64(slot), np.int64(number))
    return (address, np.uint64(rng.game[0]), high, np.uint64(rng.key[0]), np.uint64(rng.key[1]))


@inlined
def block(rng, purpose, slot, attempt, number):
    """Return the four words at one address."""
    return philox(np.uint64(number), *counter(rng, purpose, slot, attempt, number))


@apart
def fetch_shuffle(rng, slot, number):
    """Compute and store four blocks of a shuffle: the words of `number` and the next three."""
    philox_four(np.uint64(number), *counter(rng, SHUFFLE, slot, _ZERO, number), rng.drawn)


@apart
def fetch_decisions(rng, seat, page, group):
    """Compute and store four blocks of a seat's decisions."""
    words = counter(rng, DECISION, np.int64(seat), _ZERO, group << 2)
    philox_four(np.uint64(group << 2), *words, rng.lanes[seat, page])
    rng.tag[seat, page] = group


@apart
def bounded(rng, purpose, slot, number, bound):
    """Draw from 0..bound-1 (bound below 2**32) at an address of its own; a rejection leads to the next attempt."""
    bound = np.uint64(bound)
    for attempt in range(256):
        word = block(rng, purpose, slot, np.int64(attempt), number)[0]
        scaled = word * bound
        low = scaled & WORD
        if low >= bound or low >= (_SPAN - bound) % bound:
            return np.int64(scaled >> _32)
    return np.int64(0)


@inlined
def shuffle(rng, slot, items, size, wanted):
    """Move a uniformly random arrangement of `wanted` of the first `size` items to the front.

    Four Fisher-Yates swaps share one word: when it is multiplied by the four bounds in turn, the high halves give the
    swaps, and the remaining low half decides about rejection.  `size` is at most 255.
    """
    for done in range(0, wanted, 64):
        fetch_shuffle(rng, slot, done >> 4)
        for word in range(min(16, (wanted - done + 3) >> 2)):
            _swap_four(rng, slot, items, size, wanted, done + 4 * word, np.uint64(rng.drawn[word & 3, word >> 2]))


@inlined
def shuffle_block(rng, slot, items, size, number):
    """Bring positions 16 * `number` .. 16 * `number` + 15 of a shuffle of all items into their final order.

    For a deck that may never be drawn to its end.  Blocks are used in order; all of them together equal `shuffle`.
    """
    if number & 3 == 0:
        fetch_shuffle(rng, slot, number)
    for word in range(min(4, (size - 16 * number + 3) >> 2)):
        drawn = np.uint64(rng.drawn[word, number & 3])
        _swap_four(rng, slot, items, size, size, 16 * number + 4 * word, drawn)


@kernel
def _swap_four(rng, slot, items, size, wanted, done, word):
    left = size - done
    b0 = np.uint64(left)
    b1 = np.uint64(max(left - 1, 1))
    b2 = np.uint64(max(left - 2, 1))
    b3 = np.uint64(max(left - 3, 1))
    product = b0 * b1 * b2 * b3
    attempt = _ZERO
    while True:
        r0 = word * b0
        r1 = (r0 & WORD) * b1
        r2 = (r1 & WORD) * b2
        r3 = (r2 & WORD) * b3
        low = r3 & WORD
        if low >= product or low >= (_SPAN - product) % product or attempt == 255:
            break
        attempt += 1
        word = block(rng, SHUFFLE, slot, attempt, done)[0]
    _swap(items, done, np.int64(r0 >> _32))
    if done + 1 < wanted:
        _swap(items, done + 1, np.int64(r1 >> _32))
    if done + 2 < wanted:
        _swap(items, done + 2, np.int64(r2 >> _32))
    if done + 3 < wanted:
        _swap(items, done + 3, np.int64(r3 >> _32))


@inlined
def _swap(items, place, offset):
    kept = items[place]
    items[place] = items[place + offset]
    items[place + offset] = kept


@inlined
def decide(rng, seat, slot, lane, bound):
    """Draw from 0..bound-1 (bound at most 4096) for one decision of a seat.

    A block of a seat's stream serves eight decisions, with sixteen bits for each; four blocks are stored.
    """
    page = (slot >> 3) & (PAGES - 1)
    group = slot >> 2
    if rng.tag[seat, page] != group:
        fetch_decisions(rng, seat, page, group)
    word = np.uint64(rng.lanes[seat, page, lane >> 1, slot & 3])
    if lane & 1:
        word >>= _16
    span = np.uint64(bound)
    scaled = (word & _LANE) * span
    low = scaled & _LANE
    if low < span and low < (np.uint64(1 << 16) - span) % span:
        return bounded(rng, REDRAW, np.int64(seat), np.int64(slot * 8 + lane), bound)
    return np.int64(scaled >> _16)
