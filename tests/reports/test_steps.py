"""The first screen of each question's page: its answer, one figure or table, and commands that can be copied."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import typer

import equipoise as eq
from analysis.data.inputs import inputs_of
from equipoise.cli import app
from reports.commands import UNTYPED, casting
from reports.opinion import called
from reports.page import Report
from reports.render.html import BESIDE, to_html
from reports.render.markdown import to_markdown
from reports.steps import baseline
from reports.words import Words
from simcore.game import load_game
from simcore.rules.files import load_rules

FEW: dict[str, Any] = {"strategies": "greedy", "games": 400}
EXAMPLE = Path(__file__).resolve().parents[2] / "docs/example-games.csv"
ASKED: dict[str, Callable[[], Any]] = {
    "compare": lambda: eq.compare("base", settings="starting_coins=[0,60,0,0,0]", habit=True, **FEW),
    "sweep": lambda: eq.sweep(settings={"effects.mill_coins": [1, 3]}, target="seats", **FEW),
    "sensitivity": lambda: eq.sensitivity(only=["shortfall"], **FEW),
    "skill": lambda: eq.skill(players=2, games=60, searched=2),
    "luck": lambda: eq.luck(**FEW),
    "cards": lambda: eq.cards(quick=True, **FEW | {"games": 40}),
    "card": lambda: eq.cards(name="alliance", quick=True, **FEW | {"games": 40}),
    "mend": lambda: eq.mend(players=2, free="starting_coins.1", margin="40pp", rounds=1, best=1, **FEW),
    "tournament": lambda: eq.tournament(strategies=["greedy", "random"], games=200),
    "restrict": lambda: eq.restrict(strategy="greedy", forbid=["mill"], games=200),
    "playtest": lambda: eq.playtest(EXAMPLE, strategies=["random", "greedy"], games=400),
    "plan": lambda: eq.playtest(plan=12, strategies=["random", "greedy"], games=400),
}
PLACES = {"FILE.toml": "base", "mended-1.toml": "base"}
"""Files that a user names, and what stands for them here."""


@pytest.fixture(scope="module", params=ASKED)
def made(request: pytest.FixtureRequest) -> Report:
    report: Report = ASKED[request.param]().report()
    return report


def test_it_answers_first_and_its_figure_is_not_shown_twice(made: Report, monkeypatch: pytest.MonkeyPatch) -> None:
    page = to_html(made)
    first, _, rest = page.partition("</header>")
    answer, others = made.verdicts[0].text, [one.text for one in made.verdicts[1:BESIDE]]
    assert f'<p class="answer {made.verdicts[0].status}">' in first and page.count("<h1>") == 1
    assert made.leading is not None
    name = f'id="{"figure" if made.pictures else "table"}-{made.leading.name}"'
    assert name in first and name not in rest
    assert len(re.findall('class="status"', first)) == len(others)
    assert made.steps[0].command in to_markdown(made, "figures") and answer


def test_the_command_line_takes_every_step(made: Report) -> None:
    commands: Any = typer.main.get_command(app)
    assert made.steps
    for step in made.steps:
        program, name, *arguments = (PLACES.get(word, word) for word in shlex.split(step.command))
        assert program == "equipoise"
        commands.commands[name].make_context(name, arguments)


def test_a_baseline_guards_the_rules_and_players_that_are_meant(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    folder = Path("configs/medievallons/baselines")
    folder.mkdir(parents=True)
    head = 'format = "equipoise-baseline/1"\ngame = "medievallons"\nplayers = [3]\nsettings = ["hand_size=7"]\n'
    (folder / "changed.toml").write_text(head)
    game = load_game("medievallons")
    own, other = (load_rules(game, "base", [setting]) for setting in ("hand_size=7", "turn_draws=2"))
    lines = [baseline(rules, players, "").command for rules, players in ((own, 3), (own, 5), (other, 3))]
    assert lines[0].startswith(f"check {folder / 'changed.toml'}")
    assert all(line.startswith(f"check --update {folder / 'changed-2.toml'}") for line in lines[1:])


def test_players_of_a_users_file_are_not_the_shipped_ones_of_its_name() -> None:
    inputs = inputs_of(eq.make_spec(players=2), 0, 0)
    own = replace(inputs, namesakes=inputs.strategies[:1])
    assert (casting(inputs), casting(own)) == ("", f" {UNTYPED}")
    assert [called(Words(), one) for one in (inputs, own)] == ["experts", inputs.strategies[0]]


def test_commands_say_which_rules_were_played() -> None:
    own = eq.compare("base", settings="effects.mill_coins=3", habit=True, **FEW).report()
    changed = [("--set" in step.command) for step in own.steps]
    assert len(set(changed)) == 1
    shipped = eq.restrict(strategy="greedy", forbid=["mill"], games=200, rules="gentler-barracks").report()
    assert [step.command for step in shipped.steps] == [
        "equipoise tune --game middle-ages --players 4 --rules gentler-barracks --against greedy --budget 5m",
        "equipoise report --game middle-ages --rules gentler-barracks",
    ]
