"""Why a game is tilted: the largest cause that was shown by playing with a change."""

from __future__ import annotations

from analysis.causes import Causes
from analysis.compare import Comparison
from analysis.data.results import Verdict
from reports.study.study import Study


def distance(verdict: Verdict) -> float:
    """Return the distance of a verdict's share from par, in margins."""
    values = verdict.values
    return abs(values["share"] - values["par"]) / values["margin"] if "share" in values else -1.0


def cause_of(study: Study, players: int) -> str:
    """Return a sentence on the largest cause that was shown by playing with a change, or that none was shown.

    Changes are played at the usual number of players, which the sentence names if the answer is about another number.
    """
    words, usual = study.words, study.focus.players
    told = _shown(study)
    if told is None:
        return words("cause.none")
    return told if usual == players else words("of_players", players=usual, text=told)


def _shown(study: Study) -> str | None:
    """Return the largest cause at the usual number of players; None if none was looked for."""
    compared: Comparison | None = study.found(f"compare:{study.focus.players}")
    moved = [one for one in compared.verdicts if one.code.startswith("compare_moved")] if compared else []
    if moved:
        return study.words.verdict(moved[0])
    found: Causes | None = study.found("causes")
    return " ".join(map(study.words.verdict, found.verdicts)) if found else None
