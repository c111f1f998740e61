"""The smallest starting coins that make the seats even, found by `equipoise mend` for each number of players.

Under the printed rules, champions are tuned for the coins that are tried.  Under gentler Barracks, the players are
those who were tuned for that rule (see `mending`), and they play the coins as they are.
"""

from __future__ import annotations

from typing import Any

import polars as pl
from measure import CHOICE, PLAYERS, Found
from mending import GENTLE, Change, tuned

import equipoise as eq

GAMES, GENERATIONS = 4_000, 10
OPTIONS = f"--seed {CHOICE} --games {GAMES} --best 1"
COMMANDS = {
    "paid": f"equipoise mend {OPTIONS} --retune {GENERATIONS}",
    "both": f"equipoise mend {OPTIONS} --rules {GENTLE} --strategies mine.toml --habit",
}


def mended(games: int) -> Found:
    """Search at every number of players; the number of games of the other sections does not matter here."""
    return {
        key: {"command": command, "players": {str(players): _searched(key, players) for players in PLAYERS}}
        for key, command in COMMANDS.items()
    }


def _searched(key: str, players: int) -> dict[str, Any]:
    """Return the best change and what it leaves, what a smaller one leaves, and the prices of the seats."""
    more: dict[str, Any] = {"retune": str(GENERATIONS)}
    if key == "both":
        gentle = Change("gentle", "", GENTLE)
        more = {"rules": GENTLE, "strategies": tuned(gentle, players), "habit": True}
    found = eq.mend(players=players, games=GAMES, best=1, seed=CHOICE, progress=True, yes=True, **more).mend
    prices, best = found.prices.to_dicts(), found.changes.filter(pl.col("variant").is_null()).row(0, named=True)
    change, coins = best["change"], pl.col("change").str.starts_with("starting_coins") | (pl.col("change") == "")
    left = found.frontier.filter(coins).select("touched", "change", "off", "off_low", "off_high").to_dicts()
    seats = found.table.filter((pl.col("rank") == best["rank"]) & ~pl.col("kept"))
    return {
        "coins": _coins(change, players),
        "left": next(row for row in left if row["change"] == change),
        "target": best["target"],
        "deals": best["deals"],
        "seats": seats.select("before", "habit", "value", "value_low", "value_high").to_dicts(),
        "frontier": [{**row, "coins": _coins(row["change"], players)} for row in left],
        "prices": [row["price"] for row in prices],
        "prices_half": max((row["price_high"] - row["price"] for row in prices), default=0.0),
        "tunings": len(found.retuned),
    }


def _coins(change: str, players: int) -> str:
    """Return the coins of every seat."""
    given = dict(setting.split("=") for setting in change.split(", ") if setting)
    return ", ".join(given.get(f"starting_coins.{seat}", "0") for seat in range(1, players + 1))
