"""Make docs/example-games.csv, results of made-up groups of our own players: python studies/example_games.py"""

from __future__ import annotations

import csv
from pathlib import Path

from simcore.running.batch import run_chunk
from strategies.spec import make_spec

FILE = Path(__file__).resolve().parents[1] / "docs/example-games.csv"
GROUPS = {"Tuesday": ("planner", 10), "Friday": ("planner", 8), "Club": ("champion", 6)}
"""By the name of each made-up group: who plays at all its seats, and how many games."""


def main() -> None:
    """Play the games and write one row for each seat."""
    rows = []
    for number, (group, (strategy, games)) in enumerate(GROUPS.items(), 1):
        spec = make_spec("middle-ages", 4, strategy, seed=100 + number, games=games)
        played = run_chunk(spec, 0, games).reshape(games, spec.players)
        for at, table in enumerate(played, 1):
            for seat, row in enumerate(table, 1):
                date = f"2026-{9 + number // 3:02d}-{2 + 3 * at % 27:02d}"
                rows.append((date, group, 4, seat, int(row["coins"]), int(row["place"] == 1), f"simulated {strategy}"))
    with FILE.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(("date", "group", "players", "seat", "score", "winner", "made_by"))
        writer.writerows(rows)


if __name__ == "__main__":
    main()
