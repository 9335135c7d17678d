"""Collective operations of time-independent traces."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from isoplane.models import InputError
from isoplane.models.process_programs import Collective

from .places import Place
from .trace_types import bytes_of

# By name: number of lengths, whether a root and an amount of computing may follow them, and which length counts.
COLLECTIVES = {
    "barrier": (0, False, False, 0),
    "bcast": (1, True, False, 0),
    "reduce": (1, True, True, 0),
    "allreduce": (1, False, True, 0),
    "allgather": (2, False, False, 0),
    "alltoall": (2, False, False, 0),
    "gather": (2, True, False, 0),  # that of the sends: others than the root receive nothing
    "scatter": (2, True, False, 1),
}
EXCHANGES = ("alltoallv", "reducescatter")  # with a length for each process


def collective_of(
    place: Place, name: str, arguments: Sequence[str], processes: int, default: str | None
) -> tuple[Collective, str]:
    """Return a collective operation of all processes, and what each of them computes in it.

    Lengths without a type are of elements of the default one. The lengths of an `alltoallv` are what the process sends
    to each and, in a second row, receives from each.

    Raises
    ------
    InputError
        If an argument is missing or out of range.
    """
    if name in EXCHANGES:
        return _exchange_of(place, name, arguments, processes, default)
    lengths, has_root, computes, which = COLLECTIVES[name]
    least = lengths + computes
    require(place, name, arguments, least, least + has_root + max(lengths, 1) * (lengths > 0))
    flops = arguments[lengths] if computes else "0"
    rest = list(arguments[least:])
    root = place.integer(rest.pop(0), "root", 0, processes - 1) if has_root and rest else 0
    size = bytes_of(place, arguments[which], rest[which] if len(rest) > which else default) if lengths else 0
    return Collective(name, np.roll(np.arange(processes), -root)[None], size), flops


def _exchange_of(
    place: Place, name: str, arguments: Sequence[str], processes: int, default: str | None
) -> tuple[Collective, str]:
    """Return an exchange with a length for each process, and what each process computes in it."""
    if name == "reducescatter":
        require(place, name, arguments, processes + 1, processes + 2)
        datatype = arguments[processes + 1] if len(arguments) > processes + 1 else default
        size = np.array([bytes_of(place, count, datatype) for count in arguments[:processes]])
        return Collective(name, np.arange(processes)[None], size), arguments[processes]
    require(place, name, arguments, 2 * processes + 2, 2 * processes + 4)
    types = [*arguments[2 * processes + 2 :], default, default]
    counts = arguments[1 : processes + 1], arguments[processes + 2 : 2 * processes + 2]
    size = np.array([[bytes_of(place, count, types[i]) for count in counts[i]] for i in (0, 1)])
    return Collective(name, np.arange(processes)[None], size), "0"


def require(place: Place, name: str, arguments: Sequence[str], least: int, most: int) -> None:
    """Require a number of arguments.

    Raises
    ------
    InputError
        If there are fewer or more.
    """
    if not least <= len(arguments) <= most:
        expected = str(least) if least == most else f"{least} to {most}"
        raise place.error(f"{name} with {len(arguments)} arguments", expected)


def collectives_of(of_processes: Sequence[Sequence[tuple[Place, Collective]]], path: Path) -> list[Collective]:
    """Return the collective operations, which all processes have in the same order.

    Raises
    ------
    InputError
        If one does not, or processes do not receive what others send.
    """
    first = of_processes[0]
    for process, found in enumerate(of_processes):
        for (place, one), (_, other) in zip(found, first, strict=False):
            if _described(one) != _described(other):
                raise place.error(_described(one), f"{_described(other)}, as of process 0")
        if len(found) != len(first):
            raise InputError(
                f"workload.file={path}: {len(found)} collective operations of process {process}; "
                f"expected {len(first)}, as of process 0"
            )
    return [_joined(together) for together in zip(*of_processes, strict=True)]


def _described(one: Collective) -> str:
    """Return what processes must have in common."""
    if one.name == "alltoallv":
        return one.name
    if one.name == "reducescatter":
        return f"{one.name} of {np.asarray(one.size_bytes).tolist()} bytes"
    return f"{one.name} of {one.size_bytes} bytes from {one.groups[0, 0]}"


def _joined(together: Sequence[tuple[Place, Collective]]) -> Collective:
    """Return the operation that processes execute together."""
    one = together[0][1]
    if one.name not in EXCHANGES:
        return one
    if one.name == "reducescatter":  # in pairs: to each process the part that it keeps
        matrix = np.tile(one.size_bytes, (len(together), 1))
        return Collective("alltoallv", one.groups, matrix)
    sent, received = np.stack([np.asarray(own.size_bytes) for _, own in together], axis=1)
    wrong = np.argwhere(sent != received.T)
    if len(wrong):
        source, destination = wrong[0]
        raise together[destination][0].error(
            f"alltoallv with {received[destination, source]} bytes received from process {source}",
            f"{sent[source, destination]}, as sent",
        )
    return Collective("alltoallv", one.groups, sent)
