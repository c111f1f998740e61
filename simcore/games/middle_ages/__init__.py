"""Middle-Ages, 2 to 5 players."""

from simcore.game import Game
from simcore.games.middle_ages.search import CHANCE
from simcore.games.middle_ages.state import COLUMNS
from simcore.games.middle_ages.log import RECORD_KINDS, header, records
from simcore.games.middle_ages.kernel import OUT_OF_TILES
from simcore.games.middle_ages.kernel import settle, start, step
from simcore.games.middle_ages.rules import MiddleAgesRules
from simcore.games.middle_ages.log import narrate
from simcore.games.middle_ages.rules import RULES, pack
from simcore.games.middle_ages.search import SEARCH, redraw
from simcore.games.middle_ages.state import DECISIONS, PLAYERS, ROW, STATE
from simcore.games.middle_ages.tabletop import TABLETOP

GAME = Game(
    name="middle-ages",
    title="Middle-Ages",
    players=range(2, PLAYERS + 1),
    default_players=4,
    rules=MiddleAgesRules,
    pack=pack,
    rules_dtype=RULES,
    state_dtype=STATE,
    row_dtype=ROW,
    start=start,
    step=step,
    settle=settle,
    faults={OUT_OF_TILES: "no tile was left to draw"},
    columns=COLUMNS,
    score="coins",
    header=header,
    records=records,
    record_kinds=RECORD_KINDS,
    narrate=narrate,
    decisions=DECISIONS,
    redraw=redraw,
    search=SEARCH,
    chance=CHANCE,
    tabletop=TABLETOP,
)
