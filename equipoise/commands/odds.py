"""`equipoise odds`: the odds of a fight."""

from __future__ import annotations

import json
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from equipoise.files import whole_file
from equipoise.options import GameOption, JsonOption, Language, RulesOption, SetOption, examples
from equipoise.parameters import whole
from simcore.errors import UsageError

if TYPE_CHECKING:
    import polars as pl

EXAMPLES = examples(
    "equipoise odds 10 6 --ground castle",
    "equipoise odds 4..18 6,10 --darc attacker",
    "equipoise odds 1..30 6 --ground city --chart odds.png",
)
COLUMNS = {
    "attacker": ("attacker", "{}"),
    "defender": ("defender", "{}"),
    "attacker_wins": ("wins", "{:.1%}"),
    "defender_wins": ("loses", "{:.1%}"),
    "both_gone": ("nobody left", "{:.1%}"),
    "rounds": ("rounds", "{:.2f}"),
    "attacker_left": ("left", "{:.2f}"),
    "defender_left": ("left of defender", "{:.2f}"),
}
"""Heading and format of each column in the terminal; "wins" and "loses" are those of the attacker."""


class Ground(StrEnum):
    """Where the defender stands."""

    open = "open"
    castle = "castle"
    city = "city"


class Darc(StrEnum):
    """The side on which d'Arc fights."""

    attacker = "attacker"
    defender = "defender"
    none = "none"


def odds(
    attacker: Annotated[
        str,
        typer.Argument(
            metavar="ATTACKER",
            help="Points of the attacker, lords included: a number, lo..hi, or several, separated by commas.",
        ),
    ],
    defender: Annotated[str, typer.Argument(metavar="DEFENDER", help="Points of the defender, in the same way.")],
    ground: Annotated[Ground, typer.Option("--ground", help="Where the defender stands.")] = Ground.open,
    darc: Annotated[
        Darc, typer.Option("--darc", help="Side on which d'Arc fights; she is the last to die.")
    ] = Darc.none,
    game: GameOption = "fief-2",
    rules: RulesOption = "base",
    set_: SetOption = None,
    chart: Annotated[
        Path | None,
        typer.Option(
            "--chart",
            metavar="FILE",
            help="Draw the odds by the attacker's points: a .png or .svg file.",
            show_default=False,
        ),
    ] = None,
    lang: Annotated[Language, typer.Option("--lang", help="Language of the chart: en or fr.")] = Language.en,
    force: Annotated[bool, typer.Option("--force", help="Replace FILE if it exists.")] = False,
    json_: JsonOption = False,
) -> None:
    """Show the exact odds of fights in Fief 2, if nobody breaks them off."""
    from equipoise.api.fighting import odds as find

    own, other = _points(attacker, "points of the attacker"), _points(defender, "points of the defender")
    if chart is not None and (chart.suffix not in (".png", ".svg") or len(own) < 2 or len(other) > 1):
        raise UsageError(
            f"{chart}: a chart needs a .png or .svg file, several numbers for the attacker and one for the defender, "
            "as in: equipoise odds 4..18 6 --chart odds.png",
            "chart",
        )
    table = find(own, other, ground=ground.value, darc=darc.value, game=game, rules=rules, settings=set_)
    if chart is not None:
        with whole_file(chart, force, "chart") as write:
            write(_drawn(table, chart.suffix, lang.value))
    if json_:
        typer.echo(json.dumps(table.to_dicts(), indent=2))
        return
    _print(table)
    if chart is not None:
        typer.echo(f"\nChart: {chart}")


def _points(text: str, where: str) -> list[int]:
    """Return the numbers of points in a text such as "4..18" or "6,10"."""
    from simcore.games.fief_2.combat import MOST_POINTS

    found = list[int]()
    for part in text.split(","):
        ends = [whole(end, where, 1, MOST_POINTS) for end in part.split("..", 1)]
        if ends[0] > ends[-1]:
            raise UsageError(f"{part} contains no number; write {ends[-1]}..{ends[0]}", where)
        found += range(ends[0], ends[-1] + 1)
    return list(dict.fromkeys(found))


def _drawn(table: pl.DataFrame, suffix: str, lang: str) -> bytes:
    """Return the chart as a file."""
    from reports.games.fief_2.odds import odds_chart
    from reports.render.images import WIDE, drawing, png
    from reports.words import Words

    figure = odds_chart(table, Words(lang))
    if suffix == ".png":
        return png(figure)
    return drawing(figure, WIDE).replace(b"<svg ", b"<!-- Equipoise -->\n<svg ", 1)


def _print(table: pl.DataFrame) -> None:
    """Print one line for each fight, from the attacker's point of view."""
    from equipoise.commands.listing import print_columns

    rows = [[form.format(row[name]) for name, (_, form) in COLUMNS.items()] for row in table.to_dicts()]
    print_columns(tuple(heading for heading, _ in COLUMNS.values()), rows)
