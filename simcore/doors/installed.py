"""The door for games in plain Python that installed packages offer: an entry point names the class, `nim_game:Nim`."""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import sha256 as sha256_of

from simcore.errors import UsageError
from simcore.homes import offer, offered_by
from simcore.imports import module_sources
from simcore.plain.game import PlainGame
from simcore.plain.playing import Opened


def opened(game: str, sha256: str = "", modules: Mapping[str, str] | None = None) -> Opened:
    """Return the class that an installed package offers as a game.

    game: Name of the entry point.
    sha256: Digest that the package must have before any of it runs; empty if it may be any.
    modules: Not used: the digest is that of the whole package.
    Raises UsageError if no package offers it, the package is another one, or the class is no game of that name.
    """
    digest = digest_of(game)
    if sha256 not in ("", digest):
        raise UsageError(f"{game}: is not the version that the games were played with, so it was not run", "game")
    found = offered_by(offer(game))
    if not (isinstance(found, type) and issubclass(found, PlainGame)):
        raise UsageError(f"{game}: {offer(game).value} is not derived from equipoise.PlainGame", "game")
    if found.name not in ("", game):
        raise UsageError(f"{game}: the class is called '{found.name}'; give both the same name", "game")
    return Opened(found, digest, {})


def digest_of(game: str) -> str:
    """Return the SHA-256 of the module, or of the package, that an entry point names; it is not run."""
    sources = module_sources(offer(game).module, here=False)
    return sha256_of(b"".join(data for _, data in sources.files) if sources else b"").hexdigest()
