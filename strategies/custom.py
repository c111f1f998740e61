"""Policies that users write in Python, in their own modules."""

from __future__ import annotations

import hashlib
import importlib
import importlib.util
import inspect
import sys
from collections.abc import Callable
from functools import cached_property, lru_cache
from pathlib import Path
from types import ModuleType
from typing import Any

from numba.core.errors import NumbaError

from simcore.errors import UsageError, nearest
from simcore.game import load_game
from simcore.homes import known_games
from simcore.imports import current_folder, module_file
from simcore.kernel.compilation import kernel
from simcore.kernel.compile_errors import explain
from simcore.kernel.intrinsics import whole_number
from simcore.kernel.pointers import Policy
from simcore.kernel.templates import instantiate
from simcore.plain.own import number_of
from simcore.rules.files import NAME
from simcore.toml_tables import shown
from strategies.kit import load_kit

ARGUMENTS = ("rules", "lineup", "state", "seat")
PLAIN_ARGUMENTS = ("view", "moves", "rng")
"""Arguments of a policy of a game in plain Python."""

MAX_REASON = 300
MAX_NAME = 200


class CustomPolicy:
    """A user's decision function, marked with `policy`; calling it calls the function.

    Parameters
    ----------
    game
        Name of the game it plays.
    name
        Name of the strategy in tables and reports.
    function
        Takes (rules, lineup, state, seat), or in a game in plain Python (view, moves, rng), and returns a legal move.
    role
        The one role that it plays; empty if it can play every role.
    """

    def __init__(self, game: str, name: str, function: Callable[..., int], role: str = "") -> None:
        self.game = game
        self.role = role
        self.name = name
        self.function = function
        self.__doc__ = function.__doc__

    def __call__(self, rules: Any, lineup: Any, state: Any, seat: int) -> int:
        """Return the move of a seat."""
        return self.function(rules, lineup, state, seat)

    @cached_property
    def source_digest(self) -> str:
        """SHA-256 of the file that holds the function, in hex; of the function's code if there is no file."""
        path = inspect.getsourcefile(self.function)
        if path and Path(path).is_file():
            return hashlib.sha256(Path(path).read_bytes()).hexdigest()
        return hashlib.sha256(self.function.__code__.co_code).hexdigest()

    @cached_property
    def address(self) -> int:
        """Address of the compiled function; compiles on first use.

        Raises
        ------
        UsageError
            If Numba cannot compile it.
        """
        try:
            return Policy(answering(self.function), load_kit(self.game).records).address
        except Exception as error:  # Numba lets some of its own through, such as KeyError for an unknown field
            raise UsageError(
                f"Numba cannot compile policy '{self.name}': {shown(explain(error, self.function), MAX_REASON)} "
                "(docs/strategies.md says what a policy may use)",
                "strategies",
            ) from None


class PlainPolicy(CustomPolicy):
    """A user's decision function for a game in plain Python, which is called as it is."""

    @property
    def address(self) -> int:
        """The number by which a line-up names it."""
        return number_of(self.name, self.function)


class SealedPolicy(CustomPolicy):
    """A policy of which only the name and digest are known; its code was not imported, so it cannot be played.

    Parameters
    ----------
    game, name
        As in a run's manifest.
    source
        SHA-256 of its file, as in the manifest.
    """

    source_digest = ""

    def __init__(self, game: str, name: str, source: str) -> None:
        if not name.isprintable() or not name or len(name) > MAX_NAME:
            raise UsageError(f"strategy '{shown(name)}': its name must be printable and at most {MAX_NAME} characters")
        # A function of its own, so that line-ups of different strangers differ; -1 is no legal move in any game.
        super().__init__(game, name, lambda rules, lineup, state, seat: -1)
        self.source_digest = source


sealed_policy = lru_cache(SealedPolicy)
"""Return the sealed policy of a game, name and digest: the same one each time."""


choose: Any = None  # which `answering` fills in


def checked(rules, lineup, state, seat):  # type: ignore[no-untyped-def]
    """Return the answer of a user's function, which must be a whole number."""
    return whole_number(choose(rules, lineup, state, seat))  # type: ignore[call-arg]


def answering(function: Callable[..., int]) -> Callable[..., int]:
    """Return a function that plays like the user's, and compiles only if the user's function returns whole numbers."""
    return instantiate(checked, function, choose=kernel(function))


def policy(game: str, name: str | None = None, role: str = "") -> Callable[[Callable[..., int]], CustomPolicy]:
    """Mark a function as a policy of a game.

    Parameters
    ----------
    game
        Name of the game, for instance "middle-ages".
    name
        Name of the strategy in tables and reports; by default the function's name.
    role
        The only role that it plays, if the game has several; empty if it can play every role.

    Returns
    -------
    Callable
        A decorator for a function `choose(rules, lineup, state, seat)` that returns one of `state.legal`.

    Raises
    ------
    UsageError
        If there is no such game, the function takes other arguments, or the name is not allowed.

    References
    ----------
    * docs/strategies.md

    Examples
    --------
    >>> from strategies.moves import first_move
    >>> @policy("middle-ages")
    ... def leftmost(rules, lineup, state, seat):
    ...     return first_move(state.legal)
    >>> leftmost.name
    'leftmost'
    """
    if game not in (games := known_games()):
        raise UsageError(f"@policy: no game '{shown(str(game))}'{nearest(str(game), games)}")

    def mark(function: Callable[..., int]) -> CustomPolicy:
        plain = getattr(function, "py_func", function)
        label = shown(str(name or getattr(plain, "__name__", "policy")))
        if not NAME.fullmatch(label):
            raise UsageError(
                f"@policy: the name '{label}' must be at most 40 lower-case letters, digits and _, and begin with a "
                f'letter; give another with @policy("{game}", name="...")'
            )
        compiled = load_game(game).compiled
        arguments = ARGUMENTS if compiled else PLAIN_ARGUMENTS
        if not inspect.isfunction(plain) or len(inspect.signature(plain).parameters) != len(arguments):
            raise UsageError(f"@policy: '{label}' must be a function of ({', '.join(arguments)})")
        return (CustomPolicy if compiled else PlainPolicy)(game, label, plain, role)

    return mark


def load_custom(game: str, reference: str, origin: str = "strategies") -> CustomPolicy:
    """Return the policy that "module:attribute" or "path/to/file.py:attribute" refers to.

    Parameters
    ----------
    game
        The game it must play.
    reference
        What the user wrote.
    origin
        Name in messages of the place where it was written.

    Raises
    ------
    UsageError
        If there is no such module or attribute, it fails on import, or it plays another game.
    """
    label = f"'{shown(reference, 120)}'"
    place, _, attribute = reference.rpartition(":")
    if not place or not attribute:
        raise UsageError(f"{label}: write module:attribute or path/to/file.py:attribute", origin)
    module = _import(place, label, origin)
    found = getattr(module, attribute, None)
    if found is None:
        marked = [key for key, value in vars(module).items() if isinstance(value, CustomPolicy)]
        raise UsageError(f"{label}: no '{attribute}' in {place}{nearest(attribute, marked) if marked else ''}", origin)
    return check_custom(game, found, label, origin)


def check_source(reference: str, source: str, name: str) -> None:
    """Raise `UsageError` unless the file that a reference names has the given SHA-256; nothing is imported.

    Parameters
    ----------
    reference
        "module:attribute" or "path/to/file.py:attribute".
    source
        The SHA-256, in hex.
    name
        Name of the strategy in messages.
    """
    place = reference.rpartition(":")[0]
    path = Path(place) if place and _is_path(place) else module_file(place)
    if path is None or not path.is_file():
        raise UsageError(f"strategy '{shown(name)}': the file of {shown(reference, 120)} was not found")
    if hashlib.sha256(path.read_bytes()).hexdigest() != source:
        raise UsageError(
            f"strategy '{shown(name)}': {shown(str(path), 120)} is not the file that the run was made with "
            "(its SHA-256 differs), so it was not run; it has changed since, or it is another file"
        )


def _is_path(place: str) -> bool:
    """Return whether a reference's first part is a file rather than a module."""
    return Path(place).suffix == ".py" or len(Path(place).parts) > 1


def check_custom(game: str, found: Any, label: str, origin: str) -> CustomPolicy:
    """Return the object if it is a policy of the game; otherwise raise `UsageError`.

    A game in plain Python takes functions as they are.
    """
    if inspect.isfunction(found) and not load_game(game).compiled:
        return policy(game)(found)
    if not isinstance(found, CustomPolicy):
        raise UsageError(f'{label}: not a policy; put @equipoise.policy("{game}") above the function', origin)
    if found.game != game:
        raise UsageError(f"{label}: plays {found.game}, not {game}", origin)
    return found


def _reason(error: Exception) -> str:
    """Return why something failed, in one line."""
    lines = [line.strip() for line in str(error).splitlines()]
    told = " ".join(line for line in lines if line and not line.startswith("Failed in nopython mode"))
    known = isinstance(error, NumbaError)
    return shown(told if known else f"{type(error).__name__}: {told}", MAX_REASON)


def _import(place: str, label: str, origin: str) -> ModuleType:
    """Import a module by name, also from the current folder, or from a file."""
    path = Path(place)
    try:
        if _is_path(place):
            if not path.is_file():
                raise UsageError(f"{label}: no file {shown(place, 120)}", origin)
            return _import_file(path)
        with current_folder():
            return importlib.import_module(place)
    except UsageError:
        raise
    except ModuleNotFoundError as error:
        raise UsageError(
            f"{label}: no module '{error.name}'; check the name and where Python looks for it", origin
        ) from None
    except Exception as error:
        raise UsageError(f"{label}: {place} fails on import: {_reason(error)}", origin) from None


def _import_file(path: Path) -> ModuleType:
    name = f"equipoise_policy_{hashlib.sha256(str(path.resolve()).encode()).hexdigest()[:12]}"
    if name in sys.modules:
        return sys.modules[name]
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise ImportError(f"{path} is no Python file")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except BaseException:
        del sys.modules[name]
        raise
    return module
