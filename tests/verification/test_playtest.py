"""Does the posterior of a playtest hold what it promises?  Made-up results with a known truth, and real games.

Run by name: `pytest tests/verification/test_playtest.py -s -n0` prints the figures of docs/findings/verification.md.
"""

from __future__ import annotations

import numpy as np
import pytest

from analysis.data.sources import SpecSource
from analysis.playtest.posterior import Data, Grid, Posterior, Rung, groups_of, play_table
from analysis.playtest.result import NAMED, contradicted, make_grid
from simcore.game import load_game
from simcore.rules.files import load_rules
from tests.analysis.playtest.ladders import drawn
from tests.specs import make_spec

LEVELS = ("random", "greedy", "planner", "champion")
SIMULATED, REAL = 20_000, 12_000
EXPERIMENTS = 400
GROUPS = 3


@pytest.fixture(scope="module")
def grid() -> Grid:
    """The ladder of Middle-Ages at four players."""
    rungs = [Rung((name,), {4: play_table(make_spec(strategies=[name], games=SIMULATED))}) for name in LEVELS]
    game = load_game("middle-ages")
    return make_grid(game, load_rules(game), rungs, (4,))


@pytest.mark.parametrize("games", [12, 30, 60])
def test_the_posterior_is_calibrated(grid: Grid, games: int) -> None:
    """Truths drawn as the posterior expects them beforehand: its chances then come true as often as they say."""
    chance = np.random.default_rng(games)
    none, truly, inside, shares, ranked = [], [], [], [], []
    for _ in range(EXPERIMENTS):
        truth = drawn(grid, chance, groups_of(games, GROUPS))
        found = Posterior(grid, truth.data)
        none.append(found.chances()[1])
        truly.append(truth.point is None)
        if truth.point is not None:
            reached = np.cumsum(found.given_ladder)
            low, high = np.searchsorted(reached, (0.05, 0.95))
            inside.append(low <= truth.point <= high)
            ranked.append(reached[truth.point] - found.given_ladder[truth.point] / 2)
        low, high = found.ranges(0, 0.95)
        shares.append((low <= truth.shares) & (truth.shares <= high))
    believed, happened = np.array(none), np.array(truly)
    clear = {"<= 5 %": believed <= 0.05, "5-95 %": (believed > 0.05) & (believed < 0.95), ">= 95 %": believed >= 0.95}
    for name, rows in clear.items():
        if rows.any():
            print(
                f"\n{games} games: 'none' {name} in {rows.mean():.1%}, mean {believed[rows].mean():.1%}, "
                f"truly none {happened[rows].mean():.1%}",
                end="",
            )
    print(f"\n{games} games: 90 % range of the level holds {np.mean(inside):.1%}, 95 % of shares {np.mean(shares):.1%}")
    for rows in clear.values():
        if rows.sum() >= 20:
            error = np.sqrt((believed[rows] * (1 - believed[rows])).sum()) / rows.sum()
            assert abs(believed[rows].mean() - happened[rows].mean()) <= 3.5 * error + 0.005
    assert np.mean(inside) >= 0.9 - 3 * np.sqrt(0.09 / len(inside))
    assert np.mean(shares) >= 0.93
    assert abs(np.mean(ranked) - 0.5) <= 3 / np.sqrt(12 * len(ranked))


def real_games(name: str) -> tuple[np.ndarray, np.ndarray]:
    """Return the wins by seat, and the mean scores, of games that some players play on other deals."""
    source = SpecSource(make_spec(strategies=name.split("+"), seed=77, games=REAL, design="rotate"))
    won, scores = [], []
    for stretch in source.stretches():
        for _, columns in source.read(stretch, [source.share, "coins"]):
            won.append(columns[source.share] / source.unit)
            scores.append(columns["coins"].mean(axis=1))
    return np.concatenate(won), np.concatenate(scores)


MIXED = ("random+random+random+champion", "random+greedy+planner+champion")
SETS = 1_000


@pytest.mark.parametrize("name", [*LEVELS, *MIXED])
@pytest.mark.parametrize(("games", "groups"), [(10, 3), (30, 3), (100, 5)])
def test_shares_come_from_the_winners_at_every_skill(grid: Grid, name: str, games: int, groups: int) -> None:
    """95 % intervals hold at each level and at mixed tables, and a seat that is named seldom is the wrong one."""
    won, scores = real_games(name)
    truth, chance = won.mean(axis=0), np.random.default_rng(6)
    held, named, wrong, none = [], 0, 0, []
    for _ in range(SETS):
        found = Posterior(grid, dealt(won, scores, groups_of(games, groups), chance))
        draws, weights = found.shares(0)
        low, high = found.ranges(0, 0.95)
        held.append((low <= truth) & (truth <= high))
        most = np.bincount(draws.argmax(axis=1), weights, 4)
        if most.max() >= NAMED:
            named += 1
            wrong += truth[most.argmax()] < truth.max() - 0.005
        if len(none) < 60:
            none.append(found.chances()[1])
    each, least = np.mean(held, axis=0), 0.95 - 2 * np.sqrt(0.95 * 0.05 / SETS)
    print(
        f"\n{name}, {games} games: each share {', '.join(f'{part:.1%}' for part in each)}; all four "
        f"{np.all(held, axis=1).mean():.1%}; a seat named in {named / SETS:.1%}, wrongly in {wrong / SETS:.1%}; "
        f"agrees {np.mean(np.array(none) <= 0.05):.0%}, contradicts {np.mean(np.array(none) >= 0.95):.0%}"
    )
    assert each.min() >= least
    assert wrong / SETS <= 0.2


def dealt(won: np.ndarray, scores: np.ndarray, sizes: np.ndarray, chance: np.random.Generator) -> Data:
    """Return a set of results of some games, by group."""
    rows = chance.choice(len(won), int(sizes.sum()), replace=False)
    group = np.repeat(np.arange(len(sizes)), sizes)
    table, sums = np.zeros((1, len(sizes), 4)), np.zeros((1, len(sizes), 1, 3))
    np.add.at(table[0], group, won[rows])
    own = scores[rows]
    np.add.at(sums[0, :, 0], group, np.stack([np.ones_like(own), own, own**2], axis=1))
    return Data([table], sums)


@pytest.mark.parametrize(
    "name", ["greedy", "planner", "champion", "warlord", "scout", "churchman", "greedy+greedy+champion+champion"]
)
@pytest.mark.parametrize("scored", [True, False])
def test_real_games(grid: Grid, name: str, scored: bool) -> None:
    """Games of players on the ladder are not called strange; what becomes of others is printed."""
    won, scores = real_games(name)
    chance = np.random.default_rng(5)
    said = []
    for _ in range(EXPERIMENTS // 4):
        data = dealt(won, scores, groups_of(30, GROUPS), chance)
        found = Posterior(grid, data if scored else Data(data.won))
        claims = contradicted(grid, data if scored else Data(data.won), 0.95)
        rung = LEVELS.index(name) if name in LEVELS else -1
        false = claims.filter((claims["rung"] == rung) & claims["contradicted"]).height > 0
        reached = np.cumsum(found.given_ladder)
        low, high = np.searchsorted(reached, (0.05, 0.95))
        held = rung >= 0 and low <= rung * grid.parts <= high
        said.append((found.chances()[1], held, false, *found.rungs()))
    none, held, false, *rungs = np.array(said).T
    nearest = ", ".join(f"{level} {mean:.0%}" for level, mean in zip(LEVELS, np.mean(rungs, axis=1), strict=True))
    print(
        f"\n{name}, {'winners and scores' if scored else 'winners'}: agrees {np.mean(none <= 0.05):.1%}, contradicts "
        f"{np.mean(none >= 0.95):.1%}, range holds {held.mean():.1%}, own claims contradicted {false.mean():.1%}; "
        f"{nearest}"
    )
    if name in LEVELS:
        assert np.mean(none >= 0.95) <= 0.02
        assert held.mean() >= 0.85
        assert false.mean() <= 0.05
