"""Without Numba (NUMBA_DISABLE_JIT=1) every policy plays the same games.

One member has the largest weights that a file may give, under the largest rates that rules may give: were a sum to
leave 64 bits, NumPy would warn in the plain run, and warnings are errors there.
"""

from __future__ import annotations

import hashlib
import runpy
from pathlib import Path

from tests.toy import uncompiled

CODE = """
import hashlib, warnings
from dataclasses import replace

warnings.simplefilter("error")
from simcore.running.batch import run_chunk
from simcore.game import load_game
from strategies.custom import MAX_WEIGHT, policy
from strategies.library import load_strategy
from strategies.spec import lineup
from strategies.middle_ages import option_tile
from strategies.model import custom_strategy
from strategies.searching import Searching
from strategies.moves import count_moves, first_move, nth_move
from tests.specs import make_spec


@policy("middle-ages")
def own(rules, lineup, state, seat):
    move = nth_move(state.legal, count_moves(state.legal) - 1)
    if state.decision == 0 and option_tile(state, seat, move) > 2:
        return move
    return first_move(state.legal)


game = load_game("middle-ages")
planner, greedy, scout = (load_strategy(game, name) for name in ("planner", "greedy", "scout"))
everything = replace(planner, name="everything", weights={
    feature: MAX_WEIGHT * (-1) ** number for feature, number in planner_features.items()
})
seats = [
    planner,
    replace(planner, name="warm", temperature=3.0),
    replace(greedy, name="warm_greedy", temperature=1.0, blunder=0.2),
    everything,
    custom_strategy("middle-ages", "own", own),
]
digest = hashlib.sha256()
steep = [f"domains.{name}.coins_per_tile=1000" for name in ("field", "village", "rampart", "barracks", "church")]
for settings in ([], steep, ["slot_capacity=one", "plot_token_supply=unlimited", "shortfall=debt", "event_loss=top"]):
    spec = make_spec(5, ["random"], settings, seed=2**63 + 12345, games=3)
    spec = replace(spec, lineup_record=lineup(game, seats, 5, "rotate"))
    digest.update(run_chunk(spec, 0, 3).tobytes())
looking = replace(
    load_strategy(game, "rollout"), name="looking", temperature=2.0, blunder=0.1,
    search=Searching(planner, rollouts=2, rounds=1, win=60.0, caution=0.5),
)
whole = Searching(greedy, rollouts=1, rounds=99, win=7.0, caution=0.0)
far = replace(looking, name="far", temperature=0.0, search=whole)
spec = make_spec(2, ["random"], seed=11, games=1)
spec = replace(spec, lineup_record=lineup(game, [looking, far], 2, "fixed"))
digest.update(run_chunk(spec, 0, 1).tobytes())
print(digest.hexdigest())
""".replace("planner_features", "__import__('strategies.kit').kit.load_kit('middle-ages').index")


def test_compiled_and_plain_runs_agree(tmp_path: Path) -> None:
    played = tmp_path / "played.py"
    played.write_text(CODE, encoding="utf-8")
    compiled = runpy.run_path(str(played))["digest"].hexdigest()
    assert uncompiled(played).strip() == compiled != hashlib.sha256().hexdigest()
