"""The page of a comparison of versions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fnmatch import fnmatchcase
from typing import Any

import polars as pl

from analysis.compare.result import HABIT, Comparison
from analysis.cost import of_compare
from analysis.data.declarations import load_declarations
from analysis.data.edits import Edit, Edits
from analysis.precision import lasting
from analysis.stats.margin import FAIR
from reports.commands import UNTYPED, casting, changed, named, played, playing
from reports.figures.curves import Slope
from reports.opinion import heard
from reports.page import Block, Column, Datum, Picture, Remark, Report, Section, Step, Table, basis, datum, table
from reports.pages.common import method, page, rules_told
from reports.steps import Wanted, baseline, mending, steps
from reports.study.study import words_of
from reports.words import LANGUAGES, Words, title, told
from simcore.game import load_game
from simcore.homes import ELSEWHERE, typed
from simcore.rules.files import Rules, differences
from simcore.running.batch import Spec

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
    best, cast = rules[label], casting(inputs)
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
