"""`thinker` beats its base, is the same in every run and as data, and says what it cannot use."""

from __future__ import annotations

import math
import pickle
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import strategies.travel  # noqa: F401  makes runs picklable
from simcore.errors import UsageError
from simcore.game import load_game
from simcore.games.middle_ages.state import STATE
from simcore.kernel.compilation import kernel
from simcore.kernel.lineup import UNIT
from simcore.rules.files import load_rules
from simcore.running.batch import Spec, run_chunk
from simcore.running.executors import execute
from simcore.running.replay import replays
from strategies.kit import load_kit
from strategies.library import load_strategy, quick_strategies, shipped_strategies, strategy_from_dict
from strategies.model import Strategy
from strategies.rollout import CAUTION, HEAT, ROLLOUTS, ROUNDS, SEARCHED, WIN
from strategies.searching import Foresight
from strategies.spec import assemble_spec
from strategies.thinker import CANDIDATES, HALVING, PATIENCE, drop_trailing
from strategies.value import Value
from tests.strategies.test_rollout import at_decisions

GAME = load_game("middle-ages")
THINKER = load_strategy(GAME, "thinker")
CHAMPION = load_strategy(GAME, "champion")


def changed(name: str, change: Callable[[Foresight], Foresight], **search: Any) -> Strategy:
    """Return the shipped thinker with other settings."""
    assert THINKER.search is not None
    foresights = {key: change(one) for key, one in THINKER.search.foresights.items()}
    return replace(THINKER, name=name, search=replace(THINKER.search, foresights=foresights, **search))


def seated(*strategies: Strategy, games: int = 60, rules: str = "base", design: str = "rotate", seed: int = 77) -> Spec:
    return assemble_spec(GAME, len(strategies), list(strategies), load_rules(GAME, rules), seed, design, games)


def won(spec: Spec) -> tuple[float, float]:
    """Return what the first player wins, and its standard error."""
    games = spec.games // spec.players * spec.players
    rows = run_chunk(spec, 0, games)
    deals = rows["share60"][rows["strategy"] == 0].reshape(-1, spec.players).mean(1) / 60
    return float(deals.mean()), float(deals.std(ddof=1)) / math.sqrt(len(deals))


@pytest.mark.parametrize("players", GAME.players)
def test_it_beats_champions_clearly_at_every_table(players: int) -> None:
    mean, error = won(seated(THINKER, *[CHAMPION] * (players - 1), games=84))
    assert mean - 3 * error > 1.3 / players


def test_more_tables_do_not_make_it_worse() -> None:
    one = changed("one", lambda known: replace(known, tables=1))
    (few, error), (many, other) = (won(seated(player, *[CHAMPION] * 3, games=80)) for player in (one, THINKER))
    assert many > few - 2 * math.hypot(error, other)


def test_a_guest_changes_what_it_expects_of_others_and_nothing_else() -> None:
    guest = changed("guest", lambda known: known, guest=load_strategy(GAME, "greedy"))
    same = changed("same", lambda known: known, guest=CHAMPION)
    plain, hosts, alike = (
        run_chunk(seated(player, *[CHAMPION] * 3, design="fixed"), 0, 12)["coins"] for player in (THINKER, guest, same)
    )
    assert (plain != hosts).any()
    assert (plain == alike).all()


def test_imagined_players_who_err_change_what_it_does_and_not_what_is_usual() -> None:
    hot = changed("hot", lambda known: replace(known, temperature=300.0))
    tables = [seated(player, *[CHAMPION] * 3, design="fixed") for player in (THINKER, hot)]
    coins = [run_chunk(spec, 0, 12)["coins"] for spec in tables]
    assert (coins[0] != coins[1]).any()
    never = changed("never", lambda known: replace(known, decisions=((60, "never"),), temperature=300.0))
    plain = run_chunk(seated(*[CHAMPION] * 4, design="fixed"), 0, 12)["coins"]
    assert (run_chunk(seated(never, *[CHAMPION] * 3, design="fixed"), 0, 12)["coins"] == plain).all()


def test_guests_err_like_the_base() -> None:
    alone, both = (
        changed("hot", lambda known: replace(known, temperature=30.0), guest=guest) for guest in (None, CHAMPION)
    )
    coins = [run_chunk(seated(player, *[CHAMPION] * 3, design="fixed"), 0, 12)["coins"] for player in (alone, both)]
    assert (coins[0] == coins[1]).all()


def test_a_player_against_itself_wins_par() -> None:
    rows = run_chunk(seated(THINKER, replace(THINKER, name="twin"), games=40), 0, 40)
    deals = rows["share60"][rows["strategy"] == 0].reshape(-1, 2).sum(axis=1)
    assert (deals == 60).all(), "what it does depends on more than the table"


def test_threads_chunks_replays_and_pickles_change_nothing() -> None:
    warm = replace(THINKER, name="warm", temperature=5.0, blunder=0.1)
    spec = seated(THINKER, warm, CHAMPION, games=18)
    rows = run_chunk(spec, 0, 18)
    assert len({execute(spec, threads).digest for threads in (1, 3)}) == 1
    assert np.array_equal(run_chunk(spec, 6, 3), rows[6 * 3 : 9 * 3])
    for index, played in enumerate(replays(spec, 0, 3)):
        assert np.array_equal(played.rows, rows[3 * index : 3 * index + 3])
    assert np.array_equal(run_chunk(pickle.loads(pickle.dumps(spec)), 0, 18), rows)


@pytest.mark.parametrize("rules", ["other-readings", "gentler-barracks"])
def test_it_plays_other_rules(rules: str) -> None:
    rows = run_chunk(seated(THINKER, CHAMPION, CHAMPION, rules=rules), 0, 6)
    assert (rows["share60"].reshape(6, 3).sum(axis=1) == 60).all()


def test_the_base_makes_the_decisions_that_are_not_searched() -> None:
    never = changed("never", lambda known: replace(known, decisions=((60, "never"),)))
    games = run_chunk(seated(*[CHAMPION] * 3, design="fixed"), 0, 4)
    assert (run_chunk(seated(never, CHAMPION, CHAMPION, design="fixed"), 0, 4)["coins"] == games["coins"]).all()
    assert (run_chunk(seated(THINKER, CHAMPION, CHAMPION, design="fixed"), 0, 4)["coins"] != games["coins"]).any()


# --- what it does not try ---


def test_it_tries_only_the_moves_that_its_base_likes_best(tmp_path: Path) -> None:
    code = "from strategies.custom import policy\nfrom strategies.moves import first_move\n\n"
    code += '@policy("middle-ages")\ndef leftmost(rules, lineup, state, seat):\n    return first_move(state.legal)\n'
    (tmp_path / "leftmost.py").write_text(code, encoding="utf-8")
    base = load_strategy(GAME, f"{tmp_path / 'leftmost.py'}:leftmost")
    mine = changed("mine", lambda one: replace(one, candidates=2, caution=0.0, temperature=0.0), base=base)
    places = []

    def look(state: Any, ask: Callable[[], int]) -> None:
        before = state.copy()
        places.append((int(state["legal"]) & ((1 << ask()) - 1)).bit_count())
        for name in set(STATE.names) - {"scratch", "rng"}:
            assert state[name].tobytes() == before[name].tobytes(), name

    at_decisions(mine, look, games=4)
    assert set(places) == {0, 1}


def test_one_candidate_is_what_the_base_does_and_many_are_all_moves() -> None:
    def coins(player: Strategy) -> Any:
        return run_chunk(seated(player, *[CHAMPION] * 3, design="fixed"), 0, 12)["coins"]

    one, two, many, every = (
        coins(changed("some", lambda one, count=count: replace(one, candidates=count)))  # type: ignore[misc]
        for count in (1, 2, 64, 0)
    )
    assert (one == coins(CHAMPION)).all()
    assert (many == every).all()
    assert (two != every).any() and (two != one).any()


@kernel
def left_after(sandbox, state, usual, tables, patience):
    return drop_trailing(sandbox, state, usual, tables, patience)


@pytest.mark.parametrize(
    ("scores", "usual", "patience", "left"),
    [
        ({1: [5, 5, 5], 4: [5, 5, 5], 6: [5, 5, 6]}, 4, 3, {4, 6}),  # no better than the base's own
        ({1: [5, 5, 6], 4: [5, 5, 5], 6: [5, 5, 6]}, 4, 3, {1, 4}),  # no better than another
        ({1: [5, 5, 5], 4: [5, 5, 5], 6: [5, 5, 6]}, 4, 4, {1, 4, 6}),  # too early to say
        ({1: [5, 5, 5], 4: [5, 5, 5], 6: [5, 5, 6]}, 4, 0, {1, 4, 6}),  # never
        ({1: [0, 1, 9], 4: [1, 3, 9], 6: [9, 9, 0]}, 4, 3, {4, 6}),  # behind the base's own by over one standard error
        ({1: [0, 9, 0], 4: [3, 0, 4], 6: [9, 9, 0]}, 4, 3, {1, 4, 6}),  # behind it by less
        ({1: [0, 1, 2, 1], 4: [9, 9, 8, 9], 6: [9, 9, 9, 8]}, 6, 0, {4, 6}),  # far behind the best
    ],
)
def test_moves_that_are_not_worth_more_tables(
    scores: dict[int, list[int]], usual: int, patience: int, left: set[int]
) -> None:
    sandbox, state = (np.zeros(1, record) for record in (GAME.sandbox_dtype, GAME.state_dtype))
    tables = len(next(iter(scores.values())))
    for move, each in scores.items():
        state["legal"] |= np.uint64(1 << move)
        sandbox["tried"][0, 0] |= np.uint64(1 << move)
        sandbox["gains"][0, move] = sum(each)
        sandbox["history"][0, :tables, move] = each
    count = left_after(sandbox[0], state[0], np.int64(usual), np.int64(tables), np.int64(patience))
    assert {move for move in scores if int(sandbox["tried"][0, 0]) >> move & 1} == left
    assert count == len(left)


# --- as data ---


def test_the_shipped_one_is_a_file_like_any_other(tmp_path: Path) -> None:
    assert set(shipped_strategies(GAME)) - set(quick_strategies(GAME)) >= {"thinker"}
    assert THINKER.search is not None and THINKER.search.base == CHAMPION
    assert set(THINKER.search.foresights) == {(players, "player") for players in GAME.players}
    assert strategy_from_dict(GAME, THINKER.to_dict()) == THINKER
    path = tmp_path / "again.toml"
    path.write_text(THINKER.to_toml(), encoding="utf-8")
    again = load_strategy(GAME, path)
    assert again == THINKER and again.digest == THINKER.digest
    assert changed("thinker", lambda known: replace(known, rounds=0)).digest != THINKER.digest
    other = Value.packed(Value.of(THINKER.search.foresights[3, "player"].value.floats).parts)
    assert changed("thinker", lambda known: replace(known, value=other)).digest != THINKER.digest


def test_what_a_line_up_gets() -> None:
    some = Foresight(3, 9, 4, Value.of(_nothing()), 80.0, 1.5, ((5, "loss"),), 2.5, 7, 5)
    player = changed("mine", lambda known: some)
    member = seated(player, CHAMPION, CHAMPION).lineup_record["members"][0]
    weights = member["weights"]
    found = [
        weights[place] for place in (ROUNDS, ROLLOUTS, HALVING, WIN, CAUTION, SEARCHED, HEAT, CANDIDATES, PATIENCE)
    ]
    assert found == [3, 9, 4, 80 * UNIT, 3 * UNIT // 2, 1 << 5, 5 * UNIT // 2, 7, 5]
    assert member["value"] == some.value.address


def _nothing() -> Any:
    from strategies.value import Parts

    assert GAME.search is not None and GAME.search.look is not None
    return Parts(np.zeros(1), np.zeros((1, 2 * len(GAME.search.look.names))), np.zeros(0))


HEAD = 'format = "equipoise-strategy/1"\ngame = "middle-ages"\nname = "mine"\ntitle = "Mine"\npolicy = "thinker"\n'
SEARCH = '[search]\nbase = "champion"\n'
TABLE = (
    "[search.players.3.player]\nrounds = 1\ntables = 8\nhalving = 4\nwin = 60\ncaution = 1\nhidden = 0\n"
    f'inputs = {Value.of(_nothing()).inputs}\nweights = "{Value.of(_nothing()).weights}"\n'
)


def test_a_file_that_says_just_this_much_plays(tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_text(HEAD + SEARCH + TABLE, encoding="utf-8")
    spec = seated(load_strategy(GAME, tmp_path / "mine.toml"), CHAMPION, CHAMPION)
    assert len(run_chunk(spec, 0, 1)) == 3


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", r"policy 'thinker' needs the table \[search\] with its base"),
        (SEARCH, r"policy 'thinker' needs a table \[search.players.N.ROLE\]"),
        (SEARCH + "[search.players.3]\n", r"policy 'thinker' needs a table \[search.players.N.ROLE\]"),
        (
            SEARCH + TABLE.replace("3.player", "9.player"),
            r"\[search.players.9.player\]: Middle-Ages is for 2 to 5",
        ),
        (SEARCH + TABLE.replace("3.player", "3.lord"), r"\[search.players.3.lord\]: no role 'lord'"),
        (SEARCH + TABLE.replace("inputs = ", "inputs = 1"), r"inputs: must be 128 or less"),
        (
            SEARCH + TABLE.replace('weights = "', 'weights = "AA'),
            r"weights: not 221 packed whole numbers; copy",
        ),
        (SEARCH + TABLE.replace("tables = 8", "tables = 65"), r"tables: must be 64 or less, not 65"),
        (SEARCH + TABLE.replace("rounds = 1\n", ""), r"rounds: key is missing"),
        (SEARCH + TABLE + "temperature = -1\n", r"temperature: must be 0.0 or more, not -1"),
        (SEARCH + "temperature = 2\n" + TABLE, r"\[search\] temperature: write it into the tables \[search.players"),
        ('[search]\nlike = "thinker"\n', r"\[search\]: nothing differs from 'like'; write tables, rounds or decisions"),
        ('[search]\nlike = "rollout"\ntables = 2\n', r"\[search\] like: write policy = .thinker., and the name"),
        ('[search]\nlike = "thinker"\ntables = 2\nwin = 2\n', r"\[search\] win: comes from the thinker under"),
        ('[search]\nlike = "thinker"\ntables = 65\n', r"\[search\] tables: must be 64 or less, not 65"),
        ('[search]\nlike = "thinker"\ndecisions = ["los"]\n', r"no decision 'los'; did you mean 'loss'"),
        (SEARCH + "tables = 2\n" + TABLE, r"\[search\] tables: only with 'like'"),
        (TABLE, r"\[search\] base: key is missing"),
        (SEARCH + TABLE + 'decisions = ["los"]\n', r"no decision 'los'; did you mean 'loss'"),
        (SEARCH.replace("champion", "rollout") + TABLE, r"\[search\] base: looks ahead itself"),
        (SEARCH + 'guest = "rollout"\n' + TABLE, r"\[search\] guest: looks ahead itself"),
        (SEARCH + 'guest = "gredy"\n' + TABLE, r"\[search\] guest: 'gredy' is not a shipped name"),
    ],
)
def test_what_cannot_be_used_is_told_in_one_line(text: str, told: str, tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_text(HEAD + text, encoding="utf-8")
    with pytest.raises(UsageError, match=told) as refused:
        load_strategy(GAME, tmp_path / "mine.toml")
    assert len(str(refused.value).splitlines()) == 1


def test_a_thinker_like_another_looks_ahead_on_fewer_tables(tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_text(HEAD + '[search]\nlike = "thinker"\ntables = 3\n', encoding="utf-8")
    mine = load_strategy(GAME, tmp_path / "mine.toml")
    assert THINKER.search is not None and mine.search is not None
    for place, one in THINKER.search.foresights.items():
        assert mine.search.foresights[place] == replace(one, tables=3, halving=1)
    assert mine.search.base == THINKER.search.base
    (tmp_path / "again.toml").write_text(mine.to_toml(), encoding="utf-8")
    assert load_strategy(GAME, tmp_path / "again.toml").digest == mine.digest != THINKER.digest
    beside = HEAD.replace('"mine"', '"less"') + '[search]\nlike = "mine.toml"\ntables = 64\n'
    (tmp_path / "less.toml").write_text(beside, encoding="utf-8")
    with pytest.raises(UsageError, match=r"less.toml: \[search\] like: is itself like another thinker; name that one"):
        load_strategy(GAME, tmp_path / "less.toml")
    (tmp_path / "less.toml").write_text(beside.replace("mine.toml", "less.toml"), encoding="utf-8")
    with pytest.raises(UsageError, match="is itself like another"):
        load_strategy(GAME, tmp_path / "less.toml")


def test_a_thinker_like_another_looks_further_and_at_other_decisions(tmp_path: Path) -> None:
    changes = 'tables = 64\nrounds = 3\ndecisions = ["loss", "lord"]\n'
    (tmp_path / "mine.toml").write_text(HEAD + '[search]\nlike = "thinker"\n' + changes, encoding="utf-8")
    (tmp_path / "all.toml").write_text(HEAD + '[search]\nlike = "thinker"\ndecisions = []\n', encoding="utf-8")
    further, everywhere = (load_strategy(GAME, tmp_path / f"{name}.toml").search for name in ("mine", "all"))
    assert THINKER.search is not None and further is not None and everywhere is not None
    for place, one in THINKER.search.foresights.items():
        told = further.foresights[place]
        assert (told.tables, told.rounds, [name for _, name in told.decisions]) == (64, 3, ["loss", "lord"])
        assert (told.value, told.win, told.halving) == (one.value, one.win, one.halving)
        assert everywhere.foresights[place] == replace(one, decisions=())


@pytest.mark.parametrize(("game", "games"), [("middle-ages", 60), ("medievallons", 84), ("fief-2", 72)])
def test_the_quick_thinker_beats_the_experts_at_every_table(game: str, games: int) -> None:
    found = load_game(game)
    quick, expert = (load_strategy(found, name) for name in ("quick_thinker", load_kit(game).default_of("")))
    for players in found.players:
        line = [quick, *[expert] * (players - 1)]
        mean, error = won(assemble_spec(found, players, line, load_rules(found), 5, "rotate", games))
        assert mean - 2.5 * error > 1 / players


def test_a_value_of_another_game_is_refused(tmp_path: Path) -> None:
    few = Value.packed(Value.of(_nothing()).parts._replace(weights=np.zeros((1, 20))))
    table = TABLE.replace(f"inputs = {Value.of(_nothing()).inputs}", "inputs = 10")
    table = table.replace(Value.of(_nothing()).weights, few.weights)
    (tmp_path / "mine.toml").write_text(HEAD + SEARCH + table, encoding="utf-8")
    with pytest.raises(UsageError, match="the value reads 10 numbers, but a seat of Middle-Ages sees 110; make a new"):
        load_strategy(GAME, tmp_path / "mine.toml")


def test_rollout_has_no_value(tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_text(HEAD.replace("thinker", "rollout") + SEARCH + TABLE, encoding="utf-8")
    with pytest.raises(UsageError, match=r"policy 'rollout' reads no table \[search.players\]; take it out"):
        load_strategy(GAME, tmp_path / "mine.toml")


def test_a_number_of_players_or_a_role_without_a_value_is_refused() -> None:
    assert THINKER.search is not None
    one = {key: found for key, found in THINKER.search.foresights.items() if key[0] == 3}
    player = replace(THINKER, name="mine", search=replace(THINKER.search, foresights=one))
    with pytest.raises(UsageError, match="'mine' looks ahead at tables of 3 players, not of 2; make a value for"):
        seated(player, CHAMPION)
