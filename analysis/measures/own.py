"""Measures of an analyst's own, and the means of all measures of whole games."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from uuid import uuid4

import polars as pl

from analysis.data.accumulate import accumulate
from analysis.data.source import Source
from analysis.data.sources import Data, open_source
from analysis.measures.quantities import MEAN, families
from analysis.measures.requested import columns_of, empty_sums, estimates
from analysis.measures.rows import ADDED, Added
from simcore.errors import UsageError
from simcore.rules.files import NAME
from simcore.rules.measures import taken


def measure(name: str, expression: pl.Expr) -> None:
    """Add a measure to every analysis of this process; a measure of your own with the same name is replaced.

    `eq.measures`, `eq.compare`, `eq.mend`, `eq.sweep` and `eq.check` then know the name.  A file of rules keeps such a
    measure for good: see docs/change-a-rule.md.

    Parameters
    ----------
    name
        Name, such as "robbed".
    expression
        What each game has: an expression over the columns of the table of a run, one row for each seat.  Its mean over
        the seats counts, unless the expression itself makes one number, as `pl.col("coins").max()` does.  A game or a
        run without these columns does not have the measure.

    Raises
    ------
    UsageError
        If the name is taken or no name, or the expression is none, or names no column.

    References
    ----------
    * docs/change-a-rule.md

    Examples
    --------
    >>> import equipoise as eq
    >>> import polars as pl
    >>> eq.measure("robbed", pl.col("barracks_robbed").sum())
    >>> run = eq.make_spec(players=2, strategies="random", games=400)
    >>> "robbed" in eq.measures(run)["measure"]
    True
    """
    if not NAME.fullmatch(name) or taken(name):
        raise UsageError(
            f"'{name}' cannot name a measure: take lower-case letters, digits and _, and a new name", "name"
        )
    columns = tuple(dict.fromkeys(expression.meta.root_names()))
    if not columns:
        raise UsageError('write columns, as in pl.col("coins").max()', "expression")
    schema = pl.LazyFrame(schema=dict.fromkeys(columns, pl.Float64)).select(expression).collect_schema()
    try:
        text = expression.meta.serialize().hex()
    except pl.exceptions.PolarsError:  # it calls a function, whose text nobody knows
        text = uuid4().hex
    ADDED[name] = Added(expression, columns, schema.dtypes() == [pl.Boolean], text)


def measures(data: Data) -> pl.DataFrame:
    """Return the measures of whole games, those of your own first.

    Parameters
    ----------
    data
        A run, a run folder, or a specification to play.

    Returns
    -------
    polars.DataFrame
        One row for each measure: its name as `measure`; its `mean` over the games, with the ends `mean_low` and
        `mean_high` of its 95 % range; and whether it `is_share`, a share of the games, or a number.

    Raises
    ------
    UsageError
        If the run cannot be read, or a measure divides by 0 in a game.

    References
    ----------
    * docs/reference/measures.md

    Examples
    --------
    >>> import equipoise as eq
    >>> run = eq.make_spec(players=2, strategies="random", games=400)
    >>> eq.measures(run).columns
    ['measure', 'mean', 'mean_low', 'mean_high', 'is_share']
    """
    source = open_source(data)
    whole = [one for one in families(source).values() if one.members == ("",) and not one.noting]
    whole.sort(key=lambda one: not one.own)
    return estimated(source, [one.name for one in whole if source.available.issuperset(one.columns)])


def estimated(source: Source, names: Sequence[str]) -> pl.DataFrame:
    """Return the estimates of some measures of whole games; see `measures`."""
    known = families(source)
    wanted = {name: known[name] for name in names}
    sums, _ = accumulate(source, columns_of(wanted), partial(empty_sums, source, wanted))
    rows = [
        (one.name.removeprefix(MEAN), one.value, one.low, one.high, one.is_rate)
        for one in estimates(sums, source.spec.games_per_deal)
    ]
    return pl.DataFrame(rows, ["measure", "mean", "mean_low", "mean_high", "is_share"], orient="row").fill_nan(None)
