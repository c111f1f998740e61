"""The output of `equipoise check`: a table, JUnit XML, Markdown, and annotations for GitHub and GitLab."""

from __future__ import annotations

import hashlib
import json
import math
import os
import re
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any
from xml.etree import ElementTree

from rich.console import Console
from rich.table import Table
from rich.text import Text

from analysis.check.checking import EXIT_CODES, Check
from analysis.check.claims import Finding, family_of, margin_text, overall, value_text
from equipoise.retuning import CURE
from reports.opinion import heard_limits
from reports.words import ENGLISH
from reports.words import checks as wording
from simcore.errors import printable, printable_lines, shown
from simcore.homes import naming, updating

# --- The words and plain tables of a check, for every format in which it is written ---


FORMAT = "equipoise-check/1"


def sentence(finding: Finding) -> str:
    """Return a finding as one sentence."""
    claim = finding.claim
    start = f"{claim.title} at {claim.players} players"
    if finding.now is None:
        return f"{start}: " + ("no longer exists" if finding.verdict == "fail" else "occurs in too few deals")
    said = f"{start}: {value_text(finding.now, claim.is_share)}"
    if finding.low is None:
        return said
    if claim.bounded:
        ends = " to ".join(value_text(end, claim.is_share) for end in (finding.low, finding.high) if end is not None)
        word = {
            "fail": "breaks the limit of",
            "pass": "keeps the limit of",
            "inconclusive": "may or may not break the limit of",
        }
        return (
            f"{said} ({ends}) {word[finding.excused or finding.verdict]} {allowed_text(finding)}{_exception(finding)}"
        )
    if finding.before is None:
        return said
    if claim.name.startswith("no_dominant"):
        kind = "of the wins"
    else:
        kind = f"compared with {value_text(finding.before, claim.is_share)} before" if claim.kind == "measure" else ""
    word = {"fail": "more than the", "pass": "within the", "inconclusive": "which may or may not be within the"}
    shift = f"a shift of {shift_text(finding)}" if claim.kind == "measure" else shift_text(finding)
    return f"{said} {kind}; {shift}, {word[finding.verdict]} {allowed_text(finding)} allowed"


def _exception(finding: Finding) -> str:
    """Return who allows that a limit does not hold, why and until when; "" if it holds, or nobody does."""
    exception = finding.claim.exception
    if exception is None or (finding.verdict == "pass" and not finding.excused):
        return ""
    who, why = shown(exception.by, 80), shown(exception.why, 300)
    if finding.excused:
        return f"; {who} allows that until {exception.until} (UTC): {why}"
    return f"; the exception by {who} ended on {exception.until} (UTC)"


def shift_text(finding: Finding) -> str:
    """Return a measure's distance from its reference, with the half-width of the interval."""
    assert finding.shift is not None
    is_share = finding.claim.is_share
    if finding.claim.bounded and finding.high is not None:
        wide = max(finding.high - finding.shift, finding.shift - (finding.low or 0.0))
        return f"± {margin_text(wide, is_share)}"
    if finding.high is None:
        return margin_text(finding.shift, is_share, sign=True)
    wide = finding.high - finding.shift
    half = margin_text(wide if wide > 1e-6 * abs(finding.shift) else 0.0, is_share)  # sums are exact to fewer digits
    return f"{margin_text(finding.shift, is_share, sign=True).removesuffix(' pp')} ± {half}"


def allowed_text(finding: Finding) -> str:
    """Return the allowed distance, or what a limit of a measure allows."""
    claim = finding.claim
    if not claim.bounded:
        return margin_text(claim.high, claim.is_share)
    low, high = (value_text(end, claim.is_share) for end in (claim.low, claim.high))
    said = (
        f"at most {high}"
        if math.isinf(claim.low)
        else f"at least {low}"
        if math.isinf(claim.high)
        else f"{low} to {high}"
    )
    return said if claim.par is None else f"{said} (par {value_text(claim.par, claim.is_share)})"


def causes(check: Check) -> Iterator[str]:
    """Yield what changed."""
    return wording.causes(ENGLISH, check)


def smallest(check: Check) -> str | None:
    """Return the smallest shift of each family that the check could have found, if it played games."""
    most: dict[str, tuple[float, bool]] = {}
    for finding in check.findings:
        if finding.smallest is not None and finding.claim.kind == "measure":
            family = family_of(finding.claim.name)
            size = max(finding.smallest, most.get(family, (0.0, False))[0])
            most[family] = (size, finding.claim.is_share)
    if not most:
        return None
    said = ", ".join(f"{family} {margin_text(size, share)}" for family, (size, share) in most.items())
    return f"Smallest shift that would have been found 19 times out of 20: {said}."


def conclusion(check: Check) -> str:
    """Return the verdict as one line."""
    return f"{check.verdict.upper()}: {wording.conclusion(ENGLISH, check)}"


def table(checks: Sequence[Check]) -> dict[str, Any]:
    """Return checks as plain tables, for JSON."""
    verdict = overall(finding for check in checks for finding in check.findings)
    return {
        "format": FORMAT,
        "verdict": verdict,
        "exit_code": EXIT_CODES[verdict],
        "checks": [_check(check) for check in checks],
    }


def _check(check: Check) -> dict[str, Any]:
    changes = {"changes": check.changes, "changes_without_effect": check.unmoved}
    return {
        "baseline": str(check.baseline.path),
        "game": check.baseline.choices.game,
        "verdict": check.verdict,
        "against": check.against,
        **{
            key: [
                {
                    "kind": change.kind,
                    "details": [{"key": item.key, "old": item.old, "new": item.new} for item in change.details],
                }
                for change in group
            ]
            for key, group in changes.items()
        },
        "habits": [habit.to_dict() for habit in check.habits],
        "retuned": [player.to_dict() for player in check.retuned],
        "false_alarms": check.baseline.choices.judge.false_alarms,
        "levels": [one.to_dict(ENGLISH.of_game(one.inputs.game)) for one in heard_limits(check)],
        "results": check.results,
        "seed": check.seed,
        "chosen_seed": check.chosen_seed,
        "golden_games": check.golden_games,
        "games": check.games,
        "level_games": check.level_games,
        "seconds": round(check.seconds, 3),
        "findings": [_finding(finding) for finding in check.findings],
    }


def _finding(finding: Finding) -> dict[str, Any]:
    claim = finding.claim
    return {
        "players": claim.players,
        "measure": claim.name,
        "kind": claim.kind,
        "level": claim.level or None,
        "excused": finding.excused,
        "exception": claim.exception.model_dump(mode="json") if claim.exception else None,
        "unit": "share" if claim.is_share else "number",
        "verdict": finding.verdict,
        "reference": claim.reference.value,
        "reference_error": claim.reference.error,
        "now": finding.now,
        "shift": finding.shift,
        "low": finding.low,
        "high": finding.high,
        "allowed_low": claim.low if math.isfinite(claim.low) else None,
        "allowed_high": claim.high if math.isfinite(claim.high) else None,
        "z_low": finding.z[0] if finding.z else None,
        "z_high": finding.z[1] if finding.z else None,
        "smallest": finding.smallest,
        "deals": finding.deals,
    }


def levels(check: Check) -> list[str]:
    """Return which levels of play the limits hold at, one sentence for each number of players."""
    return [
        ENGLISH("of_players", players=one.inputs.players, text=one.line(ENGLISH.of_game(one.inputs.game)))
        for one in heard_limits(check)
    ]


def described(check: Check) -> str:
    """Return a check as lines: what changed, what does not pass, and the verdict."""
    loud = [sentence(finding) for finding in (*check.failed, *check.undecided, *check.excused)]
    return "\n".join([check.baseline.label, *causes(check), *loud, wording.compared(ENGLISH, check), conclusion(check)])


# --- A check as a table in the terminal ---


ACCEPT = "If the change is intended, accept it once it is in the rules or the code:"
LOG_WIDTH = 120
STYLES = {"pass": "green", "fail": "bold red", "inconclusive": "yellow"}


def show(check: Check) -> None:
    """Print a check."""
    console = Console(highlight=False, width=_width())
    players = ", ".join(str(count) for count in check.baseline.choices.players)
    console.print(Text(f"{check.title}, {players} players: {check.baseline.label}", style="bold"))
    for line in causes(check):
        console.print(Text(line))
    if check.habits:
        console.print(Text(CURE))
    rows = list(gathered(check.findings))
    if not check.played_alike or check.verdict != "pass":
        console.print(_fitted(rows, console))
    for said in (wording.compared(ENGLISH, check), smallest(check)):
        if said:
            console.print(Text(said, style="dim"))
    console.print(Text(f"{conclusion(check)} {check.seconds:.1f} s", style=STYLES[check.verdict]))
    for line in levels(check):
        console.print(Text(line))
    for finding in check.excused:
        console.print(Text(sentence(finding), style="yellow"))
    kinds = {one.claim.kind for one in check.failed}
    if "limit" in kinds:
        console.print(Text(f"Change the rules, or the limit in {check.baseline.label}."))
    elif kinds and not check.results:
        again = f"{updating(check.baseline.path, yes=True)}{naming(check.baseline.choices.game)}"
        console.print(Text(f"{ACCEPT} {again}"))
    if check.chosen_seed:
        console.print(Text(ENGLISH("check.chosen_seed"), style="yellow"))


def _width() -> int | None:
    """Return the width of the terminal or, without a terminal, one that needs no line breaks in the log of a CI job."""
    return None if sys.stdout.isatty() or "COLUMNS" in os.environ else LOG_WIDTH


def gathered(findings: tuple[Finding, ...]) -> Iterator[tuple[Finding, int]]:
    """Yield findings that do not pass, and for each family that passes its largest finding and the number of them."""
    groups: dict[tuple[int, str, str], list[Finding]] = {}
    for finding in findings:
        alone = "" if finding.verdict == "pass" and not finding.excused else finding.claim.title
        groups.setdefault((finding.claim.players, family_of(finding.claim.name), alone), []).append(finding)
    for group in groups.values():
        yield max(group, key=lambda finding: finding.used), len(group)


def _fitted(rows: list[tuple[Finding, int]], console: Console) -> Table:
    """Return the table; where the terminal is narrow, long names are folded where a reader would fold them."""
    for gap, dot in ((" ", "."), ("\n", "."), (" ", "\n.")):
        table = _table(rows, gap, dot)
        if console.measure(table, options=console.options.update(width=10_000)).maximum <= console.width:
            break
    return table


def _table(rows: list[tuple[Finding, int]], gap: str, dot: str) -> Table:
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("")
    table.add_column("measure", overflow="fold")
    for name in ("before", "now", "shift", "allowed"):
        table.add_column(name, justify="right", no_wrap=True)
    for players, findings in groupby(rows, key=lambda row: row[0].claim.players):
        table.add_row("", Text(f"{players} players", style="bold"))
        for finding, count in findings:
            table.add_row(
                Text(finding.verdict, style=STYLES[finding.verdict]),
                Text(finding.claim.title.replace(".", dot, 1) + (f"{gap}(+{count - 1})" if count > 1 else "")),
                *figures(finding),
            )
    return table


def figures(finding: Finding) -> tuple[str, str, str, str]:
    """Return a measure's old and new value, their difference, and the allowed difference."""
    is_share = finding.claim.is_share
    missing = "gone" if finding.verdict == "fail" else "too few deals"
    return (
        "" if finding.before is None else value_text(finding.before, is_share),
        missing if finding.now is None else value_text(finding.now, is_share),
        "" if finding.shift is None else shift_text(finding),
        allowed_text(finding),
    )


# --- Checks as Markdown, for the summary of a job ---


MARKS = {"pass": "✅ pass", "fail": "❌ fail", "inconclusive": "❔ inconclusive"}
_SPECIAL = re.compile(r"([\\`*_{}\[\]<>()#+!|~&])")


def markdown(checks: Sequence[Check]) -> str:
    """Return the checks as a Markdown page."""
    parts = ["## Balance"]
    for check in checks:
        parts += [f"### {_escaped(f'{check.title}: {check.baseline.label}')}", f"**{_escaped(conclusion(check))}**"]
        parts += [f"- {_escaped(line)}" for line in causes(check)]
        if not check.played_alike or check.verdict != "pass":
            parts.append("\n".join(_rows(check)))
        parts += [
            _escaped(said) for said in (wording.compared(ENGLISH, check), smallest(check), *levels(check)) if said
        ]
    return "\n\n".join(parts) + "\n"


def _rows(check: Check) -> list[str]:
    lines = ["| players | measure | before | now | shift | allowed | verdict |", "|--:|---|--:|--:|--:|--:|---|"]
    for finding, count in gathered(check.findings):
        name = finding.claim.name + (f" (+{count - 1})" if count > 1 else "")
        cells = [str(finding.claim.players), name, *figures(finding)]
        lines.append("| " + " | ".join([*map(_escaped, cells), MARKS[finding.verdict]]) + " |")
    return lines


def _escaped(text: str) -> str:
    """Return text that Markdown shows unchanged."""
    return _SPECIAL.sub(r"\\\1", printable(text))


# --- Checks as JUnit XML, which most CI systems read: one suite for each baseline, one test case for each measure ---


ELEMENTS = {"fail": "failure", "inconclusive": "error"}


def junit(checks: Sequence[Check]) -> str:
    """Return the XML; an inconclusive measure counts as an error."""
    root = ElementTree.Element("testsuites", _counts(checks), name="equipoise check")
    for check in checks:
        suite = ElementTree.SubElement(root, "testsuite", _counts([check]), name=printable_lines(check.baseline.label))
        for finding in check.findings:
            where = f"{check.baseline.choices.game}.{check.baseline.path.stem}.{finding.claim.players}-players"
            case = ElementTree.SubElement(
                suite,
                "testcase",
                classname=printable_lines(where),
                name=printable_lines(finding.claim.name),
                file=printable_lines(str(check.baseline.path)),
                time="0",
            )
            if finding.verdict in ELEMENTS:
                said = printable_lines(sentence(finding))
                child = ElementTree.SubElement(case, ELEMENTS[finding.verdict], message=said, type=finding.verdict)
                child.text = said
        out = ElementTree.SubElement(suite, "system-out")
        lines = (*causes(check), wording.compared(ENGLISH, check), smallest(check) or "", conclusion(check))
        out.text = printable_lines("\n".join(filter(None, lines)))
    ElementTree.indent(root)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ElementTree.tostring(root, encoding="unicode") + "\n"


def _counts(checks: Sequence[Check]) -> dict[str, str]:
    findings = [finding for check in checks for finding in check.findings]
    return {
        "tests": str(len(findings)),
        "failures": str(sum(finding.verdict == "fail" for finding in findings)),
        "errors": str(sum(finding.verdict == "inconclusive" for finding in findings)),
        "skipped": "0",
        "time": f"{sum(check.seconds for check in checks):.3f}",
    }


# --- Annotations that GitHub and GitLab show next to the lines of the baseline ---


GITHUB = {"fail": "error", "inconclusive": "warning", "note": "notice"}
GITLAB = {"fail": "major", "inconclusive": "minor", "note": "info"}


@dataclass(frozen=True)
class Annotation:
    """One annotation."""

    weight: str  # "fail", "inconclusive" or "note"
    path: str
    line: int
    """path, line: File and line that it belongs to."""
    name: str  # name of the measure or change that it is about
    text: str  # its text


def notes(checks: Sequence[Check]) -> Iterator[Annotation]:
    """Yield an annotation for each change, and for each measure that does not pass."""
    for check in checks:
        path = check.baseline.path.as_posix()
        for text in causes(check):
            yield Annotation("note", path, 1, "changed", text)
        for finding in (*check.failed, *check.undecided):
            name = f"{finding.claim.name} at {finding.claim.players} players"
            yield Annotation(finding.verdict, path, _line(check, finding), name, sentence(finding))


def _line(check: Check, finding: Finding) -> int:
    claim = finding.claim
    if claim.kind == "limit":
        own = claim.name if claim.name in check.baseline.choices.limits.bounds else family_of(claim.name)
        return check.baseline.line(None, own)
    return check.baseline.line(claim.players, claim.name)


def github(checks: Sequence[Check]) -> Iterator[str]:
    """Yield GitHub's workflow commands, one line each."""
    for note in notes(checks):
        where = f"file={_property(note.path)},line={note.line},title={_property(f'Balance: {note.name}')}"
        yield f"::{GITHUB[note.weight]} {where}::{_message(note.text)}"


def _message(text: str) -> str:
    return printable_lines(text).replace("%", "%25").replace("\n", "%0A")


def _property(text: str) -> str:
    return _message(text).replace(":", "%3A").replace(",", "%2C")


def gitlab(checks: Sequence[Check]) -> str:
    """Return a report in GitLab's Code Quality format."""
    found = [
        {
            "description": note.text,
            "check_name": f"balance/{note.name}",
            "fingerprint": _fingerprint(note),
            "severity": GITLAB[note.weight],
            "location": {"path": note.path, "lines": {"begin": note.line}},
        }
        for note in notes(checks)
    ]
    return json.dumps(found, indent=2) + "\n"


def _fingerprint(note: Annotation) -> str:
    """Return a key that identifies a note, and does not change when the figures in the note change."""
    parts = (note.path, note.weight, note.name, note.text if note.weight == "note" else "")
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()
