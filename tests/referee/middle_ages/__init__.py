"""An independent referee for Middle-Ages replay logs.

It knows the rulebook, the rulings and the log format, and nothing of the simulator. It follows every game on a
table of its own, so every chance outcome must be possible, every decision legal (and to the letter of the rulings
where a seat plays `greedy`), and every number what the table says.

Run ``python -m tests.referee.middle_ages FILE``; exit status 1 means that something is wrong.
"""

import argparse
from collections.abc import Iterable
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

from ..desk import check_games, serve
from ..scroll import Scroll, Stop
from .header import read_setup
from .walk import Walk


def check(records: Iterable[Any], *, standard: bool = True) -> list[str]:
    """Check one game.

    Parameters
    ----------
    records
        The records of the game as parsed JSON, the game line first.
    standard
        Whether the box is the rulings' own: their 84 tiles, one copy of each Event. With False the tile table of the
        game line is taken as it stands and Events may repeat.

    Returns
    -------
    list of str
        The violations, each with the index of its record (the game line is record 0) and what was expected; at most
        20. A violation that leaves the table unknown, such as an illegal move, is the last.
    """
    scroll = Scroll(records)
    with suppress(Stop):
        Walk(scroll, read_setup(scroll, standard)).check()
    return scroll.violations


def check_file(path: str | Path, *, standard: bool = True) -> dict[str, Any]:
    """Check a file of games as `check_games` does, each as by `check`."""
    return check_games(path, partial(check, standard=standard))


def main(arguments: list[str] | None = None) -> int:
    """Run the command line and return the exit status."""
    parser = argparse.ArgumentParser(prog="referee", description="Check a Middle-Ages replay log.")
    parser.add_argument("--variant", action="store_true", help="accept another tile table and repeated Events")
    return serve(parser, lambda options: partial(check, standard=not options.variant), arguments)
