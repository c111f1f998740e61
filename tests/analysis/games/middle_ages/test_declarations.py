"""What Middle-Ages declares."""

from __future__ import annotations

from analysis.api import load_declarations
from analysis.games.middle_ages.holdings import COINS, COMPONENTS, HELD, NUMBER, POSITION, TOKENS, TURN
from simcore.running.batch import Spec


def test_every_declared_column_exists(spec: Spec) -> None:
    declared = load_declarations("middle-ages")
    known = {column.name for column in spec.game.columns}
    assert declared.cards and declared.economy and declared.titles
    named = [declared.turn, declared.tie_break, *declared.trajectory, *declared.cards.columns, *declared.economy.flows]
    named += [*HELD.values(), "penalty"]
    named += [column for columns in TOKENS.values() for column in columns.values()]
    named += [*NUMBER, *POSITION, *TURN, *COINS]
    named += [source.column for source in declared.economy.sources] + [part.column for part in COMPONENTS]
    assert {str(name) for name in named} <= known
    titles = {**declared.cards.titles(spec.rules.values), **declared.titles(spec.rules.values)}
    assert titles["alliance"] == {"en": "Alliance", "fr": "Alliance"}
    assert titles["church"] == {"en": "Church", "fr": "Église"}
