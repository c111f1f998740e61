"""Tuning one role of a game with several: who sits where, what is measured, who is crowned, and that it helps."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from simcore.errors import UsageError
from simcore.game import load_game
from simcore.running.batch import run_chunk
from strategies.library import load_strategy
from strategies.spec import make_spec
from strategies.tuning import Budget, Journal, Plan, Status, make_plan, search, tune
from strategies.tuning.search import Arena, Field, margins
from tests.brief import tune_briefly
from tests.court import court_spec
from tests.toy import TOY

CLUMSY = 'format = "equipoise-strategy/1"\ngame = "siege"\nname = "clumsy"\ntitle = "Clumsy"\npolicy = "give"\n'
CLUMSY += "[weights]\nleft = -1\n"


def plan(role: str | None = "burgher", **changes: Any) -> Plan:
    return make_plan(TOY, **({"players": [4], "population": 6, "games": 60, "role": role} | changes))


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    tune_briefly(monkeypatch.setattr, 600, (-8, 8))
    monkeypatch.setattr(search, "SEASON", 2)


def name_of(seat: object) -> str:
    return "candidate" if isinstance(seat, int) else seat.name


def test_candidates_sit_in_seats_of_their_role_alone() -> None:
    burgher = Field(plan(players=[3, 5], games=960))
    for table in burgher.generation(0, 6):
        first, *rest = map(name_of, table.seats)
        assert first == "schemer"
        assert set(rest) <= {"candidate", "steward"} and "candidate" in rest
    warlord = Field(plan("warlord", players=[3, 5], against=["burgher=giver", "burgher=warden"]))
    seen = set()
    for table in warlord.generation(0, 6):
        first, *rest = map(name_of, table.seats)
        assert first == "candidate"
        assert len(set(rest)) == 1, "one strategy plays all seats of a role that is held"
        seen |= set(rest)
    assert seen == {"giver", "warden"}


def test_all_candidates_meet_the_same_players_of_the_other_roles() -> None:
    field = Field(plan(against={"warlord": ["bully", "schemer", "random"]}, games=960))
    for number in range(3):
        tables = field.generation(number, 6)
        met = [
            [(name_of(table.seats[0]), table.first, table.deals) for table in tables if candidate in table.seats]
            for candidate in range(6)
        ]
        assert all(some == met[0] for some in met)
    assert {name_of(table.seats[0]) for table in field.against(1, field.rivals(), 600)} == {
        "bully",
        "schemer",
        "random",
    }


@pytest.mark.parametrize("role", ["warlord", "burgher"])
def test_wins_are_counted_in_shares_of_the_par_of_the_role(role: str) -> None:
    small = plan(role, against=["warlord=bully"] if role == "burgher" else ["burgher=giver"])
    line = ["bully", "steward", "giver", "giver"] if role == "burgher" else ["schemer", "giver", "giver", "giver"]
    spec = make_spec(TOY, 4, line, seed=99, games=300)
    rows = run_chunk(spec, 0, 300)
    entry, par = (1, 1 / 6) if role == "burgher" else (0, 1 / 2)
    mine = rows[rows["strategy"] == entry]["share840"].reshape(-1, spec.games_per_deal).mean(axis=1) / 840
    field = Field(small)
    held = field.ways[0]
    own = (0, load_strategy(load_game(TOY), "giver"), load_strategy(load_game(TOY), "giver"))
    table = field.one(4, 0, own[1:] if role == "burgher" else (), 0, len(mine), held)
    with Arena(small, 2) as arena:
        means = arena.means(small.weights[None], [table], 99)
        share = arena.share(small.weights, [table], 99)
    assert means == pytest.approx([mine.mean() / par])
    assert (share.mean, share.of_par) == (pytest.approx(mine.mean()), pytest.approx(mine.mean() / par))


@pytest.mark.usefixtures("quick")
def test_who_does_better_than_the_champion_is_crowned_also_below_par(tmp_path: Path) -> None:
    path = tmp_path / "clumsy.toml"
    path.write_text(CLUMSY, encoding="utf-8")
    small = plan(start=path, population=12, games=240)
    stands: list[Status] = []
    found = tune(small, Budget(generations=8), 2, Journal(None, small.describe()), stands.append)
    assert found.crowned > 0
    assert all(status.of_par < 1 for status in stands if status.of_par is not None)
    assert found.strategy.role == "burgher"
    with Arena(small, 2) as arena:
        field = Field(small)
        tables = field.against(2, [small.start], 1200)
        before, after = arena.means(np.array([small.weights, small.weights_of(found.strategy)]), tables, 31)
    assert after > before + 0.01


@pytest.mark.usefixtures("quick")
def test_a_role_of_one_seat_is_tuned_without_anybody_being_crowned() -> None:
    small = plan("warlord")
    assert not small.self_play
    found = tune(small, Budget(generations=3), 2, Journal(None, small.describe()))
    assert found.crowned == 0
    assert [(other.role, other.name) for other, _ in found.scores] == [("burgher", "steward")]
    share = found.scores[0][1]
    assert share.par == 1 / 2
    assert share.of_par == pytest.approx(2 * share.mean)


def test_a_game_without_a_score_follows_wins(tmp_path: Path) -> None:
    path = tmp_path / "journal"
    small = plan("warlord")
    tune(small, Budget(generations=1), 2, Journal(path, small.describe()))
    assert '"step":"steps"' in path.read_text(encoding="utf-8")
    assert '"step":"width"' not in path.read_text(encoding="utf-8")


def test_a_journal_of_another_role_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "journal"
    Journal(path, plan("warlord").describe())
    with pytest.raises(UsageError, match="belongs to a tuning with another 'role'"):
        Journal(path, plan("burgher").describe())
    path.unlink()
    Journal(path, plan("burgher").describe())
    with pytest.raises(UsageError, match="belongs to a tuning with another 'held'"):
        Journal(path, plan("burgher", against=["warlord=bully"]).describe())


@pytest.mark.parametrize(
    ("role", "changes", "told"),
    [
        (None, {}, "role: Siege has several roles; name one: warlord, burgher"),
        ("warlrod", {}, "role: Siege has no role 'warlrod'; did you mean 'warlord'?"),
        ("warlord", {"against": ["warlord=bully"]}, "against: nobody else plays the role 'warlord'"),
        ("warlord", {"against": ["random"]}, "against: 'random' can play every role; write warlord=random or"),
        ("burgher", {"against": ["warlord=giver"]}, "against: 'giver' plays the role 'burgher', not 'warlord'"),
        ("burgher", {"against": ["warlord=self"]}, "against: 'self' is the role that is tuned, 'burgher'"),
        ("burgher", {"against": {"lord": ["bully"]}}, "against: Siege has no role 'lord'"),
        ("burgher", {"start": "schemer"}, "start_from: 'schemer' plays the role 'warlord', not 'burgher'"),
        ("burgher", {"start": "warlord=schemer"}, "start_from: names no strategy for the role that is tuned"),
        ("burgher", {"start": "giver"}, "start_from: 'giver' plays 'giver', which reads no weights"),
    ],
)
def test_a_role_that_cannot_be_tuned_so_is_refused_in_one_line(
    role: str | None, changes: dict[str, Any], told: str
) -> None:
    with pytest.raises(UsageError) as caught:
        plan(role, **changes)
    assert told in str(caught.value)
    assert "\n" not in str(caught.value)


def test_names_without_a_role_stand_for_the_role_that_they_can_play() -> None:
    found = plan(against=["bully", "giver", "self"])
    assert [one.name for one in found.held["warlord"]] == ["bully"]
    assert ([one.name for one in found.opponents], found.self_play) == (["giver"], True)
    assert found.named.against == "warlord=bully,burgher=giver,burgher=self"


def test_margins_are_over_the_best_seat_of_the_other_camps() -> None:
    """The tenants win together: the lord meets the best of them, and each of them meets the lord alone."""
    spec = court_spec(4, score="coins")
    rows = run_chunk(spec, 0, 2)
    rows["coins"] = [10, 30, 20, 5, 8, 1, 2, 3]
    assert margins(spec, rows).tolist() == [-20, 20, 10, -5, 5, -7, -6, -5]
