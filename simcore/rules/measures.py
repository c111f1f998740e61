"""Measures that a designer writes down: a small language over the columns of a run's table, read and never executed."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from simcore.errors import nearest

if TYPE_CHECKING:
    from simcore.game import Column

Floats = NDArray[np.float64]

MAX_LENGTH = 200
"""Most characters of a measure."""

REDUCTIONS: Mapping[str, Callable[..., Floats]] = {"sum": np.sum, "mean": np.mean, "most": np.max, "least": np.min}
"""What makes one number a game of a value for each seat."""

ARITHMETIC: Mapping[type, np.ufunc] = {ast.Add: np.add, ast.Sub: np.subtract, ast.Mult: np.multiply, ast.Div: np.divide}
COMPARISONS: Mapping[type, np.ufunc] = {
    ast.Lt: np.less,
    ast.LtE: np.less_equal,
    ast.Gt: np.greater,
    ast.GtE: np.greater_equal,
    ast.Eq: np.equal,
    ast.NotEq: np.not_equal,
}
JUNCTIONS: Mapping[type, np.ufunc] = {ast.And: np.logical_and, ast.Or: np.logical_or}


@dataclass(frozen=True)
class Kind:
    """What a part of a measure is."""

    role: str | None = None  # whose seats it has a value for, "" for all; None if it is one number a game
    is_share: bool = False  # whether it is true or false


@dataclass(frozen=True)
class Expression:
    """One measure.

    Raises ValueError, with what is wrong, if the text is none.
    """

    text: str  # as the designer wrote it, such as "sum(coins) >= 400"
    of: Mapping[str, Column]  # the columns that it may name

    def __post_init__(self) -> None:
        if self.kind and not self.columns:
            raise ValueError("names no column of the game")

    @cached_property
    def _tree(self) -> ast.expr:
        try:
            if len(self.text) <= MAX_LENGTH:
                return ast.parse(self.text.strip(), mode="eval").body
        except (SyntaxError, ValueError, MemoryError, RecursionError):
            raise ValueError('is no sum or comparison of columns, such as "sum(coins) >= 400"') from None
        raise ValueError(f"must have at most {MAX_LENGTH} characters")

    @cached_property
    def kind(self) -> Kind:
        """Whether it has a value for each seat, and whether it is a share."""
        return self._kind(self._tree)

    @cached_property
    def columns(self) -> tuple[str, ...]:
        """The columns that it is computed from."""
        called = {id(node.func) for node in ast.walk(self._tree) if isinstance(node, ast.Call)}
        names = (node for node in ast.walk(self._tree) if isinstance(node, ast.Name) and id(node) not in called)
        return tuple(dict.fromkeys(node.id for node in names))

    def _kind(self, node: ast.expr) -> Kind:
        match node:
            case ast.Constant(value=int() | float() as value) if not isinstance(value, bool) and abs(value) < 1e12:
                return Kind()
            case ast.Name(id=name):
                return Kind(self._column(name).role)
            case ast.Call(func=ast.Name(id=name), args=[part], keywords=[]) if name in REDUCTIONS:
                if self._kind(part).role is None:
                    raise ValueError(f"{name}() is over the seats, and what it is given is one number a game")
                return Kind()
            case ast.Call(func=ast.Name(id=name)) if name not in REDUCTIONS:
                raise ValueError(f"no '{name}()'{nearest(name, REDUCTIONS)}")
            case ast.UnaryOp(op=ast.USub() | ast.UAdd(), operand=part):
                return Kind(self._kind(part).role)
            case ast.UnaryOp(op=ast.Not(), operand=part):
                return Kind(self._together(part, logical=True), is_share=True)
            case ast.BinOp(op=ast.Div(), right=ast.Constant(value=0)):
                raise ValueError("divides by 0")
            case ast.BinOp(left=left, op=op, right=right) if type(op) in ARITHMETIC:
                return Kind(self._together(left, right))
            case ast.Compare(left=left, ops=[op], comparators=[right]) if type(op) in COMPARISONS:
                return Kind(self._together(left, right), is_share=True)
            case ast.Compare(ops=[_, _, *_]):
                raise ValueError('compares more than two; write "a < b and b < c"')
            case ast.BoolOp(values=parts):
                return Kind(self._together(*parts, logical=True), is_share=True)
        raise ValueError(
            f"'{ast.unparse(node)[:40]}' is not understood; take columns, numbers, + - * /, comparisons, "
            f"and, or, not, and {', '.join(f'{name}()' for name in REDUCTIONS)}"
        )

    def _column(self, name: str) -> Column:
        if name not in self.of:
            raise ValueError(f"no column '{name}'{nearest(name, self.of)}")
        if self.of[name].type == "Enum":
            raise ValueError(f"the column '{name}' holds names, and a measure takes numbers")
        return self.of[name]

    def _together(self, *parts: ast.expr, logical: bool = False) -> str | None:
        """Return whose seats some parts have values for; `logical` if each must be true or false."""
        kinds = [self._kind(part) for part in parts]
        if logical and not all(kind.is_share for kind in kinds):
            raise ValueError('and, or and not take comparisons, as in "coins > 100 and turns < 8"')
        roles = {kind.role for kind in kinds} - {None}
        if len(roles) > 1:
            raise ValueError("columns of different roles meet; make one number a game of each first, as in sum(...)")
        return roles.pop() if roles else None

    def values(self, column: Callable[[str], NDArray[Any]]) -> NDArray[Any]:
        """Return its values, shape (games, seats), or (games, 1) for one number a game.

        column: Returns a column by its name for the seats that can have it, shape (games, seats).
        Raises ValueError if a game divides by 0.
        """
        return np.asarray(self._values(self._tree, column))

    def _values(self, node: ast.expr, column: Callable[[str], NDArray[Any]]) -> Any:
        def of(part: ast.expr) -> Any:
            return self._values(part, column)

        match node:
            case ast.Name(id=name):
                return column(name).astype(np.float64)
            case ast.Call(func=ast.Name(id=name), args=[part]):
                return REDUCTIONS[name](of(part), axis=1, keepdims=True)
            case ast.UnaryOp(op=ast.Not(), operand=part):
                return np.logical_not(of(part))
            case ast.UnaryOp(op=op, operand=part):
                return of(part) * (-1.0 if isinstance(op, ast.USub) else 1.0)
            case ast.BinOp(left=left, op=op, right=right):
                below = of(right) * 1.0
                if isinstance(op, ast.Div) and not np.all(below):
                    raise ValueError("divides by 0 in some game")
                return ARITHMETIC[type(op)](of(left) * 1.0, below)
            case ast.Compare(left=left, ops=[op], comparators=[right]):
                return COMPARISONS[type(op)](of(left), of(right))
            case ast.BoolOp(op=op, values=parts):
                return JUNCTIONS[type(op)].reduce(np.broadcast_arrays(*map(of, parts)))
        return node.value  # type: ignore[attr-defined]


OURS = frozenset(
    {
        *("score", "spread", "margin", "close", "level", "ties", "lead_changes", "runaway", "wire_to_wire", "comeback"),
        *("last_round", "length", "seats", "camps", "cards", "strategies", "nothing"),
    }
)
"""Names that the measures of every game, and targets, have."""


def taken(name: str) -> bool:
    """Return whether a name means something else where measures are named."""
    return name in OURS or "_by_" in name or name.startswith(("card_", "mean_of_", "win_"))


def measure(name: str, text: str, columns: Mapping[str, Column]) -> Expression:
    """Return a measure of a game with some columns.

    Raises ValueError, with what is wrong, if the text is none, or its name has another meaning.
    """
    if name in columns or taken(name):
        raise ValueError("has another meaning here, as a column or as a measure; choose another name")
    return Expression(text, columns)
