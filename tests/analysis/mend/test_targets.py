"""What a mended game looks like: shares, measures, cards, and what stays."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from analysis.cards.counterfactual import counterfactual
from analysis.data.declarations import load_declarations
from analysis.data.sources import SpecSource
from analysis.mend.targets import Line, distances, farthest, in_use, measure, read_lines
from analysis.stats.margin import as_margin
from simcore.errors import UsageError
from strategies.spec import make_spec


def lines(
    *targets: str, keep: tuple[str, ...] = ("nothing",), game: str = "middle-ages", margin: str = "12%"
) -> tuple[Line, ...]:
    spec = make_spec(game, strategies="random", games=100)
    return read_lines(spec, targets, keep, as_margin(margin))


def test_seats_and_camps_at_their_par() -> None:
    seats = lines("seats")
    assert [line.name for line in seats] == ["seat-1", "seat-2", "seat-3", "seat-4"]
    assert {(line.wanted, round(line.half, 9)) for line in seats} == {(0.25, 0.01)}
    camps = lines("camps", game="seigneurial")
    assert sum(line.wanted for line in camps) == pytest.approx(1)
    assert all(line.kind == "camp" for line in camps)


def test_a_role_a_measure_and_the_length() -> None:
    (lord,) = lines("lord=60%", game="seigneurial", margin="6pp")
    assert (lord.wanted, lord.half, lord.is_share) == (0.6, 0.02, True)
    (runaway,) = lines("runaway=0.3")
    assert runaway.is_share and runaway.kind == "measure"
    (length,) = lines("length=12", game="fief-2")
    assert length.parts == (("mean_of_turns", "", 1.0),) and length.half == pytest.approx(0.48)


def test_the_share_of_a_strategy_among_others() -> None:
    """What a strategy wins from another one is a target, and counts the wins of all its seats."""
    spec = replace(make_spec(players=2, strategies=["greedy", "random"]), games=400)
    found = read_lines(spec, ["random=0.4"], ["nothing", "greedy"], as_margin("4%"))
    assert [(line.name, line.kind, line.is_share, line.kept) for line in found] == [
        ("random", "strategy", True, False),
        ("greedy", "strategy", True, True),
    ]
    blocks, _ = measure(spec, found)
    assert np.allclose(blocks.sum(axis=1), 1) and blocks[:, 1].mean() > 0.75
    with pytest.raises(UsageError, match="'random' cannot be measured here"):
        lines("random=0.4")  # all four are


def test_what_is_kept_takes_its_band_from_the_game_as_it_is() -> None:
    *_, kept = lines("seats", keep=("nothing", "lead_changes=20%"))
    assert kept.kept and np.isnan(kept.wanted)
    settled = kept.settled(3.0, [])
    assert (settled.wanted, settled.half) == (3.0, pytest.approx(0.6))


def test_cards_that_are_out_of_line() -> None:
    cards = lines("cards")
    assert len(cards) == 15 and np.isnan(cards[0].half)
    assert cards[0].settled(5.0, [1.0, 2.0, 3.0]).half == 3.0
    assert {line.half for line in lines("cards=4")} == {4.0}


def test_distances_are_in_half_widths() -> None:
    pair = [Line("a", "seat", (), True, 0.5, 0.1), Line("b", "measure", (), False, 10, 2, kept=True)]
    assert distances(pair, np.array([0.3, 11])).tolist() == pytest.approx([2, 0.5])
    assert farthest(pair, np.array([0.45, 11])) == pytest.approx(0.5)
    assert farthest(pair, np.array([0.45, 16])) == pytest.approx(3)  # what is kept counts outside its band


@pytest.mark.parametrize(
    ("target", "keep", "said"),
    [
        ("seat", "", "'seat' cannot be measured here; did you mean 'seats'"),
        ("lead_change=2", "", "did you mean 'lead_changes'"),
        ("length=12", "", "Middle-Ages has no column for the length of a game"),
        ("camps", "", "Middle-Ages has no camps; write seats"),
        ("seat-1", "", "say which value it should have, as in seat-1=VALUE"),
        ("seat-1=2", "", "write a share between 0 and 1"),
        ("seat-1=many", "", "'many' is not a number"),
        ("seats=0.25", "", "write seats alone"),
        ("cards=-1", "", "must be more than 0"),
        ("seats", "seats", "'seats' cannot be measured here"),
        ("seats", "score=3", "give the part of its value"),
    ],
)
def test_what_is_no_target(target: str, keep: str, said: str) -> None:
    with pytest.raises(UsageError, match=said):
        lines(target, keep=(keep,) if keep else ())


def test_every_way_of_measuring_counts_the_same_wins() -> None:
    """Seats alone, seats next to measures, and seats next to cards."""
    spec = replace(make_spec(players=2, strategies="greedy"), games=400)
    alone, fate = measure(spec, read_lines(spec, ["seats"], ["nothing"], as_margin("4%")))
    with_score, other = measure(spec, read_lines(spec, ["seats"], ["nothing", "score"], as_margin("4%")))
    assert np.allclose(with_score[:, :2], alone) and fate != other
    assert alone.shape == (100, 2) and np.allclose(alone.sum(axis=1), 1)
    own = spec.game.score
    ((_, columns),) = SpecSource(spec).read(range(400), [own])
    score = columns[own].reshape(100, -1).mean(axis=1)
    assert np.allclose(with_score[:, 2], score)


def test_effects_of_cards_are_those_of_a_blank_in_their_place() -> None:
    """The mean over blocks is close to the effect that the counterfactual analysis finds on the same deals."""
    spec = replace(make_spec(players=2, strategies="greedy"), games=1_000)
    lines = [line for line in read_lines(spec, ["cards"], ["nothing"], as_margin("4%")) if line.name == "alliance"]
    blocks, _ = measure(spec, lines)
    known = counterfactual(SpecSource(spec), cards=["alliance"], deals=1_000)
    (effect,) = known.effects().filter(card="alliance")["effect"]
    assert blocks.mean() == pytest.approx(effect, abs=0.6)


@pytest.mark.parametrize(
    ("game", "some", "rare"),
    [("medievallons", "played_rogue", None), ("fief-2", "length", "played_darc"), ("middle-ages", "burials", None)],
)
def test_what_makes_the_game_is_kept_if_nobody_says_otherwise(game: str, some: str, rare: str | None) -> None:
    """Lead changes, the length and every card in use; not what hardly anybody uses, and nothing on demand."""
    spec = replace(make_spec(game, strategies="random", games=100), games=400)
    declared = load_declarations(game)
    found = read_lines(spec, ["seats"], ["score=20%"], as_margin("4%"), declared.uses)
    kept = {line.name: line.tolerance for line in found if line.kept}
    assert {"lead_changes", some} <= set(kept) and kept["score"] == 0.2 and kept[some] == pytest.approx(1 / 3)
    values = np.full(len(found), 5.0)
    if rare:
        values[[line.name for line in found].index(rare)] = 0.09 / spec.players
    left = {line.name for line in in_use(found, values)}
    assert set(kept) - left == ({rare} if rare else set())
    lifted = read_lines(spec, ["seats"], ["nothing"], as_margin("4%"), declared.uses)
    assert not any(line.kept for line in lifted)


def test_a_card_without_copies_has_no_effect() -> None:
    """`--free 'events.*.copies'` tries 0 copies as well."""
    spec = make_spec("middle-ages", 2, "greedy", "base", ["events.alliance.copies=0"], games=200)
    asked = make_spec("middle-ages", 2, "greedy", games=200)
    cards = [line for line in read_lines(asked, ["cards"], ["nothing"], as_margin("4%")) if line.kind == "card"][:3]
    effects, _ = measure(spec, cards, 1)
    absent = [line.name for line in cards].index("alliance")
    assert not effects[:, absent].any() and effects.any()
