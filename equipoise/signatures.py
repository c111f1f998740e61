"""What the signature and the docstring of a question say about its parameters."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Annotated, Any, ForwardRef, get_args, get_origin

from equipoise.limits import spanned
from equipoise.parameters import Typed

SECTION = re.compile(r"^Parameters\n-+\n(.*?)(?:\n\n|\Z)", re.MULTILINE | re.DOTALL)
ENTRY = re.compile(r"^(\S.*)\n((?: {4}.*(?:\n|\Z))+)", re.MULTILINE)
DEFAULT = re.compile(r"\s*If (?:None|empty), (.+?)\.(?=\s|$)")
"""The sentence of a text that says what the default is."""

ELSEWHERE = "As for `eq."
"""How a text begins that only refers to another function."""

UNSAID = {"progress"}
"""Parameters that have no option."""


@dataclass(frozen=True)
class Parameter:
    """A parameter of a question."""

    name: str  # its name
    kind: Any  # its type; a `ForwardRef` if the type is imported only when the function is called
    typed: Typed  # how it is typed on a command line
    text: str  # what it means
    default: Any  # its default value
    unset: str  # what the default is, in words.  Empty if the value says it.
    several: bool  # whether it takes any number of positional arguments


def parted(annotation: Any) -> tuple[Any, Typed]:
    """Return the type of an annotation, and how it is typed."""
    if get_origin(annotation) is not Annotated:
        return annotation, Typed()
    kind, *more = get_args(annotation)
    return kind, next((one for one in more if isinstance(one, Typed)), Typed())


def texts_of(function: Callable[..., Any]) -> dict[str, str]:
    """Return the text of each parameter from a numpydoc docstring."""
    section = SECTION.search(inspect.getdoc(function) or "")
    entries = ENTRY.findall(section[1] + "\n") if section else []
    return {
        name: " ".join(text.split()) for names, text in entries for name in re.split(r", \*{0,2}", names.lstrip("*"))
    }


def parameters_of(function: Callable[..., Any]) -> Iterator[Parameter]:
    """Yield the parameters of a question that can be typed.

    Raises TypeError if a parameter has no text.
    """
    texts, names = texts_of(function), vars(inspect.getmodule(function))
    for one in inspect.signature(function).parameters.values():
        if one.name in UNSAID:
            continue
        kind, typed = parted(eval(one.annotation, dict(names)))
        text = texts.get(one.name, "")
        text = " ".join(typed.text.split()) if not text or text.startswith(ELSEWHERE) else text
        if not text:
            raise TypeError(f"{function.__name__}: the docstring says nothing of '{one.name}'")
        unset = DEFAULT.search(text)
        if typed.span:
            text = re.sub(r"(?=[.;]( |$))", f", {spanned(*typed.span)}", text, count=1)
        yield Parameter(
            one.name,
            kind,
            typed,
            DEFAULT.sub("", text),
            one.default,
            unset[1] if unset else "",
            one.kind is one.VAR_POSITIONAL,
        )


def bare(function: Callable[..., Any]) -> inspect.Signature:
    """Return the signature of a function with plain types, as `help` shows it."""
    signature, names = inspect.signature(function), vars(inspect.getmodule(function))
    plain = []
    for one in signature.parameters.values():
        said = str(one.annotation)
        annotation = eval(said, dict(names)) if said.startswith("Annotated[") else names.get(said)
        if get_origin(annotation) is Annotated:
            kind = parted(annotation)[0]
            text = kind.__forward_arg__ if isinstance(kind, ForwardRef) else inspect.formatannotation(kind)
            one = one.replace(annotation=text.replace("collections.abc.", ""))
        plain.append(one)
    return signature.replace(parameters=plain)
