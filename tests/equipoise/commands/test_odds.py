"""`equipoise odds` and `eq.odds`: the odds of fights in Fief 2 as table, JSON and chart."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import equipoise as eq
from equipoise.cli import app, run


def test_one_fight(capsys: pytest.CaptureFixture[str]) -> None:
    """The rulings: 10 v 6 in a castle, .856253 .082831 .060916."""
    assert run(app, ["odds", "10", "6", "--ground", "castle"]) == 0
    line = capsys.readouterr().out.splitlines()[-1].split()
    assert line[:5] == ["10", "6", "85.6%", "8.3%", "6.1%"]


def test_many_fights_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(app, ["odds", "5..6", "6,8", "--darc", "attacker", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert [(row["attacker"], row["defender"]) for row in found] == [(5, 6), (5, 8), (6, 6), (6, 8)]
    assert found[2]["attacker_wins"] == pytest.approx(211 / 216)


@pytest.mark.parametrize("kind", ["png", "svg"])
def test_a_chart(kind: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    chart = tmp_path / f"odds.{kind}"
    words = ["odds", "4..9", "6", "--chart", str(chart), "--lang", "fr"]
    assert run(app, words) == 0
    assert chart.stat().st_size > 1000 and str(chart) in capsys.readouterr().out
    assert run(app, words) == 2  # it exists
    assert run(app, [*words, "--force"]) == 0


def test_from_python_by_rules_of_ones_own() -> None:
    table = eq.odds([6, 10], 6, ground="castle", settings={"combat.castle": 2})
    assert table["attacker_wins"][0] == pytest.approx(table["defender_wins"][0])  # a castle that protects nobody
    assert table.height == 2


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("0 6", "points of the attacker: 0 is out of range; give a whole number from 1 to 200"),
        ("6 201", "points of the defender: 201 is out of range"),
        ("18..4 6", "points of the attacker: 18..4 contains no number; write 4..18"),
        ("x 6", "points of the attacker: 'x' is not a number"),
        ("10 6 --ground swamp", "'swamp' is not one of 'open', 'castle', 'city'"),
        ("10 6 --game middle-ages", "--game: Middle-Ages has no fights with exact odds; give fief-2"),
        ("4..9 6 --chart odds.pdf", "--chart: odds.pdf: a chart needs a .png or .svg file"),
        ("4..9 6,7 --chart odds.png", "one for the defender, as in: equipoise odds 4..18 6 --chart odds.png"),
        ("10 6 --set combat.open=0", "[combat] open: must be 1 or more, not 0"),
        ("1 1 --set combat.open=18", "a fight of 1 points against 1 never ends"),
        ("10", "Missing argument 'DEFENDER'"),
    ],
)
def test_what_cannot_be_told_is_refused_in_one_line(words: str, said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(app, ["odds", *words.split()]) == 2
    output = capsys.readouterr()
    assert said in output.err and output.err.count("\n") == 1 and not output.out
