"""The page of what restrictions cost."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from dataclasses import replace

import polars as pl

from analysis.restricted_play import Restricted
from reports.figures.forest import Forest, Panel
from reports.page import Block, Column, Listing, Picture, Remark, Report, Section, basis, notes, sentences, table
from reports.portable import portable_command
from reports.study import game_titles
from reports.words import Words
from simcore.game import load_game
from simcore.rules.files import Rules
from strategies.restrictions import KINDS

COSTS = (
    Column("restriction", "name"),
    Column("share", "share", digits=1),
    Column("cost", "points"),
    Column("cost_of_par", "share", digits=1),
    Column("score_cost", "signed"),
    Column("changed", "share", "col.winner_changed", digits=1),
    Column("p_holm", "p"),
)


def compose_restricted(
    result: Restricted, rules: Rules, words: Words, command: Sequence[str] = ("restrict",)
) -> Report:
    """Return the report of what restrictions cost.

    Parameters
    ----------
    result
        The costs.
    rules
        The rules of the games.
    words
        Language.
    command
        Command line that made it, without the program's name.
    """
    inputs = result.inputs[0]
    game = load_game(inputs.game)
    words = naming(words.of_game(game.name).naming(game_titles(game.name, rules.values, words.lang)), result)
    section = _section(words, result)
    facts: tuple[tuple[str, str], ...] = (
        (words("fact.games"), words.number(inputs.games, ",")),
        (words("fact.players"), str(inputs.players)),
        (words("fact.restrictions"), words.number(len(result.table), ",")),
        (words("fact.rules"), words.listed([rules.name, *rules.settings])),
        (words("fact.free"), words.number(result.share, ".1%")),
    )
    warnings = (words("warn.assumed", tables=words.listed(rules.assumed)),) if rules.assumed else ()
    if result.role:
        title = next(role.title for role in game.roles if role.name == result.role)
        facts += ((words("fact.par_of_role", role=title), words.number(result.par, ".1%")),)
        subtitle = words("restrict.subtitle_role", role=title, others=result.others, players=inputs.players)
    else:
        subtitle = words("restrict.subtitle", others=result.others, count=inputs.players - 1, players=inputs.players)
    return Report(
        words("restrict.title", game=game.title, strategy=result.strategy), subtitle,
        facts, section.sentences, warnings, (replace(section, sentences=()), _method(words, command)), words,
    )  # fmt: skip


def naming(words: Words, result: Restricted) -> Words:
    """Return words that also contain the names of the restrictions."""
    titles: dict[str, str] = {}
    for row in result.table.iter_rows(named=True):
        key = _key(row["kind"], row["about"])
        plain = words.known(key) or words.name(row["about"])
        titles |= {key: plain, row["restriction"]: words(f"restriction.{row['kind']}", about=plain)}
    return words.naming(titles)


def _key(kind: str, about: str) -> str:
    """Return the key of the name of what a restriction is about, in a game's words."""
    return f"{kind}.{about}"


def _section(words: Words, result: Restricted) -> Section:
    return Section(
        "costs", words("section.costs"), sentences(words, result), costs(words, result), notes(words, result),
        basis(words, *result.inputs),
    )  # fmt: skip


def costs(words: Words, result: Restricted) -> tuple[Block, ...]:
    """Return the costs of restrictions, as a figure for each kind and a table; the words must contain their names."""
    blocks: list[Block] = [_forest(words, result, kind) for kind in KINDS if (result.table["kind"] == kind).any()]
    title, caption = words("table.restrictions"), words("caption.restrictions")
    columns = [column for column in COSTS if column.field in result.table.columns]
    return (*blocks, table(words, "restrictions", title, result.table, columns, caption))


def _forest(words: Words, result: Restricted, kind: str) -> Picture:
    own = result.table.filter(pl.col("kind") == kind)
    panels = [
        Panel(words(f"axis.{name}"), _effects(own, name), percent)
        for name, percent in (("cost", True), ("score_cost", False))
        if name in own.columns
    ]
    figure = Forest([_key(kind, about) for about in own["about"]], panels, {"all": words("series.all")}, words=words)
    return Picture(f"costs-{kind}", words(f"figure.costs.{kind}"), figure, words("caption.costs"))


def _effects(own: pl.DataFrame, name: str) -> pl.DataFrame:
    low, high = pl.col(f"{name}_low"), pl.col(f"{name}_high")
    return own.select(
        row=pl.concat_str("kind", "about", separator="."), series=pl.lit("all"), value=name, low=low, high=high,
        stands=((low > 0) | (high < 0)).fill_null(False),
    )  # fmt: skip


def _method(words: Words, command: Sequence[str]) -> Section:
    blocks: list[Block] = [Remark(words(f"method.restrict.{key}")) for key in ("paired", *KINDS, "relearn")]
    blocks.append(Listing(words("commands"), (shlex.join(("equipoise", *portable_command(command))),)))
    return Section("method", words("section.method"), (), tuple(blocks))
