"""How do games unfold, and how close do they end?"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import polars as pl

from analysis.course.drama import closeness
from analysis.course.drama import drama as drama_of
from analysis.course.economy import Economy, action_mix
from analysis.course.economy import economy as economy_of
from analysis.course.standings import Drama
from analysis.course.standings import scores as scores_of
from analysis.data.results import Result
from analysis.measures.own import estimated
from analysis.measures.quantities import own_measures
from analysis.measures.rows import COURSE
from analysis.stats.moments import MIN_DEALS
from reports.figures.bars import Bars, Counts, few
from reports.figures.curves import Curves, Ecdf
from reports.figures.forest import Grid
from reports.page import Block, Column, Picture, Section, Table, table
from reports.sections.across import drama_across, economy_across
from reports.sections.common import answered, failed
from reports.study.study import Study
from reports.words import Words

RATES = (*COURSE, "taken")
ENDS = ("", "_low", "_high")
STORY = (Column("what", "name", "col.rate_of"), Column("rate", "share", digits=1), Column("meaning", "text"))
ROUNDS = (
    Column("round", "count"), Column("leader_wins", "share", digits=1), Column("last_wins", "share", digits=1),
    Column("gap", "number", "col.gap_second", digits=1), Column("passed", "share", "col.passed", digits=1),
)  # fmt: skip
TENTHS = (Column("elapsed", "share", digits=0), *ROUNDS[1:])
BEHIND = (Column("behind", "number", digits=2), Column("stories", "count"))
ACTIONS = (
    Column("third", "count"),
    Column("action", "name"),
    Column("share", "share", "col.of_actions", digits=1),
    Column("times", "count", "col.breakdown_times"),
)
TIES = (
    Column("decided_by", "name"),
    Column("games", "count"),
    Column("rate", "share", "col.rate_all", digits=2),
    Column("part", "share", "col.part_level", digits=1),
)


OWN = (
    Column("measure", "text", "col.measure"),
    Column("mean", "number", digits=3),
    Column("rate", "share", "col.breakdown_share", digits=1),
)


def drama(study: Study) -> Section:
    """Return how games unfold, and how they end."""
    words, level = study.words, study.thresholds.level
    title, unit = words("section.drama"), words.name(study.game.score or "score")
    declared = study.declarations
    told = done = None
    if declared.trajectory or declared.standing:
        source = study.deep if declared.trajectory else study.eventful
        told = study.ask("drama:rounds", lambda: drama_of(source, level))
    if declared.actions:
        done = study.ask("drama:actions", lambda: action_mix(study.eventful, level))
    ends = study.ask("drama:ends", lambda: closeness(study.rich, level))
    blocks: list[Block] = _course(study, told) if told is not None else []
    if done is not None:
        caption = words("caption.actions")
        blocks.append(table(words, "actions", words("table.actions"), done.table, ACTIONS, caption))
    scores = study.ask("drama:scores", lambda: _ecdf(study)) if study.game.score else None
    if scores is not None and study.focus.planned >= MIN_DEALS:
        names = {str(seat): words("seat.number", seat=seat) for seat in range(1, study.focus.players + 1)}
        figure_title = words("figure.scores", unit=unit)
        kind, counted = ("counts", Counts) if few(scores) else ("scores", Ecdf)
        caption = words(f"caption.{kind}", unit=unit)
        blocks.append(Picture("scores", figure_title, counted(scores, names, unit, words=words), caption))
    if ends is not None and len(ends.tie_breaks):
        caption = words("caption.ties", level=ends.table["level"][0])
        blocks.append(table(words, "tie-breaks", words("table.ties"), ends.tie_breaks, TIES, caption))
    blocks += [*drama_across(study), *_own(study)]
    results: list[Result] = [result for result in (told, done, ends) if result is not None]
    if not results:
        return failed(study, "drama", title)
    return answered(study, "drama", title, blocks, *results)


def _own(study: Study) -> Iterator[Table]:
    """Yield the measures that the rules or an analyst declare."""
    names = study.ask("drama:own:names", lambda: own_measures(study.deep) or None)
    if names and (means := study.ask("drama:own", lambda: estimated(study.deep, names))) is not None:
        ends = {"": "mean", "_low": "mean_low", "_high": "mean_high"}
        kinds = (("mean", ~pl.col("is_share")), ("rate", pl.col("is_share")))
        parts = [pl.when(when).then(of).alias(kind + end) for kind, when in kinds for end, of in ends.items()]
        yield table(study.words, "own", study.words("table.own"), means.select("measure", *parts), OWN)


def leaders(words: Words, told: Drama) -> Picture:
    """Return how often the seat that leads, and the seat that is last, go on to win."""
    rounds = told.rounds
    by_round = "round" in rounds.columns
    x = pl.col("round") if by_round else 100 * pl.col("elapsed")
    frame = pl.concat(
        rounds.select(series=pl.lit(name), x=x, value=name, low=f"{name}_low", high=f"{name}_high")
        for name in ("leader_wins", "last_wins")
    )
    names = {name: words(f"series.{name}") for name in ("leader_wins", "last_wins")}
    par = 1 / told.inputs[0].players
    axis, key = words("axis.round" if by_round else "axis.elapsed"), "leader" if by_round else "leader_by_length"
    figure = Curves(frame, names, axis, words("axis.wins_game"), (par, words("par.plain", par=par)), True, words=words)
    return Picture("leader", words(f"figure.{key}"), figure, words(f"caption.{key}"))


def _course(study: Study, told: Drama) -> list[Block]:
    """Return who leads as games go on, round by round or by tenths of their length."""
    words, rounds = study.words, told.rounds
    by_round = "round" in rounds.columns
    blocks: list[Block] = [
        leaders(words, told),
        table(words, "story", words("table.story"), _story(study, told.table), STORY),
    ]
    if by_round:
        return [*blocks, table(words, "rounds", words("table.rounds"), rounds, ROUNDS, folded=True)]
    assert study.declarations.standing is not None
    caption = words("caption.behind", unit=words.name(study.declarations.standing.rank[0]))
    behind = told.table.select(stories="stories", **{f"behind{end}": f"deficit{end}" for end in ENDS})
    blocks.append(table(words, "behind", words("table.behind"), behind, BEHIND, caption))
    return [*blocks, table(words, "tenths", words("table.tenths"), rounds, TENTHS, folded=True)]


def _story(study: Study, row: pl.DataFrame) -> pl.DataFrame:
    """Return the rates that show how games turn, with a row for each."""
    rates = [name for name in RATES[1:] if name in row.columns]
    return pl.DataFrame(
        {
            "what": rates,
            **{f"rate{end}": [row[f"{name}{end}"][0] for name in rates] for end in ENDS},
            "meaning": [study.words(f"rate.{name}") for name in rates],
        }
    )


def _ecdf(study: Study) -> pl.DataFrame:
    found = scores_of(study.focus)
    x = (found.first + 1 + np.arange(found.counts.shape[1])) * found.width - 1  # the largest score of each bin
    frames = [
        pl.DataFrame({"x": x, "share": counts.cumsum() / counts.sum(), "games": counts.astype(np.int64)}).select(
            pl.lit(str(seat)).alias("series"), pl.all()
        )
        for seat, counts in enumerate(found.counts, 1)
    ]
    return pl.concat(frames)


# --- Where does the score come from, and who takes it from whom? ---


SOURCES = (
    Column("source", "name"),
    Column("group", "name", "col.source_group"),
    Column("mean", "signed", "col.mean_score"),
    Column("share", "share", "col.share_earned", digits=1),
)
BY = (
    Column("of", "name", "col.group"), Column("group", "name", "col.source_group"), Column("source", "name"),
    Column("mean", "signed", "col.mean_score"), Column("share", "share", "col.share_earned", digits=1),
)  # fmt: skip
FLOWS = (Column("seat", "count", "col.robber"), Column("victim", "count"), Column("mean", "number", "col.taken"))
FLOWS_BY = (
    Column("strategy", "name", "col.robber"),
    Column("victim", "name"),
    Column("mean", "number", "col.taken"),
    Column("times", "count", "col.meetings"),
)


def economy(study: Study) -> Section | None:
    """Return the sources of the score, and what seats take from each other."""
    words, declared = study.words, study.declarations.economy
    if declared is None:
        return None
    title = words("section.economy")
    result = study.ask(
        "economy", lambda: economy_of(study.deep if declared.flows else study.rich, study.thresholds.level)
    )
    if result is None:
        return failed(study, "economy", title)
    unit = words.name(declared.unit)
    all_seats = result.table.filter(pl.col("by") == "all")
    blocks: list[Block] = [sources(words, result, unit)]
    blocks.append(table(words, "economy", words("table.economy"), all_seats, SOURCES, words("caption.economy_table")))
    split = result.table.filter(pl.col("by") != "all")
    title_by = words("table.economy_by_role" if study.focus.asymmetric else "table.economy_by")
    blocks.append(table(words, "economy-by", title_by, _named(study, split), BY, folded=True))
    blocks += _robbery(study, result, unit)
    blocks += economy_across(study)
    return answered(study, "economy", title, blocks, result, assuming=True)


def sources(words: Words, result: Economy, unit: str) -> Picture:
    """Return how much of the score comes from each source."""
    all_seats = result.table.filter(pl.col("by") == "all")
    frame = all_seats.select(row="source", group="group", value="mean").sort("value", descending=True)
    names = {group: words.name(group) for group in dict.fromkeys(all_seats["group"])}
    figure = Bars(frame, names, words("axis.sources", unit=unit), words=words)
    return Picture("economy", words("figure.economy"), figure, words("caption.economy", unit=unit))


def _named(study: Study, split: pl.DataFrame) -> pl.DataFrame:
    """Return the rows with readable names instead of the numbers of seats and the keys of roles."""
    words, seats = study.words, range(1, study.focus.players + 1)
    names = {str(seat): words("seat.number", seat=seat) for seat in seats}
    names |= {role.name: words.name(role.name) for role in study.focus.spec.game.roles}
    return split.with_columns(pl.col("of").replace(names))


def _robbery(study: Study, result: Economy, unit: str) -> list[Block]:
    """Return what each seat takes from each other seat."""
    words = study.words
    flows = result.flows
    if flows.is_empty() or not flows["mean"].abs().sum():
        return []
    half = (pl.col("mean_high") - pl.col("mean_low")) / 2
    frame = flows.select(
        row=pl.col("seat").cast(pl.String), column=pl.col("victim").cast(pl.String), value="mean", half=half
    )
    seats = [str(seat + 1) for seat in range(study.deep.players)]
    labels = {seat: words("seat.number", seat=int(seat)) for seat in seats}
    most = max(float(frame["value"].abs().max()), 0.5)  # type: ignore[arg-type]
    grid = Grid(
        seats,
        seats,
        frame,
        None,
        most,
        words("figure.robbery", unit=unit),
        words("axis.victim"),
        percent=False,
        words=words.naming(labels),
    )
    blocks: list[Block] = [Picture("robbery", words("figure.robbery", unit=unit), grid, words("caption.robbery"))]
    blocks.append(table(words, "robbery", words("table.robbery"), flows, FLOWS, folded=True))
    if len(result.flows_by_strategy) > 1:
        blocks.append(
            table(
                words,
                "robbery-by-strategy",
                words("table.robbery_by_strategy"),
                result.flows_by_strategy,
                FLOWS_BY,
                folded=True,
            )
        )
    return blocks
