"""The page of the luck ledger."""

from __future__ import annotations

from collections.abc import Sequence

import polars as pl

from analysis.luck import Luck
from analysis.seats.levels import SEARCH
from reports.commands import ASKED, playing
from reports.figures.forest import Forest, Panel
from reports.opinion import heard
from reports.page import Block, Column, Picture, Report, Section, assumed, notes, table
from reports.pages.common import about, for_players, method, page
from reports.steps import Wanted, steps
from reports.words import Words
from simcore.rules.files import Rules
from strategies.skill import players_of, skills_of

PARTS = (
    Column("source", "name", "col.luck_source"),
    Column("part", "share", "col.luck_part", digits=1),
    Column("alone", "share", "col.decided_alone", digits=1, wide=True),
    Column("changed", "share", "col.drawn_again", digits=1),
)


def compose_luck(results: Sequence[Luck], rules: Rules, words: Words, command: Sequence[str] = ("luck",)) -> Report:
    """Return the report of which part of who wins is decided by what."""
    _, words = about(results[0], rules, words)
    players = results[0].inputs[0].players
    judged = [one for one in results if one.verdict.code not in ("luck_none", "luck_unknown")]
    asked = tuple(heard(one.inputs[0], rules, question="luck", games=ASKED, command=command) for one in judged[:1])
    following = steps(
        words,
        rules,
        Wanted("skill", f"skill {playing(rules, players, command)}"),
        *_secrets(rules, players, command),
        Wanted("report", f"report {playing(rules, command=command)}"),
    )
    sections = (*(_section(words, result) for result in results), method(words, command, "luck.walk", "luck.columns"))
    warnings = (*notes(words, *results), *assumed(words, rules))
    return page(words, "luck", results, rules, sections, following, by_players=True, heard=asked, warnings=warnings)


def _secrets(rules: Rules, players: int, command: Sequence[str]) -> list[Wanted]:
    """Return the step to the value of secrets, for a game with players who look ahead."""
    if SEARCH not in skills_of(rules.game_name):
        return []
    named = players_of(rules.game_name, SEARCH)
    who = ",".join(f"{role}={name}" for role, name in named.items()) if len(named) > 1 else next(iter(named.values()))
    return [Wanted("secrets", f"skill {playing(rules, players, command)} --secrets {who}")]


def _section(words: Words, result: Luck) -> Section:
    players = result.inputs[0].players
    frame = result.table.select(
        row="source",
        series=pl.lit("all"),
        value="part",
        low="part_low",
        high="part_high",
        stands=(pl.col("part_low") > 0).fill_null(False),
    )
    blocks: list[Block] = []
    if len(frame):
        panel = Panel(words("axis.decided"), frame, percent=True, centre=None)
        figure = Forest(frame["row"].to_list(), (panel,), {"all": words("series.all")}, words=words)
        caption = words("caption.decided")
        blocks = [
            Picture(f"decided-{players}", words("figure.decided"), figure, caption),
            table(words, f"decided-{players}", words("table.decided"), result.table, PARTS, words("caption.parts")),
        ]
    return for_players(words, blocks, *result.inputs)
