"""The same questions asked of several runs: how cards, the course of games and the economy differ between them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import astuple, replace
from typing import Any

import polars as pl

from analysis.cards.counterfactual import Counterfactual, counterfactual
from analysis.compare.comparing import compare_sources
from analysis.compare.result import Comparison
from analysis.course.drama import closeness, drama
from analysis.course.economy import economy
from analysis.data.results import Result
from analysis.data.source import Source
from analysis.data.sources import played
from analysis.seats.advantage import SeatAdvantage, seat_advantage
from analysis.seats.distance import DISTANCE
from reports.figures.curves import Slope
from reports.figures.forest import Grid
from reports.page import Block, Column, Datum, Picture, Section, Table, basis, datum, notes, sentences, table
from reports.sections.common import failures
from reports.study.study import Study, with_events

MOST = 8
"""Largest number of runs shown side by side."""

DEALS, SEARCHED = 10_000, 160
"""Deals on which cards are judged in each run, and if players look ahead: enough for intervals in most games."""

GAMES = 20_000
"""Games of each run that are played again for everything else."""

STORY = {"lead_changes": "number", "leader": "share", "comeback": "share", "runaway": "share", "last_round": "share"}
ENDS = {"margin": "number", "close": "share", "level": "share", "shared": "share"}

Ask = Callable[[Source], Result]
Rows = dict[str, tuple[str, dict[str, Mapping[str, Any]]]]
"""For each row: the format of its values, and for each run the value with its interval."""


def compared(study: Study, skill: bool = True) -> tuple[Source, ...]:
    """Return the runs that are shown side by side, without those of players who look ahead, who are too slow.

    These are the strongest for each number of players; for that of the focus also other versions, and with `skill` the
    whole ladder.
    """
    found: list[Source] = []
    for strongest in study.strongest:
        usual = strongest.players == study.focus.players
        runs = study.ladder(strongest.players) if skill else study.versions(strongest.players)
        found += [run for run in runs if not run.spec.searches] if usual else [strongest]
    if study.focus not in found:
        found.append(study.focus)
    return tuple(found[-MOST:]) if len(found) > 1 else ()


def asked_of(study: Study, part: str, question: Ask, sources: Sequence[Source]) -> dict[str, Any]:
    """Return the answer of each run that has one, by the label that distinguishes the run."""
    found = {
        label: study.ask(f"{part}:across:{source.label}", lambda source=source: question(source))  # type: ignore[misc]
        for label, source in zip(study.names(sources) if sources else (), sources, strict=True)
    }
    return {label: result for label, result in found.items() if result is not None}


def ask_each(study: Study, part: str, question: Ask) -> dict[str, Any]:
    """Return the answers of the runs that are shown side by side."""
    return asked_of(study, part, question, compared(study))


def card_effects(study: Study, sources: Sequence[Source]) -> dict[str, Counterfactual]:
    """Return the effects of the cards in each run, on its first deals."""
    level, margin = study.thresholds.level, study.thresholds.margin

    def ask(source: Source) -> Result:
        most = min(SEARCHED if source.spec.searches else DEALS, study.deals)
        number, deals = list(sources).index(source), max(min(most, source.planned // source.spec.games_per_deal), 1)
        tick = lambda done: study.advance((number + done / deals) / len(sources))  # noqa: E731
        return counterfactual(source, deals=deals, level=level, margin=margin, tick=tick)

    return asked_of(study, "cards", ask, sources)


def cards_across(study: Study) -> list[Block]:
    """Return the effect of each card on the score, run by run; skill has its own section."""
    found = card_effects(study, compared(study, skill=False))
    frames = {
        label: result.effects().select(row="card", value="effect", low="effect_low", high="effect_high")
        for label, result in found.items()
    }
    return grid(study, "cards-by-run", "cards_across", frames, deals=DEALS)


def drama_across(study: Study) -> list[Block]:
    """Return how games unfold and end, run by run."""
    level, declared = study.thresholds.level, study.declarations
    told = {}
    if declared.trajectory or declared.standing:
        enough = replayed if declared.trajectory else with_events
        told = ask_each(study, "drama", lambda source: drama(enough(source), level))
    ends = ask_each(study, "drama:ends", lambda source: closeness(replayed(source), level))
    rows: Rows = {}
    for name, kind in STORY.items() if told else ():
        rows[name] = kind, {label: _story(result, name) for label, result in told.items()}
    for name, kind in ENDS.items():
        rows[name] = kind, {label: _plain(result.table, name) for label, result in ends.items()}
    rows = {name: row for name, row in rows.items() if any(cell["value"] is not None for cell in row[1].values())}
    return side_by_side(study, "drama-by-run", "drama_across", rows, games=GAMES)


def economy_across(study: Study) -> list[Block]:
    """Return where the score comes from, run by run."""
    if study.declarations.economy is None:
        return []
    found = ask_each(study, "economy", lambda source: economy(replayed(source), study.thresholds.level))
    rows = rows_of(found, "groups", "group", "mean", "signed")
    return side_by_side(study, "economy-by-run", "economy_across", rows, games=GAMES)


def replayed(source: Source) -> Source:
    """Return the first games of a run with every column: as stored, or played again."""
    if not source.playable or (source.detail == "full" and source.planned <= GAMES):
        return source
    return played(source, min(source.planned, GAMES))


def rows_of(found: Mapping[str, Result], table: str, key: str, value: str, kind: str) -> Rows:
    """Return one value from the rows of a table, by row and run."""
    frames = {label: result.to_polars(table) for label, result in found.items()}
    keys = dict.fromkeys(item for frame in frames.values() for item in frame[key])
    return {
        item: (kind, {label: _plain(frame.filter(pl.col(key) == item), value) for label, frame in frames.items()})
        for item in keys
    }


def _plain(frame: pl.DataFrame, name: str) -> Mapping[str, Any]:
    """Return a value and its interval of a table's first row."""
    row = frame.row(0, named=True) if len(frame) else {}
    return {"value": row.get(name), "value_low": row.get(f"{name}_low"), "value_high": row.get(f"{name}_high")}


def _story(result: Any, name: str) -> Mapping[str, Any]:
    """Return a rate of a game's turns; `leader` is how often the leader at half-time wins."""
    if name != "leader":
        return _plain(result.table, name)
    return _plain(result.rounds[len(result.rounds) // 2 - 1 :], "leader_wins")


def grid(study: Study, name: str, phrase: str, frames: Mapping[str, pl.DataFrame], **counted: int) -> list[Block]:
    """Return a grid of rows by run and its table, with the most different row first; nothing for a single run."""
    if len(frames) < 2:
        return []
    words = study.words
    keys = {str(number): label for number, label in enumerate(frames, 1)}
    half = (pl.col("high") - pl.col("low")) / 2
    frame = pl.concat(
        own.select("row", column=pl.lit(key), value="value", half=half)
        for key, own in zip(keys, frames.values(), strict=True)
    )
    order = frame.group_by("row", maintain_order=True).agg(pl.col("value").abs().max()).sort("value", descending=True)
    title = words(f"figure.{phrase}")
    reach = max(float(frame["value"].abs().max() or 0), 1.0)  # type: ignore[arg-type]
    figure = Grid(order["row"].to_list(), list(keys), frame, 0.0, reach, title, "", False, words=words.naming(keys))
    caption = words(f"caption.{phrase}", **counted)
    return [Picture(name, title, figure, caption)]


def side_by_side(study: Study, name: str, phrase: str, rows: Rows, **counted: int) -> list[Block]:
    """Return a table with one column for each run; nothing for a single run."""
    words = study.words
    labels = list(dict.fromkeys(label for _, values in rows.values() for label in values))
    if len(labels) < 2:
        return []
    digits = {"share": 1, "number": 1, "signed": 1}
    shown, raw = [], []
    for key, (kind, values) in rows.items():
        column = Column("value", kind, digits=digits.get(kind, 0))
        cells = [datum(words, column, values.get(label, {"value": None})) for label in labels]
        shown.append((Datum(words.name(key), words.name(key)), *cells))
        raw += [{"what": key, "run": label, **values[label]} for label in labels if label in values]
    headings = (words("col.rate_of"), *labels)
    numeric = (False, *(True for _ in labels))
    frame = pl.DataFrame(raw, infer_schema_length=None)
    caption = words(f"caption.{phrase}", **counted)
    return [Table(name, words(f"table.{phrase}"), headings, numeric, tuple(shown), frame, caption)]


# --- How do seats differ between runs of the same players, for instance under other rules? ---


SCHEMA = {"run": pl.String} | dict.fromkeys(DISTANCE, pl.Float64)
DISTANCES = (Column("run", "text"), Column("distance", "apart", digits=1))


def versions(study: Study) -> Section | None:
    """Return the seats of runs of the strongest players side by side, if there are several runs."""
    words, limits = study.words, study.thresholds
    blocks: list[Block] = []
    results: list[SeatAdvantage] = []
    compared: list[Comparison] = []
    for players in study.players:
        runs = study.versions(players)

        def ask(source: Source) -> SeatAdvantage | None:
            return study.ask(f"seats:{source.label}", lambda: seat_advantage(source, limits.level, limits.margin))

        found = {name: ask(run) for name, run in zip(study.names(runs), runs, strict=True)}
        answers = {name: result for name, result in found.items() if result is not None}
        if len(answers) < 2:
            continue
        results += answers.values()
        if difference := study.ask(f"compare:{players}", lambda runs=runs: _difference(study, runs)):  # type: ignore[misc]
            compared.append(difference)
        series = {name: result.table for name, result in answers.items()}
        title = words("figure.versions", players=players)
        figure = Slope(series, limits.margin, words=words)
        blocks.append(Picture(f"versions-{players}-players", title, figure, words("caption.versions")))
        rows = [(name, *astuple(result.distance)) for name, result in answers.items()]
        distances = pl.DataFrame(rows, SCHEMA, orient="row")
        unit = "_payoff" if study.focus.judged.is_payoff else ""
        columns = [replace(one, kind="score") if unit and one.kind == "apart" else one for one in DISTANCES]
        blocks.append(
            table(
                words,
                f"versions-{players}-players-distance",
                words("table.distances", players=players),
                distances,
                columns,
                words(f"caption.distances{unit}"),
            )
        )
    if not blocks:
        return None
    return Section(
        "versions",
        words("section.versions"),
        tuple(item for one in compared for item in sentences(words, one)),
        tuple(blocks),
        notes(words, *results, *compared) + failures(study, "versions"),
        basis(words, *(item for result in results for item in result.inputs)),
    )


def _difference(study: Study, runs: Sequence[Source]) -> Comparison | None:
    """Return the comparison of each run with the first, as by `equipoise compare`; None if a run was cut short."""
    short = {str(run.folder) for run in study.runs if run.manifest.games_written < run.manifest.games}
    if any(run.label in short for run in runs):
        return None
    return compare_sources({run.label: run for run in runs}, study.thresholds.level)
