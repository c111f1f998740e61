"""The files of a user's policy: each folder has its own modules, and a change in any of them is noticed."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from simcore.errors import UsageError
from simcore.game import load_game
from simcore.imports import import_file
from strategies.library import Code, load_strategy, strategy_from_dict
from strategies.own_files import digest_of

POLICY = """
from strategies.custom import policy
import helpers_of_test as helpers

BONUS = helpers.BONUS

@policy("middle-ages")
def play(rules, lineup, state, seat):
    return BONUS
"""


def folder(place: Path, bonus: int) -> Path:
    place.mkdir()
    (place / "helpers_of_test.py").write_text(f"BONUS = {bonus}\n")
    (place / "own.py").write_text(POLICY)
    return place / "own.py"


def test_files_in_two_folders_have_helpers_of_their_own(tmp_path: Path) -> None:
    paths = [folder(tmp_path / f"number_{bonus}", bonus) for bonus in (1, 2)]
    try:
        assert [import_file(path).BONUS for path in paths] == [1, 2]
        (paths[1].with_name("more.py")).write_text("import helpers_of_test as helpers\n")
        assert import_file(paths[1].with_name("more.py")).helpers is import_file(paths[1]).helpers
        assert sys.modules["helpers_of_test"].BONUS == 1
    finally:
        sys.modules.pop("helpers_of_test", None)


def test_a_run_notices_that_a_helper_has_changed_before_it_runs_anything(tmp_path: Path) -> None:
    path = folder(tmp_path / "changed", 1)
    game = load_game("middle-ages")
    try:
        kept = load_strategy(game, f"{path}:play").to_dict()
        assert strategy_from_dict(game, kept, Code.TRUSTED).custom is not None
        path.with_name("helpers_of_test.py").write_text("1 / 0\n")
        with pytest.raises(UsageError, match="or a module beside it that it imports, has changed since"):
            strategy_from_dict(game, kept, Code.TRUSTED)
    finally:
        sys.modules.pop("helpers_of_test", None)


def test_only_what_a_file_imports_counts(tmp_path: Path) -> None:
    own = tmp_path / "own.py"
    own.write_text("import json, numpy\nimport near\nfrom inside import deep\n")
    for name in ("near.py", "inside/__init__.py", "inside/deep.py", "inside/other.py", "numpy.py", "idle.py"):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text("from . import other\nfrom .............. import far\n" if name == "inside/deep.py" else "")
    before = digest_of(own)
    for name, counts in (("near.py", 1), ("inside/other.py", 1), ("numpy.py", 0), ("idle.py", 0)):
        (tmp_path / name).write_text("CHANGED = 1\n")
        assert (digest_of(own) != before) == bool(counts), name
        before = digest_of(own)
