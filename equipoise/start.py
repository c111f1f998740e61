"""The start of a process: signals are handled from here on, also while the commands are being imported."""

from __future__ import annotations

import gc
import os
import sys
import traceback
from pathlib import Path

from equipoise.process import INTERRUPTED, ROOMS, SOME_MEMORY, claim, lacking, leave, listen

UNUSABLE = 2
"""Exit code of a process that the system gives too little, or that lacks a part of its own."""

MOST_SAID = 300
"""Characters that are shown of why a module cannot be loaded; libraries write pages."""

NEW_OBJECTS = 50_000
"""Number of new objects after which Python collects garbage."""

IMPORTED = 500_000
"""The same until the first collection: imports make many objects, and all of them stay."""


def main(name: str = "equipoise") -> None:
    """Run `equipoise`, or the program that is named; this is its entry point."""
    gc.set_threshold(IMPORTED)
    gc.callbacks.append(_settle)
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")  # to look for some takes longer than our own imports
    if missing := lacking():
        print(f"error: {missing}", file=sys.stderr)
        sys.exit(UNUSABLE)
    try:
        listen()
        claim()
        from equipoise import cli

        code = cli.main(name)
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
        code = INTERRUPTED
    except Exception as error:
        if not (reason := _unloadable(error)):
            raise
        print(f"error: {reason}", file=sys.stderr)
        code = UNUSABLE
    leave(code)


def _unloadable(error: Exception) -> str:
    """Return why a module cannot be loaded, if this is what an error is about."""
    from simcore.errors import UsageError

    if isinstance(error, UsageError):  # a setting in the environment that cannot be used
        return str(error)
    if isinstance(error, EOFError) and (path := _cut_short(error)):
        return f"{path} is cut short, as if the disk had been full; delete it and try again"
    library = "" if isinstance(error, ImportError) else _library_of(error)
    if isinstance(error, ImportError) or library:
        said = f"{library}: {type(error).__name__}: {error}" if library else str(error)
        reason = " ".join(said.split())[:MOST_SAID]
        damaged = f"a part of Equipoise or of a library cannot be loaded: {reason}; install Equipoise again"
        return lacking(SOME_MEMORY) or damaged
    return ""


def _library_of(error: Exception) -> str:
    """Return the module of a library that was being loaded when an error was raised, if there is one.

    An installed package with a game is none: its author wants to see the error.
    """
    from importlib.metadata import entry_points
    from sysconfig import get_path

    frames = [frame for frame, _ in traceback.walk_tb(error.__traceback__) if frame.f_code.co_name == "<module>"]
    folders = {get_path("purelib"), get_path("platlib")}
    if not frames or not any(Path(frames[-1].f_code.co_filename).is_relative_to(folder) for folder in folders):
        return ""
    module = str(frames[-1].f_globals.get("__name__", ""))
    games = {one.value.partition(":")[0].partition(".")[0] for one in entry_points(group="equipoise.games")}
    return "" if module.partition(".")[0] in {"equipoise", *ROOMS, *games} else module


def _cut_short(error: EOFError) -> str:
    """Return the path of the compiled module that Python could not read to its end, if this is what happened.

    Python does not notice that a disk fills up while it keeps such a file (CPython issue 126606).
    """
    frames = (frame for frame, _ in traceback.walk_tb(error.__traceback__))
    return next((path for frame in frames if (path := frame.f_locals.get("bytecode_path"))), "")


def _settle(phase: str, _: dict[str, int]) -> None:
    """Collect garbage more often after the first collection."""
    if phase == "stop":
        gc.callbacks.remove(_settle)
        gc.set_threshold(NEW_OBJECTS)


def simulate() -> None:
    """Run `simulate`, which is the same as `equipoise simulate`; this is its entry point."""
    main("simulate")
