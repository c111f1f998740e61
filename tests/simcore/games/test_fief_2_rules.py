"""Fief 2: rule files: what can be played, and what is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from simcore.errors import UsageError
from simcore.game import load_game
from simcore.rules.files import load_rules
from simcore.running.batch import run_chunk
from simcore.running.replay import replays
from strategies.spec import make_spec

GAME = load_game("fief-2")

TWO = """
[[map.regions]]
name = "north"
rank = "duke"
villages = [{ name = "a", bishopric = "x" }, { name = "b", bishopric = "x" }, { name = "c", bishopric = "x" }]

[[map.regions]]
name = "south"
rank = "baron"
villages = [{ name = "d", bishopric = "x" }, { name = "e", bishopric = "x" }, { name = "f", bishopric = "x" }]
"""
ROADS = 'roads = [["a", "b"], ["b", "c"], ["c", "d"], ["d", "e"], ["e", "f"]]'


def small(tmp_path: Path, regions: str = TWO, roads: str = ROADS, bishoprics: str = '["x"]') -> Path:
    """Write a rule file with a map of its own."""
    file = tmp_path / "small.toml"
    file.write_text(f'extends = "base"\n[map]\nbishoprics = {bishoprics}\n{roads}\n{regions}')
    return file


def test_a_map_of_ones_own_is_played_through(tmp_path: Path) -> None:
    spec = make_spec("fief-2", 4, ["steward", "random"] * 2, rules=small(tmp_path))
    for game in replays(spec, 0, 5):
        assert not game.fault and len(game.header["villages"]) == 6


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"roads": ROADS.replace('"f"]]', '"g"]]')}, "[map] map: road e - g: no village 'g' on the map"),
        ({"roads": ROADS.replace(', ["c", "d"]', "")}, "no road leads from 'a' to 'd'; connect all villages"),
        ({"roads": ROADS.replace('["a", "b"]', '["a", "a"], ["a", "b"]')}, "road a - a leads back"),
        ({"roads": ROADS.replace('["a", "b"]', '["b", "a"], ["a", "b"]')}, "road between a and b is listed twice"),
        ({"regions": TWO.replace('{ name = "d"', '{ name = "a"')}, "village 'a' is listed twice"),
        ({"regions": TWO + '[[map.regions]]\nname = "east"\nrank = "count"\nvillages = []'}, "'east' has no village"),
        ({"regions": TWO.replace('"south"', '"north"')}, "'region north' is listed twice"),
        ({"bishoprics": '["y"]'}, "village 'a': no bishopric 'x'"),
        ({"regions": TWO.replace(', { name = "f", bishopric = "x" }', "")}, "there are 5 villages; a map has 6 to 24"),
        ({"regions": TWO.replace('"duke"', '"earl"')}, "must be 'duke', 'count' or 'baron'"),
    ],
)
def test_bad_maps_are_refused_in_one_line(tmp_path: Path, change: dict[str, str], said: str) -> None:
    file = small(tmp_path, **change)
    with pytest.raises(UsageError) as error:
        load_rules(GAME, file)
    assert said.removeprefix("[map] map: ") in str(error.value) and "small.toml" in str(error.value)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("players", "settings", "said"),
    [
        (4, ["prices.mill=-1"], "[prices] mill: must be 0 or more, not -1"),
        (4, ["incomes.village=-100"], "[incomes] village: must be 0 or more, not -100"),
        (4, ["combat.two_dice=13"], "two_dice = 13 and three_dice = 13 are out of order"),
        (4, ["combat.open=0"], "[combat] open: must be 1 or more, not 0"),
        (4, ["deck.men=16"], "16 men and 4 women; there are pawns for 16 lords"),
        (6, ["deck.men=1"], "[deck]: 5 lords for 6 players; raise men or women"),
        (6, ["deck.sun=0", "deck.good_harvest=0", "deck.revolt=0", "deck.taille=0", "deck.men=2", "deck.bad_weather=0"],
         "[deck]: cannot deal: 6 players get a lord and 3 cards each, and there are 23 cards; raise some copies"),
        (4, ["deck.sun=60"], "[deck]: 111 cards, at most 62 are possible; lower some copies"),
        (4, ["turns=26"], "turns: must be 25 or less, not 26"),
        (4, ["alliances=love"], "alliances: must be 'none' or 'marriage'"),
        (4, ["limits.lord=5"], "limits.lord"),
        (2, [], "Fief 2 is for 3 to 6 players, not 2"),
        (7, [], "Fief 2 is for 3 to 6 players, not 7"),
    ],
)  # fmt: skip
def test_what_cannot_be_played_is_refused_in_one_line(players: int, settings: list[str], said: str) -> None:
    with pytest.raises(UsageError) as error:
        make_spec("fief-2", players, ["random"], settings=settings)
    assert said in str(error.value) and "\n" not in str(error.value)


SWITCHES = {
    "alliances": "marriage", "title_victory": "on", "score": "last", "election": "majority", "title_loss": "never",
    "first_player": "fixed", "darc_over_18": "cap",
}  # fmt: skip


@pytest.mark.parametrize("name", sorted(SWITCHES.keys() - {"darc_over_18"}))  # the odds of fights show that one
def test_every_switch_matters(name: str) -> None:
    """Some game of a few goes otherwise, with strategies that use all of the rules."""
    lines = [["random"], ["steward"]]
    plain = [run_chunk(make_spec("fief-2", 4, line), 0, 200).tobytes() for line in lines]
    other = [run_chunk(make_spec("fief-2", 4, line, settings=[f"{name}={SWITCHES[name]}"]), 0, 200) for line in lines]
    assert [rows.tobytes() for rows in other] != plain
    assert load_rules(GAME).switches.keys() == SWITCHES.keys()


@pytest.mark.parametrize("turns", [10, 15, 20, 25])
def test_long_games_log_and_replay(turns: int) -> None:
    """A game of 25 turns at 6 players logs, replays and refuses nothing."""
    spec = make_spec("fief-2", 6, ["steward", "random"] * 3, settings=[f"turns={turns}"])
    for game in replays(spec, 0, 3):
        assert not game.fault and game.records[-2]["turn"] == turns
        assert game.records[-1]["score"] == [row["total"] for row in game.rows]


def test_values_out_of_the_ordinary_are_played() -> None:
    """Free goods, no plays, one lord a family, no rebels: nothing divides by 0 or overflows."""
    settings = [
        "prices.soldier=0",
        "prices.calm=0",
        "prices.title=0",
        "limits.plays=0",
        "limits.lords=1",
        "limits.rebels=0",
        "limits.cardinals=0",
        "limits.soldiers=60",
        "pace.revolt_growth=0",
        "limits.hand=6",
        "limits.purchases=48",
    ]
    for strategy in ("random", "steward"):
        run_chunk(make_spec("fief-2", 6, [strategy], settings=settings), 0, 200)
