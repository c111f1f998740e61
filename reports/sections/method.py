"""How it was done, and how to do it again."""

from __future__ import annotations

import json
from typing import Any

import polars as pl

from analysis.runs import Run
from reports.attacked import attacked_sentences
from reports.page import ABSENT, Block, Column, Remark, Section, table
from reports.steps import again
from reports.study.study import Study
from reports.words import glossary
from simcore.rules.files import Rules, differences, load_rules

RUNS = (
    Column("run", "text"), Column("players", "count"), Column("strategies", "text"), Column("rules", "text"),
    Column("games", "count"), Column("planned", "count"), Column("design", "name"), Column("seed", "text"),
    Column("detail", "text"), Column("digest", "text"),
)  # fmt: skip
CHANGES = (Column("rules", "text"), Column("key", "text"), Column("base", "text"), Column("here", "text"))
GLOSSARY = (Column("term", "text"), Column("meaning", "text"))
SWITCHES = (Column("switch", "text"), Column("position", "text"), Column("base", "text"))


def method(study: Study, command: tuple[str, ...]) -> Section:
    """Return the method and the provenance."""
    words, limits = study.words, study.thresholds
    kind, size = limits.margin.unit, limits.margin.size
    if study.focus.judged.is_payoff:
        kind, size = "_payoff", limits.margin.of_stake
    terms = pl.DataFrame(list(glossary(words).items()), ["term", "meaning"], orient="row")
    blocks: list[Block] = [
        Remark(words("method.deals")),
        Remark(words(f"method.thresholds{kind}", margin=size, level=limits.level)),
        Remark(words("method.skill")),
        *map(Remark, attacked_sentences(words, [study.focus.inputs(0, 0, 0)])),
        Remark(words("method.terms")),
        table(words, "glossary", words("table.glossary"), terms, GLOSSARY, folded=True),
        table(words, "runs", words("table.runs"), _runs(study), RUNS),
        Remark(words("method.versions", versions="; ".join(_runs(study)["versions"].unique(maintain_order=True)))),
        *again(words, *(run.manifest.command for run in study.runs), command),
    ]
    rules = list({source.spec.rules.digest: source.spec.rules for source in study.sources}.values())
    changed = pl.concat([_changes(study, one) for one in rules])
    if len(changed):
        blocks.append(table(words, "rule-changes", words("table.changes"), changed, CHANGES, words("caption.changes")))
    else:
        blocks.append(Remark(words("rules.base")))
    base, here = load_rules(study.game).switches, study.focus.spec.rules.switches
    rows = [{"switch": name, "position": _shown(value), "base": _shown(base.get(name))} for name, value in here.items()]
    if len(switches := pl.DataFrame(rows, schema={"switch": pl.String, "position": pl.String, "base": pl.String})):
        blocks.append(table(words, "switches", words("table.switches"), switches, SWITCHES, words("caption.switches")))
    if assumed := study.focus.spec.rules.assumed:
        blocks.append(Remark(words("assumed.method", tables=words.listed(assumed))))
    return Section("method", words("section.method"), (), tuple(blocks))


def off_base(study: Study) -> dict[str, list[str]]:
    """Return the keys in which each set of rules differs from the game's base, by the rules' name."""
    base = load_rules(study.game)
    rules = {source.spec.rules.digest: source.spec.rules for source in study.sources}
    return {one.name: list(keys) for one in rules.values() if (keys := differences(base, one))}


def _runs(study: Study) -> pl.DataFrame:
    return pl.DataFrame(
        [_about(study, run, source.label) for run, source in zip(study.runs, study.sources, strict=True)]
    )


def _about(study: Study, run: Run, label: str) -> dict[str, Any]:
    manifest = run.manifest
    return {
        "run": study.words.name(label),
        "players": manifest.players,
        "strategies": ", ".join(dict.fromkeys(manifest.strategies)),
        "rules": f"{run.described.rules.name} {manifest.rules_digest[:12]}",
        "games": manifest.games_written,
        "planned": manifest.games,
        "design": manifest.design,
        "seed": str(manifest.seed),
        "detail": manifest.detail,
        "digest": (manifest.digest or ABSENT)[:16],
        "versions": ", ".join(f"{name} {number}" for name, number in manifest.versions.items()),
    }


def _changes(study: Study, rules: Rules) -> pl.DataFrame:
    """Return how rules differ from the game's base."""
    found = differences(load_rules(study.game), rules)
    rows = [
        {"rules": rules.name, "key": key, "base": _shown(pair.get("old")), "here": _shown(pair.get("new"))}
        for key, pair in found.items()
    ]
    return pl.DataFrame(rows, schema={"rules": pl.String, "key": pl.String, "base": pl.String, "here": pl.String})


def _shown(value: Any) -> str:
    return ABSENT if value is None else json.dumps(value, ensure_ascii=False)
