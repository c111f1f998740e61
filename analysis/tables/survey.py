"""What a table contains as a whole: its people, groups and roles, its numbers of players, and its measures."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

import numpy as np
import polars as pl

from analysis.tables.forms import ROW, plain
from analysis.tables.games import SIZE, WON, Games, Runs, numbers
from simcore.errors import printable
from simcore.toml_tables import shown

BASE = "base"
"""Name of the rules of a table that names none."""

MOST_RULES = 50
"""Largest number of sets of rules in a table, each of which has a run of its own."""

MOST_DECIMALS = 6
LONGEST = 80
"""Largest number of characters of a name."""

NAMED = ("player", "role", "group")


@dataclass
class Labels:
    """The names in a column, in the order in which they first occur, and the name for each text of the file."""

    names: dict[str, str] = field(default_factory=dict)

    def add(self, texts: pl.Series) -> None:
        """Add the names of some rows."""
        for text in texts.unique(maintain_order=True):
            self.names.setdefault(text, _label(plain(text)))

    @property
    def distinct(self) -> tuple[str, ...]:
        """The names, each once."""
        return tuple(dict.fromkeys(self.names.values()))

    def lettered(self) -> None:
        """Replace the names by A, B, C ..., in the order in which they first occur."""
        letters = {name: letters_of(number) for number, name in enumerate(self.distinct)}
        self.names = {text: letters[name] for text, name in self.names.items()}


@dataclass
class Numbers:
    """A column of numbers: whether it has only numbers, whether one is missing, and how many decimals they have."""

    texts: int = 0
    gaps: int = 0
    decimals: int = 0

    def add(self, texts: pl.Series, rows: pl.Series) -> None:
        """Add the values of some rows; the first row that is no number, or has none, is kept."""
        values = texts if texts.dtype.is_numeric() else numbers(texts)
        empty = values.is_null()
        if not empty.any():
            self._count(values)
            return
        said = empty & (texts != "") if texts.dtype == pl.String else empty & False
        self.texts = self.texts or int(rows.filter(said).min() or 0)  # type: ignore[arg-type]
        self.gaps = self.gaps or int(rows.filter(empty & ~said).min() or 0)  # type: ignore[arg-type]
        self._count(values.drop_nulls())

    def _count(self, values: pl.Series) -> None:
        found = np.asarray(values.to_numpy(), np.float64)
        while self.decimals < MOST_DECIMALS:
            scaled = found * 10**self.decimals
            if np.abs(scaled - np.rint(scaled)).max(initial=0) <= 1e-6:
                return
            self.decimals += 1

    @property
    def whole(self) -> bool:
        """Whether every row has a number."""
        return not (self.texts or self.gaps)


@dataclass
class Survey:
    """What a table contains as a whole."""

    games: Counter[tuple[str, int]] = field(default_factory=Counter)
    """Number of games by the name of their rules and number of players."""
    labels: dict[str, Labels] = field(default_factory=dict)  # the names of the columns player, role and group
    numbers: dict[str, Numbers] = field(default_factory=dict)  # the score, the length and the measures
    nobody: int = 0
    everybody: int = 0
    shared: int = 0
    """nobody, everybody, shared: Number of games that nobody won, that all seats won, and that several but not all
    seats won."""
    unwon: int = 0  # the first row of a game that nobody won; 0 if there is none

    def add(self, frame: pl.DataFrame, measures: Iterable[str]) -> None:
        """Add some whole games."""
        for name in NAMED:
            if name in frame.columns:
                self.labels.setdefault(name, Labels()).add(frame[name])
        for name in measures:
            self.numbers.setdefault(name, Numbers()).add(frame[name], frame[ROW])
        runs = Runs.of(frame["game_no"].to_numpy())
        winners = np.add.reduceat(frame[WON].to_numpy().astype(np.int64), runs.start)
        self.nobody += int((winners == 0).sum())
        self.everybody += int((winners == runs.size).sum())
        self.shared += int(((winners > 1) & (winners < runs.size)).sum())
        if not self.unwon and (winners == 0).any():
            self.unwon = int(frame[ROW][int(runs.start[winners == 0][0])])
        firsts = frame[runs.start]
        rules = firsts["rules"] if "rules" in frame.columns else pl.Series([BASE] * len(firsts))
        for name, size, count in pl.DataFrame({"r": rules, "s": firsts[SIZE]}).group_by("r", "s").len().rows():
            self.games[name, size] += count

    @property
    def together(self) -> int:
        """Number of games that all seats won or lost together."""
        return self.nobody + self.everybody


def survey(games: Games) -> Survey:
    """Return what a table contains as a whole; every row of it is checked.

    Raises UsageError if a row cannot be used.
    """
    found, form, place = Survey(), games.table.form, games.table.place
    for frame in games.read():
        measures = [name for name in ("score", "length", *form.measures, *form.wide) if name in frame.columns]
        found.add(frame, [name for name in dict.fromkeys(measures) if name not in (*NAMED, "seat", "winner", "rank")])
        if len({rules for rules, _ in found.games}) > MOST_RULES:
            place.refuse(
                f"the column '{form.column('rules')}' names more than {MOST_RULES} sets of rules, and each would be a "
                "run; import fewer at a time, or leave out the column"
            )
    for name, labels in found.labels.items():
        if name == "player" and "" in labels.names:
            place.refuse(
                f"the column '{form.column('player')}' is empty in some rows; name every player, or leave it out"
            )
    if found.nobody and not found.everybody and games.table.kind != "whole":
        place.refuse("nobody won this game; mark its winner, or all who shared the win", found.unwon)
    return found


def _label(name: str) -> str:
    """Return a name; one that is too long ends in a number of its own, as its beginning may be another's as well."""
    told = printable(name)
    if len(told) <= LONGEST:
        return told
    return f"{shown(name, LONGEST - 9)} {hashlib.sha256(name.encode()).hexdigest()[:8]}"


def letters_of(number: int) -> str:
    """Return A, B ... Z, AA, AB ... for 0, 1 ...

    Examples
    --------
    >>> [letters_of(number) for number in (0, 25, 26, 701, 702)]
    ['A', 'Z', 'AA', 'ZZ', 'AAA']
    """
    found = ""
    number += 1
    while number:
        number, last = divmod(number - 1, 26)
        found = chr(ord("A") + last) + found
    return found
