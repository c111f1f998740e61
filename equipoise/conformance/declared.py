"""Does a game do what its author has declared?  Its players, what is hidden, its lines and its default player say more.

The games of a plain class are played once for all of these checks, with a class that notes what goes on.
"""

from __future__ import annotations

import ast
import inspect
import random
import sys
import textwrap
import warnings
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from functools import lru_cache
from types import FrameType, FunctionType, ModuleType
from typing import Any

import numpy as np

from equipoise.conformance.checks import SEED, Broken, require, spec_of, weakest
from simcore.game import load_game
from simcore.imports import raised
from simcore.kernel.driver import own_memory
from simcore.plain.game import PlainGame
from simcore.plain.playing import Job, holdings, play, short
from simcore.running.batch import Spec, command, run_chunk
from strategies.kit import load_kit
from strategies.library import load_strategy
from strategies.spec import make_spec

GAMES = 400
"""Number of games of which one has to show what a game is for: at the usual table, and of the default player."""

FEW_GAMES = 100
"""The same at the other tables."""

LOOKS = 100
"""Number of positions at which every seat imagines what it cannot know."""

STRIDE = 7
"""One in this number of decisions is looked at; a prime, so that every seat has its turn."""

PART = 20
"""Number of games between two looks at the lines that have run."""

CLEARLY = 4.0
"""Standard errors by which a default player has to lose to random ones before anything is said."""

TIES = 5
"""Number of tied scores that have to be ranked by the order of the seats before anything is said."""


# --- Games of a plain class that are watched ---


@dataclass
class Course:
    """What has been seen of the games of a table."""

    games: int = 0  # number of games that were played
    fault: str = ""  # why the last of them was not played to its end
    asked: Counter[int] = field(default_factory=Counter)  # decisions by seat
    chosen: bool = False  # whether any decision had several moves
    looks: int = 0  # positions at which all seats have imagined
    wrong: dict[str, int] = field(default_factory=dict)  # what contradicts itself, and the first game that shows it
    redrawn: bool = False  # whether any imagined game differs from the game
    secrets: set[str] = field(default_factory=set)  # what is held in secret and was drawn again
    held: set[str] = field(default_factory=set)  # what is held in secret at all
    now: Any = None  # the game that is being played

    def blame(self, what: str, remedy: str = "leave the one as it is, or take the other away") -> None:
        """Record what contradicts itself, once."""
        self.wrong.setdefault(f"{what}; {remedy}", self.games)


def plain_class(game: str) -> Any:
    """Return the class of a game in plain Python; None if the game is compiled or plays by a library's own loop."""
    batch: Any = load_game(game).play_batch
    return batch.kind if getattr(batch, "has_own_loop", False) else None


def job_of(spec: Spec, games: Sequence[int], at_random: bool = False) -> Job:
    """Return games of a run of strategies that come with its game; in place of those that look ahead play random ones.

    at_random: Whether random ones play in place of all.
    """
    batch: Any = spec.game.play_batch
    trace = own_memory(spec.game).trace
    job: Job = batch.job(spec.rules_record, spec.lineup_record, trace, spec.seed, list(games), spec.players)
    quick = ["random" if at_random or batch.rolls_out(name) else name for name in job.strategies]
    return replace(job, strategies=tuple(quick))


def watched(kind: type[PlainGame], course: Course) -> type[PlainGame]:
    """Return a class of the same game that notes what goes on."""
    imagines = kind.imagine is not PlainGame.imagine

    class Watched(kind):  # type: ignore[misc,valid-type]
        def start(self) -> None:
            course.now = self
            super().start()

        def legal(self) -> Any:
            moves = super().legal()
            if course.now is self:
                course.chosen |= len(moves) > 1
                course.asked[self.turn] += 1
                if imagines and course.looks < LOOKS and sum(course.asked.values()) % STRIDE == 0:
                    course.looks += 1
                    _look(kind, self, course)
            return moves

    Watched.__module__, Watched.__name__ = kind.__module__, kind.__name__
    return Watched


def _look(kind: type[PlainGame], game: Any, course: Course) -> None:
    """Compare what seats are shown before and after they imagine the game."""
    before, here = contents(vars(game)), holdings(game)
    for seat in range(game.seats):
        view = contents(game.view(seat)) if kind.view is not PlainGame.view else ""
        seen = game.view(seat) if view else None
        world = game.imagine(seat, random.Random(course.looks))
        if world is game:
            course.blame(
                "imagine returns the game that is played, and no copy", "begin with super().imagine(seat, rng)"
            )
            return
        course.redrawn |= contents(vars(world)) != before
        if view and contents(other := world.view(seat)) != view:
            course.blame(f"view shows a seat what imagine draws again, {_differing(seen, other)}")
        there = holdings(world)
        for name, numbers in here.items():
            for other, (one, two) in enumerate(zip(numbers, there[name], strict=False)):
                secret = name in kind.secret and other != seat
                course.held |= {name} if secret else set()
                if one != two and secret:
                    course.secrets.add(name)
                elif one != two:
                    course.blame(f"held shows everybody '{name}', but imagine draws it again, {short(one)} and {two}")


def contents(value: Any) -> str:
    """Return all that a value holds as text, whatever order its sets and dictionaries have."""
    if isinstance(value, dict):
        return str(sorted((repr(key), contents(one)) for key, one in value.items() if key not in ("rules", "_streams")))
    if isinstance(value, set | frozenset):
        return str(sorted(map(contents, value)))
    if isinstance(value, list | tuple):
        return str([*map(contents, value)])
    if isinstance(value, np.ndarray):
        return str(value.tolist())
    inside = getattr(value, "__dict__", None)
    return repr(value) if inside is None or isinstance(value, type | FunctionType) else contents(inside)


def _differing(one: Any, other: Any) -> str:
    """Say in which part two views differ."""
    if isinstance(one, dict):
        for key, value in one.items():
            if contents(value) != contents(other.get(key)):
                return f"{short(key)}: {short(value)} and {short(other.get(key))}"
    return f"{short(one)} and {short(other)}"


@lru_cache(maxsize=64)
def courses(kind: Any, game: str) -> tuple[dict[int, Course], Lines]:
    """Play games of a class at every table; return what went on by number of players, and the lines that never ran."""
    usual, lines, by_players = load_game(game).default_players, Lines(kind), {}
    for players in load_game(game).players:
        course = by_players[players] = Course()
        spec, own = spec_of(game, players), watched(kind, course)
        number = GAMES if players == usual else FEW_GAMES
        for first in range(0, number, PART):
            with lines.running():
                for index in range(first, first + PART):
                    played = play(own, job_of(spec, [index], at_random=first >= number // 2))
                    if played.fault:
                        course.fault = played.fault
                        return by_players, lines
                    course.games += 1
    return by_players, lines


# --- Lines that never run ---


class Lines:
    """The statements in the methods of a class, and which of them have run.

    Left out are what only a replay or a player who looks ahead calls, what a rule or the number of players decides, and
    what only raises an error.

    kind: The class.
    """

    def __init__(self, kind: type[PlainGame]) -> None:
        self._seen: dict[Any, set[int]] = {}
        self._trees: dict[Any, ast.FunctionDef] = {}
        for name, value in vars(kind).items():
            if isinstance(value, FunctionType) and name not in UNPLAYED:
                with suppress(OSError, SyntaxError):
                    tree: Any = ast.parse(textwrap.dedent(inspect.getsource(value))).body[0]
                    self._trees[value.__code__] = ast.increment_lineno(tree, value.__code__.co_firstlineno - 1)
        self._open = set(self._trees)

    @contextmanager
    def running(self) -> Iterator[None]:
        """Note which lines run in this block; a method all of whose lines have run is not looked at again."""
        before = sys.gettrace()
        if self._open:
            sys.settrace(self._called)
        try:
            yield
        finally:
            sys.settrace(before)
        self._open = {code for code in self._open if code not in self._seen or any(self._unused(code))}

    def _called(self, frame: FrameType, event: str, argument: object) -> Any:
        if frame.f_code not in self._open:
            return None
        seen = self._seen.setdefault(frame.f_code, set())

        def line(frame: FrameType, event: str, argument: object) -> Any:
            seen.add(frame.f_lineno)
            return line

        return line

    def unused(self) -> list[tuple[str, int, str]]:
        """Return method, number and text of the first line of each part that never ran."""
        return sorted(
            (code.co_name, node.lineno, ast.unparse(node).partition("\n")[0])
            for code in self._open & set(self._seen)
            for node in self._unused(code)
        )

    def _unused(self, code: Any) -> Iterator[ast.stmt]:
        tree = self._trees[code]
        options = {"rules", "seats"}
        for node in ast.walk(tree):
            if isinstance(node, ast.Assign) and _names(node.value) & options:
                options |= {target.id for target in node.targets if isinstance(target, ast.Name)}
        yield from _unused(tree.body, self._seen[code], options)


UNPLAYED = {"narrate", "sees", "imagine", "held"}
"""Methods that a game does not call when it is played."""

SILENT = ast.Pass, ast.Break, ast.Continue, ast.Global, ast.Nonlocal, ast.Raise, ast.Assert
"""Statements that are not expected to run, or that Python may leave out."""


def _unused(block: Sequence[ast.stmt], seen: Collection[int], options: Collection[str]) -> Iterator[ast.stmt]:
    for node in block:
        if isinstance(node, SILENT) or (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)):
            continue
        if not any(line in seen for line in range(node.lineno, (node.end_lineno or node.lineno) + 1)):
            if not isinstance(block[-1], ast.Raise):
                yield node
            return
        condition = getattr(node, "test", getattr(node, "iter", getattr(node, "subject", None)))
        if condition is None or not _names(condition) & set(options):
            cases = [case.body for case in getattr(node, "cases", [])]
            for inner in (getattr(node, "body", []), getattr(node, "orelse", []), *cases):
                yield from _unused(inner, seen, options)


def _names(node: ast.expr) -> set[str]:
    """Return all names and attributes in an expression."""
    parts = list(ast.walk(node))
    return {part.id for part in parts if isinstance(part, ast.Name)} | {
        part.attr for part in parts if isinstance(part, ast.Attribute)
    }


# --- A class that was never used before ---


def fresh(kind: type[PlainGame]) -> type[PlainGame]:
    """Run the module of a class again, beside the first, and return its class."""
    old: Any = sys.modules[kind.__module__]
    new = ModuleType(f"{kind.__module__}_again")
    for name in ("__file__", "__loader__", "__package__", "__spec__"):
        setattr(new, name, getattr(old, name, None))
    sys.modules[new.__name__] = new  # data classes look here
    try:
        exec(old.__loader__.get_code(kind.__module__), vars(new))
    except Exception as error:
        raise Broken(f"the file cannot be run twice: {raised(error, [str(old.__file__)])}") from None
    made: type[PlainGame] = getattr(new, kind.__name__)
    return made


def _lasting(kind: type[PlainGame]) -> dict[str, str]:
    """Return what outlasts a game: values of the class and of its module, by name."""
    places = {"": vars(sys.modules[kind.__module__]), f"{kind.__name__}.": vars(kind)}
    return {
        f"{place}{name}": contents(value)
        for place, values in places.items()
        for name, value in values.items()
        if name[:2] != "__" and isinstance(value, int | float | str | list | dict | set | tuple | np.ndarray)
    }


# --- The checks ---


def check_a_game_is_played_to_its_end(game: str) -> None:
    """Games are played to their end, and draw from self.chance only."""
    kind, before = plain_class(game), _drawn_elsewhere()
    for players in load_game(game).players:
        run_chunk(spec_of(game, players), 0, 2)
    after = _drawn_elsewhere()
    for module in before:
        require(
            before[module] == after[module],
            f"the game draws from the module {module}, so nobody can repeat it; draw from self.chance only, and in a "
            "strategy from its own generator",
            spec_of(game, load_game(game).default_players),
        )
    for players, course in courses(kind, game)[0].items():
        require(not course.fault, f"{game}: {course.fault}", spec_of(game, players), course.games)


def _drawn_elsewhere() -> dict[str, str]:
    """Return the state of the generators that a game must not use."""
    return {"random": str(random.getstate()), "numpy.random": contents(np.random.get_state())}


def check_a_game_keeps_nothing_for_the_next(game: str) -> None:
    """A game does not depend on those that were played before it."""
    kind, spec, last = plain_class(game), spec_of(game, load_game(game).default_players), 7
    alone = play(fresh(kind), job_of(spec, [last])).words
    later = fresh(kind)
    before = _lasting(later)
    among = play(later, job_of(spec, range(last + 1))).words[-len(alone) :]
    changed = [name for name, value in _lasting(later).items() if value != before.get(name)]
    what = f" ({', '.join(changed)} changes)" if changed else ""
    require(alone == among, f"the class keeps something from one game to the next{what}; set it in start", spec, last)


def check_imagined_games_keep_what_a_seat_is_shown(game: str, players: int) -> None:
    """What a seat is shown stays as it is when it imagines the game, and what is secret does not."""
    spec, course = spec_of(game, players), courses(plain_class(game), game)[0][players]
    for what, index in course.wrong.items():
        require(False, what, spec, index)
    require(
        course.redrawn or not course.looks, "imagine draws the same game each time; draw again what is hidden", spec
    )
    for name in sorted(course.held - course.secrets):
        require(
            False,
            f"secret names '{name}', but in {course.looks} imagined games no other seat has another number; let "
            "imagine draw it again",
            spec,
        )


def check_every_seat_is_asked(game: str, players: int) -> None:
    """Every seat is asked for decisions."""
    kind = plain_class(game)
    course = courses(kind, game)[0][players]
    alone = {int(team) - 1 for team in kind.teams.split("/") if len(team) == 1}
    silent = [seat for seat in range(players) if not course.asked[seat] and seat not in alone]
    if silent and any(course.asked.values()):
        _warn(
            f"apply never gives the turn to seat {silent[0] + 1}, which was asked for no decision in "
            f"{course.games} games; let it set self.turn to every seat",
            spec_of(game, players),
        )


def check_somebody_chooses_and_every_line_runs(game: str) -> None:
    """Somebody has something to choose, and every line of the rules runs."""
    kind = plain_class(game)
    by_players, lines = courses(kind, game)
    games = sum(course.games for course in by_players.values())
    spec = spec_of(game, load_game(game).default_players)
    if kind.strategies and not any(course.chosen for course in by_players.values()):
        _warn(
            f"legal never returned two moves in {games} games, so that strategies have nothing to choose; let it "
            "return all moves of the seat",
            spec,
        )
        return
    if unused := lines.unused():
        said = [f"{method}, line {line} ({text[:60].rstrip()})" for method, line, text in unused[:3]]
        more = f" and {len(unused) - 3} others" if len(unused) > 3 else ""
        _warn(
            f"{', '.join(said)}{more}: ran in none of {games} games; change the condition, unless it is so rare", spec
        )


def check_equal_scores_are_not_ranked_by_seat(game: str, players: int) -> None:
    """Seats with equal scores have the same place, or something other than the order of the seats ranks them."""
    descriptor, spec = load_game(game), spec_of(game, players)
    if descriptor.score is None:
        return
    column = next(column for column in descriptor.columns if column.name == descriptor.score)
    rows = run_chunk(spec, 0, GAMES // 2).reshape(-1, players)
    one, other = np.triu_indices(players, 1)
    score, place = rows[column.field], rows["place"]
    tied = (score[:, one] == score[:, other]) & (place[:, one] != place[:, other])
    first = (place[:, one] < place[:, other])[tied]
    if len(first) >= TIES and (first.all() or not first.any()):
        _warn(
            f"places: seats with equal scores have different places in {tied.any(axis=1).mean():.1%} of the games, and "
            f"the {'first' if first.all() else 'last'} of them is always ahead; give them the same place, unless the "
            "order of the seats decides",
            spec,
            int(np.flatnonzero(tied.any(axis=1))[0]),
        )


def check_the_default_player_beats_random_ones(game: str) -> None:
    """The default player of each role wins more than random ones."""
    descriptor, kit = load_game(game), load_kit(game)
    players = descriptor.default_players
    simple = {role.name: weakest(game, role.name) for role in descriptor.roles}
    games = max(GAMES // len(descriptor.roles), FEW_GAMES)
    for role in descriptor.roles:
        own, seats = kit.default_of(role.name), role.at(players)
        if own == simple[role.name] or simple[role.name] != "random" or load_strategy(descriptor, own).looks_ahead:
            continue
        line = {name: [other] for name, other in simple.items()}
        spec = make_spec(game, players, line | {role.name: [own, *["random"] * (len(seats) - 1)]}, seed=SEED)
        share = _shares(spec, games, seats, own)
        weak = _shares(make_spec(game, players, line, seed=SEED), games, seats, "random")
        error = float(np.hypot(share.std(), weak.std()) / np.sqrt(games))
        if share.mean() < weak.mean() - CLEARLY * max(error, 1 / games):
            _warn(
                f"default: '{own}' wins {share.mean():.1%} of the games against random players, who would win "
                f"{weak.mean():.1%} in its place; look whether the right player wins (lowest_wins, places), or improve "
                "the strategy",
                spec,
            )


def _shares(spec: Spec, games: int, seats: Sequence[int], strategy: str) -> Any:
    """Return the mean share of the win, by game, of the seats among some where a strategy sits."""
    rows = run_chunk(spec, 0, games).reshape(games, spec.players)[:, list(seats)]
    sits = rows["strategy"] == seats[0] if strategy != "random" else np.ones(rows.shape, bool)
    return (rows[spec.game.share] / spec.game.share_unit * sits).sum(axis=1) / sits.sum(axis=1)


def _warn(what: str, spec: Spec, index: int = 0) -> None:
    """Say what should be looked at although the game may be right."""
    said, _, advice = what.partition("; ")
    shows = f"(as in game {index} of seed {spec.seed})"
    warnings.warn(f"{said} {shows}; {advice}; see it with: {command(spec, index)}", stacklevel=2)
