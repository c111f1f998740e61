"""Checks as JUnit XML, which most CI systems read: one suite for each baseline, one test case for each measure."""

from __future__ import annotations

from collections.abc import Sequence
from xml.etree import ElementTree

from analysis.check.checking import Check
from equipoise.output.checks.telling import causes, compared, conclusion, sentence, smallest
from simcore.errors import printable_lines

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
        lines = (*causes(check), compared(check), smallest(check) or "", conclusion(check))
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
