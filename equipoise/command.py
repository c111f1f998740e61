"""The command of a question, made from its function; what only a terminal has is added here, for all of them."""

from __future__ import annotations

import inspect
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial, wraps
from importlib import import_module
from pathlib import Path
from types import NoneType
from typing import TYPE_CHECKING, Annotated, Any, Literal, get_args, get_origin

import typer

from equipoise.options import (
    ClusterOption,
    JsonOption,
    OpenOption,
    QuietOption,
    examples,
    refuse,
)
from equipoise.output.pages import destination, formats_of, show_in_browser
from equipoise.output.progress import hush
from equipoise.parameters import Lang, Parameter, Question, Typed, parameters_of, typed_in

if TYPE_CHECKING:
    from equipoise.api.experiment import Experiment

# --- What the commands for experiments share: they play one, write its files, and print the results ---


Ask = Callable[..., Any]
"""Asks a question: takes whether to show progress, and arguments that were not typed."""

DEFAULT_FORMATS = "html,json,parquet"
FORMATS = "Formats, separated by commas: `html`, `md`, `pdf`, `png`, `csv`, `share`, `json`, `parquet`; or `none`."


@dataclass(frozen=True)
class Output:
    """The options that only a command has: where it plays, and where its results go."""

    out: Annotated[Path | None, Typed("Folder for the files.  If None, a new folder in runs/.", "FOLDER")] = None
    format_: Annotated[str, Typed(FORMATS, "NAME,...", formats_of)] = DEFAULT_FORMATS
    lang: Lang = "en"
    open_: OpenOption = None  # whether to show the page.  If None, only in a terminal on a desktop.
    force: Annotated[bool, Typed("Replace files that an earlier command has written.")] = False
    """out, format_, force: See `destination`."""
    quiet: QuietOption = False  # whether to print only the names of the files, without progress
    json_: JsonOption = False  # whether to print only JSON, without progress
    cluster: ClusterOption = None  # where to play

    def carry_out(self, context: typer.Context, question: Question, given: Mapping[str, Any], ask: Ask) -> None:
        """Play an experiment, write its files, and print the results."""
        from equipoise.output.terminal import show_page
        from simcore.game import load_game

        what, game = question.stem or str(context.info_name), load_game(question.game(given)).name
        place_of = destination(what, game, self.out, self.format_, self.force, question.files(given))
        with place_of as place:
            if self.quiet or self.json_:
                hush()
            experiment: Experiment = ask(not (self.quiet or self.json_))
            paths = experiment.write(place, self.lang) if place else []
            show_in_browser(paths, self.open_)
        if self.json_:
            typer.echo(json.dumps(experiment.to_dict(), indent=2))
        elif self.quiet:
            for path in paths:
                typer.echo(str(path))
        else:
            show_page(experiment.report(self.lang), paths)


@dataclass(frozen=True)
class Printed:
    """The options that only the command of a question has that writes its own files."""

    cluster: ClusterOption = None  # where to play
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Print the file and nothing else.")] = False
    json_: JsonOption = False  # whether to print only JSON, without progress

    def carry_out(self, context: typer.Context, question: Question, given: Mapping[str, Any], ask: Ask) -> None:
        """Find the answer, and print it."""
        if self.quiet or self.json_:
            hush()
        made = ask(not (self.quiet or self.json_))
        if self.json_:
            typer.echo(json.dumps(made.to_dict(), indent=2))
        elif self.quiet:
            typer.echo("".join(f"{file}\n" for file in made.files), nl=False)
        else:
            module, _, show = question.show.partition(":")
            getattr(import_module(module), show)(made)


# --- The command of a question, made from its function; what only a terminal has is added here, for all of them ---


PLAIN = (bool, int, float, str, Path)
"""Types that Typer reads."""

ONLY_BY_NAME = inspect.Parameter.KEYWORD_ONLY

CLUSTER = "cluster"
"""The option that a question has not whose games are played here only."""

LIST = inspect.Parameter(
    "list_",
    ONLY_BY_NAME,
    default=False,
    annotation=Annotated[bool, typer.Option("--list", help="List what can be named, and play nothing.")],
)
"""The option of commands that can list what their question is about."""

LISTS = ("game", "rules", "settings")
"""The options on which the list depends."""


def command_of(name: str) -> Any:
    """Return the function from which Typer makes the command of a question.

    name: Name of the question, and of its function in `eq`.
    """
    import equipoise as eq

    function = getattr(import_module(eq.HOMES[name]), name)
    question: Question = function.question
    parameters = {one.name: one for one in parameters_of(function)}
    only = question.only or Output
    own = typed_in(inspect.signature(only, eval_str=True))
    offered = only_in_commands(only)
    if question.here:
        del offered[CLUSTER]
    follows = "progress" in inspect.signature(function).parameters

    def carry_out(context: typer.Context, **values: Any) -> None:
        from equipoise.api.arguments import checked

        listing = values.pop(LIST.name, False)
        if listing:
            others = [one for one in values if one not in LISTS]
            refuse(context, *others, because="the list does not depend on this option; leave it out")
        output = only(**checked(only, eq.__getattr__, **_given(offered, own, values)).arguments)
        given = _given(parameters, parameters, values)
        several = [value for one in parameters.values() if one.several for value in given.pop(one.name, ())]
        each = {question.each: given.pop(question.each, [])} if question.each else {}
        bound = checked(function, eq.__getattr__, *several, **given, **dict.fromkeys(each, ""))
        bound.apply_defaults()
        bound.arguments.update(each)
        if question.lists and listing:
            typer.echo("\n".join(question.lists(bound.arguments)))
            return

        def ask(progress: bool, **more: Any) -> Any:
            return getattr(eq, name)(*several, **given | more, **({"progress": progress} if follows else {}))

        output.carry_out(context, question, bound.arguments, ask)

    context = inspect.Parameter("context", ONLY_BY_NAME, annotation=typer.Context)
    options = map(_option, parameters.values())
    carry_out.__name__ = name
    carry_out.__doc__ = (inspect.getdoc(function) or "").partition("\n\n")[0]
    listing = [LIST] if question.lists else []
    return _shown(carry_out, [context, *options, *listing, *offered.values()], question.examples)


def command(*lines: str) -> Callable[[Callable[..., Any]], Any]:
    """Return what makes a command of a function that is no question; `lines` stand at the end of its help."""

    def made(function: Callable[..., Any]) -> Any:
        own = typed_in(inspect.signature(function, eval_str=True))

        @wraps(function)
        def carry_out(**values: Any) -> Any:
            import equipoise as eq
            from equipoise.api.arguments import checked

            return function(**checked(function, eq.__getattr__, **_given(values, own, values)).arguments)

        return _shown(carry_out, only_in_commands(function).values(), lines)

    return made


def _shown(command: Any, options: Iterable[inspect.Parameter], lines: Sequence[str]) -> Any:
    """Return the function of a command, of which Typer sees the options; `lines` stand at the end of its help."""
    command.__signature__ = inspect.Signature(list(options))
    command.__annotations__ = {one.name: one.annotation for one in command.__signature__.parameters.values()}
    command.examples = examples(*lines)
    return command


def only_in_commands(options: Any) -> dict[str, inspect.Parameter]:
    """Return the options of a command's function, or of the class that holds those that only a command has."""
    signature = inspect.signature(options, eval_str=True)
    own = typed_in(signature)
    return {
        name: _option(own[name]) if name in own else one.replace(kind=ONLY_BY_NAME)
        for name, one in signature.parameters.items()
    }


def _given(names: Iterable[str], own: Mapping[str, Parameter], values: Mapping[str, Any]) -> dict[str, Any]:
    """Return what was typed, as the function takes it; it has the defaults of the rest."""
    wanted = {name: values[name] for name in names if values.get(name) not in (None, [])}
    read = {name: _read(own[name], value) if name in own else value for name, value in wanted.items()}
    for name in read if read.get("game") and not values.get("resume") else ():  # a run says itself which game it is of
        if name in own:
            own[name].typed.check(read["game"], read[name], name)
    return read


def _read(one: Parameter, value: Any) -> Any:
    """Return what was typed as the function takes it."""
    if one.default is True:
        return not value
    if one.typed.read is None:
        return value
    return [one.typed.read(part, one.name) for part in value] if one.typed.each else one.typed.read(value, one.name)


def _option(one: Parameter) -> inspect.Parameter:
    """Return an option or argument as Typer understands it; its default is None if that is nothing to be shown."""
    typed, many = one.typed, one.typed.each or one.several
    name = typed.option or one.name.strip("_").replace("_", "-")
    kind: Any = Literal[typed.choices] if typed.choices else str if typed.read else _plain(one.kind)
    default = _written(one.default) if typed.read else one.default
    if default is True:  # the option switches it off
        name, default = f"no-{name}", False
    default = None if many or default in ((), "") else default
    required = one.several or (one.default is inspect.Parameter.empty and not one.unset)
    annotation: Any = list[kind] if many else kind
    info: Any = typer.Argument if typed.argument else partial(typer.Option, f"--{name}")
    stated = info(
        help=one.text,
        metavar=typed.takes or {int: "N", float: "N", Path: "FILE"}.get(kind),
        show_default=one.unset or (default is not None and not required),
        autocompletion=typed.complete,
        rich_help_panel=typed.panel or None,
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
