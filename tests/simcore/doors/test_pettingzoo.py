"""The door for environments of PettingZoo: rewards, masks, agents that leave, and what cannot be judged."""

from __future__ import annotations

import random
import sys
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import equipoise as eq
from simcore import homes
from simcore.doors import named, pettingzoo
from simcore.errors import UsageError
from simcore.game import load_game
from simcore.rules.files import load_rules
from tests.nim import Written, forget_files

pytestmark = pytest.mark.usefixtures("forgotten")
GAMES = 4_000

BIDS = '''
import random

class Space:
    shape = ()

    def __init__(self, n):
        self.n = n

class Bids:
    """Each agent names a number once, and earns it when it leaves; the second earns one more before."""

    def __init__(self, top=2, players=2, render_mode=None):
        self.top = top
        self.possible_agents = [f"bidder_{number}" for number in range(players)]

    def action_space(self, agent):
        return Space(self.top + 1)

    def reset(self, seed=None, options=None):
        self.agents = self.possible_agents[:]
        random.Random(seed).shuffle(self.agents)
        self.owed = {agent: float(agent == self.possible_agents[1]) for agent in self.agents}
        self.ended = dict.fromkeys(self.agents, False)
        self.agent_selection = self.agents[0]

    def last(self, observe=True):
        agent, mask = self.agent_selection, [1] * self.top + [0]
        return {"action_mask": mask}, self.owed[agent], self.ended[agent], False, {}

    def step(self, action):
        agent = self.agent_selection
        if self.ended[agent]:
            assert action is None, "an agent that has left moved"
            self.agents.remove(agent)
            self.agent_selection = self.agents[0] if self.agents else None
        else:
            self.owed[agent], self.ended[agent] = float(action), True

def env(**given):
    return raw_env(**given)

raw_env = Bids

def high(view, moves, rng):
    return max(moves)

strategies = {"high": high}
'''


@pytest.fixture
def bids(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Written]:
    """Write `bids.py` into a folder of its own, with texts replaced, and return how a user names its environment."""
    monkeypatch.chdir(tmp_path)

    def write(*changes: tuple[str, str]) -> str:
        text = BIDS
        for old, new in changes:
            assert old in text
            text = text.replace(old, new)
        (tmp_path / "bids.py").write_text(text)
        return "pettingzoo:bids"

    yield write
    forget_files()
    pettingzoo._kind.cache_clear()
    pettingzoo.make_environment.cache_clear()


def refusal(reference: str) -> str:
    with pytest.raises(UsageError) as caught:
        named(reference)
    return str(caught.value)


def played(reference: str, games: int = GAMES, **more: Any) -> np.ndarray[Any, Any]:
    """Return the part of the win of each seat in each game, by default of random players."""
    spec = eq.make_spec(named(reference), games=games, **{"strategies": ["random"]} | more)
    unit = 60 if "share60" in spec.game.row_dtype.names else 840
    won: np.ndarray[Any, Any] = eq.run_chunk(spec, 0, games)[f"share{unit}"].reshape(games, -1) / unit
    return won


def agrees(won: np.ndarray[Any, Any], exact: Fraction) -> bool:
    """Return whether random players win as often as they should."""
    return bool(abs(won.mean() - float(exact)) < 4.5 * won.std() / np.sqrt(len(won)) + 1e-12)


@pytest.mark.parametrize(
    ("changes", "exact"),
    [
        ((), Fraction(7, 8)),
        ([('{"action_mask": mask}, self.owed[agent], self.ended[agent], False, {}',
           '0, self.owed[agent], self.ended[agent], False, {"action_mask": mask}')], Fraction(7, 8)),
        ([("[1] * self.top + [0]", "None")], Fraction(7, 9)),
        ([("self.ended[agent], False", "False, self.ended[agent]")], Fraction(7, 8)),
        ([("shape = ()", "shape, start = (), 5")], Fraction(7, 8)),
    ],
    ids=["mask in the observation", "mask in the info", "no mask", "truncated", "moves from 5"],
)  # fmt: skip
def test_random_players_win_what_is_exact(bids: Written, changes: Any, exact: Fraction) -> None:
    """The second of two earns one more: one of two numbers each, or of three without a mask."""
    assert agrees(played(bids(*changes))[:, 1], exact)


def test_the_lowest_return_wins_if_the_user_says_so(bids: Written) -> None:
    high, low = played(bids()), played("pettingzoo:bids(wins=lowest)")
    assert (high == low[:, ::-1]).all()
    assert load_game(named("pettingzoo:bids(wins=lowest)")).title == "bids (PettingZoo)"


def test_a_score_is_kept_where_it_says_more_than_who_won(bids: Written, tmp_path: Path) -> None:
    """Each earns 0 or 1, which it names, and the second one more."""
    run = eq.simulate(bids(), games=GAMES, strategies=["random"], design="fixed", out=tmp_path / "run").run
    table = run.polars().select("game_id", "seat", "score").collect()
    first, second = (table.filter(pl.col("seat") == seat)["score"] for seat in (1, 2))
    assert set(first) == {0, 1} and set(second) == {1, 2}
    assert abs(second.mean() - 1.5) < 4.5 * 0.5 / np.sqrt(GAMES)  # type: ignore[operator]
    end = eq.replay(run, index=7).records[-1]
    assert table.filter(pl.col("game_id") == 7)["score"].to_list() == end["returns"]


def test_rewards_that_only_say_who_won_are_no_score(bids: Written) -> None:
    name = named(
        bids(
            (
                "self.owed[agent], self.ended[agent] = float(action), True",
                "self.owed[agent], self.ended[agent] = 0.0, True",
            )
        )
    )
    assert load_game(name).score is None


def test_partners_are_camps_of_seats(bids: Written) -> None:
    bids()
    spec = eq.make_spec(named("pettingzoo:bids.env(players=4, teams='14/23')"), games=20)
    assert spec.camps == {"team-1-4": (0, 3), "team-2-3": (1, 2)}
    with pytest.raises(UsageError, match="teams: name each seat of one number of players once"):
        named("pettingzoo:bids.env(players=4, teams='12')")


def test_parameters_are_rules_and_players(bids: Written) -> None:
    name = named(bids() + ".env(top=3)")
    game = load_game(name)
    assert (name, game.title) == ("pettingzoo-bids-top-3", "bids (PettingZoo, highest return wins)")
    assert (list(game.players), game.default_players) == ([2, 3, 4, 5, 6, 7, 8], 2)
    assert {"top": 3, "wins": "highest"}.items() <= load_rules(game).flat().items()
    with pytest.raises(UsageError, match="top: must be 3, not 4"):
        load_rules(game, "base", "top=4")
    assert played("pettingzoo:bids(top=3)", 50, players=4).shape == (50, 4)
    assert agrees(played("pettingzoo:bids.Bids", settings="top=1")[:, 1], Fraction(1))  # nobody has a choice
    assert list(load_game(named("pettingzoo:bids(players=3)")).players) == [3]


def test_strategies_of_the_module_play(bids: Written) -> None:
    won = played(bids(), strategies=["high", "random"], design="fixed")
    assert agrees(won[:, 0], Fraction(1, 4))  # one against one or two: a tie half the time
    assert agrees(played("pettingzoo:bids", strategies=["random", "high"], design="fixed")[:, 1], Fraction(1))


def test_a_replay_shows_the_stored_game_and_other_processes_play_the_same(bids: Written, tmp_path: Path) -> None:
    run = eq.simulate(bids(), games=200, out=tmp_path / "run")
    here = eq.run_chunk(run.spec, 0, 200)
    play_batch: Any = run.spec.game.play_batch
    play_batch.elsewhere = True
    try:
        assert (eq.run_chunk(run.spec, 0, 200) == here).all()
    finally:
        play_batch.elsewhere = False
    end = eq.replay(run, index=7).records[-1]
    assert end["place"] == here.reshape(200, -1)["place"][7].tolist()
    assert end["place"] == [1 + sum(other > one for other in end["returns"]) for one in end["returns"]]


def test_what_an_environment_keeps_from_game_to_game_changes_nothing(bids: Written) -> None:
    """It is made anew for each game."""
    reference = bids(
        ("self.possible_agents[1]", "self.possible_agents[getattr(self, 'kept', 1)]"),
        ("self.agent_selection = self.agents[0]\n", "self.agent_selection, self.kept = self.agents[0], 0\n"),
    )
    assert agrees(played(reference)[:, 1], Fraction(7, 8))


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("random.Random(seed).", "random.", "the same seed does not give the same game again"),
        ("players=2", "players=1", "it is played alone"),
        ("players=2", "players=9", "it has 9 seats, and a table has at most 8"),
        ("self.n = n", "self.shape = (2,)", "the moves of 'bidder_0' are of type Space; only numbered moves"),
        ("self.n = n", "self.n, self.shape = n, (n,)", "only numbered moves (Discrete) can be chosen"),
        ("possible_agents", "everybody", "possible_agents is missing or empty"),
        ("def last", "def newest", "its agents all move at the same time (a parallel environment)"),
        ("self.agent_selection = self.agents[0] if", "self.agent_selection = 'guest' if",
         "'guest' takes part, whom possible_agents does not name"),
        ("self.agents.remove(agent)", "self.agents.clear()", "it ended without a last turn of 'bidder_"),
        ("self.agents.remove(agent)", "pass", "the game did not end within 10,000 moves"),
        ("[1] * self.top + [0]", "[0] * self.top + [0]", "allows no move"),
        ("[1] * self.top + [0]", "[1]", "a mask has 1 entries for 3 moves"),
        ("float(action)", "None", "is None, which is no number"),
        ("float(action)", "float('nan')", "so nobody knows who won"),
        ("float(action)", "action / 0", "step raised ZeroDivisionError: division by zero (bids.py, line 38)"),
        ('"high": high', '"high": 1', "strategies: give functions by name"),
        ("def env", "def game", "'env' in bids makes no environment; name a function env, or a class with"),
        ("import random", "import nothing_like_this", "No module named 'nothing_like_this'"),
        ("import random", "import random; 1 / 0", "<module> raised ZeroDivisionError: division by zero (bids.py"),
        ("import random", "import random; )", "bids.py, line 2: unmatched ')'"),
    ],
)  # fmt: skip
def test_what_cannot_be_judged_is_refused_in_a_sentence(bids: Written, old: str, new: str, said: str) -> None:
    random.seed(1)  # of ten games of two, all can come out alike
    found = refusal(bids((old, new)))
    assert found.startswith("game: pettingzoo:bids: ")
    assert said in found


def test_games_in_which_all_have_the_same_return_are_refused(bids: Written) -> None:
    reference = bids(("[1] * self.top + [0]", "[1] + [0] * self.top"), ("float(agent == self.possible_agents[1])", "0"))
    assert "in 10 of 10 random games all seats have the same return" in refusal(reference)
    assert played(f"{reference}(wins=highest)", 50).mean() == 0.5


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ("(tops=3)", "there is no parameter 'tops'; did you mean 'top'?"),
        ("(top=high)", "top is 'high'; give a value of type int"),
        ("(top=[1])", "parameters are KEY=VALUE, separated by commas"),
        ("(3)", "parameters are KEY=VALUE, separated by commas"),
        ("(top=1)(top=2)", "parameters are KEY=VALUE, separated by commas"),
        ("(wins=most)", "wins is most; give highest or lowest"),
        ("(top=1", "write pettingzoo:MODULE.ENV or pettingzoo:MODULE.ENV(KEY=VALUE,...)"),
        (".parallel_env", "its agents all move at the same time (a parallel environment)"),
        (".high", "'high' in bids makes no environment; name a function env, or a class with the methods of AECEnv; "
                  "its classes: Bids"),
        (".deeper.env", "there is no module 'bids.deeper.env'"),
        ("_of_others", "there is no module 'bids_of_others', neither here nor where Python looks for modules"),
    ],
)  # fmt: skip
def test_references_that_cannot_be_used(bids: Written, given: str, said: str) -> None:
    assert said in refusal(bids() + given)


def test_only_what_makes_an_environment_is_called(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert "'mkdir' in os makes no environment" in refusal("pettingzoo:os.mkdir(path=made)")
    assert not Path("made").exists()


def test_a_module_that_has_changed_is_not_mistaken_for_the_one_that_runs(bids: Written) -> None:
    named(bids())
    assert refusal(bids(("top=2", "top=4"))).endswith("has changed since this process ran it; start Python again")


def test_a_run_imports_no_module_that_it_names(bids: Written, tmp_path: Path) -> None:
    eq.simulate(bids(), games=50, out=tmp_path / "run")

    def forget() -> None:
        homes._REMEMBERED.clear()
        load_game.cache_clear()
        pettingzoo._kind.cache_clear()
        forget_files()

    forget()
    with pytest.raises(
        UsageError, match=r"\(pettingzoo:bids\), which is not run because a run names it; name the game"
    ):
        eq.replay(tmp_path / "run", index=1)
    assert eq.load(tmp_path / "run").manifest.games_written == 50
    bids(("import random", "import random; open('ran', 'w').close()"))
    with pytest.raises(UsageError, match=r"is not the code that the games were played with .*, so it was not run"):
        eq.replay(tmp_path / "run", index=1, trust=True)
    assert not Path("ran").exists() and "bids" not in sys.modules
    bids()
    assert eq.replay(tmp_path / "run", index=1, trust=True).records[-1]["kind"] == "end"
    forget()
    named("pettingzoo:bids")
    assert eq.replay(tmp_path / "run", index=1).records[-1]["kind"] == "end"


def test_it_says_how_to_install_the_library(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pettingzoo, "module_file", lambda *_, **__: None)
    for name in ("tictactoe_v3", "pettingzoo.classic.tictactoe_v3"):
        assert "pip install 'equipoise[pettingzoo]'" in refusal(f"pettingzoo:{name}")


def test_an_environment_of_the_library() -> None:
    """By the whole tree of noughts and crosses, 737 of 1260 random games are won by the first, and 8 of 63 tied."""
    pytest.importorskip("pettingzoo", reason="comes with the extra pettingzoo")
    pytest.importorskip("pygame", reason="comes with PettingZoo's own games")
    won = played("pettingzoo:tictactoe_v3")
    assert agrees(won[:, 0], Fraction(737, 1260) + Fraction(8, 63) / 2)
    assert named("pettingzoo:pettingzoo.classic.tictactoe_v3.env") == named("pettingzoo:tictactoe_v3.env")
    assert "did you mean 'tictactoe_v3'?" in refusal("pettingzoo:tictactoe_v9")
    assert "a parallel environment" in refusal("pettingzoo:rps_v2.parallel_env")
