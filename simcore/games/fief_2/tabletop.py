"""Fief 2: the table and the options of a family, in words, and the kingdom laid out in the plane."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from simcore.games.fief_2.rules import card_in_words, card_list, distances
from simcore.games.fief_2.state import ASKED, BUY, DECISION_NAMES, PHASES
from simcore.tabletop import Area, Moment, PLACES, Tabletop, Thing, counted


# --- The kingdom laid out in the plane, so that a map can be drawn of any roads ---


STEPS = 200
"""Steps of the majorization; the last ones make no visible difference."""

CLEAR = 0.3
"""Smallest distance between a village and a road that does not end there, in lengths of a road."""


def places(near: NDArray[Any]) -> NDArray[Any]:
    """Return places in the plane whose distances are like those by road, shape (villages, 2).

    Classical scaling gives the first places; majorization of the stress (SMACOF) then moves neighbours apart.
    """
    way = distances(near).astype(float)
    count = len(way)
    centre = np.eye(count) - 1 / count
    values, vectors = np.linalg.eigh(-centre @ way**2 @ centre / 2)
    found = vectors[:, -2:] * np.sqrt(values[-2:])
    found = found * np.where(found[np.abs(found).argmax(axis=0), [0, 1]] < 0, -1, 1)
    away = np.where(way > 0, way, np.inf)
    pull = np.diag((away**-2).sum(axis=1)) - away**-2
    back = np.linalg.pinv(pull)
    for _ in range(STEPS):
        apart = np.sqrt(((found[:, None] - found) ** 2).sum(axis=2))
        ratio = 1 / (away * np.where(apart > 0, apart, np.inf))
        found = back @ (np.diag(ratio.sum(axis=1)) - ratio) @ found
    return off_the_roads(near, np.asarray(found))


def off_the_roads(near: NDArray[Any], found: NDArray[Any]) -> NDArray[Any]:
    """Push villages away from roads that do not end there."""
    roads = np.argwhere(np.triu(near))
    for _ in range(STEPS):
        for start, end in roads:
            along = found[end] - found[start]
            part = np.clip((found - found[start]) @ along / (along @ along), 0, 1)
            away = found - found[start] - part[:, None] * along
            gap = np.sqrt((away**2).sum(axis=1))
            close = (gap < CLEAR) & (part > 0) & (part < 1)
            close[[start, end]] = False
            side = np.where(gap[:, None] > 0, away / np.maximum(gap, 1e-9)[:, None], [[-along[1], along[0]]])
            found = found + close[:, None] * side * (CLEAR - gap)[:, None] / 2
    return found


# --- The table and the options of a family, in words ---


WHAT = {
    "place": "village", "free_to": "village", "propose": "lord", "spouse": "lord", "stand": "lord", "discard": "card",
    "claim_lord": "lord", "play": "card", "place_lord": "village", "crown_new": "region", "target_darc": "lord",
    "target_bishop": "lord", "target_tithe": "see", "target_taille": "region", "target_plague": "region",
    "target_famine": "region", "target_bad_weather": "region", "target_sun": "region", "target_good_harvest": "region",
    "target_revolt": "village", "target_assassination": "lord", "target_escape": "village", "escape_to": "village",
    "justice": "lord", "buy_title": "region", "title_to": "lord", "buy_cardinal": "lord", "buy_castle": "village",
    "buy_mill": "village", "buy_press": "village", "buy_soldiers": "village", "lord": "lord", "step": "village",
}  # fmt: skip
"""What a move stands for, by the name of the decision; all others have a wording of their own."""


def _title(name: str) -> str:
    return name.replace("_", " ").capitalize()


def _in(items: Any) -> Iterator[int]:
    """Yield the numbers in a set of bits."""
    return (number for number in range(64) if int(items) >> number & 1)


# --- the table ---


def areas(moment: Moment) -> Iterator[Area]:
    """Yield the map, the crown and the skies, and what every family has."""
    state, rules = moment.state, moment.rules
    when = f"Turn {state['turn']}, {PHASES[int(state['phase'])]}" if state["turn"] else "Set-up"
    yield Area(
        f"{when}: the kingdom",
        tuple(_village(moment, village) for village in range(int(rules["villages"]))),
        layout=PLACES,
    )
    yield Area("The realm", tuple(_realm(moment)))
    for seat in range(int(rules["players"])):
        yield Area("Family", tuple(_family(moment, seat)), seat)


@lru_cache(8)
def _plane(roads: tuple[int, ...]) -> tuple[tuple[float, float], ...]:
    """Return the places of villages, each from 0 to 1, given the neighbours of each as a set of bits."""
    near = np.array([[bits >> other & 1 for other in range(len(roads))] for bits in roads], bool)
    found = places(near)
    low, high = found.min(axis=0), found.max(axis=0)
    return tuple(map(tuple, ((found - low) / np.maximum(high - low, 1e-9)).tolist()))


def _village(moment: Moment, village: int) -> Thing:
    state, rules = moment.state, moment.rules
    near = tuple(int(bits) for bits in rules["near"][: int(rules["villages"])])
    notes = [
        name
        for name, held in (("castle", "castles"), ("city", "cities"), ("mill", "mills"), ("press", "presses"))
        if int(state[held]) >> village & 1
    ]
    for seat in range(int(rules["players"])):
        pawns = [_lord(moment, lord) for lord in _in(state["free_at"][village] & state["lords"][seat])]
        soldiers = int(state["soldiers"][village][seat])
        pawns += [f"soldiers {soldiers}"] if soldiers else []
        notes += [f"seat {seat + 1}: {', '.join(pawns)}"] if pawns else []
    notes += [f"prisoner: {_lord(moment, lord)}" for lord in _in(state["captive_at"][village])]
    if int(state["revolts"]) >> village & 1:
        notes.append(f"rebels: {state['rebels'][village]}")
    notes += [
        name for name, held in (("bad weather", "stormy"), ("famine", "hungry")) if int(state[held]) >> village & 1
    ]
    holder = int(state["holder"][village])
    return Thing(
        _village_name(moment, village),
        tuple(notes),
        None if holder < 0 else holder,
        _plane(near)[village],
        tuple(_in(near[village])),
    )


def _realm(moment: Moment) -> Iterator[Thing]:
    state, rules = moment.state, moment.rules
    for name in ("king", "queen", "prince", "darc"):
        if state[name] >= 0:
            title = "Regent" if name == "queen" and state["regency"] else "d'Arc" if name == "darc" else name.title()
            lord = int(state[name])
            yield Thing(f"{title}: lord {lord}", seat=_family_of(moment, lord))
    for region in range(int(rules["regions"])):
        owner, keeper = int(state["owner"][region]), int(state["keeper"][region])
        if owner >= 0:
            yield Thing(f"{_region(moment, region)}: lord {owner}", seat=_family_of(moment, owner))
        elif keeper >= 0:
            yield Thing(f"{_region(moment, region)}: kept", seat=keeper)
    for see in range(int(rules["sees"])):
        if state["tithed"][see] >= 0:
            yield Thing(f"Tithe of {_see(moment, see)}: lord {state['tithed'][see]}")
    for region in range(int(rules["regions"])):
        if state["taille"][region] >= 0:
            yield Thing(f"Taille in {_region(moment, region)}")
    yield Thing(f"Deck: {counted(int(state['size'] - state['at']), 'card')}")
    if state["discards"]:
        yield Thing("Discards", tuple(_card(moment, card) for card in _in(state["discards"])))


def _family_of(moment: Moment, lord: int) -> int | None:
    family = int(moment.state["family"][lord])
    return None if family < 0 else family


def _family(moment: Moment, seat: int) -> Iterator[Thing]:
    state = moment.state
    yield Thing(f"{state['money'][seat]} écus")
    yield Thing(f"Score: {state['score'][seat]}")
    for lord in _in(state["lords"][seat]):
        yield Thing(_lord(moment, lord), tuple(_of_lord(moment, lord)))
    hand = f"Hand: {counted(int(state['cards'][seat]), 'card')}"
    held = [int(card) for card in state["hand"][seat][: int(state["cards"][seat])]]
    seen = held if moment.sees(seat) else [card for card in held if card == state["shown"]]
    yield Thing(hand, tuple(_card(moment, card) for card in seen))


def _of_lord(moment: Moment, lord: int) -> Iterator[str]:
    state = moment.state
    if int(state["captive"]) >> lord & 1:
        yield f"prisoner of seat {state['captor'][lord] + 1}"
    if int(state["captive"] | state["free"]) >> lord & 1:
        yield f"in {_village_name(moment, int(state['where'][lord]))}"
    yield from (_region(moment, region) for region in _in(state["crowns"][lord]))
    if state["see"][lord] >= 0:
        yield f"bishop of {_see(moment, int(state['see'][lord]))}"
    if int(state["cardinals"]) >> lord & 1:
        yield "cardinal"
    if state["spouse"][lord] >= 0:
        yield f"married to lord {state['spouse'][lord]}"


def _village_name(moment: Moment, village: int) -> str:
    return _title(moment.values.map.villages()[village].name)


def _region(moment: Moment, region: int) -> str:
    return _title(moment.values.map.regions[region].name)


def _see(moment: Moment, see: int) -> str:
    return _title(moment.values.map.bishoprics[see])


def _lord(moment: Moment, lord: int) -> str:
    state = moment.state
    titles = [name.title() for name in ("king", "queen", "prince") if state[name] == lord]
    titles += ["d'Arc"] * bool(state["darc"] == lord)
    return f"lord {lord} ({', '.join(('man' if lord < moment.rules['men'] else 'woman', *titles))})"


def _card(moment: Moment, card: int) -> str:
    kind, detail = card_list(moment.values)[card]
    if kind == "lord":
        return f"lord {detail} ({'man' if detail < moment.rules['men'] else 'woman'})"
    if kind in moment.values.cards:
        return f"{moment.values.cards[kind].title}. {card_in_words(moment.values.cards[kind])}"
    return f"bishop of {_see(moment, detail)}" if kind == "bishop" else kind.replace("_", " ")


# --- the options ---

_NAMES: dict[str, Callable[[Moment, int], str]] = {
    "village": _village_name,
    "region": _region,
    "see": _see,
    "card": lambda moment, place: _card(moment, int(moment.state["hand"][moment.seat][place])),
    "lord": lambda moment, lord: f"{_lord(moment, lord)}{_whose(moment, lord)}",
}


def _whose(moment: Moment, lord: int) -> str:
    family = _family_of(moment, lord)
    return "" if family in (None, moment.seat) else f" of seat {int(family or 0) + 1}"


def option(moment: Moment, move: int) -> str:
    """Say what a move does."""
    name = DECISION_NAMES[int(moment.state["decision"])]
    kind = ASKED[name].value
    if kind == "yes":
        return "Yes" if move else "No"
    if kind == "number":
        return counted(move, "point")
    if move == 0:
        return "Stop" if name in ("buy", "lord", "step") else "None"
    if kind == "buy":
        return BUY[move - 1].capitalize()
    if kind == "candidate":
        return _NAMES["lord"](moment, int(moment.state["candidate"][move - 1])).capitalize()
    if name == "attack":
        return "The rebels" if move == 1 else f"Seat {move - 1}"
    if name == "calm":
        return f"Buy {counted(move - 1, 'point')} of conviction"
    return _capital(_NAMES[WHAT[name]](moment, move - 1))


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _here(moment: Moment) -> str:
    return _village_name(moment, int(moment.state["village"]))


def _about(text: str) -> Callable[[Moment], str]:
    """Return a question in which {lord}, {other}, {village}, {card}, {seat} and the like are filled in."""

    def asked(moment: Moment) -> str:
        state = moment.state
        known: dict[str, Callable[[], str]] = {
            "lord": lambda: _lord(moment, int(state["lord"])),
            "other": lambda: _lord(moment, int(state["other"])),
            "village": lambda: _here(moment),
            "card": lambda: _card(moment, int(state["card"])),
            "seat": lambda: "the rebels" if state["rival"] < 0 else f"seat {state['rival'] + 1}",
            "goal": lambda: _village_name(moment, int(state["goal"])),
            "own": lambda: str(state["own_points"]),
            "their": lambda: str(state["their_points"]),
            "rebels": lambda: str(state["rebels"][int(state["village"])]),
        }
        return text.format(**{name: tell() for name, tell in known.items() if f"{{{name}}}" in text})

    return asked


_TARGETS = {"village": "Where", "lord": "Whom", "region": "In which region", "see": "In which bishopric"}

TABLETOP = Tabletop(
    areas,
    option,
    {
        **{name: f"{_TARGETS[kind]} do you play {_title(name.removeprefix('target_')).lower()}?"
           for name, kind in WHAT.items() if name.startswith("target_")},
        "place": "Where do you build your first castle?",
        "ransom_offer": _about("Do you offer {seat} a ransom for {lord}?"),
        "ransom_accept": _about("Do you take the ransom of {seat} for {lord}?"),
        "free_to": _about("Where does {lord} go?"),
        "propose": "Which of your lords proposes a marriage?",
        "spouse": _about("To whom does {lord} propose?"),
        "accept": _about("Do you accept the marriage of {lord} and {other}?"),
        "stand": "Which of your lords stands for King?",
        "vote": "For whom do you vote?",
        "consecrate": _about("Do you consecrate {lord}?"),
        "discard": "Which card do you discard?",
        "claim_lord": "Which lord do you take from the discards?",
        "play": "Which card do you play?",
        "as_prince": _about("Do you play {card} as Prince?"),
        "consent": _about("Do you consent to the Prince whom {seat} proposes?"),
        "place_lord": _about("Where does {card} stand?"),
        "crown_new": _about("Which title does {lord} take?"),
        "escape_to": "Where do they escape to?",
        "justice": _about("Which lord of {seat} is condemned for the murder of {other}?"),
        "buy": "What do you buy?",
        "buy_title": "Which title do you buy?",
        "title_to": "Who gets the title?",
        "buy_cardinal": "Which bishop becomes cardinal?",
        **{f"buy_{what}": f"Where do you buy {text}?" for what, text in
           (("castle", "a castle"), ("mill", "a mill"), ("press", "a press"), ("soldiers", "soldiers"))},
        "number": _about("How many points of soldiers do you buy in {village}?"),
        "lord": "Which lord moves?",
        "escort": _about("Do the lords with {lord} come along?"),
        "step": _about("Where does {lord} go from {village}?"),
        "take": _about("How many points of soldiers come along to {goal}?"),
        "calm": _about("Does {lord} try to calm the rebels of {village} (strength {rebels})?"),
        "attack": _about("Whom do you attack in {village}?"),
        "join": _about("Do you join the fight against {seat} in {village}?"),
        "sortie": _about("Do you make a sortie in {village}, against {their} points of {seat}?"),
        "ask_grace": _about("Do you ask {seat} for grace in {village}, with {own} points against {their}?"),
        "grant_grace": _about("Do you grant {seat} grace in {village}?"),
    },
)  # fmt: skip
assert set(TABLETOP.questions) == set(DECISION_NAMES), "every decision asks something"
