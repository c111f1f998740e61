"""What a function is made of: equal for equal code and values, different for any that differ, empty if unknown."""

from __future__ import annotations

import enum
import sys
from collections.abc import Callable
from types import FunctionType, ModuleType
from typing import Any, NamedTuple

import numba
import numpy as np
import pytest
from numba.extending import intrinsic

from simcore.kernel import intrinsics
from simcore.kernel.cache import contents
from simcore.kernel.compilation import COMPILED

pytestmark = pytest.mark.skipif(not COMPILED, reason="nothing is compiled")


class Pair(NamedTuple):
    first: int
    second: int


class Colour(enum.IntEnum):
    RED = 1
    BLUE = 2


class Other(enum.IntEnum):
    RED = 1
    BLUE = 3


def uses(value: Any) -> Callable[[int], int]:
    """A function whose global name `thing` has a value."""
    code = (lambda seat: 1 + thing(seat)).__code__  # noqa: F821
    return FunctionType(code, {"thing": value})


def helper(times: int, **options: bool) -> Any:
    def scaled(number: int) -> int:
        return number * times

    return numba.njit(**options)(scaled)


DIFFERENT = [
    (1, 2),
    (1, 1.0),
    ((1, 2), (1, 3)),
    (Pair(1, 2), (1, 2)),
    (Colour.RED, Colour.BLUE),
    (Colour, Other),
    (np.arange(4), np.arange(4)[::-1]),
    (np.zeros(2, np.int64), np.zeros(2, np.float64)),
    (np.int32(1), np.int64(1)),
    (helper(2), helper(3)),
    (helper(2), helper(2, fastmath=True)),
    (intrinsics.popcount, intrinsics.lowest_bit),
    (intrinsics.record_at(np.dtype("i4")), intrinsics.record_at(np.dtype("i8"))),
    (np.exp, np.log),
    (abs, min),
    (frozenset({1}), frozenset({2})),
]


@pytest.mark.parametrize(("one", "other"), DIFFERENT)
def test_what_differs_has_other_contents(one: Any, other: Any) -> None:
    assert contents(uses(one)) == contents(uses(one)) != ""
    assert contents(uses(one)) != contents(uses(other)) != ""


def test_a_function_that_calls_itself_ends() -> None:
    @numba.njit
    def count(number):
        return 0 if number == 0 else count(number - 1)

    assert contents(count.py_func)


def around(value: Any) -> Callable[[int], int]:
    """A function that finds a module around it."""
    thing = ModuleType("thing")
    thing.value = value
    return lambda seat: thing.value + seat


def hands_on(value: Any) -> Callable[[int], int]:
    """A function that hands a module of its own on to one inside it."""
    thing = ModuleType("thing")
    thing.value = value
    code = compile("def play(seat):\n    own = thing\n    return (lambda: own.value + seat)()", "play", "exec")
    return FunctionType(code.co_consts[0], {"thing": thing})


@pytest.mark.parametrize("made", [around, hands_on])
def test_what_a_module_holds_is_followed_from_a_closure_and_into_one(made: Any) -> None:
    assert contents(made(1)) == contents(made(1)) != ""
    assert contents(made(1)) != contents(made(2))


def test_a_users_module_with_a_name_from_the_standard_library_is_followed(monkeypatch: pytest.MonkeyPatch) -> None:
    module = ModuleType("sched")
    module.__file__ = "/somewhere/sched.py"
    monkeypatch.setitem(sys.modules, "sched", module)
    one, other = (numba.njit(eval(f"lambda number: number * {times}", {"__name__": "sched"})) for times in (2, 3))
    assert contents(uses(one)) != contents(uses(other))


def test_a_module_that_makes_its_names_when_asked_has_none() -> None:
    module = ModuleType("lazy")
    module.__getattr__ = lambda name: 1
    assert contents(FunctionType((lambda seat: thing.value + seat).__code__, {"thing": module})) == ""  # noqa: F821


@intrinsic
def mine(typing_context, word):
    return None


class Unknown:
    pass


def plain(number: int) -> int:
    return number


@pytest.mark.parametrize("value", [mine, Unknown, Unknown(), plain, numba.vectorize(plain)])
def test_what_nobody_can_follow_has_none(value: Any) -> None:
    """An intrinsic of the user's, a class of theirs, and a plain function, which may be overloaded somewhere."""
    assert contents(uses(value)) == ""
