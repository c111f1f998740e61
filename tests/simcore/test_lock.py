"""What one process writes to, no other may."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from simcore.atomic import hold, release
from simcore.errors import UsageError
from strategies.tuning import Journal

ROOT = Path(__file__).resolve().parents[2]
HOLDER = """
import sys, time
from pathlib import Path
from simcore.atomic import hold
hold(Path(sys.argv[1]))
print("held", flush=True)
time.sleep(60)
"""


@pytest.mark.parametrize("kind", ["file", "folder"])
def test_a_path_is_held_until_its_process_ends(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "place"
    path.touch() if kind == "file" else path.mkdir()
    command = [sys.executable, "-c", HOLDER, str(path)]
    other = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)
    try:
        assert other.stdout is not None
        assert other.stdout.readline() == "held\n"
        with pytest.raises(UsageError, match="another process writes there"):
            hold(path)
        if kind == "file":
            with pytest.raises(UsageError, match="another process writes there"):
                Journal(path, {})
    finally:
        other.kill()
        other.communicate()
    hold(path)
    hold(path)
    release(path)
    release(path)
