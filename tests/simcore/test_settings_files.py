"""Settings of our libraries: those in a folder of anybody's have no effect, and wrong ones of the user get one line."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.toy import environment

READ = {
    ".numba_config.yaml": (
        "from simcore.kernel.compilation import COMPILED, config; config.reload_config(); "
        "print(COMPILED, config.DISABLE_JIT)"
    ),
    "matplotlibrc": (
        "from reports.render.theme import theme\n"
        "with theme():\n import matplotlib as mpl\n print(mpl.rcParams['font.size'])"
    ),
}
WRITTEN = {
    ".numba_config.yaml": (b"disable_jit: 1\n", b"a: b: c\n", b"\xff"),
    "matplotlibrc": (b"font.size: 30\n", b"nonsense: 1\naxes.grid: perhaps\n", b"\xff"),
}


@pytest.mark.parametrize("name", READ)
def test_settings_of_the_current_folder_are_not_obeyed(name: str, tmp_path: Path) -> None:
    pytest.importorskip("yaml")
    said = []
    for content in (None, *WRITTEN[name]):
        if content is not None:
            (tmp_path / name).write_bytes(content)
        command = [sys.executable, "-P", "-c", READ[name]]
        made = subprocess.run(command, cwd=tmp_path, env=environment(), capture_output=True, check=False)
        said.append((made.returncode, made.stdout, made.stderr))
    assert said[0][0] == 0
    assert said[0][1] in (b"True 0\n", b"10.0\n")
    assert set(said) == {said[0]}


@pytest.mark.parametrize(
    ("name", "value", "why"),
    [
        ("NUMBA_DISABLE_JIT", "yes", "Numba cannot read this"),
        ("NUMBA_NUM_THREADS", "0", "Number of threads specified must be > 0"),
        ("NUMBA_CPU_FEATURES", "avx2", "write features such as +avx2,-avx512f"),
    ],
)
def test_a_variable_that_numba_cannot_use_is_named(name: str, value: str, why: str) -> None:
    command = [sys.executable, "-m", "equipoise", "games"]
    done = subprocess.run(command, env=environment(**{name: value}), capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == (f"error: {name}='{value}' in the environment: {why}; give it another value, or unset it\n")
