"""Philox4x32-10, one block of four words at a time, and four blocks at a time.

Salmon, Moraes, Dror, Shaw, "Parallel random numbers: as easy as 1, 2, 3" (2011).
"""

from __future__ import annotations

from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from simcore.kernel.compilation import COMPILED, kernel

WORD = np.uint64(0xFFFFFFFF)
ROUNDS = 10
FACTORS = 0xD2511F53, 0xCD9E8D57
STEPS = 0x9E3779B9, 0xBB67AE85
_M0, _M1 = map(np.uint64, FACTORS)
_W0, _W1 = map(np.uint64, STEPS)
_32 = np.uint64(32)


@kernel
def philox(c0, c1, c2, c3, k0, k1):
    """Compute one block; every argument and result is a 32-bit word in 64 bits."""
    for _ in range(ROUNDS):
        p0 = _M0 * c0
        p1 = _M1 * c2
        c0, c1, c2, c3 = (p1 >> _32) ^ c1 ^ k0, p1 & WORD, (p0 >> _32) ^ c3 ^ k1, p0 & WORD
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
