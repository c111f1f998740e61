"""`equipoise games` and `equipoise strategies`: list the games and their strategies."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence

import typer

from equipoise.examples import examples
from equipoise.options import GameOption, JsonOption
from simcore.homes import GAMES, known_games

GAMES_EXAMPLES = examples("equipoise games", "equipoise games --json")
STRATEGIES_EXAMPLES = examples("equipoise strategies", "equipoise strategies --game medievallons")


def games(json_: JsonOption = False) -> None:
    """List the games that are installed."""
    from equipoise.api.listing import describe_game
    from simcore.game import load_game

    described = [describe_game(load_game(name)) for name in known_games()]
    if json_:
        typer.echo(json.dumps(described, indent=2, ensure_ascii=False))
        return
    rows = [
        (
            entry["name"],
            entry["title"],
            f"{entry['players'][0]} to {entry['players'][-1]}",
            ", ".join(role["name"] for role in entry["roles"]) if len(entry["roles"]) > 1 else "none",
            f"{len(entry['rules'])} rule set{'s' * (len(entry['rules']) > 1)}, {len(entry['strategies'])} strategies",
        )
        for entry in described
    ]
    print_columns(("name", "title", "players", "roles", "comes with"), rows)
    typer.echo("\nSee: equipoise strategies --game NAME, equipoise rules list --game NAME")


def strategies(game: GameOption = GAMES[0], json_: JsonOption = False) -> None:
    """List the strategies that come with a game."""
    from equipoise.api.listing import describe_strategies
    from simcore.game import load_game

    played = load_game(game)
    described = describe_strategies(played)
    if json_:
        typer.echo(json.dumps(described, indent=2, ensure_ascii=False))
        return
    roles = ("role",) if played.asymmetric else ()
    rows = [
        (
            entry["name"] + ("*" if entry["default"] else ""),
            *([entry["role"] or "any"] if roles else []),
            entry["policy"],
            first_sentence(entry["description"]) or entry["title"],
        )
        for entry in described
    ]
    print_columns(("name", *roles, "policy", "style"), rows)
    typer.echo("\n* plays if you name no strategy.\nFull descriptions: equipoise strategies --json")


def first_sentence(text: str) -> str:
    """Return a text up to its first full stop or semicolon."""
    return re.split(r"\. (?=[A-Z])|; ", text, maxsplit=1)[0].rstrip(".") + "." if text else ""


def print_columns(headings: tuple[str, ...], rows: Iterable[Sequence[str]]) -> None:
    """Print rows under headings; a text that is too long for the terminal continues on the next line of its column."""
    from rich import box
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False)
    for heading in headings:
        last = heading == headings[-1]
        table.add_column(Text(heading), no_wrap=heading == headings[0], overflow="fold", ratio=1 if last else None)
    for row in rows:
        table.add_row(*(Text(cell) for cell in row))
    Console(highlight=False).print(table)
