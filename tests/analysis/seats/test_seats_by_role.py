"""Seats with roles: camp against camp, and the seats of a role among each other."""

from __future__ import annotations

import json

import numpy as np
import polars as pl
import pytest

from analysis.seats.advantage import seat_advantage
from analysis.seats.by_skill import seats_by_skill
from analysis.seats.shares import camp_shares, judge_totals, role_shares, seat_shares, strategy_shares
from equipoise.api.simulation import Simulation
from equipoise.output.summary import show
from reports.words import ENGLISH
from simcore.running.executors import execute
from simcore.running.tally import Tally
from tests.analysis.made import Made
from tests.court import court_spec

GAMES = 6_000


def made(chances: tuple[float, ...], games: int = GAMES, design: str = "fixed", **line: object) -> Made:
    """Return games at court with known chances by seat."""
    winner = np.random.default_rng(1).choice(len(chances), games, p=chances)
    share = 60 * (winner[:, None] == np.arange(len(chances)))
    spec = court_spec(len(chances), games=games, design=design, **line)
    return Made({"share60": share, "strategy": np.zeros_like(share)}, spec)


def joint(lord: float, games: int = GAMES) -> Made:
    """Return games in which all three tenants share the win, unequally: 30, 20 and 10 sixtieths."""
    lost = np.random.default_rng(2).random(games) < lord
    share = np.where(lost[:, None], [60, 0, 0, 0], [0, 30, 20, 10])
    return Made({"share60": share, "strategy": np.zeros_like(share)}, court_spec(4, games=games))


def test_the_first_verdict_is_camp_against_camp() -> None:
    found = seat_advantage(made((0.6, 0.14, 0.13, 0.13)))
    assert found.verdict.code == "camps_tilted_high"
    assert found.verdict.values["camp"] == "Lord"
    assert found.verdict.values["par"] == 0.4
    assert [verdict.code for verdict in found.verdicts[1:]] == ["role_seats_fair"]


def test_the_seats_of_a_role_are_judged_whatever_its_camp_wins() -> None:
    """The tenants win too little, and among them the first wins more than its third."""
    found = seat_advantage(made((0.6, 0.24, 0.08, 0.08)))
    assert [verdict.code for verdict in found.verdicts] == ["camps_tilted_high", "role_seats_tilted_high"]
    assert found.verdicts[1].values["seat"] == 2
    assert found.verdicts[1].values["share"] == pytest.approx(0.24 - 0.4 / 3, abs=0.02)
    edge = found.table["edge"].to_list()
    assert edge[0] is None
    assert sum(edge[1:]) == pytest.approx(0)


def test_camps_at_par_are_fair_though_seats_are_not_equal() -> None:
    """40 % for the lord is par, though four equal seats would have 25 % each."""
    found = seat_advantage(made((0.4, 0.2, 0.2, 0.2)))
    assert [verdict.code for verdict in found.verdicts] == ["camps_fair", "role_seats_fair"]
    assert found.table["par"].to_list() == pytest.approx([0.4, 0.2, 0.2, 0.2])
    assert found.table["par_normalised"].to_list() == pytest.approx([1, 1, 1, 1], abs=0.1)


def test_unequal_shares_of_a_joint_win_are_kept() -> None:
    found = seat_advantage(joint(0.4))
    assert found.camps is not None
    village = found.camps.filter(pl.col("camp") == "village").row(0, named=True)
    lord = found.camps.filter(pl.col("camp") == "lord").row(0, named=True)
    assert lord["share"] + village["share"] == pytest.approx(1)
    assert lord["share_se"] == pytest.approx(np.sqrt(lord["share"] * village["share"] / (GAMES - 1)), rel=1e-3)
    shares = found.table["share"].to_list()
    assert shares[1:] == pytest.approx([village["share"] * part for part in (1 / 2, 1 / 3, 1 / 6)])


def test_different_roles_do_not_confound() -> None:
    """A lord and tenants play different strategies and never change seats; that is no reason to run it again."""
    found = seat_advantage(made((0.4, 0.2, 0.2, 0.2), lord="greedy", tenants=("random",)))
    assert "confounded" not in {note.code for note in found.notes}


def test_different_tenants_who_never_move_are_confounded_and_camps_are_not() -> None:
    source = made((0.4, 0.2, 0.2, 0.2), tenants=("greedy", "random", "random"))
    assert [verdict.code for verdict in seat_advantage(source).verdicts] == ["camps_fair", "role_seats_confounded"]


def test_intervals_of_all_camps_hold_at_once() -> None:
    """Two camps' shares sum to one, so that both intervals are those of one share: 1.96 errors."""
    found = seat_advantage(made((0.4, 0.2, 0.2, 0.2)))
    assert found.camps is not None
    row = found.camps.row(0, named=True)
    half = (row["share_high"] - row["share_low"]) / 2
    assert half / row["share_se"] == pytest.approx(1.96, abs=0.02)


def test_a_camp_that_never_wins_has_an_interval() -> None:
    """No win in 6,000 games, both camps at once: 1 - (.05 / 4) ** (1 / 6000) at most (Clopper and Pearson 1934)."""
    found = seat_advantage(joint(0.0))
    assert found.camps is not None
    lord = found.camps.row(0, named=True)
    assert lord["share"] == lord["share_low"] == 0
    assert lord["share_high"] == pytest.approx(1 - (0.05 / 4) ** (1 / GAMES))
    assert found.verdict.code == "camps_tilted_high"
    assert found.verdicts[1].code == "role_seats_tilted_high"


def test_skill_moves_camps() -> None:
    found = seats_by_skill([made((0.4, 0.2, 0.2, 0.2)), made((0.6, 0.14, 0.13, 0.13))], ["weak", "strong"])
    assert found.verdict.code == "skill_camps_wider"


def test_the_terminal_has_the_margin_of_the_report_where_nobody_wins_some_games() -> None:
    """Nobody wins half of the games: a tenant's par is .1 of all, and its margin 12 % of that."""
    spec = court_spec(4, games=40_000, design="fixed")
    winner = np.random.default_rng(1).choice(5, 40_000, p=(0.2, 0.115, 0.0925, 0.0925, 0.5))
    share = 60 * (winner[:, None] == np.arange(4))
    rows, tally = np.zeros(share.size, spec.game.row_dtype), Tally(spec)
    rows["share60"] = share.ravel()
    tally.add(rows)
    report = seat_advantage(Made({"share60": share, "strategy": np.zeros_like(share)}, spec)).verdicts[1]
    terminal = judge_totals(spec, tally)[1]
    assert (terminal.code, terminal.values["seat"]) == (report.code, report.values["seat"])
    for verdict in (terminal, report):
        assert verdict.lines is not None
        assert verdict.lines.room == pytest.approx(0.12 * 0.2 * (winner < 4).mean())


def test_the_terminal_says_the_same(capsys: pytest.CaptureFixture[str]) -> None:
    spec = court_spec(4, "greedy", ("greedy", "random", "random"), games=3_000)
    result = execute(spec, 1)
    found = seat_advantage(spec)
    assert found.camps is not None
    told = camp_shares(spec, result.tally).estimates
    assert [item.share for item in told] == pytest.approx(found.camps["share"].to_list())
    assert [item.half_width for item in told] == pytest.approx(
        ((found.camps["share_high"] - found.camps["share_low"]) / 2).to_list(), rel=1e-3
    )
    tenants = role_shares(spec, result.tally, "tenant").estimates
    assert [item.share - item.par for item in tenants] == pytest.approx(found.table["edge"].to_list()[1:])
    assert [item.role for item in seat_shares(spec, result.tally).estimates] == ["lord", *["tenant"] * 3]
    by_strategy = strategy_shares(spec, result.tally).estimates
    assert [(item.role, item.name) for item in by_strategy] == [
        ("lord", "greedy"),
        ("tenant", "greedy"),
        ("tenant", "random"),
    ]
    assert [item.par for item in by_strategy] == pytest.approx([0.4, 0.2, 0.4])
    simulated = Simulation(spec, result, 1.0, None)
    summary = simulated.to_dict()
    assert [item["name"] for item in summary["camps"]] == ["lord", "village"]
    assert [item["role"] for item in summary["by_strategy"]] == ["lord", "tenant", "tenant"]
    assert all(item["mean_score"] is None for item in json.loads(json.dumps(summary))["seats"])
    show(simulated)
    printed = capsys.readouterr().out
    assert "Lord greedy against Tenant greedy and" in printed
    assert "mean" not in printed
    sentences = [item["text"] for item in summary["verdicts"]]
    assert sentences[0] == ENGLISH.verdict(found.verdict)
    assert sentences[1].startswith("Tenant: this table hides what a seat is worth")
    assert all(" ".join(text.split()) in " ".join(printed.split()) for text in sentences)
