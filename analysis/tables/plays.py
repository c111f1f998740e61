"""Plays in the JSON file that the app BG Stats exports."""

from __future__ import annotations

import hashlib
import json
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import polars as pl

from analysis.tables.columns import MOST_RULES, ROW, Numerals, Place, cut, plain
from simcore.errors import nearest
from simcore.judged import MOST_PLAYERS

LISTS = ("plays", "games", "players")
WHY = {
    "ignored": "ignored in the app", "size": "one player alone, or more than eight", "teams": "teams",
    "text": "a score that is not a number", "gap": "some players have no score", "unwon": "nobody won",
    "other": "the winner does not have the best score", "seats": "no seats", "sides": "other teams than in most plays",
    "damaged": "damaged",
}  # fmt: skip
"""Why a play is of no use."""


@dataclass(frozen=True)
class Plays:
    """The plays of one game."""

    frame: pl.DataFrame = field(default_factory=pl.DataFrame)  # one row for each player of each play, as text
    title: str = ""  # name of the game
    lowest: bool = False  # whether the file says that the fewest points win
    cooperative: bool = False  # whether it says that all win or lose together
    left_out: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """Dates of the plays that are of no use, by the reason."""
    begun: int = 0  # number of plays that name seat 1 alone, who began; the others were drawn by lot
    seated: int = 0  # number of plays that name seats, if they are too few to be used
    mixed: int = 0  # number of boards and sets of expansions, if they are so many that all count as one


def plays_of(place: Place, data: bytes, title: str = "", ordered: bool = True) -> Plays:
    """Return the plays of a game.

    title: Name of the game.  If empty, the file has to contain plays of one game only.
    ordered: Whether the seats mean something; then plays without seats are left out where most have them.
    Raises UsageError if the file is no export of BG Stats, or names no such game.
    """
    left_out: dict[str, list[str]] = {}
    try:
        table = json.loads(data.decode("utf-8-sig"))
        if not isinstance(table, dict) or not all(isinstance(table.get(name), list) for name in LISTS):
            raise ValueError
        games = {one["id"]: one for one in table["games"]}
        people = {one["id"]: plain(str(one.get("name", ""))) for one in table["players"]}
        sound = [_is_sound(play, games) for play in table["plays"]]
        game = _game(place, games, [play for play, whole in zip(table["plays"], sound, strict=True) if whole], title)
        lowest, cooperative = game.get("highestWins") is False, game.get("cooperative") is True
        plays = [
            _Play(number, _rows(number, play, people, games), _date(play), play)
            for number, play in enumerate(table["plays"], 1)
            if sound[number - 1] and play["gameRefId"] == game["id"]
        ]
        for play, whole in zip(table["plays"], sound, strict=True):
            if not whole:
                left_out.setdefault("damaged", []).append(_date(play))
        reasons = [play.reason(lowest, cooperative) for play in plays]
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        place.refuse("not a file that BG Stats exported; give a CSV or Parquet file, or export it again")
    used = [play for play, reason in zip(plays, reasons, strict=True) if not reason]
    seated = sum(play.seated for play in used) if ordered else 0
    few = not ordered or 2 * seated < len(used)
    if not few:
        reasons = [reason or ("" if play.seated else "seats") for play, reason in zip(plays, reasons, strict=True)]
    usual = _usual_teams([play for play, reason in zip(plays, reasons, strict=True) if not reason], few)
    reasons = [
        reason or ("" if play.teams(few) == usual.get(play.size) else "sides")
        for play, reason in zip(plays, reasons, strict=True)
    ]
    used = [play for play, reason in zip(plays, reasons, strict=True) if not reason]
    for play, reason in zip(plays, reasons, strict=True):
        if reason:
            left_out.setdefault(reason, []).append(play.date)
    rows = [row for play in used for row in (play.rows if few else play.ordered)]
    name = plain(str(game.get("name", "")))
    if not rows:
        many = ", ".join(f"{len(dates)}: {WHY[reason]}" for reason, dates in left_out.items())
        place.refuse(f"no play of '{cut(name)}' can be used ({many}); put it right in the app, and export again")
    frame = pl.DataFrame(rows, infer_schema_length=None)
    empty = [name for name in frame.columns[1:] if (frame[name] == "").all() or (name == "seat" and few)]
    sets = frame["rules"].n_unique()
    if sets > MOST_RULES:
        empty.append("rules")
    if "rules" not in empty:
        frame = frame.with_columns(rules=pl.when(pl.col("rules") == "").then(pl.lit("base")).otherwise("rules"))
    begun = 0 if few else sum(play.begun and play.size > 2 for play in used)
    mixed = sets if sets > MOST_RULES else 0
    return Plays(frame.drop(empty), name, lowest, cooperative, left_out, begun, seated if few else 0, mixed)


def _is_sound(play: Any, games: Mapping[int, Any]) -> bool:
    """Return whether a play says what was played, and by whom."""
    if not isinstance(play, dict) or play.get("gameRefId") not in games:
        return False
    scores, more = play.get("playerScores"), play.get("expansionPlays") or []
    return isinstance(scores, list) and isinstance(more, list) and all(isinstance(one, dict) for one in scores + more)


def _date(play: Any) -> str:
    """Return the day of a play; empty if there is none."""
    return plain(str(play.get("playDate") or "")[:10]) if isinstance(play, dict) else ""


def sides_of(teams: Sequence[str]) -> str:
    """Return who wins together, by seat as in 1/234, given the team of each seat."""
    seats: dict[str, str] = {}
    for seat, team in enumerate(teams, 1):
        seats[team] = seats.get(team, "") + str(seat)
    return "/".join(seats.values())


def _usual_teams(plays: Sequence[_Play], few: bool) -> dict[int, str]:
    """Return who wins together in most plays with each number of players."""
    often = Counter((play.size, play.teams(few)) for play in plays)
    return {size: teams for (size, teams), _ in reversed(often.most_common())}


def _game(place: Place, games: Mapping[int, Any], plays: Sequence[Any], title: str) -> Any:
    """Return the game with a name, or the only one."""
    often = Counter(play["gameRefId"] for play in plays)
    named = {plain(str(games[one].get("name", ""))): games[one] for one, _ in often.most_common()}
    if title:
        for name, game in named.items():
            if name.casefold() == title.casefold():
                return game
        place.refuse(f"no play of '{cut(plain(title))}'{nearest(title, named)}")
    if not named:
        place.refuse("there is no game in it; export plays from BG Stats")
    if len(named) > 1:
        shown = ", ".join(map(cut, list(named)[:5]))
        place.refuse(
            f"plays of {len(named)} games, most often {shown}; name one", way_out=("; say which one with", "title")
        )
    return next(iter(named.values()))


def _rows(
    number: int, play: Mapping[str, Any], people: Mapping[int, str], games: Mapping[int, Any]
) -> list[dict[str, Any]]:
    """Return the rows of a play; those of one game have the number of the play."""
    minutes, more = play.get("durationMin") or 0, play.get("expansionPlays") or ()
    added = sorted({plain(str(games.get(one.get("gameRefId"), {}).get("name", ""))) for one in more} - {""})
    winners, ranks = ([one.get(name) for one in play["playerScores"]] for name in ("winner", "rank"))
    ranked = None not in ranks and [rank == 1 for rank in ranks] == [won is True for won in winners]
    return [
        {
            ROW: number,
            "game": str(number),
            "date": _date(play),
            "players": str(len(play["playerScores"])),
            "player": people.get(one.get("playerRefId")) or f"player {one.get('playerRefId')}",
            "seat": plain(str(one.get("seatOrder") or "")),
            "winner": {True: "1", False: "0"}.get(one.get("winner"), ""),
            "rank": plain(str(one["rank"])) if ranked else "",
            "score": _summed(plain(str("" if one.get("score") is None else one["score"]))),
            "role": plain(str(one.get("role") or "")),
            "team": plain(str(one.get("team") or "")) if play.get("usesTeams") else "",
            "rules": " + ".join(filter(None, (plain(str(play.get("board") or "")), *added))),
            "length": plain(str(minutes or "")),
        }
        for one in play["playerScores"]
    ]


def _summed(score: str) -> str:
    """Return a score; the app lets people type sums such as 12+5."""
    if not re.fullmatch(r"-?\d+(\.\d+)?( *[+-] *\d+(\.\d+)?)+", score):
        return score
    return f"{sum(map(float, re.findall(r'[+-]?[0-9.]+', score.replace(' ', '')))):g}"


@dataclass(frozen=True)
class _Play:
    """A play, and whether it can be used."""

    number: int
    rows: Sequence[dict[str, Any]]
    date: str
    told: Mapping[str, Any]  # the play as the file has it

    @property
    def size(self) -> int:
        """The number of players."""
        return len(self.rows)

    @property
    def whole(self) -> bool:
        """Whether it says who sat where."""
        return sorted(row["seat"] for row in self.rows) == sorted(str(seat + 1) for seat in range(self.size))

    @property
    def begun(self) -> bool:
        """Whether it says who began, and not who sat where."""
        return not self.whole and sum(one.get("startPlayer") is True for one in self.told["playerScores"]) == 1

    @property
    def seated(self) -> bool:
        """Whether it says who sat in seat 1 at least."""
        return self.whole or self.begun

    @property
    def ordered(self) -> list[dict[str, Any]]:
        """Its rows; where only the one who began is known, in seat 1, the others are in an order by lot."""
        if not self.begun:
            return list(self.rows)
        first = [one.get("startPlayer") is True for one in self.told["playerScores"]]
        lots = [hashlib.sha256(f"{self.date} {self.number} {row['player']}".encode()).digest() for row in self.rows]
        order = sorted(range(self.size), key=lambda at: (not first[at], lots[at]))
        return [self.rows[at] | {"seat": str(seat)} for seat, at in enumerate(order, 1)]

    def teams(self, few: bool) -> str:
        """Return who wins together, by seat or, if seats are not used, one team after the other; as in 1/234."""
        key = "team" if few else "seat"
        rows = sorted(self.rows if few else self.ordered, key=lambda row: row[key])
        return sides_of([row["team"] or f"\x00{at}" for at, row in enumerate(rows)])

    def reason(self, lowest: bool, cooperative: bool) -> str:
        """Return why the play is of no use; empty if it is of use."""
        marks, texts = ([row[name] for row in self.rows] for name in ("winner", "score"))
        scores = Numerals().read(pl.Series(texts, dtype=pl.String))
        if self.told.get("ignored"):
            return "ignored"
        if not 2 <= self.size <= MOST_PLAYERS:
            return "size"
        teams = [row["team"] for row in self.rows]
        if self.told.get("usesTeams") and ("" in teams or len({*teams}) == 1):
            return "teams"
        if scores.null_count() != texts.count(""):
            return "text"
        if texts.count("") not in (0, self.size):
            return "gap"
        if "1" not in marks:
            said = "0" in marks if cooperative else "0" not in marks and "" not in texts
            return "" if said else "unwon"
        best = scores.min() if lowest else scores.max()
        sides = [team or str(number) for number, team in enumerate(teams)]
        won = {side for side, mark in zip(sides, marks, strict=True) if mark == "1"}
        leading = {side for side, score in zip(sides, scores, strict=True) if score == best}
        return "other" if best is not None and not cooperative and not won <= leading else ""
