"""The locations of games: those of this repository, and those of installed packages."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from importlib.metadata import EntryPoint, entry_points
from importlib.resources import files
from importlib.resources.abc import Traversable

from simcore.errors import UsageError, nearest

GAMES = ("middle-ages", "medievallons", "seigneurial", "fief-2")
"""The names of the games of this repository."""

ELSEWHERE = "imported"
"""The name that stands for the game of an imported table, which was not played here."""

ENTRY_POINTS = "equipoise.games"
"""Group of entry points by which an installed package offers a game: its name, and the package that contains it."""


@dataclass(frozen=True)
class Home:
    """The modules and files that make up a game.

    Parameters
    ----------
    descriptor
        Module that contains `GAME`, a `simcore.game.Game`.
    kit
        Module that contains `KIT`, a `strategies.kit.Kit`.
    declarations
        Module that may contain `DECLARATIONS`, an `analysis.data.declarations.Declarations`; it need not exist.
    report
        Module that may contain `REPORT`, a `reports.own.GameReport`; it need not exist.
    configs
        Folder of `base.toml`, `variants/`, `strategies/` and `words/`.
    """

    descriptor: str
    kit: str
    declarations: str
    report: str
    configs: Traversable

    @property
    def package(self) -> str:
        """The top-level package that contains the code of the game."""
        return self.descriptor.partition(".")[0]


def module_name(game: str) -> str:
    """Return the Python name of a game's modules."""
    return game.replace("-", "_")


def known_games() -> tuple[str, ...]:
    """Return the names of all available games, those of this repository first."""
    return (*GAMES, *sorted({entry.name for entry in _offered()} - set(GAMES)))


def home(name: str) -> Home:
    """Return the location of a game.

    Raises
    ------
    UsageError
        If the game is unknown.
    """
    if name == ELSEWHERE:
        return Home(
            "simcore.elsewhere", "", "analysis.games.imported", "reports.games.imported", files("configs") / name
        )
    if name in GAMES:
        own = module_name(name)
        return Home(
            f"simcore.games.{own}", f"strategies.{own}", f"analysis.games.{own}", f"reports.games.{own}",
            files("configs") / name,
        )  # fmt: skip
    for entry in _offered():
        if entry.name == name:
            return _abroad(name, entry.module)
    raise UsageError(f"no game '{name}'{nearest(name, known_games())}", "game")


def _abroad(name: str, package: str) -> Home:
    try:
        configs = files(package) / "configs"
    except Exception as error:
        raise UsageError(
            f"{name} (module {package}) fails on import: {type(error).__name__}: {error}", "game"
        ) from error
    return Home(package, f"{package}.strategies", f"{package}.analysis", f"{package}.report", configs)


def _offered() -> Iterator[EntryPoint]:
    return iter(entry_points(group=ENTRY_POINTS))
