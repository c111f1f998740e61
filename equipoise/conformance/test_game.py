"""The checks as tests for pytest; the plugin beside this file says for which games and tables."""

from __future__ import annotations

from collections.abc import Callable


def test_game(check: Callable[..., None], arguments: tuple[object, ...]) -> None:
    check(*arguments)
