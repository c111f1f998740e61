"""What the atlas plays: twenty published games, each by players who move at random and by the best at hand."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from simcore.doors import named
from simcore.game import load_game
from simcore.imports import is_file
from strategies.model import Strategy
from strategies.skill import players_of
from strategies.spec import Spec, make_spec

SEED = 1
PARTS = 10
"""Number of parts of a cell; each is a range of the games of one run."""

AT_RANDOM, AT_BEST = 1_000, 40
"""Games of a part: of players who move at random, and of others as long as a game does not say otherwise."""


@dataclass(frozen=True)
class Published:
    """A game of the atlas."""

    title: str  # as in tables
    game: str  # as `--game` takes it
    players: int  # number of players
    best: str = ""
    """The best players at hand: a strategy, or a skill of a game of this toolkit; empty if there are none."""
    part: int = AT_BEST  # games of a part that they play
    length: tuple[tuple[str, ...], str] = (("moves",), "moves")
    """The columns whose sum is the length of a game, and its unit."""

    def cells(self) -> list[Cell]:
        """Return what is played of this game."""
        return [Cell(self, "random"), *([Cell(self, self.best)] if self.best else [])]


@dataclass(frozen=True)
class Cell:
    """A game played by one kind of player in all seats."""

    published: Published
    player: str

    @property
    def key(self) -> str:
        """The name of the cell in the file of results."""
        game = self.published.game
        return f"{Path(game).stem if is_file(game) else game}/{self.published.players}/{self.player}"

    @property
    def part(self) -> int:
        """Number of games of a part."""
        return AT_RANDOM if self.player == "random" else self.published.part

    @cached_property
    def spec(self) -> Spec:
        """The run of all parts."""
        game, players = named(self.published.game), self.published.players
        seated: list[str | Strategy] = [self.player]
        if self.player == "search":
            seated = [*players_of(game, "search").values()]
            roles = [role.name for role in load_game(game).roles]
            given = dict(zip(roles, seated, strict=False)) if len(seated) > 1 else seated
            return make_spec(game, players, given, seed=SEED, games=PARTS * self.part)
        if load_game(game).asymmetric:
            given = {role.name: self.player for role in load_game(game).roles}
            return make_spec(game, players, given, seed=SEED, games=PARTS * self.part)
        return make_spec(game, players, seated, seed=SEED, games=PARTS * self.part)


TWENTY = (
    Published("Tic-tac-toe", "openspiel:tic_tac_toe", 2, "mcts", 1_000),
    Published("Connect Four", "openspiel:connect_four", 2, "mcts", 200),
    Published("Hex (11 × 11)", "openspiel:hex", 2, "mcts"),
    Published("Breakthrough", "openspiel:breakthrough", 2, "mcts"),
    Published("Othello", "openspiel:othello", 2, "mcts"),
    Published("Mancala", "openspiel:mancala", 2, "mcts", 1_000),
    Published("Oware", "openspiel:oware", 2, "mcts"),
    Published("Nine Men's Morris", "openspiel:nine_mens_morris", 2, "mcts"),
    Published("Pentago", "openspiel:pentago", 2, "mcts", 100),
    Published("Pig", "openspiel:pig(players=3)", 3, "mcts"),
    Published("Mensch ärgere Dich nicht", "openspiel:maedn(players=4)", 4, "mcts", 20),
    Published("Kuhn poker", "openspiel:kuhn_poker", 2, "ismcts", 1_000),
    Published("Hearts", "openspiel:hearts", 4, "ismcts"),
    Published("Oh Hell", "openspiel:oh_hell(players=3)", 3, "ismcts"),
    Published("Euchre", "openspiel:euchre(teams=13/24)", 4, "ismcts"),
    Published("6 nimmt!", str(Path(__file__).with_name("six_nimmt.py")), 4, "rollout"),
    Published("Middle-Ages", "middle-ages", 4, "search", 40, ((), "10 rounds")),
    Published("Médiévallons", "medievallons", 4, "search", 40, (("turns_d1", "turns_d2", "turns_d3"), "turns")),
    Published("Seigneurial", "seigneurial", 4, "search", 40, (("seasons",), "seasons")),
    Published("Fief 2", "fief-2", 4, "search", 40, (("turns",), "turns")),
)
