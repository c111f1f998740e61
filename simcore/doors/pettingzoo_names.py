"""What `pettingzoo:` names: a module, what in it makes an environment, and its parameters."""

from __future__ import annotations

import ast
import os
import re
import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from types import ModuleType
from typing import Any

from simcore.doors.pettingzoo_playing import PARALLEL
from simcore.errors import UsageError, nearest, printable
from simcore.imports import Sources, module_file

PETTINGZOO = "pettingzoo:"
"""How the name of an environment of PettingZoo begins."""

CLASSIC = "pettingzoo.classic"
"""The package in which short names are looked up, such as `tictactoe_v3`."""

MADE_BY = ("env", "raw_env")
"""Names of functions that make an environment; the first is taken if a reference names a module only."""

_REFERENCE = re.compile(r"([A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*)(?:\((.*)\))?", re.DOTALL)

_SHORT = re.compile(r"\w+_v\d+")


@dataclass(frozen=True)
class Named:
    """What a reference names."""

    module: str
    attribute: str
    """module, attribute: The module, and what in it makes an environment."""
    given: Mapping[str, Any]  # its parameters
    here: bool  # whether the module may be in the current folder

    @property
    def text(self) -> str:
        """The shortest way to name it."""
        name = self.module.removeprefix(f"{CLASSIC}.").removeprefix("pettingzoo.")
        name += f".{self.attribute}" if self.attribute != MADE_BY[0] else ""
        given = ",".join(f"{key}={value!r}" for key, value in sorted(self.given.items()))
        return f"{name}({given})" if given else name


def named_by(reference: str) -> Named:
    """Return what a reference names; nothing is imported."""
    label, match = printable(reference), _REFERENCE.fullmatch(reference.removeprefix(PETTINGZOO).strip())
    if match is None:
        raise UsageError(f"{label}: write {PETTINGZOO}MODULE.ENV or {PETTINGZOO}MODULE.ENV(KEY=VALUE,...)", "game")
    dotted, given = match[1], _given(match[2] or "", label)
    if _SHORT.fullmatch(dotted) and module_file(f"{CLASSIC}.{dotted}", here=False):
        dotted = f"{CLASSIC}.{dotted}"
    for name in (dotted, f"{CLASSIC}.{dotted}"):
        here = not name.startswith("pettingzoo.")
        parent, _, last = name.rpartition(".")
        if module_file(name, here):
            return Named(name, MADE_BY[0], given, here)
        if parent and module_file(parent, here) and not _SHORT.fullmatch(last) and name != f"{CLASSIC}.{last}":
            return Named(parent, last, given, here)
    here = not dotted.startswith("pettingzoo.")
    parent, _, last = dotted.rpartition(".")
    folder = module_file(CLASSIC if here else parent, here=False)
    if folder is None and (not here or _SHORT.fullmatch(dotted)):
        raise UsageError(f"{label}: PettingZoo is not installed; run: pip install 'equipoise[pettingzoo]'", "game")
    alike = nearest(last, [path.stem for path in folder.parent.glob("*_v*.py")]) if folder else ""
    where = "" if parent else ", neither here nor where Python looks for modules"
    raise UsageError(f"{label}: there is no module '{dotted}'{where}{alike if _SHORT.fullmatch(last) else ''}", "game")


def _given(text: str, label: str) -> dict[str, Any]:
    """Return the parameters in a reference."""
    try:
        call = ast.parse(f"f({text})", mode="eval").body
        if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Name) or call.args:
            raise ValueError
        return {_key(one): _value(one.value) for one in call.keywords}
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        raise UsageError(
            f"{label}: parameters are KEY=VALUE, separated by commas; a value is a number, True, False or a text",
            "game",
        ) from None


def _key(one: ast.keyword) -> str:
    if one.arg is None:
        raise ValueError
    return one.arg


def _value(node: ast.expr) -> bool | int | float | str | None:
    found = node.id if isinstance(node, ast.Name) else ast.literal_eval(node)
    if not isinstance(found, bool | int | float | str | None):
        raise ValueError
    return found


def imported(named: Named, sources: Sources, label: str) -> ModuleType:
    """Return the module that a reference names, and run it if this process has not."""
    os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")  # it would be printed among our results
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            module = sources.run(label, "game")
    except UsageError as error:
        if isinstance(error.__context__, ImportError) and not named.here:
            raise UsageError(f"{label}: {lacks(error.__context__, named)}", "game") from None
        raise
    if Path(str(module.__file__)).resolve() != sources.path.resolve():
        raise UsageError(f"{label}: Python has loaded another module '{named.module}': {module.__file__}", "game")
    return module


def lacks(error: ImportError, named: Named) -> str:
    """Return why an import failed, and what to do."""
    reason = " ".join(str(error).split())[:200]
    family = named.module.partition(".")[2].partition(".")[0]
    return reason if named.here else f"{reason}; for all games of this kind run: pip install 'pettingzoo[{family}]'"


def maker_of(module: ModuleType, named: Named, label: str) -> Callable[..., Any]:
    """Return what makes an environment: the function `env`, or a class."""
    try:
        found: Any = getattr(module, named.attribute, None)
    except Exception as error:
        raise UsageError(f"{label}: {' '.join(str(error).split())[:200]}", "game") from None
    has = partial(hasattr, found)
    if named.attribute == "parallel_env" or (isinstance(found, type) and has("step") and not has("last")):
        raise UsageError(f"{label}: {PARALLEL}", "game")
    if (isinstance(found, type) and has("reset") and has("step")) or (callable(found) and named.attribute in MADE_BY):
        return found
    classes = [key for key, one in vars(module).items() if isinstance(one, type) and hasattr(one, "last")]
    others = f"; its classes: {', '.join(sorted(classes)[:10])}" if classes else ""
    raise UsageError(
        f"{label}: '{named.attribute}' in {named.module} makes no environment; name a function env, or a class with "
        f"the methods of AECEnv{others}",
        "game",
    )
