"""What a process loads before it does anything: the answer to `--help` must not wait for compilers and tables."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from sysconfig import get_path

import pytest

from equipoise.start import _unloadable

HERE = {"PYTHONPATH": str(Path(__file__).resolve().parents[2])}
UNUSED = {"polars", "pandas", "pyarrow", "matplotlib", "scipy.stats", "analysis.headlines"}
UNUSED |= {"scipy.linalg", "numba.np.linalg", "numba.np.arrayobj"}
UNUSED |= {"equipoise.questions.report", "equipoise.commands.listing", "equipoise.questions.compare"}
"""What a run without a table, whose kernels are compiled, has no use for."""

HELP = {"numba", "numpy", "polars", "scipy", "matplotlib", "tomli_w", "analysis.data", "reports.page"}
HELP |= {"equipoise.commands.bench", "equipoise.questions.luck"}
"""What help has no use for; that of a command needs pydantic, because Typer does."""

PLAYING = {"numba", "numpy", "polars", "scipy", "matplotlib", "simcore.game", "analysis.data", "reports.page"}
"""What nobody needs who refuses the name of something that is not there."""

REFUSED = {
    "mend --game nosuch": "no game 'nosuch'",
    "check --game nosuch": "no game 'nosuch'",
    "test-game nosuch": "install the package of the game first",
    "report nosuch": "nosuch: no such run folder",
    "report no.such": "no.such: no such run folder",
    "verify nosuch.csv": "nosuch.csv: no such run folder",
    "sweep --game fief-2 --rules nosuch --strategies nosuch": "--strategies: 'nosuch' is not a shipped name",
    "export nosuch --out x.csv": "nosuch: no such run folder",
    "simulate --rules nosuch": "--rules: no rules 'nosuch'",
    "luck --rules nosuch": "--rules: no rules 'nosuch'",
    "report --game fief-2 --rules no-jesters": "'no-jesters' are rules of medievallons, not of fief-2",
    "simulate --strategies greedy,nosuch": "--strategies: 'nosuch' is not a shipped name",
    "tournament --strategies greedy,nosuch": "--strategies: 'nosuch' is not a shipped name",
    "playtest --strategies greedy|random,nosuch --plan 30": "--strategies: 'nosuch' is not a shipped name",
    "restrict --strategy regent": "--strategy: 'regent' plays medievallons, not middle-ages",
    "simulate --format nosuch": "'nosuch' is not one of 'parquet'",
    "luck --format html,nosuch": "--format: no format 'nosuch'",
    "report --game fief-2 --format nosuch": "--format: no format 'nosuch'",
    "check nosuch.toml": "nosuch.toml: no such baseline",
    "import nosuch.csv --out x": "nosuch.csv: no such file or directory; name a CSV",
    "playtest nosuch.csv": "nosuch.csv: no such file or directory; name a CSV",
    "report nosuch.csv": "nosuch.csv: no such file or directory; name a CSV",
}
"""Command lines that name what is not there, and what is said."""

ONE_BY_ONE = """
import contextlib, io, json, sys
from equipoise.cli import program, run
for line in sys.argv[1:]:
    before = set(sys.modules)
    with contextlib.redirect_stderr(io.StringIO()) as said:
        code = run(program(line.split()[0]), line.split())
    print(json.dumps([code, said.getvalue(), sorted(set(sys.modules) - before)]))
"""


def test_what_is_not_there_is_refused_before_anything_is_loaded_that_plays(tmp_path):
    command = [sys.executable, "-c", ONE_BY_ONE, *REFUSED]
    ended = subprocess.run(command, check=True, capture_output=True, text=True, cwd=tmp_path, env=os.environ | HERE)
    answers = dict(zip(REFUSED, map(json.loads, ended.stdout.splitlines()), strict=True))
    for line, (code, said, loaded) in answers.items():
        assert (code, REFUSED[line] in said, PLAYING.intersection(loaded)) == (2, True, set()), (line, said)


@pytest.mark.parametrize(
    ("argv", "heavy"),
    [
        (["--help"], HELP | {"pydantic"}),
        (["simulate", "--help"], HELP),
        (["mend", "--help"], HELP),
        (["simulate", "--games", "8", "--format", "none"], UNUSED),
        (
            ["simulate", "--game", "fief-2", "--strategies", "steward", "--games", "2", "--format", "none"],
            UNUSED,
        ),
    ],
)
def test_heavy_libraries_wait_until_they_are_needed(argv, heavy):
    command = [sys.executable, "-X", "importtime", "-m", "equipoise", *argv]
    ended = subprocess.run(command, check=True, capture_output=True, text=True, timeout=300)
    if "Compiling" in ended.stderr:
        ended = subprocess.run(command, check=True, capture_output=True, text=True, timeout=300)
    loaded = set(re.findall(r"^import time: .*\| +(\S+)$", ended.stderr, re.MULTILINE))
    assert "equipoise.cli" in loaded
    assert not loaded & heavy


def test_python_does_not_look_for_garbage_among_imports():
    code = """
import gc, sys
gc.disable()
from equipoise.start import main
gc.enable()
before = gc.get_stats()
try:
    main()
finally:
    print(gc.get_stats() == before)
"""
    command = [sys.executable, "-c", code, "simulate", "--games", "8", "--format", "none", "--quiet"]
    ended = subprocess.run(command, check=True, capture_output=True, text=True)
    assert ended.stdout == "True\n"


def test_import_equipoise_is_light():
    code = "import sys, equipoise; print(*{name.split('.')[0] for name in sys.modules})"
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    heavy = {"polars", "matplotlib", "typer", "rich", "scipy", "numba", "numpy", "pydantic"}
    assert not heavy & set(ended.stdout.split())


@pytest.mark.parametrize(
    ("folder", "said"),
    [
        (
            get_path("purelib"),
            "a part of Equipoise or of a library cannot be loaded: fonts.tables: AssertionError: Oops, no table; "
            "install Equipoise again",
        ),
        ("/somewhere/else", ""),
    ],
)
def test_a_library_that_cannot_be_loaded_is_one_line_whatever_it_raises(folder: str, said: str) -> None:
    module = compile("assert False, 'Oops, no table'", f"{folder}/fonts/tables.py", "exec")
    with pytest.raises(AssertionError) as raised:
        exec(module, {"__name__": "fonts.tables"})
    assert _unloadable(raised.value) == said
