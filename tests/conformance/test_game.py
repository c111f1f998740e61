"""The checks that every game has to pass, for those of this repository and the small ones in tests/games."""

from equipoise.conformance.test_game import test_game  # noqa: F401
