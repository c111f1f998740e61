"""Makes players who look a little ahead and judge by a learned value: self-play, a fit, a screening, and rounds."""

from strategies.learning.plan import GAMES, Plan, make_plan
from strategies.learning.rounds import Made, Status, described, joined, learn, shipped_name
from strategies.learning.trials import Trial

__all__ = ["GAMES", "Made", "Plan", "Status", "Trial", "described", "joined", "learn", "make_plan", "shipped_name"]
