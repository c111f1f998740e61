"""The smallest starting coins that make the seats even, found by `equipoise mend` for each number of players.

The champions play as they are: those who were tuned for such coins do not play better (see `mending`).
"""

from __future__ import annotations

from typing import Any

from measure import CHOICE, PLAYERS, Found

import equipoise as eq

GAMES = 4_000
COMMAND = f"equipoise mend --habit --seed {CHOICE} --games {GAMES} --best 1"


def mended(games: int) -> Found:
    """Search at every number of players; the number of games of the other sections has no say in it."""
    return {"command": COMMAND, "players": {str(players): _searched(players) for players in PLAYERS}}


def _searched(players: int) -> dict[str, Any]:
    """Return the best change, what it leaves, what a smaller one leaves, and the prices of the seats."""
    found = eq.mend(players=players, games=GAMES, best=1, habit=True, seed=CHOICE, progress=True).mend
    prices, change = found.prices.to_dicts(), found.changes["change"][0]
    left = found.frontier.select("touched", "change", "off", "off_low", "off_high").to_dicts()
    return {
        "coins": _coins(change, players),
        "left": next(row for row in left if row["change"] == change),
        "target": found.changes["target"][0],
        "deals": found.changes["deals"][0],
        "seats": found.table.select("before", "value", "value_low", "value_high").to_dicts(),
        "frontier": [{**row, "coins": _coins(row["change"], players)} for row in left],
        "prices": [row["price"] for row in prices],
        "prices_half": max((row["price_high"] - row["price"] for row in prices), default=0.0),
    }


def _coins(change: str, players: int) -> str:
    """Return the coins of every seat."""
    given = dict(setting.split("=") for setting in change.split(", ") if setting)
    return ", ".join(given.get(f"starting_coins.{seat}", "0") for seat in range(1, players + 1))
