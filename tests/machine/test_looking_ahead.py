"""Searches of the true table are found out in the games that the guard leaves out; each compiles its own search."""

from __future__ import annotations

import pytest

from tests.conformance import test_looking_ahead


@pytest.mark.parametrize("game", ["middle-ages", "seigneurial", "fief-2"])
def test_a_search_of_the_true_table_is_found_out(game: str) -> None:
    test_looking_ahead.test_a_search_of_the_true_table_is_found_out(game, "rollout")
