"""What a process loads before it does anything: the answer to `--help` must not wait for compilers and tables."""

from __future__ import annotations

import re
import subprocess
import sys
from sysconfig import get_path

import pytest

from equipoise.start import _unloadable

UNUSED = {"polars", "pandas", "pyarrow", "matplotlib", "scipy.stats", "analysis.headlines"}
UNUSED |= {"scipy.linalg", "numba.np.linalg", "numba.np.arrayobj"}
UNUSED |= {"equipoise.questions.report", "equipoise.commands.listing", "equipoise.questions.compare"}
"""What a run without a table, whose kernels are compiled, has no use for."""

HELP = {"numba", "numpy", "polars", "scipy", "matplotlib", "tomli_w", "analysis.data", "reports.page"}
HELP |= {"equipoise.commands.bench", "equipoise.questions.luck"}
"""What help, and who refuses an unknown game, has no use for; that of a command needs pydantic, because Typer does."""


@pytest.mark.parametrize(
    ("argv", "heavy"),
    [
        (["--help"], HELP | {"pydantic"}),
        (["simulate", "--help"], HELP),
        (["mend", "--help"], HELP),
        (["mend", "--game", "nosuch"], HELP - {"tomli_w"}),
        (["check", "--game", "nosuch"], HELP - {"tomli_w"}),
        (["report", "nosuch"], HELP - {"tomli_w"}),
        (["export", "nosuch", "--out", "x.csv"], HELP - {"tomli_w"}),
        (["simulate", "--games", "8", "--format", "none"], UNUSED),
        (
            ["simulate", "--game", "fief-2", "--strategies", "steward", "--games", "2", "--format", "none"],
            UNUSED,
        ),
    ],
)
def test_heavy_libraries_wait_until_they_are_needed(argv, heavy):
    command = [sys.executable, "-X", "importtime", "-m", "equipoise", *argv]
    ended = subprocess.run(command, check=False, capture_output=True, text=True, timeout=300)
    if "Compiling" in ended.stderr:
        ended = subprocess.run(command, check=False, capture_output=True, text=True, timeout=300)
    loaded = set(re.findall(r"^import time: .*\| +(\S+)$", ended.stderr, re.MULTILINE))
    assert ended.returncode == (2 if "nosuch" in argv else 0)
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
