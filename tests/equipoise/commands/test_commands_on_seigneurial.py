"""Seigneurial on the command line: every command that plays speaks of roles and camps, in words and in JSON."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from equipoise.output import players as tuned_output
from simcore.game import load_game
from simcore.rules.files import load_rules
from strategies.library import load_strategy
from strategies.tuning.plan import Named, Plan
from strategies.tuning.search import Share
from tests.brief import tune_briefly
from tests.equipoise.conftest import Cli
from tests.referee.seigneurial import check

GAME = ("--game", "seigneurial")
REFERENCE = "lord=bailiff,tenant=gatherer"


def answer(cli: Cli, command: str, *arguments: object) -> Any:
    """Return what a command says in JSON."""
    said = cli(command, *GAME, "--json", *arguments)
    assert said.code == 0, said.err
    return json.loads(said.out)


def test_simulate_speaks_of_camps_first_and_then_of_seats(cli: Cli) -> None:
    said = cli("simulate", *GAME, "--players", 3, "--games", 2000, "--strategies", REFERENCE, "--format", "none")
    assert "Lord: too strong. They win" in said.out
    assert said.out.index("camp ") < said.out.index("role ") and "Tenant: " in said.out


def test_a_tournament_ranks_lords_among_lords_and_tenants_among_tenants(cli: Cli, tmp_path: Path) -> None:
    names = "lord=bailiff,lord=random,tenant=gatherer,tenant=random"
    line = ("--players", 3, "--games", 600, "--strategies", names, "--format", "json", "--out", tmp_path)
    said = cli("tournament", *GAME, *line)
    (found,) = json.loads((tmp_path / "tournament.json").read_text(encoding="utf-8"))["results"]
    ranked = [(row["role"], row["strategy"]) for row in found["table"]]
    assert ranked == [("lord", "bailiff"), ("lord", "random"), ("tenant", "gatherer"), ("tenant", "random")]
    assert "lord=bailiff" in said.out and "Lord: strongest of 2 with 3 players: bailiff" in " ".join(said.out.split())


def test_a_comparison_has_both_camps_and_they_gain_what_the_other_loses(cli: Cli) -> None:
    line = ("base", "even-camps", "--players", 3, "--games", 1000, "--strategies", REFERENCE, "--habit")
    found = answer(cli, "compare", *line, "--format", "none")
    seats = {(row["kind"], row["seat"], row["camp"]): row for row in found["seats"]}
    assert [key for key in seats if key[0] == "seat"] == [
        ("seat", 1, "lord"),
        ("seat", 2, "tenants"),
        ("seat", 3, "tenants"),
    ]
    lord, tenants = (row for row in found["seats"] if row["kind"] == "camp")
    assert (lord["camp"], tenants["camp"]) == ("lord", "tenants")
    assert lord["difference_high"] < 0, "smaller Objectives do not help the lord"
    assert tenants["difference"] == pytest.approx(-lord["difference"])
    assert lord["difference"] == pytest.approx(seats["seat", 1, "lord"]["difference"])


def test_restrictions_cost_the_role_that_is_forbidden_something(cli: Cli) -> None:
    def costs(strategy: str, forbidden: str) -> dict[str, Any]:
        line = ("--players", 3, "--games", 900, "--strategy", strategy, "--forbid", forbidden, "--format", "none")
        return {row["restriction"]: row for row in answer(cli, "restrict", *line)["results"][0]["table"]}

    gatherer = costs("gatherer", "cards,refusing")
    assert gatherer["cards"]["cost_low"] > 0
    assert gatherer["refusing"]["changed"] == gatherer["refusing"]["cost"] == 0, "a gatherer pays whenever he can"
    assert costs("bailiff", "cards")["cards"]["cost_low"] > 0


def test_a_role_is_tuned_against_the_other_and_sits_in_its_own_seats(
    cli: Cli, refused: Callable[..., str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tune_briefly(monkeypatch.setattr)
    out = tmp_path / "tuned.toml"
    found = answer(
        cli, "tune", "--players", 3, "--role", "tenant", "--start-from", "payer", "--against", "lord=bailiff",
        "--budget", 1, "--games", 60, "--population", 4, "--out", out,
    )  # fmt: skip
    assert found["role"] == "tenant"
    tuned = load_strategy(load_game("seigneurial"), out)
    assert (tuned.role, tuned.policy) == ("tenant", "tenant")
    line = ("--players", 3, "--games", 30, "--format", "none")
    assert answer(cli, "simulate", *line, "--strategies", f"lord=bailiff,tenant={out}")["strategies"] == [
        "bailiff",
        "tuned",
        "tuned",
    ]
    told = refused("simulate", *GAME, *line, "--strategies", f"lord={out},tenant=gatherer")
    assert "'tuned' plays the role 'tenant' and cannot sit in seat 1, which belongs to 'lord'" in told


def test_a_tuned_tenant_is_measured_by_what_the_start_wins_and_not_by_par(monkeypatch: pytest.MonkeyPatch) -> None:
    """Par of a tenant at 3 players is 25 %; gatherers win about 10 % each against bailiff, so 15 % is better."""
    monkeypatch.setattr(tuned_output, "START_GAMES", 2000)
    payer, bailiff = (load_strategy(load_game("seigneurial"), name) for name in ("payer", "bailiff"))
    roles = {role.name: role for role in load_game("seigneurial").roles}
    plan = Plan(
        load_game("seigneurial"),
        load_rules(load_game("seigneurial")),
        players=(3,),
        start=payer,
        opponents=(payer,),
        self_play=False,
        seed=1,
        sigma=1.0,
        population=4,
        games=100,
        named=Named("payer", "base", "payer"),
        role=roles["tenant"],
        held={"lord": (bailiff,)},
    )
    for mean, said in (
        (0.05, "stronger than payer"),
        (0.0125, "cannot be distinguished"),
        (0.001, "weaker than payer"),
    ):
        tuned: Any = SimpleNamespace(
            finalist="last mean", scores=[(replace(payer, role="tenant"), Share(3, mean, 0.001, 1000, 0.25))]
        )
        (sentence,) = tuned_output.conclusions(plan, tuned, Path("x.toml"))
        assert said in sentence and "par 25" not in sentence, sentence


def test_check_finds_that_a_camp_moved(cli: Cli, tmp_path: Path) -> None:
    file = tmp_path / "reference.toml"
    line = ("--players", 3, "--strategies", REFERENCE, "--games", 2000)
    assert cli("check", file, *GAME, "--update", *line).code == 0
    said = cli("check", file, "--set", "objective_extra.3=-6", "--json")
    assert said.code == 1, said.out
    (checked,) = json.loads(said.out)["checks"]
    failed = {row["measure"]: row["shift"] for row in checked["findings"] if row["verdict"] == "fail"}
    assert failed["win_share_by_camp.lord"] < 0 < failed["win_share_by_camp.tenants"]


def test_a_replayed_game_is_one_that_the_referee_accepts(cli: Cli, tmp_path: Path) -> None:
    line = (*GAME, "--players", 4, "--strategies", REFERENCE, "--index", 5)
    text = cli("replay", *line).out
    assert "The lord asks for" in text and "Tenant 4 places pawns" in text
    log = tmp_path / "game.jsonl"
    assert cli("replay", *line, "--format", "jsonl", "--out", log).code == 0
    records = [json.loads(row) for row in log.read_text(encoding="utf-8").splitlines()]
    assert records[0]["strategies"] == ["bailiff", "gatherer", "gatherer", "gatherer"]
    assert check(records) == []


CARD = '[[tenant_card]]\nid = "x"\ncopies = 1\nwhen = ["rent"]\neffects = [{op = "%s", who = "%s"}]'
FULL = "\n".join(f'[[lord_card]]\nid = "{name}"\ncopies = 60\nwhen = ["any"]\neffects = []' for name in "xyz")


@pytest.mark.parametrize(
    ("table", "told"),
    [
        (CARD % ("gian", "self"), "no op 'gian'; did you mean 'gain'?"),
        (CARD % ("heal", "king"), "heal: who cannot be 'king'"),
        (CARD % ("gain", 'self", what = "gold'), "gain: what cannot be 'gold'"),
        (FULL, "the copies add up to 180; a pile has room for 120"),
        ("[objectives]\na = [62, 0, 0]\nb = [1, 0, 0]\nc = [1, 0, 0]", "objectives.a: asks for 62 wood"),
    ],
    ids=["op", "who", "what", "copies", "objective"],
)
def test_a_rule_file_that_cannot_be_played_is_one_line(
    refused: Callable[..., str], tmp_path: Path, table: str, told: str
) -> None:
    file = tmp_path / "mine.toml"
    file.write_text(f'extends = "base"\n{table}\n', encoding="utf-8")
    assert told in refused("simulate", *GAME, "--rules", file, "--games", 10)


def test_a_lord_in_a_tenants_seat_is_one_line(refused: Callable[..., str]) -> None:
    told = refused("simulate", *GAME, "--players", 3, "--strategies", "bailiff,bailiff,gatherer", "--games", 10)
    assert "'bailiff' plays the role 'lord' and cannot sit in seat 2, which belongs to 'tenant'" in told
