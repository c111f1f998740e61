"""Seigneurial: where chance comes from."""

from simcore.chance import END, Chance, Draws
from simcore.games.seigneurial.cards import GOAL_SLOT, TENANT_SLOT
from simcore.games.seigneurial.piles import FIRST_DICE, FIRST_STREAM, HANDS, STOCKED
from simcore.kernel.streams import DECISION, DICE, REDRAW, SHUFFLE

CHANCE = (
    Chance("resource_piles", (Draws(DECISION, range(FIRST_STREAM, END)), Draws(REDRAW, range(FIRST_STREAM, END)))),
    Chance("tenant_pile", (Draws(SHUFFLE, range(TENANT_SLOT, GOAL_SLOT)),)),
    Chance("objective_pile", (Draws(SHUFFLE, range(GOAL_SLOT, END)),)),
    Chance("lord_pile", (Draws(DICE, range(STOCKED, END)),)),
    Chance("first_tenant", (Draws(DICE, range(FIRST_DICE, STOCKED)),)),
    Chance("random_cards", (Draws(DICE, range(HANDS, FIRST_DICE)),)),
)
