"""Operations that Python has no word for, as kernels use them: on bits, on records, and on fields by number.

With NUMBA_DISABLE_JIT=1, they are plain Python.
"""

from __future__ import annotations

import ctypes
from typing import Any

import numba
import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.registry import cpu_target
from numba.extending import intrinsic

from simcore.kernel.compilation import COMPILED, inlined

if COMPILED:

    def _unary(operation: str) -> Any:
        @intrinsic
        def count(typing_context, word):
            if word != types.uint64:
                return None

            def codegen(context, builder, signature, arguments):
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
    def _deposit(typing_context, word, mask):
        """Put the bits of a word where a mask has its set bits."""

        def codegen(context, builder, signature, arguments):
            word = context.get_value_type(types.uint64)
            found = builder.module.declare_intrinsic("llvm.x86.bmi.pdep.64", (), ir.FunctionType(word, [word, word]))
            return builder.call(found, arguments)

        return types.uint64(types.uint64, types.uint64), codegen

    if _deposits_bits():

        @inlined
        def nth_bit(word, n):
            """Index of the n-th set bit, counted from 0; 64 if there are fewer."""
            return lowest_bit(_deposit(np.uint64(1) << np.uint64(n), word))  # type: ignore[call-arg]

    else:

        @inlined
        def nth_bit(word, n):
            """Index of the n-th set bit, counted from 0; 64 if there are fewer."""
            for step in range(6):
                word = word & (word - np.uint64(1)) if step < n else word
            for _ in range(6, n):
                word &= word - np.uint64(1)
            return lowest_bit(word)

    def record_at(dtype: np.dtype[Any]) -> Any:
        """Return the function that gives kernels the record of a dtype at an address."""

        @intrinsic
        def at(typing_context, address):
            kind = numba.from_dtype(dtype)  # large records take long, and a kernel from the disk needs none

            def codegen(context, builder, signature, arguments):
                return builder.inttoptr(arguments[0], context.get_value_type(kind))

            return kind(types.uint64), codegen

        return at

    def _field_word(name: str, store: bool) -> Any:
        """Return the kernel that reads or writes the n-th 64-bit word of a field, one word or an array of words."""

        def address(context, builder, record, pointer, number):
            start = ir.Constant(context.get_value_type(types.intp), record.offset(name))
            word = builder.add(start, builder.mul(number, ir.Constant(number.type, 8)))
            return cgutils.pointer_add(builder, pointer, word, context.get_value_type(types.uint64).as_pointer())

        if store:

            @intrinsic
            def access(typing_context, record, number, value):
                def codegen(context, builder, signature, arguments):
                    place = address(context, builder, signature.args[0], *arguments[:2])
                    builder.store(arguments[2], place)
                    return context.get_dummy_value()

                return types.none(record, types.intp, types.uint64), codegen

        else:

            @intrinsic
            def access(typing_context, record, number):
                def codegen(context, builder, signature, arguments):
                    place = address(context, builder, signature.args[0], *arguments)
                    return builder.load(place)

                return types.uint64(record, types.intp), codegen

        return access

    legal_word = _field_word("legal", store=False)
    set_legal_word = _field_word("legal", store=True)

    @intrinsic
    def legal_words(typing_context, record):
        """Number of words of a record's set of legal moves; known when the kernel is compiled."""

        def codegen(context, builder, signature, arguments):
            kind = signature.args[0].typeof("legal")
            count = kind.nitems if isinstance(kind, types.NestedArray) else 1
            return ir.Constant(context.get_value_type(types.intp), count)

        return types.intp(record), codegen

    @intrinsic
    def whole_number(typing_context, value):
        """Return a policy's answer unchanged; anything except a whole number does not compile."""
        if not isinstance(value, types.Integer):
            kind = numba.typeof(value.literal_value) if isinstance(value, types.Literal) else value
            raise TypeError(f"it returns {kind}, not a whole number; return the number of a legal move")

        def codegen(context, builder, signature, arguments):
            return context.cast(builder, arguments[0], value, types.intp)

        return types.intp(value), codegen

    @intrinsic
    def whole_numbers(typing_context, values):
        """Return some whole numbers of any types as 64-bit numbers."""
        wide = types.UniTuple(types.int64, len(values))

        def codegen(context, builder, signature, arguments):
            return context.cast(builder, arguments[0], values, wide)

        return wide(values), codegen

    def _share_field(record: Any) -> tuple[str, int]:
        """Return the field of a row with the share of the win, and the number of parts of a win."""
        return ("share60", 60) if "share60" in record.fields else ("share840", 840)

    @intrinsic
    def whole_share(typing_context, row):
        """Number of parts of a win in rows of this layout."""

        def codegen(context, builder, signature, arguments):
            return ir.Constant(context.get_value_type(types.intp), _share_field(signature.args[0])[1])

        return types.intp(row), codegen

    @intrinsic
    def set_share(typing_context, row, share):
        """Write the share of the win into a row."""

        def codegen(context, builder, signature, arguments):
            offset = signature.args[0].offset(_share_field(signature.args[0])[0])
            start, word = ir.Constant(context.get_value_type(types.intp), offset), context.get_value_type(types.int32)
            place = cgutils.pointer_add(builder, arguments[0], start, word.as_pointer())
            builder.store(builder.trunc(arguments[1], word), place)
            return context.get_dummy_value()

        return types.none(row, types.int64), codegen

    @intrinsic
    def same_record(typing_context, one, other):
        """Whether two records of one layout contain the same bytes."""
        if one.size != other.size:
            return None

        def codegen(context, builder, signature, arguments):
            byte = context.get_value_type(types.uint8)
            left, right = (builder.bitcast(argument, byte.as_pointer()) for argument in arguments)
            differ = cgutils.alloca_once_value(builder, ir.Constant(byte, 0))
            count = ir.Constant(context.get_value_type(types.intp), one.size)
            with cgutils.for_range(builder, count) as loop:
                pair = [builder.load(builder.gep(side, [loop.index])) for side in (left, right)]
                builder.store(builder.or_(builder.load(differ), builder.xor(*pair)), differ)
            return builder.icmp_unsigned("==", builder.load(differ), ir.Constant(byte, 0))

        return types.boolean(one, other), codegen

    @intrinsic
    def copy_record(typing_context, target, source):
        """Copy a record over another of its layout."""
        if target.size != source.size:
            return None

        def codegen(context, builder, signature, arguments):
            size = ir.Constant(context.get_value_type(types.intp), target.size)
            cgutils.raw_memcpy(builder, arguments[0], arguments[1], size, 1)
            return context.get_dummy_value()

        return types.none(target, source), codegen

else:

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

    def whole_numbers(values: Any) -> Any:  # type: ignore[misc]
        """Return some whole numbers."""
        return values

    def same_record(one: Any, other: Any) -> bool:  # type: ignore[misc]
        """Whether two records of one layout contain the same bytes."""
        return bool(one.tobytes() == other.tobytes())

    def copy_record(target: Any, source: Any) -> None:  # type: ignore[misc]
        """Copy a record over another of its layout."""
        for name in target.dtype.names:
            target[name] = source[name]
