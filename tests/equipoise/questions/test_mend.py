"""`equipoise mend`: what it prints, what it writes, and what it refuses."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import polars as pl
import pytest

import equipoise as eq
from analysis.mend.playing import GameTable
from simcore.errors import Interrupted
from simcore.game import load_game
from simcore.rules.files import load_rules
from simcore.running.batch import Spec
from tests.equipoise.conftest import Cli

LINE = (
    "mend", "--players", 2, "--strategies", "greedy", "--games", 400, "--rounds", 1, "--best", 1, "--margin", "24pp",
    "--free", "starting_coins=0..20", "--keep", "lead_changes=40%",
)  # fmt: skip


@pytest.fixture(autouse=True)
def own_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Keep what is played apart from other tests, and measure what else moves in few games."""
    folder = tmp_path / "kept"
    folder.mkdir()
    monkeypatch.setattr("simcore.store.beside_kernels", lambda name: folder)
    for module in ("analysis.compare.moved", "analysis.mend.mending"):
        monkeypatch.setattr(f"{module}.GAMES", 400)
        monkeypatch.setattr(f"{module}.CARD_GAMES", 100)


def test_the_best_change_in_the_terminal_and_as_a_rule_file(cli: Cli, tmp_path: Path) -> None:
    out = tmp_path / "page"
    said = cli(*LINE, "--out", out, "--lang", "fr")
    assert said.code == 0, said
    told = " ".join(said.out.split())
    assert "The fair price of the seats at 2 players" in told and "What else change 1 moves most" in told
    assert all(len(line) <= 80 for line in said.out.splitlines() if str(tmp_path) not in line)
    page = (out / "mend.html").read_text(encoding="utf-8")
    assert "ce qui rétablirait l'équilibre" in page or "ce qui rétablirait l&#39;équilibre" in page
    assert "Le juste prix de chaque siège" in page and page.count("<svg") >= 3
    assert "joueurs qui connaissent le changement" not in page and "Par habitude" not in page, "none was tuned"
    found = json.loads((out / "mend.json").read_text(encoding="utf-8"))["results"][0]
    (change,) = found["changes"]
    assert [row["name"] for row in found["table"]] == ["seat-1", "seat-2", "lead_changes"]
    assert pl.read_parquet(out / "mend.parquet").height == len(found["curves"])
    game = load_game("middle-ages")
    made = load_rules(game, out / "mended-1.toml")
    assert (
        made.flat()["starting_coins"] == load_rules(game, "base", change["change"].split(", ")).flat()["starting_coins"]
    )
    refused = cli(*LINE, "--out", out)
    assert refused.code == 2 and "mend.html exists" in refused.err
    again = cli(*LINE, "--out", out, "--force", "--format", "json")
    assert again.code == 0 and "are not played again" in " ".join(again.out.split())
    assert json.loads((out / "mend.json").read_text(encoding="utf-8"))["results"][0]["table"] == found["table"]


def test_players_of_their_own_judge_a_change(monkeypatch: pytest.MonkeyPatch) -> None:
    """Random players, in place of tuned ones, play the changes; those of before stay greedy."""
    tuned: list[Spec] = []

    def retune(specs: Sequence[Spec], how: Any, quiet: bool) -> tuple[list[Spec], tuple[Any, ...]]:
        (spec,) = specs
        tuned.append(spec)
        other = eq.make_spec(players=2, strategies="random", rules=spec.rules, games=spec.games, seed=spec.seed)
        note = {"generations": 1, "seconds": 1, "rules_digest": spec.rules.digest}
        player = SimpleNamespace(
            old="greedy",
            players=2,
            par=0.5,
            better=True,
            share=None,
            provenance=note,
            generations=1,
            hardly=True,
            again=False,
        )
        return [replace(spec, lineup_record=other.lineup_record, strategy_tables=other.strategy_tables)], (player,)

    monkeypatch.setattr("equipoise.retuning.retune_all", retune)
    told: list[tuple[int, int]] = []
    found = eq.mend(
        players=2, strategies="greedy", games=400, rounds=1, best=1, free={"starting_coins": "0..20"}, margin="24pp",
        keep="score=90%", progress=lambda done, total: told.append((done, total)),
    )  # fmt: skip
    changes = {spec.rules.settings for spec in tuned}
    assert changes and len(changes) == len(tuned)  # each change is learned once
    score = found.table.filter(pl.col("name") == "score").row(0, named=True)
    assert score["habit"] > score["value"] + 10  # random players end with fewer coins
    assert "tuned_hardly" in {note.code for note in found.mend.notes}
    assert "mend_already" in {verdict.code for verdict in found.mend.verdicts}
    assert told and all(done <= total for done, total in told)


def test_what_was_played_before_an_interruption_is_kept(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    play, points = GameTable.see, 5

    def see(self: GameTable, *given: Any) -> Any:
        nonlocal points
        points -= 1
        if points < 0:
            raise KeyboardInterrupt
        return play(self, *given)

    monkeypatch.setattr(GameTable, "see", see)
    with pytest.raises(Interrupted, match="run the same command again to continue"):
        eq.mend(players=2, strategies="greedy", games=100, free="starting_coins", rounds=1)
    assert len(list((tmp_path / "kept").iterdir())) == 5


def test_a_fair_game_needs_no_change(tmp_path: Path) -> None:
    found = eq.mend(players=2, strategies="greedy", games=400, free="starting_coins.1", margin="40pp", rounds=1)
    assert [verdict.code for verdict in found.mend.verdicts] == ["mend_already"]
    assert found.mend.changes.is_empty() and len(found.mend.frontier) == 1
    assert "already meet the target" in found.verdicts[0]
    assert {path.name for path in found.save(tmp_path / "fair", "html,json")} == {"mend.html", "mend.json"}


def test_a_target_out_of_reach_is_missed_and_the_closest_change_named() -> None:
    """Five coins for seat 2 do not leave seat 1 one game in ten; the search ends well all the same."""
    found = eq.mend(
        players=2, strategies="greedy", games=400, free="starting_coins.2=0..5", target="seat-1=10%", rounds=1, best=1
    )
    assert found.mend.verdict.code == "mend_misses_seat"
    assert found.verdicts[0].startswith(
        "The target (seat-1=10%) is not met at 2 players. The search came closest with starting_coins.2=5."
    )


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--free", "startin_coins"), "did you mean 'starting_coins'"),
        (("--free", "effects.mill_coins=9..2"), "the range is reversed"),
        (("--free", "effects.mill_coins="), "no range after the '='"),
        (("--free", "effects.mill_coins=2..5000:6"), "choose a narrower range"),
        (("--target", "seat"), "did you mean 'seats'"),
        (("--keep", "lead_change"), "did you mean 'lead_changes'"),
        (("--margin", "many"), "is not a margin"),
        (("--players", "9"), "is for 2 to 5 players"),
        (("--rounds", "0"), "give a whole number from 1 to 20"),
        (("--best", "11"), "give a whole number from 1 to 10"),
        (("--habit", "--retune", "9"), "with habit, no players are tuned"),
        (("--retune", "soon"), "write a time such as 90s"),
        (
            ("--free", "stacks.orange_from_players=3..6", "--players", "2", "--strategies", "greedy", "--games", "100"),
            "changes a single game",
        ),
    ],
)
def test_bad_input(refused: Callable[..., str], arguments: tuple[str, ...], said: str) -> None:
    assert said in refused("mend", *arguments)


def test_a_search_of_hours_is_asked_about_first(monkeypatch: pytest.MonkeyPatch, refused: Callable[..., str]) -> None:
    monkeypatch.setattr("equipoise.limits.LONG", 0)
    assert refused(*LINE).endswith("or confirm with --yes")
