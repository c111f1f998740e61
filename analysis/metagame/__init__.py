"""Empirical games: the wins of strategies against each other are taken as the payoffs of a game of their own."""

from __future__ import annotations

from analysis.metagame.alpha_rank import alpha_rank
from analysis.metagame.dominance import Elimination, eliminate
from analysis.metagame.equilibrium import Mix, equilibrium
from analysis.metagame.game import RoleGame, SymmetricGame

__all__ = ["Elimination", "Mix", "RoleGame", "SymmetricGame", "alpha_rank", "eliminate", "equilibrium"]
