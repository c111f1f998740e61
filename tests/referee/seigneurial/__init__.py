"""An independent referee for Seigneurial replay logs.

It knows the rulebook, the rulings and the log format, and nothing of the simulator. It follows every game on a table
of its own, so every card must come from where it is, every decision be legal (and to the letter of the rulings where
a seat plays `bailiff` or `gatherer`), every effect be done in full, and every number be what the table says.

Run ``python -m tests.referee.seigneurial FILE``; exit status 1 means that something is wrong.
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
    standard: bool = True,
    observer: Callable[[str, Sequence[Any], Any], None] | None = None,
) -> list[str]:
    """Check one game.

    Parameters
    ----------
    records
        The records of the game as parsed JSON, the game line first.
    standard
        Whether cards, Objectives, track, rent and piles must be the page's. With False those of the game line are
        taken as they stand.
    observer
        Told of every decision of a seat that plays `random`: its kind, the options and the one taken.

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


def check_file(path: str | Path, *, standard: bool = True) -> dict[str, Any]:
    """Check a file of games, as `check_games` does."""
    return check_games(path, lambda records: check(records, standard=standard))


def main(arguments: list[str] | None = None) -> int:
    """Run the command line and return the exit status."""
    parser = argparse.ArgumentParser(prog="referee", description="Check a Seigneurial replay log.")
    parser.add_argument(
        "--variant", action="store_true", help="accept other cards, Objectives, tracks, rents and piles"
    )
    return serve(parser, lambda options: lambda log: check(log, standard=not options.variant), arguments)
