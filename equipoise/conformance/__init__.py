"""The checks that every game has to pass, for `equipoise test-game` and for the tests of this repository.

They are ordinary tests for pytest, so that a game's own test suite can run them too:
`pytest --pyargs equipoise.conformance -p equipoise.conformance.plugin --games NAME`.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from simcore.errors import UsageError

FOLDER = Path(__file__).parent
EXTRA = "pip install 'equipoise[test]'"


def check_game(game: str, more: Sequence[str] = ()) -> bool:
    """Run the checks for one game, print what pytest prints, and return whether all of them passed.

    Parameters
    ----------
    game
        Name of the game.
    more
        Further arguments for pytest.

    Returns
    -------
    bool
        Whether all checks passed.

    Raises
    ------
    UsageError
        If pytest is not installed, or it cannot run the checks.
    """
    try:
        import pytest
    except ImportError:
        raise UsageError(f"test-game needs pytest; install it with: {EXTRA}") from None

    own = ("-c", str(FOLDER / "pytest.ini"), "-p", "equipoise.conformance.plugin", "-p", "no:cacheprovider")
    code = pytest.main([str(FOLDER), *own, "--games", game, *more])
    if code not in (pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED):
        raise UsageError(f"test-game: pytest could not run the checks of '{game}' (its exit code is {int(code)})")
    return code == pytest.ExitCode.OK
