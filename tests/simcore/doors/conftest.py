"""The game of these tests."""

from tests.equipoise.conftest import cli  # noqa: F401  a fixture
from tests.nim import forgotten, nim  # noqa: F401  fixtures
