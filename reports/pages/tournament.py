"""The page of a tournament."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import polars as pl

from analysis.tournament.result import Tournament
from reports.commands import ASKED
from reports.figures.forest import Grid
from reports.opinion import heard
from reports.page import Block, Column, Picture, Report, Section, assumed, basis, notes, sentences, table
from reports.pages.common import about, method, page
from reports.sections.strategies import strengths_figure
from reports.steps import Wanted, restricting, steps, tuning
from reports.words import Words
from simcore.rules.files import Rules

STRATEGIES = (
    Column("strategy", "name"), Column("payoff", "gain"), Column("strength", "signed"),
    Column("even_share", "share", digits=1, bare=True), Column("even_by", "name", wide=True),
    Column("mix", "share", digits=0, bare=True), Column("alpha_rank", "share", digits=0, wide=True),
    Column("best_reply", "name"), Column("exploitable", "share", digits=0, bare=True),
    Column("dominated_often", "share", digits=0, wide=True), Column("dominated_by", "text", wide=True),
)  # fmt: skip
TABLES = (
    Column("company", "text"), Column("strategy", "name"), Column("seats", "count"),
    Column("par_normalised", "number", digits=3), Column("payoff", "gain"), Column("games", "count"),
)  # fmt: skip
SHOWN = 12
"""Largest number of strategies in a heat map."""


def compose_tournament(
    results: Sequence[Tournament], rules: Rules, words: Words, command: Sequence[str] = ("tournament",)
) -> Report:
    """Return the report of a tournament."""
    inputs = [result.inputs[0] for result in results]
    _, words = about(results[0], rules, words)
    names = inputs[0].strategies
    if "role" in results[0].table.columns:
        labels = results[0].table.select(pl.format("{}={}", "role", "strategy"))
        names = tuple(labels.to_series())
    sections = [_section(words, result) for result in results]
    if len(sections) == 1:
        sections = [replace(sections[0], sentences=())]
    own = (
        ("tables", words.listed([str(result.companies["company"].n_unique()) for result in results])),
        ("deals", words.listed([words.number(item.deals, ",") for item in inputs])),
    )
    following = steps(
        words,
        rules,
        Wanted("restrict", restricting(rules, inputs[0].players, command)),
        Wanted("tune", tuning(rules, inputs[0].players, command=command)),
    )
    return page(
        words,
        "tournament",
        results,
        rules,
        [*sections, method(words, command, *_methods(results))],
        following,
        *own,
        heard=(heard(inputs[0], rules, question="tournament", games=ASKED, command=command, beside=names),),
        warnings=assumed(words, rules),
        judged=False,
        count=len(names),
        strategies=words.listed(names),
    )


def _section(words: Words, result: Tournament) -> Section:
    players = result.inputs[0].players
    by_role = "role" in result.table.columns
    blocks: list[Block] = _grids(words, result, players) if by_role else [_grid(words, result, players)]
    for role in dict.fromkeys(result.table["role"]) if by_role else ("",):
        own = result.table.filter(pl.col("role") == role) if role else result.table
        if "strength_low" in own.columns and own["strength_low"].null_count() < len(own):
            name, more = (f"-{role}", f" ({words.name(role)})") if role else ("", "")
            title, caption = words("figure.strengths_at", players=players) + more, words("caption.strengths_at")
            blocks.append(strengths_figure(words, own, f"strengths{name}-{players}", title, caption))
    kind = "_payoff" if result.unit else "_roles" * by_role
    title, caption = words("table.tournament", players=players), words(f"caption.tournament{kind}", unit=result.unit)
    shown = result.table.with_columns(pl.when(pl.col("dominated_often").is_not_null()).then("dominated_by"))
    columns = [column for column in STRATEGIES if not column.field.startswith("even_")] if by_role else STRATEGIES
    if result.unit:
        columns = [Column("exploitable", "gain") if column.field == "exploitable" else column for column in columns]
    columns = [Column("role", "name"), columns[0], Column("par_normalised"), *columns[1:]] if by_role else columns
    blocks.append(table(words, f"strategies-{players}", title, shown, columns, caption, brief=len(result.table)))
    title = words("table.tournament_tables", players=players)
    blocks.append(table(words, f"tables-{players}", title, result.companies, TABLES, folded=True))
    return Section(
        f"players-{players}",
        words("tournament.section", players=players),
        sentences(words, result),
        tuple(blocks),
        notes(words, result),
        basis(words, *result.inputs),
    )


def _grid(words: Words, result: Tournament, players: int) -> Picture:
    value = "payoff" if result.unit else "par_normalised"
    half = (pl.col(f"{value}_high") - pl.col(f"{value}_low")) / 2
    frame = result.versus.select(row="strategy", column="opponent", value=value, half=half)
    top, axis = result.order[:SHOWN], words("axis.table_of")
    if result.unit:
        title, caption = words("figure.versus_payoff", unit=result.unit), words("caption.versus_payoff")
        reach = float(frame["value"].abs().max() or 1.0)  # type: ignore[arg-type]
        grid = Grid(top, top, frame, result.par, reach, title, axis, percent=False, digits=3, words=words)
    else:
        title, caption = words("figure.versus"), words("caption.versus")
        grid = Grid(top, top, frame, 1.0, 1.0, title, axis, above=players - 1.0, words=words)
    more = words("caption.versus_top", shown=len(top), count=len(result.order)) if len(result.order) > SHOWN else ""
    return Picture(f"match-ups-{players}", title, grid, f"{caption} {more}".strip())


def _grids(words: Words, result: Tournament, players: int) -> list[Block]:
    """Return a heat map for each role and each role that it meets."""
    half = (pl.col("par_normalised_high") - pl.col("par_normalised_low")) / 2
    found: list[Block] = []
    for (role, against), frame in result.versus.group_by("role", "against", maintain_order=True):
        own, met = words.name(str(role)), words.name(str(against))
        title = words("figure.versus_own" if role == against else "figure.versus_roles", role=own, against=met)
        rows, columns = (
            list(result.table.filter(pl.col("role") == str(one))["strategy"])[:SHOWN] for one in (role, against)
        )
        cells = frame.select(row="strategy", column="opponent", value="par_normalised", half=half)
        axis = words("axis.table_of_role", role=met)
        grid = Grid(rows, columns, cells, 1.0, 1.0, title, axis, above=players - 1.0, words=words)
        found.append(Picture(f"match-ups-{role}-{against}-{players}", title, grid, words("caption.versus_roles")))
    return found


def _methods(results: Sequence[Tournament]) -> tuple[str, ...]:
    """Return the names of the paragraphs on the method."""
    designs = dict.fromkeys(result.inputs[0].design for result in results)
    by_role = "_roles" if any("role" in result.table.columns for result in results) else ""
    return (
        *(f"tournament.{design}{by_role}" for design in designs),
        f"equilibrium{by_role}",
        "alpha_rank",
        "dominated",
        "deals_blocks",
        "terms",
    )
