"""A run that several analyses are put to, and its rows."""

from __future__ import annotations

import numpy as np
import pytest

from simcore.running.batch import Spec, run_chunk
from tests.specs import make_spec


@pytest.fixture(scope="module")
def spec() -> Spec:
    return make_spec(3, ["greedy", "random", "random"], design="rotate", seed=21, games=900)


@pytest.fixture(scope="module")
def rows(spec: Spec) -> np.ndarray:
    return run_chunk(spec, 0, 900).reshape(900, 3)
