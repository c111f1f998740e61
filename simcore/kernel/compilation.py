"""Compilation of kernels.  Only this room deals with Numba: `parts`, `cache`, `pointers` and `intrinsics` do the rest.

`kernel` and `inlined` decorate helpers, and `cached_kernel` the function that plays a game's batches.  With
NUMBA_DISABLE_JIT=1, all of them leave plain Python, which plays the same games, slowly.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numba

from simcore.kernel.cache import Kept

KNOWN_NUMBA = ("0.62.", "0.63.", "0.64.", "0.65.", "0.66.", "0.67.", "0.68.")
"""Versions for whose internal classes `parts` was made; others compile in Numba's own way, in twice the time."""

config: Any = numba.config
COMPILED = not config.DISABLE_JIT

_OPTIONS: dict[str, Any] = {"nopython": True, "nogil": True, "error_model": "numpy", "boundscheck": False}
WHOLE: dict[str, Any] = {}
"""Options of Numba's decorators for functions that are run, rather than called by kernels."""

_decorate: Callable[..., Any] = numba.jit
kept: Callable[..., Kept] = Kept
if numba.__version__.startswith(KNOWN_NUMBA):
    from simcore.kernel.parts import Helper, WholeCompiler, prepare_to_load

    kept = partial(Kept, prepare=prepare_to_load)
    WHOLE = {"pipeline_class": WholeCompiler}
    _decorate = partial(partial, Helper)


def _helper(**options: bool) -> Callable[..., Any]:
    """Return the decorator of a function that is a part of kernels."""
    if not COMPILED:
        return lambda function: function
    return _decorate(**_OPTIONS, **options)


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
    made = numba.jit(**_OPTIONS, **WHOLE)(function)
    made._cache = kept(function)
    return made
