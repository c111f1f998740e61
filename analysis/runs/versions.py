"""What a result may depend on apart from the games: versions of libraries and random streams, and the code."""

from __future__ import annotations

import hashlib
import platform
import sys
from importlib.metadata import PackageNotFoundError, version

from simcore.homes import home
from simcore.kernel.cache import code_of
from simcore.kernel.streams import STREAM_VERSION

LIBRARIES = ("numba", "numpy", "polars")

STREAM = "stream_version"
"""Key of the version of the random streams; what was written before it was stored used the first."""


def code_of_game(game: str) -> str:
    """Return the SHA-256 of the code that plays a game."""
    found = home(game)
    code = code_of(found.package)
    return hashlib.sha256((code + found.source).encode()).hexdigest() if found.source else code


def versions() -> dict[str, str]:
    """Return the versions that a result may depend on."""
    try:
        own = version("equipoise")
    except PackageNotFoundError:
        own = "unknown"
    return {
        "equipoise": own,
        "python": platform.python_version(),
        **{name: version(name) for name in LIBRARIES},
        STREAM: str(STREAM_VERSION),
        "machine": platform.machine(),
        "system": sys.platform,
    }
