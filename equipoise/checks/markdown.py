"""Checks as Markdown, for the summary of a job."""

from __future__ import annotations

import re
from collections.abc import Sequence

from analysis.check.checking import Check
from analysis.check.margins import value_text
from analysis.check.telling import allowed_text, causes, compared, conclusion, shift_text, smallest
from equipoise.checks.table import gathered

MARKS = {"pass": "✅ pass", "fail": "❌ fail", "inconclusive": "❔ inconclusive"}
_SPECIAL = re.compile(r"([\\`*_{}\[\]<>()#+!|~&])")


def markdown(checks: Sequence[Check]) -> str:
    """Return a page."""
    parts = ["## Balance"]
    for check in checks:
        parts += [f"### {_escaped(f'{check.title}: {check.baseline.label}')}", f"**{_escaped(conclusion(check))}**"]
        parts += [f"- {_escaped(line)}" for line in causes(check)]
        if check.against != "digests" or check.verdict != "pass":
            parts.append("\n".join(_rows(check)))
        parts += [_escaped(said) for said in (compared(check), smallest(check)) if said]
    return "\n\n".join(parts) + "\n"


def _rows(check: Check) -> list[str]:
    lines = ["| players | measure | before | now | shift | allowed | verdict |", "|--:|---|--:|--:|--:|--:|---|"]
    for finding, count in gathered(check.findings):
        claim = finding.claim
        cells = [
            str(claim.players),
            claim.name + (f" and {count - 1} more" if count > 1 else ""),
            "" if claim.kind == "limit" else value_text(claim.reference.value, claim.is_share),
            "gone" if finding.now is None else value_text(finding.now, claim.is_share),
            "" if finding.shift is None else shift_text(finding),
            allowed_text(finding),
        ]
        lines.append("| " + " | ".join([*map(_escaped, cells), MARKS[finding.verdict]]) + " |")
    return lines


def _escaped(text: str) -> str:
    """Return text that Markdown shows as it is."""
    return _SPECIAL.sub(r"\\\1", text)
