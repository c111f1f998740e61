"""The door for games of OpenSpiel: its games are played as its own tree says, and what cannot be judged is refused."""

from __future__ import annotations

import os
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import equipoise as eq
from simcore import homes
from simcore.doors import named
from simcore.errors import KernelFault, UsageError
from simcore.game import load_game
from simcore.rules.files import load_rules

pyspiel = pytest.importorskip("pyspiel", reason="comes with the extra openspiel")
pytestmark = pytest.mark.usefixtures("forgotten")
GAMES = 6_000


def refusal(reference: str) -> str:
    with pytest.raises(UsageError) as caught:
        named(f"openspiel:{reference}")
    return str(caught.value)


def shares(state: Any, weight: float = 1.0) -> np.ndarray[Any, Any]:
    """Return what each seat wins if all choose at random, by the whole tree of a game."""
    seats = state.num_players()
    if state.is_terminal():
        returns = np.array(state.returns())
        first = returns == returns.max()
        return weight * first / first.sum()
    if state.is_chance_node():
        ways = state.chance_outcomes()
        return sum((shares(state.child(action), weight * part) for action, part in ways), np.zeros(seats))
    if state.is_simultaneous_node():
        found = np.zeros(seats)
        legal = [state.legal_actions(seat) for seat in range(seats)]
        every = np.array(np.meshgrid(*legal)).reshape(seats, -1).T
        for chosen in every.tolist():
            child = state.clone()
            child.apply_actions(chosen)
            found += shares(child, weight / len(every))
        return found
    legal = state.legal_actions()
    return sum((shares(state.child(move), weight / len(legal)) for move in legal), np.zeros(seats))


def played(reference: str, games: int = GAMES, **more: Any) -> np.ndarray[Any, Any]:
    """Return the part of the win of each seat in each game."""
    name = named(f"openspiel:{reference}")
    spec = eq.make_spec(name, games=games, **more)
    unit = 60 if "share60" in spec.game.row_dtype.names else 840
    won: np.ndarray[Any, Any] = eq.run_chunk(spec, 0, games)[f"share{unit}"].reshape(games, -1) / unit
    return won


@pytest.mark.parametrize("reference", ["kuhn_poker", "kuhn_poker(players=3)", "leduc_poker", "goofspiel(num_cards=3)"])
def test_random_players_win_what_the_tree_says(reference: str) -> None:
    """Chance nodes, decisions, and nodes at which all choose at the same time."""
    won = played(reference)
    exact = shares(pyspiel.load_game(reference).new_initial_state())
    error = won.std(axis=0) / np.sqrt(len(won))
    assert (np.abs(won.mean(axis=0) - exact) < 4.5 * error + 1e-12).all(), (won.mean(axis=0), exact)


@pytest.mark.parametrize(("reference", "players"), [("kuhn_poker", 8), ("goofspiel(num_cards=4)", 6)])
def test_a_game_is_as_long_as_its_number_of_players_makes_it(reference: str, players: int) -> None:
    won = played(reference, 100, players=players, strategies="random")
    assert won.shape == (100, players) and np.allclose(won.sum(axis=1), 1)


def exact_pig(goal: int) -> float:
    """Return how often the first of two players wins who roll and hold by the toss of a coin."""
    value = np.full((goal, goal, goal + 7), 0.5)

    @cache
    def order() -> list[tuple[int, int, int]]:
        return [
            (mine, theirs, turn)
            for mine in reversed(range(goal))
            for theirs in reversed(range(goal))
            for turn in reversed(range(goal + 7))
        ]

    for _ in range(200):
        for mine, theirs, turn in order():
            held = mine + turn
            hold = 1.0 if held >= goal else 1 - value[theirs, held, 0]
            roll = (
                1 - value[theirs, mine, 0] + sum(value[mine, theirs, min(turn + n, goal + 6)] for n in range(2, 7))
            ) / 6
            value[mine, theirs, turn] = (hold + roll) / 2
    return float(value[0, 0, 0])


def test_pig_there_has_the_exact_value_of_pig() -> None:
    games, exact = 20_000, exact_pig(6)
    first = played("pig(winscore=6)", games)[:, 0].mean()
    assert abs(first - exact) < 4.5 * (exact * (1 - exact) / games) ** 0.5
    assert abs(exact - 0.5) > 0.03  # so that exchanged seats would be seen


def test_the_lowest_return_wins_if_the_user_says_so() -> None:
    high, low = played("kuhn_poker"), played("kuhn_poker(wins=lowest)")
    assert (high == low[:, ::-1]).all()
    game = load_game(named("openspiel:kuhn_poker(wins=lowest)"))
    assert game.lowest_wins and game.declaration.strategies == ("random",)
    with pytest.raises(UsageError, match="must be 'lowest'"):
        load_rules(game, "base", "wins=highest")


def test_a_game_is_judged_by_its_returns_if_the_user_says_so(tmp_path: Path) -> None:
    """Of random players at Kuhn poker, the first gains 1/8 chip a game: Kuhn's table of returns, each weighed alike."""
    run = eq.simulate("openspiel:kuhn_poker(wins=payoff)", games=GAMES, out=tmp_path / "run").run
    table = eq.seat_advantage(run).table
    assert table["payoff_low"][0] < 1 / 8 < table["payoff_high"][0]
    assert table["payoff"].sum() == pytest.approx(0, abs=1e-9) and run.spec.judged.unit == "points"
    assert eq.replay(run, index=7).records[-1]["returns"] in ([1, -1], [-1, 1], [2, -2], [-2, 2])
    read = eq.load(run.folder).manifest.declared
    assert (
        read is not None and read.played_for is not None and (read.played_for.least, read.played_for.most) == (-2, 14)
    )
    stake = load_game(named("openspiel:kuhn_poker(wins=payoff,stake=0.5,players=2)")).payoff
    assert stake is not None and (stake.stake(None), stake.limits(None, 2)) == (0.5, (-2, 2))


def test_rules_that_raise_the_limits_of_a_payoff_belong_into_the_name() -> None:
    name = named("openspiel:universal_poker(wins=payoff)")
    with pytest.raises(KernelFault, match="write these parameters into the game's name"):
        eq.run_chunk(eq.make_spec(name, games=2, settings="stack=2400 2400"), 0, 2)


def test_a_score_is_kept_where_it_says_more_than_who_won(tmp_path: Path) -> None:
    run = eq.simulate("openspiel:leduc_poker", games=200, out=tmp_path / "run").run
    table = run.polars().collect()
    assert (
        table["score"].dtype == pl.Float64 and table.group_by("game_id").agg(pl.col("score").sum())["score"].max() == 0
    )
    log = eq.replay(run, index=7)
    assert table.filter(pl.col("game_id") == 7)["score"].to_list() == log.records[-1]["returns"]
    assert eq.closeness(run).table["margin"][0] == pytest.approx(2 * table["score"].abs().mean())
    assert [load_game(named(f"openspiel:{name}")).score for name in ("tic_tac_toe", "euchre(teams=13/24)")] == [
        None,
        None,
    ]


def test_parameters_are_rules_and_players() -> None:
    name = named("openspiel:pig(winscore=20)")
    game = load_game(name)
    assert (list(game.players)[:3], game.default_players) == ([2, 3, 4], 2)
    assert game.title == "Pig (OpenSpiel, highest return wins)"
    assert load_rules(game).flat() | {"winscore": 20, "diceoutcomes": 6, "wins": "highest"} == load_rules(game).flat()
    assert played("pig(winscore=20)", 50, players=4).shape == (50, 4)
    with pytest.raises(UsageError, match=r"winscore=30: winscore: must be 20, not 30"):
        load_rules(game, "base", "winscore=30")
    long, brief = (
        eq.run_chunk(eq.make_spec(name, games=50, settings=f"diceoutcomes={sides}"), 0, 50)["moves"].mean()
        for sides in (2, 12)
    )
    assert long > brief


def test_partners_win_together(tmp_path: Path) -> None:
    won = played("euchre(teams=13/24)", games=200)
    assert (won[:, 0] == won[:, 2]).all() and (won[:, 1] == won[:, 3]).all()
    run = eq.simulate("openspiel:euchre(teams=13/24)", games=40, out=tmp_path / "run").run
    assert eq.load(run.folder).described.camps == {"team-1-3": (0, 2), "team-2-4": (1, 3)}
    assert "teams: name each seat of one number of players once" in refusal("euchre(teams=13/25)")


def test_a_parameter_that_openspiel_reports_and_refuses_is_no_rule() -> None:
    rules = load_rules(load_game(named("openspiel:liars_dice_ir"))).flat()
    assert "rollout_length" not in rules and rules["numdice"] == 1


def test_a_title_does_not_name_a_rule_that_the_user_gave() -> None:
    assert load_game(named("openspiel:pig(wins=highest,players=3)")).title == "Pig (OpenSpiel)"
    assert list(load_game(named("openspiel:pig(wins=highest,players=3)")).players) == [3]


def test_a_parameter_in_the_name_is_fixed_even_if_it_is_no_whole_number() -> None:
    fixed, free = (load_game(named(f"openspiel:bargaining{given}")) for given in ("(discount=0.5)", ""))
    assert load_rules(free, "base", "discount=0.75").flat()["discount"] == 0.75
    with pytest.raises(UsageError, match=r"discount=0.75"):
        load_rules(fixed, "base", "discount=0.75")


def test_search_wins_against_chance() -> None:
    won = played("tic_tac_toe", 60, strategies=["mcts", "random"], design="fixed")
    assert won[:, 0].mean() > 0.8
    won = played("leduc_poker", 60, strategies=["ismcts", "random"], design="fixed")
    assert won[:, 0].mean() > 0.55


def test_openspiel_says_nothing_where_nobody_can_imagine_hands(capfd: pytest.CaptureFixture[str]) -> None:
    """OpenSpiel itself writes that ResampleFromInfostate() is not implemented."""
    assert load_game(named("openspiel:cribbage")).declaration.strategies == ("random",)  # type: ignore[attr-defined]
    os.write(2, b"heard again")
    assert capfd.readouterr() == ("", "heard again")


@pytest.mark.parametrize(
    ("reference", "player", "games"),
    [("leduc_poker", "ismcts", 20), ("hearts", "ismcts", 1), ("pig(winscore=9)", "mcts", 5)],
)
def test_players_who_search_play_the_same_game_again(reference: str, player: str, games: int) -> None:
    """OpenSpiel's own ISMCTS does not, and ends the process in hearts."""
    one, other = (played(reference, games, strategies=[player]) for _ in range(2))
    assert (one == other).all()


def test_a_replay_shows_the_stored_game_and_other_processes_play_the_same(tmp_path: Path) -> None:
    name = named("openspiel:pig(winscore=20)")
    run = eq.simulate(name, games=200, out=tmp_path / "run")
    spec = run.spec
    here = eq.run_chunk(spec, 0, 200)
    spec.game.play_batch.elsewhere = True
    try:
        assert (eq.run_chunk(spec, 0, 200) == here).all()
    finally:
        spec.game.play_batch.elsewhere = False
    log = eq.replay(run, index=7)
    assert log.records[-1]["place"] == here.reshape(200, -1)["place"][7].tolist()


@pytest.mark.parametrize(
    ("reference", "said"),
    [
        ("pigg", "OpenSpiel has no game 'pigg'; did you mean 'pig'?"),
        ("pig(foo=1)", "pig has no parameter 'foo'"),
        ("pig(players=4", "write openspiel:NAME or openspiel:NAME(KEY=VALUE,...)"),
        ("pig(wins=most)", "wins is most; give highest, lowest or payoff"),
        ("oh_hell(wins=payoff)", "wins=payoff needs a game in which what some gain is what the others lose"),
        ("euchre(wins=payoff,teams=13/24)", "wins=payoff needs everybody to play alone"),
        ("kuhn_poker(wins=payoff,stake=0)", "stake is 0; give a number of points above 0"),
        ("kuhn_poker(stake=1)", "kuhn_poker has no parameter 'stake'"),
        ("pig(players=9)", "it has 9 seats, and a table has at most 8"),
        ("mfg_garnet", "a mean-field game has no seats"),
        ("matrix_pd", "in a one-shot game everybody chooses once"),
        ("hanabi", "all win or lose together"),
        ("2048", "it is played alone"),
        ("coin_game", "in 10 of 10 random games all seats have the same return"),
        ("pig(players=x)", "players is 'x'; give a value of type int"),
        ("nfg_game", "nfg_game: "),
        ("cached_tree", "Missing parameter game"),
    ],
)
def test_what_cannot_be_judged_is_refused_in_a_sentence(reference: str, said: str) -> None:
    assert said in refusal(reference)


def test_a_run_does_not_load_the_game_that_it_names(tmp_path: Path) -> None:
    eq.simulate(named("openspiel:tic_tac_toe"), games=50, out=tmp_path / "run")
    homes._REMEMBERED.clear()
    load_game.cache_clear()
    with pytest.raises(UsageError, match="not run because a run names it"):
        eq.replay(tmp_path / "run", index=1)
    assert eq.load(tmp_path / "run").manifest.games_written == 50
    named("openspiel:tic_tac_toe")
    assert eq.replay(tmp_path / "run", index=1).records[-1]["kind"] == "end"


def test_the_core_does_not_import_it_and_says_how_to_install_it(tmp_path: Path) -> None:
    (tmp_path / "pyspiel.py").write_text("raise ModuleNotFoundError('pyspiel')")
    code = (
        "import sys, equipoise as eq; assert 'pyspiel' not in sys.modules\n"
        "try: eq.simulate('openspiel:pig', games=2)\n"
        "except eq.UsageError as error: print(error)"
    )
    found = subprocess.run(
        [sys.executable, "-c", f"import sys; sys.path.insert(0, {str(tmp_path)!r})\n{code}"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert "pip install 'equipoise[openspiel]'" in found.stdout
