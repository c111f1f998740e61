"""What a player wins who sees everything: against enumeration, exactly nothing in an open game, and found out."""

from __future__ import annotations

import json
from dataclasses import replace
from fractions import Fraction
from functools import cache
from math import comb
from pathlib import Path

import numpy as np
import pytest

import equipoise as eq
from analysis.attacks import NAME, Secrets, hides_something
from equipoise.conformance.checks import briefly
from reports.words import ENGLISH, Words
from simcore.doors import named
from simcore.errors import UsageError
from simcore.game import load_game
from simcore.homes import GAMES
from simcore.kernel.decisions import nothing_hidden
from simcore.kernel.records import blank
from simcore.rules.files import load_rules
from simcore.running.batch import run_chunk
from strategies import rollout
from strategies.library import load_strategy, strategy_from_dict
from strategies.spec import assemble_spec
from tests.nim import Written, forgotten, nim  # noqa: F401

FRENCH = Words("fr")

CARDS = 4
GUESS = f"""
import equipoise as eq

class Guess(eq.PlainGame):
    players = range(2, 4)
    imagined = 20
    strategies = {{"rollout": eq.PlainGame.rollout, "ones": lambda view, moves, rng: moves[0]}}

    def start(self):
        self.hidden = [self.chance("cards", seat).randrange({CARDS}) for seat in range(self.seats)]
        self.right = []

    def view(self, seat):
        return None

    def imagine(self, seat, rng):
        table = super().imagine(seat, rng)
        table.hidden = [rng.randrange({CARDS}) for _ in table.hidden]
        return table

    def legal(self):
        return range({CARDS})

    def apply(self, move):
        self.right.append(int(move == self.hidden[self.turn]))
        self.turn = (self.turn + 1) % self.seats

    def over(self):
        return len(self.right) == self.seats

    def payoffs(self):
        return self.right
"""
"""Each seat guesses its own hidden card; whoever is right wins, and all share if nobody is."""


def exact(players: int) -> float:
    """Return what a player wins who is always right among players who guess."""
    others, luck = players - 1, Fraction(1, CARDS)
    return float(sum(comb(others, k) * luck**k * (1 - luck) ** (others - k) / (k + 1) for k in range(players)))


@cache
def asked(game: str, players: str | int | None = None, secrets: str = "rollout", games: int = 1200) -> Secrets:
    found = eq.skill(game, players=players, secrets=secrets, games=games, searched=games, seed=9, progress=False)
    (result,) = found.results
    assert isinstance(result, Secrets)
    return result


@pytest.fixture
def guess(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, forgotten: None) -> str:  # noqa: F811
    monkeypatch.chdir(tmp_path)
    (tmp_path / "guess.py").write_text(GUESS)
    return "./guess.py"


@pytest.mark.parametrize("players", [2, 3])
def test_where_the_hidden_card_decides_it_wins_what_enumeration_says(guess: str, players: int) -> None:
    row = asked(guess, players).table.row(0, named=True)
    assert (row["usual"], row["games"]) == (1 / players, 1200)
    assert row["share"] == pytest.approx(exact(players), abs=0.03)
    assert row["share_low"] < exact(players) < row["share_high"]
    assert row["points"] == pytest.approx(row["share"] - 1 / players)
    assert row["points_low"] < exact(players) - 1 / players < row["points_high"]
    assert row["times"] == pytest.approx(row["share"] * players)


def test_it_says_so_in_both_languages(guess: str) -> None:
    (said,) = asked(guess, 2).verdicts
    assert said.code == "secrets_gain"
    assert "Secrets are worth 3" in ENGLISH.verdict(said)
    assert "Les secrets valent 3" in FRENCH.verdict(said)


def test_few_games_say_so(guess: str) -> None:
    assert [one.code for one in asked(guess, 2, games=2).verdicts] == ["secrets_few"]


def test_a_player_who_cannot_use_what_it_sees_gains_nothing_for_certain(
    guess: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Planted: the player who sees everything has its cards drawn again like the others."""
    monkeypatch.setattr("simcore.plain.playing.best_move", lambda game, moves, rng, sees: game.rollout(moves, rng))
    assert [one.code for one in asked.__wrapped__(guess, 2).verdicts] == ["secrets_open"]


ROLLING = (
    ('{"perfect": perfect}', '{"rollout": eq.PlainGame.rollout}'),
    ("    def view(self, seat):\n        return tuple(self.heaps)\n", ""),
    ("largest: int = 7", "largest: int = 3"),
)


def test_in_an_open_game_it_is_0_by_construction(nim: Written) -> None:  # noqa: F811
    result = asked(nim(*ROLLING), 2)
    row = result.table.row(0, named=True)
    assert (row["points"], row["points_low"], row["points_high"], row["times"]) == (0, 0, 0, 1)
    assert (row["games"], row["share"], result.games) == (0, None, 0)
    assert "exactly 0 points" in ENGLISH.verdict(result.verdicts[0])
    assert "exactement 0 point" in FRENCH.verdict(result.verdicts[0])


def test_in_an_open_game_whoever_sees_everything_plays_the_same_games(nim: Written) -> None:  # noqa: F811
    found = load_game(named(nim(*ROLLING)))
    honest = load_strategy(found, "rollout")
    rows = []
    for one in (honest, replace(honest, sees_everything=True)):
        spec = assemble_spec(found, 2, [one, load_strategy(found, "random")], load_rules(found), 3, "rotate", 40)
        rows.append(run_chunk(spec, 0, 40))
    assert np.array_equal(*rows)


def test_every_game_that_hides_something_says_so() -> None:
    assert all(hides_something(load_game(game)) for game in GAMES)
    found = load_game("middle-ages")
    assert not hides_something(replace(found, redraw=None))
    assert not hides_something(replace(found, redraw=nothing_hidden))


def test_who_does_not_look_ahead_is_refused(guess: str) -> None:
    with pytest.raises(UsageError, match="'ones' does not look ahead; name a player who does"):
        asked(guess, 2, "ones")
    with pytest.raises(UsageError, match="'champion' does not look ahead"):
        asked("middle-ages", 2, "champion")


def test_two_questions_at_once_are_refused() -> None:
    with pytest.raises(UsageError, match="is another question; ask one at a time"):
        eq.skill(attack="champion", secrets="thinker", progress=False)


def test_a_file_may_say_it_of_a_player_who_looks_ahead_only(tmp_path: Path) -> None:
    found = load_game("middle-ages")
    seer = replace(load_strategy(found, "rollout"), name=NAME, sees_everything=True)
    assert seer.digest != load_strategy(found, "rollout").digest
    assert strategy_from_dict(found, json.loads(json.dumps(seer.to_dict()))) == seer
    (path := tmp_path / "seer.toml").write_text(seer.to_toml(base="champion"), encoding="utf-8")
    assert load_strategy(found, path) == seer
    with pytest.raises(UsageError, match="'sees_everything' sees everything already"):
        asked("middle-ages", 2, str(path))
    blind = 'format = "equipoise-strategy/1"\ngame = "middle-ages"\nname = "b"\ntitle = "B"\npolicy = "greedy"\n'
    path.write_text(f"{blind}sees_everything = true\n", encoding="utf-8")
    with pytest.raises(UsageError, match="sees_everything: policy 'greedy' does not look ahead; take it out"):
        load_strategy(found, path)


def test_in_kernels_what_is_hidden_is_drawn_again_for_the_honest_only(monkeypatch: pytest.MonkeyPatch) -> None:
    found, redrawn = load_game("middle-ages"), list[int]()
    for name in ("fork", "seat_base", "noise_block", "noise_slot"):
        monkeypatch.setattr(rollout, name, lambda *given: np.int64(0))
    monkeypatch.setattr(rollout, "redraw", lambda rules, state, seat: redrawn.append(seat))
    lineup, state = blank(found.lineup_dtype), blank(found.state_dtype)
    lineup["seated"][:3], lineup["members"]["sees"][2], lineup["tried"] = (1, 2, 0), 1, 7
    assert [rollout.retell(None, lineup, state, seat) for seat in range(3)] == [7, 7, 7]
    assert redrawn == [0, 2]


@pytest.mark.parametrize("name", ["rollout", "thinker"])
def test_in_kernels_it_chooses_by_what_it_sees(name: str) -> None:
    found = load_game("middle-ages")
    honest = briefly(load_strategy(found, name))
    rows = []
    for one in (replace(honest, name=NAME), replace(honest, name=NAME, sees_everything=True)):
        spec = assemble_spec(found, 3, [one, *[honest] * 2], load_rules(found), 3, "fixed", 6)
        rows.append(run_chunk(spec, 0, 6)["coins"])
    assert (rows[0] != rows[1]).any()
