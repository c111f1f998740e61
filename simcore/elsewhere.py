"""Games that were played elsewhere: the descriptor and the specification of results that were imported as a table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from simcore.game import Column, Game
from simcore.homes import ELSEWHERE
from simcore.kernel.decisions import asking
from simcore.kernel.records import blank, layout, row_of
from simcore.roles import MOST_PLAYERS
from simcore.rules.files import Rules, RuleSet, numbers_of
from simcore.running.batch import Spec

PEOPLE = "people"
"""What the column `strategy` says: people, or a program that the toolkit does not know, played."""


class Unread(RuleSet):
    """The rules of such games, of which only the name is known."""

    game: Literal["imported"]


@dataclass(frozen=True)
class Names:
    """The names for the codes of a column; a function of the rules, as `Column.labels` expects."""

    names: tuple[str, ...]

    def __call__(self, rules: object) -> tuple[str, ...]:
        """Return the names."""
        return self.names


def game_of(
    title: str,
    columns: Sequence[Column] = (),
    score: str | None = None,
    counts: Sequence[int] = (2, MOST_PLAYERS),
    usual: int = 2,
    lowest_wins: bool = False,
) -> Game:
    """Return the descriptor of games that were played elsewhere.

    title: Name of the game.
    columns: The table's columns in addition to the general ones.
    score: Name of the column of the score, if the table has one.
    counts: Smallest and largest number of players.
    usual: The most frequent number of players.
    lowest_wins: Whether the lowest score wins.
    """
    players = range(counts[0], counts[-1] + 1)
    return Game(
        name=ELSEWHERE,
        title=title,
        players=players,
        default_players=usual,
        rules=Unread,
        rules_dtype=numbers_of(Unread),
        state_dtype=layout(*asking()),
        row_dtype=row_of(share="share60" if players[-1] <= 6 else "share840"),
        start=_never,
        step=_never,
        settle=_never,
        play_batch=_never,
        columns=tuple(columns),
        score=score,
        lowest_wins=lowest_wins and score is not None,
        records=_never,
    )


def spec_of(game: Game, players: int, rules: str, games: int) -> Spec:
    """Return the specification of games that were played elsewhere: every game is a deal of its own."""
    values = Unread(format="equipoise-rules/1", game="imported", name=rules, title=rules)
    lineup = blank(game.lineup_dtype)
    lineup["turns"] = 1
    return Spec(
        game=game,
        players=players,
        rules=Rules(ELSEWHERE, values),
        strategies=(PEOPLE,) * players,
        design="fixed",
        seed=0,
        games=games,
        rules_record=np.zeros(1, game.rules_dtype)[0],
        lineup_record=lineup,
        strategy_tables=({"name": PEOPLE},) * players,
    )


def _never(*_: Any) -> Any:
    raise AssertionError("games that were played elsewhere cannot be played")


GAME = game_of("Games played elsewhere")
