"""What restrictions cost: paired on the same deals, told by another road, and honest where nothing moves."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import polars as pl
import pytest

from analysis.data.results import Note
from analysis.restricted_play import Restricted, _verdicts, restricted
from reports.words import ENGLISH
from simcore.errors import UsageError
from simcore.game import load_game
from simcore.rules.files import load_rules
from simcore.running.batch import run_chunk
from strategies.library import load_strategy
from strategies.restrictions import find_restrictions, restrictions_of
from strategies.spec import assemble_spec

GAME = load_game("middle-ages")
RULES = load_rules(GAME)
NAMES = ("rampart", "scout", "foresight", "foresight:earthquake")
DEALS = 300


def cost(names: tuple[str, ...] = NAMES, deals: int = DEALS, threads: int = 1, against: str = "planner") -> Restricted:
    planner, others = load_strategy(GAME, "planner"), load_strategy(GAME, against)
    forbidden = find_restrictions("middle-ages", RULES.values, names, "--forbid")
    return restricted(GAME, planner, others, RULES, forbidden, 3, deals, seed=5, threads=threads)


@pytest.fixture(scope="module")
def result() -> Restricted:
    return cost()


def test_cost_is_the_mean_paired_difference(result: Restricted) -> None:
    """Counted from the rows of two runs."""
    planner = load_strategy(GAME, "planner")

    def outcomes(*forbids: str) -> tuple[np.ndarray, np.ndarray]:
        hero = replace(planner, name="hero", forbids=forbids)
        rows = run_chunk(assemble_spec(GAME, 3, [hero, planner, planner], RULES, 5, "rotate", 3 * DEALS), 0, 3 * DEALS)
        mine = rows[rows["strategy"] == 0]
        return mine["share60"].reshape(-1, 3).mean(axis=1) / 60, mine["coins"].reshape(-1, 3).mean(axis=1)

    (share, coins), (without, poorer) = outcomes(), outcomes("scout")
    row = result.table.row(by_predicate=pl.col("restriction") == "scout", named=True)
    gap = share - without
    assert row["cost"] == pytest.approx(gap.mean())
    assert row["cost_se"] == pytest.approx(gap.std(ddof=1) / np.sqrt(DEALS))
    assert row["score_cost"] == pytest.approx((coins - poorer).mean())
    assert row["share"] == pytest.approx(without.mean())
    assert row["moved"] == (gap != 0).sum()


def test_among_equals_the_free_player_wins_par(result: Restricted) -> None:
    assert result.share == pytest.approx(1 / 3)


def test_intervals_hold_for_all_at_once(result: Restricted) -> None:
    """Wider than one alone would be, by the constant of three correlated differences at most that of Bonferroni."""
    row = result.table.row(by_predicate=pl.col("restriction") == "scout", named=True)
    constant = (row["cost_high"] - row["cost"]) / row["cost_se"]
    assert 1.98 < constant < 2.43  # t with 299 degrees of freedom at .05, and at .05 / 3


def test_what_changes_nothing_has_no_interval_and_is_named(result: Restricted) -> None:
    """The planner weighs nothing that an earthquake does."""
    row = result.table.row(by_predicate=pl.col("restriction") == "foresight:earthquake", named=True)
    assert (row["moved"], row["changed"], row["cost"], row["p"]) == (0, 0, 0, 1)
    assert row["cost_low"] is None
    assert result.notes == (Note("idle_restrictions", {"names": ("foresight:earthquake",)}),)


def test_what_moves_the_score_alone_is_not_said_to_change_nothing() -> None:
    """Of a few deals, the winners stay where the champion does not foresee one Event, and its coins do not."""
    champion = load_strategy(GAME, "champion")
    names = [name for name in restrictions_of("middle-ages", RULES.values) if name.startswith("foresight:")]
    forbidden = find_restrictions("middle-ages", RULES.values, names, "--forbid")
    result = restricted(GAME, champion, champion, RULES, forbidden, 2, 10, seed=1, threads=1)
    same = result.table.filter((pl.col("changed") == 0) & (pl.col("cost") == 0))
    moved = same.filter(pl.col("score_cost") != 0)["restriction"].to_list()
    (idle,) = [set(note.values["names"]) for note in result.notes if note.code == "idle_restrictions"]
    assert moved and not idle & set(moved)
    assert idle and idle <= set(same["restriction"])


def test_verdicts(result: Restricted) -> None:
    assert [verdict.code for verdict in result.verdicts] == ["restrict_dearest", "restrict_count"]
    """Rampart costs most here, but with so few deals not surely more than the Scout."""
    rows = {row["restriction"]: row for row in result.table.to_dicts()}
    first, second = rows["rampart"], rows["scout"]
    assert 0 < first["cost"] - second["cost"] < 2 * math.hypot(first["cost_se"], second["cost_se"])
    assert ENGLISH.verdict(result.verdict).startswith(
        "The most costly restriction for planner: rampart and scout. If rampart is forbidden, the player wins"
    )
    assert result.table["cost"].is_sorted(descending=True)


def test_a_restriction_without_an_interval_may_be_the_most_costly() -> None:
    """Of 60 deals, one restriction lost 28 and has no interval; another lost 12 of the 40 that it moved."""
    rows = {"restriction": ["cards", "favour", "mill"], "deals": 60, "moved": [28, 40, 0], "share": [0.1, 0.3, 0.5]}
    costs = {"cost": [0.4, 0.2, 0.0], "cost_se": [0.06, 0.06, 0.0]}
    ends = {"cost_low": [None, 0.05, None], "cost_high": [None, 0.35, None]}
    said = _verdicts(pl.DataFrame(rows | costs | ends), "payer", 0.5, 60, 0.95, "")
    text = ENGLISH.verdict(said[0])
    assert text.startswith("The most costly restriction for payer: cards")
    assert "If favour is forbidden, the player wins 30.0% instead of 50.0%" in text


def test_a_player_who_plays_by_habit_is_called_by_its_name() -> None:
    rules, champion = load_rules(GAME, "base", "effects.mill_coins=3"), load_strategy(GAME, "champion")
    forbidden = find_restrictions("middle-ages", rules.values, ("mill",), "--forbid")
    notes = restricted(GAME, champion, champion, rules, forbidden, 3, 30, seed=5, threads=1).notes
    told = {note.code: note.values["strategy"] for note in notes if note.code.startswith("habit")}
    assert told == {"habit_known": "champion", "habit_instead": "adaptive"}


def test_threads_change_nothing(result: Restricted) -> None:
    assert cost(threads=3).table.equals(result.table)


def test_beside_weaker_players() -> None:
    found = cost(("mill",), 40, against="random")
    assert found.share > 0.8
    assert found.strategy == "planner"
    assert found.others == "random"


def test_where_the_fewest_points_win_points_gained_are_lost(result: Restricted) -> None:
    forbidden = find_restrictions("middle-ages", RULES.values, NAMES, "--forbid")
    planner = load_strategy(GAME, "planner")
    golf = replace(GAME, lowest_wins=True)
    found = restricted(golf, planner, planner, RULES, forbidden, 3, DEALS, seed=5, threads=1).table
    both = result.table.join(found, on="restriction", suffix="_golf")
    assert both["score"].to_list() == both["score_golf"].to_list() and both["score_cost"].abs().max() > 0
    assert both["score_cost"].to_list() == (-both["score_cost_golf"]).to_list()


def test_too_few_deals() -> None:
    found = cost(("rampart",), 5)
    assert found.verdict.status == "unknown"
    assert found.notes[0] == Note("few_deals", {"deals": 5, "least": 30})


def test_everything_that_can_be_forbidden_is_declared() -> None:
    """Eight Domains, five effects, the foresight of all Events and of each of the fifteen."""
    kinds = [one.kind for one in restrictions_of("middle-ages", RULES.values).values()]
    assert [kinds.count(kind) for kind in ("avoids", "forgoes", "unseen")] == [8, 5, 16]


def test_nothing_forbidden() -> None:
    with pytest.raises(UsageError, match="nothing is forbidden"):
        cost(())
