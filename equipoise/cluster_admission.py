"""Admission of cluster workers: only those with the same version and code as this process may play. Needs Dask."""

from __future__ import annotations

import logging
from importlib.metadata import version

from distributed import Worker, WorkerPlugin

from simcore.kernel.cache import code_of

LOG = logging.getLogger("equipoise")


def build() -> str:
    """Return the versions of Equipoise and its libraries, with a digest of the code that decides how games go."""
    libraries = ", ".join(f"{name} {version(name)}" for name in ("numba", "numpy"))
    return f"Equipoise {version('equipoise')} (code {code_of('simcore')[:8]}, {libraries})"


class Admission(WorkerPlugin):  # type: ignore[misc]
    """Refuses workers that join later and have another version.

    wanted: The value of `build` in the process that distributes the work.
    """

    name = "equipoise"

    def __init__(self, wanted: str) -> None:
        self.wanted = wanted

    def setup(self, worker: Worker) -> None:
        """Check a worker."""
        found = build()
        if found != self.wanted:
            LOG.error("This worker has %s, but the run needs %s; the worker stops", found, self.wanted)
            worker.loop.add_callback(worker.close)
