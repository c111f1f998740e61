"""What do cards do that seats draw and hold in play?"""

from __future__ import annotations

import polars as pl

from analysis.cards.counterfactual import Counterfactual, counterfactual
from analysis.cards.pairing import ALL
from analysis.data.declarations import Cards
from reports.page import Column, Section, basis, notes, sentences, table
from reports.sections.common import failed, failures
from reports.study import Study

SHARES = (
    Column("card", "name"),
    Column("group", "name"),
    Column("effect", "points", "col.share_effect", digits=1),
    Column("p_holm", "p"),
)


def drawn_cards(study: Study, declared: Cards) -> Section:
    """Return the effect of each card against a blank in its place, on the wins of each camp, or of each seat."""
    words, limits = study.words, study.thresholds

    def ask() -> Counterfactual:
        return counterfactual(
            study.focus, deals=study.deals, level=limits.level, margin=limits.margin,
            tick=lambda deals: study.advance(deals / study.deals),
        )  # fmt: skip

    title = words("section.cards", noun=words.plural(declared.noun))
    result = study.ask("cards", ask)
    if result is None:
        return failed(study, "cards", title)
    shares = result.table.filter((pl.col("slot") == ALL) & (pl.col("measure") == "share"))
    by = "camp" if (shares["by"] == "camp").any() else "seat"
    own = shares.filter(pl.col("by") == by).sort(pl.col("effect").abs(), descending=True)
    if by == "seat":
        seat = pl.col("group").cast(pl.Int64)
        own = own.with_columns(group=seat.replace_strict({n: words("seat.number", seat=n) for n in range(1, 9)}))
    told = table(words, "cards", words("table.cards_drawn"), own, SHARES, words("caption.cards_by"))
    return Section(
        "cards", title, sentences(words, result), (told,), notes(words, result) + failures(study, "cards"),
        basis(words, *result.inputs),
    )  # fmt: skip
