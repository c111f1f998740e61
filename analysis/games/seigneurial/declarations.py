"""Seigneurial: the declarations of its columns for the analyses."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from itertools import pairwise
from typing import Any

import numpy as np

from analysis.breakdowns import WHO, Columns, Rates, by_winner, cells, counts, means
from analysis.data.declarations import Breakdown, Cards, Declarations, Moment, moves_of_cards
from simcore.games.seigneurial.state import COURSE, QUARTERS, SQUARE_NAMES
from simcore.running.tally import SHARE

OBJECTIVES = (
    "sawyer", "fisher", "miller", "builder", "carter", "boatman", "trader", "brewer", "baker", "settler", "voyager",
    "homesteader",
)  # fmt: skip
"""The Objectives of the base rules; those of other rules are not shown."""

ENDINGS = ("by_track", "by_objective", "by_limit")
ENDED = range(1, 1 + len(ENDINGS))
YEARS = tuple(f"year_{number}" for number in range(1, 7))
"""Years of the game; the last one is open-ended."""

NEAR = ("missing_0", "missing_3", "missing_6", "missing_10", "missing_more")
NEAR_BOUNDS = (0, 3, 6, 10)
TENANTS = slice(1, None)


def _endings(columns: Columns, rules: Any) -> Rates:
    """The endings of games."""
    ending = columns["ending"][:, 0]
    return cells((ending == code, np.ones_like(ending)) for code in ENDED)


def _length(columns: Columns, rules: Any) -> Rates:
    """Seasons of a game, by its ending."""
    return means((columns["seasons"][:, 0], columns["ending"][:, 0] == code) for code in ENDED)


def _when(columns: Columns, rules: Any) -> Rates:
    """The year in which the lord and the tenants win."""
    ending, year = columns["ending"][:, 0], (columns["seasons"][:, 0].astype(np.int64) - 1) // QUARTERS
    ends = [ending == code for code in (1, 2)]
    return cells((now & end, np.ones_like(year)) for now in counts(year, len(YEARS) - 1) for end in ends)


def _squares(columns: Columns, rules: Any) -> Rates:
    """The lord's square at the end, and the season in which he reached the middle, by the ending of the game."""
    ending, square, half = (columns[name][:, 0] for name in ("ending", "square", "half"))
    where = ((square, half >= 0), (half, half > 0))
    return means((value, (ending == code) & mask) for code in ENDED for value, mask in where)


def _course(columns: Columns, rules: Any) -> Rates:
    """The lord's square at the end of each season that was played, and the points that the nearest tenant lacks."""
    seasons = columns["seasons"][:, 0]
    course = {season: columns[f"course_{season}"] for season in range(1, 1 + COURSE)}
    return means(
        (value, seasons >= season)
        for season, values in course.items()
        for value in (values[:, 0], values[:, TENANTS].min(axis=1))
    )


def _objectives(columns: Columns, rules: Any) -> Rates:
    """Win share of the tenants by Objective."""
    share, own = columns["share60"][:, TENANTS] / SHARE, columns["objective"][:, TENANTS]
    places = {name: 1 + place for place, name in enumerate(rules.objectives)}
    return means((share, own == places.get(name, -1)) for name in OBJECTIVES)


def _nearness(columns: Columns, rules: Any) -> Rates:
    """How near the tenants are to their Objectives at the end, if the lord wins and if a tenant wins."""
    missing = columns["missing"][:, TENANTS]
    lord = np.broadcast_to(columns["ending"][:, :1] == 1, missing.shape)
    within = [(low < missing) & (missing <= high) for low, high in pairwise((-1, *NEAR_BOUNDS, 1 << 20))]
    return cells((near & mask, mask) for near in within for mask in (lord, ~lord))


def _rents(columns: Columns, rules: Any) -> Rates:
    """Rents obtained, points laid and drawn for each point demanded, and seasons without a card laid."""
    pairs = (("obtained", "seasons"), ("laid", "demanded"), ("taken", "demanded"), ("unpaid", "seasons"))
    return cells((columns[name][:, 0], columns[per][:, 0]) for name, per in pairs)


def _by_winner(columns: Columns, rules: Any, names: Sequence[str], per: str = "") -> Rates:
    """Means by tenant: for those who won the game alone, and for the others."""
    tenants = {name: columns[name][:, TENANTS] for name in {"share60", *names, *([per] if per else [])}}
    return by_winner(tenants | {"share60": tenants["share60"] == SHARE}, rules, names, per)


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
    life=moves_of_cards(lambda rules: {card: card for card in copies(rules)}, ("played",), struck),
)


def objectives(rules: Any) -> dict[str, int]:
    """Return the Objectives, one of each."""
    return dict.fromkeys(rules.objectives, 1)


OBJECTIVES_HELD = Cards(
    "Objective card",
    objectives,
    None,
    life=moves_of_cards(lambda rules: {card: card for card in objectives(rules)}, ()),
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
    Breakdown("favours", "rent_and_favour", DRAWN, WHO, ("share60", *FAVOUR), partial(_by_winner, names=FAVOUR),
              "number"),
    Breakdown("winters", "land_and_winter", WINTER, WHO, ("share60", *WINTER), partial(_by_winner, names=WINTER),
              "number"),
    Breakdown("pawns", "land_and_winter", SQUARE_NAMES, WHO, ("share60", "seasons", *PAWNS),
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
