"""Fief 2: where chance comes from."""

from simcore.chance import END, Chance, Draws
from simcore.games.fief_2.cards import CALM_NUMBER, PLAGUE_NUMBER
from simcore.games.fief_2.deck import DECK_SLOT, LORDS_SLOT, RESHUFFLE_SLOT
from simcore.kernel.streams import DICE, SHUFFLE

EVERY = range(END)

CHANCE = (
    Chance("first_lords", (Draws(SHUFFLE, range(LORDS_SLOT, LORDS_SLOT + 1)),)),
    Chance("card_deck", (Draws(SHUFFLE, range(DECK_SLOT, DECK_SLOT + 1)),)),
    Chance("reshuffles", (Draws(SHUFFLE, range(RESHUFFLE_SLOT, END)),)),
    Chance("fight_dice", (Draws(DICE, EVERY, range(PLAGUE_NUMBER)),)),
    Chance("disaster_dice", (Draws(DICE, EVERY, range(PLAGUE_NUMBER, CALM_NUMBER)),)),
    Chance("calming_dice", (Draws(DICE, EVERY, range(CALM_NUMBER, END)),)),
)
