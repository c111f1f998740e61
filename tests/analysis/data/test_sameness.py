"""Games that cannot differ are one game, and where nobody chooses it does not matter who plays."""

from __future__ import annotations

from pathlib import Path

import pytest

import equipoise as eq
from analysis.compare.shares import together, totals
from analysis.data.player_notes import weak_notes
from analysis.data.sources import SpecSource
from reports.words import ENGLISH, Words
from tests.nim import forgotten  # noqa: F401  fixture

pytestmark = pytest.mark.usefixtures("forgotten")

TAKE = """
import equipoise as eq

class Take(eq.PlainGame):
    strategies = {"first": lambda view, moves, rng: moves[0], "any": lambda view, moves, rng: rng.choice(moves)}

    def start(self):
        self.left = 11 + CHANCE

    def legal(self):
        return [number for number in CHOICE if number <= self.left]

    def apply(self, move):
        self.left -= move
        self.last, self.turn = self.turn, 1 - self.turn

    def over(self):
        return not self.left

    def places(self):
        return [1, 2] if self.last == 0 else [2, 1]
"""
DICE = "sum(self.chance('dice').choices((0, 1), k=9))"


def game(folder: Path, chance: str = "0", choice: str = "(1, 2, 3)") -> str:
    name = f"take{len(list(folder.iterdir()))}"
    text = TAKE.replace("CHANCE", chance).replace("CHOICE", choice).replace("Take", name.title())
    (folder / f"{name}.py").write_text(text, encoding="utf-8")
    return str(folder / f"{name}.py")


def test_without_chance_players_who_always_choose_alike_play_one_game(tmp_path: Path) -> None:
    """Eleven are left, and each takes one: seat 1 takes the last in every game."""
    found = eq.simulate(game=game(tmp_path), strategies="first", games=500, out=tmp_path / "run")
    assert found.seats["win_share"].to_list() == [1, 0] and found.seats["low"].null_count() == 2
    assert found.to_dict()["deals"] == 1
    (verdict,) = eq.seat_advantage(found.run).verdicts
    assert (verdict.code, verdict.status, verdict.values["games"]) == ("same_game", "unknown", 500)
    assert found.verdicts == [ENGLISH.verdict(verdict)] and "All 500 games are the same game" in found.verdicts[0]
    assert "500 parties n'en sont qu'une seule" in Words("fr").verdict(verdict)


@pytest.mark.parametrize(("chance", "strategy"), [("0", "any"), (DICE, "first"), ("0 * " + DICE, "first")])
def test_games_that_may_differ_are_not_one_game(tmp_path: Path, chance: str, strategy: str) -> None:
    """Not even if what is drawn never shows."""
    found = eq.simulate(game=game(tmp_path, chance), strategies=strategy, games=500)
    assert found.to_dict()["deals"] == 500 and found.seats["low"].null_count() == 0


def test_a_change_of_a_game_that_is_always_the_same_is_not_known(tmp_path: Path) -> None:
    rules = TAKE.replace("CHANCE", "self.rules.more").replace("CHOICE", "(1, 2, 3)")
    rules = rules.replace("    strategies", "    @dataclass\n    class Rules:\n        more: int = 0\n\n    strategies")
    rules = "from dataclasses import dataclass\n" + rules
    (tmp_path / "take.py").write_text(rules, encoding="utf-8")
    found = eq.compare(
        "base", settings="more=1", game=str(tmp_path / "take.py"), strategies="first", games=500
    ).comparison
    (row,) = found.distances.iter_rows(named=True)
    assert (row["before"], row["after"], row["change_low"]) == (1, 1, None)
    assert found.verdict.code == "compare_same_only_seats" and "few_deals" not in {note.code for note in found.notes}


def test_a_run_that_is_one_game_is_compared_with_every_deal_of_the_other(tmp_path: Path) -> None:
    """The other's shares are those that its own page has, and the sentence names the run that is one game."""
    own = game(tmp_path)
    first, other = (
        eq.simulate(game=own, strategies=name, games=2000, out=tmp_path / name).run for name in ("first", "any")
    )
    shares = eq.seat_advantage(other).table["share"].to_list()
    for runs, ends in (((first, other), ("before", "after")), ((other, first), ("after", "before"))):
        compared = eq.compare(*runs).comparison
        assert compared.table[ends[0]].to_list() == [1, 0]
        assert compared.table[ends[1]].to_list() == pytest.approx(shares)
        assert compared.table[f"{ends[0]}_low"].null_count() == compared.table["difference_low"].null_count() == 2
        assert compared.table[f"{ends[1]}_low"].null_count() == 0
        assert (compared.verdict.code, compared.verdict.values["which"]) == (
            "compare_same_only_seats",
            (str(first.folder),),
        )
        assert f"All games of {first.folder} are the same game" in ENGLISH.verdict(compared.verdict)
        assert f"Toutes les parties de {first.folder} n'en sont qu'une seule" in Words("fr").verdict(compared.verdict)


def test_tunings_of_which_one_is_one_game_are_averaged_in_every_deal(tmp_path: Path) -> None:
    specs = [eq.make_spec(game(tmp_path), strategies=name, games=400) for name in ("first", "any")]
    one, other = (totals(SpecSource(spec)) for spec in specs)
    assert (one.one_game, other.one_game, one.deals) == (True, False, 1)
    both = together([one, other])
    assert both.deals == 400 and both.shares.mean(axis=0) == pytest.approx(
        (one.shares[0] + other.shares.mean(axis=0)) / 2
    )


def test_what_makes_one_game_uneven_is_not_asked(tmp_path: Path) -> None:
    """No range says for certain that a change takes the whole distance away, as if 200 deals had shown it."""
    rules = TAKE.replace("CHANCE", "self.rules.even").replace("CHOICE", "(1, 2, 3)")
    fields = "    @dataclass\n    class Rules:\n        even: bool = True\n\n    strategies"
    text = "from dataclasses import dataclass\n" + rules.replace("    strategies", fields)
    (tmp_path / "take.py").write_text(text, encoding="utf-8")
    one, other = (eq.make_spec(str(tmp_path / "take.py"), strategies=name, games=400) for name in ("first", "any"))
    with pytest.raises(eq.UsageError, match="Take: all games are the same game"):
        eq.causes(one, screened=50, confirmed=200)
    assert len(eq.causes(other, screened=50, confirmed=200).table) == 1


def test_where_nobody_chooses_weak_players_are_no_fault(tmp_path: Path) -> None:
    spec = eq.make_spec(game(tmp_path, DICE, "(1,)"), strategies="random", games=100)
    assert [note.code for note in weak_notes(spec)] == ["nobody_chooses"]
    other = eq.make_spec(game(tmp_path, DICE), strategies="random", games=100)
    assert [note.code for note in weak_notes(other)] == ["weak_players"]
