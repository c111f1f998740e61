"""Streams of games in plain Python: their words, and what they depend on."""

from __future__ import annotations

import numpy as np

from simcore.plain.game import Streams


def begun(seed: int = 1, deal: int = 0) -> Streams:
    streams = Streams()
    streams.begin(seed, deal)
    return streams


def test_the_words_never_change() -> None:
    draw = begun(7, 3).of("deck")
    assert [draw.randrange(1000) for _ in range(6)] == [144, 602, 100, 747, 540, 892]
    assert draw.getrandbits(130).bit_length() <= 130


def test_a_purpose_draws_the_same_whatever_others_draw() -> None:
    alone = begun().of("deck").sample(range(52), 52)
    streams = begun()
    streams.of("die").random()
    streams.of("deck", 1).random()
    assert streams.of("deck").sample(range(52), 52) == alone


def test_the_faster_numbers_are_the_same() -> None:
    draw, numbers = begun().of("die"), begun().numbers("die")
    assert [draw.random() for _ in range(50)] == [numbers() for _ in range(50)]


def test_seed_deal_purpose_and_slot_count() -> None:
    found = {
        begun(seed, deal).of(purpose, slot).random()
        for seed in (1, 11)
        for deal in (0, 1, 10)
        for purpose in ("a", "b")
        for slot in (0, 1)
    }
    assert len(found) == 24


def test_a_deal_begins_anew() -> None:
    streams = begun(1, 5)
    first = [streams.of("x").random(), streams.of("x").gauss(0, 1)]
    streams.begin(1, 5)
    assert [streams.of("x").random(), streams.of("x").gauss(0, 1)] == first


def test_draws_are_uniform() -> None:
    draw = begun().of("die")
    counts = np.bincount([draw.randrange(6) for _ in range(60_000)])
    assert ((counts - 10_000) ** 2 / 10_000).sum() < 20.5  # chi-squared with 5 degrees of freedom, p = .001
    fractions = np.array([draw.random() for _ in range(20_000)])
    assert 0 <= fractions.min() < fractions.max() < 1
    assert abs(fractions.mean() - 0.5) < 0.01


def test_only_the_named_sources_draw_other_numbers() -> None:
    drawn = {}
    for afresh in range(8):
        streams = Streams(("deck", "die"), afresh)
        streams.begin(1, 0)
        drawn[afresh] = [streams.of(purpose).random() for purpose in ("other", "deck", "die")]
    assert drawn[0] == [begun().of(purpose).random() for purpose in ("other", "deck", "die")]
    for afresh, found in drawn.items():
        changed = [one != own for one, own in zip(found, drawn[0], strict=True)]
        assert changed == [bool(afresh >> source & 1) for source in range(3)]
