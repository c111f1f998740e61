"""The command of a question, made from its function; what only a terminal has is added here, for all of them."""

from __future__ import annotations

import inspect
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from pathlib import Path
from types import NoneType
from typing import TYPE_CHECKING, Annotated, Any, Literal, get_args, get_origin

import typer

from equipoise.options import (
    ClusterOption,
    FormatOption,
    JsonOption,
    Language,
    LanguageOption,
    OpenOption,
    QuietOption,
    examples,
    refuse,
)
from equipoise.output.pages import destination, has_desktop
from equipoise.output.progress import hush
from equipoise.parameters import Parameter, Question, parameters_of

if TYPE_CHECKING:
    from equipoise.api.experiment import Experiment

# --- What the commands for experiments share: they play one, write its files, and print the results ---


DEFAULT_FORMATS = "html,json,parquet"


@dataclass(frozen=True)
class Output:
    """The options that only a command has: where it plays, and where its results go."""

    out: Annotated[
        Path | None,
        typer.Option("--out", metavar="FOLDER", help="Folder for the files.", show_default="a new folder in runs/"),
    ] = None
    format_: FormatOption = DEFAULT_FORMATS
    lang: LanguageOption = Language.en  # language of the page
    open_: OpenOption = None  # whether to show the page.  If None, only in a terminal on a desktop.
    force: Annotated[bool, typer.Option("--force", help="Replace files that an earlier command has written.")] = False
    """out, format_, force: See `destination`."""
    quiet: QuietOption = False  # whether to print only the names of the files, without progress
    json_: JsonOption = False  # whether to print only JSON, without progress
    cluster: ClusterOption = None  # where to play


def carry_out(
    what: str,
    game: str,
    output: Output,
    play: Callable[[], Experiment],
    show: Callable[[Any, list[Path]], None],
    more: Sequence[str] = (),
) -> None:
    """Carry out an experiment for a command: play it, write its files, and print the results.

    what, game, more: See `destination`.
    output: Where the results go.
    play: Function that plays the experiment.
    show: Function that prints the experiment and the paths of its files.
    """
    with destination(what, game, output.out, output.format_, output.force, more) as place:
        if output.quiet or output.json_:
            hush()
        found = play()
        paths = found.write(place, output.lang) if place else []
        if place and "html" in place.chosen and (has_desktop() if output.open_ is None else output.open_):
            typer.launch(str(place.page.resolve()))
    if output.json_:
        typer.echo(json.dumps(found.to_dict(), indent=2))
    elif output.quiet:
        for path in paths:
            typer.echo(str(path))
    else:
        show(found, paths)


# --- The command of a question, made from its function; what only a terminal has is added here, for all of them ---


PLAIN = (bool, int, float, str, Path)
"""Types that Typer reads."""

ONLY_BY_NAME = inspect.Parameter.KEYWORD_ONLY

OUTPUT = {
    name: one.replace(kind=ONLY_BY_NAME) for name, one in inspect.signature(Output, eval_str=True).parameters.items()
}
"""The options that every such command has, but for `CLUSTER` where a question plays here only."""

CLUSTER = "cluster"

LIST = inspect.Parameter(
    "list_",
    ONLY_BY_NAME,
    default=False,
    annotation=Annotated[bool, typer.Option("--list", help="List what can be named, and play nothing.")],
)
"""The option of commands that can list what their question is about."""

LISTS = ("game", "rules", "settings")
"""The options on which the list depends."""


def command_of(name: str) -> tuple[Callable[..., None], str]:
    """Return the function from which Typer makes the command of a question, and the end of its help.

    name: Name of the question, of its module in `equipoise.questions`, and of the function in it.
    """
    function = getattr(import_module(f"equipoise.questions.{name}"), name)
    question: Question = function.question
    parameters = list(parameters_of(function))
    offered = {option: one for option, one in OUTPUT.items() if not (question.here and option == CLUSTER)}

    def command(context: typer.Context, **values: Any) -> None:
        import equipoise as eq
        from equipoise.api.arguments import checked
        from simcore.game import load_game

        listing = values.pop(LIST.name, False)
        if listing:
            others = [one for one in values if one not in LISTS]
            refuse(context, *others, because="the list does not depend on this option; leave it out")
        output = Output(**{option: values.pop(option) for option in offered})
        given = {one.name: _read(one, values[one.name]) for one in parameters if values[one.name] not in (None, [])}
        several = [value for one in parameters if one.several for value in given.pop(one.name, ())]
        bound = checked(function, eq.__getattr__, *several, **given)
        bound.apply_defaults()
        arguments = bound.arguments
        if question.lists and listing:
            typer.echo("\n".join(question.lists(arguments)))
            return

        def ask() -> Any:
            return getattr(eq, name)(*several, **given, progress=not (output.quiet or output.json_))

        def show(experiment: Any, paths: list[Path]) -> None:
            from equipoise.output.terminal import show_page

            show_page(experiment.report(output.lang), paths)

        game = load_game(question.game(arguments)).name
        carry_out(question.stem or name, game, output, ask, show, question.files(arguments))

    options = [*map(_option, parameters), *([LIST] if question.lists else []), *offered.values()]
    command.__name__ = name
    command.__doc__ = (inspect.getdoc(function) or "").partition("\n\n")[0]
    options.insert(0, inspect.Parameter("context", inspect.Parameter.POSITIONAL_OR_KEYWORD, annotation=typer.Context))
    command.__signature__ = inspect.Signature(options)  # type: ignore[attr-defined]
    command.__annotations__ = {one.name: one.annotation for one in options}
    return command, examples(*question.examples)


def _read(one: Parameter, value: Any) -> Any:
    """Return what was typed as the function takes it."""
    if one.typed.read is None:
        return value
    return [one.typed.read(part, one.name) for part in value] if one.typed.each else one.typed.read(value, one.name)


def _option(one: Parameter) -> inspect.Parameter:
    """Return an option or argument as Typer understands it; its default is None if that is nothing to be shown."""
    typed, many = one.typed, one.typed.each or one.several
    kind = str if typed.read else _plain(one.kind)
    default = _written(one.default) if typed.read else one.default
    default = None if many or default in ((), "") else default
    required = one.several or one.default is inspect.Parameter.empty
    annotation: Any = list[kind] if many else kind  # type: ignore[valid-type]
    info: Any = typer.Argument if typed.argument else partial(typer.Option, f"--{typed.option or one.name}")
    stated = info(
        help=one.text,
        metavar=typed.takes or ("N" if kind in (int, float) else None),
        show_default=one.unset or (default is not None and not required),
        autocompletion=typed.complete,
    )
    annotation = Annotated[annotation if required or default is not None else annotation | None, stated]
    start = inspect.Parameter.empty if required else default
    return inspect.Parameter(one.name, ONLY_BY_NAME, default=start, annotation=annotation)


def _plain(kind: Any) -> Any:
    """Return the type that Typer reads."""
    if get_origin(kind) is Literal:
        return kind
    kinds = [one for one in get_args(kind) or (kind,) if one is not NoneType]
    return kinds[0] if len(kinds) == 1 and kinds[0] in PLAIN else str


def _written(value: Any) -> str | None:
    """Return a default as it would be typed: 20,000 games are 2e4."""
    if not isinstance(value, int):
        return str(value) if value else None
    digits = str(value)
    zeros = len(digits) - len(digits.rstrip("0"))
    return f"{digits[:-zeros]}e{zeros}" if zeros > 3 else digits
