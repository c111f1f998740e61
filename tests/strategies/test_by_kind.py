"""What players of any game can be forbidden without code of its own."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from simcore.errors import UsageError
from simcore.game import Decision, load_game
from simcore.rules.files import load_rules
from simcore.running.batch import run_chunk
from strategies.library import load_strategy
from strategies.restrictions import find_restrictions, moves_by_kind, restrictions_of
from strategies.spec import assemble_spec

GAME = load_game("kuhn")


def pots(*forbids: str) -> np.ndarray:
    """Return the chips that changed hands in each game between a player who may not do some things, and its equal."""
    hero = replace(load_strategy(GAME, "equilibrium"), name="hero", forbids=forbids)
    spec = assemble_spec(GAME, 2, [hero, hero], load_rules(GAME), 3, "rotate", 600)
    return np.abs(run_chunk(spec, 0, 600)["chips"][::2])


def test_a_game_that_declares_nothing_offers_the_moves_of_its_kinds() -> None:
    assert list(restrictions_of("kuhn", load_rules(GAME).values)) == ["check", "bet", "fold", "call"]


def test_who_may_not_bet_never_bets() -> None:
    assert (pots("bet") == 1).all()
    assert (pots("check", "fold") == 2).all()
    assert set(pots()) == {1, 2}


def test_a_kind_for_which_there_is_no_room_is_left_out() -> None:
    kinds = (Decision("card", "which", 60), Decision("row", "which", 5), Decision("side", "which", 4))
    assert list(moves_by_kind(replace(GAME, decisions=kinds, state_dtype=GAME.state_dtype)))[-2:] == [
        "side:2",
        "side:3",
    ]


def test_a_name_of_several_moves_forbids_all_of_them() -> None:
    kinds = (
        Decision("open", "whether to bet", 2, ("check", "bet")),
        Decision("raise", "how", 3, ("fold", "bet", "all")),
    )
    assert moves_by_kind(replace(GAME, decisions=kinds)) == {"check": 1, "bet": 0b1010, "fold": 0b100, "all": 0b10000}


def test_a_kind_names_all_of_its_moves() -> None:
    with pytest.raises(UsageError, match=r"decision 'open': 1 moves have names; name all 2 or none"):
        replace(GAME, decisions=(Decision("open", "whether to bet", 2, ("check",)),))


def test_what_cannot_be_forbidden_is_said() -> None:
    with pytest.raises(UsageError, match="nothing called 'bid' can be forbidden"):
        find_restrictions("kuhn", load_rules(GAME).values, ["bid"], "forbid")
