"""Reading of tables of results: CSV, Parquet, or the JSON of BG Stats, with a row for each seat or for each game."""

from __future__ import annotations

import csv
import hashlib
import io
import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from pathlib import Path
from typing import Any, BinaryIO, NoReturn

import polars as pl

from analysis.runs.load import Run
from analysis.runs.manifest import first_line
from analysis.table_files import unquoted
from simcore.errors import UsageError, nearest, printable, shortened
from simcore.judged import MOST_PLAYERS

# --- Numbers, as people and programs write them ---


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
    "game",
    "seat",
    *RESULTS,
    "player",
    "role",
    "team",
    "group",
    "players",
    "rules",
    "length",
    "deal",
    "date",
    *FINISHED,
)
"""The fields that a column can be; every other column of numbers is a measure."""

ALIASES = {"count": "players"}
RESULT_ALIASES = {"win": "winner", "won": "winner", "result": "winner", "place": "rank", "points": "score"}
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
_OF_PLAYER = re.compile(r"(?:p|player|seat)[ _.-]?([1-9])(?:[ _.-]+(.+))?")
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
    numbered = {name: found for name in names if (found := _by_seat(name))}
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


def _by_seat(name: str) -> tuple[str, int] | None:
    """Return the field and the seat of a numbered column, such as "score_1", "p1" or "P1 Score"."""
    if match := _OF_PLAYER.fullmatch(name):
        return match[2] or ("seat" if name.startswith("seat") else "player"), int(match[1])
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
            frame.select(
                ROW,
                **{name: pl.col(column) for name, column in (common | own).items()},
            ).with_columns(*missing, pl.lit(str(seat)).alias("number"))
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


# --- Plays in the JSON file that the app BG Stats exports ---


LISTS = ("plays", "games", "players")
WHY = {
    "ignored": "ignored in the app",
    "size": "one player alone, or more than eight",
    "teams": "teams",
    "text": "a score that is not a number",
    "gap": "some players have no score",
    "unwon": "nobody won",
    "other": "the winner does not have the best score",
    "seats": "no seats",
    "sides": "other teams than in most plays",
    "damaged": "damaged",
}
"""Why a play is of no use."""


@dataclass(frozen=True)
class Plays:
    """The plays of one game."""

    frame: pl.DataFrame  # one row for each player of each play, as text
    title: str  # name of the game
    lowest: bool  # whether the fewest points win
    cooperative: bool  # whether all win or lose together
    left_out: Mapping[str, Sequence[str]]  # dates of the plays that are of no use, by the reason
    begun: int  # number of plays that name the seat of the one who began, and no others
    seated: int  # number of plays that name seats, if they are too few to be used
    mixed: int  # number of boards and sets of expansions, if they are so many that all count as one


def plays_of(place: Place, data: bytes, title: str = "", ordered: bool = True) -> Plays:
    """Return the plays of a game.

    title: Name of the game.  If empty, the file has to contain plays of one game only.
    ordered: Whether the seats mean something; then plays without seats are left out where most have them.
    Raises UsageError if the file is no export of BG Stats, or names no such game.
    """
    left_out: dict[str, list[str]] = {}
    try:
        table = json.loads(data.decode("utf-8-sig"))
        if not isinstance(table, dict) or not all(isinstance(table.get(name), list) for name in LISTS):
            raise ValueError
        games = {one["id"]: one for one in table["games"]}
        people = {one["id"]: plain(str(one.get("name", ""))) for one in table["players"]}
        sound = [_is_sound(play, games) for play in table["plays"]]
        game = _game(place, games, [play for play, whole in zip(table["plays"], sound, strict=True) if whole], title)
        lowest, cooperative = game.get("highestWins") is False, game.get("cooperative") is True
        plays = [
            _Play(number, _rows(number, play, people, games), _date(play), play)
            for number, play in enumerate(table["plays"], 1)
            if sound[number - 1] and play["gameRefId"] == game["id"]
        ]
        for play, whole in zip(table["plays"], sound, strict=True):
            if not whole:
                left_out.setdefault("damaged", []).append(_date(play))
        reasons = [play.reason(lowest, cooperative) for play in plays]
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        place.refuse("not a file that BG Stats exported; give a CSV or Parquet file, or export it again")
    used = [play for play, reason in zip(plays, reasons, strict=True) if not reason]
    seated = sum(play.seated for play in used) if ordered else 0
    few = not ordered or 2 * seated < len(used)
    if not few:
        reasons = [reason or ("" if play.seated else "seats") for play, reason in zip(plays, reasons, strict=True)]
    usual = _usual_teams([play for play, reason in zip(plays, reasons, strict=True) if not reason], few)
    reasons = [
        reason or ("" if play.teams(few) == usual.get(play.size) else "sides")
        for play, reason in zip(plays, reasons, strict=True)
    ]
    used = [play for play, reason in zip(plays, reasons, strict=True) if not reason]
    for play, reason in zip(plays, reasons, strict=True):
        if reason:
            left_out.setdefault(reason, []).append(play.date)
    rows = [row for play in used for row in (play.rows if few else play.ordered)]
    name = plain(str(game.get("name", "")))
    if not rows:
        many = ", ".join(f"{len(dates)}: {WHY[reason]}" for reason, dates in left_out.items())
        place.refuse(f"no play of '{cut(name)}' can be used ({many}); put it right in the app, and export again")
    frame = pl.DataFrame(rows, infer_schema_length=None)
    empty = [name for name in frame.columns[1:] if (frame[name] == "").all() or (name == "seat" and few)]
    sets = frame["rules"].n_unique()
    if sets > MOST_RULES:
        empty.append("rules")
    if "rules" not in empty:
        frame = frame.with_columns(rules=pl.when(pl.col("rules") == "").then(pl.lit("base")).otherwise("rules"))
    begun = 0 if few else sum(play.begun and play.size > 2 for play in used)
    mixed = sets if sets > MOST_RULES else 0
    return Plays(frame.drop(empty), name, lowest, cooperative, left_out, begun, seated if few else 0, mixed)


def _is_sound(play: Any, games: Mapping[int, Any]) -> bool:
    """Return whether a play says what was played, and by whom."""
    if not isinstance(play, dict) or play.get("gameRefId") not in games:
        return False
    scores, more = play.get("playerScores"), play.get("expansionPlays") or []
    return isinstance(scores, list) and isinstance(more, list) and all(isinstance(one, dict) for one in scores + more)


def _date(play: Any) -> str:
    """Return the day of a play; empty if there is none."""
    return plain(str(play.get("playDate") or "")[:10]) if isinstance(play, dict) else ""


def sides_of(teams: Sequence[str]) -> str:
    """Return who wins together, by seat as in 1/234, given the team of each seat."""
    seats: dict[str, str] = {}
    for seat, team in enumerate(teams, 1):
        seats[team] = seats.get(team, "") + str(seat)
    return "/".join(seats.values())


def _usual_teams(plays: Sequence[_Play], few: bool) -> dict[int, str]:
    """Return who wins together in most plays with each number of players."""
    often = Counter((play.size, play.teams(few)) for play in plays)
    return {size: teams for (size, teams), _ in reversed(often.most_common())}


def _game(place: Place, games: Mapping[int, Any], plays: Sequence[Any], title: str) -> Any:
    """Return the game with a name, or the only one."""
    often = Counter(play["gameRefId"] for play in plays)
    named = {plain(str(games[one].get("name", ""))): games[one] for one, _ in often.most_common()}
    if title:
        for name, game in named.items():
            if name.casefold() == title.casefold():
                return game
        place.refuse(f"no play of '{cut(plain(title))}'{nearest(title, named)}")
    if not named:
        place.refuse("there is no game in it; export plays from BG Stats")
    if len(named) > 1:
        shown = ", ".join(map(cut, list(named)[:5]))
        place.refuse(
            f"plays of {len(named)} games, most often {shown}; name one", way_out=("; say which one with", "title")
        )
    return next(iter(named.values()))


def _rows(
    number: int, play: Mapping[str, Any], people: Mapping[int, str], games: Mapping[int, Any]
) -> list[dict[str, Any]]:
    """Return the rows of a play; those of one game have the number of the play."""
    minutes, more = play.get("durationMin") or 0, play.get("expansionPlays") or ()
    added = sorted({plain(str(games.get(one.get("gameRefId"), {}).get("name", ""))) for one in more} - {""})
    winners, ranks = ([one.get(name) for one in play["playerScores"]] for name in ("winner", "rank"))
    ranked = None not in ranks and [rank == 1 for rank in ranks] == [won is True for won in winners]
    return [
        {
            ROW: number,
            "game": str(number),
            "date": _date(play),
            "players": str(len(play["playerScores"])),
            "player": people.get(one.get("playerRefId")) or f"player {one.get('playerRefId')}",
            "seat": plain(str(one.get("seatOrder") or "")),
            "winner": {True: "1", False: "0"}.get(one.get("winner"), ""),
            "rank": plain(str(one["rank"])) if ranked else "",
            "score": _summed(plain(str("" if one.get("score") is None else one["score"]))),
            "role": plain(str(one.get("role") or "")),
            "team": plain(str(one.get("team") or "")) if play.get("usesTeams") else "",
            "rules": " + ".join(filter(None, (plain(str(play.get("board") or "")), *added))),
            "length": plain(str(minutes or "")),
        }
        for one in play["playerScores"]
    ]


def _summed(score: str) -> str:
    """Return a score; the app lets people type sums such as 12+5."""
    if not re.fullmatch(r"-?\d+(\.\d+)?( *[+-] *\d+(\.\d+)?)+", score):
        return score
    return f"{sum(map(float, re.findall(r'[+-]?[0-9.]+', score.replace(' ', '')))):g}"


@dataclass(frozen=True)
class _Play:
    """A play, and whether it can be used."""

    number: int
    rows: Sequence[dict[str, Any]]
    date: str
    told: Mapping[str, Any]  # the play as the file has it

    @property
    def size(self) -> int:
        """The number of players."""
        return len(self.rows)

    @property
    def whole(self) -> bool:
        """Whether it says who sat where."""
        return sorted(row["seat"] for row in self.rows) == sorted(str(seat + 1) for seat in range(self.size))

    @property
    def begun(self) -> bool:
        """Whether it says who began, and not who sat where."""
        return not self.whole and sum(one.get("startPlayer") is True for one in self.told["playerScores"]) == 1

    @property
    def seated(self) -> bool:
        """Whether it says who sat in seat 1 at least."""
        return self.whole or self.begun

    @property
    def ordered(self) -> list[dict[str, Any]]:
        """Its rows; where only the one who began is known, in seat 1, the others are in an order by lot."""
        if not self.begun:
            return list(self.rows)
        first = [one.get("startPlayer") is True for one in self.told["playerScores"]]
        lots = [hashlib.sha256(f"{self.date} {self.number} {row['player']}".encode()).digest() for row in self.rows]
        order = sorted(range(self.size), key=lambda at: (not first[at], lots[at]))
        return [self.rows[at] | {"seat": str(seat)} for seat, at in enumerate(order, 1)]

    def teams(self, few: bool) -> str:
        """Return who wins together, by seat or, if seats are not used, one team after the other; as in 1/234."""
        key = "team" if few else "seat"
        rows = sorted(self.rows if few else self.ordered, key=lambda row: row[key])
        return sides_of([row["team"] or f"\x00{at}" for at, row in enumerate(rows)])

    def reason(self, lowest: bool, cooperative: bool) -> str:
        """Return why the play is of no use; empty if it is of use."""
        marks, texts = ([row[name] for row in self.rows] for name in ("winner", "score"))
        scores = Numerals().read(pl.Series(texts, dtype=pl.String))
        if self.told.get("ignored"):
            return "ignored"
        if not 2 <= self.size <= MOST_PLAYERS:
            return "size"
        teams = [row["team"] for row in self.rows]
        if self.told.get("usesTeams") and ("" in teams or len({*teams}) == 1):
            return "teams"
        if scores.null_count() != texts.count(""):
            return "text"
        if texts.count("") not in (0, self.size):
            return "gap"
        if "1" not in marks:
            said = "0" in marks if cooperative else "0" not in marks and "" not in texts
            return "" if said else "unwon"
        best = scores.min() if lowest else scores.max()
        sides = [team or str(number) for number, team in enumerate(teams)]
        won = {side for side, mark in zip(sides, marks, strict=True) if mark == "1"}
        leading = {side for side, score in zip(sides, scores, strict=True) if score == best}
        return "other" if best is not None and not cooperative and not won <= leading else ""


# Reading of tables of results: CSV, Parquet, or the JSON of BG Stats, with a row for each seat or for each game.


BLOCK = 1 << 24
"""Number of bytes of a CSV file that are read at a time."""

ROWS = 1 << 18
"""Number of rows of a Parquet file that are read at a time."""

MOST_JSON = 200_000_000
MARKS = ",;\t|"
MOST_ABOVE = 10


@dataclass(frozen=True)
class ResultsTable:
    """A table of results."""

    path: Path  # the file
    form: Form  # what its columns are
    kind: str  # "csv" or "parquet"; "whole" if it is held in memory
    mark: str = ","  # the character between the fields of a CSV file
    title: str = ""  # name of the game, if the file says it
    numerals: Numerals = Numerals()  # how it writes numbers
    above: int = 0  # number of lines above the names of the columns
    lowest: bool = False  # whether the file says that the fewest points win
    cooperative: bool = False  # whether the file says that all win or lose together
    teams: Sequence[str] = ()  # who plays together, by seat, as in 1/234: for each number of players one at most
    begun: int = 0  # number of games in which only seat 1 is known, as who began; the others were drawn by lot
    seated: int = 0  # number of games that name seats, if they are too few to be used
    mixed: int = 0  # number of sets of rules, if they are so many that all count as one
    left_out: Mapping[str, Sequence[str]] = field(default_factory=dict)  # dates of plays of no use, by the reason
    whole: pl.DataFrame = field(default_factory=pl.DataFrame)

    @property
    def place(self) -> Place:
        """The file, for messages."""
        return Place(str(self.path))

    def chunks(self) -> Iterator[pl.DataFrame]:
        """Yield consecutive rows, one for each seat, as text; memory does not grow with the file."""
        if self.kind == "whole":
            yield self.whole
            return
        first = 2 + self.above
        blocks = (
            _csv(self.path, self.mark, self.place, self.above)
            if self.kind == "csv"
            else _parquet(self.path, self.place)
        )
        for block in blocks:
            block.columns = [plain(name).casefold() for name in block.columns]
            numbered = block.with_row_index(ROW, first).with_columns(
                pl.col(ROW).cast(pl.Int64), pl.exclude(ROW).fill_null("").str.strip_chars()
            )
            first += len(block)
            used = pl.any_horizontal(pl.col(name) != "" for name in block.columns)
            yield long_form(self.place, self.form, numbered.filter(used))

    def digest(self) -> str:
        """Return the SHA-256 of the file."""
        with self.path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()


def open_table(
    path: Path,
    columns: Mapping[str, str] | None = None,
    title: str = "",
    most: int = 0,
    decimal: str = "",
    ordered: bool = True,
    teams: str = "",
) -> ResultsTable:
    """Open a table of results.

    path: A file that ends in .csv, .tsv, .txt, .parquet or .json.
    columns: The file's name for some fields, such as {"seat": "Position"}.
    title: Name of the game; of a file of BG Stats with several games, the one to read.
    most: Largest size in bytes.  If 0, any size.
    decimal: "point" or "comma", if either is before the decimals in this file; if empty, both are, where it is clear.
    ordered: Whether the seats mean something; if not, a play needs none.
    teams: The seats that win together, as in 1/234.
    Raises UsageError if the file is no such table; the message says where and why.
    """
    place, chosen = Place(str(path)), dict(columns or {})
    if decimal not in ("", *OTHERS):
        raise UsageError(f"'{cut(plain(decimal))}' is no decimal mark; write point or comma", "decimal")
    parts = teams.split("/")
    if teams and (len(parts) < 2 or sorted("".join(parts)) != [str(at + 1) for at in range(len("".join(parts)))]):
        raise UsageError(f"'{cut(plain(teams))}': name every seat once, as in 1/234", "teams")
    sides = [teams] if teams else []
    try:
        if most and path.stat().st_size > most:
            place.refuse(f"larger than {most // 1_000_000} MB; give the games of one table or club")
        if path.is_fifo():  # it is read more than once
            place.refuse("a pipe; name a CSV, Parquet or JSON file")
        with path.open("rb") as file:
            start = file.read(1 << 16)
    except OSError as error:
        place.refuse(f"{(error.strerror or str(error)).lower()}; name a CSV, Parquet or JSON file")
    if start[:4] == b"PAR1":
        form = form_of(place, _schema(path, place), chosen)
        return ResultsTable(path, form, "parquet", title=title, numerals=Numerals(decimal), teams=sides)
    if start.lstrip(b"\xef\xbb\xbf \r\n\t")[:1] in (b"{", b"["):
        if path.stat().st_size > MOST_JSON:
            place.refuse(f"larger than {MOST_JSON // 1_000_000} MB; export fewer plays")
        plays = plays_of(place, path.read_bytes(), title, ordered)
        form = form_of(place, plays.frame.columns[1:], {})
        return ResultsTable(
            path,
            form,
            "whole",
            title=plays.title,
            lowest=plays.lowest,
            cooperative=plays.cooperative,
            teams=sides,
            left_out=plays.left_out,
            begun=plays.begun,
            seated=plays.seated,
            mixed=plays.mixed,
            whole=long_form(place, form, plays.frame),
        )
    header, mark, above = _header(start, place, chosen)
    form, numerals = form_of(place, header, chosen), Numerals(decimal, mark == ";")
    return ResultsTable(path, form, "csv", mark, title, numerals, above, teams=sides)


def table_of(runs: Sequence[Run]) -> ResultsTable:
    """Return the table that some runs were made from, as far as they hold it.

    Raises UsageError if the games of a run were played here.
    """
    frames, title = [], ""
    for number, run in enumerate(runs):
        origin, rows = run.manifest.origin, run.polars()
        if origin is None:
            raise UsageError(f"{run.folder}: its games were played here; name results of real games")
        game, title = run.described.game, origin.title
        fields = {
            "game": pl.format("{}-{}", pl.lit(number), "game_id"),
            "players": pl.lit(run.manifest.players),
            "winner": (pl.col(game.share) > 0).cast(pl.Int8),
            **{
                name: pl.col(name)
                for name, there in (
                    ("seat", origin.seats),
                    ("score", origin.score),
                    ("role", origin.roles),
                    ("group", origin.groups),
                )
                if there
            },
        }
        frames.append(rows.select(**{name: value.cast(pl.String) for name, value in fields.items()}).collect())
    whole = pl.concat(frames, how="diagonal").fill_null("").with_row_index(ROW, 1).cast({ROW: pl.Int64})
    path, together = runs[0].folder, all(run.manifest.origin.cooperative for run in runs if run.manifest.origin)
    form = form_of(Place(str(path)), whole.columns[1:], {})
    teams = next((run.manifest.origin.teams for run in runs if run.manifest.origin), ())
    return ResultsTable(path, form, "whole", title=title, cooperative=together, teams=teams, whole=whole)


def _header(start: bytes, place: Place, chosen: Mapping[str, str]) -> tuple[list[str], str, int]:
    """Return the names of a CSV file's columns, the character between its fields, and the number of lines above."""
    text = _ends_of_lines(start).decode("utf-8-sig", errors="replace")
    if text.lstrip().startswith("<"):
        place.refuse("XML or a web page, which is not read; give a table as CSV, with a row for each seat of each game")
    above = _above(text, chosen)
    text = text.split("\n", above)[-1]
    head, _, body = text.partition("\n")
    mark = max(MARKS, key=head.count)
    try:
        first = next(csv.reader(io.StringIO(text, newline=""), delimiter=mark), [])
    except csv.Error as error:
        place.refuse(f"not a table: {first_line(error)}")
    if b"\x00" in start or "\ufffd" in head:
        place.refuse("not UTF-8 text; save it as 'CSV UTF-8'")
    if not any(name.strip() for name in first):
        place.refuse("not a table: its first row has to name the columns, such as game,seat,winner")
    if len(first) > 1 and body.strip() and mark not in body:  # which takes long to find out in millions of rows
        place.refuse(f"1 field, but the first row names {len(first)} columns; give a field for each", 2 + above)
    return [name.lstrip("\ufeff") for name in first], mark, above


def _above(text: str, chosen: Mapping[str, str]) -> int:
    """Return how many lines are above the names of the columns: `sep=;` of a spreadsheet, or a title."""
    usual = {*FIELDS, *ALIASES, *RESULT_ALIASES, *(name.casefold() for name in chosen.values())}
    for number, line in enumerate(text.split("\n")[:MOST_ABOVE]):
        cells = [plain(cell.strip('"')).casefold() for cell in re.split(f"[{MARKS}]", line)]
        stems = [(_by_seat(cell) or (cell, 0))[0] for cell in cells]
        if len(usual & {*cells, *stems}) > 1 or any(stems.count(stem) > 1 for stem in usual):
            return number
    return 1 if text.lower().startswith("sep=") else 0


def _ends_of_lines(data: bytes) -> bytes:
    """Return the contents of a file whose lines all end with a carriage return, as those of old spreadsheets do."""
    return data if b"\n" in data else data.replace(b"\r", b"\n")


def _schema(path: Path, place: Place) -> list[str]:
    try:
        schema = pl.scan_parquet(path, glob=False).collect_schema()
        return [name for name, kind in schema.items() if not kind.is_nested()]
    except (pl.exceptions.PolarsError, OSError) as error:
        place.refuse(f"not a Parquet file that can be read: {first_line(error)}")


def _parquet(path: Path, place: Place) -> Iterator[pl.DataFrame]:
    """Yield the rows of a Parquet file as text."""
    frame = pl.scan_parquet(path, glob=False)
    nested = [name for name, kind in frame.collect_schema().items() if kind.is_nested()]
    start = 0
    while True:
        try:
            part = frame.drop(nested).slice(start, ROWS).collect()
            rows = part.select(pl.all().cast(pl.String))
        except (pl.exceptions.PolarsError, OSError) as error:
            place.refuse(f"damaged: {first_line(error)}")
        if not len(rows):
            return
        yield rows
        start += ROWS


def _csv(path: Path, mark: str, place: Place, above: int) -> Iterator[pl.DataFrame]:
    """Yield the rows of a CSV file."""
    with path.open("rb") as raw:
        start = raw.read(1 << 16)
        raw.seek(0)
        file: BinaryIO = raw if b"\n" in start else io.BytesIO(_ends_of_lines(raw.read()))
        file.seek(3 if start.startswith(b"\xef\xbb\xbf") else 0)
        for _ in range(above):
            file.readline()
        head, first = _line(file), 2 + above
        rest = b""
        while block := file.read(BLOCK):
            end = _whole_lines(rest + block)
            data, rest = (rest + block)[:end], (rest + block)[end:]
            if data:
                frame = _parsed(head + data, mark, place, first)
                first += len(frame)
                yield frame
        if rest:
            yield _parsed(head + rest, mark, place, first)


def _line(file: BinaryIO) -> bytes:
    """Return the first line, which may contain quoted ends of lines."""
    lines, quotes = [], 0
    while line := file.readline():
        lines.append(line)
        quotes += line.count(b'"')
        if quotes % 2 == 0:
            break
    head = b"".join(lines)
    return head if head.endswith(b"\n") else head + b"\n"


def _whole_lines(data: bytes) -> int:
    """Return where the last whole row ends: at an end of a line that is not quoted."""
    end = data.rfind(b"\n") + 1
    quotes = data.count(b'"', 0, end)
    while end and quotes % 2:
        start = data.rfind(b"\n", 0, end - 1) + 1
        quotes -= data.count(b'"', start, end)
        end = start
    return end


def _parsed(data: bytes, mark: str, place: Place, first: int) -> pl.DataFrame:
    """Return some rows under their header as text; `first` is the number of the first one."""
    try:
        data.decode()
        frame = pl.read_csv(data, separator=mark, infer_schema=False, has_header=False)
    except UnicodeDecodeError:
        place.refuse("not UTF-8 text; save it as 'CSV UTF-8'")
    except pl.exceptions.PolarsError as error:
        place.refuse(_ragged(data.decode(), mark, first) or f"not a table: {first_line(error)}")
    names = [value or "" for value in frame.row(0)]
    blank = [f"\x00{number}" for number in range(len(names))]
    frame.columns = [
        name if names.index(name) == number and name else blank[number] for number, name in enumerate(names)
    ]
    return unquoted(frame[1:]) if b"'" in data else frame[1:]


def _ragged(text: str, mark: str, first: int) -> str:
    """Return a message about the first row with more fields than the header, or with a lone quotation mark."""
    if text.count('"') % 2:
        number = next(number for number, line in enumerate(text.split("\n"), first - 1) if line.count('"') % 2)
        return f"row {number}: a quotation mark that is not closed; close it, or leave it out"
    rows, number = csv.reader(io.StringIO(text, newline=""), delimiter=mark, strict=True), first - 2
    try:
        width, number = len(next(rows)), first - 1
        for number, row in enumerate(rows, first):
            if len(row) > width:
                many = f"{len(row)} fields, but the first row names {width} columns"
                return shortened(f"row {number}: {many}; put a text with '{printable(mark)}' into quotation marks")
    except csv.Error:
        inside = "leave out the marks, or put '\"\"' for each inside others"
        return f"row {number + 1}: text after a closing quotation mark; {inside}"
    except StopIteration:
        pass
    return ""
