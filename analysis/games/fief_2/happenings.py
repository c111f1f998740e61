"""Fief 2: rates from its events: points by scoring, fights by odds, deaths, elections, kings made, village life."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from analysis.breakdowns import Columns, Rates, cells, pars
from analysis.data.declarations import Breakdown
from analysis.data.events import GAME, SEAT, TURN, VALUES
from simcore.games.fief_2.state import CALM, CARD_KINDS, FROM_CARDS, GROUNDS, SOURCES

Array = NDArray[Any]

# --- Fief 2: how often a family that can hardly win decides who wins ---
#
# The position is that after the last scoring before the end of the game.  A family is *out of the race* if it is
# further behind the leader than the leader scored in that scoring.  It *strikes* the leader if it attacks the leader
# afterwards and is alone on the ground at the end of the fight.  Games with tied leaders are left out.


ROWS = ("some_out", "struck", "falls_struck", "falls_unstruck", "out_wins")


def kingmaking(columns: Columns, rules: Any) -> Rates:
    """Games with a family out of the race, with a strike, and with falling leaders by strike; wins of the others."""
    won = columns["share60"] > 0
    games, players = won.shape
    scores, when = _scores(columns["event standing"], games, players, rules)
    every, row = rules.scores.every, np.arange(games)
    now = scores[row, when]
    lead = now.max(axis=1)
    leader = now.argmax(axis=1)
    known = (when > 0) & ((now == lead[:, None]).sum(axis=1) == 1)
    gained = lead - scores[row, (when - every).clip(0), leader]
    out = known[:, None] & (lead[:, None] - now > gained[:, None])
    some = out.any(axis=1)
    struck = some & _struck(columns, out, leader, when)
    falls = ~won[row, leader]
    unstruck = some & ~struck
    pairs = ((some, known), (struck, some), (struck & falls, struck), (unstruck & falls, unstruck), (out & won, out))
    return cells(pairs)


def _scores(standing: Array, games: int, players: int, rules: Any) -> tuple[Array, Array]:
    """Return the score by game, turn and seat, and the turn of the last scoring before the end; 0 if there is none."""
    scores = np.zeros((games, rules.turns + 1, players), np.int64)
    game, turn = standing[:, GAME], standing[:, TURN]
    scores[game, turn, standing[:, SEAT]] = standing[:, VALUES]
    ended = np.zeros(games, np.int64)
    np.maximum.at(ended, game, turn)
    return scores, (ended - 1).clip(0) // rules.scores.every * rules.scores.every


def _struck(columns: Columns, out: Array, leader: Array, when: Array) -> Array:
    """Return the games in which a family that is out of the race strikes the leader."""
    begun, ended = columns["event fight"], columns["event result"]  # every fight ends before the next one begins
    game, seat, foe = begun[:, GAME], begun[:, SEAT], begun[:, VALUES + 1]
    late = (begun[:, TURN] > when[game]) & (ended[:, VALUES + 2] == 1) & (seat >= 0)
    hits = late & (foe == leader[game]) & out[game, seat]
    found = np.zeros(len(out), bool)
    found[game[hits]] = True
    return found


KINGMAKING = Breakdown(
    "kingmaking", "kingmaking_of", ROWS, ("games",), ("share60",), kingmaking, "share",
    events=("standing", "fight", "result"),
)  # fmt: skip


# --- Fief 2: rates from its events: points by scoring, fights by odds, deaths, elections, and life in the villages ---


SCORINGS = tuple(f"scoring_{number}" for number in range(1, 6))
ODDS = ("odds_below_half", "odds_half", "odds_even", "odds_double", "odds_triple", "odds_five")
ODDS_BOUNDS = (0, 0.5, 1, 2, 3, 5, np.inf)
"""Ratios of the attacker's points to the defender's at which the classes of `ODDS` begin."""

CAUSES = ("death_fight", "death_plague", "death_assassination", "death_justice", "death_calm")
THIRDS = ("first_third", "second_third", "last_third")
VOTES = ("first_election", "second_election", "later_election")
A, B, C = VALUES, VALUES + 1, VALUES + 2


def _games(columns: Columns) -> int:
    return len(columns["share60"])


def _count(games: int, rows: int, series: int, at: Sequence[Array], weight: Any = 1) -> Array:
    """Add up events by game, row and series."""
    found = np.zeros((games, rows, series))
    np.add.at(found, tuple(at), weight)
    return found


def _thirds(turns: Array, rules: Any) -> Array:
    """Return the third of the game for each turn."""
    return np.asarray((turns.astype(np.int64) - 1).clip(0) * len(THIRDS) // rules.turns).clip(max=len(THIRDS) - 1)


def by_scoring(columns: Columns, rules: Any) -> Rates:
    """Points per family by source, for each scoring."""
    games, players = columns["share60"].shape
    events, every = columns["event scored"], rules.scores.every
    number = events[:, TURN].astype(np.int64) // every - 1
    shape = len(SOURCES), len(SCORINGS)
    points = _count(games, *shape, (events[:, GAME], events[:, A], number), events[:, B])
    last = columns["event standing"]
    ended = np.zeros(games, np.int64)
    np.maximum.at(ended, last[:, GAME], last[:, TURN])
    held = (np.arange(1, len(SCORINGS) + 1) * every <= ended[:, None]).astype(np.int64) * players
    return points, np.broadcast_to(held[:, None, :], points.shape)


def fights(columns: Columns, rules: Any) -> Rates:
    """Fights after which only the attacker is left, by odds and ground."""
    begun, ended = columns["event fight"], columns["event result"]  # every fight ends before the next one begins
    odds = ended[:, A] / np.maximum(ended[:, B], 1)
    row = np.searchsorted(ODDS_BOUNDS, odds, side="right") - 1
    at = ended[:, GAME], row, begun[:, C]
    shape = _games(columns), len(ODDS), len(GROUNDS)
    return _count(*shape, at, ended[:, C] == 1), _count(*shape, at)


def deaths(columns: Columns, rules: Any) -> Rates:
    """Lords who die in a game, by cause and by third of the game."""
    events = columns["event death"]
    why = events[:, B]
    causes = [int(FROM_CARDS) + CARD_KINDS.index(card) for card in ("plague", "assassination", "justice")]
    row = np.select([*(why == cause for cause in causes), why == int(CALM)], [1, 2, 3, 4], 0)
    shape = _games(columns), len(CAUSES), len(THIRDS)
    found = _count(*shape, (events[:, GAME], row, _thirds(events[:, TURN], rules)))
    return found, np.ones_like(found)


def elections(columns: Columns, rules: Any) -> Rates:
    """Elections with a winner in a game, and those of them that made a King, by third of the game."""
    events = columns["event election"]
    shape = _games(columns), len(THIRDS), 2
    third = _thirds(events[:, TURN], rules)
    found = _count(*shape, (events[:, GAME], third, 0 * third))
    found += _count(*shape, (events[:, GAME], third, 1 + 0 * third), events[:, C])
    return found, np.ones_like(found)


def elected(columns: Columns, rules: Any) -> Rates:
    """Win share of the family whose candidate won the vote, by election, whether consecrated or not."""
    par, events = pars(columns["share60"]), columns["event election"]
    game = events[:, GAME]
    first = np.searchsorted(game, game)  # place of the first election of the same game
    row = (np.arange(len(game)) - first).clip(max=len(VOTES) - 1)
    at = game, row, 1 - events[:, C]
    shape = len(par), len(VOTES), 2
    return _count(*shape, at, par[game, events[:, SEAT]]), _count(*shape, at)


LIFE = ("held", "fights", "paid")


def village_life(columns: Columns, rules: Any) -> Rates:
    """For every village: the share of turns in which it was held, fights per game, and écus that it pays per turn."""
    told, begun, turns = columns["event village"], columns["event fight"], columns["event standing"]
    games, villages = _games(columns), len(rules.map.villages())
    played = np.zeros(games)
    np.maximum.at(played, turns[:, GAME], turns[:, TURN])
    shape, at = (games, villages, len(LIFE)), (told[:, GAME], told[:, A])
    found = _count(*shape, (*at, 0 * told[:, A]), told[:, B]) + _count(*shape, (*at, 0 * told[:, A] + 2), told[:, C])
    found += _count(*shape, (begun[:, GAME], begun[:, A], 0 * begun[:, A] + 1))
    per = np.stack([played, np.ones(games), played], axis=1)
    return found, np.broadcast_to(per[:, None, :], found.shape)


def life_of(rules: Any) -> Breakdown:
    """Return the breakdown of life in the villages on the map of some rules."""
    names = tuple(village.name for village in rules.map.villages())
    return Breakdown(
        "village_life",
        "village_life",
        names,
        LIFE,
        ("share60",),
        village_life,
        "number",
        events=("village", "fight", "standing"),
    )


BREAKDOWNS = (
    Breakdown("by_scoring", "scores_by_turn", SOURCES, SCORINGS, ("share60",), by_scoring, "number",
              events=("scored", "standing")),
    Breakdown("fights_by_odds", "fights", ODDS, GROUNDS, ("share60",), fights, "share", events=("fight", "result")),
    Breakdown("deaths", "deaths_and_elections", CAUSES, THIRDS, ("share60",), deaths, "number", events=("death",)),
    Breakdown("elections", "deaths_and_elections", THIRDS, ("votes_won", "kings_made"), ("share60",), elections,
              "number", events=("election",)),
    Breakdown("elected_first", "deaths_and_elections", VOTES, ("consecrated", "refused"), ("share60",), elected, "par",
              events=("election",)),
    KINGMAKING,
)  # fmt: skip
