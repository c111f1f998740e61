"""How kernels are put together: what they call is compiled once, with them, and does what it does in Python."""

from __future__ import annotations

import numpy as np
import pytest

from simcore.kernel import parts
from simcore.kernel.compilation import COMPILED, apart, cached_kernel, inlined, kernel

pytestmark = pytest.mark.skipif(not COMPILED, reason="nothing is compiled")


@kernel
def _lowest(number):
    return 3 * number + 1


@inlined
def _lower(number):
    return _lowest(number) - _lowest(number // 2)


@apart
def _low(number):
    return _lower(number) + _lowest(number)


@kernel
def _refuse(number):
    print("asked for", number)
    if number > 2:
        raise ValueError("too large", number)
    return number


@kernel
def _ask(number):
    return _refuse(number)


def test_what_a_kernel_calls_is_optimised_once_with_it(monkeypatch: pytest.MonkeyPatch) -> None:
    optimised = []
    optimise = parts.Whole._optimize_final_module

    def note(library: parts.Whole) -> None:
        optimised.append(library.name)
        optimise(library)

    monkeypatch.setattr(parts.Whole, "_optimize_final_module", note)

    @kernel
    def whole(number):
        return _low(number) * _lowest(number)

    assert whole(np.int64(7)) == (22 - 10 + 22) * 22
    assert len(optimised) == 1


def test_a_helper_may_be_called_by_python_before_and_after_kernels_call_it() -> None:
    assert _lower(np.int64(4)) == 13 - 7
    assert _low(np.int64(4)) == 13 - 7 + 13
    assert _lower(np.int64(5)) == 16 - 7


def test_an_entry_calls_parts(tmp_path: object) -> None:
    def batch(numbers):
        for place in range(numbers.shape[0]):
            numbers[place] = _low(numbers[place])

    numbers = np.array([4, 7])
    cached_kernel(batch)(numbers)
    assert numbers.tolist() == [19, 34]


def test_a_part_may_print_and_raise_for_who_looks_for_a_mistake(capfd: pytest.CaptureFixture[str]) -> None:
    assert _ask(np.int64(2)) == 2
    with pytest.raises(ValueError, match=r"'too large', 3"):
        _ask(np.int64(3))
    assert capfd.readouterr().out.split() == ["asked", "for", "2", "asked", "for", "3"]
