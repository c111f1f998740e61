"""`equipoise mend`: what it prints, what it writes, and what it refuses."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import polars as pl
import pytest

import equipoise as eq
from analysis.mend.search import around
from analysis.mend.targets import GameTrials
from reports.page import Picture
from reports.pages.mend import compose_mend
from reports.words import Words
from simcore.errors import Interrupted
from simcore.game import load_game
from simcore.rules.files import load_rules
from simcore.running.batch import Spec
from tests.brief import mend_briefly
from tests.equipoise.conftest import Cli

LINE = (
    "mend", "--players", 2, "--strategies", "greedy", "--games", 400, "--rounds", 1, "--best", 1, "--margin", "2pp",
    "--free", "starting_coins=0..20", "--keep", "lead_changes=40%", "--keep", "nothing",
)  # fmt: skip


@pytest.fixture(autouse=True)
def own_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Keep what is played apart from other tests, and play little of it."""
    mend_briefly(monkeypatch.setattr)
    folder = tmp_path / "kept"
    folder.mkdir()
    monkeypatch.setattr("simcore.kernel.cache.beside_kernels", lambda name: folder)


def test_the_best_change_in_the_terminal_and_as_a_rule_file(
    cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("analysis.mend.search.around", around)  # or a variant of the rules comes first
    out = tmp_path / "page"
    said = cli(*LINE, "--out", out, "--lang", "fr")
    assert said.code == 0, said
    told = " ".join(said.out.split())
    assert "Au plus juste à 2 joueurs, en commençant par le siège 1" in told
    assert all(len(line) <= 80 for line in said.out.splitlines() if str(tmp_path) not in line)
    page = (out / "mend.html").read_text(encoding="utf-8")
    assert "ce qui rétablirait l'équilibre" in page or "ce qui rétablirait l&#39;équilibre" in page
    assert f"equipoise compare base {out / 'mended-1.toml'} --game middle-ages --players 2" in re.sub(
        "<[^>]+>", "", page
    )
    assert "Au plus juste" in page and page.count("<svg") >= 3
    assert "joueurs qui connaissent le changement" not in page and "Par habitude" not in page, "none was tuned"
    found = json.loads((out / "mend.json").read_text(encoding="utf-8"))["results"][0]
    (change,) = found["changes"]
    assert [row["name"] for row in found["table"]] == ["seat-1", "seat-2", "lead_changes"]
    for row in found["frontier"]:
        ends = [abs(row[f"value_{end}"] - row["wanted"]) for end in ("low", "high")]
        assert row["off_low"] <= row["off"] <= row["off_high"] == pytest.approx(max(ends))
    assert pl.read_parquet(out / "mend.parquet").height == len(found["curves"])
    game = load_game("middle-ages")
    made = load_rules(game, out / "mended-1.toml")
    assert (
        made.flat()["starting_coins"] == load_rules(game, "base", change["change"].split(", ")).flat()["starting_coins"]
    )
    said_there = (out / "mended-1.toml").read_text(encoding="utf-8").splitlines()[1:3]
    assert re.fullmatch(r"# In the rulebook: \d+ coins? for seat 2\. Only the text changes\.", said_there[0])
    assert re.fullmatch(r"# Dans le livret.: \d+ pièces? pour le siège 2\. Seul le texte change\.", said_there[1])
    shown = re.sub("(?s)<details.*?</details>", "", page)
    assert re.findall('figure id="([^"]+)"', shown) == ["figure-after-2", "figure-frontier", "figure-curve-0"]
    assert page.count("<figure") > 3, "the other curves fold"
    refused = cli(*LINE, "--out", out)
    assert refused.code == 2 and "mend.html exists" in refused.err
    again = cli(*LINE, "--out", out, "--force", "--format", "json")
    assert again.code == 0 and "are not played again" in " ".join(again.out.split())
    assert json.loads((out / "mend.json").read_text(encoding="utf-8"))["results"][0]["table"] == found["table"]


def test_players_of_their_own_judge_a_change(monkeypatch: pytest.MonkeyPatch) -> None:
    """Random players, in place of tuned ones, play the changes; those of before stay greedy."""
    tuned: list[Spec] = []
    numbers: dict[str, list[int]] = {}

    def retune(specs: Sequence[Spec], how: Any, quiet: bool) -> tuple[list[Spec], tuple[Any, ...]]:
        (spec,) = specs
        tuned.append(spec)
        numbers.setdefault(spec.rules.digest, []).append(how.number)
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

    monkeypatch.setattr("equipoise.api.compare.retune_all", retune)
    told: list[tuple[int, int]] = []
    found = eq.mend(
        players=2,
        strategies="greedy",
        games=400,
        rounds=1,
        best=1,
        free={"starting_coins": "0..20"},
        margin="24pp",
        keep=["score=90%", "nothing"],
        progress=lambda done, total: told.append((done, total)),
    )
    changes = {spec.rules.settings for spec in tuned}
    assert changes and all(numbers[one] in ([0], [0, 1, 2]) for one in numbers), "once, or three times for a range"
    score = found.table.filter(pl.col("name") == "score").row(0, named=True)
    assert score["habit"] > score["value"] + 10  # random players end with fewer coins
    assert "mend_tuned_hardly" in {note.code for note in found.mend.notes}
    assert "mend_already" in {verdict.code for verdict in found.mend.verdicts}
    assert told and all(done <= total for done, total in told)


def test_what_was_played_before_an_interruption_is_kept(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    play, points = GameTrials.see, 5

    def see(self: GameTrials, *given: Any) -> Any:
        nonlocal points
        points -= 1
        if points < 0:
            raise KeyboardInterrupt
        return play(self, *given)

    def mend() -> dict[str, list[dict[str, Any]]]:
        found = eq.mend(players=2, strategies="greedy", games=100, free="starting_coins.2=0..6", rounds=1, best=1).mend
        return {name: getattr(found, name).to_dicts() for name in ("changes", "curves", "table")}

    with monkeypatch.context() as change:
        change.setattr(GameTrials, "see", see)
        with pytest.raises(Interrupted, match="run the same command again to continue"):
            mend()
    assert len(list((tmp_path / "kept").iterdir())) == 5
    went_on = mend()
    for file in (tmp_path / "kept").iterdir():
        file.unlink()
    assert mend() == went_on and went_on["curves"], "the same seed gives the same result"


def test_a_fair_game_needs_no_change(tmp_path: Path) -> None:
    found = eq.mend(players=2, strategies="greedy", games=400, free="starting_coins.1", margin="40pp", rounds=1, best=1)
    assert [verdict.code for verdict in found.mend.verdicts] == ["mend_already"]
    assert "already meet the target" in found.verdicts[0]
    assert {path.name for path in found.save(tmp_path / "fair", "html,json")} == {"mend.html", "mend.json"}


def test_a_target_out_of_reach_is_missed_and_the_closest_change_named() -> None:
    """Five coins for seat 2 do not leave seat 1 one game in ten; the search ends well all the same."""
    found = eq.mend(
        players=2, strategies="greedy", games=400, free="starting_coins.2=0..5", target="seat-1=10%", rounds=1, best=1
    )
    assert found.mend.verdict.code == "mend_misses_seat"
    assert found.verdicts[0].startswith(
        "Nothing that was tried meets the target. What comes closest is 5 coins for seat 2: seat 1 is at"
    )
    assert list(found.rule_files()) == []


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
    monkeypatch.setattr("analysis.precision.LONG", 0)
    assert refused(*LINE).endswith("or confirm with --yes")


def test_one_change_for_several_numbers_of_players(monkeypatch: pytest.MonkeyPatch) -> None:
    """Coins may differ from one number to the next, so each has a file; what everybody reads is the same for all."""
    found = eq.mend(
        players=[2, 3],
        strategies="greedy",
        games=200,
        rounds=1,
        best=1,
        margin="6pp",
        habit=True,
        free={"starting_coins": "0..4", "effects.mill_coins": "2..3"},
    )
    assert found.mend.counts == (2, 3)
    assert set(found.table["players"]) == {2, 3}
    (first, *_) = found.mend.changes.iter_rows(named=True)
    assert first["left"] == max(first["left_at_2"], first["left_at_3"])
    for by_players in found.mend.best:
        mills = {rules.flat()["effects.mill_coins"] for rules in by_players.values()}
        assert set(by_players) == {2, 3} and len(mills) == 1
    page = found.report()
    headings = next(table.headings for table in page.tables if table.name == "changes")
    assert {"2 players", "3 players"} <= set(headings)
    monkeypatch.setattr("reports.pages.mend.of_compare", lambda spec: (spec.players * 60.0, spec.players * 900.0))
    monkeypatch.setattr("reports.pages.mend.MOST_PICTURES", 3)
    alike = replace(found.mend, best=tuple(dict.fromkeys(by, by[3]) for by in found.mend.best))
    page = compose_mend(alike, found.rules, Words())
    (tried,) = (step for step in page.steps if "compare" in step.command)
    assert "--players 2,3" in tried.command and "5 min" in tried.text and "75 min" in tried.text
    curves = next(section for section in page.sections if section.name == "curves")
    drawn = [block for block in curves.blocks if isinstance(block, Picture)]
    assert len(drawn) == 3 and "left out" in str(curves.blocks[-1])


def test_what_changes_the_game_is_saved_on_demand_only() -> None:
    free = "starting_coins=0..9"
    found = eq.mend(players=2, strategies="greedy", games=400, rounds=1, best=1, margin="2pp", habit=True, free=free)
    (result,) = found.results
    assert result.printable and next(name for name, _ in found.rule_files()) == "mended-1.toml"
    other = result.changes.with_columns(target=pl.lit("changes"), breaks=pl.lit("burials"), breaks_by=pl.lit(-0.5))
    drastic = replace(found, results=(replace(result, changes=other),))
    assert not list(drastic.rule_files())
    assert len(list(replace(drastic, save_all=True).rule_files())) == len(other)
    table = next(
        table for table in compose_mend(drastic.mend, drastic.rules, Words()).tables if table.name == "changes"
    )
    assert "changes the game: tiles lost to the Cemetery \N{MINUS SIGN}50%" in [cell.text for cell in table.rows[0]]
    denied = replace(found, results=(replace(result, changes=result.changes.with_columns(target=pl.lit("denied"))),))
    assert all("; fair only among experts\n" in text for _, text in denied.rule_files())
    page = compose_mend(denied.mend, denied.rules, Words())
    (table,) = (table for table in page.tables if table.name == "changes")
    assert "only among experts" in [cell.text for cell in table.rows[0]]


def test_a_change_that_players_who_look_ahead_deny_does_not_meet_the_target(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Champions stand for them; coins that level greedy players, of whom the last is best, make the first stronger."""
    monkeypatch.setattr("analysis.mend.mending.are_usual", lambda game, strategies: True)
    monkeypatch.setattr("analysis.mend.mending.players_of", lambda game, skill: {"player": "champion"})
    monkeypatch.setattr("analysis.mend.mending.variants_of", lambda specs, levers: {})
    how: Any = {"players": 4, "strategies": "greedy", "games": 600, "rounds": 1, "best": 1, "margin": "5pp"}
    how |= {"free": {"starting_coins": "0..20"}, "keep": "nothing", "progress": True}
    mended = eq.mend(**how)
    assert "Players who look ahead judge the best: at most " in capsys.readouterr().err
    (said,) = mended.mend.ahead
    assert said is not None and said.answer.says == "tilted"
    assert mended.mend.changes["ahead"].to_list() == ["tilted"]
    first = mended.mend.verdicts[0]
    assert (first.code, first.status, first.values["who"]) == ("mend_denied_seats", "unclear", "1")
    page = mended.compose(Words("fr"))
    texts = [one.text for one in page.verdicts]
    assert (
        "entre joueurs qui anticipent le siège 1 gagne" in texts[0].replace(",", "") or "le siège 1 gagne" in texts[0]
    )
    assert any(text.startswith("Entre joueurs qui anticipent") for text in texts[1:])
    (changes,) = (table for table in page.tables if table.name == "changes")
    assert "déséquilibré" in {cell for row in changes.frame.rows() for cell in row}
    assert eq.mend(**how | {"games": 60}, habit=True).mend.ahead == (None,)
