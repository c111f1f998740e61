"""The door for the games of OpenSpiel (extra `openspiel`): `--game 'openspiel:pig(players=4,winscore=50)'`.

A game keeps its own parameters as rule values.  Chance nodes are drawn by our generators, one for each chance node of a
deal, and at a node where several choose at the same time nobody sees what the others chose.
"""

from __future__ import annotations

import os
import random
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache, lru_cache, partial
from hashlib import sha256 as sha256_of
from math import ceil, floor, log, sqrt
from pathlib import Path
from typing import Any, ClassVar

from simcore.doors.common import HIGHEST, LOWEST, PAYOFF, WINS, DoorTable, name_of, rules_of, teams_of, try_out, wins_of
from simcore.errors import UsageError, nearest, printable
from simcore.judged import MOST_PLAYERS
from simcore.plain.game import PlainGame, Streams
from simcore.plain.playing import DECISION, LARGEST, Fault, Job, Opened, short

# --- Players who search in games of OpenSpiel ---
#
# OpenSpiel's own search where a seat does not see everything plays the same game differently each time, so that search
# is written here: information set Monte Carlo tree search with one tree, as Cowling, Powley and Whitehouse describe it
# ("Information Set Monte Carlo Tree Search", IEEE Transactions on Computational Intelligence and AI in Games, 2012).


SIMULATIONS, FEW_SIMULATIONS = 100, 5
"""Games that the searching strategies imagine for a move, and the weak ones."""

EXPLORING = 2.0
"""How much a move that was rarely tried is preferred, as a part of the largest difference between two returns."""

STEPS = 10_000
"""Number of steps after which a game counts as endless."""

CHANCE = -1


@dataclass
class Moves:
    """What a seat has tried where it saw the same: by move, how often, and what it brought in sum."""

    visits: dict[int, int] = field(default_factory=dict)
    sums: dict[int, float] = field(default_factory=dict)

    def tried(self, legal: Sequence[int], wide: float, rng: random.Random) -> int:
        """Return the move to try next, among those that are legal in an imagined game."""
        if fresh := [move for move in legal if move not in self.visits]:
            return fresh[int(rng.random() * len(fresh))]
        all_of_them = log(sum(self.visits[move] for move in legal))
        return max(
            legal,
            key=lambda move: self.sums[move] / self.visits[move] + wide * sqrt(all_of_them / self.visits[move]),
        )


def searching(spiel: Any, game: Any) -> dict[str, Callable[..., int]]:
    """Return the searching strategies that a game allows, by name."""
    about = game.get_type()
    if about.dynamics != spiel.GameType.Dynamics.SEQUENTIAL:
        return {}
    if about.information == spiel.GameType.Information.PERFECT_INFORMATION:
        if about.reward_model != spiel.GameType.RewardModel.TERMINAL:
            return {}
        return {"mcts": partial(_mcts, spiel, SIMULATIONS), "mcts_weak": partial(_mcts, spiel, FEW_SIMULATIONS)}
    if not _imagines(spiel, game):
        return {}
    return {"ismcts": partial(_ismcts, SIMULATIONS), "ismcts_weak": partial(_ismcts, FEW_SIMULATIONS)}


def _imagines(spiel: Any, game: Any) -> bool:
    """Return whether OpenSpiel can imagine what a seat of this game does not see, and says what the seat sees."""
    if not game.get_type().provides_information_state_string:
        return False
    state = game.new_initial_state()
    for _ in range(STEPS):
        if not state.is_chance_node():
            break
        state.apply_action(state.chance_outcomes()[0][0])
    try:
        with _unheard():
            state.resample_from_infostate(state.current_player(), random.Random(1).random)
    except (spiel.SpielError, RuntimeError, TypeError):
        return False
    return True


@contextmanager
def _unheard() -> Iterator[None]:
    """Keep away from the terminal what OpenSpiel writes to it before it raises an error."""
    try:
        heard = os.dup(2)
    except OSError:  # it is closed
        yield
        return
    with Path(os.devnull).open("wb") as nowhere:
        os.dup2(nowhere.fileno(), 2)
    try:
        yield
    finally:
        os.dup2(heard, 2)
        os.close(heard)


def _mcts(spiel: Any, simulations: int, state: Any, moves: Sequence[int], rng: random.Random) -> int:
    evaluator = spiel.RandomRolloutEvaluator(1, rng.getrandbits(30))
    bot = spiel.MCTSBot(state.get_game(), evaluator, EXPLORING, simulations, 64, True, rng.getrandbits(30), False)
    return int(bot.step(state))


def _ismcts(simulations: int, state: Any, moves: Sequence[int], rng: random.Random) -> int:
    if len(moves) == 1:
        return moves[0]
    game, seat = state.get_game(), state.current_player()
    wide = EXPLORING * (game.max_utility() - game.min_utility())
    known: dict[tuple[int, str], Moves] = {}
    for _ in range(simulations):
        _imagine(state.resample_from_infostate(seat, rng.random), known, wide, rng)
    tried = known.get((seat, state.information_state_string(seat)), Moves())
    return max(moves, key=lambda move: (tried.visits.get(move, 0), tried.sums.get(move, 0.0)))


def _imagine(state: Any, known: dict[tuple[int, str], Moves], wide: float, rng: random.Random) -> None:
    """Play an imagined game to its end: by what is known as far as that goes, and then at random."""
    path: list[tuple[int, Moves, int]] = []
    informed = True
    for _ in range(STEPS):
        seat = state.current_player()
        if seat >= 0:
            legal = state.legal_actions()
            if not legal:
                return  # OpenSpiel imagined hands that cannot be played on, as it does in hearts
            if informed:
                key = seat, state.information_state_string(seat)
                informed = key in known
                moves = known.setdefault(key, Moves())
                move = moves.tried(legal, wide, rng)
                path.append((seat, moves, move))
            else:
                move = legal[int(rng.random() * len(legal))]
        elif seat == CHANCE:
            move = drawn(state, rng.random())
        else:
            break
        state.apply_action(move)
    else:
        raise Fault(f"an imagined game did not end within {STEPS:,} steps")
    returns = state.returns()
    for seat, moves, move in path:
        moves.visits[move] = moves.visits.get(move, 0) + 1
        moves.sums[move] = moves.sums.get(move, 0.0) + returns[seat]


def drawn(state: Any, point: float) -> int:
    """Return what happens at a chance node for a random number from 0 to below 1."""
    action = 0
    for action, part in state.chance_outcomes():  # noqa: B007
        point -= part
        if point < 0:
            break
    return action


# --- The door for the games of OpenSpiel (extra `openspiel`): `--game 'openspiel:pig(players=4,winscore=50)'` ---


OPENSPIEL = "openspiel:"
"""How the name of a game of OpenSpiel begins."""

PLAYERS = "players"

TERMINAL = -4
"""Who is on turn after the end, as OpenSpiel numbers it."""

DRAWS = 100_000
"""Number of chance nodes after which a game counts as endless."""

_REFERENCE = re.compile(r"[a-z0-9_]+(\(.*\))?", re.DOTALL)


def opened(reference: str, sha256: str = "", modules: Mapping[str, str] | None = None) -> Opened:
    """Return a game of OpenSpiel.

    reference: The game as OpenSpiel writes it, after `openspiel:`; `wins=highest`, `wins=lowest`, `wins=payoff` with or
        without a `stake`, and partners, such as `teams=13/24`, are ours.
    sha256, modules: Not used: no code of a user's is run.
    Raises UsageError if OpenSpiel is not installed, knows no such game or parameter, or the game is of a kind that
        cannot be judged.
    """
    return Opened(_kind(reference), digest_of(reference), {})


@cache
def _kind(reference: str) -> type[PlainGame]:
    spiel, label = _library(), printable(reference)
    text = reference.removeprefix(OPENSPIEL).strip()
    if not _REFERENCE.fullmatch(text) or text.count("(") != text.count(")"):
        raise UsageError(f"{label}: write {OPENSPIEL}NAME or {OPENSPIEL}NAME(KEY=VALUE,...)", "game")
    known = {one.short_name: one for one in spiel.registered_games()}
    name = text.partition("(")[0]
    if name not in known:
        raise UsageError(f"{label}: OpenSpiel has no game '{name}'{nearest(name, list(known))}", "game")
    declared = dict(known[name].parameter_specification)
    given = {key: value for key, value in spiel.game_parameters_from_string(text).items() if key != "name"}
    wins, teams = wins_of(given, label, (*WINS, PAYOFF)), teams_of(given)
    stake = _stake_of(given, label) if wins == PAYOFF else None
    if unknown := sorted(set(given) - set(declared)):
        raise UsageError(
            f"{label}: {name} has no parameter '{unknown[0]}'{nearest(unknown[0], list(declared))}", "game"
        )
    for key, value in given.items():
        if type(value) is not type(declared[key]):
            wanted = type(declared[key]).__name__
            raise UsageError(f"{label}: {key} is {short(value)}; give a value of type {wanted}", "game")
    game = _loaded(name, tuple(given.items()), label)
    _check(spiel, game, label, declared)
    values = {key: value for key, value in game.get_parameters().items() if isinstance(value, bool | int | float | str)}
    own = (PLAYERS, "rng_seed")  # OpenSpiel takes no empty texts
    kept = {key: value for key, value in values.items() if key in declared and key not in own and value != ""}
    about = game.get_type()
    free = PLAYERS in declared and PLAYERS not in given
    counts = range(max(about.min_num_players, 2), min(about.max_num_players, MOST_PLAYERS) + 1)
    namespace = {
        "short": name,
        "given": given,
        "label": label,
        "sampled": "rng_seed" in declared and _is_sampled(spiel, game),
        "name": name_of("openspiel", text),
        "in_turn": about.dynamics == spiel.GameType.Dynamics.SEQUENTIAL,
        "title": f"{about.long_name} (OpenSpiel{'' if wins else ', highest return wins'})",
        "teams": teams,
        "decimals": 0 if wins == PAYOFF else None,
        "lowest_wins": wins == LOWEST,
        "players": counts if free else range(game.num_players(), game.num_players() + 1),
        "default_players": game.num_players() if game.num_players() > 1 else None,
        "Rules": rules_of(kept, given, wins or HIGHEST),
        "strategies": {} if wins == LOWEST else searching(spiel, game),
        "table": SpielTable,
        "default": "random",
    }
    if wins == PAYOFF:
        tables = [game] if not free else [_loaded(name, (*given.items(), (PLAYERS, count)), label) for count in counts]
        namespace["played_for"] = {**_amounts(spiel, tables, teams, label), "stake": stake}
    kind = type("OpenSpielGame", (SpielGame,), namespace)
    try_out(kind, label, wins)
    return kind


def digest_of(reference: str) -> str:
    """Return a digest of the reference and the version of OpenSpiel, which together say what is played."""
    from importlib.metadata import version

    return sha256_of(f"{reference}|{version('open_spiel')}".encode()).hexdigest()


class SpielGame(PlainGame):
    """A game of OpenSpiel; `opened` makes a class of its own for each reference."""

    short: ClassVar[str]
    given: ClassVar[Mapping[str, Any]]
    label: ClassVar[str]
    sampled: ClassVar[bool]
    in_turn: ClassVar[bool]


class SpielTable(DoorTable):
    """Where the games of a job are played; see `simcore.plain.playing.Table`."""

    kind: type[SpielGame]

    def __init__(self, kind: type[SpielGame], job: Job, *more: Any) -> None:
        super().__init__(kind, job, *more)
        self.game = None if kind.sampled else _loaded(kind.short, self._parameters(), kind.label)
        if self.game and kind.played_for is not None:
            least, most = self.game.min_utility(), self.game.max_utility()
            if least < kind.played_for["least"] or most > kind.played_for["most"]:
                raise Fault(
                    f"under these rules a seat may gain {least:g} to {most:g} points, which are not the limits "
                    "of the game that was named; write these parameters into the game's name"
                )
        told = job.recorded or any(self.strategies) or any(job.blunders)
        self.at_random = not told and kind.in_turn

    def play(self, streams: Streams) -> list[int]:
        """Play a game, and return its words: see `simcore.plain.playing.Played`."""
        # a game with sampled chance keeps a generator, which goes on
        game = self.game or _load(self.kind.short, self._parameters(streams), self.kind.label)
        state, at_random, chance = game.new_initial_state(), self.at_random, streams.numbers("chance")
        decide = [streams.numbers(DECISION, seat) for seat in range(self.seats)] if at_random else []
        if not at_random:
            self.begin(streams)
        draws = moves = 0
        most = max(game.max_game_length(), 1) * self.seats
        while (player := state.current_player()) != TERMINAL:
            if moves > most or draws > DRAWS:
                raise Fault(f"the game did not end within {most:,} moves and {DRAWS:,} draws")
            if player >= 0:
                legal = state.legal_actions()
                if at_random:
                    self.done.choices |= len(legal) > 1
                    state.apply_action(legal[int(decide[player]() * len(legal))])
                    moves += 1
                    continue
                state.apply_action(self._told(state, player, legal))
                moves += 1
            elif player == CHANCE:
                state.apply_action(drawn(state, chance()))
                draws += 1
            else:
                chosen = [self._at_once(state, seat) for seat in range(self.seats)]
                state.apply_actions(chosen)
                moves += len(chosen)
        return self.ended(state.returns(), moves)

    def _parameters(self, streams: Streams | None = None) -> tuple[tuple[str, Any], ...]:
        """Return the parameters of OpenSpiel at this table; `streams` gives the seed of a game's own generator."""
        found = {**self.kind.given, **{key: value for key, value in vars(self.rules).items() if key != "wins"}}
        if not isinstance(self.kind.players, int) and len(self.kind.players) > 1:
            found[PLAYERS] = self.seats
        if streams:
            found["rng_seed"] = streams.of("rng_seed").getrandbits(30)
        return tuple(found.items())

    def _at_once(self, state: Any, seat: int) -> int:
        """Return what a seat chooses where all choose at the same time; 0 if it has no choice."""
        moves = state.legal_actions(seat)
        return self._told(state, seat, moves) if moves else 0

    def _told(self, state: Any, seat: int, moves: list[int]) -> int:
        """Return what a seat chooses, and keep it for a replay."""
        move: int = self.chosen(seat, moves, state.clone)
        if self.job.recorded:
            others = [other for other in range(self.seats) if other != seat]
            hidden = [other for other in others if not _is_seen(state, seat, move, moves, other)]
            self.record(seat, move, state.action_to_string(seat, move), hidden)
        return move


def _is_seen(state: Any, seat: int, move: int, moves: Sequence[int], other: int) -> bool:
    """Return whether another seat sees a move: whether after any other move it would know something else."""
    about = state.get_game().get_type()
    perfect = about.information == _library().GameType.Information.PERFECT_INFORMATION
    if perfect or len(moves) == 1 or state.current_player() != seat:
        return True  # moves at the same time are shown once all have chosen
    if not about.provides_information_state_string:
        return False
    known = [state.child(one).information_state_string(other) for one in moves]
    return known.count(known[moves.index(move)]) == 1


def _library() -> Any:
    try:
        import pyspiel
    except ImportError:
        raise UsageError("OpenSpiel is not installed; run: pip install 'equipoise[openspiel]'", "game") from None
    return pyspiel


def _load(short: str, parameters: tuple[tuple[str, Any], ...], label: str) -> Any:
    """Return a game of OpenSpiel with some parameters."""
    spiel = _library()
    try:
        return spiel.load_game(short, dict(parameters))
    except Exception as error:  # OpenSpiel raises what C++ does
        raise UsageError(f"{label}: {' '.join(str(error).split())[:300]}", "game") from None


_loaded = lru_cache(maxsize=256)(_load)


def _check(spiel: Any, game: Any, label: str, declared: Mapping[str, Any]) -> None:
    """Raise `UsageError` if a game is of a kind that cannot be judged."""
    about = game.get_type()
    reason = ""
    if about.dynamics == spiel.GameType.Dynamics.MEAN_FIELD:
        reason = "a mean-field game has no seats"
    elif about.information == spiel.GameType.Information.ONE_SHOT:
        reason = "in a one-shot game everybody chooses once; it has no course to play"
    elif _is_sampled(spiel, game) and "rng_seed" not in declared:
        reason = "its chance cannot be set by a seed, so no game could be played again"
    elif about.utility == spiel.GameType.Utility.IDENTICAL:
        reason = "all win or lose together, so no seat can be better than another"
    elif game.num_players() < 2:
        reason = "it is played alone"
    elif game.num_players() > MOST_PLAYERS:
        reason = f"it has {game.num_players()} seats, and a table has at most {MOST_PLAYERS}"
    if reason:
        raise UsageError(f"{label}: {reason}", "game")


def _stake_of(given: dict[str, Any], label: str) -> float | None:
    """Take out of the parameters what is at stake in a game; None if they do not say it."""
    stake = given.pop("stake", None)
    number = isinstance(stake, int | float) and not isinstance(stake, bool)
    if stake is not None and not (number and 0 < stake < LARGEST):
        raise UsageError(f"{label}: stake is {short(stake)}; give a number of points above 0, such as stake=1", "game")
    return None if stake is None else float(stake)


def _amounts(spiel: Any, tables: Sequence[Any], teams: str, label: str) -> dict[str, Any]:
    """Return what a seat can gain in a game that is judged by its returns, at every number of players."""
    constant = (spiel.GameType.Utility.ZERO_SUM, spiel.GameType.Utility.CONSTANT_SUM)
    sums = {table.utility_sum() if table.get_type().utility in constant else None for table in tables}
    least, most = min(table.min_utility() for table in tables), max(table.max_utility() for table in tables)
    total = next(iter(sums)) or 0
    reason = ""
    if None in sums or total != round(total):
        reason = "a game in which what some gain is what the others lose"
    elif len(sums) > 1:
        reason = "one number of players in the game's name, as they gain other amounts together at each"
    elif not max(-least, most) < LARGEST:
        reason = "returns with limits"
    elif teams:
        reason = "everybody to play alone; leave teams out"
    if reason:
        raise UsageError(f"{label}: wins=payoff needs {reason}", "game")
    return {"unit": "points", "least": floor(least), "most": ceil(most), "total": int(total)}


def _is_sampled(spiel: Any, game: Any) -> bool:
    return bool(game.get_type().chance_mode == spiel.GameType.ChanceMode.SAMPLED_STOCHASTIC)
