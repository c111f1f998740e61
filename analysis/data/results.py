"""What every analysis returns: tables, the data that they were made from, verdicts, and notes."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, fields
from html import escape
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np

from analysis.pictured import Pictured
from analysis.stats.intervals import pointwise, rate_interval, share_interval
from simcore.errors import UsageError, nearest

if TYPE_CHECKING:
    import pandas as pd
    import polars as pl
    from numpy.typing import ArrayLike

    from analysis.stats.moments import Estimates, Floats
    from simcore.judged import Judged


FIRST_COLUMNS = 10
"""Largest number of columns of a table that a notebook shows."""


def counted(number: int, noun: str) -> str:
    """Return a number and its noun, in the plural unless the number is one."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


@dataclass(frozen=True)
class Counted:
    """How many games a number rests on; `reports.words` says it."""

    games: int = 0  # number of games counted
    deals: int = 0  # number of complete deals among them; deals are the unit of every standard error
    excluded: int = 0  # number of games left out because their deal was incomplete
    planned: int = 0  # number of games that the run was meant to have

    def __add__(self, other: Counted) -> Counted:
        return Counted(*(getattr(self, one.name) + getattr(other, one.name) for one in fields(Counted)))

    @property
    def whole(self) -> bool:
        """Whether every planned game was either counted or left out because its deal was incomplete."""
        return self.games + self.excluded >= self.planned


@dataclass(frozen=True, kw_only=True)
class Inputs(Counted):
    """The data that a result was made from, and how many games it has.

    Parameters
    ----------
    games, deals, excluded, planned
        As in `Counted`.
    label
        Run folder, or a short description of a specification.
    game, players, strategies, design, seed
        As in the run's specification; `strategies` has one name for each entry of the line-up.
    rules, rules_digest, settings
        Name and digest of the rules, and the changes made to them.
    detail
        Level of detail of the available columns.
    namesakes
        Names among `strategies` that are those of shipped strategies, but here of others.
    searches
        Whether any of the players looks ahead.
    """

    label: str
    game: str
    players: int
    strategies: tuple[str, ...]
    design: str
    seed: int
    rules: str
    rules_digest: str
    settings: tuple[str, ...]
    detail: str
    namesakes: tuple[str, ...] = ()
    searches: bool = False


@dataclass(frozen=True)
class Lines:
    """Shares that are judged together."""

    labels: Sequence[Mapping[str, Any]]  # values for a sentence about each share
    share: Floats
    se: Floats
    low: Floats
    high: Floats
    """share, se, low, high: Estimates, their standard errors, and simultaneous intervals."""
    par: Floats  # the par that each share is compared with
    room: Floats  # the distance from par that still counts as fair

    @classmethod
    def of(
        cls, key: str, names: Sequence[Any], ends: pl.DataFrame, column: str, par: ArrayLike, room: ArrayLike
    ) -> Lines:
        """Return lines from a table's columns COLUMN, COLUMN_se, COLUMN_low and COLUMN_high."""
        share, se, low, high = (np.asarray(ends[column + end], np.float64) for end in ("", "_se", "_low", "_high"))
        pars, rooms = (np.broadcast_to(np.asarray(item, np.float64), (len(names),)) for item in (par, room))
        return cls([{key: name} for name in names], share, se, low, high, pars, rooms)

    def about(self, line: int) -> dict[str, Any]:
        """Return the values for a sentence about a share."""
        ends = {"share": self.share, "low": self.low, "high": self.high, "par": self.par, "margin": self.room}
        ends |= {"least": np.maximum(self.par - self.room, 0.0), "most": np.minimum(self.par + self.room, 1.0)}
        return {**self.labels[line], **{name: float(end[line]) for name, end in ends.items()}}

    @property
    def alike(self) -> bool:
        """Whether all win the same, without exception, as where a camp wins as a whole."""
        return bool(self.se.max() < 1e-12 and np.ptp(self.share) < 1e-12)  # sums of parts of a win are rounded

    def in_amounts(self, judged: Judged) -> Lines:
        """Return the shares of a payoff as amounts."""
        share, low, high, par = (judged.amount(end) for end in (self.share, self.low, self.high, self.par))
        return Lines(self.labels, share, judged.distance(self.se), low, high, par, judged.distance(self.room))


@dataclass(frozen=True)
class Verdict:
    """A conclusion of an analysis; `reports.words` turns it into a sentence.

    Parameters
    ----------
    code
        Key of the sentence.
    status
        "fair", "tilted", "unclear" (more games would decide), "unknown" (this run cannot decide) or "fact".
    values
        The numbers and names in the sentence.
    lines
        The shares that it judges, if it is a verdict on seats or camps.
    """

    code: str
    status: str
    values: Mapping[str, Any] = field(default_factory=dict)
    lines: Lines | None = field(default=None, compare=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "values", MappingProxyType(dict(self.values)))


class Amount(float):
    """An amount in a sentence, such as chips, which is written with the digits that its error deserves.

    form: How it is written, in the notation of `format`.
    """

    form: str = "+,.2f"

    @classmethod
    def of(cls, value: float, error: float | None, sign: str = "+") -> Amount:
        """Return an amount with a standard error; without a `sign`, only negative amounts have one."""
        made = cls(value)
        made.form = f"{sign},.{digits_of(error)}f"
        return made


def as_amounts(values: Mapping[str, Any], error: float | None, sign: str = "+") -> dict[str, Any]:
    """Return the numbers of a sentence as amounts with one standard error; what is None stays None."""
    return {name: None if value is None else Amount.of(value, error, sign) for name, value in values.items()}


def digits_of(error: float | None) -> int:
    """Return how many digits after the point a number with a standard error deserves, at most 6.

    The last digit is the first one that the error affects; without a known error, it is the second.

    Examples
    --------
    >>> digits_of(0.004), digits_of(0.04), digits_of(12.0)
    (3, 2, 0)
    """
    if error is None or not math.isfinite(error) or error <= 0:
        return 2
    return min(max(-math.floor(math.log10(error)), 0), 6)


@dataclass(frozen=True)
class Note:
    """A limitation of a result, or a hint on how to read it; `reports.words` turns it into a sentence."""

    code: str  # key of the sentence
    values: Mapping[str, Any] = field(default_factory=dict, hash=False)  # the numbers and names in the sentence

    def __post_init__(self) -> None:
        object.__setattr__(self, "values", MappingProxyType(dict(self.values)))


class Unanswered(UsageError):
    """The error raised if the data cannot answer a question.

    code: Code of the reason, for translations.
    message: The reason in English, with the fields of `values` in braces.
    values: The numbers and names in the message.
    """

    def __init__(self, code: str, message: str, **values: Any) -> None:
        super().__init__(message.format(**values))
        self.note = Note(code, values)


def all_together(run: str) -> Unanswered:
    """Return the error for games in which nobody competed."""
    text = "{run}: in every game all won or all lost together, so no seat can be better than another"
    return Unanswered("all_together", text, run=run)


@dataclass(frozen=True, eq=False, repr=False)
class Result(Pictured):
    """Base class of all results.  Every table is a field of its own; the main one is `table`.

    No table contains NaN or infinity: an undefined value is null, and a note says why.

    Parameters
    ----------
    inputs
        The data that the result was made from, one entry for each run.
    level
        Confidence level of the intervals.
    table
        The main table.
    verdicts
        The conclusions, most important first.
    notes
        Limitations of the result, and hints on how to read it.
    """

    inputs: tuple[Inputs, ...]
    level: float
    table: pl.DataFrame
    verdicts: tuple[Verdict, ...]
    notes: tuple[Note, ...]

    def __post_init__(self) -> None:
        for name, frame in self.tables.items():
            object.__setattr__(self, name, tidy(frame))

    def __repr__(self) -> str:
        sizes = "; ".join(f"{counted(item.deals, 'deal')} ({counted(item.games, 'game')})" for item in self.inputs)
        headline = self.headline or "see tables, verdicts and notes"
        return f"<{type(self).__name__}: {sizes}; {headline}>"

    def _repr_html_(self) -> str:
        return f"<p>{escape(repr(self)[1:-1])}</p>{first_columns(self.table)._repr_html_()}"

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        """Return the main table for libraries that know Arrow's PyCapsule interface."""
        return self.table.__arrow_c_stream__(requested_schema)

    @property
    def tables(self) -> dict[str, pl.DataFrame]:
        """All tables by name; the main one is first."""
        import polars as pl

        found = {item.name: getattr(self, item.name) for item in fields(self)}
        return {name: value for name, value in found.items() if isinstance(value, pl.DataFrame)}

    @property
    def verdict(self) -> Verdict:
        """The most important conclusion."""
        return self.verdicts[0]

    @property
    def games(self) -> int:
        """Number of games counted, in all runs together."""
        return sum(item.games for item in self.inputs)

    @property
    def deals(self) -> int:
        """Number of deals counted, in all runs together."""
        return sum(item.deals for item in self.inputs)

    @property
    def excluded(self) -> int:
        """Number of games left out, in all runs together."""
        return sum(item.excluded for item in self.inputs)

    def to_polars(self, table: str = "table") -> pl.DataFrame:
        """Return a table by name; by default the main one.

        Raises UsageError if there is no such table.
        """
        if table not in self.tables:
            raise UsageError(f"{type(self).__name__}: no table '{table}'{nearest(table, self.tables)}")
        return self.tables[table]

    def to_pandas(self, table: str = "table") -> pd.DataFrame:
        """Return a table as a pandas data frame; see `to_polars`."""
        from analysis.data.pandas_frames import to_pandas

        return to_pandas(self.to_polars(table))


def first_columns(table: pl.DataFrame) -> pl.DataFrame:
    """Return the columns of a table that one looks at first, at most ten: no standard errors, and p-values last."""
    names = [name for name in table.columns if not name.endswith("_se")]
    return table.select(sorted(names, key=lambda name: name == "p" or name.startswith("p_"))[:FIRST_COLUMNS])


def tidy(frame: pl.DataFrame) -> pl.DataFrame:
    """Return a table in which every NaN or infinity is replaced by null."""
    import polars as pl

    floats = pl.selectors.float()
    return frame.with_columns(pl.when(floats.is_finite()).then(floats).otherwise(None).name.keep())


def interval(name: str, value: Any, se: Any, constant: Any) -> dict[str, Any]:
    """Return the four columns of an estimate: value, `_se`, `_low` and `_high` (value +- constant x standard error)."""
    return {name: value, f"{name}_se": se, f"{name}_low": value - constant * se, f"{name}_high": value + constant * se}


def estimate_columns(
    cells: Estimates, names: Sequence[str], level: float, rates: Collection[str] = ()
) -> dict[str, Any]:
    """Return the same columns for each of some values, whose cells follow each other; rates have `rate_interval`."""
    value, se, deals = (part.reshape(len(names), -1) for part in (cells.value, cells.se, cells.deals))
    columns: dict[str, Any] = {}
    for at, name in enumerate(names):
        if name in rates:
            columns |= rate_columns(name, value[at], se[at], deals[at], level)
        else:
            columns |= interval(name, value[at], se[at], pointwise(level, deals[at]))
    return columns


def share_columns(name: str, share: Any, se: Any, deals: Any, constant: Any, scale: Any = 1.0) -> dict[str, Any]:
    """Return the same four columns for shares of the wins, scaled, with the interval of `share_interval`."""
    low, high = share_interval(share, se, deals, constant)
    return {name: share * scale, f"{name}_se": se * scale, f"{name}_low": low * scale, f"{name}_high": high * scale}


def rate_columns(name: str, rate: Any, se: Any, deals: Any, level: float, scale: float = 1.0) -> dict[str, Any]:
    """Return the same four columns for rates, scaled, with the interval of `rate_interval`."""
    low, high = rate_interval(rate, se, deals, level)
    return {name: rate * scale, f"{name}_se": se * scale, f"{name}_low": low * scale, f"{name}_high": high * scale}
