"""Equipoise: Monte Carlo balance analysis for tabletop games.

Every command is also a function of this package; docs/reference/eq.md lists them.

    import equipoise as eq

    found = eq.simulate("middle-ages", games=1e5, settings={"shortfall": "debt"}, out="runs/debt")
    found.seats, found.verdicts, found.run         # who wins from which seat, and the run folder
    eq.resume("runs/debt")                         # continue a run that ended early
    eq.report("runs/debt")                         # a page that says what tilts the game
    eq.tournament(strategies=["champion", "scout", "greedy"])    # who is strong, and against whom
    eq.restrict(forbid=["scout"])                  # what a strategy loses; eq.restrictions() lists the names
    eq.tune(budget="10m", out="mine.toml")         # a player who is strong under some rules
    eq.learn(budget="5m", out="thinks.toml")       # a player who looks ahead with such a player
    eq.compare("base", "gentler-barracks")         # what a change did to each seat and to other measures
    eq.sweep(settings={"effects.mill_coins": range(1, 5)}, target="seats")    # what each value does
    eq.sensitivity()                               # which verdicts depend on what the rulebook leaves open
    eq.cards("medievallons")                       # what each card does, and how often it is the winner's
    eq.skill()                                     # how the seats change with the strength of the players
    eq.luck()                                      # which part of who wins the seat, each deck and the players decide
    eq.mend(target="seats", free="starting_coins")  # the smallest changes that make the seats even
    eq.playtest("games.csv")                       # do the results of real games agree, and at which level of skill?
    eq.import_table("results.csv", "runs/mine")    # results from elsewhere, as a run that all of these can read
    eq.check("configs/middle-ages/baselines/default.toml")       # is the game still balanced as it was?
    eq.odds(range(4, 19), 6, ground="castle")      # the odds of fights in Fief 2
    print(eq.replay("runs/debt", 12).text())       # play one game again
    eq.log("runs")                                 # what was tried, and how far apart the seats were
    eq.index("runs").save()                        # a page that links to all pages of a folder
    eq.verify(eq.load("runs/debt"))                # do the games, played again, match the run's files?

`with eq.cluster("tcp://scheduler:8786"):` lets the workers of a Dask cluster play; see docs/reference/cluster.md.

`eq.games`, `eq.strategies`, `eq.rules`, `eq.rule_sets`, `eq.rule_keys` and `eq.differences` list what you can play
with.  `eq.load` opens a run folder.  `eq.seat_advantage` and every other name of `analysis.api` analyse a run;
`eq.middle_ages` holds the analyses that only that game has.  `eq.make_spec` and `eq.run_chunk` give the rows of a few
games directly, and `eq.policy` marks a function of yours as a strategy.  `eq.PlainGame` is the class of a game in plain
Python.

Long work is silent unless you ask for progress: `progress=True` draws a bar, and a function is called with the amount
done and the total.  Arguments that cannot be used raise `eq.UsageError`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from analysis.runs import Run, load
    from equipoise.api.clustering import cluster
    from equipoise.api.listing import games, rule_keys, rule_sets, rules, strategies
    from equipoise.api.replaying import replay, verify
    from equipoise.api.simulation import resume, run_chunk
    from equipoise.api.tournament import restrictions
    from equipoise.questions.cards import cards
    from equipoise.questions.check import check
    from equipoise.questions.compare import compare
    from equipoise.questions.import_table import import_table
    from equipoise.questions.log import index, log
    from equipoise.questions.luck import luck
    from equipoise.questions.mend import mend
    from equipoise.questions.odds import odds
    from equipoise.questions.playtest import playtest
    from equipoise.questions.report import report
    from equipoise.questions.restrict import restrict
    from equipoise.questions.sensitivity import sensitivity
    from equipoise.questions.simulate import simulate
    from equipoise.questions.skill import skill
    from equipoise.questions.sweep import sweep
    from equipoise.questions.tournament import tournament
    from equipoise.questions.tune import learn, tune
    from simcore.errors import UsageError
    from simcore.plain.game import PlainGame
    from simcore.rules.files import differences
    from simcore.running.batch import Spec
    from strategies.custom import policy
    from strategies.spec import make_spec

    __version__: str

__all__ = [
    "PlainGame", "Run", "Spec", "UsageError", "cards", "check", "cluster", "compare", "differences", "games",
    "import_table", "index", "learn", "load", "log", "luck", "make_spec", "mend", "odds", "playtest", "policy",
    "replay", "report", "restrict", "restrictions", "resume", "rule_keys", "rule_sets", "rules", "run_chunk",
    "sensitivity", "simulate", "skill", "strategies", "sweep", "tournament", "tune", "verify",
]  # fmt: skip

ELSEWHERE = {
    "analysis.runs": ("Run", "load"), "equipoise.api.clustering": ("cluster",),
    "equipoise.api.listing": ("games", "rule_keys", "rule_sets", "rules", "strategies"),
    "equipoise.api.replaying": ("replay", "verify"), "equipoise.api.simulation": ("resume", "run_chunk"),
    "equipoise.api.tournament": ("restrictions",), "equipoise.questions.log": ("index",),
    "equipoise.questions.tune": ("learn",), "simcore.errors": ("UsageError",), "simcore.plain.game": ("PlainGame",),
    "simcore.rules.files": ("differences",), "simcore.running.batch": ("Spec",), "strategies.custom": ("policy",),
    "strategies.spec": ("make_spec",),
}  # fmt: skip
"""The modules of names that are not questions with a module of their own."""

HOMES = {name: f"equipoise.questions.{name}" for name in __all__}
HOMES |= {name: module for module, names in ELSEWHERE.items() for name in names}


def __getattr__(name: str) -> Any:
    """Import a public name when it is first used, so that `import equipoise` stays fast."""
    if name == "__version__":
        from importlib.metadata import version

        return version("equipoise")
    if name.startswith("__"):  # what Python and notebooks look for, such as __wrapped__
        raise AttributeError(f"module 'equipoise' has no attribute '{name}'")
    from importlib import import_module

    from equipoise.process import claim

    claim()
    from inspect import isfunction

    from analysis import pictured

    pictured.artist = "reports.study.plots"
    found = getattr(import_module(HOMES[name]), name) if name in HOMES else _analysis(name)
    if isfunction(found):
        from equipoise.api.arguments import guarded

        return guarded(found, __getattr__)
    return found


def _analysis(name: str) -> Any:
    """Return an analysis, or the module of one game's own analyses."""
    from importlib.util import find_spec

    from equipoise.api.analyses import analysis_of

    found = None if find_spec(f"equipoise.{name}") else analysis_of(name)  # `from equipoise import cli` asks here first
    if found is None:
        raise AttributeError(f"module 'equipoise' has no attribute '{name}'; see docs/reference/eq.md")
    return found


def __dir__() -> list[str]:
    from analysis.api import __all__ as analyses

    return sorted([*__all__, *analyses, "__version__"])
