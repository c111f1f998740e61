"""Siege: what a person sees of a table, and what a move does."""

from siege.rules import KINDS
from siege.state import MOST, NOTHING
from simcore.tabletop import PLACES, Area, Tabletop, Thing, counted


def areas(moment):
    """Yield the town with its walls and supplies, and the hands."""
    walls, supplies = (
        counted(int(moment.state[name]), one, one) for name, one in (("walls", "wall"), ("supplies", "supply"))
    )
    yield Area("Town", (Thing(walls, place=(0.2, 0.5), roads=(1,)), Thing(supplies, place=(0.8, 0.5))), layout=PLACES)
    for seat in range(1, int(moment.rules["players"])):
        hand = moment.state["hands"][seat]
        cards = [Thing(KINDS[kind], (f"{int(hand['of'][kind])} in hand",), seat) for kind in range(len(KINDS))]
        yield Area("Hand", tuple(cards) if moment.sees(seat) else (Thing(counted(int(hand["cards"]), "card")),), seat)


def option(moment, move):
    """Return what a move does."""
    if moment.seat:
        return "give nothing" if move == NOTHING else f"give {KINDS[move]}"
    return ", ".join(f"{move // MOST**place % MOST} {kind}" for place, kind in enumerate(KINDS))


TABLETOP = Tabletop(
    areas, option, {"demand": "What do you demand?", "give": lambda moment: f"What does seat {moment.seat + 1} give?"}
)
