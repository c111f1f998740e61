"""What every analysis returns: tables, what they were made from, a verdict, and what cannot be said."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from html import escape
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from analysis.stats.intervals import share_interval
from simcore.errors import UsageError, nearest

if TYPE_CHECKING:
    import pandas as pd
    import polars as pl


def counted(number: int, noun: str) -> str:
    """Return a number and its noun, in the plural where there is not one."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


@dataclass(frozen=True)
class Inputs:
    """What a result was made from, and its denominator.

    Parameters
    ----------
    label
        Run folder, or a few words for a specification.
    game, players, strategies, design, seed
        As in the run's specification; `strategies` by entry of the line-up.
    rules, rules_digest, settings
        Name and digest of the rules, and what was changed on top.
    detail
        Level of detail of the columns at hand.
    games
        Games counted.
    deals
        Whole deals they make; the unit of every error.
    excluded
        Games left out because their deal was not whole.
    planned
        Games that the run was to have.
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
    games: int
    deals: int
    excluded: int
    planned: int

    @property
    def whole(self) -> bool:
        """Whether every planned game was counted or left out for its deal."""
        return self.games + self.excluded >= self.planned

    @property
    def denominator(self) -> str:
        """The denominator in words."""
        more = f", {counted(self.excluded, 'game')} of broken deals left out" if self.excluded else ""
        short = "" if self.whole else f"; cut short, {self.planned:,} were planned"
        return f"{counted(self.deals, 'deal')} ({counted(self.games, 'game')}){more}{short}"


@dataclass(frozen=True)
class Verdict:
    """What an analysis concludes; `reports.words` has the sentences.

    Parameters
    ----------
    code
        Which sentence.
    status
        "fair", "tilted", "unclear" (more games would tell) or "unknown" (this run cannot tell), or "fact".
    values
        The numbers and names in it.
    """

    code: str
    status: str
    values: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        object.__setattr__(self, "values", MappingProxyType(dict(self.values)))


@dataclass(frozen=True)
class Note:
    """What a result cannot say, or how it has to be read; `reports.words` has the sentences.

    Parameters
    ----------
    code
        Which sentence.
    values
        The numbers and names in it.
    """

    code: str
    values: Mapping[str, Any] = field(default_factory=dict, hash=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "values", MappingProxyType(dict(self.values)))


class Unanswered(UsageError):
    """Some data cannot answer a question.

    Parameters
    ----------
    code
        Why, for translations.
    message
        The same in English, with the fields of `values` in braces.
    values
        The numbers and names in it.
    """

    def __init__(self, code: str, message: str, **values: Any) -> None:
        super().__init__(message.format(**values))
        self.note = Note(code, values)


@dataclass(frozen=True, eq=False)
class Result:
    """Base of all results; every table is a field of its own, the main one is `table`.

    No table holds NaN or infinity: what cannot be said is null, and a note says why.

    Parameters
    ----------
    inputs
        What it was made from, one a run.
    level
        Confidence level of the intervals.
    table
        The main table.
    verdicts
        Sentences, the most important first.
    notes
        What the result cannot say, and how it has to be read.
    """

    inputs: tuple[Inputs, ...]
    level: float
    table: pl.DataFrame
    verdicts: tuple[Verdict, ...]
    notes: tuple[Note, ...]

    def __post_init__(self) -> None:
        for name, frame in self.tables.items():
            object.__setattr__(self, name, tidy(frame))

    def __str__(self) -> str:
        counted_in = "; ".join(item.denominator for item in self.inputs)
        return f"<{type(self).__name__}: {counted_in}; see tables, verdicts and notes>"

    def _repr_html_(self) -> str:
        return f"<p>{escape(str(self)[1:-1])}</p>{self.table._repr_html_()}"

    @property
    def tables(self) -> dict[str, pl.DataFrame]:
        """All tables by name, the main one first."""
        import polars as pl

        found = {item.name: getattr(self, item.name) for item in fields(self)}
        return {name: value for name, value in found.items() if isinstance(value, pl.DataFrame)}

    @property
    def verdict(self) -> Verdict:
        """The most important sentence."""
        return self.verdicts[0]

    @property
    def games(self) -> int:
        """Games counted, all runs together."""
        return sum(item.games for item in self.inputs)

    @property
    def deals(self) -> int:
        """Deals counted, all runs together."""
        return sum(item.deals for item in self.inputs)

    @property
    def excluded(self) -> int:
        """Games left out, all runs together."""
        return sum(item.excluded for item in self.inputs)

    def to_polars(self, table: str = "table") -> pl.DataFrame:
        """Return a table, the main one by default.

        Raises
        ------
        UsageError
            If there is no such table.
        """
        if table not in self.tables:
            raise UsageError(f"{type(self).__name__}: no table '{table}'{nearest(table, self.tables)}")
        return self.tables[table]

    def to_pandas(self, table: str = "table") -> pd.DataFrame:
        """Return a table as a pandas frame; see `to_polars`."""
        return self.to_polars(table).to_pandas()


def tidy(frame: pl.DataFrame) -> pl.DataFrame:
    """Return a table with null for every NaN or infinity."""
    import polars as pl

    floats = pl.selectors.float()
    return frame.with_columns(pl.when(floats.is_finite()).then(floats).otherwise(None).name.keep())


def interval(name: str, value: Any, se: Any, constant: Any) -> dict[str, Any]:
    """Return the four columns of an estimate: value, `_se`, `_low` and `_high`, value +- constant x error."""
    return {name: value, f"{name}_se": se, f"{name}_low": value - constant * se, f"{name}_high": value + constant * se}


def share_columns(name: str, share: Any, se: Any, deals: Any, constant: Any, scale: Any = 1.0) -> dict[str, Any]:
    """Return the same four columns of shares of the wins times a scale, by `share_interval`; the error is as it was."""
    low, high = share_interval(share, se, deals, constant)
    return {name: share * scale, f"{name}_se": se * scale, f"{name}_low": low * scale, f"{name}_high": high * scale}
