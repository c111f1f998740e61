"""What moves cost: the game stays the game, whoever plays, and players who decide better lose less."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import equipoise as eq
from simcore.doors import named
from simcore.errors import UsageError
from simcore.running.batch import run_chunk
from strategies import decision_costs as deciding
from strategies.decision_costs import decision_costs
from strategies.spec import make_spec
from strategies.weighing import LEAST
from tests.nim import Written, forgotten, nim  # noqa: F401

TABLES = [
    ("middle-ages", 3, ["champion", "rollout", "random"]),
    ("medievallons", 2, ["thinker", "champion"]),
    ("seigneurial", 3, {"lord": ["overlord"], "tenant": ["thinker", "payer"]}),
    ("fief-2", 3, ["champion", "random", "champion"]),
]


def nothing(*_: Any) -> None:
    pass


@pytest.mark.parametrize(("game", "players", "strategies"), TABLES)
def test_the_game_stays_the_game(game: str, players: int, strategies: Any) -> None:
    spec = make_spec(game, players, strategies, seed=5)
    for index in (0, 1):
        assert deciding._play(spec, index, nothing).tobytes() == run_chunk(spec, index, 1).tobytes()


def test_who_decides_better_loses_less() -> None:
    spec = make_spec("middle-ages", 2, ["champion", "random"], seed=3, design="fixed")
    found = [one for index in range(3) for one in decision_costs(spec, index, LEAST)]
    champion, chance = ([one.loss for one in found if one.seat == seat] for seat in range(2))
    assert np.mean(chance) > np.mean(champion) + 0.01
    assert all(one.moves > 1 and -1 <= one.loss <= 1 and one.error >= 0 for one in found)
    assert found == [one for index in range(3) for one in decision_costs(spec, index, LEAST)]


def test_progress_ends_with_the_last_decision() -> None:
    seen: list[tuple[int, int]] = []
    spec = make_spec("medievallons", 2, ["random"], seed=3)
    found = decision_costs(spec, 0, LEAST, lambda *now: seen.append(now))
    assert seen[-1] == (len(seen), len(seen))
    assert len(found) <= len(seen)


def test_an_error_and_an_interruption_end_it(monkeypatch: pytest.MonkeyPatch) -> None:
    def stop(*_: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(deciding, "_decision", stop)
    with pytest.raises(KeyboardInterrupt):
        decision_costs(make_spec("medievallons", 2, ["random"], seed=3), 0, LEAST)


def test_a_game_that_cannot_look_ahead_is_refused(nim: Written) -> None:  # noqa: F811
    with pytest.raises(UsageError, match="does not say how to try moves"):
        decision_costs(make_spec(named(nim()), 2), 0)


def test_in_python() -> None:
    game = eq.replay(make_spec("medievallons", 2, ["random"], seed=3))
    table = game.costs(LEAST)
    assert table.columns == ["seat", "kind", "question", "answer", "best", "moves", "loss", "error"]
    assert set(table["seat"]) == {1, 2}
    with pytest.raises(UsageError, match="give 40 or more"):
        game.costs(LEAST - 1)
