"""Classes that draw camps, that say that nobody won, and that have columns of their own."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import polars as pl
import pytest

import equipoise as eq
from analysis.causes import causes
from analysis.check.baseline import FORMAT, choices_of
from analysis.check.checking import update
from analysis.compare.shares import totals
from analysis.course.drama import closeness
from analysis.data.sources import SpecSource
from analysis.live import Watched
from analysis.openings import openings
from analysis.seats.by_skill import seats_by_skill
from analysis.seats.shares import judge_totals, strategy_shares
from analysis.skill import ladder_of_seats
from simcore.declared import Declaration
from simcore.errors import UsageError
from simcore.running.batch import run_chunk
from simcore.running.executors import execute
from simcore.running.replay import replays

SPY = """
import equipoise as eq

def loyal(view, moves, rng):
    return rng.choice([seat for seat in moves if seat not in view])

class Spy(eq.PlainGame):
    players = 6
    strategies = {"loyal": loyal}
    columns = {"votes": "votes against the seat"}

    def start(self):
        self.spies, self.votes = self.chance("spies").sample(range(6), 2), []

    def camp(self, seat):
        return "spies" if seat in self.spies else "citizens"

    def view(self, seat):
        return tuple(self.spies) if seat in self.spies else ()

    def held(self):
        return {"votes": list(map(self.votes.count, range(6)))}

    def legal(self):
        return [seat for seat in range(6) if seat != self.turn]

    def apply(self, move):
        self.votes.append(move)
        self.turn = (self.turn + 1) % 6

    def over(self):
        return len(self.votes) == 6

    def places(self):
        most = max(map(self.votes.count, range(6)))
        out = self.chance("tie").choice([seat for seat in range(6) if self.votes.count(seat) == most])
        return [1 if (seat in self.spies) != (out in self.spies) else 2 for seat in range(6)]
"""

DIE = """
import equipoise as eq

class Die(eq.PlainGame):
    players = 3

    def start(self):
        self.thrown, self.done = self.chance("die").randint(1, 50), False

    def legal(self):
        return [0, 1]

    def apply(self, move):
        self.done = True

    def over(self):
        return self.done

    def places(self):
        if self.thrown <= 11:
            return None
        return [1 if self.thrown % 3 == seat else 2 for seat in range(3)]
"""


@pytest.fixture
def write(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, forgotten: None):
    monkeypatch.chdir(tmp_path)

    def written(text: str, *changes: tuple[str, str]) -> str:
        for old, new in changes:
            assert old in text
            text = text.replace(old, new)
        Path("own.py").write_text(text)
        return "./own.py"

    return written


def test_camps_win_as_often_as_counting_says(write) -> None:
    # if all vote at random, the spies win 2/3 of the games; if spies vote for no spy, 1957/2500
    for strategy, exact in (("random", 2 / 3), ("loyal", 1957 / 2500)):
        spec = eq.make_spec(write(SPY), strategies=strategy, games=2000)
        result = execute(spec, 1)
        (camps,) = judge_totals(spec, result.tally)  # nothing about seats, as a camp wins as a whole
        assert camps.code == "camps_tilted_high"
        found = eq.seat_advantage(spec)
        by_camp = dict(found.camps.select("camp", "share").rows())
        error = (exact * (1 - exact) / 2000) ** 0.5
        assert abs(by_camp["spies"] - exact) < 4 * error
        assert found.verdict.code == camps.code


def test_a_camp_of_five_wins_as_a_whole_too(write) -> None:
    spec = eq.make_spec(write(SPY.replace("6", "7")), games=2000)  # a fifth of a win is no binary fraction
    assert len(judge_totals(spec, execute(spec, 1).tally)) == 1
    assert causes(spec, 20, 40).verdict.code == "cause_untried"  # and not that none of 0 changes explains it


def test_a_camp_is_a_role_with_a_par_and_strategies(write) -> None:
    path = write(SPY, ("players = 6", 'players, camps = 6, {"spies": 0.8, "citizens": 0.2}'))
    spec = eq.make_spec(path, strategies={"spies": "loyal", "citizens": "random"}, games=2000)
    assert [(role.name, role.at(6)) for role in spec.game.roles] == [("spies", range(2)), ("citizens", range(2, 6))]
    assert spec.par == pytest.approx((0.4, 0.4, 0.05, 0.05, 0.05, 0.05))
    assert closeness(spec).table["shared"].to_list() == [0]


def test_a_row_is_a_seat_of_a_camp_wherever_it_sits(write) -> None:
    spec = eq.make_spec(write(SPY, ("players = 6", 'players, camps = 6, {"spies": 0.5, "citizens": 0.5}')), games=60)
    rows = run_chunk(spec, 0, 60).reshape(60, 6)
    assert (np.sort(rows["chair"], axis=1) == np.arange(1, 7)).all()
    assert (rows["votes"].sum(axis=1) == 6).all()
    assert len(np.unique(rows["chair"][:, :2], axis=0)) > 10
    for index, game in enumerate(replays(spec, 0, 60)):
        drawn, *_, end = game.records
        own = rows[index]
        assert [drawn["camp"][chair - 1] for chair in own["chair"]] == ["spies"] * 2 + ["citizens"] * 4
        assert [end["place"][chair - 1] for chair in own["chair"]] == own["place"].tolist()
        assert [end["share60"][chair - 1] for chair in own["chair"]] == own["share60"].tolist()
    seen = game.seen_by(1).records[0]["camp"]  # the first spy knows its own camp only
    assert [camp for camp in seen if camp] == ["spies"]
    assert seen.index("spies") == own["chair"][0] - 1


def test_a_manifest_keeps_the_camps(write) -> None:
    declared = eq.make_spec(write(SPY), games=10).game.declaration
    assert Declaration.model_validate(declared.model_dump(mode="json")) == declared


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("players = 6", 'players, camps = 6, {"spies": 1}', "with 6 players camp says "),
        ("players = 6", 'players, camps = 6, {"spies": 0.5, "citizens": 0.4}', "camps: the shares of the wins have to"),
        ("players = 6", 'players, teams = 6, "12/3456"', "teams: are the same seats in every game, and camp draws"),
        ('"spies" if seat in self.spies else "citizens"', '"all"', "return the names of two camps or more"),
        ('{"votes": "votes', '{"place": "votes', "columns: 'place' is taken; give the column another name"),
        ('{"votes": "votes', '{"voices": "votes', "held returned no 'voices', which columns names"),
        ("range(6), 2)", "range(6), self.chance('n').choice([1, 2]))", "the same number of seats in every game"),
        ("self.votes.append(move)", "self.votes.append(move); self.spies = [move, self.turn]", "draw it in start"),
    ],
)  # fmt: skip
def test_what_a_class_says_of_camps_is_checked(write, old: str, new: str, message: str) -> None:
    with pytest.raises(UsageError, match=r"own\.py") as refused:
        spec = eq.make_spec(write(SPY, (old, new)), games=60)
        faults = [game.fault for game in replays(spec, 0, 60) if game.fault]
        raise UsageError(f"own.py: {faults[0]}")
    assert message in str(refused.value)


def test_nobody_may_win(write) -> None:
    spec = eq.make_spec(write(DIE), games=5000)  # 11 of 50 games are won by nobody, and each seat wins 13 of the others
    rows = run_chunk(spec, 0, 5000).reshape(5000, 3)
    lost = (rows["place"] == 0).all(axis=1)
    assert lost.mean() == pytest.approx(0.22, abs=0.025)
    assert (rows["share60"].sum(axis=1) == np.where(lost, 0, 60)).all()
    found = eq.seat_advantage(spec)
    assert found.verdict.code == "seats_fair"
    assert found.table["share"].to_list() == pytest.approx([0.26] * 3, abs=0.02)
    assert found.table["par_normalised"].mean() == pytest.approx(1)
    (note,) = [note for note in found.notes if note.code == "nobody_wins"]
    assert note.values["share"] == pytest.approx(lost.mean())
    totals = judge_totals(spec, execute(spec, 1).tally)
    assert [one.code for one in totals] == ["seats_fair"]
    assert totals[0].values["share"] == pytest.approx(found.verdict.values["share"])
    assert any("Nobody wins 2" in one for one in eq.simulate("./own.py", games=600).warnings)
    (end,) = [game.text().splitlines()[-1] for game in replays(spec, int(lost.argmax()), 1)]
    assert end == "End: nobody wins"


def test_where_nobody_wins_some_games_a_tournament_compares_with_the_others(write) -> None:
    first = "    players = 3\n    strategies = {'first': lambda view, moves, rng: moves[0]}\n"
    result = eq.tournament(write(DIE, ("    players = 3\n", first)), strategies=["first", "random"], games=600)
    rows = result.results[0].companies
    spec = eq.make_spec("./own.py", strategies=["first", "random", "random"], games=5_000)
    one, _ = strategy_shares(spec, execute(spec, 1).tally).estimates
    assert one.half_width / one.se == pytest.approx(2.24, abs=0.1)  # of two shares whose sum varies; 1.96 if not
    assert (rows["seats"] * rows["par_normalised"]).sum() / rows["seats"].sum() == pytest.approx(1)
    (unwon,) = (note for note in result.results[0].notes if note.code == "tables_unwon")
    assert unwon.values["share"] == pytest.approx(0.22, abs=0.05)


HALF = """
import equipoise as eq

class Own(eq.PlainGame):
    players = 2
    imagined = 2
    ones, twos = lambda view, moves, rng: 0, lambda view, moves, rng: 1
    strategies = {"rollout": eq.PlainGame.rollout, "ones": ones, "twos": twos}

    def start(self):
        self.moves, self.thrown = [], self.chance("die").randint(1, 12)

    def view(self, seat):
        return None

    def imagine(self, seat, rng):
        table = super().imagine(seat, rng)
        table.thrown = rng.randint(1, 12)
        return table

    def legal(self):
        return [0, 1]

    def apply(self, move):
        self.moves.append(move)
        self.turn = (self.turn + 1) % 2

    def over(self):
        return len(self.moves) == 2

    def places(self):
        won = self.thrown > 6
        return ([1, 2] if self.thrown % 2 else [2, 1]) if won else None
"""


def test_where_nobody_wins_half_the_games_every_answer_compares_with_the_other_half(write) -> None:
    """What players do changes nothing."""
    game = write(HALF)
    spec = eq.make_spec(game, strategies=["ones", "twos"], games=1000)
    assert eq.matchups(spec).company["par_normalised"].to_list() == pytest.approx([1, 1], abs=0.15)
    watched = Watched(spec, most=1000)
    watched.step(1000, threads=1)
    assert watched.seen().par == pytest.approx([0.25, 0.25], abs=0.03)  # what the lab draws
    (secret,) = eq.skill(game, secrets="rollout", games=200).results
    assert secret.verdict.code == "secrets_open"
    assert secret.table["usual"][0] == pytest.approx(0.25, abs=0.08)
    # A player who changes nothing decides about 0 %; but it does not sit among players who are alike.
    assert eq.luck(game, strategies=["ones", "twos"], games=600).results[0].verdict.code == "luck_skill"


def test_a_level_at_which_nobody_wins_more_games_moves_no_seat(write) -> None:
    """Nobody wins half the games of `ones`, and every seat has half of the others, as it has of all games of `twos`."""
    game = write(HALF, ("self.thrown > 6", "self.thrown > 6 or self.moves[0]"))
    runs = [eq.make_spec(game, strategies=who, games=4000) for who in ("ones", "twos")]
    along = ladder_of_seats(seats_by_skill(runs, ["weak", "strong"]))
    assert along.table["side"].to_list() == [0, 0, 0, 0] and along.centre == 0.5


@pytest.mark.parametrize("seed", range(1, 4))
def test_a_seat_that_always_opens_alike_is_seen_even_with_two_openings(write, seed: int) -> None:
    """A drawn opening is the usual one in half of the deals, which then show nothing."""
    better = "return [1, 2] if self.thrown < (10 if self.moves == [0, 0] else 7) else [2, 1]"
    game = write(HALF, ("won = self.thrown > 6", better), ("return None", "return tuple(self.moves)"))
    result = openings(eq.make_spec(game, strategies="ones", games=1000, seed=seed), 1000)
    assert result.table["alike"].to_list() == [1, 1] and result.table["looked"].min() >= 30
    assert result.verdict.code == "openings_alike"


LEVEL = """
    @dataclass
    class Rules:
        lost: int = 25
        odd: int = 10
"""


def test_where_nobody_wins_some_games_seats_are_wanted_to_win_their_part_of_the_others(write) -> None:
    """Nobody wins `lost` of 50 games; of the others seat 1 wins a third and, if the die is low, one more of ten."""
    game = write(
        DIE,
        ("    players = 3\n", "    players = 3\n" + LEVEL),
        ("import equipoise as eq\n", "from dataclasses import dataclass\nimport equipoise as eq\n"),
        ("<= 11", "<= self.rules.lost"),
        ("self.thrown % 3 == seat", "(self.thrown - self.rules.lost > self.rules.odd) * (self.thrown % 3) == seat"),
    )  # fmt: skip
    swept = eq.sweep(game=game, settings={"odd": [0, 10]}, target="seats", margin="20%", games=12_000)
    cells, pars = swept.cells, swept.table.filter(pl.col("kind") == "seat")["par"]
    assert pars.to_list() == pytest.approx([1 / 6] * len(pars), abs=0.01)
    assert eq.skill(game, games=120).table["strength"][-1] == pytest.approx(1)  # one of three equal players
    assert dict(cells.select("odd", "target").iter_rows()) == {None: "misses", "0": "meets", "10": "misses"}
    mended = eq.mend(game, target="seats", free="odd=0..10", games=2000, habit=True).mend
    assert mended.verdict.code == "mend_meets_seats"
    assert set(mended.table.filter(pl.col("kind") == "seat")["wanted"]) == {1 / 3}
    (unwon,) = (note for note in mended.notes if note.code == "mend_unwon")
    assert unwon.values["share"] == pytest.approx(0.5, abs=0.05)
    # A change after which nobody wins more games leaves the seats where they are: each has its par of the others.
    worse = eq.mend(game, target="seats", free="lost=25..40", settings="odd=0", games=2000, habit=True).mend
    assert worse.verdict.code == "mend_already"
    head = """format = "equipoise-baseline/1"
game = "own"
players = [3]
games = 2000

[limits]
max_seat_deviation = "12%"
"""
    with pytest.raises(
        UsageError, match=r"max_seat_deviation: nobody wins \d\d of 100 games, so no seat can win its par"
    ):
        update(choices_of(head, Path("own.toml")))


@pytest.mark.parametrize("places", ["[1, 1, 1]", "[1, 1, 1] if self.thrown > 9 else None"])
def test_all_win_or_lose_together(write, places: str) -> None:
    first = "    players = 3\n    strategies = {'first': lambda view, moves, rng: moves[0]}\n" + LEVEL
    head = ("import equipoise as eq\n", "from dataclasses import dataclass\nimport equipoise as eq\n")
    changed = ("    players = 3\n", first), head, ("self.thrown <= 11", "True"), ("return None", f"return {places}")
    spec = eq.make_spec(write(DIE, *changed), games=300)
    assert [one.code for one in judge_totals(spec, execute(spec, 1).tally)] == ["seats_together"]
    assert [one.code for one in eq.seat_advantage(spec).verdicts] == ["seats_together"]
    game = "./own.py"
    asked = {"game": game, "games": 300}
    limits = f'format = "{FORMAT}"\ngame = "own"\nplayers = [3]\ngames = 2000\n[limits]\nmax_seat_deviation = "12%"\n'
    for ask in (
        lambda: totals(SpecSource(spec)),
        lambda: eq.skill(game, games=300),
        lambda: eq.sweep(settings={"lost": [0, 30]}, **asked),
        lambda: eq.mend(game, free="lost=0..30", games=300),
        lambda: eq.luck(**asked),
        lambda: eq.playtest(plan=30, game=game, games=300),
        lambda: eq.tournament(strategies=["first", "random"], **asked),
        lambda: update(choices_of(limits, Path("b.toml"))),
    ):
        with pytest.raises(UsageError, match="in every game all won or all lost together"):
            ask()
