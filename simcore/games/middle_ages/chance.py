"""Middle-Ages: where chance comes from."""

from simcore.chance import END, Chance, Draws
from simcore.games.middle_ages.rows import BLUE, EVENT_DECK, ORANGE
from simcore.kernel.streams import SHUFFLE

CHANCE = (
    Chance("first_stack", (Draws(SHUFFLE, range(BLUE, BLUE + 1)),)),
    Chance("later_stacks", (Draws(SHUFFLE, range(ORANGE, END)),)),
    Chance("event_deck", (Draws(SHUFFLE, range(EVENT_DECK, EVENT_DECK + 1)),)),
)
