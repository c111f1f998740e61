"""The page of a sensitivity analysis."""

from __future__ import annotations

from collections.abc import Sequence
from shlex import quote

import polars as pl

from analysis.sensitivity import FLIPS, SHUFFLED, Sensitivity
from reports.figures.forest import Forest, Panel
from reports.page import Block, Column, Picture, Report, Section, Step, notes, sentences, table
from reports.pages.common import facts, for_players, method
from reports.steps import changed, named, playing, steps
from reports.study.study import words_of
from reports.words import Words
from simcore.game import Game, load_game
from simcore.homes import typed
from simcore.rules.files import Rules

EFFECTS = (
    Column("parameter", "text", "col.key"),
    Column("value", "text", "col.value"),
    Column("effect", "name", "col.depends"),
    Column("name", "name", "col.who_wins"),
    Column("before", "share", digits=1),
    Column("after", "share", digits=1),
    Column("difference", "points", digits=1),
    Column("changed", "share", digits=1),
)


def compose_sensitivity(
    found: Sensitivity, rules: Rules, words: Words, command: Sequence[str] = ("sensitivity",)
) -> Report:
    """Return the report of a sensitivity analysis.

    found: The result.
    rules: The rules that were examined.
    words: Language.
    command: Command line that made it, without the program's name.
    """
    game = load_game(found.inputs[0].game)
    words = words_of(game.name, rules, words)
    return Report(
        words("sensitivity.title", game=game.title),
        words("sensitivity.subtitle", players=words.listed([str(count) for count in found.players])),
        facts(words, [found], rules, ("parameters", words.number(found.table["parameter"].n_unique(), ","))),
        sentences(words, found),
        notes(words, found),
        (*(_section(words, found, game, count) for count in found.players), method(words, command, "sensitivity")),
        words,
        steps=_steps(words, found, rules),
    )


def _steps(words: Words, found: Sensitivity, rules: Rules) -> tuple[Step, ...]:
    """Return what to do about the reading that matters most."""
    report = ("report", f"report {playing(rules)}")
    tried = found.table.filter(~pl.col("value").str.starts_with(SHUFFLED)).sort(pl.col("difference").abs())
    if tried.is_empty():
        return steps(words, rules, report)
    most = tried.row(-1, named=True)
    setting = quote(f"{most['parameter']}={most['value']}")
    at = f"--game {typed(rules.game_name)} --players {most['players']}"
    return steps(words, rules, ("reading", f"compare {named(rules)} {at}{changed(rules)} --set {setting}"), report)


def names_of(words: Words, game: Game, names: pl.Series) -> dict[str, str]:
    """Return the names of seats or camps."""
    if game.asymmetric:
        return {name: game.camp_titles.get(name, name) for name in names}
    return {name: words("seat.number", seat=name.rpartition("-")[2]) for name in names}


def _section(words: Words, found: Sensitivity, game: Game, players: int) -> Section:
    rows = found.table.filter(pl.col("players") == players)
    blocks: list[Block] = [_figure(words, rows, players)]
    for name, title, frame in (
        ("largest", "table.largest", rows),
        ("variants", "table.variants", found.variants.filter(pl.col("players") == players)),
    ):
        shown = frame.with_columns(
            pl.col("name").replace(names_of(words, game, frame["name"])),
            pl.format("effect_{}", "effect").alias("effect"),
        )
        caption = words("caption.variants")
        blocks.append(
            table(words, f"{name}-{players}", words(title), shown, EFFECTS, caption, folded=name == "variants")
        )
    return for_players(words, blocks, next(item for item in found.inputs if item.players == players))


def _figure(words: Words, rows: pl.DataFrame, players: int) -> Picture:
    """Return the largest effect of each parameter."""
    frame = rows.select(
        pl.format("{}={}", "parameter", "value").alias("row"),
        pl.lit("largest").alias("series"),
        pl.col("difference").alias("value"),
        pl.col("difference_low").alias("low"),
        pl.col("difference_high").alias("high"),
        (pl.col("effect") == FLIPS).alias("stands"),
    )
    panel = Panel(words("axis.sensitivity"), frame, percent=True)
    title = words("figure.sensitivity")
    figure = Forest(frame["row"].to_list(), (panel,), {"largest": title}, words=words)
    return Picture(f"sensitivity-{players}", title, figure, words("caption.sensitivity"))
