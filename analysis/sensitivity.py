"""Which verdicts depend on what the rulebook leaves open: every switch and every assumed table, one at a time."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import polars as pl

from analysis.data.declarations import require_wins
from analysis.data.results import Note, Result, Verdict
from analysis.stats.margin import FAIR, Margin
from analysis.sweep.sweeping import Cell, Tick, sweep
from simcore.errors import UsageError, nearest
from simcore.game import Game, load_game
from simcore.rules.files import Rules, load_rules
from simcore.rules.levers import RuleKey, rule_keys, whole_numbers
from simcore.running.batch import Spec
from simcore.toml_tables import flatten
from strategies.spec import References, make_spec

FLIPS, SHIFTS, HOLDS, DEAD = "flips", "shifts", "holds", "dead"
"""Effects of a change: the verdict on a seat or camp becomes another one; a share moves but no verdict changes; nothing
moves significantly; nobody wins anything else, and par stays."""

SHUFFLES, TRIES = 3, 50
"""How often a table is shuffled, and how often a shuffle that the rules forbid is tried again."""

SHUFFLED = "shuffle"

ABOVE, FAIRLY, BELOW, UNSURE = 3, 2, 1, 0
_SAID = {ABOVE: "side_above", FAIRLY: "side_fair", BELOW: "side_below", UNSURE: "side_open"}


@dataclass(frozen=True)
class Variant:
    """The rules with one thing changed."""

    parameter: str  # a switch, or a table
    value: str  # its new value; for a table, the number of the shuffle
    rules: Rules  # the rules with the change


def variants(
    game: Game, rules: Rules, only: Sequence[str] = (), shuffles: int = SHUFFLES, seed: int = 1
) -> tuple[list[Variant], list[str]]:
    """Return every variant, and the switches that have no other value to try.

    A choice is tried with every other value, and a number with the next lower and higher one.  A table is shuffled: the
    numbers under the same key in several of its entries are permuted.

    only: Switches and tables.  If empty, all switches, and all tables marked as assumed.
    shuffles: How often each table is shuffled.
    Raises UsageError if a name is neither a switch nor a table.
    """
    switches, tables = switches_and_tables(game, rules)
    for name in only:
        if name not in switches and name not in tables:
            hint = nearest(name, [*switches, *tables]) or f"; the switches are {', '.join(switches)}"
            raise UsageError(f"'{name[:40]}' is neither a switch nor a table{hint}", "only")
    found: list[Variant] = []
    idle = []
    for name in only or [*switches, *rules.assumed]:
        if name in switches:
            own = list(_switched(game, rules, switches[name]))
        else:
            own = list(_shuffled(game, rules, name, shuffles, seed))
        found += own
        if not own:
            idle.append(name)
    return found, idle


def switches_and_tables(game: Game, rules: Rules) -> tuple[dict[str, RuleKey], list[str]]:
    """Return the switches of some rules by their keys, and the names of all tables."""
    switches = {key.key: key for key in rule_keys(game, rules) if key.switch}
    tables = {key.rpartition(".")[0] for key in rules.flat()} - {""}
    return switches, sorted(tables | {name.rpartition(".")[0] for name in tables} - {""})


def _switched(game: Game, rules: Rules, switch: RuleKey) -> Iterator[Variant]:
    """Yield the rules with every other value of a switch; of a number, those beside it."""
    now = switch.value
    steps = [not now] if isinstance(now, bool) else [now - 1, now + 1] if isinstance(now, int) else switch.choices
    for value in steps:
        if value == now:
            continue
        text = str(value).lower() if isinstance(value, bool) else str(value)
        try:
            yield Variant(switch.key, text, load_rules(game, rules, [f"{switch.key}={text}"]))
        except UsageError:
            continue  # a neighbour out of range


def _shuffled(game: Game, rules: Rules, table: str, shuffles: int, seed: int) -> Iterator[Variant]:
    """Yield the rules with the numbers of a table permuted."""
    here: Any = rules.values.model_dump(mode="json")
    for part in table.split("."):
        here = here[part]
    groups: dict[str, list[str]] = {}
    flat = flatten(here) if isinstance(here, Mapping) else {}
    for path, value in flat.items():
        if isinstance(value, int) and not isinstance(value, bool):
            above, _, key = path.rpartition(".")
            groups.setdefault(key if above else "", []).append(path)
    groups = {key: paths for key, paths in groups.items() if len({flat[path] for path in paths}) > 1}
    if not groups:
        return
    for number in range(1, shuffles + 1):
        for attempt in range(TRIES):
            chance = random.Random(f"{seed} {table} {number} {attempt}")
            settings = []
            for paths in groups.values():
                values = [flat[path] for path in paths]
                chance.shuffle(values)
                settings += [f"{table}.{path}={value}" for path, value in zip(paths, values, strict=True)]
            try:
                made = load_rules(game, rules, settings)
                for players in game.players:
                    game.pack(made.values, players)
            except UsageError:
                continue
            yield Variant(table, f"{SHUFFLED} {number}", made)
            break


@dataclass(frozen=True, eq=False, repr=False)
class Sensitivity(Result):
    """The verdicts that depend on what the rulebook leaves open.

    table: One row for each number of players and parameter, largest effect first: `parameter`; `value` (the one with
        the largest effect) and `tried` (all values); the `name` of the seat or camp that it moves most, its shares
        `before` and `after`, and the paired `difference`, with intervals that are simultaneous for all rows; its par
        before the change (`par_before`) and after it (`par`); `changed`, the largest share, over all values, of deals
        in which some seat wins something else; and `effect`: "flips", "shifts", "holds" or "dead".
    """

    variants: pl.DataFrame  # the same with one row for each value
    idle: tuple[str, ...] = ()  # switches and tables for which there is nothing to try

    @property
    def players(self) -> tuple[int, ...]:
        """Numbers of players."""
        return tuple(dict.fromkeys(self.table["players"]))


def sensitivity(
    game: str,
    rules: Rules,
    players: Sequence[int],
    strategies: References = (),
    games: int = 20_000,
    seed: int = 1,
    only: Sequence[str] = (),
    shuffles: int = SHUFFLES,
    margin: Margin = FAIR,
    level: float = 0.95,
    threads: int | None = None,
    tick: Tick = lambda done, total: None,
    agree: Callable[[float], None] = lambda seconds: None,
) -> Sensitivity:
    """Return which verdicts on seats (or camps, in a game with camps) depend on each switch and assumed table.

    games: Games of each variant.
    only, shuffles: See `variants`.
    margin: Distance from par that counts as fair.
    threads, tick, agree: See `analysis.sweep.sweeping.sweep`.
    Raises UsageError if there is nothing to try, or the game is played for a payoff.
    """
    loaded = load_game(game)
    require_wins(loaded, "sensitivity")
    tried, idle = variants(loaded, rules, only, shuffles, seed)
    if not tried:
        numbers = (f"{key}={max(value - 1, 0)}..{value + 1}" for key, value in whole_numbers(loaded, rules, players[0]))
        raise UsageError(
            f"there is nothing to try: the rules '{rules.name}' have no switch and no assumed table; "
            f"`sweep --set {next(numbers, 'KEY=FROM..TO')}` tries numbers, and --only TABLE shuffles a table"
        )
    cells = [
        Cell(make_spec(game, count, strategies, own, (), seed, "rotate", games), 0, values)
        for count in players
        for own, values in [
            (rules, {}),
            *((one.rules, {"parameter": one.parameter, "setting": one.value}) for one in tried),
        ]
    ]
    grid = sweep(cells, None, level, threads, tick, agree)
    kind = "camp" if loaded.asymmetric else "seat"
    keys = ("players", "parameter", "setting")
    changed = {tuple(row[key] for key in keys): row["changed"] for row in grid.cells.iter_rows(named=True)}
    meant = {(cell.spec.players, *map(cell.values.get, keys[1:])): _pars(cell.spec) for cell in cells}
    rows = [row for count in players for row in _rows(grid.rows(count, 0, kind), changed, meant, margin)]
    each = pl.DataFrame(rows)
    order = {FLIPS: 0, SHIFTS: 1, HOLDS: 2, DEAD: 3}
    whole = pl.col("changed").max(), pl.col("value").str.join("|").alias("tried")
    table = (
        each.with_columns(*(column.over("players", "parameter") for column in whole))
        .sort(
            pl.col("effect").replace_strict(order, return_dtype=pl.Int64),
            -pl.col("difference").abs(),
            maintain_order=True,
        )
        .group_by("players", "parameter", maintain_order=True)
        .first()
    )
    notes = tuple(
        Note("habit_variants", note.values) if note.code == "habit_sweep" else note
        for note in grid.notes
        if note.code != "sweep_kept"
    )
    if idle:
        notes += (Note("sensitivity_idle", {"names": tuple(idle)}),)
    verdicts = tuple(_verdict(row, loaded) for row in table.iter_rows(named=True))
    table, each = (one.drop("par_changes") for one in (table, each))
    return Sensitivity(grid.inputs, level, table, verdicts, notes, each, tuple(idle))


def _pars(spec: Spec) -> dict[str, float]:
    """Return what the rules mean each seat and each camp to win, by the names that a sweep gives them."""
    seats = {f"seat-{seat}": par for seat, par in enumerate(spec.par, 1)}
    return seats | {camp: sum(spec.par[seat] for seat in own) for camp, own in spec.camps.items()}


def _rows(
    rows: pl.DataFrame,
    changed: Mapping[tuple[Any, ...], float],
    meant: Mapping[tuple[Any, ...], Mapping[str, float]],
    margin: Margin,
) -> Iterator[dict[str, Any]]:
    """Yield the effect of each value on the seat or camp that it moves most, and whether a verdict changes.

    A verdict changes if both verdicts are significant, and the share has moved significantly or par is another one.  By
    the same rules, par is a part of the games that somebody wins; the share then moves only if it moves from that part.
    """
    base = {row["name"]: row for row in rows.filter(pl.col("parameter").is_null()).iter_rows(named=True)}
    tried = rows.filter(pl.col("parameter").is_not_null())
    for (parameter, value), own in tried.group_by("parameter", "setting", maintain_order=True):
        told = [row | {"par_before": base[row["name"]]["par"]} for row in own.to_dicts()]
        sides = {row["name"]: (_judged(base[row["name"]], margin), _judged(row, margin)) for row in told}
        pars = [meant[own["players"][0], *key] for key in ((None, None), (parameter, value))]
        apart = [row for row in told if pars[0][row["name"]] != pars[1][row["name"]]]
        moved = [row for row in told if _moves(row, 0.0 if row in apart else row["par"] - row["par_before"])]
        flipped = [row for row in told if UNSURE not in (side := sides[row["name"]]) and side[0] != side[1]]
        flipped = [row for row in flipped if row in moved or row in apart]
        most = max(flipped or told, key=lambda row: abs(row["difference"]))
        other = changed[most["players"], parameter, value]
        effect = FLIPS if flipped else SHIFTS if moved else HOLDS if other or apart else DEAD
        yield {
            "players": most["players"],
            "deals": most["deals"],
            "parameter": parameter,
            "value": value,
            "name": most["name"],
            "before": base[most["name"]]["value"],
            "after": most["value"],
            "par": most["par"],
            "par_before": most["par_before"],
            "difference": most["difference"],
            "difference_low": most["difference_low"],
            "difference_high": most["difference_high"],
            "changed": other,
            "effect": effect,
            "par_changes": most in apart,
            "was": sides[most["name"]][0],
            "is": sides[most["name"]][1],
        }


def _moves(row: Mapping[str, Any], drift: float) -> bool:
    """Return whether a share surely moves by another amount than its par."""
    low, high = row["difference_low"], row["difference_high"]
    return low is not None and high is not None and not low <= drift <= high


def _judged(row: Mapping[str, Any], margin: Margin) -> int:
    """Return on which side of its par a share significantly lies, or that it is significantly fair; 0 if undecided."""
    low, high, half = row["value_low"], row["value_high"], float(margin.at(row["par"]))
    if low is None or high is None:
        return UNSURE
    if low > row["par"] + half:
        return ABOVE
    if high < row["par"] - half:
        return BELOW
    return FAIRLY if low >= row["par"] - half and high <= row["par"] + half else UNSURE


def _verdict(row: Mapping[str, Any], game: Game) -> Verdict:
    """Return the verdict on a parameter."""
    seat = row["name"].rpartition("-")[2]
    kind = "camp" if game.asymmetric else "seat"
    values = {
        **{name: row[name] for name in ("deals", "players", "before", "after", "difference", "changed")},
        **{name: row[name] for name in ("par", "par_before")},
        "change": f"{row['parameter']}={row['value'] if row['effect'] in (FLIPS, SHIFTS) else row['tried']}",
        "low": row["difference_low"],
        "high": row["difference_high"],
        "seat": seat,
        "camp": game.camp_titles.get(row["name"], row["name"]),
        "was": _SAID[row["was"]],
        "is": _SAID[row["is"]],
    }
    code = row["effect"] if row["effect"] in (HOLDS, DEAD) else f"{row['effect']}_{kind}"
    if row["par_changes"]:
        code = f"par_{FLIPS if row['effect'] == FLIPS else HOLDS}_{kind}"
    return Verdict(f"sensitivity_{code}", "tilted" if row["effect"] == FLIPS else "fact", values)
