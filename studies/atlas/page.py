"""Write docs/findings/atlas.md from the sums of the parts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from studies.atlas.cells import TWENTY, Cell, Published
from studies.atlas.play import Range, Told, told
from studies.measured import stamped

PAGE = Path(__file__).resolve().parents[2] / "docs/findings/atlas.md"

BEGIN = """# Atlas

What is it worth to go first? Here twenty published games are played in two ways: all players move at random, and then
all are the best players that Equipoise has for the game. Each number has its 95 % range.

![How often the first seat wins in twenty games, as a part of its fair share](atlas.svg)

A first seat at 1 wins as often as it should: every second game of two players, every fourth game of four. At 1.2 it
wins a fifth more often. Games with partners, or with one player against several, are judged in the same way: by what
the seat should win.

"""

TABLE = """
## The numbers

The first line of a game is random play, the second one the best players. **Bold**: the whole range of the first seat
lies above or below its fair share. A game is tied if several players (or teams) share the win. It is close if the
winner leads by at most 5 % of the largest score; – stands for games without a score. Games differ in what their length
counts, so compare lengths within a game only.

"""

END = """
## How it was played

- **Best players.** `mcts` is OpenSpiel's search with 100 imagined games for each move, and `ismcts` a search of
  Equipoise for games with hidden cards, also with 100. `rollout` and `thinker` are the players of Equipoise that
  [look ahead](../reference/strategies.md). They are stronger than beginners, and most are weaker than experts:
  perfect players always tie in tic-tac-toe, and the first one always wins in Connect Four.
- **Rules.** The games of OpenSpiel have the parameters that OpenSpiel gives them if nobody says otherwise. Middle-Ages,
  Médiévallons, Seigneurial and Fief 2 are played by their printed rules.
- **Who wins** is the seat with the highest result, and ties are split. In Kuhn poker this is not what matters to a
  player, who counts chips: the first seat loses 1 chip in 18 games between perfect players, whatever it wins.
- **Sizes.** {games} games took {minutes} minutes of processor time; the table shows how many each cell has. The plan
  is 10,000 games at random, and 100 to 10,000 games of the best players. {left}
- **Numbers.** Part by part, the sums are in `studies/atlas/found.json`.
"""


def page(found: Mapping[str, Sequence[Mapping[str, Any]]]) -> str:
    """Return the text of the page."""
    lines = [
        "| game | players | | games | first seat, of its fair share | best seat wins | tied | close | length |",
        "|---|---:|---|---:|---|---|---|---|---|",
    ]
    every = [cell for published in TWENTY for cell in published.cells()]
    each = {cell.key: told(found.get(cell.key, ())) for cell in every}
    seen = {key: one for key, one in each.items() if one}
    for published in TWENTY:
        for number, cell in enumerate(published.cells()):
            lines.append(_row(published, cell, seen.get(cell.key), first=number == 0))
    planned = sum(10 * cell.part for cell in every)
    played = sum(one.games for one in seen.values())
    left = "All of it is played." if played == planned else f"{played / planned:.0%} of these games are played so far."
    end = END.format(games=f"{played:,}", minutes=f"{sum(one.seconds for one in seen.values()) / 60:.0f}", left=left)
    return stamped("atlas", BEGIN + surprises(seen) + TABLE + "\n".join(lines) + "\n" + end)


def surprises(seen: Mapping[str, Told]) -> str:
    """Return what the numbers say at a glance, as a list."""
    pairs = [
        (published, *(seen[cell.key] for cell in published.cells()))
        for published in TWENTY
        if len(published.cells()) == 2 and all(cell.key in seen for cell in published.cells())
    ]
    if not pairs:
        return ""
    first, last, fair = [], [], []
    for published, _, best in pairs:
        seat, share = best.shares[0], best.par
        (first if seat.low > share else last if seat.high < share else fair).append(published.title)
    turned = [
        published.title
        for published, plain, best in pairs
        if (plain.shares[0].value - plain.par) * (best.shares[0].value - best.par) < 0 and _sure(plain) and _sure(best)
    ]
    shorter = [
        published.title
        for published, plain, best in pairs
        if plain.length and best.length and best.length.high < plain.length.low / 1.5
    ]
    tied = [published.title for published, plain, best in pairs if best.tied.low > 2 * plain.tied.high]
    lines = [
        _line("Among the best players, the first seat wins more than its share in", first),
        _line("and less than its share in", last),
        _line("These few games do not show a difference from a fair share in", fair),
        _line("Skill turns the advantage round in", turned),
        _line("Good play makes games shorter by a third or more in", shorter),
        _line("Good play ties at least twice as often as random play in", tied),
    ]
    return "## What surprised us\n\n" + "".join(f"- {line}\n" for line in lines if line)


def _line(text: str, titles: Sequence[str]) -> str:
    names = [*titles]
    return (
        f"{text[0].upper()}{text[1:]} {' and '.join(filter(None, [', '.join(names[:-1]), names[-1]]))}."
        if names
        else ""
    )


def _sure(cell: Told) -> bool:
    return not cell.shares[0].low <= cell.par <= cell.shares[0].high


def _row(published: Published, cell: Cell, seen: Told | None, first: bool) -> str:
    names = (f"{published.title}", str(published.players)) if first else ("", "")
    if seen is None:
        return f"| {names[0]} | {names[1]} | {cell.player} | – | – | – | – | – | – |"
    fair = seen.par
    seat = seen.shares[0]
    part = f"{seat.value / fair:.2f} ({seat.low / fair:.2f} to {seat.high / fair:.2f})"
    part = f"**{part}**" if _sure(seen) else part
    best = max(range(len(seen.shares)), key=lambda at: seen.shares[at].value)
    unit = published.length[1]
    length = unit if seen.length is None else f"{_number(seen.length)} {unit}"
    return (
        f"| {names[0]} | {names[1]} | {' and '.join(seen.players)} | {seen.games:,} | {part} "
        f"| seat {best + 1}: {_percent(seen.shares[best])} | {_percent(seen.tied)} "
        f"| {_percent(seen.close) if seen.close else '–'} | {length} |"
    )


def _percent(found: Range) -> str:
    return f"{100 * found.value:.0f} % ({100 * found.low:.0f} to {100 * found.high:.0f})"


def _number(found: Range) -> str:
    digits = 0 if found.value >= 50 else 1
    return f"{found.value:.{digits}f} ({found.low:.{digits}f} to {found.high:.{digits}f})"


def write(found: Mapping[str, Sequence[Mapping[str, Any]]]) -> None:
    """Write the page."""
    PAGE.write_text(page(found), encoding="utf-8")
