"""What a first baseline guards, how its figures are written, and what a new measurement says has moved."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from analysis.check.baseline import Baseline, Value, read_baseline, rounded
from analysis.check.checking import draft, moved, sources_of
from tests.toy import TOY


def first(game: str, strategies: tuple[str, ...], players: int = 2) -> Baseline:
    """Return a first baseline."""
    return draft(Path("b.toml"), game, [players], strategies, None, "base", [], 1, 1000)


def test_a_first_baseline_guards_what_suits_the_game() -> None:
    """Strategies are compared if there are two; a game for chips is judged by them; a margin is 1, 2 or 5 in front."""
    mixed = first("middle-ages", ("greedy", "random")).choices.margins
    assert list(mixed) == ["win_share_by_seat", "win_share_by_strategy", "score", "lead_changes", "card_score"]
    assert mixed["win_share_by_seat"] == mixed["win_share_by_strategy"] == "0.5pp"
    assert mixed["card_score"] == mixed["score"]
    assert all(f"{mixed[name]:e}"[0] in "125" for name in ("score", "lead_changes"))
    camps = first(TOY, ("warlord=schemer", "burgher=steward"), 4).choices.margins
    assert list(camps) == ["win_share_by_camp", "win_share_by_seat"], "nobody scores there"
    chips = first("kuhn", ("honest",)).choices
    assert (list(chips.margins), chips.players, chips.games) == (["payoff_by_seat"], [2], 1000)
    assert chips.margins["payoff_by_seat"] == 0.05, "a game is decided by one or two chips; a twentieth of that"


@pytest.mark.parametrize(
    ("value", "error", "written"),
    [(0.123456789, 0.00123456, (0.12346, 0.00123)), (1234.56, 45.678, (1234.6, 45.7)), (2 / 3, 0, (0.666666666667, 0))],
)
def test_figures_have_three_digits_of_their_error(value: float, error: float, written: tuple[float, float]) -> None:
    found = rounded(value, error)
    assert (found.value, found.error) == written


def test_a_new_measurement_says_what_moved_what_is_new_and_what_is_gone(measured: Path) -> None:
    """A margin decides what is broken, and three standard errors of the difference what is worth a line."""
    after = read_baseline(measured)
    assert after.measured
    now = dict(after.measured.values[2])
    score, seat = now["score"], now["win_share_by_seat.seat-1"]
    error = 5**0.5 * score.error
    then = now | {
        "score": Value(value=score.value - 3.1 * error, error=2 * score.error),
        "win_share_by_seat.seat-1": Value(value=seat.value - 0.021, error=0.01),
        "win_share_by_seat.seat-2": Value(value=now["win_share_by_seat.seat-2"].value, error=0.0),
        "card_score.gone": Value(value=1.5, error=0.1),
    }
    del then["card_score.alliance"]
    before = replace(after, measured=replace(after.measured, values={2: then, 5: then}))
    found = {one.name: one for one in moved(before, after, sources_of(after))}
    assert {name: (one.broken, one.notable) for name, one in found.items()} == {
        "score": (False, True),
        "win_share_by_seat.seat-1": (True, False),
        "card_score.gone": (True, True),
        "card_score.alliance": (False, True),
    }
    assert str(found["card_score.gone"]) == "card_score.gone at 2 players: 1.5 before, nothing now, margin 2.5"
    assert str(found["card_score.alliance"]).startswith("card_score.alliance at 2 players: nothing before, ")
    assert str(found["win_share_by_seat.seat-1"]).endswith(f", {100 * seat.value:.2f} % now, margin 2.00 pp")
    then["score"] = Value(value=score.value - 2.9 * error, error=2 * score.error)
    assert "score" not in {one.name for one in moved(before, after, sources_of(after))}
    assert moved(after, after, sources_of(after)) == []
