"""An independent referee for Middle-Ages replay logs.

It knows the rulebook, the rulings and the log format, and nothing of the simulator. It follows every game on a
table of its own, so every chance outcome must be possible, every decision legal (and to the letter of the rulings
where a seat plays `greedy`), and every number what the table says.

Run ``python -m tests.referee.middle_ages FILE``; exit status 1 means that something is wrong.
"""

import argparse
import json
import sys
from collections.abc import Iterable, Iterator
from contextlib import suppress
from itertools import chain, groupby
from pathlib import Path
from typing import Any

from .header import read_setup
from .scroll import Scroll, Stop
from .walk import Walk

MAX_MESSAGES = 20


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


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    record = dict(pairs)
    if len(record) != len(pairs):
        raise ValueError("a field stands twice")
    return record


def _parse(lines: Iterable[bytes]) -> Iterator[tuple[int, Any]]:
    """Yield (line number from 1, record); a line that is no JSON becomes a text that says why."""
    decode = json.JSONDecoder(object_pairs_hook=_unique).decode
    for number, line in enumerate(lines, start=1):
        try:
            yield number, decode(line.decode("utf-8"))
        except (ValueError, RecursionError) as error:
            yield number, f"unreadable line: {error}"


def check_file(path: str | Path, *, standard: bool = True) -> dict[str, Any]:
    """Check a JSON Lines file of games one after another, holding one record at a time.

    Parameters
    ----------
    path
        The file.
    standard
        As for `check`.

    Returns
    -------
    dict
        `games`, `faulty` (games with violations), `violations` (found in all; at most 20 a game), `messages` (the
        first 20, each naming the line of its game line).
    """
    games = faulty = violations = 0
    messages: list[str] = []

    def game_of(line: tuple[int, Any]) -> int:
        nonlocal games
        record = line[1]
        games += type(record) is dict and record.get("kind") == "game"
        return games

    with Path(path).open("rb") as file:
        for game, lines in groupby(_parse(file), key=game_of):
            first = next(lines)
            found = check((record for _, record in chain([first], lines)), standard=standard)
            faulty += bool(found)
            violations += len(found)
            shown = found[: MAX_MESSAGES - len(messages)]
            messages += [f"game {game} from line {first[0]}: {message}" for message in shown]
    if not games and not violations:
        violations, messages = 1, ["the file holds no game"]
    return {"games": games, "faulty": faulty, "violations": violations, "messages": messages}


def main(arguments: list[str] | None = None) -> int:
    """Run the command line and return the exit status."""
    parser = argparse.ArgumentParser(prog="referee", description="Check a Middle-Ages replay log.")
    parser.add_argument("file", type=Path, help="JSON Lines, one game after another")
    parser.add_argument("--variant", action="store_true", help="accept another tile table and repeated Events")
    options = parser.parse_args(arguments)
    try:
        report = check_file(options.file, standard=not options.variant)
    except OSError as error:
        parser.error(f"{options.file}: {error.strerror}")
    print(f"{report['games']} games checked, {report['faulty']} faulty, {report['violations']} violations")
    for message in report["messages"]:
        print(message)
    return 1 if report["violations"] else 0


if __name__ == "__main__":
    sys.exit(main())
