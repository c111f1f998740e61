"""Does a player who knows levers stand for players who are tuned for each rule set?  docs/levers.md, and its numbers.

`python -m studies.levers` draws rule sets in the ranges of each game's `adaptive`, tunes three players for each, and
plays games of these, of `adaptive` and of the player by habit, at the game's usual number of players; it measures what
`studies/levers.json` does not have yet, and can be stopped and started again.  `--only GAME` measures one game, and
`write` writes the page alone.
"""

from __future__ import annotations

import argparse
import json
import math
import shlex
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

import equipoise as eq
from simcore.game import load_game
from simcore.homes import GAMES
from simcore.rules.levers import whole_values
from strategies.kit import load_kit
from strategies.library import load_strategy, shipped_strategies
from strategies.model import Strategy
from strategies.tuning import make_plan

FOUND, PAGE = Path(__file__).with_suffix(".json"), Path(__file__).resolve().parents[1] / "docs/levers.md"
BUILD = Path(__file__).resolve().parents[1] / "build/levers"
NAME, SEED, SETS, TUNINGS, GENERATIONS, GAMES_EACH = "adaptive", 8, 5, 3, 60, 100_000

Settings = dict[str, int]

BEGIN = """# Does a player who knows the levers stand for tuned ones?

`adaptive` [knows the values of some rules](tuning.md#a-player-who-knows-the-rules). Here are {sets} random rule sets in
its ranges that it never played. For each, the champion was tuned {tunings} times, for {generations} generations. The
table shows the percentage that each seat wins if one player holds all seats ({games:,} games each): the mean of the
tuned players, and `adaptive`. *Spread* is by how many points the tuned players differ, and *beyond* by how many a
player lies outside their range, each in the seat where that is most. *Among tuned* is what one `adaptive` wins among
them, in multiples of par.

"""
END = """
In Médiévallons, tunings differ so much that three leave much room, and most tuned players beat `adaptive`.

`python -m studies.levers` measures this page again.
"""


def drawn(player: Strategy, players: int) -> list[Settings]:
    """Return random values of a player's levers, without those that it played when it was tuned."""
    recipe = shlex.split(player.provenance[f"players_{players}"]["recipe"])
    free = [value for option, value in pairwise(recipe) if option == "--free"]
    plan = make_plan(player.game, [players], free=free, seed=int(recipe[recipe.index("--seed") + 1]))
    known = {tuple(whole_values(plan.game, plan.rule_sets[number], plan.levers)) for number in plan.trained}
    rng, found = np.random.default_rng(SEED), list[Settings]()
    if len(known) == math.prod(one.lever.high - one.lever.low + 1 for one in player.levers):
        raise SystemExit(f"{player.name} has played all values of its levers at {players} players")
    while len(found) < SETS:
        values = [int(rng.choice(np.arange(one.lever.low, one.lever.high + 1))) for one in player.levers]
        if tuple(values) not in known:
            found.append({one.lever.key: value for one, value in zip(player.levers, values, strict=True)})
    return found


def seats(game: str, players: int, name: str, settings: Settings) -> list[float]:
    """Return the percentage of the games that each seat wins if one player holds all of them."""
    run = eq.simulate(game, players=players, strategies=name, settings=settings, games=GAMES_EACH, seed=SEED)
    return [round(100 * share, 2) for share in run.seats["win_share"]]


def wins(game: str, players: int, other: str, settings: Settings) -> float:
    """Return what one adaptive player wins among copies of another one, in multiples of par."""
    seated = [NAME, *[other] * (players - 1)]
    run = eq.simulate(game, players=players, strategies=seated, settings=settings, games=GAMES_EACH, seed=SEED + 1)
    return round(float(run.by_strategy.row(by_predicate=pl.col("name") == NAME, named=True)["par_normalised"]), 3)


def tuned(game: str, players: int, base: str, settings: Settings, number: int) -> str:
    """Return the file of a player that is tuned for a rule set; make it if it is not there."""
    at = "_".join(str(int(value)) for value in settings.values())
    file = BUILD / game / f"tuned_{players}_{at}_{number}.toml"
    file.parent.mkdir(parents=True, exist_ok=True)
    if not file.is_file():
        how: dict[str, Any] = {"start_from": base, "budget": GENERATIONS, "seed": SEED + number}
        eq.tune(game, players=players, settings=settings, out=file, **how)
    return str(file)


def measure(game: str, players: int, base: str, settings: Settings) -> dict[str, Any]:
    """Return what the seats win with each player, and what one adaptive player wins among tuned ones."""
    files = [tuned(game, players, base, settings, number) for number in range(TUNINGS)]
    return {
        "settings": settings,
        "tuned": [seats(game, players, file, settings) for file in files],
        "adaptive": seats(game, players, NAME, settings),
        "habit": seats(game, players, base, settings),
        "among": [wins(game, players, file, settings) for file in files],
    }


def beyond(one: dict[str, Any], name: str) -> float:
    """Return how far a player's seats lie outside those of the tuned players, in points, where that is most."""
    least, most = np.min(one["tuned"], axis=0), np.max(one["tuned"], axis=0)
    return float(np.maximum(least - one[name], one[name] - most).max().clip(0))


def page(found: dict[str, Any]) -> str:
    """Return the text of the page."""
    lines = []
    for name, measured in found.items():
        game, players = name.split("/")
        lines += [f"## {load_game(game).title}, {players} players", ""]
        lines += ["| rules | tuned | spread | `adaptive` | beyond | `champion` beyond | among tuned |"]
        lines += ["|---|---|---:|---|---:|---:|---:|"]
        for one in measured["sets"]:
            cells = [", ".join(f"`{key}={value}`" for key, value in one["settings"].items())]
            tables = [" / ".join(f"{share:.1f}" for share in who) for who in (np.mean(one["tuned"], axis=0), one[NAME])]
            cells += [tables[0], f"{np.ptp(one['tuned'], axis=0).max():.1f}", tables[1]]
            cells += [f"{beyond(one, who):.1f}" for who in (NAME, "habit")]
            cells.append(f"{min(one['among']):.2f} to {max(one['among']):.2f}")
            lines.append(f"| {' | '.join(cells)} |")
        lines.append("")
    begin = BEGIN.format(sets=SETS, tunings=TUNINGS, generations=GENERATIONS, games=GAMES_EACH)
    return begin + "\n".join(lines).rstrip() + "\n" + END


def main() -> None:
    """Measure what is missing, and write the page."""
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("what", nargs="?", choices=["all", "write"], default="all")
    asked.add_argument("--only", choices=GAMES)
    given = asked.parse_args()
    found = json.loads(FOUND.read_text(encoding="utf-8")) if FOUND.is_file() else {}
    for game in () if given.what == "write" else [given.only] if given.only else GAMES:
        if NAME not in shipped_strategies(load_game(game)):
            continue
        player = load_strategy(load_game(game), NAME)
        base = load_kit(game).default_of(load_game(game).role_names[0])
        players = load_game(game).default_players
        name, now = f"{game}/{players}", {"digest": player.digest, "sets": []}
        if found.get(name, {}).get("digest") != player.digest:
            found[name] = now
        known = found[name]["sets"]
        for settings in drawn(player, players)[len(known) :]:
            known.append(measure(game, players, base, settings))
            FOUND.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    PAGE.write_text(page(found), encoding="utf-8")


if __name__ == "__main__":
    main()
