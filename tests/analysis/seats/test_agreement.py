"""What another level of play says to a verdict: agreement, contradiction, and what too few games cannot tell."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from analysis.data.results import Verdict
from analysis.seats.agreement import Agreement, agreement, band, counterpart
from analysis.seats.levels import LevelTable
from analysis.seats.shares import Lines, judge_lines
from analysis.stats.intervals import max_t
from analysis.stats.margin import as_margin
from tests.analysis.levels import answers, as_printed, judged, one_off, sure, two_off

HIGH, LOW, EVEN = sure(one_off(4, 1.35)), sure(one_off(4, 0.7)), sure([1.0] * 4)


def seen(*times: float, games: int = 400) -> Verdict:
    """Return the verdict on shares in multiples of par."""
    return judged(np.array(times) / len(times), games)


@pytest.mark.parametrize(
    ("verdict", "other", "says"),
    [
        (HIGH, seen(1.5, 0.8, 0.9, 0.8), "same"),
        (HIGH, seen(1.2, 1.0, 0.9, 0.9), "few"),
        (HIGH, seen(1.4, 1.45, 0.6, 0.55), "several"),
        (HIGH, seen(1.0, 1.7, 0.7, 0.6), "other"),
        (HIGH, seen(0.6, 1.2, 1.1, 1.1), "opposite"),
        (HIGH, seen(1.05, 0.95, 1.0, 1.0, games=10_000), "fair"),
        (HIGH, seen(1.15, 1.15, 1.2, 0.5), "other"),
        (LOW, seen(0.6, 1.1, 1.1, 1.2), "same"),
        (LOW, seen(0.62, 0.58, 1.4, 1.4), "several"),
        (LOW, seen(1.1, 0.5, 1.2, 1.2), "other"),
        (LOW, seen(1.7, 0.7, 0.8, 0.8), "opposite"),
        (HIGH, seen(0.9, 1.05, 1.0, 1.05, games=1_000), "refuted"),
        (LOW, seen(0.9, 1.0, 1.05, 1.05), "few"),
        (EVEN, seen(1.05, 0.95, 1.0, 1.0, games=10_000), "same"),
        (EVEN, seen(1.5, 0.8, 0.9, 0.8), "tilted"),
        (EVEN, seen(1.2, 1.0, 0.9, 0.9), "few"),
        (seen(1.2, 1.0, 0.9, 0.9), HIGH, "few"),
        (HIGH, seen(1.5, 0.8, 0.9, 0.8, games=10), "few"),
        (HIGH, Verdict("seats_hidden", "unknown"), "few"),
        (HIGH, None, "few"),
    ],
)
def test_answers(verdict: Verdict, other: Verdict | None, says: str) -> None:
    found = agreement(verdict, other)
    assert found.says == says
    assert found.contradicts == (says in ("other", "opposite", "refuted", "fair", "tilted"))


def test_several_are_named_with_the_likeliest_first_and_the_other_seat_with_its_share() -> None:
    assert agreement(HIGH, seen(1.4, 1.45, 0.6, 0.55)).values == {"which": ("2", "1")}
    other = agreement(HIGH, seen(1.0, 1.7, 0.7, 0.6)).values
    assert (other["seat"], other["share"]) == (2, pytest.approx(0.425))
    opposite = agreement(HIGH, seen(0.6, 1.2, 1.1, 1.1)).values
    assert (opposite["seat"], opposite["share"]) == (1, pytest.approx(0.15))


def test_a_seat_that_both_find_too_weak_is_no_other_seat() -> None:
    """The verdict names the seat that is too strong first; few games show only the one that is too weak."""
    shares = 1.3, 1.2, 1.1, 0.4
    assert sure(shares).values["seat"] == 1
    assert seen(1.2, 1.2, 1.1, 0.5).values["seat"] == 4
    assert agreement(sure(shares), seen(1.2, 1.2, 1.1, 0.5)).says == "few"


@pytest.mark.parametrize(("players", "games", "power"), [(4, 400, 93), (5, 400, 79), (6, 400, 61), (6, 1000, 98)])
def test_too_few_games_say_how_often_they_find_half_as_much_again(players: int, games: int, power: float) -> None:
    """The figures are those of 20,000 simulated runs with ranges of standard errors."""
    few = agreement(sure(one_off(players, 1.6)), seen(*one_off(players, 1.05), games=games))
    assert (few.says, 100 * few.values["power"]) == ("few", pytest.approx(power, abs=4))


@pytest.mark.parametrize(("margin", "says"), [("12%", "few"), ("30%", "fair"), ("8pp", "fair")])
def test_what_is_stored_is_judged_by_the_margin_of_the_verdict_that_it_answers(margin: str, says: str) -> None:
    """Among 1,000 games of players who look ahead, no seat's range reaches 30 % from par, 1/4; 12 % is within some."""
    by, par = as_margin(margin), np.full(4, 0.25)
    share = np.array([0.25, 0.28, 0.24, 0.23])
    se = np.sqrt(share * (1 - share) / 999)
    ends = dict(zip(("low", "high"), as_printed(share, 1_000, max_t(4)), strict=True))
    columns = {"par": par, "share": share, "se": se, **ends}
    stored = LevelTable(
        players=4, skill="search", strategies=[], games=1_000, **{name: own.tolist() for name, own in columns.items()}
    )
    lines = sure(one_off(4, 1.6)).lines
    assert lines is not None
    verdict = judge_lines("seats", replace(lines, room=by.at(par)), 10_000_000, {"part": by.part(par)})
    assert (verdict.status, agreement(verdict, stored.verdict(verdict)).says) == ("tilted", says)
    without = replace(verdict, lines=None)
    assert stored.verdict(without).status == stored.verdict(verdict).status


def test_camps_and_seats_of_a_role_are_compared_with_their_like() -> None:
    camps, tenants = (Verdict("camps_fair", "fair", more) for more in ({}, {"role": "Tenant"}))
    assert counterpart(camps, (camps, tenants)) is camps
    assert counterpart(tenants, (camps, tenants)) is tenants
    assert counterpart(tenants, (camps,)) is None


def edges(edge: float, half: float) -> Verdict:
    """Return the verdict on the seats of a role: what the first wins more than its part, and the second less."""
    share, par = np.array([edge, -edge]), np.zeros(2)
    lines = Lines([{"seat": 2}, {"seat": 3}], share, np.full(2, half / 2), share - half, share + half, par, par + 0.02)
    return judge_lines("role_seats", lines, 400, {"role": "Tenant"})


@pytest.mark.parametrize(("edge", "says"), [(0.06, "same"), (0.03, "few"), (-0.04, "opposite")])
def test_seats_of_a_role_are_compared_by_what_they_win_beyond_their_part(edge: float, says: str) -> None:
    found = agreement(edges(0.06, 0.01), edges(edge, 0.03))
    assert found.says == says
    assert says != "few" or found == Agreement("few"), "there is no par of which 1.5 times could be found"


@pytest.mark.parametrize(("players", "games"), [(2, 200), (2, 400), (2, 1_000), (4, 400), (4, 1_000)])
def test_what_is_fair_by_the_margin_does_not_agree(players: int, games: int) -> None:
    said = answers(sure(one_off(players, 1.6)), one_off(players, 1.1), games, 3_000, seed=2)
    assert said.get("same", 0) + said.get("several", 0) <= 1.5


@pytest.mark.parametrize(
    "truth", [(1.35, 0.65), one_off(4, 1.35), one_off(6, 1.2), (1.3, 1.3, 0.7, 0.7), (1.3, 1.2, 1.1, 0.4)], ids=str
)
def test_the_same_tilt_is_not_contradicted(truth: tuple[float, ...]) -> None:
    """Seats that are equally strong contradict nothing, and one that both find too weak is not held against them."""
    said = answers(sure(truth), truth, 400, 2_000, seed=3)
    assert sum(said.get(name, 0) for name in ("other", "opposite", "refuted", "fair")) <= 1


@pytest.mark.parametrize("truth", [(1.22, 1.22, 0.78, 0.78), (1.25, 1.2, 0.75, 0.8)], ids=str)
def test_a_tilt_that_few_games_do_not_show_is_not_denied(truth: tuple[float, ...]) -> None:
    """Neither level is sure of the second seat: 1,000 games of each."""
    said = {"n": 0.0}
    for seed in range(20):
        first = judged(np.random.default_rng(seed).multinomial(1_000, np.array(truth) / 4) / 1_000, 1_000)
        if first.status == "tilted":
            said["n"] += 1
            for name, part in answers(first, truth, 1_000, 100, seed=seed).items():
                said[name] = said.get(name, 0) + part
    contradicted = sum(said.get(name, 0) for name in ("other", "opposite", "refuted", "fair"))
    assert said["n"] >= 5 and contradicted / said["n"] <= 1.5


@pytest.mark.parametrize("games", [400, 1_000])
def test_the_seat_is_not_confirmed_where_another_one_is_best(games: int) -> None:
    assert answers(HIGH, two_off(4), games, 2_000, seed=4).get("same", 0) <= 5.5


def test_the_margin_is_the_verdict_s_own() -> None:
    wide = judged(np.array([0.33, 0.23, 0.22, 0.22]), 4_000)
    assert wide.lines is not None
    assert agreement(HIGH, wide).says == "same"
    loose = Lines(
        *(getattr(wide.lines, name) for name in ("labels", "share", "se", "low", "high", "par")), wide.lines.room * 4
    )
    assert agreement(HIGH, judge_lines("seats", loose, 4_000, {})).says == "fair"


CHAMPION, REGENT = (0.875, 0.935, 0.995, 1.085, 1.11), (0.595, 0.81, 0.905, 1.22, 1.47)
"""Times par at 5 players of Médiévallons: 17.5 to 22.2 % of 6,000 games, and 11.9 to 29.4 % (truth.md, part 3)."""


def test_nearly_equal_players_who_differ_have_a_band_and_not_the_verdict_of_one_of_them() -> None:
    unclear, tilted = seen(*CHAMPION, games=6_000), seen(*REGENT, games=6_000)
    assert (unclear.status, tilted.status) == ("unclear", "tilted")
    whole = band("champion", unclear, {"regent": tilted})
    assert (whole.code, whole.status, whole.values["seat"]) == ("seats_band", "unclear", 5)
    ends = [whole.values[name] for name in ("weak", "fewest", "strong", "best", "fair")]
    assert ends == ["champion", pytest.approx(22.2), "regent", pytest.approx(29.4), pytest.approx(20)]
    assert band("regent", tilted, {"champion": unclear}).code == "seats_band"
    assert agreement(whole, seen(1.5, 0.9, 0.9, 0.9, 0.8)).says == "few", "there is no verdict to answer"


@pytest.mark.parametrize(
    ("own", "peer"),
    [
        (seen(0.636, 0.82, 1.084, 1.456, games=6_000), seen(0.692, 0.876, 1.096, 1.34, games=6_000)),
        (EVEN, seen(1.02, 0.98, 1.0, 1.0, games=100_000)),
        (seen(1.1, 1.0, 0.95, 0.95), seen(0.95, 1.1, 0.95, 1.0)),
        (HIGH, Verdict("seats_hidden", "unknown")),
    ],
)
def test_nearly_equal_players_who_agree_leave_the_verdict_as_it_is(own: Verdict, peer: Verdict) -> None:
    assert band("champion", own, {"regent": peer}) is own


def test_one_who_finds_no_tilt_takes_it_back() -> None:
    whole = band("champion", HIGH, {"regent": seen(1.0, 1.0, 1.0, 1.0, games=20_000)})
    assert (whole.code, whole.values["seat"], whole.values["weak"]) == ("seats_band", 1, "regent")
