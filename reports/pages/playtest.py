"""The page of a playtest: the analysis of real games, or of a plan of games."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import polars as pl

from analysis.data.results import Result
from analysis.playtest import PLANNED
from analysis.playtest.result import SCORE, Playtest, PlaytestPlan, clearest
from reports.commands import playing
from reports.figures.curves import Belief
from reports.opinion import Heard, heard
from reports.page import Block, Column, Picture, Report, Section, basis, sentences, table
from reports.pages.common import method, page
from reports.steps import Wanted, steps
from reports.study.study import words_of
from reports.words import Words
from simcore.rules.files import Rules

LEVELS = (
    Column("level", "name", "col.rung"),
    Column("prior", "share", "col.before", digits=1),
    Column("posterior", "share", "col.after", digits=1),
    Column("posterior_05", "share", digits=1),
    Column("posterior_50", "share", digits=1),
)
POINTS = (
    Column("weak", "name", "col.weaker"),
    Column("strong", "name", "col.stronger"),
    Column("part", "share", "col.part", digits=0),
    Column("posterior", "share", "col.after", digits=1),
)
SHARES = (
    Column("players", "count"), Column("what", "name", "col.who_won"),
    Column("wins", "number", "col.wins_seen", digits=1), Column("games", "count"),
    Column("seen", "share", "col.seen", digits=1), Column("share", "share", "col.believed", digits=1),
    Column("par", "share", digits=1), Column("most", "share", "col.wins_most", digits=0),
)  # fmt: skip
BRIEF = 12
"""Number of levels, or of pairs of them, that a terminal shows."""

PAIRS = (
    Column("weak", "name", "col.weaker"),
    Column("strong", "name", "col.stronger"),
    Column("winners", "share", "col.by_winners", digits=0),
    Column("enough_winners", "count", "col.enough_winners", wide=True),
    Column("scores", "share", "col.by_scores", digits=0),
    Column("enough_scores", "count", "col.enough_scores"),
    Column("least", "count", "col.least", wide=True),
)
SEEN = ("scores", "winners")
"""Columns of the chances to distinguish two levels, by what is written down of a game."""


def _claims(kind: str) -> tuple[Column, ...]:
    """Return the columns of claims on shares, or on scores."""
    return (
        Column("players", "count"),
        Column("level", "name", "col.rung"),
        Column("what", "name", "col.who_won"),
        Column("simulated", kind, "col.simulated", digits=1),
        Column("low", kind, "col.predicted_low", digits=1),
        Column("high", kind, "col.predicted_high", digits=1),
        Column("seen", kind, "col.seen", digits=1),
        Column("p_holm", "p", "col.p_holm"),
        Column("contradicted", "flag", "col.contradicted"),
    )


def compose_playtest(
    found: Playtest, rules: Rules, words: Words, command: Sequence[str] = ("playtest",), question: str = "playtest"
) -> Report:
    """Return the page of the results of real games; `question` is the command with the files that hold them."""
    words = _words(found, rules, words)
    bars = {
        "posterior": words("belief.headline"),
        "posterior_05": words("belief.trusting"),
        "posterior_50": words("belief.sceptical"),
    }
    figure = Belief(found.table.rename({"level": "row"}), bars, words("axis.belief"), words=words)
    levels: tuple[Block, ...] = (
        Picture("levels", words("figure.levels"), figure, words("caption.levels")),
        table(words, "levels", words("table.levels"), found.table, LEVELS, words("caption.levels_table"), brief=BRIEF),
        table(words, "grid", words("table.grid"), found.grid, POINTS, words("caption.grid"), folded=True),
    )
    shares = table(words, "shares", words("table.places"), found.shares, SHARES, words("caption.places"))
    claims, on_score = clearest(found.claims), pl.col("what") == SCORE
    against = [
        table(words, name, words(title), frame, _claims(kind), words("caption.claims"), folded=True)
        for name, title, kind, frame in (
            ("claims", "table.claims", "share", claims.filter(~on_score)),
            ("claims-score", "table.claims_score", "number", claims.filter(on_score)),
        )
        if len(frame)
    ]
    own = [
        item
        for verdict, item in zip(found.verdicts, sentences(words, found), strict=True)
        if verdict.code.startswith("playtest_claims")
    ]
    sections = (
        Section("levels", words("playtest.levels"), (), levels),
        Section("shares", words("playtest.shares"), (), (shares,)),
        Section("claims", words("playtest.claims"), tuple(own), tuple(against)),
        Section("power", words("playtest.power"), (), (_pairs(words, found.power, folded=True),)),
        method(words, command, "playtest", basis=basis(words, *found.inputs)),
    )
    counts = (("real", words.number(found.real, ",")), ("groups", words.number(found.groups, ",")))
    planned = min(2 * found.real, PLANNED[1])
    more = f"playtest --plan {planned} --groups {min(found.groups, planned)}"
    more += f" {playing(rules, found.power['players'][0], command)}"
    next_steps = [Wanted("plan", more)] * (planned > found.real)
    next_steps += [Wanted("report", f"report {playing(rules, command=command)}")]
    return page(
        words,
        "playtest",
        [found],
        rules,
        sections,
        steps(words, rules, *next_steps),
        *counts,
        heard=(_heard(found, rules, question, command, sized=False),),
        fact_of_games="simulated",
        judged=False,
        games=found.real,
        groups=found.groups,
    )


def _heard(
    result: Playtest | PlaytestPlan, rules: Rules, question: str, command: Sequence[str], sized: bool = True
) -> Heard:
    """Return whether players who look ahead are one of the levels."""
    names = dict.fromkeys(name for one in result.inputs for name in one.strategies)
    highest = max(result.inputs, key=lambda one: one.searches)
    return heard(replace(highest, strategies=tuple(names)), rules, question=question, command=command, sized=sized)


def compose_plan(found: PlaytestPlan, rules: Rules, words: Words, command: Sequence[str] = ("playtest",)) -> Report:
    """Return the page of a plan; see `compose_playtest`."""
    words = _words(found, rules, words)
    sections = (
        Section("power", words("playtest.power"), (), (_chances(words, found.table), _pairs(words, found.table))),
        method(words, command, "plan", basis=basis(words, *found.inputs)),
    )
    planned, groups = found.table["games"][0], found.verdict.values["groups"]
    question = f"playtest --plan {planned}" + f" --groups {groups}" * (groups > 1)
    return page(
        words,
        "plan",
        [found],
        rules,
        sections,
        steps(words, rules, Wanted("played", f"playtest games.csv {playing(rules, command=command)}")),
        heard=(_heard(found, rules, question, command),),
        fact_of_games="simulated",
        judged=False,
        games=planned,
    )


def _words(result: Result, rules: Rules, words: Words) -> Words:
    """Return words that know the places that may win."""
    words = words_of(rules.game_name, rules, words)
    most = max(item.players for item in result.inputs)
    names = {f"seat-{seat}": words("seat.number", seat=seat) for seat in range(1, most + 1)}
    for what in result.shares["what"] if isinstance(result, Playtest) else ():
        if what.startswith("team-"):
            names[what] = words("team.number", team=what.removeprefix("team-"))
    return words.naming(names)


def _chances(words: Words, frame: pl.DataFrame) -> Picture:
    """Return a chart with the chance that the planned games distinguish each pair of levels."""
    pairs = [
        words("pair.levels", weak=words.name(weak), strong=words.name(strong))
        for weak, strong in frame.select("weak", "strong").iter_rows()
    ]
    titles = {column.field: words(column.title) for column in _pair_columns(frame)}
    bars = {field: titles[field] for field in SEEN if field in titles}
    figure = Belief(frame.with_columns(row=pl.Series(pairs)), bars, words("axis.power"), words=words)
    title = words("figure.power", games=frame["games"][0])
    return Picture("power", title, figure, words("caption.power"))


def _pair_columns(frame: pl.DataFrame) -> tuple[Column, ...]:
    """Return the columns on pairs of levels, without those on scores if there are none."""
    scored = frame["scores"].null_count() < len(frame)
    return tuple(column for column in PAIRS if scored or "scores" not in column.field)


def _pairs(words: Words, frame: pl.DataFrame, folded: bool = False) -> Block:
    """Return a table of the pairs of levels that can be distinguished."""
    caption = words("caption.pairs")
    return table(words, "pairs", words("table.pairs"), frame, _pair_columns(frame), caption, folded, BRIEF)
