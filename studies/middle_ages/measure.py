"""What the study of Middle-Ages measures, section by section."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import polars as pl

from analysis.api import counterfactual, drama, economy, seat_advantage
from analysis.data.sources import SpecSource
from analysis.games.middle_ages.api import components, holdings, pick_rates, pick_values
from analysis.restricted_play import restricted
from analysis.seats.shares import strategy_shares
from analysis.stats.intervals import pointwise
from analysis.stats.multiple_testing import contenders
from simcore.game import load_game
from simcore.games.middle_ages.state import DOMAIN_NAMES
from simcore.rules.files import load_rules
from simcore.running.batch import Spec
from simcore.running.executors import default_threads, execute
from strategies.library import load_strategy
from strategies.restrictions import restrictions_of
from strategies.spec import make_spec

Found = dict[str, Any]

PLAYERS = (2, 3, 4, 5)
LEVELS = ("random", "greedy", "planner", "champion")
SEED, CHOICE = 20, 21
"""Random seeds: of all that the page shows, and of the search for coins for later seats.  The other
pages play with seed 1, so that where this one agrees with them it has seen it again."""
SEARCHED = 5
"""Where every seat looks ahead, the games are divided by this."""


def rows(frame: pl.DataFrame, *columns: str, digits: int = 4) -> list[Found]:
    """Return a table as JSON has it, without errors and p-values that the page does not show."""
    chosen = frame.select(columns) if columns else frame.drop(pl.selectors.matches("_se$|^p$|^p_bh$"))
    return chosen.with_columns(pl.selectors.float().round(digits)).to_dicts()


def spec(players: int, strategy: str, games: int, seed: int = SEED, **more: Any) -> Spec:
    """Return a run of one strategy at all seats, as `simulate` plays it."""
    return make_spec(players=players, strategies=[strategy], games=games, seed=seed, **more)


def table(played: Spec, names: Sequence[str]) -> pl.DataFrame:
    """Return columns of a run, with one row for each game and seat."""
    source = SpecSource(played)
    parts: list[pl.DataFrame] = []
    for stretch in source.stretches():
        for first, columns in source.read(stretch, names):
            games, seats = columns[names[0]].shape
            index = {
                "game": np.repeat(np.arange(first, first + games), seats),
                "seat": np.tile(np.arange(1, seats + 1), games),
            }
            parts.append(pl.DataFrame({**index, **{name: columns[name].ravel() for name in names}}))
    return pl.concat(parts)


def seat_table(played: Spec) -> Found:
    """Return win share and score by seat, and the tilt: the best seat's share over par minus the worst one's."""
    result = seat_advantage(played)
    apart = result.distance
    tilt = [round((value or 0) * played.players, 4) for value in (apart.value, apart.low, apart.high)]
    columns = ("seat", "share", "share_low", "share_high", "par_normalised", "score", "turn", "games", "par")
    return {"seats": rows(result.table, *columns), "tilt": tilt}


def seats(games: int) -> Found:
    """Seat advantage along the ladder of skill."""
    found = {str(n): {level: seat_table(spec(n, level, games)) for level in LEVELS} for n in PLAYERS}
    for n in PLAYERS:
        found[str(n)]["thinker"] = seat_table(spec(n, "thinker", games // SEARCHED))
        found[str(n)]["beats_greedy"] = beats("champion", "greedy", n, games)
    return found


def beats(one: str, others: str, players: int, games: int, **more: Any) -> Found:
    """Return what one player wins at a table of others."""
    met = make_spec(players=players, strategies=[one, *[others] * (players - 1)], games=games, seed=SEED, **more)
    estimate = strategy_shares(met, execute(met, default_threads()).tally).estimates[0]
    return {"share": round(estimate.share, 4), "half": round(estimate.half_width, 4)}


def mechanism(games: int) -> Found:
    """What goes with the first pick."""
    return {level: _mechanism(level, games) for level in ("greedy", "champion")}


def _mechanism(level: str, games: int) -> Found:
    tiles, coins = ([f"{kind}_r{number}" for number in range(1, 17)] for kind in ("tile", "coins"))
    counted = ["scouts", "burials", "income_rampart", "mill_robbed", "mill_paid", "barracks_robbed", "barracks_paid"]
    played = spec(4, level, games)
    domain = dict(enumerate(_domains(played)))
    frame = table(played, ["share60", *counted, *tiles, *coins[3::4]]).with_columns(
        (pl.col("share60") / 60).alias("wins"),
        *(pl.col(name).replace_strict(domain, default=None).alias(name) for name in tiles),
    )
    never = len(tiles) + 1
    first = pl.min_horizontal(
        pl.when(pl.col(name) == "rampart").then(number).otherwise(never) for number, name in enumerate(tiles, 1)
    )
    frame = frame.with_columns(first.alias("rampart"))
    table_first = pl.col("rampart").min().over("game")
    alone = (pl.col("rampart") == table_first).sum().over("game") == 1
    pioneers = frame.filter((pl.col("rampart") == table_first) & alone)
    opening = frame.with_columns(((pl.col("rampart") == 1).sum().over("game") > 0).alias("shown"))
    by_seat = frame.group_by("seat").agg(pl.col("wins", *counted, *coins[3::4]).mean()).sort("seat")
    seated = pioneers.group_by("seat").len().join(by_seat, on="seat")
    return {
        "by_seat": rows(by_seat, digits=3),
        "pioneers": rows(pioneers.group_by("seat").agg(pl.len().alias("games"), pl.col("wins").mean()).sort("seat")),
        "pioneer_wins": round(float(pioneers["wins"].mean()), 5),
        "pioneer_games": pioneers.height,
        "pioneer_by_seats": round(float((seated["len"] * seated["wins"]).sum()) / pioneers.height, 5),
        "opening": rows(
            opening.filter(pl.col("seat") == 1)
            .group_by("shown")
            .agg(pl.len().alias("games"), pl.col("wins").mean())
            .sort("shown")
        ),
        "first_tile": rows(
            frame.group_by(pl.col("tile_r1").alias("domain")).agg(
                pl.len().alias("times"),
                (pl.col("wins").mean() * 4).alias("of_par"),
                (pl.col("seat") == 1).mean().alias("by_seat_1"),
            )
        ),
        "scouts": rows(frame.group_by("scouts").agg(pl.len().alias("times"), pl.col("wins").mean()).sort("scouts")),
    }


def _domains(played: Spec) -> Iterable[str]:
    """Yield the Domain of every tile number from 0 on."""
    faces = played.rules.values.tiles.faces.values()
    known = {face.number: face.domain for face in faces}
    return (known.get(number, "") for number in range(max(known) + 1))


def opening(played: Spec) -> Found:
    """Return the Domain that seat 1 begins with most often, and how often."""
    domain = dict(enumerate(_domains(played)))
    first = table(played, ["tile_r1"]).filter(pl.col("seat") == 1)
    often = first["tile_r1"].replace_strict(domain, default=None).value_counts(sort=True, normalize=True)
    return {"domain": often["tile_r1"][0], "share": round(often["proportion"][0], 4)}


def events(games: int) -> Found:
    """What every Event does, against a blank in its place."""
    found = {f"champion {n}": _events("champion", n, games) for n in PLAYERS}
    found = {key: told if key == "champion 4" else {"changed": told["changed"]} for key, told in found.items()}
    return found | {"greedy 4": _events("greedy", 4, games)}


def _events(level: str, players: int, games: int) -> Found:
    result = counterfactual(spec(players, level, games), deals=games if players == 4 else games * 2 // 5)
    whole = result.table.filter(pl.col("slot") == "all")
    split = whole.filter((pl.col("measure") == "share") & (pl.col("by") == "seat"))
    half = pl.col("effect_se") * pl.Series(pointwise(0.95, split["deals"], len(split)))
    split = split.with_columns(low=pl.col("effect") - half, high=pl.col("effect") + half)
    least = pl.max_horizontal("low", -pl.col("high"), 0.0)
    stands = split.filter(pl.col("p_holm") < 0.05)
    often = result.changed.filter(pl.col("slot") == "all")
    effects = ("card", "deals", "effect", "effect_low", "effect_high", "p_holm")
    measures = {
        name: {
            row["card"]: row for row in rows(whole.filter((pl.col("measure") == name) & (pl.col("by") == "")), *effects)
        }
        for name in ("score", "lead_changes", "margin")
    }
    return {
        **measures,
        "changed": {row["card"]: row for row in rows(often.drop("slot"))},
        "most_often": often["card"]
        .gather(contenders(often["winner_changed"], often["winner_changed_se"], often["deals"]))
        .to_list(),
        "standing": rows(stands.sort("effect"), "card", "group", "effect", "low", "high"),
        "seats_tested": len(split),
        "beyond_a_point": len(split.filter(least > 0.01)),
        "largest_possible": round(float(split.select(pl.max_horizontal(-pl.col("low"), "high")).max().item()), 4),
        "games": result.games_played,
    }


def domains(games: int) -> Found:
    """What Domains are worth to champions at four."""
    played = spec(4, "champion", games)
    values, held, money = pick_values(played), holdings(played), economy(played)
    taken = pick_rates(played, 1_000)
    rates = taken.table.filter((pl.col("round") == 0) & (pl.col("position") == 0))
    stage = pl.col("round").cut([4, 12], labels=["early", "middle", "late"]).cast(pl.String).alias("stage")
    staged = values.adjusted.group_by("kind", stage).agg(pl.col("value").mean())
    fiefs = table(played, [f"tiles_{name}" for name in DOMAIN_NAMES])
    return {
        "rates": {row["kind"]: row for row in rows(rates)},
        "replayed": taken.games,
        "values": {
            kind: {row["stage"]: row["value"] for row in rows(part)} for (kind,), part in staged.group_by("kind")
        },
        "later_turn": values.later_turn,
        "gain_per_number": values.gain_per_number,
        "games": values.games,
        "empty": {row["kind"]: row for row in rows(held.empty)},
        "by_empty": rows(held.by_empty),
        "penalty_decides": held.penalty_decides,
        "tiles": {name: round(fiefs[f"tiles_{name}"].mean(), 3) for name in DOMAIN_NAMES},
        "income": {
            row["source"]: row for row in rows(money.table.filter(pl.col("by") == "all"), "source", "mean", "share")
        },
        "groups": {row["group"]: row for row in rows(money.groups, "group", "mean", "share")},
    }


def restrictions(games: int) -> Found:
    """What a champion among champions cannot do without, at each number of players."""
    game = load_game("middle-ages")
    rules, champion = load_rules(game), load_strategy(game, "champion")
    known = restrictions_of("middle-ages", rules.values)
    found = {}
    for players in PLAYERS:
        names = [name for name in known if players == 4 or ":" not in name]
        result = restricted(game, champion, champion, rules, [known[name] for name in names], players, games // 5, SEED)
        kinds = result.table.filter(pl.col("restriction").is_in(DOMAIN_NAMES))
        least = contenders(-kinds["cost"], kinds["cost_se"], kinds["deals"])
        found[str(players)] = {
            "deals": result.deals,
            "rows": {row["restriction"]: row for row in rows(result.table)},
            "cheapest": kinds["restriction"].gather(least).to_list(),
        }
    return found


def course(games: int) -> Found:
    """How games unfold, and what they need from the box."""
    return {f"{level} {n}": unfolding(spec(n, level, games)) for level in ("greedy", "champion") for n in PLAYERS}


def unfolding(played: Spec) -> Found:
    """Return drama, ties and components of a run."""
    story, needed, held = drama(played), components(played), holdings(played)
    ends = table(played, ["coins", "share60", "tie_break"])
    games = ends.group_by("game").agg(
        (pl.col("share60") > 0).sum().alias("winners"),
        (pl.col("coins") == pl.col("coins").max()).sum().alias("richest"),
    )
    return {
        "story": rows(story.table)[0],
        "half": rows(story.rounds.filter(pl.col("round") == 8), "leader_wins", "leader_wins_low", "leader_wins_high")[
            0
        ],
        "shared": round(float((games["winners"] > 1).mean()), 5),
        "level": round(float((games["richest"] > 1).mean()), 5),
        "box": {row["component"]: row for row in rows(needed.table)},
        "penalty_decides": held.penalty_decides,
    }
