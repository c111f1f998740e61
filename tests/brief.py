"""Tunings, learnings and reports that play few games, for tests of all but how well they find."""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import partial
from importlib import import_module
from typing import Any

from threadpoolctl import threadpool_limits

from analysis.compare import comparing, shares
from analysis.compare import result as compared
from analysis.course import finding
from analysis.data import resumable
from analysis.games.middle_ages.holdings import pick_rates
from analysis.mend import result
from analysis.mend import search as searching
from analysis.openings import FEW, openings_made
from analysis.ratings.strengths import strengths
from analysis.stats import intervals
from analysis.tournament.result import RESAMPLES, judge
from equipoise.conformance import checks
from equipoise.output import players
from reports.render import images
from strategies.learning import fit, rounds, trials
from strategies.tuning import retune, search

Set = Callable[[Any, str, Any], object]
"""`setattr` for the rest of the process, or that of a `MonkeyPatch` for the rest of a test."""

USERS_DRAWS = intervals._DRAWS
"""Number of draws of the constant of simultaneous intervals, before anything is shortened."""


def tune_briefly(change: Set, games: int = 240, steps: tuple[int, int] = (0, 3)) -> None:
    """Play so many games where a tuning, a retuning or what is shown of them usually takes thousands.

    Steps of weights are looked for among few powers of two.
    """
    for module, names in (
        (search, ("TRIAL_GAMES", "FINAL_GAMES", "SCORE_GAMES")),
        (players, ("SEAT_GAMES", "START_GAMES")),
    ):
        for name in names:
            change(module, name, games)
    change(retune, "GAMES", 60)
    change(search, "GAMES", 12)
    change(search, "EXPONENTS", steps)


def learn_briefly(change: Set, games: int = 40) -> None:
    """Play so many games in each trial of a learning, and fit with few steps."""
    for module, names in (
        (rounds, ("GATE_GAMES", "SCORE_GAMES")),
        (trials, ("TRIAL_GAMES", "KIND_GAMES", "WARM_GAMES")),
    ):
        for name in names:
            change(module, name, games)
    change(rounds, "HIDDEN", 2)
    change(fit, "PASSES", 1)
    change(fit, "LEAST_STEPS", 1)
    change(trials, "DEPTHS", (0, 1))


def report_briefly(change: Set, games: int = 60) -> None:
    """Play so many games where a page usually replays a thousand, or lets 500 say what the seats see."""
    change(pick_rates, "__defaults__", (games, *(pick_rates.__defaults__ or ())[1:]))
    change(finding, "GAMES", games)


def judge_cards_briefly(change: Set, deals: int = 12) -> None:
    """Play so many deals where a report plays hundreds or thousands to say what each card does."""
    section = import_module("reports.sections.cards")  # its room offers the function by that name
    change(section, "MOST", deals)
    change(section, "FEWER", deals)


def compare_briefly(change: Set, games: int = 400, card_games: int = 100) -> None:
    """Play so many games where a comparison or a search plays 28,000 of each version to say what else moved."""
    for module in (shares, comparing, result):
        change(module, "GAMES", games)
        change(module, "CARD_GAMES", card_games)


def mend_briefly(change: Set) -> None:
    """Scatter few points once where a search usually scatters twice or four times as many twice."""
    change(searching, "around", lambda levers, times=2: levers + 2)
    change(searching, "STAGES", 1)


def open_briefly(change: Set, deals: int = 40, versions: int = FEW) -> None:
    """Read the logs of so many deals where 60 say how the seats open, and 20 of each version of a comparison."""
    change(openings_made, "__defaults__", (deals,))
    change(compared, "LOOKED", versions)


def draw_briefly(change: Set, draws: int = 1 << 14) -> None:
    """Draw so many means where the constant of simultaneous intervals takes 262,144."""
    change(intervals, "_DRAWS", draws)


def watch_briefly(change: Set, games: int = 6) -> None:
    """Play so many games where conformance watches the policies of a game in twelve."""
    change(checks, "GAMES_WATCHED", games)


def resample_briefly(change: Set, resamples: int = 20) -> None:
    """Draw deals again so many times, and not 200 times for a tournament and 500 times for strengths in a report."""
    given = judge.__defaults__ or ()
    change(judge, "__defaults__", tuple(resamples if value == RESAMPLES else value for value in given))
    change(import_module("reports.sections.strategies"), "strengths", partial(strengths, resamples=resamples))


def keep_no_half_work(change: Set) -> None:
    """Store no totals of work that takes long, which another test would go on from: how long depends on the machine."""
    change(resumable, "EVERY", float("inf"))


def shrink_pictures(change: Set, dots: int = 60) -> None:
    """Draw so many dots an inch, and not 200, in files of pictures."""
    width, _ = images.png.__defaults__ or ()
    change(images.png, "__defaults__", (width, dots))


def leave_out_pictures(change: Set) -> None:
    """Draw nothing in files of pictures, beside text of which alone something is asked."""
    change(images, "png", lambda figure, *size: b"\x89PNG")


def multiply_on_one_thread() -> None:
    """Have libraries, also those that are loaded later, compute matrix products on the thread that asks for them.

    A second thread that waits for a busy core takes a hundred times as long as a small product.
    """
    os.environ["OPENBLAS_NUM_THREADS"] = "1"
    threadpool_limits(1, user_api="blas")


def all_briefly(change: Set) -> None:
    """Shorten what the guard has no use for at full length; only tuning, learning and mending are asked for."""
    for shorten in (
        report_briefly,
        judge_cards_briefly,
        compare_briefly,
        open_briefly,
        draw_briefly,
        watch_briefly,
        resample_briefly,
        keep_no_half_work,
        shrink_pictures,
    ):
        shorten(change)
    multiply_on_one_thread()
