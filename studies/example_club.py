"""Make docs/example-club.csv, the example of docs/your-results.md: results of a club that does not exist.

Seven people play 150 games of three or four.  The first seat is worth 0.3 logits more than the others, and strong
people like the last seat.  Run `python studies/example_club.py` in the root of the repository.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

PEOPLE = {"Ada": 0.7, "Ben": 0.4, "Cleo": 0.2, "Dan": 0.0, "Eva": -0.2, "Finn": -0.4, "Gus": -0.7}
GAMES, FIRST = 150, 0.3
OUT = Path("docs/example-club.csv")


def table(seed: int = 28) -> list[str]:
    """Return the rows of the file, the names of the columns first."""
    chance = np.random.Generator(np.random.PCG64(seed))
    rows = ["game,seat,player,points,minutes"]
    for game in range(1, GAMES + 1):
        seats = 4 if game % 3 else 3
        who = list(chance.permutation(list(PEOPLE))[:seats])
        who.sort(key=lambda name: PEOPLE[name] + chance.gumbel(0, 0.5))
        minutes = int(chance.integers(35, 75))
        for seat, name in enumerate(who, 1):
            points = 40 + 8 * (PEOPLE[name] + FIRST * (seat == 1) + chance.gumbel())
            rows.append(f"{game},{seat},{name},{points:.0f},{minutes}")
    return rows


if __name__ == "__main__":
    OUT.write_text("\n".join(table()) + "\n", encoding="utf-8")
