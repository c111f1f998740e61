"""What would make the seats even, for the champion and for players tuned for the change; which readings matter."""

from __future__ import annotations

import hashlib
import json
import shlex
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from measure import PLAYERS, SEARCHED, Found, beats, opening, seat_table, spec, table, unfolding

from simcore.game import load_game
from simcore.running.batch import Spec
from strategies.library import load_strategy

RULES, TUNED, KEPT = (Path(__file__).with_name(name) for name in ("rules", "tuned", "found.json"))
GENERATIONS = 60
TUNING = ("--start-from", "champion", "--budget", str(GENERATIONS), "--games", "960", "--by-players")
GENTLE = "gentler-barracks"


@dataclass(frozen=True)
class Change:
    """A change of the rules."""

    key: str  # its name in the page's template
    title: str  # a description in a few words
    rules: str = "base"  # rule set or file
    settings: tuple[str, ...] = ()  # further changes, as for `--set`

    @property
    def options(self) -> list[str]:
        """Options of a command that plays under this change."""
        named = ["--rules", self.rules] if self.rules != "base" else []
        return [*named, *(word for setting in self.settings for word in ("--set", setting))]

    def spec(self, players: int, strategy: str, games: int, **more: Any) -> Spec:
        """Return a run under this change."""
        return spec(players, strategy, games, rules=self.rules, settings=self.settings, **more)


def file(name: str) -> str:
    """Return the path of a rule file of the study, from the repository's root."""
    return str((RULES / f"{name}.toml").relative_to(Path.cwd()))


@cache
def tuned(change: Change, players: int) -> str:
    """Return a strategy file tuned for a change: the champion's weights, tuned further by `equipoise tune`.

    A file that was tuned from the same champion before is used again; it comes with the study.
    """
    start = load_strategy(load_game("middle-ages"), "champion").digest
    told = hashlib.sha256("\n".join([start, *change.options, *TUNING]).encode()).hexdigest()
    path = TUNED.relative_to(Path.cwd()) / f"{change.key}_{players}_{told[:10]}.toml"
    if not path.exists():
        path.parent.mkdir(exist_ok=True)
        words = ["tune", *change.options, "--players", str(players), *TUNING, "--out", str(path), "--quiet"]
        subprocess.run([sys.executable, "-m", "equipoise", *words], check=True, stdout=subprocess.DEVNULL)
    return str(path)


def given(key: str, players: int) -> tuple[str]:
    """Return the setting that gives seats the coins that the section `mended` found."""
    found = json.loads(KEPT.read_text(encoding="utf-8"))["mended"][key]["players"][str(players)]["coins"]
    return (f"starting_coins=[{found}]".replace(" ", ""),)


def mending(games: int) -> Found:
    """Seats under changes of the rules, with the champion and with players who know the change."""
    return {str(players): {row["key"]: row for row in _mending(players, games)} for players in PLAYERS}


def _mending(players: int, games: int) -> Iterator[Found]:
    printed = Change("printed", "as printed")
    yield {
        "key": "printed",
        "title": "as printed",
        "same": seat_table(printed.spec(players, "champion", games)),
        "options": "",
        "coins": "",
        "opening": opening(printed.spec(players, "champion", games)),
    }
    paid = Change("paid", "coins for later seats", settings=given("paid", players))
    told = _told(paid, players, games, tuned(paid, players) if players == 4 else None)
    yield told | {"thinkers": seat_table(paid.spec(players, "thinker", games // SEARCHED))}
    if players == 4:
        last = Change("last", "Ramparts rightmost in a row", file("ramparts-last"))
        alone = Change("alone", "Rampart Income counts Ramparts only", settings=('domains.rampart.counts=["rampart"]',))
        yield from (_told(change, players, games) for change in (last, alone))
        scoutless = Change("scoutless", "no Scout", settings=("effects.rampart_scouts=false",))
        yield _told(scoutless, players, games, tuned(scoutless, players))
    gentle = Change("gentle", "gentler Barracks: they take coins and destroy nothing", GENTLE)
    knows = tuned(gentle, players)
    yield _told(gentle, players, games, knows)
    if players == 4:
        robless = Change("robless", "gentler Barracks, and Mills rob nobody", GENTLE, ("effects.mill_coins=0",))
        yield _told(robless, players, games, tuned(robless, players))
    both = Change("both", "gentler Barracks, and coins for later seats", GENTLE, given("both", players))
    yield _told(both, players, games, knows)


def _told(change: Change, players: int, games: int, knows: str | None = None) -> Found:
    """Measure a change with champions, and with those who know it."""
    found: Found = {"key": change.key, "title": change.title, "options": shlex.join(change.options)}
    coins = [setting.partition("=[")[2].rstrip("]") for setting in change.settings if "starting" in setting]
    found["coins"] = ", ".join(coins[0].split(",")) if coins else ""
    found["same"] = seat_table(change.spec(players, "champion", games))
    if knows:
        found["tuned"] = seat_table(change.spec(players, knows, games))
        found["beats"] = beats(knows, "champion", players, games, rules=change.rules, settings=change.settings)
        found["opening"] = opening(change.spec(players, knows, games))
        if players == 4:
            found["course"] = unfolding(change.spec(players, knows, games))
    return found


READINGS = (
    Change("debt", "a player who owes more than they hold goes into debt", settings=("shortfall=debt",)),
    Change("floor", "nobody ends below zero", settings=("final_floor=true",)),
    Change("tokens", "plot tokens never run out", settings=("plot_token_supply=unlimited",)),
    Change("slots", "one token in a slot, of either kind", settings=("slot_capacity=one",)),
    Change("loss", "an Event takes the top tile", settings=("event_loss=top",)),
    Change("all", "all five at once", "other-readings"),
)
ASSUMED = (
    ("numbers-turned", "numbers run the other way, Palaces leftmost"),
    ("no-symbols", "no symbols on any tile"),
    ("twice-the-symbols", "every symbol twice"),
    ("blue-left", "blue stack: more of the left Domains"),
    ("blue-right", "blue stack: more of the right Domains"),
)


def readings(games: int) -> Found:
    """Seats and winners of four champions under other readings, and with other tiles than those assumed."""
    printed = Change("printed", "as assumed")
    changes = [printed, *READINGS, *(Change(name, title, file(name)) for name, title in ASSUMED)]
    winners = {change.key: _winners(change.spec(4, "champion", games)) for change in changes}
    told: list[Found] = []
    for change in changes:
        found = seat_table(change.spec(4, "champion", games))
        told.append(
            {
                "title": change.title,
                "options": shlex.join(change.options),
                "assumed": change.key in dict(ASSUMED),
                "other_winner": round(float((winners[change.key] != winners["printed"]).any(axis=1).mean()), 4),
                "mean": round(sum(row["score"] for row in found["seats"]) / 4, 2),
                **found,
            }
        )
    return {"rows": told, "games": games}


def _winners(played: Spec) -> Any:
    return np.asarray(table(played, ["share60"])["share60"]).reshape(-1, played.players)
