"""Fief 2: what each kind of purchase is worth, measured by forbidding it to one family in the same deals."""

from __future__ import annotations

import shlex
from functools import partial

from analysis.restricted_play import Restricted, restricted
from reports.page import Listing, Remark, Section, basis, notes, sentences
from reports.restricted import costs, naming
from reports.sections.common import failed
from reports.study import Study
from simcore.games.fief_2.names import BUY
from strategies.library import strategy_from_dict
from strategies.restrictions import find_restrictions

DEALS = 10_000
"""Largest number of deals: each is played in every seat, without and with each restriction."""


def paying(study: Study) -> Section | None:
    """Return what it costs one family to buy no titles, cardinals, castles, mills, presses or soldiers.

    The section needs a table of equal players whose games can be played again within seconds.
    """
    source = study.focus
    if source.mixed or not source.playable or source.spec.searches:
        return None
    title = study.words("section.paying")
    result = study.ask("paying", partial(_costs, study))
    if result is None:
        return failed(study, "paying", title)
    words = naming(study.words, result)
    words = words.naming({name: words("paying.buying", about=words.name(f"avoids.{name}")) for name in BUY})
    blocks = (
        *costs(words, result), Remark(words("method.restrict.relearn")),
        Listing(words("paying.command"), (_command(study, result),)),
    )  # fmt: skip
    return Section(
        "paying", title, sentences(words, result), blocks, notes(words, result), basis(words, *result.inputs)
    )


def _games(study: Study) -> int:
    """Return how many games are played without and with all restrictions."""
    return min(study.deals, DEALS) * study.focus.players * (1 + len(BUY))


def _costs(study: Study) -> Restricted:
    """Play the same deals without and with each restriction."""
    spec = study.focus.spec
    player = strategy_from_dict(spec.game, spec.strategy_tables[0])
    forbidden = find_restrictions(spec.game.name, spec.rules.values, BUY, "forbid")
    deals = min(study.deals, DEALS)
    games = _games(study)
    return restricted(
        spec.game, player, player, spec.rules, forbidden, spec.players, deals, spec.seed, study.thresholds.level,
        tick=lambda done: study.advance(done / games),
    )  # fmt: skip


def _command(study: Study, result: Restricted) -> str:
    """Return the command that measures the same."""
    spec = study.focus.spec
    rules = ("--rules", spec.rules_reference) if spec.rules_reference not in ("", "base") else ()
    changed = (part for setting in spec.rules.settings for part in ("--set", setting))
    games = result.inputs[0].games // (1 + len(BUY))
    return shlex.join((
        "equipoise", "restrict", "--game", spec.game.name, "--players", str(spec.players), "--strategy",
        spec.references[0] if spec.references else result.strategy, "--forbid", ",".join(BUY), *rules, *changed,
        "--games", str(games), "--seed", str(spec.seed),
    ))  # fmt: skip
