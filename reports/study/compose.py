"""From runs to a whole report."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from analysis.data.player_notes import habit_notes, player_notes
from analysis.data.threads import products_on_one_thread
from reports.page import Block, Picture, Report, Section, Sentence, assumed
from reports.render.images import SAID_ELSEWHERE, say
from reports.sections import SECTIONS
from reports.sections.breakdowns import chapters_of
from reports.sections.method import method
from reports.sections.skill import seats_by_level
from reports.study.answer import answer, first_sentence
from reports.study.chapters import Chapter, load_report, placed
from reports.study.study import Study

SHOWN = 6
"""Largest number of runs that the heading names."""

QUICK = ("seats", "causes", "skill", "cards")
"""Sections of a quick report."""


def compose(study: Study, command: Sequence[str] = ("report",)) -> Report:
    """Return the report of a study.

    study: The runs, and how they are used.
    command: Command line that made the report, without the program's name.
    Raises UsageError if the runs do not answer any question.
    """
    words = study.words
    chapters = [*placed(SECTIONS, load_report(study.game.name).sections, study.game.name), *chapters_of(study)]
    if study.quick:
        chapters = [chapter for chapter in chapters if chapter.name in QUICK]
    sections: list[Section] = []
    for number, chapter in enumerate(chapters):
        study.begin(number, len(chapters) + 1, chapter.name.removeprefix("own-"))
        section = _made(study, chapter)
        if section is not None:
            sections.append(section)
        if chapter.name == "seats" and study.tell:
            seats_by_level(study)
            if said := first_sentence(study):
                study.tell(said.text)
    if study.failures and not study.answered:
        raise next(iter(study.failures.values()))
    sections.append(method(study, tuple(command)))
    warnings = _warnings(study)
    sections = [replace(part, notes=tuple(note for note in part.notes if note not in warnings)) for part in sections]
    top = {chapter.name: chapter.top for chapter in chapters}
    sections = [replace(part, top=top.get(part.name, 1)) for part in sections]
    verdicts = tuple(sentence for section in sections for sentence in section.sentences[: section.top])
    first = answer(study)
    if first and first.levels:
        sections = [_of_judge(study, part) if part.name == "seats" else part for part in sections]
    study.begin(len(chapters), len(chapters) + 1, "figures")
    levels = tuple(picture.level for picture in reversed(first.pictures)) if first else ()
    return Report(
        words("report.title", game=study.game.title),
        _subtitle(study),
        _facts(study),
        _known(verdicts),
        warnings,
        tuple(sections),
        words,
        first,
        levels,
        study.players,
    )


def _made(study: Study, chapter: Chapter) -> Section | None:
    """Return a section; if its code fails, one that says so, so that the others can still be read."""
    try:
        with products_on_one_thread():
            section = chapter.make(study)
        return section and replace(section, blocks=tuple(block for block in section.blocks if _supported(block)))
    except SAID_ELSEWHERE:
        raise
    except Exception as error:
        say(f"the section '{chapter.name}' of the report failed", error)
        said = Sentence(study.words("section_failed", section=chapter.name), "unknown")
        return Section(chapter.name, chapter.name, (said,))


def _of_judge(study: Study, part: Section) -> Section:
    """Return a section whose verdicts are marked as those of the usual judge, as the page can show other players."""
    judge = study.names_of(study.focus)
    return replace(part, sentences=tuple(replace(one, level=judge) for one in part.sentences))


def _supported(block: Block) -> bool:
    """Return whether a figure has enough data: one without a single interval would only mislead."""
    if not isinstance(block, Picture):
        return True
    frame = block.figure.data()
    return not any(name in frame.columns and frame[name].null_count() == len(frame) for name in ("low", "half"))


def _known(sentences: Sequence[Sentence]) -> tuple[Sentence, ...]:
    """Put judgements before findings, and leave out what is not known, unless nothing is known."""
    known = [item for item in dict.fromkeys(sentences) if item.status != "unknown"]
    return tuple(sorted(known, key=lambda item: item.status == "fact")) or tuple(sentences)


def _subtitle(study: Study) -> str:
    words = study.words
    if len(study.sources) > SHOWN:
        return words("subtitle.many", count=len(study.sources))
    if len(study.sources) > 1:
        return words("subtitle.several", count=len(study.sources), runs="; ".join(study.labels.values()))
    source = study.focus
    return words("subtitle.one", players=source.players, strategies=study.names_of(source))


def _facts(study: Study) -> tuple[tuple[str, str], ...]:
    words = study.words
    games = sum(run.manifest.games_written for run in study.runs)
    players = sorted({source.players for source in study.sources})
    rules = dict.fromkeys(source.spec.rules.name for source in study.sources)
    return (
        (words("fact.games"), words.number(games, ",")),
        (words("fact.players"), words.listed([str(count) for count in players])),
        (words("fact.rules"), words.listed(list(rules))),
        (words("fact.skill"), study.names_of(study.focus)),
    )


def _warnings(study: Study) -> tuple[str, ...]:
    """Return the warnings at the top: runs cut short, readings other than the base's, assumed data."""
    from reports.sections.method import off_base

    words, found = study.words, []
    if study.quick:
        found.append(words("warn.quick", players=words.listed(list(map(str, study.players)))))
    for run, source in zip(study.runs, study.sources, strict=True):
        manifest = run.manifest
        if manifest.games_written < manifest.games:
            found.append(
                words("warn.short", run=words.name(source.label), games=manifest.games_written, planned=manifest.games)
            )
    for name, keys in off_base(study).items():
        shown = keys[:5] + (["…"] if len(keys) > 5 else [])
        found.append(words("warn.changed", rules=name, keys=words.listed(shown)))
    judged = dict.fromkeys(player_notes(study.focus.spec))
    found += map(words.note, judged | dict.fromkeys(note for run in study.sources for note in habit_notes(run.spec)))
    return (*found, *assumed(words, study.focus.spec.rules))
