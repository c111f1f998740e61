"""The referee's desk: whole files of games, and the command line."""

import argparse
import json
from collections.abc import Callable, Iterable, Iterator
from itertools import chain, groupby
from pathlib import Path
from typing import Any

MAX_MESSAGES = 20

Check = Callable[[Iterable[Any]], list[str]]  # the records of one game, the game line first, to its violations


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


def check_games(path: str | Path, check: Check) -> dict[str, Any]:
    """Check a JSON Lines file of games one after another, holding one record at a time.

    path: The file.
    check: Checks one game; called for the games in the order of the file.
    Returns dict: `games`, `faulty` (games with violations), `violations` (found in all; at most 20 a game), `messages`
        (the first 20, each naming the line of its game line).
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
            found = check(record for _, record in chain([first], lines))
            faulty += bool(found)
            violations += len(found)
            shown = found[: MAX_MESSAGES - len(messages)]
            messages += [f"game {game} from line {first[0]}: {message}" for message in shown]
    if not games and not violations:
        violations, messages = 1, ["the file holds no game"]
    return {"games": games, "faulty": faulty, "violations": violations, "messages": messages}


def serve(
    parser: argparse.ArgumentParser, referee: Callable[[argparse.Namespace], Check], arguments: list[str] | None
) -> int:
    """Run the command line of a game's referee and return the exit status.

    parser: Holds the options of the game's own.
    referee: Turns the parsed options into the function that checks one game.
    arguments: Words of the command line; None for those of the process.
    """
    parser.add_argument("file", type=Path, help="JSON Lines, one game after another")
    options = parser.parse_args(arguments)
    try:
        report = check_games(options.file, referee(options))
    except OSError as error:
        parser.error(f"{options.file}: {error.strerror}")
    print(f"{report['games']} games checked, {report['faulty']} faulty, {report['violations']} violations")
    for message in report["messages"]:
        print(message)
    return 1 if report["violations"] else 0
