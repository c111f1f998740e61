"""Games in plain Python: rows, processes, replays, and every way in which a class or a strategy can be wrong."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import equipoise as eq
from simcore.errors import KernelFault, UsageError
from simcore.plain import batch
from simcore.plain.playing import Job, Played
from simcore.running.batch import Spec, run_chunk
from simcore.running.executors import execute
from simcore.running.replay import replays
from strategies.openings import draw_openings
from strategies.watching import under_watch
from tests.nim import Written
from tests.waiting import until


def spec_of(path: str, **options: object) -> Spec:
    return eq.make_spec(path, **options)


def test_perfect_play_wins_unless_the_heaps_cancel_out(nim: Written) -> None:
    rows = run_chunk(spec_of(nim(), seed=5), 0, 3000)
    won = rows["place"].reshape(-1, 2)[:, 0] == 1
    assert abs(won.mean() - (1 - 42 / 343)) < 4 * np.sqrt(won.var() / len(won))
    assert (rows["share60"] == np.where(rows["place"] == 1, 60, 0)).all()


@pytest.mark.parametrize("design", ["rotate", "fixed", "shuffle"])
def test_any_part_of_a_run_has_the_same_rows(nim: Written, design: str) -> None:
    spec = spec_of(nim(), players=3, strategies=["perfect", "random", "random"], design=design)
    whole = run_chunk(spec, 0, 60)
    assert (run_chunk(spec, 21, 9) == whole[63:90]).all()
    seats = whole["strategy"].reshape(-1, 3)
    assert (np.sort(seats, axis=1) == [0, 1, 2]).all()
    assert (len(np.unique(seats, axis=0)) > 1) == (design != "fixed")


def test_rotated_games_of_a_deal_share_its_chance(nim: Written) -> None:
    games = replays(spec_of(nim(), strategies=["perfect", "random"]), 0, 4)
    stones = [sum(move["move"][1] for move in game.records[:-1]) for game in games]
    assert stones[0] == stones[1]
    assert stones[2] == stones[3]


def test_processes_give_the_same_rows(nim: Written, monkeypatch: pytest.MonkeyPatch) -> None:
    spec = spec_of(nim(), games=8_000, strategies=["random"])
    alone = execute(spec, 1).digest
    workers, play = spec.game.play_batch._workers, batch.play

    def play_beside_another(kind: type, job: Job) -> Played:
        until(lambda: workers._all)
        return play(kind, job)

    monkeypatch.setattr(batch, "FEW", 0)
    monkeypatch.setattr(batch, "play", play_beside_another)
    assert execute(spec, 2).digest == alone
    for worker in workers._all:
        worker.end()
    monkeypatch.undo()
    job = spec.game.play_batch.job(*_arguments(spec))
    assert workers.play(job).fault.startswith("the process that played the games ended")
    assert workers.play(job).games == 1, "those that have ended are forgotten, and another plays"
    assert len(workers._all) == len(workers._free) == 1


def _arguments(spec: Spec) -> tuple[object, ...]:
    return spec.rules_record, spec.lineup_record, {"on": 0}, 1, [0], spec.players


def test_a_replay_is_the_row(nim: Written) -> None:
    spec = spec_of(nim(), players=3, strategies=["perfect", "random", "random"])
    rows = run_chunk(spec, 0, 30)
    for index, game in enumerate(replays(spec, 0, 30)):
        assert (game.rows == rows[3 * index : 3 * index + 3]).all()
        assert game.records[-1]["place"] == rows["place"][3 * index : 3 * index + 3].tolist()
        assert len(game.records) - 1 == rows["moves"][3 * index]
        assert not any("held" in record for record in game.records)
    assert "takes" not in game.text()
    assert game.text().startswith("Nim, seed 1, game 29; ")


HELD = ("def payoffs", "def held(self):\n        return {'stones': self.taken}\n\n    def payoffs")


def test_a_replay_says_what_seats_hold_after_each_move(nim: Written) -> None:
    game = next(replays(spec_of(nim(HELD)), 0, 1))
    *moves, end = game.records
    assert [one["held"]["stones"][one["seat"] - 1] >= one["move"][1] for one in moves] == [True] * len(moves)
    assert moves[-1]["held"]["stones"] == end["payoffs"]
    assert "held" not in end


@pytest.mark.parametrize(
    ("returned", "message"),
    [
        ("[1, 2]", "held returned [1, 2]; return a mapping of names to numbers, one for each seat"),
        ("{'stones': [1]}", "held returned [1]; return a list with one number for each of the 2 seats"),
        ("{'stones': [1, 'two']}", "held contains 'two'; give a number for each seat"),
        ("{'stones': [1, float('nan')]}", "held contains nan; give a number for each seat"),
    ],
)
def test_what_seats_hold_is_checked(nim: Written, returned: str, message: str) -> None:
    spec = spec_of(nim((HELD[0], HELD[1].replace("{'stones': self.taken}", returned))))
    assert message in next(replays(spec, 0, 1)).fault


def test_rules_reach_the_game(nim: Written) -> None:
    rows = run_chunk(spec_of(nim(), settings={"heaps": 1}), 0, 50)
    assert (rows["moves"] == 1).all()
    assert (run_chunk(spec_of("./nim.py", settings={"largest": 1}), 0, 5)["moves"] == 3).all()


def test_the_lowest_payoff_can_win(nim: Written) -> None:
    rows = run_chunk(spec_of(nim(("def places", "def unused"), ("players =", "lowest_wins = True; players ="))), 0, 99)
    scores = rows["score"].reshape(-1, 2)
    assert (rows["place"].reshape(-1, 2) == 1 + (scores > scores.min(axis=1, keepdims=True))).all()
    assert (rows["share60"].reshape(-1, 2).sum(axis=1) == 60).all()


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("heap, stones = move", "heap, stones = move; 1 / 0",
         "apply raised ZeroDivisionError: division by zero (nim.py, line 3"),
        ("return tuple(self.heaps)", "return self.heap",
         "view raised AttributeError: 'Nim' object has no attribute 'heap' (nim.py"),
        ("balance = 0", "balance = moves[0][99]",
         "perfect raised IndexError: tuple index out of range (nim.py, line 6)"),
        ("balance = 0", "return 5", "strategy 'perfect' chose 5 in seat 1, which is not legal"),
        ("return not any(self.heaps)", "return False",
         "legal returned [] for seat 2; return a list with at least one move"),
        ("self.heaps[heap] -= stones", "pass", "the game did not end within 10,000 moves; most_moves sets the limit"),
        ("(self.turn + 1) % self.seats", "not self.turn",
         "turn is True, which is no seat; seats are counted from 0 to 1"),
        ("return not any(self.heaps)", "return 'yes'", "over returned 'yes'; return True or False"),
        ("return not any(self.heaps)", "return sum(self.heaps) == 0 or None", "over returned None; return True or"),
        ("return [(heap, stones) for", "return 100_000 * [(heap, stones) for",
         "legal returned 1,200,000 moves for seat 1; list at most 100,000"),
        ("balance = 0", "return float('nan')", "strategy 'perfect' chose nan in seat 1, which is not legal"),
        ("def start(self):", "def start(self):\n        raise BaseException(3)", "start raised BaseException: 3 ("),
        ("def start(self):", "def start(self):\n        raise GeneratorExit", "start raised GeneratorExit (nim.py"),
        ("% self.seats", "", "turn is 2, which is no seat; seats are counted from 0 to 1"),
        ("else 2 for", "else 0 for", "places contains 0; give whole numbers from 1, which is best, to 2"),
        ("[1 if seat == self.last else 2", "[2 if seat == self.last else 2",
         "places returned [2, 2]; somebody has to be first"),
        ("return self.taken", "return self.taken[1:]", "payoffs returned [", ),
        ("return self.taken", "return [.5, 1]",
         "payoffs contains 0.5; give whole numbers, in the smallest unit of the score"),
        ("return self.taken", "return [2**31, 1]", "payoffs contains 2147483648; give whole numbers"),
        ("def start(self):", "def start(self):\n        import sys; sys.exit(3)",
         "start raised SystemExit: 3 (nim.py"),
        ("def start(self):", "def start(self):\n        self.start()",
         "start raised RecursionError: maximum recursion"),
    ],
)  # fmt: skip
def test_what_goes_wrong_in_a_game_is_one_line(nim: Written, old: str, new: str, message: str) -> None:
    spec = spec_of(nim((old, new)))
    with pytest.raises(KernelFault) as caught:
        run_chunk(spec, 0, 20)
    told = str(caught.value)
    wrong, _, advice = message.partition("; ")
    assert told.startswith(f"nim: {wrong}")
    assert f" of seed 1; {advice}" in told
    assert "; see it with: equipoise replay --game ./nim.py --players 2 --strategies perfect" in told
    assert next(replays(spec, 0, 1)).fault or "in game 0" not in told


def test_a_move_is_a_number_that_a_log_can_hold(nim: Written) -> None:
    path = nim(
        ("return [(heap, stones) for", "return [float('nan')] + [(heap, stones) for"), ("in moves:", "in moves[1:]:")
    )
    with pytest.raises(KernelFault, match="legal contains nan, which is no number that a log can hold in game"):
        run_chunk(spec_of(path, strategies=["random"]), 0, 20)


def test_numpy_may_say_that_a_game_is_over(nim: Written) -> None:
    numpy = ("import equipoise as eq", "import equipoise as eq, numpy as np")
    path = nim(numpy, ("not any(self.heaps)", "np.sum(self.heaps) == 0"))
    assert run_chunk(spec_of(path), 0, 20)["moves"].min() > 0


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ([("return tuple(self.heaps)", "return self.heaps"), ("balance = 0", "balance = 0; view.sort()")],
         "strategy 'perfect' changed the game; give it a copy in view, or let it only read"),
        ([("import equipoise as eq", "import equipoise as eq, random"), ("draw.randint", "random.randint")],
         "the same game took another course when it was played twice; draw from self.chance only"),
    ],
)  # fmt: skip
def test_cheating_is_found_under_watch(nim: Written, changes: list[tuple[str, str]], message: str) -> None:
    spec = spec_of(nim(*changes))
    with pytest.raises(KernelFault) as caught:
        run_chunk(under_watch(spec), 0, 50)
    wrong, _, advice = message.partition("; ")
    assert f"{wrong} in game " in str(caught.value) and f"; {advice}; see it with: " in str(caught.value)


def test_a_drawn_opening_is_the_first_move_alone(nim: Written) -> None:
    spec = spec_of(nim(), settings={"heaps": 1})  # whoever begins takes the whole heap, if it does not open at random
    drawn = run_chunk(draw_openings(spec, [0]), 0, 400)["moves"].reshape(-1, 2)[:, 0]
    assert set(drawn.tolist()) == {1, 2}
    assert (run_chunk(draw_openings(spec, [1]), 0, 50)["moves"] == 1).all()


def test_watching_changes_no_game(nim: Written) -> None:
    spec = spec_of(nim())
    assert (run_chunk(under_watch(spec), 0, 50) == run_chunk(spec, 0, 50)).all()


def test_blunders_are_random_moves(nim: Written) -> None:
    spec = spec_of(nim(), strategies=["perfect", "random"], design="fixed")
    record = spec.lineup_record.copy()
    record["members"]["blunder"][0] = 2**32
    mixed = run_chunk(replace(spec, lineup_record=record), 0, 2000)["place"].reshape(-1, 2)[:, 0] == 1
    assert 0.4 < mixed.mean() < 0.75
    record["members"]["temperature"][0] = 1
    with pytest.raises(UsageError, match="knows no temperature"):
        run_chunk(replace(spec, lineup_record=record), 0, 1)


SECRET = """    secret = ("taken",)

    def sees(self, seat, move):
        return seat != 1

    def held(self):
        return {"taken": [1] * self.seats, "open": [2] * self.seats}

    def view("""


def test_a_seat_is_shown_the_moves_that_it_sees_and_its_own_secrets(nim: Written) -> None:
    spec = spec_of(nim(("    def view(", SECRET)), players=3, strategies=["random"])
    (game,) = replays(spec, 0, 1)
    *moves, end = game.seen_by(2).records
    assert [move["seat"] for move in moves if "move" in move] == [move["seat"] for move in moves if move["seat"] == 2]
    assert all(set(move) >= {"kind", "seat", "held"} and "hidden_from" not in move for move in moves)
    assert moves[0]["held"] == {"taken": [None, 1, None], "open": [2, 2, 2]}
    assert end == game.records[-1]
    assert "Seat 1: a hidden move" in game.seen_by(2).text()
    assert all("move" in move for move in game.seen_by(1).records[:-1])
