"""Plays in the JSON file that the app BG Stats exports."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import polars as pl

from analysis.tables.forms import ROW, Place, cut, plain
from simcore.errors import nearest
from simcore.roles import MOST_PLAYERS

LISTS = ("plays", "games", "players")


@dataclass(frozen=True)
class Plays:
    """The plays of one game."""

    frame: pl.DataFrame  # one row for each player of each play, as text
    title: str  # name of the game
    lowest: bool  # whether the fewest points win
    skipped: int  # number of plays with one player, or with too many


def plays_of(place: Place, data: bytes, title: str = "") -> Plays:
    """Return the plays of a game.

    place: The file.
    data: Its contents.
    title: Name of the game.  If empty, the file has to contain plays of one game only.
    Raises UsageError if the file is no export of BG Stats, or names no such game.
    """
    try:
        table = json.loads(data.decode("utf-8-sig"))
        if not isinstance(table, dict) or not all(isinstance(table.get(name), list) for name in LISTS):
            raise ValueError
        games = {one["id"]: one for one in table["games"]}
        people = {one["id"]: plain(str(one.get("name", ""))) for one in table["players"]}
        plays = [one for one in table["plays"] if not one.get("ignored")]
        game = _game(place, games, plays, title)
        mine = [play for play in plays if play["gameRefId"] == game["id"]]
        sized = [play for play in mine if 2 <= len(play["playerScores"]) <= MOST_PLAYERS]
        rows = [row for number, play in enumerate(sized, 1) for row in _rows(number, play, people)]
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        place.refuse("not a file that BG Stats exported; give a CSV or Parquet file, or export it again")
    if not rows:
        place.refuse(f"no play of '{cut(plain(str(game.get('name', ''))))}' with two or more players")
    frame = pl.DataFrame(rows, infer_schema_length=None)
    empty = [name for name in frame.columns[1:] if (frame[name] == "").all()]
    if "winner" not in empty and (frame["winner"] == "0").all():
        empty.append("winner")
    by_seat = frame.group_by("game").agg(pl.col("seat").str.to_integer(strict=False).fill_null(0).sort().alias("s"))
    whole = all(list(seats) == list(range(1, len(seats) + 1)) for seats in by_seat["s"].to_list())
    dropped = {*empty, *([] if whole else ["seat"])}
    return Plays(
        frame.drop(dropped, strict=False),
        plain(str(game.get("name", ""))),
        game.get("highestWins") is False,
        len(mine) - len(sized),
    )


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


def _rows(number: int, play: Mapping[str, Any], people: Mapping[int, str]) -> list[dict[str, Any]]:
    """Return the rows of a play; those of one game have the number of the play."""
    minutes = play.get("durationMin") or 0
    return [
        {
            ROW: number,
            "game": str(number),
            "date": plain(str(play.get("playDate", ""))[:10]),
            "players": str(len(play["playerScores"])),
            "player": people[one["playerRefId"]] or f"player {one['playerRefId']}",
            "seat": plain(str(one.get("seatOrder") or "")),
            "winner": "1" if one.get("winner") else "0",
            "rank": plain(str(one.get("rank") or "")),
            "score": plain(str("" if one.get("score") is None else one["score"])),
            "role": plain(str(one.get("role") or "")),
            "length": plain(str(minutes or "")),
        }
        for one in play["playerScores"]
    ]
