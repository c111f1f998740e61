"""Chance: known answers, two oracles, uniformity, and draws that depend on their address alone."""

from __future__ import annotations

from collections.abc import Callable
from itertools import permutations, product
from typing import Any

import numpy as np
import pytest
from randomgen import Philox
from scipy.stats import chi2

from simcore.chance import Chance, Draws, fresh
from simcore.kernel import streams
from simcore.kernel.compilation import kernel
from simcore.kernel.records import blank
from simcore.kernel.streams import (
    DECISION,
    DICE,
    LINEUP,
    NOISE,
    REDRAW,
    RNG,
    SHUFFLE,
    begin,
    block,
    bounded,
    decide,
    fork,
    philox,
    philox_four,
    shuffle,
)

WORD = 2**32 - 1
ONES = (WORD,) * 6
PI = (0x243F6A88, 0x85A308D3, 0x13198A2E, 0x03707344, 0xA4093822, 0x299F31D0)


def compiled(*words: int) -> tuple[int, ...]:
    return tuple(int(word) for word in philox(*map(np.uint64, words)))


def plain(*words: int) -> tuple[int, ...]:
    function = getattr(philox, "py_func", philox)
    return tuple(int(word) for word in function(*map(np.uint64, words)))


def oracle(*words: int) -> tuple[int, ...]:
    """Philox4x32-10 of another author; its counter is raised before the first block."""
    counter, key = words[:4], words[4:]
    whole = sum(word << (32 * place) for place, word in enumerate(counter))
    generator = Philox(number=4, width=32, counter=(whole - 1) % 2**128, key=key[0] | key[1] << 32)
    return tuple(int(word) for word in generator.random_raw(4))


@pytest.mark.parametrize("function", [compiled, plain, oracle])
@pytest.mark.parametrize(
    ("words", "answer"),
    [  # Random123's kat_vectors
        ((0,) * 6, (0x6627E8D5, 0xE169C58D, 0xBC57AC4C, 0x9B00DBD8)),
        (ONES, (0x408F276D, 0x41C83B0E, 0xA20BC7C6, 0x6D5451FD)),
        (PI, (0xD16CFE09, 0x94FDCCEB, 0x5001E420, 0x24126EA1)),
    ],
)
def test_known_answers(function: Callable[..., tuple[int, ...]], words: tuple[int, ...], answer: Any) -> None:
    assert function(*words) == answer


def test_second_oracle_at_random_counters_and_keys() -> None:
    for words in np.random.default_rng(1).integers(0, 2**32, size=(200, 6)).tolist():
        assert compiled(*words) == plain(*words) == oracle(*words)


@kernel
def _four(words, out):
    philox_four(words[0], words[1], words[2], words[3], words[4], words[5], out)


def test_four_blocks_are_those_of_four_counters() -> None:
    """The first word of the counter goes on, and begins anew after the last."""
    for words in (*np.random.default_rng(2).integers(0, 2**32, size=(50, 6)).tolist(), list(ONES)):
        out = np.zeros((4, 4), np.uint32)
        _four(np.array(words, np.uint64), out)
        assert [tuple(block) for block in out.T.tolist()] == [
            compiled((words[0] + step) & WORD, *words[1:]) for step in range(4)
        ]


# --- addresses ---


def generator(seed: int = 1, game: int = 0) -> Any:
    rng = blank(RNG)
    begin(rng, np.uint64(seed), np.int64(game))
    return rng


@kernel
def _block(rng, purpose, slot, attempt, number):
    return block(rng, purpose, slot, attempt, number)


@pytest.mark.parametrize(("seed", "game"), [(0, 0), (7, 3), (2**64 - 1, 2**33 + 5), (2**63 + 1, 2**31)])
def test_a_block_is_philox_of_its_address(seed: int, game: int) -> None:
    """Key: the seed. Counter: block, purpose | slot | attempt, game low, game high (DESIGN.md, Randomness)."""
    words = _block(generator(seed, game), NOISE, np.int64(65024), np.int64(255), np.int64(9))
    address = 4 << 24 | 65024 << 8 | 255
    assert tuple(map(int, words)) == oracle(9, address, game & WORD, game >> 32, seed & WORD, seed >> 32)


def test_purposes_cannot_meet() -> None:
    assert len({int(purpose) for purpose in (SHUFFLE, LINEUP, DECISION, NOISE, REDRAW)}) == 5


# --- bounded integers ---


@kernel
def _bounded(rng, bound, out):
    for number in range(out.shape[0]):
        out[number] = bounded(rng, DECISION, np.int64(3), np.int64(number), bound)


@kernel
def _decide(rng, bound, out):
    for number in range(out.shape[0]):
        out[number] = decide(rng, np.int64(number & 3), np.int64(number >> 5), np.int64((number >> 2) & 7), bound)


def drawn(many: Callable[..., None], bound: int, size: int, rng: Any = None) -> Any:
    out = np.zeros(size, np.int64)
    many(generator() if rng is None else rng, np.int64(bound), out)
    return out


def lemire(purpose: int, slot: int, number: int, bound: int) -> tuple[int, int]:
    """Lemire's Algorithm 5 with L = 32, each rejected word followed by the first of the next attempt's block."""
    for attempt in range(256):
        word = oracle(number, purpose << 24 | slot << 8 | attempt, 0, 0, 1, 0)[0]
        high, low = divmod(word * bound, 2**32)
        if low >= 2**32 % bound:
            return high, attempt
    raise AssertionError


@pytest.mark.parametrize("bound", [1, 2, 3, 6, 24, 2**31, 2**31 + 1, 3 * 2**30, 2**32 - 1])
def test_bounded_is_lemires_method_rejections_included(bound: int) -> None:
    expected = [lemire(int(DECISION), 3, number, bound) for number in range(300)]
    assert drawn(_bounded, bound, 300).tolist() == [value for value, _ in expected]
    if bound == 2**31 + 1:  # 2**32 mod bound is bound - 2: nearly half of all words are rejected
        assert sum(attempt > 0 for _, attempt in expected) > 100
        assert max(attempt for _, attempt in expected) > 3


def test_decide_takes_lanes_of_sixteen_bits_and_draws_again_where_they_would_be_unfair() -> None:
    for bound in (1, 2, 6, 1000, 4000, 4096):
        redrawn = 0
        for number, value in enumerate(drawn(_decide, bound, 3200).tolist()):
            seat, slot, lane = number & 3, number >> 5, (number >> 2) & 7
            word = oracle(slot, int(DECISION) << 24 | seat << 8, 0, 0, 1, 0)[lane >> 1]
            high, low = divmod((word >> 16 * (lane & 1) & 0xFFFF) * bound, 2**16)
            if low < 2**16 % bound:
                redrawn += 1
                high = lemire(int(REDRAW), seat, slot * 8 + lane, bound)[0]
            assert value == high
        expected = 3200 * (2**16 % bound) / 2**16  # 75 for a bound of 4,000, none for a power of two
        assert abs(redrawn - expected) <= 4 * expected**0.5


def goodness(observed: Any, expected: float, freedom: int) -> float:
    """P-value of Pearson's chi-square."""
    return float(chi2.sf(((np.asarray(observed) - expected) ** 2 / expected).sum(), freedom))


@pytest.mark.parametrize("bound", [2, 3, 5, 6, 7, 12, 24, 40, 1000])
@pytest.mark.parametrize("many", [_bounded, _decide], ids=["bounded", "decide"])
def test_bounded_integers_are_uniform(many: Callable[..., None], bound: int) -> None:
    size = 200 * bound if bound > 100 else 20_000 * bound
    counts = np.bincount(drawn(many, bound, size), minlength=bound)
    assert len(counts) == bound
    assert goodness(counts, size / bound, bound - 1) > 1e-3


def test_large_bounds_are_uniform_where_rejection_matters() -> None:
    """Without rejection, the low half of 0..3 * 2**30 - 1 would come up with chance 2/4 or 1/4, not 1/3 a third."""
    values = drawn(_bounded, 3 * 2**30, 60_000) % 3
    assert goodness(np.bincount(values), 20_000, 2) > 1e-3


# --- shuffles ---


@kernel
def _shuffles(rng, slot, size, wanted, out):
    for game in range(out.shape[0]):
        begin(rng, 11, game)
        for place in range(size):
            out[game, place] = place
        shuffle(rng, slot, out[game], size, wanted)


def shuffled(games: int, size: int, wanted: int, slot: int = 0) -> Any:
    out = np.zeros((games, size), np.uint8)
    _shuffles(generator(), np.int64(slot), np.int64(size), np.int64(wanted), out)
    assert (np.sort(out, axis=1) == np.arange(size)).all()
    return out


@pytest.mark.parametrize("size", [1, 2, 3, 4, 5])
def test_every_permutation_is_as_likely(size: int) -> None:
    orders = list(permutations(range(size)))
    places = size ** np.arange(size)
    found = shuffled(2_000 * len(orders), size, size) @ places
    counts = [int((found == order @ places).sum()) for order in map(np.array, orders)]
    assert goodness(counts, 2_000, max(len(orders) - 1, 1)) > 1e-3


@pytest.mark.parametrize(
    ("size", "wanted"),
    [(52, 52), (52, 48), (32, 32), (15, 4), (255, 9)],  # of 255 tiles, 3.9 % of the first words are rejected
)
def test_every_item_is_as_likely_in_every_place(size: int, wanted: int) -> None:
    games = 400 * size
    found = shuffled(games, size, wanted)[:, :wanted]
    counts = np.array([np.bincount(found[:, place], minlength=size) for place in range(wanted)])
    off = counts - games / size
    # An item lies in one place only: places are correlated -1 / (size - 1). Pearson's statistic in that metric.
    squares = (off**2).sum() + ((off.sum(axis=0) ** 2).sum() / (size - wanted) if wanted < size else 0)
    freedom = (size - 1) * (wanted if wanted < size else size - 1)
    assert chi2.sf(squares / games * (size - 1), freedom) > 1e-3
    assert chi2.cdf(squares / games * (size - 1), freedom) > 1e-3


def test_neighbours_in_a_shuffle_are_independent() -> None:
    """Four swaps share one word: pairs within a word and across words are looked at."""
    found = shuffled(60_000, 20, 12).astype(int)
    for first, second in ((0, 1), (2, 3), (3, 4), (0, 4), (7, 8)):
        pairs = np.bincount(found[:, first] * 20 + found[:, second], minlength=400).reshape(20, 20)
        assert (pairs.diagonal() == 0).all()
        assert goodness(pairs[~np.eye(20, dtype=bool)], 60_000 / 380, 379) > 1e-3


# --- draws depend on their address alone ---


def test_decisions_do_not_depend_on_what_was_drawn_before() -> None:
    in_order = drawn(_decide, 17, 640).tolist()
    rng = generator()
    one = np.zeros(1, np.int64)
    for number in np.random.default_rng(5).permutation(640).tolist():
        _decide_one(rng, number, np.int64(17), one)
        assert one[0] == in_order[number]


@kernel
def _decide_one(rng, number, bound, out):
    out[0] = decide(rng, np.int64(number & 3), np.int64(number >> 5), np.int64((number >> 2) & 7), bound)


def test_begin_forgets_the_last_game() -> None:
    rng = generator(1, 5)
    drawn(_decide, 100, 64, rng)
    begin(rng, np.uint64(1), np.int64(6))
    assert drawn(_decide, 100, 64, rng).tolist() == drawn(_decide, 100, 64, generator(1, 6)).tolist()


def test_games_seeds_and_slots_have_streams_of_their_own() -> None:
    keys = [(seed, game) for seed, game in product((0, 1, 2**32, 2**63), (0, 1, 2**32 - 1, 2**32))]
    found = {tuple(drawn(_decide, 4096, 32, generator(*key)).tolist()) for key in keys}
    assert len(found) == len(keys)
    orders = {tuple(shuffled(2, 52, 52, slot)[1].tolist()) for slot in range(6)}
    assert len(orders) == 6


def test_a_shuffle_of_fewer_is_the_beginning_of_a_shuffle_of_all() -> None:
    """So a rule that draws fewer tiles leaves those drawn first in place."""
    for wanted in (1, 4, 5, 48):
        assert (shuffled(50, 52, wanted)[:, :wanted] == shuffled(50, 52, 52)[:, :wanted]).all()


def test_seats_beyond_the_table_have_room() -> None:
    assert streams.MAX_STREAMS >= 6


# --- sources drawn afresh ---


def test_only_the_named_sources_draw_other_numbers() -> None:
    """One range of dice, by slot and number, is source 1; a shuffle is source 2; all else is source 0."""
    dice = Draws(DICE, range(3, 5), range(10, 20))
    sources = (Chance("dice", (dice,)), Chance("deck", (Draws(SHUFFLE, range(1)),)))
    addresses = {
        (DICE, 3, 10): 1,
        (DICE, 4, 19): 1,
        (DICE, 5, 10): 0,
        (DICE, 2, 10): 0,
        (DICE, 3, 9): 0,
        (DICE, 3, 20): 0,
        (SHUFFLE, 0, 7): 2,
        (SHUFFLE, 1, 7): 0,
        (DECISION, 3, 10): 0,
    }

    def words(afresh: int | None) -> list[Any]:
        rng, record = generator(), fresh(sources, afresh or 0)
        if afresh is not None:
            rng["fresh"] = record.ctypes.data
        return [_block(rng, purpose, np.int64(slot), np.int64(0), np.int64(at)) for purpose, slot, at in addresses]

    own = words(None)
    for afresh in range(8):
        changed = [word != before for word, before in zip(words(afresh), own, strict=True)]
        assert changed == [bool(afresh >> source & 1) for source in addresses.values()]
    assert words(7) == words(7)


def test_what_a_search_imagines_is_not_drawn_afresh() -> None:
    """It depends on the deal's stream for searches, which is a part of source 0, and on nothing else."""
    rng, forked, kept = generator(), generator(), fresh((Chance("deck", (Draws(SHUFFLE),)),), 0b10)
    fork(forked, rng, np.int64(2), np.int64(9))
    rng["fresh"] = kept.ctypes.data
    other = generator()
    other["fresh"] = kept.ctypes.data
    fork(other, rng, np.int64(2), np.int64(9))
    assert other["fresh"] == 0
    assert _block(other, SHUFFLE, *map(np.int64, (0, 0, 0))) == _block(forked, SHUFFLE, *map(np.int64, (0, 0, 0)))
