"""The door for environments of PettingZoo (extra `pettingzoo`): `--game 'pettingzoo:mymodule.env(size=5)'`.

An environment in which one agent moves at a time (AEC) is a game: its agents are the seats, in the order of
`possible_agents`, and the sum of an agent's rewards is its return.  An environment draws everything from one seed,
which depends on the deal.  Environments of a user's own need not have PettingZoo installed.
"""

from __future__ import annotations

import inspect
import re
import sys
from collections.abc import Callable, Mapping
from functools import cache
from hashlib import sha256 as sha256_of
from importlib.metadata import PackageNotFoundError, version
from math import isfinite
from types import ModuleType
from typing import Any

from simcore.doors.common import HIGHEST, LOWEST, Unrepeated, name_of, rules_of, teams_of, try_out, wins_of
from simcore.doors.pettingzoo_names import MADE_BY, Named, imported, lacks, maker_of, named_by
from simcore.doors.pettingzoo_playing import ZooGame, ZooTable, make_environment
from simcore.errors import UsageError, nearest, printable
from simcore.imports import Sources, blamed, module_sources
from simcore.plain.loading import Opened
from simcore.plain.playing import Fault, short
from simcore.roles import MOST_PLAYERS
from simcore.rules.files import RuleSet

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
        "strategies": _strategies(module),
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


def _strategies(module: ModuleType) -> Mapping[str, Any]:
    """Return the strategies that a module names, as the class of a game in plain Python does."""
    found = getattr(module, "strategies", {})
    return found if isinstance(found, Mapping) else {}


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
