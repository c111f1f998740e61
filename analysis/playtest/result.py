"""The analysis of the results of real games, and of a plan of games."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl

from analysis.data.player_notes import habit_notes
from analysis.data.results import Inputs, Note, Result, Verdict
from analysis.playtest.posterior import (
    HEADLINE,
    PRIORS,
    SHIFTS,
    Data,
    Grid,
    Posterior,
    Rung,
    draw_other,
    draw_scores,
    draw_wins,
    groups_of,
    log_mean,
    of_levels,
    of_other_scores,
    of_wins,
)
from analysis.playtest.sheet import Sheet, places
from analysis.stats.intervals import POWER, check_level
from analysis.stats.moments import Floats
from analysis.stats.multiple_testing import adjust
from simcore.game import Game
from simcore.rules.files import Rules
from simcore.running.batch import Spec

# --- The claims of the simulation that the results of real games contradict ---


PREDICTED, MOST_PREDICTED = 4_000, 200_000
"""Number of simulated sets of results for each level and number of players, at least and at most."""

SCORE = "score"


def contradicted(grid: Grid, data: Data, level: float) -> pl.DataFrame:
    """Return one row for each claim: what the simulation says about a place or the score, and what was observed.

    A claim is contradicted if results at least as extreme would be too rare at that level of skill, with Holm's
    correction for all claims.  Differences between groups are allowed for as in the posterior.

    data: One set of results.
    level: Probability that no true claim is called contradicted.
    """
    # Enough sets of results that any one of this many claims can be contradicted.
    claims = len(grid.rungs) * sum(len(own) + 1 for own in grid.places)
    sets = min(max(PREDICTED, round(4 * claims / (1 - level))), MOST_PREDICTED)
    rows = [row for table in range(len(grid.players)) for row in _of_table(grid, data, table, level, sets)]
    adjusted = adjust([row["p"] for row in rows], "holm")
    return pl.DataFrame(
        [row | {"p_holm": float(p), "contradicted": bool(p < 1 - level)} for row, p in zip(rows, adjusted, strict=True)]
    )


def _of_table(grid: Grid, data: Data, table: int, level: float, sets: int) -> Iterator[dict[str, Any]]:
    """Yield the claims about one number of players."""
    won = data.won[table][0]
    sizes, seen = won.sum(axis=1), won.sum(axis=0)
    whole = np.maximum(np.rint(sizes), 0).astype(np.int64)
    games = sizes.sum()
    chance = np.random.Generator(np.random.PCG64(3))
    for number, rung in enumerate(grid.rungs):
        head = {"players": grid.players[table], "rung": number, "level": rung.title}
        shares = grid.rung_shares[table][number]
        drawn = shares[chance.integers(0, len(shares), sets)]
        made = draw_wins(chance, drawn, whole).sum(axis=1)
        ends = np.quantile(made / games, ((1 - level) / 2, (1 + level) / 2), axis=0)
        for place, name in enumerate(grid.places[table]):
            yield head | {
                "what": name,
                "simulated": float(shares[0, place]),
                "low": float(ends[0, place]),
                "high": float(ends[1, place]),
                "seen": float(seen[place] / games),
                "p": _two_sided(made[:, place], float(seen[place])),
            }
        if data.scores is not None and data.scores[0, :, table, 0].any():
            yield head | _of_score(grid, data.scores[0, :, table], table, number, level)


def _two_sided(made: Floats, seen: float) -> float:
    """Return the two-sided p-value of observed results by simulated ones."""
    below = (made <= seen + 1e-9).sum() + 1
    above = (made >= seen - 1e-9).sum() + 1
    return float(min(1.0, 2 * min(below, above) / (len(made) + 1)))


def _of_score(grid: Grid, scores: Floats, table: int, number: int, level: float) -> dict[str, Any]:
    """Return the claim about the mean score of a table."""
    from scipy.optimize import brentq
    from scipy.special import ndtr

    mean, sd, error = (
        float(part[0, table] if part.ndim == 2 else part[0])
        for part in grid.scores(np.eye(len(grid.rungs))[number : number + 1])
    )
    count, total = scores[:, 0], scores[:, 1]
    games = count.sum()
    spread = [np.sqrt((count**2).sum() * shift**2 / games**2 + 1 / games + error**2) * sd for shift in SHIFTS]
    seen = float(total.sum() / games)

    def outside(distance: float) -> float:
        return float(np.mean([2 * ndtr(-distance / one) for one in spread]))

    half = brentq(lambda distance: outside(distance) - (1 - level), 0, 10 * max(spread))
    return {
        "what": SCORE,
        "simulated": mean,
        "low": mean - half,
        "high": mean + half,
        "seen": seen,
        "p": outside(abs(seen - mean)),
    }


# What a number of games can show: the power to distinguish levels of skill, and the games that are still needed.


ODDS = 19.0
"""Two levels are distinguished if the results favour the true one by these odds, starting from even odds."""

SETS = 200
"""Number of simulated sets of results for each level and number of games."""

SIZES = (5, 10, 15, 20, 30, 40, 60, 80, 120, 160, 240, 320, 480, 640)
"""Numbers of games that are tried in order to find enough."""

DECIDED = 0.05
"""The results agree with the simulation if "none of these" has at most this probability; they contradict it if the
probability is at least 1 minus this."""

MORE, MORE_SETS, MORE_DRAWS = (10, 20, 40, 80, 160, 320), 60, 512


def power(grid: Grid, games: int, groups: int, table: int = 0) -> pl.DataFrame:
    """Return one row for each pair of rungs: how often results of a number of games show from which rung they come.

    `winners` and `scores` are the probabilities of that, by winners alone and with the scores; the lower probability of
    the two true levels counts.  `enough_winners` and `enough_scores` are the numbers of games with which this succeeds
    nine times in ten, in groups of the same size; None if 640 games are too few.  `least` is the number of games after
    which the winners alone give odds of 19 to 1 on average if groups do not differ at all.

    table: Index of the number of players.
    """
    each = games / groups
    tried: dict[int, tuple[Floats, Floats | None]] = {
        size: _told(grid, table, size, max(1, round(size / each))) for size in SIZES
    }
    here = tried.get(games) or _told(grid, table, games, groups)
    rows = []
    for low in range(len(grid.rungs)):
        for high in range(low + 1, len(grid.rungs)):
            row: dict[str, Any] = {
                "players": grid.players[table],
                "weak": grid.rungs[low].title,
                "strong": grid.rungs[high].title,
                "neighbours": high == low + 1,
                "games": games,
            }
            for number, name in enumerate(("winners", "scores")):
                now = here[number]
                row[name] = None if now is None else float(min(now[low, high], now[high, low]))
                row[f"enough_{name}"] = next(
                    (
                        size
                        for size, one in tried.items()
                        if (own := one[number]) is not None and min(own[low, high], own[high, low]) >= POWER
                    ),
                    None,
                )
            one, two = (grid.rung_shares[table][at, 0] for at in (low, high))
            # Independent games after which winners give such odds on average, in the worse case.
            told = min(float((one * np.log(one / two)).sum()), float((two * np.log(two / one)).sum()))
            row["least"] = None if told < 1e-6 else int(np.ceil(np.log(ODDS) / told))
            rows.append(row)
    types = dict.fromkeys(("enough_winners", "enough_scores", "least"), pl.Int64) | {"scores": pl.Float64}
    return pl.DataFrame(rows, schema_overrides=types)


def _told(grid: Grid, table: int, games: int, groups: int) -> tuple[Floats, Floats | None]:
    """Return how often results of each rung favour it over each other rung, by winners alone and with scores."""
    count, sizes = len(grid.rungs), groups_of(games, groups)
    chance = np.random.Generator(np.random.PCG64([4, games, groups]))
    only = Grid(grid.rungs, (grid.players[table],), [grid.places[table]], [grid.pars[table]], grid.parts)
    wins, both = np.zeros((count, count)), np.zeros((count, count))
    mean, sd, _ = only.scores(np.eye(count)) if grid.scored else (np.zeros((count, 1)),) * 3
    for true in range(count):
        shares = only.rung_shares[0][true]
        made = draw_wins(chance, shares[chance.integers(0, len(shares), SETS)], sizes)
        found = of_levels(only, Data([made]), np.eye(count))
        wins[true] = (found[:, [true]] - found >= np.log(ODDS)).mean(axis=0)
        if grid.scored:
            scores = draw_scores(chance, np.full(SETS, mean[true, 0]), np.full(SETS, sd[true, 0]), sizes)
            found = of_levels(only, Data([made], scores[:, :, None, :]), np.eye(count))
            both[true] = (found[:, [true]] - found >= np.log(ODDS)).mean(axis=0)
    return wins, both if grid.scored else None


def more_games(posterior: Posterior) -> int | None:
    """Return about how many more games would decide whether the results agree with the simulation.

    Future games are drawn from the present posterior, in groups of the present size, at the most frequent number of
    players.  The number is enough if nine in ten of such futures are decided; None if 320 games are too few.
    """
    data = posterior.data
    table = int(np.argmax([won.sum() for won in data.won]))
    groups = max(int((data.won[table][0].sum(axis=1) > 0).sum()), 1)
    size = max(float(data.won[table].sum()) / groups, 1.0)
    for games in MORE:
        if _decided(posterior, table, groups_of(games, max(1, round(games / size)))) >= POWER:
            return games
    return None


def _decided(posterior: Posterior, table: int, sizes: Any) -> float:
    """Return how often results with some more games are decided."""
    grid, data = posterior.grid, posterior.data
    chance = np.random.Generator(np.random.PCG64([5, int(sizes.sum())]))
    levels, none = posterior.chances()
    truth = chance.choice(grid.points + 1, MORE_SETS, p=np.append(levels, none) / (levels.sum() + none))
    draws, weights = posterior.shares(table)
    other = draws[chance.choice(len(draws), MORE_SETS, p=weights)]
    shares = np.array([grid.shares[table][at, 0] if at < grid.points else other[n] for n, at in enumerate(truth)])
    future = draw_wins(chance, shares, sizes)
    won = []
    for number, known in enumerate(data.won):
        own = np.repeat(known, MORE_SETS, axis=0)
        more = future if number == table else np.zeros((MORE_SETS, len(sizes), known.shape[2]))
        won.append(np.concatenate([own, more], axis=1))
    scores = None if data.scores is None else _more_scores(posterior, table, sizes, truth, chance)
    made = Data(won, scores)
    inside = log_mean(of_levels(grid, made), 1)
    outside = _of_other(posterior, made)
    odds = outside + np.log(HEADLINE) - inside - np.log(1 - HEADLINE)
    after = 1 / (1 + np.exp(-np.clip(odds, -500, 500)))
    return float(((after <= DECIDED) | (after >= 1 - DECIDED)).mean())


def _more_scores(posterior: Posterior, table: int, sizes: Any, truth: Any, chance: np.random.Generator) -> Floats:
    """Return the known scores together with simulated scores of the future games."""
    grid, known = posterior.grid, posterior.data.scores
    assert known is not None
    mean, sd, _ = grid.scores()
    count, total, square = (float(known[0, :, table, part].sum()) for part in range(3))
    seen = total / max(count, 1)
    spread = np.sqrt(max(square / max(count, 1) - seen**2, 1e-9)) if count > 1 else float(sd[:, table].mean())
    inside = truth < grid.points
    at = np.minimum(truth, grid.points - 1)
    future = draw_scores(
        chance, np.where(inside, mean[at, table], seen), np.where(inside, sd[at, table], spread), sizes
    )
    more = np.zeros((len(truth), len(sizes), known.shape[2], 3))
    more[:, :, table] = future
    return np.concatenate([np.repeat(known, len(truth), axis=0), more], axis=1)


def _of_other(posterior: Posterior, made: Data) -> Floats:
    """Return the log-evidence of "none of these" for simulated sets of results."""
    grid = posterior.grid
    total = np.zeros((len(made.won[0]), 1))
    for table, won in enumerate(made.won):
        known = posterior.data.won[table][0].sum(axis=0)
        other = draw_other([grid.prior(table)], [known], MORE_DRAWS)
        total = total + log_mean(of_wins(other.shares[0], won) + other.weights[0][None, :, None], 1)
    found = log_mean(total, 1)
    if made.scores is None:
        return found
    rungs = grid.scores(np.eye(len(grid.rungs)))
    return found + of_other_scores(rungs[0], rungs[1], made.scores)


# --- The analysis of the results of real games, and of a plan of games ---


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

    table: One row for each pair of levels; see `analysis.playtest.result.power`.
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
    claims: pl.DataFrame  # see `analysis.playtest.result.contradicted`
    power: pl.DataFrame  # what this number of games could show beforehand; see `analysis.playtest.result.power`
    matches: pl.DataFrame  # the games as read: one row for each game and place
    real: int = 0
    groups: int = 0


def make_grid(
    game: Game,
    rules: Rules,
    rungs: Sequence[Rung],
    players: Sequence[int],
    by_role: bool = False,
    teams: Sequence[str] = (),
) -> Grid:
    """Return the ladder at some numbers of players."""
    found = [places(game, count, by_role, teams) for count in players]
    pars = [np.asarray(game.par(rules.values, count), np.float64) for count in players]
    own = [np.array([par[list(seats)].sum() for seats in one.values()]) for par, one in zip(pars, found, strict=True)]
    return Grid(rungs, tuple(players), found, own)


def plan_games(grid: Grid, games: int, groups: int, specs: Sequence[Spec], level: float = 0.95) -> PlaytestPlan:
    """Return what a number of games can show, before any of them is played.

    grid: The ladder at one number of players.
    games, groups: Number of games, and of groups of people who play them.
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
    unchecked: Names of logs whose moves could not be checked.
    """
    check_level(level)
    names = list(dict.fromkeys(match.group for match in sheet.matches))
    won = [np.zeros((1, len(names), len(own))) for own in grid.places]
    scores = np.zeros((1, len(names), len(grid.players), 3))
    for match in sheet.matches:
        table, group = grid.players.index(match.players), names.index(match.group)
        won[table][0, group] += match.won
        if match.score is not None:
            scores[0, group, table] += 1, match.score, match.score**2
    data = Data(won, scores if grid.scored and scores.any() else None)
    found = Posterior(grid, data)
    shares, claims = _shares(found, level), contradicted(grid, data, level)
    most = int(np.argmax([won.sum() for won in data.won]))
    groups = max(1, int((data.won[most][0].sum(axis=1) > 0).sum()))
    tested = power(grid, max(round(data.won[most].sum()), 1), groups, most)
    verdicts = tuple(_verdicts(found, shares, claims, sheet, len(names)))
    rows = [
        {"game": number, "group": match.group, "players": match.players, "what": what, "won": won, "score": match.score}
        for number, match in enumerate(sheet.matches, 1)
        for what, won in zip(grid.places[grid.players.index(match.players)], match.won, strict=True)
    ]
    return Playtest(
        _inputs(grid),
        level,
        _rungs(found),
        verdicts,
        (*_sheet_notes(grid, sheet, unchecked), *sheet.notes, *_notes(specs)),
        _points(found),
        shares,
        claims,
        tested,
        pl.DataFrame(rows, schema_overrides={"score": pl.Float64}, infer_schema_length=None),
        len(sheet.matches),
        len(names),
    )


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
    kind = _place(top["what"])[0]
    names = [_place(name)[1] for name in rows["what"]]
    if top["most"] < NAMED:
        many = int((rows["most"].cum_sum() < RANGE).sum()) + 1
        values = {"players": top["players"], "names": tuple(names[:many]), "range": RANGE}
        return Verdict(f"playtest_most_open_{kind}", "unclear", values)
    own = {name: top[name] for name in ("players", "share_low", "share_high", "seen")}
    return Verdict(f"playtest_most_{kind}", "fact", own | {"most": min(top["most"], SURE), "what": names[0]})


def _place(name: str) -> tuple[str, str]:
    """Return what kind of place may win, and its name in a sentence on places of this kind."""
    kind, _, seats = name.partition("-")
    return (kind, seats) if kind in ("seat", "team") and seats.isdigit() else ("role", name)


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


def clearest(claims: pl.DataFrame) -> pl.DataFrame:
    """Return claims in order, those first that are contradicted most clearly, also where p is as low as can be."""
    half = (pl.col("high") - pl.col("low")) / 2
    return claims.sort("p", -(pl.col("seen") - pl.col("simulated")).abs() / half, maintain_order=True)


def _claims(claims: pl.DataFrame) -> Verdict:
    """Say which claims of the simulation are contradicted."""
    against = claims.filter("contradicted")
    values = {"of": len(claims), "count": len(against), "levels": tuple(dict.fromkeys(against["level"]))}
    if against.is_empty():
        return Verdict("playtest_claims_none", "fact", values)
    row = clearest(against).row(0, named=True)
    kind, name = (SCORE, SCORE) if row["what"] == SCORE else _place(row["what"])
    values |= {column: row[column] for column in ("level", "players", "simulated", "seen")}
    return Verdict(f"playtest_claims_{kind}", "fact", values | {"what": name})


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
