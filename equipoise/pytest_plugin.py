"""Pytest fixture `balance_check`: assert in a game's own tests that it is still balanced as its baseline says.

It is installed with the package (entry point group "pytest11") and imports nothing heavy until it is used.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import pytest

if TYPE_CHECKING:
    from analysis.check.checking import Check


class BalanceCheck(Protocol):
    """The value of the fixture `balance_check`: a function that checks one baseline."""

    def __call__(
        self,
        baseline: str | Path,
        *,
        full: bool = False,
        settings: Sequence[str] | Mapping[str, Any] = (),
        rules: str | None = None,
        strategies: Sequence[str] = (),
        seed: int | None = None,
        games: int | None = None,
        inconclusive: bool = False,
    ) -> Check:
        """Fail the test unless the baseline holds.

        baseline: Path of the file, relative to pytest's root folder.
        full: Whether to play fresh deals even if nothing changed.
        settings, rules, strategies: Changes of rules, rules and strategies to check instead of those that the baseline
            names.
        seed, games: Random seed of the fresh deals, and their largest number of games at each player count.
        inconclusive: Whether the test passes if there were too few games to decide.
        Returns analysis.check.checking.Check: The result, for further assertions.
        """


@pytest.fixture(scope="session")
def balance_check(pytestconfig: pytest.Config) -> BalanceCheck:
    """Check a committed balance baseline; a failure says what moved, by how much, and what had changed."""

    def run(baseline: str | Path, *, inconclusive: bool = False, **given: Any) -> Check:
        import equipoise as eq

        check, refused = eq.check, eq.UsageError
        from equipoise.output.checks import described

        try:
            found = check(pytestconfig.rootpath / baseline, **given)
        except refused as error:
            pytest.fail(f"balance_check: {error}", pytrace=False)
        if found.verdict != "pass" and not (inconclusive and found.verdict == "inconclusive"):
            pytest.fail(described(found), pytrace=False)
        return found

    return run
