"""`equipoise cards`: all cards and one card, in both languages, its files, names as people write them, bad input."""

from __future__ import annotations

import json
import shlex
from pathlib import Path

import polars as pl
import pytest

import equipoise as eq
from equipoise.cli import app, run
from tests.equipoise.conftest import Cli
from tests.toy import ROOT

FEW = ("--strategies", "greedy", "--players", "2", "--games", "60", "--quick")


def test_page_and_files(cli: Cli, tmp_path: Path) -> None:
    out = tmp_path / "cards"
    said = cli("cards", *FEW, "--out", out, "--format", "html,csv,json,parquet", "--no-open")
    assert said.code == 0, said.err
    shown = " ".join(said.out.split())
    assert shown.startswith("Middle-Ages: what every card does") and "strikes all seats alike" in shown
    assert "A blank tile has no symbols" in shown
    page = (out / "cards.html").read_text(encoding="utf-8")
    assert page.count("<figure") == 2 and "Every Event, 2 players" in page and "Every tile, 2 players" in page
    events, tiles = json.loads((out / "cards.json").read_text(encoding="utf-8"))["results"]
    assert len(events["table"]) == 15 and {row["why"] for row in tiles["table"]} == {""}
    stored = pl.read_parquet(out / "cards.parquet")
    assert stored["thing"].unique().sort().to_list() == ["Event", "tile"] and len(stored) == 15 + len(tiles["table"])
    assert list((out / "cards-data").glob("table-cards-event-2*.csv"))


def test_one_card_with_its_commands_in_french(cli: Cli) -> None:
    said = cli("cards", "Peste Noire", *FEW[:4], "--games", "120", "--quick", "--format", "none", "--lang", "fr")
    assert said.code == 0, said.err
    assert said.out.startswith("Peste noire dans Middle-Ages") and "change le vainqueur" in " ".join(said.out.split())
    made = eq.cards(name="black death", strategies="greedy", players=2, games=120, quick=True)
    lines = [line for block in made.report().sections[0].blocks for line in getattr(block, "lines", ())]
    changes = [line for line in lines if line.startswith("equipoise compare")]
    assert any("events.black_death.copies=0" in line for line in changes)
    assert any("events.black_death.copies=2" in line for line in changes)
    replays = [line for line in lines if line.startswith("equipoise replay")]
    assert 0 < len(replays) <= 10
    assert run(app, shlex.split(replays[0])[1:]) == 0


@pytest.mark.parametrize(
    ("name", "meant"),
    [("JESTERS", "jester"), ("bouffon", "jester"), ("black-death", "black_death"), ("skilled", "skilled_trades")],
)
def test_names_as_people_write_them(name: str, meant: str) -> None:
    from equipoise.questions.cards import _sought
    from simcore.homes import GAMES

    assert _sought(GAMES, name)[2] == meant


def test_a_name_that_no_game_has(cli: Cli) -> None:
    for options, meant in (((), "jester"), (("--game", "medievallons"), "jester"), (("--game", "middle-ages"), "")):
        said = cli("cards", "jestr", *options)
        assert said.code == 2 and said.err.count("\n") == 1
        assert said.err.startswith(
            "error: there is no card 'jestr'; "
            + (f"did you mean '{meant}'?" if meant else "`equipoise cards --game middle-ages` lists them")
        )


def test_a_game_without_cards(cli: Cli) -> None:
    said = cli("cards", "--game", "kuhn")
    assert said.code == 2 and "Kuhn poker declares no cards" in said.err


def test_a_card_of_one_s_own_has_a_page(cli: Cli) -> None:
    said = cli(
        "cards",
        "tithe",
        "--rules",
        ROOT / "docs/example-card.toml",
        *["--quick", "--games", "8", "--format", "none"],
        *["--strategies", "greedy", "--players", "2"],
    )
    assert said.code == 0 and said.out.startswith("Tithe of the crown in Middle-Ages")


def test_the_page_of_a_card_says_against_whom_and_what_players_who_look_ahead_make_of_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """What is stored holds for the printed rules and the players of that time, and for no other."""
    from analysis.seats import levels
    from simcore.game import load_game
    from simcore.rules.files import load_rules

    def tables(*settings: str) -> dict[str, pl.DataFrame]:
        made = eq.cards("medievallons", name="assassin", players=4, games=20, quick=True, settings=list(settings))
        return {block.name: block.frame for block in made.report().sections[0].blocks if hasattr(block, "frame")}

    stored = levels.stored_card("medievallons", 4, "assassin", load_rules(load_game("medievallons"), "base").digest)
    assert stored is not None and stored.decides is not None
    shown = tables()
    assert set(shown["card-against"]["seat"]) == {1, 2, 3, 4}
    assert len(shown["card-levels"]) == 4 and stored.decides in shown["card-levels"]["decides"].to_list()
    assert len(tables("hand_size=5")["card-levels"]) == 3
    monkeypatch.setattr(levels, "file_digest", lambda game, name: "")
    assert len(tables()["card-levels"]) == 3
