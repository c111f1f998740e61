"""Does the referee find anything in 10,000 games of Médiévallons at every table?  And is `random` random?

Run by name: `pytest tests/verification/test_medievallons_logs.py -s` prints how many logs it followed, in half an hour.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import product

import pytest
from scipy.stats import chi2

from simcore.game import load_game
from simcore.running.replay import replays
from strategies.library import shipped_strategies
from tests.referee.medievallons import Session
from tests.referee.medievallons.observer import Observer
from tests.specs import make_spec
from tests.verification.even import check_even

GAME = load_game("medievallons")
LINES = [[name] for name in shipped_strategies(GAME)] + [["random", "collector"], ["collector", "random", "random"]]
GAMES = 10_000
VALUES = {
    "deck_end": ("on_need", "last_card"),
    "match": ("true", "false"),
    "hand_size": ("6", "2"),
    "guild_size": ("3", "2"),
    "copies_per_type": ("8", "5"),
    "merchant_cards": ("2", "3"),
}
COMBINATIONS = [
    [f"{key}={value}" for key, value in zip(VALUES, values, strict=True)] for values in product(*VALUES.values())
]


def follow(
    players: int, line: Sequence[str], games: int, settings: Sequence[str] = (), observer: Observer | None = None
) -> int:
    """Have the referee follow some games, and return how many logs they left."""
    names = (list(line) * players)[:players]
    spec = make_spec(players, names, settings, game="medievallons", seed=2024 + players, design="shuffle", games=games)
    session, logs = Session(observer=observer), 0
    for played in replays(spec, 0, games):
        for log in played.logs:
            assert session.check([log.header, *log.records]) == [], log.header["game_id"]
            logs += 1
    return logs


@pytest.mark.parametrize("players", GAME.players)
def test_ten_thousand_games(players: int) -> None:
    ends = sum(follow(players, line, GAMES // len(LINES) + 1) for line in LINES)
    print(f"\n{players} players: {ends:,} logs followed")


@pytest.mark.parametrize("players", GAME.players)
def test_every_combination_of_switches_and_of_some_numbers(players: int) -> None:
    logs = sum(follow(players, ["random", "collector"], 10, settings) for settings in COMBINATIONS)
    print(f"\n{players} players: {logs:,} logs of {len(COMBINATIONS)} sets of rules followed")


def test_random_takes_every_option_equally_often() -> None:
    observer = Observer()
    for players in GAME.players:
        follow(players, ["random"], 2_000, observer=observer)
    check_even(observer.taken)


def test_every_type_is_equally_likely_to_be_anywhere_in_the_deck() -> None:
    """Cards of a type are alike: a log may number them as it likes."""
    spec = make_spec(4, ["collector"], game="medievallons", seed=2025, games=GAMES)
    places: Counter[tuple[int, str]] = Counter()
    for played in replays(spec, 0, GAMES):
        kinds = {card["id"]: card["type"] for card in played.header["cards"]}
        places.update(enumerate(kinds[card] for card in played.records[0]["cards"]))
    size, types = len(kinds), sorted(set(kinds.values()))
    copies = size // len(types)
    # A card in one place is in no other, so that each of the (size - 1) * (types - 1) free directions of the numbers of
    # a type in a place, over the root of its copies, varies by 1 / (size - 1) a deck.
    spread = GAMES * copies / (size - 1)
    wanted = GAMES * copies / size
    distance = sum((places[place, kind] - wanted) ** 2 for place in range(size) for kind in types) / spread
    value = float(chi2.sf(distance, (size - 1) * (len(types) - 1)))
    print(f"\n{GAMES:,} decks of {size}: p = {value:.3f}")
    assert 0.005 < value < 0.995
