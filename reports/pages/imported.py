"""The report of tables from elsewhere: the same questions, without those that need the game to be played."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

import numpy as np
import polars as pl

from analysis.compare.comparing import compare_sources
from analysis.course.drama import averages, closeness
from analysis.course.standings import scores
from analysis.data.results import Note, Result, Verdict
from analysis.data.source import Source
from analysis.data.sources import source_of
from analysis.ratings.fit import Strengths
from analysis.ratings.strengths import strengths
from analysis.runs import Run
from analysis.runs.manifest import Origin
from analysis.seats.advantage import SeatAdvantage, seat_advantage
from analysis.stats.moments import MIN_DEALS
from reports.figures.bars import Counts, SeatMultiples, few
from reports.figures.curves import Ecdf
from reports.figures.seats import SeatAdvantage as SeatsFigure
from reports.page import (
    ABSENT,
    Answer,
    Block,
    Column,
    Picture,
    Remark,
    Report,
    Section,
    Sentence,
    Step,
    basis,
    notes,
    sentences,
    table,
)
from reports.portable import names_of, portable_command
from reports.sections.seats import CAMPS
from reports.sections.strategies import strengths_figure
from reports.steps import again
from reports.study.answer import STATUSES, in_games
from reports.study.study import Thresholds
from reports.words import Words
from simcore.errors import Damaged, UsageError

R = TypeVar("R")
SHOWN = 30
"""Largest number of people in the figure of strengths."""

SEATS = (
    Column("run", "text"), Column("seat", "count"), Column("share", "share", "col.share_equals", digits=1),
    Column("seen", "share", "col.share_seen", digits=1), Column("par_normalised", "number", digits=3),
    Column("score", "score"), Column("games", "count"),
)  # fmt: skip
PEOPLE = (
    Column("strategy", "text", "col.player"),
    Column("strength", "signed"),
    Column("seen", "share", "col.share_seen", digits=1),
    Column("times", "count", "col.times_played"),
)
ROLES = (Column("strategy", "text", "col.role"), *PEOPLE[1:])
AVERAGES = (
    Column("run", "text"), Column("measure", "text", "col.rate_of"), Column("mean", "number"),
    Column("least", "number", "col.smallest"), Column("most", "number", "col.largest"),
)  # fmt: skip
RUNS = (
    Column("run", "text"), Column("file", "text"), Column("sha256", "text"), Column("players", "count"),
    Column("rules", "text"), Column("games", "count"), Column("wins", "name", "col.decided_by"),
)  # fmt: skip


@dataclass
class _Study:
    """Some imported runs of one game, and what was asked of them."""

    runs: Sequence[Run]
    limits: Thresholds
    words: Words
    sources: list[Source] = field(default_factory=list)
    refused: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.words = self.words.naming(names_of(run.folder for run in self.runs))
        self.sources = [source_of(run) for run in self.runs]

    @property
    def origin(self) -> Origin:
        """Where the first table comes from."""
        origin = self.sources[0].origin
        assert origin is not None
        return origin

    @property
    def origins(self) -> tuple[Origin, ...]:
        """Where the tables come from, each file once."""
        origins = [source.origin for source in self.sources if source.origin is not None]
        return tuple({(one.file, one.sha256): one for one in origins}.values())

    def name(self, source: Source) -> str:
        """Return what a run is called."""
        rules = source.spec.rules.name
        players = self.words("players.number", players=source.players)
        several = len({(one.players, one.spec.rules.name) for one in self.sources}) < len(self.sources)
        own = self.words.name(source.label) if several else ""
        return ", ".join(filter(None, (players, "" if rules == "base" else rules, own)))

    def ask(self, about: str, question: Callable[[], R]) -> R | None:
        """Return an answer; None if the table does not allow it, and `refused` says why."""
        try:
            return question()
        except Damaged:
            raise
        except UsageError as error:
            self.refused.setdefault(about, self.words.refusal(error))
            return None


def compose_imported(
    runs: Sequence[Run],
    limits: Thresholds,
    words: Words,
    command: Sequence[str] = ("report",),
    noted: Sequence[Note] = (),
) -> Report:
    """Return the report of imported runs of one game.

    runs: The runs; with several sets of rules, those of the first one come first.
    command: Command line that made the report, without the program's name.
    noted: What was said of the tables when they were imported.
    """
    study = _Study(runs, limits, words)
    seats = {id(source): study.ask("seats", lambda source=source: _seats_of(study, source)) for source in study.sources}  # type: ignore[misc]
    judged = [(source, result) for source in study.sources if (result := seats[id(source)]) is not None]
    people = study.ask("people", lambda: strengths(study.sources, None, limits.level))
    made = [_seats(study, judged), *_people(study, people), _course(study), *_versions(study, judged)]
    sections = tuple(section for section in made if section is not None)
    verdicts = tuple(sentence for section in sections for sentence in section.sentences[:1])
    players = tuple(sorted({source.players for source in study.sources}))
    games = sum(run.manifest.games_written for run in runs)
    facts = [
        (study.words("fact.games"), study.words.number(games, ",")),
        (study.words("fact.players"), study.words.listed([str(count) for count in players])),
    ]
    if everybody := {name for origin in study.origins for name in origin.people}:
        facts.append((study.words("fact.people"), study.words.number(len(everybody), ",")))
    files = dict.fromkeys(source.origin.file for source in study.sources if source.origin)
    return Report(
        study.words("report.title", game=study.origin.title),
        study.words("imported.subtitle", files=study.words.listed(list(files))),
        tuple(facts),
        verdicts,
        tuple(dict.fromkeys(map(words.note, noted))) or _warnings(study),
        (*sections, _method(study, command)),
        study.words,
        _answer(study, judged, games),
        (),
        players,
    )


def _seats_of(study: _Study, source: Source) -> SeatAdvantage:
    return seat_advantage(source, study.limits.level, study.limits.margin)


def _answer(study: _Study, judged: Sequence[tuple[Source, SeatAdvantage]], games: int) -> Answer:
    """Return the first screen."""
    words = study.words
    if judged:
        source, result = min(judged, key=lambda pair: (STATUSES.index(pair[1].verdict.status), -pair[1].games))
        sentence = _first(words, result.verdict, source.players)
    else:
        sentence = Sentence(words("answer.unknown"), "unknown")
    tables = {source.players: result.table for source, result in reversed(judged) if result.camps is None}
    figure = "figure.seats_equals" if any("seen" in frame.columns for frame in tables.values()) else "figure.seats"
    pictures, margin = [], study.limits.margin
    if len(tables) == 1:
        alone = SeatsFigure({study.name(source): frame for frame in tables.values()}, margin, words=words)
        pictures.append(Picture("seats", words(figure), alone, words("caption.gains")))
    elif tables:
        several = SeatMultiples(tables, margin, words=words)
        pictures.append(Picture("seats", words(figure), several, words("caption.seats")))
    folder = shlex.quote(portable_command([str(study.runs[0].folder)])[0])
    check = f"equipoise check --update --results {folder} {shlex.quote(study.runs[0].folder.name)}.toml"
    steps = (Step(words("imported.check"), check),)
    return Answer(sentence, (words("imported.judges", games=games),), words("imported.cause"), tuple(pictures), steps)


def _first(words: Words, verdict: Verdict, players: int) -> Sentence:
    others = words.name(verdict.values["others"]) if verdict.values.get("others") else ""
    if verdict.status == "fair":
        what = verdict.code.partition("_")[0]
        text = words(
            f"answer.fair_{what}", opens=words("imported.yes"), players=str(players), part=verdict.values["part"]
        )
        return Sentence(text + others, "fair", players)
    if "share" not in verdict.values:
        return Sentence(words("answer.unknown"), "unknown")
    values, status = dict(verdict.values), verdict.status
    kind = verdict.code.partition(f"_{status}")[0].removesuffix("_near").removesuffix("_table")
    side = ("_high" if values["share"] > values["par"] else "_low") if status == "tilted" else ""
    text = words(
        f"answer.{status}_{kind}{side}",
        **values | in_games(values) | {"players": players, "opens": words("imported.no"), "instead": ""},
    )
    return Sentence(text + others, status, players)


def _seats(study: _Study, judged: Sequence[tuple[Source, SeatAdvantage]]) -> Section:
    """Return the seats, or why nothing is said about them."""
    words = study.words
    if not judged:
        nothing = (Sentence(words("cannot_say"), "unknown"),)
        return Section("seats", words("section.seats"), nothing, notes=(study.refused["seats"],))
    frame = pl.concat(
        [result.table.select(pl.lit(study.name(source)).alias("run"), pl.all()) for source, result in judged],
        how="diagonal",
    )
    caption = "caption.seats_equals" if "seen" in frame.columns else "caption.simultaneous"
    columns = (
        SEATS if "seen" in frame.columns else (*SEATS[:1], SEATS[1], Column("share", "share", digits=1), *SEATS[4:])
    )
    blocks: list[Block] = [table(words, "seats", words("table.seats"), frame, columns, words(caption))]
    camps = [
        one.camps.select(pl.lit(study.name(source)).alias("run"), pl.all())
        for source, one in judged
        if one.camps is not None
    ]
    if camps:
        whole = pl.concat(camps, how="diagonal")
        blocks.insert(0, table(words, "camps", words("table.camps"), whole, CAMPS, words("caption.camps")))
    several = len(study.sources) > 1
    said = tuple(
        Sentence(words("imported.of", run=study.name(source), text=one.text) if several else one.text, one.status)
        for source, result in judged
        for one in sentences(words, result)
    )
    results: list[Result] = [result for _, result in judged]
    return Section(
        "seats",
        words("section.seats"),
        said,
        tuple(blocks),
        notes(words, *results),
        basis(words, *(item for result in results for item in result.inputs)),
    )


def _people(study: _Study, found: Strengths | None) -> list[Section | None]:
    """Return who is strong, and which roles are."""
    words = study.words
    if found is None:
        nothing = (Sentence(words("cannot_say"), "unknown"),)
        return [Section("people", words("section.people"), nothing, notes=(study.refused["people"],))]
    parts = []
    origin, frames = study.origin, {"people": found.table, "roles": found.roles}
    if not origin.people:
        frames = {"roles": found.table}
    for name, frame in frames.items():
        if frame.is_empty():
            continue
        blocks: list[Block] = []
        if frame["strength_low"].null_count() < len(frame):
            title, caption = words(f"figure.strengths_{name}"), words("caption.strengths_people", shown=SHOWN)
            blocks.append(strengths_figure(words, frame.head(SHOWN), f"strengths-{name}", title, caption))
        columns = PEOPLE if name == "people" else ROLES
        folded = len(frame) > SHOWN
        blocks.append(table(words, name, words(f"table.{name}"), frame, columns, words("caption.people"), folded))
        said = sentences(words, found) if frame is found.table else ()
        parts.append(
            Section(
                name, words(f"section.{name}"), said, tuple(blocks), notes(words, found), basis(words, *found.inputs)
            )
        )
    return list(parts)


def _course(study: _Study) -> Section | None:
    """Return how games end: closeness, scores, length and the other measures."""
    words = study.words
    main = max(study.sources, key=lambda source: source.planned)
    ends = study.ask("course", lambda: closeness(main, study.limits.level))
    blocks: list[Block] = []
    if main.score and main.planned >= MIN_DEALS:
        blocks.append(_scores(study, main))
    means = [
        averages(source, study.limits.level).select(pl.lit(study.name(source)).alias("run"), pl.all())
        for source in study.sources
    ]
    frame = pl.concat(means)
    if len(frame):
        titles = {one.name: one.column for origin in study.origins for one in origin.measures}
        named = frame.with_columns(pl.col("measure").replace(titles))
        blocks.append(table(words, "averages", words("table.averages"), named, AVERAGES, words("caption.averages")))
    if ends is None and not blocks:
        return None
    said = sentences(words, ends) if ends else ()
    counted = basis(words, *ends.inputs) if ends else ""
    return Section("drama", words("section.ends"), said, tuple(blocks), notes(words, ends) if ends else (), counted)


def _scores(study: _Study, source: Source) -> Picture:
    """Return the distribution of the scores, by seat if the table names seats."""
    words, found, origin = study.words, scores(source), source.origin
    assert origin is not None
    rows = found.counts if origin.seats else found.counts.sum(axis=0, keepdims=True)
    x = (found.first + 1 + np.arange(rows.shape[1])) * found.width - 1
    frame = pl.concat(
        pl.DataFrame({"x": x, "share": own.cumsum() / own.sum(), "games": own.astype(np.int64)}).select(
            pl.lit(str(seat)).alias("series"), pl.all()
        )
        for seat, own in enumerate(rows, 1)
    )
    unit = words.name("score")
    names = {str(seat): words("seat.number", seat=seat) for seat in range(1, len(rows) + 1)}
    names = names if origin.seats else {"1": words("series.all")}
    kind, drawn = ("counts", Counts) if few(frame) else ("scores", Ecdf)
    title = words("figure.scores" if origin.seats else "figure.scores_all", unit=unit)
    return Picture("scores", title, drawn(frame, names, unit, words=words), words(f"caption.{kind}", unit=unit))


def _versions(study: _Study, judged: Sequence[tuple[Source, SeatAdvantage]]) -> list[Section]:
    """Return the comparison of several sets of rules, for each number of players that has them."""
    words, found = study.words, []
    for players in sorted({source.players for source, _ in judged}):
        own = {study.name(source): source for source, _ in judged if source.players == players}
        if len(own) < 2:
            continue
        result = study.ask("compare", lambda own=own: compare_sources(own, study.limits.level))  # type: ignore[misc]
        if result is not None:
            title = words("section.versions")
            counted = basis(words, *result.inputs)
            found.append(
                Section(f"versions-{players}", title, sentences(words, result), (), notes(words, result), counted)
            )
    return found


def _warnings(study: _Study) -> tuple[str, ...]:
    """Return what the table does not say."""
    words, remarks = study.words, []
    for origin in study.origins:
        if origin.wins in ("highest", "lowest"):
            remarks.append(Note(f"import_{origin.wins}"))
        if origin.together:
            games = sum(source.planned for source in study.sources if source.origin == origin)
            remarks.append(Note("import_together", {"games": origin.together, "of": max(games, origin.together)}))
        if origin.suspected:
            remarks.append(Note("import_teams", {"teams": origin.suspected}))
        if origin.suspected_roles:
            remarks.append(Note("import_teams_roles", {"roles": origin.suspected_roles}))
    return tuple(dict.fromkeys(words.note(note) for note in remarks))


def _method(study: _Study, command: Sequence[str]) -> Section:
    """Return the method and the provenance."""
    words, limits = study.words, study.limits
    rows = [
        {
            "run": words.name(source.label),
            "file": origin.file,
            "sha256": origin.sha256[:12],
            "players": source.players,
            "rules": ABSENT if source.spec.rules.name == "base" else source.spec.rules.name,
            "games": source.planned,
            "wins": f"wins_{origin.wins}",
        }
        for source in study.sources
        if (origin := source.origin) is not None
    ]
    origin = study.origin
    unit, named = "deal" if origin.deals else "group" if origin.groups else "game", origin.people or origin.roles
    blocks: list[Block] = [
        Remark(words("method.imported")),
        *([Remark(words("method.people", unit=words.name(f"unit_{unit}")))] if named else []),
        Remark(words(f"method.thresholds{limits.margin.unit}", margin=limits.margin.size, level=limits.level)),
        table(words, "runs", words("table.runs"), pl.DataFrame(rows), RUNS),
        *again(words, *(run.manifest.command for run in study.runs), command),
    ]
    return Section("method", words("section.method"), (), tuple(blocks))
