"""`equipoise replay`: play any game again, as text to read, as a page to step through or as a replay log."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from equipoise.command import command
from equipoise.files import standard_output, whole_file
from equipoise.options import NoCompileOption, OpenOption
from equipoise.output.pages import Page, write_page
from equipoise.output.progress import Progress
from equipoise.parameters import (
    Lang,
    LineUp,
    MaybeGame,
    MaybeRules,
    MaybeSeed,
    Players,
    Replace,
    RuleChanges,
    Skill,
    Trust,
    Typed,
    findings,
    run_of,
    whole,
)
from simcore.errors import KernelFault, UsageError
from simcore.homes import GAMES, known_homes

if TYPE_CHECKING:
    from simcore.running.batch import Spec
    from simcore.running.replay import Replay

AMONG, SLOWLY = 1000, 100
"""Number of games that `--find` chooses from without a run; of players who look ahead."""
LAST = 2**32 - 2
"""The largest number of a game."""


@command(
    "equipoise replay runs/first --index 12",
    "equipoise replay runs/first --find closest --open",
    "equipoise replay --players 2 --strategies planner,greedy --seed 7 --index 123",
    "equipoise replay --game medievallons --index 4 --as seat-2",
    "equipoise replay --index 4 --costs",
    "equipoise replay --strategies random --count 10000 --format jsonl --out games.jsonl",
)
def replay(
    run: Annotated[
        Path | None, Typed("Run folder; without it, the options say what to play.", "RUN", run_of, argument=True)
    ] = None,
    game: MaybeGame = None,
    players: Players = None,
    strategies: LineUp = (),
    skill: Skill = None,
    rules: MaybeRules = None,
    settings: RuleChanges = None,
    seed: MaybeSeed = None,
    design: Annotated[
        str | None,
        Typed("How strategies are assigned to seats.  If None, rotate.", choices=("rotate", "fixed", "shuffle")),
    ] = None,
    index: Annotated[
        int | None,
        Typed("First game, counted from 0 like `game_id`.  If None, 0.", "N", partial(whole, least=0, most=LAST)),
    ] = None,
    count: Annotated[int | None, Typed("Number of consecutive games.  If None, 1.", "N", whole)] = None,
    find: Annotated[
        str | None,
        Typed(
            "Choose the game: closest, longest, shortest, comeback, or seat-3 for one that seat 3 wins.",
            "WHAT",
            complete=findings,
        ),
    ] = None,
    games: Annotated[
        int | None,
        Typed(
            f"Without RUN: number of games that --find chooses from.  If None, {AMONG}; {SLOWLY} if players look "
            "ahead.",
            "N",
            whole,
        ),
    ] = None,
    format_: Annotated[
        str | None,
        Typed(
            "Text, a page, or the replay log (JSON Lines).  If None, text; html with --open.",
            choices=("text", "html", "jsonl"),
        ),
    ] = None,
    as_: Annotated[
        str | None,
        Typed("Show only what this seat may see, such as seat-3; text and log only.  If None, everything.", "SEAT"),
    ] = None,
    costs: Annotated[
        bool, Typed("Say below the text what the moves cost: all of them are tried on imagined tables.")
    ] = False,
    lang: Lang = "en",
    out: Annotated[Path | None, Typed("File to write.  If None, -; game-INDEX.html in RUN for a page.", "FILE")] = None,
    open_: OpenOption = None,
    trust: Trust = False,
    no_compile: NoCompileOption = False,
    force: Replace = False,
) -> None:
    """Play games of a run again and write down every step."""
    form = _format(format_, open_, count)
    if find is not None and (index, count) != (None, None):
        raise UsageError(f"it chooses one game; leave out {'--index' if count is None else '--count'}", "find")
    if costs and (form != "text" or as_ is not None):
        raise UsageError("it belongs to the text of all seats; leave it out, or --format, --open and --as", "costs")
    if as_ is not None and form == "html":
        raise UsageError("a page shows what all seats hold; leave it out, or add --format text", "as")
    if games is not None and find is None:
        raise UsageError("it says what --find chooses from; leave it out, or add --find", "games")
    first, many = index or 0, count or 1
    given = {
        "--game": game,
        "--players": players,
        "--strategies": strategies or None,
        "--rules": rules,
        "--set": settings,
        "--skill": skill,
        "--seed": seed,
        "--design": design,
        "--games": games,
    }
    if run is not None:
        spec = _of_run(run, given, trust)
    else:
        from equipoise.questions.asked import cast
        from simcore.game import load_game
        from strategies.spec import make_spec

        named = game or GAMES[0]
        seated = cast(load_game(named), strategies, skill)
        played = min(first + many, LAST + 1) if find is None else games or AMONG
        how = (1 if seed is None else seed, design or "rotate", played, trust)
        spec = make_spec(named, players, seated, rules or "base", settings, *how)
        if find is not None and games is None and spec.searches:
            spec = replace(spec, games=SLOWLY)
    found = None
    if find is not None:
        from equipoise.api.replaying import chosen
        from reports.pages.game import found_text
        from reports.study.study import words_of
        from reports.words import ENGLISH

        found = chosen(spec if run is None else run, find, trust, True)
        typer.echo(found_text(words_of(spec.game.name, spec.rules, ENGLISH), found), err=True)
        first = found.index
    if first + many > spec.games:
        raise UsageError(
            f"--index {first} --count {many}: the run has games 0 to {spec.games - 1:,}; give lower numbers"
        )
    seat = None if as_ is None else _seat(as_, spec.players)
    if form == "html":
        write_page(spec, first, found, Page(run, out, lang, force, open_))
        return
    faults = []
    with standard_output() if out is None else whole_file(out, force) as write:
        for one in _shown(spec, first, many, quiet=out is None and sys.stdout.isatty()):
            write(_written(one if seat is None else one.seen_by(seat), form, first))
            if costs and not one.fault:
                write(_costs(one, lang).encode())
            if one.fault:
                faults.append(f"game {one.header['game_id']}: {one.fault}")
    if faults:
        raise KernelFault(f"{len(faults)} of {many} games broke an invariant; the first is {faults[0]}")


def _format(format_: str | None, open_: bool | None, count: int | None) -> str:
    """Return the format; a browser shows a page, and a page one game."""
    if format_ not in (None, "html") and open_:
        raise UsageError(f"a browser shows a page, and no {format_}; leave out --format", "open")
    chosen = format_ or ("html" if open_ else "text")
    if chosen == "html" and count is not None:
        raise UsageError("a page shows one game; leave it out, or choose another format", "count")
    return chosen


def _seat(text: str, players: int) -> int:
    """Return the number of a seat such as seat-3."""
    match = re.fullmatch(r"seat-(\d{1,2})", text)
    if match is None or not 1 <= int(match[1]) <= players:
        raise UsageError(f"{text}: give a seat of this table, seat-1 to seat-{players}", "as")
    return int(match[1])


def _of_run(run: Path, given: Mapping[str, object], trust: bool) -> Spec:
    """Return a run folder's specification; no option may contradict it."""
    from analysis.runs import load_spec

    game = given["--game"]
    options = [name for name, value in given.items() if value is not None]
    if options and (options != ["--game"] or game not in known_homes()):
        raise UsageError(f"{', '.join(options)}: the run {run} says what to play; leave out the run or the option")
    return load_spec(run, trust)


def _written(played: Replay, format_: str, first: int) -> bytes:
    if format_ == "jsonl":
        return played.jsonl().encode()
    return (("" if played.header["game_id"] == first else "\n\n") + played.text()).encode()


def _costs(played: Replay, lang: str) -> str:
    """Return what the moves of a game have cost, as text."""
    from analysis.data.declarations import require_wins
    from reports.pages.game import costs_text
    from reports.words import Words
    from strategies.decision_costs import decision_costs

    require_wins(played.spec.game, "--costs")
    with Progress("decisions", 1) as progress:

        def tick(done: int, total: int) -> None:
            progress.total = total
            progress.update(done)

        found = decision_costs(played.spec, int(played.header["game_id"]), tick=tick)
    return "\n" + costs_text(found, Words(lang))


def _shown(spec: Spec, first: int, games: int, quiet: bool) -> Iterator[Replay]:
    """Yield the games; show progress unless the terminal shows the games themselves."""
    from simcore.running.replay import replays

    with Progress("games", games, quiet) as progress:
        for done, played in enumerate(replays(spec, first, games)):
            progress.update(done)
            yield played
