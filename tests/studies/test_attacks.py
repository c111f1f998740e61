"""The page of attacks is made from what is stored."""

from __future__ import annotations

import pytest

from analysis.attacks import BASE, FURTHER, LEARNED, OTHER, STEP, Attack, AttackedTable, read_attacks
from simcore.game import load_game
from simcore.homes import GAMES
from simcore.rules.files import load_rules
from strategies.library import load_strategy, shipped_strategies
from studies import attacks
from studies.attacks import PAGE, Cell, cells, from_learning, page


def test_the_page_shows_what_is_stored() -> None:
    assert PAGE.read_text(encoding="utf-8") == page(), "run `python -m studies.attacks write`"


def test_every_table_and_role_is_to_be_attacked() -> None:
    found = list(cells(["seigneurial"]))
    assert {(one.table.players, one.table.role.name) for one in found} == {
        (n, role) for n in (3, 4, 5) for role in ("lord", "tenant")
    }
    lords = [
        one.table.defender.name
        for one in found
        if (one.table.players, one.table.role.name, one.kind) == (5, "lord", STEP)
    ]
    assert lords == ["overlord", "rollout", "thinker"], "experts, search, and the thinker"
    ahead = [one.table.defender.name for one in cells(["medievallons"]) if (one.table.players, one.kind) == (5, STEP)]
    assert ahead == ["champion", "thinker"], "nobody twice"


@pytest.mark.parametrize("game", GAMES)
def test_every_thinker_who_attacked_and_everybody_attacked_is_as_shipped(game: str) -> None:
    found = load_game(game)
    today = {load_strategy(found, name).digest for name in shipped_strategies(found)}
    for one in read_attacks(game):
        assert one.defender_digest in today, one
        assert one.kind not in (LEARNED, BASE) or one.attacker_digest in today, one


@pytest.mark.parametrize("game", GAMES)
def test_whoever_looked_further_would_play_the_same_today(game: str) -> None:
    shipped = load_game(game)
    roles, further = (
        {role.name: role for role in shipped.roles},
        [one for one in read_attacks(game) if one.kind == FURTHER],
    )
    assert further
    for one in further:
        met = load_strategy(shipped, one.defender)
        table = AttackedTable(load_rules(shipped), shipped, one.players, roles[one.role], met)
        assert Cell(table, FURTHER).same(one), one


@pytest.mark.parametrize(("game", "others"), [("middle-ages", 4), ("medievallons", 5), ("fief-2", 4)])
def test_what_learn_measured_is_stored(game: str, others: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(attacks, "dated", lambda file: "2026-11-27")

    def told(one: Attack) -> tuple[object, ...]:
        return one.kind, one.players, one.attacker, one.attacker_digest, one.defender, round(one.share, 3)

    learned = list(map(told, from_learning(game)))
    assert [kind for kind, *_ in learned].count(OTHER) == others
    assert set(learned) <= set(map(told, read_attacks(game)))
