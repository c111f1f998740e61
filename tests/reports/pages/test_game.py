"""The page of one game: what it says of every kind of game, and of names that strangers gave."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from analysis.course.finding import Chances, Found
from reports.page import Picture, Report
from reports.pages.game import MOMENTS, compose_game, found_text
from reports.render.html import to_html
from reports.render.markdown import to_markdown
from reports.render.pdf import to_pdf
from reports.sliders import Rounds
from reports.words import Words
from simcore.doors import named
from simcore.homes import GAMES
from simcore.running.replay import Replay, replay, rounds
from tests.nim import Written, forgotten, nim  # noqa: F401
from tests.specs import make_spec
from tests.toy import TOY


def page(played: Replay, lang: str = "en") -> Report:
    return compose_game(played, Words(lang))


def block(report: Report) -> Rounds:
    (found,) = [one for section in report.sections for one in section.blocks if isinstance(one, Rounds)]
    return found


def text(found: Rounds) -> list[str]:
    return [line.text for stage in found.stages for line in stage.lines]


@pytest.mark.parametrize("lang", ["en", "fr"])
@pytest.mark.parametrize("game", [*GAMES, TOY])
def test_every_game_has_a_page(game: str, lang: str) -> None:
    played = replay(make_spec(game=game, players=4, strategies=["random"]), 3)
    report = page(played, lang)
    found = block(report)
    assert text(found) == [line for one in rounds(played) for line in one.lines]
    assert len(found.moments) <= MOMENTS
    assert all(len(row) == len(stage.headings) for stage in found.stages for row in stage.rows)
    assert all(len(stage.rows) in (0, len(found.seats)) for stage in found.stages)
    written = to_html(report)
    assert f'lang="{lang}"' in written and "http" not in written.replace("http-equiv", "").replace(
        "http://www.w3.org/2000/svg", ""
    ), "it asks nobody for anything"


def test_the_standing_has_a_point_for_every_round() -> None:
    played = replay(make_spec(strategies=["random"]), 3)
    report = page(played)
    (picture,) = report.pictures
    stages = block(report).stages
    assert report.leading is picture
    assert [stage.point for stage in stages] == [-1, *range(16), -1], "neither the set-up nor the end has one"
    (ends,) = [stage for stage in stages if stage.title == "The end"]
    assert ends.headings[-1] == "win" and sorted(row[-1].text for row in ends.rows)[-1] == "100%"


def test_a_round_says_what_changed() -> None:
    played = replay(make_spec(strategies=["random"]), 3)
    coins = [record["coins"] for record in played.records if record["kind"] == "round_end"]
    stages = block(page(played)).stages
    assert stages[1].rows[1][0].change == "", "nobody knows what was there before"
    for seat in range(4):
        gain = coins[1][seat] - coins[0][seat]
        assert stages[2].rows[seat][0].text == str(coins[1][seat])
        assert stages[2].rows[seat][0].change == (f"{gain:+d}".replace("-", "−") if gain else "")
        assert stages[2].rows[seat][0].up == (gain > 0)


def test_moments_lead_to_their_rounds() -> None:
    played = replay(make_spec(game="medievallons", players=2, strategies=["random"]), 0)
    report = page(played)
    found = block(report)
    pictures = [one for section in report.sections for one in section.blocks if isinstance(one, Picture)]
    assert len(pictures) == len(played.logs) > 1
    assert {stage.figure for stage in found.stages} == {one.name for one in pictures}
    assert found.moments == tuple(sorted(found.moments, key=lambda one: one.at))
    for moment in found.moments:
        assert found.stages[moment.at].title.startswith("Deal ")
        assert found.stages[moment.at].point >= 0


def test_the_largest_changes_of_the_chance_lead_to_their_rounds() -> None:
    played = replay(make_spec(2, strategies=["random"]), 3)
    value = np.full((17, 2), 0.5)
    value[5:], value[9:], value[-1] = (0.25, 0.75), (0.8, 0.2), (1, 0)
    report = compose_game(played, Words(), chances=Chances(value, 500))
    found = block(report)
    assert [(found.stages[one.at].title, one.text) for one in found.swings] == [
        ("Round 5", "seat 2, +25 points (from 50% to 75%)"),
        ("Round 9", "seat 1, +55 points (from 25% to 80%)"),
        ("Round 16", "seat 1, +20 points (from 80% to 100%)"),
    ]
    written = to_html(report)
    assert "(an estimate)" in written and "500 games" in written
    fewer = block(compose_game(played, Words(), chances=Chances(value[:-1], 500)))
    assert fewer.swings == (), "rounds and chances do not belong together"
    assert "(an estimate)" not in to_html(page(played))


def test_a_game_in_plain_python(nim: Written) -> None:  # noqa: F811
    played = replay(make_spec(2, game=named(nim()), strategies=["perfect"]), 3)
    report = page(played)
    found = block(report)
    assert report.leading is None and found.moments == ()
    assert [stage.title for stage in found.stages] == [
        *(f"Move {number}" for number in range(1, len(found.stages))),
        "The end",
    ]
    assert found.stages[-1].headings == ("place", "payoffs", "win")
    assert not any(stage.rows for stage in found.stages[:-1]), "a move with as many numbers as seats is no standing"


def test_a_game_that_nobody_won_says_so(nim: Written) -> None:  # noqa: F811
    played = replay(make_spec(2, game=named(nim()), strategies=["perfect"]), 3)
    rows = played.rows.copy()
    rows["share60"] = 0
    assert page(replace(played, rows=rows)).verdicts[0].text == "Nobody wins."


def test_a_plain_game_that_says_what_seats_hold_has_a_figure(nim: Written) -> None:  # noqa: F811
    held = ("def payoffs", "def held(self):\n        return {'stones': self.taken}\n\n    def payoffs")
    report = page(replay(make_spec(2, game=named(nim(held)), strategies=["perfect"]), 3))
    (picture,) = report.pictures
    found = block(report)
    assert (picture.title, found.moments) == ("What the seats have: stones", ())
    assert [stage.point for stage in found.stages] == [*range(len(found.stages) - 1), -1]
    assert found.stages[0].headings == ("stones",)


def test_roles_without_what_others_hold_are_not_drawn() -> None:
    report = page(replay(make_spec(game="seigneurial", players=3, strategies=["random"]), 3))
    (picture,) = report.pictures
    assert picture.title == "What the seats have: points"
    assert picture.figure.data()["series"].unique().sort().to_list() == ["1", "2"], "no line for the lord"
    assert not any("lead" in sentence.text for sentence in report.verdicts), "points are no standing"


def test_names_of_strangers_are_text() -> None:
    played = replay(make_spec(2, ["random"]), 0)
    hostile = "</script><script>alert(1)</script>$x_{2}$"
    log = played.logs[0]
    taken = replace(log, header=log.header | {"strategies": [hostile, "\x1b[2J"]})
    written = to_html(page(replace(played, logs=(taken,))))
    assert "<script>alert" not in written and "\x1b" not in written
    assert "&lt;script&gt;alert(1)" in written and "\\x1b" in written


def test_a_broken_game_says_so() -> None:
    played = replace(replay(make_spec(strategies=["random"]), 0), fault="a <b>fault</b>")
    report = page(played)
    assert report.verdicts[0].status == "unknown"
    assert report.warnings == ("Fault: a <b>fault</b>",)
    assert "<b>fault" not in to_html(report)


def test_a_game_that_broke_off_at_once_has_no_rounds() -> None:
    played = replay(make_spec(strategies=["random"]), 0)
    report = page(replace(played, logs=(replace(played.logs[0], records=()),), fault="a fault"))
    assert [one for section in report.sections for one in section.blocks if isinstance(one, Rounds)] == []
    assert "a fault" in to_html(report)


def test_paper_has_the_rounds_too() -> None:
    report = page(replay(make_spec(2, ["random"]), 0))
    assert "### Round 3" in to_markdown(report, "figures")
    assert to_pdf(report).startswith(b"%PDF")


@pytest.mark.parametrize(
    ("found", "says"),
    [
        (
            Found("closest", 3, 1000, 2, "coins"),
            "the closest of 1,000 games: the best is 2 ahead of the second",
        ),
        (Found("closest", 3, 1000, 0, "coins"), "the best two are level (coins)."),
        (Found("longest", 3, 1, 40, "turns"), "the longest of 1 game: 40 turns."),
        (Found("shortest", 3, 9, 4, "turns"), "the shortest of 9 games: 4 turns."),
        (Found("comeback", 3, 9, 4, "coins"), "the winner was 4 behind (coins)."),
        (Found("seat-3", 3, 9, 0.5), "Game 3 of 9 games, where seat 3 wins 50%."),
    ],
)
def test_what_was_found_is_said(found: Found, says: str) -> None:
    assert says in found_text(Words(), found)
    assert found_text(Words("fr"), found).startswith("Partie 3")
