"""What sections share."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from analysis.data.results import Result
from reports.page import Block, Section, Sentence, assumed, basis, notes, sentences
from reports.study.study import Study


def failures(study: Study, stem: str) -> tuple[str, ...]:
    """Return why some analyses of a section gave no answer."""
    return tuple(study.words.refusal(error) for name, error in study.failures.items() if name.partition(":")[0] == stem)


def remarks(study: Study, name: str, *results: Result) -> tuple[str, ...]:
    """Return the notes of a section: of its results, on assumed tables, and why some analyses gave no answer."""
    words = study.words
    return (*notes(words, *results), *assumed(words, study.focus.spec.rules), *failures(study, name))


def failed(study: Study, name: str, title: str, *remarks: str) -> Section:
    """Return a section that says that it has no answer, why, and what would help."""
    said = Sentence(study.words("cannot_say"), "unknown")
    return Section(name, title, (said,), notes=(*failures(study, name), *remarks))


def answered(
    study: Study, name: str, title: str, blocks: Sequence[Block], *results: Result, assuming: bool = False
) -> Section:
    """Return a section with the sentences and notes of some results; `assuming` warns of assumed tables."""
    words = study.words
    return Section(
        name,
        title,
        tuple(said for result in results for said in sentences(words, result)),
        tuple(blocks),
        remarks(study, name, *results) if assuming else notes(words, *results) + failures(study, name),
        basis(words, *(item for result in results for item in result.inputs)),
    )


def of_players(study: Study, players: int, said: Sequence[Sentence]) -> Iterator[Sentence]:
    """Yield sentences that name their number of players, if it is not the same for all of them."""
    several = len(study.players) > 1
    for sentence in said:
        text = study.words("of_players", players=players, text=sentence.text) if several else sentence.text
        yield Sentence(text, sentence.status, players)
