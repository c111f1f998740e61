"""Errors that a user can fix: one line that a terminal can show."""

from __future__ import annotations

import pytest

from simcore.errors import MOST, UsageError


@pytest.mark.parametrize("text", ["a\x1b[31mred", "a\x07bell", "a\u202eback", "a\x9bcontrol"])
def test_messages_and_places_are_printable(text: str) -> None:
    error = UsageError(f"no\n  column '{text}'", f"{text}.toml")
    assert str(error).isprintable()
    assert error.message.startswith("no column 'a?")


def test_long_messages_keep_their_ends() -> None:
    text = str(UsageError("begin " + "x" * 5 * MOST + " end"))
    assert len(text) <= MOST
    assert text.startswith("begin") and text.endswith("end")
