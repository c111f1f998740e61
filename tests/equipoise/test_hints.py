"""Errors advise options as they are typed, and only those that the command has."""

from __future__ import annotations

from typing import Any

import pytest
import typer

from equipoise.cli import app, simulate_app
from equipoise.hints import as_typed, options_of

EXISTS = "--out: x exists; name another file, or replace it with the option 'force'"
EARLY = "r: the run was interrupted; run it again, or read what there is with the option 'partial'"
CODE = "name it yourself, or say that you trust the file, if there is the option 'trust'"
TRUST = "read it, and then say that you trust it with the option 'trust'"


@pytest.mark.parametrize(
    ("message", "has", "has_not"),
    [
        (
            EXISTS,
            "--out: x exists; name another file, or replace it with --force",
            "--out: x exists; name another file",
        ),
        (
            EARLY,
            "r: the run was interrupted; run it again, or read what there is with --partial",
            "r: the run was interrupted; run it again",
        ),
        (CODE, "name it yourself, or say that you trust the file with --trust", "name it yourself"),
        (TRUST, "read it, and then say that you trust it with --trust", TRUST),
        ("one, or two, or confirm with the option 'yes'", "one, or two, or confirm with --yes", "one, or two"),
        ("name it, in the option 'strategies'", "name it, in --strategies", "name it, in the option 'strategies'"),
        ("name one, or write it in the option 'by_players'", "name one, or write it in --by-players", "name one"),
        ("x the option 'force' exists; name another", "x the option 'force' exists; name another", None),
    ],
)
def test_advice_names_the_option_or_is_left_out(message: str, has: str, has_not: str | None) -> None:
    options = {"--force", "--partial", "--trust", "--yes", "--strategies", "--by-players"}
    assert as_typed(message, options) == has
    assert as_typed(message, {"--out"}) == (has_not or has)


def test_the_command_that_is_called_has_the_options() -> None:
    whole: Any = typer.main.get_command(app)
    assert "--partial" in options_of(whole, ["report", "compare", "--level", "95"])
    assert "--partial" not in options_of(whole, ["compare", "report", "export"])
    assert "--json" in options_of(whole, ["rules", "keys"])
    assert "--resume" in options_of(typer.main.get_command(simulate_app), ["--games", "5"])
