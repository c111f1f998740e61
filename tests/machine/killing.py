"""Kill runs at random moments and go on with them: `python -m tests.machine.killing KILLS FOLDER`.

Every run is a process of its own, forked from this one once the kernels are loaded, so that a kill may hit any moment
of it: the first manifest, a part, the manifest in between, the end.  Polars has not been used before the fork.
"""

from __future__ import annotations

import json
import os
import random
import shutil
import sys
import time
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any

import equipoise as eq
from simcore.running import executors as run_parts
from tests.waiting import ended

GAMES, PART, SEED = 9_600, 960, 7
PASSING = ("started", "seconds")
"""What two runs of the same games need not have in common in their manifests."""


def begin(folder: Path) -> None:
    """Begin a run, or go on with it."""
    if (folder / "manifest.json").exists():
        eq.resume(folder, threads=2)
    else:
        eq.simulate(strategies=["random"], players=3, games=GAMES, threads=2, out=folder, format="both")


def forked(work: Callable[[], None], seconds: float = 60) -> int | None:
    """Do some work in another process; return its exit code, None where it was killed after so many seconds."""
    child = os.fork()
    if not child:
        code = 1
        try:
            work()
            code = 0
        except BaseException:
            traceback.print_exc()
        finally:
            os._exit(code)
    return ended(child, seconds)


def content(folder: Path) -> dict[str, Any]:
    """Return all that a run folder holds."""
    files: dict[str, Any] = {
        str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()
    }
    manifest = json.loads(files.pop("manifest.json"))
    return files | {key: value for key, value in manifest.items() if key not in (*PASSING, "manifest_sha256")}


def main(kills: int, place: Path) -> None:
    """Kill so many times, and print what came of it."""
    run_parts.PART_SIZES = (PART, 122_880)
    eq.simulate(strategies=["random"], players=3, games=1, threads=1)  # loads the kernels
    assert forked(lambda: begin(place / "whole")) == 0
    began = time.monotonic()
    assert forked(lambda: begin(place / "again")) == 0
    took, expected = time.monotonic() - began, content(place / "whole")
    chance, done, runs, resumed = random.Random(SEED), 0, 0, 0
    wrong = [] if content(place / "again") == expected else ["two whole runs differ"]
    folder = place / "killed"
    while done < kills and not wrong:
        code = forked(lambda: begin(folder), chance.uniform(0, 1.2 * took))
        if code is None:
            done += 1
            resumed += (folder / "manifest.json").exists()
            continue
        runs += 1
        found = content(folder)
        differs = [name for name in {**found, **expected} if found.get(name) != expected.get(name)]
        if code or differs:
            wrong.append(f"run {runs} after {done} kills: exit code {code}, other than expected: {differs}")
        shutil.rmtree(folder)
    print(json.dumps({"kills": done, "resumed": resumed, "runs": runs, "wrong": wrong, "seconds": took}))


if __name__ == "__main__":
    main(int(sys.argv[1]), Path(sys.argv[2]))
