"""The exact odds of fights in Fief 2, as a table, JSON or a chart."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from equipoise.command import Ask
from equipoise.files import whole_file
from equipoise.options import JsonOption
from equipoise.parameters import GameName, Question, Replace, RuleChanges, RuleSet, Typed, whole
from equipoise.questions.asked import listed, question
from simcore.errors import UsageError

if TYPE_CHECKING:
    import polars as pl

GAME = "fief-2"
"""The only game whose fights have exact odds."""

COLUMNS = {
    "attacker": ("attacker", "{}"), "defender": ("defender", "{}"), "attacker_wins": ("wins", "{:.1%}"),
    "defender_wins": ("loses", "{:.1%}"), "both_gone": ("nobody left", "{:.1%}"), "rounds": ("rounds", "{:.2f}"),
    "attacker_left": ("left", "{:.2f}"), "defender_left": ("left of defender", "{:.2f}"),
}  # fmt: skip
"""Heading and format of each column in the terminal; "wins" and "loses" are those of the attacker."""


def points(text: str, side: str) -> list[int]:
    """Return the numbers of points in a text such as "4..18" or "6,10"."""
    from simcore.games.fief_2.combat import MOST_POINTS

    where, several = f"points of the {side}", list[int]()
    for part in text.split(","):
        ends = [whole(end, where, 1, MOST_POINTS) for end in part.split("..", 1)]
        if ends[0] > ends[-1]:
            raise UsageError(f"{part} contains no number; write {ends[-1]}..{ends[0]}", where)
        several += range(ends[0], ends[-1] + 1)
    return list(dict.fromkeys(several))


@dataclass(frozen=True)
class Drawn:
    """The options that only the command has: it draws a chart, and prints a table or JSON."""

    chart: Annotated[Path | None, Typed("Draw the odds by the attacker's points: a .png or .svg file.")] = None
    lang: Annotated[str, Typed("Language of the chart: en or fr.", "LANGUAGE", choices=("en", "fr"))] = "en"
    force: Replace = False
    json_: JsonOption = False

    def carry_out(self, context: typer.Context, question: Question, given: Mapping[str, Any], ask: Ask) -> None:
        """Find the odds, and draw or print them."""
        chart, own, other = self.chart, listed(given["attacker"]), listed(given["defender"])
        if chart is not None and (chart.suffix not in (".png", ".svg") or len(own) < 2 or len(other) > 1):
            raise UsageError(
                f"{chart}: a chart needs a .png or .svg file, several numbers for the attacker and one for the "
                "defender, as in: equipoise odds 4..18 6 --chart odds.png",
                "chart",
            )
        table = ask(False)
        if chart is not None:
            with whole_file(chart, self.force, "chart") as write:
                write(_drawn(table, chart.suffix, self.lang))
        if self.json_:
            typer.echo(json.dumps(table.to_dicts(), indent=2))
            return
        _print(table)
        if chart is not None:
            typer.echo(f"\nChart: {chart}")


@question(
    "equipoise odds 10 6 --ground castle",
    "equipoise odds 4..18 6,10 --darc attacker",
    "equipoise odds 1..30 6 --ground city --chart odds.png",
    only=Drawn,
)
def odds(
    attacker: Annotated[int | Sequence[int], Typed(takes="ATTACKER", read=points, argument=True)],
    defender: Annotated[int | Sequence[int], Typed(takes="DEFENDER", read=points, argument=True)],
    *,
    ground: Annotated[str, Typed(choices=("open", "castle", "city"))] = "open",
    darc: Annotated[str, Typed(choices=("attacker", "defender", "none"))] = "none",
    game: GameName = GAME,
    rules: RuleSet = "base",
    settings: RuleChanges = None,
) -> pl.DataFrame:
    """Show the exact odds of fights in Fief 2, if nobody breaks them off.

    Parameters
    ----------
    attacker
        Points of the attacker, lords included, from 1 to 200: a number, `lo..hi`, or several, separated by commas.
    defender
        Points of the defender, in the same way; every pair fights.
    ground
        Where the defender stands: `open`, `castle` or `city`.
    darc
        Side on which d'Arc fights: `attacker`, `defender` or `none`; she is the last to die.
    game
        Game; only Fief 2 has such fights.

    Returns
    -------
    polars.DataFrame
        One row for each fight: `attacker`, `defender`, `ground`, `darc`, the probabilities `attacker_wins`,
        `defender_wins` and `both_gone`, the mean number of `rounds`, and the mean points that each side has left
        (`attacker_left`, `defender_left`; a side that is gone counts as 0).

    Raises
    ------
    UsageError
        If a side has too few or too many points, the ground, the side or the rules are unknown, or a fight never ends.

    References
    ----------
    * docs/findings/fief-2.md

    Examples
    --------
    >>> import equipoise as eq
    >>> eq.odds([6, 9], 6).select("attacker", "defender").rows()
    [(6, 6), (9, 6)]
    """
    from analysis.games.fief_2.odds import odds_table
    from simcore.game import load_game
    from simcore.rules.files import load_rules

    played = load_game(game)
    if played.name != GAME:
        raise UsageError(f"{played.title} has no fights with exact odds; give {GAME}", "game")
    own, other = ([number] if isinstance(number, int) else number for number in (attacker, defender))
    return odds_table(load_rules(played, rules, settings), own, other, ground, darc)


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
