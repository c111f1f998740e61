"""The page of how the seats' shares change with the strength of the players."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import polars as pl

from analysis.attacks import Attacks, Secrets
from analysis.data.results import Result
from analysis.seats.levels import SEARCH
from analysis.skill import CAMPS
from analysis.strength import ERRING, Curve
from reports.commands import playing
from reports.figures.ladder import Ladder, Steps
from reports.page import Block, Column, Picture, Report, Section, table
from reports.pages.common import about, for_players, method, page
from reports.steps import Wanted, steps
from reports.words import Words
from simcore.game import Game
from simcore.rules.files import Rules

STRENGTHS = (
    Column("skill", "name", "col.rung"), Column("role", "name"), Column("player", "name", "col.strategy"),
    Column("games", "count"), Column("strength"),
)  # fmt: skip
SHARES = (
    Column("skill", "name", "col.rung"),
    Column("seat", "name"),
    Column("share", "share", digits=1),
    Column("par_normalised"),
)


def compose_skill(results: Sequence[Curve], rules: Rules, words: Words, command: Sequence[str] = ("skill",)) -> Report:
    """Return the report of how the seats' shares change with the strength of the players."""
    game, words = about(results[0], rules, words)
    words = naming(words, results)
    searched = Wanted("report", f"report {playing(rules, command=command)} --skill {SEARCH}")
    sections = (*(_section(words, game, result) for result in results), method(words, command, "strength"))
    following = steps(words, rules, searched, _think(results, rules, command))
    return page(words, "strength", results, rules, sections, following, by_players=True, judged=False)


def _think(results: Sequence[Result], rules: Rules, command: Sequence[str]) -> Wanted:
    """Return the step to a stronger player, who looks ahead."""
    return Wanted("think", f"learn {playing(rules, results[0].inputs[0].players, command)} --out thinker.toml")


def naming(words: Words, results: Sequence[Curve]) -> Words:
    """Return words that also know the levels of strength and the seats."""
    levels = {name: _level(words, name) for result in results for name in result.levels}
    seats = {f"seat {seat}": words("seat.number", seat=seat) for result in results for seat in result.shares["seat"]}
    return words.naming(levels | seats)


def _level(words: Words, name: str) -> str:
    kind, _, percent = name.partition(" ")
    return words(f"level.{kind}", percent=float(percent)) if kind == ERRING else words(f"level.{name}")


def _section(words: Words, game: Game, result: Curve) -> Section:
    players = result.inputs[0].players
    figure = Ladder(result.levels, tuple(_panels(words, game, result)), words=words)
    shares = result.shares.with_columns(seat=pl.format("seat {}", "seat"))
    columns = STRENGTHS if game.asymmetric else [column for column in STRENGTHS if column.field != "role"]
    blocks: list[Block] = [
        Picture(f"strength-{players}", words("figure.strength", players=players), figure, words("caption.strength")),
        table(
            words, f"strength-{players}", words("table.strength"), result.table, columns, words("caption.among_experts")
        ),
        table(words, f"shares-{players}", words("table.shares_by_level"), shares, SHARES, folded=True),
    ]
    return for_players(words, blocks, *result.inputs)


def _panels(words: Words, game: Game, result: Curve) -> Iterator[Steps]:
    """Yield the seats or camps, and what one player of each level wins among experts."""
    found = result.ladder
    what = pl.col("what") if found.asked == CAMPS else pl.format("seat {}", "what")
    frame = found.table.select("rung", "value", row=what, low="value_low", high="value_high")
    named = frame["row"].unique(maintain_order=True).to_list()
    margin = result.seats.runs[0].margin.at(found.centre)
    title = words("panel.camps" if found.asked == CAMPS else "panel.seats")
    yield Steps(title, frame, named, found.centre, found.asked != CAMPS, float(margin))
    rung = pl.col("skill").replace_strict({name: at for at, name in enumerate(result.levels, 1)}, return_dtype=pl.Int32)
    row = pl.col("role") if game.asymmetric else pl.lit(words("series.one_among_experts"))
    strengths = result.table.select(row=row, rung=rung, value="strength", low="strength_low", high="strength_high")
    yield Steps(words("panel.strength"), strengths, strengths["row"].unique(maintain_order=True).to_list(), 1.0)


# --- The page of how far a player can be exploited ---


ATTACKS = (
    Column("kind", "name", "col.attack"), Column("role", "name"), Column("games", "count"),
    Column("share", "share", digits=1), Column("usual", "share", digits=1), Column("times", title="col.as_much"),
    Column("half", "share", digits=1), Column("minutes", "number", digits=1),
)  # fmt: skip


def compose_attacks(
    results: Sequence[Attacks], rules: Rules, words: Words, command: Sequence[str] = ("skill",)
) -> Report:
    """Return the report of how far a player can be exploited."""
    game, words = about(results[0], rules, words)
    sections = (*(_section_of_attacks(words, game, result) for result in results), method(words, command, "attacks"))
    following, defender = steps(words, rules, _think(results, rules, command)), results[0].defender
    return page(words, "attacks", results, rules, sections, following, by_players=True, judged=False, defender=defender)


def _section_of_attacks(words: Words, game: Game, result: Attacks) -> Section:
    players = result.inputs[0].players
    rows = result.table.with_columns(
        kind=pl.format("attack.{}", "kind"),
        minutes=pl.col("making") + pl.col("playing"),
        share_low="low",
        share_high="high",
    )
    left_out = {"role"} if not game.asymmetric else set()
    left_out |= {"half"} if rows["half"].is_null().all() else set()
    columns = [column for column in ATTACKS if column.field not in left_out]
    shown = table(words, f"attacks-{players}", words("table.attacks"), rows, columns, words("caption.attacks"))
    return for_players(words, [shown], *result.inputs)


# --- The page of what a player wins who sees everything ---


SECRETS = (
    Column("role", "name"), Column("player", "name", "col.strategy"), Column("games", "count"),
    Column("share", "share", "col.seeing", digits=1), Column("usual", "share", "col.not_seeing", digits=1),
    Column("points", "points", "col.secrets", digits=1), Column("times", title="col.as_much"),
)  # fmt: skip


def compose_secrets(
    results: Sequence[Secrets], rules: Rules, words: Words, command: Sequence[str] = ("skill",)
) -> Report:
    """Return the report of what a player wins who sees everything."""
    game, words = about(results[0], rules, words)
    sections = (*(_section_of_secrets(words, game, result) for result in results), method(words, command, "secrets"))
    luck = Wanted("luck", f"luck {playing(rules, results[0].inputs[0].players, command)}")
    return page(words, "secrets", results, rules, sections, steps(words, rules, luck), by_players=True, judged=False)


def _section_of_secrets(words: Words, game: Game, result: Secrets) -> Section:
    players = result.inputs[0].players
    columns = SECRETS if game.asymmetric else SECRETS[1:]
    shown = table(words, f"secrets-{players}", words("table.secrets"), result.table, columns, words("caption.secrets"))
    return for_players(words, [shown], *result.inputs)
