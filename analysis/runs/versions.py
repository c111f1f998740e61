"""What a result may depend on apart from the games: the versions of libraries, and the code that plays."""

from __future__ import annotations

import platform
import sys
from importlib.metadata import PackageNotFoundError, version

from simcore.homes import home
from simcore.kernel.cache import code_of

LIBRARIES = ("numba", "numpy", "polars")


def code_of_game(game: str) -> str:
    """Return the SHA-256 of the code that plays a game."""
    return code_of(home(game).descriptor.partition(".")[0])


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
        "machine": platform.machine(),
        "system": sys.platform,
    }
