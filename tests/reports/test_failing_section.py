"""A section whose code fails costs one line and its own place on the page, and no other section."""

from __future__ import annotations

import logging
from pathlib import Path

import pytest

from analysis.runs import load
from reports import compose
from reports.own import Chapter, GameReport
from reports.page import Section
from reports.sections.seats import seats
from reports.study import Study
from simcore.errors import KernelFault


def _fails(error: Exception) -> Chapter:
    def make(study: Study) -> Section | None:
        raise error

    return Chapter("broken", make)


def test_a_failing_section_is_named_in_one_line(
    runs: dict[str, Path], monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(compose, "SECTIONS", (Chapter("seats", seats), _fails(ValueError("two\nlines"))))
    monkeypatch.setattr(Study, "own", GameReport())
    with caplog.at_level(logging.ERROR, "equipoise"):
        page = compose.compose(Study((load(runs["weak"]),)))
    said = [record.getMessage() for record in caplog.records]
    assert said == ["error: the section 'broken' of the report failed (ValueError: two lines); this is a bug"]
    told = {section.name: section for section in page.sections}
    assert "because of a bug" in told["broken"].sentences[0].text
    assert told["seats"].sentences


def test_errors_with_a_sentence_of_their_own_end_the_report(
    runs: dict[str, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(compose, "SECTIONS", (_fails(KernelFault("an invariant broke")),))
    monkeypatch.setattr(Study, "own", GameReport())
    with pytest.raises(KernelFault, match="an invariant broke"):
        compose.compose(Study((load(runs["weak"]),)))
