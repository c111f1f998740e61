"""Chance: Philox4x32-10 streams, addressed by purpose and slot, and unbiased bounded integers.

The key is the run's seed.  The counter is (block, purpose, game low, game high), so that a draw depends
on the seed, the game and its own address, and on nothing that was drawn before it.

Philox: Salmon, Moraes, Dror, Shaw, "Parallel random numbers: as easy as 1, 2, 3" (2011).
Bounded integers: Lemire, "Fast random integer generation in an interval" (2019), and several from one word:
Brackett-Rozinsky, Lemire, "Batched ranged random integer generation" (2024).
"""

from __future__ import annotations

import numpy as np

from simcore.jit import inlined, kernel
from simcore.records import layout

MAX_STREAMS = 8
"""Seats that may draw for their decisions."""

PAGES = 2
"""Blocks kept at hand for a seat; slots 0..7 share one, slots 8..15 the other, and so on in turn."""

RNG = layout(
    ("key", np.uint32, 2),  # the seed, low word first
    ("game", np.uint32, 2),  # the deal's index, low word first
    ("tag", np.int32, (MAX_STREAMS, PAGES)),  # which blocks of a seat's decisions are at hand, -1 for none
    ("lanes", np.uint32, (MAX_STREAMS, PAGES, 4)),  # those blocks
)

WORD = np.uint64(0xFFFFFFFF)
_M0, _M1 = np.uint64(0xD2511F53), np.uint64(0xCD9E8D57)
_W0, _W1 = np.uint64(0x9E3779B9), np.uint64(0xBB67AE85)
_32, _16 = np.uint64(32), np.uint64(16)
_LANE = np.uint64(0xFFFF)
_SPAN = np.uint64(1 << 32)

# Purposes, the top byte of the second counter word; below it a slot (16 bits) and an attempt (8 bits).
SHUFFLE, LINEUP, DECISION, NOISE, REDRAW, SEARCH = map(np.int64, (1, 2, 3, 4, 5, 6))
_ZERO = np.int64(0)


@kernel
def philox(c0, c1, c2, c3, k0, k1):
    """Ten rounds of Philox4x32; every argument and result a 32-bit word held in 64 bits."""
    for _ in range(10):
        p0 = _M0 * c0
        p1 = _M1 * c2
        c0, c1, c2, c3 = (p1 >> _32) ^ c1 ^ k0, p1 & WORD, (p0 >> _32) ^ c3 ^ k1, p0 & WORD
        k0 = (k0 + _W0) & WORD
        k1 = (k1 + _W1) & WORD
    return c0, c1, c2, c3


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
    """Keep no block at hand."""
    for stream in range(MAX_STREAMS):
        for page in range(PAGES):
            rng.tag[stream, page] = -1


@kernel
def fork(rng, source, slot, number):
    """Point a generator at chance that a search makes up: one stream a slot and number, independent of all others."""
    words = block(source, SEARCH, slot, _ZERO, number)
    rng.key[0] = np.uint32(words[0])
    rng.key[1] = np.uint32(words[1])
    rng.game[0] = np.uint32(words[2])
    rng.game[1] = np.uint32(words[3])
    forget(rng)


@inlined
def block(rng, purpose, slot, attempt, number):
    """Return the four words at one address."""
    address = (purpose << 24) | (slot << 8) | attempt
    return philox(
        np.uint64(number),
        np.uint64(address),
        np.uint64(rng.game[0]),
        np.uint64(rng.game[1]),
        np.uint64(rng.key[0]),
        np.uint64(rng.key[1]),
    )


@kernel
def bounded(rng, purpose, slot, number, bound):
    """Draw from 0..bound-1 (bound below 2**32) at an address of its own; rejections go to later attempts."""
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
    """Bring a uniform random arrangement of `wanted` of the first `size` items to the front.

    Four Fisher-Yates swaps share one word: after multiplying it by the four bounds in turn, the high halves
    are the swaps and the low half that is left decides the rejection.  `size` is at most 255.
    """
    number = _ZERO
    done = _ZERO
    while done < wanted:
        drawn = block(rng, SHUFFLE, slot, _ZERO, number)
        for part in range(4):
            if done < wanted:
                _swap_four(rng, slot, items, size, wanted, done, drawn[part])
                done += 4
        number += 1


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

    A block of a seat's stream serves eight decisions, sixteen bits each, and is kept at hand.
    """
    page = (slot >> 3) & (PAGES - 1)
    if rng.tag[seat, page] != slot:
        w0, w1, w2, w3 = block(rng, DECISION, np.int64(seat), _ZERO, np.int64(slot))
        rng.lanes[seat, page, 0] = np.uint32(w0)
        rng.lanes[seat, page, 1] = np.uint32(w1)
        rng.lanes[seat, page, 2] = np.uint32(w2)
        rng.lanes[seat, page, 3] = np.uint32(w3)
        rng.tag[seat, page] = slot
    word = np.uint64(rng.lanes[seat, page, lane >> 1])
    if lane & 1:
        word >>= _16
    span = np.uint64(bound)
    scaled = (word & _LANE) * span
    low = scaled & _LANE
    if low < span and low < (np.uint64(1 << 16) - span) % span:
        return bounded(rng, REDRAW, np.int64(seat), np.int64(slot * 8 + lane), bound)
    return np.int64(scaled >> _16)
