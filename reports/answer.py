"""The first screen of a report: is the game balanced, if not by how much, why, and what to do next."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from shlex import quote

import polars as pl

from analysis.cards.counterfactual import Counterfactual
from analysis.cards.pairing import ALL
from analysis.compare import Comparison
from analysis.data.results import Verdict
from analysis.data.source import Source
from analysis.design_log import newest
from analysis.seats.advantage import SeatAdvantage
from analysis.stats.intervals import pointwise
from analysis.stats.moments import MIN_DEALS
from reports.figures.multiples import SeatMultiples
from reports.page import Answer, Picture, Sentence, Step
from reports.portable import portable
from reports.study import Study
from simcore.rules.files import shipped_rules
from strategies.kit import EXPERTS
from strategies.library import shipped_strategies
from strategies.skill import players_of, weak_players

STATUSES = ("tilted", "unclear", "unknown", "fair")
"""Statuses of the verdict on the seats at a number of players, most important first."""

STEPS = 3
"""Largest number of steps that are proposed."""

MENDED = "mended-1.toml"
"""File of the best rules that a search for a mended game writes."""

Judged = tuple[Source, SeatAdvantage]


def answer(study: Study) -> Answer | None:
    """Return the first screen; None if no run says anything about the seats.

    The sections have to be made first, so that their analyses are not run again.
    """
    judged = {source.players: pair for source in study.strongest if (pair := _seats(study, source))}
    if not judged:
        return None
    states = {players: _state(result) for players, (_, result) in judged.items()}
    players, verdict = _worst(judged, states)
    others = tuple(_others(study, {count: state for count, state in states.items() if count != players}))
    sentence = _sentence(study, players, verdict, states)
    return Answer(
        sentence, (*others, _judges(study)), _cause(study, judged, players),
        tuple(seat_pictures(study)), tuple(_steps(study, sentence.status, players, verdict)),
    )  # fmt: skip


def _seats(study: Study, source: Source) -> Judged | None:
    result = study.found(f"seats:{source.label}")
    return None if result is None else (source, result)


def _state(result: SeatAdvantage) -> str:
    """Return the most important status of a result's verdicts."""
    return min((verdict.status for verdict in result.verdicts), key=STATUSES.index)


def _far(verdict: Verdict) -> float:
    """Return the distance of a verdict's share from par, in margins."""
    values = verdict.values
    return abs(values["share"] - values["par"]) / values["margin"] if "share" in values else -1.0


def _worst(judged: Mapping[int, Judged], states: Mapping[int, str]) -> tuple[int, Verdict]:
    """Return the verdict that answers the question, and its number of players."""
    first = min(states.values(), key=STATUSES.index)
    found = [
        (players, verdict)
        for players, (_, result) in judged.items()
        for verdict in result.verdicts
        if verdict.status == first
    ]
    return max(found, key=lambda pair: _far(pair[1]))


def _sentence(study: Study, players: int, verdict: Verdict, states: Mapping[int, str]) -> Sentence:
    """Return the sentence that answers."""
    words, values, status = study.words, dict(verdict.values), verdict.status
    if status == "fair":
        counts = [count for count, state in states.items() if state == "fair"]
        what = "camps" if verdict.code.startswith("camps") else "seats"
        said = Sentence(words(f"answer.fair_{what}", players=_counts(study, counts), part=values["part"]), status)
    elif "share" not in values:
        said = Sentence(words("answer.unknown"), "unknown")
    else:
        kind = verdict.code.partition(f"_{status}")[0].removesuffix("_near")
        side = ("_high" if values["share"] > values["par"] else "_low") if status == "tilted" else ""
        ratio = {
            name: values[end] / values["par"] if values["par"] else values[end]
            for name, end in (("ratio", "share"), ("low", "low"), ("high", "high"))
        }
        named = {key: words.name(values[key]) for key in ("camp", "role", "strategy") if key in values}
        text = words(f"answer.{status}_{kind}{side}", **values | named | ratio | {"players": players})
        said = Sentence(text, status, players)
    if weak_players(study.focus.spec):
        return Sentence(words("answer.weak", strategies=study.names_of(study.focus)), "unclear")
    return said


def _others(study: Study, states: Mapping[int, str]) -> Iterator[str]:
    """Yield sentences on the other numbers of players."""
    for status in STATUSES:
        counts = [count for count, state in states.items() if state == status]
        if counts:
            yield study.words(f"answer.others_{status}", players=_counts(study, counts))


def _counts(study: Study, counts: Sequence[int]) -> str:
    first, last = [str(count) for count in counts[:-1]], str(counts[-1])
    return study.words("answer.and", first=study.words.listed(first), last=last) if first else last


def _judges(study: Study) -> str:
    """Return a sentence on who played, and how many games."""
    words = study.words
    games = sum(run.manifest.games_written for run in study.runs)
    return words("answer.judges", games=games, strategies=study.names_of(study.focus))


def seat_pictures(study: Study) -> Iterator[Picture]:
    """Yield figures of the seats at all numbers of players, one for each level of skill, strongest first."""
    words, margin = study.words, study.thresholds.margin
    tables = {source.players: pair[1].table for source in study.strongest if (pair := _seats(study, source))}
    strongest = study.names_of(study.focus)
    if tables:
        figure = SeatMultiples(tables, margin, words=words)
        yield Picture("seats", words("figure.seats"), figure, _seats_caption(study), strongest)
    for level in study.levels:
        found = {players: result for players in study.players if (result := _level(study, players, level)) is not None}
        if level != strongest and found:
            figure = SeatMultiples(found, margin, words=words)
            title = words("figure.seats_of", strategies=level)
            yield Picture(f"seats-{len(level)}-{_slug(level)}", title, figure, _seats_caption(study), level)


def _seats_caption(study: Study) -> str:
    """Return what the chart of seats shows and, if seats have roles, the meaning of their initials."""
    words, roles = study.words, study.game.roles if study.game.asymmetric else ()
    titles = [words.name(role.name) for role in roles]
    said = words("caption.seats_roles", roles=words.listed([f"{title[:1]} ({title})" for title in titles]))
    return f"{words('caption.seats')} {said}" if titles else words("caption.seats")


def _slug(level: str) -> str:
    return "".join(letter if letter.isalnum() else "-" for letter in level.lower())


def _level(study: Study, players: int, level: str) -> pl.DataFrame | None:
    """Return the table of seats of the players of a level."""
    by_skill = study.found(f"skill:{players}")
    if by_skill is None:
        return None
    for source, result in zip(study.rungs(players), by_skill.runs, strict=True):
        if study.names_of(source) == level:
            return result.table  # type: ignore[no-any-return]
    return None


def _cause(study: Study, judged: Mapping[int, Judged], players: int) -> str:
    """Return a sentence on the largest cause that was shown by playing with a change, or that none was shown.

    Changes are played at the usual number of players, which the sentence names if the answer is about another number.
    """
    words, usual = study.words, study.focus.players
    told = _shown(study, judged)
    if told is None:
        return words("cause.none")
    return told if usual == players else words("of_players", players=usual, text=told)


def _shown(study: Study, judged: Mapping[int, Judged]) -> str | None:
    """Return the largest cause at the usual number of players; None if none was shown."""
    words = study.words
    found = judged[study.focus.players][1].verdicts if study.focus.players in judged else ()
    verdict = max((one for one in found if one.status == "tilted"), key=_far, default=None)
    compared: Comparison | None = study.found(f"compare:{study.focus.players}")
    moved = [one for one in compared.verdicts if one.code.startswith("compare_moved")] if compared else []
    if moved:
        return words.verdict(moved[0])
    cards = study.found("cards")
    played: Counterfactual | None = getattr(cards, "counterfactual", cards)
    if played is None or verdict is None:
        return None
    by = "camp" if "camp" in verdict.values else "seat"
    who = str(verdict.values.get(by, ""))
    off = abs(verdict.values["share"] - verdict.values["par"])
    return _card(study, played, by, who, off) if who else None


def _card(study: Study, played: Counterfactual, by: str, who: str, off: float) -> str | None:
    """Return the card with the largest effect on a seat or camp, with an interval that is simultaneous for all cards.

    If no card has a significant effect, the sentence says so only if none can explain `off`, the distance from par.
    """
    words = study.words
    titles = {title: name for name, title in study.game.camp_titles.items()} if by == "camp" else {}
    group = titles.get(who, who)
    rows = played.table.filter(
        (pl.col("slot") == ALL) & (pl.col("measure") == "share") & (pl.col("by") == by) & (pl.col("group") == group)
        & (pl.col("deals") >= MIN_DEALS) & pl.col("effect_low").is_not_null()
    )  # fmt: skip
    if rows.is_empty():
        return None
    half = rows["effect_se"].to_numpy() * pointwise(study.thresholds.level, rows["deals"].to_numpy(), len(rows))
    sized = rows.with_columns(half=pl.Series(half), size=pl.col("effect").abs() - pl.Series(half)).sort("size")
    row = sized.row(-1, named=True)
    whose = words(f"cause.{by}", who=words.name(who))
    values = {"card": words.name(row["card"]), "of": len(rows), "whose": whose, "deals": row["deals"]}
    if row["size"] <= 0:
        reach = float((sized["effect"].abs() + sized["half"]).max())  # type: ignore[arg-type]
        return words("cause.no_card", reach=reach, **values) if reach < off else None
    ends = {"effect": row["effect"], "low": row["effect"] - row["half"], "high": row["effect"] + row["half"]}
    return words("cause.card", **values | ends)


def _mend(study: Study, at: str, players: int, own: str) -> tuple[str, str]:
    """Return the step to try the result of a search next to the runs; without a search, the step that searches."""
    for folder in dict.fromkeys(run.folder.parent for run in study.runs):
        found = newest(folder, "mend", study.game.name, players)
        if found and (found / MENDED).is_file():
            return "mended", f"equipoise compare base {quote(portable(str(found / MENDED)))} {at}"
    return "mend", f"equipoise mend {at}{own}"


def _rules(study: Study) -> str:
    """Return the options for the rules, after a space; a user has to fill in the path of an own file."""
    rules = study.focus.spec.rules
    name = rules.name if rules.name in shipped_rules(study.game) else "FILE.toml"
    named = [] if name == "base" else ["--rules", name]
    return "".join(f" {part}" for part in (*named, *(f"--set {quote(one)}" for one in rules.settings)))


def _cast(study: Study) -> str:
    """Return the option for the players, after a space; empty for the game's usual judge."""
    spec, shipped = study.focus.spec, shipped_strategies(study.game)
    if set(spec.strategies) == set(players_of(study.game.name, EXPERTS).values()):
        return ""
    names = [name if name in shipped else "FILE.toml" for name in spec.strategies]
    if study.game.asymmetric:
        names = [f"{role.name}={name}" for role, name in zip(spec.roles, names, strict=True)]
    if not spec.mixed_roles:
        names = list(dict.fromkeys(names))
    return f" --strategies {','.join(names)}"


def _steps(study: Study, status: str, players: int, verdict: Verdict) -> Iterator[Step]:
    """Yield the next steps, most useful first."""
    words, game = study.words, study.game.name
    at = f"--game {game} --players {players}"
    own, cast = _rules(study), _cast(study)
    found: list[tuple[str, str]] = []
    if study.quick:
        found.append(("full", f"equipoise report --game {game}{own}"))
    elif len(study.rungs(study.focus.players)) < 2 or weak_players(study.focus.spec):
        found.append(("skill", f"equipoise report --game {game}{own}"))
    if status == "unclear" and "needed" in verdict.values:
        games = f"{1.1 * verdict.values['needed'] * study.focus.spec.games_per_deal:.1e}".replace("e+0", "e")
        found.append(("games", f"equipoise simulate {at}{own}{cast} --games {games}"))
    if status == "tilted":
        found.append(_mend(study, at, players, f"{own}{cast}"))
        found.append(("compare", f"equipoise compare base --set KEY=VALUE {at}{cast}"))
    found += [
        ("sensitivity", f"equipoise sensitivity {at}{own}{cast}"),
        ("tune", f"equipoise tune {at}{own} --budget 5m"),
        ("restrict", f"equipoise restrict {at}{own}"),
    ]
    for name, command in found[:STEPS]:
        yield Step(words(f"step.{name}"), command)
