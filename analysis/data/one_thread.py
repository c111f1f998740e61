"""Matrix products stay on the thread that needs them.

Libraries that distribute small products over all processors take many times as long, and even longer if the machine
does other work.
"""

from __future__ import annotations

from contextlib import AbstractContextManager

import numpy as np  # noqa: F401  # loads the library whose threads are limited
from threadpoolctl import ThreadpoolController

_LIBRARIES = ThreadpoolController()
"""Found once, when this module is imported.  To look for them calls Python while the loader of libraries is locked: a
thread that looks, and another one that imports a library meanwhile, would wait for each other forever."""


def products_on_one_thread() -> AbstractContextManager[object]:
    """Return a context in which each matrix product is computed by the thread that asks for it."""
    limited: AbstractContextManager[object] = _LIBRARIES.limit(limits=1, user_api="blas")
    return limited
