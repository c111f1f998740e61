"""`rollout` beats its base, sees nothing hidden, is the same in every run, and says what it cannot use."""

from __future__ import annotations

import ctypes
import math
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from equipoise.benchmarks import step
from simcore.errors import UsageError
from simcore.game import load_game
from simcore.games.middle_ages.rules import RULES
from simcore.games.middle_ages.state import BARRACKS, MILL, STATE
from simcore.kernel.lineup import LINEUP, UNIT
from simcore.kernel.pointers import Policy
from simcore.rules.files import load_rules
from simcore.running.batch import Spec, run_chunk
from simcore.running.executors import FEW, SLOW_PART, execute, parts
from simcore.running.replay import replays
from strategies.kit import load_kit
from strategies.library import load_strategy, quick_strategies, shipped_strategies, strategy_from_dict
from strategies.model import Strategy
from strategies.rollout import CAUTION, HEAT, ROLLOUTS, ROUNDS, SEARCHED, WIN
from strategies.searching import TO_THE_END, Searching
from strategies.spec import assemble_spec, lineup
from tests.specs import make_spec

GAME = load_game("middle-ages")
ROLLOUT = load_strategy(GAME, "rollout")
HEAD = 'format = "equipoise-strategy/1"\ngame = "middle-ages"\nname = "mine"\ntitle = "Mine"\npolicy = "rollout"\n'
_POLICY = ctypes.CFUNCTYPE(ctypes.c_int32, *[ctypes.c_void_p] * 5, ctypes.c_ssize_t)
"""As kernels call policies: where to put the move, where to put an exception, the arguments; 0 if all is well."""


def looking(base: str = "planner", rollouts: int = 4, rounds: int = TO_THE_END, **options: Any) -> Strategy:
    """Return a player who looks ahead."""
    search = Searching(load_strategy(GAME, base), rollouts, rounds, win=60.0, caution=1.0)
    return replace(ROLLOUT, name="looking", search=search, **options)


def seated(strategies: list[Strategy], players: int = 4, **options: Any) -> Spec:
    """Return a run of strategies that no name stands for."""
    spec = make_spec(players, ["random"], **options)
    design = options.get("design", "fixed")
    names = tuple(strategy.name for strategy in strategies) * (players // len(strategies))
    return replace(spec, lineup_record=lineup(GAME, strategies, players, design), design=design, strategies=names)


def write(folder: Path, text: str, name: str = "mine") -> Path:
    path = folder / f"{name}.toml"
    path.write_text(text, encoding="utf-8")
    return path


# --- strength ---


@pytest.mark.parametrize("players", GAME.players)
@pytest.mark.parametrize("base", ["greedy", "planner", "champion"])
def test_it_beats_its_base_clearly_at_every_table(base: str, players: int) -> None:
    games = 60 // players * players
    spec = seated([looking(base), *[load_strategy(GAME, base)] * (players - 1)], players, design="rotate", seed=77)
    rows = run_chunk(spec, 0, games)
    deals = rows["share60"][rows["strategy"] == 0].reshape(-1, players).mean(1) / 60
    assert deals.mean() - 3 * deals.std(ddof=1) / math.sqrt(len(deals)) > 1 / players


# --- what it may know ---


def at_decisions(strategy: Strategy, look: Callable[[Any, Callable[[], int]], None], games: int = 1) -> None:
    """Play, and call `look` at every fifth decision with the state and what asks the strategy."""
    spec = seated([strategy], seed=5)
    policy = _POLICY(strategy.address)
    asked = 0

    def choose(answer: int, *arguments: int) -> int:
        nonlocal asked
        asked += 1
        move = ctypes.c_ssize_t.from_address(answer)

        def ask() -> int:
            policy(answer, *arguments)
            return move.value

        if asked % 5 == 0:
            memory: Any = (ctypes.c_char * STATE.itemsize).from_address(arguments[3])
            look(np.frombuffer(memory, STATE)[0], ask)
        ask()
        return 0

    watched = _POLICY(choose)
    record = spec.lineup_record.copy()
    record["members"]["policy"][:4] = ctypes.cast(watched, ctypes.c_void_p).value
    run_chunk(replace(spec, lineup_record=record), 0, games)


def test_what_is_hidden_changes_no_choice_and_what_lies_open_does() -> None:
    rng = np.random.default_rng(3)
    changed = {"hidden": 0, "open": 0, "looks": 0}

    def look(state: Any, ask: Callable[[], int]) -> None:
        before, first, kept = state.copy(), ask(), state.copy()
        rest = state["deck"][int(state["drawn"]) : int(state["stack"])]
        rest[:] = rng.permutation(rest)
        changed["looks"] += int(len(rest) > 1)
        changed["hidden"] += int(ask() != first)
        for name in STATE.names:
            state[name] = before[name]
        rows = state["tiles"]
        rows[:, : (4 + 1)] = rng.permutation(rows[:, : (4 + 1)].ravel()).reshape(4, 5)
        changed["open"] += int(ask() != first)
        for name in STATE.names:
            state[name] = kept[name]

    at_decisions(looking(rollouts=2), look, games=2)
    assert changed["looks"] > 20
    assert changed["hidden"] == 0
    assert changed["open"] > 5


def test_asking_twice_gives_the_same_and_changes_nothing_but_memory_for_policies() -> None:
    def look(state: Any, ask: Callable[[], int]) -> None:
        before = state.copy()
        assert ask() == ask()
        for name in set(STATE.names) - {"scratch", "rng"}:
            assert state[name].tobytes() == before[name].tobytes(), name

    at_decisions(looking(rollouts=2), look)


# --- the same in every run ---

MIXED = [
    looking(rollouts=2),
    replace(looking("greedy", 3, rounds=2), name="short"),
    load_strategy(GAME, "planner"),
    replace(looking("scout", 2), name="warm", temperature=5.0, blunder=0.1),
]


def test_threads_chunks_and_replays_change_nothing() -> None:
    spec = seated(MIXED, design="rotate", games=24)
    rows = run_chunk(spec, 0, 24)
    assert len({execute(spec, threads).digest for threads in (1, 3)}) == 1
    assert np.array_equal(run_chunk(spec, 7, 3), rows[7 * 4 : 10 * 4])
    for index, played in enumerate(replays(spec, 0, 4)):
        assert np.array_equal(played.rows, rows[4 * index : 4 * index + 4])


@pytest.mark.parametrize("rules", ["other-readings", "gentler-barracks"])
def test_it_plays_other_rules(rules: str) -> None:
    rows = run_chunk(seated(MIXED, design="rotate", rules=rules), 0, 8)
    assert (rows["share60"].reshape(8, 4).sum(axis=1) == 60).all()


def test_players_who_look_ahead_cut_a_run_small() -> None:
    assert seated(MIXED).searches
    assert not make_spec(4, ["planner"]).searches
    assert max(part.games for part in parts(2000, slow=True)) == SLOW_PART < parts(2000)[0].games
    assert parts(SLOW_PART * FEW, slow=True) == parts(SLOW_PART * FEW)
    assert step(seated(MIXED), 1000) < step(make_spec(4, ["planner"]), 1000) == 1000


# --- errors of its own, and what it is forbidden ---


def test_it_keeps_to_what_it_is_forbidden_in_what_it_imagines_too() -> None:
    """One who may not rob takes fewer of the tiles that rob than one who may; one who avoids Mills takes none."""
    free = looking(rollouts=2)
    tame = replace(free, name="tame", forbids=("robbery",))
    shy = replace(free, name="shy", forbids=("mill",))
    spec = assemble_spec(GAME, 3, [free, tame, shy], load_rules(GAME), 3, "rotate", 60)
    rows = run_chunk(spec, 0, 60)
    robbers = [rows["tiles"][rows["strategy"] == entry][:, [MILL, BARRACKS]].sum() for entry in range(2)]
    assert robbers[1] < 0.7 * robbers[0]
    assert rows["mill_robbed"][rows["strategy"] == 1].sum() == 0
    assert rows["tiles"][rows["strategy"] == 2][:, MILL].sum() < rows["tiles"][rows["strategy"] == 0][:, MILL].sum() / 5


def test_a_blunder_is_anybodys_blunder() -> None:
    clumsy = [replace(strategy, blunder=1.0) for strategy in (looking(), load_strategy(GAME, "greedy"))]
    first, second = (run_chunk(seated([strategy]), 0, 3) for strategy in clumsy)
    assert np.array_equal(first, second)


def test_heat_makes_it_play_by_chance() -> None:
    cool, hot = looking(rollouts=2), looking(rollouts=2, temperature=1000.0)
    rows = run_chunk(seated([replace(hot, name="hot"), cool, cool, cool], design="rotate"), 0, 40)
    assert rows["share60"][rows["strategy"] == 0].mean() < 60 / 8


def test_imagined_players_err_and_the_usual_move_is_chosen_without() -> None:
    base, cold = load_strategy(GAME, "planner"), looking(rollouts=2)
    assert cold.search is not None
    hot = replace(cold, search=replace(cold.search, temperature=1000.0))
    shy = replace(cold, search=replace(cold.search, temperature=1000.0, caution=100.0))
    games = [run_chunk(seated([player, base, base, base]), 0, 4)["coins"] for player in (base, shy, cold, hot)]
    assert (games[0] == games[1]).all()
    assert (games[2] != games[3]).any()


def test_the_base_makes_the_decisions_that_are_not_searched() -> None:
    """With a kind of decision that no game asks for, the games are those of the base; with one more, they are not."""
    base, player = load_strategy(GAME, "planner"), looking(rollouts=2)
    assert player.search is not None
    games = run_chunk(seated([base]), 0, 4)
    for kinds, same in (((60,), True), ((0, 60), False)):
        some = replace(player.search, decisions=tuple((number, "named") for number in kinds))
        found = run_chunk(seated([replace(player, search=some), base, base, base]), 0, 4)
        assert (found["coins"] == games["coins"]).all() == same


# --- as data ---


def test_the_shipped_one() -> None:
    assert ROLLOUT.search is not None
    assert ROLLOUT.search.base == load_strategy(GAME, ROLLOUT.search.base.name)
    assert set(shipped_strategies(GAME)) - set(quick_strategies(GAME)) >= {"rollout"}


def test_a_file_and_what_it_fills_in(tmp_path: Path) -> None:
    write(tmp_path, HEAD.replace('"mine"', '"deep"').replace('"rollout"', '"greedy"'), "deep")
    text = '[search]\nbase = "deep.toml"\nrollouts = 7\nrounds = 3\nwin = 12.5\ncaution = 0.5\n'
    text += 'temperature = 2\ndecisions = ["loss"]\n'
    strategy = load_strategy(GAME, write(tmp_path, HEAD + text))
    assert strategy.search is not None
    assert strategy.search.base.name == "deep"  # found beside the file that names it
    record = lineup(GAME, [strategy], 2, "fixed")
    weights = record["members"]["weights"][1]
    settings = (weights[ROLLOUTS], weights[ROUNDS], weights[WIN], weights[CAUTION], weights[HEAT])
    assert settings == (7, 3, 12.5 * UNIT, UNIT // 2, 2 * UNIT)
    kinds = [decision.name for decision in GAME.decisions]
    assert weights[SEARCHED] == 1 << kinds.index("loss")
    assert ROLLOUT.search is not None and ROLLOUT.search.decisions == ()
    assert (record["bases"]["policy"] != 0).tolist() == [True] * 2 + [False] * 6
    assert record["bases"]["policy"][0] == load_kit("middle-ages").noisy["greedy"].address  # it can err
    assert strategy_from_dict(GAME, strategy.to_dict()) == strategy
    again = load_strategy(GAME, write(tmp_path / "..", strategy.to_toml(), f"{tmp_path.name}-far"))
    assert again == strategy
    assert again.digest == strategy.digest != replace(strategy, search=looking().search).digest


SEARCH = "[search]\n"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "mine.toml: policy 'rollout' needs the table [search] with its base"),
        (SEARCH, "mine.toml: [search] base: key is missing"),
        (
            SEARCH + 'base = "plannr"',
            "[search] base: 'plannr' is not a shipped name, .* did you mean 'planner'",
        ),
        (
            SEARCH + 'base = "planner"\ndecisions = ["losses"]',
            "mine.toml: [search] decisions: no decision 'losses'; did you mean 'loss'",
        ),
        (SEARCH + 'base = "rollout"', "mine.toml: [search] base: looks ahead itself; name a strategy that does not"),
        (SEARCH + 'base = "mine.toml"', "mine.toml: [search] base: looks ahead itself; name a strategy that does not"),
        (
            SEARCH + 'base = "tame.toml"',
            "[search] base: 'tame' forbids itself something; let the strategy",
        ),
        (SEARCH + 'base = "gone.toml"', "gone.toml"),
        (
            SEARCH + 'base = "no.such:policy"',
            "mine.toml: [search] base: 'no.such:policy' is code, which is not run",
        ),
        (SEARCH + "base = 3", "mine.toml: [search] base: must be text, not 3"),
        (SEARCH + 'base = "greedy"\nrollouts = 0', "mine.toml: [search] rollouts: must be 1 or more, not 0"),
        (SEARCH + 'base = "greedy"\nrollouts = 1.5', "mine.toml: [search] rollouts: must be a whole number"),
        (SEARCH + 'base = "greedy"\nrollouts = 1000000', "mine.toml: [search] rollouts: must be 10000 or less"),
        (SEARCH + 'base = "greedy"\nrounds = -1', "mine.toml: [search] rounds: must be 0 or more, not -1"),
        (SEARCH + 'base = "greedy"\nwin = inf', "mine.toml: [search] win: must be a finite number"),
        (SEARCH + 'base = "greedy"\nrolouts = 3', "mine.toml: [search] rolouts: unknown key; did you mean 'rollouts'"),
        (
            SEARCH + 'base = "greedy"\n[weights]\nincome = 1',
            "\\[weights\\]: policy 'rollout' reads no weights",
        ),
    ],
)
def test_what_cannot_be_used_is_told_in_one_line(
    text: str, told: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    write(tmp_path, HEAD + text)
    write(tmp_path, HEAD.replace('"mine"', '"tame"').replace('"rollout"', '"greedy"') + 'forbids = ["mill"]\n', "tame")
    with pytest.raises(UsageError, match=told.replace("[search]", r"\[search\]")) as refused:
        load_strategy(GAME, "mine.toml")
    assert len(str(refused.value).splitlines()) == 1


def test_others_have_no_search(tmp_path: Path) -> None:
    path = write(tmp_path, HEAD.replace('"rollout"', '"greedy"') + '[search]\nbase = "planner"\n')
    with pytest.raises(UsageError, match=r"policy 'greedy' does not search; take out the table \[search\]"):
        load_strategy(GAME, path)


def test_the_compiler_is_announced_once(caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch) -> None:
    policy = load_kit("middle-ages").policies["rollout"]
    assert policy.address and not policy.is_cold  # the second asks what the first has left
    assert not Policy(policy.function, policy.records, cached=True).is_cold
    assert Policy(policy.function, policy.records).is_cold
    monkeypatch.setattr(Policy, "is_cold", True)
    with caplog.at_level("INFO", "equipoise"):
        lineup(GAME, [load_strategy(GAME, "greedy"), looking()], 2, "fixed")
    assert caplog.messages == ["Compiling the search; this happens once ..."]


def test_records_are_as_the_kernels_take_them() -> None:
    assert load_kit("middle-ages").records == (RULES, LINEUP, STATE)
