"""Is any seat better than another, and does skill change that?"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from analysis.results import Result
from analysis.seat_advantage import SeatAdvantage, SeatsBySkill, seat_advantage, seats_by_skill
from analysis.source import Source
from reports.figures.seats import SeatAdvantage as SeatFigure
from reports.figures.slope import Slope
from reports.page import Block, Column, Picture, Section, Sentence, basis, notes, sentences, table
from reports.sections.common import failed, failures
from reports.study import Study, labelled

SEATS = (
    Column("run", "text"),
    Column("seat", "count"),
    Column("share", "share", digits=1),
    Column("par_normalised", "number", digits=3),
    Column("score", "number", digits=1),
    Column("turn", "number"),
    Column("games", "count"),
)
BY_STRATEGY = (
    Column("strategy", "text"),
    Column("seat", "count"),
    Column("par_normalised", "number", digits=3),
    Column("score", "number", digits=1),
    Column("times", "count"),
    Column("deals", "count"),
)


def _by_seat(study: Study, source: Source) -> SeatAdvantage | None:
    limits = study.thresholds
    return study.ask(f"seats:{source.label}", lambda: seat_advantage(source, limits.level, limits.margin))


def seats(study: Study) -> Section:
    """Return seat advantage at the strongest level of each number of players."""
    words = study.words
    found = [(source, _by_seat(study, source)) for source in (study.focus, *study.strongest)]
    answers = {source.label: (source, result) for source, result in found if result is not None}
    if not answers:
        return failed(study, "seats", words("section.seats"))
    blocks: list[Block] = []
    for source, result in sorted(answers.values(), key=lambda pair: pair[0].players):
        figure = SeatFigure({study.labels[source.label]: result.table}, study.thresholds.margin, words=words)
        title = words("figure.seats", players=source.players)
        blocks.append(Picture(f"seats-{source.players}-players", title, figure, words("caption.seats")))
    ordered = sorted(answers.values(), key=lambda pair: pair[0].players)
    frame = labelled([(study.labels[source.label], result.table) for source, result in ordered])
    blocks.append(table(words, "seats", words("table.seats"), frame, SEATS, words("caption.simultaneous")))
    results: list[Result] = [result for _, result in answers.values()]
    main = answers.get(study.focus.label)
    if main and len(main[1].by_strategy):
        blocks.append(
            table(words, "seats-by-strategy", words("table.seats_by_strategy"), main[1].by_strategy, BY_STRATEGY)
        )
    said = tuple(
        sentence for result in results for sentence in _of(study, result.inputs[0].players, sentences(words, result))
    )
    return Section(
        "seats", words("section.seats"), said, tuple(blocks), notes(words, *results) + failures(study, "seats"),
        basis(words, *(item for result in results for item in result.inputs)),
    )  # fmt: skip


def skill(study: Study) -> Section | None:
    """Return how seat advantage moves with skill, or from one version to another, where several runs can tell."""
    words = study.words
    ladders = [(players, ladder) for players in _players(study) if len(ladder := study.ladder(players)) > 1]
    if not ladders:
        return None
    blocks: list[Block] = []
    results: list[SeatsBySkill] = []
    for players, ladder in ladders:
        names = study.names(ladder)
        result = study.ask(
            f"skill:{players}",
            lambda ladder=ladder, names=names: seats_by_skill(  # type: ignore[misc]
                ladder, names, study.thresholds.level, study.thresholds.margin
            ),
        )
        if result is None:
            continue
        results.append(result)
        series = {
            name: frame.select("seat", "share", "share_low", "share_high", "par", "games")
            for (name,), frame in result.table.group_by("skill", maintain_order=True)
        }
        title = words("figure.skill", players=players)
        blocks.append(
            Picture(
                f"skill-{players}-players",
                title,
                Slope(series, study.thresholds.margin, words=words),
                words("caption.skill"),
            )
        )
        gaps = result.gaps.rename({"skill": "run", "run": "order"})
        blocks.append(
            table(
                words,
                f"skill-{players}-players-gap",
                words("table.gaps", players=players),
                gaps,
                (Column("run", "text"), Column("gap", "number")),
                words("caption.gaps"),
            )
        )
    results.sort(key=lambda result: result.inputs[0].players != study.focus.players)
    said = tuple(
        sentence
        for result in results
        for sentence in _of(study, result.inputs[0].players, sentences(words, result, result.verdicts[:1]))
    )
    inputs = [item for result in results for item in result.inputs]
    return Section(
        "skill", words("section.skill"), said, tuple(blocks), notes(words, *results) + failures(study, "skill"),
        basis(words, *inputs) if inputs else "",
    )  # fmt: skip


def _of(study: Study, players: int, said: Sequence[Sentence]) -> Iterator[Sentence]:
    """Yield sentences that say for how many players they hold, where that is not the same for all."""
    several = len(list(_players(study))) > 1
    for sentence in said:
        text = study.words("of_players", players=players, text=sentence.text) if several else sentence.text
        yield Sentence(text, sentence.status)


def _players(study: Study) -> Iterator[int]:
    yield from sorted({source.players for source in study.sources})
