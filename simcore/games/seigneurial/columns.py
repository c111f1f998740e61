"""Seigneurial: the columns of a run's table."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from simcore.game import Column
from simcore.games.seigneurial.state import COURSE, KINDS
from simcore.games.seigneurial.vocabulary import SQUARE_NAMES, TYPE_NAMES

ENDINGS = ("none", "track", "objective", "limit")


def _endings(rules: Any) -> tuple[str, ...]:
    return ENDINGS


def _objectives(rules: Any) -> tuple[str, ...]:
    return ("none", *rules.objectives)


def _lands(rules: Any) -> tuple[str, ...]:
    return ("none", *SQUARE_NAMES[: len(TYPE_NAMES)])


def _outcome() -> Iterator[Column]:
    yield Column("ending", "Enum", "what ended the game", detail="minimal", labels=_endings)
    yield Column("seasons", "Int32", "seasons played", detail="minimal")
    yield Column("square", "UInt8", "the lord's square at the end", detail="minimal")
    yield Column("half", "Int32", "season in which the lord reached the middle of the track; 0 if never")


def _lord() -> Iterator[Column]:
    for name, meaning in (
        ("obtained", "rents obtained"),
        ("failed", "rents not obtained"),
        ("unpaid", "seasons in which no tenant laid a card"),
        ("demanded", "points asked for"),
    ):
        yield Column(name, "Int32", meaning, role="lord")


def _both() -> Iterator[Column]:
    yield Column("laid", "Int32", "points that the tenant laid; for the lord, those of all tenants")
    yield Column("draws", "Int32", "cards that the lord drew from the hand, kept or not; for the lord, from all hands")
    yield Column("taken", "Int32", "points that the lord kept of them")
    yield Column("cards", "Int32", "cards drawn from the pile of the role's own cards")
    for season in range(COURSE):
        meaning = f"at the end of season {season + 1}: the lord's square, or points that a tenant lacks; or 0"
        yield Column(f"course_{season + 1}", "Int32", meaning, "course", season)
    for kind in range(KINDS):
        meaning = f"times that the seat played card {kind + 1} of the table of its role's cards"
        yield Column(f"played_{kind + 1}", "Int32", meaning, "played", kind)


def _tenant() -> Iterator[Column]:
    yield Column("objective", "Enum", "the Objective at the end", role="tenant", labels=_objectives)
    yield Column("held", "Int32", "points in hand at the end", detail="minimal", role="tenant")
    for kind, name in enumerate(TYPE_NAMES):
        yield Column(f"held_{name}", "Int32", f"points of {name} in hand at the end", "points", kind, role="tenant")
    for name, meaning in (
        ("missing", "points that the Objective still asked for at the end"),
        ("resources", "resource cards in hand at the end"),
        ("changes", "Objectives exchanged"),
        ("refusals", "winters in which the tenant could pay the due and refused"),
        ("unable", "winters in which the tenant could not pay the due"),
        ("illnesses", "pawns that fell ill"),
        ("favour", "points of favour given to the tenant"),
        ("bought", "Censitaire cards bought with favour"),
        ("zeros", "resource cards of value 0 drawn"),
    ):
        yield Column(name, "Int32", meaning, role="tenant")
    yield Column("improved", "Enum", "the land improved", role="tenant", labels=_lands)
    for square, name in enumerate(SQUARE_NAMES):
        yield Column(f"pawns_{name}", "Int32", f"pawns placed: {name}", "squares", square, role="tenant")


COLUMNS = (*_outcome(), *_lord(), *_tenant(), *_both())
