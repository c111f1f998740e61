"""The baseline file: what a user chooses, and what was measured.

Everything above the line `[measured]` is the user's and stays as it is, comments included; the rest is written by
`analysis.check.writing`.  The file is untrusted text: nothing in it is executed.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Field, ValidationError

from simcore.errors import UsageError
from simcore.rules.files import Identifier
from simcore.running.batch import MAX_GAMES, MAX_SEED
from simcore.toml_tables import Table, explain, parse, paths, read_bytes, shown

FORMAT = "equipoise-baseline/1"
DIGEST = "digest"
"""Key of the measured part's own digest."""

MEASURED = re.compile(r"^\[measured\b", re.MULTILINE)
_CONFLICT = re.compile(r"^(<{7}|\|{7}|>{7})( |$)|^={7}$")
_PLAYERS = re.compile(r"([1-9]\d?)-players")

Count = Annotated[int, Field(ge=1000, le=MAX_GAMES)]
Seed = Annotated[int, Field(ge=0, le=MAX_SEED)]
Digest = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
Seated = Annotated[str, Field(pattern=r"^([a-z][a-z0-9_-]{0,63}=)?[A-Za-z0-9_-]{1,64}$")]
Finite = Annotated[float, Field(allow_inf_nan=False)]


class Limits(Table):
    """Rules that hold whatever the baseline says.

    Parameters
    ----------
    max_seat_deviation
        Furthest that any seat's share of the wins may lie from its par.
    max_camp_deviation
        Furthest that any camp's share of the wins may lie from its par, in a game with camps.
    max_event_swing
        Most that one card may add to or take from any seat's or strategy's share of the wins.
    no_dominant_strategy
        Most of the wins that one seat of a strategy may take.
    """

    max_seat_deviation: str | None = None
    max_camp_deviation: str | None = None
    max_event_swing: str | None = None
    no_dominant_strategy: Annotated[float, Field(gt=0, lt=1)] | None = None


class Judge(Table):
    """How verdicts are found.

    Parameters
    ----------
    method
        "interval": fail if surely beyond the margin, pass if surely within; "gsprt": whether a measure is as before
        or moved by the margin, in fewer games.
    false_alarms
        Chance of any wrong verdict, all measures of the file together.
    games
        Most fresh games to play at each player count.
    """

    method: Literal["interval", "gsprt"] = "interval"
    false_alarms: Annotated[float, Field(gt=0, lt=0.5)] = 0.05
    games: Count = 1_000_000


class Choices(Table):
    """The user's part of the file.

    Parameters
    ----------
    game, rules, settings, players, strategies, design
        What is played; no strategies: the game's default.  Files are named relative to the baseline.
    seed, games
        Of the measurement.
    margins
        How far a measure may move, by family or by single measure.
    limits, judge
        See there.
    """

    format: Literal["equipoise-baseline/1"]
    game: str
    rules: str = "base"
    settings: list[str] = Field(default_factory=list)
    players: Annotated[list[int], Field(min_length=1)]
    strategies: list[str] = Field(default_factory=list)
    design: Literal["rotate", "fixed", "shuffle"] = "rotate"
    seed: Seed = 1
    games: Count = 1_000_000
    margins: dict[str, float | str] = Field(default_factory=dict)
    limits: Limits = Limits()
    judge: Judge = Judge()


class Value(Table):
    """What a measure came to, and its standard error."""

    value: Finite
    error: Annotated[float, Field(ge=0, allow_inf_nan=False)]


class Origin(Table):
    """What a measurement was made with.

    Parameters
    ----------
    seed, design
        As in a run's specification.
    golden_games
        Games behind each golden digest.
    rules
        Digest of the rules; their copy lies beside the baseline, and so do the strategies'.
    seated
        Strategies: one for all seats, or one a seat; in a game with roles as "role=strategy".
    strategies
        Digest of each.
    """

    seed: Seed
    design: Literal["rotate", "fixed", "shuffle"]
    golden_games: Annotated[int, Field(ge=1, le=1_000_000)]
    rules: Digest
    seated: Annotated[list[Seated], Field(min_length=1)]
    strategies: dict[Identifier, Digest]


class AtTable(Table):
    """What was measured at one player count."""

    golden: Digest
    games: Annotated[int, Field(ge=1)]


@dataclass(frozen=True)
class Measured:
    """The measured part of the file.

    Parameters
    ----------
    origin
        What it was made with.
    tables
        Golden digest and number of games, by player count.
    values
        By player count, then by the measure's dotted name.
    """

    origin: Origin
    tables: Mapping[int, AtTable]
    values: Mapping[int, Mapping[str, Value]]


@dataclass(frozen=True)
class Baseline:
    """A baseline file.

    Parameters
    ----------
    path
        Where it is.
    head
        The user's part, as it stands.
    choices
        The same, read.
    measured
        None before the first measurement.
    text
        The whole file.
    """

    path: Path
    head: str
    choices: Choices
    measured: Measured | None = None
    text: str = field(default="", repr=False)

    @property
    def label(self) -> str:
        """What messages call it."""
        return shown(str(self.path), 120)

    @property
    def frozen(self) -> Path:
        """Folder of the rules and strategies it was measured with."""
        return self.path.with_suffix("")

    def line(self, players: int | None, name: str) -> int:
        """Return the number of the line that speaks of a measure or limit; the first if there is none."""
        header = None if players is None else f"[measured.{players}-players]"
        here = header is None
        for number, line in enumerate(self.text.splitlines(), 1):
            here = here or line.strip() == header
            if here and re.match(rf"{re.escape(name)}\s*=", line):
                return number
        return 1


def read_baseline(path: Path) -> Baseline:
    """Return what a baseline file holds.

    Raises
    ------
    UsageError
        Saying what is wrong with it, in which line or key, and how to mend it.
    """
    label = shown(str(path), 120)
    baseline, table = _open(path, _text(path), whole=True)
    if "measured" not in table:
        raise UsageError(f"{label}: nothing is measured yet; run: equipoise check --update {label}")
    measured = _measured(table["measured"], label)
    if table["measured"].get(DIGEST) != measured_digest(table["measured"]):
        raise UsageError(
            f"{label}: [measured] {DIGEST}: is not that of what stands below; somebody edited a figure, or two "
            f"versions were mixed; restore the file, or run: equipoise check --update {label}"
        )
    return Baseline(path, baseline.head, baseline.choices, measured, baseline.text)


def measured_digest(table: Mapping[str, Any]) -> str:
    """Return the SHA-256 of the measured part, without its digest, as canonical JSON."""
    text = json.dumps({key: value for key, value in table.items() if key != DIGEST}, sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()


def signed(text: str) -> str:
    """Return a baseline's text with the digest of its measured part, in place of the one it has, if any."""
    digest = measured_digest(parse(text.encode(), "baseline")["measured"])
    begin = re.search(rf"^\[measured\][^\n]*\n(?:{DIGEST} = [^\n]*\n)?", text, re.MULTILINE)
    assert begin
    return f'{text[: begin.start()]}[measured]\n{DIGEST} = "{digest}"\n{text[begin.end() :]}'


def read_choices(path: Path) -> Baseline:
    """Return the user's part of a baseline only, for a new measurement; a conflict below it does not matter."""
    return _open(path, _text(path), whole=False)[0]


def choices_of(head: str, path: Path) -> Baseline:
    """Return a baseline that is not measured yet."""
    return _open(path, head, whole=False)[0]


def _text(path: Path) -> str:
    data = read_bytes(path)
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        label = shown(str(path), 120)
        raise UsageError(f"{label}: not a text file in UTF-8 (byte {error.start}); restore it") from None


def _open(path: Path, text: str, whole: bool) -> tuple[Baseline, dict[str, Any]]:
    """Return the user's part, and the table of all that was read."""
    label = shown(str(path), 120)
    begin = MEASURED.search(text)
    head = text[: begin.start()] if begin else text
    read = text if whole else head
    for number, line in enumerate(read.splitlines(), 1):
        if _CONFLICT.match(line):
            how = "resolve it" if number <= head.count("\n") else f"run: equipoise check --update {label}"
            raise UsageError(f"{label}: line {number}: a merge conflict is left in the file; {how}")
    table = parse(read.encode(), label)
    own = {key: value for key, value in table.items() if key != "measured"}
    if isinstance(own.get("format"), str) and own["format"] != FORMAT:
        raise UsageError(
            f"{label}: format: '{shown(own['format'])}' is of another kind or version; this one reads {FORMAT}"
        )
    margins = own.get("margins")
    for key, value in margins.items() if isinstance(margins, dict) else ():
        if isinstance(value, dict):
            name = shown(f"{key}.{next(iter(value), 'seat-1')}")
            raise UsageError(f'{label}: [margins] {name}: put the whole name in quotes, as in "{name}" = ..')
    try:
        choices = Choices.model_validate(own)
    except ValidationError as error:
        raise UsageError(explain(error, Choices, dict.fromkeys(paths(own), label), label)) from None
    if len(set(choices.players)) < len(choices.players):
        raise UsageError(f"{label}: players: one number is there twice; name each once")
    return Baseline(path, head, choices, text=text), table


def _measured(table: Any, label: str) -> Measured:
    """Return the measured part, as far as it makes sense by itself."""
    if not isinstance(table, dict):
        raise UsageError(f"{label}: measured: must be a table; run: equipoise check --update {label}")
    own = {key: value for key, value in table.items() if key != DIGEST and not _PLAYERS.fullmatch(key)}
    origin = _read(Origin, own, "measured", label)
    if {name.rpartition("=")[2] for name in origin.seated} != set(origin.strategies):
        raise UsageError(
            f"{label}: [measured] seated: names other strategies than [measured.strategies]; "
            f"run: equipoise check --update {label}"
        )
    tables: dict[int, AtTable] = {}
    values: dict[int, dict[str, Value]] = {}
    for key, rest in table.items():
        found = _PLAYERS.fullmatch(key)
        if not found:
            continue
        name = f"measured.{key}"
        if not isinstance(rest, dict):
            raise UsageError(f"{label}: {name}: must be a table; run: equipoise check --update {label}")
        players = int(found[1])
        fixed = {key: value for key, value in rest.items() if key in AtTable.model_fields}
        tables[players] = _read(AtTable, fixed, name, label)
        rest = {key: value for key, value in rest.items() if key not in AtTable.model_fields}
        values[players] = {
            dotted: _read(Value, entry, f"{name}.{dotted}", label) for dotted, entry in _entries(rest, name, label)
        }
    return Measured(origin, tables, values)


def _entries(table: Mapping[str, Any], where: str, label: str, above: str = "") -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield every measure's dotted name and its table."""
    for key, value in table.items():
        dotted = above + key
        if not isinstance(value, dict):
            raise UsageError(
                f"{label}: [{where}] {shown(dotted)}: must be {{ value = .., error = .. }}; "
                f"run: equipoise check --update {label}"
            )
        if {"value", "error"} & value.keys() or not value:
            yield dotted, value
        else:
            yield from _entries(value, where, label, f"{dotted}.")


def _read(model: Any, table: dict[str, Any], where: str, label: str) -> Any:
    """Return a model of a table; what is wrong is blamed on where it stands."""
    try:
        return model.model_validate(table)
    except ValidationError as error:
        message = explain(error, model, dict.fromkeys(paths(table), label), label)
        message = message.removeprefix(f"{label}: ")
        raise UsageError(
            f"{label}: [{shown(where, 120)}] {message}; restore the line, or run: equipoise check --update {label}"
        ) from None
