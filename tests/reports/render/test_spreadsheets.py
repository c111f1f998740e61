"""Tables that are opened with a spreadsheet."""

from __future__ import annotations

import polars as pl

from reports.render.spreadsheets import csv_of


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
