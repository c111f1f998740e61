"""The page of a check: what moved since the baselines were measured, and whether that is within their margins."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import chain
from operator import attrgetter

import polars as pl

from analysis.check.checking import Change, Check
from analysis.check.claims import Claim, Finding
from reports.figures.forest import Forest, Panel
from reports.opinion import Heard, heard_limits
from reports.page import Block, Column, Datum, Picture, Remark, Report, Section, Sentence, Table, datum, table
from reports.pages.common import level_lines, method
from reports.words import Words
from reports.words.checks import change_text, compared, conclusion
from simcore.errors import shown

STATUS = {"pass": "fair", "fail": "tilted", "inconclusive": "unclear"}
"""What kind of statement a verdict is."""

MOST = 20
"""Most measures that a figure shows: those that use most of what is allowed."""

CHANGES = (Column("what", "text", "col.kind"), Column("key", "text"), Column("before", "text"), Column("after", "text"))


def compose_checks(checks: Sequence[Check], words: Words, command: Sequence[str] = ("check",)) -> Report:
    """Return the page of some checks.

    checks: The checks, one for each baseline.
    words: Language.
    command: Command line that made it, without the program's name.
    """
    titles = dict.fromkeys(check.title for check in checks)
    facts = (
        (words("fact.baselines"), words.number(len(checks), ",")),
        (words("fact.measures"), words.number(sum(len(check.findings) for check in checks), ",")),
        (words("fact.games"), words.number(sum(check.golden_games + check.games for check in checks), ",")),
    )
    warnings = (words("check.chosen_seed"),) if any(check.chosen_seed for check in checks) else ()
    warned = dict.fromkeys(words.note(note) for check in checks for note in check.notes)
    voices = [heard_limits(check) for check in checks]
    sections = [_section(words, check, number) for number, check in enumerate(checks, 1)]
    return Report(
        words("check.title", games=words.listed(list(titles))),
        words("check.subtitle"),
        facts,
        (*(_conclusion(words, check) for check in checks), *_levels(words, checks, voices)),
        (*warnings, *warned),
        (*sections, method(words, command, "check")),
        words,
        heard=tuple(chain(*voices)),
    )


def _levels(words: Words, checks: Sequence[Check], voices: Sequence[Sequence[Heard]]) -> Iterator[Sentence]:
    """Yield which levels of play the limits hold at; of several baselines, each says which it is about."""
    for check, own in zip(checks, voices, strict=True):
        for line in level_lines(words.of_game(check.baseline.choices.game), *own) if own else ():
            name = check.baseline.label
            yield line if len(checks) == 1 else replace(line, text=words("check.named", name=name, text=line.text))


def _conclusion(words: Words, check: Check) -> Sentence:
    """Return the verdict on a baseline."""
    text = words("check.named", name=check.baseline.label, text=conclusion(words, check))
    return Sentence(text, STATUS[check.verdict], label=f"status.{check.verdict}")


def _section(words: Words, check: Check, number: int) -> Section:
    unmoved = [
        words("check.unmoved", change=change_text(words, one), games=check.golden_games) for one in check.unmoved
    ]
    blocks: list[Block] = [Remark(text) for text in (compared(words, check), *unmoved)]
    rows = [row for change in check.changes for row in _changed(words, change)]
    if rows:
        frame = pl.DataFrame(rows)
        blocks.append(table(words, f"changes-{number}", words("table.check_changes"), frame, CHANGES))
    played = [one for one in check.findings if one.shift is not None]
    drawn = sorted(
        (one for one in played if one.claim.kind == "measure" and one.high is not None), key=attrgetter("used")
    )
    if drawn:
        figure = _figure(words, drawn[: -MOST - 1 : -1])
        blocks.append(Picture(f"shifts-{number}", words("figure.check"), figure, words("caption.check")))
    if played:
        blocks.append(_table(words, check, number))
    players = words.listed([str(count) for count in check.baseline.choices.players])
    return Section(
        f"baseline-{number}", words("check.section", name=check.baseline.label, players=players), (), tuple(blocks)
    )


def _changed(words: Words, change: Change) -> Iterator[dict[str, str]]:
    """Yield what changed: a row for each value, or one row if the values are not known."""
    for one in change.details:
        old, new = ("" if value is None else shown(str(value)) for value in (one.old, one.new))
        yield {"what": words(f"check.{change.kind}"), "key": one.key, "before": old, "after": new}
    if not change.details:
        yield {"what": words(f"check.{change.kind}"), "key": "", "before": "", "after": ""}


def _name(words: Words, finding: Finding) -> str:
    return words("of_players", players=finding.claim.players, text=finding.claim.title)


def _figure(words: Words, findings: Sequence[Finding]) -> Forest:
    frame = pl.DataFrame(
        [
            {
                "row": _name(words, one),
                "series": "all",
                "value": (one.shift or 0.0) / one.claim.high,
                "low": None if one.low is None else one.low / one.claim.high,
                "high": None if one.high is None else one.high / one.claim.high,
                "stands": one.verdict != "pass",
            }
            for one in findings
        ]
    )
    panel = Panel(words("axis.check"), frame, centre=None)
    return Forest(frame["row"].to_list(), [panel], {"all": words("series.all")}, words=words)


def _bounds(words: Words, claim: Claim) -> Datum:
    """Return what a limit of a measure allows, beside par."""
    column = Column("end", "share" if claim.is_share else "number", digits=2)
    low, high, par = (datum(words, column, {"end": end}).text for end in (claim.low, claim.high, claim.par))
    text, value = words("check.between", low=low, high=high), claim.high
    if math.isinf(claim.low):
        text = words("check.at_most", value=high)
    elif math.isinf(claim.high):
        text, value = words("check.at_least", value=low), claim.low
    return Datum(text, value, "" if claim.par is None else f"{words('col.par')} {par}")


def _judged(words: Words, finding: Finding) -> Datum:
    """Return the verdict on a measure; for an exception from a limit, with who decided it, why and until when."""
    kind = "limit" if finding.claim.bounded else "word"
    exception = finding.claim.exception if finding.excused else None
    more = words("check.excused", by=exception.by, why=exception.why, until=str(exception.until)) if exception else ""
    return Datum(words(f"check.{kind}_{finding.excused or finding.verdict}"), finding.verdict, more)


def _table(words: Words, check: Check, number: int) -> Table:
    """Return all measures, those that use most of what is allowed first."""
    findings = sorted(check.findings, key=lambda one: (one.verdict == "pass" and not one.excused, -one.used))
    names = ("players", "measure", "judged", "before", "now", "shift", "allowed")
    rows = []
    for one in findings:
        plain, moved = ("share", "points") if one.claim.is_share else ("number", "signed")
        kinds = {"before": plain, "now": plain, "shift": moved, "allowed": plain if plain == "number" else moved}
        values = {"before": one.before, "now": one.now, "shift": one.shift, "allowed": one.claim.high}
        if one.claim.bounded:
            values |= {"shift": None, "allowed": None}
        rows.append(
            (
                Datum(str(one.claim.players), one.claim.players),
                Datum(one.claim.title, one.claim.title),
                _judged(words, one),
                *(datum(words, Column(name, kind, digits=2), values) for name, kind in kinds.items()),
            )
        )
        if one.claim.bounded:
            rows[-1] = (*rows[-1][:-1], _bounds(words, one.claim))
    headings = tuple(words(f"col.{name}") for name in names)
    numeric = (True, False, False, True, True, True, True)
    return Table(f"measures-{number}", words("table.check"), headings, numeric, tuple(rows), check.table)
