"""The columns of a table: which field each one is, and how a row for each game becomes a row for each seat."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import NoReturn

import polars as pl

from simcore.errors import UsageError, nearest, printable

RESULTS = ("winner", "rank", "score")
FIELDS = ("game", "seat", *RESULTS, "player", "role", "group", "players", "rules", "length", "deal", "date")
"""The fields that a column can be; every other column of numbers is a measure."""

ALIASES = {"count": "players"}
BY_SEAT = ("seat", *RESULTS, "player", "role")
"""Fields that differ between the seats of a game."""

YES = frozenset(("1", "yes", "y", "true", "x", "won", "oui", "o", "vrai"))
NO = frozenset(("", "0", "no", "n", "false", "-", "lost", "non", "faux"))
ROW = "\x00row"
"""Column with the number of a row in the file; no column of a file can have this name."""

MOST_MEASURES = 100
QUOTED = 40
"""Number of characters of a wrong value that a message quotes."""

_NUMBERED = re.compile(r"(.*?)[ _.-]?([1-9])$")


@dataclass(frozen=True)
class Place:
    """The file that a message names."""

    label: str

    def refuse(self, message: str, row: int = 0, way_out: tuple[str, str] | None = None) -> NoReturn:
        """Raise an error that names the file and a row."""
        raise UsageError(f"{self.label}: {f'row {row}: ' if row else ''}{message}", way_out=way_out)


@dataclass(frozen=True)
class Form:
    """What the columns of a table are."""

    fields: Mapping[str, str]  # name of the column of each field that the table has
    measures: Mapping[str, str]  # name of the column of each measure, by our name for it
    wide: Mapping[str, Mapping[int, str]]
    """For a table with one row for each game: the columns of each field by seat, from 1; otherwise empty."""

    @property
    def names(self) -> tuple[str, ...]:
        """The fields that the table has, in whatever form."""
        return tuple(name for name in FIELDS if name in self.fields or name in self.wide)

    @property
    def seats(self) -> tuple[int, ...]:
        """The numbers of the seats of a table with one row for each game."""
        return tuple(sorted({seat for columns in self.wide.values() for seat in columns}))

    def column(self, field: str, seat: int = 0) -> str:
        """Return the name of the column of a field or measure in the file."""
        return self.wide.get(field, {}).get(seat) or {**self.measures, **self.fields}.get(field, field)


def form_of(place: Place, header: Sequence[str], chosen: Mapping[str, str]) -> Form:
    """Return what the columns of a table are.

    place: The file.
    header: Names of its columns.
    chosen: The column of each field that the user has named.
    Raises UsageError if a column occurs twice, or one that is needed is missing.
    """
    names = [plain(name).casefold() for name in header]
    fields = _chosen(place, names, chosen)
    wide: dict[str, dict[int, str]] = {}
    for name in names:
        field = ALIASES.get(name, name)
        if name in fields.values() or not name:
            continue
        if field in FIELDS and field not in chosen:
            if field in fields:
                place.refuse(f"the first row names the column '{cut(name)}' twice; keep one", 1)
            fields[field] = name
    taken = set(fields.values())
    for name in names:
        numbered = _NUMBERED.fullmatch(name)
        if name not in taken and numbered and numbered[1]:
            wide.setdefault(chosen_field(chosen, numbered[1]), {})[int(numbered[2])] = name
    if not any(field in wide for field in (*RESULTS, "player")):
        wide = {}
    wide = {field: dict(sorted(columns.items())) for field, columns in wide.items() if 1 in columns and 2 in columns}
    taken |= {name for columns in wide.values() for name in columns.values()}
    measures = _measures(place, [name for name in names if name and name not in taken])
    known = _measures(place, [field for field in wide if field not in FIELDS])
    by_seat = {field if field in FIELDS else _slug(field): columns for field, columns in wide.items()}
    form = Form(fields, {name: column for name, column in measures.items() if name not in known}, by_seat)
    _check(place, names, form)
    return form


def chosen_field(chosen: Mapping[str, str], stem: str) -> str:
    """Return the field of numbered columns with a stem, such as "points" with the user's score=points."""
    return next((field for field, name in chosen.items() if name.casefold() == stem), ALIASES.get(stem, stem))


def _chosen(place: Place, names: Sequence[str], chosen: Mapping[str, str]) -> dict[str, str]:
    """Return the columns that the user has named, by field; numbered ones are found later."""
    found = {}
    for field, column in chosen.items():
        if field not in FIELDS:
            raise UsageError(f"no field '{cut(plain(field))}'{nearest(field, FIELDS)}", "column")
        name = plain(column).casefold()
        if name in names:
            found[field] = name
        elif f"{name}_1" not in names and f"{name}1" not in names and f"{name} 1" not in names:
            place.refuse(f"no column '{cut(plain(column))}'{nearest(name, names)}")
    return found


def _measures(place: Place, names: Iterable[str]) -> dict[str, str]:
    """Return our names for further columns."""
    found: dict[str, str] = {}
    for name in names:
        if (stem := _slug(name)) in found:
            place.refuse(f"the columns '{cut(found[stem])}' and '{cut(name)}' have the same name; rename one", 1)
        found[stem] = name
    if len(found) > MOST_MEASURES:
        place.refuse(f"{len(found)} columns of measures; keep {MOST_MEASURES} at most", 1)
    return found


OWN = frozenset(
    (
        *FIELDS,
        "game_id",
        "deal_id",
        "strategy",
        "place",
        "camp",
        "share60",
        "share840",
        "game_no",
        "size",
        "won",
        "number",
    )
)
"""Names that measures cannot have: those of a run's columns, and of those that are added while a table is read."""


def _slug(name: str) -> str:
    """Return a name for a column of a run: small letters, digits and underscores."""
    found = re.sub(r"\W+", "_", name, flags=re.ASCII).strip("_").lower()[:40] or "measure"
    return f"{found}_" if found in OWN else found


def _check(place: Place, names: Sequence[str], form: Form) -> None:
    """Raise an error unless the table says who won, and which rows are a game."""
    others = [name for name in names if name not in form.fields.values()]
    for name in (*FIELDS, *ALIASES):
        if names.count(name) > 1:
            place.refuse(f"the first row names the column '{name}' twice; keep one", 1)
    if not set(RESULTS) & set(form.names):
        close = next((hint for name in RESULTS if (hint := meant(name, others))), "")
        place.refuse(
            f"no column 'winner', 'rank' or 'score'{close}; the first row has to name one",
            1,
            ("; say which column it is with", "column"),
        )
    if not form.wide and not {"game", "players"} & set(form.names):
        place.refuse(
            f"no column 'game'{meant('game', others)}; number the games, so that the rows of a game have the same one",
            1,
            ("; say which column it is with", "column"),
        )


def long_form(place: Place, form: Form, frame: pl.DataFrame) -> pl.DataFrame:
    """Return a row for each seat, with a column for each field and measure, all as text.

    place: The file.
    form: What its columns are.
    frame: Some rows as they are in the file, with the column `ROW`; the other columns have their names in small
        letters.
    """
    common = {**form.fields, **form.measures}
    if not form.wide:
        return frame.select(ROW, **{name: pl.col(column) for name, column in common.items()})
    parts = []
    for seat in form.seats:
        own = {name: columns[seat] for name, columns in form.wide.items() if seat in columns}
        missing = [pl.lit("").alias(name) for name in form.wide if name not in own]
        parts.append(
            frame.select(
                ROW,
                **{name: pl.col(column) for name, column in (common | own).items()},
            ).with_columns(*missing, pl.lit(str(seat)).alias("number"))
        )
    stacked = pl.concat(parts).sort(ROW, maintain_order=True)
    there = pl.any_horizontal(pl.col(name) != "" for name in form.wide)
    if "game" not in form.fields:
        stacked = stacked.with_columns(pl.col(ROW).cast(pl.String).alias("game"))
    if "seat" not in form.names:
        stacked = stacked.with_columns(pl.col("number").alias("seat"))
    if "winner" in form.fields and "winner" not in form.wide:
        stacked = stacked.with_columns(_wins(place, form, stacked).alias("winner"))
    return stacked.filter(there).drop("number")


def _wins(place: Place, form: Form, stacked: pl.DataFrame) -> pl.Expr:
    """Return whether each seat won, where one column names the winner by seat or by name."""
    named = pl.col("winner") == pl.col("number")
    if "player" in form.wide:
        named |= (pl.col("winner") == pl.col("player")) & (pl.col("player") != "")
    nobody = stacked.filter(pl.col("winner") != "").group_by(ROW, maintain_order=True).agg(named.any())
    wrong = nobody.filter(~pl.col("winner"))
    if len(wrong):
        row = wrong[ROW][0]
        said = stacked.filter(pl.col(ROW) == row)["winner"][0]
        place.refuse(
            f"{form.fields['winner']}: '{cut(said)}' is none of the game's players; give a seat's number or a name", row
        )
    return pl.when(named).then(pl.lit("1")).otherwise(pl.lit("0"))


def meant(name: str, others: Sequence[str]) -> str:
    """Return ", but 'NAME'" with the name of the column that may be meant."""
    close = get_close_matches(name, others, n=1)
    return f", but '{cut(close[0])}'" if close else ""


def plain(text: str) -> str:
    """Return the text of a field on one line, and without characters that a terminal would obey."""
    return printable(" ".join(text.split()))


def cut(text: str) -> str:
    """Return the beginning of a text, for a message."""
    return text if len(text) <= QUOTED else f"{text[:QUOTED]}..."
