"""How far from par still counts as fair: as users write it, for shares of the wins and for a payoff."""

from __future__ import annotations

import math

import pytest

from analysis.stats.margin import FAIR, OF_STAKE, Margin, as_margin
from simcore.errors import UsageError
from simcore.game import load_game
from simcore.judged import judged_by
from simcore.rules.files import load_rules


def test_the_margin_is_a_part_of_par() -> None:
    assert FAIR.at([1 / 2, 1 / 4, 1 / 6]) == pytest.approx([0.06, 0.03, 0.02])
    assert FAIR.at([0.2, 0.8]) == pytest.approx([0.024, 0.024])  # two camps are as far from par as each other
    assert as_margin("3pp").at([1 / 2, 1 / 4]) == pytest.approx([0.03, 0.03])
    assert FAIR.at([1 / 4, 3 / 4]) == pytest.approx([0.03, 0.03]), "12 % of what is nearer: nothing, or all wins"
    assert as_margin("3pp").part([1 / 2, 3 / 4]) == pytest.approx(0.12), "3 points of the quarter that is missing"


def test_a_margin_is_read_as_it_is_written() -> None:
    assert as_margin("12%") == Margin(0.12)
    assert as_margin(None) is as_margin(FAIR) is FAIR
    assert repr(FAIR) == "Margin(size=0.12, of_par=True)", "runs of players who look ahead are found by it"
    assert as_margin(0.02) == Margin(0.02, of_par=False)
    for text in ("7.5%", "2pp", "0.5pp"):
        assert str(as_margin(text)) == text


@pytest.mark.parametrize("wrong", ["3", "0pp", "100%", "120%", "", 0.0, 1.0, 1.5, -0.1, math.nan])
def test_what_is_no_margin_is_refused_in_one_line(wrong: float | str) -> None:
    with pytest.raises(UsageError, match=r"^margin: .* is not a ") as refused:
        as_margin(wrong)
    assert "\n" not in str(refused.value)


def test_the_margin_of_a_payoff_is_a_part_of_the_stake() -> None:
    """Kuhn poker is played for chips between -2 and 2; its stake is the ante of one chip."""
    game = load_game("kuhn")
    chips = judged_by(game, load_rules(game).values, 2)
    for margin, part in ((FAIR, OF_STAKE), *((as_margin(f"{part}%"), part / 100) for part in (6, 10, 11, 12, 13))):
        assert chips.distance(margin.room(chips, chips.par)) == pytest.approx([part, part])
    with pytest.raises(UsageError, match=r"margin: 3pp: Kuhn .* is played for chips; write a part of the stake"):
        as_margin("3pp").room(chips, chips.par)
