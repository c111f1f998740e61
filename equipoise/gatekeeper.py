"""Which workers of a cluster may play: those that have what this process has. Needs Dask."""

from __future__ import annotations

import logging
from importlib.metadata import version

from distributed import Worker, WorkerPlugin

from simcore.kernel.cache import code_of

LOG = logging.getLogger("equipoise")


def build() -> str:
    """Return the version of Equipoise, with a digest of the code that decides how a game goes, and of libraries."""
    libraries = ", ".join(f"{name} {version(name)}" for name in ("numba", "numpy"))
    return f"Equipoise {version('equipoise')} (code {code_of('simcore')[:8]}, {libraries})"


class Gatekeeper(WorkerPlugin):  # type: ignore[misc]
    """Sends workers away that join later and have another version.

    Parameters
    ----------
    wanted
        What `build` returns in the process that hands out the work.
    """

    name = "equipoise"

    def __init__(self, wanted: str) -> None:
        self.wanted = wanted

    def setup(self, worker: Worker) -> None:
        """Look at a worker."""
        found = build()
        if found != self.wanted:
            LOG.error("This worker has %s, but the run needs %s; the worker leaves", found, self.wanted)
            worker.loop.add_callback(worker.close)
