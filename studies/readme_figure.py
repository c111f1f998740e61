"""Make the figure of the README: python studies/readme_figure.py"""

from __future__ import annotations

from pathlib import Path

import matplotlib as mpl

from analysis.seats.shares import seat_shares
from reports.figures.seats import SeatAdvantage
from reports.render.theme import theme
from simcore.running.executors import default_threads, execute
from strategies.spec import make_spec

SKILLS = ("random", "greedy", "champion")
GAMES = 1_000_000


def main() -> None:
    """Play one run for each level of skill, and draw the seat advantage by skill."""
    mpl.use("svg")
    import matplotlib.pyplot as plt

    specs = {skill: make_spec(strategies=[skill], games=GAMES) for skill in SKILLS}
    runs = {skill: seat_shares(spec, execute(spec, default_threads()).tally) for skill, spec in specs.items()}
    figure = SeatAdvantage.of_shares(runs)
    with theme():
        canvas, axes = plt.subplots(figsize=(8, 4))
        figure.draw(axes)
        axes.set_title("Stronger players move the advantage from the last seat to the first", pad=20)
        canvas.savefig(Path(__file__).resolve().parents[1] / "docs/seat-advantage.svg", metadata={"Date": None})
    print(figure.alt_text)


if __name__ == "__main__":
    main()
