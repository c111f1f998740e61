"""What the doors of libraries share: who wins, names of games, a seat's choice, and games tried before any counts."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from hashlib import sha256
from math import isfinite
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, create_model

from simcore.errors import UsageError
from simcore.plain.game import PlainGame, Stream, Streams
from simcore.plain.playing import DECISION, FIXED, LARGEST, Fault, Job, Played, Seating, play, short

WINS = HIGHEST, LOWEST = ("highest", "lowest")
"""Which return wins: the rule value `wins`, which is ours."""

PAYOFF = "payoff"
"""The same if a game is not judged by who wins, but by the returns themselves."""

TRIED = 10
"""Random games that are played when a game is named; if all end in a tie of all seats, nobody seems to win."""

TRIED_MOVES = 5_000
"""Number of moves after which no further game is tried."""

LONGEST = 40
"""Number of letters in the longest name of a game."""

DIGITS = 9
"""Decimals of a return that count: sums of the same rewards in another order are ties."""

DECIMALS = 4
"""Decimals of a return that are kept as the score."""


def name_of(library: str, text: str) -> str:
    """Return the name by which the toolkit knows a game with some parameters."""
    plain = re.sub(r"[^a-z0-9]+", "-", f"{library}-{text.lower()}").strip("-")
    if len(plain) <= LONGEST:
        return plain
    return f"{plain[: LONGEST - 7].strip('-')}-{sha256(text.encode()).hexdigest()[:6]}"


def wins_of(given: dict[str, Any], label: str, known: Sequence[str] = WINS) -> str | None:
    """Take out of the parameters which return wins; None if they do not say it."""
    wins: str | None = given.pop("wins", None)
    if wins not in (None, *known):
        raise UsageError(f"{label}: wins is {wins}; give {', '.join(known[:-1])} or {known[-1]}", "game")
    return wins


def teams_of(given: dict[str, Any]) -> str:
    """Take out of the parameters which seats win together, such as 13/24; empty if they do not say it."""
    return str(given.pop("teams", ""))


def rules_of(values: Mapping[str, Any], given: Mapping[str, Any], wins: str) -> type[BaseModel]:
    """Return the model of the rules: each parameter of the game, and which return wins; what was given is fixed.

    Which return wins is always fixed: it is what every table of the game means.
    """
    fields: dict[str, Any] = {"wins": (Literal[wins], wins)}
    for key, value in values.items():
        fixed = Annotated[float, Field(ge=value, le=value)] if isinstance(value, float) else Literal[value]
        fields[key] = (fixed if key in given else type(value), value)
    made: type[BaseModel] = create_model("Rules", __config__=ConfigDict(strict=True), **fields)
    return made


class DoorTable:
    """What tables of games from libraries have in common; see `simcore.plain.playing.Table`."""

    streams: Streams
    draws: Sequence[Stream]

    def __init__(
        self, kind: type[Any], job: Job, strategies: Sequence[Callable[..., Any] | None], done: Played
    ) -> None:
        self.kind, self.job, self.strategies, self.done = kind, job, strategies, done
        self.seats, self.rules = len(job.strategies), kind.Rules(**job.rules)
        self.begun: set[int] = set()

    def begin(self, streams: Streams) -> None:
        """Begin the next game."""
        self.streams, self.draws = streams, [streams.of(DECISION, seat) for seat in range(self.seats)]
        self.begun.clear()

    def chosen(self, seat: int, moves: Sequence[int], view: Callable[[], Any]) -> Any:
        """Return the move of a seat; `view` makes what its strategy gets."""
        self.done.choices |= len(moves) > 1
        member = self.done.seated[seat]
        choose, blunder, draw = self.strategies[member], self.job.blunders[member], self.draws[seat]
        opening = self.job.opens[member] and seat not in self.begun
        self.begun.add(seat)
        if choose is None or opening or (blunder and draw.random() < blunder):
            return moves[int(draw.random() * len(moves))]
        move = choose(view(), moves, draw)
        if move not in moves:
            name = self.job.strategies[member]
            raise Fault(f"strategy '{name}' chose {short(move)} in seat {seat + 1}, which is not legal")
        return move

    def record(self, seat: int, move: int, says: str, hidden_from: Sequence[int] = ()) -> None:
        """Keep a move for a replay, and which seats, counted from 0, do not see it."""
        self.done.log.append({"kind": "move", "seat": seat + 1, "move": move, "says": says})
        if hidden_from:
            self.done.log[-1]["hidden_from"] = [other + 1 for other in hidden_from]

    def ended(self, returns: Sequence[float], moves: int) -> list[int]:
        """Return the words of a game that has ended: see `simcore.plain.playing.Played`."""
        results = _results(tuple(returns), self.kind.lowest_wins, self.kind.decimals)
        if self.job.recorded:
            places = [place for place, *_ in results]
            self.done.log.append({"kind": "end", "place": places, "returns": list(map(float, returns))})
        words: list[int] = []
        for member, result in zip(self.done.seated, results, strict=True):
            words += (member, *result, moves)
        return words


@lru_cache(maxsize=10_000)
def _results(returns: tuple[float, ...], lowest_wins: bool, decimals: int | None) -> tuple[tuple[int, ...], ...]:
    """Return the place of each seat and, if it is kept, its score in units of its last decimal."""
    if not all(map(isfinite, returns)):
        raise Fault(f"the returns are {short(list(returns))}, so nobody knows who won")
    ranked = [round(value if lowest_wins else -value, DIGITS) for value in returns]
    places = [1 + sum(other < value for other in ranked) for value in ranked]
    if decimals is None:
        return tuple((place,) for place in places)
    if not decimals and any(value != round(value) for value in returns):
        raise Fault(f"the returns are {short(list(returns))}; wins=payoff needs whole numbers")
    scores = [round(value * 10**decimals) for value in returns]
    if any(abs(score) > LARGEST for score in scores):
        raise Fault(
            f"the returns are {short(list(returns))}; the largest that can be kept is {LARGEST // 10**decimals:,}"
        )
    return tuple(zip(places, scores, strict=True))


class Unrepeated(UsageError):
    """Raised if the same seed does not give the same game again."""


def try_out(kind: type[PlainGame], label: str, wins: str | None) -> None:
    """Play some random games, and play them again in the opposite order; keep a score if it says more than places.

    Raises Unrepeated if one is another game then.
    Raises UsageError if one has a fault, or all are ties of all seats and nobody said which return `wins`.
    """
    tried: list[Played] = []
    while len(tried) < TRIED and sum(one.words[-1] for one in tried) < TRIED_MOVES:
        tried.append(_tried(kind, len(tried), label))
    for game in reversed(range(len(tried))):
        again = _tried(kind, game, label)
        if (again.words, again.log) != (tried[game].words, tried[game].log):
            raise Unrepeated(
                f"{label}: the same seed does not give the same game again, so no game could be repeated; it must draw "
                "all chance from its seed",
                "game",
            )
    if wins is None and all(max(one.words[1::3]) == 1 for one in tried):
        raise UsageError(
            f"{label}: in {len(tried)} of {len(tried)} random games all seats have the same return, so hardly anybody "
            "wins; if that is meant, add wins=highest to the game's parameters",
            "game",
        )
    if kind.played_for is not None:
        amounts = [abs(value) for one in tried for value in one.log[-1]["returns"]]
        stake = kind.played_for["stake"] or float(f"{sum(amounts) / len(amounts):.1g}")
        if not stake:
            raise UsageError(
                f"{label}: in {len(tried)} random games nobody gains or loses anything; say what is at "
                "stake in a game: stake=1",
                "game",
            )
        kind.played_for = {**kind.played_for, "stake": stake}
        return
    if kind.teams:
        return  # partners have the same score, which would always be close
    returns_of: dict[tuple[int, ...], list[float]] = {}
    for one in tried:
        end = one.log[-1]
        ranked = sorted(zip(end["place"], end["returns"], strict=True))
        places, returns = tuple(place for place, _ in ranked), [value for _, value in ranked]
        if returns_of.setdefault(places, returns) != returns:
            kind.decimals = DECIMALS


def _tried(kind: type[PlainGame], game: int, label: str) -> Played:
    seats = kind.default_players or 2
    job = Job(
        rules={},
        strategies=("random",) * seats,
        blunders=(0.0,) * seats,
        opens=(False,) * seats,
        sees=(False,) * seats,
        seating=Seating(FIXED, 1, tuple(range(seats)), (1,) * seats),
        watched=False,
        seed=1,
        games=(game,),
        recorded=True,
    )
    played = play(kind, job)
    if played.fault:
        raise UsageError(f"{label}: {played.fault}", "game")
    return played
