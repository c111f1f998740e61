"""How far the shipped players can be beaten: `configs/<game>/attacks.toml`, and docs/findings/attacks.md.

`python -m studies.attacks` measures what is missing or was measured for other players or rules, the cheapest first, and
writes both; it can be stopped and started again.  `--minutes N` stops it after N minutes, `--only GAME` measures one
game, and `write` writes the page alone.
"""

from __future__ import annotations

import argparse
import subprocess
import time
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from hashlib import sha256
from pathlib import Path

import equipoise as eq
from analysis.attacks import (
    BASE,
    DEEP,
    FURTHER,
    LEARNED,
    LINEAR,
    OTHER,
    SEARCH,
    STEP,
    Attack,
    AttackedTable,
    Attacker,
    Half,
    attackers_of,
    read_attacks,
    strongest_of,
    written,
)
from simcore.game import load_game
from simcore.homes import GAMES, home
from simcore.rules.files import load_rules
from strategies.kit import EXPERTS
from strategies.library import load_strategy
from strategies.skill import players_of
from studies.measured import stamped

ROOT = Path(__file__).resolve().parents[1]
PAGE, BUILD = ROOT / "docs/findings/attacks.md", ROOT / "build/attacks"
SEED = 26
FAST, SLOW, LEAST = 6_000, 480, 240
"""Games of an attacker who decides at once, of one who looks ahead, and of two that are dear."""

THINKERS, AMONG, OTHERS = 1_200, 600, 960
"""Games by which `equipoise learn` judged one thinker among its base, one base among thinkers, and one thinker with
another value among thinkers."""

LITTLE = 0.25
"""Processor minutes that are not worth a word."""

GENERATIONS, TRIALS = 12, 640
"""How long weights are tuned against a player."""

BEGIN = """# How far can the players be beaten?

A table of players shows what the rules are worth only if nobody beats them cheaply. Here one attacker sits at a table
where all others are the same player, by the printed rules. The tables show how many times as much each attacker wins as
the attacked player would in its place, and in brackets its processor minutes, to make it and to play all its games, if
they are more than a quarter. *Strongest wins* is the share of the wins of the strongest attacker, with a 95 % range
that allows for picking it. A better attacker would win more, so the lower end of that range is the least one can win.
Alone among players who are all alike, an attacker wins more than its strength explains: *each of several* is what each
attacker wins where so many of its kind hold half of the seats, or one more, with a 95 % range.

"""
END = """\
- *Step*, *search*, *deep*: a search to the end of the round on 16 imagined tables, one as far as `rollout` on as many,
  and that on 64. They imagine that the attacked player plays all seats (its base, if it looks ahead itself), and share
  no learned value with anybody.
- *Thinker*: the shipped [thinker](../reference/strategies.md#thinkers). It does not attack itself. Where
  `equipoise learn` measured it, the minutes are those of making it.
- *Further*: the thinker a round further ahead, on 64 tables, at every kind of decision.
- *Other value*: the thinker with a value that `equipoise learn` fitted to games of such thinkers; `skill --attack` does
  not play it.
- *Base*: the player whom a player who looks ahead imagines.
- *Tuned*: {generations} generations of `equipoise tune --against` that player.
- An attacker who looks ahead plays {slow:,} games, or {least} if it is *deep* or *further*, or both sides look ahead;
  others play {fast:,}. For `equipoise learn`, they were {thinkers:,} (*thinker*), {others} (*other
  value*) and {among} (*base*). All ranges are in `configs/GAME/attacks.toml`.

Empty cells were not measured.
[Reports show the strongest of these attacks.](../whom-to-believe.md#how-far-can-one-player-be-beaten)
"""
TITLES = {
    STEP: "step", SEARCH: "search", DEEP: "deep", LINEAR: "tuned", LEARNED: "thinker", FURTHER: "further",
    OTHER: "other value", BASE: "base",
}  # fmt: skip


@dataclass(frozen=True)
class Cell:
    """One attack that is to be measured."""

    table: AttackedTable
    kind: str

    def same(self, other: Attack) -> bool:
        """Return whether a stored attack is this one: by the same thinker, on the same player, under the same rules."""
        at = self.table
        own = (at.players, at.role.name, at.defender.digest, self.kind, at.rules.digest)
        if own != (other.players, other.role, other.defender_digest, other.kind, other.rules_digest):
            return False
        one = self.attacker() if self.kind in (LEARNED, FURTHER) else None
        return one is None or one.strategy.digest == other.attacker_digest

    def attacker(self) -> Attacker | None:
        """Return the attacker; None if there is none."""
        if self.kind == LINEAR:
            return self._tuned() if self.table.defender.index else None
        own = attackers_of(self.table.game, self.table.players, self.table.role, self.table.defender)
        found = next((one for one in own if one.kind == self.kind), None)
        return None if found is None or found.strategy.digest == self.table.defender.digest else found

    def _met(self) -> Iterator[str]:
        """Yield who plays the other seats, with roles if the game has several."""
        if not self.table.game.asymmetric:
            yield self.table.defender.name
        elif len(self.table.role.at(self.table.players)) > 1:
            yield f"{self.table.role.name}={self.table.defender.name}"
        others = players_of(self.table.game.name, EXPERTS)
        yield from (f"{role.name}={others[role.name]}" for role in self.table.game.roles if role is not self.table.role)

    def _tuned(self) -> Attacker:
        at = self.table
        name = f"against_{at.defender.name}_{at.players}"
        made_for = sha256(f"{at.role.name} {at.defender.digest} {at.rules.digest}".encode()).hexdigest()[:12]
        file = BUILD / at.game.name / made_for / f"{name}.toml"
        spent = file.with_suffix(".minutes")
        if not spent.is_file():
            file.parent.mkdir(parents=True, exist_ok=True)
            file.unlink(missing_ok=True)
            begun = time.process_time()
            eq.tune(
                at.game.name,
                players=at.players,
                role=at.role.name if at.game.asymmetric else None,
                against=list(self._met()),
                start_from=at.defender.name,
                budget=GENERATIONS,
                games=TRIALS,
                seed=SEED,
                out=file,
                progress=False,
            )
            spent.write_text(str((time.process_time() - begun) / 60), encoding="ascii")
        return Attacker(LINEAR, load_strategy(at.game, file), float(spent.read_text(encoding="ascii")))


def cells(games: list[str]) -> Iterator[Cell]:
    """Yield every attack, the cheapest first: on experts, players who look ahead, and whoever was attacked before."""
    for kind in (LEARNED, BASE, STEP, SEARCH, LINEAR, FURTHER, DEEP):
        for name in games:
            game, rules = load_game(name), load_rules(load_game(name))
            for players in game.players:
                for role in game.roles:
                    named = [*(players_of(name, skill)[role.name] for skill in (EXPERTS, "search")), "thinker"]
                    named += [
                        one.defender for one in read_attacks(name) if (one.players, one.role) == (players, role.name)
                    ]
                    for one in map(partial(load_strategy, game), dict.fromkeys(named)):
                        if kind != LINEAR or not one.search:
                            yield Cell(AttackedTable(rules, game, players, role, one, SEED), kind)


def alone(games: list[str]) -> Iterator[tuple[Cell, Attack]]:
    """Yield the strongest attack on each player if attackers in half of the seats were not measured, quickest first."""
    strongest = []
    for name in games:
        game, groups = load_game(name), grouped(name)
        roles = {role.name: role for role in game.roles}
        for (players, role, defender), own in groups.items():
            kind = strongest_of(own).kind
            one = next(one for one in own if one.kind == kind)
            if not one.half and len(roles[role].at(players)) > 2:
                met = load_strategy(game, defender)
                table = AttackedTable(load_rules(game), game, players, roles[role], met, SEED)
                strongest.append((Cell(table, kind), one))
    yield from sorted(strongest, key=lambda each: each[1].playing)


def grouped(name: str) -> dict[tuple[int, str, str], list[Attack]]:
    """Return the stored attacks of a game by the number of players, the role and the player who is attacked."""
    groups: dict[tuple[int, str, str], list[Attack]] = {}
    for one in read_attacks(name):
        groups.setdefault((one.players, one.role, one.defender), []).append(one)
    return groups


def dated(file: Path) -> str:
    """Return the day on which a file was last committed."""
    told = ["git", "log", "-1", "--format=%as", "--", str(file)]
    return subprocess.run(told, cwd=ROOT, capture_output=True, text=True, check=True).stdout.strip()


def from_learning(name: str) -> Iterator[Attack]:
    """Yield what `equipoise learn` measured on fresh deals when it made the thinker.

    The thinker attacks its base, the base attacks thinkers, and so does a thinker with another value.

    In a game with several roles it measured something else, as the base played all of them.
    """
    game, rules = load_game(name), load_rules(load_game(name))
    thinker = load_strategy(game, "thinker")
    if game.asymmetric or thinker.search is None:
        return
    base, file = thinker.search.base, home(name).configs / "strategies/thinker.toml"
    date = dated(file)
    for players in game.players:
        noted = thinker.provenance[f"players_{players}"]
        if (noted["rules_digest"], noted["base_digest"]) != (rules.digest, base.digest):
            continue
        for kind, one, other, games, key in (
            (LEARNED, thinker, base, THINKERS, "one_thinker_player"),
            (BASE, base, thinker, AMONG, "one_base_player"),
            (OTHER, thinker, thinker, OTHERS, "another_value_player"),
        ):
            if key not in noted["held_out"]:
                continue
            share, low, high = (times / players for times in noted["held_out"][key])
            yield Attack(
                kind=kind,
                attacker=f"{OTHER}_attack" if kind == OTHER else one.name,
                attacker_digest=one.digest,
                defender=other.name,
                defender_digest=other.digest,
                players=players,
                role=game.roles[0].name,
                usual=1 / players,
                share=share,
                low=low,
                high=high,
                games=games,
                making=noted["cpu_minutes"] if kind == LEARNED else 0.0,
                playing=0.0,
                shares_value=kind == OTHER,
                rules_digest=rules.digest,
                date=date,
            )


def store(game: str, found: list[Attack]) -> None:
    """Write all attacks of a game, if there are any, in a fixed order."""
    if not found:
        return
    found.sort(key=lambda one: (one.players, one.role, one.defender, -one.share))
    Path(str(home(game).configs / "attacks.toml")).write_text(written(found), encoding="utf-8")


def page() -> str:
    """Return the text of the page, from what is stored."""
    text = BEGIN
    for name in GAMES:
        game, groups = load_game(name), grouped(name)
        if not groups:
            continue
        titles = ("players", "attacked", *TITLES.values(), "strongest wins", "each of several")
        text += f"## {game.title}\n\n| {' | '.join(titles)} |\n|---:|---|{'---:|' * (len(titles) - 2)}\n"
        for (players, role, defender), own in groups.items():
            top, known = strongest_of(own), {one.kind: one for one in own}
            times = [_times(known[kind]) if kind in known else "" for kind in TITLES]
            who = f"`{defender}`, {role}" if game.asymmetric else f"`{defender}`"
            ends = _ends(top) + (f", not {100 * top.usual:.0f}" if game.asymmetric else "")
            half = f"{top.half.seats}: {_ends(top.half)}" if top.half else ""
            cells = (f" {cell} " if cell else " " for cell in (str(players), who, *times, ends, half))
            text += f"|{'|'.join(cells)}|\n"
        text += "\n"
    counts = {"slow": SLOW, "least": LEAST, "fast": FAST, "thinkers": THINKERS, "among": AMONG, "others": OTHERS}
    dates = [one.date for name in GAMES for one in read_attacks(name)]
    return stamped("attacks", text + END.format(generations=GENERATIONS, **counts), dates)


def _ends(one: Attack | Half) -> str:
    """Return the share of the wins that an attacker wins, with its range."""
    return f"{100 * one.share:.0f} % ({100 * one.low:.0f} to {100 * one.high:.0f})"


def _times(one: Attack) -> str:
    """Return how many times as much an attacker wins, and its minutes if they are worth a word."""
    told = one.kind != BASE and one.minutes >= LITTLE
    return f"{one.times:.2f} ({one.minutes:.1f})" if told else f"{one.times:.2f}"


def main() -> None:
    """Measure what is missing, and write the page."""
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("what", nargs="?", choices=["all", "write"], default="all")
    asked.add_argument("--minutes", type=float, default=float("inf"))
    asked.add_argument("--only", choices=GAMES)
    given = asked.parse_args()
    begun = time.monotonic()
    for name in GAMES:
        known, taken = read_attacks(name), list(from_learning(name))
        taken = [next((old for old in known if _told([old]) == _told([one])), one) for one in taken]
        store(name, [*taken, *(one for one in known if not any(map(partial(_alike, one), taken)))])
        read_attacks.cache_clear()
    for cell in () if given.what == "write" else cells([given.only] if given.only else list(GAMES)):
        if time.monotonic() - begun > 60 * given.minutes:
            break
        read_attacks.cache_clear()
        name = cell.table.game.name
        known = [one for one in read_attacks(name) if not _is_old(cell, one)]
        attacker = None if any(map(cell.same, known)) else cell.attacker()
        if attacker is None:
            continue
        ahead = attacker.strategy.search, cell.table.defender.search
        dear = all(ahead) or cell.kind in (DEEP, FURTHER)
        games = LEAST if dear else SLOW if any(ahead) else FAST
        games += -games % len(cell.table.role.at(cell.table.players))
        one, _ = cell.table.measure(attacker, games)
        store(name, [*known, one])
        print(f"{name} {one.players} {one.role} {one.attacker} among {one.defender}: {one.share:.3f}", flush=True)
    read_attacks.cache_clear()
    for cell, one in () if given.what == "write" else alone([given.only] if given.only else list(GAMES)):
        if time.monotonic() - begun > 60 * given.minutes:
            break
        attacker = cell.attacker()
        if attacker is None or not cell.same(one):
            continue
        half, name = cell.table.measure_half(attacker, one.games), cell.table.game.name
        read_attacks.cache_clear()
        store(name, [each._replace(half=half) if each == one else each for each in read_attacks(name)])
        print(f"{name} {one.players} {one.role} {one.attacker} among {one.defender}: {half}", flush=True)
    read_attacks.cache_clear()
    PAGE.write_text(page(), encoding="utf-8")


def _told(attacks: list[Attack]) -> str:
    """Return what attacks say, whenever they were measured, and whatever attackers won who were not alone."""
    return written(one._replace(date="2000-01-01", half=None) for one in attacks)


def _alike(one: Attack, other: Attack) -> bool:
    """Return whether two attacks are the same, perhaps on different versions of the players."""
    return (one.kind, one.players, one.role, one.defender) == (other.kind, other.players, other.role, other.defender)


def _is_old(cell: Cell, one: Attack) -> bool:
    """Return whether a stored attack is one by or on an earlier version of a player, or under earlier rules."""
    at = cell.table
    here = (at.players, at.role.name, at.defender.name) == (one.players, one.role, one.defender)
    changed = (one.defender_digest, one.rules_digest) != (at.defender.digest, at.rules.digest)
    return here and (changed or (one.kind == cell.kind and not cell.same(one)))


if __name__ == "__main__":
    main()
