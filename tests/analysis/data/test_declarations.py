"""What games declare."""

from __future__ import annotations

from pathlib import Path

import pytest

from analysis.api import load_declarations
from analysis.data.declarations import Declarations, declared
from simcore.errors import UsageError
from simcore.homes import Home


def test_a_game_without_declarations_gets_the_general_analyses_only(monkeypatch: pytest.MonkeyPatch) -> None:
    chess = Home(
        load=str,
        kit=str,
        declarations="analysis.games.chess",
        report="reports.games.chess",
        configs=Path("chess/configs"),
        package="chess",
        reference="chess",
    )
    monkeypatch.setattr("analysis.data.declarations.home", {"chess": chess}.__getitem__)
    assert load_declarations("chess") == Declarations()
    with pytest.raises(UsageError, match="Chess declares no economy; this analysis does not apply to it"):
        declared(Declarations().economy, "economy", "Chess")
