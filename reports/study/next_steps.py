"""What to do after a report: commands that can be copied, most useful first."""

from __future__ import annotations

from collections.abc import Iterator
from shlex import quote

from analysis.data.results import Verdict
from analysis.design_log import newest
from analysis.seats.agreement import FEW, SEVERAL
from reports.page import Step
from reports.portable import portable
from reports.steps import MENDED, playing, restricting, steps, tuning
from reports.study.second_opinion import Opinion
from reports.study.study import Study
from simcore.homes import typed
from strategies.kit import EXPERTS
from strategies.library import shipped_strategies
from strategies.skill import players_of, weak_players

STEPS = 3
"""Largest number of steps that are proposed."""


def _mend(study: Study, playing: str, players: int) -> tuple[str, str]:
    """Return the step to try the result of a search next to the runs; without a search, the step that searches."""
    for folder in dict.fromkeys(run.folder.parent for run in study.runs):
        found = newest(folder, "mend", study.game.name, players)
        if found and (found / MENDED).is_file():
            at = f"--game {typed(study.game.name)} --players {players}"
            return "mended", f"compare base {quote(portable(str(found / MENDED)))} {at}"
    return "mend", f"mend {playing}"


def _cast(study: Study) -> str:
    """Return the option for the players, after a space; empty for the game's usual judge."""
    spec, shipped = study.focus.spec, shipped_strategies(study.game)
    if set(spec.strategies) == set(players_of(study.game.name, EXPERTS).values()):
        return ""
    names = [name if name in shipped else "FILE.toml" for name in spec.strategies]
    if study.game.asymmetric:
        names = [f"{role.name}={name}" for role, name in zip(spec.roles, names, strict=True)]
    if not spec.mixed_roles:
        names = list(dict.fromkeys(names))
    return f" --strategies {','.join(names)}"


def next_steps(study: Study, status: str, players: int, verdict: Verdict, second: Opinion) -> Iterator[Step]:
    """Yield the next steps, most useful first."""
    words = study.words
    rules, cast = study.focus.spec.rules, _cast(study)
    at, everywhere = playing(rules, players), playing(rules)
    found: list[tuple[str, str]] = []
    if study.quick:
        found.append(("full", f"report {everywhere}"))
    elif len(study.rungs(study.focus.players)) < 2 or weak_players(study.focus.spec):
        found.append(("skill", f"report {everywhere}"))
    if status == "unclear" and "needed" in verdict.values:
        games = f"{1.1 * verdict.values['needed'] * study.focus.spec.games_per_deal:.1e}".replace("e+0", "e")
        found.append(("games", f"simulate {at}{cast} --games {games}"))
    if second.doubts or (verdict.status == "tilted" and second.says in (FEW, SEVERAL)):
        more = 10 * max(second.games, 100)
        found.append(("search", f"simulate {at} --skill search --games {more}"))
    if status == "tilted":
        found.append(_mend(study, f"{at}{cast}", players))
        game = typed(study.game.name)
        found.append(("compare", f"compare base --set KEY=VALUE --game {game} --players {players}{cast}"))
    found.append(("sensitivity", f"sensitivity {at}{cast}"))
    found.append(("tune", tuning(rules, players)))
    found.append(("restrict", restricting(rules, players)))
    yield from steps(words, rules, *found)[:STEPS]
