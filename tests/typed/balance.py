"""A user's project: mypy and pyright know the types of Equipoise, as .ci/package checks with the installed wheel."""

import equipoise as eq


def fairest(games: float) -> str:
    found = eq.simulate("middle-ages", games=games, players=2, settings={"shortfall": "debt"})
    changed = eq.compare("base", "gentler-barracks", players=2, habit=True)
    axes = found.plot(lang="en")
    axes.set_title("Seats")
    frame = eq.seat_advantage("runs/first").to_pandas()
    print(frame.columns, changed.table.height, eq.load("runs/first").manifest.games)
    return found.verdicts[0]


def refused() -> None:
    eq.simulate("middle-ages", game=1)  # type: ignore
    eq.load(12)  # type: ignore
