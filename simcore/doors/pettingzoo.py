"""The door for environments of PettingZoo (extra `pettingzoo`): `--game 'pettingzoo:mymodule.env(size=5)'`.

An environment in which one agent moves at a time (AEC) is a game: its agents are the seats, in the order of
`possible_agents`, and the sum of an agent's rewards is its return.  An environment draws everything from one seed,
which depends on the deal.  Environments of a user's own need not have PettingZoo installed.
"""

from __future__ import annotations

import ast
import inspect
import os
import re
import sys
import threading
import warnings
from collections.abc import Callable, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass
from functools import cache, lru_cache, partial
from hashlib import sha256 as sha256_of
from importlib.metadata import PackageNotFoundError, version
from math import isfinite
from numbers import Integral
from pathlib import Path
from types import ModuleType
from typing import Any, ClassVar

import numpy as np

from simcore.doors.common import HIGHEST, LOWEST, DoorTable, Unrepeated, name_of, rules_of, teams_of, try_out, wins_of
from simcore.errors import UsageError, nearest, printable
from simcore.imports import Sources, blamed, module_file, module_sources
from simcore.judged import MOST_PLAYERS
from simcore.plain.game import PlainGame, Streams
from simcore.plain.playing import Fault, Opened, short
from simcore.rules.files import RuleSet

# --- How an environment of PettingZoo is made and played: agents that move, earn and leave are seats ---


WRAPPERS = frozenset({"OrderEnforcingWrapper", "AssertOutOfBoundsWrapper", "TerminateIllegalWrapper"})
"""Wrappers of PettingZoo that check calls, and change nothing as long as all moves are legal."""

PARALLEL = (
    "its agents all move at the same time (a parallel environment); name the form in which one moves after the other "
    "(AEC), which PettingZoo's modules call env, or make it with pettingzoo.utils.parallel_to_aec"
)

SEED = "environment"
"""Purpose of the seed of an environment."""

_PLAYING = threading.Lock()
"""Environments may share generators, such as NumPy's, so one game is played at a time."""


class ZooGame(PlainGame):
    """An environment of PettingZoo; `opened` makes a class of its own for each reference."""

    make: ClassVar[Callable[..., Any]]
    given: ClassVar[Mapping[str, Any]]
    seats_key: ClassVar[str]
    usual: ClassVar[Mapping[str, Any]]
    anew: ClassVar[bool] = False  # whether each game needs an environment of its own


@dataclass(frozen=True)
class Environment:
    """An environment that can be played."""

    env: Any  # the environment
    agents: Mapping[Any, int]  # seats by agent
    spaces: Sequence[tuple[int, int]]  # by seat: the first number of a move, and how many there are


@lru_cache(maxsize=16)
def make_environment(make: Callable[..., Any], values: tuple[tuple[str, Any], ...]) -> Environment:
    """Return an environment; raise `Fault` if it is of a kind that cannot be played."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        env = make(**dict(values))
        while type(env).__name__ in WRAPPERS and type(env).__module__.startswith("pettingzoo."):
            env = env.env
        if not hasattr(env, "last"):
            raise Fault(PARALLEL if hasattr(env, "step") else f"made {short(env)}, which is no environment")
        agents = list(getattr(env, "possible_agents", None) or ())
        if not agents:
            raise Fault("it does not say who may take part: possible_agents is missing or empty")
        if len(agents) < 2:
            raise Fault("it is played alone")
        if len(agents) > MOST_PLAYERS:
            raise Fault(f"it has {len(agents)} seats, and a table has at most {MOST_PLAYERS}")
        spaces = [_numbers(env.action_space(agent), agent) for agent in agents]
    return Environment(env, {agent: seat for seat, agent in enumerate(agents)}, spaces)


def _numbers(space: Any, agent: Any) -> tuple[int, int]:
    """Return the first number of a move of an agent, and how many there are."""
    count, first = getattr(space, "n", None), getattr(space, "start", 0)
    if not isinstance(count, Integral) or not isinstance(first, Integral) or getattr(space, "shape", None):
        kind = type(space).__name__
        raise Fault(f"the moves of {short(agent)} are of type {kind}; only numbered moves (Discrete) can be chosen")
    return int(first), int(count)


class ZooTable(DoorTable):
    """Where the games of a job are played; see `simcore.plain.playing.Table`."""

    kind: type[ZooGame]

    def play(self, streams: Streams) -> list[int]:
        """Play a game, and return its words: see `simcore.plain.playing.Played`."""
        self.begin(streams)
        made = make_environment.__wrapped__ if self.kind.anew else make_environment
        with _PLAYING:
            returns, moves = self._played(made(self.kind.make, self._parameters(vars(self.rules))))
        return self.ended(returns, moves)

    def _parameters(self, rules: Mapping[str, Any]) -> tuple[tuple[str, Any], ...]:
        """Return the parameters that are given, or differ from what is usual."""
        usual = self.kind.usual
        own = {key: value for key, value in rules.items() if key != "wins" and usual.get(key) != value}
        seats = {self.kind.seats_key: self.seats} if self.seats != usual.get(self.kind.seats_key, self.seats) else {}
        return tuple({**self.kind.given, **own, **seats}.items())

    def _played(self, made: Environment) -> tuple[list[float], int]:
        """Play the game, and return what each seat earned, and the number of moves."""
        env, agents = made.env, made.agents
        if len(agents) != self.seats:
            raise Fault(
                f"under these rules it has {len(agents)} seats instead of {self.seats}; name such a parameter "
                "in the game's parameters"
            )
        env.reset(seed=self.streams.of(SEED).getrandbits(31))
        returns, moves, steps, present = [0.0] * self.seats, 0, 0, set(env.agents)
        while env.agents:
            if steps == self.kind.most_moves:
                raise Fault(f"the game did not end within {steps:,} moves")
            steps += 1
            agent = env.agent_selection
            if agent not in agents:
                raise Fault(f"{short(agent)} takes part, whom possible_agents does not name")
            observation, reward, terminated, truncated, info = env.last()
            seat = agents[agent]
            returns[seat] += _number(reward, agent)
            if terminated or truncated:
                env.step(None)
                present.discard(agent)
            else:
                env.step(self._move(made, agent, observation, info))
                moves += 1
        if present:
            raise Fault(f"it ended without a last turn of {short(present.pop())}, so a reward may be lost")
        return returns, moves

    def _move(self, made: Environment, agent: Any, observation: Any, info: Any) -> int:
        """Return what an agent chooses, and keep it for a replay."""
        seat = made.agents[agent]
        legal = _legal(made.spaces[seat], observation, info)
        if not legal:
            raise Fault(f"the mask of {short(agent)} allows no move")
        move: int = self.chosen(seat, legal, partial(deepcopy, observation))
        if self.job.recorded:
            others = [other for other in range(self.seats) if other != seat]  # PettingZoo does not say who sees a move
            self.record(seat, move, f"{move} ({agent})", others)
        return move


def _number(reward: Any, agent: Any) -> float:
    try:
        return float(reward)
    except (TypeError, ValueError):
        raise Fault(f"the reward of {short(agent)} is {short(reward)}, which is no number") from None


def _legal(space: tuple[int, int], observation: Any, info: Any) -> Sequence[int]:
    """Return the moves that the mask of an observation or of an info allows; all if there is none."""
    first, count = space
    for place in (observation, info):
        mask = place.get("action_mask") if isinstance(place, Mapping) else None
        if mask is not None:
            if len(mask) != count:
                raise Fault(f"a mask has {len(mask)} entries for {count} moves")
            return [first + number for number in np.flatnonzero(mask).tolist()]
    return range(first, first + count)


# --- What `pettingzoo:` names: a module, what in it makes an environment, and its parameters ---


PETTINGZOO = "pettingzoo:"
"""How the name of an environment of PettingZoo begins."""

CLASSIC = "pettingzoo.classic"
"""The package in which short names are looked up, such as `tictactoe_v3`."""

MADE_BY = ("env", "raw_env")
"""Names of functions that make an environment; the first is taken if a reference names a module only."""

_REFERENCE = re.compile(r"([A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*)(?:\((.*)\))?", re.DOTALL)

_SHORT = re.compile(r"\w+_v\d+")


@dataclass(frozen=True)
class Named:
    """What a reference names."""

    module: str
    attribute: str
    """module, attribute: The module, and what in it makes an environment."""
    given: Mapping[str, Any]  # its parameters
    here: bool  # whether the module may be in the current folder

    @property
    def text(self) -> str:
        """The shortest way to name it."""
        name = self.module.removeprefix(f"{CLASSIC}.").removeprefix("pettingzoo.")
        name += f".{self.attribute}" if self.attribute != MADE_BY[0] else ""
        given = ",".join(f"{key}={value!r}" for key, value in sorted(self.given.items()))
        return f"{name}({given})" if given else name


def named_by(reference: str) -> Named:
    """Return what a reference names; nothing is imported."""
    label, match = printable(reference), _REFERENCE.fullmatch(reference.removeprefix(PETTINGZOO).strip())
    if match is None:
        raise UsageError(f"{label}: write {PETTINGZOO}MODULE.ENV or {PETTINGZOO}MODULE.ENV(KEY=VALUE,...)", "game")
    dotted, given = match[1], _given(match[2] or "", label)
    if _SHORT.fullmatch(dotted) and module_file(f"{CLASSIC}.{dotted}", here=False):
        dotted = f"{CLASSIC}.{dotted}"
    for name in (dotted, f"{CLASSIC}.{dotted}"):
        here = not name.startswith("pettingzoo.")
        parent, _, last = name.rpartition(".")
        if module_file(name, here):
            return Named(name, MADE_BY[0], given, here)
        if parent and module_file(parent, here) and not _SHORT.fullmatch(last) and name != f"{CLASSIC}.{last}":
            return Named(parent, last, given, here)
    here = not dotted.startswith("pettingzoo.")
    parent, _, last = dotted.rpartition(".")
    folder = module_file(CLASSIC if here else parent, here=False)
    if folder is None and (not here or _SHORT.fullmatch(dotted)):
        raise UsageError(f"{label}: PettingZoo is not installed; run: pip install 'equipoise[pettingzoo]'", "game")
    alike = nearest(last, [path.stem for path in folder.parent.glob("*_v*.py")]) if folder else ""
    where = "" if parent else ", neither here nor where Python looks for modules"
    raise UsageError(f"{label}: there is no module '{dotted}'{where}{alike if _SHORT.fullmatch(last) else ''}", "game")


def _given(text: str, label: str) -> dict[str, Any]:
    """Return the parameters in a reference."""
    try:
        call = ast.parse(f"f({text})", mode="eval").body
        if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Name) or call.args:
            raise ValueError
        return {_key(one): _value(one.value) for one in call.keywords}
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        raise UsageError(
            f"{label}: parameters are KEY=VALUE, separated by commas; a value is a number, True, False or a text",
            "game",
        ) from None


def _key(one: ast.keyword) -> str:
    if one.arg is None:
        raise ValueError
    return one.arg


def _value(node: ast.expr) -> bool | int | float | str | None:
    found = node.id if isinstance(node, ast.Name) else ast.literal_eval(node)
    if not isinstance(found, bool | int | float | str | None):
        raise ValueError
    return found


def imported(named: Named, sources: Sources, label: str) -> ModuleType:
    """Return the module that a reference names, and run it if this process has not."""
    os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")  # it would be printed among our results
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            module = sources.run(label, "game")
    except UsageError as error:
        if isinstance(error.__context__, ImportError) and not named.here:
            raise UsageError(f"{label}: {lacks(error.__context__, named)}", "game") from None
        raise
    if Path(str(module.__file__)).resolve() != sources.path.resolve():
        raise UsageError(f"{label}: Python has loaded another module '{named.module}': {module.__file__}", "game")
    return module


def lacks(error: ImportError, named: Named) -> str:
    """Return why an import failed, and what to do."""
    reason = " ".join(str(error).split())[:200]
    family = named.module.partition(".")[2].partition(".")[0]
    return reason if named.here else f"{reason}; for all games of this kind run: pip install 'pettingzoo[{family}]'"


def maker_of(module: ModuleType, named: Named, label: str) -> Callable[..., Any]:
    """Return what makes an environment: the function `env`, or a class."""
    try:
        found: Any = getattr(module, named.attribute, None)
    except Exception as error:
        raise UsageError(f"{label}: {' '.join(str(error).split())[:200]}", "game") from None
    has = partial(hasattr, found)
    if named.attribute == "parallel_env" or (isinstance(found, type) and has("step") and not has("last")):
        raise UsageError(f"{label}: {PARALLEL}", "game")
    if (isinstance(found, type) and has("reset") and has("step")) or (callable(found) and named.attribute in MADE_BY):
        return found
    classes = [key for key, one in vars(module).items() if isinstance(one, type) and hasattr(one, "last")]
    others = f"; its classes: {', '.join(sorted(classes)[:10])}" if classes else ""
    raise UsageError(
        f"{label}: '{named.attribute}' in {named.module} makes no environment; name a function env, or a class with "
        f"the methods of AECEnv{others}",
        "game",
    )


# --- The door for environments of PettingZoo (extra `pettingzoo`): `--game 'pettingzoo:mymodule.env(size=5)'` ---


SEATS = ("players", "num_players", "n_players", "num_agents", "n_agents")
"""Names of parameters that may be the number of players."""

SHOWN = ("render", "screen", "fps")
"""How the names of parameters begin that say how a game is drawn."""

_KEY = re.compile(r"[A-Za-z][A-Za-z0-9_]{0,39}")


def opened(reference: str, sha256: str = "", modules: Mapping[str, str] | None = None) -> Opened:
    """Return the game of an environment, whose module is imported.

    reference: After `pettingzoo:`, a module, or what makes an environment in it: a function `env` or a class; then
        perhaps parameters.  `wins=highest`, `wins=lowest` and partners, such as `teams='13/24'`, are ours.
    sha256, modules: Digest that the code must have before any of it runs, and the modules of the current folder that it
        may import; empty and None if they may be any.
    Raises UsageError if there is no such environment, it cannot be made, or it is of a kind that cannot be judged.
    """
    named, label = named_by(reference), printable(reference)
    sources = module_sources(named.module, named.here)
    assert sources is not None  # `named_by` has found it
    if modules is not None:
        sources = sources.with_modules(modules, label, "game")
    digest = _digest(named, sources)
    if sha256 not in ("", digest):
        raise UsageError(
            f"{label}: is not the code that the games were played with (its SHA-256 differs), so it was not run", "game"
        )
    return Opened(_kind(reference, imported(named, sources, label)), digest, sources.modules)


def _digest(named: Named, sources: Sources) -> str:
    """Return a digest of what a reference names, PettingZoo's version, and the module's file or package."""
    try:
        library = version("pettingzoo")
    except PackageNotFoundError:
        library = ""
    digest = sha256_of(f"{named.text}|{library}".encode())
    for _, data in sources.files:
        digest.update(data)
    return digest.hexdigest()


@cache
def _kind(reference: str, module: ModuleType) -> type[ZooGame]:
    named, label = named_by(reference), printable(reference)
    given = dict(named.given)
    wins, teams = wins_of(given, label), teams_of(given)
    make = maker_of(module, named, label)
    usual, closed = _parameters(make)
    _check_given(given, usual, closed, label)
    file = str(getattr(sys.modules.get(make.__module__), "__file__", ""))
    with blamed(label, "game", [file]):
        try:
            seats = len(make_environment(make, tuple(given.items())).agents)
        except Fault as fault:
            raise UsageError(f"{label}: {fault}", "game") from None
        except ImportError as error:
            raise UsageError(f"{label}: {lacks(error, named)}", "game") from None
    seats_key = next((key for key in SEATS if key not in given and usual.get(key) == seats), "")
    values = {key: value for key, value in {**usual, **given}.items() if key != seats_key and _is_rule(key, value)}
    own = getattr(module, "strategies", {})
    namespace = {
        "__module__": make.__module__,
        "make": staticmethod(make),
        "given": given,
        "usual": usual,
        "seats_key": seats_key,
        "name": name_of("pettingzoo", named.text),
        "title": f"{_title(named)} (PettingZoo{'' if wins else ', highest return wins'})",
        "players": range(seats, seats + 1) if teams else _counts(make, given, seats_key, seats),
        "default_players": seats,
        "teams": teams,
        "lowest_wins": wins == LOWEST,
        "Rules": rules_of(values, given, wins or HIGHEST),
        "strategies": own if isinstance(own, Mapping) else {},
        "table": ZooTable,
    }
    kind: type[ZooGame] = type("PettingZooGame", (ZooGame,), namespace)
    try:
        try_out(kind, label, wins)
    except Unrepeated:
        kind.anew = True
        try_out(kind, label, wins)
    return kind


def _parameters(make: Callable[..., Any]) -> tuple[dict[str, Any], bool]:
    """Return the parameters of a function with their defaults, and whether it takes no others.

    Where `env` passes all that it gets on, the parameters of `raw_env` beside it count.
    """
    found: dict[str, Any] = {}
    for one in (make, getattr(sys.modules.get(make.__module__), "raw_env", None)):
        try:
            every = inspect.signature(one).parameters.values()  # type: ignore[arg-type]
        except (TypeError, ValueError):
            break
        named = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)
        found = {one.name: one.default for one in every if one.kind in named} | found
        if all(one.kind is not inspect.Parameter.VAR_KEYWORD for one in every):
            return found, True
    return found, False


def _check_given(given: dict[str, Any], usual: Mapping[str, Any], closed: bool, label: str) -> None:
    """Raise `UsageError` if there is no such parameter, or it takes values of another type."""
    for key, value in given.items():
        if key not in usual and closed:
            raise UsageError(f"{label}: there is no parameter '{key}'{nearest(key, list(usual))}", "game")
        wanted = type(usual.get(key))
        if wanted is float and type(value) is int:
            given[key] = float(value)
        elif wanted in (bool, int, float, str) and type(value) is not wanted:
            raise UsageError(f"{label}: {key} is {short(value)}; give a value of type {wanted.__name__}", "game")


def _is_rule(key: str, value: Any) -> bool:
    """Return whether a parameter can be a rule value."""
    if not _KEY.fullmatch(key) or key in RuleSet.model_fields or key.startswith(SHOWN):
        return False
    return isfinite(value) if type(value) is float else type(value) in (bool, int, str)


def _title(named: Named) -> str:
    return named.attribute if named.attribute not in MADE_BY else named.module.rpartition(".")[2]


def _counts(make: Callable[..., Any], given: Mapping[str, Any], key: str, seats: int) -> range:
    """Return the numbers of players that a parameter allows; without one, the number of agents."""
    first = last = seats
    while key and first > 2 and _seats(make, given, key, first - 1):
        first -= 1
    while key and last < MOST_PLAYERS and _seats(make, given, key, last + 1):
        last += 1
    return range(first, last + 1)


def _seats(make: Callable[..., Any], given: Mapping[str, Any], key: str, count: int) -> bool:
    """Return whether an environment can be made and set up for a number of players."""
    try:
        made = make_environment(make, (*given.items(), (key, count)))
        made.env.reset(seed=1)
    except (Exception, SystemExit):
        return False
    return len(made.agents) == count
