"""What do the cards of chance do?"""

from __future__ import annotations

import polars as pl

from analysis.cards.counterfactual import ALL, Counterfactual, counterfactual
from analysis.cards.impact import CardImpact, card_impact
from reports.figures.forest import Forest, Panel
from reports.page import Block, Column, Picture, Section, basis, notes, sentences, table
from reports.sections.across import cards_across
from reports.sections.common import failed, failures
from reports.study.study import Study
from reports.words import Words

# --- Whose wins cards change: for games without a score, and if the table does not show which deals had a card ---


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
    blocks: list[Block] = [forest_of_wins(words, result)]
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


def forest_of_wins(words: Words, result: Counterfactual) -> Picture:
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


# --- What do the cards of chance do? ---


PAIRED = 5
"""One in this many deals is also played with two cards replaced by blank ones."""

ON_SCORE = (pl.col("by") == "") & (pl.col("measure") == "score")
"""Rows on the mean score of the whole table."""

ESTIMATES = ("others", "exposure", "difference")

TABLE = (
    Column("card", "name"),
    Column("deals", "count", "col.deals_holding"),
    Column("blank", "gain", "col.counterfactual"),
    Column("blank_p_holm", "p", "col.p_holm"),
    Column("others", "gain", "col.counterfactual_others"),
    Column("exposure", "gain", "col.exposure"),
    Column("naive", "number", "col.naive_rate", digits=1),
    Column("winner_changed", "share", digits=1),
)
SLOTS = (
    Column("card", "name"),
    Column("slot", "name"),
    Column("deals", "count", "col.deals_holding"),
    Column("effect", "gain", "measure.score"),
    Column("p_holm", "p"),
)
PAIRS = (
    Column("first", "name"),
    Column("second", "name"),
    Column("measure", "name"),
    Column("deals", "count", "col.deals_holding"),
    Column("interaction", "signed"),
    Column("p_bh", "p"),
)
COST = (
    Column("card", "name"),
    Column("blank_se", "number", "col.error_counterfactual", digits=3),
    Column("variance_ratio", "number", digits=1),
    Column("games", "count", "col.games_counterfactual"),
    Column("exposure_se", "number", "col.error_exposure", digits=3),
    Column("exposure_games", "count", "col.games_exposure"),
    Column("ratio", "number", "col.games_ratio", digits=1),
)


def cards(study: Study) -> Section | None:
    """Return the effects of the cards, estimated in three ways."""
    words, declared = study.words, study.declarations.cards
    if declared is None:
        return None
    title, limits = words("section.cards", noun=words.plural(declared.noun)), study.thresholds
    if not declared.columns or study.focus.score is None:
        return wins_section(study, title)

    def ask() -> CardImpact:
        return card_impact(
            study.focus,
            study.deals,
            study.deals // PAIRED,
            limits.level,
            tick=lambda deals: study.advance(deals / study.deals),
            margin=limits.margin,
        )

    result = study.ask("cards", ask)
    if result is None:
        return failed(study, "cards", title)
    score = _scores(result)
    blocks: list[Block] = [forest(words, result), three_ways(words, result)]
    plain = result.exposure.table.filter(ON_SCORE).select("card", "^difference.*$")
    changed = result.counterfactual.changed.filter(pl.col("slot") == ALL).select("card", "^winner_changed.*$")
    side_by_side = score.join(plain, on="card", how="left").join(changed, on="card", how="left")
    blocks.append(table(words, "cards", words("table.cards"), side_by_side, TABLE, words("caption.cards_table")))
    effects = result.counterfactual.table
    blocks += [*on_the_table(study, result.counterfactual), *favours(study, result.counterfactual)]
    slots = effects.filter((pl.col("slot") != ALL) & (pl.col("by") == "") & (pl.col("measure") == "score"))
    blocks.append(table(words, "cards-by-slot", words("table.cards_slots"), slots, SLOTS, folded=True))
    together = result.counterfactual.pairs.drop_nulls("p_bh").sort("p_bh", "p").head(20)
    if len(together):
        blocks.append(
            table(words, "cards-pairs", words("table.cards_pairs"), together, PAIRS, words("caption.cards_pairs"), True)
        )
    blocks += cards_across(study)
    saved = [verdict for verdict in result.verdicts if verdict.code.startswith("pairing")]
    found = [verdict for verdict in result.verdicts if verdict not in saved]
    caption = " ".join([*(one.text for one in sentences(words, result, saved)), words("caption.cards_cost")])
    blocks.append(table(words, "cards-cost", words("table.cards_cost"), result.efficiency, COST, caption, True))
    return Section(
        "cards",
        title,
        sentences(words, result, found),
        tuple(blocks),
        notes(words, result) + failures(study, "cards"),
        basis(words, *result.inputs),
    )


def _scores(result: CardImpact) -> pl.DataFrame:
    """Return the effect of each card on the score of the whole table, largest first."""
    return result.table.filter(ON_SCORE).sort(pl.col("blank").abs(), descending=True, nulls_last=True)


def forest(words: Words, result: CardImpact) -> Picture:
    """Return the counterfactual effect of each card on score and win share, side by side."""
    score = _scores(result)
    named = {"blank": "value", "blank_low": "low", "blank_high": "high"}
    stands = (pl.col("blank_p_holm") < ALPHA).fill_null(False)
    left = score.select(pl.col("card").alias("row"), pl.lit("all").alias("series"), *named, stands=stands)
    by = split_by(result.table)
    shares = result.table.filter((pl.col("measure") == "share") & (pl.col("by") == by))
    right = shares.select(pl.col("card").alias("row"), pl.col("group").alias("series"), *named, stands=stands)
    names = {"all": words("series.all")} | group_names(words, by, shares)
    panels = [
        Panel(words("axis.score_effect"), left.rename(named)),
        Panel(words(f"axis.share_effect_{by}"), right.rename(named), True),
    ]
    figure = Forest(score["card"].to_list(), panels, names, words=words)
    return Picture("cards-forest", words("figure.cards"), figure, words("caption.cards"))


def three_ways(words: Words, result: CardImpact) -> Picture:
    """Return the three estimates of the same effect side by side."""
    score, frames = _scores(result), []
    told = result.exposure.table.filter(ON_SCORE)
    for name, frame, p in (
        ("others", score, "others_p_holm"),
        ("exposure", score, "exposure_p_holm"),
        ("difference", told, None),
    ):
        stands = (
            pl.col(p) < ALPHA if p else ~pl.col(f"{name}_low").le(0).and_(pl.col(f"{name}_high").ge(0))
        ).fill_null(False)
        frames.append(
            frame.select(
                row="card", series=pl.lit(name), value=name, low=f"{name}_low", high=f"{name}_high", stands=stands
            )
        )
    names = {name: words(f"series.{name}") for name in ESTIMATES}
    panel = Panel(words("axis.score_effect_others"), pl.concat(frames))
    figure = Forest(score["card"].to_list(), [panel], names, words=words)
    return Picture("cards-three-ways", words("figure.cards_three"), figure, words("caption.cards_three"))
