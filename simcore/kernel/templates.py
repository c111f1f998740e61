"""Kernels that are written once and compiled for every game, with the game's own kernels inside.

A closure over compiled functions cannot be loaded from the disk cache.  Therefore a template is a plain function whose
global names are filled in for a game, and which belongs to the game's own module.
"""

from __future__ import annotations

from collections.abc import Callable
from types import FunctionType
from typing import Any


def instantiate(template: Callable[..., Any], beside: Callable[..., Any], **names: Any) -> Callable[..., Any]:
    """Return a template as a function of a game's module.

    template: A plain function.
    beside: A kernel of the game; the new function belongs to its module.
    **names: Global names of the template that stand for the game's own kernels and records.
    """
    host = getattr(beside, "py_func", beside)
    code = template.__code__.replace(co_filename=host.__code__.co_filename)
    found = FunctionType(code, template.__globals__ | names, template.__name__, template.__defaults__)
    found.__module__, found.__doc__, found.__qualname__ = host.__module__, template.__doc__, template.__name__
    return found
