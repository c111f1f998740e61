"""Annotations that GitHub and GitLab show next to the lines of the baseline."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from analysis.check.checking import Check
from analysis.check.claims import Finding, family_of
from equipoise.output.checks.telling import causes, sentence
from simcore.errors import printable_lines

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
        return check.baseline.line(None, family_of(claim.name))
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
