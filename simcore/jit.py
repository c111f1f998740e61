"""How kernels are compiled, cached and called through pointers; only this module and `parts` know.

`kernel` and `inlined` decorate helpers, `entry` the one function that a game caches on disk; `Policy` is a decision
function that a kernel reaches through its address.  With NUMBA_DISABLE_JIT=1 all leave plain Python behind, which
plays the same games, slowly.
"""

from __future__ import annotations

import atexit
import ctypes
import hashlib
import importlib
import os
import platform
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import cache, partial
from pathlib import Path
from types import ModuleType
from typing import Any

import numba
import numpy as np
from llvmlite import ir
from llvmlite.binding import set_option
from numba import types
from numba.core import cgutils
from numba.core.registry import cpu_target
from numba.extending import intrinsic
from platformdirs import user_cache_path

from simcore.parts import Helper, WholeCompiler

# Numba imports SciPy's linear algebra, a sixth of a second, to see that it is there.  It does so again before use.
_BLAS = "scipy.linalg.cython_blas"
if _BLAS not in sys.modules:
    sys.modules[_BLAS] = ModuleType(_BLAS)
    importlib.import_module("numba.np.arraymath")
    del sys.modules[_BLAS]

if platform.machine() in ("x86_64", "AMD64"):
    # LLVM would turn selects into branches, and what they depend on is chance: half of the guesses would be wrong.
    set_option("equipoise", "-x86-cmov-converter=false")

config: Any = numba.config
COMPILED = not config.DISABLE_JIT
KERNEL_ROOMS = ("simcore", "strategies")
KEPT_CACHES = 4

_OPTIONS: dict[str, Any] = {"nopython": True, "nogil": True, "error_model": "numpy", "boundscheck": False}


def _helper(**options: bool) -> Callable[..., Any]:
    """Return the decorator of a function that is a part of kernels."""
    if not COMPILED:
        return lambda function: function
    return partial(Helper, options=_OPTIONS | {"no_cfunc_wrapper": True} | options)


kernel = _helper()
"""Decorator of a function that other kernels call."""

inlined = _helper(forceinline=True)
"""The same for a function that is to be pasted into its callers."""

apart = _helper(forceinline=False)
"""The same for what is large and seldom needed, and would burden its callers; a `kernel` may be pasted as well."""


@cache
def cache_folder(package: str = "") -> Path:
    """Return the folder of compiled kernels, keyed on all that may change them.

    Where no such folder can be made, a private one serves this process and goes with it.

    Numba's own index looks at one source file only; a helper edited in another file would leave a stale
    entry behind.  So every source of the kernel rooms, Numba's version and its environment go into the key.

    Parameters
    ----------
    package
        A package outside the kernel rooms: its kernels get a folder inside, keyed on its own sources too.
    """
    if package:
        return _folder(cache_folder(), f"{package}-", _sources(sys.modules[package]))
    key = f"{numba.__version__}|{np.__version__}"
    for name in sorted(key for key in os.environ if key.startswith("NUMBA_") and key != "NUMBA_CACHE_DIR"):
        key += f"|{name}={os.environ[name]}"
    root = Path(os.environ.get("EQUIPOISE_CACHE_DIR") or user_cache_path("equipoise"))
    top = Path(__file__).resolve().parent.parent
    return _folder(root, "kernels-", [source for room in KERNEL_ROOMS for source in _python_files(top / room)], key)


def _sources(module: ModuleType) -> list[Path]:
    """Return the Python files of a top-level module or package."""
    folders = getattr(module, "__path__", None)
    if folders is not None:
        return [source for folder in folders for source in _python_files(Path(folder))]
    return [Path(module.__file__)] if getattr(module, "__file__", None) else []  # type: ignore[arg-type]


def _python_files(folder: Path) -> list[Path]:
    return sorted(folder.rglob("*.py"))


def _folder(root: Path, prefix: str, sources: Iterable[Path], key: str = "") -> Path:
    """Return the folder for what these sources compile to, and forget all but the newest few of its kind."""
    digest = hashlib.sha256(key.encode())
    for source in sources:
        digest.update(source.read_bytes())
    folder = root / f"{prefix}{digest.hexdigest()[:16]}"
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:
        passing = tempfile.TemporaryDirectory(prefix="equipoise-")
        atexit.register(passing.cleanup)
        return Path(passing.name)
    others = [path for path in root.glob(f"{prefix}*") if path != folder]
    for stale in sorted(others, key=lambda path: path.stat().st_mtime, reverse=True)[KEPT_CACHES - 1 :]:
        shutil.rmtree(stale, ignore_errors=True)
    return folder


def is_cold(function: Callable[..., Any]) -> bool:
    """Return whether nothing that `entry` made of a function is on the disk, so that the first call has to wait."""
    if not COMPILED:
        return False
    folder = Path(function._cache.cache_path)  # type: ignore[attr-defined]
    return not any(folder.glob(f"*{function.__name__}*.nbi"))


@contextmanager
def _caching(function: Callable[..., Any]) -> Iterator[None]:
    """Point Numba's cache at our folder while a function is decorated, and leave the user's setting alone."""
    package = function.__module__.partition(".")[0]
    before = config.CACHE_DIR
    config.CACHE_DIR = str(cache_folder("" if package in KERNEL_ROOMS else package))
    try:
        yield
    finally:
        config.CACHE_DIR = before


def entry(function: Callable[..., Any]) -> Callable[..., Any]:
    """Compile a game's batch function on first use, and cache it on disk."""
    if not COMPILED:
        return function
    with _caching(function):
        return numba.jit(**_OPTIONS, cache=True, pipeline_class=WholeCompiler)(function)  # type: ignore[no-any-return]


def _callback(signature: Any, cache: bool) -> Callable[..., Any]:
    """Return Numba's decorator of a function that is called through its address."""
    settings: dict[str, Any] = {"error_model": "numpy", "forceinline": True}
    return numba.cfunc(signature, cache=cache, pipeline_class=WholeCompiler, **settings)


_INTERPRETED: list[Callable[..., int]] = []


class Policy:
    """A decision function that kernels call through its address.

    Parameters
    ----------
    choose
        Function of (rules, seats, state, seat), all records but the last, that returns the chosen move.
    records
        The three record dtypes it is compiled for.
    cached
        Whether the compiled function goes to the disk cache; for functions of a game's own modules.
    """

    def __init__(self, choose: Callable[..., int], records: tuple[np.dtype[Any], ...], cached: bool = False) -> None:
        self.choose = choose
        self.records = records
        self.cached = cached
        self._compiled: Any = None

    @property
    def address(self) -> int:
        """Address of the compiled function; compiles on first use."""
        if self._compiled is None:
            self._compiled = self._compile()
        if not COMPILED:
            return int(self._compiled)
        name = self._compiled.native_name.removeprefix("cfunc.")  # the function itself, not its wrapper for C
        return int(self._compiled._library.get_pointer_to_function(name))

    @property
    def is_cold(self) -> bool:
        """Whether its address has to wait for the compiler, as nothing is in memory or on the disk."""
        if not COMPILED or self._compiled is not None:
            return False
        plain = getattr(self.choose, "py_func", self.choose)
        source = Path(plain.__code__.co_filename)
        files = cache_folder().rglob(f"{source.parent.name}_*/{source.stem}.{plain.__name__}-*.nbi")
        return not (self.cached and any(files))

    def _compile(self) -> Any:
        plain = getattr(self.choose, "py_func", self.choose)
        if not COMPILED:
            _INTERPRETED.append(plain)
            return len(_INTERPRETED) - 1
        signature = types.intp(*(numba.from_dtype(dtype) for dtype in self.records), types.intp)
        if not self.cached:
            return _callback(signature, cache=False)(plain)
        with _caching(plain):
            return _callback(signature, cache=True)(plain)


if COMPILED:

    @intrinsic
    def call_policy(typing_context, address, rules, seats, state, seat):  # type: ignore[no-untyped-def]
        """Call the policy at an address, as kernels call each other; -1 where it raises an exception."""
        signature = types.intp(address, rules, seats, state, seat)

        def codegen(context, builder, signature, arguments):  # type: ignore[no-untyped-def]
            calls = context.call_conv
            kind = calls.get_function_type(types.intp, signature.args[1:])
            move, raised = (cgutils.alloca_once(builder, kind.args[place].pointee) for place in range(2))  # type: ignore[no-untyped-call]
            builder.store(ir.Constant(context.get_value_type(types.intp), -1), move)
            builder.call(builder.inttoptr(arguments[0], kind.as_pointer()), [move, raised, *arguments[1:]])
            return builder.load(move)

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
        """Return whether the processor has an instruction that finds the n-th set bit, and a quick one."""
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
            """Index of the n-th set bit, counted from 0; 64 where there are fewer."""
            return lowest_bit(_deposit(np.uint64(1) << np.uint64(n), word))  # type: ignore[call-arg]

    else:

        @inlined
        def nth_bit(word, n):  # type: ignore[no-untyped-def]
            """Index of the n-th set bit, counted from 0; 64 where there are fewer."""
            for step in range(6):
                word = word & (word - np.uint64(1)) if step < n else word
            for _ in range(6, n):
                word &= word - np.uint64(1)
            return lowest_bit(word)

    def record_at(dtype: np.dtype[Any]) -> Any:
        """Return the function that gives kernels the record of a dtype at an address."""
        kind = numba.from_dtype(dtype)

        @intrinsic
        def at(typing_context, address):  # type: ignore[no-untyped-def]
            def codegen(context, builder, signature, arguments):  # type: ignore[no-untyped-def]
                return builder.inttoptr(arguments[0], context.get_value_type(kind))

            return kind(types.uint64), codegen

        return at

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
        return _INTERPRETED[address](rules, seats, state, seat)

    def popcount(word: int) -> int:
        """Count the bits that are set."""
        return int(word).bit_count()

    def lowest_bit(word: int) -> int:
        """Index of the lowest set bit; 64 where none is set."""
        return (int(word) & -int(word)).bit_length() - 1 if word else 64

    def nth_bit(word: int, n: int) -> int:
        """Index of the n-th set bit, counted from 0; 64 where there are fewer."""
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

    def copy_record(target: Any, source: Any) -> None:  # type: ignore[misc]
        """Copy a record over another of its layout."""
        for name in target.dtype.names:
            target[name] = source[name]
