"""Wrong games in plain Python contradict what their authors declare; each is one edit of a right game."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from equipoise.cli import app, run
from equipoise.conformance import check_game
from equipoise.conformance.transcript import Drawn, retell
from equipoise.new_game import LIKE
from simcore import doors
from simcore.errors import UsageError
from simcore.plain.playing import Fault
from tests.nim import forgotten  # noqa: F401  a fixture
from tests.toy import environment, leave_installed

Game = Callable[..., str]
TURN, POINTS = "self.turn = (self.turn + 1) % self.seats", "return [sum(hand) for hand in self.hands]"


@pytest.fixture
def cards(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, forgotten: None) -> Game:  # noqa: F811
    """Write the example with hidden hands, with texts replaced, and return the name of the game."""
    monkeypatch.chdir(tmp_path)

    def write(*changes: tuple[str, str]) -> str:
        assert run(app, ["new-game", "low", "--plain", "--like", "cards", "--players", "3"]) == 0
        path = Path("low.py")
        text = path.read_text().replace(', "rollout": eq.PlainGame.rollout', "")
        for old, new in changes:
            assert old in text
            text = text.replace(old, new)
        path.write_text(text)
        return doors.named("./low.py")

    return write


def said(game: str) -> list[tuple[str, str]]:
    """Return what the checks have to say: level and reason."""
    return [(one.level, one.reason) for outcome in check_game(game) for one in outcome.findings(game)]


WRONG: dict[str, tuple[str, list[tuple[str, str]]]] = {
    "wrong sign": ("warning default: 'careful' wins", [("    lowest_wins = True\n", "")]),
    "a seat never asked": (
        "warning apply never gives the turn to seat 3",
        [(TURN, TURN.replace("seats", "seats and (self.turn + 1) % 2"))],
    ),
    "nothing to choose": (
        "warning legal never returned two moves in 400",
        [("[PASS, *range(self.rules.hand)] if self.deck else ", "")],
    ),
    "ties ranked by seat": (
        "warning places: seats with equal scores",
        [
            (
                f"    def payoffs(self):\n        {POINTS}",
                f"    def payoffs(self):\n        {POINTS}\n\n    def places(self):\n"
                "        order = sorted(range(self.seats), key=self.payoffs().__getitem__)\n"
                "        return [1 + order.index(seat) for seat in range(self.seats)]",
            )
        ],
    ),
    "a line that never runs": (
        "warning apply, line 63 (self.turn = 0)",
        [(TURN, f"if self.moves > 99:\n            self.turn = 0\n        {TURN}")],
    ),
    "view tells the next card": (
        "failed view shows a seat what imagine draws again, 'next':",
        [('"left": len(self.deck)}', '"left": len(self.deck), "next": self.deck[-1:]}')],
    ),
    "hands are not imagined": (
        "failed secret names 'points', but in 100 imagined games",
        [
            ("hand[:] = [unseen.pop() for _ in hand]", "del unseen[-len(hand) :]"),
            ("game.deck = unseen", "rng.shuffle(game.deck)"),
        ],
    ),
    "no copy is imagined": (
        "failed imagine returns the game that is played, and no copy in game 0 of seed 17; begin with super()",
        [("super().imagine(seat, rng)", "self")],
    ),
    "one number is held by all": (
        "failed low: held returned 30 in game 0 of seed 17; return a list with one number",
        [('{"points": self.payoffs()}', '{"points": 30}')],
    ),
    "state shared by games": (
        "failed the class keeps something from one game to the next (Low.best changes) in game 7",
        [
            ("    secret =", "    best = [99]\n    secret ="),
            (
                POINTS,
                "self.best[0] = min(self.best[0], *map(sum, self.hands))\n"
                "        return [sum(hand) - self.best[0] for hand in self.hands]",
            ),
        ],
    ),
    "the module random": (
        "failed the game draws from the module random",
        [('self.chance("deck").shuffle', "random.shuffle"), ("import equipoise", "import random\n\nimport equipoise")],
    ),
    "a seat that is none": (
        "failed low: turn is 3, which is no seat",
        [(TURN, "self.turn = self.turn % self.seats + 1")],
    ),
    "scores with a fraction": ("failed low: payoffs contains", [("[sum(hand) for", "[sum(hand) / 1 for")]),
    "a game without an end": (
        "failed low: the game did not end within 10,000 moves",
        [("        self.moves += 1\n", "")],
    ),
}


def test_a_game_in_which_all_win_together_is_not_accused(cards: Game) -> None:
    assert said(cards((POINTS, "return [0] * self.seats"), ('    secret = ("points",)\n', ""))) == []


@pytest.mark.parametrize("mistake", WRONG)
def test_a_mistake_is_named_once(cards: Game, mistake: str) -> None:
    start, edits = WRONG[mistake]
    ((level, reason),) = said(cards(*edits))
    assert f"{level} {reason}".startswith(start)
    assert reason.count("see it with: equipoise replay --game ./low.py --players 3") == 1


def test_a_finding_says_where_and_what_to_do(cards: Game, capsys: pytest.CaptureFixture[str]) -> None:
    cards(*WRONG["a seat that is none"][1])
    capsys.readouterr()
    assert run(app, ["test-game", "./low.py", "--json"]) == 1
    (finding,) = json.loads(capsys.readouterr().out)["findings"]
    assert (finding["level"], finding["game"], finding["seed"]) == ("failed", 0, 17)
    assert finding["remedy"] == "seats are counted from 0 to 2"
    assert finding["contract"] == "Games are played to their end, and draw from self.chance only"


def test_the_line_is_that_of_the_method(cards: Game, capsys: pytest.CaptureFixture[str]) -> None:
    cards(*WRONG["view tells the next card"][1])
    capsys.readouterr()
    assert run(app, ["test-game", "./low.py", "--json"]) == 1
    (finding,) = json.loads(capsys.readouterr().out)["findings"]
    assert finding["file"] == "low.py"
    assert Path("low.py").read_text().splitlines()[finding["line"] - 1].strip() == "def view(self, seat):"


@pytest.mark.parametrize("like", LIKE)
def test_the_examples_are_short_and_right(
    like: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    forgotten: None,  # noqa: F811
) -> None:
    monkeypatch.chdir(tmp_path)
    players = [] if like == "roles" else ["--players", "3"]
    assert run(app, ["new-game", "mine", "--plain", "--like", like, *players]) == 0
    text = Path("mine.py").read_text()
    assert len(text.splitlines()) < 80
    Path("mine.py").write_text(text.replace(', "rollout": eq.PlainGame.rollout', ""))
    assert said(doors.named("./mine.py")) == []


TALE = """{"kind": "game", "players": 3, "options": {"rounds": 1}}
{"kind": "chance", "purpose": "deck", "value": DECK}
{"kind": "move", "seat": 1, "move": 0}
{"kind": "move", "seat": 2, "move": -1}
{"kind": "move", "seat": 3, "move": "passes"}
{"kind": "end", "place": [1, 2, 3], "payoffs": [98, 108, 117]}
""".replace("DECK", str([*range(1, 32), 40, 39, 38, 37, 36, 35, 34, 33, 32]))


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("[98, 108, 117]", "[98, 108, 117]", ""),
        (
            "[1, 2, 3]",
            "[2, 3, 1]",
            "evening.jsonl, line 6: 'place' is [2, 3, 1], and the class says [1, 2, 3]; look at payoffs",
        ),
        ('"seat": 2', '"seat": 3', "evening.jsonl, line 4: seat 3 moves, and the class asks seat 2; look at apply"),
        ('"move": 0', '"move": 3', "evening.jsonl, line 3: the class forbids 3 of seat 1; it allows -1, 0, 1, 2"),
        ('"rounds": 1', '"rounds": 2', "evening.jsonl, line 6: the class goes on and asks seat 1; look at over"),
        ("40, 39", "40, 40", "evening.jsonl: 'deck' cannot give ["),
        (
            "117]",
            "116]",
            "evening.jsonl, line 6: 'payoffs' is [98, 108, 116], and the class says [98, 108, 117]; look at",
        ),
        (
            '{"kind": "end"',
            '{"kind": "move"}\n{"kind": "end"',
            "evening.jsonl, line 6: the class has ended the game before",
        ),
        (
            '{"kind": "move", "seat": 3, "move": "passes"}\n{"kind": "end"',
            '{"kind": "note"',
            "evening.jsonl, line 5: the class goes on after the last move and asks seat 3; look at over",
        ),
        ('"rounds": 1', '"hand": 99', "evening.jsonl: start raised IndexError: pop from empty list (low.py, line 35)"),
    ],
)
def test_a_game_that_people_played_is_played_again(cards: Game, old: str, new: str, reason: str) -> None:
    game, path = cards(), Path("evening.jsonl")
    assert old in TALE
    path.write_text(TALE.replace(old, new))
    said = retell(game, path).reason
    assert said.startswith(reason) and bool(said) == bool(reason)


KINDS = """RECORD_KINDS = (
    RecordKind("turn", "", (Field("seat"), Field("turn"), *(Field(one, seen=its_seat) for one in ("card", "points")))),
    RecordKind("end", "the end", (Field("points"), Field("place"), Field("share60"))),
)
GAME = Game("""
BLIND = {
    "kernel.py": [
        ("card = take_from_market(state.market, move)", "card = draw_card(state.rng, state.deck, 1)"),
        ("clear_deck, deck,", "clear_deck, deck, draw_card,"),
        ("0, rules.places)\n    tell", "0, 0)\n    tell"),
    ],
    "__init__.py": [
        ("GAME = Game(", KINDS),
        ("records=records,", "records=records, record_kinds=RECORD_KINDS,"),
        ("from simcore.game", "from simcore.log_records import Field, RecordKind, its_seat\nfrom simcore.game"),
    ],
}
"""Cards are drawn unseen from the deck into hands that only their seats see; `redraw` leaves them."""

OPEN = {
    "__init__.py": [
        ("redraw=redraw", "redraw=nothing_hidden"),
        ("from simcore.game", "from simcore.kernel.decisions import nothing_hidden\nfrom simcore.game"),
    ]
}


@pytest.mark.parametrize(
    ("edits", "reasons"),
    [
        ({}, []),
        (OPEN, ["redraw=nothing_hidden says that every seat knows the order of the cards"]),
        (BLIND, ["redraw leaves something of what is hidden: record_kinds hides from a seat what field 'deck.order'"]),
    ],
    ids=["right", "everything is open", "hands are left"],
)
def test_a_package_that_hides_more_than_it_redraws(
    edits: dict[str, list[tuple[str, str]]], reasons: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In a process, because it plays without the compiler."""
    monkeypatch.chdir(tmp_path)
    assert run(app, ["new-game", "fair", "--cards", "--players", "3"]) == 0
    for file, changes in edits.items():
        path = tmp_path / "fair/fair" / file
        text = path.read_text()
        for old, new in changes:
            assert old in text
            text = text.replace(old, new)
        path.write_text(text)
    leave_installed(tmp_path / "fair")
    command = [sys.executable, "-m", "equipoise.conformance.plain", "fair", "3"]
    some = environment(tmp_path / "fair", NUMBA_DISABLE_JIT="1")
    done = subprocess.run(command, env=some, capture_output=True, text=True, check=True)
    wrong = json.loads(done.stdout)["3"]["wrong"]
    assert [any(reason in one for one in wrong) for reason in reasons] == [True] * len(wrong)


def test_a_transcript_names_no_code(cards: Game, tmp_path: Path) -> None:
    game = cards()
    (tmp_path / "code.py").write_text(f"open({str(tmp_path / 'ran')!r}, 'w')\n\n\ndef f(*given): ...\n")
    first = {"kind": "game", "players": 3, "strategies": [f"{tmp_path}/code.py:f", "random", "random"]}
    (tmp_path / "t.jsonl").write_text(json.dumps(first) + "\n")
    retell(game, tmp_path / "t.jsonl")
    assert not (tmp_path / "ran").exists()


HEAD = '{"kind": "game", '


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("\udcff", "t.jsonl: 'utf-8' codec"),
        ("[1]", "t.jsonl: line 1: write an object of JSON"),
        ('{"kind": "note"}\n' + "[" * 100_000, "t.jsonl: line 2: write an object of JSON"),
        ('{"kind": 3}', "t.jsonl: line 1: write an object of JSON"),
        (HEAD + '"players": true}', "t.jsonl: the line 'game' does not fit"),
        (HEAD + '"options": [1]}', "t.jsonl: the line 'game' does not fit"),
        (HEAD + '"seed": "x"}', "t.jsonl: the line 'game' does not fit"),
        (HEAD + '"game_id": 1.5}', "t.jsonl: the line 'game' does not fit"),
        (HEAD + '"seed": -1}', "seed"),
        (HEAD + '"options": {"rounds": "x"}}', "rounds"),
        (HEAD + '"options": {"round": 3}}', "t.jsonl: options: no rule 'round'; did you mean 'rounds'?"),
        (HEAD + '"game": "nim"}', "t.jsonl: the line 'game' names 'nim'; give a transcript of '"),
    ],
)
def test_a_file_that_is_no_transcript_is_refused(cards: Game, text: str, reason: str) -> None:
    game, path = cards(), Path("t.jsonl")
    path.write_text(text, errors="surrogateescape")
    with pytest.raises(UsageError, match=reason):
        retell(game, path)


@pytest.mark.parametrize(
    ("method", "given", "value"),
    [
        ("randint", (1, 6), 4),
        ("randrange", (6,), 4),
        ("randrange", (0, 6, 2), 4),
        ("choice", ("abc",), "b"),
        ("sample", (range(9), 2), [4, 2]),
    ],
)
def test_a_generator_gives_what_people_drew(method: str, given: tuple[Any, ...], value: Any) -> None:
    draw = getattr(Drawn("die", [value, "no"], random.Random(5)), method)
    assert draw(*given) == value
    with pytest.raises(Fault, match="'die' cannot give 'no'; it gives "):
        draw(*given)
    assert draw(*given) == getattr(random.Random(5), method)(*given)
