"""Why a game is tilted: the largest cause that was shown by playing with a change."""

from __future__ import annotations

from collections.abc import Mapping

import polars as pl

from analysis.cards.counterfactual import Counterfactual
from analysis.cards.pairing import ALL
from analysis.compare import Comparison
from analysis.data.results import Verdict
from analysis.seats.advantage import SeatAdvantage
from analysis.stats.intervals import pointwise
from analysis.stats.moments import MIN_DEALS
from reports.study import Study


def distance(verdict: Verdict) -> float:
    """Return the distance of a verdict's share from par, in margins."""
    values = verdict.values
    return abs(values["share"] - values["par"]) / values["margin"] if "share" in values else -1.0


def cause_of(study: Study, judged: Mapping[int, SeatAdvantage], players: int) -> str:
    """Return a sentence on the largest cause that was shown by playing with a change, or that none was shown.

    Changes are played at the usual number of players, which the sentence names if the answer is about another number.
    """
    words, usual = study.words, study.focus.players
    told = _shown(study, judged)
    if told is None:
        return words("cause.none")
    return told if usual == players else words("of_players", players=usual, text=told)


def _shown(study: Study, judged: Mapping[int, SeatAdvantage]) -> str | None:
    """Return the largest cause at the usual number of players; None if none was shown."""
    words = study.words
    found = judged[study.focus.players].verdicts if study.focus.players in judged else ()
    verdict = max((one for one in found if one.status == "tilted"), key=distance, default=None)
    compared: Comparison | None = study.found(f"compare:{study.focus.players}")
    moved = [one for one in compared.verdicts if one.code.startswith("compare_moved")] if compared else []
    if moved:
        return words.verdict(moved[0])
    cards = study.found("cards")
    played: Counterfactual | None = getattr(cards, "counterfactual", cards)
    if played is None or verdict is None:
        return None
    by = "camp" if "camp" in verdict.values else "seat"
    who = str(verdict.values.get(by, ""))
    off = verdict.values["share"] - verdict.values["par"]
    return _card(study, played, by, who, off) if who else None


def _card(study: Study, played: Counterfactual, by: str, who: str, off: float) -> str | None:
    """Return the card that adds most to a tilt, with an interval that is simultaneous for all cards.

    `off` is the distance from par; cards that work against it are no cause.  If no card has a significant effect, the
    sentence says so only if none can explain the distance.
    """
    words = study.words
    titles = {title: name for name, title in study.game.camp_titles.items()} if by == "camp" else {}
    group = titles.get(who, who)
    rows = played.table.filter(
        (pl.col("slot") == ALL) & (pl.col("measure") == "share") & (pl.col("by") == by) & (pl.col("group") == group)
        & (pl.col("deals") >= MIN_DEALS) & pl.col("effect_low").is_not_null()
    )  # fmt: skip
    if rows.is_empty():
        return None
    half = rows["effect_se"].to_numpy() * pointwise(study.thresholds.level, rows["deals"].to_numpy(), len(rows))
    toward = pl.col("effect") if off > 0 else -pl.col("effect")
    sized = rows.with_columns(half=pl.Series(half), toward=toward, size=toward - pl.Series(half)).sort("size")
    row = sized.row(-1, named=True)
    whose = words(f"cause.{by}", who=words.name(who))
    values = {"card": words.name(row["card"]), "of": len(rows), "whose": whose, "deals": row["deals"]}
    if row["size"] <= 0:
        reach = max(float((sized["toward"] + sized["half"]).max()), 0.0)  # type: ignore[arg-type]
        return words("cause.no_card", reach=reach, **values) if reach < abs(off) else None
    ends = {"effect": row["effect"], "low": row["effect"] - row["half"], "high": row["effect"] + row["half"]}
    return words("cause.card", **values | ends)
