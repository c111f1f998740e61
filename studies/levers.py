"""Does a player who knows levers stand for players tuned for each rule set?  docs/findings/levers.md, with its numbers.

`python -m studies.levers` draws rule sets in the ranges of each game's `adaptive`, tunes three players for each, and
plays games of these, of `adaptive` and of the player by habit, at the game's usual number of players; it measures what
`studies/levers.json` does not have yet, and can be stopped and started again.  Where a game ships no such player, it
makes one first.  `--only GAME` measures one game, and `write` writes the page alone.
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
from strategies.kit import EXPERTS
from strategies.library import load_strategy, shipped_strategies
from strategies.model import Strategy
from strategies.skill import players_of
from strategies.tuning import make_plan
from studies.measured import measured_today, stamped

FOUND, PAGE = Path(__file__).with_suffix(".json"), Path(__file__).resolve().parents[1] / "docs/findings/levers.md"
BUILD = Path(__file__).resolve().parents[1] / "build/levers"
NAME, SEED, SETS, TUNINGS, GENERATIONS, GAMES_EACH = "adaptive", 8, 5, 3, 60, 100_000

MADE = {
    "seigneurial": (2, ("due=1..4", "plays=1..4", "start_square=0..3")),
    "fief-2": (1, ("turns=10..20", "start.money=300..900", "prices.title=100..300")),
}
"""How many rule sets, and ranges of levers, for a player who is made here, of games that ship none."""

MADE_GENERATIONS = 120

Settings = dict[str, int]
Who = str | dict[str, str]
"""The player in all seats, or by role."""

BEGIN = """# Does a player who knows the levers stand for tuned ones?

`adaptive` [knows the values of some rules](../reference/tuning.md#a-player-who-knows-the-rules). Here are random rule
sets in its ranges that it never met. For each, experts were tuned {tunings} times, for {generations} generations. The
table shows the percentage that each seat wins if one player holds all seats ({games:,} games each): the mean of the
tuned players, and `adaptive`. *Spread* is by how many points the tuned players differ, and *beyond* by how many a
player lies outside their range, each in the seat where that is most. *Among tuned* is what one `adaptive` wins among
them, in multiples of par.

"""
END = """
In Médiévallons and Fief 2, tunings differ so much that three leave much room, and most tuned players beat `adaptive`.

Seigneurial and Fief 2 come with no such player. Those in their tables were tuned for {made} generations:

{ranges}

In Seigneurial, the lord was tuned first, and then the tenants. With the second rule set, untuned experts are closer to
the tuned players than `adaptive` is. *Among tuned* was not measured there. Fief 2 was measured when `champion` was its
expert.
"""


def adaptive(game: str, players: int) -> Who:
    """Return the player who knows levers; make it if the game ships none."""
    if NAME in shipped_strategies(load_game(game)):
        return NAME
    return _tuned(game, players, NAME, SEED, MADE_GENERATIONS, free=MADE[game][1])


def _tuned(game: str, players: int, name: str, seed: int, generations: int, **how: Any) -> Who:
    """Return the file of a tuned player, or one for each role, tuned in turn; make what is not there."""
    file = BUILD / game / f"{name}_{players}.toml"
    roles = [role.name for role in load_game(game).roles]
    files = {role: file.with_stem(f"{file.stem}_{role}") if len(roles) > 1 else file for role in roles}
    file.parent.mkdir(parents=True, exist_ok=True)
    if len(roles) > 1:
        how |= {"role": "all", "rounds": 1}
    if not all(one.is_file() for one in files.values()):
        eq.tune(game, players=players, budget=generations, seed=seed, out=file, **how)
    return {role: str(one) for role, one in files.items()} if len(roles) > 1 else str(file)


def first(game: str, who: Who) -> Strategy:
    """Return the player of the first role."""
    return load_strategy(load_game(game), who if isinstance(who, str) else next(iter(who.values())))


def drawn(player: Strategy, players: int, sets: int = SETS) -> list[Settings]:
    """Return random values of a player's levers, without those that it played when it was tuned."""
    recipe = shlex.split(player.provenance.get(f"players_{players}", player.provenance)["recipe"])
    free = [value for option, value in pairwise(recipe) if option == "--free"]
    seed = int(recipe[recipe.index("--seed") + 1])
    plan = make_plan(player.game, [players], free=free, seed=seed, role=player.role or None)
    known = {tuple(whole_values(plan.game, plan.rule_sets[number], plan.levers)) for number in plan.trained}
    rng, found = np.random.default_rng(SEED), list[Settings]()
    if len(known) == math.prod(one.lever.high - one.lever.low + 1 for one in player.levers):
        raise SystemExit(f"{player.name} has played all values of its levers at {players} players")
    while len(found) < sets:
        values = [int(rng.choice(np.arange(one.lever.low, one.lever.high + 1))) for one in player.levers]
        if tuple(values) not in known:
            found.append({one.lever.key: value for one, value in zip(player.levers, values, strict=True)})
    return found


def seats(game: str, players: int, who: Who, settings: Settings) -> list[float]:
    """Return the percentage of the games that each seat wins if one player, or one by role, holds all of them."""
    run = eq.simulate(game, players=players, strategies=who, settings=settings, games=GAMES_EACH, seed=SEED)
    return [round(100 * share, 2) for share in run.seats["win_share"]]


def wins(game: str, players: int, who: str, other: str, settings: Settings) -> float:
    """Return what one adaptive player wins among copies of another one, in multiples of par."""
    seated = [who, *[other] * (players - 1)]
    run = eq.simulate(game, players=players, strategies=seated, settings=settings, games=GAMES_EACH, seed=SEED + 1)
    name = first(game, who).name
    return round(float(run.by_strategy.row(by_predicate=pl.col("name") == name, named=True)["par_normalised"]), 3)


def tuned(game: str, players: int, settings: Settings, number: int) -> Who:
    """Return the player that is tuned for a rule set."""
    name = f"tuned_{'_'.join(str(int(value)) for value in settings.values())}_{number}"
    return _tuned(game, players, name, SEED + number, GENERATIONS, settings=settings)


def measure(game: str, players: int, who: Who, settings: Settings) -> dict[str, Any]:
    """Return what the seats win with each player, and what one adaptive player wins among tuned ones."""
    others = [tuned(game, players, settings, number) for number in range(TUNINGS)]
    pairs = [(who, other) for other in others if isinstance(who, str) and isinstance(other, str)]
    return {
        "settings": settings,
        "tuned": [seats(game, players, other, settings) for other in others],
        "adaptive": seats(game, players, who, settings),
        "habit": seats(game, players, players_of(game, EXPERTS), settings),
        "among": [wins(game, players, *pair, settings) for pair in pairs],
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
        lines += ["| rules | tuned | spread | `adaptive` | beyond | experts beyond | among tuned |"]
        lines += ["|---|---|---:|---|---:|---:|---:|"]
        for one in measured["sets"]:
            cells = [", ".join(f"`{key}={value}`" for key, value in one["settings"].items())]
            tables = [" / ".join(f"{share:.1f}" for share in who) for who in (np.mean(one["tuned"], axis=0), one[NAME])]
            cells += [tables[0], f"{np.ptp(one['tuned'], axis=0).max():.1f}", tables[1]]
            cells += [f"{beyond(one, who):.1f}" for who in (NAME, "habit")]
            cells.append(f"{min(one['among']):.2f} to {max(one['among']):.2f}" if one["among"] else "")
            lines.append(f"| {' | '.join(cells)} |")
        lines.append("")
    ranges = "\n".join(f"- {load_game(game).title}: `{'`, `'.join(some)}`" for game, (_, some) in MADE.items())
    begin = BEGIN.format(tunings=TUNINGS, generations=GENERATIONS, games=GAMES_EACH)
    return stamped(
        "levers", begin + "\n".join(lines).rstrip() + "\n" + END.format(made=MADE_GENERATIONS, ranges=ranges)
    )


def main() -> None:
    """Measure what is missing, and write the page."""
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("what", nargs="?", choices=["all", "write"], default="all")
    asked.add_argument("--only", choices=GAMES)
    given = asked.parse_args()
    found = json.loads(FOUND.read_text(encoding="utf-8")) if FOUND.is_file() else {}
    for game in () if given.what == "write" else [given.only] if given.only else GAMES:
        players = load_game(game).default_players
        name, made = f"{game}/{players}", game in MADE
        sets = MADE[game][0] if made else SETS
        if made and len(found.get(name, {}).get("sets", ())) == sets:
            continue
        who = adaptive(game, players)
        player = first(game, who)
        if found.get(name, {}).get("digest") != player.digest:
            found[name] = {"digest": player.digest, "sets": []}
        known = found[name]["sets"]
        for settings in drawn(player, players, sets)[len(known) :]:
            known.append(measure(game, players, who, settings))
            FOUND.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
            measured_today("levers")
    PAGE.write_text(page(found), encoding="utf-8")


if __name__ == "__main__":
    main()
