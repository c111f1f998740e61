"""A game's kit: what is wrong with it is said in one line, and weights are bound to features by name."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

from simcore.errors import UsageError
from simcore.game import GAMES, load_game
from simcore.kernel.lineup import WEIGHTS
from simcore.running.batch import run_chunk
from strategies.kit import Feature, check_kit, first_of, index_of, load_kit
from tests.specs import make_spec
from tests.toy import uncompiled

ROOT = Path(str(files("configs"))).parent


def played(games: list[str]) -> list[tuple[str, str]]:
    """Return a digest of what default players play in each game, and the first feature that they weigh."""
    found = []
    for game in games:
        kit, roles = load_kit(game), load_game(game).roles
        line = {role.name: [kit.default_of(role.name)] for role in roles} if len(roles) > 1 else [kit.default_of("")]
        rows = run_chunk(make_spec(3, line, game=game, seed=5, games=2), 0, 2)
        found.append((hashlib.sha256(rows.tobytes()).hexdigest(), kit.features[0].name))
    return found


PLAY = """
import importlib.util, sys
from pathlib import Path

games = sys.argv[1:]
for game in games:
    name = f"strategies.{game.replace('-', '_')}.features"
    spec = importlib.util.spec_from_file_location(name, Path(*name.split(".")).with_suffix(".py"))
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    apart = getattr(module, "GENERAL", module.FEATURES)  # kernels count on the order of the others
    module.FEATURES = module.FEATURES[len(apart):] + apart[1:] + apart[:1]
    module.INDEX = module.index_of(module.FEATURES)
    sys.modules[name] = module
from tests.strategies.test_kit import played

for digest, first in played(games):
    print(digest, first)
"""


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"features": tuple(Feature(f"f{n}", "a number") for n in range(WEIGHTS + 1))},
         f"features: {WEIGHTS + 1} given; a line-up holds {WEIGHTS} weights"),
        ({"features": (Feature("worth", "a"), Feature("cost", "b"), Feature("worth", "c"))},
         "features: 'worth' is given twice"),
        ({"weighing": frozenset({"linar"})}, "weighing: no policy 'linar'; did you mean 'linear'?"),
        ({"searching": frozenset({"rolout"})}, "searching: no policy 'rolout'; did you mean 'rollout'?"),
        ({"roles": {"linar": "player"}}, "roles: no policy 'linar'; did you mean 'linear'?"),
        ({"roles": {"linear": "plaier"}}, "roles: 'linear': no role 'plaier'; did you mean 'player'?"),
        ({"default": "champoin"}, "default: 'champoin' is not among the shipped strategies"),
        ({"default": {}}, "default: no strategy for the role 'player'"),
        ({"default": {"player": "champion", "lord": "champion"}}, "default: no role 'lord'"),
    ],
)  # fmt: skip
def test_what_is_wrong_with_a_kit_is_said_in_one_line(changes: dict[str, Any], told: str) -> None:
    with pytest.raises(UsageError) as caught:
        check_kit(load_game("middle-ages"), replace(load_kit("middle-ages"), **changes))
    assert f"the kit of game 'middle-ages': {told}" in str(caught.value)
    assert "\n" not in str(caught.value)


def test_features_in_another_order_play_the_same_games() -> None:
    games = [game for game in GAMES if load_kit(game).features]
    reordered = [line.split() for line in uncompiled("-c", PLAY, *games).splitlines()]
    for game, (kept, first), (again, other) in zip(games, played(games), reordered, strict=True):
        assert first != other, game
        assert kept == again, game


def test_features_that_kernels_read_in_a_row_must_follow_each_other() -> None:
    index = index_of([Feature(name, "") for name in ("a", "b", "c", "d")])
    assert first_of(index, ["b", "c", "d"]) == 1
    with pytest.raises(ValueError, match="the features b, d must follow each other"):
        first_of(index, ["b", "d"])
