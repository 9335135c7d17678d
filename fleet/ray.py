"""A fleet of Ray workers, on this machine or on a cluster; the only file that imports Ray."""

import os
import socket
import time
from collections.abc import Callable, Generator, Iterable
from contextlib import suppress
from itertools import islice
from typing import Any, Self, TypeVar

from isoplane.models import InputError
from isoplane.models.checks import check_int

from .threads import MOMENT_S

T = TypeVar("T")
R = TypeVar("R")

REACH_S = 5.0
SILENT_S = 10.0  # a head may begin again meanwhile; Ray itself ends the whole program after a minute
STORE_BYTES = 100 << 20  # of a Ray of our own: what tasks exchange is small


class RayFleet:
    """Calls become Ray tasks; one that is lost with its worker or node is repeated elsewhere.

    A context manager: connects when it is entered.

    Parameters
    ----------
    workers
        How many tasks run at once; each takes a processor.
    address
        ``HOST:PORT`` of a running cluster, ``auto`` for the one of this machine; None starts a Ray of our own.

    Raises
    ------
    InputError
        If there are no workers; on entering, if Ray is not installed or the cluster cannot be reached.

    References
    ----------
    Moritz et al., Ray: A Distributed Framework for Emerging AI Applications, 2018.

    Examples
    --------
    >>> RayFleet(2).workers
    2
    """

    def __init__(self, workers: int = 1, address: str | None = None) -> None:
        self.workers = check_int("workers", workers, 1)
        self._address = address

    @property
    def seconds(self) -> float:
        """Long against sending a task, short enough to lose with a node."""
        return 2.0

    def __enter__(self) -> Self:
        os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
        try:
            import ray
        except ImportError as error:
            raise InputError("fleet=ray: Ray is not installed; allowed after pip install 'isoplane[ray]'") from error
        own: dict[str, Any] = {}
        if self._address is None:
            own = {"num_cpus": self.workers, "include_dashboard": False, "object_store_memory": STORE_BYTES}
        else:
            _reach(self._address)
        self._shared = ray.is_initialized()  # in a job of a sweep on Ray
        try:
            if not self._shared:
                ray.init(address=self._address or "local", log_to_driver=False, logging_level="ERROR", **own)
        except (OSError, RuntimeError, ValueError) as error:
            raise _unreachable(self._address, str(error)) from error
        self._call = ray.remote(num_cpus=1, max_retries=-1)(_call)
        client = self._address is not None and self._address.startswith("ray://")
        self._head = _Head(str(self._address) if client else ray.get_runtime_context().gcs_address)
        return self

    def __exit__(self, *_: object) -> None:
        import ray

        if not self._shared:
            ray.shutdown()

    def map(self, function: Callable[[T], R], items: Iterable[T]) -> Generator[tuple[int, R] | None, None, None]:
        """Call a function on every item, and yield (index, result) as tasks end.

        Raises
        ------
        ConnectionError
            If the cluster or its head is lost.
        """
        import ray

        waiting = enumerate(items)
        running: dict[Any, int] = {}
        try:
            while True:
                for index, item in islice(waiting, self.workers - len(running)):
                    running[self._call.remote(function, item)] = index
                if not running:
                    return
                self._head.require()
                ended, _ = ray.wait(list(running), num_returns=1, timeout=MOMENT_S)
                if not ended:
                    yield None
                for task in ended:
                    yield running.pop(task), ray.get(task)
        except ray.exceptions.RayTaskError as error:
            raise error.cause from None
        except ray.exceptions.RayError as error:
            raise ConnectionError(
                f"fleet=ray: lost ({str(error).splitlines()[0]}); continue with resume=FOLDER"
            ) from error
        finally:
            with suppress(Exception):  # of a cluster that is gone
                for task in running:
                    ray.cancel(task, force=True)


class _Head:
    """The head service of a cluster, asked once a second whether it is there."""

    def __init__(self, address: str) -> None:
        self._address = address
        self._host, port = _host_and_port(address)
        self._port = int(port)
        self._asked = time.monotonic()
        self._silent_since: float | None = None

    def require(self) -> None:
        """Raise ConnectionError if it has been silent for a while."""
        if time.monotonic() < self._asked + 1:
            return
        try:
            socket.create_connection((self._host, self._port), REACH_S).close()
            self._silent_since = None
        except OSError as error:
            self._silent_since = self._silent_since or time.monotonic()
            if time.monotonic() > self._silent_since + SILENT_S:
                raise ConnectionError(
                    f"fleet=ray: lost (its head at {self._address} does not answer); continue with resume=FOLDER"
                ) from error
        self._asked = time.monotonic()


def _call(function: Callable[[T], R], item: T) -> R:
    return function(item)


def _host_and_port(address: str) -> tuple[str, str]:
    """Return both parts of an address; an IPv6 address is in brackets there, but not for sockets."""
    host, _, port = address.removeprefix("ray://").rpartition(":")
    return host.removeprefix("[").removesuffix("]"), port


def _reach(address: str) -> None:
    """Make sure that something listens at an address, for Ray itself would try for minutes."""
    if address == "auto":
        return
    host, port = _host_and_port(address)
    if not host or not port.isdigit():
        raise InputError(f"fleet.address={address}: expected HOST:PORT of a Ray cluster, auto or null")
    try:
        socket.create_connection((host, int(port)), REACH_S).close()
    except (OSError, OverflowError) as error:
        raise _unreachable(address, str(error)) from error


def _unreachable(address: str | None, why: str) -> InputError:
    reason = " ".join(why.split("\n")[0].split())[:200]
    return InputError(
        f"fleet.address={'null' if address is None else address}: no Ray cluster ({reason}); expected one that runs "
        "and lets us in, or null"
    )
