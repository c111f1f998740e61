"""The locations of games: those of this repository, and those of installed packages."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache, partial
from importlib import import_module
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from simcore.errors import UsageError, nearest, shown

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

GAMES = ("middle-ages", "medievallons", "seigneurial", "fief-2")
"""The names of the games of this repository."""

ELSEWHERE = "imported"
"""The name that stands for the game of an imported table, which was not played here."""

ENTRY_POINTS = "equipoise.games"
"""Group of entry points by which an installed package offers a game: its name, and the package that contains it.

A game in plain Python names its class: `nim = "nim_game:Nim"`.
"""

POLICIES = "equipoise.strategies"
"""Group of entry points by which installed packages offer policies."""


@dataclass(frozen=True)
class Home:
    """The modules and files that make up a game."""

    load: Callable[[], Any]  # returns the descriptor, a `simcore.game.Game`
    kit: Callable[[], Any]  # returns the kit, a `strategies.kit.Kit`
    declarations: str
    """Module that may contain `DECLARATIONS`, an `analysis.data.declarations.Declarations`; it need not exist."""
    report: str  # module that may contain `REPORT`, a `reports.study.chapters.GameReport`; it need not exist
    configs: Traversable  # folder of `base.toml`, `variants/`, `strategies/` and `words/`
    package: str  # the top-level package that contains the code of the game
    reference: str  # how a user names the game on a command line
    source: str = ""  # SHA-256 of the game's own file, if it does not belong to a package


def module_name(game: str) -> str:
    """Return the Python name of a game's modules."""
    return game.replace("-", "_")


def known_games() -> tuple[str, ...]:
    """Return the names of all available games, those of this repository first."""
    return (*GAMES, *sorted(({entry.name for entry in offered(ENTRY_POINTS)} | set(_REMEMBERED)) - set(GAMES)))


def known_homes() -> Mapping[str, Home]:
    """Return the homes of games that are in no package, by name: files that the user has named, and those of runs."""
    return _REMEMBERED


def typed(game: str) -> str:
    """Return how a game is named in a command line."""
    return shlex.quote(home(game).reference)


def naming(game: str) -> str:
    """Return the option that a command needs to find a game by a file that names it, after a space: of none shipped."""
    reference = game if game == ELSEWHERE else home(game).reference
    return "" if reference == game else f" --game {shlex.quote(reference)}"


def updating(baseline: Path | str, yes: bool = False) -> str:
    """Return the command that measures a baseline again, with its path, or its label, as a shell takes it."""
    return f"equipoise check --update {'--yes ' * yes}{shlex.quote(str(baseline))}"


def remember(name: str, found: Home) -> None:
    """Let the rest of the toolkit find a game that is in no package."""
    _REMEMBERED[name] = found


_REMEMBERED: dict[str, Home] = {}


def home(name: str) -> Home:
    """Return the location of a game.

    Raises UsageError if the game is unknown.
    """
    if name == ELSEWHERE:
        return _of_modules(
            name, "simcore.declared", "", "analysis.games.imported", "reports.games.imported", files("configs") / name
        )
    if name in GAMES:
        own = module_name(name)
        return _of_modules(
            name,
            f"simcore.games.{own}",
            f"strategies.{own}",
            f"analysis.games.{own}",
            f"reports.games.{own}",
            files("configs") / name,
        )
    if name in _REMEMBERED:
        return _REMEMBERED[name]
    entry = offer(name)
    if not isinstance(offered_by(entry), type):
        return _abroad(entry)
    enter = named("simcore.doors", "enter")  # which needs a game's descriptor, and that needs this module
    return _REMEMBERED[enter(name)]


def offer(name: str) -> EntryPoint:
    """Return the entry point by which an installed package offers a game.

    Raises UsageError if there is none.
    """
    for entry in offered(ENTRY_POINTS):
        if entry.name == name:
            return entry
    hint = nearest(name, known_games())
    library, colon, _ = name.partition(":")
    if library in (doors := named("simcore.doors", "DOORS")):
        hint = "; a file may not name a game of a library"
    elif colon:
        hint = f"; a game of a library begins with {' or '.join(f'{door}:' for door in doors)}"
    raise UsageError(f"no game '{name}'{hint}", "game")


def offered_by(entry: EntryPoint) -> Any:
    """Return what an entry point names in a package, such as the class of a game in plain Python; None if nothing.

    Raises UsageError if the package cannot be imported.
    """
    with _blamed(entry):
        return named(entry.module, entry.attr or "")


@contextmanager
def _blamed(entry: EntryPoint) -> Iterator[None]:
    """Let errors name the game whose package cannot be used."""
    try:
        yield
    except Exception as error:
        raise UsageError(
            f"{entry.name} (module {entry.module}) fails on import: {type(error).__name__}: {error}", "game"
        ) from error


def _abroad(entry: EntryPoint) -> Home:
    name, package = entry.name, entry.module
    with _blamed(entry):
        configs = files(package) / "configs"
    return _of_modules(name, package, f"{package}.strategies", f"{package}.analysis", f"{package}.report", configs)


def _of_modules(name: str, descriptor: str, kit: str, declarations: str, report: str, configs: Traversable) -> Home:
    """Return the home of a game whose descriptor is `GAME` of one module, and whose kit is `KIT` of another."""
    return Home(
        partial(named, descriptor, "GAME"),
        partial(_kit_in, name, kit),
        declarations,
        report,
        configs,
        descriptor.partition(".")[0],
        name,
    )


def named(module: str, attribute: str) -> Any:
    """Return what has a name in a module; None if nothing has."""
    return getattr(import_module(module), attribute, None)


def _kit_in(game: str, module: str) -> Any:
    if not module:
        raise UsageError(
            f"{game}: these games were not played here, so nobody can play them; `equipoise report` rates the people "
            "of a table",
            "game",
        )
    return named(module, "KIT")


# --- The rules and strategies that come with a game: a name that is none is refused before anything is loaded ---


def shipped_rules(game: str) -> dict[str, Traversable]:
    """Return the files of the rule sets that come with a game by name, "base" first."""
    return {"base": home(game).configs / "base.toml"} | _toml_files(home(game).configs / "variants")


def shipped_strategies(game: str) -> dict[str, Traversable]:
    """Return the files of the strategies that come with a game by name."""
    return _toml_files(home(game).configs / "strategies")


def _toml_files(folder: Traversable) -> dict[str, Traversable]:
    files = [file for file in folder.iterdir() if file.name.endswith(".toml")] if folder.is_dir() else []
    return {file.name.removesuffix(".toml"): file for file in sorted(files, key=lambda file: file.name)}


def check_rules(game: str, reference: str | Path, origin: str = "rules") -> None:
    """Raise `UsageError` if a reference is neither a path nor the name of rules that come with a game.

    origin: Where the user wrote it.
    """
    if isinstance(reference, Path) or reference in shipped_rules(game) or Path(reference).suffix == ".toml":
        return
    if "/" not in reference and not is_there(Path(reference)):
        raise no_rules(game, reference, origin)


def no_rules(game: str, name: str, origin: str) -> UsageError:
    """Return the error that says that a game has no such rules."""
    for other in GAMES:
        if name in shipped_rules(other):
            return UsageError(f"'{name}' are rules of {other}, not of {game}; name that game", origin)
    hint = nearest(name, shipped_rules(game))
    file = "" if hint.endswith("?") else "; or give a .toml file"
    return UsageError(f"no rules '{shown(name)}'{hint}{file}", origin)


def is_there(path: Path) -> bool:
    """Return whether a file exists; False for an impossible name."""
    try:
        return path.is_file()
    except (OSError, ValueError):
        return False


def check_strategy(game: str, reference: str | Path, origin: str = "strategies") -> None:
    """Raise `UsageError` if a reference names no file, no code and no strategy for a game.

    origin: Where the user wrote it.
    """
    name = str(reference)
    shipped = shipped_strategies(game)
    if isinstance(reference, Path) or name.endswith(".toml") or ":" in name or name in shipped:
        return
    names = [*shipped, *(entry.name for entry in offered(POLICIES))]
    if name in names:
        return
    for other in GAMES:
        if name in shipped_strategies(other):
            raise UsageError(f"'{shown(name)}' plays {other}, not {game}; name that game", origin)
    raise UsageError(
        f"'{shown(name)}' is not a shipped name, .toml file or module:attribute{nearest(name, names)}", origin
    )


def offered(group: str) -> tuple[EntryPoint, ...]:
    """Return the entry points of a group that installed packages have."""
    return _read(group, tuple(map(_as_it_is, sys.path)))


@lru_cache(maxsize=8)
def _read(group: str, _: tuple[object, ...]) -> tuple[EntryPoint, ...]:
    """Read the entry points of all packages, which takes long, anew whenever a folder of packages has changed."""
    from importlib.metadata import entry_points  # takes as long as all else that the answer to `--help` needs of ours

    return tuple(entry_points(group=group))


def _as_it_is(place: str) -> tuple[str | int, ...]:
    """Return the full path of a folder of packages, and when it and the notes of an installer in it last changed."""
    try:
        path = Path(place).absolute()
        changed = path.stat().st_mtime_ns
        return str(path), changed, *(notes.stat().st_mtime_ns for notes in _notes_in(path, changed))
    except (OSError, TypeError, ValueError):
        return (str(place),)


@lru_cache(maxsize=64)
def _notes_in(folder: Path, _: int) -> tuple[Path, ...]:
    """Return where an installer wrote down what the packages in a folder offer."""
    return tuple(folder.glob("*-info"))
