"""The checks themselves come with the package; here they run for the games that `--games` names."""

from equipoise.conformance.plugin import pytest_generate_tests  # noqa: F401
