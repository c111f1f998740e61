"""The checks themselves come with the package; here they run for the games that `--games` names."""

import pytest

pytest.register_assert_rewrite("equipoise.conformance")

from equipoise.conformance.plugin import pytest_generate_tests  # noqa: E402, F401
