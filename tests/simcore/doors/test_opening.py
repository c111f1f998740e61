"""The door for Python files: what it reads from a class, and what it refuses."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

import equipoise as eq
from simcore.doors import named
from simcore.errors import KernelFault, UsageError
from simcore.game import load_game
from simcore.rules.files import load_rules
from simcore.rules.levers import rule_keys
from simcore.running.executors import execute
from tests.nim import Written


def refusal(path: str) -> str:
    with pytest.raises(UsageError) as caught:
        named(path)
    return str(caught.value)


def test_the_class_says_what_the_game_is(nim: Written) -> None:
    assert named(nim()) == "nim"
    game = load_game("nim")
    assert (game.title, list(game.players), game.default_players, game.score) == ("Nim", [2, 3, 4], 2, "score")
    assert load_rules(game).flat()["largest"] == 7
    assert eq.strategies("nim").to_series(0).to_list() == ["perfect", "random"]
    assert named("./nim.py") == "nim"


PARTNERS = ("    players = range(2, 5)", "    players = 4\n    teams = '13/24'")


def test_partners_are_camps_of_seats(nim: Written) -> None:
    spec = eq.make_spec(named(nim(PARTNERS)), games=2000)
    assert spec.camps == {"team-1-3": (0, 2), "team-2-4": (1, 3)}
    assert spec.par == (0.25,) * 4
    found = eq.seat_advantage(eq.simulate("./nim.py", games=2000, out="run").run)
    assert found.camps is not None
    seats, camps = found.table["share"].to_list(), found.camps["share"].to_list()
    assert camps == pytest.approx([seats[0] + seats[2], seats[1] + seats[3]])


def test_one_against_three_has_half_of_the_par(nim: Written) -> None:
    one = ("    players = range(2, 5)", "    players = 4\n    teams = '1/234'")
    assert eq.make_spec(named(nim(one)), games=20).par == pytest.approx((1 / 2, 1 / 6, 1 / 6, 1 / 6))


@pytest.mark.parametrize("teams", ["13/2", "13/25", "1234", "/1234", "13/24/", "12/34/1", "ab/cd"])
def test_teams_name_each_seat_once(nim: Written, teams: str) -> None:
    path = nim((PARTNERS[0], PARTNERS[1].replace("13/24", teams)))
    assert refusal(path).endswith("teams: name each seat of one number of players once, such as 13/24")


def test_teams_need_one_number_of_players(nim: Written) -> None:
    path = nim((PARTNERS[0], "    players = range(3, 5)\n    teams = '13/24'"))
    assert refusal(path).endswith("teams: name each seat of one number of players once, such as 13/24")


CHIPS = (
    (
        "    players = range(2, 5)",
        "    players = 2\n    played_for = {'unit': 'chips', 'least': -3, 'most': 3, 'stake': 1}",
    ),
    ("return self.taken", "return [3 if seat == self.last else -3 for seat in range(2)]"),
)
"""Changes of nim after which the loser pays the winner 3 chips."""


def test_a_game_can_be_played_for_chips(nim: Written) -> None:
    run = eq.simulate(nim(*CHIPS), games=2000, out="run").run
    table = eq.seat_advantage(run).table
    won = run.polars().filter(pl.col("seat") == 1).select(pl.col("place") == 1).collect().to_series().mean()
    assert table["payoff"].to_list() == pytest.approx([6 * won - 3, 3 - 6 * won])


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("'stake': 1", "'stake': 0", "played_for.stake: Input should be greater than 0"),
        (", 'stake': 1", "", "played_for.stake: Field required"),
        ("{'unit': 'chips', 'least': -3, 'most': 3, 'stake': 1}", "'chips'", "played_for: Input should be"),
        ("players = 2", "players = 2; lowest_wins = True", "played_for: needs whole payoffs of which the highest"),
        ("players = 2", "players = 2; teams = '1/2'", "played_for: needs whole payoffs of which the highest is best"),
    ],
)
def test_what_a_game_is_played_for_is_checked(nim: Written, old: str, new: str, said: str) -> None:
    changed = [(one, other.replace(old, new)) for one, other in CHIPS]
    assert changed != list(CHIPS)
    assert said in refusal(nim(*changed))


WIDE = ("'least': -3, 'most': 3", "'least': -1_000_000_000, 'most': 1_000_000_000")


def test_limits_are_as_wide_as_sums_of_squares_allow(nim: Written, tmp_path: Path) -> None:
    """Of shares between 0 and 2e9, two squares fit into 63 bits."""
    path = nim((CHIPS[0][0], CHIPS[0][1].replace(*WIDE)), (CHIPS[1][0], CHIPS[1][1].replace("3", "10**9")))
    with pytest.raises(UsageError) as caught:
        eq.simulate(path, games=3, out="run")
    assert str(caught.value) == (
        "game 'nim': payoff: limits: -1,000,000,000 to 1,000,000,000 chips are too far apart for the statistics of 3 "
        "games; give narrower limits or a larger unit, or play at most 2 games"
    )
    assert not (tmp_path / "run").exists()
    tally = execute(eq.make_spec(path, games=2), 1).tally
    assert tally.seat_square.sum() == 2 * 2_000_000_000**2


def test_chips_that_do_not_add_up_stop_the_run(nim: Written) -> None:
    spec = eq.make_spec(named(nim(CHIPS[0], (CHIPS[1][0], "return [3, -1]"))), games=5)
    with pytest.raises(KernelFault, match=r"gain other than 0 chips together.*3, -1.*game 0 of seed 1"):
        execute(spec, 1)


def test_rules_keep_their_bounds(nim: Written) -> None:
    path = nim(
        ("from dataclasses import dataclass", "from typing import *\nfrom pydantic import BaseModel, Field"),
        ("    @dataclass\n    class Rules:", "    class Rules(BaseModel):"),
        (
            "largest: int = 7",
            "largest: Annotated[int, Field(ge=1, le=9)] = 7\n        end: Literal['last', 'first'] = 'last'",
        ),
    )
    assert {key.key: key.takes for key in rule_keys(load_game(named(path)), eq.rules("nim"))} == {
        "heaps": "a whole number",
        "largest": "1 to 9",
        "end": "last or first",
    }
    with pytest.raises(UsageError, match="largest"):
        eq.rules("nim", settings={"largest": 10})
    with pytest.raises(UsageError, match="end"):
        eq.rules("nim", settings={"end": "never"})


def test_a_class_can_refuse_rules(nim: Written) -> None:
    check = "\n        def __post_init__(self):\n            if self.heaps > 9: raise ValueError('too many heaps')"
    path = nim(("largest: int = 7", f"largest: int = 7{check}"))
    with pytest.raises(UsageError, match=r"rules: \./nim\.py: Rules: too many heaps"):
        eq.make_spec(path, settings={"heaps": 10})


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("class Nim(eq.PlainGame)", "class Nim",
         ": has no class derived from equipoise.PlainGame; a file holds one game"),
        ("class Nim(", "class Other(eq.PlainGame): pass\nclass Nim(",
         ": has 2 classes derived from equipoise.PlainGame"),
        ("def legal", "def legl", ": class Nim has no method 'legal'"),
        ("import equipoise as eq", "import equipoise as eq; 1 / 0",
         ": <module> raised ZeroDivisionError: division by zero (nim.py, line 3)"),
        ("import equipoise as eq", "import equipoise as eq; )", ", line 3: unmatched ')'"),
        ("range(2, 5)", "range(1, 5)", ": players.0: Input should be greater than or equal to 2"),
        ("range(2, 5)", "'many'", ": players is 'many'; give a number or a range, such as range(2, 5)"),
        ("range(2, 5)", "range(2, 5); name = 'fief-2'", ": name: 'fief-2' is a game of this toolkit"),
        ("range(2, 5)", "range(2, 5); default = 'best'", ": default: is not one of the strategies"),
        ("range(2, 5)", "range(2, 5); most_moves = 0", ": most_moves is 0; give a whole number from 1"),
        ('{"perfect": perfect}', "[perfect]", ": strategies: give functions by name"),
        ("heaps: int = 3", "heaps: int", ": Rules: "),
        ("heaps: int = 3", "heaps: int = 3\n        def __post_init__(self): raise OSError('x')",
         ": Rules: __post_init__ raised OSError: x (nim.py, line 21)"),
        ("heaps: int = 3", "heaps: float = float('nan')", ": Rules: heaps: the default does not fit: "),
        ("heaps: int = 3", "heaps: int = 'a'", ": Rules: heaps: the default does not fit: "),
        ("heaps: int = 3", "title: int = 3", ": rules: 'title' is taken; give the rule value another name"),
        ("heaps: int = 3", "heaps: object = None", ": rules.heaps"),
    ],
)  # fmt: skip
def test_what_is_no_game_is_one_line(nim: Written, old: str, new: str, message: str) -> None:
    assert refusal(nim((old, new))).startswith(f"game: ./nim.py{message}")


def test_a_game_without_an_end_result_is_refused(nim: Written) -> None:
    path = nim(("def places", "def unused"), ("def payoffs", "def also_unused"))
    assert "needs 'places' or 'payoffs', which say who wins" in refusal(path)


def test_missing_and_changed_files(nim: Written) -> None:
    assert refusal("./none.py") == "game: ./none.py: cannot be read: No such file or directory"
    named(nim())
    nim(("largest: int = 7", "largest: int = 6"))
    assert refusal("./nim.py") == "game: ./nim.py: has changed since this process ran it; start Python again"


def test_two_files_with_one_name(nim: Written, tmp_path: Path) -> None:
    named(nim())
    (tmp_path / "other").mkdir()
    text = (tmp_path / "nim.py").read_text()
    (tmp_path / "other" / "nim.py").write_text(text + "\n")
    assert refusal("other/nim.py") == "game: other/nim.py: ./nim.py is called 'nim' too; give one another name"


def test_data_never_names_a_file(nim: Written) -> None:
    path = nim(("import equipoise as eq", "import equipoise as eq; open('ran', 'w').close()"))
    with pytest.raises(UsageError, match=r"no game '\./nim\.py'"):
        load_game(path)
    assert not Path("ran").exists()
