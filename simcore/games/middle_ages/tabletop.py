"""Middle-Ages: the table and the options of a player, in words."""

from __future__ import annotations

from collections.abc import Iterator

from simcore.games.middle_ages.state import DOMAIN_NAMES
from simcore.games.middle_ages.state import CEMETERY, DOMAINS, EVENTS, EXTRA, LORD, LOSS, PLOT, ROUNDS, ROWS, SCOUT
from simcore.tabletop import Area, Moment, Tabletop, Thing, counted


def areas(moment: Moment) -> Iterator[Area]:
    """Yield the rows in the order in which they will be played, the Events, and what every seat has."""
    state = moment.state
    now = _round(moment)
    for ahead in range(min(ROWS, ROUNDS - now + 1)):
        yield Area(f"Row {'ABCD'[now - 1 + ahead & 3]}", tuple(_row(moment, now - 1 + ahead & 3, ahead == 0)))
    names, says = list(moment.values.events), moment.values.in_words()
    events = []
    for number in range(EVENTS):
        if (after := ROWS * number + ROWS) >= now:
            name = names[state["cards"][number]]
            lines = filter(None, (f"after round {after}", says.get(f"events.{name}")))
            events.append(Thing(name.replace("_", " ").capitalize(), tuple(lines)))
    yield Area(f"Round {min(now, ROUNDS)} of {ROUNDS}: Events to come", tuple(events))
    for seat in range(moment.rules["players"]):
        yield _fief(moment, seat)


def _round(moment: Moment) -> int:
    """Return the round that is being played, or the next one."""
    now = int(moment.state["round"])
    return now if now and moment.state["occupied"][now - 1 & 3] else now + 1


def _row(moment: Moment, row: int, is_played: bool) -> Iterator[Thing]:
    """Yield the tiles of a row; while it is played, those that have not been taken."""
    state, players = moment.state, int(moment.rules["players"])
    lords = {
        column: int(state["lords"][row][column])
        for column in range(players + 1)
        if int(state["occupied"][row]) >> column & 1
    }
    scouts = {int(player["scout"]): seat for seat, player in enumerate(state["players"][:players])}
    is_played &= bool(state["round"]) and bool(lords) and _round(moment) == int(state["round"])
    reached = min((column for column, seat in lords.items() if seat == moment.seat), default=0) if is_played else 0
    for column in range(players + 1):
        if is_played and (column < reached or column not in lords):
            continue
        scout = scouts.get(8 * row + column)
        notes = [f"column {column + 1}"]
        notes += [f"Lord of seat {lords[column] + 1}"] if column in lords else []
        notes += [f"Scout of seat {scout + 1}"] if scout is not None else []
        yield Thing(_tile(moment, state["tiles"][row][column]), tuple(notes), lords.get(column, scout))


def _tile(moment: Moment, tile: int) -> str:
    face = moment.rules["tiles"][int(tile)]
    number, domain, peasants, chests = (int(face[name]) for name in ("number", "domain", "peasants", "chests"))
    symbols = [counted(peasants, "peasant")] * bool(peasants) + [counted(chests, "chest")] * bool(chests)
    return " ".join([f"{DOMAIN_NAMES[domain].capitalize()} {number}", *([f"({', '.join(symbols)})"] * bool(symbols))])


def _fief(moment: Moment, seat: int) -> Area:
    player = moment.state["players"][seat]
    things = [Thing(counted(int(player["coins"]), "coin"))]
    for domain in range(DOMAINS):
        held = int(player["tiles"][domain])
        notes = [_tile(moment, tile).partition(" ")[2] for tile in player["column"][domain][:held]]
        notes += ["extra-coin token"] * (int(player["extras"]) >> domain & 1)
        added = int(player["lists"][domain]) & ~int(moment.rules["lists"][domain])
        notes += [f"{DOMAIN_NAMES[other].capitalize()} token" for other in range(DOMAINS) if added >> other & 1]
        if notes:
            things.append(Thing(f"{held} {DOMAIN_NAMES[domain].capitalize()}", tuple(notes)))
    if buried := [_tile(moment, tile) for tile in player["cemetery"][: int(player["buried"])]]:
        things.append(Thing("Cemetery", tuple(buried)))
    return Area("Fief", tuple(things), seat)


def option(moment: Moment, move: int) -> str:
    """Say what a move does."""
    state, kind = moment.state, int(moment.state["decision"])
    own = state["players"][moment.seat]
    if kind == LORD:
        row = int(state["round"]) & 3
        return f"{_tile(moment, state['tiles'][row][move])}, {'ABCD'[row]}{move + 1}"
    if kind == SCOUT:
        row = int(state["round"]) + 1 + (move >> 3) & 3
        return f"{_tile(moment, state['tiles'][row][move & 7])}, {'ABCD'[row]}{(move & 7) + 1}"
    if kind == CEMETERY:
        return _tile(moment, own["cemetery"][move])
    if kind == EXTRA:
        return DOMAIN_NAMES[move].capitalize()
    if kind == PLOT:
        return f"{DOMAIN_NAMES[move & 7].capitalize()} token on {DOMAIN_NAMES[move >> 3].capitalize()}"
    assert kind == LOSS
    return _tile(moment, own["column"][int(state["domain"])][move])


TABLETOP = Tabletop(
    areas,
    option,
    {
        "lord": lambda moment: f"Where does your Lord go, in row {'ABCD'[int(moment.state['round']) & 3]}?",
        "scout": "Which tile does your Scout reserve?",
        "cemetery": "Which tile comes back from your Cemetery?",
        "extra": "Under which Domain does the extra-coin token go?",
        "plot": "Which plot token goes where?",
        "loss": "Which tile do you lose?",
    },
)
