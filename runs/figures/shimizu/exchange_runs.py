"""Runs of FT and exchanges of a fixed amount of data on the testbed, with their times."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product

from isoplane.models.workloads.npb.benchmarks import ft
from isoplane.models.workloads.npb.problem import Problem

from .testbed import ORDERS, fluid_ns, packets_ns

AMOUNT = 1 << 31  # bytes of all servers together, those that stay where they are included
AMOUNT_TITLE = "2 GiB"
MIB = 1 << 20
SHORT_BYTES = 16384  # of a message that is also simulated packet by packet


@dataclass(frozen=True)
class Run:
    """A benchmark that alternates between computing and an exchange.

    Attributes
    ----------
    title
        Class of FT, or the amount of data of a single exchange.
    servers, order, barriers, message_bytes
        The exchange, as in `messages_of`.
    exchanges
        Number of exchanges.
    exchange_ns
        Time of each of them, in the fluid model.
    computing_ns
        Time between exchanges, in all.
    """

    title: str
    servers: int
    order: str
    barriers: bool
    message_bytes: int
    exchanges: int
    exchange_ns: int
    computing_ns: int

    @property
    def communication_ns(self) -> int:
        """Time of all exchanges."""
        return self.exchanges * self.exchange_ns

    @property
    def total_ns(self) -> int:
        """Time of the run."""
        return self.communication_ns + self.computing_ns

    @property
    def share(self) -> Fraction:
        """Share of communication in the time of the run."""
        return Fraction(self.communication_ns, self.total_ns)

    @property
    def throughput(self) -> Fraction:
        """MiB that a server sends to others in a second of an exchange."""
        return Fraction((self.servers - 1) * self.message_bytes * 10**9, self.exchange_ns * MIB)


PacketCheck = tuple[Run, Fraction]  # an exchange of short messages, and its time in ns in the simulator


def exchanges_of(servers: Sequence[int]) -> Iterator[tuple[int, str, bool]]:
    """Yield servers, order and barriers of all exchanges among so many servers."""
    return product(servers, ORDERS, (True, False))


def transform_runs(problem_class: str, servers: Sequence[int], gflops: Fraction) -> Iterator[Run]:
    """Yield the runs of FT of a class: a transform before the clock, one after it, and one in each iteration.

    Between two exchanges, the servers divide the operations of a transform, as the benchmark counts them. Reductions of
    16 bytes are left out.

    Examples
    --------
    >>> run = next(transform_runs("B", [8], Fraction(27, 10)))
    >>> run.message_bytes, run.exchanges, run.exchange_ns
    (8388608, 22, 20973900)
    """
    operations, transforms = ft.operations(problem_class), ft.ITERATIONS[problem_class] + 2
    for count, order, barriers in exchanges_of(servers):
        exchange = count, order, barriers, 16 * ft.points(problem_class) // count**2
        problem = Problem(problem_class, count, transforms, gflops)
        computing_ns = transforms * problem.compute_ps(operations) // 1000
        yield Run(problem_class, *exchange, transforms, fluid_ns(*exchange), computing_ns)


def amount_runs(servers: Sequence[int]) -> Iterator[Run]:
    """Yield single exchanges of `AMOUNT`, of which each server has an equal part for each server.

    Examples
    --------
    >>> [run.message_bytes for run in amount_runs([8, 16])][::4]
    [33554432, 8388608]
    """
    for count, order, barriers in exchanges_of(servers):
        yield _exchange(AMOUNT_TITLE, count, order, barriers, AMOUNT // count**2)


def packet_checks(servers: Sequence[int]) -> Iterator[PacketCheck]:
    """Yield all exchanges with messages of `SHORT_BYTES`, beside their times in the simulator."""
    for settings in exchanges_of(servers):
        yield _exchange("short messages", *settings, SHORT_BYTES), packets_ns(*settings, SHORT_BYTES)


def _exchange(title: str, servers: int, order: str, barriers: bool, message_bytes: int) -> Run:
    """Return a run that is a single exchange."""
    exchange = servers, order, barriers, message_bytes
    return Run(title, *exchange, 1, fluid_ns(*exchange), 0)
