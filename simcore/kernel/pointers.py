"""Functions that kernels call through their addresses: policies, and the driver of a game.

With NUMBA_DISABLE_JIT=1, an address is a number under which a plain function is registered.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from functools import cache
from threading import RLock
from typing import Any

import numba
import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.ccallback import CFunc
from numba.extending import intrinsic

from simcore.kernel.cache import Kept
from simcore.kernel.compilation import COMPILED, WHOLE, kept

RAISED = np.int64(-(1 << 40))
"""Value that `call_policy` returns for a policy that raised an exception."""

_INTERPRETED: list[Callable[..., int]] = []
_COMPILING = RLock()


class Pointer:
    """A function that kernels call through its address.

    function: Function that takes records and then whole numbers, and returns a whole number.
    records: The record dtypes for which it is compiled.
    numbers: How many whole numbers it takes.
    cached: Whether the compiled function is cached on the disk; for functions of a game's own modules.
    contents: What the function is made of (see `simcore.kernel.cache`), if the sources of its package do not say it.
    """

    inlined = False
    """Whether Numba's wrapper for C, which nobody calls, contains a copy; a large function would suffer from it."""

    def __init__(
        self,
        function: Callable[..., int],
        records: tuple[np.dtype[Any], ...],
        numbers: int,
        cached: bool = False,
        contents: str = "",
    ) -> None:
        self.function = function
        self.records = records
        self.numbers = numbers
        self.cached = cached
        self.contents = contents
        self._compiled: Any = None
        self._address = 0

    @property
    def address(self) -> int:
        """The address of the compiled function, which is compiled on first use.

        Later uses do not wait for functions that other threads compile.
        """
        if not self._address:
            with _COMPILING:
                if self._compiled is None:
                    self._compiled = self._compile()
            self._address = self._locate()
        return self._address

    @property
    def is_cold(self) -> bool:
        """Whether its address has to wait for the compiler, because nothing is in memory or on the disk."""
        if not COMPILED or self._compiled is not None:
            return False
        return not self.cached or Kept(self._plain, contents=self.contents).is_cold

    def _locate(self) -> int:
        if not COMPILED:
            return int(self._compiled)
        name = self._compiled.native_name.removeprefix("cfunc.")  # the function itself, not its wrapper for C
        return int(self._compiled._library.get_pointer_to_function(name))

    @property
    def _plain(self) -> Callable[..., int]:
        return getattr(self.function, "py_func", self.function)

    def _compile(self) -> Any:
        if not COMPILED:
            _INTERPRETED.append(self._plain)
            return len(_INTERPRETED)  # 0 is no address
        signature = types.intp(*map(numba.from_dtype, self.records), *[types.intp] * self.numbers)
        options = {"error_model": "numpy", "forceinline": self.inlined}
        made: Any = CFunc(self._plain, (signature.args, signature.return_type), {}, options, **WHOLE)
        if self.cached:
            made._cache = kept(self._plain, contents=self.contents)
        made.compile()
        return made


class Policy(Pointer):
    """A decision function that kernels call through its address.

    Parameters
    ----------
    choose
        Function of (rules, seats, state, seat), all records except the last, that returns the chosen move.
    records
        The three record dtypes for which it is compiled.
    cached, contents
        As in `Pointer`.
    """

    inlined = True

    def __init__(
        self,
        choose: Callable[..., int],
        records: tuple[np.dtype[Any], ...],
        cached: bool = False,
        contents: str = "",
    ) -> None:
        super().__init__(choose, records, numbers=1, cached=cached, contents=contents)


if COMPILED:

    @intrinsic
    def call_policy(typing_context, address, rules, seats, state, seat):
        """Call the policy at an address, as kernels call each other; `RAISED` if it raises an exception."""
        signature = types.intp(address, rules, seats, state, types.intp)  # the width of seat that policies are given

        def codegen(context, builder, signature, arguments):
            calls = context.call_conv
            kind = calls.get_function_type(types.intp, signature.args[1:])
            move, raised = (cgutils.alloca_once(builder, kind.args[place].pointee) for place in range(2))
            builder.store(ir.Constant(context.get_value_type(types.intp), int(RAISED)), move)
            builder.call(builder.inttoptr(arguments[0], kind.as_pointer()), [move, raised, *arguments[1:]])
            return builder.load(move)

        return signature, codegen

    @intrinsic
    def call_driver(typing_context, address, rules, lineup, state, trace, starting, last):
        """Call the driver of a game at an address; if it raises an exception, so does its caller."""
        signature = types.intp(address, rules, lineup, state, trace, types.intp, types.intp)

        def codegen(context, builder, signature, arguments):
            calls, (_, *kinds) = context.call_conv, signature.args
            driver = builder.inttoptr(arguments[0], calls.get_function_type(types.intp, kinds).as_pointer())
            status, result = calls.call_function(builder, driver, types.intp, kinds, arguments[1:])
            with cgutils.if_unlikely(builder, status.is_error):
                calls.return_status_propagate(builder, status)
            return result

        return signature, codegen

else:

    def call_policy(address: int, rules: Any, seats: Any, state: Any, seat: int) -> int:  # type: ignore[misc]
        """Call the policy that is registered under a number."""
        return _INTERPRETED[int(address) - 1](rules, seats, state, seat)

    def call_driver(address: int, *arguments: Any) -> int:  # type: ignore[misc]
        """Call the driver of a game that is registered under a number."""
        return _INTERPRETED[int(address) - 1](*arguments)


# --- Plain Python beside kernels: a policy that kernels call, and compiled functions that plain Python calls ---


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
