"""What authors of games import has kept its path, and a tabletop that was written at 7fa3fd5 still works."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import pytest

from simcore.game import load_game
from simcore.kernel.records import blank
from simcore.tabletop import Moment
from tests.authors import imported_by_authors
from tests.toy import TOY


@pytest.mark.parametrize("module", imported_by_authors())
def test_what_authors_import_is_where_the_docs_say(module: str) -> None:
    names = imported_by_authors()[module]
    assert {name for name in names if not hasattr(import_module(module), name)} == set()


def test_an_older_tabletop_still_says_what_lies_on_the_table() -> None:
    """The second of three seats sees its own hand; of the other burgher's it sees the number of cards."""
    game = load_game(TOY)
    rules, state = blank(game.rules_dtype), blank(game.state_dtype)
    rules["players"], state["walls"], state["supplies"] = 3, 4, 1
    state["hands"][1]["of"][:] = 2, 0, 1
    moment: Any = Moment(None, rules, state, 1)
    table = game.tabletop
    assert table is not None
    assert [
        (area.title, area.seat, [(one.text, *one.notes) for one in area.things]) for area in table.areas(moment)
    ] == [
        ("Town", None, [("4 wall",), ("1 supply",)]),
        ("Hand", 1, [("grain", "2 in hand"), ("iron", "0 in hand"), ("stone", "1 in hand")]),
        ("Hand", 2, [("0 cards",)]),
    ]
    assert (table.option(moment, 1), table.question("give", moment)) == ("give iron", "What does seat 2 give?")
