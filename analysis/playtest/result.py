"""The analysis of the results of real games, and of a plan of games."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl

from analysis.data.player_notes import habit_notes
from analysis.data.results import Inputs, Note, Result, Verdict
from analysis.playtest.claims import SCORE, contradicted
from analysis.playtest.evidence import Data
from analysis.playtest.ladder import Grid, Rung
from analysis.playtest.matches import Sheet, places
from analysis.playtest.planning import DECIDED, MORE, more_games, power
from analysis.playtest.posterior import HEADLINE, PRIORS, Posterior
from analysis.stats.intervals import POWER, check_level
from simcore.game import Game
from simcore.rules.files import Rules
from simcore.running.batch import Spec

NONE = "none_of_these"
FEW = 10
"""Number of games below which a note says that there are few."""

NAMED = 0.8
"""Probability from which on one place is said to win most."""

SURE = 0.99
"""The highest probability in a sentence; beyond it, the model is not exact enough."""

RANGE = 0.9
"""Probability that the true level is in the range that is named."""


@dataclass(frozen=True, eq=False, repr=False)
class PlaytestPlan(Result):
    """What a planned number of games can show.

    table: One row for each pair of levels; see `analysis.playtest.planning.power`.
    """


@dataclass(frozen=True, eq=False, repr=False)
class Playtest(Result):
    """The analysis of the results of real games.

    table: One row for each rung of the ladder, weakest first, and one for "none of these": its prior and posterior
        probability (`prior`, `posterior`), and the posterior probabilities if "none of these" had prior probabilities
        of 5 % and 50 %.
    """

    grid: pl.DataFrame
    """One row for each point of the ladder: the rungs `weak` and `strong`, the position between them, and the
    probability of the point."""
    shares: pl.DataFrame
    """One row for each number of players and place: games, wins, the observed share, and the posterior share with an
    interval, from the winners alone; `most` is the probability that this place wins most, relative to par."""
    claims: pl.DataFrame  # see `analysis.playtest.claims.contradicted`
    power: pl.DataFrame  # what this number of games could show beforehand; see `analysis.playtest.planning.power`
    matches: pl.DataFrame  # the games as read: one row for each game and place
    real: int = 0
    groups: int = 0


def make_grid(game: Game, rules: Rules, rungs: Sequence[Rung], players: Sequence[int], by_role: bool = False) -> Grid:
    """Return the ladder at some numbers of players."""
    found = [places(game, count, by_role) for count in players]
    pars = [np.asarray(game.par(rules.values, count), np.float64) for count in players]
    own = [np.array([par[list(seats)].sum() for seats in one.values()]) for par, one in zip(pars, found, strict=True)]
    return Grid(rungs, tuple(players), found, own)


def plan_games(grid: Grid, games: int, groups: int, specs: Sequence[Spec], level: float = 0.95) -> PlaytestPlan:
    """Return what a number of games can show, before any of them is played.

    grid: The ladder at one number of players.
    games, groups: Number of games, and of groups of people who play them.
    specs: Specifications of the ladder.
    level: Confidence level; it is only recorded in the document.
    """
    table = power(grid, games, groups)
    verdicts = tuple(_pair(row, groups) for row in table.filter("neighbours").iter_rows(named=True))
    return PlaytestPlan(_inputs(grid), check_level(level), table, verdicts, _notes(specs))


def judge_games(
    grid: Grid, sheet: Sheet, specs: Sequence[Spec], unchecked: Sequence[str] = (), level: float = 0.95
) -> Playtest:
    """Compare the results of real games with the simulation.

    grid: The ladder at the numbers of players of the games.
    sheet: The games.
    specs: Specifications of the ladder.
    unchecked: Names of logs whose moves could not be checked.
    level: Probability of the intervals.
    """
    check_level(level)
    names = list(dict.fromkeys(match.group for match in sheet.matches))
    data = _data(grid, sheet, names)
    found = Posterior(grid, data)
    shares, claims = _shares(found, level), contradicted(grid, data, level)
    most = int(np.argmax([won.sum() for won in data.won]))
    tested = power(grid, max(round(data.won[most].sum()), 1), _groups(data, most), most)
    verdicts = tuple(_verdicts(found, shares, claims, sheet, len(names)))
    return Playtest(
        _inputs(grid),
        level,
        _rungs(found),
        verdicts,
        (*_sheet_notes(grid, sheet, unchecked), *_notes(specs)),
        _points(found),
        shares,
        claims,
        tested,
        _matches(grid, sheet),
        len(sheet.matches),
        len(names),
    )


def _data(grid: Grid, sheet: Sheet, names: Sequence[str]) -> Data:
    won = [np.zeros((1, len(names), len(own))) for own in grid.places]
    scores = np.zeros((1, len(names), len(grid.players), 3))
    for match in sheet.matches:
        table, group = grid.players.index(match.players), names.index(match.group)
        won[table][0, group] += match.won
        if match.score is not None:
            scores[0, group, table] += 1, match.score, match.score**2
    return Data(won, scores if grid.scored and scores.any() else None)


def _groups(data: Data, table: int) -> int:
    return max(1, int((data.won[table][0].sum(axis=1) > 0).sum()))


def _inputs(grid: Grid) -> tuple[Inputs, ...]:
    return tuple(rung.tables[players].inputs for players in grid.players for rung in grid.rungs)


def _rungs(found: Posterior) -> pl.DataFrame:
    names = [rung.title for rung in found.grid.rungs]
    columns: dict[str, Any] = {"level": [*names, NONE]}
    prior = found.grid.mixture.mean(axis=0) * (1 - HEADLINE)
    columns["prior"] = [*prior.tolist(), HEADLINE]
    for none in (HEADLINE, *(one for one in PRIORS if one != HEADLINE)):
        name = "posterior" if none == HEADLINE else f"posterior_{none * 100:02.0f}"
        columns[name] = [*found.rungs(none).tolist(), found.chances(none)[1]]
    return pl.DataFrame(columns)


def _points(found: Posterior) -> pl.DataFrame:
    grid = found.grid
    names = [rung.title for rung in grid.rungs]
    chances = found.chances()[0]
    rows = []
    for at, chance in enumerate(chances):
        weak, step = divmod(at, grid.parts)
        strong = min(weak + 1, len(names) - 1)
        rows.append((names[weak], names[strong] if step else names[weak], step / grid.parts, float(chance)))
    return pl.DataFrame(rows, schema=("weak", "strong", "part", "posterior"), orient="row")


def _shares(found: Posterior, level: float) -> pl.DataFrame:
    grid, rows = found.grid, []
    for table, players in enumerate(grid.players):
        draws, weights = found.shares(table)
        least, largest = found.ranges(table, level)
        seen = found.data.won[table][0].sum(axis=0)
        first = (draws / grid.pars[table]).argmax(axis=1)
        for place, name in enumerate(grid.places[table]):
            rows.append(
                {
                    "players": players,
                    "what": name,
                    "games": float(seen.sum()),
                    "wins": float(seen[place]),
                    "seen": float(seen[place] / seen.sum()),
                    "share": float(draws[:, place] @ weights),
                    "share_low": float(least[place]),
                    "share_high": float(largest[place]),
                    "par": float(grid.pars[table][place]),
                    "most": float(weights[first == place].sum()),
                }
            )
    return pl.DataFrame(rows)


def _matches(grid: Grid, sheet: Sheet) -> pl.DataFrame:
    rows = [
        {"game": number, "group": match.group, "players": match.players, "what": what, "won": won, "score": match.score}
        for number, match in enumerate(sheet.matches, 1)
        for what, won in zip(grid.places[grid.players.index(match.players)], match.won, strict=True)
    ]
    return pl.DataFrame(rows, schema_overrides={"score": pl.Float64}, infer_schema_length=None)


def _verdicts(found: Posterior, shares: pl.DataFrame, claims: pl.DataFrame, sheet: Sheet, groups: int) -> list[Verdict]:
    """Return the verdicts, most important first."""
    none = found.chances()[1]
    values = {
        "games": len(sheet.matches),
        "groups": groups,
        "none": none,
        "before": HEADLINE,
        "trusting": found.chances(PRIORS[0])[1],
        "sceptical": found.chances(PRIORS[-1])[1],
    }
    code, status = "agrees" if none <= DECIDED else "contradicts", "fact"
    if DECIDED < none < 1 - DECIDED:
        code, status = "open", "unclear"
    told = [Verdict(f"playtest_{code}", status, values), _level(found), _claims(claims)]
    told += [_most(rows) for _, rows in shares.group_by("players", maintain_order=True)]
    if code == "open":
        more = more_games(found)
        told.insert(
            1,
            Verdict("playtest_more", "fact", {"more": more, "power": POWER})
            if more
            else Verdict("playtest_more_many", "fact", {"more": MORE[-1], "power": POWER}),
        )
    return told


def _most(shares: pl.DataFrame) -> Verdict:
    """Say which place wins most, if one probably does; otherwise, which may."""
    rows = shares.sort("most", descending=True)
    top = rows.row(0, named=True)
    kind = "seat" if top["what"].startswith("seat-") else "role"
    names = [name.removeprefix("seat-") for name in rows["what"]]
    if top["most"] < NAMED:
        many = int((rows["most"].cum_sum() < RANGE).sum()) + 1
        values = {"players": top["players"], "names": tuple(names[:many]), "range": RANGE}
        return Verdict(f"playtest_most_open_{kind}", "unclear", values)
    own = {name: top[name] for name in ("players", "share_low", "share_high", "seen")}
    return Verdict(f"playtest_most_{kind}", "fact", own | {"most": min(top["most"], SURE), "what": names[0]})


def _level(found: Posterior) -> Verdict:
    """Say at which level these people play, if the ladder holds."""
    grid, chances = found.grid, found.given_ladder
    reached = np.cumsum(chances)
    low = int(np.searchsorted(reached, (1 - RANGE) / 2)) // grid.parts
    high = -(-min(int(np.searchsorted(reached, (1 + RANGE) / 2)), grid.points - 1) // grid.parts)
    names = [rung.title for rung in grid.rungs]
    by_rung = chances @ grid.mixture
    best = int(np.argmax(by_rung))
    values = {
        "best": names[best],
        "chance": float(by_rung[best]),
        "low": names[low],
        "high": names[high],
        "range": RANGE,
    }
    if low == 0 and high == len(names) - 1:
        return Verdict("playtest_level_open", "unclear", values)
    return Verdict("playtest_level" if low < high else "playtest_level_one", "fact", values)


def _claims(claims: pl.DataFrame) -> Verdict:
    """Say which claims of the simulation are contradicted."""
    against = claims.filter("contradicted").sort("p")
    values = {"of": len(claims), "count": len(against), "levels": tuple(dict.fromkeys(against["level"]))}
    if against.is_empty():
        return Verdict("playtest_claims_none", "fact", values)
    row = against.row(0, named=True)
    kind = "score" if row["what"] == SCORE else "seat" if row["what"].startswith("seat-") else "role"
    values |= {name: row[name] for name in ("level", "players", "simulated", "seen")}
    return Verdict(f"playtest_claims_{kind}", "fact", values | {"what": row["what"].removeprefix("seat-")})


def _pair(row: dict[str, Any], groups: int) -> Verdict:
    """Say what a plan can show about two neighbouring levels."""
    own = {name: row[name] for name in ("weak", "strong", "games", "players", "winners", "scores")}
    own |= {"groups": groups, "power": POWER}
    code = "plan_pair" if row["scores"] is None else "plan_pair_scores"
    enough = row["enough_winners"] if row["scores"] is None else row["enough_scores"]
    verdict = f"{code}_enough" if enough else f"{code}_never"
    return Verdict(verdict, "fact" if enough else "unclear", own | ({"enough": enough} if enough else {}))


def _sheet_notes(grid: Grid, sheet: Sheet, unchecked: Sequence[str]) -> tuple[Note, ...]:
    """Return notes on the file."""
    notes = []
    count = len(sheet.matches)
    if sheet.wins:
        notes.append(Note(f"import_{sheet.wins}"))
    if count < FEW:
        notes.append(Note("playtest_few", {"games": count}))
    if not sheet.grouped:
        notes.append(Note("playtest_one_group"))
    scored = sum(match.score is not None for match in sheet.matches)
    if grid.scored and scored < count:
        notes.append(Note("playtest_unscored", {"scored": scored, "games": count}))
    if sheet.unused:
        notes.append(Note("playtest_unused", {"names": sheet.unused}))
    if unchecked:
        notes.append(Note("playtest_unchecked", {"names": tuple(unchecked)}))
    return tuple(notes)


def _notes(specs: Sequence[Spec]) -> tuple[Note, ...]:
    """Return notes on strategies of the ladder that play by habit."""
    found = {(note.code, tuple(note.values.items())): note for spec in specs for note in habit_notes(spec)}
    return tuple(found.values())
