"""Plain Python beside kernels: a policy that kernels call, and compiled functions that plain Python calls."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from simcore.kernel.compilation import COMPILED
from simcore.kernel.pointers import _INTERPRETED, RAISED, Pointer

_WHOLE, _PLACE = ctypes.c_ssize_t, ctypes.c_void_p
_POLICY = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.POINTER(_WHOLE), _PLACE, _PLACE, _PLACE, _PLACE, _WHOLE)
"""How kernels call each other: where the result goes, where an exception goes, the records, the whole numbers."""


class Outsider:
    """A policy in plain Python, which kernels call through its address like any other; it must outlive the game.

    choose: Takes (rules, lineup, state, seat), records in the memory of the game, and returns a move.
    records: The dtypes of the three records.

    address : int: What a member of a line-up has as its `policy`.
    raised : BaseException or None: What `choose` has raised last; the game then has a fault.
    """

    def __init__(self, choose: Callable[[Any, Any, Any, int], int], records: tuple[np.dtype[Any], ...]) -> None:
        self.choose, self.records = choose, records
        self.raised: BaseException | None = None
        if COMPILED:
            self._called = _POLICY(self._answer)
            self.address = int(ctypes.cast(self._called, _PLACE).value or 0)
        else:
            _INTERPRETED.append(self._move)
            self.address = len(_INTERPRETED)

    def _answer(self, goal: Any, _: int, rules: int, lineup: int, state: int, seat: int) -> int:
        own, sat, table = map(at, (rules, lineup, state), self.records)
        goal[0] = self._move(own, sat, table, seat)
        return 0

    def _move(self, rules: Any, lineup: Any, state: Any, seat: int) -> int:
        try:
            return int(self.choose(rules, lineup, state, int(seat)))
        except BaseException as error:  # also Ctrl-C, which kernels would not notice
            self.raised = error
            return int(RAISED)


def at(address: int, dtype: np.dtype[Any]) -> Any:
    """Return the record that lies at an address; it is not copied."""
    memory: Any = (ctypes.c_char * dtype.itemsize).from_address(address)
    return np.frombuffer(memory, dtype)[0]


def call(function: Pointer, *arguments: Any) -> int:
    """Call a compiled function from plain Python, with its records and then its whole numbers.

    Raises RuntimeError if the function raises an exception.
    """
    count = len(function.records)
    return prepared(function.address, *arguments[:count])(*arguments[count:])


def prepared(address: int, *records: Any) -> Callable[..., int]:
    """Return what calls the function of a `Pointer` with the same records, and whole numbers that differ.

    Raises RuntimeError when it is called, if the function raises an exception.
    """
    if not COMPILED:
        return lambda *numbers: int(_INTERPRETED[address - 1](*records, *numbers))
    places = [record.__array_interface__["data"][0] for record in records]

    def run(*numbers: int) -> int:
        result, error = _WHOLE(), _PLACE()
        compiled = _kind(len(records), len(numbers))(address)
        if compiled(ctypes.addressof(result), ctypes.addressof(error), *places, *map(int, numbers)):
            raise RuntimeError("a compiled function raised an exception")
        return result.value

    return run


@cache
def _kind(records: int, numbers: int) -> Any:
    return ctypes.CFUNCTYPE(ctypes.c_int32, *[_PLACE] * (2 + records), *[_WHOLE] * numbers)
