"""Commands that take strategies by role: `role=strategy` plays, a wrong or a missing role is one line."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import typer

from equipoise.parameters import lever_keys, parts_of_rules, role_names, strategy_names, target_names
from tests.equipoise.conftest import Cli
from tests.toy import TOY


def test_a_line_up_by_role_plays(cli: Cli) -> None:
    line = ("--strategies", "warlord=bully,burgher=steward")
    said = cli("simulate", "--game", TOY, "--games", "30", *line, "--format", "none", "--json")
    assert json.loads(said.out)["strategies"] == ["bully", "steward", "steward", "steward"]
    assert cli("replay", "--game", TOY, *line, "--index", "3").code == 0


@pytest.mark.parametrize("command", [("simulate", "--format", "none"), ("replay",)])
@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("warlord=bully", "--strategies: nobody plays the role 'burgher'"),
        ("warlord=giver,burgher=giver", "--strategies: 'giver' plays the role 'burgher' and cannot sit in seat 1"),
        ("lord=bully,burgher=giver", "--strategies: Siege has no role 'lord'"),
        ("warlord=bully,giver", "--strategies: 'giver' has no role; write warlord=NAME,burgher=NAME"),
    ],
)
def test_a_role_that_is_wrong_or_missing_is_one_line(cli: Cli, command: tuple[str, ...], line: str, told: str) -> None:
    said = cli(*command, "--game", TOY, "--strategies", line)
    assert said.code == 2
    assert told in said.err and said.err.count("\n") == 1


def test_completion_offers_strategies_with_the_roles_that_they_can_play() -> None:
    context: Any = typer.Context(typer.main.get_command(typer.Typer(callback=lambda: None)))
    context.params = {"game": TOY}
    offered = strategy_names(context)
    assert {"warlord=bully", "burgher=giver", "warlord=random", "burgher=random"} <= set(offered)
    assert "burgher=bully" not in offered
    assert role_names(context) == ["warlord", "burgher", "all"]
    context.params = {"game": "middle-ages"}
    assert "champion" in strategy_names(context)


def test_completion_offers_what_may_be_changed_aimed_at_and_shuffled() -> None:
    context: Any = typer.Context(typer.main.get_command(typer.Typer(callback=lambda: None)))
    context.params = {"game": TOY}
    assert {"camps", "seat-1=", "warlord=", "burgher="} <= set(target_names(context))
    context.params = {"game": "middle-ages"}
    assert target_names(context) == ["seats", *(f"seat-{seat}=" for seat in (1, 2, 3, 4))]
    assert dict(lever_keys(context))["starting_coins.2"] == "now 0"
    assert {"shortfall", "effects"} <= set(parts_of_rules(context, ""))
    assert "shortfall,effects" in parts_of_rules(context, "shortfall,eff")


def test_a_shell_gets_these_completions() -> None:
    asked = {"_EQUIPOISE_COMPLETE": "complete_bash", "COMP_WORDS": "equipoise mend --free s", "COMP_CWORD": "3"}
    script = Path(sys.executable).with_name("equipoise")
    said = subprocess.run([script], capture_output=True, text=True, check=True, env=os.environ | asked)
    assert "starting_coins.2" in said.stdout.splitlines()
