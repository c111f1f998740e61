"""Errors that a user can fix: one line that a terminal can show."""

from __future__ import annotations

import pytest

from simcore.errors import MOST, UsageError, nearest_key


@pytest.mark.parametrize("text", ["a\x1b[31mred", "a\x07bell", "a\u202eback", "a\x9bcontrol"])
def test_messages_and_places_are_printable(text: str) -> None:
    error = UsageError(f"no\n  column '{text}'", f"{text}.toml")
    assert str(error).isprintable()
    assert error.message.startswith("no column 'a\\")


def test_long_messages_keep_their_ends() -> None:
    text = str(UsageError("begin " + "x" * 5 * MOST + " end"))
    assert len(text) <= MOST
    assert text.startswith("begin") and text.endswith("end")


EXISTS = UsageError("x exists; name another file", "out", (", or replace it with", "force"))


def test_a_way_out_is_named_as_the_reader_can_take_it() -> None:
    assert str(EXISTS) == "out: x exists; name another file, or replace it with the option 'force'"
    typed = "--out: x exists; name another file, or replace it with --force"
    assert EXISTS.on_command_line({"--out", "--force"}) == typed
    assert EXISTS.on_command_line({"--out"}) == "--out: x exists; name another file"


def test_arguments_are_named_as_they_are_typed() -> None:
    assert UsageError("none", "settings").on_command_line(()) == "--set: none"
    assert UsageError("none", "rules.toml: extends").on_command_line(()) == "rules.toml: extends: none"
    assert (
        UsageError("none", "x", ("; write it in", "by_players"))
        .on_command_line({"--by-players"})
        .endswith("; write it in --by-players")
    )


def test_a_key_without_its_table_is_found() -> None:
    keys = ["effects.mill_coins", "starting_coins", "stacks", "tiles.mill.coins"]
    assert nearest_key("mill_coins", keys) == "; did you mean 'effects.mill_coins'?"
    assert nearest_key("coins", keys) == "; did you mean 'tiles.mill.coins'?"
    assert nearest_key("stack", keys) == "; did you mean 'stacks'?"
    assert nearest_key("mill", keys) == "; did you mean 'effects.mill_coins'?"
    assert nearest_key("weather", keys) == "; equipoise rules keys lists them"
