"""A fleet of Ray workers, on this machine or on a cluster; the only module that imports Ray."""

import os
import re
import socket
import sys
import time
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import contextmanager, suppress
from itertools import islice
from pathlib import Path
from threading import Thread
from typing import Any, Self, TypeVar

from isoplane.models import InputError
from isoplane.models.checks import check_int
from isoplane.models.errors import not_installed

from .threads import POLL_INTERVAL_S

T = TypeVar("T")
R = TypeVar("R")

CONNECT_TIMEOUT_S = 5.0
HEAD_TIMEOUT_S = 10.0  # time for a head to restart; Ray itself would end the whole program after a minute
CORE_LINE = re.compile(rb"\[\d{4}-\d\d-\d\d [\d:,]+ \w \d+ \d+\] ")
OBJECT_STORE_BYTES = 100 << 20  # for a local Ray instance: items and results are small


class RayFleet:
    """A fleet whose calls are Ray tasks; a task lost with its worker or node is repeated elsewhere.

    A context manager, which connects on entry.

    Parameters
    ----------
    workers
        Number of concurrent tasks, each on one processor.
    address
        ``HOST:PORT`` of a running cluster, ``auto`` for the one on this machine; None starts a local Ray instance.

    Raises
    ------
    InputError
        If `workers` is not positive; on entry, if Ray is not installed or the cluster cannot be reached.

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
    def target_call_seconds(self) -> float:
        """Long compared with the cost of sending a task, short enough that the loss of a node costs little."""
        return 2.0

    def __enter__(self) -> Self:
        os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
        os.environ.setdefault("RAY_BACKEND_LOG_LEVEL", "fatal")  # its core writes to standard error itself
        try:
            import ray
        except ImportError as error:
            raise InputError(f"fleet=ray: {not_installed('Ray', 'ray')}") from error
        local_options: dict[str, Any] = {}
        if self._address is None:
            local_options = {
                "num_cpus": self.workers,
                "include_dashboard": False,
                "object_store_memory": OBJECT_STORE_BYTES,
            }
        else:
            _require_reachable(self._address)
        self._was_initialized = ray.is_initialized()  # inside a job of a sweep on Ray
        try:
            if not self._was_initialized:
                # Workers find modules where this process does, such as those of objectives that are functions.
                found_in = os.pathsep.join(_folders_of_user())
                environment = {"runtime_env": {"env_vars": {"PYTHONPATH": found_in}}} if found_in else {}
                options = {"log_to_driver": False, "logging_level": "CRITICAL", **environment, **local_options}
                with _without_lines_of_core():
                    ray.init(address=self._address or "local", **options)
        except Exception as error:  # a start that takes too long is a plain Exception
            with suppress(Exception):  # what has started
                ray.shutdown()
            raise _unreachable(self._address, str(error)) from error
        self._call = ray.remote(num_cpus=1, max_retries=-1)(_call)
        client = self._address is not None and self._address.startswith("ray://")
        self._head = _HeadMonitor(str(self._address) if client else ray.get_runtime_context().gcs_address)
        return self

    def __exit__(self, *_: object) -> None:
        import ray

        if not self._was_initialized:
            ray.shutdown()

    def map(self, function: Callable[[T], R], items: Iterable[T]) -> Generator[tuple[int, R] | None, None, None]:
        """Call a function on every item, and yield (index, result) as tasks are completed.

        Raises
        ------
        ConnectionError
            If the connection to the cluster or its head is lost.
        """
        import ray

        pending = enumerate(items)
        running: dict[Any, int] = {}
        try:
            while True:
                for index, item in islice(pending, self.workers - len(running)):
                    running[self._call.remote(function, item)] = index
                if not running:
                    return
                self._head.check()
                done, _ = ray.wait(list(running), num_returns=1, timeout=POLL_INTERVAL_S)
                if not done:
                    yield None
                for task in done:
                    yield running.pop(task), ray.get(task)
        except ray.exceptions.RayTaskError as error:
            # As with other fleets, callers see the errors of their own functions.
            raise error.cause from None
        except ray.exceptions.RayError as error:
            raise ConnectionError(f"fleet=ray: lost ({str(error).splitlines()[0]})") from error
        finally:
            with suppress(Exception):  # the cluster may be gone
                for task in running:
                    ray.cancel(task, force=True)


def _folders_of_user() -> list[str]:
    """Return the folders in the path of Python that are no part of its installation."""
    installed = sys.prefix, sys.base_prefix
    folders = [Path(folder).absolute() for folder in sys.path if folder]
    return [str(folder) for folder in folders if not any(folder.is_relative_to(prefix) for prefix in installed)]


@contextmanager
def _without_lines_of_core() -> Iterator[None]:
    """Leave out what Ray's core itself writes to standard error inside the block: it names its level of messages."""
    reading, writing = os.pipe()
    saved = os.dup(2)
    # The descriptor itself: the core is C++ and knows nothing of `sys.stderr`.
    os.dup2(writing, 2)
    os.close(writing)

    def forward() -> None:
        with os.fdopen(reading, "rb") as lines, os.fdopen(saved, "wb", buffering=0) as stream:
            for line in lines:
                if CORE_LINE.match(line) is None:
                    stream.write(line)

    forwarding = Thread(target=forward, daemon=True)  # ends with the last process that has inherited the pipe
    # A copy of its own, as the thread closes the other one.
    restored = os.dup(saved)
    forwarding.start()
    try:
        yield
    finally:
        os.dup2(restored, 2)
        os.close(restored)


class _HeadMonitor:
    """Monitor of the head service of a cluster: tests the connection at most once a second."""

    def __init__(self, address: str) -> None:
        self._address = address
        self._host, port = _host_and_port(address)
        self._port = int(port)
        self._last_check = time.monotonic()
        self._unreachable_since: float | None = None

    def check(self) -> None:
        """Raise ConnectionError if the head has not answered for `HEAD_TIMEOUT_S`."""
        if time.monotonic() < self._last_check + 1:
            return
        try:
            socket.create_connection((self._host, self._port), CONNECT_TIMEOUT_S).close()
            self._unreachable_since = None
        except OSError as error:
            self._unreachable_since = self._unreachable_since or time.monotonic()
            if time.monotonic() > self._unreachable_since + HEAD_TIMEOUT_S:
                raise ConnectionError(f"fleet=ray: lost (its head at {self._address} does not answer)") from error
        self._last_check = time.monotonic()


def _call(function: Callable[[T], R], item: T) -> R:
    return function(item)


def _host_and_port(address: str) -> tuple[str, str]:
    """Split an address; the brackets of an IPv6 address are removed, as sockets expect."""
    host, _, port = address.removeprefix("ray://").rpartition(":")
    return host.removeprefix("[").removesuffix("]"), port


def _require_reachable(address: str) -> None:
    """Check that a server listens at an address, because Ray itself would retry for minutes."""
    if address == "auto":
        return
    host, port = _host_and_port(address)
    if not host or not port.isdigit():
        raise InputError(f"fleet.address={address}: expected HOST:PORT of a Ray cluster, auto or null")
    try:
        socket.create_connection((host, int(port)), CONNECT_TIMEOUT_S).close()
    except (OSError, OverflowError) as error:
        raise _unreachable(address, str(error)) from error


def _unreachable(address: str | None, details: str) -> InputError:
    reason = " ".join(details.split("\n")[0].split())[:200]
    if address is None:
        return InputError(
            f"fleet=ray: Ray has not started on this machine ({reason}); expected a machine with time and memory for "
            "it: try again, or fleet=local"
        )
    return InputError(
        f"fleet.address={address}: no Ray cluster ({reason}); expected fleet=ray fleet.address=HOST:PORT of a running "
        f"one that accepts this client, by its version and token (here {_token_text()}), fleet=ray for this machine "
        "alone, or fleet=local"
    )


def _token_text() -> str:
    """Return how this client chooses its token, which is not shown itself."""
    names = ("RAY_AUTH_MODE", "RAY_AUTH_TOKEN_PATH")
    return ", ".join(f"{name}={os.environ[name]}" if name in os.environ else f"{name} is not set" for name in names)
