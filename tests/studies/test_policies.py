"""What a policy may call is on its page, game by game, and an example of each game plays."""

from __future__ import annotations

import re

import pytest

from simcore.game import load_game
from simcore.homes import GAMES
from simcore.rules.files import load_rules
from simcore.running.batch import run_chunk
from strategies.kit import load_kit
from strategies.library import load_strategy
from strategies.model import Strategy
from strategies.spec import assemble_spec
from studies.policies.write import EXAMPLES, PAGE, example, page, rooms


def test_the_page_is_made_from_what_the_games_offer() -> None:
    assert PAGE.read_text(encoding="utf-8") == page(), "run `python -m studies.policies`"


@pytest.mark.parametrize("game", GAMES)
def test_every_name_exists_and_decisions_are_in_order(game: str) -> None:
    room, asked = rooms(game), load_game(game).decisions
    assert all(hasattr(room, name) for name in room.__all__)
    assert [int(getattr(room, name)) for name in room.ASKED] == list(range(len(asked)))
    assert set(room.ASKED) <= set(room.__all__)


def test_every_function_says_what_it_returns() -> None:
    rows = re.findall(r"^\| (?:`[\w.]+` \| )?`\w+\(.*\)` \| (.*) \|$", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    assert len(rows) > 60
    assert all(len(row) > 10 for row in rows)


@pytest.mark.parametrize("game", GAMES)
def test_the_example_of_a_game_plays_and_its_weight_counts(game: str) -> None:
    """40 games with the usual weights and with others: they differ, or the weight would be read by nobody."""
    found = load_game(game)
    own = load_strategy(found, f"{example(game)}:{EXAMPLES[game]}")
    assert own.weights
    rows = []
    for strategy in (own, _weighing(own, dict.fromkeys(own.weights, 900.0))):
        players = {role.name: [load_strategy(found, load_kit(game).default_of(role.name))] for role in found.roles}
        players[own.role or found.role_names[0]] = [strategy]
        spec = assemble_spec(found, None, players, load_rules(found), 5, "fixed", 40)
        rows.append(run_chunk(spec, 0, 40))
    assert rows[0].tobytes() != rows[1].tobytes()


def _weighing(strategy: Strategy, weights: dict[str, float]) -> Strategy:
    from dataclasses import replace

    return replace(strategy, weights=weights)
