"""What people did, beside what our players say: docs/findings/people.md and the numbers behind it.

`python -m studies.people FOLDER` counts Othello's public records, the files `WTH_*.pgn` of
github.com/MartinMSPedersen/othello-games, and writes `studies/people.json` and the page; `python -m studies.people`
writes the page alone. Only counts by seat are stored, never games.
"""

from __future__ import annotations

import json
import re
import sys
from collections import Counter
from datetime import date
from pathlib import Path
from typing import Any

import numpy as np
from scipy.optimize import minimize
from scipy.special import expit

from studies.atlas import page as atlas
from studies.atlas.cells import TWENTY
from studies.measured import stamped

COUNTS, PAGE = Path(__file__).with_suffix(".json"), Path(__file__).resolve().parents[1] / "docs/findings/people.md"
ATLAS = Path(__file__).parent / "atlas/found.json"
TAG = re.compile(r'\[(\w+) "(.*)"\]')
WITHOUT = range(1995, 2005)
"""Years in which programs play among people, and results are missing."""

LEAST, RIDGE, Z = 15, 0.1, 1.96
Game = tuple[str, str, float]
"""Who moves first, who moves second, and what part of the win the first takes."""


def games_of(folder: Path) -> list[Game]:
    """Return the games between two different people with names, outside the years that are left out."""
    played: list[Game] = []
    for file in sorted(folder.rglob("WTH_*.pgn")):
        tags: dict[str, str] = {}
        for name, value in TAG.findall(file.read_text(encoding="utf-8")):
            tags[name] = value
            if {"Black", "White", "Result"} <= tags.keys():
                first, second = tags["Black"], tags["White"]
                ours, theirs = map(int, tags["Result"].split("-"))
                if first != second and int(file.stem[-4:]) not in WITHOUT and _is_person(first) and _is_person(second):
                    played.append((first, second, 0.5 + np.sign(ours - theirs) / 2))
                tags = {}
    many = Counter(name for game in played for name in game[:2])
    return [game for game in played if min(many[game[0]], many[game[1]]) >= LEAST]


def _is_person(name: str) -> bool:
    """Programs have their author in brackets; who is not known has a question mark."""
    return not re.search(r"[?(]", name)


def measure(games: list[Game]) -> dict[str, Any]:
    """Return the counts, and what the first of two equally strong people wins: in all games, and by strength."""
    names = {name: at for at, name in enumerate(sorted({name for game in games for name in game[:2]}))}
    one, two = (np.array([names[game[at]] for game in games]) for at in (0, 1))
    won = np.array([game[2] for game in games])

    def loss(x: np.ndarray) -> tuple[float, np.ndarray]:
        logit = x[0] + x[1 + one] - x[1 + two]
        wrong = expit(logit) - won
        slope = x.copy() * RIDGE
        slope[0] = wrong.sum()
        slope[1:] += np.bincount(one, wrong, len(names)) - np.bincount(two, wrong, len(names))
        return float((np.logaddexp(0, logit) - won * logit).sum() + RIDGE / 2 * (x[1:] ** 2).sum()), slope

    fit = minimize(loss, np.zeros(1 + len(names)), jac=True, method="L-BFGS-B", options={"maxiter": 2000}).x
    strength = fit[1:]
    level, gap = strength[one] + strength[two], strength[one] - strength[two]
    fifths = np.digitize(level, np.quantile(level, [0.2, 0.4, 0.6, 0.8]))
    parts = [fifths >= 0, *(fifths == fifth for fifth in range(5))]
    return {
        "date": date.today().isoformat(),
        "people": len(names),
        "shares": [_first(gap[part], won[part]) for part in parts],
        "counts": [[int((won[part] == share).sum()) for share in (1, 0.5, 0)] for part in parts],
    }


def _first(gap: np.ndarray, won: np.ndarray) -> list[float]:
    """Return what the first of two equals wins, and half its 95 % range, where the gaps in strength are given."""
    term = 0.0
    for _ in range(20):
        chance = expit(term + gap)
        term += (won - chance).sum() / (chance * (1 - chance)).sum()
    error = (chance * (1 - chance)).sum() ** -0.5
    share = float(expit(term))
    return [share, float(Z * error * share * (1 - share))]


def ours() -> str:
    """Return the rows of our players, from the numbers of the atlas."""
    played = json.loads(ATLAS.read_text(encoding="utf-8"))
    (othello,) = (published for published in TWENTY if published.title == "Othello")
    rows = ""
    for cell in othello.cells():
        seen = atlas.told(played[cell.key])
        assert seen is not None
        share = seen.shares[0]
        rows += f"| `{cell.player}` | {seen.games:,} | {share.value:.1%} ({share.low:.1%} to {share.high:.1%}) |\n"
    return rows.replace("%", " %")


TEXT = """# What people did

May you believe bots? Here are two games of which public results of people exist, and what programs say about the same
seats. **Ask people before you believe a tilt among bots**: in Catan, a usual bot finds an
advantage that people do not have, and in Othello, random players come closer to people than our best one.

## Othello, two players

People's results are the tournament records of WTHOR, 1977 to 2025, as PGN files in the public repository
[othello-games](https://github.com/MartinMSPedersen/othello-games) (commit `5f4b0f0`), which calls them public domain.
The years 1995 to 2004 are left out, because programs play among the people and results are missing. Counted are games
of two different people with names and at least {least} games each: {games:,} games of {people:,} people, counted on
{date}. The share is what the first of two equally strong people wins (a Bradley-Terry logit with a term for moving
first, ties half, ridge {ridge} on the strengths).

| people, by the strength of the two at the table | first wins | ties | second wins | the first of two equals wins |
|---|---:|---:|---:|---|
{rows}
Our players, from the [atlas](atlas.md):

| player in both seats | games | the first wins |
|---|---:|---|
{ours}
So people lose a little by moving first; the estimate lies below one half in each fifth. Random players lose more by it.
The range of our best player includes a fair share: its games are too few to say more.

## Catan, four players

People's figures were not counted again: they are those that the data set
[Catan-data/dataset](https://github.com/Catan-data/dataset) publishes in its README and FINDINGS; the games are not in
its repository. The bot is `ab_decide(player, 1, True)` of the package fastcatan 1.0.2 in all seats, played on 28
November 2026; seats are counted from whoever places first.

| who | games | seat 1 | 2 | 3 | 4 |
|---|---:|---:|---:|---:|---:|
| people on an online table | 41,310 | 24.9 % | 25.0 % | 25.2 % | 25.0 % |
| the usual bot, which looks one move ahead (± 0.8) | 11,300 | 28.4 % | 26.1 % | 23.7 % | 21.8 % |
| the same, two moves ahead (± 4) | 449 | 30 % | 25 % | 21 % | 24 % |
| the same, one move ahead, 10 % of the moves at random | 3,810 | 26.7 % | 26.0 % | 24.1 % | 23.3 % |
| 30 % at random | 4,029 | 27.7 % | 24.9 % | 24.5 % | 23.0 % |
| 60 % at random | 2,558 | 26.6 % | 24.9 % | 24.4 % | 24.2 % |

Blunders alone do not turn the bot into people. It handles trades in its own way, and lacks what people do: block,
trade, rob the leader.

## Misses

Othello: our random players are {miss:.1f} points from people, our best one {best:.1f}. Catan: the bot's first seat is
3.5 points from people's, and its last one 3.2. No other game was tried: a game belongs here only with a source that a
reader can check. Your own game has one: [your playtests](../your-results.md).

Only counts are stored, never games.
"""


def page(counted: dict[str, Any]) -> str:
    """Return the page."""
    names = ["all", "weakest fifth", "second", "third", "fourth", "strongest fifth"]
    rows = "".join(
        f"| {name} | {counts[0]:,} | {counts[1]:,} | {counts[2]:,} | {100 * share:.1f} % (± {100 * half:.1f}) |\n"
        for name, counts, (share, half) in zip(names, counted["counts"], counted["shares"], strict=True)
    )
    mean = 100 * counted["shares"][0][0]
    mine = ours()
    miss, best = (abs(float(share) - mean) for share in re.findall(r"\| (\d+\.\d) % \(", mine))
    text = TEXT.format(
        rows=rows, ours=mine, games=sum(counted["counts"][0]), people=counted["people"], date=counted["date"],
        least=LEAST, ridge=RIDGE, miss=miss, best=best,
    )  # fmt: skip
    return stamped("people", text, [counted["date"]])


if __name__ == "__main__":
    if sys.argv[1:]:
        COUNTS.write_text(json.dumps(measure(games_of(Path(sys.argv[1]))), indent=1) + "\n", encoding="utf-8")
    PAGE.write_text(page(json.loads(COUNTS.read_text(encoding="utf-8"))), encoding="utf-8")
