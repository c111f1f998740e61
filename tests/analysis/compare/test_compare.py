"""Versions of a game on the same deals: shares, paired differences, the sentence, the caution, and what else moved."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import equipoise as eq
from analysis.cards.counterfactual import counterfactual
from analysis.compare import comparing, result
from analysis.compare.comparing import Chosen, Version, compare_versions, find_versions, needs_tuning, sized
from analysis.compare.result import Comparison, cautions, judge
from analysis.compare.shares import Wins, share_differences, together, what_moved
from analysis.data.results import Verdict
from analysis.data.sources import SpecSource
from analysis.measures.quantities import cards_in
from analysis.stats.intervals import pointwise
from reports.pages.compare import measure_name
from reports.words import ENGLISH
from simcore.errors import UsageError
from simcore.game import load_game
from simcore.rules.files import load_rules
from simcore.running.batch import Spec, run_chunk
from tests.brief import compare_briefly
from tests.court import court_spec
from tests.specs import make_spec, settler
from tests.toy import TOY

COINS, MORE = "starting_coins=[20,20,20,20,20]", "starting_coins=[20,24,20,20,20]"


def compare(*versions: Any, **options: Any) -> Comparison:
    return eq.compare(*versions, **options).comparison


def shares(settings: Sequence[str] = (), games: int = 600) -> Any:
    rows = run_chunk(make_spec(strategies=["greedy"], settings=settings, games=games), 0, games)
    return rows["share60"].reshape(games, 4) / 60


@pytest.fixture
def as_users(monkeypatch: pytest.MonkeyPatch) -> None:
    """Play as many games of what else moved as users do."""
    compare_briefly(monkeypatch.setattr, 20_000, 8_000)


def test_each_seat_before_and_after_and_the_paired_difference() -> None:
    found = compare("base", strategies="greedy", settings=MORE, games=600)
    before, after = shares(), shares([MORE])
    shift = after - before
    assert found.labels == ("base", f"base with {MORE}")
    assert found.who == ("same",) and found.players == (4,)
    table = found.table
    assert table["before"].to_list() == pytest.approx(before.mean(axis=0))
    assert table["after"].to_list() == pytest.approx(after.mean(axis=0))
    assert table["difference"].to_list() == pytest.approx(shift.mean(axis=0))
    assert table["difference_se"].to_list() == pytest.approx(shift.std(axis=0, ddof=1) / np.sqrt(600))
    assert table["changed"].to_list() == pytest.approx((shift != 0).mean(axis=0))
    unpaired = before.var(axis=0, ddof=1) + after.var(axis=0, ddof=1)
    assert table["pairing_gain"].to_list() == pytest.approx(unpaired / shift.var(axis=0, ddof=1))
    assert table["paired"].all() and (table["deals"] == 600).all()
    assert (table["difference_low"] < table["difference"]).all()


def test_a_changed_number_under_the_same_players_pairs_and_different_players_do_not() -> None:
    """Four coins more for seat 2, where every seat has coins; greedy and random players share the deals alone."""
    chosen = Chosen("middle-ages", (4,), "greedy", games=1000)
    base = find_versions(["base"], chosen, [COINS])[1]
    other = find_versions(["base"], chosen, [MORE])[1]
    same = compare_versions([base, other], None)
    assert same.table["pairing_gain"].min() > 2
    stranger = replace(base, label="stranger", specs={4: make_spec(strategies=["random"], settings=[COINS])})
    assert compare_versions([base, stranger], None).table["pairing_gain"].max() < 1.3


def test_where_nothing_moves_the_interval_is_still_no_point() -> None:
    """No deal differs, and 400 deals leave room for about one in a hundred that does."""
    version = find_versions(["base"], Chosen("middle-ages", strategies="random", games=400), [MORE])[0]
    found = compare_versions([version, replace(version, label="again")], None)
    assert (found.table["difference"] == 0).all()
    assert found.table["difference_high"].to_list() == pytest.approx(found.table["difference_low"].abs().to_list())
    assert 0.005 < found.table["difference_high"][0] < 0.025
    answer, still = found.verdicts
    assert (answer.code, still.code) == ("compare_same_seats", "compare_still")
    assert ENGLISH.verdict(answer).startswith("No clear change")
    assert ENGLISH.verdict(still).startswith("No seat clearly moves: with 4 players, none gains or loses more than")
    assert found.moved_significantly(4, "again").is_empty()


def test_a_difference_that_comes_from_another_opening_is_not_put_down_to_the_rules(tmp_path: Path) -> None:
    """The rules are the same; the champions of Fief 2 settle elsewhere, and other seats win."""
    players = {"base": "champion", "otherwise": settler(tmp_path)}
    specs = {name: make_spec(strategies=[one], game="fief-2", games=400) for name, one in players.items()}
    found = compare_versions([Version(name, {4: spec}) for name, spec in specs.items()], None)
    (answer,) = found.verdicts
    assert (answer.code, answer.status) == ("compare_opening_seats", "unclear")
    assert answer.values["count"] >= 3
    assert answer.values["before"] > 0.2 and answer.values["drawn_after"] < 0.1
    told = ENGLISH.verdict(answer)
    assert told.startswith("Not clear: with 4 players, the best and the worst seat were")
    assert "So the players' openings may be the cause, and not the rules." in told


def test_players_who_open_alike_in_both_versions_are_not_played_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(result, "wins_of", None)
    versions = find_versions(["base"], Chosen("fief-2", (4,), "champion", games=200), ["start.money=600"])
    assert result.open_otherwise([version.specs[4] for version in versions]) == []
    assert not {one.code for one in compare_versions(versions, None).verdicts} & {"compare_opening_seats"}


def test_a_handful_of_deals_says_nothing() -> None:
    found = compare("base", strategies="greedy", settings=MORE, games=20)
    assert "few_deals" in [note.code for note in found.notes]
    assert found.verdict.code == "compare_few" and found.verdict.status == "unknown"


def test_a_seat_that_always_wins_on_other_deals_leaves_room_too() -> None:
    """Two runs of 100 deals with other seeds: of 3.6 % of losses in one of them nothing may have been seen."""
    won = np.tile(np.array([60, 0, 0, 0], np.int32), (100, 1))
    one, two = (Wins(make_spec(strategies=["greedy"], seed=seed), won, 100) for seed in (1, 2))
    found = share_differences(one, two, np.eye(4), 0.95)
    assert not found["paired"].any()
    assert (found["difference_low"] < -0.03).all() and (found["difference_high"] > 0.03).all()


BASE = load_rules(load_game("middle-ages"), "base")
OTHER = load_rules(load_game("middle-ages"), "gentler-barracks")


def asked(table: pl.DataFrame, apart: tuple[float, ...]) -> tuple[Verdict, ...]:
    """Return the verdicts on one version, with the distance before, after, and the ends of its change."""
    before, after, low, high = apart
    row = {"version": "new", "against": "old", "players": 4, "who": table["who"][0], "kind": "seat", "deals": 1000}
    row |= {"before": before, "after": after, "after_low": after - 0.02, "after_high": after + 0.02}
    row |= {"before_low": before - 0.02, "before_high": before + 0.02, "change_low": low, "change_high": high}
    return judge(table, pl.DataFrame([row]), {"old": BASE, "new": OTHER}, {})


@pytest.mark.parametrize(
    ("moves", "apart", "said"),
    [
        ((0.51, 0.26), (0.40, 0.03, -0.41, -0.33), "Yes: with 4 players, the best and the worst seat were 40.0 points"),
        ((0.45, 0.40), (0.26, 0.22, -0.05, -0.03), "A little: with 4 players"),
        ((0.45, 0.44), (0.26, 0.25, -0.05, 0.03), "No clear change: with 4 players"),
        ((0.30, 0.40), (0.10, 0.20, 0.05, 0.15), "No, it gets worse: with 4 players"),
        ((0.38, 0.12), (0.26, 0.25, -0.05, 0.03), "It tips the other way: with 4 players, seat 1 was too strong"),
        ((0.12, 0.38), (0.26, 0.25, -0.05, 0.03), "It tips the other way: with 4 players, seat 1 was too weak"),
        ((0.26, 0.24), (0.26, 0.25, -0.05, 0.03), "No clear change"),
    ],
)  # fmt: skip
def test_the_first_sentence_says_whether_it_helped(
    moves: tuple[float, float], apart: tuple[float, ...], said: str
) -> None:
    """A seat has crossed its par only if both of its intervals say so."""
    verdict = asked(rows(("same", 1, *moves)), apart)[0]
    assert ENGLISH.verdict(verdict).startswith(said)


def test_players_tuned_for_the_versions_answer_if_there_are_any() -> None:
    table = rows(("known", 1, 0.25, 0.26), ("known", 2, 0.40, 0.30), ("habit", 3, 0.1, 0.9))
    answer, moved = asked(table, (0.2, 0.1, -0.15, -0.05))
    assert ENGLISH.verdict(answer).endswith("among players tuned for each version.")
    assert moved.values["seat"] == 2
    assert ENGLISH.verdict(moved).startswith("Seat 2 moves most: it wins 30.0% instead of 40.0% of the games")


def test_each_end_is_judged_by_its_own_par() -> None:
    """A seat that wins .30 where .33 is fair, and then .136 where .167 is, was and is too weak."""
    weak = rows(("same", 1, 0.30, 0.136), half=0.01).with_columns(par=pl.lit(1 / 6), par_before=pl.lit(1 / 3))
    assert asked(weak, (0.05, 0.05, -0.02, 0.02))[0].code == "compare_same_seats"
    turned = weak.with_columns(par=pl.lit(0.1))
    assert asked(turned, (0.05, 0.05, -0.02, 0.02))[0].code == "compare_turned_low_seats"


def test_tuned_players_are_held_against_the_par_of_their_own_games() -> None:
    """Nobody wins some of the tuned players' games: their .20 is above what is fair there, as .28 is by habit."""
    sides = rows(("habit", 1, 0.25, 0.28), ("known", 1, 0.33, 0.20))
    tuned = pl.col("who") == "known"
    sides = sides.with_columns(difference_low=pl.lit(0.0), difference_high=pl.lit(0.0))
    own = sides.with_columns(par=pl.when(tuned).then(0.15).otherwise(0.25))
    assert list(cautions(own)) == []
    assert [note.code for note in cautions(sides)] == ["compare_sides"]


def test_only_the_sentences_need_the_par_before() -> None:
    """The tables that users read keep their columns."""
    assert "par_before" not in compare("base", strategies="greedy", settings=MORE, games=600).table.columns


def rows(*lines: tuple[str, int, float, float], half: float = 0.02) -> pl.DataFrame:
    return pl.DataFrame(
        [
            {
                "version": "new",
                "against": "old",
                "players": 4,
                "who": who,
                "kind": "seat",
                "seat": seat,
                "role": None,
                "camp": None,
                "par_before": 0.25,
                "par": 0.25,
                "before": before,
                "after": after,
                "before_low": before - half,
                "before_high": before + half,
                "after_low": after - half,
                "after_high": after + half,
                "difference": after - before,
                "difference_low": after - before - half,
                "difference_high": after - before + half,
                "deals": 1000,
            }
            for who, seat, before, after in lines
        ]
    )


def test_one_caution_where_habit_and_knowledge_surely_disagree() -> None:
    """Seat 1 as with gentler Barracks: below par by habit, above it with players who know the rule."""
    sides = rows(("habit", 1, 0.51, 0.22), ("known", 1, 0.51, 0.34), ("habit", 2, 0.2, 0.26), ("known", 2, 0.2, 0.27))
    (note,) = cautions(sides)
    assert note.code == "compare_sides" and note.values["seat"] == 1
    assert "wins 22.0% by habit and 34.0% with players who know the version, on the other side of par" in (
        ENGLISH.note(note)
    )
    (note,) = cautions(rows(("habit", 3, 0.15, 0.10), ("known", 3, 0.15, 0.20)))
    assert note.code == "compare_signs"
    for agreed in ((0.22, 0.20), (0.22, 0.26)):
        assert list(cautions(rows(("habit", 1, 0.51, agreed[0]), ("known", 1, 0.51, agreed[1])))) == []


def test_players_who_know_each_version_stand_beside_those_who_play_by_habit(monkeypatch: pytest.MonkeyPatch) -> None:
    versions = find_versions(["base", "gentler-barracks"], Chosen("middle-ages", (2,), games=200))
    asked: list[Spec] = []

    def tune(specs: Sequence[Spec], number: int) -> tuple[list[Spec], tuple[()]]:
        asked.extend(specs if number == 0 else ())
        known = make_spec(2, [("greedy", "random", "planner")[number]], rules="gentler-barracks", games=200)
        return [specs[0], known], ()

    assert needs_tuning(versions)
    found = compare_versions(versions, tune)
    assert [spec.rules.name for spec in asked] == ["base", "gentler-barracks"]
    assert found.who == ("habit", "known")
    habit, known = (found.rows(2, "gentler-barracks", who) for who in found.who)
    assert habit["before"].to_list() == known["before"].to_list()
    assert habit["after"].to_list() != known["after"].to_list()
    each = [make_spec(2, [name], rules="gentler-barracks", games=200) for name in ("greedy", "random", "planner")]
    every = [run_chunk(spec, 0, 200)["share60"].reshape(200, 2).mean(axis=0) / 60 for spec in each]
    assert known["after"].to_list() == pytest.approx(np.mean(every, axis=0)), "every deal is played by all"
    assert "compare_sized" in [note.code for note in found.notes]
    assert not any(note.code.startswith("habit_") for note in found.notes)
    monkeypatch.setattr(comparing, "TUNINGS", 2)
    points = compare_versions(versions, tune)
    said = "Fewer than three tunings do not show how much tuned players differ, so there is no range."
    assert ENGLISH.verdict(points.verdict).endswith(said) and points.verdict.status == "unknown"
    rows = points.rows(2, "gentler-barracks", "known")
    assert rows["after"].null_count() == 0 and rows["after_low"].null_count() == 2
    alone = compare_versions(versions, None)
    assert alone.who == ("habit",)
    assert "habit_known" in [note.code for note in alone.notes]


def test_columns_of_different_players_are_sized_in_advance() -> None:
    """28,800 games for half a point at 25 % is one share alone at 95 %; a difference of two needs twice as many."""
    versions = find_versions(["base", "gentler-barracks"], Chosen("middle-ages", (2,), games=28_800))
    note = sized(versions, 1 - 2 * 0.05)  # two seats: 95 % each
    assert note.values["half"] == pytest.approx(1.96 * (2 * 0.25 / 28_800) ** 0.5, rel=1e-3)
    quarter = 1.96**2 * 0.25 * 0.75 / 0.005**2
    assert quarter == pytest.approx(28_800, rel=0.01)


def test_intervals_hold_the_spread_between_tunings() -> None:
    """Tunings give seat 1 30, 34 and 32 %: the error of their mean is larger, and t(2) makes the range 3.2 times wider.

    By tables, t(2) at .00625 is 8.860: four lines at 95 % at once.  Two tunings tell too little for a range.
    """
    rng = np.random.default_rng(1)
    spec = make_spec(strategies=["greedy"])
    shares = ((0.30, 0.30, 0.20, 0.20), (0.34, 0.26, 0.22, 0.18), (0.32, 0.28, 0.21, 0.19))
    base, *several = (
        Wins(spec, np.eye(4, dtype=np.int32)[rng.choice(4, 20_000, p=part)] * 60, 20_000)
        for part in ((0.4, 0.3, 0.2, 0.1), *shares)
    )
    one, two, both = (share_differences(base, together(several[:count]), np.eye(4), 0.95) for count in (1, 2, 3))
    assert np.isnan([two["after_low"], two["after_high"], two["difference_low"]]).all()
    assert two["after"][0] == pytest.approx(0.32, abs=0.01) and not np.isnan(two["before_low"]).any()
    assert both["after"][0] == pytest.approx(0.32, abs=0.01)
    apart = np.std(np.array([wins.shares.mean(axis=0) for wins in several]), axis=0, ddof=1)
    spread = float(np.sqrt((apart**2).mean() / 3))
    assert 0.006 < spread < 0.012
    chance = together(several).shares.std(axis=0, ddof=1) / np.sqrt(20_000)
    assert both["after_se"] == pytest.approx(np.hypot(chance, spread))
    chance_alone = share_differences(base, Wins(spec, together(several).won, 60_000), np.eye(4), 0.95)
    reach = np.hypot(chance_alone["after_high"] - chance_alone["after"], 8.860 * spread)
    assert both["after_high"] - both["after"] == pytest.approx(reach, rel=1e-3)
    assert (
        both["difference_high"] - both["difference_low"] > 2 * (one["difference_high"] - one["difference_low"])
    ).all()
    assert both["before_se"] == pytest.approx(one["before_se"]), "nobody was tuned for the first version"


@pytest.mark.usefixtures("as_users")
def test_what_else_moved_comes_largest_first() -> None:
    before = make_spec(2, ["greedy"], games=1000)
    after = make_spec(2, ["greedy"], ["events.skilled_trades.coins_per_peasant=4"], games=1000)
    found = what_moved([before], [after], 0.95)
    sizes = found["size"].drop_nulls().abs().to_list()
    assert sizes == sorted(sizes, reverse=True)
    moved = found.filter(pl.col("p_holm") < 0.05)
    assert "skilled_trades" in moved.filter(pl.col("group") == "cards")["measure"]
    assert "score" in moved.filter(pl.col("group") == "course")["measure"]
    trades = moved.filter(pl.col("measure") == "skilled_trades").row(0, named=True)
    assert trades["after"] > trades["before"]
    assert trades["difference"] == pytest.approx(trades["after"] - trades["before"])
    wide = (trades["difference_high"] - trades["difference"]) / trades["difference_se"]
    assert wide == pytest.approx(pointwise(0.95, trades["deals"], len(found))), "the largest are chosen among all"
    still = found.filter(pl.col("changed") == 0)
    assert still["p"].null_count() == len(still) or (still["difference"] == 0).all()


@pytest.mark.usefixtures("as_users")
def test_what_else_moved_holds_the_differences_between_tunings() -> None:
    """Three tunings of the same rules, here two policies, which share the deals of one; two tell no range."""
    before = make_spec(2, ["greedy"], games=2000)
    other = make_spec(2, ["planner"], games=2000)
    planner = replace(before, lineup_record=other.lineup_record, strategy_tables=other.strategy_tables)
    tunings = ([before], [planner], [before, planner], [before, planner, planner])
    rows = [what_moved([before], some, 0.95) for some in tunings]
    same, known, two, three = (frame.filter(family="score").row(0, named=True) for frame in rows)
    assert same["difference"] == 0 and same["deals"] == two["deals"]
    assert two["difference"] == pytest.approx(known["difference"] / 2, rel=0.1)
    assert two["difference_low"] is two["p"] is None
    assert three["difference_se"] == pytest.approx(abs(known["difference"]) / 3, rel=0.1)
    assert three["difference_se"] > 5 * known["difference_se"]
    assert three["difference_low"] < 0 < three["difference_high"] and three["p"] > 0.05 / len(rows[3])


@pytest.mark.usefixtures("as_users")
def test_cards_of_a_game_without_a_score_are_judged_by_the_wins_of_a_camp() -> None:
    before = court_spec(3, tenants=["greedy"], games=900)
    after = court_spec(3, tenants=["greedy"], games=900, settings=["events.skilled_trades.coins_per_peasant=40"])
    found = what_moved([before], [after], 0.95)
    cards = found.filter(pl.col("group") == "cards")
    assert set(cards["of"]) == {"lord"}, "of two camps one is enough"
    assert set(cards["measure"]) == set(cards_in(SpecSource(before)))
    assert before.games_per_deal == 1
    assert cards["is_share"].all()
    assert found.filter(pl.col("group") != "cards")["of"].null_count() == len(found) - len(cards)
    trades = cards.filter(pl.col("measure") == "skilled_trades").row(0, named=True)
    assert measure_name(ENGLISH, trades) == "what skilled trades does to the wins of lord"
    effects = [counterfactual(spec, ["skilled_trades"], deals=900, threads=1).table for spec in (before, after)]
    lord = (pl.col("slot") == "all") & (pl.col("by") == "camp") & (pl.col("group") == "lord")
    assert [trades["before"], trades["after"]] == pytest.approx([frame.filter(lord)["effect"][0] for frame in effects])


def test_a_game_with_roles_has_lines_for_camps_and_names_the_camp() -> None:
    found = compare(
        "base", game=TOY, strategies={"warlord": ["bully"], "burgher": ["giver"]}, settings="walls=8", games=600
    )
    camps = found.table.filter(pl.col("kind") == "camp")
    seats = found.table.filter(pl.col("kind") == "seat")
    assert len(camps) == 2 and camps["par"].to_list() == [0.5, 0.5]
    assert seats["role"].to_list() == ["warlord", "burgher", "burgher", "burgher"]
    assert camps["difference"].sum() == pytest.approx(0, abs=1e-9)
    assert set(found.distances["kind"]) == {"camp"}
    assert found.verdict.code.endswith("_camps")
    one = camps.row(0, named=True)
    assert found.distances["before"][0] == pytest.approx(2 * abs(one["before"] - 0.5))


def test_several_versions_and_numbers_of_players() -> None:
    found = compare("base", "gentler-barracks", "seat-compensation", players=(2, 3), strategies="greedy", games=300)
    assert found.players == (2, 3)
    assert found.table.select("version", "players").unique().height == 4
    codes = [verdict.code for verdict in found.verdicts]
    assert [code.startswith("compare_fairest") for code in codes[:2]] == [True, True], "one for each number of players"
    assert len(found.distances) == 4
    assert len(found.table) == 2 * (2 + 3)


def fairest(**apart: float) -> Verdict:
    """Return the first verdict on versions with these distances, known to .02, that change 1, 1 and 2 rules."""
    settings = {"base": (), "one": ("effects.mill_coins=3",), "other": ("effects.mill_coins=1",)}
    settings |= {"two": ("effects.mill_coins=3", "effects.barracks_buries=false")}
    rules = {label: load_rules(load_game("middle-ages"), "base", some) for label, some in settings.items()}
    base = apart.pop("base")
    ends = {"before": base, "before_low": base - 0.02, "before_high": base + 0.02}
    distances = [
        {"version": label, "against": "base", "players": 4, "who": "same", "kind": "seat", "deals": 1000, **ends}
        | {"after": own, "after_low": own - 0.02, "after_high": own + 0.02, "change_low": None}
        for label, own in apart.items()
    ]
    return judge(rows(("same", 1, 0.3, 0.3)), pl.DataFrame(distances), rules, {})[0]


def test_the_smallest_change_is_one_of_the_fairest_versions() -> None:
    """What changes least is not named if it is not among the fairest, and all that change as little are."""
    tied = fairest(base=0.11, one=0.5, other=0.12, two=0.1)
    assert (tied.values["names"], tied.values["smallest"]) == (("two", "base", "other"), ("other",))
    assert ENGLISH.verdict(tied).endswith("Smallest change among them: other (1 rule).")
    both = fairest(base=0.5, one=0.12, other=0.11, two=0.1)
    assert ENGLISH.verdict(both).endswith("Smallest change among them: one and other (1 rule).")
    for best in ({"base": 0.1}, {"two": 0.1}):
        assert "Smallest" not in ENGLISH.verdict(fairest(**dict.fromkeys(("base", "one", "other", "two"), 0.5) | best))


@pytest.fixture
def runs(tmp_path: Path) -> list[Path]:
    from equipoise.cli import app, run

    folders = [tmp_path / name for name in ("old", "new", "strange")]
    options = [(), ("--set", MORE), ("--set", MORE, "--seed", "2")]
    for folder, more in zip(folders, options, strict=True):
        given = ("simulate", "--games", "400", "--strategies", "greedy", "--quiet", "--out", str(folder), *more)
        assert run(app, list(given)) == 0
    return folders


def test_runs_that_share_deals_are_paired_and_others_are_not(runs: list[Path]) -> None:
    old, new, strange = runs
    paired, apart = compare(old, new), compare(old, strange)
    assert paired.who == ("played",) and paired.table["paired"].all()
    assert paired.table["difference"].to_list() == pytest.approx((shares([MORE], 400) - shares((), 400)).mean(axis=0))
    assert not apart.table["paired"].any()
    assert "compare_unpaired" in [note.code for note in apart.notes]
    variance = apart.table["before_se"] ** 2 + apart.table["after_se"] ** 2
    assert (apart.table["difference_se"] ** 2).to_list() == pytest.approx(variance.to_list())


def test_a_run_against_a_rule_set_is_played_as_the_run_was(runs: list[Path]) -> None:
    found = compare(runs[0], "gentler-barracks")
    expected = run_chunk(make_spec(strategies=["greedy"], rules="gentler-barracks", games=400), 0, 400)
    assert found.table["after"].to_list() == pytest.approx((expected["share60"].reshape(400, 4) / 60).mean(axis=0))
    assert found.table["paired"].all()


@pytest.mark.parametrize(
    ("references", "settings", "told"),
    [
        (["base"], [], "settings: there is one version"),
        (["base", "gentler-barracks"], ["effects.mill_coins=3"], "settings: changes one version"),
        (["base", "base"], [], "have the same rules"),
        (["base", "gentler-baracks"], [], "did you mean 'gentler-barracks'?"),
        (["base", "no/such.toml"], [], "no such file"),
        (["base"] * 9, [], "the maximum is 8"),
        (["base"], ["effects.mill_coin=3"], "mill_coins"),
    ],
)
def test_versions_that_cannot_be_compared_are_one_line(references: list[str], settings: list[str], told: str) -> None:
    with pytest.raises(UsageError) as caught:
        find_versions(references, Chosen("middle-ages"), settings)
    assert told in str(caught.value) and "\n" not in str(caught.value)


def test_the_result_reads_well(runs: list[Path]) -> None:
    found = compare(*runs[:2])
    assert isinstance(found, Comparison)
    assert ENGLISH.describe(found).startswith(("Yes", "No", "A little", "It tips the other way"))
