"""What does a player need? Each thing is forbidden to one player, on the same deals."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from functools import partial

import polars as pl

from analysis.data.source import Source
from analysis.restricted_play import Restricted, restricted
from reports.figures.forest import Forest, Panel
from reports.page import Block, Column, Listing, Picture, Remark, Section, Sentence, basis, sentences, table
from reports.pages.restrict import naming
from reports.sections.common import failed, failures
from reports.study.study import Study
from reports.words import Words
from simcore.homes import typed
from simcore.roles import Role
from strategies.library import strategy_from_dict
from strategies.restrictions import find_restrictions

DEALS = 1_500
"""Largest number of deals that are played in every seat of a role, without and with each restriction."""

OF_GAMES = ("few_deals", "idle_restrictions")
"""Notes of these games; the page says of its players at the top what they do not know."""

COSTS = (
    Column("role", "name"),
    Column("players", "count"),
    Column("restriction", "name"),
    Column("free", "share", "col.needs_free", digits=1),
    Column("share", "share", "col.needs_share", digits=1),
    Column("cost", "points", digits=1),
)


def needs(study: Study) -> Section | None:
    """Return what it costs one player to do without each thing that the game declares, at every number of players.

    Games of somebody else's code, of different strategies within a role, and of players who look ahead are left out,
    and so are those that are played for a payoff.
    """
    runs = [run for run in study.strongest if run.playable and not run.mixed and not run.spec.searches]
    runs.sort(key=lambda run: (run is not study.focus, run.players))
    needed = {} if study.game.payoff else study.declarations.needs
    roles = [role for role in study.game.roles if role.name in needed]
    asked = [(run, role) for role in roles for run in runs]
    if not asked:
        return None
    words, title = study.words, study.words("section.needs")
    found: dict[tuple[str, int], Restricted] = {}
    for number, (run, role) in enumerate(asked):
        result = study.ask(
            f"needs:{role.name}:{run.players}", partial(_restricted, study, run, role, number, len(asked))
        )
        if result is not None:
            found[role.name, run.players] = result
    if not found:
        return failed(study, "needs", title)
    for result in found.values():
        words = naming(words, result)
    frame = pl.concat([_rows(result, *key) for key, result in found.items()], how="diagonal")
    names = {"role": len(roles) > 1, "players": len(runs) > 1}
    columns = [column for column in COSTS if names.get(column.field, True)]
    blocks: list[Block] = [
        _picture(study, words, role, frame.filter(pl.col("role") == role.name))
        for role in roles
        if role.name in frame["role"]
    ]
    blocks += [
        table(words, "needs", words("table.needs"), frame, columns, words("caption.needs_table"), folded=True),
        Remark(words("method.restrict.relearn")),
        Listing(words("needs.command"), tuple(_commands(study, found))),
    ]
    first = [result for (_, players), result in found.items() if players == study.focus.players]
    said: list[Sentence] = [sentence for result in first for sentence in sentences(words, result)]
    own = [note for result in first for note in result.notes if note.code in OF_GAMES]
    remarks = tuple(dict.fromkeys(map(words.note, own)))
    counted = basis(words, *(item for result in found.values() for item in result.inputs))
    return Section("needs", title, tuple(said), tuple(blocks), (*remarks, *failures(study, "needs")), counted)


def _restricted(study: Study, run: Source, role: Role, number: int, count: int) -> Restricted:
    """Return what it costs one player of a role to do without each thing."""
    spec, game = run.spec, study.game
    seated = {one.name: strategy_from_dict(game, spec.strategy_tables[one.at(run.players).start]) for one in game.roles}
    names = study.declarations.needs[role.name]
    forbidden = find_restrictions(game.name, spec.rules.values, names, "report")
    deals = min(DEALS, study.deals)
    games = deals * len(role.at(run.players)) * (1 + len(names))
    return restricted(
        game,
        seated[role.name],
        seated,
        spec.rules,
        forbidden,
        run.players,
        deals,
        spec.seed,
        study.thresholds.level,
        tick=lambda done: study.advance((number + done / games) / count),
        role=role.name,
    )


def _rows(result: Restricted, role: str, players: int) -> pl.DataFrame:
    return result.table.select(
        pl.lit(role).alias("role"),
        pl.lit(players).alias("players"),
        "restriction",
        pl.lit(result.share).alias("free"),
        "share",
        "cost",
        "cost_low",
        "cost_high",
        "changed",
    )


def _picture(study: Study, words: Words, role: Role, frame: pl.DataFrame) -> Picture:
    """Return what a player of a role loses, with a series for each number of players."""
    low, high = pl.col("cost_low"), pl.col("cost_high")
    shown = frame.select(
        row="restriction",
        series=pl.col("players").cast(pl.String),
        value="cost",
        low=low,
        high=high,
        stands=((low > 0) | (high < 0)).fill_null(False),
    )
    order = frame.group_by("restriction", maintain_order=True).agg(pl.col("cost").max()).sort("cost", descending=True)
    names = {str(players): words("players.number", players=players) for players in sorted(set(frame["players"]))}
    figure = Forest(order["restriction"].to_list(), [Panel(words("axis.cost"), shown, True)], names, words=words)
    title = words("figure.needs_role", role=role.title) if study.game.asymmetric else words("figure.needs")
    return Picture(f"needs-{role.name}", title, figure, words("caption.needs"))


def _commands(study: Study, found: dict[tuple[str, int], Restricted]) -> Iterator[str]:
    """Yield the commands that measure the same with the usual number of players, one for each role."""
    spec = study.focus.spec
    rules = ("--rules", spec.rules_reference) if spec.rules_reference not in ("", "base") else ()
    changed = [part for setting in spec.rules.settings for part in ("--set", setting)]
    at = f"--game {typed(study.game.name)} --players {spec.players}"
    seated = ",".join(f"{one.name}={spec.references[one.at(spec.players).start]}" for one in study.game.roles)
    against = ("--against", seated) if study.game.asymmetric else ()
    for role in study.game.roles:
        if result := found.get((role.name, spec.players)):
            named = spec.references[role.at(spec.players).start]
            forbidden = ",".join(study.declarations.needs[role.name])
            games = result.inputs[0].games // (1 + len(result.table))
            line = ["--strategy", named, *against, "--forbid", forbidden, "--games", str(games), *rules, *changed]
            yield f"equipoise restrict {at} {shlex.join(line)} --seed {spec.seed}"
