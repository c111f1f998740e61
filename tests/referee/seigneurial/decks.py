"""Card tables of every effect of the vocabulary, alone and in threes, so that none goes untried."""

import random
from typing import Any

from .pens import Record
from .player import as_data
from .rulebook import (
    ANY,
    CHOOSE,
    LORD_ONLY_OPS,
    LORD_OPS,
    OPS,
    OTHERS_OPS,
    SEASONS,
    SQUARE_OPS,
    SQUARES,
    TYPE_OPS,
    TYPES,
    WINDOWS,
    Card,
    Effect,
)

SIGNED_OPS = ("yield", "draws", "rent", "advance")


def effects_of(lord: bool) -> list[Effect]:
    """Return every effect that a card of the lord or of a tenant may have, with the numbers 1 and 2, or -1."""
    effects = []
    for op in OPS:
        people = [] if op in LORD_ONLY_OPS else ["tenant", "tenants"]
        people += ["lord"] * (op in LORD_OPS) + ["self"] * (op not in OTHERS_OPS + LORD_ONLY_OPS and not lord)
        if lord and op in OTHERS_OPS:
            people = []
        whats: tuple[str | None, ...] = (None,)
        if op in TYPE_OPS + SQUARE_OPS:
            whats = (*(TYPES if op in TYPE_OPS else SQUARES), CHOOSE)
        elif op == "lose":
            whats = ("owner", "random")
        numbers = (1, -1) if op in SIGNED_OPS else (1, 2)
        effects += [Effect(op, who, what, n) for who in people for what in whats for n in numbers]
    return effects


def cards_of(rng: random.Random, lord: bool, most: int = 40, copies: tuple[int, ...] = (1, 1, 2)) -> list[Record]:
    """Return a card table of effects by chance, one to three a card, for every window."""
    effects = effects_of(lord)
    cards = []
    for number in range(most):
        when = [ANY] if rng.random() < 0.5 else rng.sample(WINDOWS, 2)
        seasons = [] if rng.random() < 0.8 else rng.sample(SEASONS, 2)
        made = tuple(rng.sample(effects, rng.choice((1, 1, 2, 3))))
        cards.append(Card(f"card{number}", rng.choice(copies), tuple(when), tuple(seasons), made))
    return as_data(cards)


def changed_decks(seed: int) -> dict[str, Any]:
    """Return card tables by chance, as changes to a game line."""
    rng = random.Random(seed)
    return {"tenant_cards": cards_of(rng, lord=False), "lord_cards": cards_of(rng, lord=True)}


def small_decks(seed: int) -> dict[str, Any]:
    """Return card tables by chance that are within the page's bounds for a kernel, as the TOML has them."""
    rng = random.Random(seed)
    tenants, lords = cards_of(rng, False, 27, (1,)), cards_of(rng, True, 20, (1,))
    return {"tenant_card": tenants, "lord_card": lords}
