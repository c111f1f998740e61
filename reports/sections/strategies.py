"""Which way of playing wins, and against whom?"""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterator, Sequence
from functools import partial

import polars as pl

from analysis.data.results import Result
from analysis.data.source import Source
from analysis.ratings.fit import Strengths
from analysis.ratings.strengths import Matchups, matchups, strengths
from analysis.restricted_play import Restricted, restricted
from reports.commands import UNTYPED, playing
from reports.figures.forest import Forest, Grid, Panel
from reports.page import Block, Column, Listing, Picture, Remark, Section, Sentence, basis, sentences, table
from reports.pages.restrict import naming
from reports.sections.common import answered, failed, failures
from reports.study.study import Company, Study, companies
from reports.words import Words
from simcore.judged import Role
from strategies.library import strategy_from_dict
from strategies.restrictions import find_restrictions

STRENGTH = (
    Column("role", "name"), Column("strategy", "name"), Column("strength", "signed"),
    Column("bootstrap_se", "number", digits=3), Column("even_share", "share", digits=1), Column("even_by", "name"),
    Column("times", "count", "col.seats_played"),
)  # fmt: skip
PAIRS = (
    Column("role", "name"), Column("strategy", "name"), Column("opponent", "name"), Column("ahead", "share", digits=1),
    Column("wins", "share", "col.wins_of_both", digits=1), Column("p_holm", "p"), Column("deals", "count"),
)  # fmt: skip
COMPANY = (
    Column("company", "text"), Column("role", "name"), Column("strategy", "name"), Column("seats", "count"),
    Column("par_normalised", "number", digits=3), Column("score", "score"), Column("times", "count"),
)  # fmt: skip


def strategies(study: Study) -> Section | None:
    """Return the strengths and match-ups of strategies, from every run under the focus's rules that has several."""
    words, title = study.words, study.words("section.strategies")
    digest = study.focus.spec.rules.digest
    runs = [source for source in study.sources if source.mixed and source.spec.rules.digest == digest]
    level = study.thresholds.level
    if not runs:
        tables = companies(study.game.name, study.game.default_players) or [("NAME", "NAME")]
        example = words("strategies.one", game=study.game.name, names=_named(tables[0]))
        return failed(study, "strategies", title, example)
    met: Matchups | None = study.ask("strategies:matchups", lambda: matchups(runs, level))
    rated: Strengths | None = study.ask("strategies:strengths", lambda: strengths(runs, None, level))
    if met is None and rated is None:
        return failed(study, "strategies", title)
    blocks: list[Block] = []
    order: dict[str, list[str]] = {}
    if rated is not None:
        for stem, title_of, frame in by_role(words, rated.table):
            order[stem] = frame["strategy"].to_list()
            if frame["strength"].null_count() == 0:
                figure, caption = title_of("figure.strengths"), words("caption.strengths_figure")
                blocks.append(strengths_figure(words, frame, f"strengths{stem}", figure, caption))
        empty = [name for name, column in rated.table.to_dict().items() if column.null_count() == len(column)]
        shown = [column for column in STRENGTH if column.field not in empty]
        blocks.append(
            table(words, "strengths", words("table.strengths"), rated.table, shown, words("caption.strengths"))
        )
    if met is not None:
        for stem, title_of, pairs in by_role(words, met.table):
            names = order.get(stem) or list(dict.fromkeys(pairs["strategy"]))
            blocks.append(matchups_figure(words, pairs, names, f"match-ups{stem}", title_of("figure.matchups")))
        blocks.append(table(words, "match-ups", words("table.matchups"), met.table, PAIRS, folded=True))
        blocks.append(table(words, "companies", words("table.companies"), met.company, COMPANY, folded=True))
    results: list[Result] = [result for result in (rated, met) if result is not None]
    return answered(study, "strategies", title, blocks, *results)


def matchups_figure(words: Words, pairs: pl.DataFrame, names: Sequence[str], name: str, title: str) -> Picture:
    """Return the grid of who ends ahead of whom, given as in `Matchups.table`."""
    half = (pl.col("ahead_high") - pl.col("ahead_low")) / 2
    frame = pairs.select(row="strategy", column="opponent", value="ahead", half=half)
    grid = Grid(names, names, frame, 0.5, 0.4, title, words("axis.opponent"), words=words)
    return Picture(name, title, grid, words("caption.matchups"))


def by_role(words: Words, frame: pl.DataFrame) -> Iterator[tuple[str, Callable[[str], str], pl.DataFrame]]:
    """Yield the rows of each role, with the ending of its names and title; all rows together if there are no roles."""
    if "role" not in frame.columns:
        yield "", words, frame
        return
    for (role,), rows in frame.group_by("role", maintain_order=True):
        title = words.name(str(role))
        yield f"-{role}", partial(_of_role, words, title), rows


def _of_role(words: Words, title: str, key: str) -> str:
    return words("of_role", role=title, text=words(key))


def _named(company: Company) -> str:
    """Return the strategies of a table as `--strategies` takes them."""
    if isinstance(company, tuple):
        return ",".join(company)
    return ",".join(f"{role}={name}" for role, names in company.items() for name in names)


def strengths_figure(words: Words, rated: pl.DataFrame, name: str, title: str, caption: str) -> Picture:
    """Return the figure of strengths, given as in `Strengths.table`."""
    outside = (pl.col("strength_low") > 0) | (pl.col("strength_high") < 0)
    frame = rated.select(
        row="strategy",
        series=pl.lit("all"),
        value="strength",
        low="strength_low",
        high="strength_high",
        stands=outside.fill_null(False),
    )
    panel = Panel(words("axis.strength"), frame)
    figure = Forest(rated["strategy"].to_list(), [panel], {"all": words("series.all")}, words=words)
    return Picture(name, title, figure, caption)


# --- What does a player need? Each thing is forbidden to one player, on the same deals ---


DEALS = 1_500
"""Largest number of deals that are played in every seat of a role, without and with each restriction."""

OF_GAMES = ("few_deals", "idle_restrictions")
"""Notes of these games; the page says of its players at the top what they do not know."""

COSTS = (
    Column("role", "name"), Column("players", "count"), Column("restriction", "name"),
    Column("free", "share", "col.needs_free", digits=1), Column("share", "share", "col.needs_share", digits=1),
    Column("cost", "points", digits=1),
)  # fmt: skip


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
    at = playing(spec.rules, spec.players, study.commands).replace(UNTYPED, "FILE.toml")
    seated = ",".join(f"{one.name}={spec.references[one.at(spec.players).start]}" for one in study.game.roles)
    against = ("--against", seated) if study.game.asymmetric else ()
    for role in study.game.roles:
        if result := found.get((role.name, spec.players)):
            named = spec.references[role.at(spec.players).start]
            forbidden = ",".join(study.declarations.needs[role.name])
            games = result.inputs[0].games // (1 + len(result.table))
            line = ["--strategy", named, *against, "--forbid", forbidden, "--games", str(games)]
            yield f"equipoise restrict {at} {shlex.join(line)} --seed {spec.seed}"
