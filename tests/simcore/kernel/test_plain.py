"""The run without a compiler: kernels one by one, and whole games."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from simcore.game import GAMES, load_game
from simcore.running.accumulator import Digest
from simcore.running.batch import run_chunk
from strategies.kit import load_kit
from tests.specs import make_spec
from tests.toy import ROOT, uncompiled

GAMES_PLAYED = 1


def test_kernels_one_by_one() -> None:
    """Runs every test marked `plain`: hand-worked turns, effects and Events."""
    marked = [str(path) for path in ROOT.glob("tests/**/test_*.py") if "pytest.mark.plain" in path.read_text("utf-8")]
    said = uncompiled("-m", "pytest", *marked, "-m", "plain", "-p", "no:cacheprovider", "-p", "no:xdist")
    passed = re.search(r"^(\d+) passed(?:, \d+ deselected)? in", said, re.MULTILINE)
    assert passed, said
    assert int(passed[1]) > 70


def outcomes(game: str) -> list[tuple[int, str, str]]:
    """Digest of a game at every player count, with strategies that draw, weigh and err."""
    found, kit = [], load_kit(game)
    for players in load_game(game).players:
        design = ("rotate", "shuffle")[players % 2]
        seats = [kit.default_of(role.name) for role in load_game(game).roles for _ in role.at(players)]
        line = [*seats[:-1], "random"]
        spec = make_spec(players, line, game=game, design=design, seed=2**63 + 5)
        digest = Digest()
        digest.add(run_chunk(spec, 2**31, GAMES_PLAYED), 0)
        found.append((players, design, digest.hexdigest()))
    return found


@pytest.fixture(scope="module")
def plain_outcomes() -> dict[str, list[Any]]:
    """Outcomes of all games in plain Python."""
    code = "import json; from tests.simcore.kernel.test_plain import GAMES, outcomes; "
    found: dict[str, list[Any]] = json.loads(
        uncompiled("-c", code + "print(json.dumps({g: outcomes(g) for g in GAMES}))")
    )
    return found


@pytest.mark.parametrize("game", GAMES)
def test_plain_python_plays_the_same_games(plain_outcomes: dict[str, list[Any]], game: str) -> None:
    assert [tuple(found) for found in plain_outcomes[game]] == outcomes(game)
