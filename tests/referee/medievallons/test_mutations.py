"""Every single falsehood put into an honest log must be found, where it stands."""

import random
from functools import cache
from typing import Any

from ..falsehoods import Log, Mutation, Record
from ..trials import each_of, find_changed_fields, find_falsehood, find_junk, find_lost_records, other
from . import check
from .falsehoods import CASES
from .player import Deal
from .rulebook import PLAYERS, TYPES


@cache
def honest_log(seed: int) -> Log:
    """A deal; 150 of them have every table size, some small hands and decks, so that everything rare is met."""
    players = PLAYERS[seed % len(PLAYERS)]
    rng = random.Random(seed)
    options: dict[str, Any] = {"deck_end": ("on_need", "last_card")[seed % 2]}
    if seed % 3:
        options |= {"copies_per_type": rng.choice([3, 4, 8]), "hand_size": rng.choice([0, 1, 2])}
        options |= {"guild_size": rng.choice([2, 3]), "guilds_to_win": rng.choice([3, 8])}
    return Deal(seed, [rng.choice(["random", "collector"]) for _ in range(players)], **options).play()


@each_of(CASES)
def test_a_falsehood_is_found_where_it_stands(spoil: Mutation, expected: str) -> None:
    find_falsehood(check, map(honest_log, range(150)), spoil, expected)


def test_every_field_of_every_record_counts() -> None:
    """Among collectors only chance is free."""

    def free(record: Record, field: str) -> bool:
        return field == "card" and record.get("why") == "beggar"

    find_changed_fields(check, Deal(8, ["collector"] * 3).play(), lambda value: other(value, *TYPES), free)


def test_every_record_counts() -> None:
    find_lost_records(check, Deal(9, ["random"] * 4, copies_per_type=4, hand_size=1).play())


def test_junk_is_found_and_never_crashes() -> None:
    find_junk(
        check, Deal(3, ["random"] * 3).play(), ("seed", "game_id", "strategies", "max_turns", "match", "pass_draws")
    )
