"""What authors of games import has kept its path, and a tabletop that was written at 7fa3fd5 still works."""

from __future__ import annotations

import json
import subprocess
import sys
from importlib import import_module

import pytest

from tests.authors import PACKAGES, imported_by_authors
from tests.toy import ROOT

TABLE = """
import json, sys
from simcore.kernel.records import blank
from simcore.tabletop import Moment
from siege import GAME
from siege.rules import RULES
from siege.state import STATE
rules, state = blank(RULES), blank(STATE)
rules["players"], state["walls"], state["supplies"] = 3, 4, 1
state["hands"][1]["of"][:] = 2, 0, 1
moment = Moment(None, rules, state, 1)
areas = GAME.tabletop.areas(moment)
shown = [(area.title, area.seat, [(thing.text, *thing.notes) for thing in area.things]) for area in areas]
print(json.dumps([shown, GAME.tabletop.option(moment, 1), GAME.tabletop.question("give", moment)]))
"""


@pytest.mark.parametrize("module", imported_by_authors())
def test_what_authors_import_is_where_the_docs_say(module: str) -> None:
    names = imported_by_authors()[module]
    assert {name for name in names if not hasattr(import_module(module), name)} == set()


def test_an_older_tabletop_still_says_what_lies_on_the_table() -> None:
    """The second of three seats sees its own hand; of the other burgher's it sees the number of cards."""
    path = [str(ROOT), str(PACKAGES / "siege-game")]
    program = f"import sys\nsys.path[:0] = {path}\n{TABLE}"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    areas, option, question = json.loads(done.stdout)
    assert areas == [
        ["Town", None, [["4 wall"], ["1 supply"]]],
        ["Hand", 1, [["grain", "2 in hand"], ["iron", "0 in hand"], ["stone", "1 in hand"]]],
        ["Hand", 2, [["0 cards"]]],
    ]
    assert (option, question) == ("give iron", "What does seat 2 give?")
