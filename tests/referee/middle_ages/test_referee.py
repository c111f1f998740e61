"""The referee against honest logs, whole files and answers worked out by hand."""

import itertools
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest

from ..ranking import rank
from ..scroll import Scroll
from . import check, greedy
from .header import Setup, read_setup
from .player import DEFAULT_OPTIONS, Game
from .rulebook import BARRACKS, CHURCH, DOMAINS, FIELD, MILL, PALACE, RAMPART, SWITCHES, VILLAGE, standard_tiles
from .table import Seat, Table, standing

SWITCH_VALUES = {**SWITCHES, "final_floor": (False, True)}
COMBINATIONS: list[dict[str, Any]] = [
    dict(zip(SWITCH_VALUES, values, strict=True)) for values in itertools.product(*SWITCH_VALUES.values())
]


@pytest.mark.parametrize("players", [2, 3, 4, 5])
@pytest.mark.parametrize("strategies", [["greedy"], ["random"], ["greedy", "random"]])
def test_honest_games_are_clean_under_every_switch(players: int, strategies: list[str]) -> None:
    names = (strategies * players)[:players]
    for seed, switches in enumerate(COMBINATIONS):
        coins = [0] * players if seed % 2 else [seed % 5 + seat for seat in range(players)]
        assert check(Game(seed, names, starting_coins=coins, **switches).play()) == [], switches


@pytest.mark.parametrize(
    ("players", "sources", "unseen"),
    # Rulings, "Round structure": 16 x (N + 1) tiles of 52, or of 84 from 4 players on.
    [(2, [], 4), (3, ["discards"] * 2, 0), (4, ["orange"], 4), (5, ["orange", "discards", "discards"], 0)],
)
def test_the_stack_runs_out_as_the_rulings_say(players: int, sources: list[str], unseen: int) -> None:
    log = Game(1, ["random"] * players).play()
    assert [record["source"] for record in log if record["kind"] == "stack"] == sources
    drawn = {tile for record in log if record["kind"] == "deal" for tile in record["drawn"]}
    assert (84 if players > 3 else 52) - len(drawn) == unseen
    assert check(log) == []


def test_the_standard_box_is_the_rulings() -> None:
    tiles = standard_tiles()
    assert list(Counter(tile["domain"] for tile in tiles).values()) == [14, 13, 12, 11, 10, 9, 8, 7]
    assert Counter(tile["stack"] for tile in tiles) == {"blue": 52, "orange": 32}
    orange = Counter(tile["number"] for tile in tiles if tile["stack"] == "orange")
    assert [orange[number] for number in (1, 2, 3, 22, 23)] == [2, 2, 1, 2, 1]
    faces = {tile["number"]: (tile["domain"], tile["peasants"], tile["chests"]) for tile in tiles}
    assert [faces[number] for number in (1, 2, 6)] == [("field", 0, 0), ("field", 1, 0), ("mill", 0, 1)]
    assert [faces[number] for number in (21, 22, 23)] == [("church", 0, 1), ("palace", 1, 0), ("palace", 0, 1)]


def a_table(players: int = 3, **options: Any) -> tuple[Table, Callable[..., None]]:
    """Return an empty table, and a function that places so many plain or lowest tiles of a Domain."""
    scroll = Scroll(Game(0, ["greedy"] * players, **options).log)
    setup: Setup = read_setup(scroll, standard=True)
    assert scroll.violations == []
    table = Table(setup)
    free = {domain: [i for i, tile in enumerate(setup.tiles) if tile.domain == domain] for domain in range(8)}

    def put(seat: Seat, domain: int, copies: int = 1) -> None:
        for _ in range(copies):
            table.place(seat, free[domain].pop(0))

    return table, put


def test_income_examples_of_the_booklet() -> None:
    table, put = a_table()
    seat = table.seats[0]
    put(seat, RAMPART, 2)
    put(seat, VILLAGE)
    assert seat.counted_tiles(VILLAGE) * seat.rates[VILLAGE] == 6  # "2 x 3 = 6 pièces"
    table.add_extra_coin(seat, VILLAGE)
    assert seat.counted_tiles(VILLAGE) * seat.rates[VILLAGE] == 9  # "une pièce de plus par tuile"


def test_a_field_token_may_not_go_to_field_or_rampart() -> None:
    table, _ = a_table()
    options = table.palace_options(table.seats[0])
    assert [slot for slot, token in options if token == FIELD] == [
        slot for slot in range(8) if slot not in (FIELD, RAMPART)
    ]
    table.add_plot(table.seats[0], VILLAGE, FIELD)
    assert all(token != FIELD for _, token in table.palace_options(table.seats[1]))
    assert all(slot != VILLAGE for slot, _ in table.palace_options(table.seats[0]))


def test_slot_capacity_one_keeps_the_other_kind_out() -> None:
    table, _ = a_table(slot_capacity="one")
    seat = table.seats[0]
    table.add_extra_coin(seat, CHURCH)
    assert all(slot != CHURCH for slot, _ in table.palace_options(seat))
    table.add_plot(seat, MILL, FIELD)
    assert table.church_options(seat) == [slot for slot in range(8) if slot not in (CHURCH, MILL)]


def test_barracks_example_of_the_booklet() -> None:
    table, put = a_table()
    pink, blue, green = table.seats
    put(pink, BARRACKS)
    put(blue, FIELD)
    put(green, RAMPART)
    assert table.victims(pink, BARRACKS) == [blue]


@pytest.mark.parametrize(("shortfall", "given"), [("pay_available", 1), ("debt", 2)])
def test_shortfall(shortfall: str, given: int) -> None:
    table, _ = a_table(shortfall=shortfall, starting_coins=[0, 1, -3])
    assert table.payable(table.seats[1], 2) == given
    assert table.payable(table.seats[2], 2) == (0 if given == 1 else 2)


def test_worth_of_a_tile() -> None:
    table, put = a_table(starting_coins=[0, 1, 5])
    seat = table.seats[0]

    def worth(domain: str, **face: int) -> int:
        return greedy.worth(
            table,
            seat,
            next(i for i, t in enumerate(standard_tiles()) if t["domain"] == domain and face.items() <= t.items()),
        )

    assert worth("field", peasants=0) == 2 + 0 + 10
    assert worth("field", peasants=1) == 2 + 1 + 10  # its own symbol included
    assert worth("palace", peasants=1) == 3 + 10  # no effect coins
    assert worth("mill") == 2 + (1 + 2) + 10  # the opponents hold 1 and 5 coins
    put(table.seats[2], RAMPART)
    assert worth("barracks") == 2 + 1 + 10  # one Rampart shields seat 3
    put(seat, VILLAGE, 2)
    assert worth("barracks") == 3 * 2 + 1 + 10
    assert worth("village") == 3 * 2  # no longer an empty Domain


def test_greedy_tokens_and_losses() -> None:
    table, put = a_table()
    seat = table.seats[0]
    put(seat, MILL, 2)
    put(seat, PALACE)
    # Mill counts 2 and Market (Mill and Market) counts 2 as well: the first in board order.
    assert greedy.church(seat, table.church_options(seat)) == MILL
    # Two Mills at 3 coins in the Church and the Palace slot: the first in board order.
    assert greedy.palace(seat, table.palace_options(seat)) == (CHURCH, MILL)
    column = [tile["id"] for tile in standard_tiles() if tile["domain"] == "field" and tile["stack"] == "blue"]
    assert greedy.lost(table, column[::-1]) == column[2]  # numbers 1, 1, 1 are plain; the earliest placed of them


def test_ties_are_broken_from_the_right() -> None:
    plain, one_church, one_palace = [9] * 6 + [0, 0], [0] * 6 + [1, 0], [0] * 7 + [1]
    assert rank([standing(7, plain), standing(7, one_church), standing(7, one_palace)]) == ([3, 2, 1], [0, 0, 60])
    assert rank([standing(8, plain), standing(7, one_palace), standing(8, plain)]) == ([1, 3, 1], [30, 0, 30])


def test_a_variant_box_must_be_announced() -> None:
    log = Game(1, ["random"] * 2, events=["alliance"] * 4).play()
    assert check(log, standard=False) == []
    assert "4 different Events" in check(log)[0]
    log = Game(1, ["random"] * 2).play()
    unplayed = {record["tile"] for record in log if record["kind"] in ("take", "discard")}
    spare = next(tile for tile in log[0]["tiles"] if tile["id"] not in unplayed)
    spare["peasants"] = 7
    assert check(log, standard=False) == []
    assert "the rulings' 84" in check(log)[0]


def test_defaults_are_the_first_named_values() -> None:
    assert {name: values[0] for name, values in SWITCH_VALUES.items()} == DEFAULT_OPTIONS
    assert len(DOMAINS) == 8
