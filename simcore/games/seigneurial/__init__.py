"""Seigneurial, a lord against 2 to 4 tenants."""

from simcore.game import Game, Role
from simcore.games.seigneurial.search import CHANCE
from simcore.games.seigneurial.state import COLUMNS
from simcore.games.seigneurial.log import RECORD_KINDS, header, records
from simcore.games.seigneurial.kernel import settle, start, step
from simcore.games.seigneurial.rules import SeigneurialRules
from simcore.games.seigneurial.log import narrate
from simcore.games.seigneurial.rules import RULES, pack, par
from simcore.games.seigneurial.search import SEARCH, redraw
from simcore.games.seigneurial.state import DECISIONS, EVENTS, MOST_NOTES, PLAYERS, ROW, STATE
from simcore.games.seigneurial.tabletop import TABLETOP

ROLES = (
    Role("lord", "Lord", lambda players: range(1)),
    Role("tenant", "Tenant", lambda players: range(1, players), camp="tenants"),
)

GAME = Game(
    name="seigneurial",
    title="Seigneurial",
    players=range(3, PLAYERS + 1),
    default_players=4,
    roles=ROLES,
    par=par,
    rules=SeigneurialRules,
    pack=pack,
    rules_dtype=RULES,
    state_dtype=STATE,
    row_dtype=ROW,
    start=start,
    step=step,
    settle=settle,
    columns=COLUMNS,
    header=header,
    records=records,
    record_kinds=RECORD_KINDS,
    narrate=narrate,
    decisions=DECISIONS,
    events=EVENTS,
    most_notes=MOST_NOTES,
    redraw=redraw,
    search=SEARCH,
    chance=CHANCE,
    tabletop=TABLETOP,
    trace_words=1 << 18,
)
