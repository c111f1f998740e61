"""An independent referee for Médiévallons replay logs.

It knows the rulebook, the rulings and the log format, and nothing of the simulator. It follows every deal on a table
of its own, so every card must come from where it is, every decision be legal (and to the letter of the rulings where
a seat plays `collector`), every power be done in full, and every number be what the table says; and it follows the
matches of two players from deal to deal.

Run ``python -m tests.referee.medievallons FILE``; exit status 1 means that something is wrong.
"""

import argparse
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import Any

from ..desk import check_games, serve
from ..scroll import Scroll, Stop
from .header import read_setup
from .matches import Matches
from .observer import Observer
from .walk import Walk


class Session:
    """Checks deals in their order, so that those of a match are held against one another.

    standard: Whether there must be equally many cards of each type. With False the cards of the game line are taken as
        they stand.
    observer: Told of every decision of a seat that plays `random`.
    """

    def __init__(self, *, standard: bool = True, observer: Observer | None = None) -> None:
        self.standard = standard
        self.observer = observer
        self.matches = Matches()

    def check(self, records: Iterable[Any]) -> list[str]:
        """Check one deal.

        Parameters
        ----------
        records
            The records of the deal as parsed JSON, the game line first.

        Returns
        -------
        list of str
            The violations, each with the index of its record (the game line is record 0) and what was expected; at
            most 20. A violation that leaves the table unknown, such as an illegal move, is the last.
        """
        scroll = Scroll(records)
        with suppress(Stop):
            setup = read_setup(scroll, self.standard)
            self.matches.begin(scroll, setup)
            self.matches.finish(setup, Walk(scroll, setup, self.observer).check())
        return scroll.violations


def check(records: Iterable[Any], *, standard: bool = True) -> list[str]:
    """Check one deal by itself, as `Session.check` does."""
    return Session(standard=standard).check(records)


def check_file(path: str | Path, *, standard: bool = True) -> dict[str, Any]:
    """Check a file of deals in their order, as `check_games` does."""
    return check_games(path, Session(standard=standard).check)


def main(arguments: list[str] | None = None) -> int:
    """Run the command line and return the exit status."""
    parser = argparse.ArgumentParser(prog="referee", description="Check a Médiévallons replay log.")
    parser.add_argument("--variant", action="store_true", help="accept other numbers of cards by type")
    return serve(parser, lambda options: Session(standard=not options.variant).check, arguments)
