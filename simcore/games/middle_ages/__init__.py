"""Middle-Ages, 2 to 5 players."""

from simcore.game import Game
from simcore.games.middle_ages.columns import COLUMNS
from simcore.games.middle_ages.events import header, records
from simcore.games.middle_ages.fief import ILLEGAL_MOVE, OUT_OF_TILES
from simcore.games.middle_ages.kernel import play_batch
from simcore.games.middle_ages.model import MiddleAgesRules
from simcore.games.middle_ages.narrate import narrate
from simcore.games.middle_ages.rules import pack
from simcore.games.middle_ages.search import SEARCH
from simcore.games.middle_ages.state import PLAYERS, ROW, RULES, STATE

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
    play_batch=play_batch,
    faults={ILLEGAL_MOVE: "a policy chose an illegal move", OUT_OF_TILES: "no tile was left to draw"},
    columns=COLUMNS,
    score="coins",
    header=header,
    records=records,
    narrate=narrate,
    search=SEARCH,
)
