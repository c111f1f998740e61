"""A user's own policy, in their own module: the manual's example runs, and mistakes are told in one line."""

from __future__ import annotations

import re
import subprocess
import sys
import textwrap
from dataclasses import replace
from importlib.metadata import EntryPoint
from importlib.resources import files
from pathlib import Path

import pytest

from simcore import homes
from simcore.errors import KernelFault, UsageError
from simcore.game import load_game
from simcore.kernel.compilation import COMPILED
from simcore.running.batch import Spec, run_chunk
from strategies import custom
from strategies.library import Code, load_strategy, strategy_from_dict
from strategies.model import Strategy
from strategies.spec import lineup
from tests.specs import make_spec

GAME = load_game("middle-ages")
ROOT = Path(str(files("configs"))).parent
HEAD = """
import numpy as np
from strategies.custom import policy
from strategies.moves import first_move, later_moves, random_move
"""


def module(folder: Path, body: str, name: str = "own.py") -> Path:
    path = folder / name
    path.write_text(HEAD + textwrap.dedent(body), encoding="utf-8")
    return path


def table(strategies: list[Strategy], players: int, games: int, design: str = "rotate") -> Spec:
    spec = make_spec(players, ["random"], seed=21, games=games, design=design)
    record = lineup(GAME, strategies, players, design)
    return replace(spec, lineup_record=record, strategies=tuple(strategy.name for strategy in strategies))


def test_the_manuals_example_runs_and_beats_random(tmp_path: Path) -> None:
    manual = (ROOT / "docs/reference/strategies.md").read_text(encoding="utf-8")
    example = re.search(r"```python\n(.*?@eq\.policy.*?)```", manual, re.DOTALL)
    assert example, "docs/reference/strategies.md shows a complete policy"
    # `equipoise` re-exports the decorator; the strategies room must not need it.
    text = example[1].replace("import equipoise as eq", "import strategies.custom as eq")
    path = tmp_path / "thrifty.py"
    path.write_text(text, encoding="utf-8")
    strategy = load_strategy(GAME, f"{path}:thrifty")
    rows = run_chunk(table([strategy, *[load_strategy(GAME, "random")] * 3], 4, 4000), 0, 4000)
    mine = rows[rows["strategy"] == 0]
    # Par is .25; the error of a share from 4,000 games is at most sqrt(.25 / 4000) = .008.
    assert mine["share60"].mean() / 60 > 0.4


def test_a_policy_plays_what_it_says(tmp_path: Path) -> None:
    path = module(
        tmp_path,
        """
        @policy("middle-ages", name="lefty")
        def leftmost(rules, lineup, state, seat):
            "Always the first move."
            return first_move(state.legal)
        """,
    )
    strategy = load_strategy(GAME, f"{path}:leftmost")
    assert (strategy.name, strategy.title) == ("lefty", "Always the first move.")
    rows = run_chunk(table([strategy], 3, 300, "fixed"), 0, 300).reshape(300, 3)
    assert (rows["column"][:, :, 0] == [0, 1, 2]).all()  # the first Lords stand side by side from the left


def test_a_module_in_the_current_folder_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    module(tmp_path, '@policy("middle-ages")\ndef play(rules, lineup, state, seat):\n    return 0\n', "own_module_7.py")
    monkeypatch.chdir(tmp_path)
    before = list(sys.path)
    assert load_strategy(GAME, "own_module_7:play").name == "play"
    assert sys.path == before


def test_an_installed_package_offers_policies_by_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = module(
        tmp_path, '@policy("middle-ages")\ndef play(rules, lineup, state, seat):\n    return 0\n', "own_package_7.py"
    )
    monkeypatch.syspath_prepend(path.parent)
    offered = EntryPoint("offered", "own_package_7:play", homes.POLICIES)
    broken = EntryPoint("broken", "own_package_8:play", homes.POLICIES)
    monkeypatch.setattr(homes, "offered", lambda group: [offered, broken])
    assert load_strategy(GAME, "offered").custom is not None
    with pytest.raises(UsageError, match=r"'broken' \(own_package_8:play\): no module 'own_package_8'"):
        load_strategy(GAME, "broken")
    with pytest.raises(UsageError, match="did you mean 'offered'"):
        load_strategy(GAME, "ofered")


def test_a_manifest_finds_a_policy_again_unless_its_source_has_changed(tmp_path: Path) -> None:
    body = '@policy("middle-ages")\ndef play(rules, lineup, state, seat):\n    return 0\n'
    strategy = load_strategy(GAME, f"{module(tmp_path, body)}:play")
    kept = strategy.to_dict()
    assert strategy_from_dict(GAME, kept, Code.TRUSTED).digest == strategy.digest
    assert strategy_from_dict(GAME, kept, Code.SEALED).digest == strategy.digest
    with pytest.raises(UsageError, match="is not the file that the games were played with"):
        strategy_from_dict(GAME, kept | {"source_sha256": "0" * 64}, Code.TRUSTED)
    with pytest.raises(UsageError, match="is code, which is not run"):
        strategy_from_dict(GAME, kept)


@pytest.mark.parametrize(("answer", "kind"), [("1.5", "float64"), ("state.round / 2", "float64"), ("True", "bool")])
def test_an_answer_that_is_no_whole_number_is_refused(tmp_path: Path, answer: str, kind: str) -> None:
    path = module(tmp_path, f'@policy("middle-ages")\ndef half(rules, lineup, state, seat):\n    return {answer}\n')
    with pytest.raises(UsageError, match=rf"policy 'half'.* it returns .*{kind}.*not a whole number") as raised:
        table([load_strategy(GAME, f"{path}:half")], 2, 10)
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize("move", ["63", "-1", "64", "1 << 40"])
def test_an_illegal_move_stops_the_run_and_says_so(tmp_path: Path, move: str) -> None:
    path = module(tmp_path, f'@policy("middle-ages")\ndef cheat(rules, lineup, state, seat):\n    return {move}\n')
    spec = table([load_strategy(GAME, f"{path}:cheat")], 2, 10)
    with pytest.raises(KernelFault, match="illegal move \\(cheat\\) in game 0 of seed 21"):
        run_chunk(spec, 0, 10)


@pytest.mark.parametrize(
    ("body", "line", "told", "cure"),
    [
        ("    best = 0\n    return max(seat, key=lambda at: -at)\n", 4, "Numba has no 'max'", "write it with loops"),
        ("    best = 0\n    return unknown(seat)\n", 4, "name 'unknown' is not defined", "define it in the module"),
        ("    move = 1\n    if seat > 1:\n        move = 'b'\n    return move\n", 6, "Cannot unify", "one type"),
        (
            "    best = 0\n    return state.no_such_thing\n",
            4,
            "no_such_thing",
            "docs/reference/strategies.md lists the fields",
        ),
    ],
)
def test_a_policy_that_does_not_compile_is_told_by_its_line(
    tmp_path: Path, body: str, line: int, told: str, cure: str
) -> None:
    """The file and line of the user, the reason, and what usually mends it; nothing of Numba's own."""
    path = module(tmp_path, f'@policy("middle-ages")\ndef broken(rules, lineup, state, seat):\n{body}')
    with pytest.raises(UsageError) as caught:
        table([load_strategy(GAME, f"{path}:broken")], 2, 10)
    text = str(caught.value)
    assert f"own.py, line {HEAD.count(chr(10)) + line}: " in text
    assert told in text
    assert cure in text
    assert "\n" not in text
    assert "Dispatcher" not in text


BAD = [
    ("1 / 0\n", "play", "<module> raised ZeroDivisionError: division by zero (own.py, line 5)"),
    ("def play(rules, lineup, state, seat):\n    return 0\n", "play", 'put @equipoise.policy("middle-ages")'),
    ('@policy("middle-ages")\ndef play(rules, state):\n    return 0\n', "play", "must be a function of (rules, lineup"),
    ('@policy("middel-ages")\ndef play(rules, lineup, state, seat):\n    return 0\n', "play", "'middle-ages'"),
    ('@policy("middle-ages")\ndef play(rules, lineup, state, seat):\n    return 0\n', "plya", "did you mean 'play'"),
    ('policy("middle-ages")(3)\n', "play", "must be a function"),
    ("import no_such_module_9\n", "play", "No module named 'no_such_module_9' (own.py, line 5)"),
    ("def play(:\n", "play", "own.py, line 5: invalid syntax"),
]


@pytest.mark.parametrize(("body", "attribute", "told"), BAD, ids=range(len(BAD)))
def test_a_module_that_cannot_be_used_is_refused_in_one_line(
    tmp_path: Path, body: str, attribute: str, told: str
) -> None:
    path = module(tmp_path, body)
    with pytest.raises(UsageError) as caught:
        load_strategy(GAME, f"{path}:{attribute}")
    assert told in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("body", ["return unknown_name", "return state.no_such_field", "return seat + [1]"])
def test_a_policy_that_does_not_compile_is_refused_in_one_line(tmp_path: Path, body: str) -> None:
    path = module(tmp_path, f'@policy("middle-ages")\ndef play(rules, lineup, state, seat):\n    {body}\n')
    strategy = load_strategy(GAME, f"{path}:play")
    with pytest.raises(UsageError, match="cannot compile policy 'play'") as caught:
        lineup(GAME, [strategy], 2, "rotate")
    assert "\n" not in str(caught.value)


def test_strategies_do_without_the_rooms_above() -> None:
    code = (
        "import sys, strategies.library, strategies.middle_ages; "
        "print([name for name in ('polars', 'matplotlib', 'typer', 'analysis') if name in sys.modules])"
    )
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=120, check=True)
    assert done.stdout.strip() == "[]"


@pytest.mark.parametrize(
    "name", ["", "Lefty", "7th", "a b", "::error::boo", "\x1b[31mred", "line\nbreak", "x" * 41, "é"]
)
def test_a_policy_has_a_name_like_those_in_files(name: str) -> None:
    def leftmost(rules, lineup, state, seat):
        return 0

    if not name:
        leftmost.__name__ = "<lambda>"
    with pytest.raises(UsageError, match=r"@policy: the name '.*' must be at most 40 lower-case letters") as raised:
        custom.policy("middle-ages", name=name)(leftmost)
    assert str(raised.value).isprintable()
    assert len(str(raised.value)) < 250


# --- weights ---

WEIGHING = """
from strategies.moves import weight
from simcore.kernel.decisions import count_legal, nth_legal

@policy("middle-ages", weights={"place": 2, "unused": 0.5})
def placed(rules, lineup, state, seat):
    "Takes the move at a place."
    place = weight(lineup, seat, 0) // 1024
    return nth_legal(state, min(place, count_legal(state) - 1))
"""
FILE = """format = "equipoise-strategy/1"
game = "middle-ages"
name = "mine"
title = "Mine"
policy = "own.py:placed"
"""


@pytest.fixture
def own(tmp_path: Path) -> Path:
    """A folder with a policy that has weights."""
    module(tmp_path, WEIGHING)
    return tmp_path


def filed(folder: Path, more: str = "") -> Path:
    path = folder / "mine.toml"
    path.write_text(FILE + more, encoding="utf-8")
    return path


def first_columns(strategy: Strategy) -> set[int]:
    return set(run_chunk(table([strategy], 3, 60, "fixed"), 0, 60)["column"][:, 0].tolist())


def test_a_file_gives_weights_to_a_policy_in_python(own: Path) -> None:
    direct = load_strategy(GAME, f"{own / 'own.py'}:placed")
    assert dict(direct.weights) == {"place": 2.0, "unused": 0.5}
    left = load_strategy(GAME, filed(own, "[weights]\nplace = 0\n"), code=Code.TRUSTED)
    assert dict(left.weights) == {"place": 0.0, "unused": 0.5}
    assert (left.name, left.custom) == ("mine", direct.custom)
    assert left.digest != direct.digest
    assert 0 in first_columns(left)
    assert 0 not in first_columns(direct)
    other = load_strategy(GAME, filed(own, "blunder = 1\n[weights]\nplace = 0\n"), code=Code.TRUSTED)
    assert len(first_columns(other)) > len(first_columns(left))


def test_weights_by_number_of_players_and_a_manifest_are_kept(own: Path) -> None:
    strategy = load_strategy(GAME, filed(own, "[players.2]\nplace = 0\n"), code=Code.TRUSTED)
    assert strategy.weights_at(2)["place"] == 0
    assert strategy.weights_at(3) == {"place": 2.0, "unused": 0.5}
    kept = strategy.to_dict()
    for code in (Code.TRUSTED, Code.SEALED):
        again = strategy_from_dict(GAME, kept, code)
        assert (again.name, again.digest, again.weights_at(2)["place"]) == ("mine", strategy.digest, 0)
    (own / "mine.toml").write_text(strategy.to_toml(), encoding="utf-8")
    assert load_strategy(GAME, own / "mine.toml", code=Code.TRUSTED).digest == strategy.digest


BAD_WEIGHTS = [
    ("[weights]\nplaec = 1\n", "no such weight; did you mean 'place'"),
    ("[players.3]\nspeed = 1\n", "[players.3] speed: policy 'own.py:placed' has no such weight"),
    ("[weights]\nplace = 2000\n", "1000"),
    ("temperature = 2\n", "adds no noise"),
    ('[search]\nbase = "champion"\n', "does not search"),
]


@pytest.mark.parametrize(("more", "told"), BAD_WEIGHTS)
def test_a_file_that_gives_what_the_policy_does_not_read_is_refused(own: Path, more: str, told: str) -> None:
    with pytest.raises(UsageError) as caught:
        load_strategy(GAME, filed(own, more), code=Code.TRUSTED)
    assert told in str(caught.value)
    assert "mine.toml" in str(caught.value) and "\n" not in str(caught.value)


@pytest.mark.parametrize("weights", ['{"Greed": 1}', '{"greed": "much"}', '{"greed": 1001}', '["greed"]'])
def test_weights_that_cannot_be_are_refused(tmp_path: Path, weights: str) -> None:
    body = f'@policy("middle-ages", weights={weights})\ndef play(rules, lineup, state, seat):\n    return 0\n'
    with pytest.raises(UsageError, match="@policy: 'play': weights"):
        load_strategy(GAME, f"{module(tmp_path, body)}:play")


def test_no_file_runs_code_unless_the_user_says_so(own: Path) -> None:
    trace = own / "RUN"
    (own / "own.py").write_text(f"open({str(trace)!r}, 'w').close()\n" + HEAD + WEIGHING, encoding="utf-8")
    for code in (Code.NAMED, Code.NEVER):
        with pytest.raises(UsageError, match=r"mine\.toml: policy.*is code, which is not run"):
            load_strategy(GAME, filed(own), code=code)
    assert not trace.exists()
    load_strategy(GAME, filed(own), code=Code.TRUSTED)
    assert trace.exists()


def test_a_policy_may_be_the_base_of_a_search_with_its_weights(own: Path) -> None:
    search = FILE.replace("own.py:placed", "rollout").replace('"mine"', '"deep"')
    path = own / "deep.toml"
    path.write_text(search + '[search]\nbase = "mine.toml"\nrollouts = 2\nrounds = 0\n', encoding="utf-8")
    filed(own, "[weights]\nplace = 0\n")
    deep = load_strategy(GAME, path, code=Code.TRUSTED)
    record = lineup(GAME, [deep], 2, "fixed")
    assert record["bases"][0]["weights"][0] == 0
    assert record["bases"][0]["weights"][1] == 512
    assert len(run_chunk(table([deep, load_strategy(GAME, "greedy")], 2, 4), 0, 4)) == 8
    path.write_text(search + '[search]\nbase = "mine.toml"\ntemperature = 1\n', encoding="utf-8")
    with pytest.raises(
        UsageError,
        match=r"deep.toml: \[search\] temperature: 'mine' is your own code and adds no noise",
    ):
        load_strategy(GAME, path, code=Code.TRUSTED)


# --- the cache ---

CACHED = """
import logging, sys
logging.basicConfig(format="%(message)s", level=logging.INFO)
from numba.core import event
from simcore.game import load_game
from simcore.kernel.compilation import COMPILED
from strategies.library import load_strategy
strategy = load_strategy(load_game("middle-ages"), "own.py:play")
with event.install_recorder("numba:compile") as compiled:
    strategy.address
from strategies.spec import lineup
print(len([entry for _, entry in compiled.buffer]))
"""
USES = """
from helper import BONUS, half
import helper

@policy("middle-ages")
def play(rules, lineup, state, seat):
    return first_move(state.legal) + 0 * half(BONUS + helper.MORE)
"""
HELPER = """
import numba
from pathlib import Path

BONUS = 2
MORE = int(Path(__file__).with_name("more.txt").read_text())

@numba.njit
def half(number):
    return number // 2
"""


@pytest.mark.skipif(not COMPILED, reason="nothing is compiled")
def test_a_policy_is_compiled_once_and_anew_after_any_change(tmp_path: Path) -> None:
    """Of a helper of its own, or of what its module reads on import; test_contents.py has all that may change."""
    module(tmp_path, USES)
    helper, more = tmp_path / "helper.py", tmp_path / "more.txt"
    helper.write_text(HELPER)
    more.write_text("5")

    def compiles() -> bool:
        command = [sys.executable, "-c", f"import sys; sys.path.insert(0, {str(ROOT)!r})\n{CACHED}"]
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=300, check=False)
        assert done.returncode == 0, done.stderr
        return int(done.stdout) > 0

    assert compiles()
    for changed, before, after in (
        (helper, "number // 2", "number // 3"),
        (more, "5", "6"),
    ):
        changed.write_text(changed.read_text().replace(before, after))
        assert compiles(), f"{changed.name}: {after}"
    assert not compiles()


TWINS = """
import numba
from simcore.kernel.decisions import count_legal, nth_legal

def made(place, name):
    @numba.njit
    def chosen(state):
        return nth_legal(state, min(place, count_legal(state) - 1))

    @policy("middle-ages", name=name)
    def play(rules, lineup, state, seat):
        return chosen(state)

    return play

left, right = made(0, "left"), made(9, "right")
"""
PLAYED = """
import sys
from simcore.running.batch import run_chunk
from strategies.spec import make_spec
for name in sys.argv[1:]:
    print(name, sorted(set(run_chunk(make_spec("middle-ages", 2, f"own.py:{name}", games=20), 0, 20)["column"][:, 0])))
"""


@pytest.mark.skipif(not COMPILED, reason="nothing is compiled")
def test_policies_of_one_name_that_other_processes_compiled_are_not_confused(tmp_path: Path) -> None:
    """Both functions are called `play`, their helpers `chosen`; each was the first that its process compiled."""
    module(tmp_path, TWINS)

    def play(*names: str) -> list[str]:
        command = [sys.executable, "-c", f"import sys; sys.path.insert(0, {str(ROOT)!r})\n{PLAYED}", *names]
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=300, check=True)
        return done.stdout.splitlines()

    left, right = play("left")[0], play("right")[0]
    assert left.partition(" ")[2] != right.partition(" ")[2]
    assert play("right", "left") == [right, left]
