"""The game of these tests."""

from tests.nim import forgotten, nim  # noqa: F401  fixtures
