"""The page of a tournament."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from dataclasses import replace

import polars as pl

from analysis.tournament import Tournament
from reports.figures.matchups import Grid
from reports.page import Block, Column, Listing, Picture, Remark, Report, Section, basis, notes, sentences, table
from reports.sections.strategies import strengths_figure
from reports.words import Words
from simcore.game import load_game
from simcore.rules import Rules

STRATEGIES = (
    Column("strategy", "text"),
    Column("strength", "signed"),
    Column("even_share", "share", digits=1),
    Column("mix", "share", digits=0),
    Column("alpha_rank", "share", digits=0),
    Column("best_reply", "text"),
    Column("exploitable", "share", digits=0),
    Column("dominated_by", "text"),
    Column("dominated_often", "share", digits=0),
)
TABLES = (
    Column("company", "text"),
    Column("strategy", "text"),
    Column("seats", "count"),
    Column("par_normalised", "number", digits=3),
    Column("games", "count"),
)
SHOWN = 12
"""Most strategies that the heat map has room for."""


def compose_tournament(
    results: Sequence[Tournament], rules: Rules, words: Words, command: Sequence[str] = ("tournament",)
) -> Report:
    """Return the report of a tournament.

    Parameters
    ----------
    results
        One a number of players.
    rules
        What was played by.
    words
        Language.
    command
        Command line that made it, without the program's name.
    """
    inputs = [result.inputs[0] for result in results]
    game, names = load_game(inputs[0].game), inputs[0].strategies
    words = words.of_game(game.name)
    sections = [_section(words, result) for result in results]
    players = words.listed([str(item.players) for item in inputs])
    facts = (
        (words("fact.games"), words.number(sum(item.games for item in inputs), ",")),
        (words("fact.players"), players),
        (words("fact.tables"), words.listed([str(result.companies["company"].n_unique()) for result in results])),
        (words("fact.deals"), words.listed([words.number(item.deals, ",") for item in inputs])),
        (words("fact.rules"), words.listed([rules.name, *rules.settings])),
    )
    verdicts = tuple(sentence for section in sections for sentence in section.sentences)
    if len(sections) == 1:
        sections = [replace(sections[0], sentences=())]
    warnings = (words("warn.assumed", tables=words.listed(rules.assumed)),) if rules.assumed else ()
    return Report(
        words("tournament.title", game=game.title, count=len(names)),
        words("tournament.subtitle", players=players, strategies=words.listed(names)), facts,
        verdicts, warnings,
        (*sections, _method(words, results, command)), words,
    )  # fmt: skip


def _section(words: Words, result: Tournament) -> Section:
    players = result.inputs[0].players
    blocks: list[Block] = [_grid(words, result, players)]
    if result.table["strength_low"].null_count() < len(result.table):
        title, caption = words("figure.strengths_at", players=players), words("caption.strengths_at")
        blocks.append(strengths_figure(words, result.table, f"strengths-{players}", title, caption))
    title = words("table.tournament", players=players)
    blocks.append(table(words, f"strategies-{players}", title, result.table, STRATEGIES, words("caption.tournament")))
    title = words("table.tournament_tables", players=players)
    blocks.append(table(words, f"tables-{players}", title, result.companies, TABLES, folded=True))
    return Section(
        f"players-{players}", words("tournament.section", players=players), sentences(words, result), tuple(blocks),
        notes(words, result), basis(words, *result.inputs),
    )  # fmt: skip


def _grid(words: Words, result: Tournament, players: int) -> Picture:
    half = (pl.col("par_normalised_high") - pl.col("par_normalised_low")) / 2
    frame = result.versus.select(row="strategy", column="opponent", value="par_normalised", half=half)
    title = words("figure.versus")
    top = result.order[:SHOWN]
    grid = Grid(top, top, frame, 1.0, 1.0, title, words("axis.table_of"), above=players - 1.0, words=words)
    more = words("caption.versus_top", shown=len(top), count=len(result.order)) if len(result.order) > SHOWN else ""
    return Picture(f"match-ups-{players}", title, grid, f"{words('caption.versus')} {more}".strip())


def _method(words: Words, results: Sequence[Tournament], command: Sequence[str]) -> Section:
    designs = dict.fromkeys(result.inputs[0].design for result in results)
    told = [*(f"tournament.{design}" for design in designs), "equilibrium", "alpha_rank", "dominated", "deals_blocks"]
    blocks: list[Block] = [Remark(words(f"method.{key}")) for key in told]
    blocks.append(Listing(words("commands"), (shlex.join(("equipoise", *command)),)))
    return Section("method", words("section.method"), (), tuple(blocks))
