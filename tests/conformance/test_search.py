"""The checks of games that let strategies look ahead, for those of this repository and the small one in tests/games."""

from equipoise.conformance.test_search import *  # noqa: F403
