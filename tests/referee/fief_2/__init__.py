"""An independent referee for Fief 2 replay logs.

It knows the rulebook, the rulings and the log format, and nothing of the simulator. It follows every game on a table
of its own, so every coin, soldier and card must come from where it is, every decision offer all that is legal (and be
to the letter of the rulings where a seat plays `steward`), every death pass on what the dead leave, and every number
be what the table says.

Run ``python -m tests.referee.fief_2 FILE``; exit status 1 means that something is wrong.
"""

import argparse
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from ..desk import check_games, serve
from ..scroll import Stop
from .header import read_setup
from .pens import Reader
from .walk import Walk


def check(
    records: Iterable[Any],
    *,
    observer: Callable[[str, Sequence[Any], Any], None] | None = None,
    standard: bool = True,
) -> list[str]:
    """Check one game.

    Parameters
    ----------
    records
        The records of the game as parsed JSON, the game line first.
    observer
        Told of every decision of a seat that plays `random`: its name, the options and the one taken.
    standard
        Whether all cards must be those of the box.

    Returns
    -------
    list of str
        The violations, each with the index of its record (the game line is record 0) and what was expected; at most
        20. A violation that leaves the table unknown, such as an illegal move, is the last.
    """
    reader = Reader(records)
    with suppress(Stop):
        setup = read_setup(reader, standard)
        reader.observer = observer
        reader.random = frozenset(seat for seat, name in enumerate(setup.strategies, start=1) if name == "random")
        Walk(reader, setup).run()
        reader.close()
    return reader.violations


def check_file(path: str | Path) -> dict[str, Any]:
    """Check a file of games, as `check_games` does."""
    return check_games(path, check)


def main(arguments: list[str] | None = None) -> int:
    """Run the command line and return the exit status."""
    parser = argparse.ArgumentParser(prog="referee", description="Check a Fief 2 replay log.")
    return serve(parser, lambda _: check, arguments)
