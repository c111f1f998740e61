"""Médiévallons: where chance comes from."""

from simcore.chance import END, Chance, Draws
from simcore.games.medievallons.effects import FIRST_BEGGAR
from simcore.kernel.streams import SHUFFLE

CHANCE = (
    Chance("card_deck", (Draws(SHUFFLE, range(2)),)),
    Chance("later_deals", (Draws(SHUFFLE, range(2, FIRST_BEGGAR)),)),
    Chance("beggars", (Draws(SHUFFLE, range(FIRST_BEGGAR, END)),)),
)
