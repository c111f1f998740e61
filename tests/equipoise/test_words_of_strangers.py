"""Text in files reaches no output as it is: neither a terminal nor a page, a spreadsheet or a CI runner obeys it."""

from __future__ import annotations

import csv
import json
import random
import re
import shutil
import tomllib
from collections.abc import Iterator
from copy import deepcopy
from itertools import cycle
from pathlib import Path
from typing import Any

import pytest
import tomli_w

import equipoise as eq
from analysis.design_log import EXPERIMENTS
from analysis.playtest import result
from analysis.runs.manifest import FILE, sha256_of, signed
from simcore.errors import printable
from tests.brief import leave_out_pictures
from tests.equipoise.conftest import Cli
from tests.manifests import manifest_of

ROOT = Path(__file__).resolve().parents[2]
CONFIGS = ROOT / "configs/middle-ages"
RUDE = (
    "\x1b[31mred\x1b]0;t\x07\x9b5m\n::error file=x:y::boo\u202e ::warning::boo ##[error]boo <script>alert(1)</script>"
)
FORMULA = '=HYPERLINK("x")'
OBEYED = ("\x1b", "\x07", "\x9b", "\u202e", "##[error]")


def check_harmless(text: str) -> None:
    """Check something that a command wrote."""
    assert not [mark for mark in OBEYED if mark in text]
    assert not re.search(r"^\s*::[a-z]+(| .*)::boo", text, re.MULTILINE)


def check_said(cli: Cli, *arguments: object) -> int:
    """Check what a command says, and return its exit code."""
    said = cli(*arguments)
    check_harmless(said.out + said.err)
    assert said.code in (0, 1, 2), said
    assert "bug" not in said.err
    if said.code == 2:
        assert said.err.count("\n") == 1, said
    return said.code


def check_written(folder: Path) -> None:
    """Check every text file in a folder."""
    texts = [path for path in folder.rglob("*") if path.suffix in (".html", ".md", ".csv", ".xml", ".txt")]
    assert texts
    for path in texts:
        text = path.read_text(encoding="utf-8")
        check_harmless(text)
        if path.suffix in (".html", ".md"):
            assert "<script>alert" not in re.sub(r"(?s)(`+).*?\1", "", text), "outside of code"
        if path.suffix == ".csv":
            assert not [cell for row in csv.reader(text.splitlines()) for cell in row if cell.startswith("=")]


def spoilt(table: Any, rude: str = RUDE) -> Iterator[Any]:
    """Yield copies of a document, each with one text or name replaced."""
    for place in list(_places(table)):
        copy = deepcopy(table)
        holder = copy
        for part in place[:-1]:
            holder = holder[part]
        holder[place[-1]] = rude
        yield copy
        if isinstance(place[-1], str):
            holder[rude] = holder.pop(place[-1])
            yield copy


def _places(table: Any, above: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    for key, value in table.items() if isinstance(table, dict) else enumerate(table):
        if isinstance(value, dict | list):
            yield from _places(value, (*above, key))
        elif isinstance(value, str):
            yield (*above, key)


def everywhere(table: Any, rude: str = RUDE) -> Any:
    """Return a document with all of its texts replaced."""
    if isinstance(table, dict):
        return {key: everywhere(value, rude) for key, value in table.items()}
    if isinstance(table, list):
        return [everywhere(value, rude) for value in table]
    return rude if isinstance(table, str) else table


def test_what_is_made_visible() -> None:
    assert printable("Église\u202f: 3\u00a0pts") == "Église\u202f: 3\u00a0pts", "spaces of French do no harm"
    assert printable("\x1b\x9b\n\u202e\u2028\udc80") == r"\x1b\x9b\n\u202e\u2028\udc80"


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small run."""
    folder = tmp_path_factory.mktemp("stranger") / "run"
    eq.simulate(players=2, strategies="random", games=240, out=folder)
    return folder


def write_manifest(folder: Path, table: dict[str, Any]) -> None:
    """Write a manifest whose checksums fit, as somebody could who means harm."""
    table.pop("manifest_sha256", None)
    (folder / FILE).write_text(signed(table | {"rules_digest": sha256_of(table["rules"])}), encoding="utf-8")


def test_manifests(cli: Cli, run: Path, tmp_path: Path) -> None:
    """One text after another."""
    folder = tmp_path / "run"
    shutil.copytree(run, folder)
    whole = manifest_of(folder)
    whole["settings"], whole["precision"] = ["starting_coins.1=0"], "0.1pp"
    few = {name: whole["rules"][name] for name in ("format", "game", "name", "title")}  # the rest in `test_rules`
    copies = list(spoilt({**whole, "rules": few}))
    assert len(copies) > 40
    export = ("export", folder, "--out", tmp_path / "x.csv", "--force")
    others = cycle((("verify", folder), ("replay", folder), export))
    for table in copies:
        write_manifest(folder, {**table, "rules": whole["rules"] | table.get("rules", {})})
        check_said(cli, "log", tmp_path)
        check_said(cli, *next(others))


def test_pages_of_a_run(cli: Cli, run: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """All texts that nothing has to agree with, on every page that shows them; figures show none."""
    leave_out_pictures(monkeypatch.setattr)
    monkeypatch.chdir(tmp_path)
    folder = tmp_path / "run \x1b[31m\n::error::boo"
    shutil.copytree(run, folder)
    table = manifest_of(folder)
    loose = {"command": RUDE, "started": FORMULA, "versions": RUDE}
    loose = {name: everywhere(table[name], rude) for name, rude in loose.items()}
    write_manifest(folder, {**table, **loose, "settings": [f"x={RUDE}", FORMULA]})
    formats = ("--format", "html,md,csv")
    assert check_said(cli, "report", folder, "--out", tmp_path / "page.html", "--deals", 20, "--no-open", *formats) == 0
    check_written(tmp_path)
    (tmp_path / "other.html").write_text(
        f'<meta name="generator" content="Equipoise"><title>{RUDE.replace("<", "&lt;")}</title>'
        f'<meta name="description" content="{RUDE}">',
        encoding="utf-8",
    )
    assert check_said(cli, "index", tmp_path, "--no-open") == 0
    check_harmless((tmp_path / "index.html").read_text(encoding="utf-8"))


def test_documents_of_experiments(cli: Cli, tmp_path: Path) -> None:
    seat = {
        "version": RUDE,
        "players": 4,
        "who": RUDE,
        "kind": RUDE,
        "par": 0.25,
        "before": 0.3,
        "before_low": 0.2,
        "before_high": 0.4,
        "after": 0.3,
        "after_low": 0.2,
        "after_high": 0.4,
    }
    document = {
        "format": "equipoise-sweep/1",
        "game": RUDE,
        "rules": RUDE,
        "settings": [RUDE],
        "command": [RUDE],
        "versions": [{"label": RUDE}],
        "verdicts": [RUDE],
        "seats": [seat, seat],
        "results": [{"players": 4, "games": 8, "verdicts": [RUDE]}],
    }
    for name in EXPERIMENTS:
        for number, table in enumerate((document, {**document, "versions": {RUDE: RUDE}})):
            folder = tmp_path / f"{name}{number}"
            folder.mkdir()
            (folder / f"{name}.json").write_text(json.dumps(table), encoding="utf-8")
    assert check_said(cli, "log", tmp_path, "--out", tmp_path / "log.html", "--no-open") == 0
    assert check_said(cli, "log", tmp_path, "--json") == 0
    assert check_said(cli, "index", tmp_path, "--no-open") == 0
    assert "warning::boo" in (tmp_path / "log.html").read_text(encoding="utf-8"), "it is shown"
    check_written(tmp_path)


def test_baselines(cli: Cli, tmp_path: Path) -> None:
    """One text after another, said in the terminal, to GitHub and in JSON in turn."""
    table = tomllib.loads((CONFIGS / "baselines/default.toml").read_text(encoding="utf-8"))
    table["settings"], table["strategies"] = ["starting_coins.1=0"], ["random"]
    shutil.copytree(CONFIGS / "baselines/default", tmp_path / "default")
    copies = [*spoilt(table)]
    assert len(copies) > 20
    for copy, how in zip(copies, cycle([(), ("--github",), ("--json",)])):
        (tmp_path / "default.toml").write_text(tomli_w.dumps(copy), encoding="utf-8")
        assert check_said(cli, "check", tmp_path / "default.toml", *how) == 2


def test_rules_and_strategies(cli: Cli, tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    copies = list(spoilt(tomllib.loads((CONFIGS / "base.toml").read_text(encoding="utf-8"))))
    for table in [*copies[:12], *random.Random(1).sample(copies, 12)]:
        file.write_text(tomli_w.dumps(table), encoding="utf-8")
        for how in ((), ("--json",)):
            check_said(cli, "rules", "show", file, *how)
    (tmp_path / "base.toml").write_bytes((CONFIGS / "strategies/champion.toml").read_bytes())
    for name in ("champion", "rollout"):
        table = tomllib.loads((CONFIGS / f"strategies/{name}.toml").read_text(encoding="utf-8"))
        for copy in list(spoilt(table | {"forbids": ["mill"]}))[:24]:
            file.write_text(tomli_w.dumps(copy), encoding="utf-8")
            check_said(cli, "simulate", "--strategies", file, "--games", 4, "--format", "none")


def draw_few_sets(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("SETS", "MORE_SETS"):
        monkeypatch.setattr(result, name, 10)


def test_results_of_real_games(cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    draw_few_sets(monkeypatch)
    with (ROOT / "docs/example-games.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    sheet = tmp_path / "sheet.csv"
    for column in rows[0]:
        for rude in (RUDE, FORMULA):
            with sheet.open("w", encoding="utf-8", newline="") as file:
                writer = csv.DictWriter(file, [*rows[0], rude])
                writer.writeheader()
                writer.writerows([{**row, column: rude, rude: rude} for row in rows])
            line = ("playtest", sheet, "--strategies", "random|greedy", "--games", 100)
            out = tmp_path / f"{column}{len(rude)}"
            if check_said(cli, *line, "--out", out, "--format", "html,md,csv") == 0:
                check_written(out)


@pytest.mark.parametrize("rude", [RUDE, FORMULA])
def test_tables_of_results(cli: Cli, tmp_path: Path, rude: str) -> None:
    """Names of people, roles, groups, rules and columns, and the title, on all pages of the run of a table."""
    table, run = tmp_path / "table.csv", tmp_path / "run"
    with table.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["game", "seat", "player", "role", "group", "rules", "score", rude])
        for game in range(60):
            for seat in (1, 2, 3):
                who = f"{(game + seat) % 4}{rude}"
                writer.writerow([game, seat, who, f"{seat}{rude}", f"{game % 3}{rude}", rude, game * seat % 7, seat])
    assert check_said(cli, "import", table, "--out", run, "--title", rude) == 0
    for line in (("log", tmp_path), ("verify", run), ("export", run, "--out", tmp_path / "x.csv")):
        check_said(cli, *line)
    formats = ("--format", "html,md,csv")
    assert check_said(cli, "report", run, "--out", tmp_path / "page.html", "--no-open", *formats) == 0
    assert check_said(cli, "index", tmp_path, "--no-open") == 0
    table.unlink()
    check_written(tmp_path)


def test_a_file_of_bg_stats(cli: Cli, tmp_path: Path) -> None:
    file = tmp_path / "plays.json"
    seats = [{"playerRefId": number, "score": str(number), "winner": number == 2} for number in (1, 2)]
    whole = {
        "games": [{"id": 1, "name": "Azul"}],
        "players": [{"id": number, "name": f"P{number}"} for number in (1, 2)],
        "plays": [{"gameRefId": 1, "playDate": "2026-01-01 10:00:00", "playerScores": seats} for _ in range(4)],
    }
    for number, table in enumerate(spoilt(whole)):
        file.write_text(json.dumps(table), encoding="utf-8")
        check_said(cli, "import", file, "--out", tmp_path / f"{number}")
    check_said(cli, "log", tmp_path)


def test_replay_logs(cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    draw_few_sets(monkeypatch)
    logged = cli("replay", "--seed", 1, "--format", "jsonl", "--strategies", "random").out
    head, *rest = [json.loads(line) for line in logged.splitlines()]
    file = tmp_path / "game.jsonl"
    copies = list(spoilt({**head, "group": "one"}))
    for first in [*copies[-2:], *random.Random(1).sample(copies, 14)]:
        file.write_text("\n".join(map(json.dumps, [first, *rest])) + "\n", encoding="utf-8")
        check_said(cli, "playtest", "--log", file, "--strategies", "random|greedy", "--games", 100, "--format", "none")
