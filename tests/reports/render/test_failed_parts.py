"""A section or a figure whose code fails costs one line and its own place on the page, and nothing else."""

from __future__ import annotations

import logging
from pathlib import Path

import pytest
from pydantic import BaseModel, field_serializer

from analysis.runs import load
from reports.page import Section
from reports.render.outputs import files
from reports.sections.seats import seats
from reports.study import compose
from reports.study.chapters import Chapter, GameReport
from reports.study.study import Study
from simcore.errors import KernelFault


def _fails(error: Exception) -> Chapter:
    def make(study: Study) -> Section | None:
        raise error

    return Chapter("broken", make)


def test_a_failing_section_is_named_in_one_line(
    runs: dict[str, Path], monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(compose, "SECTIONS", (Chapter("seats", seats), _fails(ValueError("two\nlines"))))
    monkeypatch.setattr(compose, "load_report", lambda game: GameReport())
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
    monkeypatch.setattr(compose, "load_report", lambda game: GameReport())
    with pytest.raises(KernelFault, match="an invariant broke"):
        compose.compose(Study((load(runs["weak"]),)))


def test_a_signal_of_which_a_library_makes_its_own_error_ends_the_report(
    runs: dict[str, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    class Written(BaseModel):
        key: int = 1

        @field_serializer("key")
        def interrupt(self, key: int) -> int:
            raise KeyboardInterrupt

    def make(study: Study) -> Section | None:
        Written().model_dump()
        return None

    monkeypatch.setattr(compose, "SECTIONS", (Chapter("broken", make),))
    monkeypatch.setattr(compose, "load_report", lambda game: GameReport())
    with pytest.raises(KeyboardInterrupt):
        compose.compose(Study((load(runs["weak"]),)))


@pytest.mark.parametrize(("method", "broken"), [("draw", ("html", "pdf", "png")), ("alt_text", ("html", "md"))])
def test_a_failing_figure_is_named_in_one_line(
    method: str,
    broken: tuple[str, ...],
    runs: dict[str, Path],
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    drawn: None,
) -> None:
    """In every format, and the rest of the report is written."""
    monkeypatch.setattr(compose, "SECTIONS", (Chapter("seats", seats),))
    monkeypatch.setattr(compose, "load_report", lambda game: GameReport())
    page = compose.compose(Study((load(runs["weak"]),)))
    picture = page.pictures[0]

    def fail(*given: object) -> None:
        raise ValueError("two\nlines")

    monkeypatch.setattr(type(picture.figure), method, property(fail) if method == "alt_text" else fail)
    with caplog.at_level(logging.ERROR, "equipoise"):
        made = {path.name: make() for path, make in files(page, Path("page.html"), ("html", "pdf", "md", "png"))}
    said = [record.getMessage() for record in caplog.records]
    line = f"error: the figure '{picture.name}' of middle-ages cannot be drawn (ValueError: two lines); this is a bug"
    assert said == [line] * len(broken)
    assert (f"{picture.name}.png" in made) == ("png" not in broken)
    assert ("because of a bug in its code" in made["page.html"].decode()) == ("html" in broken)
    assert ("because of a bug in its code" in made["page.md"].decode()) == ("md" in broken)
    assert made["page.pdf"].startswith(b"%PDF")
