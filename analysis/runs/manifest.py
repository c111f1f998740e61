"""The manifest of a run folder: what was played, by what, and what came of it."""

from __future__ import annotations

import json
import os
import platform
import sys
from collections.abc import Sequence
from contextlib import suppress
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Annotated, Any, Final, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from simcore.batch import Spec
from simcore.errors import UsageError
from simcore.tables import shown

FORMAT: Final = "equipoise-run/1"
FILE = "manifest.json"
LIBRARIES = ("numba", "numpy", "polars")
MAX_BYTES = 50_000_000


class Manifest(BaseModel):
    """What `manifest.json` holds.

    Parameters
    ----------
    status
        "running" while games are played, "interrupted" or "failed" if they stopped early, "complete" at the end.
    game, players, strategies, design, seed, games
        The specification; `strategies` by entry of the line-up, entry k in seat k + 1 of the first game.
    games_written
        Games whose rows are in the folder.
    rows
        Rows in the folder, one a game and seat.
    rules, rules_digest
        The resolved rules, and the SHA-256 of their canonical JSON.
    strategy_tables
        Every strategy as its file has it.
    settings
        What `--set` changed, already part of `rules`.
    detail, table_format
        Which columns were written, and how.
    parts
        Files of the table, in order of their games.
    digest
        Digest of all outcomes; null until the run is complete.
    command
        The command line that made the run.
    started, seconds
        When it began (UTC, ISO 8601), and how long it took.
    versions
        Of Equipoise, Python and the libraries that matter.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    format: Literal["equipoise-run/1"] = FORMAT
    status: Literal["running", "interrupted", "failed", "complete"]
    game: str
    players: int
    strategies: list[str]
    design: Literal["rotate", "fixed", "shuffle"]
    seed: int
    games: int
    games_written: int
    rows: int
    digest: str | None
    detail: Literal["minimal", "standard", "full"]
    table_format: Literal["parquet", "csv", "both"]
    parts: list[Annotated[str, Field(pattern=r"^games/part-\d{6,}\.(parquet|csv)$")]]
    rules_digest: str
    settings: list[str]
    command: list[str]
    started: str
    seconds: float
    versions: dict[str, str]
    rules: dict[str, Any]
    strategy_tables: list[dict[str, Any]]

    @model_validator(mode="after")
    def _agrees_with_itself(self) -> Self:
        if len(set(self.parts)) < len(self.parts):
            raise ValueError("parts: one stands there twice")
        if self.status == "complete" and self.games_written != self.games:
            raise ValueError(f"games_written: {self.games_written}, but a complete run has all its {self.games}")
        return self

    @classmethod
    def begin(cls, spec: Spec, detail: str, table_format: str, command: Sequence[str]) -> Manifest:
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
                "rules_digest": spec.rules.digest,
                "settings": list(spec.rules.settings),
                "command": [part.encode(errors="replace").decode() for part in command],
                "started": datetime.now(UTC).isoformat(timespec="seconds"),
                "seconds": 0.0,
                "versions": versions(),
                "rules": spec.rules.to_dict(),
                "strategy_tables": list(spec.strategy_tables),
            }
        )

    def write(self, folder: Path) -> None:
        """Put the manifest into a run folder, whole or not at all."""
        temporary = folder / f".{FILE}.{os.getpid()}"
        try:
            temporary.write_text(self.model_dump_json(indent=2) + "\n", encoding="utf-8")
            temporary.replace(folder / FILE)
        except OSError:
            with suppress(OSError):
                temporary.unlink(missing_ok=True)
            raise

    @classmethod
    def read(cls, folder: Path) -> Manifest:
        """Return the manifest of a run folder.

        Raises
        ------
        UsageError
            If the folder is no run, or was written by a version with another format.
        """
        path = folder / FILE
        if not folder.is_dir():
            raise UsageError(f"{folder}: no such run folder")
        try:
            if path.stat().st_size > MAX_BYTES:
                raise UsageError(f"{path}: too large to be the manifest of a run")
            table = json.loads(path.read_text(encoding="utf-8-sig"))
        except FileNotFoundError:
            raise UsageError(f"{folder}: not a run folder; it has no {FILE}") from None
        except (OSError, ValueError, RecursionError) as error:
            raise UsageError(f"{path}: cannot be read: {first_line(error)}; run the simulation again") from None
        found = table.get("format") if isinstance(table, dict) else None
        if found != FORMAT:
            raise UsageError(f"{path}: format is {found!r}, not '{FORMAT}'; made by another version of Equipoise?")
        try:
            return cls.model_validate(table)
        except ValidationError as error:
            first = error.errors()[0]
            where = "".join(f"{part}: " for part in first["loc"])
            reason = first["msg"].removeprefix("Value error, ")
            raise UsageError(f"{path}: {where}{reason}; the manifest was changed or damaged") from None


def check_name(path: Path, label: str) -> None:
    """Raise `UsageError` for a path that is no text, which polars cannot open."""
    try:
        str(path).encode()
    except UnicodeEncodeError:
        raise UsageError(f"{label}{path}: not a name in UTF-8; choose another") from None


def first_line(error: Exception) -> str:
    """Return what a library said, as far as it is fit for a line."""
    return shown((str(error).splitlines() or [type(error).__name__])[0], 160)


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
        "machine": platform.machine(),
        "system": sys.platform,
    }
