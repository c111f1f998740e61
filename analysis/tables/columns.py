"""The columns of a table of results: what each one is, how numbers are written, and a row for each seat."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import NoReturn

import polars as pl

from simcore.errors import UsageError, nearest, printable

THOUSANDS = {",": r"^-?[1-9]\d{0,2}(,\d{3})+$", ".": r"^-?[1-9]\d{0,2}(\.\d{3})+$"}
"""Texts such as "1,234", which is 1234 in English and 1.234 in French; "1.234" is the other way round."""

SPACED = r"^-?\d{1,3}([ \u00a0\u2009\u202f'\u2019]\d{3})+([.,]\d+)?$"
OTHERS = {"point": ",", "comma": "."}
"""The mark between thousands, by that before the decimals."""


@dataclass(frozen=True)
class Numerals:
    """How a file writes numbers."""

    decimal: str = ""  # "point" or "comma" if the user has said what is before the decimals
    semicolons: bool = False  # whether semicolons separate the fields, as where a comma is before the decimals

    def ambiguous(self, texts: pl.Series, mark: str) -> pl.Series:
        """Return which texts may mean thousands or decimals, by "," or "."."""
        if self.decimal or (mark == "." and not self.semicolons):
            return pl.repeat(False, len(texts), eager=True)
        return texts.str.contains(THOUSANDS[mark]).fill_null(False)

    def read(self, texts: pl.Series) -> pl.Series:
        """Return texts as numbers; null for what is none or may be another."""
        numbers = texts.cast(pl.Float64, strict=False)
        if self.semicolons or self.decimal:
            numbers = numbers.set(texts.str.contains(THOUSANDS["."]).fill_null(False), None)
        if numbers.null_count():
            rest = texts.filter(numbers.is_null() & (texts != "")).unique()
            read = dict(zip(rest, self._written(rest), strict=True))
            numbers = numbers.fill_null(texts.replace_strict(read, default=None, return_dtype=pl.Float64))
        finite: pl.Series = numbers.is_finite()
        return numbers.set(~finite.fill_null(False), None)

    def _written(self, texts: pl.Series) -> pl.Series:
        """Return the numbers in texts that need more than a cast."""
        plain = texts.str.replace("\u2212", "-", literal=True)
        plain = plain.str.replace_all("[ \u00a0\u2009\u202f'\u2019]", "").zip_with(plain.str.contains(SPACED), plain)
        for decimal, other in OTHERS.items():
            mark = "," if decimal == "comma" else "."
            both = plain.str.contains(rf"^-?\d{{1,3}}(\{other}\d{{3}})+\{mark}\d+$")
            if self.decimal in ("", decimal):
                both |= plain.str.contains(
                    THOUSANDS[other] if self.decimal else rf"^-?\d{{1,3}}(\{other}\d{{3}}){{2,}}$"
                )
            plain = plain.str.replace_all(other, "", literal=True).zip_with(both, plain)
        doubtful = self.ambiguous(plain, ",") | self.ambiguous(plain, ".")
        if self.decimal != "point":
            plain = plain.str.replace(",", ".", literal=True)
        return plain.cast(pl.Float64, strict=False).set(doubtful, None)


def integers(texts: pl.Series) -> pl.Series:
    """Return texts in which whole numbers have no decimals; a column with gaps may have become one with 1.0."""
    return texts.str.replace(r"^(\d+)\.0+$", "${1}") if texts.str.contains(".", literal=True).any() else texts


# --- The columns of a table: which field each one is, and how a row for each game becomes a row for each seat ---


RESULTS = ("winner", "rank", "score")
FINISHED = ("finished", "incomplete")
FIELDS = (
    "game", "seat", *RESULTS, "player", "role", "team", "group", "players", "rules", "length", "deal", "date",
    *FINISHED,
)  # fmt: skip
"""The fields that a column can be; every other column of numbers is a measure."""

ALIASES = {
    "count": "players", "joueurs": "players", "partie": "game", "si\u00e8ge": "seat", "siege": "seat",
    "joueur": "player", "r\u00f4le": "role", "\u00e9quipe": "team", "equipe": "team", "groupe": "group",
    "r\u00e8gles": "rules", "regles": "rules", "dur\u00e9e": "length", "duree": "length",
}  # fmt: skip
"""Other names of fields, in English and French."""

RESULT_ALIASES = {
    "win": "winner", "won": "winner", "result": "winner", "place": "rank", "points": "score", "gagnant": "winner",
    "vainqueur": "winner", "r\u00e9sultat": "winner", "resultat": "winner", "rang": "rank", "classement": "rank",
}  # fmt: skip
"""Names that stand for a result in a table that names none otherwise."""

INTEGERS = ("seat", "winner", "players", "deal")

_WON = ("1", "yes", "y", "true", "x", "won", "win", "winner", "w", "oui", "o", "vrai", "gagn\u00e9", "victoire")
_LOST = ("0", "no", "n", "false", "-", "lost", "loss", "lose", "loser", "l", "non", "faux", "perdu", "d\u00e9faite")
YES = frozenset((*_WON, *"\u2713\u2714\u2611\u2705\U0001f3c6"))
NO = frozenset((*_LOST, *"\u2717\u2718\u2610\u274c"))
DRAWN = frozenset(("draw", "drawn", "tie", "tied", "d", "nul", "\u00bd", "1/2", "1/2-1/2", "\u00bd-\u00bd", "0.5"))
"""What a column `winner` may say of a seat that won, that did not, or that shared the win with all; an empty cell says
nothing."""

NOBODY = frozenset(("0", "nobody", "none", "no one"))
"""What the one column `winner` of a table with a row for each game says where nobody won."""

ROW = "\x00row"
"""Column with the number of a row in the file; no column of a file can have this name."""

MOST_RULES = 50
"""Largest number of sets of rules in a table, each of which has a run of its own."""

MOST_MEASURES = 100
QUOTED = 40
"""Number of characters of a wrong value that a message quotes."""

SIDES = ("white", "black")
"""Columns of a table with a row for each game of chess or go: who sat in which seat."""

_NUMBERED = re.compile(r"(.*?)[ _.-]?([1-9])$")
_OF_PLAYER = re.compile(r"(?:p|j|player|joueur|(seat|si[e\u00e8]ge))[ _.-]?([1-9])(?:[ _.-]+(.+))?")
"""Columns such as "p1", who sat there, and "P1 Score"."""


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

    chosen: The column of each field that the user has named.
    Raises UsageError if a column occurs twice, or one that is needed is missing.
    """
    names = [plain(name).casefold() for name in header]
    fields = _chosen(place, names, chosen)
    numbered = {name: found for name in names if (found := field_and_seat(name))}
    if {*SIDES} <= {*names} and not {"seat", "player"} & {*names}:
        numbered |= {name: ("player", seat) for seat, name in enumerate(SIDES, 1)}
    stems = {*names, *chosen, *(stem for stem, _ in numbered.values())}
    aliases = ALIASES if stems & set(RESULTS) else ALIASES | RESULT_ALIASES
    wide: dict[str, dict[int, str]] = {}
    for name in names:
        field = aliases.get(name, name)
        if name in fields.values() or not name:
            continue
        if field in FIELDS and field not in chosen and not (field != name and field in fields):
            if field in fields:
                place.refuse(f"the first row names the column '{cut(name)}' twice; keep one", 1)
            fields[field] = name
    taken = set(fields.values())
    for name, (stem, seat) in numbered.items():
        if name not in taken:
            own = next(
                (field for field, column in chosen.items() if column.casefold() == stem), aliases.get(stem, stem)
            )
            wide.setdefault(own, {})[seat] = name
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


def field_and_seat(name: str) -> tuple[str, int] | None:
    """Return the field and the seat of a numbered column, such as "score_1", "p1" or "P1 Score"."""
    if match := _OF_PLAYER.fullmatch(name):
        return match[3] or ("seat" if match[1] else "player"), int(match[2])
    match = _NUMBERED.fullmatch(name)
    return (match[1], int(match[2])) if match and match[1] else None


def _chosen(place: Place, names: Sequence[str], chosen: Mapping[str, str]) -> dict[str, str]:
    """Return the columns that the user has named, by field; numbered ones are found later."""
    columns = {}
    for key, column in chosen.items():
        if key not in FIELDS:
            raise UsageError(f"no field '{cut(plain(key))}'{nearest(key, FIELDS)}", "column")
        name = plain(column).casefold()
        if name in names:
            columns[key] = name
        elif f"{name}_1" not in names and f"{name}1" not in names and f"{name} 1" not in names:
            place.refuse(f"no column '{cut(plain(column))}'{nearest(name, names)}")
    return columns


def _measures(place: Place, names: Iterable[str]) -> dict[str, str]:
    """Return our names for further columns."""
    columns: dict[str, str] = {}
    for name in names:
        if (stem := _slug(name)) in columns:
            place.refuse(f"the columns '{cut(columns[stem])}' and '{cut(name)}' have the same name; rename one", 1)
        columns[stem] = name
    if len(columns) > MOST_MEASURES:
        place.refuse(f"{len(columns)} columns of measures; keep {MOST_MEASURES} at most", 1)
    return columns


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
    slug = re.sub(r"\W+", "_", name, flags=re.ASCII).strip("_").lower()[:40] or "measure"
    return f"{slug}_" if slug in OWN else slug


def _check(place: Place, names: Sequence[str], form: Form) -> None:
    """Raise an error unless the table says who won, and which rows are a game."""
    others = [name for name in names if name not in form.fields.values()]
    for name in (*FIELDS, *ALIASES):
        if names.count(name) > 1:
            place.refuse(f"the first row names the column '{name}' twice; keep one", 1)
    if not set(RESULTS) & set(form.names):
        close = next((hint for name in RESULTS if (hint := meant(name, others))), "")
        place.refuse(
            f"no column 'winner', 'rank' or 'score'{close}; the first row has to name one, and people are no columns: "
            "write a row for each of them, such as game,player,score",
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

    frame: Some rows as they are in the file, with the column `ROW`; the other columns have their names in small
        letters.
    """
    common = {**form.fields, **form.measures}
    if not form.wide:
        return _integers(frame.select(ROW, **{name: pl.col(column) for name, column in common.items()}))
    parts = []
    for seat in form.seats:
        own = {name: columns[seat] for name, columns in form.wide.items() if seat in columns}
        missing = [pl.lit("").alias(name) for name in form.wide if name not in own]
        parts.append(
            frame.select(ROW, **{name: pl.col(column) for name, column in (common | own).items()}).with_columns(
                *missing, pl.lit(str(seat)).alias("number")
            )
        )
    stacked = _integers(pl.concat(parts).sort(ROW, maintain_order=True))
    there = pl.any_horizontal(pl.col(name) != "" for name in form.wide)
    if "game" not in form.fields:
        stacked = stacked.with_columns(pl.col(ROW).cast(pl.String).alias("game"))
    if "seat" not in form.names:
        stacked = stacked.with_columns(pl.col("number").alias("seat"))
    stacked = stacked.filter(there)
    if "winner" in form.fields and "winner" not in form.wide:
        stacked = stacked.with_columns(_wins(place, form, stacked).alias("winner"))
    return stacked.drop("number")


def _integers(frame: pl.DataFrame) -> pl.DataFrame:
    """Return rows in which seats, winners and counts are whole numbers, though a program wrote them as 1.0."""
    return frame.with_columns(integers(frame[name]) for name in INTEGERS if name in frame.columns)


def _wins(place: Place, form: Form, stacked: pl.DataFrame) -> pl.Series:
    """Return what each seat's own column would say, where one column names the winners by seat or by name."""
    said = pl.col("winner")
    own = [pl.col(name).str.to_lowercase() for name in ("number", "player", "team") if name in ("number", *form.wide)]
    low = said.str.to_lowercase()
    several = low.str.replace_all(r" *(&|/|\+|;| and ) *", "\x00").str.split("\x00")
    rows = stacked.with_columns(
        named=pl.any_horizontal((low == name) & (said != "") for name in own),
        listed=pl.any_horizontal(several.list.contains(name) for name in own),
        parts=several.list.len(),
        shared=low.is_in(sorted(DRAWN)),
        ended=pl.when(said == "1-0").then(1).when(said == "0-1").then(2).cast(pl.String) == pl.col("number"),
    ).with_columns(one=pl.col("named").any().over(ROW), all=pl.col("listed").sum().over(ROW) >= pl.col("parts"))
    decided = pl.col("one") | pl.col("shared") | pl.col("ended").is_not_null() | pl.col("all")
    wrong = rows.filter(~decided & (said != "") & ~low.is_in(sorted(NOBODY)))
    if len(wrong):
        place.refuse(
            f"{form.fields['winner']}: '{cut(wrong['winner'][0])}' is none of the game's players; give a seat's number "
            "or a name, several with '&' between them, 'draw' if all share the win, or 'nobody'",
            int(wrong[ROW][0]),
        )
    won = (
        pl.when("one").then("named").when("shared").then(True).when(pl.col("ended").is_not_null()).then("ended")
    ).otherwise(pl.col("listed") & pl.col("all"))
    return rows.select(
        pl.when(said == "").then(pl.lit("")).when(won).then(pl.lit("1")).otherwise(pl.lit("0"))
    ).to_series()


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
