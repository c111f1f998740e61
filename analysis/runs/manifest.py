"""The manifest of a run folder: what was played, by which code, and with which result."""

from __future__ import annotations

import hashlib
import json
import platform
import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Annotated, Any, Final, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from simcore.atomic import write
from simcore.declared import Declaration, Names, game_elsewhere, take_up
from simcore.errors import Damaged, UsageError, shown
from simcore.game import Column, Game
from simcore.homes import home
from simcore.judged import MOST_PLAYERS, equal_par
from simcore.kernel.cache import code_of
from simcore.kernel.streams import STREAM_VERSION
from simcore.running.batch import Spec
from simcore.toml_tables import Line

# --- Where the games of an imported table come from, as the manifest of its run says ---


MOST_NAMES = 1_000_000
Named = Annotated[str, Field(min_length=1, max_length=80)]
Players = Annotated[int, Field(ge=2, le=MOST_PLAYERS)]


class Measure(BaseModel):
    """A column of numbers.

    name: Its name in the run.
    column: Its name in the file.
    decimals: Number of digits after the point, at most 6.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: Annotated[str, Field(pattern=r"^[a-z0-9_]{1,41}$")]
    column: Annotated[str, Field(max_length=200)]
    decimals: Annotated[int, Field(ge=0, le=6)]


class Origin(BaseModel):
    """The file that the games were read from, and what its columns say.

    file, sha256: Name of the file without its folder, and SHA-256 of its contents.
    title: Name of the game.
    counts, usual: Smallest and largest number of players in the file, and the most frequent one.
    seats: Whether the file says who sat where.
    wins: What decided: "winner" (marked in the file), "rank", "highest" score or "lowest" score.
    people, roles, groups: The names in these columns; empty without the column.
    measures: Columns of numbers, the score first if there is one.
    score, length, deals: Whether there is a score, a length, and a column that says which games share a deal.
    together, shared: Number of games that all seats won or lost together, and of games with several winners among
        others.
    cooperative: Whether that is so in all games, so that nobody played against another.
    teams: Who wins together, by seat as in "1/234": for each number of players one at most.
    sides: The names of the teams, if each has a role of its own.
    suspected: Who always wins together although the file names no teams; empty if nobody does.
    suspected_roles: The roles of which that is so, wherever they sit.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    file: Annotated[str, Field(max_length=300)]
    sha256: Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
    title: Named
    counts: tuple[Players, Players]
    usual: Players
    seats: bool
    wins: Literal["winner", "rank", "highest", "lowest"]
    people: Annotated[tuple[Named, ...], Field(max_length=MOST_NAMES)] = ()
    roles: Annotated[tuple[Named, ...], Field(max_length=MOST_NAMES)] = ()
    groups: Annotated[tuple[Named, ...], Field(max_length=MOST_NAMES)] = ()
    measures: tuple[Measure, ...] = ()
    score: bool = False
    length: bool = False
    deals: bool = False
    together: Annotated[int, Field(ge=0)] = 0
    shared: Annotated[int, Field(ge=0)] = 0
    cooperative: bool = False
    teams: tuple[Annotated[str, Field(pattern=r"^[1-8]+(/[1-8]+)+$", max_length=20)], ...] = ()
    sides: Annotated[tuple[Named, ...], Field(max_length=MOST_PLAYERS)] = ()
    suspected: Annotated[str, Field(max_length=20)] = ""
    suspected_roles: Annotated[tuple[Named, ...], Field(max_length=100)] = ()

    @property
    def columns(self) -> tuple[Column, ...]:
        """The columns of the run's table in addition to the general ones."""
        named = {
            "player": ("who played the seat", self.people),
            "role": ("role of the seat", self.roles),
            "group": ("group that played the game", self.groups),
        }
        found = [
            Column(name, "Enum", meaning, detail="minimal", labels=Names(labels))
            for name, (meaning, labels) in named.items()
            if labels
        ]
        if self.deals:
            found.append(Column("deal", "UInt64", "number of the deal; games that share it are one deal"))
        found += [
            Column(one.name, "Float64", f"the file's column {one.column}", divisor=10**one.decimals)
            for one in self.measures
        ]
        return tuple(found)

    def game(self) -> Game:
        """Return the descriptor of the game, with the columns of this table."""
        score = "score" if self.score else None
        game = game_elsewhere(self.title, self.columns, score, self.counts, self.usual, self.wins == "lowest")
        return replace(game, par=self.par)

    def camps(self, players: int) -> dict[str, tuple[int, ...]]:
        """Return the seats of each team, counted from 0; nothing if everybody plays alone."""
        for teams in self.teams:
            if len(teams.replace("/", "")) == players:
                parts = teams.split("/")
                names = self.sides or tuple(f"team {part}" for part in parts)
                return {name: tuple(int(seat) - 1 for seat in part) for name, part in zip(names, parts, strict=True)}
        return {}

    def par(self, rules: object, players: int) -> tuple[float, ...]:
        """Return the par of each seat: every team should win equally often."""
        camps = self.camps(players).values()
        if not camps:
            return equal_par(rules, players)
        return tuple(next(1 / len(camps) / len(own) for own in camps if seat in own) for seat in range(players))


# --- What a result may depend on apart from the games: versions of libraries and random streams, and the code ---


LIBRARIES = ("numba", "numpy", "polars")

STREAM = "stream_version"
"""Key of the version of the random streams; what was written before it was stored used the first."""


def code_of_game(game: str) -> str:
    """Return the SHA-256 of the code that plays a game."""
    found = home(game)
    code = code_of(found.package)
    return hashlib.sha256((code + found.source).encode()).hexdigest() if found.source else code


def versions() -> dict[str, str]:
    """Return the versions that a result may depend on."""
    try:
        own = version("equipoise")
    except PackageNotFoundError:
        own = "unknown"
    return {
        "equipoise": own,
        "python": platform.python_version(),
        **{name: version(name) for name in LIBRARIES},
        STREAM: str(STREAM_VERSION),
        "machine": platform.machine(),
        "system": sys.platform,
    }


# --- The checksum of a manifest, by which a change of its file shows ---


CHECKSUM = "manifest_sha256"
"""Key of the manifest's checksum in its file."""


def checksum(table: Mapping[str, Any]) -> str:
    """Return the SHA-256 of a manifest without its checksum, as canonical JSON."""
    return sha256_of({key: value for key, value in table.items() if key != CHECKSUM})


def signed(table: Mapping[str, Any]) -> str:
    """Return the text of a manifest's file: the table with its checksum."""
    return json.dumps({**table, CHECKSUM: checksum(table)}, indent=2, ensure_ascii=False) + "\n"


def sha256_of(table: Mapping[str, Any]) -> str:
    """Return the SHA-256 of a table as canonical JSON."""
    text = json.dumps(table, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return hashlib.sha256(text.encode(errors="replace")).hexdigest()


# --- The manifest of a run folder: what was played, by which code, and with which result ---


FORMAT: Final = "equipoise-run/2"
FILE = "manifest.json"
SUMMARY: Final = "summary"
"""Level of detail of a run that contains totals instead of rows."""

MAX_BYTES = 50_000_000
NAME = r"^((games/part|tables/(games|events))-\d{6,}\.(parquet|csv)|totals/part-\d{6,}\.npz)$"

Sha256 = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]


class PartFile(BaseModel):
    """One file of the table.

    file: Its path in the run folder.
    first, games: Index of its first game, and its number of consecutive games.
    sha256: SHA-256 of its bytes, in hexadecimal.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    file: Annotated[str, Field(pattern=NAME)]
    first: Annotated[int, Field(ge=0)]
    games: Annotated[int, Field(ge=1)]
    sha256: Sha256

    @property
    def suffix(self) -> str:
        """The ending of the file's name: ".parquet" or ".csv"."""
        return Path(self.file).suffix

    @property
    def number(self) -> int:
        """The number of the part."""
        return int(Path(self.file).stem.rpartition("-")[2])


LOOKS = "looks="


def looks_in(precision: str | None) -> tuple[int, ...]:
    """Return the numbers of games at which a run might have ended, if its precision names such; otherwise none."""
    if not precision or not precision.startswith(LOOKS):
        return ()
    return tuple(map(int, precision[len(LOOKS) :].partition(";")[0].split(",")))


class Manifest(BaseModel):
    """The contents of `manifest.json`.

    status: "running" while games are played, "interrupted" or "failed" if they stopped early, "complete" at the end.
    game, players, strategies, design, seed, games: The specification; `strategies` by entry of the line-up, entry k in
        seat k + 1 of the first game.
    games_written: Number of games whose rows are in the folder.
    rows: Number of rows in the folder, one for each game and seat.
    rules, rules_digest: The resolved rules, and the SHA-256 of their canonical JSON.
    strategy_tables: Every strategy, as in its file.
    settings: The changes made with `--set`, which are already part of `rules`.
    detail, table_format: Which columns were written, and in which format; "summary" and "none" for a run that contains
        totals instead of rows.
    parts: Files of the table, in order of their games; see `PartFile`.
    tables: Files of the further tables by name, in order of their games; see `simcore.running.columns`.
    precision: The requested precision, for a run whose number of games depends on it; or the numbers of games at which
        a run of players who look ahead might have ended, as in "looks=50,100,200"; otherwise null.
    totals: Totals of the listed games, from which an unfinished run can be continued; see `simcore.running.tally`.
    code: SHA-256 of the code that played; only the same code can continue the run.
    origin: Where the games come from, if they were not played here; see `analysis.runs.manifest`.
    declared: What a game in plain Python declares, so that its runs can be read without its code.
    replaces: SHA-256 of the manifest of the run beside it whose place it takes once it is whole; null after that.
    digest: Digest of all outcomes; null until the run is complete.
    command: The command line that made the run.
    started, seconds: When the run began (UTC, ISO 8601), and how long it took.
    versions: Versions of Equipoise, Python and the libraries that matter.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    format: Literal["equipoise-run/2"] = FORMAT
    status: Literal["running", "interrupted", "failed", "complete"]
    game: Line
    players: int
    strategies: list[Line]
    design: Literal["rotate", "fixed", "shuffle"]
    seed: int
    games: int
    games_written: int
    rows: int
    digest: Sha256 | None
    detail: Literal["minimal", "standard", "full", "summary"]
    table_format: Literal["parquet", "csv", "both", "none"]
    parts: list[PartFile]
    tables: dict[Literal["games", "events"], list[PartFile]] = Field(default_factory=dict)
    rules_digest: str
    settings: list[Line]
    command: list[Line]
    started: Line
    seconds: float
    versions: dict[Line, Line]
    rules: dict[str, Any]
    strategy_tables: list[dict[str, Any]]
    precision: Line | None = None
    code: Line = ""
    totals: dict[str, Any] | None = None
    origin: Origin | None = None
    declared: Declaration | None = None
    replaces: Sha256 | None = None

    @model_validator(mode="after")
    def _agrees_with_itself(self) -> Self:
        others = [part for parts in self.tables.values() for part in parts]
        if len({part.file for part in (*self.parts, *others)}) < len(self.parts) + len(others):
            raise ValueError("parts: one is listed twice")
        by_suffix = [
            [part for part in self.parts if part.suffix == suffix] for suffix in {part.suffix for part in self.parts}
        ]
        for parts in by_suffix or [[]]:
            self._check_order(parts)
        for name, parts in self.tables.items():
            if [(part.first, part.games) for part in parts] not in [
                [(part.first, part.games) for part in some] for some in by_suffix or [[]]
            ] or not all(part.file.startswith(f"tables/{name}-") for part in parts):
                raise ValueError(f"tables: {name}: its files are not of the same games as the parts")
        if self.declared is not None and self.declared.name != self.game:
            raise ValueError(f"declared: describes '{self.declared.name}', but the game is '{shown(self.game)}'")
        if self.status == "complete" and self.games_written != self.games:
            raise ValueError(f"games_written: {self.games_written}, but a complete run has all its {self.games}")
        return self

    def _check_order(self, parts: Sequence[PartFile]) -> None:
        """Raise `ValueError` unless the parts of one format are consecutive and contain the games that were written."""
        after = 0
        for part in parts:
            if part.first < after or (part.first > after and self.status == "complete"):
                raise ValueError(f"parts: {part.file} begins with game {part.first}, not with game {after}")
            after = part.first + part.games
        if after > self.games:
            raise ValueError(f"parts: {parts[-1].file} ends with game {after - 1}, but the run has {self.games} games")
        held = sum(part.games for part in parts)
        if held != self.games_written:
            raise ValueError(f"games_written: {self.games_written}, but the parts hold {held} games")

    @classmethod
    def begin(
        cls,
        spec: Spec,
        detail: str,
        table_format: str,
        command: Sequence[str],
        tables: Sequence[str] = (),
        precision: str | None = None,
    ) -> Manifest:
        """Return the manifest of a run that is about to start."""
        return cls.model_validate(
            {
                "status": "running",
                "game": spec.game.name,
                "players": spec.players,
                "strategies": list(spec.strategies),
                "design": spec.design,
                "seed": spec.seed,
                "games": spec.games,
                "games_written": 0,
                "rows": 0,
                "digest": None,
                "detail": detail,
                "table_format": table_format,
                "parts": [],
                "tables": {name: [] for name in tables},
                "rules_digest": spec.rules.digest,
                "settings": list(spec.rules.settings),
                "command": [part.encode(errors="replace").decode() for part in command],
                "started": datetime.now(UTC).isoformat(timespec="seconds"),
                "seconds": 0.0,
                "versions": versions(),
                "rules": spec.rules.to_dict(),
                "strategy_tables": list(spec.strategy_tables),
                "precision": precision,
                "code": code_of_game(spec.game.name),
                "declared": getattr(spec.game, "declaration", None),
            }
        )

    def to_dict(self) -> dict[str, Any]:
        """Return what is written; what older versions do not know only if it says something."""
        optional = ("origin", "declared", "replaces")
        empty: dict[str, Any] = {name: True for name in optional if getattr(self, name) is None}
        if self.declared is not None:
            empty["declared"] = {name for name in ("played_for", "modules") if not getattr(self.declared, name)}
        return self.model_dump(mode="json", exclude=empty)

    def write(self, folder: Path) -> None:
        """Write the manifest into a run folder, completely or not at all, even if the power fails."""
        write(folder / FILE, signed(self.to_dict()), durable=True)

    @classmethod
    def read(cls, folder: Path, verify: bool = True) -> Manifest:
        """Return the manifest of a run folder, whose checksum must be right if `verify`.

        Raises UsageError if the folder is no run folder, its manifest has another format, or the manifest was changed.
        """
        path = folder / FILE
        if not folder.is_dir():
            raise UsageError(f"{folder}: no such run folder")
        try:
            if path.stat().st_size > MAX_BYTES:
                raise UsageError(f"{path}: too large to be the manifest of a run")
            if not path.is_file():
                raise UsageError(f"{path}: not a file, so not the manifest of a run")
            data = path.read_bytes()
        except FileNotFoundError:
            raise UsageError(f"{folder}: not a run folder; it has no {FILE}") from None
        except OSError as error:
            raise _unreadable(path, error) from None
        return cls.parse(data, path, verify)

    @classmethod
    def parse(cls, data: bytes, path: object, verify: bool = True) -> Manifest:
        """Return the manifest that a file holds; `path` is what messages call the file.  See `read`."""
        try:
            table = json.loads(data.decode("utf-8-sig"))
        except (ValueError, RecursionError) as error:
            raise _unreadable(path, error) from None
        found = table.get("format") if isinstance(table, dict) else None
        if found != FORMAT:
            raise UsageError(
                f"{path}: format is '{shown(str(found))}', not '{FORMAT}'; made by another version of Equipoise?"
            )
        given = table.pop(CHECKSUM, None)
        try:
            manifest = cls.model_validate(table)
        except ValidationError as error:
            first = error.errors()[0]
            where = "".join(f"{part}: " for part in first["loc"])
            reason = first["msg"].removeprefix("Value error, ")
            raise Damaged(f"{path}: {where}{reason}; the manifest was changed or damaged") from None
        if verify and given != checksum(table):
            raise Damaged(f"{path}: {CHECKSUM} does not match its content; the manifest was changed or damaged")
        played = {key: value for key, value in manifest.rules.items() if key != "measures"}  # which change no game
        if verify and manifest.rules_digest != sha256_of(played):
            raise Damaged(f"{path}: rules_digest does not match the rules; the manifest was changed or damaged")
        if manifest.declared is not None:
            take_up(manifest.declared)
        return manifest


def _unreadable(path: object, error: Exception) -> UsageError:
    return UsageError(f"{path}: cannot be read: {first_line(error)}; run the simulation again")


def check_name(path: Path, where: str = "") -> None:
    """Raise `UsageError` for a path that is not valid text, which polars cannot open."""
    try:
        str(path).encode()
    except UnicodeEncodeError:
        raise UsageError(f"{path}: not a name in UTF-8; choose another", where) from None


def first_line(error: Exception) -> str:
    """Return the first line of a library's message, shortened."""
    return shown((str(error).splitlines() or [type(error).__name__])[0], 160)
