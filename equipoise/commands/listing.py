"""`equipoise games`, `strategies` and `rules`: what there is to play with."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from equipoise.command import command
from equipoise.options import Command, Group, JsonOption
from equipoise.parameters import RULES, GameName, RuleChanges, RuleSet, Typed, rule_names
from simcore.errors import UsageError, nearest, shown
from simcore.homes import GAMES, known_games, typed

if TYPE_CHECKING:
    from simcore.game import Game
    from simcore.rules.files import Rules, Settings


@command("equipoise games", "equipoise games --json")
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
    typer.echo(f"\nSee: equipoise strategies --game {GAMES[1]}, equipoise rules list --game {GAMES[1]}")


@command("equipoise strategies", "equipoise strategies --game medievallons")
def strategies(game: GameName = GAMES[0], json_: JsonOption = False) -> None:
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


# --- `equipoise rules`: list rule sets and their keys, show and validate rules, and list differences ---


app = typer.Typer(
    name="rules",
    cls=Group,
    help="List, show and validate rules, and list how two rule sets differ.",
    rich_markup_mode="markdown",
)

ABSENT = "—"


@command("equipoise rules list", "equipoise rules list --game medievallons")
def list_(game: GameName = GAMES[0], json_: JsonOption = False) -> None:
    """List the rule sets that come with a game."""
    from simcore.game import load_game
    from simcore.rules.files import differences, shipped_rules

    played = load_game(game)
    sets = [_load(played, name) for name in shipped_rules(played)]
    described = [
        {"name": rules.name, "title": rules.title, "changes": list(differences(sets[0], rules))} for rules in sets
    ]
    if json_:
        typer.echo(json.dumps(described, indent=2, ensure_ascii=False))
        return
    rows = [(str(entry["name"]), str(entry["title"]), str(len(entry["changes"]))) for entry in described]
    print_columns(("name", "title", "values changed"), rows)
    if len(sets) > 1:
        at = "" if game == GAMES[0] else f" --game {typed(game)}"
        typer.echo(f"\nSee: equipoise rules diff {sets[0].name} {sets[-1].name}{at}")


@command("equipoise rules keys", "equipoise rules keys effects", "equipoise rules keys --game medievallons")
def keys(
    under: Annotated[
        str, Typed("Only this key and the keys below it, such as effects.  If empty, all.", "KEY", argument=True)
    ] = "",
    rules: RuleSet = "base",
    game: GameName = GAMES[0],
    json_: JsonOption = False,
) -> None:
    """List the keys that --set can change, with their values and ranges."""
    from analysis.data.player_notes import sensible_range
    from simcore.game import load_game
    from simcore.rules.levers import rule_keys

    played = load_game(game)
    loaded = _load(played, rules)
    found = rule_keys(played, loaded)
    if under:
        known = {
            ".".join(parts[:n]) for entry in found for parts in (entry.key.split("."),) for n in range(len(parts) + 1)
        }
        if under not in known:
            raise UsageError(f"KEY: no key '{shown(under)}'{nearest(under, known)}")
        found = [entry for entry in found if f"{entry.key}.".startswith(f"{under}.")]
    most, name = played.players[-1], played.name
    spans = {
        entry.key: sensible_range(name, most, entry.key) or sensible_range(name, most, f"{entry.key}.1")
        for entry in found
    }
    ranges = {key: f"{span[0]:,} to {span[1]:,}" for key, span in spans.items() if span}
    if json_:
        described = [asdict(entry) | {"sensible": spans[entry.key]} for entry in found]
        typer.echo(json.dumps(described, indent=2, ensure_ascii=False))
        return
    rows = [
        (
            entry.key + ("*" if entry.switch else ""),
            json.dumps(entry.value, ensure_ascii=False),
            entry.takes,
            ranges.get(entry.key, ""),
        )
        for entry in found
    ]
    wide = bool(ranges)
    print_columns(("key", "value", "accepts", *(["sensible"] if wide else [])), [row[: 3 + wide] for row in rows])
    meanings = [(entry.key, entry.meaning) for entry in found if entry.meaning]
    if meanings := [*_words_under(loaded, under), *meanings]:
        typer.echo()
        print_columns(("key", "meaning"), meanings)
    if any(entry.switch for entry in found):
        typer.echo("\n* a switch between two readings of the rulebook, or a number that replay logs name.")


@command(
    "equipoise rules show",
    "equipoise rules show gentler-barracks --key effects",
    "equipoise rules show base --set shortfall=debt > mine.toml",
)
def show(
    reference: Annotated[str, Typed(RULES, "RULES", argument=True, complete=rule_names)] = "base",
    game: GameName = GAMES[0],
    settings: RuleChanges = None,
    key: Annotated[str, Typed("Print only one table or value, such as events.alliance.", "KEY")] = "",
    json_: JsonOption = False,
) -> None:
    """Print complete rules as a file that extends no other file."""
    from simcore.game import load_game
    from simcore.rules.files import shipped_rules
    from simcore.toml_tables import write

    played = load_game(game)
    rules = _load(played, reference, settings)
    table = rules.to_dict()
    if json_:
        typer.echo(json.dumps(_part(table, key) if key else table, indent=2, ensure_ascii=False))
    elif key:
        part = _part(table, key)
        for name in reversed(key.split(".")):
            part = {name: part}
        for line in _words_under(rules, key):
            typer.echo(f"# {': '.join(line)}")
        typer.echo(write(_set_keys(part)), nl=False)
    else:
        typer.echo(f"# digest {rules.digest}")
        typer.echo(f"# assumed (read from pictures): {', '.join(rules.assumed) or 'nothing'}")
        typer.echo(f"# rules shipped with {game}: {', '.join(shipped_rules(played))}")
        for line in _words_under(rules):
            typer.echo(f"# {': '.join(line)}")
        typer.echo()
        typer.echo(rules.to_toml(), nl=False)


@command("equipoise rules validate mine.toml", "equipoise rules validate mine.toml --players 4")
def validate(
    references: Annotated[
        Sequence[str], Typed("Paths of TOML files, or shipped names.", "RULES", each=True, argument=True)
    ],
    game: GameName = GAMES[0],
    players: Annotated[
        int | None, Typed("Number of players to check; without it, every number that the game allows.")
    ] = None,
) -> None:
    """Check that rule files can be read and played."""
    from simcore.game import load_game

    played = load_game(game)
    if players is not None and players not in played.players:
        raise UsageError(f"--players: {played.title} is for {played.span}, not {players}")
    counts = [players] if players is not None else list(played.players)
    problems = []
    for reference in references:
        try:
            rules = _load(played, reference)
        except UsageError as error:
            problems.append(str(error))
            continue
        failures = {count: problem for count in counts if (problem := _unplayable(played, rules, count))}
        failed = list(failures.values())
        if fit := [count for count in counts if failed and count not in failures]:
            failed[-1] += f"; if you play with fewer or more, check that number alone, such as --players {fit[-1]}"
        problems += [f"{reference}: {problem}" for problem in failed]
        if not failed:
            typer.echo(
                f"ok: {reference}: '{rules.title}', {', '.join(map(str, counts))} players, digest {rules.digest[:12]}"
            )
    for problem in problems[:-1]:
        typer.echo(f"error: {problem}", err=True)
    if problems:
        raise UsageError(problems[-1])


@command("equipoise rules diff base gentler-barracks", "equipoise rules diff base mine.toml --json")
def diff(
    old: Annotated[str, Typed(RULES, "OLD", argument=True, complete=rule_names)],
    new: Annotated[str, Typed(RULES, "NEW", argument=True, complete=rule_names)],
    game: GameName = GAMES[0],
    json_: JsonOption = False,
) -> None:
    """List every value in which two sets of rules differ."""
    from simcore.game import load_game
    from simcore.rules.files import differences

    played = load_game(game)
    first, second = _load(played, old), _load(played, new)
    changes = differences(first, second)
    if json_:
        sides = {
            side: {"name": rules.name, "digest": rules.digest} for side, rules in (("old", first), ("new", second))
        }
        typer.echo(json.dumps(sides | {"changes": changes}, indent=2, ensure_ascii=False))
    elif not changes:
        typer.echo(f"{first.name} and {second.name}: the same rules")
    else:
        _print_table(first.name, second.name, changes)


def _load(game: Game, reference: str | Path | Rules, settings: Settings = None) -> Rules:
    """Return rules; messages about errors in them name no option where rules are arguments."""
    from simcore.rules.files import load_rules

    try:
        return load_rules(game, reference, settings)
    except UsageError as error:
        raise UsageError(error.message if error.where == "rules" else str(error)) from None


def _words_under(rules: Rules, key: str = "") -> list[tuple[str, str]]:
    """Return what the rules' own cards do, in words, by their keys: those of one table, or all."""
    return [(own, text) for own, text in rules.values.in_words().items() if not key or f"{own}.".startswith(f"{key}.")]


def _print_table(old: str, new: str, changes: dict[str, dict[str, Any]]) -> None:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table()
    for heading in ("key", old, new):
        table.add_column(Text(heading), overflow="fold")
    for key, values in changes.items():
        table.add_row(key, *(Text(_cell(values, side)) for side in ("old", "new")))
    Console().print(table)


def _cell(values: dict[str, Any], side: str) -> str:
    value = values.get(side)
    return ABSENT if value is None else json.dumps(value, ensure_ascii=False)


def _unplayable(game: Game, rules: Rules, players: int) -> str | None:
    """Return why this number of players cannot play by the rules, or None if they can."""
    try:
        game.pack(rules.values, players)
    except UsageError as error:
        return str(error)
    return None


def _part(table: Any, key: str) -> Any:
    """Return the table or value under a dotted key."""
    for name in key.split("."):
        if not isinstance(table, dict) or name not in table:
            known = table if isinstance(table, dict) else ()
            raise UsageError(f"--key {key}: no key '{name}'{nearest(name, known)}")
        table = table[name]
    return table


def _set_keys(table: dict[str, Any]) -> dict[str, Any]:
    """Return a table without the keys whose value is None, which TOML cannot write."""
    return {
        key: _set_keys(value) if isinstance(value, dict) else value for key, value in table.items() if value is not None
    }


for one in (list_, keys, show, validate, diff):
    app.command(one.__name__.strip("_"), cls=Command, epilog=one.examples)(one)
