"""The parts of a report, for every format in which it is written."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import polars as pl

from analysis.data.results import Inputs, Result, Verdict, digits_of
from reports.figures.base import Figure
from reports.opinion import Heard
from reports.sliders import Rounds, Sliders
from reports.words import Words
from simcore.errors import printable
from simcore.rules.files import Rules

FOLDED = 15
"""Number of rows that a folded table has on paper."""

ABSENT = "–"
TINY = 0.001


@dataclass(frozen=True)
class Sentence:
    """A verdict in the report's language."""

    text: str  # text of the sentence
    status: str = "fact"  # status of the verdict
    players: int | None = None  # number of players that it is about; None if it is about all
    label: str = ""  # key of the phrase that names the status, where that is not the usual one
    level: str = ""  # names of the players that it is about, where the page can show others; empty if it is about all


@dataclass(frozen=True)
class Datum:
    """A value of a table, as it is shown."""

    text: str  # text that is shown
    value: float | str | None = None  # value for sorting
    more: str = ""  # smaller text next to it, such as an interval


@dataclass(frozen=True)
class Column:
    """A column of a table on the page, and how to get it from a frame.

    Parameters
    ----------
    field
        Column of the frame; if the frame has `field_low` and `field_high`, they are shown as an interval.
    kind
        "name", "text", "count", "share", "points", "apart" (points without a sign), "number", "signed", "p" or
        "flag"; "score" and "gain" (signed) are numbers with the digits that their standard error, `field_se`, deserves.
        "value" and "shift" are a share and points, or a number and a signed one, as the row's `is_share` says.
    title
        Key of the heading's phrase.  If empty, `col.FIELD`.
    digits
        Number of digits after the point.
    wide
        Whether a narrow terminal leaves it out.
    bare
        Whether a narrow terminal leaves out its interval.
    heading
        Heading, where that is no phrase but a name.
    """

    field: str
    kind: str = "number"
    title: str = ""
    digits: int = 2
    wide: bool = False
    bare: bool = False
    heading: str = ""

    @property
    def numeric(self) -> bool:
        """Whether its values are aligned to the right."""
        return self.kind not in ("name", "text", "flag")


@dataclass(frozen=True, eq=False)
class Table:
    """A table: the rows that are shown, and the whole frame behind it for a CSV file.

    A terminal shows its first `brief` rows; if it is narrow, without the columns at the positions `wide`, and without
    the intervals at the positions `bare`.
    """

    name: str
    title: str
    headings: tuple[str, ...]
    numeric: tuple[bool, ...]
    rows: tuple[tuple[Datum, ...], ...]
    frame: pl.DataFrame
    caption: str = ""
    folded: bool = False
    brief: int = 0
    wide: tuple[int, ...] = ()
    bare: tuple[int, ...] = ()


@dataclass(frozen=True, eq=False)
class Picture:
    """A figure with its title and caption; `level` names the players that it shows, if there are others."""

    name: str
    title: str
    figure: Figure
    caption: str = ""
    level: str = ""


@dataclass(frozen=True)
class Listing:
    """Lines that are shown unchanged, such as a command or settings."""

    title: str
    lines: tuple[str, ...]

    def __post_init__(self) -> None:
        object.__setattr__(self, "lines", tuple(map(printable, self.lines)))


@dataclass(frozen=True)
class Remark:
    """A paragraph."""

    text: str


@dataclass(frozen=True)
class Links:
    """Links to pages in the same folder or below: for each, its relative path, title and first sentence."""

    pages: tuple[tuple[str, str, str], ...]


Block = Table | Picture | Listing | Remark | Links | Sliders | Rounds


@dataclass(frozen=True)
class Section:
    """The answer to one question."""

    name: str  # anchor of the section
    title: str  # heading
    sentences: tuple[Sentence, ...] = ()  # verdicts, most important first
    blocks: tuple[Block, ...] = ()  # figures, tables and remarks
    notes: tuple[str, ...] = ()  # limitations, and hints on how to read the section
    basis: str = ""  # the data that it was made from, in words
    short: str = ""  # heading in the table of contents, if it differs
    top: int = 2  # number of its sentences that stay visible when sections are folded

    @property
    def tables(self) -> list[Table]:
        """Its tables in order."""
        return [block for block in self.blocks if isinstance(block, Table)]

    @property
    def briefs(self) -> list[Table]:
        """The tables that a terminal shows."""
        return [table for table in self.tables if table.brief and table.rows and not table.folded]


@dataclass(frozen=True)
class Step:
    """A next step, and the command for it."""

    text: str
    command: str


@dataclass(frozen=True, eq=False)
class Answer:
    """The first screen of a report."""

    sentence: Sentence  # whether the game is balanced and, if not, by how much
    more: tuple[str, ...]  # the same for the other numbers of players, and who played
    cause: str  # the largest cause that was shown by playing with a change
    pictures: tuple[Picture, ...]
    """The seats at all numbers of players, one figure for each level of skill, strongest first."""
    steps: tuple[Step, ...]  # the next steps
    levels: tuple[Sentence, ...] = ()
    """What the sentence would be by the players of every other level of skill, each with its level."""


@dataclass(frozen=True)
class Report:
    """A whole report."""

    title: str
    subtitle: str
    """title, subtitle: Headings."""
    facts: tuple[tuple[str, str], ...]  # pairs of label and value, such as the number of games
    verdicts: tuple[Sentence, ...]  # the sentences at the top
    warnings: tuple[str, ...]  # warnings that come before everything else
    sections: tuple[Section, ...]  # one section for each question, then method and provenance
    words: Words = field(default_factory=Words)  # the words of its language
    answer: Answer | None = None
    """Its first screen; the sections are then folded.  None on pages that begin with their verdicts."""
    levels: tuple[str, ...] = ()  # names of the players whose games are shown, weakest first
    players: tuple[int, ...] = ()  # numbers of players
    steps: tuple[Step, ...] = ()  # the next steps, on a page without an answer
    kicker: str = ""  # what kind of page it is; empty for a balance report
    heard: tuple[Heard, ...] = ()  # what players who look ahead say to its verdicts; none if nothing is judged

    @property
    def leading(self) -> Block | None:
        """What a first screen without an answer shows: the first figure or, without figures, the first table."""
        blocks = [block for section in self.sections for block in section.blocks]
        return next((block for kind in (Picture, Table) for block in blocks if isinstance(block, kind)), None)

    @property
    def pictures(self) -> list[Picture]:
        """All figures in order."""
        first = list(self.answer.pictures) if self.answer else []
        return first + [block for section in self.sections for block in section.blocks if isinstance(block, Picture)]

    @property
    def opening(self) -> tuple[Sentence, ...]:
        """What comes first: the answer if there is one, otherwise the verdicts."""
        return (self.answer.sentence,) if self.answer else self.verdicts

    @property
    def tables(self) -> list[Table]:
        """All tables in order."""
        return [table for section in self.sections for table in section.tables]


def with_commands(text: str) -> list[str]:
    """Return the parts of a text: every second one stands in backticks, and is a command."""
    return re.split("`([^`]+)`", text)


def sentences(words: Words, result: Result, verdicts: Sequence[Verdict] | None = None) -> tuple[Sentence, ...]:
    """Return a result's verdicts, or some of them, in a language."""
    chosen = result.verdicts if verdicts is None else verdicts
    return tuple(Sentence(words.verdict(verdict), verdict.status) for verdict in chosen)


def notes(words: Words, *results: Result) -> tuple[str, ...]:
    """Return the notes of some results, without repetition, and the verdicts for which a game has no sentence."""
    said = [words.note(note) for result in results for note in result.notes]
    codes = {one.code: None for result in results for one in result.verdicts if words.phrase_of(one.code) is None}
    if codes:
        said.append(words("note.unworded", codes=", ".join(codes)))
    return tuple(dict.fromkeys(said))


def assumed(words: Words, rules: Rules) -> tuple[str, ...]:
    """Return the warning that some tables of the rules are assumed, if any are."""
    return (words("warn.assumed", tables=words.listed(rules.assumed)),) if rules.assumed else ()


def basis(words: Words, *inputs: Inputs) -> str:
    """Return a description of the data of results: runs and denominators."""
    counted = list(dict.fromkeys(words.denominator(item) for item in inputs))
    return words("basis", counted="; ".join(counted))


def table(
    words: Words,
    name: str,
    title: str,
    frame: pl.DataFrame,
    columns: Sequence[Column],
    caption: str = "",
    folded: bool = False,
    brief: int = 0,
) -> Table:
    """Return a table of some columns of a frame; columns that the frame lacks are left out."""
    taken = [column for column in columns if column.field in frame.columns]
    rows = tuple(tuple(datum(words, column, row) for column in taken) for row in frame.iter_rows(named=True))
    headings = tuple(column.heading or words(column.title or f"col.{column.field}") for column in taken)
    numeric = tuple(column.numeric for column in taken)
    wide, bare = (tuple(at for at, column in enumerate(taken) if getattr(column, mark)) for mark in ("wide", "bare"))
    return Table(name, title, headings, numeric, rows, frame, caption, folded, brief, wide, bare)


def datum(words: Words, column: Column, row: Mapping[str, Any]) -> Datum:
    """Return what a table shows in a column for a row of a frame."""
    value = row[column.field]
    if value is None:
        return Datum(ABSENT)
    if column.kind in EITHER:
        kind = EITHER[column.kind][bool(row.get("is_share"))]
        column = replace(column, kind=kind, digits=1 if row.get("is_share") else column.digits)
    low, high = row.get(f"{column.field}_low"), row.get(f"{column.field}_high")
    error = row.get(f"{column.field}_se", None if low is None or high is None else (high - low) / 4)
    write = _WRITERS[column.kind](words, digits_of(error) if column.kind in MEASURED else column.digits)
    more = "" if low is None or high is None else words("interval", low=write(low), high=write(high))
    text = words("points", value=write(value)) if column.kind in ("points", "apart") else write(value)
    return Datum(text, value if column.numeric else text, more)


def _p(words: Words, digits: int) -> Callable[[Any], str]:
    return lambda value: "< " + words.number(TINY, ".3f") if value < TINY else words.number(value, ".3f")


EITHER = {"value": ("number", "share"), "shift": ("signed", "points")}
"""Kinds of values that are shares in the rows that say so (`is_share`), and otherwise numbers."""

MEASURED = ("score", "gain")
"""Kinds of numbers that are written with the digits that their standard error deserves."""

_WRITERS: dict[str, Callable[[Words, int], Callable[[Any], str]]] = {
    "name": lambda words, digits: lambda value: words.name(str(value)),
    "text": lambda words, digits: str,
    "flag": lambda words, digits: lambda value: words("yes" if value else "no"),
    "count": lambda words, digits: lambda value: words.number(value, ","),
    "share": lambda words, digits: lambda value: words.number(value, f".{digits}%"),
    "points": lambda words, digits: lambda value: words.number(100 * value, f"+.{digits}f"),
    "apart": lambda words, digits: lambda value: words.number(100 * value, f".{digits}f"),
    "score": lambda words, digits: lambda value: words.number(value, f",.{digits}f"),
    "gain": lambda words, digits: lambda value: words.number(value, f"+,.{digits}f"),
    "number": lambda words, digits: lambda value: words.number(value, f",.{digits}f"),
    "signed": lambda words, digits: lambda value: words.number(value, f"+,.{digits}f"),
    "p": _p,
}
