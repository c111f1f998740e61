"""The page of what a policy may call: from `__all__` of each game's strategies, and the first lines of docstrings."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

from simcore.game import load_game
from simcore.homes import GAMES

PAGE = Path(__file__).resolve().parents[2] / "docs/reference/policies.md"

EVERYWHERE = {
    "simcore.kernel.decisions": ("count_legal", "nth_legal", "is_legal", "first_legal", "next_legal"),
    "strategies.moves": ("random_move", "weight", "first_move", "later_moves", "count_moves", "nth_move"),
}
EXAMPLES = {"middle-ages": "builder", "medievallons": "patient", "seigneurial": "late", "fief-2": "bold"}

BEGIN = """# What a policy may call

A [policy of your own](strategies.md#a-policy-of-your-own) is a function of `(rules, lineup, state, seat)`. This page
lists what it finds in the modules `simcore` and `strategies`. Everything here uses only what the seat may know. Other
functions of these modules work too, but may change without notice.

## In every game

{functions}

`first_move`, `later_moves`, `count_moves` and `nth_move` need `state.legal` to be one word, as in Middle-Ages,
Médiévallons and Fief 2.
"""


def page() -> str:
    """Return the page."""
    shared = [(import_module(module), names) for module, names in EVERYWHERE.items()]
    parts = [BEGIN.format(functions="\n".join(_functions(shared)))]
    return "".join([*parts, *map(_of_game, GAMES)])


def rooms(game: str) -> ModuleType:
    """Return the module of a game's strategies."""
    return import_module(f"strategies.{game.replace('-', '_')}")


def example(game: str) -> Path:
    """Return the file of a game's example."""
    return Path(__file__).with_name(f"{EXAMPLES[game]}.py")


def _of_game(name: str) -> str:
    game, room = load_game(name), rooms(name)
    asked = [f"| `{constant}` | {kind.meaning} |" for constant, kind in zip(room.ASKED, game.decisions, strict=True)]
    offered = [one for one in room.__all__ if one not in ("ASKED", "KIT", *room.ASKED)]
    functions = [one for one in offered if callable(getattr(room, one))]
    constants = " ".join(one for one in offered if one not in functions)
    folder = f"simcore/games/{room.__name__.rpartition('.')[2]}"
    table = "\n".join(_functions([(room, functions)]))
    return f"""
## {game.title}

| `state.decision` | the move |
|---|---|
{chr(10).join(asked)}

From `{room.__name__}`: these constants, `{constants}`, and the functions below. The files in `{folder}` explain the
fields of `rules` and `state`.

{table}

```python
{example(name).read_text(encoding="utf-8").rstrip()}
```
"""


def _functions(offered: list[tuple[Any, Any]]) -> Iterator[str]:
    several = len(offered) > 1
    yield f"| {'from | ' * several}function | what it returns |"
    yield f"|{'---|' * (2 + several)}"
    for module, names in offered:
        for name in names:
            plain = getattr(getattr(module, name), "py_func", getattr(module, name))
            place = f"`{module.__name__}` | " * several
            yield f"| {place}`{name}({_arguments(plain)})` | {_first_line(plain)} |"


def _arguments(function: Any) -> str:
    return ", ".join(inspect.signature(function).parameters)


def _first_line(function: Any) -> str:
    text = (function.__doc__ or "").strip().partition("\n")[0].removeprefix("Return ").rstrip(".")
    return text[:1].upper() + text[1:]
