"""Random numbers for games in plain Python: one generator for each seed, deal, purpose and slot."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from hashlib import blake2b
from itertools import count
from struct import Struct
from typing import Any

_BLOCK = Struct("<8Q")
_WORD = 64


class Stream(random.Random):
    """A generator with all methods of `random.Random`, whose words are the BLAKE2b hashes of an address.

    The words do not depend on Python's version or machine, nor on what other streams have drawn.
    """

    def begin(self, address: str) -> None:
        """Point the generator at the first word of an address."""
        self._address, self._number, self.gauss_next = address, 0, None
        self._words: list[int] = []

    def _word(self) -> int:
        if not self._words:
            self._words += _BLOCK.unpack(blake2b(f"{self._number}|{self._address}".encode()).digest())
            self._number += 1
        return self._words.pop()

    def getrandbits(self, k: int) -> int:
        """Return a whole number of k random bits."""
        if k <= 0:
            return super().getrandbits(k)  # raises what Python raises
        found = 0
        for _ in range(-(-k // _WORD)):
            found = found << _WORD | self._word()
        return found >> -k % _WORD

    def random(self) -> float:
        """Return a number from 0 to below 1."""
        return float((self._word() >> 11) * 2.0**-53)

    def seed(self, *_: Any, **__: Any) -> None:
        """Do nothing: the seed of the run, the deal and the purpose decide."""


def _numbers(address: str) -> Iterator[float]:
    for number in count():
        for word in reversed(_BLOCK.unpack(blake2b(f"{number}|{address}".encode()).digest())):
            yield (word >> 11) * 2.0**-53


class Streams:
    """The generators of one game; they are kept, and begin anew with each deal.

    apart: Purposes that are sources of their own, numbered from 1; all others are source 0.
    afresh: Bit k is set if source k draws other numbers than the deal's.
    """

    def __init__(self, apart: Sequence[str] = (), afresh: int = 0) -> None:
        self._afresh = {purpose: bool(afresh >> number & 1) for number, purpose in enumerate(apart, 1)}
        self._others = bool(afresh & 1)
        self._known: dict[tuple[str, int], Stream] = {}
        self._begun: set[Stream] = set()
        self._numbered: set[str] = set()
        self._deal = ""

    def begin(self, seed: int, deal: int) -> None:
        """Point all generators at a deal of a run."""
        self._deal = f"{seed}|{deal}"
        self._begun.clear()

    def of(self, purpose: str, slot: int = 0) -> Stream:
        """Return the generator for a purpose and a slot."""
        stream = self._known.get((purpose, slot))
        if stream is None:
            stream = self._known[purpose, slot] = Stream()
        if stream not in self._begun:
            stream.begin(self._address(purpose, slot))
            self._begun.add(stream)
        return stream

    def numbers(self, purpose: str, slot: int = 0) -> Callable[[], float]:
        """Return a function that gives what `random` of this generator gives from its first word on, in less time."""
        self._numbered.add(purpose)
        return _numbers(self._address(purpose, slot)).__next__

    def _address(self, purpose: str, slot: int) -> str:
        deal = f"afresh|{self._deal}" if self._afresh.get(purpose, self._others) else self._deal
        return f"{deal}|{slot}|{purpose}"

    @property
    def purposes(self) -> set[str]:
        """All purposes that any game has drawn for."""
        return self._numbered | {purpose for purpose, _ in self._known}
