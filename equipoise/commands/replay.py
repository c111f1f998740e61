"""`equipoise replay`: play any game again, as text to read, as a page to step through or as a replay log."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Mapping
from dataclasses import replace
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from equipoise.files import standard_output, whole_file
from equipoise.options import (
    GAME_HELP,
    Design,
    Language,
    LanguageOption,
    NoCompileOption,
    OpenOption,
    PlayersOption,
    SetOption,
    SkillOption,
    StrategiesOption,
    TrustOption,
    examples,
    opened,
    split,
)
from equipoise.output.pages import Page, write_page
from equipoise.output.progress import Progress
from equipoise.parameters import findings, whole
from simcore.errors import KernelFault, UsageError
from simcore.homes import GAMES, known_games, known_homes

if TYPE_CHECKING:
    from analysis.course.finding import Found
    from simcore.running.batch import Spec
    from simcore.running.replay import Replay

EXAMPLES = examples(
    "equipoise replay runs/first --index 12",
    "equipoise replay runs/first --find closest --open",
    "equipoise replay --players 2 --strategies planner,greedy --seed 7 --index 123",
    "equipoise replay --game medievallons --index 4 --as seat-2",
    "equipoise replay --index 4 --costs",
    "equipoise replay --strategies random --count 10000 --format jsonl --out games.jsonl",
)
SEED = "1"
AMONG, SLOWLY = "1000", "100"
"""Number of games that `--find` chooses from without a run; of players who look ahead."""


class Format(StrEnum):
    """The formats of a recorded game."""

    text = "text"
    html = "html"
    jsonl = "jsonl"


def replay(
    run: Annotated[
        Path | None, typer.Argument(metavar="RUN", help="Run folder; without it, the options say what to play.")
    ] = None,
    game: Annotated[
        str | None,
        typer.Option("--game", help=GAME_HELP, autocompletion=known_games, show_default=GAMES[0], callback=opened),
    ] = None,
    players: PlayersOption = None,
    strategies: StrategiesOption = None,
    skill: SkillOption = None,
    rules: Annotated[
        str | None, typer.Option("--rules", help="Shipped name, or path of a TOML file.", show_default="base")
    ] = None,
    set_: SetOption = None,
    seed: Annotated[
        str | None, typer.Option("--seed", help="Random seed of the run, 0 to 2**64 - 1.", show_default=SEED)
    ] = None,
    design: Annotated[
        Design | None,
        typer.Option("--design", help="How strategies are assigned to seats.", show_default=Design.rotate.value),
    ] = None,
    index: Annotated[
        str | None, typer.Option("--index", help="First game, counted from 0 like `game_id`.", show_default="0")
    ] = None,
    count: Annotated[str | None, typer.Option("--count", help="Number of consecutive games.", show_default="1")] = None,
    find: Annotated[
        str | None,
        typer.Option(
            "--find",
            metavar="WHAT",
            help="Choose the game: closest, longest, shortest, comeback, or seat-3 for one that seat 3 wins.",
            autocompletion=findings,
        ),
    ] = None,
    games: Annotated[
        str | None,
        typer.Option(
            "--games",
            help="Without RUN: number of games that --find chooses from.",
            show_default=f"{AMONG}; {SLOWLY} if players look ahead",
        ),
    ] = None,
    format_: Annotated[
        Format | None,
        typer.Option(
            "--format", help="Text, a page, or the replay log (JSON Lines).", show_default="text; html with --open"
        ),
    ] = None,
    as_: Annotated[
        str | None,
        typer.Option(
            "--as",
            metavar="SEAT",
            help="Show only what this seat may see, such as seat-3; text and log only.",
            show_default="everything",
        ),
    ] = None,
    costs: Annotated[
        bool,
        typer.Option(
            "--costs", help="Say below the text what the moves cost: all of them are tried on imagined tables."
        ),
    ] = False,
    lang: LanguageOption = Language.en,
    out: Annotated[
        Path | None,
        typer.Option(
            "--out", metavar="FILE", help="File to write.", show_default="-; game-INDEX.html in RUN for a page"
        ),
    ] = None,
    open_: OpenOption = None,
    trust: TrustOption = False,
    no_compile: NoCompileOption = False,
    force: Annotated[bool, typer.Option("--force", help="Replace FILE if it exists.")] = False,
) -> None:
    """Play games of a run again and write down every step."""
    from simcore.running.batch import MAX_GAMES

    form = _format(format_, open_, count)
    if find is not None and (index, count) != (None, None):
        raise UsageError(f"it chooses one game; leave out {'--index' if count is None else '--count'}", "find")
    if costs and (form is not Format.text or as_ is not None):
        raise UsageError("it belongs to the text of all seats; leave it out, or --format, --open and --as", "costs")
    if as_ is not None and form is Format.html:
        raise UsageError("a page shows what all seats hold; leave it out, or add --format text", "as")
    if games is not None and find is None:
        raise UsageError("it says what --find chooses from; leave it out, or add --find", "games")
    first = whole("0" if index is None else index, "--index", 0, MAX_GAMES - 1)
    many = whole("1" if count is None else count, "--count", 1, MAX_GAMES)
    given = {
        "--game": game,
        "--players": players,
        "--strategies": strategies,
        "--rules": rules,
        "--set": set_ or None,
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

        among = whole(AMONG if games is None else games, "--games", 1, MAX_GAMES)
        played = min(first + many, MAX_GAMES) if find is None else among
        spec = make_spec(
            game or GAMES[0],
            players,
            cast(load_game(game or GAMES[0]), split(strategies), skill),
            "base" if rules is None else rules,
            set_ or (),
            whole(SEED if seed is None else seed, "--seed", 0, 2**64 - 1),
            Design.rotate.value if design is None else design.value,
            played,
            trust,
        )
        if find is not None and games is None and spec.searches:
            spec = replace(spec, games=int(SLOWLY))
    found = None if find is None else _found(run, spec, find, trust)
    first = first if found is None else found.index
    if first + many > spec.games:
        raise UsageError(
            f"--index {first} --count {many}: the run has games 0 to {spec.games - 1:,}; give lower numbers"
        )
    seat = None if as_ is None else _seat(as_, spec.players)
    if form is Format.html:
        write_page(spec, first, found, Page(run, out, lang.value, force, open_))
        return
    faults = []
    with standard_output() if out is None else whole_file(out, force) as write:
        for one in _shown(spec, first, many, quiet=out is None and sys.stdout.isatty()):
            write(_written(one if seat is None else one.seen_by(seat), form, first))
            if costs and not one.fault:
                write(_costs(one, lang.value).encode())
            if one.fault:
                faults.append(f"game {one.header['game_id']}: {one.fault}")
    if faults:
        raise KernelFault(f"{len(faults)} of {many} games broke an invariant; the first is {faults[0]}")


def _format(format_: Format | None, open_: bool | None, count: str | None) -> Format:
    """Return the format; a browser shows a page, and a page one game."""
    if format_ not in (None, Format.html) and open_:
        raise UsageError(f"a browser shows a page, and no {format_.value}; leave out --format", "open")
    chosen = format_ or (Format.html if open_ else Format.text)
    if chosen is Format.html and count is not None:
        raise UsageError("a page shows one game; leave it out, or choose another format", "count")
    return chosen


def _seat(text: str, players: int) -> int:
    """Return the number of a seat such as seat-3."""
    match = re.fullmatch(r"seat-(\d{1,2})", text)
    if match is None or not 1 <= int(match[1]) <= players:
        raise UsageError(f"{text}: give a seat of this table, seat-1 to seat-{players}", "as")
    return int(match[1])


def _found(run: Path | None, spec: Spec, what: str, trust: bool) -> Found:
    """Choose the game, and say which."""
    from analysis.course.finding import find, searched
    from analysis.runs import load
    from reports.pages.game import found_text
    from reports.study.study import words_of
    from reports.words import ENGLISH

    source = searched(spec if run is None else load(run, trust=trust), what)
    with Progress("games", source.planned, quiet=False) as progress:
        found = find(source, what, progress.update)
    typer.echo(found_text(words_of(spec.game.name, spec.rules, ENGLISH), found), err=True)
    return found


def _of_run(run: Path, given: Mapping[str, object], trust: bool) -> Spec:
    """Return a run folder's specification; no option may contradict it."""
    from analysis.runs import load_spec

    game = given["--game"]
    options = [name for name, value in given.items() if value is not None]
    if options and (options != ["--game"] or game not in known_homes()):
        raise UsageError(f"{', '.join(options)}: the run {run} says what to play; leave out the run or the option")
    return load_spec(run, trust)


def _written(played: Replay, format_: Format, first: int) -> bytes:
    if format_ is Format.jsonl:
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
