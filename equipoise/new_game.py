"""Write the package of a new game: a small game that works and can be turned into another one."""

from __future__ import annotations

import keyword
import re
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.resources import files
from importlib.util import find_spec
from pathlib import Path

from simcore import atomic
from simcore.errors import UsageError, nearest, shown
from simcore.game import SHARE_UNITS
from simcore.homes import known_games, module_name
from simcore.judged import MOST_PLAYERS

FILES = {
    "pyproject.toml": "pyproject.toml", "README.md": "README.md", "{module}/__init__.py": "init.py",
    "{module}/kernel.py": "kernel.py", "{module}/strategies.py": "strategies.py",
    "{module}/configs/base.toml": "base.toml", "{module}/configs/strategies/random.toml": "random.toml",
    "{module}/configs/strategies/greedy.toml": "greedy.toml",
}  # fmt: skip
"""Templates by the path of the file in the new folder."""

LIKE = "nim", "race", "draft", "auction", "roles", "cards"
"""Games in plain Python, each a single file, with which a new one may begin."""

NAME = re.compile(r"[a-z][a-z0-9]*([-_][a-z0-9]+)*")
_RESERVED = re.compile(r"con|prn|aux|nul|(com|lpt)[0-9]")  # names of devices of Windows, with any ending
LONGEST, USUAL = 40, 4


@dataclass(frozen=True)
class NewGame:
    """The description of a new game."""

    name: str  # name of the game, of its folder and, with "_" for "-", of its package
    players: range  # numbers of players
    roles: tuple[str, ...] = ()  # names of the roles; empty if all seats are symmetric
    cards: bool = False  # whether the game has a deck, a market and hands instead of a board
    plain: bool = False  # whether it is a single file in plain Python instead of a package
    like: str = LIKE[0]  # the game with which a single file begins


def plan(name: str, players: str, roles: str, cards: bool, plain: bool = False, like: str = "") -> NewGame:
    """Check a user's description of a new game, and return it.

    players: One number, or the minimum and the maximum separated by "-".
    roles: Names separated by commas, or nothing.
    plain: Whether it is in plain Python.
    like: The game in plain Python with which it begins; if empty, the first.
    Raises UsageError if one of these cannot be used; the message says which one, and why.
    """
    if not _is_name(name):
        if keyword.iskeyword(name):
            raise UsageError(f"NAME: '{name}' is a keyword of Python; choose another name")
        raise UsageError(
            f"NAME: '{shown(name)}' cannot name a game; use lower-case letters and digits, separated by '-', and begin "
            "with a letter"
        )
    if _RESERVED.fullmatch(name):
        raise UsageError(f"NAME: Windows allows no file or folder called '{name}'; choose another name")
    if name in known_games():
        raise UsageError(f"NAME: there is a game '{name}' already; choose another name")
    if find_spec(module_name(name)) is not None:
        raise UsageError(f"NAME: there is a Python module '{module_name(name)}' already; choose another name")
    counts = _counts(players)
    named = tuple(role.strip() for role in roles.split(",")) if roles else ()
    for role in named:
        if not _is_name(role) or "-" in role:
            raise UsageError(f"'{shown(role)}' cannot name a role; use lower-case letters, digits and '_'", "roles")
    if len(named) == 1 or len(set(named)) < len(named):
        raise UsageError("give two or more different names, such as warlord,burgher", "roles")
    if len(named) > counts[0]:
        raise UsageError(f"{len(named)} roles need at least {len(named)} players; give more players", "roles")
    if plain and (named or cards):
        raise UsageError("a game in plain Python begins without roles and cards; leave the other option out", "plain")
    if like and not plain:
        raise UsageError("only a game in plain Python begins like another one; add --plain", "like")
    if like and like not in LIKE:
        raise UsageError(f"no game '{shown(like)}'{nearest(like, LIKE)}", "like")
    return NewGame(name, counts, named, cards, plain, like or LIKE[0])


def _is_name(name: str) -> bool:
    return NAME.fullmatch(name) is not None and len(name) <= LONGEST and not keyword.iskeyword(module_name(name))


def _counts(players: str) -> range:
    """Return the numbers of players in a text such as "2-5"."""
    found = re.fullmatch(r"(\d)(?:-(\d))?", players)
    least, most = (int(found[1]), int(found[2] or found[1])) if found else (0, 0)
    if not 2 <= least <= most <= MOST_PLAYERS:
        raise UsageError(
            f"'{shown(players)}' is not a number of players; write 4 or 2-5, from 2 to {MOST_PLAYERS}", "players"
        )
    return range(least, most + 1)


def texts(wanted: NewGame) -> dict[str, str]:
    """Return the texts of a new game's files, by path in its folder."""
    from jinja2 import Environment, StrictUndefined

    folder = files("equipoise") / "templates" / "new_game"
    pages = Environment(undefined=StrictUndefined, keep_trailing_newline=True, autoescape=False)
    most = wanted.players[-1]
    unit = next(parts for limit, parts in SHARE_UNITS.items() if most <= limit)
    words = {
        "name": wanted.name,
        "module": module_name(wanted.name),
        "title": " ".join(part.capitalize() for part in re.split("[-_]", wanted.name)),
        "class": "".join(part.capitalize() for part in re.split("[-_]", wanted.name)),
        "least": wanted.players[0],
        "most": most,
        "usual": min(max(USUAL, wanted.players[0]), most),
        "unit": unit,
        "share": f"share{unit}",
        "roles": wanted.roles,
        "cards": wanted.cards,
    }
    return {
        path.format(**words): pages.from_string((folder / f"{template}.jinja").read_text("utf-8")).render(words)
        for path, template in ({"{module}.py": f"{wanted.like}.py"} if wanted.plain else FILES).items()
    }


def write_plain(wanted: NewGame) -> Path:
    """Write a new game in plain Python into the current folder, and return its file.

    Raises UsageError if something with that name exists, or it cannot be written.
    """
    ((name, text),) = texts(wanted).items()
    path = Path(name)
    if path.exists() or path.is_symlink():
        raise UsageError(f"NAME: '{name}' exists already; choose another name or delete it")
    try:
        atomic.write(path, text)
    except OSError as error:
        raise UsageError(f"NAME: {name} cannot be written: {error.strerror or error}") from None
    return path


def write(wanted: NewGame, folder: Path) -> Sequence[Path]:
    """Write a new game into a folder that does not exist yet, and return its files.

    Raises UsageError if something with that name exists, or the folder cannot be written; then none is left.
    """
    if folder.exists() or folder.is_symlink():
        raise UsageError(f"NAME: '{shown(str(folder), 120)}' exists already; choose another name or delete it")
    found = texts(wanted)
    try:
        with atomic.replacing(folder) as part:
            for path, text in found.items():
                place = part / path
                place.parent.mkdir(parents=True, exist_ok=True)
                atomic.write(place, text)
    except OSError as error:
        raise UsageError(f"NAME: {folder} cannot be written: {error.strerror or error}") from None
    return [folder / path for path in found]
