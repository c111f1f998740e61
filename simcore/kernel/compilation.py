"""Compilation of kernels, and calls through pointers; only this module, `parts` and `cache` deal with them.

`kernel` and `inlined` decorate helpers, and `cached_kernel` the function that plays a game's batches; `Pointer` is a
function that kernels call through its address, such as a `Policy`.  With NUMBA_DISABLE_JIT=1, all of them leave plain
Python, which plays the same games, slowly.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from functools import partial
from threading import RLock
from typing import Any

import numba
import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.ccallback import CFunc
from numba.core.registry import cpu_target
from numba.extending import intrinsic

from simcore.kernel.cache import Kept

KNOWN_NUMBA = ("0.62.", "0.63.", "0.64.", "0.65.", "0.66.", "0.67.", "0.68.")
"""Versions for whose internal classes `parts` was made; others compile in Numba's own way, in twice the time."""

config: Any = numba.config
COMPILED = not config.DISABLE_JIT

_OPTIONS: dict[str, Any] = {"nopython": True, "nogil": True, "error_model": "numpy", "boundscheck": False}
_WHOLE: dict[str, Any] = {}
"""Options of Numba's decorators for functions that are run, rather than called by kernels."""

_decorate: Callable[..., Any] = numba.jit
_kept: Callable[[Callable[..., Any]], Kept] = Kept
if numba.__version__.startswith(KNOWN_NUMBA):
    from simcore.kernel.parts import Helper, WholeCompiler, prepare_to_load

    _kept = partial(Kept, prepare=prepare_to_load)
    _WHOLE = {"pipeline_class": WholeCompiler}
    _decorate = partial(partial, Helper)


def _helper(**options: bool) -> Callable[..., Any]:
    """Return the decorator of a function that is a part of kernels."""
    if not COMPILED:
        return lambda function: function
    return _decorate(**_OPTIONS, **options)  # type: ignore[no-any-return]


kernel = _helper()
"""Decorator of a function that other kernels call."""

inlined = _helper(forceinline=True)
"""The same for a function that is to be inlined into its callers."""

apart = _helper(forceinline=False)
"""The same for a large function that is rarely needed and must not be inlined; a `kernel` may be inlined."""


def is_cold(function: Callable[..., Any]) -> bool:
    """Return whether nothing is cached on the disk for a `cached_kernel`, so that its first call has to compile."""
    return COMPILED and function._cache.is_cold  # type: ignore[attr-defined]


def cached_kernel(function: Callable[..., Any]) -> Callable[..., Any]:
    """Compile a game's batch function on first use, and cache it on disk."""
    if not COMPILED:
        return function
    made = numba.jit(**_OPTIONS, **_WHOLE)(function)
    made._cache = _kept(function)
    return made  # type: ignore[no-any-return]


RAISED = np.int64(-(1 << 40))
"""Value that `call_policy` returns for a policy that raised an exception."""

_INTERPRETED: list[Callable[..., int]] = []
_COMPILING = RLock()


class Pointer:
    """A function that kernels call through its address.

    Parameters
    ----------
    function
        Function that takes records and then whole numbers, and returns a whole number.
    records
        The record dtypes for which it is compiled.
    numbers
        How many whole numbers it takes.
    cached
        Whether the compiled function is cached on the disk; for functions of a game's own modules.
    """

    def __init__(
        self, function: Callable[..., int], records: tuple[np.dtype[Any], ...], numbers: int, cached: bool = False
    ) -> None:
        self.function = function
        self.records = records
        self.numbers = numbers
        self.cached = cached
        self._compiled: Any = None

    @property
    def address(self) -> int:
        """The address of the compiled function, which is compiled on first use."""
        with _COMPILING:
            if self._compiled is None:
                self._compiled = self._compile()
        if not COMPILED:
            return int(self._compiled)
        name = self._compiled.native_name.removeprefix("cfunc.")  # the function itself, not its wrapper for C
        return int(self._compiled._library.get_pointer_to_function(name))

    @property
    def is_cold(self) -> bool:
        """Whether its address has to wait for the compiler, because nothing is in memory or on the disk."""
        if not COMPILED or self._compiled is not None:
            return False
        return not self.cached or Kept(self._plain).is_cold

    @property
    def _plain(self) -> Callable[..., int]:
        return getattr(self.function, "py_func", self.function)

    def _compile(self) -> Any:
        if not COMPILED:
            _INTERPRETED.append(self._plain)
            return len(_INTERPRETED) - 1
        signature = types.intp(*map(numba.from_dtype, self.records), *[types.intp] * self.numbers)
        options = {"error_model": "numpy", "forceinline": True}
        made: Any = CFunc(self._plain, (signature.args, signature.return_type), {}, options, **_WHOLE)
        if self.cached:
            made._cache = _kept(self._plain)
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
    cached
        Whether the compiled function is cached on the disk; for functions of a game's own modules.
    """

    def __init__(self, choose: Callable[..., int], records: tuple[np.dtype[Any], ...], cached: bool = False) -> None:
        super().__init__(choose, records, numbers=1, cached=cached)


if COMPILED:

    @intrinsic
    def call_policy(typing_context, address, rules, seats, state, seat):  # type: ignore[no-untyped-def]
        """Call the policy at an address, as kernels call each other; `RAISED` if it raises an exception."""
        signature = types.intp(address, rules, seats, state, types.intp)  # the width of seat that policies are given

        def codegen(context, builder, signature, arguments):  # type: ignore[no-untyped-def]
            calls = context.call_conv
            kind = calls.get_function_type(types.intp, signature.args[1:])
            move, raised = (cgutils.alloca_once(builder, kind.args[place].pointee) for place in range(2))  # type: ignore[no-untyped-call]
            builder.store(ir.Constant(context.get_value_type(types.intp), int(RAISED)), move)
            builder.call(builder.inttoptr(arguments[0], kind.as_pointer()), [move, raised, *arguments[1:]])
            return builder.load(move)

        return signature, codegen

    @intrinsic
    def call_driver(typing_context, address, rules, lineup, state, trace, starting, last):  # type: ignore[no-untyped-def]
        """Call the driver of a game at an address; if it raises an exception, so does its caller."""
        signature = types.intp(address, rules, lineup, state, trace, types.intp, types.intp)

        def codegen(context, builder, signature, arguments):  # type: ignore[no-untyped-def]
            calls, (_, *kinds) = context.call_conv, signature.args
            driver = builder.inttoptr(arguments[0], calls.get_function_type(types.intp, kinds).as_pointer())
            status, result = calls.call_function(builder, driver, types.intp, kinds, arguments[1:])
            with cgutils.if_unlikely(builder, status.is_error):  # type: ignore[no-untyped-call]
                calls.return_status_propagate(builder, status)
            return result

        return signature, codegen

    def _unary(operation: str) -> Any:
        @intrinsic
        def count(typing_context, word):  # type: ignore[no-untyped-def]
            if word != types.uint64:
                return None

            def codegen(context, builder, signature, arguments):  # type: ignore[no-untyped-def]
                if operation == "cttz":
                    return builder.cttz(arguments[0], ir.Constant(ir.IntType(1), 0))
                return builder.ctpop(arguments[0])

            return types.int64(types.uint64), codegen

        return count

    popcount = _unary("ctpop")
    lowest_bit = _unary("cttz")

    def _deposits_bits() -> bool:
        """Return whether the processor has a fast instruction that finds the n-th set bit."""
        target: Any = cpu_target.target_context.codegen()
        _, processor, features = target.magic_tuple()
        return "+bmi2" in features.split(",") and processor not in ("znver1", "znver2")

    @intrinsic
    def _deposit(typing_context, word, mask):  # type: ignore[no-untyped-def]
        """Put the bits of a word where a mask has its set bits."""

        def codegen(context, builder, signature, arguments):  # type: ignore[no-untyped-def]
            word = context.get_value_type(types.uint64)
            found = builder.module.declare_intrinsic("llvm.x86.bmi.pdep.64", (), ir.FunctionType(word, [word, word]))
            return builder.call(found, arguments)

        return types.uint64(types.uint64, types.uint64), codegen

    if _deposits_bits():

        @inlined
        def nth_bit(word, n):  # type: ignore[no-untyped-def]
            """Index of the n-th set bit, counted from 0; 64 if there are fewer."""
            return lowest_bit(_deposit(np.uint64(1) << np.uint64(n), word))  # type: ignore[call-arg]

    else:

        @inlined
        def nth_bit(word, n):  # type: ignore[no-untyped-def]
            """Index of the n-th set bit, counted from 0; 64 if there are fewer."""
            for step in range(6):
                word = word & (word - np.uint64(1)) if step < n else word
            for _ in range(6, n):
                word &= word - np.uint64(1)
            return lowest_bit(word)

    def record_at(dtype: np.dtype[Any]) -> Any:
        """Return the function that gives kernels the record of a dtype at an address."""

        @intrinsic
        def at(typing_context, address):  # type: ignore[no-untyped-def]
            kind = numba.from_dtype(dtype)  # large records take long, and a kernel from the disk needs none

            def codegen(context, builder, signature, arguments):  # type: ignore[no-untyped-def]
                return builder.inttoptr(arguments[0], context.get_value_type(kind))

            return kind(types.uint64), codegen

        return at

    def _field_word(name: str, store: bool) -> Any:
        """Return the kernel that reads or writes the n-th 64-bit word of a field, one word or an array of words."""

        def address(context, builder, record, pointer, number):  # type: ignore[no-untyped-def]
            start = ir.Constant(context.get_value_type(types.intp), record.offset(name))
            word = builder.add(start, builder.mul(number, ir.Constant(number.type, 8)))
            return cgutils.pointer_add(builder, pointer, word, context.get_value_type(types.uint64).as_pointer())  # type: ignore[no-untyped-call]

        if store:

            @intrinsic
            def access(typing_context, record, number, value):  # type: ignore[no-untyped-def]
                def codegen(context, builder, signature, arguments):  # type: ignore[no-untyped-def]
                    place = address(context, builder, signature.args[0], *arguments[:2])  # type: ignore[no-untyped-call]
                    builder.store(arguments[2], place)
                    return context.get_dummy_value()

                return types.none(record, types.intp, types.uint64), codegen

        else:

            @intrinsic
            def access(typing_context, record, number):  # type: ignore[no-untyped-def]
                def codegen(context, builder, signature, arguments):  # type: ignore[no-untyped-def]
                    place = address(context, builder, signature.args[0], *arguments)  # type: ignore[no-untyped-call]
                    return builder.load(place)

                return types.uint64(record, types.intp), codegen

        return access

    legal_word = _field_word("legal", store=False)
    set_legal_word = _field_word("legal", store=True)

    @intrinsic
    def legal_words(typing_context, record):  # type: ignore[no-untyped-def]
        """Number of words of a record's set of legal moves; known when the kernel is compiled."""

        def codegen(context, builder, signature, arguments):  # type: ignore[no-untyped-def]
            kind = signature.args[0].typeof("legal")
            count = kind.nitems if isinstance(kind, types.NestedArray) else 1
            return ir.Constant(context.get_value_type(types.intp), count)

        return types.intp(record), codegen

    @intrinsic
    def whole_number(typing_context, value):  # type: ignore[no-untyped-def]
        """Return a policy's answer unchanged; anything except a whole number does not compile."""
        if not isinstance(value, types.Integer):
            kind = numba.typeof(value.literal_value) if isinstance(value, types.Literal) else value  # type: ignore[no-untyped-call]
            raise TypeError(f"it returns {kind}, not a whole number; return the number of a legal move")

        def codegen(context, builder, signature, arguments):  # type: ignore[no-untyped-def]
            return context.cast(builder, arguments[0], value, types.intp)

        return types.intp(value), codegen

    def _share_field(record: Any) -> tuple[str, int]:
        """Return the field of a row with the share of the win, and the number of parts of a win."""
        return ("share60", 60) if "share60" in record.fields else ("share840", 840)

    @intrinsic
    def whole_share(typing_context, row):  # type: ignore[no-untyped-def]
        """Number of parts of a win in rows of this layout."""

        def codegen(context, builder, signature, arguments):  # type: ignore[no-untyped-def]
            return ir.Constant(context.get_value_type(types.intp), _share_field(signature.args[0])[1])

        return types.intp(row), codegen

    @intrinsic
    def set_share(typing_context, row, share):  # type: ignore[no-untyped-def]
        """Write the share of the win into a row."""

        def codegen(context, builder, signature, arguments):  # type: ignore[no-untyped-def]
            offset = signature.args[0].offset(_share_field(signature.args[0])[0])
            start, word = ir.Constant(context.get_value_type(types.intp), offset), context.get_value_type(types.int32)
            place = cgutils.pointer_add(builder, arguments[0], start, word.as_pointer())  # type: ignore[no-untyped-call]
            builder.store(builder.trunc(arguments[1], word), place)
            return context.get_dummy_value()

        return types.none(row, types.int64), codegen

    @intrinsic
    def same_record(typing_context, one, other):  # type: ignore[no-untyped-def]
        """Whether two records of one layout contain the same bytes."""
        if one.size != other.size:
            return None

        def codegen(context, builder, signature, arguments):  # type: ignore[no-untyped-def]
            byte = context.get_value_type(types.uint8)
            left, right = (builder.bitcast(argument, byte.as_pointer()) for argument in arguments)
            differ = cgutils.alloca_once_value(builder, ir.Constant(byte, 0))  # type: ignore[no-untyped-call]
            count = ir.Constant(context.get_value_type(types.intp), one.size)
            with cgutils.for_range(builder, count) as loop:
                pair = [builder.load(builder.gep(side, [loop.index])) for side in (left, right)]
                builder.store(builder.or_(builder.load(differ), builder.xor(*pair)), differ)
            return builder.icmp_unsigned("==", builder.load(differ), ir.Constant(byte, 0))

        return types.boolean(one, other), codegen

    @intrinsic
    def copy_record(typing_context, target, source):  # type: ignore[no-untyped-def]
        """Copy a record over another of its layout."""
        if target.size != source.size:
            return None

        def codegen(context, builder, signature, arguments):  # type: ignore[no-untyped-def]
            size = ir.Constant(context.get_value_type(types.intp), target.size)
            cgutils.raw_memcpy(builder, arguments[0], arguments[1], size, 1)  # type: ignore[no-untyped-call]
            return context.get_dummy_value()

        return types.none(target, source), codegen

else:

    def call_policy(address: int, rules: Any, seats: Any, state: Any, seat: int) -> int:  # type: ignore[misc]
        """Call the policy that is registered under a number."""
        return _INTERPRETED[int(address)](rules, seats, state, seat)

    def call_driver(address: int, *arguments: Any) -> int:  # type: ignore[misc]
        """Call the driver of a game that is registered under a number."""
        return _INTERPRETED[int(address)](*arguments)

    def popcount(word: int) -> int:
        """Count the bits that are set."""
        return int(word).bit_count()

    def lowest_bit(word: int) -> int:
        """Index of the lowest set bit; 64 if none is set."""
        return (int(word) & -int(word)).bit_length() - 1 if word else 64

    def nth_bit(word: int, n: int) -> int:
        """Index of the n-th set bit, counted from 0; 64 if there are fewer."""
        word = int(word)
        for _ in range(n):
            word &= word - 1 if word else 0
        return int(lowest_bit(word))

    def record_at(dtype: np.dtype[Any]) -> Any:
        """Return the function that gives kernels the record of a dtype at an address."""

        def at(address: int) -> Any:
            memory: Any = (ctypes.c_char * dtype.itemsize).from_address(int(address))
            return np.frombuffer(memory, dtype)[0]

        return at

    def legal_words(record: Any) -> int:  # type: ignore[misc]
        """Number of words of a record's set of legal moves."""
        return int(np.size(record["legal"]))

    def legal_word(record: Any, number: int) -> Any:
        """Return one word of a record's set of legal moves."""
        return record["legal"] if np.ndim(record["legal"]) == 0 else record["legal"][number]

    def set_legal_word(record: Any, number: int, value: Any) -> None:
        """Write one word of a record's set of legal moves."""
        if np.ndim(record["legal"]) == 0:
            record["legal"] = value
        else:
            record["legal"][number] = value

    def whole_share(row: Any) -> int:  # type: ignore[misc]
        """Number of parts of a win in rows of this layout."""
        return 60 if "share60" in row.dtype.names else 840

    def set_share(row: Any, share: int) -> None:  # type: ignore[misc]
        """Write the share of the win into a row."""
        row["share60" if "share60" in row.dtype.names else "share840"] = share

    def whole_number(value: Any) -> int:  # type: ignore[misc]
        """Return a policy's answer unchanged."""
        if isinstance(value, bool) or not isinstance(value, int | np.integer):
            raise TypeError(f"a policy returns {value!r}, not a whole number")
        return int(value)

    def same_record(one: Any, other: Any) -> bool:  # type: ignore[misc]
        """Whether two records of one layout contain the same bytes."""
        return bool(one.tobytes() == other.tobytes())

    def copy_record(target: Any, source: Any) -> None:  # type: ignore[misc]
        """Copy a record over another of its layout."""
        for name in target.dtype.names:
            target[name] = source[name]
