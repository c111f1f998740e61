"""What do the cards do? One table for the report's section and the pages of `equipoise cards`."""

from __future__ import annotations

import polars as pl

from analysis.cards.table import FEWER, MOST, QUICK, WITHIN, CardTable, card_pilot, things_of
from analysis.data.declarations import Cards
from reports.figures.base import Figure
from reports.figures.corners import Corners
from reports.figures.forest import Forest, Panel
from reports.page import Block, Column, Picture, Section, basis, notes, sentences, table
from reports.sections.across import SEARCHED, cards_across
from reports.sections.common import failed, failures
from reports.study.study import Study
from reports.words import Words

ALPHA = 0.05

BRIEF = 12
"""Rows that a terminal shows."""

COLUMNS = (
    Column("tier", "count"), Column("card", "name"), Column("role", "name", wide=True),
    Column("does", "points", digits=1), Column("decides", "share", "col.card_decides", digits=1),
    Column("iwd", "points", digits=1, wide=True), Column("gih_wr", "share", digits=1, wide=True),
    Column("oh_wr", "share", digits=1, wide=True, bare=True), Column("picked", "share", digits=0, wide=True),
    Column("played", "share", digits=0, wide=True), Column("seen", "share", "col.in_play", digits=0, wide=True),
    Column("with_winner", "share", digits=0, wide=True), Column("corner", "name", wide=True),
    Column("needed", "count", wide=True),
)  # fmt: skip
SHARES = (
    Column("card", "name"), Column("group", "name"), Column("effect", "points", "col.share_effect", digits=1),
    Column("p_holm", "p"), Column("p_bh", "p"),
)  # fmt: skip


def name_of(result: CardTable) -> str:
    """Return the beginning of the names of what shows a result."""
    return f"cards-{result.noun.lower().replace(' ', '-')}-{result.inputs[0].players}"


def card_blocks(words: Words, result: CardTable) -> list[Block]:
    """Return the picture and the tables of a result."""
    name, blocks = name_of(result), list[Block]()
    alone = len(result.table) == 1
    picture = by_group(words, result) if alone else corners(words, result) or by_group(words, result)
    blocks += [picture] if picture else []
    rows = result.table
    empty = [column for column in rows.columns if rows[column].null_count() == len(rows)]
    rows = rows.drop([*empty, *(["role"] if set(rows["role"]) == {""} else [])])
    noun, caption = words.plural(result.noun), words("caption.cards")
    noun = noun[:1].upper() + noun[1:]
    title = words("cards.of", noun=noun, title=words("table.cards"))
    blocks.append(table(words, name, title, rows, COLUMNS, caption, brief=BRIEF))
    for by in ("camp", "strategy", "seat"):
        part = result.effects.filter(pl.col("by") == by).sort("p_holm", "p", nulls_last=True)
        if len(part):
            names = group_names(words, by, part)
            part = part.with_columns(pl.col("group").replace_strict(names, return_dtype=pl.String))
            title = words("cards.of", noun=noun, title=words(f"table.cards_by_{by}"))
            blocks.append(table(words, f"{name}-by-{by}", title, part, SHARES, words("caption.cards_by"), folded=True))
    return blocks


def cards(study: Study) -> Section | None:
    """Return what the cards and other things of the game do, for the focus of the report."""
    words, things = study.words, things_of(study.game)
    if not things:
        return None
    blocks: list[Block] = []
    results: list[CardTable] = []
    title = words("section.cards", noun=words.plural(things[0].noun))
    limits, most = study.thresholds, min(study.deals, FEWER if study.quick else MOST)
    most = min(most, SEARCHED) if study.focus.spec.searches else most
    for number, thing in enumerate(things):

        def ask(number: int = number, thing: Cards = thing) -> CardTable:
            return card_pilot(
                study.focus.spec,
                thing,
                within=QUICK if study.quick else WITHIN,
                most=most,
                level=limits.level,
                tick=lambda done, total: study.advance((number + done / max(total, 1)) / len(things)),
                race=False,
                margin=limits.margin,
            ).table()

        result = study.ask("cards" if not number else f"cards:{thing.noun}", ask) if study.focus.playable else None
        if result is not None:
            results.append(result)
            blocks += card_blocks(words, result)
    if not results:
        return failed(study, "cards", title)
    if study.declarations.cards and study.focus.score is not None:
        blocks += cards_across(study)
    return Section(
        "cards",
        title,
        tuple(said for result in results for said in sentences(words, result)),
        tuple(blocks),
        notes(words, *results) + failures(study, "cards"),
        basis(words, *(item for result in results for item in result.inputs)),
    )


def group_names(words: Words, by: str, part: pl.DataFrame) -> dict[str, str]:
    """Return the names of camps, strategies or seats."""
    groups = dict.fromkeys(part["group"])
    if by == "seat":
        return {group: words("seat.number", seat=int(group)) for group in groups}
    return {group: words.name(group) if by == "camp" else group for group in groups}


def corners(words: Words, result: CardTable) -> Picture | None:
    """Return how often each is chosen against what it does; None if nothing is chosen, or nothing can be blank."""
    frame = result.table.filter(pl.col("chosen").is_not_null() & pl.col("does").is_not_null())
    if frame.is_empty():
        return None
    frame = frame.select("card", "role", "chosen", "does", "does_low", "does_high", "tier", "corner")
    across = words("axis.picked" if result.table["picked"].null_count() < len(result.table) else "axis.played")
    figure = Corners(frame, across, words("axis.does"), words=words)
    return Picture(f"{name_of(result)}-corners", words("figure.corners"), figure, words("caption.corners"))


def by_group(words: Words, result: CardTable) -> Picture | None:
    """Return what each does to the wins of each camp, strategy or seat."""
    effects = result.effects
    if effects.is_empty():
        return None
    by = next(by for by in ("camp", "strategy", "seat") if (effects["by"] == by).any())
    own = effects.filter(pl.col("by") == by)
    frame = own.select(
        row="card",
        series="group",
        value="effect",
        low="effect_low",
        high="effect_high",
        stands=(pl.col("p_holm") < ALPHA).fill_null(False),
    )
    panel = Panel(words(f"axis.share_effect_{by}"), frame, True)
    rows = [card for card in result.table["card"].unique(maintain_order=True) if card in set(frame["row"])]
    figure = Forest(rows, [panel], group_names(words, by, own), words=words)
    return Picture(f"{name_of(result)}-forest", words("figure.cards_wins"), figure, words("caption.cards_wins"))


def figures(words: Words, result: CardTable) -> dict[str, Figure]:
    """Return the figures of a result, by name."""
    pictures = (corners(words, result), by_group(words, result))
    return {picture.name: picture.figure for picture in pictures if picture}
