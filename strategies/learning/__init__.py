"""Makes players who look a little ahead and judge by a learned value: self-play, a fit, a screening, and rounds."""

from strategies.learning.rounds import Made, Status, learn
from strategies.learning.plan import GAMES, Plan, make_plan
from strategies.learning.rounds import described, joined, shipped_name
from strategies.learning.plan import Trial

__all__ = ["GAMES", "Made", "Plan", "Status", "Trial", "described", "joined", "learn", "make_plan", "shipped_name"]
