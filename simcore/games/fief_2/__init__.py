"""Fief 2: the kingdom, for 3 to 6 players."""

from simcore.game import Game
from simcore.games.fief_2.search import CHANCE
from simcore.games.fief_2.state import COLUMNS
from simcore.games.fief_2.combat import ENDLESS
from simcore.games.fief_2.kernel import settle, start, step
from simcore.games.fief_2.rules import Fief2Rules
from simcore.games.fief_2.state import DECISIONS, PLAYERS
from simcore.games.fief_2.log import narrate
from simcore.games.fief_2.log import RECORD_KINDS, header, records
from simcore.games.fief_2.rules import RULES, pack
from simcore.games.fief_2.search import SEARCH, redraw
from simcore.games.fief_2.state import EVENTS, MOST_NOTES, ROW, STATE
from simcore.games.fief_2.tabletop import TABLETOP

GAME = Game(
    name="fief-2",
    title="Fief 2",
    players=range(3, PLAYERS + 1),
    default_players=4,
    rules=Fief2Rules,
    pack=pack,
    rules_dtype=RULES,
    state_dtype=STATE,
    row_dtype=ROW,
    start=start,
    step=step,
    settle=settle,
    faults={ENDLESS: "a fight went on for too many rounds"},
    columns=COLUMNS,
    score="score",
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
