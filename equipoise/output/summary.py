"""The output of `simulate`: who wins from which seat, and how certain that is; tables that cut off no figure."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from rich.console import Console
from rich.table import Table
from rich.text import Text

from analysis.data.results import digits_of
from analysis.seats.shares import Estimate, Shares, camp_shares, seat_shares, strategy_shares
from equipoise.retuning import CURE, NOBODY
from reports.words import ENGLISH
from simcore.judged import Judged
from simcore.running.batch import Spec

if TYPE_CHECKING:
    from analysis.measures.requested import Found
    from equipoise.api.simulation import Simulation

# --- Printing of results so that even a narrow terminal cuts off no figure ---


def print_table(console: Console, table: Table, least: int) -> None:
    """Print a table that is at least `least` characters wide; a narrower terminal wraps its lines."""
    Console(highlight=False, width=max(console.width, least)).print(table)


def print_whole(console: Console, text: str) -> None:
    """Print a path or digest in one piece, so that it can be copied."""
    console.print(Text(text), soft_wrap=True)


# --- The output of `simulate`: who wins from which seat, and how certain that is ---


WIDTH = 24
"""Width of the longest bar in characters."""

FIGURES = 60
"""Width of the figures in characters."""


def show(found: Simulation) -> None:
    """Print the results of a run."""
    spec, result = found.spec, found.result
    console = Console(highlight=False)
    seats, camps = seat_shares(spec, result.tally), camp_shares(spec, result.tally)
    console.print(Text(_title(spec), style="bold"))
    pace = spec.games / max(found.seconds, 1e-9)
    console.print(Text(f"{_count(spec.games, 'game')} in {found.seconds:.1f} s, {pace:,.0f} a second"))
    summary = found.to_dict()
    judged, score = spec.judged, spec.game.score
    bars = console.width >= FIGURES + WIDTH // 2 and not judged.is_payoff
    score = None if score in judged.columns else score
    titles = {role.name: role.title for role in spec.game.roles}
    if camps.estimates:
        words = ENGLISH.of_game(spec.game.name)
        names = {name: words.known(name) or title for name, title in spec.game.camp_titles.items()}
        print_table(console, _table("camp", _named(camps, names), judged, None, bars), FIGURES)
    print_table(console, _table("seat", seats, judged, score, bars, titles), FIGURES)
    if len(spec.cast) > len(spec.game.roles):
        shares = strategy_shares(spec, result.tally)
        print_table(console, _table("strategy", shares, judged, None, bars, titles), FIGURES)
    if measured := found.measured:
        print_table(console, _measures(measured), FIGURES)
    for sentence in found.verdicts:
        console.print(Text(sentence, style="bold"))
    for level in summary["levels"]:
        console.print(Text(level["text"]))
    for player in summary.get("retuned", ()):
        console.print(Text(player["sentence"]))
        print_whole(console, f"Strategy  {player['path']}")
    if summary.get("retuned") == []:
        console.print(Text(NOBODY, style="dim"))
    for warning in found.warnings:
        console.print(Text(warning, style="yellow"))
    if summary["habits"]:
        console.print(Text(CURE, style="yellow"))
    console.print(Text(_denominator(seats, judged, len({one.name for one in measured})), style="dim"))
    if found.folder:
        print_whole(console, f"Table     {found.folder}")
    print_whole(console, f"Digest    {result.digest}")


def _title(spec: Spec) -> str:
    changed = f" with {', '.join(spec.rules.settings)}" if spec.rules.settings else ""
    return (
        f"{spec.game.title}, {spec.players} players, rules '{spec.rules.name}'{changed}, "
        f"{_players(spec)}, seed {spec.seed}"
    )


def _players(spec: Spec) -> str:
    """Return who plays, by role in a game with roles."""
    if not spec.game.asymmetric:
        return " against ".join(dict.fromkeys(spec.strategies))
    return " against ".join(
        f"{role.title} {' and '.join(dict.fromkeys(spec.strategies[seat] for seat in role.at(spec.players)))}"
        for role in spec.game.roles
    )


def _table(
    what: str, shares: Shares, judged: Judged, score: str | None, bars: bool, titles: Mapping[str, str] | None = None
) -> Table:
    """Return shares as a table; in a game with roles, they are grouped under the title of the role."""
    table = Table(box=None, pad_edge=False, header_style="bold")
    roles = bool(titles) and any(estimate.role for estimate in shares.estimates)
    if roles:
        table.add_column("role", no_wrap=True)
    table.add_column(what, no_wrap=True)
    won, of_par = (f"{judged.unit} a game", ()) if judged.is_payoff else ("wins", ("of par",))
    for heading in (won, "95 % interval", *of_par, *([f"mean {score}"] if score else ())):
        table.add_column(heading, justify="right", no_wrap=True)
    if bars:
        table.add_column("")
    top = max(estimate.par_normalised for estimate in shares.estimates)
    before = ""
    for estimate in shares.estimates:
        cells = [Text("" if estimate.role == before else titles[estimate.role])] if roles and titles else []
        before = estimate.role
        form = f"+.{digits_of(judged.distance(estimate.se))}f" if judged.is_payoff else ".2%"
        value, low, high = (judged.amount(end) for end in (estimate.share, estimate.low, estimate.high))
        cells += [
            Text(str(estimate.seat or estimate.name)),
            Text(_number(value, form)),
            Text(_ends(low, high, form)),
            *([] if judged.is_payoff else [Text(_number(estimate.par_normalised, ".3f"))]),
        ]
        if score:
            cells.append(Text(_number(estimate.score, ".2f")))
        if bars:
            cells.append(Text(_bar(estimate, top), style="cyan"))
        table.add_row(*cells)
    return table


def _measures(measured: Sequence[Found]) -> Table:
    """Return the measures that the run was played to a precision of."""
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("measure", no_wrap=True)
    for heading in ("mean", "95 % interval"):
        table.add_column(heading, justify="right", no_wrap=True)
    for one in measured:
        form = ".2%" if one.is_rate else ".3f"
        named = " ".join(filter(None, (one.name, one.member)))
        table.add_row(named, _number(one.value, form), _ends(one.low, one.high, form))
    return table


def _number(value: float, form: str) -> str:
    return "-" if math.isnan(value) else ENGLISH.number(value, form)


def _ends(low: float, high: float, form: str) -> str:
    return "none" if math.isnan(low) else f"{_number(low, form)} to {_number(high, form)}"


def _bar(estimate: Estimate, top: float) -> str:
    if math.isnan(estimate.share):
        return ""
    return "█" * round(WIDTH * estimate.par_normalised / max(top, 1e-9))


def _named(shares: Shares, titles: Mapping[str, str]) -> Shares:
    """Return shares with titles instead of names."""
    return replace(shares, estimates=tuple(replace(item, name=titles[item.name]) for item in shares.estimates))


def _denominator(shares: Shares, judged: Judged, measures: int = 0) -> str:
    counted = _count(shares.games, "game")
    if shares.games != shares.deals > 1:
        counted = f"{_count(shares.deals, 'whole deal')} ({counted})"
    apart = ", each measure for itself" if measures > 1 else ""
    ties = "" if judged.is_payoff else " Ties are split."
    return f"{counted}.{ties} Ranges are 95 % for the whole table{apart}."


def _count(number: int, what: str) -> str:
    return f"{number:,} {what}{'' if number == 1 else 's'}"
