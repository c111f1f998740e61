"""The page of a sweep."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import product
from shlex import quote

import polars as pl

from analysis.data.declarations import load_declarations
from analysis.data.edits import Edit, Edits
from analysis.measures.rows import LENGTH
from analysis.seats.levels import searched_games
from analysis.sensitivity import FLIPS, SHUFFLED, Sensitivity
from analysis.stats.margin import FAIR, Margin
from analysis.sweep.sweeping import Sweep, fairest_first
from reports.commands import casting, changed, played, playing
from reports.figures.curves import Swept
from reports.figures.forest import Forest, Grid, Panel
from reports.opinion import heard
from reports.page import Block, Column, Picture, Remark, Report, Section, Step, basis, table
from reports.pages.common import about, for_players, method, page
from reports.sliders import Slider, Sliders, Track, ordered
from reports.steps import Wanted, changing, mending, steps
from reports.words import Words, title, told
from simcore.game import Game
from simcore.rules.files import Rules, load_rules

# --- The sliders on the page of a sweep: over the cells that were played, for each seat or camp ---


ENDS = ("value", "value_low", "value_high")


def sweep_sliders(
    words: Words,
    name: str,
    cells: pl.DataFrame,
    rows: pl.DataFrame,
    axes: Mapping[str, Sequence[str]],
    names: Mapping[str, str],
    margin: Margin,
) -> Sliders:
    """Return sliders over the cells of a sweep, which stand at the fairest cell at first.

    words, name: Language, and anchor.
    cells, rows: The cells of one number of players and line-up, and the rows of their seats or camps, those of the
        unchanged rules included.
    axes: The values of each key that has several.
    """
    best = fairest_first(cells.drop_nulls(list(axes))).row(0, named=True)
    values = {key: ordered(played) for key, played in axes.items()}
    ways = list(product(*values.values()))
    percent = bool(rows["is_share"].all())
    tracks = []
    for one, called in names.items():
        own = list(rows.filter(pl.col("name") == one).with_columns(pl.col(ENDS).fill_nan(None)).iter_rows(named=True))
        played = {tuple(row[key] for key in axes): tuple(row[end] for end in ENDS) for row in own}
        printed, par = played.get((None,) * len(axes)), own[0]["par"]
        half = float(margin.at(par)) if percent else 0.0
        tracks.append(Track(called, par, half, printed[0] if printed else None, tuple(map(played.get, ways))))
    sliders = [Slider(key, title(words, key), found, found.index(best[key])) for key, found in values.items()]
    return Sliders(name, words("sliders.title"), tuple(sliders), tuple(tracks), percent)


# --- The page of a sweep ---


MOST_PICTURES = 12
"""Largest number of figures for one number of players."""

CELLS = (
    Column("cell", "text"), Column("distance", "apart", digits=1), Column("target", "name", "col.meets"),
    Column("deals", "count", wide=True), Column("stopped", "flag", wide=True),
)  # fmt: skip
BRIEF = 30
"""Number of cells that a terminal shows for one number of players."""

ROWS = (
    Column("cell", "text"), Column("name", "name", "col.who_wins"), Column("value", "share", "col.share", digits=1),
    Column("par", "share", digits=1), Column("difference", "points", digits=1),
)  # fmt: skip
GAINS = (
    Column("cell", "text"), Column("name", "name", "col.who_wins"), Column("value", "gain", "col.payoff"),
    Column("par", "gain"), Column("difference", "gain"),
)  # fmt: skip


def compose_sweep(
    found: Sweep, rules: Rules, words: Words, command: Sequence[str] = ("sweep",), margin: Margin = FAIR
) -> Report:
    """Return the report of a sweep."""
    game, words = about(found, rules, words)
    keys = words.listed([title(words, key) for key in found.keys])
    target = words.known(found.target) or found.target
    own = [("cells", words.number(len(found.cells), ",")), *([("target", target)] if target else [])]
    sections = [
        _section(words, found, game, players, lineup, margin)
        for players, lineup in found.cells.select("players", "lineup").unique(maintain_order=True).rows()
    ]
    sections.append(method(words, command, "sweep"))
    best, inputs = found.fairest
    fairest = load_rules(game, rules, [f"{key}={best[key]}" for key in found.keys if best[key] is not None])
    asked = heard(inputs, fairest, command=command)
    following = _steps(words, found, rules, command)
    return page(words, "sweep", [found], rules, sections, following, *own, heard=(asked,), keys=keys)


def _steps(words: Words, found: Sweep, rules: Rules, command: Sequence[str]) -> tuple[Step, ...]:
    """Return what to do with the fairest cell."""
    best, inputs = found.fairest
    players = best["players"]
    values = [f"{key}={best[key]}" for key in found.keys if best[key] is not None]
    free = "".join(
        f" --free {quote(key)}" for key in found.keys if found.cells[key].drop_nulls().str.contains(r"^\d+$").all()
    )
    spec, cast = played(inputs, rules), casting(inputs)
    tried = [changing("value", rules, players, values, spec, cast, command)] if values else []
    full = [Wanted("report", f"report {playing(rules, command=command)}{changed(values)}")] if values else []
    return steps(words, rules, *tried, mending(rules, players, spec, f"{cast}{free}", command), *full)


def _section(words: Words, found: Sweep, game: Game, players: int, lineup: int, margin: Margin) -> Section:
    cells = found.cells.filter((pl.col("players") == players) & (pl.col("lineup") == lineup))
    axes = {key: list(dict.fromkeys(cells[key].drop_nulls())) for key in found.keys}
    across = next((key for key, values in axes.items() if len(values) > 1), found.keys[0])
    heading = words("sweep.section", players=players)
    if len(found.lineups) > 1:
        heading += ": " + words.listed([words.name(name) for name in dict.fromkeys(found.lineups[lineup])])
    blocks: list[Block] = []
    for kind in ("camp", "seat", "course"):
        rows = found.rows(players, lineup, kind, whole=False)
        if not rows.is_empty():
            blocks += _pictures(words, game, rows, axes, across, kind, f"{players}-{lineup}", margin)
    several = [key for key, values in axes.items() if len(values) > 1]
    if len(several) == 2:
        blocks.insert(0, _map(words, cells, axes, (several[0], several[1]), f"{players}-{lineup}"))
    main = "camp" if game.asymmetric else "seat"
    rows = found.rows(players, lineup, main).with_columns(
        cell=_cell(words, found.keys, found.rows(players, lineup, main))
    )
    names = _names(words, rows["name"].unique(maintain_order=True), main)
    if several:
        moving = {key: axes[key] for key in several}
        blocks.insert(0, sweep_sliders(words, f"{players}-{lineup}", cells, rows, moving, names, margin))
    stem, name = f"{players}-{lineup}", words("table.cells")
    shown, frame = _by_cell(found, cells, rows, names)
    if (aim := _aim(found, game, players, lineup)) is not None:
        ends = [aim[f"value{end}"].alias(f"aim{end}") for end in ("", "_low", "_high")]
        column = Column("aim", "share" if aim["is_share"][0] else "number", heading=words.name(aim["name"][0]))
        shown, frame = [shown[0], column, *shown[1:]], frame.with_columns(ends)
    frame = frame.with_columns(cell=_cell(words, found.keys, frame), target=pl.format("sweep_{}", "target"))
    blocks.append(
        table(
            words, f"cells-{stem}", name, frame, _headed(words, found.keys, shown), words("caption.cells"), brief=BRIEF
        )
    )
    columns = _headed(words, found.keys, GAINS if found.unit else ROWS)
    rows = rows.with_columns(name=pl.col("name").replace(names))
    blocks.append(table(words, f"shares-{stem}", words("table.swept"), rows, columns, words("caption.swept"), True))
    inputs = [item for item in found.inputs if item.players == players]
    return Section(f"players-{players}-{lineup}", heading, (), tuple(blocks), (), basis(words, *inputs[:1]))


def _aim(sweep: Sweep, game: Game, players: int, lineup: int) -> pl.DataFrame | None:
    """Return the rows of the measure that is the target; None if seats or camps are."""
    name = (sweep.target or "").partition("=")[0].strip()
    column = load_declarations(game.name).length if name == LENGTH else name
    rows = sweep.rows(players, lineup, "course").filter(pl.col("name") == column)
    return None if rows.is_empty() else rows


def _by_cell(
    found: Sweep, cells: pl.DataFrame, rows: pl.DataFrame, names: Mapping[str, str]
) -> tuple[list[Column], pl.DataFrame]:
    """Return the columns of the table of cells, and its frame: what each seat or camp wins stands beside the cell."""
    known = [replace(one, kind="score") if found.unit and one.field == "distance" else one for one in CELLS]
    first, *others = [column for column in known if found.target or column.field not in ("target", "stopped")]
    kind = "gain" if found.unit else "share"
    shares = [Column(name, kind, digits=1, bare=True, heading=heading) for name, heading in names.items()]
    for name in names:
        own = rows.filter(pl.col("name") == name)
        cells = cells.with_columns(own[f"value{end}"].alias(f"{name}{end}") for end in ("", "_low", "_high"))
    return [first, *shares, *others], cells


def _cell(words: Words, keys: Sequence[str], rows: pl.DataFrame) -> pl.Series:
    """Return the values of each row's cell, in the order of the keys."""
    named = ([words.name(row[key]) for key in keys if row[key] is not None] for row in rows.iter_rows(named=True))
    return pl.Series([", ".join(values) or words("sweep.as_is_short") for values in named], dtype=pl.String)


def _headed(words: Words, keys: Sequence[str], columns: Sequence[Column]) -> list[Column]:
    """Return columns whose first one, the cell, is headed by the titles of the keys."""
    first, *others = columns
    return [replace(first, heading=words.listed([title(words, key) for key in keys])), *others]


def _names(words: Words, names: pl.Series, kind: str) -> dict[str, str]:
    """Return the names of seats, camps and measures."""
    if kind == "seat":
        return {name: words("seat.number", seat=name.rpartition("-")[2]) for name in names}
    return {name: words.name(name) for name in names}


def _pictures(
    words: Words,
    game: Game,
    rows: pl.DataFrame,
    axes: Mapping[str, list[str]],
    across: str,
    kind: str,
    stem: str,
    margin: Margin,
) -> Iterator[Block]:
    """Yield a figure for each combination of the other keys' values (and, for the course, for each measure)."""
    others = [key for key in axes if key != across]
    ways = list(product(*(axes[key] for key in others)))
    names = _names(words, rows["name"].unique(maintain_order=True), kind)
    groups = [[name] for name in names] if kind == "course" else [list(names)]
    for number, (way, group) in enumerate(product(ways, groups)):
        if number == MOST_PICTURES:
            yield Remark(words("sweep.more", count=len(ways) * len(groups) - MOST_PICTURES))
            return
        here = rows.filter(pl.col("name").is_in(group))
        for key, value in zip(others, way, strict=True):
            here = here.filter(pl.col(key) == value)
        frame = here.select(
            pl.col("name").alias("series"),
            pl.col(across).alias("at"),
            "value",
            pl.col("value_low").alias("low"),
            pl.col("value_high").alias("high"),
        )
        fixed = Edits(Edit(key, None, value) for key, value in zip(others, way, strict=True) if len(axes[key]) > 1)
        heading = names[group[0]] if kind == "course" else words(f"figure.swept_{kind}")
        heading += f" ({told(words, fixed)})" if fixed else ""
        percent = bool(here["is_share"].all())
        pars = sorted(set(here["par"].drop_nulls())) if kind != "course" else []
        halves = {par: float(margin.at(par)) if percent else 0.0 for par in pars}
        bands = [(par - half, par, par + half) for par, half in halves.items()]
        up = words("axis.share" if percent else "axis.payoff") if kind != "course" else names[group[0]]
        below, called = title(words, across), {key: names[key] for key in group}
        figure = Swept(frame, called, axes[across], below, up, bands, percent, words=words)
        yield Picture(f"{kind}-{stem}-{number}", heading, figure, words(f"caption.swept_{kind}"))


def _map(words: Words, cells: pl.DataFrame, axes: Mapping[str, list[str]], keys: tuple[str, str], stem: str) -> Picture:
    """Return a heat map of two keys: the largest distance of a seat or camp from par."""
    down, across = keys
    frame = (
        cells.filter(pl.col(down).is_not_null())
        .group_by(down, across, maintain_order=True)
        .agg(pl.col("distance").max().alias("value"))
        .rename({down: "row", across: "column"})
        .with_columns(half=pl.lit(None, pl.Float64))
    )
    below, beside = title(words, across), title(words, down)
    heading = words("figure.map", down=beside, across=below)
    reach = float(cells["distance"].max() or 1.0)  # type: ignore[arg-type]
    grid = Grid(axes[down], axes[across], frame, None, reach, heading, below, digits=1, words=words)
    return Picture(f"map-{stem}", heading, grid, words("caption.map", down=beside))


# --- The page of a sensitivity analysis ---


EFFECTS = (
    Column("parameter", "text", "col.key"), Column("value", "text", "col.value"),
    Column("effect", "name", "col.depends"), Column("name", "name", "col.who_wins"),
    Column("before", "share", digits=1), Column("after", "share", digits=1), Column("difference", "points", digits=1),
    Column("changed", "share", digits=1),
)  # fmt: skip


def compose_sensitivity(
    found: Sensitivity, rules: Rules, words: Words, command: Sequence[str] = ("sensitivity",)
) -> Report:
    """Return the report of a sensitivity analysis."""
    game, words = about(found, rules, words)
    tables = 1 + found.variants.select("parameter", "value").n_unique()
    games = searched_games(game.name)
    asked = heard(found.inputs[0], rules, question="sensitivity", games=games, tables=tables, command=command)
    sections = [_section_of_sensitivity(words, found, game, count) for count in found.players]
    sections.append(method(words, command, "sensitivity"))
    own = ("parameters", words.number(found.table["parameter"].n_unique(), ","))
    following = _steps_of_sensitivity(words, found, rules, command)
    return page(words, "sensitivity", [found], rules, sections, following, own, heard=(asked,))


def _steps_of_sensitivity(words: Words, found: Sensitivity, rules: Rules, command: Sequence[str]) -> tuple[Step, ...]:
    """Return what to do about the reading that matters most."""
    report = Wanted("report", f"report {playing(rules, command=command)}")
    tried = found.table.filter(~pl.col("value").str.starts_with(SHUFFLED)).sort(pl.col("difference").abs())
    if tried.is_empty():
        return steps(words, rules, report)
    most = tried.row(-1, named=True)
    spec = played(replace(found.inputs[0], players=most["players"]), rules)
    setting = f"{most['parameter']}={most['value']}"
    reading = changing("reading", rules, most["players"], [setting], spec, "", command)
    return steps(words, rules, reading, report)


def names_of(words: Words, game: Game, names: pl.Series) -> dict[str, str]:
    """Return the names of seats or camps."""
    if game.asymmetric:
        return {name: game.camp_titles.get(name, name) for name in names}
    return {name: words("seat.number", seat=name.rpartition("-")[2]) for name in names}


def _section_of_sensitivity(words: Words, found: Sensitivity, game: Game, players: int) -> Section:
    rows = found.table.filter(pl.col("players") == players)
    blocks: list[Block] = [_figure(words, rows, players)]
    for name, heading, frame in (
        ("largest", "table.largest", rows),
        ("variants", "table.variants", found.variants.filter(pl.col("players") == players)),
    ):
        shown = frame.with_columns(
            pl.col("name").replace(names_of(words, game, frame["name"])),
            pl.format("effect_{}", "effect").alias("effect"),
        )
        caption = words("caption.variants")
        blocks.append(
            table(words, f"{name}-{players}", words(heading), shown, EFFECTS, caption, folded=name == "variants")
        )
    return for_players(words, blocks, next(item for item in found.inputs if item.players == players))


def _figure(words: Words, rows: pl.DataFrame, players: int) -> Picture:
    """Return the largest effect of each parameter."""
    frame = rows.select(
        pl.format("{}={}", "parameter", "value").alias("row"),
        pl.lit("largest").alias("series"),
        pl.col("difference").alias("value"),
        pl.col("difference_low").alias("low"),
        pl.col("difference_high").alias("high"),
        (pl.col("effect") == FLIPS).alias("stands"),
    )
    panel = Panel(words("axis.sensitivity"), frame, percent=True)
    title = words("figure.sensitivity")
    figure = Forest(frame["row"].to_list(), (panel,), {"largest": title}, words=words)
    return Picture(f"sensitivity-{players}", title, figure, words("caption.sensitivity"))
