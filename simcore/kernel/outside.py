"""Plain Python beside kernels: a policy that kernels call, and compiled functions that plain Python calls."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Any

import numpy as np

from simcore.kernel.compilation import COMPILED
from simcore.kernel.pointers import _INTERPRETED, RAISED, Pointer

_WHOLE, _PLACE = ctypes.c_ssize_t, ctypes.c_void_p
_POLICY = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.POINTER(_WHOLE), _PLACE, _PLACE, _PLACE, _PLACE, _WHOLE)
"""How kernels call each other: where the result goes, where an exception goes, the records, the whole numbers."""


class Outsider:
    """A policy in plain Python, which kernels call through its address like any other; it must outlive the game.

    Parameters
    ----------
    choose
        Takes (rules, lineup, state, seat), records in the memory of the game, and returns a move.
    records
        The dtypes of the three records.

    Attributes
    ----------
    address : int
        What a member of a line-up has as its `policy`.
    raised : Exception or None
        What `choose` has raised last; the game then has a fault.
    """

    def __init__(self, choose: Callable[[Any, Any, Any, int], int], records: tuple[np.dtype[Any], ...]) -> None:
        self.choose, self.records = choose, records
        self.raised: Exception | None = None
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
        except Exception as error:
            self.raised = error
            return int(RAISED)


def at(address: int, dtype: np.dtype[Any]) -> Any:
    """Return the record that lies at an address; it is not copied."""
    memory: Any = (ctypes.c_char * dtype.itemsize).from_address(address)
    return np.frombuffer(memory, dtype)[0]


def call(function: Pointer, *arguments: Any) -> int:
    """Call a compiled function from plain Python, with its records and then its whole numbers.

    Raises
    ------
    RuntimeError
        If the function raises an exception.
    """
    if not COMPILED:
        return int(function.function(*arguments))
    count = len(function.records)
    kinds = [_PLACE] * (2 + count) + [_WHOLE] * function.numbers
    compiled = ctypes.CFUNCTYPE(ctypes.c_int32, *kinds)(function.address)
    result, error = _WHOLE(), _PLACE()
    places = [record.__array_interface__["data"][0] for record in arguments[:count]]
    if compiled(ctypes.addressof(result), ctypes.addressof(error), *places, *map(int, arguments[count:])):
        raise RuntimeError(f"{function.function.__name__} raised an exception")
    return result.value
