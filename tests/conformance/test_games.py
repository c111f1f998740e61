"""The checks that every game has to pass, for those of this repository and the small one in tests/games."""

from equipoise.conformance.test_games import *  # noqa: F403
