"""The page of what restrictions cost."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import polars as pl

from analysis.data.results import digits_of
from analysis.restricted_play import Restricted
from reports.commands import playing
from reports.figures.forest import Forest, Panel
from reports.page import Block, Column, Picture, Report, Section, assumed, basis, notes, sentences, table
from reports.pages.common import facts, method
from reports.steps import Wanted, steps, tuning
from reports.study.study import game_titles
from reports.words import Words
from simcore.game import load_game
from simcore.rules.files import Rules
from strategies.restrictions import KINDS

COSTS = (
    Column("restriction", "name"), Column("share", "share", digits=1), Column("payoff", "gain"),
    Column("cost", "points"), Column("cost_of_par", "share", digits=1, wide=True),
    Column("score_cost", "gain", wide=True), Column("changed", "share", "col.winner_changed", digits=1, wide=True),
    Column("p_holm", "p", wide=True),
)  # fmt: skip
BRIEF = 15
"""Number of restrictions that a terminal shows."""

METHODS = ("paired", *KINDS, "relearn")
"""Names of the paragraphs on the method."""


def compose_restricted(
    result: Restricted, rules: Rules, words: Words, command: Sequence[str] = ("restrict",)
) -> Report:
    """Return the report of what restrictions cost."""
    inputs = result.inputs[0]
    game = load_game(inputs.game)
    words = naming(words.of_game(game.name).naming(game_titles(game.name, rules.values, words.lang)), result)
    section = Section(
        "costs",
        words("section.costs"),
        sentences(words, result),
        costs(words, result),
        notes(words, result),
        basis(words, *result.inputs),
    )
    own = facts(
        words,
        [result],
        rules,
        ("restrictions", words.number(len(result.table), ",")),
        _free(words, result),
        judged=False,
    )
    if result.role:
        title = next(role.title for role in game.roles if role.name == result.role)
        own += ((words("fact.par_of_role", role=title), words.number(result.par, ".1%")),)
        subtitle = words("restrict.subtitle_role", role=title, others=result.others, players=inputs.players)
    else:
        subtitle = words("restrict.subtitle", others=result.others, count=inputs.players - 1, players=inputs.players)
    return Report(
        words("restrict.title", game=game.title, strategy=result.strategy),
        subtitle,
        own,
        section.sentences,
        assumed(words, rules),
        (replace(section, sentences=()), method(words, command, *(f"restrict.{key}" for key in METHODS))),
        words,
        steps=steps(
            words,
            rules,
            Wanted("stronger", tuning(rules, inputs.players, result.role, result.strategy, command)),
            Wanted("report", f"report {playing(rules, command=command)}"),
        ),
    )


def _free(words: Words, result: Restricted) -> tuple[str, str]:
    """Return the fact that says how the player does if nothing is forbidden."""
    if not result.unit:
        return "free", words.number(result.share, ".1%")
    digits = digits_of(result.table["cost_se"].max())  # type: ignore[arg-type]
    return "free_payoff", f"{words.number(result.share, f'+.{digits}f')} {words.name(result.unit)}"


def naming(words: Words, result: Restricted) -> Words:
    """Return words that also contain the names of the restrictions."""
    titles: dict[str, str] = {}
    for row in result.table.iter_rows(named=True):
        key = _key(row["kind"], row["about"])
        about = words.known(key) or words.name(row["about"])
        plain = words.known(f"restriction.{row['restriction']}")
        titles |= {key: plain or about, row["restriction"]: plain or words(f"restriction.{row['kind']}", about=about)}
    return words.naming(titles)


def _key(kind: str, about: str) -> str:
    """Return the key of the name of what a restriction is about, in a game's words."""
    return f"{kind}.{about}"


def costs(words: Words, result: Restricted) -> tuple[Block, ...]:
    """Return the costs of restrictions, as a figure for each kind and a table; the words must contain their names."""
    blocks: list[Block] = [_forest(words, result, kind) for kind in KINDS if (result.table["kind"] == kind).any()]
    title, caption = words("table.restrictions"), words("caption.restrictions")
    columns = [column for column in COSTS if column.field in result.table.columns]
    if result.unit:
        lost = Column("cost", "score", "col.cost_payoff")
        columns = [lost if column.field == "cost" else column for column in columns]
    return (*blocks, table(words, "restrictions", title, result.table, columns, caption, brief=BRIEF))


def _forest(words: Words, result: Restricted, kind: str) -> Picture:
    own = result.table.filter(pl.col("kind") == kind)
    lost = f"axis.cost{'_payoff' * bool(result.unit)}"
    panels = [
        Panel(words(title, unit=words.name(result.unit)), _effects(own, name), percent)
        for name, title, percent in (("cost", lost, not result.unit), ("score_cost", "axis.score_cost", False))
        if name in own.columns
    ]
    figure = Forest([_key(kind, about) for about in own["about"]], panels, {"all": words("series.all")}, words=words)
    return Picture(
        f"costs-{kind}", words(f"figure.costs.{kind}"), figure, words(f"caption.costs{'_payoff' * bool(result.unit)}")
    )


def _effects(own: pl.DataFrame, name: str) -> pl.DataFrame:
    low, high = pl.col(f"{name}_low"), pl.col(f"{name}_high")
    return own.select(
        row=pl.concat_str("kind", "about", separator="."),
        series=pl.lit("all"),
        value=name,
        low=low,
        high=high,
        stands=((low > 0) | (high < 0)).fill_null(False),
    )
