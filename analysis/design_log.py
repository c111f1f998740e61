"""What was tried in a project folder: its runs and experiments, oldest first."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from analysis.data.results import Verdict
from analysis.runs import load
from analysis.runs.manifest import FILE, MAX_BYTES, Manifest
from analysis.seats.advantage import seat_advantage
from analysis.seats.distance import Distance, distance
from simcore.errors import UsageError, printable, shown
from simcore.toml_tables import Line

EXPERIMENTS = (
    "comparison", "sweep", "sensitivity", "skill", "luck", "cards", "mend", "tournament", "restrict", "playtest",
)  # fmt: skip
"""Names of the documents that experiments write."""

MOST = 10_000
"""Largest number of runs and experiments that are read."""

DEEP = 4
"""Largest depth of folders in which they are found."""


Say = Callable[[Verdict], str]


@dataclass(frozen=True)
class Entry:
    """A run or an experiment."""

    when: str  # when it began; for an experiment, when its document was written (UTC, ISO 8601)
    what: str  # "run", or the name of the experiment
    game: str
    players: str
    games: int
    """game, players, games: What was played."""
    who: str  # the strategies that played, whatever they did about a change; "" if that is not known
    changed: tuple[str, ...]  # what was changed: the rule set unless it is "base", and settings
    before: Distance | None
    after: Distance | None
    """before, after: Distance between the best and the worst seat (or camp) in the first version of a comparison and in
    the last one; a run has only `after`."""
    verdict: str  # its first conclusion
    command: str  # the command line
    path: Path  # path of the run folder or document
    unit: str = (
        ""  # that of the distances, in a game that is played for a payoff; otherwise they are shares of the wins
    )


class _Result(BaseModel):
    model_config = ConfigDict(extra="ignore")

    players: int
    games: int = 0
    verdicts: list[Line] = Field(default_factory=list)


class _Version(BaseModel):
    model_config = ConfigDict(extra="ignore")

    label: Line


class _Seat(BaseModel):
    model_config = ConfigDict(extra="ignore", allow_inf_nan=False)

    version: Line
    players: int
    who: Line
    kind: Line
    par: float
    before: float
    before_low: float | None
    before_high: float | None
    after: float
    after_low: float | None
    after_high: float | None


class _Document(BaseModel):
    """The part of an experiment's JSON document that is read."""

    model_config = ConfigDict(extra="ignore")

    game: Line
    strategies: list[Line] = Field(default_factory=list)
    rules: Line = "base"
    settings: list[Line] = Field(default_factory=list)
    command: list[Line] = Field(default_factory=list)
    results: list[_Result] = Field(default_factory=list)
    versions: list[_Version] | dict[Line, Line] = Field(default_factory=list)
    verdicts: list[Line] = Field(default_factory=list)
    games: int = 0
    seats: list[_Seat] = Field(default_factory=list)
    unit: Line = ""


def read_log(folder: Path, say: Say, level: float = 0.95) -> tuple[list[Entry], list[str]]:
    """Return the runs and experiments in a folder, oldest first, and sentences on what could not be read.

    folder: Folder that contains the runs and experiments, up to four levels deep.
    level: Confidence level of the distances.
    Raises UsageError if the folder does not exist, or has neither a run nor an experiment.
    """
    if not folder.is_dir():
        raise UsageError(f"{folder}: no such folder; name the one that your runs are in")
    found: list[Entry] = []
    problems: list[str] = []
    for path in _documents(folder):
        try:
            found.append(_run(path.parent, say, level) if path.name == FILE else _experiment(path))
        except UsageError as error:
            problems.append(str(error))
    if not found and not problems:
        raise UsageError(f"{folder}: contains no run and no experiment; play one, or name another folder")
    return sorted(found, key=lambda entry: (entry.when, str(entry.path))), problems


def best(entries: Sequence[Entry]) -> list[Entry]:
    """Return, where several entries share game, numbers of players and strategies, the one with the fairest seats.

    The oldest entry comes first.
    """
    asked: dict[tuple[str, str, str], list[Entry]] = {}
    for entry in entries:
        if entry.after is not None and entry.who:
            asked.setdefault((entry.game, entry.players, entry.who), []).append(entry)
    found = [
        min(some, key=lambda one: one.after.value if one.after else 1.0) for some in asked.values() if len(some) > 1
    ]
    return sorted(found, key=lambda one: one.when)


def newest(folder: Path, what: str, game: str, players: int) -> Path | None:
    """Return the folder of the newest experiment of a kind on a game, in or below a folder; None if there is none."""
    paths = [path for pattern in (f"{what}.json", f"*/{what}.json") for path in folder.glob(pattern) if path.is_file()]
    for path in sorted(paths, key=lambda path: path.stat().st_mtime, reverse=True):
        with suppress(UsageError):
            found = _experiment(path)
            if found.game == game and str(players) in found.players.split(","):
                return path.parent
    return None


def _documents(folder: Path) -> list[Path]:
    """Return manifests and documents of experiments."""
    names = {FILE, *(f"{name}.json" for name in EXPERIMENTS)}
    paths: list[Path] = []
    level = [folder]
    for _ in range(DEEP + 1):
        inside = [path for here in level for path in sorted(here.iterdir()) if not path.is_symlink()]
        paths += [path for path in inside if path.name in names and path.is_file()]
        own = [path for path in inside if path.is_dir() and not path.name.startswith(".")]
        level = [path for path in own if not (path.parent / FILE).exists()]
        if len(paths) > MOST:
            raise UsageError(f"{folder}: more than {MOST:,} runs and experiments; name a smaller folder")
    return paths


def _run(folder: Path, say: Say, level: float) -> Entry:
    """Return a run without checking its checksums, which `equipoise verify` does."""
    made = Manifest.read(folder)
    found = seat_advantage(load(folder, partial=True, verify=False), level)
    name = printable(str(made.rules.get("name", "")))
    return Entry(
        made.started,
        "run",
        made.game,
        str(made.players),
        made.games_written,
        _names(made.strategies),
        _changed(name, made.settings),
        None,
        _known(found.distance),
        say(found.verdict),
        " ".join(map(shown, made.command)),
        folder,
        found.unit,
    )


def _experiment(path: Path) -> Entry:
    """Return an experiment."""
    try:
        if path.stat().st_size > MAX_BYTES:
            raise UsageError(f"{path}: larger than {MAX_BYTES // 1_000_000} MB; write it again")
        when = datetime.fromtimestamp(path.stat().st_mtime, UTC).isoformat(timespec="seconds")
        table = json.loads(path.read_text(encoding="utf-8"))
        found = _Document.model_validate(table)
    except (OSError, ValueError, RecursionError, ValidationError) as error:
        if isinstance(error, UsageError):
            raise
        raise UsageError(f"{path}: not a document that an experiment wrote; write it again") from None
    players = dict.fromkeys([*(result.players for result in found.results), *(row.players for row in found.seats)])
    labels = [item.label for item in found.versions] if isinstance(found.versions, list) else []
    changed = labels[1:] if labels else _changed(found.rules, found.settings)
    verdicts = [*found.verdicts, *(verdict for result in found.results for verdict in result.verdicts)]
    before, after = _distances(found.seats)
    return Entry(
        when,
        path.stem,
        found.game,
        ",".join(map(str, players)),
        found.games or sum(result.games for result in found.results),
        _names(found.strategies),
        tuple(changed),
        before,
        after,
        verdicts[0] if verdicts else "",
        " ".join(map(shown, found.command)),
        path.parent,
        found.unit,
    )


def _names(strategies: Sequence[str]) -> str:
    return ", ".join(dict.fromkeys(strategies))


def _changed(rules: str, settings: Sequence[str]) -> tuple[str, ...]:
    return (*((rules,) if rules not in ("", "base") else ()), *settings)


def _distances(seats: Sequence[_Seat]) -> tuple[Distance | None, Distance | None]:
    """Return the distances before and after for a comparison's last version, with its best informed players."""
    if not seats:
        return None, None
    last = seats[-1]
    kind = "camp" if any(row.kind == "camp" for row in seats) else "seat"
    wanted = last.version, last.players, last.who, kind
    rows = [row for row in seats if (row.version, row.players, row.who, row.kind) == wanted]
    return _distance(rows, "before"), _distance(rows, "after")


def _distance(rows: Sequence[_Seat], side: str) -> Distance | None:
    share, low, high = (
        np.array([getattr(row, f"{side}{end}") for row in rows], np.float64) for end in ("", "_low", "_high")
    )
    return _known(distance(share, low, high, [row.par for row in rows])) if rows else None


def _known(found: Distance) -> Distance | None:
    """Return a distance; None if it has no interval, without which a difference between extremes means nothing."""
    return None if found.low is None else found


def as_frame(entries: Sequence[Entry]) -> pl.DataFrame:
    """Return a table with one row for each run or experiment."""
    return pl.DataFrame([_row(entry) for entry in entries])


def _row(entry: Entry) -> dict[str, Any]:
    told = {side: getattr(entry, side) for side in ("before", "after")}
    distances: Iterator[tuple[str, float | None]] = (
        (f"{side}{end}", getattr(told[side], name) if told[side] else None)
        for side in told
        for end, name in (("", "value"), ("_low", "low"), ("_high", "high"))
    )
    return {
        "when": entry.when,
        "what": entry.what,
        "game": entry.game,
        "players": entry.players,
        "games": entry.games,
        "strategies": entry.who,
        "changed": ", ".join(entry.changed),
        **dict(distances),
        "verdict": entry.verdict,
        "command": entry.command,
        "path": printable(str(entry.path)),
    }
