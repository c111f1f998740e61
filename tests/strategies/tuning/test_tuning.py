"""Tuning: who plays whom on which deals, what is measured, that it goes on where it stopped, and that it helps."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from simcore.errors import UsageError
from simcore.game import load_game
from simcore.running.batch import run_chunk
from strategies.library import load_strategy
from strategies.tuning import Budget, Journal, Plan, Tuned, make_plan, search, tune
from strategies.tuning.search import Arena, Field, Table, margins, measure_steps, won
from tests.brief import tune_briefly
from tests.specs import make_spec

GAME = load_game("middle-ages")
HEAD = 'format = "equipoise-strategy/1"\ngame = "middle-ages"\nname = "mine"\ntitle = "Mine"\npolicy = "linear"\n'


def plan(**changes: object) -> Plan:
    """A small tuning."""
    return make_plan(
        **({"game": "middle-ages", "players": [2], "population": 6, "games": 60, "start": "planner"} | changes)
    )


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Fewer games where the number does not matter."""
    tune_briefly(monkeypatch.setattr)
    monkeypatch.setattr(search, "SEASON", 2)


@pytest.mark.parametrize(
    ("text", "budget"),
    [
        ("90s", Budget(seconds=90)), ("10m", Budget(seconds=600)), ("1.5h", Budget(seconds=5400)),
        ("300", Budget(generations=300)),
    ],
)  # fmt: skip
def test_a_budget_is_a_time_or_a_number_of_generations(text: str, budget: Budget) -> None:
    assert Budget.parse(text) == budget


def test_a_budget_ends() -> None:
    assert [Budget(generations=3).spent(done, 1e9) for done in (2, 3)] == [False, True]
    assert [Budget(seconds=60).spent(10**6, seconds) for seconds in (59.9, 60)] == [False, True]


@pytest.mark.parametrize("text", ["0", "0s", "-5", "-5m", "10 minutes", "1.5", "", "ten", "1e9", "9999h", "nan", "10d"])
def test_a_budget_that_cannot_be_is_refused(text: str) -> None:
    with pytest.raises(UsageError, match=r"^budget: "):
        Budget.parse(text)


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"sigma": 0.0}, "sigma: 0 is out of range"),
        ({"sigma": -1.0}, "sigma: -1 is out of range"),
        ({"sigma": float("nan")}, "sigma: nan is out of range"),
        ({"population": 3}, "population: 3 is out of range"),
        ({"games": 59}, "games: 59 is out of range"),
        ({"players": [6]}, "players: Middle-Ages is for 2 to 5 players, not 6"),
        ({"seed": -1}, "seed: -1 is out of range"),
        ({"start": "greedy"}, "start_from: 'greedy' plays 'greedy', which reads no weights"),
        ({"start": "gredy"}, "did you mean 'greedy'?"),
        ({"against": ["self", "gredy"]}, "did you mean 'greedy'?"),
        ({"only": ["tile_*", "incomes"]}, "only: planner has no weight 'incomes'; did you mean 'income'?"),
        ({"only": ["income"], "start": "champion", "players": [2, 3]}, "only: champion has other weights at each"),
        ({"settings": ["stacks.orange_from_players=6"], "players": [5]}, "players need"),
    ],
)
def test_a_tuning_that_cannot_be_is_refused(changes: dict[str, object], told: str) -> None:
    with pytest.raises(UsageError, match=told.replace("?", r"\?")) as caught:
        plan(**changes)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (HEAD.replace("middle-ages", "chess"), "plays 'chess', not middle-ages"),
        (HEAD + "[weights]\nincom = 1\n", "no such feature; did you mean 'income'?"),
    ],
)
def test_a_start_for_another_game_or_with_unknown_features_is_refused(tmp_path: Path, text: str, told: str) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(text, encoding="utf-8")
    for role in ({"start": path}, {"against": [str(path)]}):
        with pytest.raises(UsageError) as caught:
            plan(**role)
        assert told in str(caught.value)


def test_all_candidates_meet_the_same_opponents_on_the_same_deals() -> None:
    field = Field(plan(against=["greedy", "random"], players=[2, 4], games=960))
    for number in range(3):
        met = [
            [
                (table.others, table.first, table.deals)
                for table in field.generation(number, 6)
                if candidate in table.seats
            ]
            for candidate in range(6)
        ]
        assert all(tables == met[0] for tables in met)
        assert sorted({len(others) for others, _, _ in met[0]}) == [2, 4]
    assert field.generation(0, 6) != field.generation(1, 6)


@pytest.mark.parametrize("players", [2, 3, 5])
def test_in_self_play_each_candidate_plays_all_deals_of_a_round_once(players: int) -> None:
    field = Field(plan(players=[players], games=960))
    tables = field.generation(0, 8)
    for candidate in range(8):
        deals = [
            deal
            for table in tables
            if candidate in table.seats
            for deal in range(table.first, table.first + table.deals)
        ]
        assert sorted(deals) == list(range(960 // (8 * players) * 8))
    assert all(len(table.seats) == players for table in tables)
    guests = [seat for table in tables for seat in table.seats if not isinstance(seat, int)]
    assert 0 < len(guests) < len(tables) * players / 2
    assert {guest.name for guest in guests} == {"planner"}


def test_the_arena_agrees_with_an_ordinary_run() -> None:
    small = plan(players=[4], against=["greedy"], rules="seat-compensation")
    spec = make_spec(4, ["planner", "greedy", "greedy", "greedy"], rules="seat-compensation", design="rotate", seed=99)
    rows = run_chunk(spec, 0, 400)
    mine = rows[rows["strategy"] == 0]["share60"].reshape(-1, 4).mean(axis=1) / 15
    greedy = load_strategy(GAME, "greedy")
    with Arena(small, 2) as arena:
        table = Table((0, greedy, greedy, greedy), 0, 100)
        assert np.allclose(arena.play(small.weights[None], [table], 99)[0][:, 0], mine)
        later = replace(table, first=60, deals=40)
        assert np.allclose(arena.means(small.weights[None], [later], 99), mine[60:].mean())
        share = arena.share(small.weights, [table], 99)
    assert share.mean == pytest.approx(mine.mean() / 4)
    assert share.half_width == pytest.approx(1.959964 * mine.std(ddof=1) / 4 / 10)
    assert (share.of_par, share.deals) == (pytest.approx(mine.mean()), 100)


def test_candidates_obey_what_the_player_forbids_itself(tmp_path: Path) -> None:
    """A weight for what it forgoes counts for nothing in a tuning, as it does afterwards."""
    file = tmp_path / "mine.toml"
    file.write_text(HEAD + 'forbids = ["scout"]\n[weights]\nincome = 1\n', encoding="utf-8")
    small = plan(start=file, against=["greedy"])
    candidates = np.tile(small.weights, (2, 1))
    candidates[1, small.features.index("scouts")] = 1000
    greedy = load_strategy(GAME, "greedy")
    with Arena(small, 1) as arena:
        one, other = (arena.play(candidates, [Table((number, greedy), 0, 60)], 1)[0] for number in range(2))
    assert (one == other).all()


@pytest.mark.parametrize("against", [["greedy", "random"], []])
@pytest.mark.parametrize("games", [60, 240])
def test_however_few_games_there_are_tables_share_no_deals(against: list[str], games: int) -> None:
    field = Field(plan(players=[2, 3, 4, 5], against=against, games=games))
    for tables in (field.generation(0, 6), field.against(1, field.rivals()[:1], games, rules=(0, 0, 0))):
        own = [one for one in tables if 0 in one.seats and len(one.seats) == 4]
        deals = [range(one.first, one.first + one.deals) for one in own]
        assert min(map(len, deals)) >= 2
        assert sum(map(len, deals)) == len(set().union(*deals))


def test_what_all_seats_win_is_par() -> None:
    small = plan(players=[3])
    with Arena(small, 1) as arena:
        weights = small.weights * np.array([[1.0], [0.5], [-1.0]])
        played = arena.play(weights, [Table((0, 1, 2), 0, 50)], 1, won)[0]
        means = arena.means(weights, [Table((2, 0, 1), 0, 50)], 1)
    assert np.allclose(played.mean(axis=1), 1)
    assert np.allclose(means.mean(), 1)
    assert means[2] == means.min()


def test_margins_are_over_the_best_other_seat() -> None:
    spec = make_spec(3, ["greedy"])
    rows = run_chunk(spec, 0, 2)
    rows["coins"] = [10, 30, 20, 5, 5, 1]
    assert margins(spec, rows).tolist() == [-20, 10, -10, 0, 0, -4]


def test_steps_are_larger_where_a_weight_matters_less_and_zero_where_it_never_does() -> None:
    # Without Ramparts that scout nobody reserves anything, so that `scouts`, `honour` and `far` cannot matter.
    small = plan(against=["greedy"], settings=["effects.rampart_scouts=false"])
    with Arena(small, 2) as arena:
        steps = dict(zip(small.features, measure_steps(arena, Field(small), 1), strict=True))
    assert steps["scouts"] == steps["honour"] == steps["far"] == 0
    assert 0 < steps["income"] < steps["tile_palace"]
    assert all(step == 0 or np.log2(step) % 1 == 0 for step in steps.values())
    few = plan(against=["greedy"], settings=["effects.rampart_scouts=false"], only=["tile_*", "scouts"])
    with Arena(few, 2) as arena:
        own = dict(zip(few.features, measure_steps(arena, Field(few), 1), strict=True))
    assert own == {name: step if name.startswith("tile_") else 0 for name, step in steps.items()}


@pytest.mark.usefixtures("quick")
def test_only_the_weights_that_may_move_do(tmp_path: Path) -> None:
    """The others stay to the last digit; a tuning in which nothing can move leaves no journal."""
    path = tmp_path / "start.toml"
    path.write_text(HEAD + "[weights]\nincome = 2.34567\nfar = -1.23456\ntile_mill = 9.87654\n", encoding="utf-8")
    small = plan(only=["tile_*", "income"], start=path)
    found, start = run(small, 1), small.start.weights_at(2)
    may = [name for name in small.features if name == "income" or name.startswith("tile_")]
    moved = [name for name in small.features if found.strategy.weights.get(name, 0) != start.get(name, 0)]
    assert found.finalist != "start" and found.features <= len(may)
    assert moved and set(moved) <= set(may)
    kept = tmp_path / "mine.toml.journal"
    for only in (["scouts"], ["scouts", "far"]):
        with pytest.raises(UsageError, match="only: no weight that may move changes a game of"):
            run(plan(settings=["effects.rampart_scouts=false"], only=only), 1, kept)
        assert not kept.exists()
    assert run(plan(only=["income"]), 1).features == 1


def run(small: Plan, generations: int, path: Path | None = None, threads: int = 2) -> Tuned:
    return tune(small, Budget(generations=generations), threads, Journal(path, small.describe()))


@pytest.mark.usefixtures("quick")
@pytest.mark.parametrize("against", [["greedy", "self"], ["greedy", "random"]])
def test_an_interrupted_tuning_goes_on_to_the_same_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, against: list[str]
) -> None:
    small = plan(against=against)
    whole = run(small, 4)
    path = tmp_path / "journal"
    means: Callable[..., np.ndarray] = Arena.means
    calls = 0

    def until_interrupted(*arguments: object) -> np.ndarray:
        nonlocal calls
        calls += 1
        if calls == 6:
            raise KeyboardInterrupt
        return means(*arguments)

    with monkeypatch.context() as patch:
        patch.setattr(Arena, "means", until_interrupted)
        with pytest.raises(KeyboardInterrupt):
            run(small, 4, path)
    kept = path.read_bytes()
    path.write_bytes(kept + b'{"seconds":1,"cpu":')  # the last line was cut short
    again = run(small, 4, path, threads=1)
    assert path.read_bytes().startswith(kept)
    assert again.strategy == whole.strategy
    assert again.scores == whole.scores
    assert again.seconds > 0


@pytest.mark.usefixtures("quick")
@pytest.mark.parametrize("generations", [2, 4])
def test_another_budget_forgets_what_it_does_not_come_to(tmp_path: Path, generations: int) -> None:
    path = tmp_path / "journal"
    small = plan(against=["greedy"])
    run(small, 3, path)
    again = run(small, generations, path)
    assert again.strategy == run(small, generations).strategy
    lines = path.read_text(encoding="utf-8").splitlines()
    steps = [json.loads(line.partition(" ")[2]).get("step", "") for line in lines]
    assert [step for step in steps if "generation" in step] == [f"generation {number}" for number in range(generations)]
    assert len(steps) == len(set(steps))


@pytest.mark.usefixtures("quick")
def test_tuning_makes_a_weak_player_strong(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(HEAD + "[weights]\nincome = 1\n", encoding="utf-8")
    small = plan(start=path, against=["greedy"], population=16, games=240)
    before = replace(small.start, name="before")
    after = replace(run(small, 12).strategy, name="after")
    spec = make_spec(2, ["greedy"], design="rotate")
    greedy = load_strategy(GAME, "greedy")
    with Arena(small, 2) as arena:
        tables = [Table((player, greedy), 0, 1000) for player in (0, 1)]
        weights = np.array([[player.weights.get(name, 0) for name in small.features] for player in (before, after)])
        shares = arena.means(weights, tables, 31) / spec.players
    # The error of a share from 1,000 deals of two games is at most sqrt(.25 / 1000) = .016.
    assert shares[0] < 0.5
    assert shares[1] > 0.6
