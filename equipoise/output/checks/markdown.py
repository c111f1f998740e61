"""Checks as Markdown, for the summary of a job."""

from __future__ import annotations

import re
from collections.abc import Sequence

from analysis.check.checking import Check
from equipoise.output.checks.table import figures, gathered
from equipoise.output.checks.telling import causes, compared, conclusion, smallest
from simcore.errors import printable

MARKS = {"pass": "✅ pass", "fail": "❌ fail", "inconclusive": "❔ inconclusive"}
_SPECIAL = re.compile(r"([\\`*_{}\[\]<>()#+!|~&])")


def markdown(checks: Sequence[Check]) -> str:
    """Return the checks as a Markdown page."""
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
        name = finding.claim.name + (f" (+{count - 1})" if count > 1 else "")
        cells = [str(finding.claim.players), name, *figures(finding)]
        lines.append("| " + " | ".join([*map(_escaped, cells), MARKS[finding.verdict]]) + " |")
    return lines


def _escaped(text: str) -> str:
    """Return text that Markdown shows unchanged."""
    return _SPECIAL.sub(r"\\\1", printable(text))
