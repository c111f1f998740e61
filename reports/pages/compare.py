"""The pages of a comparison of versions, and of the changes that mend a game."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from fnmatch import fnmatchcase
from pathlib import Path
from shlex import quote
from typing import Any

import polars as pl

from analysis.compare.result import HABIT, Comparison
from analysis.cost import of_compare
from analysis.data.declarations import load_declarations
from analysis.data.edits import Edit, Edits
from analysis.mend.result import CHANGES as CHANGED
from analysis.mend.result import Mend
from analysis.precision import lasting
from analysis.stats.margin import FAIR
from reports.commands import UNTYPED, casting, changed, named, other_seed, played, playing
from reports.figures.curves import Curves, Slope, Swept
from reports.opinion import Heard, Opinion, heard
from reports.page import Block, Column, Datum, Picture, Remark, Report, Section, Step, Table, basis, datum, table
from reports.pages.common import about, method, page, rules_told
from reports.steps import MENDED, Wanted, baseline, mending, shortened, steps
from reports.study.study import words_of
from reports.words import LANGUAGES, Words, title, told
from simcore.game import load_game
from simcore.homes import ELSEWHERE, typed
from simcore.rules.files import Rules, differences
from simcore.running.batch import Spec

# --- The page of a comparison of versions ---


SEATS = (
    Column("who", "name"), Column("seat", "count"), Column("role", "name"), Column("camp", "name"),
    Column("par", "share", digits=1, wide=True), Column("before", "share", digits=1, bare=True),
    Column("after", "share", digits=1, bare=True), Column("difference", "points", digits=1),
)  # fmt: skip
GAINS = (
    Column("who", "name"), Column("seat", "count"), Column("par", "gain", wide=True),
    Column("before", "gain", bare=True), Column("after", "gain", bare=True), Column("difference", "gain"),
)  # fmt: skip
MOVED = (
    Column("measure", "text"), Column("before", "value"), Column("after", "value"), Column("difference", "shift"),
    Column("size", "signed"),
)  # fmt: skip
CHANGES = (
    Column("version", "text"), Column("rule", "text", "col.changes"), Column("before", "text"), Column("after", "text"),
    Column("key", "text"),
)  # fmt: skip
SHOWN = 25
"""Largest number of rows of what else moved."""

BRIEF = 5
"""Number of these rows that a terminal shows, for all versions together."""


def compose_comparison(
    found: Comparison, rules: Mapping[str, Rules], words: Words, command: Sequence[str] = ("compare",)
) -> Report:
    """Return the report of a comparison."""
    game = load_game(found.inputs[0].game)
    first = next(iter(rules.values()))
    words = words_of(game.name, first, words)
    changed = {label: own for label, own in rules.items() if own.settings and label != own.name}
    titles = {label: rules_told(words, own, first) for label, own in changed.items()}
    if len(set(titles.values())) == len(titles):  # long changes are told in part
        words = words.naming(titles)
    versions = ("; " if changed else ", ").join(words.title(label) for label in found.labels)
    # Players who look ahead are asked about the changed version, or the fairest.
    opinion = found.labels[1] if len(found.labels) == 2 else _fairest(found)
    asked = heard(found.inputs[0], rules[opinion], command=command)
    sections = (*(_section(words, found, count) for count in found.players), _method(words, found, rules, command))
    own, following = ("versions", "; ".join(_described(words, found, rules))), _steps(words, found, rules, command)
    return page(words, "compare", [found], None, sections, following, own, heard=(asked,), versions=versions)


def _described(words: Words, found: Comparison, rules: Mapping[str, Rules]) -> Iterator[str]:
    """Yield the name of each version, with how its rules differ from those of the first where the name does not say."""
    first = rules[found.labels[0]]
    for label in found.labels:
        changed = "" if words.title(label) != label else changed_rules(words, first, rules[label])
        yield f"{label} ({changed})" if changed else words.title(label)


def changed_rules(words: Words, first: Rules, own: Rules) -> str:
    """Return how rules differ from the first ones; what a card does is one sentence, and not a value for each key."""
    before, after = (rules.values.in_words(words.lang) for rules in (first, own))
    cards = {key: text.rstrip(".") for key, text in after.items() if before.get(key) != text}
    pairs = {key: pair for key, pair in differences(first, own).items() if "new" in pair}
    values = [key for key in pairs if not key.startswith(tuple(f"{card}." for card in cards))]
    edits = [Edit(key, None, text) for key, text in cards.items()]
    edits += [Edit(key, pairs[key].get("old"), pairs[key]["new"]) for key in values]
    return told(words_of(own.game_name, own, words), Edits(edits)) if edits else ""


def in_rulebook(before: Rules, after: Rules) -> list[str]:
    """Return how rules change, for whoever edits the rulebook: a sentence in each language, and what it needs."""
    material, keys = load_declarations(after.game_name).material, differences(before, after)
    touched = any(fnmatchcase(key, pattern) for key in keys for pattern in material)
    needs = f"rulebook.{'material' if touched else 'text'}" if material else "rulebook"
    every = (Words(lang) for lang in LANGUAGES)
    return [" ".join(words(needs, change=changed_rules(words, before, after)).splitlines()) for words in every]


def _fairest(found: Comparison) -> str:
    """Return the label of the version whose seats or camps are least far apart."""
    apart = found.distances.filter(pl.col("who") == found.who[-1])
    means = {
        label: float(apart.filter(pl.col("version") == version)[side].to_numpy().mean())
        for label, version, side in _columns(found)
    }
    return min(means, key=means.__getitem__)


def _steps(words: Words, found: Comparison, rules: Mapping[str, Rules], command: Sequence[str]) -> tuple[Step, ...]:
    """Return what to do next: let players learn the change; then what the fairest version deserves."""
    if found.inputs[0].game == ELSEWHERE:
        return ()
    players, inputs = found.players[0], found.inputs[0]
    label = _fairest(found)
    best, cast = rules[label], casting(inputs.game, inputs.strategies)
    spec = played(inputs, best)
    at = playing(best, command=command)
    next_steps = [_learnt(found, rules, spec, cast, command)] if found.who[-1] == HABIT else []
    if found.unit or _is_fair(found, label):
        next_steps.append(baseline(best, players, f"{at}{cast}", command=command))
    else:
        next_steps.append(mending(best, players, spec, cast, command))
    return steps(words, best, *next_steps, Wanted("report", f"report {at}"))


def _learnt(
    compared: Comparison, rules: Mapping[str, Rules], spec: Spec | None, cast: str, command: Sequence[str]
) -> Wanted:
    """Return the same comparison with players who learn each version, and how long it takes."""
    first, *others = rules.values()
    name, settings = named(first, command)
    versions, changes = [name], ""
    for other in others:
        own, more = named(other, command)
        if more and len(others) == 1 and own == name and not settings:
            changes = changed(more)
        else:
            versions.append(UNTYPED if more or settings else own)
    players = ",".join(map(str, compared.players))
    line = f"compare {' '.join(versions)} --game {typed(first.game_name)} --players {players}{changes}{cast}"
    if spec is None:
        return Wanted("learn", line)
    each, learning = of_compare(spec)
    if learning <= each:  # nobody can learn anything
        return Wanted("learn", UNTYPED)
    return Wanted("learn", line, "long", (("long", lasting(learning * len(others) * len(compared.players))),))


def _is_fair(compared: Comparison, label: str) -> bool:
    """Return whether each seat or camp of a version is as near to par as counts as fair, as it is best known."""
    version, side = next((version, side) for one, version, side in _columns(compared) if one == label)
    rows = compared.table.filter((pl.col("who") == compared.who[-1]) & (pl.col("version") == version))
    if "camp" in set(rows["kind"]):
        rows = rows.filter(pl.col("kind") == "camp")
    off = (rows[side] - rows["par"]).abs().to_numpy()
    return bool((off <= FAIR.at(rows["par"].to_numpy())).all())


def _section(words: Words, found: Comparison, players: int) -> Section:
    blocks: list[Block] = [_slope(words, found, players, who) for who in found.who]
    if len(found.labels) > 2:
        blocks.append(_side_by_side(words, found, players))
    here = found.table.filter(pl.col("players") == players)
    for (version, against), rows in here.group_by("version", "against", maintain_order=True):
        values = {"after": words.title(str(version)), "before": words.title(str(against))}
        shown = rows.with_columns(pl.format("compare_{}", "who").alias("who"))
        alike = rows["role"].null_count() == len(rows)
        known = [*(["role", "camp"] if alike else []), *(["who"] if len(found.who) == 1 else [])]
        columns = [column for column in (GAINS if found.unit else SEATS) if column.field not in known]
        name = f"{players}-{found.labels.index(str(version))}"
        title, caption = words("table.compare", **values), words("caption.compare_table")
        brief = len(rows) if len(found.labels) == 2 else 0
        blocks.append(table(words, f"seats-{name}", title, shown, columns, caption, brief=brief))
        blocks += _moved(words, found, players, str(version), str(against), name)
    inputs = [item for item in found.inputs if item.players == players]
    title = words("compare.section", players=players)
    return Section(f"players-{players}", title, (), tuple(blocks), (), basis(words, *inputs))


def _side_by_side(words: Words, found: Comparison, players: int) -> Table:
    """Return what each seat or camp wins in each version, a column for each, as the best informed players play it."""
    who = found.who[-1]
    apart = found.distances.filter((pl.col("players") == players) & (pl.col("who") == who))
    kind = str(apart["kind"][0])
    frames = [
        found.rows(players, version, who, kind).select(
            pl.lit(label).alias("version"),
            pl.coalesce(pl.col("seat").cast(pl.String), "camp").alias(kind),
            share=side,
            share_low=f"{side}_low",
            share_high=f"{side}_high",
        )
        for label, version, side in _columns(found)
    ]
    frame = pl.concat(frames)
    shares = Column("share", "gain") if found.unit else Column("share", "share", digits=1)
    rows = []
    for (name,), own in frame.group_by(kind, maintain_order=True):
        title = words("seat.number", seat=int(str(name))) if kind == "seat" else words.name(str(name))
        rows.append((Datum(title, title), *(datum(words, shares, row) for row in own.iter_rows(named=True))))
    distance = Column("distance", "score") if found.unit else Column("distance", "apart", digits=1)
    ends = ("", "_low", "_high")
    ranges = [
        {f"distance{end}": apart.filter(pl.col("version") == version)[f"{side}{end}"][0] for end in ends}
        for _, version, side in _columns(found)
    ]
    title = words("col.distance")
    rows.append((Datum(title, title), *(datum(words, distance, row) for row in ranges)))
    headings = (words(f"col.{kind}"), *map(words.title, found.labels))
    return Table(
        f"versions-{players}",
        words("table.versions"),
        headings,
        (False, *(True for _ in found.labels)),
        tuple(rows),
        frame,
        words("caption.side_by_side", who=words.name(f"compare_{who}")),
        brief=len(rows),
    )


def _columns(found: Comparison) -> Iterator[tuple[str, str, str]]:
    """Yield each version's label, the version whose rows have its shares, and the side of these rows on which it is."""
    first, *others = found.labels
    yield first, others[0], "before"
    yield from ((label, label, "after") for label in others)


def _slope(words: Words, found: Comparison, players: int, who: str) -> Picture:
    """Return a chart with a line for each seat from version to version."""
    frames = {}
    for version in found.labels[1:]:
        rows = found.rows(players, version, who).with_columns(pl.col("deals").alias("games"))
        for label, side in ((found.labels[0], "before"), (version, "after")):
            name = "payoff" if found.unit else "share"
            named = {side: name, f"{side}_low": f"{name}_low", f"{side}_high": f"{name}_high"}
            columns = (pl.col(old).alias(new) for old, new in named.items())
            frames[words.title(label)] = rows.select("seat", "par", "games", *columns)
    title = words("figure.compare", who=words.name(f"compare_{who}"))
    return Picture(f"slope-{who}-{players}", title, Slope(frames, FAIR, words=words), words("caption.compare"))


def _moved(words: Words, found: Comparison, players: int, version: str, against: str, name: str) -> list[Block]:
    """Return what else moved, largest first."""
    if found.moved.is_empty():
        return []
    sure = found.moved_significantly(players, version)
    rows = found.moved.filter((pl.col("players") == players) & (pl.col("version") == version))
    if sure.is_empty():
        return [Remark(words("compare.nothing_moved", total=len(rows)))]
    title = words("table.moved", after=words.title(version), before=words.title(against))
    who = words.name(f"compare_{rows['who'][0]}")
    shown = sure.head(SHOWN)
    caption = words("caption.moved", who=who, count=len(sure), total=len(rows)) + first_rows(words, shown, sure)
    names = pl.Series("measure", [measure_name(words, row) for row in shown.iter_rows(named=True)], pl.String)
    brief = max(BRIEF // (len(found.labels) - 1), 1)
    return [table(words, f"moved-{name}", title, shown.with_columns(names), MOVED, caption, brief=brief)]


def first_rows(words: Words, shown: pl.DataFrame, found: pl.DataFrame) -> str:
    """Return the end of a caption: how many rows a table shows, if it does not show all."""
    return " " + words("caption.first_rows", shown=len(shown)) if len(shown) < len(found) else ""


def measure_name(words: Words, row: Mapping[str, Any]) -> str:
    """Return the name of a measure in `Comparison.moved`."""
    name = words.name(row["measure"])
    if row["group"] != "cards":
        return name
    if row["of"] is None:
        return words("compare.card_score", card=name)
    seat = row["of"].removeprefix("seat-")
    whose = words("seat.number", seat=int(seat)) if seat.isdigit() else words.name(row["of"])
    return words("compare.card_wins", card=name, whose=whose)


def _method(words: Words, found: Comparison, rules: Mapping[str, Rules], command: Sequence[str]) -> Section:
    first = rules[found.labels[0]]
    changed = [
        {
            "version": words.title(label),
            "rule": title(words, key),
            "key": key,
            "before": str(pair.get("old", "")),
            "after": str(pair.get("new", "")),
        }
        for label, own in rules.items()
        for key, pair in differences(first, own).items()
    ]
    elsewhere = found.inputs[0].game == ELSEWHERE
    more = [table(words, "rule-changes", words("table.changes"), pl.DataFrame(changed), CHANGES)] if changed else []
    return method(words, command, "compare_tables" if elsewhere else "compare", *more)


# --- The page of a search for a mended game ---


AT_ONCE = 12
"""Number of rows of its tables that a terminal shows."""

MOST_PICTURES = 24
"""Largest number of figures of curves."""

RANKED = (
    Column("rank", "count"), Column("change", "text"), Column("left", "apart", "col.distance", digits=1),
    Column("target", "text", "col.meets"), Column("ahead", "text", "col.mend_ahead"),
    Column("decides", "count", "col.decides", wide=True), Column("touched", "count", wide=True),
    Column("size", "number", "col.change_size", wide=True),
)  # fmt: skip
PRICES = (Column("seat", "count"), Column("price", "number", digits=1))


def lines_of_table(kind: str, learned: bool) -> tuple[Column, ...]:
    """Return the columns of a table of shares ("share") or of other measures ("number")."""
    known = [("habit", "col.by_habit"), ("value", "col.known")] if learned else [("value", "col.after")]
    values = [("before", "col.before"), *known, ("wanted", "col.wanted")]
    digits = 1 if kind == "share" else 2
    return (
        Column("rank", "count"),
        Column("players", "count"),
        Column("name", "name", "col.who_wins" if kind == "share" else "col.measure"),
        *(Column(field, kind, title, digits) for field, title in values),
    )


def compose_mend(
    found: Mend, rules: Rules, words: Words, command: Sequence[str] = ("mend",), folder: Path | None = None
) -> Report:
    """Return the report of a search.

    found: The result.
    rules: The rules before the change.
    words: Language.
    command: Command line that made it, without the program's name.
    folder: Folder of the rule files, as a reader of the page would type it.
    """
    _, words = about(found, rules, words)
    sections = [
        Section("changes", words("mend.changes"), (), tuple(_changes(words, found)), (), basis(words, *found.inputs)),
        Section("curves", words("mend.curves"), (), tuple(_curves(words, found))),
        Section("moved", words("mend.moved"), (), tuple(_moved_by(words, found))),
        method(words, command, "mend"),
    ]
    target = words.known(found.target) or found.target
    asked = _heard(found, rules, folder or Path(), command)
    following, players = (
        _steps_of_mend(words, found, rules, folder or Path(), command),
        words.joined([*map(str, found.counts)]),
    )
    own = ("target", target)
    return page(words, "mend", [found], rules, sections, following, own, heard=(asked,), target=target, players=players)


def _heard(mend: Mend, rules: Rules, folder: Path, command: Sequence[str]) -> Heard:
    """Return whether players who look ahead judged the best change, or the rules as they are."""
    if not mend.printable:
        return heard(mend.inputs[0], rules, command=command)
    best, file, _ = _best(mend, folder)
    said = mend.ahead[mend.printable[0] - 1]
    if said is not None:
        inputs = replace(mend.inputs[0], players=said.players)
        return Heard(inputs, said.given, Opinion(said.answer.says, said.answer.values, said.games))
    return heard(replace(mend.inputs[0], players=mend.counts[-1]), replace(best, settings=()), file=str(file))


def _best(found: Mend, folder: Path) -> tuple[Rules, Path, bool]:
    """Return the best rules that can be printed, their file, and whether they are for all numbers of players.

    Otherwise, they are those for the largest number.
    """
    first = found.best[found.printable[0] - 1]
    alike = len({own.digest for own in first.values()}) == 1
    name = MENDED if alike else MENDED.replace(".toml", f"-{found.counts[-1]}-players.toml")
    return first[found.counts[-1]], folder / name, alike


def _steps_of_mend(words: Words, found: Mend, rules: Rules, folder: Path, command: Sequence[str]) -> tuple[Step, ...]:
    """Return what to do with the best change or, if none can be printed, with the rules as they are.

    The change is tried on other deals than those on which it was chosen.
    """
    players, inputs = found.counts[-1], found.inputs[0]
    at, cast = playing(rules, command=command), casting(inputs.game, inputs.strategies)
    if not found.printable:
        fair = any(verdict.code == "mend_already" for verdict in found.verdicts)
        own = [baseline(rules, players, f"{at}{cast}", command=command)] if fair else []
        return steps(words, rules, Wanted("report", f"report {at}"), *own)
    best, path, alike = _best(found, folder)
    file = quote(str(path))
    tables = found.counts if alike else found.counts[-1:]
    game = f"--game {typed(rules.game_name)}"
    version, settings = named(rules, command)
    line = f"compare {UNTYPED if settings else version} {file} {game} --players {','.join(map(str, tables))}{cast}"
    line += f" --seed {other_seed(inputs.seed)}"
    specs = [played(replace(inputs, players=count), best) for count in tables]

    def cost(spec: Spec) -> tuple[float, float]:
        habit, learning = zip(*(of_compare(one) for one in specs if one), strict=True)
        return sum(habit), sum(learning)

    return steps(
        words,
        rules,
        shortened("mended", line, cost, specs[0]),
        Wanted("report", f"report {game} --rules {file}"),
        baseline(rules, players, f"{game} --rules {file}{cast}", path.stem),
    )


def called(words: Words, name: str, kind: str) -> str:
    """Return the name of a line: a seat, camp, role, measure or card."""
    return words("seat.number", seat=name.rpartition("-")[2]) if kind == "seat" else words.name(name)


def _named(words: Words, rows: pl.DataFrame) -> pl.DataFrame:
    names = [called(words, row["name"], row["kind"]) for row in rows.iter_rows(named=True)]
    return rows.with_columns(pl.Series("name", names, pl.String))


def _changes(words: Words, mend: Mend) -> Iterator[Block]:
    """Yield the changes, what each does to targets and to what is kept, the frontier and the prices."""
    if not mend.changes.is_empty():
        yield from _before_and_after(words, mend)
        yield _ranked(words, mend)
        several = len(mend.counts) > 1
        for name, kind, rows in _lines(mend):
            title = words(f"table.mended_{name}")
            caption = words(f"caption.mended_lines{'' if mend.learned else '_by_habit'}")
            columns = [one for one in lines_of_table(kind, mend.learned) if several or one.field != "players"]
            yield table(words, f"lines-{name}", title, _named(words, rows), columns, caption, name == "kept", AT_ONCE)
    if len(set(mend.frontier["is_share"])) == 1 and len(mend.frontier) > 1:
        yield _frontier(words, mend.frontier, _who(words, mend))
    if not mend.prices.is_empty():
        yield table(words, "prices", words("table.prices"), mend.prices, PRICES, words("caption.prices"))


def _ranked(words: Words, found: Mend) -> Table:
    """Return the table of changes, in the game's words; with several numbers of players, a column for each."""
    frame = found.changes.with_columns(
        pl.Series("change", [change_in_words(words, found, row) for row in found.changes.iter_rows(named=True)]),
        pl.Series("target", [judgement(words, row) for row in found.changes.iter_rows(named=True)]),
        pl.Series("ahead", [one and words(f"mend.ahead_{one}") for one in found.changes["ahead"]], pl.String),
    )
    changes = [replace(one, kind="score") if found.unit and one.field == "left" else one for one in RANKED]
    changes = [one for one in changes if one.field != "ahead" or any(found.ahead)]
    if len(found.counts) == 1:
        return table(words, "changes", words("table.mended"), frame, changes, words("caption.mended"), brief=AT_ONCE)
    apart = [
        Column(
            f"left_at_{count}",
            "score" if found.unit else "apart",
            digits=1,
            heading=words("players.number", players=count),
        )
        for count in found.counts
    ]
    columns = [one for column in changes for one in (apart if column.field == "left" else [column])]
    return table(words, "changes", words("table.mended"), frame, columns, words("caption.mended"), brief=AT_ONCE)


def change_in_words(words: Words, found: Mend, row: Mapping[str, Any]) -> str:
    """Return what a change changes, in the game's words; a rule set of the game by its title as well."""
    edits = found.edits.filter(pl.col("rank") == row["rank"]).drop("rank")
    said = told(words, Edits(Edit(**one) for one in edits.iter_rows(named=True)))
    if row["variant"] is None:
        return said
    return words("edit.variant", title=row["variant"], change=said)


def judgement(words: Words, row: Mapping[str, Any]) -> str:
    """Return whether a change meets the target, and what else it changes."""
    if row["target"] == CHANGED:
        return words("mend.breaks", what=words.name(row["breaks"]), by=row["breaks_by"])
    return words.name(f"sweep_{row['target']}")


def _lines(found: Mend) -> Iterator[tuple[str, str, pl.DataFrame]]:
    """Yield the targets that are numbers, those that are shares, and what is kept."""
    for kind, is_share in (("number", False), ("share", True)):
        rows = found.table.filter((pl.col("is_share") == is_share) & ~pl.col("kept"))
        if not rows.is_empty():
            yield kind, kind, rows
    kept = found.table.filter(pl.col("kept"))
    if not kept.is_empty():
        yield "kept", "number", kept


def _who(words: Words, found: Mend) -> str:
    return words("mend.learned" if found.learned else "mend.unlearned")


def _before_and_after(words: Words, mend: Mend) -> Iterator[Picture]:
    """Yield what each seat or camp wins by the rules as they are and with the first change, as it is best known."""
    change = change_in_words(words, mend, mend.changes.row(0, named=True))
    first = mend.table.filter(pl.col("is_share") & ~pl.col("kept") & (pl.col("rank") == 1))
    ticks = [words("col.before"), words("col.after")]
    for (players,), rows in first.group_by("players", maintain_order=True):
        nothing, name = pl.lit(None, pl.Float64), pl.col("name").alias("series")
        frame = pl.concat(
            [
                rows.select(name, pl.lit(ticks[0]).alias("at"), value="before", low=nothing, high=nothing),
                rows.select(name, pl.lit(ticks[1]).alias("at"), value="value", low="value_low", high="value_high"),
            ]
        )
        names = {row["name"]: called(words, row["name"], row["kind"]) for row in rows.iter_rows(named=True)}
        bands = sorted(rows.select("lowest", "wanted", "highest").unique().rows())
        figure = Swept(frame, names, ticks, "", words("axis.share"), bands, percent=True, words=words)
        title = words("edit.players", players=players, change=change) if len(mend.counts) > 1 else change
        yield Picture(
            f"after-{players}", title, figure, words("caption.mended_before_and_after", who=_who(words, mend))
        )


def _frontier(words: Words, rows: pl.DataFrame, who: str) -> Picture:
    ends = {"value": "off", "low": "off_low", "high": "off_high"}
    frame = rows.select(
        pl.lit("off").alias("series"), pl.col("size").alias("x"), **{to: pl.col(at) for to, at in ends.items()}
    )
    off, percent = words("axis.off"), bool(rows["is_share"].all())
    figure = Curves(frame, {"off": off}, words("axis.size"), off, percent=percent, joined=False, words=words)
    return Picture("frontier", words("figure.frontier"), figure, words("caption.frontier", who=who))


def _curves(words: Words, found: Mend) -> Iterator[Block]:
    """Yield a figure for each lever: all shares in one, every other measure by itself."""
    yield Remark(words("caption.curves"))
    drawn = 0
    for (lever, shape), rows in found.curves.group_by("lever", "shape", maintain_order=True):
        shares = rows.filter(pl.col("is_share"))
        groups = ([shares] if len(shares) else []) + [
            own for _, own in rows.filter(~pl.col("is_share")).group_by("name", maintain_order=True)
        ]
        for own in groups:
            if drawn < MOST_PICTURES:
                yield _curve(words, str(lever), str(shape), own, f"curve-{drawn}")
            drawn += 1
    if drawn > MOST_PICTURES:
        yield Remark(words("sweep.more", count=drawn - MOST_PICTURES))


def _curve(words: Words, lever: str, shape: str, rows: pl.DataFrame, name: str) -> Picture:
    frame = rows.select(
        pl.col("name").alias("series"),
        pl.col("value").cast(pl.String).alias("at"),
        pl.col("mean").alias("value"),
        pl.col("mean_low").alias("low"),
        pl.col("mean_high").alias("high"),
    )
    kinds = dict(rows.select("name", "kind").unique(maintain_order=True).rows())
    names = {one: called(words, one, kind) for one, kind in kinds.items()}
    ticks = frame["at"].unique(maintain_order=True).to_list()
    wanted = rows.select("lowest", "wanted", "highest").unique()
    percent = bool(rows["is_share"].all())
    up = words("axis.share") if percent else next(iter(names.values()))
    figure = Swept(frame, names, ticks, title(words, lever), up, sorted(wanted.rows()), percent, words=words)
    return Picture(name, words("figure.curve", lever=title(words, lever), shape=words.name(f"mend_{shape}")), figure)


def _moved_by(words: Words, found: Mend) -> Iterator[Block]:
    """Yield what else each change moves, largest first."""
    if found.moved.is_empty():
        yield Remark(words("mend.not_moved"))
    for row in found.changes.iter_rows(named=True) if not found.moved.is_empty() else ():
        total = len(found.moved.filter(pl.col("rank") == row["rank"]))
        moved = found.surely_moved(row["rank"])
        sure = moved.head(SHOWN)
        title = words("table.mend_moved", rank=row["rank"], change=change_in_words(words, found, row))
        if sure.is_empty():
            yield Remark(f"{title}. {words('compare.nothing_moved', total=total)}")
            continue
        named = pl.Series("measure", [measure_name(words, one) for one in sure.iter_rows(named=True)], pl.String)
        caption = words("caption.mend_moved", who=_who(words, found)) + first_rows(words, sure, moved)
        yield table(words, f"moved-{row['rank']}", title, sure.with_columns(named), MOVED, caption, row["rank"] > 1)
