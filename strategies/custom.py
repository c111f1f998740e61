"""Policies that users write in Python, in their own modules."""

from __future__ import annotations

import hashlib
import inspect
import logging
import marshal
import math
from collections.abc import Callable, Mapping
from functools import cache, cached_property, lru_cache
from pathlib import Path
from types import MappingProxyType
from typing import Any

from simcore.errors import UsageError, nearest, shown
from simcore.game import load_game
from simcore.homes import known_games
from simcore.imports import Sources, file_sources, module_sources
from simcore.kernel.cache import contents
from simcore.kernel.compilation import explain, instantiate, kernel
from simcore.kernel.intrinsics import whole_number
from simcore.kernel.lineup import WEIGHTS
from simcore.kernel.pointers import Policy
from simcore.plain.playing import number_of
from simcore.rules.files import NAME
from strategies.kit import load_kit
from strategies.moves import blunder_move, blunders

LOG = logging.getLogger("equipoise.kernels")

ARGUMENTS = ("rules", "lineup", "state", "seat")
PLAIN_ARGUMENTS = ("view", "moves", "rng")
"""Arguments of a policy of a game in plain Python."""

MAX_REASON = 300
MAX_NAME = 200
MAX_WEIGHT = 1000
"""Largest absolute value of a weight or temperature, so that no sum of features overflows 64 bits."""


class CustomPolicy:
    """A user's decision function, marked with `policy`; calling it calls the function.

    game: Name of the game it plays.
    name: Name of the strategy in tables and reports.
    function: Takes (rules, lineup, state, seat), or in a game in plain Python (view, moves, rng), and returns a legal
        move.
    role: The one role that it plays; empty if it can play every role.
    weights: Weights that it reads with `strategies.moves.weight`, in this order, with the values that they have unless
        a strategy file gives others.
    """

    def __init__(
        self,
        game: str,
        name: str,
        function: Callable[..., int],
        role: str = "",
        weights: Mapping[str, float] = MappingProxyType({}),
    ) -> None:
        self.game = game
        self.role = role
        self.name = name
        self.function = function
        self.weights = MappingProxyType({key: float(value) for key, value in weights.items()})
        self.__doc__ = function.__doc__

    known = True
    """Whether its code is known, and so may be loaded from the disk."""

    def __call__(self, rules: Any, lineup: Any, state: Any, seat: int) -> int:
        """Return the move of a seat."""
        return self.function(rules, lineup, state, seat)

    @cached_property
    def index(self) -> Mapping[str, int]:
        """Position of every weight, by name."""
        return MappingProxyType({name: number for number, name in enumerate(self.weights)})

    sources: Sources | None = None
    """The files that it was loaded from, if any."""

    @cached_property
    def source_digest(self) -> str:
        """SHA-256 of its files; of the function's code if there is no file."""
        code = self.function.__code__
        return self.sources.sha256 if self.sources else hashlib.sha256(marshal.dumps(code)).hexdigest()

    @property
    def modules(self) -> Mapping[str, str]:
        """See `simcore.imports.Sources.modules`."""
        return self.sources.modules if self.sources else {}

    def address(self, blunders: bool = False) -> int:
        """Return the address of the compiled function, which is compiled on first use, or loaded from the disk.

        blunders: Whether the function makes the blunders of its strategy.
        Raises UsageError if Numba cannot compile it.
        """
        try:
            compiled = self._compiled(blunders)
            if compiled.cached and compiled.is_cold:
                LOG.info("Compiling policy '%s'; this happens once for each version of it ...", self.name)
            return compiled.address
        except Exception as error:  # Numba lets some of its own through, such as KeyError for an unknown field
            raise UsageError(
                f"Numba cannot compile policy '{self.name}': {shown(explain(error, self.function), MAX_REASON)} "
                "(docs/reference/strategies.md says what a policy may use)",
                "strategies",
            ) from None

    @cache  # noqa: B019 - a policy lives as long as its module
    def _compiled(self, blunders: bool) -> Policy:
        answering = answers(self.function, blunders)
        made = contents(answering) if self.known else ""
        answering.__qualname__ += f"_{made[:16] or id(answering)}"  # code from the disk is known by its name alone
        return Policy(answering, load_kit(self.game).records, cached=bool(made), contents=made)


class PlainPolicy(CustomPolicy):
    """A user's decision function for a game in plain Python, which is called as it is."""

    def address(self, blunders: bool = False) -> int:
        """Return the number by which a line-up names it."""
        return number_of(self.name, self.function)


class SealedPolicy(CustomPolicy):
    """A policy of which only names and digest are known; its code was not imported, so it cannot be played.

    game, name: As in a run's manifest.
    source: SHA-256 of its file, as in the manifest.
    weights: Names of its weights.
    """

    source_digest, known = "", False

    def __init__(self, game: str, name: str, source: str, weights: tuple[str, ...] = ()) -> None:
        if not name.isprintable() or not name or len(name) > MAX_NAME:
            raise UsageError(f"strategy '{shown(name)}': its name must be printable and at most {MAX_NAME} characters")
        # A function of its own, so that line-ups of different strangers differ; -1 is no legal move in any game.
        values = dict.fromkeys(weights[:WEIGHTS], 0.0)
        super().__init__(game, name, lambda rules, lineup, state, seat: -1, weights=values)
        self.source_digest = source


sealed_policy = lru_cache(SealedPolicy)
"""Return the sealed policy of a game, name, digest and weights: the same one each time."""


choose: Any = None  # which `answers` fills in


def checked(rules, lineup, state, seat):
    """Return the answer of a user's function, which must be a whole number."""
    return whole_number(choose(rules, lineup, state, seat))  # type: ignore[call-arg]


def erring(rules, lineup, state, seat):
    """Return the answer of a user's function, or that of a blunder."""
    if blunders(lineup, state, seat):
        return blunder_move(state, seat)
    return whole_number(choose(rules, lineup, state, seat))  # type: ignore[call-arg]


def answers(function: Callable[..., int], errs: bool = False) -> Callable[..., int]:
    """Return a function that plays like the user's, and compiles only if the user's function returns whole numbers."""
    return instantiate(erring if errs else checked, function, choose=kernel(function))


def policy(
    game: str, name: str | None = None, role: str = "", weights: Mapping[str, float] = MappingProxyType({})
) -> Callable[[Callable[..., int]], CustomPolicy]:
    """Mark a function as a policy of a game.

    Parameters
    ----------
    game
        Name of the game, for instance "middle-ages".
    name
        Name of the strategy in tables and reports; by default the function's name.
    role
        The only role that it plays, if the game has several; empty if it can play every role.
    weights
        Names of the weights that it reads, at most 96, with their usual values, from -1000 to 1000.  The function reads
        them with `strategies.moves.weight`, and a strategy file can give others.

    Returns
    -------
    Callable
        A decorator for a function `choose(rules, lineup, state, seat)` that returns one of `state.legal`.

    Raises
    ------
    UsageError
        If there is no such game, the function takes other arguments, or a name or weight is not allowed.

    References
    ----------
    * docs/reference/strategies.md

    Examples
    --------
    >>> from strategies.moves import first_move
    >>> @policy("middle-ages")
    ... def leftmost(rules, lineup, state, seat):
    ...     return first_move(state.legal)
    >>> leftmost.name
    'leftmost'
    >>> policy("middle-ages", weights={"greed": "much"})(leftmost.function)
    Traceback (most recent call last):
    ...
    simcore.errors.UsageError: @policy: 'leftmost': weights: greed = 'much': give a number from -1000 to 1000
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
        _check_weights(weights, label)
        if weights and not compiled:
            raise UsageError(f"@policy: '{label}': a policy in a game in plain Python reads no weights; leave them out")
        return (CustomPolicy if compiled else PlainPolicy)(game, label, plain, role, weights)

    return mark


def _check_weights(weights: Any, label: str) -> None:
    """Raise `UsageError` unless these are names and values of weights."""
    told = f"@policy: '{label}': weights"
    if not isinstance(weights, Mapping) or len(weights) > WEIGHTS:
        raise UsageError(f'{told}: give at most {WEIGHTS} names with their usual values, such as {{"greed": 1.5}}')
    for name, value in weights.items():
        if not isinstance(name, str) or not NAME.fullmatch(name):
            raise UsageError(f"{told}: '{shown(str(name))}' must be lower-case letters, digits and _, 40 at most")
        if isinstance(value, bool) or not isinstance(value, int | float) or not math.fabs(value) <= MAX_WEIGHT:
            raise UsageError(f"{told}: {name} = {shown(repr(value))}: give a number from -{MAX_WEIGHT} to {MAX_WEIGHT}")


# --- Find policies that users write in Python, in a module or in a file ---


def load_custom(
    game: str,
    reference: str,
    origin: str = "strategies",
    wanted: tuple[str, Mapping[str, str]] | None = None,
    offered: str = "",
) -> CustomPolicy:
    """Return the policy that "module:attribute" or "path/to/file.py:attribute" refers to.

    origin: Name in messages of the place where it was written.
    wanted: SHA-256 of its files, and modules of its folder, as in a manifest; nothing runs if they are others.
    offered: Name under which an installed package offers it, which is never in the current folder.
    Raises UsageError if there is no such module or attribute, it fails on import, or it plays another game.
    """
    label = f"'{offered}' ({reference})" if offered else f"'{shown(reference, 120)}'"
    place, _, attribute = reference.rpartition(":")
    if not place or not attribute:
        raise UsageError(f"{label}: write module:attribute or path/to/file.py:attribute", origin)
    sources = _sources(place, label, origin, not offered)
    if wanted is not None:
        sources = sources.with_modules(wanted[1], label, origin)
        if sources.sha256 != wanted[0]:
            raise UsageError(
                f"{label}: is not the file that the games were played with (its SHA-256 differs), so it was not run",
                origin,
            )
    module = sources.run(label, origin)
    found = getattr(module, attribute, None)
    if found is None:
        marked = [key for key, value in vars(module).items() if isinstance(value, CustomPolicy)]
        raise UsageError(f"{label}: no '{attribute}' in {place}{nearest(attribute, marked) if marked else ''}", origin)
    found = check_custom(game, found, label, origin)
    found.sources = found.sources or sources
    return found


def _sources(place: str, label: str, origin: str, here: bool) -> Sources:
    path = Path(place)
    if path.suffix != ".py" and len(path.parts) == 1:
        if (found := module_sources(place, here)) is None:
            raise UsageError(f"{label}: no module '{place}'; check the name and where Python looks for it", origin)
        return found
    if not path.is_file():
        raise UsageError(f"{label}: no file {shown(place, 120)}", origin)
    return file_sources(path, label, origin)


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
