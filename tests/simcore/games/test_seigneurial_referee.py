"""The independent referee follows the simulator's logs of Seigneurial: every table, line-up and switch.

`tests/verification/test_seigneurial_logs.py` has it follow 1,000 games of every line-up at every number of players.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from itertools import cycle, islice
from pathlib import Path
from typing import Any

import pytest
import tomli_w

from simcore.game import load_game
from tests.referee.seigneurial import check
from tests.referee.seigneurial.decks import small_decks
from tests.refereed import violations
from tests.specs import make_spec

GAME = load_game("seigneurial")
LINES: list[tuple[str, ...]] = [(lord, tenant) for lord in ("bailiff", "random") for tenant in ("gatherer", "random")]
OTHER_LINES: list[tuple[str, ...]] = [
    ("overlord", "freeholder"),
    ("bailiff", "freeholder"),
    ("overlord", "gatherer"),
    ("collector", "courtier", "gatherer", "refuser", "random"),
    ("surveyor", "raider", "squirrel", "payer", "freeholder"),
]
BENT = (
    "improvement_needs_pawn=false", "zero_stops_draw=false", "mill_redraw=chosen", "payment=secret", "least=cards",
    "second_draw=same_tenant", "unpaid=any", "most=cards", "window_order=tenants_first",
)  # fmt: skip
SETTINGS = (
    (),
    BENT,
    ("first_tenant=rotates", "lord_draw=tenants", "par=player"),
    ("first_tenant=fixed", "payment=secret", "mill_redraw=chosen"),
    ("due=4", "illness=3", "pawns=3", "land_cards=2", "hand_limit=2", "plays=1"),
    ("favour_price=3", "church_cards=3", "step=2", "start_square=1", "unpaid_cards=2", "max_seasons=12"),
)


def follow(
    players: int,
    line: Sequence[str],
    games: int,
    settings: Sequence[str] = (),
    observer: Callable[[str, Sequence[Any], Any], None] | None = None,
    rules: str = "base",
) -> list[str]:
    """Return what the referee finds in the first games of a line-up: a lord, and the tenants one after another."""
    names = [line[0], *islice(cycle(line[1:]), players - 1)]
    spec = make_spec(players, names, settings, game="seigneurial", rules=rules, seed=7 + players, games=games)
    return violations(spec, games, partial(check, standard=rules == "base", observer=observer))


@pytest.mark.parametrize("players", GAME.players)
@pytest.mark.parametrize("line", [*LINES, *OTHER_LINES], ids=" ".join)
def test_referee_finds_nothing(players: int, line: tuple[str, ...]) -> None:
    assert follow(players, line, 2) == []


@pytest.mark.parametrize("players", GAME.players)
@pytest.mark.parametrize("settings", SETTINGS[1:], ids=" ".join)
def test_referee_finds_nothing_under_other_rules(players: int, settings: tuple[str, ...]) -> None:
    for line in LINES[::3]:
        assert follow(players, line, 2, settings) == []


@pytest.mark.parametrize("seed", range(12))
def test_referee_finds_nothing_with_cards_of_any_effects(seed: int, tmp_path: Path) -> None:
    rules = tmp_path / "decks.toml"
    rules.write_text(tomli_w.dumps({"extends": "base", "max_seasons": 14} | small_decks(seed)), encoding="utf-8")
    assert follow(GAME.players[seed % 3], LINES[seed % 4], 2, rules=str(rules)) == []
