"""Tables as files, which are opened with a spreadsheet and read back."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

from analysis.table_files import csv_of, scan_csv, sink_frame, unquoted, write_frame

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
