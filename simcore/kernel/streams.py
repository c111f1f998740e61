"""Random numbers: Philox4x32-10 streams, addressed by purpose and slot, and unbiased bounded integers.

The key is the run's random seed.  The counter is (block, purpose, game low, game high), so that a draw depends on the
seed, the game and its own address, and not on anything that was drawn before.

Bounded integers: Lemire, "Fast random integer generation in an interval" (2019), and several from one word:
Brackett-Rozinsky, Lemire, "Batched ranged random integer generation" (2024).
"""

from __future__ import annotations

import hashlib
from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from simcore.kernel.compilation import COMPILED, apart, cached_kernel, inlined, kernel
from simcore.kernel.intrinsics import record_at
from simcore.kernel.records import ADDRESS, blank, layout

# --- Philox4x32-10, one block of four words at a time, and four blocks at a time ---
#
# Salmon, Moraes, Dror, Shaw, "Parallel random numbers: as easy as 1, 2, 3" (2011).


WORD = np.uint64(0xFFFFFFFF)
ROUNDS = 10
FACTORS = 0xD2511F53, 0xCD9E8D57
STEPS = 0x9E3779B9, 0xBB67AE85
_M0, _M1 = map(np.uint64, FACTORS)
_W0, _W1 = map(np.uint64, STEPS)
_WORD_BITS = np.uint64(32)


@kernel
def philox(c0, c1, c2, c3, k0, k1):
    """Compute one block; every argument and result is a 32-bit word in 64 bits."""
    for _ in range(ROUNDS):
        p0 = _M0 * c0
        p1 = _M1 * c2
        c0, c1, c2, c3 = (p1 >> _WORD_BITS) ^ c1 ^ k0, p1 & WORD, (p0 >> _WORD_BITS) ^ c3 ^ k1, p0 & WORD
        k0 = (k0 + _W0) & WORD
        k1 = (k1 + _W1) & WORD
    return c0, c1, c2, c3


if COMPILED:
    LANES = ir.VectorType(ir.IntType(64), 4)
    HALVES = ir.VectorType(ir.IntType(32), 4)

    def _lanes(*values: int) -> Any:
        return ir.Constant(LANES, list(values * (4 // len(values))))

    @intrinsic
    def philox_four(typing_context, c0, c1, c2, c3, k0, k1, out):
        """Compute four blocks, of the counter and the next three in its first word, into (4 words, 4 blocks).

        Written for the processor's vector instructions, which the compiler would not use by itself; it costs little
        more than one block.
        """
        signature = types.void(c0, c1, c2, c3, k0, k1, out)

        def codegen(context, builder, signature, arguments):
            def spread(word):
                nothing = ir.Constant(LANES, ir.Undefined)
                first = builder.insert_element(nothing, word, ir.Constant(ir.IntType(32), 0))
                return builder.shuffle_vector(first, nothing, ir.Constant(HALVES, [0] * 4))

            mask, half = _lanes(0xFFFFFFFF), _lanes(32)
            c0, c1, c2, c3, k0, k1 = map(spread, arguments[:6])
            c0 = builder.and_(builder.add(c0, _lanes(0, 1, 2, 3)), mask)
            for _ in range(ROUNDS):
                p0, p1 = (builder.mul(_lanes(by), word) for by, word in zip(FACTORS, (c0, c2), strict=True))
                c0 = builder.xor(builder.xor(builder.lshr(p1, half), c1), k0)
                c2 = builder.xor(builder.xor(builder.lshr(p0, half), c3), k1)
                c1, c3 = builder.and_(p1, mask), builder.and_(p0, mask)
                k0, k1 = (builder.and_(builder.add(k, _lanes(by)), mask) for by, k in zip(STEPS, (k0, k1), strict=True))
            room = context.make_array(signature.args[6])(context, builder, arguments[6]).data
            for number, words in enumerate((c0, c1, c2, c3)):
                place = builder.gep(room, [ir.Constant(ir.IntType(64), 4 * number)])
                stored = builder.store(builder.trunc(words, HALVES), builder.bitcast(place, HALVES.as_pointer()))
                stored.align = 4
            return context.get_dummy_value()

        return signature, codegen

else:

    def philox_four(c0: Any, c1: Any, c2: Any, c3: Any, k0: Any, k1: Any, out: Any) -> None:  # type: ignore[misc]
        """Compute four blocks, of the counter and the next three in its first word, into (4 words, 4 blocks)."""
        for number in range(4):
            out[:, number] = philox((c0 + np.uint64(number)) & WORD, c1, c2, c3, k0, k1)


# --- Random numbers: Philox4x32-10 streams, addressed by purpose and slot, and unbiased bounded integers ---


STREAM_VERSION = 1
"""Version of the streams.  Whoever changes what any of them draws raises it: the same seed then deals other games, and
`simcore.kernel.streams` gets the new answers."""

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


# --- What the random streams draw at known addresses, by which every machine can be compared with the first one ---


ANSWERS = {1: "9e2116619b9a137ce73ca99836ce25d127bda7920599cafff7b728920c5610a8"}
"""For each version of the streams: the SHA-256 of everything that is drawn here."""

SEEDS = 0, 1, 2**63 + 12345, 2**64 - 1
DEALS = 0, 1, 2**32 - 1, 10**12
BOUNDS = 2, 3, 6, 52, 97, 4096
_PURPOSES, _SEATS, _SLOTS, _LANES, _DECK = 7, 8, 24, 8, 200
_DRAWS = 2 * (_PURPOSES + _SEATS * _SLOTS * _LANES) + 3 * _DECK


@cached_kernel
def draw_all(rng, other, items, bounds, seed, deal, out):
    """Draw from every purpose, in every way that games use."""
    at = 0
    begin(rng, seed, deal)
    fork(other, rng, np.int64(3), np.int64(deal & 0xFFFF))
    for source in (rng, other):
        for purpose in range(_PURPOSES):
            bound = bounds[purpose % len(bounds)] * 1_000_003
            out[at] = bounded(source, np.int64(purpose + 1), np.int64(purpose), np.int64(at), bound)
            at += 1
        for seat in range(_SEATS):
            for slot in range(_SLOTS):
                for lane in range(_LANES):
                    bound = bounds[(seat + slot + lane) % len(bounds)]
                    out[at] = decide(source, np.int64(seat), np.int64(slot), np.int64(lane), bound)
                    at += 1
    for slot in range(3):
        for place in range(_DECK):
            items[place] = place
        if slot < 2:
            shuffle(rng, np.int64(slot), items, np.int64(_DECK), np.int64(_DECK - 150 * slot))
        else:
            for number in range((_DECK + 15) // 16):
                shuffle_block(rng, np.int64(slot), items, np.int64(_DECK), np.int64(number))
        for place in range(_DECK):
            out[at] = items[place]
            at += 1


def stream_digest() -> str:
    """Return the SHA-256 of what the streams of this machine draw; `ANSWERS` holds what it must be."""
    rng, other = blank(RNG), blank(RNG)
    items, bounds = np.zeros(_DECK, np.int64), np.array(BOUNDS, np.int64)
    digest = hashlib.sha256()
    for seed in SEEDS:
        for deal in DEALS:
            out = np.zeros(_DRAWS, np.int64)
            draw_all(rng, other, items, bounds, np.uint64(seed), np.int64(deal), out)
            digest.update(out.astype("<i8").tobytes())
    return digest.hexdigest()
