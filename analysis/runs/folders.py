"""Making of run folders: where it is allowed, and by one process at a time."""

from __future__ import annotations

import shutil
from pathlib import Path

from analysis.runs.manifest import FILE, check_name
from simcore.errors import UsageError
from simcore.lock import hold, release

GAMES, TABLES, TOTALS = "games", "tables", "totals"
REPORT = {"report.html", "report.md", "report.pdf", "report-figures", "report-data"}
"""Files that `equipoise report` writes into the folder of a run; they are removed when the run is replaced."""

FORMATS = "equipoise-run/"
"""Prefix of the format of a run's manifest, in every version."""

MOST_TRIES = 100
"""Number of attempts to find a free folder while other processes take them."""


def check_free(folder: Path, force: bool = False) -> None:
    """Refuse a folder that `claim` would refuse, without changing anything.

    Raises
    ------
    UsageError
        If the folder exists (with `force`: if it exists and is no run folder).
    """
    check_name(folder, "out")
    run = _is_run(folder)
    try:
        if folder.is_dir():
            hold(folder)  # says so if another process writes there
            release(folder)
        if not (force and run) and folder.exists() and not _is_unbegun(folder):
            hint = "choose another folder, or replace that run with the option 'force'"
            if not run:
                hint = "it is no run, or holds other files too; choose another folder"
            raise UsageError(f"{folder} exists; {hint}", "out")
    except OSError as error:
        raise _unwritable(folder, error) from None


def claim(folder: Path, force: bool = False) -> None:
    """Make a new, empty run folder, and keep other processes out of it until its run ends.

    Raises
    ------
    UsageError
        If the folder exists (with `force`: if it exists and is no run folder), or it cannot be made.
    """
    check_free(folder, force)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        hold(folder)
        if not _is_unbegun(folder) and not (force and _is_run(folder)):
            release(folder)
            raise UsageError(f"{folder} exists; choose another folder", "out")
        for path in folder.iterdir():
            if path.is_dir() and not path.is_symlink():
                shutil.rmtree(path)
            else:
                path.unlink()
        (folder / GAMES).mkdir()
    except OSError as error:
        raise _unwritable(folder, error) from None


def _unwritable(folder: Path, error: OSError) -> UsageError:
    return UsageError(f"{folder} cannot be written: {error.strerror or error}; choose another folder", "out")


def _is_run(folder: Path) -> bool:
    """Return whether a folder contains a run and nothing else."""
    try:
        text = (folder / FILE).read_text(encoding="utf-8", errors="replace")
        inside = {path.name for path in folder.iterdir() if not path.name.startswith((f".{FILE}", ".report."))}
    except OSError:
        return False
    return FORMATS in text and inside <= {FILE, GAMES, TABLES, TOTALS, *REPORT}


def _is_unbegun(folder: Path) -> bool:
    """Return whether a folder is empty, except for files of a run that was killed before its first manifest."""
    inside = [path for path in folder.rglob("*") if not path.name.startswith((f".{FILE}", ".part-"))]
    return folder.is_dir() and inside in ([], [folder / GAMES]) and all(path.is_dir() for path in inside)


def free_folder(base: Path, stem: str) -> Path:
    """Return the first of stem-1, stem-2, ... that does not exist in `base`."""
    number = 1
    while (base / f"{stem}-{number}").exists():
        number += 1
    return base / f"{stem}-{number}"


def claim_free(base: Path, stem: str) -> Path:
    """Make a run folder at the first of stem-1, stem-2, ... that is free and that no other process takes first."""
    for _ in range(MOST_TRIES):
        folder = free_folder(base, stem)
        try:
            claim(folder)
        except UsageError:
            if not folder.exists():
                raise
        else:
            return folder
    raise UsageError(f"{base} cannot be written: too many runs start at once; choose another folder", "out")


def remove_strays(folder: Path) -> None:
    """Remove the incomplete files of a run."""
    places = (folder, f".{FILE}.*"), *((folder / name, ".*-*") for name in (GAMES, TABLES, TOTALS))
    for stray in [path for place, pattern in places for path in place.glob(pattern)]:
        stray.unlink(missing_ok=True)
