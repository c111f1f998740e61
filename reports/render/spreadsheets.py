"""Tables as CSV files, which people open with a spreadsheet."""

from __future__ import annotations

from typing import Final

import polars as pl

from simcore.errors import printable_lines

FORMULAS: Final = r"^[=+\-@\t\r]"
"""How a text begins that a spreadsheet takes as a formula; it could name another program, or send data away."""


def csv_of(frame: pl.DataFrame) -> bytes:
    """Return a table as CSV; an apostrophe comes before a text that a spreadsheet would take as a formula.

    Numbers stay as they are, even as text.
    """
    text = pl.col(pl.String)
    formula = text.str.contains(FORMULAS) & text.cast(pl.Float64, strict=False).is_null()
    safe = frame.with_columns(pl.when(formula).then("'" + text).otherwise(text).name.keep())
    return printable_lines(safe.write_csv()).encode()
