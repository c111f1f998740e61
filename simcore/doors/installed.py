"""The door for games in plain Python that installed packages offer: an entry point names the class, `nim_game:Nim`."""

from __future__ import annotations

from hashlib import sha256 as sha256_of

from simcore.errors import UsageError
from simcore.homes import offer, offered_by
from simcore.imports import sources_of
from simcore.plain.game import PlainGame


def kind_of(game: str, sha256: str = "") -> type[PlainGame]:
    """Return the class that an installed package offers as a game.

    game: Name of the entry point.
    sha256: Digest that the package must have before any of it runs; empty if it may be any.
    Raises UsageError if no package offers it, the package is another one, or the class is no game of that name.
    """
    if sha256 and digest_of(game) != sha256:
        raise UsageError(f"{game}: is not the version that the games were played with, so it was not run", "game")
    found = offered_by(offer(game))
    if not (isinstance(found, type) and issubclass(found, PlainGame)):
        raise UsageError(f"{game}: {offer(game).value} is not derived from equipoise.PlainGame", "game")
    if found.name not in ("", game):
        raise UsageError(f"{game}: the class is called '{found.name}'; give both the same name", "game")
    return found


def digest_of(game: str) -> str:
    """Return the SHA-256 of the module, or of the package, that an entry point names; it is not run."""
    digest = sha256_of()
    for path in sources_of(offer(game).module, here=False):
        digest.update(path.read_bytes())
    return digest.hexdigest()
