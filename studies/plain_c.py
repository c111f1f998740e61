"""How fast our kernel plays Middle-Ages, compared with a plain C program on the same machine, beside it.

`plain_c.c` plays the same games.  Both programs run in this process, in turn, in bursts of a few milliseconds of
processor time; other work on the machine slows both, but not alike.  Therefore the bursts are sorted by the time that C
took around them, and the quiet fifth counts.

    python -m studies.plain_c
"""

from __future__ import annotations

import ctypes
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from simcore.game import load_game
from simcore.games.middle_ages.rules import tile_list
from simcore.games.middle_ages.state import DOMAIN_NAMES
from simcore.kernel.driver import Memory
from simcore.rules.files import load_rules
from simcore.running.batch import Spec, play_into
from strategies.spec import make_spec

GAME = "middle-ages"
PROGRAM = Path(__file__).with_suffix(".c")
POLICIES = ("random", "greedy")
COLUMNS = ("coins", "place", "share60")
BURST, BURSTS = 0.004, 400
"""Seconds of a burst of ours, and pairs of bursts."""

NOISY = 0.1
"""Share by which the ratios of the fifths may differ; if they differ by more, the machine is noisy."""

Play = Callable[[int, int], object]
"""Plays games: the index of the first one, and how many."""


def compiler() -> str | None:
    """Return the C compiler of this machine; None if there is none."""
    return next(filter(None, map(shutil.which, (os.environ.get("CC", "cc"), "gcc", "clang"))), None)


def header() -> str:
    """Return the numbers of the rules for the C program."""
    values: Any = load_rules(load_game(GAME)).values
    effects, listed = values.effects, [getattr(values.domains, name) for name in DOMAIN_NAMES]
    tiles, blue = tile_list(values), sum(tile.stack == "blue" for tile in tile_list(values))
    numbers = {
        "TILES": len(tiles),
        "BLUE": blue,
        "CARDS": sum(event.copies for event in values.events.values()),
        "PENALTY": values.empty_domain_penalty,
        "PER_PEASANT": effects.coins_per_peasant,
        "PER_CHEST": effects.coins_per_chest,
        "MILL_COINS": effects.mill_coins,
        "BARRACKS_COINS": effects.barracks_coins,
        "EXTRA_COIN": effects.extra_coin,
        "EXTRA_TOKENS": values.tokens.extra_coin,
    }
    lines = [f"#define {name} {number}" for name, number in numbers.items()]
    lines += [f"#define orange(players) ((players) >= {values.stacks.orange_from_players} ? {len(tiles) - blue} : 0)"]
    lines += ["typedef struct { int number, domain, peasants, chests; } Tile;"]
    per = "per_peasant, per_chest, per_domain, per_buried"
    lines += [f"typedef struct {{ int coins, {per}, restores, buries[4], per_tile[8]; }} Event;"]
    faces = [(tile.number, DOMAIN_NAMES.index(tile.domain), tile.peasants, tile.chests) for tile in tiles]
    lines += [_table("Tile", "tiles", faces), _table("Event", "events", list(map(_event, values.events.values())))]
    copies = [number for number, event in enumerate(values.events.values()) for _ in range(event.copies)]
    lines += [_table("unsigned char", "deck_of_events", copies)]
    lines += [_table("int", "per_domain", [one.coins_per_tile for one in listed])]
    lines += [_table("unsigned char", "lists", [sum(1 << DOMAIN_NAMES.index(e) for e in one.counts) for one in listed])]
    lines += [_table("int", "plot_tokens", [getattr(values.tokens.plot, name) for name in DOMAIN_NAMES])]
    return "\n".join(lines) + "\n"


def _event(event: Any) -> tuple[Any, ...]:
    """Return an Event as the C program has it."""
    buries = [DOMAIN_NAMES.index(name) for name in event.buries]
    per = (event.coins_per_peasant, event.coins_per_chest, event.coins_per_domain, event.coins_per_buried_tile)
    each = tuple(getattr(event.coins_per_tile, name) for name in DOMAIN_NAMES)
    return (event.coins, *per, event.restores, tuple([*buries, -1, -1, -1, -1][:4]), each)


def _table(kind: str, name: str, values: list[Any]) -> str:
    """Return an array of constants in C."""
    return f"static const {kind} {name}[] = {str(tuple(values)).translate({40: '{', 41: '}'})};"


def build(folder: Path) -> Any:
    """Compile the C program for this processor and load it.

    Raises FileNotFoundError if there is no C compiler.
    """
    cc = compiler()
    if cc is None:
        raise FileNotFoundError("no C compiler: install gcc or clang, or let CC name one")
    (folder / "rules.h").write_text(header(), encoding="utf-8")
    made = folder / "plain_c.so"
    options = ("-std=c11", "-O3", "-march=native", "-Wall", "-Wextra", "-shared", "-fPIC", f"-I{folder}")
    subprocess.run([cc, *options, str(PROGRAM), "-o", str(made)], check=True)
    play = ctypes.CDLL(str(made)).play
    play.argtypes = [*[ctypes.c_int] * 2, *[ctypes.c_uint64] * 2, ctypes.c_int, ctypes.c_void_p]
    play.restype = None
    return play


def in_c(program: Any, spec: Spec, first: int, games: int) -> NDArray[np.int32]:
    """Return coins, place and share of the win by game and seat, as the C program plays the games of a run."""
    out = np.zeros((games * spec.players, len(COLUMNS)), np.int32)
    program(spec.players, POLICIES.index(spec.strategies[0]), spec.seed, first, games, out.ctypes.data)
    return out


@dataclass(frozen=True)
class Paces:
    """Games per second of both programs in each fifth of the bursts, the quietest first."""

    ours: list[float]
    plain: list[float]

    @property
    def ratios(self) -> list[float]:
        """How many games we play while C plays one."""
        return [ours / plain for ours, plain in zip(self.ours, self.plain, strict=True)]

    @property
    def is_noisy(self) -> bool:
        """Whether the fifths differ too much for a figure."""
        return max(self.ratios) > (1 + NOISY) * min(self.ratios)

    def __str__(self) -> str:
        """Say the quiet fifth's pace and ratio, and the range of all fifths."""
        low, high = min(self.ratios), max(self.ratios)
        said = f"{self.ours[0]:,.0f} | {self.plain[0]:,.0f} | {self.ratios[0]:.2f} | {low:.2f} to {high:.2f}"
        return said + (" (noisy)" if self.is_noisy else "")


def compare(ours: Play, plain: Play, bursts: int = BURSTS, burst: float = BURST) -> Paces:
    """Measure two programs in turn, in short bursts of the same games."""
    games = 1
    for play in (ours, plain):
        play(0, games)  # compiled and in memory before the clock starts
    while _seconds(ours, 0, games) < burst:
        games *= 2
    times = np.zeros((bursts, 2))
    for number in range(bursts):
        for which in (0, 1) if number % 2 else (1, 0):
            times[number, which] = _seconds((ours, plain)[which], number * games, games)
    around = [statistics.mean([*times[max(n - 1, 0) : n, 1], *times[n + 1 : n + 2, 1]]) for n in range(bursts)]
    fifths = np.array_split(np.argsort(around, kind="stable"), 5)
    paces = [games * len(fifth) / times[fifth].sum(axis=0) for fifth in fifths]
    return Paces([float(pace[0]) for pace in paces], [float(pace[1]) for pace in paces])


def _seconds(play: Play, first: int, games: int) -> float:
    """Return the processor time that some games take."""
    began = time.process_time()
    play(first, games)
    return time.process_time() - began


def measure(program: Any, players: int, policy: str) -> Paces:
    """Compare our kernel with the C program."""
    spec = make_spec(GAME, players, [policy], "base", (), 1, "fixed", 1)
    memory, rows = Memory(spec.game), np.zeros(1 << 18, spec.game.row_dtype)

    def ours(first: int, games: int) -> None:
        play_into(spec, np.arange(first, first + games), rows[: games * players], memory)

    return compare(ours, lambda first, games: in_c(program, spec, first, games))


def main() -> None:
    """Print the table of docs/findings/performance.md."""
    with tempfile.TemporaryDirectory() as folder:
        try:
            program = build(Path(folder))
        except FileNotFoundError as error:
            sys.exit(str(error))
        print("| Middle-Ages | games/s | plain C | of plain C | range of the fifths |\n|---|---:|---:|---:|---:|")
        for policy in POLICIES:
            for players in load_game(GAME).players:
                print(f"| {policy}, {players} players | {measure(program, players, policy)} |", flush=True)


if __name__ == "__main__":
    main()
