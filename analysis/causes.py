"""What makes a game uneven: which change, played on the same deals, brings the best and the worst seat closer.

All changes that a game declares are screened on the same deals: each truth value of the rules turned over, each shipped
variant, each lever at the ends of its range and halfway, and each card replaced by a blank.  The largest of many
estimates is too large, so what is reported of the two largest comes from other deals.  Players who do not know a change
go on playing by habit, so the largest is played once more by players tuned for it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np
import polars as pl

from analysis.cards.counterfactual import with_blanks
from analysis.compare.shares import Wins, camp_lines, distance_columns, together, wins_of
from analysis.data.declarations import load_declarations
from analysis.data.edits import Edit, Edits
from analysis.data.inputs import inputs_of
from analysis.data.results import Result, Unanswered, Verdict
from analysis.data.sources import Data, open_source
from analysis.stats.intervals import check_level
from simcore.errors import UsageError
from simcore.rules.files import load_rules, shipped_rules
from simcore.rules.levers import Lever, find_levers, rule_keys
from simcore.running.batch import MAX_SEED, Spec
from strategies.spec import under_rules
from strategies.tuning.retune import TUNINGS

SCREENED, CONFIRMED = 1_000, 10_000
"""Deals on which each change is screened, and other deals on which the two largest are played again."""

LEAST = 0.05
"""A change is named if it takes away at least this part of the distance for certain."""

MOSTLY = 0.9
"""Below this part, something else causes a rest."""

WIDE = 0.4
"""A part whose range is wider than this is told by its lower end."""

NAMES = ("kind", "name", "old", "new")
ENDS = ("", "_low", "_high")
MEASURED = {f"{name}{end}": pl.Float64 for name in ("before", "after", "gone") for end in ENDS}
COLUMNS: dict[str, Any] = {**dict.fromkeys(NAMES, pl.String), **MEASURED, **{f"tuned{end}": pl.Float64 for end in ENDS}}

Tick = Callable[[int, int], None]

Tune = Callable[[Spec, int], Spec | None]
"""Function that returns a run with players who were tuned for its rules, or None if nobody there can be tuned; it is
called with the number of the tuning, from 0."""


@dataclass(frozen=True)
class Cause:
    """A change that may take away what makes a game uneven."""

    kind: str  # "switch", "lever", "variant" or "card"
    name: str  # key of the rule, name of the variant, or name of the card
    old: str
    new: str
    """old, new: Value of the rule before and after; empty if the change is no value of a rule."""
    change: Callable[[Spec], Spec]  # returns a run with the change


@dataclass(frozen=True, eq=False, repr=False)
class Causes(Result):
    """What makes a game uneven.

    Parameters
    ----------
    table
        One row for each change, the largest first: `kind`, `name`, `old` and `new` value, the distance between the best
        and the worst seat (in a game with camps: camp) `before` and `after` it as a part of all wins, and the part of
        the distance that is `gone`.  The two largest that are gone were played on other deals than the others, and
        only they have intervals.  `tuned` is the part that is gone among players tuned for the change, whose intervals
        hold the differences between tunings; it is known for the largest change, if players were tuned.
    pair
        The same for the two largest together; no row if they cannot be made together, or if only one is named.
    """

    pair: pl.DataFrame


def causes(
    data: Data,
    screened: int = SCREENED,
    confirmed: int = CONFIRMED,
    level: float = 0.95,
    threads: int | None = None,
    tick: Tick = lambda done, total: None,
    tune: Tune | None = None,
) -> Causes:
    """Return which changes of a game bring its best and its worst seat closer.

    Parameters
    ----------
    data
        A run, a run folder, or a specification, in which one strategy plays each role.
    screened, confirmed
        Deals on which each change is screened, and other deals on which the two largest are played again.
    level
        Confidence level of the intervals of a change.
    threads
        Number of threads; it does not affect the results.
    tick
        Called with the number of changes that were played, and that of all.
    tune
        Function that tunes players for a change; if None, all play by habit.

    Raises
    ------
    UsageError
        If strategies of different strength play the same role, so that the seats are not what makes it uneven, the
        games cannot be played again, or all of them are the same game.

    References
    ----------
    * docs/reference/methods.md

    Examples
    --------
    >>> import equipoise as eq
    >>> found = eq.causes(eq.make_spec(strategies="greedy"), screened=200, confirmed=1_000)
    >>> found.table.columns[:4]
    ['kind', 'name', 'old', 'new']
    """
    check_level(level)
    spec = open_source(data).spec
    if spec.mixed_roles:
        raise Unanswered("causes_mixed", f"{spec.game.title}: strategies of different strength play")
    tried = list(_candidates(spec))
    before = wins_of(spec, screened, threads)
    if before.one_game:
        raise Unanswered("causes_same_game", "{game}: all games are the same game", game=spec.game.title)
    rows: list[dict[str, Any]] = []
    for number, cause in enumerate(tried):
        tick(number, len(tried))
        rows.append(_seen(before, wins_of(cause.change(spec), screened, threads)))
    order = sorted(range(len(tried)), key=lambda at: -rows[at]["gone"])
    again = replace(spec, seed=(spec.seed + 1) % (MAX_SEED + 1))
    usual = wins_of(again, confirmed, threads)
    largest = [at for at in order[:2] if rows[at]["gone"] > 0]
    for at in largest:
        rows[at] = _measured(usual, wins_of(tried[at].change(again), confirmed, threads), level)
    named = [at for at in largest if (rows[at]["gone_low"] or 0.0) > LEAST]
    named.sort(key=lambda at: -rows[at]["gone"])
    if tune and named:
        rows[named[0]] |= _known(usual, tried[named[0]].change(again), confirmed, threads, level, tune)
    pair = []
    if len(named) == 2:
        first, second = sorted((tried[at] for at in named), key=lambda cause: cause.kind != "variant")
        with suppress(UsageError):
            both = second.change(first.change(again))
            pair = [_measured(usual, wins_of(both, confirmed, threads), level)]
    shown = sorted(range(len(tried)), key=lambda at: (at not in named, -rows[at]["gone"]))
    table = pl.DataFrame(
        [{name: getattr(tried[at], name) for name in NAMES} | rows[at] for at in shown], schema=COLUMNS
    )
    together = pl.DataFrame(pair, schema=MEASURED)
    inputs = inputs_of(again, confirmed, confirmed)
    return Causes((inputs,), level, table, tuple(_verdicts(spec, table, together, len(named))), (), together)


def _candidates(spec: Spec) -> Iterator[Cause]:
    """Yield the changes that a game declares, each once; some rules or numbers of players forbid others."""
    known = {spec.rules_record.tobytes()}
    for cause in _declared(spec):
        with suppress(UsageError):
            record = cause.change(spec).rules_record.tobytes()
            if record not in known:
                known.add(record)
                yield cause


def _declared(spec: Spec) -> Iterator[Cause]:
    """Yield switches, levers, blank cards and, of the rules as they are printed, the shipped variants."""
    for key in rule_keys(spec.game, spec.rules):
        if isinstance(key.value, bool) and key.key.rpartition(".")[2] != "assumed":
            yield _setting(key.key, str(key.value).lower(), str(not key.value).lower(), "switch")
    declared = load_declarations(spec.game.name)
    found: tuple[Lever, ...] = ()
    with suppress(UsageError):  # the rules may forbid every other value
        found = find_levers(spec.game, spec.rules, (spec.players,), (), declared.levers) if declared.levers else ()
    for lever in found:
        halfway = lever.nearest((lever.low + lever.high) / 2)
        for value in dict.fromkeys((lever.low, halfway, lever.high)):
            if value != lever.value:
                yield _setting(lever.key, lever.text(lever.value), lever.text(value), "lever")
    for name in shipped_rules(spec.game) if spec.rules.name == "base" and not spec.rules.settings else ():
        yield Cause("variant", name, "", "", partial(_variant, name=name))
    if deck := declared.cards:
        for card in deck.present(spec.rules.values):
            yield Cause("card", card, "", "", partial(with_blanks, deck=deck, cards=[card]))


def _setting(key: str, old: str, new: str, kind: str) -> Cause:
    def change(played: Spec) -> Spec:
        return under_rules(played, load_rules(played.game, played.rules, f"{key}={new}"))

    return Cause(kind, key, old, new, change)


def _variant(played: Spec, name: str) -> Spec:
    if played.rules.settings:
        raise UsageError("a variant replaces other changes")
    return under_rules(played, load_rules(played.game, name))


def _seen(before: Wins, after: Wins) -> dict[str, Any]:
    """Return the distances that were seen, and the part that is gone."""
    found = {"before": _distance(before), "after": _distance(after)}
    return {**found, "gone": 1 - found["after"] / found["before"] if found["before"] else 0.0}


def _distance(wins: Wins) -> float:
    spec = wins.spec
    lines = camp_lines(spec) if spec.camps else np.eye(spec.players)
    return float(np.ptp(lines @ (spec.judged.amount(wins.shares.mean(axis=0)) - wins.fair)))


def _measured(before: Wins, after: Wins, level: float) -> dict[str, Any]:
    """Return the same with intervals; that of the part uses that the same deals were played before and after."""
    found = distance_columns(before, after, level)
    seen = {name: found[name] for name in COLUMNS if name.startswith(("before", "after"))}
    low, high = found["change_low"], found["change_high"]
    if low is None or high is None or not found["before_low"]:
        return {**seen, "gone": 1 - found["after"] / found["before"], "gone_low": None, "gone_high": None}
    least, most = found["before_low"], found["before_high"]
    ends = [-high / (most if high < 0 else least), -low / (least if low < 0 else most)]
    ends = [max(ends[0], 1 - found["after_high"] / least), min(ends[1], 1 - found["after_low"] / most)]
    return {**seen, "gone": 1 - found["after"] / found["before"], "gone_low": ends[0], "gone_high": min(ends[1], 1.0)}


def _known(before: Wins, changed: Spec, deals: int, threads: int | None, level: float, tune: Tune) -> dict[str, Any]:
    """Return the part of the distance that is gone among players tuned for a change."""
    known = [spec for number in range(TUNINGS) if (spec := tune(changed, number))]
    if not known:
        return {}
    found = _measured(before, together([wins_of(spec, deals, threads) for spec in known]), level)
    return {f"tuned{end}": found[f"gone{end}"] for end in ENDS}


def _verdicts(spec: Spec, table: pl.DataFrame, pair: pl.DataFrame, named: int) -> Iterator[Verdict]:
    """Yield the causes that are certain, and what is known if there is none."""
    kind = "camp" if spec.camps else "seat"
    if table.is_empty():
        yield Verdict("cause_untried", "unknown")
        return
    if not named:
        yield Verdict("cause_none", "unknown", {"count": len(table), "kind": kind})
        return
    more = pair.filter(pl.col("gone") > table["gone"][0])
    for row in table.head(named).iter_rows(named=True):
        values = {name: row[name] for name in ("gone", "gone_low", "gone_high", "before", "after")}
        rule = row["kind"] in ("switch", "lever")
        said = {"change": Edits([Edit(row["name"], row["old"], row["new"])])} if rule else {"name": row["name"]}
        code = f"cause_{'rule' if rule else row['kind']}{_width(row)}"
        yield Verdict(code, "fact", {**values, "kind": kind, **said})
        if row["tuned_low"] is not None:
            told = {f"gone{end}": row[f"tuned{end}"] for end in ENDS}
            less = "less" if row["tuned_high"] < LEAST else "tuned"
            yield Verdict(f"cause_{less}", "fact", {**told, "kind": kind})
    if len(more):
        both = more.row(0, named=True)
        yield Verdict(f"cause_pair{_width(both)}", "fact", {**both, "kind": kind})
    if (more if len(more) else table)["gone_high"][0] < MOSTLY:
        yield Verdict("cause_rest", "unknown", {"kind": kind})


def _width(row: Mapping[str, Any]) -> str:
    """Return the ending of the code of a part that is known so badly that only its lower end is told."""
    low, high = row["gone_low"], row["gone_high"]
    return "_least" if low is not None and low > 0 and high - low > WIDE else ""
