"""What the shipped players lose per decision: docs/findings/losses.md and the numbers behind it.

`python -m studies.losses` plays what `studies/losses.json` does not have yet for the players as they are, 15 seconds of
processor time or four games for each, and writes both; it can be stopped and started again.  `--only GAME` plays one
game, `--seconds S` sets the time, and `write` writes the page alone.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

import equipoise as eq
from analysis.stats.intervals import with_few
from simcore.game import load_game
from simcore.homes import GAMES
from strategies.decision_costs import decision_costs
from strategies.kit import EXPERTS, SKILLS
from strategies.library import load_strategy, shipped_strategies
from strategies.skill import players_of, skills_of
from strategies.tuning.search import Z95
from studies.measured import measured_today, stamped

FOUND, PAGE = Path(__file__).with_suffix(".json"), Path(__file__).resolve().parents[1] / "docs/findings/losses.md"
SEED, SECONDS, LEAST, MOST = 7, 15.0, 4, 200
"""Of the deals; processor time for each player, and the fewest and the most games in it."""

BEGIN = """# How much do the players lose per decision?

A player who always makes the best move loses nothing. Here every shipped player holds all seats of a table, by the
printed rules, with the game's usual number of players. At every decision among several moves, all of them are tried on
the same 64 imagined tables, which the game's experts play to the end. What the chosen move wins less than the best one
there is its loss, in points of the chance to win, as in [what moves cost](../reference/replay.md#what-moves-cost).

"""
END = """
- The range is that of the mean, at 95 %, from game to game ({least} to {most} games; fewer than 30 give none). *Per
  game* adds up the losses of one seat.
- As 64 tables do not always show the best move, a player who finds it better than they do gets a figure below 0.
- **The judge is not perfect.** Experts play the imagined tables on, so a move that only a stronger player would know
  how to use looks worse than it is.
- Players are compared in the positions that they reach themselves. Many decisions without consequence make a loss per
  decision small, so compare *per game*, too.

`equipoise replay --costs` measures one game of a run of your own.
"""


def lines_of(game: str) -> Iterator[tuple[str, list[str] | dict[str, str]]]:
    """Yield who can hold all seats, with a name for the line."""
    found = load_game(game)
    if not found.asymmetric:
        for name in shipped_strategies(found):
            yield name, [name]
        return
    for skill in skills_of(game):
        named = players_of(game, skill)
        yield ", ".join(dict.fromkeys(named.values())), dict(named)
    for name in shipped_strategies(found):
        if not load_strategy(found, name).role and name not in players_of(game, SKILLS[-1]).values():
            yield name, [name]


def measure(game: str, seated: list[str] | dict[str, str], seconds: float = SECONDS) -> dict[str, Any]:
    """Return what a player loses per decision and per game, in points.

    game, seated: What is played, and by whom.
    seconds: Processor time; a game that has begun is played to the end.
    """
    spec = eq.make_spec(game, None, seated, seed=SEED, games=MOST)
    began, games = time.process_time(), []
    while len(games) < LEAST or (time.process_time() - began < seconds and len(games) < MOST):
        games.append([100 * one.loss for one in decision_costs(spec, len(games))])
    lost, made = np.array([sum(game) for game in games]), np.array([len(game) for game in games])
    mean = lost.sum() / made.sum()
    error = float((lost - mean * made).std(ddof=1) / made.mean() / len(games) ** 0.5)
    half = float(with_few(Z95, len(games))) * error
    low, high = (None if np.isnan(half) else round(float(end), 4) for end in (mean - half, mean + half))
    return {"players": spec.players, "games": len(games), "decisions": int(made.sum())} | {
        "loss": round(float(mean), 4), "low": low, "high": high,
        "per_game": round(float(lost.mean() / spec.players), 3),
    }  # fmt: skip


def digest(game: str, seated: list[str] | dict[str, str]) -> str:
    """Return what changes with the players and with the experts who judge them."""
    names = [*(seated.values() if isinstance(seated, dict) else seated), *players_of(game, EXPERTS).values()]
    return " ".join(load_strategy(load_game(game), name).digest[:12] for name in names)


def page(found: dict[str, Any]) -> str:
    """Return the text of the page."""
    lines = []
    for game in GAMES:
        known = sorted((one["loss"], name, one) for name, one in found.get(game, {}).items())
        if not known:
            continue
        lines += [f"## {load_game(game).title}, {known[0][2]['players']} players", ""]
        lines += ["| player | points lost per decision | per game |", "|---|---:|---:|"]
        for loss, name, one in known:
            who = ", ".join(f"`{part}`" for part in name.split(", "))
            ends = "" if one["low"] is None else f" ({round(one['low'], 2) + 0:.2f} to {one['high']:.2f})"
            cells = [f"{loss:.2f}{ends}", f"{one['per_game']:.1f}"]
            lines.append(f"| {who} | {' | '.join(cells).replace('-', '−')} |")
        lines.append("")
    games = [one["games"] for players in found.values() for one in players.values()]
    return stamped("losses", BEGIN + "\n".join(lines).rstrip() + "\n" + END.format(least=min(games), most=max(games)))


def main() -> None:
    """Measure what is missing, and write the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", nargs="?", choices=["write"])
    parser.add_argument("--only", choices=GAMES)
    parser.add_argument("--seconds", type=float, default=SECONDS)
    asked = parser.parse_args()
    found = json.loads(FOUND.read_text(encoding="utf-8")) if FOUND.is_file() else {}
    for game in () if asked.what else (asked.only,) if asked.only else GAMES:
        for name, seated in lines_of(game):
            made_by = digest(game, seated)
            if found.get(game, {}).get(name, {}).get("digest") == made_by:
                continue
            found.setdefault(game, {})[name] = measure(game, seated, asked.seconds) | {"digest": made_by}
            print(game, name, found[game][name], flush=True)
            FOUND.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
            measured_today("losses")
    PAGE.write_text(page(found), encoding="utf-8")


if __name__ == "__main__":
    main()
