"""The manifest of a run folder: what was played, by which code, and with which result."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Any, Final, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from analysis.runs.origin import Origin
from analysis.runs.signing import CHECKSUM, checksum, sha256_of, signed
from analysis.runs.versions import code_of_game, versions
from simcore.atomic import write
from simcore.declared import Declaration, take_up
from simcore.errors import Damaged, UsageError
from simcore.running.batch import Spec
from simcore.toml_tables import Line, shown

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
    tables: Files of the further tables by name, in order of their games; see `simcore.running.extra_tables`.
    precision: The requested precision, for a run whose number of games depends on it; otherwise null.
    totals: Totals of the listed games, from which an unfinished run can be continued; see `simcore.running.totals`.
    code: SHA-256 of the code that played; only the same code can continue the run.
    origin: Where the games come from, if they were not played here; see `analysis.runs.origin`.
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
        """Return the manifest of a run folder.

        Parameters
        ----------
        folder
            The run folder.
        verify
            Whether the manifest's checksum must be right.

        Raises
        ------
        UsageError
            If the folder is no run folder, its manifest has another format, or the manifest was changed.
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
        if verify and manifest.rules_digest != sha256_of(manifest.rules):
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
