"""`eq.cluster`: let the workers of a Dask cluster play instead of our own threads; see docs/reference/cluster.md."""

from __future__ import annotations

import logging
import os
import re
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError, Future
from contextlib import contextmanager
from importlib.machinery import ModuleSpec
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

import strategies.travel  # noqa: F401  lets runs travel
from equipoise.parameters import MAX_THREADS
from simcore.errors import UsageError
from simcore.running.executors import Workers, use_cluster

if TYPE_CHECKING:
    from distributed import Client

LOG = logging.getLogger("equipoise")

PATIENCE = 5
"""Seconds within which a scheduler must answer."""

ARRIVAL = 30
"""Seconds within which the first worker must arrive."""

COUNTED = 5.0
"""Seconds after which the threads of all workers are counted again."""

HERE = "127.0.0.1"
"""Where the processes of a cluster on this machine listen, Dask's dashboard included: no other machine reaches them."""

CALM = {
    "distributed.worker.profile.enabled": False,
    "distributed.admin.tick.interval": "500ms",
    "distributed.admin.system-monitor.interval": "2s",
    "distributed.worker.memory.monitor-interval": "1s",
    "distributed.scheduler.active-memory-manager.start": False,
}
"""Settings of Dask with which its processes take little time for watching themselves."""

_ADDRESS = re.compile(r"(tcp|tls|ws|wss)://[^\s/]+:\d{1,5}/?")


@contextmanager
def cluster(where: str) -> Iterator[None]:
    """Let the workers of a Dask cluster play while the `with` block runs.

    Every function that plays many games uses them: `simulate`, `report`, `sweep`, `tournament`, `restrict` and `tune`.
    The results are the same, to the last bit, as those of threads.

    Parameters
    ----------
    where
        Address of a scheduler, such as "tcp://scheduler:8786"; or "local:4" for four processes on this machine.

    Raises
    ------
    UsageError
        If Dask is not installed, the scheduler does not answer, it has no workers, or a worker has another version.

    References
    ----------
    * docs/reference/cluster.md

    Examples
    --------
    >>> import equipoise as eq
    >>> with eq.cluster("local:1"):
    ...     found = eq.simulate(players=2, strategies="random", games=400)
    >>> found.seats.height
    2
    """
    try:
        import distributed  # noqa: F401
    except ImportError:
        raise UsageError("a cluster needs Dask; install it with: pip install 'equipoise[cluster]'", "cluster") from None
    connected = _local(_processes(where)) if where.startswith("local:") else _remote(where)
    with connected as client:
        _admit(client)
        with use_cluster(_Cluster(client)):
            yield


def _processes(where: str) -> int:
    number = where.removeprefix("local:")
    if not (number.isascii() and number.isdigit() and 1 <= int(number[:5]) <= MAX_THREADS):
        raise UsageError(f"'{where}': write local:N, with N processes from 1 to {MAX_THREADS}", "cluster")
    return int(number)


@contextmanager
def _local(processes: int) -> Iterator[Client]:
    """Start a scheduler and workers on this machine, and end them when the block ends."""
    import dask
    from distributed import Client, LocalCluster

    with (
        dask.config.set(CALM),
        _script_not_run_again(),
        _no_modules_of_the_folder(),
        LocalCluster(
            host=HERE,
            dashboard_address=f"{HERE}:0",
            n_workers=processes,
            threads_per_worker=1,
            silence_logs=logging.CRITICAL,
        ) as made,
        Client(made, set_as_default=False) as client,
    ):
        yield client


@contextmanager
def _script_not_run_again() -> Iterator[None]:
    """Keep new processes from importing the script of this process, which might call us again.

    New processes do not import a main module that `python -m` found in a package; make ours look like one.
    """
    main: Any = sys.modules["__main__"]
    kept, main.__spec__ = main.__spec__, ModuleSpec("equipoise.__main__", None)
    try:
        yield
    finally:
        main.__spec__ = kept


@contextmanager
def _no_modules_of_the_folder() -> Iterator[None]:
    """Keep new processes from looking for Python's own modules in the current folder, and running a json.py there."""
    kept = os.environ.get("PYTHONSAFEPATH")
    os.environ["PYTHONSAFEPATH"] = "1"
    try:
        yield
    finally:
        if kept is None:
            del os.environ["PYTHONSAFEPATH"]
        else:
            os.environ["PYTHONSAFEPATH"] = kept


@contextmanager
def _remote(address: str) -> Iterator[Client]:
    """Connect to a scheduler."""
    from distributed import Client

    if not _ADDRESS.fullmatch(address):
        raise UsageError(f"'{address}' is neither local:N nor an address such as tcp://scheduler:8786", "cluster")
    for name in ("distributed", "distributed.client"):  # what goes wrong is said in one line, by us
        logging.getLogger(name).setLevel(logging.CRITICAL)
    try:
        client = Client(address, timeout=PATIENCE, set_as_default=False)
    except (OSError, ValueError, RuntimeError) as error:
        LOG.debug("%s", error)
        raise UsageError(
            f"{address}: no scheduler answers there; start one with 'dask scheduler', or try local:2", "cluster"
        ) from None
    with client:
        yield client


def _admit(client: Client) -> None:
    """Wait for the first worker; refuse workers that would not play exactly as this process does."""
    from equipoise.cluster_admission import Admission, build

    try:
        client.wait_for_workers(1, timeout=ARRIVAL)
    except TimeoutError:
        raise UsageError(
            f"{client.scheduler.address} has no workers; start some with 'dask worker ADDRESS'", "cluster"
        ) from None
    here = build()
    for worker, found in client.run(build, on_error="return").items():
        if isinstance(found, ImportError):
            raise UsageError(
                f"worker {worker} has no Equipoise like this one: {found}; install {here} there", "cluster"
            )
        if isinstance(found, BaseException):
            raise UsageError(f"worker {worker} cannot play: {found}", "cluster")
        if found != here:
            raise UsageError(f"worker {worker} has {found}, but here is {here}; install the same there", "cluster")
    client.register_plugin(Admission(here))


class _Cluster:
    """The workers of a Dask cluster."""

    def __init__(self, client: Client) -> None:
        self._client = client
        self._told = False

    def workers(self) -> Workers:
        if not self._told:
            self._told = True
            threads = list(self._client.nthreads().values())
            LOG.info(
                "Playing on %d worker%s with %d thread%s. Dask's dashboard: %s",
                len(threads),
                "s" * (len(threads) != 1),
                sum(threads),
                "s" * (sum(threads) != 1),
                self._client.dashboard_link,
            )
        return _Hands(self._client)


class _Hands:
    """The workers while they carry out one piece of work after another."""

    def __init__(self, client: Client) -> None:
        self._client = client
        self._executor = client.get_executor(pure=False)
        self._size, self._asked = 1, -COUNTED

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        from distributed import KilledWorker

        self._executor.shutdown(wait=False)
        if isinstance(error, KilledWorker):
            raise UsageError(
                "several workers ended while they played the same games; give them more memory, or play without a "
                "cluster and see what happens",
                "cluster",
            ) from None
        if isinstance(error, CancelledError):
            raise UsageError("the scheduler is gone; start the cluster again", "cluster") from None

    @property
    def size(self) -> int:
        """Number of pieces of work that are done at a time; workers may come and go."""
        if time.monotonic() - self._asked >= COUNTED:
            threads: list[int] = list(self._client.nthreads().values())
            self._size, self._asked = max(sum(threads), 1), time.monotonic()
        return self._size

    def submit(self, work: Callable[..., Any], /, *arguments: Any) -> Future[Any]:
        """Have a worker carry out a piece of work."""
        try:
            found: Future[Any] = self._executor.submit(work, *arguments)
        except TypeError as error:  # Dask's, where something cannot be sent
            if isinstance(error.__cause__, UsageError):
                raise error.__cause__ from None
            raise
        return found
