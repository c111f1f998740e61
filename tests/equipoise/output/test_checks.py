"""What CI systems read: JUnit XML, Markdown, annotations; untrusted names stay harmless in all of them."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import pytest

from analysis.check.baseline import Instead
from analysis.check.checking import Change, Check, Detail, check
from equipoise.output.checks import figures, gathered, github, gitlab, junit, markdown, show


@pytest.fixture(scope="module")
def failed(measured: Path) -> Check:
    return check(measured, Instead(settings=("starting_coins=[0, 30, 0, 0, 0]",)), games=2000)


@pytest.fixture(scope="module")
def passed(measured: Path) -> Check:
    return check(measured)


def test_junit_counts_and_names_every_measure(failed: Check, passed: Check) -> None:
    root = ElementTree.fromstring(junit([failed, passed]))
    assert root.tag == "testsuites"
    assert int(root.attrib["tests"]) == 2 * len(passed.findings) == len(root.findall(".//testcase"))
    assert int(root.attrib["failures"]) == len(failed.failed) == len(root.findall(".//failure")) > 0
    assert int(root.attrib["errors"]) == len(failed.undecided) == len(root.findall(".//error")) > 0
    names = {(case.attrib["classname"], case.attrib["name"]) for case in root.findall(".//testcase")}
    assert ("middle-ages.default.4-players", "win_share_by_seat.seat-2") in names
    assert "starting_coins" in (root.findtext("testsuite/system-out") or "")


def test_github_points_at_the_measures_line(failed: Check) -> None:
    lines = list(github([failed]))
    assert lines[0].startswith("::notice file=")
    assert "title=Balance%3A changed::The rules changed: starting_coins" in lines[0]
    first = next(line for line in lines if line.startswith("::error "))
    found = re.search(r"file=([^,]+),line=(\d+),title=([^:]+)::", first)
    assert found
    text = failed.baseline.path.read_text(encoding="utf-8").splitlines()[int(found[2]) - 1]
    assert text.startswith(failed.failed[0].claim.name + " = ")
    assert "%25" in first  # a percent sign
    kinds = [line.split(" ")[0] for line in lines]
    assert kinds == sorted(kinds, key=["::notice", "::error", "::warning"].index)
    assert not list(github([replace(failed, changes=(), findings=(), notes=())]))


def test_gitlab_reads_a_code_quality_report(failed: Check) -> None:
    found = json.loads(gitlab([failed]))
    assert {"description", "check_name", "fingerprint", "severity", "location"} == set(found[0])
    assert {entry["severity"] for entry in found} == {"info", "major", "minor"}
    assert len({entry["fingerprint"] for entry in found}) == len(found)
    assert all(entry["location"]["lines"]["begin"] >= 1 for entry in found)


def test_markdown_has_a_row_for_what_moved(failed: Check, passed: Check) -> None:
    page = markdown([failed, passed])
    assert "| 4 | win\\_share\\_by\\_seat.seat-2 |" in page
    assert page.count("❌ fail") == len(failed.failed)
    assert "**PASS: the game plays as it did.**" in page


def test_passing_measures_are_gathered_by_family(passed: Check) -> None:
    rows = list(gathered(passed.findings))
    assert sum(count for _, count in rows) == len(passed.findings)
    assert len(rows) == 2 * 3  # win shares, score and Events at 2 and at 4 players


@pytest.mark.parametrize("width", [84, 120])
def test_a_narrow_terminal_folds_names_at_the_dot(
    failed: Check, width: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", str(width))
    show(failed)
    told = capsys.readouterr().out
    assert max(map(len, told.splitlines())) <= width
    assert re.search(r"(?m)^ +4 players\b", told)
    names = {finding.claim.name for finding in failed.failed + failed.undecided}
    assert any("." in name for name in names)
    for name in names:
        family, dot, member = name.partition(".")
        assert f"{name} " in told if width == 120 else f"{family} " in told and f"{dot}{member} " in told


HOSTILE = '</testcase>|<script>alert(1)</script>\n::error::%0A `x` [y](z) \x1b[31m\x00 ]]> &amp; "'


def test_what_too_few_deals_measured_is_not_called_gone(failed: Check) -> None:
    card = next(finding for finding in failed.findings if finding.claim.name.startswith("card_score"))
    assert figures(replace(card, now=None, shift=None, verdict="inconclusive"))[1] == "too few deals"
    assert figures(replace(card, now=None, shift=None, verdict="fail"))[1] == "gone"


def test_hostile_text_is_escaped_everywhere(failed: Check) -> None:
    """Rules and strategies are other people's text."""
    change = Change("rules", (Detail("titles.x", "plain", HOSTILE),))
    check = replace(failed, changes=(change,), title=HOSTILE)
    root = ElementTree.fromstring(junit([check]))
    assert root.find(".//script") is None
    lines = list(github([check]))
    assert all("\n" not in line and line.startswith("::") for line in lines)
    assert len(lines) == 1 + len(check.notes) + len(check.failed) + len(check.undecided)
    assert "%250A" in lines[0]
    page = markdown([check])
    assert "<script>" not in page
    assert "[y](z)" not in page
    json.loads(gitlab([check]))
