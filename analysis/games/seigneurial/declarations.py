"""Seigneurial: the declarations of its columns for the analyses."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from analysis.data.declarations import Breakdown, Cards, Declarations, Moment, moves_of_cards
from simcore.games.seigneurial.state import COURSE, QUARTERS, SQUARE_NAMES
from simcore.running.tally import SHARE

Array = NDArray[Any]
Columns = Mapping[str, Array]
Rates = tuple[Array, Array]

OBJECTIVES = (
    "sawyer", "fisher", "miller", "builder", "carter", "boatman", "trader", "brewer", "baker", "settler", "voyager",
    "homesteader",
)  # fmt: skip
"""The Objectives of the base rules; those of other rules are not shown."""

ENDINGS = ("by_track", "by_objective", "by_limit")
YEARS = tuple(f"year_{number}" for number in range(1, 7))
"""Years of the game; the last one is open-ended."""

NEAR = ("missing_0", "missing_3", "missing_6", "missing_10", "missing_more")
NEAR_BOUNDS = (0, 3, 6, 10)
TENANTS = slice(1, None)
WON = ("winners", "others")


def _shaped(parts: Sequence[tuple[Array, Array]], rows: int, series: int) -> Rates:
    """Return numerators and denominators of shape (games, rows, series) from one pair (games,) for each cell."""
    top, bottom = (np.stack(part, axis=1) for part in zip(*parts, strict=True))
    return top.reshape(len(top), rows, series), bottom.reshape(len(bottom), rows, series)


def _ones(values: Array) -> Array:
    return np.ones(len(values), np.int64)


def _endings(columns: Columns, rules: Any) -> Rates:
    """The endings of games."""
    ended = [(columns["ending"][:, 0] == code).astype(np.int64) for code in range(1, 1 + len(ENDINGS))]
    cells = [(mask, _ones(mask)) for mask in ended]
    return _shaped(cells, len(ENDINGS), 1)


def _length(columns: Columns, rules: Any) -> Rates:
    """Seasons of a game, by its ending."""
    ending, seasons = columns["ending"][:, 0], columns["seasons"][:, 0].astype(np.int64)
    ended = [(ending == code).astype(np.int64) for code in range(1, 1 + len(ENDINGS))]
    return _shaped([(seasons * mask, mask) for mask in ended], len(ENDINGS), 1)


def _when(columns: Columns, rules: Any) -> Rates:
    """The year in which the lord and the tenants win."""
    ending, year = columns["ending"][:, 0], (columns["seasons"][:, 0].astype(np.int64) - 1) // QUARTERS
    year = np.minimum(year, len(YEARS) - 1)
    cells = [
        (((year == number) & (ending == code)).astype(np.int64), _ones(year))
        for number in range(len(YEARS))
        for code in (1, 2)
    ]
    return _shaped(cells, len(YEARS), 2)


def _squares(columns: Columns, rules: Any) -> Rates:
    """The lord's square at the end, and the season in which he reached the middle, by the ending of the game."""
    ending = columns["ending"][:, 0]
    cells = []
    for code in range(1, 1 + len(ENDINGS)):
        ended = (ending == code).astype(np.int64)
        reached = ended * (columns["half"][:, 0] > 0)
        cells += [(ended * columns["square"][:, 0], ended), (reached * columns["half"][:, 0], reached)]
    return _shaped(cells, len(ENDINGS), 2)


def _course(columns: Columns, rules: Any) -> Rates:
    """The lord's square at the end of each season that was played, and the points that the nearest tenant lacks."""
    seasons, cells = columns["seasons"][:, 0], []
    for season in range(1, 1 + COURSE):
        values, played = columns[f"course_{season}"].astype(np.int64), (seasons >= season).astype(np.int64)
        cells += [(values[:, 0] * played, played), (values[:, TENANTS].min(axis=1) * played, played)]
    return _shaped(cells, COURSE, 2)


def _objectives(columns: Columns, rules: Any) -> Rates:
    """Win share of the tenants by Objective."""
    share, own = columns["share60"][:, TENANTS] / SHARE, columns["objective"][:, TENANTS]
    places = {name: 1 + place for place, name in enumerate(rules.objectives)}
    holds = [own == places.get(name, -1) for name in OBJECTIVES]
    return _shaped([((share * mask).sum(axis=1), mask.sum(axis=1)) for mask in holds], len(OBJECTIVES), 1)


def _nearness(columns: Columns, rules: Any) -> Rates:
    """How near the tenants are to their Objectives at the end, if the lord wins and if a tenant wins."""
    missing = columns["missing"][:, TENANTS]
    lord = columns["ending"][:, :1] == 1
    bounds = (-1, *NEAR_BOUNDS, 1 << 20)
    cells = []
    for low, high in pairwise(bounds):
        within = (missing > low) & (missing <= high)
        for mask in (lord, ~lord):
            mask = np.broadcast_to(mask, within.shape)
            cells.append(((within & mask).sum(axis=1), mask.sum(axis=1)))
    return _shaped(cells, len(NEAR), 2)


def _rents(columns: Columns, rules: Any) -> Rates:
    """Rents obtained, points laid and drawn for each point demanded, and seasons without a card laid."""
    seasons = columns["seasons"][:, 0].astype(np.int64)
    asked = columns["demanded"][:, 0].astype(np.int64)
    lord = {name: columns[name][:, 0].astype(np.int64) for name in ("obtained", "laid", "taken", "unpaid")}
    cells = [(lord["obtained"], seasons), (lord["laid"], asked), (lord["taken"], asked), (lord["unpaid"], seasons)]
    return _shaped(cells, 4, 1)


def _by_winner(columns: Columns, rules: Any, names: Sequence[str], per: str = "") -> Rates:
    """Means by tenant: for those who won the game, and for the others."""
    won = columns["share60"][:, TENANTS] == SHARE
    cells = []
    for name in names:
        value = columns[name][:, TENANTS].astype(np.int64)
        base = columns[per][:, TENANTS].astype(np.int64) if per else np.ones_like(value)
        cells += [((value * mask).sum(axis=1), (base * mask).sum(axis=1)) for mask in (won, ~won)]
    return _shaped(cells, len(names), 2)


WINTER = ("refusals", "unable", "illnesses")
FAVOUR = ("laid", "favour", "bought", "cards", "taken", "zeros", "changes")
DRAWN = tuple("drawn" if name == "cards" else name for name in FAVOUR)
"""Names of the rows of `FAVOUR`; the report has another entry for cards."""

PAWNS = tuple(f"pawns_{name}" for name in SQUARE_NAMES)


def copies(rules: Any) -> dict[str, int]:
    """Return the number of each Seigneur and Censitaire card."""
    return {card.id: card.copies for card in (*rules.lord_card, *rules.tenant_card) if card.copies and card.effects}


def blank(rules: Any, names: Sequence[str]) -> Any:
    """Return rules in which some cards do nothing but stay in their piles."""
    tables = {
        table: tuple(
            card.model_copy(update={"effects": ()}) if card.id in names else card for card in getattr(rules, table)
        )
        for table in ("lord_card", "tenant_card")
    }
    return rules.model_copy(update=tables)


def struck(rules: Any, first: Mapping[str, Any], records: Sequence[Mapping[str, Any]]) -> Iterator[Moment]:
    """Yield whom the effects of cards hit, beside those who play them; each seat once a card."""
    hit: set[int] = set()
    for record in records:
        if record["kind"] == "action" and record["action"] == "play":
            card, hit = record["card"], {record["seat"]}
        elif record["kind"] == "effect":
            yield from (Moment("struck", card, seat) for seat in record["who"] if seat not in hit)
            hit |= set(record["who"])


CARDS = Cards(
    noun="card",
    copies=copies,
    blank=blank,
    life=moves_of_cards(lambda rules, card: card if card in copies(rules) else None, ("played",), struck),
)


def objectives(rules: Any) -> dict[str, int]:
    """Return the Objectives, one of each."""
    return dict.fromkeys(rules.objectives, 1)


OBJECTIVES_HELD = Cards(
    "Objective card",
    objectives,
    None,
    life=moves_of_cards(lambda rules, card: card if card in objectives(rules) else None, ()),
    proviso="blank_objective",
)

BREAKDOWNS = (
    Breakdown("endings", "ends", ENDINGS, ("games",), ("ending",), _endings, "share", True, True),
    Breakdown("length", "ends", ENDINGS, ("seasons",), ("ending", "seasons"), _length, "number"),
    Breakdown("when", "ends", YEARS, ("by_track", "by_objective"), ("ending", "seasons"), _when, "share"),
    Breakdown("track", "ends", ENDINGS, ("last_square", "season_of_half"), ("ending", "square", "half"), _squares,
              "number"),
    Breakdown("course", "ends", tuple(f"season_{season + 1}" for season in range(COURSE)), ("square", "missing"),
              ("seasons", *(f"course_{season + 1}" for season in range(COURSE))), _course, "number"),
    Breakdown("objectives", "objectives_and_hands", OBJECTIVES, ("win_share",), ("share60", "objective"),
              _objectives, "share", True),
    Breakdown("nearness", "objectives_and_hands", NEAR, ("lord_wins", "tenant_wins"), ("ending", "missing"), _nearness,
              "share"),
    Breakdown("rents", "rent_and_favour", ("obtained", "laid", "taken", "unpaid"), ("per_asked",),
              ("seasons", "demanded", "obtained", "laid", "taken", "unpaid"), _rents, "share", False, True),
    Breakdown("favours", "rent_and_favour", DRAWN, WON, ("share60", *FAVOUR), partial(_by_winner, names=FAVOUR),
              "number"),
    Breakdown("winters", "land_and_winter", WINTER, WON, ("share60", *WINTER), partial(_by_winner, names=WINTER),
              "number"),
    Breakdown("pawns", "land_and_winter", SQUARE_NAMES, WON, ("share60", "seasons", *PAWNS),
              partial(_by_winner, names=PAWNS, per="seasons"), "number"),
)  # fmt: skip

DECLARATIONS = Declarations(
    cards=CARDS,
    things=(OBJECTIVES_HELD,),
    breakdowns=BREAKDOWNS,
    length="seasons",
    material=("pawns", "pile*", "track.*", "objective*", "tenant_card*", "lord_card*"),
    levers=(
        "objective_extra.{players}=-10..20",
        "track.{players}.2=5..16",
        "rent.{players}.2=1..12",
        "draws.2=1..4",
        "due=0..5",
        "favour_price=1..5",
        "plays=1..4",
        "unpaid_cards=0..3",
    ),
    needs={"tenant": ("cards", "favour", "refusing", "laying", "church", "mill"), "lord": ("cards",)},
    uses=("bought", "changes", "draws", "laid", "refusals"),
)
