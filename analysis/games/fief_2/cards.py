"""Fief 2: its blue cards, and rules in which the cards of a kind do nothing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from analysis.data.declarations import Cards
from simcore.games.fief_2.rules import card_list


def copies(rules: Any) -> dict[str, int]:
    """Return the number of cards of every kind except lords, without which nobody can play."""
    return {kind: count for kind, count in Counter(kind for kind, _ in card_list(rules)).items() if kind != "lord"}


def blank(rules: Any, kinds: Sequence[str]) -> Any:
    """Return rules in which the cards of some kinds can never be played but stay in the deck."""
    return rules.with_blanks(kinds)


def titles(rules: Any) -> dict[str, dict[str, str]]:
    """Return no names, because the game's words have the names of its cards."""
    return {}


CARDS = Cards(noun="card", columns=(), slots=(), copies=copies, blank=blank, titles=titles)
