"""Tables as files, which are opened with a spreadsheet and read back."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analysis.table_files import csv_of, scan_csv, sink_frame, unquoted, write_frame
from simcore.errors import printable_lines

NAMES = ["=1+1", "'=1+1", "''@a", "'quoted'", "-5", "@", "plain, with a comma"]


def test_no_text_becomes_a_formula() -> None:
    """As the name of a group in a sheet of real games may be; see OWASP on CSV injection."""
    frame = pl.DataFrame(
        {
            "group": ["=1+1", "@SUM(A1)", "+cmd|' /C calc'!A0", "-2+3", "-1.5", "+2", "a=b", "", None],
            "won": [-0.5] * 9,
        }
    )
    lines = csv_of(frame).decode().splitlines()
    assert lines == [
        "group,won",
        "'=1+1,-0.5",
        "'@SUM(A1),-0.5",
        "'+cmd|' /C calc'!A0,-0.5",
        "'-2+3,-0.5",
        "-1.5,-0.5",
        "+2,-0.5",
        "a=b,-0.5",
        '"",-0.5',
        ",-0.5",
    ]
    assert csv_of(pl.DataFrame({"won": [1]})) == b"won\n1\n"


def test_no_heading_is_a_formula_and_no_terminal_obeys_a_text() -> None:
    frame = pl.DataFrame({"=1+1": ["\x1b[31mred", "two\nlines\tand\u202e"]})
    assert csv_of(frame).decode() == "'=1+1\n\\x1b[31mred\n" + '"two\nlines\tand\\u202e"\n'


def test_no_query_calls_python_for_a_finished_table(monkeypatch: pytest.MonkeyPatch) -> None:
    """Polars would import modules of its own inside such a query, and panics where one is missing."""
    monkeypatch.delattr(pl.Expr, "map_batches")
    assert csv_of(pl.DataFrame({"name": ["@a"]})) == b"name\n'@a\n"


@pytest.mark.parametrize("kind", [pl.String(), pl.Enum(NAMES)])
def test_texts_are_read_back_as_they_were(tmp_path: Path, kind: pl.DataType) -> None:
    """From a file that was written at once or as a stream; Parquet, which no spreadsheet obeys, keeps them."""
    frame = pl.DataFrame({"name": pl.Series(NAMES, dtype=kind), "number": [-1.5, *map(float, range(6))]})
    paths = [tmp_path / "one.csv", tmp_path / "two.csv"]
    write_frame(frame, paths[0])
    sink_frame(frame.lazy(), paths[1], "csv")
    for path in paths:
        assert path.read_text().splitlines()[:4] == ["name,number", "'=1+1,-1.5", "''=1+1,0.0", "'''@a,1.0"]
        assert unquoted(pl.read_csv(path, infer_schema=False))["name"].to_list() == NAMES
    if isinstance(kind, pl.Enum):
        assert scan_csv(paths, frame.schema).collect().equals(pl.concat([frame] * 2))
    sink_frame(frame.lazy(), tmp_path / "three.parquet", "parquet")
    assert pl.read_parquet(tmp_path / "three.parquet").equals(frame)


@settings(max_examples=200)
@given(st.lists(st.text("'=-@+\t\r\n\x1b\\x1 \",\u202e", max_size=6), min_size=1))
def test_any_text_is_harmless_in_a_spreadsheet_and_read_back(texts: list[str]) -> None:
    """A text behind a control character is guarded once that is spelt out, and loses nothing but our apostrophe."""
    shown = [printable_lines(text) for text in texts]
    written = pl.read_csv(csv_of(pl.DataFrame({"text": texts})), infer_schema=False).fill_null("")
    for text in written["text"]:
        assert text[:1] not in tuple("=@\t\r\n") and not (text[:1] in tuple("+-") and not text[1:2].isdigit())
    assert unquoted(written)["text"].to_list() == shown
