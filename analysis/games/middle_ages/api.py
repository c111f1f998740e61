"""The analyses that only Middle-Ages has, to be imported from one place."""

from __future__ import annotations

from analysis.games.middle_ages.components import Components, components
from analysis.games.middle_ages.holdings import (
    Holdings,
    PickRates,
    PickValues,
    TokenValues,
    holdings,
    pick_rates,
    pick_values,
    token_values,
)

__all__ = [
    "Components", "Holdings", "PickRates", "PickValues", "TokenValues", "components", "holdings", "pick_rates",
    "pick_values", "token_values",
]  # fmt: skip
