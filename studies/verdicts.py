"""What players of four strengths say about the four games: `configs/<game>/levels.toml`, and docs/findings/verdicts.md.

`python -m studies.verdicts` plays what the files do not have, or have by other rules or players, for up to an hour, and
writes files and page; it can be stopped and started again. `python -m studies.verdicts write` writes the page alone.
`python -m studies.verdicts peers` measures which fast players are nearly as strong as the experts, and `cards GAME`
what the cards do among players who look ahead, for the page of one card.
"""

from __future__ import annotations

import re
import sys
import time
from collections.abc import Iterator, Sequence
from datetime import date
from pathlib import Path

import tomli_w

import equipoise as eq
from analysis.cards.table import FEWER, QUICK, card_pilot, things_of
from analysis.seats.agreement import agreement
from analysis.seats.levels import (
    FORMAT,
    SEARCH,
    CardLevel,
    LevelTable,
    Peer,
    file_digest,
    levels_path,
    read_levels,
    seconds_of,
    stored_level,
)
from analysis.strength import wins_of
from reports.sections.across import SEARCHED
from reports.words import ENGLISH
from simcore.game import load_game
from simcore.homes import GAMES
from simcore.rules.files import load_rules
from strategies.kit import EXPERTS, SKILLS
from strategies.library import load_strategy, quick_strategies
from strategies.skill import players_of, skills_of, weak
from strategies.spec import assemble_spec, make_spec, one_among
from studies.measured import measured_today, stamped

PAGE = Path(__file__).resolve().parents[1] / "docs/findings/verdicts.md"
FAST, SLOW = 20_000, 1_000
"""Games of players who decide at once, and of those who look ahead."""

SEED = 1

NEAR = 0.1
"""How far from par, in multiples of it, each of two players who are nearly equally strong may be among the other."""

SAID = {
    "same": "**agree**", "several": "agree; seat {which}", "other": "another seat", "opposite": "the opposite",
    "refuted": "not that seat", "fair": "fair", "tilted": "not fair", "few": "too few ({power})",
}  # fmt: skip
"""What a cell calls each answer to the experts' verdict."""

BEGIN = """# Four games, four strengths

Is the game uneven, or do its players make it so? Here players of four strengths hold all seats of a table: a family,
a club, experts (the usual judges of every command), and players who look ahead. They play by the printed rules.

A cell names the seat or camp that is furthest off, what it wins, and the 95 % range, which holds for all seats at
once. **Bold**: the whole range lies further from par than 12 % of par, so the table is uneven. *Fair*: all ranges lie
within 12 % of par. Anything else is too close to call with so few games.

"""
END = """
## How to read it

**The last column** [compares](../reference/methods.md#seats) the two before it; –: not yet. *Another seat*, *not that
seat*, *the opposite* or *fair*: the players cause it, so do not change the rules before you know how your people play.
*Too few (x)*: so many games show 1.5 times par in x of all cases, but do not settle this one.

With 3 players, those who look ahead in Fief 2 leave the opening to `suzerain`.

Players who look ahead play {slow} games, and all others {fast}. [Strategies](../reference/strategies.md) says who
they are.
"""


def cells() -> Iterator[tuple[str, int, str]]:
    """Yield every game, number of players and skill."""
    for game in GAMES:
        for players in load_game(game).players:
            for skill in skills_of(game):
                yield game, players, skill


def measure(game: str, players: int, skill: str, games: int | None = None) -> LevelTable:
    """Return what players of a skill win at a table: each seat or, in a game with camps, each camp.

    game, players, skill: What is played.
    games: Number of games; if None, as many as the page has.
    """
    named = players_of(game, skill)
    seated = named if len(named) > 1 else [*named.values()]
    slow = eq.make_spec(game, players, seated).searches
    spec = eq.make_spec(game, players, seated, seed=SEED, games=games or (SLOW if slow else FAST))
    begun = time.process_time()
    found = eq.seat_advantage(spec)
    lines, played = found.verdict.lines, found.games
    assert lines is not None, "too few games to judge"
    return LevelTable(
        players=players,
        skill=skill,
        strategies=files_of(game, skill),
        games=played,
        seconds=float(f"{(time.process_time() - begun) / played:.2g}") if slow else 0.0,
        camps=[str(label["camp"]) for label in lines.labels if "camp" in label],
        **{end: [round(float(one), 6) for one in getattr(lines, end)] for end in ("par", "share", "se", "low", "high")},
    )


def files_of(game: str, skill: str) -> list[str]:
    """Return the strategies whose files decide how players of a skill play: their own, and those that they imagine."""
    shipped = [load_strategy(load_game(game), name) for name in dict.fromkeys(players_of(game, skill).values())]
    bases = [one.search.base.name for one in shipped if one.search]
    return list(dict.fromkeys([*(one.name for one in shipped), *bases]))


def stored(game: str, players: int, skill: str) -> LevelTable | None:
    """Return what is stored of a table; None unless these rules and players were played."""
    return stored_level(game, players, skill, load_rules(load_game(game), "base").digest)


def peers(game: str, players: int) -> list[Peer]:
    """Return the fast players of a game without roles who are nearly as strong as the experts, and they as those."""
    shipped, (expert,) = load_game(game), set(players_of(game, EXPERTS).values())
    (role,) = shipped.roles
    many = {name: load_strategy(shipped, name) for name in quick_strategies(shipped) if name not in weak(game)}

    def wins(one: str, others: str, games: int) -> float:
        line = one_among(shipped, players, role, many[one], {role.name: many[others]})
        spec = assemble_spec(shipped, players, line, load_rules(shipped, "base"), SEED, "rotate", games)
        return round(wins_of(spec, role, one, of_par=True)[0]["share"], 3)

    near = []
    for name in many:
        if name == expert or abs(wins(name, expert, FAST // 10) - 1) > 2 * NEAR:
            continue
        both = {"alone": wins(name, expert, FAST), "among": wins(expert, name, FAST)}
        print(f"{game}/{players}/{name}", both, flush=True)
        if max(abs(share - 1) for share in both.values()) <= NEAR:
            near.append(Peer(players=players, strategy=name, games=FAST, **both))
    return near


def cards(game: str) -> list[CardLevel]:
    """Return what every card of a game does among players who look ahead, at the usual number of players."""
    shipped = load_game(game)
    named = players_of(game, SEARCH)
    spec = make_spec(game, None, named if shipped.asymmetric else [*named.values()])
    most = FEWER if seconds_of(game, spec.players) < 0.05 else SEARCHED
    columns, rows = [name for name in CardLevel.model_fields if name not in ("players", "strategies", "games")], []
    for thing in things_of(shipped):
        made = card_pilot(spec, thing, within=QUICK, most=most, threads=1).table()
        for row in made.table.iter_rows(named=True):
            own = {name: round(row[name], 5) if isinstance(row[name], float) else row[name] for name in columns}
            games = row["deals"] or made.deals
            rows.append(CardLevel(players=spec.players, strategies=files_of(game, SEARCH), games=games, **own))
            print(f"{game}/{row['card']}", own["does"], own["decides"], flush=True)
    return rows


def write(
    game: str, tables: list[LevelTable], near: list[Peer] | None = None, rows: list[CardLevel] | None = None
) -> None:
    """Write the file of a game; without peers or cards, those that it has stay."""
    before = read_levels(game)
    near = near if near is not None else list(before.peers) if before else []
    rows = rows if rows is not None else list(before.cards) if before else []
    order = [(players, skill) for name, players, skill in cells() if name == game]
    tables = sorted(tables, key=lambda one: order.index((one.players, one.skill)))
    names = dict.fromkeys([name for one in tables for name in one.strategies] + [one.strategy for one in near])
    names |= dict.fromkeys(name for one in rows for name in one.strategies)
    content = {
        "format": FORMAT,
        "rules_digest": load_rules(load_game(game), "base").digest,
        "played": date.today(),
        "files": {name: file_digest(game, name) for name in names},
        "tables": [one.model_dump(exclude_defaults=True) for one in tables],
        **({"peers": [one.model_dump() for one in near]} if near else {}),
        **({"cards": [one.model_dump(exclude_defaults=True) for one in rows]} if rows else {}),
    }
    Path(str(levels_path(game))).write_text(flat(tomli_w.dumps(content)), encoding="utf-8")
    read_levels.cache_clear()


def flat(text: str) -> str:
    """Return TOML with every list on one line."""
    return re.sub(r"\[\n([^\]]*)\]", lambda found: f"[{' '.join(found[1].split()).rstrip(',')}]", text)


def agree(experts: LevelTable, search: LevelTable) -> str:
    """Return what players who look ahead say to the verdict of experts."""
    verdict = experts.verdict()
    if verdict.status not in ("fair", "tilted"):
        return "experts are too close to call"
    found = agreement(verdict, search.verdict())
    power = ENGLISH.number(found.values["power"], "~.0%").replace("%", " %") if "power" in found.values else "–"
    return SAID[found.says].format(which=" or ".join(found.values.get("which", ())), power=power)


def told(table: LevelTable) -> str:
    """Return a cell of the page."""
    verdict = table.verdict()
    if verdict.status == "fair":
        return "fair"
    one = verdict.values
    who = f"seat {one['seat']}" if "seat" in one else str(one["camp"]).lower()
    share = f"{who}: {100 * one['share']:.1f} %"
    ends = f"({100 * one['low']:.0f} to {100 * one['high']:.0f})"
    return f"**{share}** {ends}" if verdict.status == "tilted" else f"{share} {ends}"


def page() -> str:
    """Return the text of the page."""
    lines = [
        f"| game | players | {' | '.join(SKILLS)} | search to experts |",
        f"|---|---:|{'---|' * (len(SKILLS) + 1)}",
    ]
    for game in GAMES:
        for players in load_game(game).players:
            found = {skill: table for skill in SKILLS if (table := stored(game, players, skill))}
            row = [told(found[skill]) if skill in found else "–" for skill in SKILLS]
            both = [found.get(skill) for skill in ("experts", "search")]
            row.append(agree(*both) if all(both) else "–")
            lines.append(f"| {load_game(game).title} | {players} | {' | '.join(row)} |")
    return stamped("verdicts", BEGIN + "\n".join(lines) + "\n" + END.format(slow=f"{SLOW:,}", fast=f"{FAST:,}"))


def main(only_write: bool, only_peers: bool, cards_of: Sequence[str]) -> None:
    """Play what is missing, and write the page."""
    for game in cards_of:
        write(game, [one for at in cells() if at[0] == game and (one := stored(*at))], rows=cards(game))
    only_write |= bool(cards_of)
    for game in GAMES if only_peers else ():
        if not load_game(game).asymmetric:
            tables = [one for at in cells() if at[0] == game and (one := stored(*at))]
            near = [one for players in load_game(game).players for one in peers(game, players)]
            if (before := read_levels(game)) and before.peers != near:
                write(game, tables, near)
    only_write |= only_peers
    for game, players, skill in () if only_write else cells():
        before = stored(game, players, skill)
        if before is None:
            table = measure(game, players, skill)
            print(f"{game}/{players}/{skill}", told(table), flush=True)
            others = [stored(*one) for one in cells() if one[0] == game and one != (game, players, skill)]
            measured_today("verdicts")
            write(game, [*(one for one in others if one), table])
    PAGE.write_text(page(), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:] == ["write"], sys.argv[1:] == ["peers"], sys.argv[2:] if sys.argv[1:2] == ["cards"] else ())
