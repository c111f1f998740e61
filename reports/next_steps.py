"""What to do after a report: commands that can be copied, most useful first."""

from __future__ import annotations

from collections.abc import Iterator
from shlex import quote

from analysis.data.results import Verdict
from analysis.design_log import newest
from reports.page import Step
from reports.portable import portable
from reports.second_opinion import Opinion
from reports.study import Study
from simcore.rules.files import shipped_rules
from strategies.kit import EXPERTS
from strategies.library import shipped_strategies
from strategies.skill import players_of, weak_players

STEPS = 3
"""Largest number of steps that are proposed."""

MENDED = "mended-1.toml"
"""File of the best rules that a search for a mended game writes."""


def _mend(study: Study, at: str, players: int, own: str) -> tuple[str, str]:
    """Return the step to try the result of a search next to the runs; without a search, the step that searches."""
    for folder in dict.fromkeys(run.folder.parent for run in study.runs):
        found = newest(folder, "mend", study.game.name, players)
        if found and (found / MENDED).is_file():
            return "mended", f"equipoise compare base {quote(portable(str(found / MENDED)))} {at}"
    return "mend", f"equipoise mend {at}{own}"


def _rules(study: Study) -> str:
    """Return the options for the rules, after a space; a user has to fill in the path of an own file."""
    rules = study.focus.spec.rules
    name = rules.name if rules.name in shipped_rules(study.game) else "FILE.toml"
    named = [] if name == "base" else ["--rules", name]
    return "".join(f" {part}" for part in (*named, *(f"--set {quote(one)}" for one in rules.settings)))


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
    words, game = study.words, study.game.name
    at = f"--game {game} --players {players}"
    own, cast = _rules(study), _cast(study)
    found: list[tuple[str, str]] = []
    if study.quick:
        found.append(("full", f"equipoise report --game {game}{own}"))
    elif len(study.rungs(study.focus.players)) < 2 or weak_players(study.focus.spec):
        found.append(("skill", f"equipoise report --game {game}{own}"))
    if status == "unclear" and "needed" in verdict.values:
        games = f"{1.1 * verdict.values['needed'] * study.focus.spec.games_per_deal:.1e}".replace("e+0", "e")
        found.append(("games", f"equipoise simulate {at}{own}{cast} --games {games}"))
    if second.doubts(verdict):
        more = 10 * max(second.games, 100)
        found.append(("search", f"equipoise simulate {at}{own} --skill search --games {more}"))
    if status == "tilted":
        found.append(_mend(study, at, players, f"{own}{cast}"))
        found.append(("compare", f"equipoise compare base --set KEY=VALUE {at}{cast}"))
    found += [
        ("sensitivity", f"equipoise sensitivity {at}{own}{cast}"),
        ("tune", f"equipoise tune {at}{own} --budget 5m"),
        ("restrict", f"equipoise restrict {at}{own}"),
    ]
    for name, command in found[:STEPS]:
        yield Step(words(f"step.{name}"), command)
