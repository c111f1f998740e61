"""Is any seat better than another?"""

from __future__ import annotations

from analysis.data.results import Result
from analysis.data.source import Source
from analysis.seats.advantage import SeatAdvantage, seat_advantage
from reports.page import Block, Column, Section, basis, notes, sentences, table
from reports.sections.common import failed, failures, of_players
from reports.study.study import Study, labelled

SEATS = (
    Column("run", "text"), Column("role", "name"), Column("seat", "count"), Column("share", "share", digits=1),
    Column("par_normalised", "number", digits=3), Column("payoff", "gain"),
    Column("wins", "share", "col.share", digits=1), Column("edge", "points", digits=1), Column("score", "score"),
    Column("turn", "number"), Column("games", "count"),
)  # fmt: skip
CAMPS = (
    Column("run", "text"), Column("camp", "name"), Column("seats", "count"), Column("share", "share", digits=1),
    Column("par", "share", digits=1), Column("par_normalised", "number", digits=3), Column("games", "count"),
)  # fmt: skip
BY_STRATEGY = (
    Column("role", "name"), Column("strategy", "name"), Column("seat", "count"),
    Column("par_normalised", "number", digits=3), Column("payoff", "gain"), Column("score", "score"),
    Column("times", "count"), Column("deals", "count"),
)  # fmt: skip


def by_seat(study: Study, source: Source) -> SeatAdvantage | None:
    """Return the seats of a run, judged once."""
    limits = study.thresholds
    return study.ask(f"seats:{source.label}", lambda: seat_advantage(source, limits.level, limits.margin))


def seats(study: Study) -> Section:
    """Return the seat advantage at the strongest level by number of players; its figure is on the first screen."""
    words = study.words
    found = [(source, by_seat(study, source)) for source in (study.focus, *study.strongest)]
    answers = {source.label: (source, result) for source, result in found if result is not None}
    if not answers:
        return failed(study, "seats", words("section.seats"))
    blocks: list[Block] = []
    ordered = sorted(answers.values(), key=lambda pair: pair[0].players)
    camps = [(study.labels[source.label], result.camps) for source, result in ordered if result.camps is not None]
    if camps:
        blocks.append(table(words, "camps", words("table.camps"), labelled(camps), CAMPS, words("caption.camps")))
    frame = labelled([(study.labels[source.label], result.table) for source, result in ordered])
    caption = words("caption.gains" if study.focus.judged.is_payoff else "caption.simultaneous")
    blocks.append(table(words, "seats", words("table.seats"), frame, SEATS, caption))
    results: list[Result] = [result for _, result in answers.values()]
    main = answers.get(study.focus.label)
    if main and len(main[1].by_strategy):
        blocks.append(
            table(words, "seats-by-strategy", words("table.seats_by_strategy"), main[1].by_strategy, BY_STRATEGY)
        )
    said = tuple(
        sentence
        for result in results
        for sentence in of_players(study, result.inputs[0].players, sentences(words, result))
    )
    return Section(
        "seats",
        words("section.seats"),
        said,
        tuple(blocks),
        notes(words, *results) + failures(study, "seats"),
        basis(words, *(item for result in results for item in result.inputs)),
    )
