"""Whose wins cards change: for games without a score, and if the table does not show which deals had a card."""

from __future__ import annotations

import polars as pl

from analysis.cards.counterfactual import ALL, Counterfactual, counterfactual
from reports.figures.forest import Forest, Panel
from reports.page import Block, Column, Picture, Section, basis, notes, sentences, table
from reports.sections.common import failed, failures
from reports.study.study import Study
from reports.words import Words

ALPHA = 0.05

WHOLE = (
    Column("card", "name"),
    Column("score", "gain", "measure.score"),
    Column("spread", "gain", "measure.spread"),
    Column("margin", "gain", "measure.margin"),
    Column("lead_changes", "gain", "measure.lead_changes"),
)
SHARES = (
    Column("card", "name"),
    Column("group", "name"),
    Column("effect", "points", "col.share_effect", digits=1),
    Column("p_holm", "p"),
    Column("p_bh", "p"),
)
WINNER = (Column("card", "name"), Column("winner_changed", "share", digits=1))


def wins_section(study: Study, title: str) -> Section:
    """Return the effects of the cards on the wins, compared with a blank card in their place."""
    words, limits = study.words, study.thresholds

    def ask() -> Counterfactual:
        return counterfactual(
            study.focus,
            deals=study.deals,
            level=limits.level,
            margin=limits.margin,
            tick=lambda deals: study.advance(deals / study.deals),
        )

    result = study.ask("cards", ask)
    if result is None:
        return failed(study, "cards", title)
    changed = _changed(result)
    blocks: list[Block] = [forest(words, result)]
    blocks.append(table(words, "cards", words("table.cards_winner"), changed, WINNER, words("caption.cards_winner")))
    blocks += [*on_the_table(study, result), *favours(study, result)]
    return Section(
        "cards",
        title,
        sentences(words, result),
        tuple(blocks),
        notes(words, result) + failures(study, "cards"),
        basis(words, *result.inputs),
    )


def on_the_table(study: Study, result: Counterfactual) -> list[Block]:
    """Return a table of the effects on the score, its spread, the margin and the lead; nothing without a score."""
    words, frames = study.words, []
    found = result.table.filter((pl.col("slot") == ALL) & (pl.col("by") == ""))
    for (measure,), rows in found.group_by("measure", maintain_order=True):
        frames.append(
            rows.select("card", *(pl.col(f"effect{end}").alias(f"{measure}{end}") for end in ("", "_low", "_high")))
        )
    if study.focus.score is None or not frames:
        return []
    wide = frames[0]
    for frame in frames[1:]:
        wide = wide.join(frame, on="card", how="left")
    wide = wide.sort(pl.col("score").abs(), descending=True, nulls_last=True)
    return [
        table(words, "cards-whole-table", words("table.cards_whole"), wide, WHOLE, words("caption.cards_whole"), True)
    ]


def favours(study: Study, result: Counterfactual) -> list[Block]:
    """Return tables of the effects of the cards on the wins of each camp, each strategy and each seat."""
    words, blocks = study.words, list[Block]()
    shares = _shares(result).sort("p_holm", "p", nulls_last=True)
    for by in ("camp", "strategy", "seat"):
        part = shares.filter(pl.col("by") == by)
        if len(part):
            names = group_names(words, by, part)
            named = part.with_columns(pl.col("group").replace_strict(names, return_dtype=pl.String))
            title, caption = words(f"table.cards_by_{by}"), words("caption.cards_by")
            blocks.append(table(words, f"cards-by-{by}", title, named, SHARES, caption, folded=True))
    return blocks


def _changed(result: Counterfactual) -> pl.DataFrame:
    """Return how often each card changes the winner, most often first."""
    return result.changed.filter(pl.col("slot") == ALL).sort("winner_changed", descending=True, nulls_last=True)


def _shares(result: Counterfactual) -> pl.DataFrame:
    return result.table.filter((pl.col("slot") == ALL) & (pl.col("measure") == "share"))


def split_by(table: pl.DataFrame) -> str:
    """Return whose wins a figure shows: those of the camps if there are any, or of the strategies or the seats."""
    return next(by for by in ("camp", "strategy", "seat") if (table["by"] == by).any())


def group_names(words: Words, by: str, part: pl.DataFrame) -> dict[str, str]:
    """Return the names of camps, strategies or seats."""
    groups = dict.fromkeys(part["group"])
    if by == "seat":
        return {group: words("seat.number", seat=int(group)) for group in groups}
    return {group: words.name(group) if by == "camp" else group for group in groups}


def forest(words: Words, result: Counterfactual) -> Picture:
    """Return the effect of each card on the wins of each camp; of each strategy or seat if there are no camps."""
    shares = _shares(result)
    by = split_by(shares)
    own = shares.filter(pl.col("by") == by)
    frame = own.select(
        row="card",
        series="group",
        value="effect",
        low="effect_low",
        high="effect_high",
        stands=(pl.col("p_holm") < ALPHA).fill_null(False),
    )
    panel = Panel(words(f"axis.share_effect_{by}"), frame, True)
    figure = Forest(_changed(result)["card"].to_list(), [panel], group_names(words, by, own), words=words)
    return Picture("cards-forest", words("figure.cards_wins"), figure, words("caption.cards"))
