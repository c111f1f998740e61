"""Rule files of Médiévallons: what can be played, what is refused, and matches."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from simcore.errors import KernelFault, UsageError
from simcore.game import load_game
from simcore.games.medievallons.state import TYPE_NAMES
from simcore.rules.files import load_rules
from simcore.running.batch import run_chunk
from simcore.running.replay import replays
from strategies.spec import make_spec

GAME = load_game("medievallons")


def test_the_booklet_has_104_cards() -> None:
    """Booklet, "Matériel du jeu": 104 cards; rulings: 13 types of 8."""
    copies = load_rules(GAME).values.copies()
    assert list(copies) == list(TYPE_NAMES)
    assert set(copies.values()) == {8}
    assert sum(copies.values()) == 104


@pytest.mark.parametrize(
    ("players", "settings", "said"),
    [
        (4, ("copies_per_type=16",), "copies_per_type: must be 15 or less, not 16"),
        (4, ("types.star.copies=-1",), "[types.star] copies: must be 0 or more, not -1"),
        (
            6,
            ("hand_size=20",),
            "6 hands of 20 and the first discard need 121 cards and leave no deck, because there are 104",
        ),
        (3, ("guild_size=15",), None),
        (3, ("guild_size=15", "copies_per_type=7"), "no type has 15 cards, Jesters included; the maximum is 14"),
        (3, ("guilds_to_win=9",), "guilds_to_win: must be 8 or less, not 9"),
        (3, ("magician_draws=0",), "magician_draws: must be 1 or more, not 0"),
        (3, ("pass_draws=0",), "pass_draws: must be 1 or more, not 0"),
        (3, ("deck_end=lastcard",), "deck_end: must be 'on_need' or 'last_card'"),
        (3, ("types.bard.copies=1",), "no table 'types.bard'"),
        (7, (), "Médiévallons is for 2 to 6 players, not 7"),
    ],
)
def test_what_cannot_be_played_is_refused_in_one_line(
    players: int, settings: tuple[str, ...], said: str | None
) -> None:
    if said is None:
        run_chunk(make_spec("medievallons", players, ["random"], settings=settings), 0, 5)
        return
    with pytest.raises(UsageError) as error:
        make_spec("medievallons", players, ["random"], settings=settings)
    assert said in str(error.value) or said.removesuffix("'last_card'") in str(error.value)
    assert "\n" not in str(error.value)


def test_a_type_may_have_a_number_of_its_own_or_be_left_out() -> None:
    spec = make_spec("medievallons", 3, ["random"], settings=["types.witch.copies=0", "types.monk.copies=12"])
    for game in replays(spec, 0, 20):
        types = [card["type"] for card in game.header["cards"]]
        assert types.count("monk") == 12 and "witch" not in types and len(types) == 11 * 8 + 12


def test_the_turn_limit_is_a_fault_that_names_the_replay() -> None:
    spec = make_spec("medievallons", 4, ["random"], settings=["max_turns=5"])
    with pytest.raises(KernelFault, match=r"reached the turn limit in game 0 .* --set max_turns=5"):
        run_chunk(spec, 0, 3)
    (game,) = replays(spec, 0, 1)
    assert game.records[-1]["reason"] == "turn_limit" and game.records[-1]["turn"] == 5
    assert "the turn limit is reached" in game.text() and game.text().endswith("Fault: a deal reached the turn limit\n")


# --- matches (rulings: best of three, the starter alternates, level after three is shared) ---


def test_a_match_is_the_best_of_three_deals() -> None:
    spec = make_spec("medievallons", 2, ["collector", "random"], design="fixed", seed=3)
    games = list(replays(spec, 0, 24))
    rows = run_chunk(spec, 0, 24).reshape(24, 2)
    assert {len(game.logs) for game in games} == {2, 3}
    for game, row in zip(games, rows, strict=True):
        won = [0, 0]
        for number, log in enumerate(game.logs):
            match = log.header["match"]
            assert match == {
                "id": game.header["game_id"],
                "deal": number + 1,
                "player": [2, 1] if number == 1 else [1, 2],
                "won60": won,
            }
            assert log.header["strategies"] == [["collector", "random"][player - 1] for player in match["player"]]
            assert max(won) < 120, "nobody plays on after two wins"
            won = list(won)
            for seat, player in enumerate(match["player"]):
                won[player - 1] += log.records[-1]["share60"][seat]
        assert row["won60"].sum(axis=1).tolist() == won
        assert row["share60"].tolist() == [
            60 if won[i] > won[1 - i] else 30 if won[i] == won[1 - i] else 0 for i in (0, 1)
        ]
        assert row["points"].tolist() == [share // 30 for share in won]
        assert row["deals"].tolist() == [len(game.logs)] * 2


def test_a_single_deal_is_the_first_of_the_match() -> None:
    match = make_spec("medievallons", 2, ["random"], seed=8)
    single = make_spec("medievallons", 2, ["random"], settings=["match=false"], seed=8)
    for first, alone in zip(replays(match, 0, 10), replays(single, 0, 10), strict=True):
        assert alone.header["match"] is None
        assert first.logs[0].records == alone.records


def test_deals_of_a_match_differ() -> None:
    for game in replays(make_spec("medievallons", 2, ["random"], seed=8), 0, 10):
        decks = [log.records[0]["cards"] for log in game.logs]
        assert all(first != second for first, second in pairwise(decks))


# --- what a row keeps ---


def test_rows_keep_the_account_of_the_logs() -> None:
    spec = make_spec("medievallons", 4, ["random", "collector", "random", "collector"], seed=5)
    for game in replays(spec, 0, 40):
        moves = [record for record in game.records if record["kind"] == "move"]
        for seat, row in enumerate(game.rows, 1):
            acts = [record for record in game.records if record["kind"] == "action" and record["seat"] == seat]
            counted = [
                sum(record["action"] == name for record in acts) for name in ("play", "lay", "reinforce", "use", "pass")
            ]
            assert row["actions"].reshape(-1, 5).sum(axis=0).tolist() == counted
            laid = [record["type"] for record in acts if record["action"] == "lay"][:3]
            assert [TYPE_NAMES[code - 1] for code in row["laid"][:3] if code] == laid
            played = [record["type"] for record in acts if record["action"] == "play"]
            assert row["played"].tolist() == [played.count(name) for name in TYPE_NAMES]
            stolen = [
                record
                for record in moves
                if record["why"] in ("assassin", "rogue") and record["from"].get("seat") == seat
            ]
            assert row["attacked"].sum() == len(stolen)
            opening = [record["card"] for record in moves if record["why"] == "deal" and record["to"]["seat"] == seat]
            types = {card["id"]: card["type"] for card in game.header["cards"]}
            assert row["jesters_dealt"][0] == sum(types[card] == "jester" for card in opening)
        assert np.array_equal(game.rows["turns"][:, 0], [game.records[-1]["turn"]] * 4)
