"""The versions of a game that are compared: rule sets, one of them with changed settings, and runs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from analysis.data.source import Source
from analysis.data.sources import SpecSource, source_of
from analysis.runs import Run, load
from simcore.errors import UsageError
from simcore.game import load_game
from simcore.rules.files import Rules, differences, load_rules
from simcore.running.batch import Spec
from strategies.spec import References, make_spec, under_rules

Reference = str | Path | Rules | Run
"""A shipped rule set, the path of a rule file or of a run folder, complete rules, or a run."""

MOST = 8
"""Largest number of versions in one comparison."""


@dataclass(frozen=True)
class Version:
    """One version of a game."""

    label: str  # name of the version in tables and sentences
    specs: Mapping[int, Spec]  # what is played, by number of players
    runs: Mapping[int, Run] = field(default_factory=dict)
    """Runs that have been played, by number of players; empty for a rule set."""

    def source(self, players: int) -> Source:
        """Return the games at one number of players: those of the run, or games to play."""
        return source_of(self.runs[players]) if players in self.runs else SpecSource(self.specs[players])


@dataclass(frozen=True)
class Chosen:
    """What to play, if no run says it."""

    game: str
    players: Sequence[int] = ()  # numbers of players.  If empty, the game's usual number.
    strategies: References = ()
    seed: int = 1
    games: int = 100_000
    """game, strategies, seed, games: As for `strategies.spec.make_spec`."""


def find_versions(
    references: Sequence[Reference], chosen: Chosen, settings: Sequence[str] = (), trust: bool = False
) -> list[Version]:
    """Return the versions that a user named.

    references: Two or more references, or one with `settings`.
    chosen: What to play.  If there are runs among the versions, they decide, and rule sets are played with the players,
        the deals and the number of games of the first run.
    settings: Changes to the one version that is named, each "dotted.key=value".
    trust: Whether Python code that a run names may be imported.
    Raises UsageError if the versions cannot be compared; the message says which, and why.
    """
    if len(references) > MOST:
        raise UsageError(f"compare: {len(references)} versions are given; the maximum is {MOST}")
    if settings and len(references) != 1:
        raise UsageError("changes one version; name only one, or put the change into a rule file", "settings")
    if len(references) < 2 and not settings:
        raise UsageError("there is one version; name two rule sets, or one and a change as key=value", "settings")
    runs = [_run(reference, trust) for reference in references]
    lead = next((run for run in runs if run), None)
    if lead is None:
        found = _by_rules(references, chosen, settings)
    elif settings:
        raise UsageError(
            "a run has already been played; name a rule set instead, or compare the run with a rule file", "settings"
        )
    else:
        found = [_with_run(reference, run, lead) for reference, run in zip(references, runs, strict=True)]
    _check(found)
    return found


def _run(reference: Reference, trust: bool) -> Run | None:
    """Return the run that a reference names; None if it names rules."""
    if isinstance(reference, Run):
        return reference
    return load(reference, trust=trust) if not isinstance(reference, Rules) and Path(reference).is_dir() else None


def _by_rules(references: Sequence[Reference], chosen: Chosen, settings: Sequence[str]) -> list[Version]:
    game = load_game(chosen.game)
    named = [(reference, ()) for reference in references] + [(references[0], tuple(settings))] * bool(settings)
    rules = [_rules(chosen.game, reference, changed) for reference, changed in named]
    labels = _labels(references, rules)
    counts = list(dict.fromkeys(chosen.players)) or [game.default_players]
    return [
        Version(
            label,
            {
                count: make_spec(
                    chosen.game,
                    count,
                    chosen.strategies,
                    _named(reference),
                    changed,
                    chosen.seed,
                    "rotate",
                    chosen.games,
                )
                for count in counts
            },
        )
        for label, (reference, changed) in zip(labels, named, strict=True)
    ]


def _named(reference: Reference) -> str | Path | Rules:
    """Return what `load_rules` loads."""
    return reference if isinstance(reference, Path | Rules) else str(reference)


def _rules(game: str, reference: Reference, settings: Sequence[str]) -> Rules:
    try:
        return load_rules(load_game(game), _named(reference), settings)
    except UsageError as error:
        raise UsageError(error.message, "" if error.where == "rules" else error.where) from None


def _labels(references: Sequence[Reference], rules: Sequence[Rules]) -> list[str]:
    """Return labels for rule sets: their names with what was changed, or the references if two names are equal."""
    names = [" with ".join(filter(None, (one.name, ", ".join(one.settings)))) for one in rules]
    if len(set(names)) == len(names):
        return names
    return [one.name if isinstance(one, Rules) else str(one) for one in references]


def _with_run(reference: Reference, run: Run | None, lead: Run) -> Version:
    """Return a version for a run, or for a rule set that is played like another run."""
    if run is not None:
        return Version(str(run.folder), {run.manifest.players: run.described}, {run.manifest.players: run})
    first = lead.spec
    rules = _rules(first.game.name, reference, ())
    spec = replace(
        under_rules(first, rules),
        rules_reference=rules.name if isinstance(reference, Rules) else str(reference),
    )
    return Version(rules.name, {first.players: spec})


def _check(versions: Sequence[Version]) -> None:
    """Raise `UsageError` if there is nothing to compare."""
    first = versions[0]
    (lead, *_) = first.specs.values()
    for other in versions[1:]:
        (spec, *_) = other.specs.values()
        if spec.game.name != lead.game.name:
            raise UsageError(
                f"compare: {first.label} is a run of {lead.game.name}, but {other.label} is one of {spec.game.name}"
            )
        if list(other.specs) != list(first.specs):
            raise UsageError(
                f"compare: {first.label} has {lead.players} players, and {other.label} {spec.players}; compare runs "
                "with the same number of players"
            )
        same = spec.strategy_tables == lead.strategy_tables and not differences(lead.rules, spec.rules)
        if same and not other.runs:
            raise UsageError(
                f"compare: {first.label} and {other.label} have the same rules; there is nothing to compare"
            )
