"""Fief 2: the facts of the page (rulings, "Facts for tests"), each as it is quoted."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from simcore.errors import UsageError
from simcore.game import load_game
from simcore.games.fief_2.combat import odds
from simcore.games.fief_2.rules import card_list, pack
from simcore.games.fief_2.state import CARD_KINDS
from simcore.rules.files import load_rules
from simcore.running.replay import replay, replays
from strategies.spec import make_spec

GAME = load_game("fief-2")
RULES = load_rules(GAME)
RECORD = pack(RULES.values, 6)


def bits(word: int) -> int:
    return int(word).bit_count()


def test_the_map() -> None:
    """24 villages, 31 roads, connected; degrees, roads inside regions, distances; bishoprics 7, 6, 4, 7."""
    near, region, way = RECORD["near"], RECORD["region"], RECORD["way"]
    degree = [bits(word) for word in near]
    assert RECORD["villages"] == 24 and sum(degree) == 62
    assert [sum(degree[v] for v in range(24) if region[v] == r) for r in range(6)] == [13, 7, 10, 13, 11, 8]
    assert sum(v * degree[v] for v in range(24)) == 730
    assert sum(RECORD["inward"]) == 2 * 20
    assert way.max() == 7 and way.sum() == 2 * 944
    assert [bits(word) for word in RECORD["diocese"]] == [7, 6, 4, 7]


def test_the_cards() -> None:
    """57 blue cards by number; 5 taille and 4 revolt."""
    kinds = [kind for kind, _ in card_list(RULES.values)]
    ranges = {kind: (kinds.index(kind), len(kinds) - 1 - kinds[::-1].index(kind)) for kind in CARD_KINDS}
    assert ranges == {
        "lord": (0, 15),
        "darc": (16, 16),
        "bishop": (17, 20),
        "tithe": (21, 24),
        "taille": (25, 29),
        "plague": (30, 31),
        "famine": (32, 33),
        "bad_weather": (34, 36),
        "sun": (37, 42),
        "good_harvest": (43, 48),
        "revolt": (49, 52),
        "assassination": (53, 53),
        "justice": (54, 54),
        "escape": (55, 56),
    }
    assert len(kinds) == 57


def test_pawns_titles_and_points() -> None:
    """45 soldier points a family; guards 20, 10; rebels 18; all titles cost 4,800 and score 240; all cards 440."""
    names = ("soldiers", "king_guard", "queen_guard", "rebels")
    assert [RECORD[name] for name in names] == [12 * 1 + 5 * 3 + 3 * 6, 20, 10, 18]
    assert sum(RECORD["size"] * RECORD["title_price"]) == 4800
    titles = int(sum(RECORD["title_points"]))
    assert titles == 240
    red = RECORD["king_points"] + RECORD["queen_points"] + RECORD["prince_points"]
    assert titles + red + 4 * RECORD["bishop_points"] + 3 * RECORD["cardinal_points"] == 440


@pytest.mark.parametrize(
    ("fight", "win", "loss", "gone"),
    [
        ((10, 6, "castle"), 0.856253, 0.082831, 0.060916),
        ((6, 6, "open"), 0.384362, 0.384362, 0.231275),
        ((18, 10, "city"), 0.701845, 0.249589, 0.048566),
        ((3, 1, "castle"), 3170 / 4913, 581 / 4913, 1162 / 4913),
        ((6, 6, "open", "attacker"), 211 / 216, 0, 5 / 216),
        ((3, 6, "castle", "attacker"), 245 / 972, 366 / 972, 361 / 972),
        ((10, 6, "castle", "defender"), 0.020140, 0.908994, 0.070866),
    ],
)
def test_exact_odds(fight: tuple[int, int, str], win: float, loss: float, gone: float) -> None:
    """Win of attacker, defender, both gone; d'Arc is the last to die."""
    found = odds(RULES, *fight)
    assert found.attacker_wins == pytest.approx(win, abs=5e-6)
    assert found.defender_wins == pytest.approx(loss, abs=5e-6)
    assert found.both_gone == pytest.approx(gone, abs=5e-6)
    assert found.attacker_wins + found.defender_wins + found.both_gone == pytest.approx(1, abs=1e-12)


def test_rounds_on_average() -> None:
    """D'Arc attacking, 6 v 6 open: 11/6 rounds."""
    assert odds(RULES, 6, 6, "open", "attacker").rounds == pytest.approx(11 / 6, abs=1e-12)


def test_d_arcs_totals_above_18_may_be_capped() -> None:
    """Switch darc_over_18: with 18 points she throws up to 24 = 12 losses in the open, 9 where totals end at 18."""
    capped = load_rules(GAME, "base", ["darc_over_18=cap"])
    assert odds(RULES, 18, 12, "open", "attacker").rounds < odds(capped, 18, 12, "open", "attacker").rounds


@pytest.mark.parametrize(
    ("fight", "said"),
    [
        ((0, 6), "attacker: 0 points; give 1 to 200"),
        ((6, 201), "defender: 201 points; give 1 to 200"),
        ((6, 6, "swamp"), "ground: 'swamp' is not a kind of ground; give one of open, castle, city"),
        ((6, 6, "open", "both"), "darc: 'both' is not a side"),
    ],
)
def test_odds_of_no_fight(fight: Sequence[int], said: str) -> None:
    with pytest.raises(UsageError, match=said):
        odds(RULES, *fight)


def test_six_stewards_place() -> None:
    """Six stewards place on l_epervier, st_gerome, la_salle, bourg, tournus, sigy."""
    log = replay(make_spec("fief-2", 6, ["steward"]), 0)
    names = [village["name"] for village in log.header["villages"]]
    placed = [record for record in log.records if record["kind"] == "decision" and record["name"] == "place"]
    assert [names[record["choice"]] for record in placed] == [
        "l_epervier",
        "st_gerome",
        "la_salle",
        "bourg",
        "tournus",
        "sigy",
    ]
    assert [record["seat"] for record in placed] == [1, 2, 3, 4, 5, 6]


def test_dice_are_fair() -> None:
    """Each of the 216 throws of three dice comes from one number; so the odds are those of fair dice."""
    logs = [replay(make_spec("fief-2", 6, ["random"]), game) for game in range(30)]
    rounds = [record for log in logs for record in log.records if record["kind"] == "round"]
    dice = [die for record in rounds for side in record["dice"] for die in side]
    counts = np.bincount(dice, minlength=7)[1:]
    expected = len(dice) / 6
    assert len(dice) > 1000 and ((counts - expected) ** 2 / expected).sum() < 20.5  # chi-square, 5 degrees, 1 in 1000


def test_fights_of_games_end_as_the_odds_say() -> None:
    """Fights with rebels, in the open and without grace: wins and fights with nobody left, within three errors."""
    fights: list[tuple[int, int, int, int]] = []  # points of both sides, then what is left
    for log in replays(make_spec("fief-2", 6, ["random"], seed=5), 0, 60):
        begun: list[int] | None = None
        for record in log.records:
            if record["kind"] != "round" or 0 not in (record["attacker"], record["defender"]):
                continue
            begun = begun or record["points"]
            left = [points - lost for points, lost in zip(record["points"], record["losses"], strict=True)]
            plain = [sum(dice) for dice in record["dice"]] == record["totals"]  # d'Arc is elsewhere
            if plain and not all(left):
                fights.append((*begun, *left))
            begun = begun if all(left) else None
    chances = [odds(RULES, own, other) for own, other, _, _ in fights]
    for wins, found in (
        ([chance.attacker_wins for chance in chances], [own > 0 for _, _, own, _ in fights]),
        ([chance.both_gone for chance in chances], [not own + other for _, _, own, other in fights]),
    ):
        expected = np.array(wins)
        error = np.sqrt((expected * (1 - expected)).sum())
        assert len(found) > 300 and error > 3
        assert abs(sum(found) - expected.sum()) < 3 * error
