"""Polars' tables as pandas data frames, without pyarrow, which polars would need for this."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pandas as pd
    import polars as pl


def to_pandas(frame: pl.DataFrame) -> pd.DataFrame:
    """Return the table in pandas: names of a fixed list as categories, a missing number as NaN."""
    import pandas as pd

    return pd.DataFrame({column.name: _column(column) for column in frame})


def _column(column: pl.Series) -> Any:
    import pandas as pd
    import polars as pl

    if isinstance(column.dtype, pl.Enum):
        codes = column.to_physical().cast(pl.Int64).fill_null(-1).to_numpy()
        names: Any = column.dtype.categories.to_list()
        return pd.Categorical.from_codes(codes, categories=names, ordered=True)
    if column.dtype.is_nested():
        return pd.Series(column.to_list(), dtype=object)
    return column.to_numpy(writable=True)
