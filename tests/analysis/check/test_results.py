"""Baselines of tables of results: a later table is judged by an earlier one, and nothing is played."""

from __future__ import annotations

from pathlib import Path

import pytest

from analysis.check.baseline import Results, read_baseline, signed
from analysis.check.checking import Check, check
from analysis.check.results import Tables, check_results, draft_results, open_tables, update_results
from analysis.tables.importing import import_table
from simcore.errors import UsageError
from tests.analysis.tables.conftest import club


def tables_of(folder: Path, rows: list[str], name: str) -> Tables:
    """Return the games of a table, imported."""
    file = folder / f"{name}.csv"
    file.write_text("\n".join(rows) + "\n")
    return open_tables(import_table(file, folder / name).runs)


def baseline_of(folder: Path, tables: Tables, *changes: tuple[str, str]) -> Path:
    """Write the baseline of a table."""
    path = folder / "club.toml"
    text = update_results(draft_results(path, tables), tables).text
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    path.write_text(signed(text))
    return path


def judged(path: Path, tables: Tables) -> Check:
    return check_results(read_baseline(path), tables)


def rows_won_by(seats: list[int]) -> list[str]:
    """Return a table of games with three seats, of which one wins in each game."""
    winners = ((game, seat, int(seat == won)) for game, won in enumerate(seats) for seat in (1, 2, 3))
    return ["game,seat,winner", *(f"{game},{seat},{won}" for game, seat, won in winners)]


def test_a_baseline_of_a_table_says_that_no_simulation_stands_behind_it(tmp_path: Path) -> None:
    path = baseline_of(tmp_path, tables_of(tmp_path, club(200), "one"))
    assert "No simulation stands behind this file." in path.read_text()
    measured = read_baseline(path).measured
    assert measured and isinstance(measured.source, Results)
    assert (measured.source.simulated, measured.source.file) == (False, "one.csv")
    with pytest.raises(UsageError, match=r"from a table of results, one\.csv, and no simulation stands behind it"):
        check(path)


def test_the_values_are_the_means_of_the_games(tmp_path: Path) -> None:
    path = baseline_of(tmp_path, tables_of(tmp_path, rows_won_by([1] * 50 + [2] * 30 + [3] * 20), "one"))
    measured = read_baseline(path).measured
    assert measured
    found = measured.values[3]["win_share_by_seat.seat-2"]
    assert found.value == pytest.approx(0.3)
    assert found.error == pytest.approx((0.3 * 0.7 / 99) ** 0.5, rel=0.01)


def test_the_same_table_passes_and_an_independent_one_of_some_games_is_too_close_to_call(tmp_path: Path) -> None:
    tables = tables_of(tmp_path, club(200), "one")
    path = baseline_of(tmp_path, tables)
    assert judged(path, tables).verdict == "pass"
    other = judged(path, tables_of(tmp_path, club(200, seed=2), "two"))
    assert (other.verdict, other.against, other.games, other.results) == ("inconclusive", "results", 200, "two.csv")


@pytest.mark.parametrize(("errors", "verdict"), [(2.05, "inconclusive"), (2.7, "fail")])
def test_the_seats_share_the_false_alarms(tmp_path: Path, errors: float, verdict: str) -> None:
    """At 5 % in all, one of three seats must be about 2.4 standard errors beyond its margin of 5 points; alone, 2."""
    games = 3000
    path = baseline_of(tmp_path, tables_of(tmp_path, rows_won_by([1, 2, 3] * (games // 3)), "one"))
    first = round(games * (1 / 3 + 0.05 + errors * (2 / 9 * 2 / games) ** 0.5))
    second = (games - first) // 2
    rows = rows_won_by([1] * first + [2] * second + [3] * (games - first - second))
    assert judged(path, tables_of(tmp_path, rows, "two")).verdict == verdict


def test_a_seat_that_wins_much_more_fails_and_a_level_table_passes(tmp_path: Path) -> None:
    path = baseline_of(tmp_path, tables_of(tmp_path, rows_won_by([1, 2, 3] * 1000), "one"))
    found = judged(path, tables_of(tmp_path, rows_won_by([1, 1, 2, 3] * 500), "two"))
    assert {one.claim.name for one in found.failed} == {
        "win_share_by_seat.seat-1",
        "win_share_by_seat.seat-2",
        "win_share_by_seat.seat-3",
    }
    assert judged(path, tables_of(tmp_path, rows_won_by([3, 1, 2, 2, 1, 3] * 500), "three")).verdict == "pass"


def test_a_limit_is_judged_without_the_baseline(tmp_path: Path) -> None:
    tables = tables_of(tmp_path, rows_won_by([1, 1, 2, 3] * 500), "one")
    limits = ("\n[measured]", '\n[limits]\nmax_seat_deviation = "3pp"\n\n[measured]')
    found = judged(baseline_of(tmp_path, tables, limits), tables)
    assert [one.claim.name for one in found.failed] == [
        "max_seat_deviation.seat-1",
        "max_seat_deviation.seat-2",
        "max_seat_deviation.seat-3",
    ]


WHY = 'exception = { by = "Ada", why = "until the reprint", until = 2999-12-31 }'


@pytest.mark.parametrize(("exception", "verdict"), [("", "fail"), (f", {WHY}", "pass")])
def test_an_exception_holds_for_the_games_of_people_as_for_played_ones(
    tmp_path: Path, exception: str, verdict: str
) -> None:
    """Seat 1 wins half of 2,000 games; an update marks the line of its limit, unless it is excused."""
    tables = tables_of(tmp_path, rows_won_by([1, 1, 2, 3] * 500), "one")
    limit = f'\n[limits]\n"win_share_by_seat.seat-1" = {{ max = 0.30{exception} }}\n\n[measured]'
    path = baseline_of(tmp_path, tables, ("\n[measured]", limit))
    result = judged(path, tables)
    assert (result.verdict, len(result.excused)) == (verdict, int(bool(exception)))
    made = update_results(read_baseline(path), tables)
    assert (len(made.broken), "# broken: 50.00 % at 3 players" in made.text) == ((0, False) if exception else (1, True))


def test_a_few_games_decide_nothing(tmp_path: Path) -> None:
    path = baseline_of(tmp_path, tables_of(tmp_path, rows_won_by([1, 2, 3] * 1000), "one"))
    assert {one.verdict for one in judged(path, tables_of(tmp_path, rows_won_by([1] * 29), "two")).findings} == {
        "inconclusive"
    }


def test_two_sets_of_rules_are_not_one_table(tmp_path: Path) -> None:
    rows = [f"{game},{seat},{seat},v{game % 2}" for game in range(80) for seat in (1, 2)]
    with pytest.raises(UsageError, match="have 2 players; name one"):
        tables_of(tmp_path, ["game,seat,score,rules", *rows], "one")


def test_games_of_another_number_of_players_are_missed(tmp_path: Path) -> None:
    path = baseline_of(tmp_path, tables_of(tmp_path, club(60), "one"))
    with pytest.raises(UsageError, match="no games with 4 players, which the baseline names"):
        judged(path, tables_of(tmp_path, rows_won_by([1, 2, 3] * 20), "two"))
