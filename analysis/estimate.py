"""Ratios of totals by group, with standard errors from deals: expressions over a frame, added up part by part."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import reduce
from itertools import combinations_with_replacement
from operator import add

import polars as pl

from analysis.data.results import tidy
from analysis.data.threads import products_on_one_thread
from analysis.runs.load import Run
from simcore.errors import UsageError, nearest

DEAL, SEAT = "deal_id", "seat"

AT_ONCE = 100_000
"""Number of rows that are added up at a time."""

ROUNDING = 1e-12
"""Part of the sum of squares below which what is left of it is rounding."""

Value = pl.Expr | tuple["pl.Expr | int", ...]
"""A mean over rows; a numerator and a denominator; or two such pairs, whose ratios are subtracted."""


def estimate(
    frame: pl.DataFrame | pl.LazyFrame | Run, values: Mapping[str, Value], by: Sequence[str | pl.Expr] = ()
) -> pl.DataFrame:
    """Return ratios of totals by group, with standard errors from deals (Woodruff 1971).

    The rows of a deal are summed before anything is squared.  Whole numbers stay exact: `(pl.col("share60"), 60)` gives
    the same bytes in any order of the rows, which `pl.col("share60") / 60` does not.

    Parameters
    ----------
    frame
        A run, which is read part by part, or a frame with the column `deal_id`, such as `run.polars()`, one filtered or
        joined, or one with one row for each game or event.
    values
        By name: an expression, whose mean is taken over the rows in which it is not null; a pair of a numerator and a
        denominator, which may be a number; or four, whose second ratio is subtracted from the first.
    by
        Columns to group by, or named expressions.

    Returns
    -------
    polars.DataFrame
        One row for each group, in order: the columns of `by`, the number of `rows`, and for each value its estimate,
        `_se`, the totals `_sum` and `_of` of its (first) numerator and denominator, and
        `_deals`, the number of deals behind it.

    Raises
    ------
    UsageError
        If the frame has no column `deal_id`, or a number of expressions is neither 1, 2 nor 4.

    References
    ----------
    * docs/reference/methods.md
    * Woodruff, R. S. (1971). A simple method for approximating the variance of a complicated estimate. JASA 66.

    Examples
    --------
    >>> import equipoise as eq
    >>> import polars as pl
    >>> run = eq.simulate(players=2, strategies="random", games=400, out="runs/first").run
    >>> shares = eq.estimate(run.polars(), {"share": (pl.col("share60"), 60)}, by=["seat"])
    >>> (shares["share"] - eq.seat_advantage(run).table["share"]).abs().max() < 1e-12
    True
    """
    total = Sums(values, by)
    for part in _read(frame):
        total.take(part)
    return tidy(total.estimates())


def _read(frame: pl.DataFrame | pl.LazyFrame | Run) -> Iterator[pl.DataFrame]:
    """Yield the rows, those of a lazy frame in parts that end with a deal."""
    lazy = frame.polars() if isinstance(frame, Run) else frame.lazy()
    schema = lazy.collect_schema()
    if DEAL not in schema:
        raise UsageError(f"no column '{DEAL}'{nearest(DEAL, schema)}", "frame")
    if isinstance(frame, pl.DataFrame):
        yield frame
        return
    rest = pl.DataFrame(schema=schema)
    for batch in lazy.collect_batches(chunk_size=AT_ONCE, maintain_order=True):
        part = pl.concat([rest, batch])
        if not part[DEAL].is_sorted():
            raise UsageError(f"the rows are not in the order of '{DEAL}'; sort them by it, or collect them", "frame")
        ends = int(part[DEAL].search_sorted(part[DEAL][-1])) if len(part) else 0
        yield part[:ends]
        rest = part[ends:]
    yield rest


class Sums:
    """The sums behind the estimates of some values by group, over deals; those of several parts add up in any order.

    values, by: See `estimate`.
    """

    def __init__(self, values: Mapping[str, Value], by: Sequence[str | pl.Expr] = ()) -> None:
        self.keys = [pl.col(key) if isinstance(key, str) else key for key in by]
        self.by = [key.meta.output_name() for key in self.keys]
        self.columns: list[pl.Expr] = []  # what is summed: every numerator and denominator once
        self.parts = {name: [self._place(part) for part in _parts(name, value)] for name, value in values.items()}
        pairs = [pair for own in self.parts.values() for pair in combinations_with_replacement(own, 2)]
        self.products = {_product(*pair): pair for pair in pairs}
        self.below = {_deals(own): own[1::2] for own in self.parts.values()}
        names = [*self.by, "rows", *map(str, range(len(self.columns))), *self.products, *self.below]
        self.table = pl.DataFrame(schema=dict.fromkeys(names, pl.Float64))

    def _place(self, part: pl.Expr) -> int:
        """Return the number of a numerator or denominator."""
        same = (at for at, column in enumerate(self.columns) if column.meta.eq(part))
        if (at := next(same, None)) is None:
            at = len(self.columns)
            self.columns.append(part)
        return at

    def take(self, frame: pl.DataFrame) -> None:
        """Add rows that make up complete deals."""
        if not len(frame):
            return
        columns = {str(at): part.cast(pl.Float64) for at, part in enumerate(self.columns)}
        rows = frame.select(pl.col(DEAL).alias(":deal"), *self.keys, **columns)
        if sparse := [name for name in columns if rows[name].null_count()]:
            rows = rows.with_columns(pl.col(sparse).fill_null(0.0))
        deals = rows[":deal"].to_numpy()
        size = int((deals == deals[0]).sum())
        first = deals[::size]  # compared, not subtracted: a difference of unsigned numbers is never below zero
        equal = len(rows) % size == 0 and bool((first[1:] > first[:-1]).all())
        equal = equal and bool((deals.reshape(-1, size) == first[:, None]).all())
        if equal and self._alike(rows, size):
            self._add(self._by_place(rows, size).lazy())
            return
        lazy = rows.lazy().with_columns(rows=1.0)
        if self.parts and not (equal and size == 1):  # a row may not be a deal of its own
            lazy = lazy.group_by(":deal", *self.by).agg(pl.all().sum())
        sums = {str(at): pl.col(str(at)).sum() for at in range(len(self.columns))}
        sums |= {name: (pl.col(str(i)) * pl.col(str(j))).sum() for name, (i, j) in self.products.items()}
        for name, below in self.below.items():
            sums[name] = pl.any_horizontal(pl.col(str(at)) != 0 for at in below).sum()
        every = pl.col("rows").sum()
        self._add(lazy.group_by(self.by).agg(every, **sums) if self.by else lazy.select(every, **sums))

    def _alike(self, rows: pl.DataFrame, size: int) -> bool:
        """Return whether the rows of every deal belong to the same groups in the same order."""
        keys = (rows[name].to_numpy().reshape(-1, size) for name in self.by)
        return all((key == key[0]).all() for key in keys)

    def _by_place(self, rows: pl.DataFrame, size: int) -> pl.DataFrame:
        """Return the sums where the rows of every deal belong to the same groups in the same order."""
        groups = rows[:size].select(self.by).rows() if self.by else [()] * size
        values = rows.select(*map(str, range(len(self.columns))), one=pl.lit(1.0)).to_numpy(order="c")
        sums = []
        for group in dict.fromkeys(groups):
            places = [at for at, own in enumerate(groups) if own == group]
            deals = reduce(add, (values[place::size] for place in places))
            with products_on_one_thread():
                cross = deals.T @ deals
            some = (deals[:, below].any(axis=1).sum() for below in self.below.values())
            products = (cross[pair] for pair in self.products.values())
            sums.append((*group, len(places) * len(deals), *cross[-1, :-1] / len(places), *products, *some))
        return pl.DataFrame(sums, self.table.columns, orient="row")

    def _add(self, more: pl.LazyFrame) -> None:
        keys = pl.selectors.by_name(*self.by)
        more = more.with_columns((~keys).cast(pl.Float64), (keys & pl.selectors.integer()).cast(pl.Int64))
        both = pl.concat([self.table.lazy(), more]) if len(self.table) else more
        both = both.group_by(self.by).agg(pl.all().sum()).sort(self.by) if self.by else both.sum()
        self.table = both.collect()

    def estimates(self) -> pl.DataFrame:
        """Return the groups in order, with the columns that `estimate` describes; NaN where nothing is known."""
        columns: dict[str, pl.Expr] = {"rows": pl.col("rows").cast(pl.Int64)}
        for name, own in self.parts.items():
            columns |= _estimate(name, own)
        return self.table.select(*self.by, **columns)


def _parts(name: str, value: Value) -> list[pl.Expr]:
    """Return numerators and denominators, in turn."""
    if isinstance(value, pl.Expr):
        return [value, value.is_not_null()]
    if len(value) not in (2, 4):
        raise UsageError(f"{name}: give an expression, a numerator and a denominator, or two such pairs", "values")
    return [part if isinstance(part, pl.Expr) else pl.lit(part) for part in value]


def _product(one: int, other: int) -> str:
    return f"{min(one, other)} {max(one, other)}"


def _deals(own: Sequence[int]) -> str:
    """Return the name of the number of deals in which a denominator is not zero."""
    return "deals " + " ".join(map(str, own[1::2]))


def _estimate(name: str, own: Sequence[int]) -> dict[str, pl.Expr]:
    """Return the columns of a value with 2 or 4 parts: the difference of ratios, linearised, and what it is made of."""
    total, deals = [pl.col(str(at)) for at in own], pl.col(_deals(own))
    cross = {(i, j): pl.col(_product(one, other)) for i, one in enumerate(own) for j, other in enumerate(own)}
    value = total[0] / total[1]
    rest = cross[0, 0] - 2 * value * cross[0, 1] + value**2 * cross[1, 1]
    rest, scale = pl.when(rest > ROUNDING * cross[0, 0]).then(rest).otherwise(0.0), total[1].abs()
    if len(own) == 4:
        other = total[2] / total[3]
        lines = [1 / total[1], -value / total[1], -1 / total[3], other / total[3]]
        rest = pl.sum_horizontal(lines[i] * lines[j] * one for (i, j), one in cross.items())
        value, scale = value - other, pl.lit(1.0)
    error = (pl.max_horizontal(rest, 0.0) * deals / (deals - 1)).sqrt() / scale
    return {
        name: value,
        f"{name}_se": pl.when(deals > 1).then(error).otherwise(float("nan")),
        f"{name}_sum": total[0],
        f"{name}_of": total[1],
        f"{name}_deals": deals.cast(pl.Int64),
    }
