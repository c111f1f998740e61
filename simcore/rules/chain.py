"""Rule files: those that come with a game, those of users, and the files that they extend."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from simcore.errors import UsageError, nearest
from simcore.homes import GAMES, home
from simcore.toml_tables import parse, read_bytes, shown

if TYPE_CHECKING:
    from simcore.game import Game

MAX_EXTENDS = 8


def shipped_files(game: str) -> dict[str, Traversable]:
    """Return the files of the rule sets that come with a game by name, "base" first."""
    folder = home(game).configs
    variants = folder / "variants"
    files = sorted(variants.iterdir(), key=lambda file: file.name) if variants.is_dir() else []
    found = {file.name.removesuffix(".toml"): file for file in files if file.name.endswith(".toml")}
    return {"base": folder / "base.toml"} | found


@dataclass(frozen=True)
class Document:
    """One file of a chain: its own table, and its name."""

    label: str
    stem: str
    table: dict[str, Any]
    path: Path | None  # None for a shipped file

    @property
    def identity(self) -> str:
        """The identity of the file, to detect cycles."""
        return str(self.path.resolve()) if self.path else self.label


def chain_of(game: Game, reference: str | Path) -> list[Document]:
    """Read a file and all files that it extends, starting with the file itself."""
    chain = [_open(game, reference, None)]
    while (above := chain[-1].table.pop("extends", None)) is not None:
        document = chain[-1]
        if not isinstance(above, str):
            raise UsageError(f"{document.label}: extends: must be the name or path of one rules file, in quotes")
        chain.append(_open(game, above, document))
        names = [document.identity for document in chain]
        if names[-1] in names[:-1]:
            raise UsageError(f"{document.label}: extends: goes round in a circle, {_trail(chain)}")
        if len(chain) > MAX_EXTENDS:
            raise UsageError(f"{chain[0].label}: extends: more than {MAX_EXTENDS} files deep, {_trail(chain)}")
    return chain


def _trail(chain: Iterable[Document]) -> str:
    return " -> ".join(document.label for document in chain)


def _open(game: Game, reference: str | Path, child: Document | None) -> Document:
    """Read the file for a reference: in the folder of the file that extends it, or a shipped file, or a path."""
    shipped = shipped_files(game.name)
    if child is not None and child.path is not None:
        for candidate in _beside(child.path, str(reference)):
            return _read(candidate)
    if str(reference) in shipped and not isinstance(reference, Path):
        name = str(reference)
        return Document(f"{game.name}/{name}", name, parse(shipped[name].read_bytes(), f"{game.name}/{name}"), None)
    path = Path(reference)
    meant_as_path = isinstance(reference, Path) or path.suffix == ".toml" or "/" in reference or _is_file(path)
    if child is None and meant_as_path:
        return _read(path)
    origin = f"{child.label}: extends" if child else "rules"
    for other in GAMES:
        if reference in shipped_files(other):
            raise UsageError(f"'{reference}' are rules of {other}, not of {game.name}; name that game", origin)
    hint = nearest(str(reference), shipped)
    file = "" if hint.endswith("?") else "; or give a .toml file"
    raise UsageError(f"no rules '{shown(str(reference))}'{hint}{file}", origin)


def _beside(child: Path, reference: str) -> Iterator[Path]:
    """Yield the files next to a file that its `extends` may name."""
    for name in (reference, f"{reference}.toml"):
        path = child.parent / name
        if _is_file(path) and path.resolve() != child.resolve():
            yield path


def _is_file(path: Path) -> bool:
    """Return whether a file exists; False for an impossible name."""
    try:
        return path.is_file()
    except (OSError, ValueError):
        return False


def _read(path: Path) -> Document:
    label = shown(str(path), 120)
    return Document(label, path.stem, parse(read_bytes(path), label), path)
