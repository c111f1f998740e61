"""What the rulebook and the rulings of Fief 2 fix: map, cards, numbers and switches."""

from typing import Any

PLAYERS = range(3, 7)
BANK = 0  # the seat of the bank and of the rebels

BISHOPRICS = ("blaye", "bourg", "sigy", "tournus")
_MAP = """
duchy_tournus: tournus(t) belleville(t) pugnac(t) mazilles(t) st_andromy(t)
barony_sennecy: sennecy(bl) l_epervier(bl) chateauneuf(t)
county_blaye: beaujeu(s) la_salle(bl) blaye(bl) charolles(bl)
duchy_sigy: sigy(s) st_ciers(s) marcamps(bo) st_paul(s) les_essarts(bo)
county_bourg: st_vivien(bo) bourg(bo) villeneuve(bl) la_buissiere(bo)
barony_st_gerome: st_medard(bl) st_gerome(t) st_andre(bo)
"""
_ROADS = """0-2 0-4 1-2 1-3 2-22 3-4 3-7 4-21 5-6 5-9 6-7 6-11 8-9 8-13 9-10 10-11 11-19 12-13 12-15 13-14 14-16 15-16
15-17 16-19 17-18 18-19 18-20 19-21 20-23 21-22 22-23"""


def _villages() -> list[dict[str, Any]]:
    short = {name[:2] if name[0] == "b" else name[0]: name for name in BISHOPRICS}
    made: list[dict[str, Any]] = []
    for line in _MAP.split("\n")[1:-1]:
        region, _, villages = line.partition(": ")
        for word in villages.split():
            name, _, bishopric = word.rstrip(")").partition("(")
            made.append({"id": len(made), "name": name, "region": region, "bishopric": short[bishopric]})
    return made


VILLAGES = _villages()
REGIONS = tuple(dict.fromkeys(village["region"] for village in VILLAGES))
REGION = [REGIONS.index(village["region"]) for village in VILLAGES]  # by village
BISHOPRIC = [BISHOPRICS.index(village["bishopric"]) for village in VILLAGES]
SIZE = [REGION.count(region) for region in range(len(REGIONS))]
ROADS = [[int(end) for end in road.split("-")] for road in _ROADS.split()]
NEIGHBOURS = [sorted(sum(road) - village for road in ROADS if village in road) for village in range(len(VILLAGES))]

LORDS, MEN = range(16), range(12)
KINDS = {
    "lord": 16, "darc": 1, "bishop": 4, "tithe": 4, "taille": 5, "plague": 2, "famine": 2, "bad_weather": 3, "sun": 6,
    "good_harvest": 6, "revolt": 4, "assassination": 1, "justice": 1, "escape": 2,
}  # fmt: skip
CARDS = [kind for kind, copies in KINDS.items() for _ in range(copies)]  # the kind of each
FIRST_BISHOP = CARDS.index("bishop")

SWITCHES = {
    "alliances": ("none", "marriage"), "title_victory": ("off", "on"), "score": ("sum", "last"),
    "election": ("plurality", "majority"), "title_loss": ("city", "never"), "first_player": ("rotate", "fixed"),
    "darc_over_18": ("formula", "cap"),
}  # fmt: skip
TURNS = range(1, 26)  # the page names 10, 15, 20 and 25

RANKS = {"barony": 30, "county": 40, "duchy": 50}
TITLE_POINTS = [RANKS[region.split("_")[0]] for region in REGIONS]
KING, QUEEN, PRINCE, BISHOP, CARDINAL = 50, 30, 10, 20, 10
SCORE_EVERY, MONEY_EACH, MONEY_POINTS = 5, 500, 10

START_MONEY, START_SOLDIERS, RETURN_SOLDIERS = 500, 8, 3
MOST_SOLDIERS, MOST_REBELS, MOST_LORDS, HAND, PLAYS, PURCHASES, ATTACKS = 45, 18, 4, 3, 3, 16, 8
PIECES = {"castle": 12, "mill": 12, "press": 12}
CARDINALS = 3
GUARD = {"king": 20, "queen": 10}
STEPS, DARC_STEPS, REGENCY, GROWTH = 2, 3, 4, 3
CONSECRATION = 2
TITLES_ALONE, TITLES_TOGETHER = 3, 4

LAND, INDUSTRY, TAILLE = 100, 100, 100
PENSION = {"king": 500, "queen": 300, "regent": 500}
TITLE_PRICE, SOLDIER_PRICE, CALM_PRICE, MOST_CALM, CALMED = 200, 100, 500, 3, 4
PRICES = {"cardinal": 500, "castle": 1000, "mill": 300, "press": 300}
RANSOM, RANSOM_TITLED, RANSOM_CROWNED = 300, 500, 1000

FORTS = ("open", "castle", "city")
DIVISOR = {"open": 2, "castle": 3, "city": 4}
DARC, HIGHEST_TOTAL = 6, 18
MOST_ROUNDS = 1000
PLAGUE_KILLS = 3  # dice up to this


def dice_of(points: int) -> int:
    """Return the number of dice that a side throws."""
    return 1 + (points >= 7) + (points >= 13)
