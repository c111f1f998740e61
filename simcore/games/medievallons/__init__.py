"""Médiévallons, 2 to 6 players."""

from simcore.game import Game
from simcore.games.medievallons.cards import TURN_LIMIT
from simcore.games.medievallons.search import CHANCE
from simcore.games.medievallons.state import COLUMNS
from simcore.games.medievallons.log import RECORD_KINDS, deals, header, records
from simcore.games.medievallons.kernel import settle, start, step
from simcore.games.medievallons.rules import MedievallonsRules
from simcore.games.medievallons.log import narrate
from simcore.games.medievallons.rules import RULES, pack
from simcore.games.medievallons.search import SEARCH, redraw
from simcore.games.medievallons.state import DECISIONS, EVENTS, MOST_NOTES, PLAYERS, ROW, STATE
from simcore.games.medievallons.tabletop import TABLETOP

GAME = Game(
    name="medievallons",
    title="Médiévallons",
    players=range(2, PLAYERS + 1),
    default_players=4,
    rules=MedievallonsRules,
    pack=pack,
    rules_dtype=RULES,
    state_dtype=STATE,
    row_dtype=ROW,
    start=start,
    step=step,
    settle=settle,
    faults={TURN_LIMIT: "a deal reached the turn limit"},
    columns=COLUMNS,
    score="points",
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
    logs=deals,
)
